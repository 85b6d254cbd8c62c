"""Requests, offers and sitters are stored in the settings, in a stable format."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from judge.model.record import Role, Seat, SeatState
from judge.model.seat_settings import SeatSettings, SitterAsked, Sitting
from judge.play.pending_requests import (
    JoinRequest,
    as_dummy,
    dealings_in,
    place_of,
    settings_with,
    with_place,
    with_sitter_request,
    with_sitting,
    without_sitting,
)

PEOPLE = st.sampled_from(["ann@example.org", "bob@example.org", "jörg@example.org"])
INSTANTS = st.datetimes(datetime(1990, 1, 1), datetime(2100, 1, 1), timezones=st.just(UTC))
WRITTEN = INSTANTS.map(datetime.isoformat)
WORDS = st.text("abcdef", max_size=4)
NAMES = (
    "invited", "asking", "watchers", "asked_masters", "master_offered", "barred", "sitting_until",
)
KEPT = st.fixed_dictionaries({}, optional={
    "invited": st.dictionaries(
        PEOPLE, st.fixed_dictionaries({"power": WORDS, "until": WRITTEN}), max_size=3
    ),
    "asking": st.dictionaries(PEOPLE, st.lists(WORDS, min_size=3, max_size=3), max_size=3),
    "watchers": st.dictionaries(PEOPLE, st.sampled_from(["observer", "monitor"]), max_size=3),
    "asked_masters": st.dictionaries(
        PEOPLE, st.fixed_dictionaries({"word": WORDS, "until": WRITTEN}), max_size=3
    ),
    "master_offered": WRITTEN,
    "barred": st.lists(PEOPLE, max_size=3),
    "sitting_until": WRITTEN | st.just(""),
    "press": st.just("white"),
})
OWN = st.fixed_dictionaries({}, optional={"zone": st.just("Europe/Paris"), "token": st.just(False)})


def seat(settings: Mapping[str, object]) -> Seat:
    return Seat(3, 1, Role.PLAYER, SeatState.OCCUPIED, "France", "ann@example.org",
                settings=SeatSettings.read(settings))


@given(KEPT)
def test_stored_requests_are_written_back_unchanged(kept: dict[str, Any]) -> None:
    dealings = dealings_in(kept)
    found = {name: getattr(dealings, name) for name in NAMES if name in kept}
    assert settings_with({"press": "other"} | kept, **found) == {"press": "other"} | kept


def test_old_join_requests_contain_only_the_power() -> None:
    assert dealings_in({"asking": {"ann@example.org": "France"}}).asking == {
        "ann@example.org": JoinRequest("France")
    }


def test_an_expired_offer_is_removed_and_a_sitting_emptied() -> None:
    settings = {"master_offered": "x", "sitting_until": "x", "zone": "UTC"}
    assert settings_with(settings, master_offered=None, sitting_until=None) == {
        "sitting_until": "", "zone": "UTC",
    }


@given(OWN, INSTANTS)
def test_a_sitter_returns_the_seat_with_its_time_zone(own: dict[str, Any], end: datetime) -> None:
    asked = with_sitter_request(seat(own), SitterAsked("bob@example.org", end))
    assert asked.settings.sitter == SitterAsked("bob@example.org", end)
    assert with_sitter_request(asked, None) == seat(own)
    sitting = Sitting("ann@example.org", end, str(own.get("zone", "")))
    lent = with_sitting(asked, sitting)
    assert lent.settings.sitting == sitting and lent.settings.sitter is None
    assert "zone" not in lent.settings.as_json()
    assert lent.settings.as_json()["sits_until"] == end.isoformat()
    assert without_sitting(lent) == seat(own)


@given(OWN)
def test_dummies_and_masters_are_known_by_their_settings(own: dict[str, Any]) -> None:
    plain = seat(own)
    said = plain.settings
    assert (said.sitting, said.sitter, said.dummy) == (None, None, None)
    assert as_dummy(plain, "").settings.dummy == ""
    assert place_of(plain) == 0 and place_of(with_place(plain, -1)) == -1
    assert with_place(with_place(plain, 2), None) == plain
