"""The words that dates are made of, with the spellings that chats give them."""

from __future__ import annotations

from graphmem.dates.found import Granularity


def word_set(words: str) -> frozenset[str]:
    """Return the words of a line as a set."""
    return frozenset(words.split())


def _table(lines: str) -> dict[str, int]:
    """Number the lines from 1; every word of a line gets its number."""
    return {word: at for at, line in enumerate(lines.strip().splitlines(), start=1) for word in line.split()}


MONTHS = _table("""
january jan januar janurary januray
february feb febuary febraury feburary
march mar
april apr arpil
may
june jun
july jul
august aug augest agust
september sept sep septembre septemeber setember
october oct octobre ocotber
november nov novemeber novmber
december dec decemeber decmber
""")

WEEKDAYS = _table("""
monday mon munday mondy
tuesday tue tues teusday tuesdy tusday tuseday
wednesday wed weds wednsday wednesaday wensday wendesday wedensday wednessday
thursday thu thur thurs thrusday thursdy thurday thirsday
friday fri firday fridy
saturday sat saterday saturdy satuday saturady
sunday sun sundy
""")
# Written alone these are a star, a verb, a wife's fate; they need a word beside them that makes them a day.
SHY_WEEKDAYS = frozenset(["mon", "tue", "wed", "thu", "fri", "sat", "sun"])
MANY_WEEKDAYS = {f"{word}s": at for word, at in WEEKDAYS.items() if word.endswith("day")}
SHY_MONTHS = frozenset(["may", "march", "mar", "jan", "jun", "dec", "sep"])

SEASONS = {"spring": 3, "springtime": 3, "summer": 6, "summertime": 6, "autumn": 9, "fall": 9, "winter": 12}
PARTS = {"morning": (6, 12), "afternoon": (12, 18), "evening": (18, 24), "night": (18, 24), "nite": (18, 24)}
PARTS_LOOSE = {
    **PARTS,
    "morn": (6, 12),
    "eve": (18, 24),
    "arvo": (12, 18),
    "lunchtime": (12, 14),
    "dawn": (5, 7),
    "dusk": (18, 20),
}

SMALL = _table("""
one
two
three
four
five
six
seven
eight
nine
ten
eleven
twelve
thirteen
fourteen
fifteen
sixteen
seventeen
eighteen
nineteen
twenty
""")
TENS = {"twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90}
ORDINALS = _table("""
first
second
third
fourth
fifth
sixth
seventh
eighth
ninth
tenth
eleventh
twelfth
thirteenth
fourteenth
fifteenth
sixteenth
seventeenth
eighteenth
nineteenth
twentieth
""") | {"thirtieth": 30}
VAGUE = {"few": 3, "several": 3, "couple": 2, "some": 3}
DECADES = {f"{word[:-1]}ies": ten for word, ten in TENS.items()}

_UNITS: dict[Granularity, str] = {
    "second": "second seconds sec secs",
    "minute": "minute minutes min mins minuts",
    "hour": "hour hours hr hrs h",
    "day": "day days d dayz",
    "week": "week weeks wk wks w weeek",
    "weekend": "weekend weekends wkend wkends wknd wknds weeknd",
    "month": "month months mo mos mth mths moths",
    "quarter": "quarter quarters",
    "season": "season seasons",
    "half": "half",
    "year": "year years yr yrs y yeras",
    "decade": "decade decades",
    "century": "century centuries",
}
UNITS: dict[str, Granularity] = {word: unit for unit, words in _UNITS.items() for word in words.split()}
# What can be counted off: "half" and "season" are not steps.
STEPS = {word: unit for word, unit in UNITS.items() if unit not in ("half", "season", "weekend")}

NOW = frozenset(["now", "rn"])
TODAY = frozenset(["today", "2day", "tday", "todays"])
TONIGHT = frozenset(["tonight", "tonite", "2nite", "2night", "tonihgt"])
YESTERDAY = word_set("yesterday yday yest yestarday yesturday yesterdays ystrday ysterday yesteday yesterady")
TOMORROW = word_set("tomorrow tmrw tmr tmw tomorow tommorow tommorrow 2moro 2morrow tomoro tomorro tmrrw")

LAST = frozenset(["last", "past", "previous", "prior", "lst"])
NEXT = frozenset(["next", "nxt"])
COMING = frozenset(["coming", "upcoming", "forthcoming"])
THIS = frozenset(["this", "current"])
EARLY = frozenset(["early", "beginning", "start"])
MIDDLE = frozenset(["mid", "middle"])
LATE = frozenset(["late", "end"])

AROUND = word_set("about around roughly approximately approx circa almost nearly over maybe like probably ~ exactly")
UNTIL = word_set("until till til untill through thru by before")
# Words after which a month, a year or a season is a date and not a name.
CUES = word_set(
    "in since by until till til untill of last next early mid late during from through thru before after "
    "around between this past coming upcoming every each circa beginning end start middle on over "
    "following throughout back for within approximately roughly ~ ever upto starting previous as"
)
DAY_CUES = CUES | word_set("to and or at with , ( - & on is was")

FUNCTION = word_set(
    "a an the and or but nor so yet if then than that this these those there here of in on at by for from "
    "to into with about as is am are was were be been do does did have has had will would shall should "
    "can could might must i me my we us our you your he him his she her it its they them their who what "
    "which when where why how not no because since until till before after during around while also just "
    "only again already too very all every u im ive we're we've i'm i've i'll we'll let let's please lol "
    "haha onwards onward thru til till"
)

_OPENERS = [
    "early",
    "earlier",
    "late",
    "later",
    "mid",
    "middle",
    "beginning",
    "end",
    "start",
    "ago",
    "this",
    "last",
    "next",
    "past",
    "previous",
    "coming",
    "upcoming",
    "every",
    "each",
    "other",
    "daily",
    "weekly",
    "monthly",
    "yearly",
    "annually",
    "nightly",
    "hourly",
    "noon",
    "midnight",
    "midday",
    "weekdays",
    "weekends",
    "eod",
    "eow",
    "eom",
    "eoq",
    "eoy",
    "cob",
    "eob",
    "business",
    "thousand",
    "nineteen",
    "twenty",
    "eighteen",
    "mornings",
    "afternoons",
    "evenings",
    "nights",
    "fortnight",
    "fortnights",
    "time",
    "nineties",
    "eighties",
    "lately",
    "biweekly",
]
TRIGGERS = frozenset().union(
    *(MONTHS, WEEKDAYS, MANY_WEEKDAYS, SEASONS, PARTS_LOOSE, UNITS, NOW, TODAY, TONIGHT, YESTERDAY, TOMORROW),
    *(DECADES, _OPENERS, ORDINALS),
)
STARTERS = (
    TRIGGERS
    | AROUND
    | LAST
    | NEXT
    | COMING
    | THIS
    | UNTIL
    | VAGUE.keys()
    | TENS.keys()
    | SMALL.keys()
    | MONTHS.keys()
    | word_set(
        "a an the in within from between since until before after by as up prior starting these on once twice "
        "times half right just quarter first hundred dozen eve the final q1 q2 q3 q4 h1 h2 more less than "
        "at no not m w/c effective commencing pre post rest remainder so cob eob cop close same recent calendar"
    )
)
