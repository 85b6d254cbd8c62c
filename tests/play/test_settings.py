"""The table of settings and the lines that change them."""

from dataclasses import asdict, fields
from datetime import UTC, datetime

import pytest

from judge.games import all_systems, find_system
from judge.model.phrase import Phrase
from judge.model.record import GameRecord, GameState, Role
from judge.model.seat_settings import DEFAULT_SETTINGS
from judge.play.choices.settings import (
    SettingChange,
    format_setting_value,
    interpret,
    near_settings,
    schedule_of,
)
from judge.play.choices.settingtable import (
    MAX_LISTED,
    Scope,
    Setting,
    Takes,
    all_settings,
    is_address,
    may_mute,
    muted_by,
    read_digest,
    update_addresses,
)
from judge.play.commands.gm.settings import _split_addresses
from judge.play.game_settings import DEFAULTS, ClockSettings, GameSettings, usual_times

DIPLOMACY = find_system("diplomacy")
GAME = GameRecord(
    1, "marco", "diplomacy", "youngstown", GameState.FORMING, "S1901M", 0, "{}", {}, b"",
    datetime(2026, 1, 1, tzinfo=UTC),
)

LINES = [
    # The columns are the words, NO, the role and the resulting changes.
    ("MOVE NEXT 48", False, Role.MASTER, {"move.next": 48.0}),
    ("move next 2d grace 12 clock 20:00", False, Role.MASTER,
     {"move.next": 48.0, "move.grace": 12.0, "move.clock": 1200}),
    ("BUILD DAYS -MTWTF-", False, Role.MASTER, {"adjust.days": "-MTWTF-"}),
    ("MOVE DAYS MTWTFSS", False, Role.MASTER, "setting-days"),
    ("MOVE NEXT", False, Role.MASTER, "setting-needs-value"),
    ("MOVE NEXT 48 GRACE", False, Role.MASTER, "setting-needs-value"),
    ("WHITE PRESS", False, Role.MASTER, {"press": "white"}),
    ("PRESS", True, Role.MASTER, {"press": "none"}),
    ("PARTIAL PRESS", True, Role.MASTER, {"partial": False}),
    ("CRON 0 20 * * tue,fri", False, Role.MASTER, {"cron": "0 20 * * tue,fri"}),
    ("CRON every day", False, Role.MASTER, "setting-cron"),
    ("ZONE europe/paris", False, Role.MASTER, {"zone": "Europe/Paris"}),
    ("ZONE nowhere", False, Role.PLAYER, "setting-zone"),
    ("NMR WAIT", False, Role.MASTER, {"nmr": "wait"}),
    ("GM PLAYS", False, Role.MASTER, {"gm_plays": True}),
    ("WHITE PRESS please", False, Role.MASTER, "setting-too-much"),
    ("HOUSE RULES", True, Role.MASTER, "setting-not-off"),
    ("ICEBREAKER", True, Role.MASTER, {"icebreaker": "off"}),
    ("REMINDER 24h, 6h", False, Role.MASTER, {"reminder": "24h, 6h"}),
    ("REMINDER 30", False, Role.MASTER, {"reminder": "30%"}),
    ("REMINDER", True, Role.MASTER, {"reminder": "0%"}),
    ("REMINDER 100%", False, Role.MASTER, "setting-reminder"),
    ("REMINDER 24, 6", False, Role.MASTER, "setting-reminder"),
    ("REMINDER 1h 2h 3h 4h 5h 6h", False, Role.MASTER, "setting-reminder"),
    ("REMINDER soon", False, Role.MASTER, "setting-reminder"),
    ("MAX ABSENCE 20", False, Role.MASTER, {"max_absence": 20}),
    ("MAX ABSENCE 32", False, Role.MASTER, "setting-most"),
    ("MAX ABSENCE ²", False, Role.MASTER, "setting-number"),
    ("TAKEOVER TIME 2d", False, Role.MASTER, {"takeover_time": 48.0}),
    ("TAKEOVER SEATED", False, Role.MASTER, {"seats": 99}),
    ("SEATS 2", False, Role.MASTER, {"seats": 2}),
    ("CD SUPPORT", False, Role.MASTER, {"cd": "support"}),
    ("CD SUPPORT", True, Role.MASTER, {"cd": "hold"}),
    ("DIAS", True, Role.MASTER, {"dias": False}),
    ("CONCESSIONS", True, Role.MASTER, {"concessions": False}),
    ("VOTES SECRET", False, Role.MASTER, {"votes": "secret"}),
    ("VOTES EXPIRE", False, Role.MASTER, {"votes_expire": True}),
    ("VOTES STAND", False, Role.MASTER, {"votes_expire": False}),
    ("VACATION", True, Role.PLAYER, {"absence": ()}),
    ("WAIT", False, Role.PLAYER, {"wait": True}),
    ("WAIT", True, Role.PLAYER, {"wait": False}),
    ("ORDERS REPLACE", False, Role.PLAYER, {"orders": "replace"}),
    ("ORDERS REPLACE", True, Role.PLAYER, {"orders": "merge"}),
    ("PREFERENCE N[ab]", False, Role.PLAYER, {"preference": "N[ab]"}),
    ("ALLOW PLAYER Ann@example.org, <bob@example.org>", False, Role.MASTER,
     {"allow": ("ann@example.org", "bob@example.org")}),
    ("DENY PLAYER -ann@example.org", False, Role.MASTER, {"deny": ()}),
    ("DENY PLAYER ann", False, Role.MASTER, "setting-address"),
    ("DENY PLAYER", True, Role.MASTER, {"deny": ()}),
    ("PRIVATE Tulip", False, Role.MASTER, {"private": "tulip"}),
    ("PRIVATE two words", False, Role.MASTER, "setting-one-word"),
    ("ONTIMERAT 0.9", False, Role.MASTER, {"ontimerat": 90}),
    ("ONTIMERAT 101", False, Role.MASTER, "setting-share"),
    ("RESRAT 20%", False, Role.MASTER, {"resrat": 20}),
    ("DEDICATION -5", False, Role.MASTER, {"dedication": -5}),
    ("DEDICATION much", False, Role.MASTER, "setting-number"),
    ("LEVEL Expert", False, Role.MASTER, {"level": "expert"}),
    ("LEVEL any", False, Role.MASTER, {"level": ""}),
    ("LEVEL genius", False, Role.MASTER, "setting-value"),
    ("MUSTER 2d", False, Role.MASTER, {"muster": 48.0}),
    ("VICTORY 20", False, Role.MASTER, {"victory": 20}),
    ("VICTORY", True, Role.MASTER, {"victory": 37}),
    ("VICTORY 20", True, Role.MASTER, "setting-number"),
    ("LAST YEAR", True, Role.MASTER, {"last_year": 0}),
    ("LAST YEAR", False, Role.MASTER, "setting-number"),
    ("FROBNICATE", False, Role.MASTER, "setting-unknown"),
]


@pytest.mark.parametrize("words, off, role, wanted", LINES)
def test_a_line_is_changes_or_a_reason(words: str, off: bool, role: Role, wanted: object) -> None:
    found = interpret(words.split(), off, GAME, role)
    if isinstance(found, Phrase):
        assert found.code == wanted
    else:
        assert {change.setting.name: change.value for change in found} == wanted


def test_a_date_is_resolved_by_the_caller() -> None:
    found = interpret(["DEADLINE", "friday", "20:00"], False, GAME, Role.MASTER)
    assert isinstance(found, tuple)
    assert found == (SettingChange(found[0].setting, None, ("friday", "20:00")),)
    assert found[0].setting.name == "deadline"


def test_every_row_has_help_and_every_stored_setting_a_default() -> None:
    not_stored = {
        "deadline", "grace", "negotiation_end", "not_before", "wait", "preference", "address",
        "token",
    }
    not_stored |= {"absence", "name", "orders", "notices", "digest", "map", "preview", "json"}
    not_stored |= {"board", "copies"}
    not_stored |= {"format", "language", "calendar", "tell_name", "own_press", "short"}
    usual = {**DEFAULTS}
    for system in all_systems():
        usual |= usual_times(system.clocks)
    for row in all_settings():
        assert row.help
        assert row.name in usual or row.name in not_stored, row.name


def test_the_defaults_are_the_documented_ones() -> None:
    clock = schedule_of(GameSettings.of(GAME.settings, DIPLOMACY.clocks))
    assert [clock.timings[name].next for name in ("move", "retreat", "adjust")] == [72, 24, 24]
    assert {timing.grace for timing in clock.timings.values()} == {24.0}
    assert clock.reminder == 0.25


SET_ELSEWHERE = {"wait", "preference", "address", "name", "notices"}
"""Settings of a seat or its person that are not stored under their own name."""


@pytest.mark.parametrize("row", [
    row for row in all_settings() if row.scope is Scope.SEAT and row.takes is not Takes.PERIOD
    and row.name not in SET_ELSEWHERE
], ids=lambda row: "-".join(row.words))
def test_a_seat_setting_is_stored_under_its_name(row: Setting) -> None:
    for value in [row.value if row.takes is Takes.NOTHING else 450, row.off]:
        if value is not None:
            settings = DEFAULT_SETTINGS.with_setting(row.name, value)
            assert getattr(settings, row.name) == value
            assert settings.as_json() == {row.name: value}


def test_default_settings_are_the_documented_ones() -> None:
    usual = {each.name: getattr(GameSettings(), each.name) for each in fields(GameSettings)}
    assert {name for name, value in usual.items() if value is True} == {
        "partial", "minor_press", "late_press", "grace_press", "postal_press", "press_copies",
        "rated", "listed", "dias", "concessions", "bots",
    }
    assert {name: value for name, value in usual.items() if value and value is not True} == {
        "press": "white", "fake": "none", "observer_press": "read", "nmr": "hold",
        "observers": "any", "seats": 1, "zone": "UTC", "reminder": "25%", "cd": "hold",
        "abandoned": "vacant",
        "takeover_time": 24.0, "excuse_time": 24.0,
        "max_absence": 15, "votes": "count", "resrat": 100,
        "dedication": -10_000, "talk": 14,
    }
    assert asdict(ClockSettings()) == {
        "next": 24.0, "min": 0.0, "clock": -1, "days": "SMTWTFS", "grace": 24.0, "delay": 0.0,
        "is_main": False,
    }


ONLY_BEFORE_START = (
    "MANUAL START, AUTO START, GM PLAYS, GUNBOAT, NAMES AT END, RATED, UNRATED, BOTS, PREFERENCE,"
    " PREF, REVEAL PRESS, POWER CHOICE, MUSTER"
)
"""Settings that are fixed at the start (HELP SETTINGS, docs/play/masters.md)."""
SECRET = "PRIVATE, ALLOW PLAYER, DENY PLAYER"
CANNOT_BE_OFF = (
    "ABANDONED VACANT, ADDRESS, BOARD ATTACHED, BOARD LINK, BOARD OFF, CALENDAR OFF, CALENDAR"
    " ON, CD HOLD, DEADLINE, EXCUSE TIME, FORMAT HTML, FORMAT TEXT, GRACE, GRAY PRESS, GRAY/WHITE"
    " PRESS, GREY PRESS, GREY/WHITE PRESS, HOUSE RULES, JSON OFF, JSON ON, MAP OFF, MAP"
    " PNG, MAP SMALL, MAP SVG, MAP TEXT, MAX ABSENCE, NEGOTIATION END, NMR CD, NMR HOLD,"
    " NMR WAIT, NO PRESS, NONE PRESS, OBSERVER ANY PRESS, OBSERVER NO PRESS, OBSERVER"
    " PRESS ANY, OBSERVER PRESS NONE, OBSERVER PRESS READ, OBSERVER PRESS WHITE, OBSERVER"
    " WHITE PRESS, OBSERVERS ANY, OBSERVERS APPROVAL, OBSERVERS NONE, ORDERS MERGE,"
    " PARTIAL FAKES BROADCAST, PARTIAL FAKES BROADCAST BY DEFAULT, PARTIAL MAY BE FAKED,"
    " PREVIEW OFF, PREVIEW ON, RATED, START, TOKEN OFF, TOKEN ON, VOTES COUNT, VOTES OPEN,"
    " VOTES SECRET, WHITE PRESS, WHITE/GRAY PRESS, WHITE/GREY PRESS"
)
"""Settings with one of several values, which NO cannot clear."""
OPPOSITES = {
    "AUTO START": "MANUAL START", "UNRATED": "RATED", "UNLISTED": "LIST",
    "FTF PRESS": "MINOR PRESS", "VOTES STAND": "VOTES EXPIRE",
}
"""Words that set False, and the words of the same setting that set True."""
OFF = {
    "SEATS": 1, "TAKEOVER SEATED": 1, "ZONE": "UTC", "REMINDER": "0%", "CD SUPPORT": "hold",
    "ABANDONED BOT": "vacant", "ORDERS REPLACE": "merge", "MAP": "off",
    "BOARD": "off", "NOTICES": ("NONE",),
    "OBSERVERS": "none", "FAKE": "none", "OBSERVER PRESS": "read", "RESRAT": 100,
    "DEDICATION": -10_000, "EXCUSES": 0, "MAX PRESS": 0, "TALK": 0, "ONTIMERAT": 0,
    **dict.fromkeys(("TAKEOVER TIME", "NEGOTIATION", "FIRST NEGOTIATION", "MUSTER"), 0.0),
    **dict.fromkeys(("ABSENCE", "HOLIDAY", "HOLIDAYS", "VACATION", "VACATIONS", "ALLOW PLAYER",
                     "DENY PLAYER"), ()),
    **dict.fromkeys(("CRON", "COMMENT", "FREEZE", "FREEZE ORDERS", "FREEZE VOTES", "PREFERENCE",
                     "PREF", "DIGEST", "PRIVATE", "LEVEL", "NAME"), ""),
    **dict.fromkeys(OPPOSITES, True),
}
"""Value set by SET NO, where it is not False."""


def words_of(rows: list[Setting]) -> set[str]:
    return {" ".join(row.words) for row in rows}


def test_settings_fixed_at_the_start_and_secret_ones() -> None:
    rows = [*all_settings()]
    assert words_of([row for row in rows if row.before_start]) == {*ONLY_BEFORE_START.split(", ")}
    assert words_of([row for row in rows if row.secret]) == {*SECRET.split(", ")}


def test_no_sets_the_listed_value() -> None:
    """NO is invalid for clock settings."""
    rows = [row for row in all_settings() if "." not in row.name]
    assert words_of([row for row in rows if row.off is None]) == {
        *CANNOT_BE_OFF.split(", "), *(f"LANGUAGE {word}" for word in
                                      ("DE", "EN", "GERMAN", "DEUTSCH", "ENGLISH")),
    }
    for row in rows:
        if row.off is not None:
            assert row.off == OFF.get(" ".join(row.words), False), row.words
    assert all(row.off is None for row in all_settings() if "." in row.name)


def test_a_setting_without_a_value_is_true_except_as_listed() -> None:
    values = {" ".join(row.words): row.value for row in all_settings()
              if row.takes is Takes.NOTHING and isinstance(row.value, bool)}
    off = {"PREVIEW OFF", "JSON OFF", "CALENDAR OFF", "TOKEN OFF", *OPPOSITES}
    assert {words for words, value in values.items() if not value} == off
    names = {" ".join(row.words): row.name for row in all_settings()}
    for words, opposite in OPPOSITES.items():
        assert names[words] == names[opposite]


BOUNDS = {
    "SEATS": ("1", "99", "0", "100"), "EXCUSES": ("0", "20", "", "21"),
    "EXCUSE TIME": ("1", "168", "0.9", "168.1"), "MAX ABSENCE": ("0", "31", "", "32"),
    "MAX PRESS": ("0", "1000", "", "1001"), "TALK": ("0", "60", "", "61"),
    "RESRAT": ("0", "100", "", "101"), "ONTIMERAT": ("0", "100%", "", "100.6%"),
    "DEDICATION": ("-999999", "+999999", "-1000000", "1000000"),
    "REMINDER": ("0%", "99%", "", "100%"), "MOVE CLOCK": ("-1", "23:59", "-2", "24:00"),
}
"""Minimum and maximum of a setting, and the first values beyond."""


@pytest.mark.parametrize("words", BOUNDS)
def test_a_setting_accepts_values_within_its_bounds(words: str) -> None:
    least, most, below, above = BOUNDS[words]
    for within in (least, most):
        found = interpret([*words.split(), within], False, GAME, Role.MASTER)
        assert not isinstance(found, Phrase), within
    for beyond in filter(None, (below, above)):
        assert isinstance(interpret([*words.split(), beyond], False, GAME, Role.MASTER), Phrase), (
            beyond
        )


@pytest.mark.parametrize(("words", "wanted"), [
    ("MOVE NEXT 36 hours GRACE 10 minutes", {"move.next": 36.0, "move.grace": 1 / 6}),
    ("MOVE MIN 30 min", {"move.min": 0.5}),
    ("MOVE MIN 2 DAYS -MTWTF-", {"move.min": 2.0, "move.days": "-MTWTF-"}),
    ("MOVE NEXT 1.5 days", {"move.next": 36.0}),
    ("MOVE CLOCK 8pm", {"move.clock": 1200}),
    ("MOVE CLOCK 12am", {"move.clock": 0}),
    ("MOVE CLOCK 12pm", {"move.clock": 720}),
    ("MOVE CLOCK 12:30am", {"move.clock": 30}),
    ("MOVE CLOCK 8.15", {"move.clock": 495}),
    ("MOVE CLOCK 90", {"move.clock": 90}),
    ("MOVE CLOCK 1440", "setting-time"),
    ("MOVE CLOCK 13pm", "setting-time"),
    ("MOVE CLOCK noon", {"move.clock": 720}),
    ("MOVE CLOCK Mittag", {"move.clock": 720}),
    ("MOVE CLOCK 20uhr", {"move.clock": 1200}),
    ("MOVE CLOCK Friday", "setting-time"),
    ("MOVE DAYS -------", "setting-days"),
    ("MOVE DAYS SMTWTF", "setting-days"),
    ("MOVE DAYS SMTWTFF", "setting-days"),
    ("MOVE BANANA 3", "setting-unknown"),
    ("MOVE NEXT banana GRACE 12", "duration-unreadable"),
    ("TURN NEXT 24", "clock-of-others"),
    ("STEP GRACE 24", "clock-of-others"),
    ("REMINDER 1h 2h 3h 4h 5h", {"reminder": "1h, 2h, 3h, 4h, 5h"}),
    ("REMINDER 0h", "setting-reminder"),
    ("REMINDER 1h 24", "setting-reminder"),
    ("ALLOW PLAYER ann@example.org bob", "setting-address"),
    ("ONTIMERAT .5", {"ontimerat": 50}),
    ("ONTIMERAT 1", {"ontimerat": 1}),
    ("ONTIMERAT 1.0", {"ontimerat": 100}),
    ("LEVEL two words", "setting-one-word"),
    ("COMMENT " + "x" * 201, {"comment": "x" * 200}),
    ("PRIVATE " + "X" * 41, {"private": "x" * 40}),
    ("DIGEST never", "digest-unknown"),
])  # fmt: skip
def test_values_are_read_in_common_spellings(words: str, wanted: object) -> None:
    found = interpret(words.split(), False, GAME, Role.MASTER)
    if isinstance(found, Phrase):
        assert found.code == wanted
    else:
        assert {change.setting.name: change.value for change in found} == wanted


@pytest.mark.parametrize(("takes", "value", "said"), [
    (Takes.HOURS, 48.0, "value-hours 48"), (Takes.HOURS, 1.0, "value-hours 1"),
    (Takes.HOURS, 1.5, "value-minutes 90"), (Takes.HOURS, 0.0, "value-hours 0"),
    (Takes.TIME_OF_DAY, 0, "00:00"), (Takes.TIME_OF_DAY, 65, "01:05"),
    (Takes.TIME_OF_DAY, -1, "value-any-time"), (Takes.ADDRESSES, (), "value-empty"),
    (Takes.ADDRESSES, ("a@x.org", "b@x.org"), "a@x.org, b@x.org"), (Takes.TEXT, "", "value-none"),
    (Takes.NUMBER, 3, "3"), (Takes.TEXT, 2.50, "2.5"),
])
def test_values_are_rendered_in_words(takes: Takes, value: object, said: str) -> None:
    found = format_setting_value(takes, value)
    facts = (" ".join([found.code, *map(str, found.facts.values())])
             if isinstance(found, Phrase) else found)
    assert facts == said


@pytest.mark.parametrize(("words", "off", "near"), [
    ("LATE CUONT", False, ("SET LATE COUNT",)),
    ("LATE CUONT", True, ("SET NO LATE COUNT",)),
    ("MAX ABSENC 20", False, ("SET MAX ABSENCE 20",)),
    ("MAX ABSENC 99", False, ()),
    ("VOTES", False, ("HELP SET VOTES",)),
    ("XYZZY", False, ()),
])
def test_similar_settings_are_suggested_if_permitted(
    words: str, off: bool, near: tuple[str, ...]
) -> None:
    assert near_settings(words.split(), off, GAME, Role.MASTER) == near


def test_a_list_of_addresses_is_extended_up_to_a_limit() -> None:
    """Existing addresses come first, without duplicates."""
    assert update_addresses(("a@x.org",), ("b@x.org", "a@x.org")) == ("a@x.org", "b@x.org")
    assert update_addresses(("a@x.org", "b@x.org"), ("-a@x.org", "-b@x.org", "-c@x.org")) == ()
    many = tuple(f"p{n}@x.org" for n in range(MAX_LISTED))
    assert update_addresses(many, ("late@x.org",)) == many and MAX_LISTED == 100
    longest = "a" * 248 + "@x.org"
    assert is_address(longest) and not is_address("a" + longest)


@pytest.mark.parametrize(("words", "muted", "role", "wanted"), [
    ("ALL", "VOTES", Role.PLAYER, ""), ("ON", "VOTES", Role.PLAYER, ""),
    ("OFF", "", Role.PLAYER, "VOTES VACANCIES REMINDERS"),
    ("votes and reminders", "", Role.PLAYER, "VACANCIES"),
    ("-vote, -late", "", Role.PLAYER, "VOTES REMINDERS"),
    ("+votes", "VOTES REMINDERS", Role.PLAYER, "REMINDERS"),
    ("-votes +reminders", "REMINDERS", Role.PLAYER, "VOTES"),
    ("NONE", "", Role.OBSERVER, "RESULTS PRESS NEWS VOTES VACANCIES"),
    ("NONE", "", Role.MONITOR, "RESULTS PRESS NEWS VOTES VACANCIES"),
    ("RESULTS PRESS", "", Role.PLAYER, "VOTES VACANCIES REMINDERS"),
    ("-results", "", Role.PLAYER, "notices-kept"), ("+results", "", Role.PLAYER, ""),
    ("-reminders", "", Role.OBSERVER, "notices-kept"),
    ("votes bananas", "", Role.PLAYER, "notices-unknown"),
    ("and", "", Role.PLAYER, "notices-unknown"),
])
def test_muted_kinds_of_letters_are_read(words: str, muted: str, role: Role, wanted: str) -> None:
    found = muted_by(words.split(), muted.split(), role)
    assert (found.code if isinstance(found, Phrase) else " ".join(found)) == wanted
    assert " ".join(may_mute(Role.MASTER)) == "VOTES VACANCIES REMINDERS"


@pytest.mark.parametrize(("text", "wanted"), [
    ("phases", "phase"), ("turn", "phase"), ("results", "phase"), ("day", 1080), ("ON", 1080),
    ("0:00", 0), ("23:59", 1439), ("24:00", None), ("7", None), ("7:60", None),
])
def test_a_digest_is_sent_per_phase_or_at_a_time_of_day(text: str, wanted: object) -> None:
    assert read_digest(text) == wanted


def test_only_addresses_of_a_list_count() -> None:
    text = "ann@example.org, bob  eve@example.org,,joe@x.example;"
    assert _split_addresses(text) == ["ann@example.org", "eve@example.org"]
    assert _split_addresses("nobody") == []
