"""Words that decide how a clause is to be taken. Data only: what belongs to a domain stands in the ontologies."""

from __future__ import annotations


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


FIRST = _words("i me my mine myself we us our ours ourselves im i'm")
SECOND = _words("you your yours yourself u ur ya")
THIRD = {"he": "male", "him": "male", "his": "male", "she": "female", "her": "female", "hers": "female",
         "they": "any", "them": "any", "their": "any", "it": "thing", "its": "thing"}  # fmt: skip
GENERIC = _words(
    "people everyone everybody someone somebody anyone anybody nobody one folks men women kids they you "
    "those who these that this it there what everything something nothing somethin all some many most"
)
POINTING = _words("this that these those it them one ones here there such")
# What stands where a set phrase has a thing, and makes it another phrase: "no worries".
NO_THING = _words(
    "which who what when how to your worries problem problems rush pressure offense doubt way idea need hurry"
)
DEFINITE = _words("the this that these those")
MALE = _words(
    "husband brother father dad son uncle grandfather grandpa nephew boyfriend stepson stepdad grandson "
    "fiance king man guy boy"
)
FEMALE = _words(
    "wife sister mother mom mum daughter aunt grandmother grandma niece girlfriend stepdaughter stepmom "
    "granddaughter fiancee queen woman girl lady"
)

# Names of places and tools that are words too, and mean the thing only with a capital.
ALSO_WORDS = _words(
    "word excel teams split linear notion express spring bath reading swift go rust zoom slack bun signal perl julia "
    "nice cork hull york mobile windows arch confluence cassandra copilot java chrome safari vue next "
    "react node apple meta oracle intel uber stripe turkey china jordan chile georgia cuba jamaica us la sf "
    "bali lima phoenix split arduino docker kindle garmin strava pandas flask rails angular swift scala "
    "elixir julia zig bash latin polish english french welsh"
) - _words("pandas docker bash")

# Verbs that stand before another verb and say how it is meant.
PLANNING = _words(
    "plan intend promise need have go agree aim commit arrange schedule suppose prepare gotta vow pledge  set gon about"
)
DECIDING = _words("decide choose")
WISHING = _words("want hope wish dream wanna consider think like love hate try look wait prefer expect")
BEGINNING = _words("start begin commence resume")
ENDING = _words("stop quit cease finish")
CARRYING = _words("keep continue get manage happen tend end come help be able seem appear use")
REFUSING = _words("refuse decline fail forget")
CONTROLLING = (
    PLANNING
    | REFUSING
    | DECIDING
    | frozenset({"want", "hope", "wish", "consider", "try", "expect", "use"})
    | (BEGINNING | ENDING | frozenset({"keep", "continue", "get", "manage", "happen", "tend", "able", "end"}))
)
# After these, what somebody says of himself holds ("I think I broke it"), a little less surely for the hedges.
TRANSPARENT = _words(
    "know say tell mention remember realize realise admit mean swear notice forget confirm add love "
    "like hate glad happy sure sorry afraid proud turn be find discover learn announce see show"
)
HEDGES = _words("think guess believe suspect suppose reckon feel figure bet assume imagine")
HEDGING_ADVERBS = _words(
    "maybe perhaps probably possibly hopefully presumably supposedly apparently potentially "
    "ideally theoretically hypothetically"
)
UNREAL_MARKS = _words("if unless whether lest provided assuming supposing")
UNREAL_MODALS = _words("would could might may should 'd ought")
ENDED = _words("anymore longer")

# What is said with these says little that lasts.
LIGHT = _words(
    "think know guess feel mean see hear hope say tell agree thank appreciate understand wonder look sound "
    "seem believe bet wait suppose imagine bless swear apologize apologise mind care matter doubt realize "
    "realise notice remember forget ask check hang chat talk text reply answer show share send let please "
    "wish admit figure wanna try help listen watch stay sit stand stare laugh smile cry sigh joke kid rest "
    "relax breathe sleep nap wake eat deal worry handle manage happen need want get go come do make take "
    "have be put keep turn hold give bring call seem appear feel love like enjoy hate crack freak lol "
    "curious bother mess sort hit swamp overwhelm thrill inspire impress blow cross relate congratulate wonder learn work use spend excite root follow continue"
)
LIGHT_NOUNS = _words(
    "thing things stuff lot lots bit time times way ways kind sort one ones something anything nothing "
    "everything it this that these those idea ideas moment minute sec second while day today tonight "
    "question questions issue problem point fun luck feeling feelings thought thoughts part end "
    "week weekend night morning afternoon evening hour hours news word words guy guys people person "
    "someone anyone everyone rest break look chance deal sense mind heart share thank thanks bunch "
    "couple number place case reason fact matter sake try shot touch trouble shape form piece mess world "
    "life works moon page gut finger ear comfort difference attitude spirit hard journey luck support vibe vibes who which what whom me you him her them us i we he she they"
)
# What is named and yet says nothing that would be asked for.
ABSTRACT = _words(
    "blast vibe vibes high potential effort efforts best strength stories story connection connections dream dreams goal "
    "goals success ambition ambitions support motivation positivity energy passion courage memory memories challenge "
    "challenges obstacle obstacles progress growth stride strides resilience inspiration creativity hope joy peace "
    "peacefulness beauty relief confidence insight impact advice appreciation bond laugh laughs smile smiles emotion "
    "emotions stress pressure perspective boost reminder tough turnout wonder love balance path curveball loop "
    "experience experiences purpose happiness conversation conversations chat chats pic pics photo photos picture "
    "pictures results reality spot step steps focus sense meaning place opportunity opportunities feedback cause causes "
    "go hang edge track doubt doubts wave waves corner pep setback setbacks doubt knack wait break"
)
TRANSIENT = _words(
    "sorry glad happy sure tired excited busy ok okay fine good great back ready sad afraid curious here "
    "there well bored hungry thirsty sleepy lost stuck confused right wrong late early alone done free "
    "thankful grateful proud lucky nervous anxious worried stressed pumped stoked thrilled surprised "
    "impressed amazed jealous mad angry upset annoyed frustrated exhausted overwhelmed swamped close "
    "up down in out on off game able willing interested keen aware certain wondering better worse bad "
    "awesome amazing terrible cold hot warm allergic honored honoured touched relieved hopeful optimistic "
    "positive serious honest clear welcome home away fun cool nice inspired determined blessed same "
    "all kidding joking dead live new old young inclined likely supposed about bound"
)

# What is news when it is told of somebody, though no thing or day be named.
LIFE = _words("split divorce separate marry die retire graduate elope")
# Of these, the ones that say something with a thing.
HANDLING = _words(
    "get have take make do go come use work learn play keep put give bring call need want live spend eat "
    "sleep send turn hold follow handle manage watch listen check try show start teach stay"
)
LIGHT -= HANDLING

# Chat that carries nothing.
FILLER = _words(
    "actually well so yeah yes yep yup oh ah um uh hmm hey hi hello lol haha btw anyway anyways also just "
    "honestly basically literally like ok okay and but or then though please sorry no nope wow thanks "
    "plus besides still even really definitely obviously totally sadly unfortunately luckily fortunately "
    "finally correction wait nah man dude omg ugh too fyi seriously frankly alas because cause cuz since "
    "although that recently lately simply"
)
GREETING = _words(
    "hi hello hey bye goodbye thanks thank welcome congrats congratulations cheers lol haha lmao omg wow "
    "yes yeah yep no nope ok okay sure cool nice great awesome amazing good morning evening night "
    "please sorry xoxo hugs yay hurray yikes ugh phew hmm well aw aww gosh god jesus damn absolutely "
    "woohoo yay wanna gonna gotta whoa woah yup oops ouch exactly totally definitely indeed love dear ps fyi btw asap tbh imo idk"
)
WEEKDAYS = _words(
    "monday tuesday wednesday thursday friday saturday sunday mon tue tues wed thu thur thurs fri sat sun "
    "mondays tuesdays wednesdays thursdays fridays saturdays sundays"
)
MONTHS = _words(
    "january february march april may june july august september october november december jan feb mar apr "
    "jun jul aug sep sept oct nov dec"
)
TIMES = (
    WEEKDAYS
    | MONTHS
    | _words(
        "day days week weeks weekend weekends month months year years decade decades hour hours minute minutes second "
        "seconds morning afternoon evening night nights noon midnight today tomorrow yesterday tonight summer winter spring "
        "autumn fall season quarter century time times moment ago christmas easter mornings evenings afternoons summers "
        "past future now then"
    )
)
YES = _words("yes yeah yep yup yea correct right exactly indeed true absolutely definitely sure affirmative")
NO = _words("no nope nah")
# Bare nouns after "in", "at" and "to" that are no names of places or firms.
BARE = _words(
    "bed town peace fear poverty school college university hospital love trouble person general fact work home "
    "night noon least all first last once church court prison jail class mind touch shape order charge "
    "business life secret advance need danger pain public private particular theory practice nature style "
    "time bliss denial hell heaven limbo luxury harmony sin squalor solitude exile there here somewhere "
    "anywhere everywhere nowhere abroad overseas downtown uptown upstairs downstairs outside inside "
    "sleep dinner lunch breakfast sea war rest speed random hand ease"
)
SKILLED = _words(
    "play speak cook code program drive swim sing dance draw paint ski ride sail juggle knit sew bake type "
    "fly surf skate climb dive row read write crochet weld solder weave pilot debug translate sign"
)
STYLE = _words(
    "answer answers response responses reply replies message messages unit units bullet bullets emoji emojis "
    "tone language format list lists table tables code examples jargon english french german spanish "
    "portuguese italian dutch japanese chinese metric imperial celsius markdown sentences paragraphs summary "
    "summaries concise brief short formal informal polite explanations explanation pronouns name spelling "
    "words sources citations kilometers kilometres"
)
STANDING = _words("always never ever whenever")
DIRECTING = _words(
    "answer respond reply speak talk address call use avoid keep be write format explain cite include "
    "prefer give stop remember refer remind stick skip spell start"
)
