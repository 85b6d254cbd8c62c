"""JSON of the settings at a seat, which keeps its format."""

import json
from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Any, get_type_hints

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.model.record import GameRecord, Role, Seat, SeatState
from judge.model.seat_settings import DEFAULT_SETTINGS, Period, SeatSettings, SitterAsked, Sitting
from judge.store.database import Store
from judge.store.games import Games
from judge.store.table import SEAT_SETTINGS as KIND
from tests.store.test_clocks import INSTANTS, TEXTS, WRITTEN

HOLDERS = st.text("abc@.", min_size=1, max_size=9)
KINDS: Mapping[object, st.SearchStrategy[Any]] = {
    str | None: TEXTS | st.none(),
    bool | None: st.booleans() | st.none(),
    int | None: st.integers(-9, 9) | st.none(),
    int | str | None: st.integers(0, 1439) | TEXTS | st.none(),
    tuple[str, ...] | None: st.lists(TEXTS, max_size=3).map(tuple) | st.none(),
    tuple[Period, ...] | None:
        st.lists(st.builds(Period, INSTANTS, INSTANTS), max_size=3).map(tuple) | st.none(),
    SitterAsked | None: st.builds(SitterAsked, TEXTS, INSTANTS) | st.none(),
    Sitting | None: st.builds(Sitting, HOLDERS, INSTANTS, TEXTS) | st.none(),
    Mapping[str, object]: st.dictionaries(st.sampled_from("XYZ"), st.integers(), max_size=2),
}
SEAT_SETTINGS = st.builds(
    SeatSettings, **{name: KINDS[hint] for name, hint in get_type_hints(SeatSettings).items()}
)

OBJECTS = st.fixed_dictionaries({}, optional={
    **{name: TEXTS for name in ("zone", "language", "format", "map", "orders", "dummy")},
    **{name: st.booleans() for name in ("preview", "json", "calendar", "token", "copies")},
    "digest": st.sampled_from(["", "phase", 0, 450, 1080]),
    "muted": st.lists(st.sampled_from(["VOTES", "PRESS"]), max_size=2),
    "absences": st.lists(st.lists(WRITTEN, min_size=2, max_size=2), max_size=3),
    "sitter": st.fixed_dictionaries({"address": TEXTS, "until": WRITTEN}),
    "master": st.integers(-5, 5),
    "of a newer judge": st.lists(st.integers(), max_size=2),
})
LENT = st.just({}) | st.fixed_dictionaries(
    {"owner": HOLDERS, "owner_zone": TEXTS, "sits_until": WRITTEN}
)


@given(OBJECTS, LENT)
def test_json_of_settings_is_unchanged_by_a_round_trip(
    kept: dict[str, Any], lent: dict[str, Any]
) -> None:
    assert SeatSettings.read(kept | lent).as_json() == kept | lent
    text = json.dumps(kept | lent, ensure_ascii=False, sort_keys=True)
    assert KIND.read and KIND.write and KIND.write(KIND.read(text)) == text


@given(SEAT_SETTINGS)
def test_settings_are_read_as_they_were_written(settings: SeatSettings) -> None:
    assert SeatSettings.read(settings.as_json()) == settings


def test_every_setting_of_a_seat_is_kept() -> None:
    said = {
        "zone": "UTC", "language": "de", "format": "text", "map": "svg", "preview": True,
        "json": False, "calendar": False, "token": False, "copies": True, "orders": "replace",
        "board": "off", "tell_name": True,
        "own_press": True, "short": True, "digest": 450, "muted": ["VOTES"],
        "absences": [["2026-01-05T00:00:00+00:00", "2026-01-06T00:00:00+00:00"]],
        "sitter": {"address": "bob@example.org", "until": "2026-01-05T00:00:00+00:00"},
        "owner": "ann@example.org", "owner_zone": "", "sits_until": "2026-01-06T00:00:00+00:00",
        "dummy": "", "bot": "", "master": -1,
    }
    settings = SeatSettings.read(said)
    assert settings.as_json() == said and settings.others == {}
    assert not [each.name for each in fields(settings) if getattr(settings, each.name) is None]
    assert DEFAULT_SETTINGS.as_json() == {} == SeatSettings.read({}).as_json()


def test_settings_without_a_sitter_stay_as_they_are() -> None:
    kept = {"owner": "", "owner_zone": "UTC"}
    assert SeatSettings.read(kept).sitting is None
    assert SeatSettings.read(kept).as_json() == kept


def test_settings_text_is_unchanged_by_other_saves(store: Store, marco: GameRecord) -> None:
    games = Games(store)
    game = games.add(marco)
    assert game is not None
    seat = games.add_seat(Seat(0, game.id, Role.PLAYER, SeatState.OCCUPIED))
    text = '{"copies": false, "digest": "", "muted": [], "token": true, "was": [1]}'
    store.update_sql("UPDATE seats SET settings = ? WHERE id = ?", [text, seat.id])
    found = games.seat(seat.id)
    assert found is not None and found.settings.token is True and found.settings.muted == ()
    games.save_seats([replace(found, missed=1)])
    assert store.select_sql("SELECT settings, missed FROM seats", []) == [(text, 1)]


@pytest.mark.parametrize("kept", [
    {"absences": ["soon"]}, {"sitter": {"address": "x"}}, {"owner": "x"}, {"master": "first"},
])
def test_malformed_settings_are_refused_when_read(kept: dict[str, Any]) -> None:
    with pytest.raises((ValueError, TypeError, KeyError)):
        SeatSettings.read(kept)
