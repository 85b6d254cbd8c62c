"""Admission: entry rules of games, invitations, and names of new games."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any, cast

import pytest

from judge.model.person import ConductFigures
from judge.model.record import GameState, Role, Seat, SeatState
from judge.play.game import Context, Game
from judge.play.pending_requests import Invitation
from judge.play.people.admission import (
    allow_return,
    bar_return,
    entry_problem,
    free_sides,
    invitations,
    keep_invitations,
    list_problem,
    masters_games,
    name_problem,
    opened_by,
    own_settings,
    places_kept,
    powers_known,
    requested_power,
    seats_named,
    seats_problem,
    settle,
)

ANN, BOB = "ann@example.org", "bob@example.org"
BOTH = {ANN: "a", BOB: "b"}


@pytest.mark.parametrize(("invited", "asking", "dealt"), [
    (BOTH, BOTH, {"invited": {BOB: "b"}, "asking": {BOB: "b"}}),
    (BOTH, {BOB: "b"}, {"invited": {BOB: "b"}}),
    ({}, BOTH, {"asking": {BOB: "b"}}),
    ({BOB: "b"}, {}, {}),
])
def test_seating_ends_invitation_and_join_request(
    invited: dict[str, str], asking: dict[str, str], dealt: dict[str, Any]
) -> None:
    found: dict[str, Any] = {}
    at = SimpleNamespace(
        dealings=SimpleNamespace(invited=invited, asking=asking),
        change_requests=lambda **named: found.update(named),
    )
    settle(cast(Game, at), "Ann@Example.org")
    assert found == dealt


NOW = datetime(2026, 1, 5, tzinfo=UTC)
ALSO = "ann@elsewhere.org"
"""Another address of Ann's."""
CHOSEN = {
    "allow": (), "deny": (), "private": "", "ontimerat": 0, "resrat": 100, "dedication": -1000,
    "level": "", "seats": 1, "gm_plays": False, "gunboat": False,
}


class Aliases:
    """Fake alias table: Ann has two addresses, all others one."""

    def addresses_of(self, address: str) -> set[str]:
        low = address.lower()
        return {ANN, ALSO} if low in (ANN, ALSO) else {low}

    def is_same_person(self, one: str, other: str) -> bool:
        return self.addresses_of(one) == self.addresses_of(other)


def game(
    *seats: Seat,
    figures: ConductFigures = ConductFigures(),
    level: str = "",
    invited: tuple[Any, ...] = (),
    barred: tuple[str, ...] = (),
    played: tuple[str, ...] = (),
    **chosen: object,
) -> Game:
    """Return a fake game of the standard map with the parts that admission reads."""
    register = SimpleNamespace(
        person=lambda address: SimpleNamespace(level=level, zone=""),
        figures=lambda *addresses: figures, find_powers_played=lambda number, people: set(played),
    )
    made = SimpleNamespace(
        id=1, name="marco", system="diplomacy", map="standard", settings={},
        chosen=SimpleNamespace(**{**CHOSEN, **chosen}),
        dealings=SimpleNamespace(invited={each.address: each for each in invited}, barred=barred),
        context=SimpleNamespace(aliases=Aliases(), register=register),
        all_seats=lambda: list(seats),
    )
    return cast(Game, made)


def make_invitation(address: str, power: str = "", hours: int = 1) -> Invitation:
    return Invitation(address, power, NOW + timedelta(hours=hours))


def figures(on_time: int, late: int = 0, **more: int) -> ConductFigures:
    return ConductFigures(on_time=on_time, late=late, **more)


@pytest.mark.parametrize(("given", "code"), [
    ({}, ""),
    ({"barred": (ALSO,)}, "entry-barred"),
    ({"barred": (BOB,)}, ""),
    ({"barred": (ANN,), "deny": (ANN,), "invited": (make_invitation(ANN),)}, ""),
    ({"barred": (ANN,), "invited": (make_invitation(ANN, hours=0),)}, "entry-barred"),
    ({"barred": (ANN,), "invited": (make_invitation(BOB),)}, "entry-barred"),
    ({"deny": (ALSO,)}, "entry-not-for-you"),
    ({"deny": (BOB,)}, ""),
    ({"allow": (BOB,)}, "entry-not-for-you"),
    ({"allow": (BOB, ALSO)}, ""),
    ({"allow": (ANN,), "deny": (ALSO,)}, "entry-not-for-you"),
    ({"private": "other"}, "entry-private"),
    ({"private": "secret"}, ""),
    ({"ontimerat": 90, "figures": figures(9, 1)}, ""),
    ({"ontimerat": 91, "figures": figures(9, 1)}, "entry-on-time"),
    ({"ontimerat": 100}, ""),
    ({"resrat": 50, "figures": ConductFigures(started=2, resigned=1)}, ""),
    ({"resrat": 49, "figures": ConductFigures(started=2, resigned=1)}, "entry-left"),
    ({"level": "amateur"}, "entry-level"),
    ({"level": "amateur", "given": "novice"}, "entry-level"),
    ({"level": "amateur", "given": "amateur"}, ""),
    ({"level": "amateur", "given": "expert"}, ""),
    ({"given": "novice"}, ""),
])
def test_entry_problem_is_found(given: dict[str, Any], code: str) -> None:
    """An invitation overrides all rules, and bounds are inclusive.

    A person has several addresses.
    """
    said = dict(given)
    wanted, own = said.pop("level", ""), said.pop("given", "")
    at = game(**said, level=own)
    at.chosen.level = wanted  # type: ignore[misc]
    found = entry_problem(at, ANN.upper(), ["Secret"], NOW)
    assert (found.code if found else "") == code


def test_required_dedication_is_inclusive() -> None:
    earned = figures(9, 1)
    for more, code in ((0, ""), (1, "entry-dedication")):
        at = game(figures=earned, dedication=earned.dedication + more)
        found = entry_problem(at, ANN, [], NOW)
        assert (found.code if found else "") == code


MASTER = Seat(1, 1, Role.MASTER, SeatState.OCCUPIED, address="gm@example.org")
SECOND = Seat(2, 1, Role.MASTER, SeatState.OCCUPIED, address=ANN)
FRANCE = Seat(3, 1, Role.PLAYER, SeatState.OCCUPIED, "France", address=ANN)
ENGLAND = Seat(4, 1, Role.PLAYER, SeatState.OCCUPIED, "England", address=BOB)
WAITING = Seat(5, 1, Role.PLAYER, SeatState.WAITING, address=ANN)
VACANT = Seat(6, 1, Role.PLAYER, SeatState.VACANT, "Italy", address=ANN)
OBSERVER = Seat(7, 1, Role.OBSERVER, SeatState.OCCUPIED, address=BOB)
MONITOR = Seat(8, 1, Role.MONITOR, SeatState.OCCUPIED, address=ALSO)
AGAIN = Seat(10, 1, Role.OBSERVER, SeatState.OCCUPIED, address=ALSO)
LEFT = Seat(9, 1, Role.OBSERVER, SeatState.LEFT, address=ANN)
SEATS = (LEFT, MASTER, SECOND, FRANCE, ENGLAND, VACANT, OBSERVER, MONITOR, AGAIN)


@pytest.mark.parametrize(("who", "sender", "numbers"), [
    ("M", "gm@example.org", [1, 2]), ("master", ALSO, [2, 1]), ("Master", "e@example.org", [1, 2]),
    ("O", ANN, [8]), ("observer", BOB, [7]), ("O", "gm@example.org", []),
    ("F", BOB, [3]), ("English", ANN, [4]), ("I", ANN, []), ("X", ANN, []),
])
def test_a_sign_on_names_the_seats_of_its_power(who: str, sender: str, numbers: list[int]) -> None:
    """The sender's own master seat is first, at any address."""
    assert [seat.id for seat in seats_named(game(*SEATS), who, sender)] == numbers


@pytest.mark.parametrize(("seats", "most", "played", "power", "known", "code"), [
    ((), 1, (), "", [], ""),
    ((ENGLAND, VACANT, SECOND), 1, (), "", [], ""),
    ((FRANCE,), 1, (), "", ["France"], "seats-one"),
    ((FRANCE,), 1, (), "France", ["France"], ""),
    ((FRANCE,), 1, (), "Italy", ["France"], "seats-one"),
    ((WAITING,), 1, (), "", [""], "seats-one-waiting"),
    ((FRANCE,), 2, (), "", ["France"], ""),
    ((FRANCE,), 2, ("France",), "", ["France"], ""),
    ((FRANCE,), 2, ("Turkey", "Italy"), "", ["France", "Italy", "Turkey"], "seats-most"),
    ((), 1, ("Turkey",), "Italy", ["Turkey"], "seats-one"),
])
def test_a_person_has_one_power_unless_more_are_allowed(
    seats: tuple[Seat, ...], most: int, played: tuple[str, ...], power: str, known: list[str],
    code: str,
) -> None:
    at = game(*seats, seats=most, played=played)
    assert powers_known(at, ALSO) == known
    found = seats_problem(at, ALSO, power)
    assert (found.code if found else "") == code


def test_an_invitation_reserves_its_power_and_place() -> None:
    at = game(
        FRANCE,
        invited=(
            make_invitation(ANN, "Italy"), make_invitation(BOB),
            make_invitation("eve@example.org", "Turkey", 0),
        ),
    )
    free = {side.name for side in free_sides(at, BOB, NOW)}
    assert free == {"Austria", "England", "Germany", "Russia", "Turkey"}
    assert {side.name for side in free_sides(at, ANN.upper(), NOW)} == free | {"Italy"}
    assert [places_kept(at, who, NOW) for who in (ANN.upper(), BOB, ALSO)] == [1, 1, 2]
    assert [each.address for each in invitations(at, NOW)] == [ANN, BOB]


def make_change(name: str, *value: str) -> Any:
    return SimpleNamespace(
        setting=SimpleNamespace(name=name, words=(name.upper(), "PLAYER")), value=value
    )


@pytest.mark.parametrize(("setting", "value", "words", "code"), [
    ("deny", (ANN,), [ANN], ""), ("deny", (f"*{ANN}",), [f"*{ANN}"], "list-no-patterns"),
    ("deny", (), [f"-{BOB}"], "list-not-on-it"), ("deny", (), [f"-{ANN}"], ""),
    ("deny", (), [f"<-{ANN}>", f"-{BOB}"], ""),
    ("deny", (BOB, "c@example.org"), ["c@example.org"], "list-fits-nobody"),
    ("allow", (BOB, ANN), [ANN], ""), ("allow", (ANN,), [ANN], "list-fits-nobody"),
    ("allow", ("x?@example.org",), [], "list-no-patterns"),
    ("allow", ("a%@b",), [], "list-no-patterns"), ("allow", (), [], ""),
])
def test_a_list_of_addresses_is_changed_or_refused(
    setting: str, value: tuple[str, ...], words: list[str], code: str
) -> None:
    """An ejected person can be removed too, although they are on no list."""
    first, *_ = words or [""]
    at = game(barred=(BOB,) if first == f"<-{ANN}>" else (), allow=(BOB,), deny=(ANN,))
    found = list_problem(at, make_change(setting, *value), words)
    assert (found.code if found else "") == code


@pytest.mark.parametrize(("name", "code", "free"), [
    ("ab", "", ""), ("a", "game-name-unusable", ""), ("abcdefgh", "", ""),
    ("abcdefghi", "game-name-unusable", ""), ("1ab", "game-name-unusable", ""),
    ("a1", "", ""), ("a-b", "game-name-unusable", ""), ("\u00e4bc", "game-name-unusable", ""),
    ("Marco", "game-name-taken", "marco3"), ("longname", "game-name-taken", "longna2"),
])
def test_a_game_name_is_unique_short_and_alphanumeric(name: str, code: str, free: str) -> None:
    names = ["marco", "marco2", "longname"]
    games = SimpleNamespace(find=lambda low: low in names, names=lambda: names)
    found = name_problem(cast(Context, SimpleNamespace(games=games)), name)
    assert (found.code if found else "") == code
    assert (found.facts.get("free", "") if found else "") == free


def test_a_password_opens_the_first_matching_seat() -> None:
    tried: list[str] = []

    def is_right(kept: str, given: str) -> bool:
        tried.append(kept)
        return kept == given

    context: Any = SimpleNamespace(password_check=SimpleNamespace(is_right=is_right))
    seats = [Seat(n, 1, Role.MASTER, SeatState.OCCUPIED, password=word)
             for n, word in enumerate(("one", "two", "two"), 1)]
    found = opened_by(context, seats, "two")
    assert found and (found.id, tried) == (2, ["one", "two", "two"])
    assert (opened_by(context, seats[:1], "two"), tried[3:]) == (None, ["one"])
    assert (opened_by(context, [], "two"), tried[4:]) == (None, [""])


@pytest.mark.parametrize(("gm_plays", "gunboat", "told"), [
    (False, False, "France"), (True, False, "France"), (False, True, "France"), (True, True, ""),
])
def test_a_playing_gunboat_master_learns_no_requested_power(
    gm_plays: bool, gunboat: bool, told: str
) -> None:
    assert requested_power(game(gm_plays=gm_plays, gunboat=gunboat), "France") == told


def test_a_barred_person_is_stored_once_and_removed_everywhere() -> None:
    dealt: list[dict[str, Any]] = []
    at: Any = game(barred=(ANN, BOB))
    at.change_requests = lambda **named: dealt.append(named)
    bar_return(at, BOB.upper(), "")
    assert dealt == []
    bar_return(at, "Eve@example.org", ALSO)
    allow_return(at, ALSO.upper())
    allow_return(at, "eve@example.org")
    keep_invitations(at, [make_invitation(BOB), make_invitation(ANN)])
    assert dealt == [
        {"barred": (ALSO, ANN, BOB, "eve@example.org")}, {"barred": (BOB,)},
        {"invited": {BOB: make_invitation(BOB), ANN: make_invitation(ANN)}},
    ]


def test_a_masters_active_games_are_counted_once() -> None:
    seats = [MASTER, replace(MASTER, game=2), replace(MASTER, game=3), replace(MASTER, id=11),
             replace(OBSERVER, game=4)]
    over = {3}
    games = SimpleNamespace(
        seats_at=lambda address: seats,
        get=lambda number: SimpleNamespace(
            state=GameState.ENDED if number in over else GameState.RUNNING
        ),
    )
    assert masters_games(cast(Context, SimpleNamespace(games=games)), ANN) == 2


@pytest.mark.parametrize(("zone", "own"), [("Europe/Vienna", "Europe/Vienna"), ("", None)])
def test_a_new_seat_has_the_registered_time_zone(zone: str, own: str | None) -> None:
    register = SimpleNamespace(person=lambda address: SimpleNamespace(zone=zone))
    context = cast(Context, SimpleNamespace(register=register))
    assert own_settings(context, ANN).zone == own
