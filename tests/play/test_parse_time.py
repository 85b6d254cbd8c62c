"""Dates, times and durations in the forms that people write."""

import re
from datetime import UTC, date, datetime, time, timedelta, timezone
from zoneinfo import ZoneInfo, available_timezones

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from judge.languages import letter_languages
from judge.mail.outbound.format_time import format_local, format_njudge
from judge.mail.outbound.render import Renderer
from judge.model.letter import Letter, LetterKind
from judge.model.phrase import Phrase, phrase
from judge.phrases import Phrasebook
from judge.phrases import format_utc as format_utc
from judge.play.commands.seats.absences import Period, read_period
from judge.play.letters.inquiries import help_facts
from judge.play.parse_time import (
    MAX_DURATION,
    day_begins,
    read_duration,
    read_instant,
    read_past,
)
from tests.language import LANGUAGE

PARIS = ZoneInfo("Europe/Paris")
NOW = datetime(2026, 1, 5, 12, tzinfo=UTC)  # a Monday, 13:00 in Paris


@pytest.mark.parametrize(
    ("text", "instant"),
    [
        ("Tue", "2026-01-06 23:30 +0100"),
        ("Tuesday 20:00", "2026-01-06 20:00 +0100"),
        ("20:00 tues", "2026-01-06 20:00 +0100"),
        ("Mon", "2026-01-12 23:30 +0100"),
        ("6 Jan", "2026-01-06 23:30 +0100"),
        ("Jan 6 20:00", "2026-01-06 20:00 +0100"),
        ("5 Jan", "2026-01-05 23:30 +0100"),
        ("2026 20:00 6 jan", "2026-01-06 20:00 +0100"),
        ("Tue, 6th January 2026, 20:00:30", "2026-01-06 20:00:30 +0100"),
        ("on the 6th of Sept. 2026 at 8:15", "2026-09-06 08:15 +0200"),
        ("5", "2026-01-05 23:30 +0100"),
        ("4", "2026-02-04 23:30 +0100"),
        ("31 12:00", "2026-01-31 12:00 +0100"),
        ("14:00", "2026-01-05 14:00 +0100"),
        ("13:00", "2026-01-06 13:00 +0100"),
        ("8pm", "2026-01-05 20:00 +0100"),
        ("12:30 am", "2026-01-06 00:30 +0100"),
        ("noon", "2026-01-06 12:00 +0100"),
        ("today 09:00", "2026-01-05 09:00 +0100"),
        ("tomorrow", "2026-01-06 23:30 +0100"),
        ("2026-01-06", "2026-01-06 23:30 +0100"),
        ("2026-01-06 20:00", "2026-01-06 20:00 +0100"),
        ("2026-01-06T20:00", "2026-01-06 20:00 +0100"),
        ("2026-01-06T20:00Z", "2026-01-06 20:00 +0000"),
        ("2026-01-06 20:00:00 +0530", "2026-01-06 20:00 +0530"),
        ("2026-01-06T20:00-05:00", "2026-01-06 20:00 -0500"),
        ("Tue 20:00 UTC", "2026-01-06 20:00 +0000"),
        ("Tue 20:00 america/new_york", "2026-01-06 20:00 -0500"),
        ("Tue Jan 06 2026 23:30:00 +0000", "2026-01-06 23:30 +0000"),
        ("1 Jan 2020", "2020-01-01 23:30 +0100"),
        ("now", "2026-01-05 12:00 +0000"),
        ("+36h", "2026-01-07 00:00 +0000"),
        ("in 2 days", "2026-01-07 12:00 +0000"),
        ("in 1d12h", "2026-01-07 00:00 +0000"),
        ("29 Mar 2026 03:00", "2026-03-29 01:00 +0000"),
        ("25 Oct 2026 02:30", "2026-10-25 00:30 +0000"),
        ("25 Oct 2026 02:30 +01:00", "2026-10-25 01:30 +0000"),
    ],
)
def test_dates_are_the_next_such_instant_in_the_zone(text: str, instant: str) -> None:
    form = "%Y-%m-%d %H:%M:%S %z" if instant.count(":") == 2 else "%Y-%m-%d %H:%M %z"
    read = read_instant(text.split(), NOW, PARIS)
    assert read == datetime.strptime(instant, form)
    assert isinstance(read, datetime) and read.tzinfo is UTC


@pytest.mark.parametrize(
    ("text", "instant"),
    [
        ("Di 6. Jan. 2026, 02:50 (Europe/Berlin)", "2026-01-06 02:50 +0100"),
        ("Tue 6 Jan 2026, 20:00 (UTC)", "2026-01-06 20:00 +0000"),
        ("Tue 6 Jan 2026, 20:00 (EST5EDT).", "2026-01-06 20:00 -0500"),
        ("Di 6. Jan. 2026 (Asia/Kolkata)", "2026-01-06 23:30 +0530"),
        ("1.12.2026", "2026-12-01 23:30 +0100"),
        ("6.1.26, 20 Uhr", "2026-01-06 20:00 +0100"),
        ("Di 6.1. 20.00", "2026-01-06 20:00 +0100"),
        ("morgen", "2026-01-06 23:30 +0100"),
        ("\u00fcbermorgen 18 Uhr", "2026-01-07 18:00 +0100"),
        ("uebermorgen", "2026-01-07 23:30 +0100"),
        ("morgen Mittag", "2026-01-06 12:00 +0100"),
        ("Freitag", "2026-01-09 23:30 +0100"),
        ("am n\u00e4chsten Freitag um 20.00 Uhr", "2026-01-09 20:00 +0100"),
        ("next Friday", "2026-01-09 23:30 +0100"),
        ("tomorrow at 8 p.m.", "2026-01-06 20:00 +0100"),
        ("Fri 20.00.", "2026-01-09 20:00 +0100"),
        ("20.00", "2026-01-05 20:00 +0100"),
        ("8 o'clock", "2026-01-06 08:00 +0100"),
        ("von Fr 9. Jan. 2026 20:00", "2026-01-09 20:00 +0100"),
        ("Fri 20:00 CET", "2026-01-09 20:00 +0100"),
        ("3. M\u00e4rz 2026", "2026-03-03 23:30 +0100"),
        ("3. Maerz 2026", "2026-03-03 23:30 +0100"),
        ("in 2 Tagen", "2026-01-07 12:00 +0000"),
        ("+36 Stunden", "2026-01-07 00:00 +0000"),
    ],
)
def test_dates_are_read_in_every_language_of_letters(text: str, instant: str) -> None:
    read = read_instant(text.split(), NOW, PARIS)
    assert read == datetime.strptime(instant, "%Y-%m-%d %H:%M %z")


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("31.11.2026", "no-such-date"),
        ("13.13.2026", "instant-unreadable"),
        ("Mo 6. Jan. 2026", "instant-other-weekday"),
        ("next week", "instant-unreadable"),
        ("", "instant-unreadable"),
        ("soon", "instant-unreadable"),
        ("Tu", "instant-unreadable"),
        ("25:00", "instant-unreadable"),
        ("13:00 pm", "instant-unreadable"),
        ("2026-13-01", "instant-unreadable"),
        ("9999-01-01", "instant-unreadable"),
        ("20:00 21:00", "instant-unreadable"),
        ("Jan Feb 3", "instant-unreadable"),
        ("6 Jan 2026-01-06", "instant-unreadable"),
        ("01/02/2026", "instant-unreadable"),
        ("Tue Mars/Olympus", "instant-unreadable"),
        ("Europe/Paris", "instant-unreadable"),
        ("20:00 +9900", "instant-unreadable"),
        ("Jan", "instant-needs-day"),
        ("Jan 2026", "instant-needs-day"),
        ("2026", "instant-needs-day"),
        ("Tue 2026", "instant-needs-day"),
        ("30 Feb 2026", "no-such-date"),
        ("30 Feb", "no-such-date"),
        ("0", "no-such-date"),
        ("4 Jan", "instant-needs-year"),
        ("1 Sep", "instant-needs-year"),
        ("Mon 6 Jan 2026", "instant-other-weekday"),
        ("Mon 6", "instant-other-weekday"),
        ("29 Mar 2026 02:30", "instant-skipped"),
        ("in ages", "duration-unreadable"),
        ("+99999d", "duration-too-long"),
    ],
)
def test_an_invalid_date_is_refused_with_its_reason(text: str, code: str) -> None:
    read = read_instant(text.split(), NOW, PARIS)
    assert isinstance(read, Phrase)
    assert read.code == code
    assert Phrasebook().render(read)


@pytest.mark.parametrize(
    ("text", "instant"),
    [
        ("Mon 00:00", "2025-12-29 00:00 +0100"),
        ("1 Feb", "2025-02-01 00:00 +0100"),
        ("6", "2025-12-06 00:00 +0100"),
        ("08:00", "2026-01-05 08:00 +0100"),
        ("yesterday", "2026-01-04 00:00 +0100"),
    ],
)
def test_past_dates_are_the_last_such_instant(text: str, instant: str) -> None:
    read = read_instant(text.split(), NOW, PARIS, hour=time(0), past=True)
    assert read == datetime.strptime(instant, "%Y-%m-%d %H:%M %z")


EVENING = datetime(2026, 4, 7, 19, tzinfo=UTC)  # a Tuesday, 21:00 in Paris


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("7 Apr", "2026-04-07"), ("8 Apr", "2025-04-08"), ("2 Apr 2026", "2026-04-02"),
        ("9 Apr 2026", "2026-04-09"), ("7", "2026-04-07"), ("8", "2026-03-08"),
        ("today", "2026-04-07"), ("yesterday", "2026-04-06"), ("Tue", "2026-03-31"),
        ("Mon", "2026-04-06"), ("31 Dec", "2025-12-31"), ("2026-04-07", "2026-04-07"),
    ],
)
def test_a_past_day_is_the_whole_last_such_day(text: str, day: str) -> None:
    assert read_past(text.split(), EVENING, PARIS) == date.fromisoformat(day)


def test_a_past_hour_is_an_instant() -> None:
    assert read_past(["7", "Apr", "20:00"], EVENING, PARIS) == EVENING - timedelta(hours=1)
    assert read_past(["22:00"], EVENING, PARIS) == EVENING - timedelta(hours=23)


def test_the_year_is_derived_from_the_start() -> None:
    december = datetime(2025, 12, 29, 23, tzinfo=UTC)
    assert read_past(["2", "Jan"], datetime(2026, 1, 1, 12, tzinfo=UTC), PARIS, december) == date(
        2026, 1, 2
    )


def test_a_span_ends_after_it_begins() -> None:
    now, zone = datetime(2026, 1, 5, tzinfo=UTC), ZoneInfo("UTC")
    one = "11 Jan 2026 10:00"
    assert read_period(f"{one} TO {one}".split(), now, zone) == phrase("absence-backwards")
    assert isinstance(read_period(f"{one} TO 11 Jan 2026 10:01".split(), now, zone), Period)


def test_a_day_begins_where_clocks_go_forward_at_midnight() -> None:
    cairo = ZoneInfo("Africa/Cairo")
    day = read_past(["24", "Apr", "2026"], EVENING, cairo)
    assert day == date(2026, 4, 24)
    assert isinstance(day, date)
    assert day_begins(day, cairo) == datetime(2026, 4, 23, 22, tzinfo=UTC)


def test_a_repeated_clock_time_is_the_second_after_the_first() -> None:
    between = datetime(2026, 10, 25, 0, 45, tzinfo=UTC)
    assert read_instant(["02:30"], between, PARIS) == datetime(2026, 10, 25, 1, 30, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "hours"),
    [
        ("48", 48), ("0", 0), ("71.00", 71), ("0.5", 0.5), ("2d", 48), ("36h", 36), ("1d12h", 36),
        ("90m", 1.5), ("1 week", 168), ("2 Days and 1 hour", 49), ("1d, 30 min", 24.5),
        (" 3 hrs ", 3), ("3660d", 87_840), ("87840", 87_840),
    ],
)
def test_durations_are_in_hours_by_default(text: str, hours: float) -> None:
    assert read_duration(text) == timedelta(hours=hours)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "duration-unreadable"), ("-3", "duration-unreadable"), ("2x", "duration-unreadable"),
        ("2d soon", "duration-unreadable"), ("3 months", "duration-unreadable"),
        ("1e9", "duration-unreadable"), ("9999999", "duration-unreadable"),
        ("99999d", "duration-too-long"), ("999999", "duration-too-long"),
        ("3660d 1m", "duration-too-long"), ("87840.1", "duration-too-long"),
    ],
)
def test_an_invalid_duration_is_refused_with_its_reason(text: str, code: str) -> None:
    read = read_duration(text)
    assert isinstance(read, Phrase)
    assert read.code == code
    assert Phrasebook().render(read)


ZONES = st.sampled_from(
    [UTC, PARIS, *map(ZoneInfo, ("America/New_York", "Asia/Kolkata", "Australia/Lord_Howe")),
     timezone(timedelta(hours=-12)), timezone(timedelta(hours=14))]
)
MOMENTS = st.datetimes(datetime(1950, 1, 1), datetime(2150, 1, 1), timezones=st.just(UTC)).map(
    lambda moment: moment.replace(microsecond=0)
)
MODERN = st.datetimes(datetime(2020, 1, 1), datetime(2099, 1, 1), timezones=st.just(UTC)).map(
    lambda moment: moment.replace(microsecond=0)
)
WORDS = st.sampled_from(
    "Mon tuesday Jan feb 31 29 30 6th 0 2026 1999 20:00 00:00 02:30 24:00 8pm noon today tomorrow"
    " UTC z +0100 -11:59 Europe/Paris Mars/Olympus 2026-03-29 2026-02-30 at of , + in 2 days +36h"
    " now t . ٣ ½".split()
)


@given(st.lists(WORDS | st.text(max_size=8), max_size=5), MOMENTS, ZONES, st.booleans())
def test_any_words_are_a_utc_instant_or_a_reason(
    words: list[str], now: datetime, zone: timezone | ZoneInfo, past: bool
) -> None:
    read = read_instant(words, now, zone, past=past)
    if isinstance(read, Phrase):
        assert Phrasebook().render(read)
    else:
        assert read.tzinfo is UTC


@given(MOMENTS, MOMENTS, ZONES)
def test_a_whole_date_in_any_order_reads_back_as_itself(
    now: datetime, moment: datetime, zone: timezone | ZoneInfo
) -> None:
    local = moment.astimezone(zone)
    offset = local.utcoffset() or timedelta(0)
    # Offsets with seconds (of 1950 and before) cannot be written.
    if not offset % timedelta(minutes=1):
        iso = f"{local:%Y-%m-%dT%H:%M:%S%z}"
        loose = f"{local:%H:%M:%S %z %Y %d} {MONTHS[local.month]}"
        assert [read_instant(text.split(), now, UTC) for text in (iso, loose)] == [moment] * 2


@pytest.mark.parametrize("language", letter_languages())
def test_dates_in_help_texts_are_read(language: str) -> None:
    letter = Letter(
        kind=LetterKind.HELP, to="", subject="", template="help/dates",
        facts={"info": help_facts()}, language=language,
    )
    text = Renderer(LANGUAGE, "Judge", "judge@localhost").text(letter)
    shown = re.findall(r"^    .*?(?:DEADLINE|UNTIL|GRACE|ABSENCE) (.*)", text, re.MULTILINE)
    assert len(shown) == 7
    now = datetime(2026, 11, 24, tzinfo=UTC)
    for date_shown in " TO ".join(shown).split(" TO "):
        assert isinstance(read_instant(date_shown.split(), now, PARIS), datetime), date_shown


def test_a_repeated_hour_is_the_first_unless_past() -> None:
    words, berlin = "25 Oct 2026 02:30".split(), ZoneInfo("Europe/Berlin")
    before, between = (datetime(2026, 10, 25, 0, minute, tzinfo=UTC) for minute in (0, 45))
    assert str(read_instant(words, before, berlin)) == "2026-10-25 00:30:00+00:00"
    assert str(read_instant(words, between, berlin)) == "2026-10-25 01:30:00+00:00"
    assert str(read_instant([*words, "+0100"], before, berlin)) == "2026-10-25 01:30:00+00:00"
    skipped = read_instant("29 Mar 2026 02:30".split(), before, berlin)
    assert isinstance(skipped, Phrase) and skipped.code == "instant-skipped"


LETTER_ZONES = st.sampled_from(sorted(available_timezones() - {"Factory", "localtime"}))


@given(MODERN, MODERN, LETTER_ZONES, st.sampled_from(letter_languages()))
@example(datetime(2026, 10, 25, 1, 30, tzinfo=UTC), NOW, "Europe/Berlin", "de")
@example(datetime(2026, 3, 29, 1, 0, tzinfo=UTC), NOW, "Europe/Berlin", "de")
def test_instants_of_letters_read_back_as_the_same_minute(
    moment: datetime, now: datetime, zone: str, language: str
) -> None:
    """The first of two instants with the same clock time is read."""
    moment = moment.replace(second=0)
    local = moment.astimezone(ZoneInfo(zone))
    first = local.replace(fold=0).astimezone(UTC)
    for text in (format_local(moment, zone, language), f"{format_local(moment, zone, language)}."):
        expected = moment if first <= now < moment else first
        assert read_instant(text.split(), now, UTC) == expected
    assert read_instant(format_njudge(moment, zone).split(), now, UTC) == moment
    assert read_instant(format_utc(moment).split(), now, PARIS) == moment
    day = format_local(local.date(), zone, language)
    assert read_past(day.split(), now, UTC) == local.date()


MONTHS = " jan feb mar apr may jun jul aug sep oct nov dec".split(" ")


@given(st.sampled_from("Mon Tue Wed Thu Fri Sat Sun".split()), MOMENTS, ZONES)
def test_a_weekday_is_in_the_next_seven_days_after_today(
    weekday: str, now: datetime, zone: timezone | ZoneInfo
) -> None:
    read = read_instant([weekday, "12:00"], now, zone)
    assert isinstance(read, datetime)
    there, here = read.astimezone(zone), now.astimezone(zone)
    assert 1 <= (there.date() - here.date()).days <= 7
    assert (f"{there:%a}", there.hour) == (weekday, 12)


@given(st.text(max_size=12) | st.lists(WORDS).map(" ".join))
@example("0\x1f")
def test_any_text_is_a_duration_or_a_reason(text: str) -> None:
    read = read_duration(text)
    assert isinstance(read, Phrase) or timedelta(0) <= read <= MAX_DURATION


@given(st.integers(0, 300), st.integers(0, 23), st.integers(0, 59))
def test_days_hours_and_minutes_add_up(days: int, hours: int, minutes: int) -> None:
    read = read_duration(f"{days}d{hours}h{minutes}m")
    assert read == timedelta(days=days, hours=hours, minutes=minutes)
