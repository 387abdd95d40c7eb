"""What each expression denotes, and what is none."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest

from graphmem.dates import HOLIDAYS, Holiday, resolve
from graphmem.errors import InvalidInput

WEDNESDAY = datetime(2023, 8, 16, 15, 30, tzinfo=UTC)

# text | reference (a dot is Wednesday 16 August 2023, 15:30) | expression | start | end | granularity
# ~ is approximate, @ recurs, an empty time is unbounded.
TABLE = """
I saw her yesterday. | . | yesterday | 2023-08-15 | 2023-08-16 | day
We leave tomorrow | . | tomorrow | 2023-08-17 | 2023-08-18 | day
What is on today? | . | today | 2023-08-16 | 2023-08-17 | day
I am busy right now | . | right now | 2023-08-16T15:30:00 | 2023-08-16T15:30:01 | second
Dinner tonight? | . | tonight | 2023-08-16T18 | 2023-08-17 | part_of_day
It rained the day before yesterday. | . | the day before yesterday | 2023-08-14 | 2023-08-15 | day
the day after tomorrow works | . | the day after tomorrow | 2023-08-18 | 2023-08-19 | day
I ran this morning | . | this morning | 2023-08-16T06 | 2023-08-16T12 | part_of_day
We talked last night. | . | last night | 2023-08-15T18 | 2023-08-16 | part_of_day
She called yesterday evening | . | yesterday evening | 2023-08-15T18 | 2023-08-16 | part_of_day
see you tmrw | . | tmrw | 2023-08-17 | 2023-08-18 | day
went there yday | . | yday | 2023-08-15 | 2023-08-16 | day
c u 2moro | . | 2moro | 2023-08-17 | 2023-08-18 | day
She left 30 seconds ago | . | 30 seconds ago | 2023-08-16T15:29:30 | 2023-08-16T15:29:31 | second
He wrote 20 mins ago | . | 20 mins ago | 2023-08-16T15:10 | 2023-08-16T15:11 | minute
That was three hours ago | . | three hours ago | 2023-08-16T12 | 2023-08-16T13 | hour
3 days ago I fell | . | 3 days ago | 2023-08-13 | 2023-08-14 | day
I started two weeks ago | . | two weeks ago | 2023-07-31 | 2023-08-07 | week
we met 2 wks ago | . | 2 wks ago | 2023-07-31 | 2023-08-07 | week
I moved two months ago. | . | two months ago | 2023-06-01 | 2023-07-01 | month
five years ago we married | . | five years ago | 2018-01-01 | 2019-01-01 | year
It closed two decades ago | . | two decades ago | 2000-01-01 | 2010-01-01 | decade
I bought it a couple of days ago | . | a couple of days ago | 2023-08-14 | 2023-08-15 | day~
I quit a few months ago | . | a few months ago | 2023-05-01 | 2023-06-01 | month~
She left half a year ago | . | half a year ago | 2023-02-01 | 2023-03-01 | month
a year and a half ago we met | . | a year and a half ago | 2022-02-01 | 2022-03-01 | month
It happened a week ago today | . | a week ago today | 2023-08-09 | 2023-08-10 | day
It starts in 3 days | . | in 3 days | 2023-08-19 | 2023-08-20 | day
Let's meet in two weeks | . | in two weeks | 2023-08-28 | 2023-09-04 | week
two weeks from now | . | two weeks from now | 2023-08-28 | 2023-09-04 | week
The party is a week from Friday | . | a week from Friday | 2023-08-25 | 2023-08-26 | day
I saw him two Fridays ago | . | two Fridays ago | 2023-08-04 | 2023-08-05 | day
We met the week before last | . | the week before last | 2023-07-31 | 2023-08-07 | week
I saw him the other day | . | the other day | 2023-08-13 | 2023-08-14 | day~
We hiked last Friday | . | last Friday | 2023-08-11 | 2023-08-12 | day
Are you free this Friday? | . | this Friday | 2023-08-18 | 2023-08-19 | day
The game is next Friday | . | next Friday | 2023-08-25 | 2023-08-26 | day
I painted last week | . | last week | 2023-08-07 | 2023-08-14 | week
I was busy this week | . | this week | 2023-08-14 | 2023-08-21 | week
We fly next week | . | next week | 2023-08-21 | 2023-08-28 | week
We camped last weekend | . | last weekend | 2023-08-12 | 2023-08-14 | weekend
I will rest this weekend | . | this weekend | 2023-08-19 | 2023-08-21 | weekend
We go next weekend | . | next weekend | 2023-08-26 | 2023-08-28 | weekend
I joined last month | . | last month | 2023-07-01 | 2023-08-01 | month
The fair is next month | . | next month | 2023-09-01 | 2023-10-01 | month
Sales rose last quarter | . | last quarter | 2023-04-01 | 2023-07-01 | quarter
We will ship next quarter | . | next quarter | 2023-10-01 | 2024-01-01 | quarter
We went last summer | . | last summer | 2022-06-01 | 2022-09-01 | season
I will ski this winter | . | this winter | 2023-12-01 | 2024-03-01 | season
She graduated last year | . | last year | 2022-01-01 | 2023-01-01 | year
He retires next year | . | next year | 2024-01-01 | 2025-01-01 | year
It was fun last decade | . | last decade | 2010-01-01 | 2020-01-01 | decade
We married last May | . | last May | 2023-05-01 | 2023-06-01 | month
She moved here this March | . | this March | 2023-03-01 | 2023-04-01 | month
We will marry next June | . | next June | 2024-06-01 | 2024-07-01 | month
I was born in May | . | May | 2023-05-01 | 2023-06-01 | month
I met her on Friday | . | Friday | 2023-08-11 | 2023-08-12 | day
I will meet her on Friday | . | Friday | 2023-08-18 | 2023-08-19 | day
It was the Sunday before 25 May 2023 | . | the Sunday before 25 May 2023 | 2023-05-21 | 2023-05-22 | day
It was the week of May 8 2023 | . | the week of May 8 2023 | 2023-05-08 | 2023-05-15 | week
the first weekend of June 2023 | . | the first weekend of June 2023 | 2023-06-03 | 2023-06-05 | weekend
the last Friday of March 2023 | . | the last Friday of March 2023 | 2023-03-31 | 2023-04-01 | day
the week before 9 June 2023 | . | the week before 9 June 2023 | 2023-05-29 | 2023-06-05 | week
We came two days after Christmas 2022 | . | two days after Christmas 2022 | 2022-12-27 | 2022-12-28 | day
three weeks before March 1st 2023 | . | three weeks before March 1st 2023 | 2023-02-08 | 2023-02-09 | day
We met in 2019. | . | 2019 | 2019-01-01 | 2020-01-01 | year
I have lived here since 2019 | . | since 2019 | 2019-01-01 |  | year
It was big in the 90s | . | the 90s | 1990-01-01 | 2000-01-01 | decade
music of the 1980s | . | the 1980s | 1980-01-01 | 1990-01-01 | decade
I started in early 2022 | . | early 2022 | 2022-01-01 | 2022-05-01 | year~
We married in mid-June | . | mid-June | 2023-06-11 | 2023-06-21 | month~
He left late last year | . | late last year | 2022-09-01 | 2023-01-01 | year~
I will pay at the end of the month | . | the end of the month | 2023-08-21 | 2023-09-01 | month~
at the beginning of next year | . | the beginning of next year | 2024-01-01 | 2024-05-01 | year~
Revenue in Q3 2024 | . | Q3 2024 | 2024-07-01 | 2024-10-01 | quarter
the second half of 2023 | . | the second half of 2023 | 2023-07-01 | 2024-01-01 | half
We met in summer 2021 | . | summer 2021 | 2021-06-01 | 2021-09-01 | season
the trip from 3 to 7 May 2024 | . | from 3 to 7 May 2024 | 2024-05-03 | 2024-05-08 | day
May 3\u20137, 2024 | . | May 3\u20137, 2024 | 2024-05-03 | 2024-05-08 | day
between March and June 2022 | . | between March and June 2022 | 2022-03-01 | 2022-07-01 | month
He worked there 2019-2021 | . | 2019-2021 | 2019-01-01 | 2022-01-01 | year
I am away from Monday to Friday | . | from Monday to Friday | 2023-08-21 | 2023-08-26 | day
I've trained for the past three months | . | the past three months | 2023-05-16 | 2023-08-16 | month
over the last two weeks I slept badly | . | the last two weeks | 2023-08-02 | 2023-08-16 | week
It rained in the last 10 days | . | the last 10 days | 2023-08-06 | 2023-08-16 | day
in the next two weeks | . | the next two weeks | 2023-08-17 | 2023-08-31 | week
I am away until Friday | . | until Friday |  | 2023-08-19 | day
Finish it by Friday | . | by Friday |  | 2023-08-19 | day
before March 2022 | . | before March 2022 |  | 2022-03-01 | month
after May 3 2023 | . | after May 3 2023 | 2023-05-04 |  | day
as of June 2023 | . | as of June 2023 | 2023-06-01 |  | month
We went home last Christmas | . | last Christmas | 2022-12-25 | 2022-12-26 | day
Christmas 2021 was cold | . | Christmas 2021 | 2021-12-25 | 2021-12-26 | day
What will you wear next Halloween? | . | next Halloween | 2023-10-31 | 2023-11-01 | day
on Thanksgiving 2022 | . | Thanksgiving 2022 | 2022-11-24 | 2022-11-25 | day
Good Friday 2024 | . | Good Friday 2024 | 2024-03-29 | 2024-03-30 | day
Call me at 5pm | . | 5pm | 2023-08-16T17 | 2023-08-16T18 | hour
The call is 5:30 p.m. tomorrow | . | 5:30 p.m. tomorrow | 2023-08-17T17:30 | 2023-08-17T17:31 | minute
Lunch at noon | . | noon | 2023-08-16T12 | 2023-08-16T13 | hour
The train leaves at 14:00 | . | 14:00 | 2023-08-17T14:00 | 2023-08-17T14:01 | minute
at 7 o'clock in the evening | . | 7 o'clock in the evening | 2023-08-16T19 | 2023-08-16T20 | hour
I'll come tomorrow at 9 | . | tomorrow at 9 | 2023-08-17T09 | 2023-08-17T10 | hour
Let us talk Friday morning | . | Friday morning | 2023-08-18T06 | 2023-08-18T12 | part_of_day
on 2024-05-07 we | . | 2024-05-07 | 2024-05-07 | 2024-05-08 | day
in 2024-05 | . | 2024-05 | 2024-05-01 | 2024-06-01 | month
week 2024-W12 | . | 2024-W12 | 2024-03-18 | 2024-03-25 | week
at 2023-05-08T13:56:00Z | . | 2023-05-08T13:56:00Z | 2023-05-08T13:56:00 | 2023-05-08T13:56:01 | second
on 8 May, 2023 | . | 8 May, 2023 | 2023-05-08 | 2023-05-09 | day
on May 8th 2023 | . | May 8th 2023 | 2023-05-08 | 2023-05-09 | day
It was the 8th of May | . | the 8th of May | 2023-05-08 | 2023-05-09 | day
1:56 pm on 8 May, 2023 | . | 1:56 pm on 8 May, 2023 | 2023-05-08T13:56 | 2023-05-08T13:57 | minute
due 5/8/2023 | . | 5/8/2023 | 2023-05-08 | 2023-05-09 | day
due 25/8/2023 | . | 25/8/2023 | 2023-08-25 | 2023-08-26 | day
am 08.05.2023 | . | 08.05.2023 | 2023-05-08 | 2023-05-09 | day
the summer of '98 | . | the summer of '98 | 1998-06-01 | 1998-09-01 | season
in the 19th century | . | the 19th century | 1800-01-01 | 1900-01-01 | century
I jog every Monday | . | every Monday |  |  | day@
We rest on Sundays | . | on Sundays |  |  | day@
I'm leaving the day after tomorrow evening. | . | the day after tomorrow evening | 2023-08-18T18 | 2023-08-19 | part_of_day
It broke a fortnight ago | . | a fortnight ago | 2023-07-31 | 2023-08-07 | week
We moved one and a half years ago | . | one and a half years ago | 2022-02-01 | 2022-03-01 | month
That was 2.5 hours ago | . | 2.5 hours ago | 2023-08-16T13:00 | 2023-08-16T13:01 | minute
an hour and a half ago | . | an hour and a half ago | 2023-08-16T14:00 | 2023-08-16T14:01 | minute
half an hour ago | . | half an hour ago | 2023-08-16T15:00 | 2023-08-16T15:01 | minute
1 year and 2 months ago | . | 1 year and 2 months ago | 2022-06-01 | 2022-07-01 | month
about three weeks ago | . | about three weeks ago | 2023-07-24 | 2023-07-31 | week~
2-3 weeks ago | . | 2-3 weeks ago | 2023-07-31 | 2023-08-07 | week~
twenty-five years ago | . | twenty-five years ago | 1998-01-01 | 1999-01-01 | year
a hundred years ago | . | a hundred years ago | 1923-01-01 | 1924-01-01 | year
5 yrs ago | . | 5 yrs ago | 2018-01-01 | 2019-01-01 | year
2h ago | . | 2h ago | 2023-08-16T13 | 2023-08-16T14 | hour
I'll be there in half an hour | . | in half an hour | 2023-08-16T16:00 | 2023-08-16T16:01 | minute
The results come in two months' time | . | in two months' time | 2023-10-01 | 2023-11-01 | month
Finish it within 3 days | . | within 3 days | 2023-08-16T15:30 | 2023-08-19T15:30 | day
ten days from today | . | ten days from today | 2023-08-26 | 2023-08-27 | day
two days from tomorrow | . | two days from tomorrow | 2023-08-19 | 2023-08-20 | day
a week ago Friday | . | a week ago Friday | 2023-08-11 | 2023-08-12 | day
I saw them a couple of weekends ago | . | a couple of weekends ago | 2023-08-05 | 2023-08-07 | weekend~
three weekends ago | . | three weekends ago | 2023-07-29 | 2023-07-31 | weekend
the year before last | . | the year before last | 2021-01-01 | 2022-01-01 | year
the weekend before last | . | the weekend before last | 2023-08-05 | 2023-08-07 | weekend
the month after next | . | the month after next | 2023-10-01 | 2023-11-01 | month
the night before last | . | the night before last | 2023-08-14T18 | 2023-08-15 | part_of_day
earlier today I ran | . | earlier today | 2023-08-16 | 2023-08-16T15:30 | day~
later this week | . | later this week | 2023-08-16T15:30 | 2023-08-21 | week~
earlier this year | . | earlier this year | 2023-01-01 | 2023-08-16T15:30 | year~
I hiked this past Saturday | . | this past Saturday | 2023-08-12 | 2023-08-13 | day
this coming Monday | . | this coming Monday | 2023-08-21 | 2023-08-22 | day
I met him this Monday | . | this Monday | 2023-08-14 | 2023-08-15 | day
Let's meet this Monday | . | this Monday | 2023-08-21 | 2023-08-22 | day
We played Friday last week | . | Friday last week | 2023-08-11 | 2023-08-12 | day
see you Tuesday next week | . | Tuesday next week | 2023-08-22 | 2023-08-23 | day
on Wednesday of last week | . | Wednesday of last week | 2023-08-09 | 2023-08-10 | day
last week on Thursday | . | last week on Thursday | 2023-08-10 | 2023-08-11 | day
In May last year we met | . | May last year | 2022-05-01 | 2022-06-01 | month
We met in May of last year | . | May of last year | 2022-05-01 | 2022-06-01 | month
two years ago in May | . | two years ago in May | 2021-05-01 | 2021-06-01 | month
Christmas two years ago | . | Christmas two years ago | 2021-12-25 | 2021-12-26 | day
last year's Christmas | . | last year's Christmas | 2022-12-25 | 2022-12-26 | day
the 15th of next month | . | the 15th of next month | 2023-09-15 | 2023-09-16 | day
He called on the 3rd. | . | the 3rd | 2023-08-03 | 2023-08-04 | day
The rent is due on the 3rd. | . | the 3rd | 2023-09-03 | 2023-09-04 | day
the first of June 2022 | . | the first of June 2022 | 2022-06-01 | 2022-06-02 | day
December twenty-fifth, 2020 | . | December twenty-fifth, 2020 | 2020-12-25 | 2020-12-26 | day
Monday, May 8th, 2023 | . | Monday, May 8th, 2023 | 2023-05-08 | 2023-05-09 | day
Fri 5 May 2023 | . | Fri 5 May 2023 | 2023-05-05 | 2023-05-06 | day
Sept. 3, 2022 | . | Sept. 3, 2022 | 2022-09-03 | 2022-09-04 | day
22-May-2023 | . | 22-May-2023 | 2023-05-22 | 2023-05-23 | day
The exam is on June 3 | . | June 3 | 2024-06-03 | 2024-06-04 | day
We flew on Dec 3 | . | Dec 3 | 2022-12-03 | 2022-12-04 | day
since May 2021 | . | since May 2021 | 2021-05-01 |  | month
since last Tuesday | . | since last Tuesday | 2023-08-15 |  | day
I've been ill since Monday | . | since Monday | 2023-08-14 |  | day
by the end of the month | . | by the end of the month |  | 2023-09-01 | month~
by next Friday | . | by next Friday |  | 2023-08-26 | day
until 5pm | . | until 5pm |  | 2023-08-16T17 | hour
after 6pm tomorrow | . | after 6pm tomorrow | 2023-08-17T18 |  | hour
before Christmas | . | before Christmas |  | 2023-12-25 | day
from 2020 onwards | . | from 2020 onwards | 2020-01-01 |  | year
until the end of 2024 | . | until the end of 2024 |  | 2025-01-01 | year~
from June 2021 to March 2022 | . | from June 2021 to March 2022 | 2021-06-01 | 2022-04-01 | month
from May 30 to June 2, 2023 | . | from May 30 to June 2, 2023 | 2023-05-30 | 2023-06-03 | day
between 2010 and 2015 | . | between 2010 and 2015 | 2010-01-01 | 2016-01-01 | year
from 2010 to 2015 | . | from 2010 to 2015 | 2010-01-01 | 2016-01-01 | year
Jan-Mar 2022 | . | Jan-Mar 2022 | 2022-01-01 | 2022-04-01 | month
open Mon-Fri | . | Mon-Fri | 2023-08-21 | 2023-08-26 | day
tomorrow from 3pm to 5pm | . | tomorrow from 3pm to 5pm | 2023-08-17T15 | 2023-08-17T17 | hour
5-7pm on Friday | . | 5-7pm on Friday | 2023-08-18T17 | 2023-08-18T19 | hour
from 9am to 5pm | . | from 9am to 5pm | 2023-08-16T09 | 2023-08-16T17 | hour
the 3rd to the 7th of May 2023 | . | the 3rd to the 7th of May 2023 | 2023-05-03 | 2023-05-08 | day
during the last 24 hours | . | the last 24 hours | 2023-08-15T15:30 | 2023-08-16T15:30 | hour
these past two weeks | . | these past two weeks | 2023-08-02 | 2023-08-16 | week
over the next few days | . | the next few days | 2023-08-17 | 2023-08-20 | day~
in the past year | . | the past year | 2022-08-16 | 2023-08-16 | year
the past week | . | the past week | 2023-08-09 | 2023-08-16 | week
the first week of June 2023 | . | the first week of June 2023 | 2023-05-29 | 2023-06-05 | week
the last week of May 2023 | . | the last week of May 2023 | 2023-05-22 | 2023-05-29 | week
the last day of the month | . | the last day of the month | 2023-08-31 | 2023-09-01 | day
the second Tuesday of next month | . | the second Tuesday of next month | 2023-09-12 | 2023-09-13 | day
the first Monday in May 2024 | . | the first Monday in May 2024 | 2024-05-06 | 2024-05-07 | day
the third quarter of 2023 | . | the third quarter of 2023 | 2023-07-01 | 2023-10-01 | quarter
the first half of the year | . | the first half of the year | 2023-01-01 | 2023-07-01 | half
H1 2023 | . | H1 2023 | 2023-01-01 | 2023-07-01 | half
2024 Q1 results | . | 2024 Q1 | 2024-01-01 | 2024-04-01 | quarter
the first two weeks of June 2023 | . | the first two weeks of June 2023 | 2023-06-01 | 2023-06-15 | week
the last three months of 2022 | . | the last three months of 2022 | 2022-10-01 | 2023-01-01 | month
the first half of June 2023 | . | the first half of June 2023 | 2023-06-01 | 2023-06-16 | half
the early 2000s | . | the early 2000s | 2000-01-01 | 2004-01-01 | decade~
in the late 1990s | . | the late 1990s | 1997-01-01 | 2000-01-01 | decade~
the nineties | . | the nineties | 1990-01-01 | 2000-01-01 | decade
the '60s were wild | . | the '60s | 1960-01-01 | 1970-01-01 | decade
the 20th century | . | the 20th century | 1900-01-01 | 2000-01-01 | century
mid-2021 | . | mid-2021 | 2021-05-01 | 2021-09-01 | year~
late March 2023 | . | late March 2023 | 2023-03-21 | 2023-04-01 | month~
the beginning of June 2023 | . | the beginning of June 2023 | 2023-06-01 | 2023-06-11 | month~
the end of last year | . | the end of last year | 2022-09-01 | 2023-01-01 | year~
early next week | . | early next week | 2023-08-21 | 2023-08-23 | week~
early tomorrow morning | . | early tomorrow morning | 2023-08-17T06 | 2023-08-17T08 | part_of_day~
late last night | . | late last night | 2023-08-15T22 | 2023-08-16 | part_of_day~
the day after Christmas 2022 | . | the day after Christmas 2022 | 2022-12-26 | 2022-12-27 | day
the week after Easter 2023 | . | the week after Easter 2023 | 2023-04-10 | 2023-04-17 | week
the weekend before 17 July 2023 | . | the weekend before 17 July 2023 | 2023-07-15 | 2023-07-17 | weekend
two weekends before 17 July 2023 | . | two weekends before 17 July 2023 | 2023-07-08 | 2023-07-10 | weekend
the Friday after next | . | the Friday after next | 2023-08-25 | 2023-08-26 | day
the Friday before 15 July 2023 | . | the Friday before 15 July 2023 | 2023-07-14 | 2023-07-15 | day
the month before May 2023 | . | the month before May 2023 | 2023-04-01 | 2023-05-01 | month
a month after Christmas 2022 | . | a month after Christmas 2022 | 2023-01-01 | 2023-02-01 | month
the weekend of June 10 2023 | . | the weekend of June 10 2023 | 2023-06-10 | 2023-06-12 | weekend
the morning of May 3 2023 | . | the morning of May 3 2023 | 2023-05-03T06 | 2023-05-03T12 | part_of_day
winter 2021 was mild | . | winter 2021 | 2021-12-01 | 2022-03-01 | season
We went to Rome in the fall of 2020 | . | the fall of 2020 | 2020-09-01 | 2020-12-01 | season
next spring | . | next spring | 2024-03-01 | 2024-06-01 | season
We met last winter | . | last winter | 2022-12-01 | 2023-03-01 | season
New Year's Eve 2022 | . | New Year's Eve 2022 | 2022-12-31 | 2023-01-01 | day
We met on Valentine's Day | . | Valentine's Day | 2023-02-14 | 2023-02-15 | day
the Fourth of July was hot | . | the Fourth of July | 2023-07-04 | 2023-07-05 | day
We will meet on Labor Day | . | Labor Day | 2023-09-04 | 2023-09-05 | day
Mother's Day 2024 | . | Mother's Day 2024 | 2024-05-12 | 2024-05-13 | day
Easter 2024 | . | Easter 2024 | 2024-03-31 | 2024-04-01 | day
Memorial Day 2023 | . | Memorial Day 2023 | 2023-05-29 | 2023-05-30 | day
We kissed at midnight | 2023-01-01T10 | midnight | 2023-01-01 | 2023-01-01T01 | hour
tomorrow at noon | . | tomorrow at noon | 2023-08-17T12 | 2023-08-17T13 | hour
at half past six tomorrow | . | half past six tomorrow | 2023-08-17T18:30 | 2023-08-17T18:31 | minute
quarter to nine in the morning | . | quarter to nine in the morning | 2023-08-16T08:45 | 2023-08-16T08:46 | minute
Friday at 5pm | . | Friday at 5pm | 2023-08-18T17 | 2023-08-18T18 | hour
yesterday around 5pm | . | yesterday around 5pm | 2023-08-15T17 | 2023-08-15T18 | hour~
8 pm last night | . | 8 pm last night | 2023-08-15T20 | 2023-08-15T21 | hour
I woke at 9 this morning | . | 9 this morning | 2023-08-16T09 | 2023-08-16T10 | hour
next Friday at 10:30 am | . | next Friday at 10:30 am | 2023-08-25T10:30 | 2023-08-25T10:31 | minute
2023-05-08 14:30 | . | 2023-05-08 14:30 | 2023-05-08T14:30 | 2023-05-08T14:31 | minute
2023-05-08T14:30+02:00 | . | 2023-05-08T14:30+02:00 | 2023-05-08T12:30 | 2023-05-08T12:31 | minute
2024-W12-3 | . | 2024-W12-3 | 2024-03-20 | 2024-03-21 | day
2023/05/08 | . | 2023/05/08 | 2023-05-08 | 2023-05-09 | day
5/8/23 | . | 5/8/23 | 2023-05-08 | 2023-05-09 | day
Submit it by 9/1 | . | by 9/1 |  | 2023-09-02 | day
We exercise twice a week | . | twice a week |  |  | week@
She swims daily | . | daily |  |  | day@
I work out every other day | . | every other day |  |  | day@
every morning I read | . | every morning |  |  | part_of_day@
We go out on weekends | . | on weekends |  |  | weekend@
tomorow we rest | . | tomorow | 2023-08-17 | 2023-08-18 | day
We\u2019ll go the week after next | . | the week after next | 2023-08-28 | 2023-09-04 | week
last last night | . | last night | 2023-08-15T18 | 2023-08-16 | part_of_day
YESTERDAY WAS FUN | . | YESTERDAY | 2023-08-15 | 2023-08-16 | day
May 2023 | . | May 2023 | 2023-05-01 | 2023-06-01 | month
in the summer of 2021 | . | the summer of 2021 | 2021-06-01 | 2021-09-01 | season
the end of 2022 | . | the end of 2022 | 2022-09-01 | 2023-01-01 | year~
around Christmas | . | around Christmas | 2023-12-25 | 2023-12-26 | day~
Tuesday night last week | . | Tuesday night last week | 2023-08-08T18 | 2023-08-09 | part_of_day
Saturday the 19th | . | Saturday the 19th | 2023-08-19 | 2023-08-20 | day
Friday the 13th | . | Friday the 13th | 2023-10-13 | 2023-10-14 | day
the 5th at 10am | . | the 5th at 10am | 2023-09-05T10 | 2023-09-05T11 | hour
Halloween night | . | Halloween night | 2023-10-31T18 | 2023-11-01 | part_of_day
We met Thanksgiving weekend | . | Thanksgiving weekend | 2022-11-26 | 2022-11-28 | weekend
last Labor Day weekend | . | last Labor Day weekend | 2022-09-03 | 2022-09-05 | weekend
Christmas week 2022 | . | Christmas week 2022 | 2022-12-19 | 2022-12-26 | week
20230508 | . | 20230508 | 2023-05-08 | 2023-05-09 | day
week 12 of 2024 | . | week 12 of 2024 | 2024-03-18 | 2024-03-25 | week
every first Monday of the month | . | every first Monday of the month | | | day@
every weekday | . | every weekday | | | day@
Monday mornings | . | Monday mornings | | | part_of_day@
a day or two ago | . | a day or two ago | 2023-08-15 | 2023-08-16 | day~
a year ago yesterday | . | a year ago yesterday | 2022-08-15 | 2022-08-16 | day
a month from today | . | a month from today | 2023-09-16 | 2023-09-17 | day
april fools' day | . | april fools' day | 2024-04-01 | 2024-04-02 | day
born on 29 February | . | 29 February | 2024-02-29 | 2024-03-01 | day
let's sync this time next week | . | this time next week | 2023-08-23 | 2023-08-24 | day~
This time tomorrow we'll be in Rome | . | This time tomorrow | 2023-08-17T15 | 2023-08-17T16 | hour~
This time last year I was in Peru | . | This time last year | 2022-08-01 | 2022-09-01 | month~
at the weekend I'm going to see mum | . | the weekend | 2023-08-19 | 2023-08-21 | weekend
The meeting is Friday week | . | Friday week | 2023-08-25 | 2023-08-26 | day
a week on Friday | . | a week on Friday | 2023-08-25 | 2023-08-26 | day
two weeks on Monday | . | two weeks on Monday | 2023-09-04 | 2023-09-05 | day
a week tomorrow | . | a week tomorrow | 2023-08-24 | 2023-08-25 | day
the last two Fridays | . | the last two Fridays | 2023-08-04 | 2023-08-12 | day
in the coming weeks | . | the coming weeks | 2023-08-17 | 2023-09-07 | week~
in the coming days | . | the coming days | 2023-08-17 | 2023-08-20 | day~
EOD tomorrow | . | EOD tomorrow | 2023-08-17T16 | 2023-08-18 | day~
by EOD Friday | . | by EOD Friday | | 2023-08-19 | day~
please send it by EOW | . | by EOW | | 2023-08-21 | week~
by the end of the day tomorrow | . | by the end of the day tomorrow | | 2023-08-18 | day~
I need it by COB Friday | . | by COB Friday | | 2023-08-18T17 | hour
at year-end | . | year-end | 2023-09-01 | 2024-01-01 | year~
20 past 7 tomorrow evening | . | 20 past 7 tomorrow evening | 2023-08-17T19:20 | 2023-08-17T19:21 | minute
tomorrow at 3ish | . | tomorrow at 3ish | 2023-08-17T15 | 2023-08-17T16 | hour~
around 8ish tomorrow morning | . | around 8ish tomorrow morning | 2023-08-17T08 | 2023-08-17T09 | hour~
at 19h30 | . | 19h30 | 2023-08-16T19:30 | 2023-08-16T19:31 | minute
tomorrow at 1900 hours | . | tomorrow at 1900 hours | 2023-08-17T19 | 2023-08-17T19:01 | minute
3pm EST tomorrow | . | 3pm EST tomorrow | 2023-08-17T20 | 2023-08-17T21 | hour
tomorrow at 9am PDT | . | tomorrow at 9am PDT | 2023-08-17T16 | 2023-08-17T17 | hour
tomorrow 17:00 CET | . | tomorrow 17:00 CET | 2023-08-17T16 | 2023-08-17T16:01 | minute
Mon, 8 May 2023 13:56:00 +0200 | . | Mon, 8 May 2023 13:56:00 +0200 | 2023-05-08T11:56 | 2023-05-08T11:56:01 | second
W12 2024 | . | W12 2024 | 2024-03-18 | 2024-03-25 | week
4th quarter 2022 | . | 4th quarter 2022 | 2022-10-01 | 2023-01-01 | quarter
Jan-23 | . | Jan-23 | 2023-01-01 | 2023-02-01 | month
01/2023 | . | 01/2023 | 2023-01-01 | 2023-02-01 | month
5.8.23 | . | 5.8.23 | 2023-08-05 | 2023-08-06 | day
12.25.2023 | . | 12.25.2023 | 2023-12-25 | 2023-12-26 | day
8 May 23 | . | 8 May 23 | 2023-05-08 | 2023-05-09 | day
08May2023 | . | 08May2023 | 2023-05-08 | 2023-05-09 | day
in two thousand and nineteen | . | two thousand and nineteen | 2019-01-01 | 2020-01-01 | year
in nineteen ninety-nine | . | nineteen ninety-nine | 1999-01-01 | 2000-01-01 | year
in twenty twenty | . | twenty twenty | 2020-01-01 | 2021-01-01 | year
2023-05-01/2023-05-07 | . | 2023-05-01/2023-05-07 | 2023-05-01 | 2023-05-08 | day
we must be done before Christmas | . | before Christmas | | 2023-12-25 | day
no later than Friday | . | no later than Friday | | 2023-08-19 | day
this wknd? | . | this wknd | 2023-08-19 | 2023-08-21 | weekend
b4 fri pls | . | b4 fri | | 2023-08-18 | day
c u fri 8pm | . | fri 8pm | 2023-08-18T20 | 2023-08-18T21 | hour
5m ago | . | 5m ago | 2023-08-16T15:25 | 2023-08-16T15:26 | minute
the third week of October | . | the third week of October | 2023-10-16 | 2023-10-23 | week
the first of the year | . | the first of the year | 2023-01-01 | 2023-01-02 | day
I quit smoking in May | . | May | 2023-05-01 | 2023-06-01 | month
I put it up in June | . | June | 2023-06-01 | 2023-07-01 | month
we hit the beach on Saturday | . | Saturday | 2023-08-12 | 2023-08-13 | day
she read it on Monday | . | Monday | 2023-08-14 | 2023-08-15 | day
He let me drive in March | . | March | 2023-03-01 | 2023-04-01 | month
It cost me $40 on Tuesday | . | Tuesday | 2023-08-15 | 2023-08-16 | day
we cut the cake on Sunday | . | Sunday | 2023-08-13 | 2023-08-14 | day
see you wensday | . | wensday | 2023-08-23 | 2023-08-24 | day
Next year\u2019s summer | . | Next year\u2019s summer | 2024-06-01 | 2024-09-01 | season
a year from next Monday | . | a year from next Monday | 2024-08-21 | 2024-08-22 | day
OOO 8/21 - 8/25 | . | 8/21 - 8/25 | 2023-08-21 | 2023-08-26 | day
8/21-8/25 | . | 8/21-8/25 | 2023-08-21 | 2023-08-26 | day
the sprint runs August 14 - September 1 | . | August 14 - September 1 | 2023-08-14 | 2023-09-02 | day
from 9:30 to 11:00 on Thursday | . | from 9:30 to 11:00 on Thursday | 2023-08-17T09:30 | 2023-08-17T11 | minute
tomorrow morning between 8 and 10 | . | tomorrow morning between 8 and 10 | 2023-08-17T08 | 2023-08-17T10 | hour
Q1-Q3 2023 | . | Q1-Q3 2023 | 2023-01-01 | 2023-10-01 | quarter
w/c 4 September | . | w/c 4 September | 2023-09-04 | 2023-09-11 | week
the week ending 25 August | . | the week ending 25 August | 2023-08-21 | 2023-08-28 | week
my birthday is 12/24 | . | 12/24 | 2023-12-24 | 2023-12-25 | day
2019 December | . | 2019 December | 2019-12-01 | 2020-01-01 | month
2019 Dec 19 | . | 2019 Dec 19 | 2019-12-19 | 2019-12-20 | day
2019, December 19 | . | 2019, December 19 | 2019-12-19 | 2019-12-20 | day
Dec-19-2019 | . | Dec-19-2019 | 2019-12-19 | 2019-12-20 | day
20191219T140533Z | . | 20191219T140533Z | 2019-12-19T14:05:33 | 2019-12-19T14:05:34 | second
Thu Dec 19 14:05:33 2019 | . | Thu Dec 19 14:05:33 2019 | 2019-12-19T14:05:33 | 2019-12-19T14:05:34 | second
Fri 18/8 | . | Fri 18/8 | 2023-08-18 | 2023-08-19 | day
Christmas morning 2020 | . | Christmas morning 2020 | 2020-12-25T06 | 2020-12-25T12 | part_of_day
I slept badly two nights ago | . | two nights ago | 2023-08-14T18 | 2023-08-15 | part_of_day
three mornings ago we left | . | three mornings ago | 2023-08-13T06 | 2023-08-13T12 | part_of_day
at dawn tomorrow | . | dawn tomorrow | 2023-08-17T05 | 2023-08-17T07 | part_of_day
a year from tomorrow | . | a year from tomorrow | 2024-08-17 | 2024-08-18 | day
in 1h30 | . | in 1h30 | 2023-08-16T17 | 2023-08-16T17:01 | minute
on or before September 1 | . | on or before September 1 | | 2023-09-02 | day
effective September 1 | . | effective September 1 | 2023-09-01 | | day
beginning Monday | . | beginning Monday | 2023-08-21 | | day
see you Mon | . | Mon | 2023-08-21 | 2023-08-22 | day
meet fri? | . | fri | 2023-08-18 | 2023-08-19 | day
r u around sun arvo | . | sun arvo | 2023-08-20T12 | 2023-08-20T18 | part_of_day
The storm hit Florida on Sunday | . | Sunday | 2023-08-13 | 2023-08-14 | day
Shares rose on Tuesday | . | Tuesday | 2023-08-15 | 2023-08-16 | day
What did I do on March 5th? | . | March 5th | 2023-03-05 | 2023-03-06 | day
The 2008 crash ruined us | . | 2008 | 2008-01-01 | 2009-01-01 | year
in mid to late September | . | mid to late September | 2023-09-11 | 2023-10-01 | month~
early to mid 2019 | . | early to mid 2019 | 2019-01-01 | 2019-09-01 | year~
the rest of the week | . | the rest of the week | 2023-08-16T15:30 | 2023-08-21 | week
for the rest of the day | . | the rest of the day | 2023-08-16T15:30 | 2023-08-17 | day
so far this year | . | so far this year | 2023-01-01 | 2023-08-16T15:30 | year
year to date | . | year to date | 2023-01-01 | 2023-08-16T15:30 | year
ASAP but no later than 5pm Thursday | . | no later than 5pm Thursday | | 2023-08-17T17 | hour
pre-2015 | . | pre-2015 | | 2015-01-01 | year
post-2015 | . | post-2015 | 2016-01-01 | | year
Tue 10-11am | . | Tue 10-11am | 2023-08-22T10 | 2023-08-22T11 | hour
Dinner at 7 on Saturday | . | 7 on Saturday | 2023-08-19T19 | 2023-08-19T20 | hour
We started dating on the 4th of July weekend | . | the 4th of July weekend | 2023-07-01 | 2023-07-03 | weekend
I lived there from '98 to '02 | . | from '98 to '02 | 1998-01-01 | 2003-01-01 | year
from late May to early June 2022 | . | from late May to early June 2022 | 2022-05-21 | 2022-06-11 | month~
the last half hour | . | the last half hour | 2023-08-16T15:00 | 2023-08-16T15:30 | minute
for the last year and a half | . | the last year and a half | 2022-02-16 | 2023-08-16 | month
9:00 a.m. Pacific tomorrow | . | 9:00 a.m. Pacific tomorrow | 2023-08-17T16 | 2023-08-17T16:01 | minute
4/Jul/2022 | . | 4/Jul/2022 | 2022-07-04 | 2022-07-05 | day
July 2022's numbers | . | July 2022 | 2022-07-01 | 2022-08-01 | month
by year's end | . | by year's end | | 2024-01-01 | year~
not before Monday | . | not before Monday | 2023-08-21 | | day
a quarter of an hour ago | . | a quarter of an hour ago | 2023-08-16T15:15 | 2023-08-16T15:16 | minute
three quarters of an hour ago | . | three quarters of an hour ago | 2023-08-16T14:45 | 2023-08-16T14:46 | minute
The shop is closed on Monday | . | Monday | 2023-08-21 | 2023-08-22 | day
I will have finished on Monday | . | Monday | 2023-08-21 | 2023-08-22 | day
Put it on the calendar for Friday | . | Friday | 2023-08-18 | 2023-08-19 | day
I want to cut it on Monday | . | Monday | 2023-08-21 | 2023-08-22 | day
What are you doing now? | . | now | 2023-08-16T15:30:00 | 2023-08-16T15:30:01 | second
We need volunteers from now on. | . | from now on | 2023-08-16T15:30:00 | | second
at 18:00 GMT+2 tomorrow | . | 18:00 GMT+2 tomorrow | 2023-08-17T16:00 | 2023-08-17T16:01 | minute
the first week of 2024 | . | the first week of 2024 | 2024-01-01 | 2024-01-08 | week
the last week of the year | . | the last week of the year | 2023-12-25 | 2024-01-01 | week
"""

NEGATIVE = """
You may want to sit down.
They march every step of the way.
April said she was fine.
The sun is out and I sat down.
Give me a second, wait.
I fall a lot when I run in the rain.
Hope springs eternal.
It costs $2019 or so.
Python 3.12 is fast.
Call 555-0199 please.
Open chapter 5 of the book.
There were 2000 people there.
The shop is open 24/7.
9/10 would recommend.
Add 1/2 cup of sugar.
In 1500 words or less.
I was third in the race.
He lives on the 3rd floor.
It took two hours.
I have known her for three years.
My daughter is 5 years old.
A Christmas tree stood there.
She works at 1200 Main Street.
The score was 3-2.
It weighs 12 pounds.
We may march in protest.
June told me a joke.
I wed the love of my life.
That is a second-hand car.
February 31 does not exist.
Room 2023 is upstairs.
I need 5 or 6 eggs.
Turn to page 1999 of it.
The temperature hit 98.6 degrees.
Use version 2.0.1 instead.
My IP is 192.168.10.12 here.
At the end of the day, it is your choice.
I love the fall colors and a spring in your step.
Her name is May and his is August.
He scored 24 points, 10-12 from the line.
She is in her 80s.
The quarter fell under the couch.
He sat and then the sun set.
The book was written by April.
I am inspired by autumn leaves.
It happened two weeks later, he said it was long.
Bye for now.
I have 3 dogs and 2 cats.
Please march on.
His phone number is 1-800-555-1234.
We need 1/2 of them.
Now that you mention it, yes.
Now I understand, and now we know.
Mr. Friday is the boss and Aunt May cooks.
I love Sunday school.
He's in his mid-30s.
Temperatures in the 80s are nice.
Version 5.8.23 is out.
Pick 10 to 2000 of them.
Windows 95 was slow.
These days I feel fine, day by day.
Back in the day, once upon a time, one day.
A year older, year after year.
How many days before it ends?
Final score 21-14.
ISBN 978-3-16-148410-0
It is as good as new, so far so good.
She sat at five tables; we wed young.
The 3rd attempt failed.
"""


def _moment(text):
    return datetime.fromisoformat(text).replace(tzinfo=UTC) if text else None


def _rows():
    for line in TABLE.strip().splitlines():
        text, reference, expression, start, end, grain = (cell.strip() for cell in line.split("|"))
        yield pytest.param(text, reference, expression, start, end, grain, id=f"{text} ({reference})")


@pytest.mark.parametrize(("text", "reference", "expression", "start", "end", "grain"), list(_rows()))
def test_the_expression_denotes_that_interval(text, reference, expression, start, end, grain):
    found = resolve(text, WEDNESDAY if reference == "." else _moment(reference))

    assert [(one.text, one.start, one.end) for one in found] == [(expression, _moment(start), _moment(end))]
    assert found[0].granularity == grain.rstrip("~@")
    assert (found[0].approximate, found[0].recurring) == (grain.endswith("~"), grain.endswith("@"))


@pytest.mark.parametrize("text", NEGATIVE.strip().splitlines())
def test_a_sentence_without_a_date_has_none(text):
    assert resolve(text, WEDNESDAY) == []


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("since 2019", "since"),
        ("by Friday", "until"),
        ("until Friday", "until"),
        ("before Friday", "before"),
        ("after Friday", "after"),
        ("on Friday", "point"),
        ("from Monday to Friday", "range"),
        ("the last 10 days", "range"),
    ],
)
def test_the_kind_says_which_end_is_open(text, kind):
    assert [one.kind for one in resolve(text, WEDNESDAY)] == [kind]


def test_a_text_may_hold_many_dates_in_order():
    found = resolve("We met last Friday, talked yesterday, and fly on 3 May 2024 at 5pm.", WEDNESDAY)

    assert [one.text for one in found] == ["last Friday", "yesterday", "3 May 2024 at 5pm"]
    assert [one.begin for one in found] == sorted(one.begin for one in found)


def test_times_are_in_the_zone_of_the_reference():
    berlin = ZoneInfo("Europe/Berlin")

    (found,) = resolve("2023-05-08T13:56:00Z", datetime(2023, 8, 16, tzinfo=berlin))

    assert found.start == datetime(2023, 5, 8, 15, 56, tzinfo=berlin)
    assert found.start.tzinfo is berlin


def test_a_zone_behind_a_time_is_turned_into_that_of_the_reference():
    berlin = datetime(2023, 8, 16, 12, tzinfo=ZoneInfo("Europe/Berlin"))

    (eastern,) = resolve("3pm ET tomorrow", berlin)
    (bracketed,) = resolve("tomorrow from 2 to 4pm (UTC)", berlin)

    assert (eastern.start.hour, eastern.start.day, eastern.text) == (21, 17, "3pm ET tomorrow")
    assert (bracketed.start.hour, bracketed.end.hour) == (16, 18)


def test_a_day_is_a_day_of_the_wall_clock_when_the_clocks_change():
    (found,) = resolve("today", datetime(2024, 3, 31, 12, tzinfo=ZoneInfo("Europe/Berlin")))

    assert (found.start.hour, found.end.hour, found.end.day) == (0, 0, 1)
    assert found.end.astimezone(UTC) - found.start.astimezone(UTC) == timedelta(hours=23)


def test_a_reference_without_a_zone_is_refused():
    with pytest.raises(InvalidInput, match="has no time zone"):
        resolve("today", datetime(2023, 8, 16))  # noqa: DTZ001


def test_holidays_can_be_added():
    more = {
        **HOLIDAYS,
        "founders' day": Holiday(month=9, day=12),
        "dog week": Holiday(month=9, weekday=1, nth=2, days=7),
    }

    (founders,) = resolve("See you on Founders' Day", WEDNESDAY, holidays=more)
    (dogs,) = resolve("on Dog Week 2022", WEDNESDAY, holidays=more)

    assert founders.start == datetime(2023, 9, 12, tzinfo=UTC)
    assert (dogs.start, dogs.end - dogs.start) == (datetime(2022, 9, 12, tzinfo=UTC), timedelta(days=7))


@pytest.mark.parametrize(
    "text", ["today", "yesterday", "last week", "next month", "a century ago", "in 300 years", "Easter"]
)
@pytest.mark.parametrize(
    "reference", [datetime.min.replace(tzinfo=UTC), datetime.max.replace(tzinfo=timezone(timedelta(hours=-14)))]
)
def test_at_the_edges_of_the_calendar_nothing_raises(text, reference):
    assert all(one.start is None or one.end is None or one.start < one.end for one in resolve(text, reference))


@pytest.mark.parametrize("text", ["31 February 2023", "on February 30", "29 February 2023", "2023-02-30", "31/31/2023"])
def test_a_day_that_the_month_does_not_have_is_no_date(text):
    assert resolve(text, WEDNESDAY) == []


@pytest.mark.parametrize(
    "unit",
    [
        "1 ",
        "1",
        "9-",
        "may ",
        "the day before ",
        "from 3 to ",
        "(",
        "'a",
        "the end of ",
        "first monday of ",
        "2023-",
        "1/1-",
        "1h30 ",
        "this time ",
        "the last two ",
        "eod ",
        "twenty ",
        "3 quarters of ",
        "w/c ",
    ],
)
def test_hostile_text_takes_no_longer_than_its_length(unit):
    """Twenty times a bound that a busy machine keeps; backtracking would take minutes."""
    text = unit * (20_000 // len(unit))
    began = time.perf_counter()

    resolve(text, WEDNESDAY)

    assert time.perf_counter() - began < 8
