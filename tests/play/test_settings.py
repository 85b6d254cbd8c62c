"""The table of settings and the lines that change them."""

from dataclasses import asdict, fields
from datetime import UTC, datetime

from judge.games import all_systems, find_system
from judge.model.phrase import Phrase
from judge.model.record import GameRecord, GameState, Role
from judge.model.seatsettings import NOTHING_SAID
from judge.play.choices.settings import Change, interpret, schedule_of
from judge.play.choices.settingtable import Scope, Setting, Takes, all_settings
from judge.play.chosen import DEFAULTS, ClockSettings, GameSettings, usual_times
from tests.rows import every

DIPLOMACY = find_system("diplomacy")
GAME = GameRecord(
    1, "marco", "diplomacy", "youngstown", GameState.FORMING, "S1901M", 0, "{}", {}, b"",
    datetime(2026, 1, 1, tzinfo=UTC),
)

LINES = [
    # words, NO, role, what becomes of it
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
    ("FROBNICATE", False, Role.MASTER, "setting-unknown"),
]


@every("words, off, role, wanted", LINES, ids=lambda line: line[0])
def test_a_line_becomes_changes_or_a_reason(
    words: str, off: bool, role: Role, wanted: object
) -> None:
    found = interpret(words.split(), off, GAME, role)
    if isinstance(found, Phrase):
        assert found.code == wanted
    else:
        assert {change.setting.name: change.value for change in found} == wanted


def test_a_date_is_left_to_whoever_knows_the_hour() -> None:
    found = interpret(["DEADLINE", "friday", "20:00"], False, GAME, Role.MASTER)
    assert isinstance(found, tuple)
    assert found == (Change(found[0].setting, None, ("friday", "20:00")),)
    assert found[0].setting.name == "deadline"


def test_every_row_has_help_and_every_stored_setting_a_default() -> None:
    not_stored = {"deadline", "grace", "not_before", "wait", "preference", "address", "token"}
    not_stored |= {"absence", "name", "orders", "notices", "digest", "map", "preview", "json"}
    not_stored |= {"copies", "format", "language", "calendar", "tell_name", "own_press", "short"}
    usual = {**DEFAULTS}
    for system in all_systems():
        usual |= usual_times(system.clocks)
    for row in all_settings():
        assert row.help
        assert row.name in usual or row.name in not_stored, row.name


def test_the_defaults_are_those_we_promise() -> None:
    clock = schedule_of(GameSettings.of(GAME.settings, DIPLOMACY.clocks))
    assert [clock.timings[name].next for name in ("move", "retreat", "adjust")] == [72, 24, 24]
    assert {timing.grace for timing in clock.timings.values()} == {24.0}
    assert clock.reminder == 0.25


SET_ELSEWHERE = {"wait", "preference", "address", "name", "notices"}
"""What SET changes of a seat, or of its person, that is not kept under the name it has there."""


@every("row", [
    row for row in all_settings() if row.scope is Scope.SEAT and row.takes is not Takes.PERIOD
    and row.name not in SET_ELSEWHERE
], ids=lambda row: "-".join(row.words))
def test_what_is_set_at_a_seat_is_kept_under_the_name_the_table_has(row: Setting) -> None:
    for value in [row.value if row.takes is Takes.NOTHING else 450, row.off]:
        if value is not None:
            settings = NOTHING_SAID.said(row.name, value)
            assert getattr(settings, row.name) == value
            assert settings.as_json() == {row.name: value}


def test_where_nobody_set_anything_holds_what_the_docs_say() -> None:
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
