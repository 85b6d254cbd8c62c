"""MY GAMES lists a person's games to their own address only.

A forged sender or sign-on learns nothing.
"""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any, cast

import pytest

from judge.model.record import GameState, Role, Seat
from judge.play.commands.asking import own_games
from judge.play.game import Game
from tests.journeys.rig import Rig, squeeze_text, text_of

GM, ANN, BOB, EVE = "gm@example.org", "ann@example.org", "bob@example.org", "eve@example.org"
MINE = "Your games, each with the line that signs you on:"


@pytest.fixture(scope="module")
def begun() -> Iterator[Rig]:
    """A gunboat game of Ann and Bob, and an unlisted one with Ann."""
    rig = Rig()
    rig.mail(GM, "CREATE ?boat gmsecret standard\nSET GUNBOAT")
    rig.mail(EVE, "CREATE ?hidden evesecret standard\nSET UNLISTED\nSTART")
    rig.mail(ANN, "JOIN boat annsecret\nSET PREFERENCE F\nTAKEOVER Ghidden annsecret")
    rig.mail(BOB, "JOIN boat bobsecret\nSET PREFERENCE G")
    rig.mail(GM, "SIGNON Mboat gmsecret\nSTART")
    rig.boxes.clear()
    yield rig
    rig.close()


def read_letters(rig: Rig) -> dict[str, str]:
    """Return the text of all letters to each address."""
    return {to: squeeze_text(" ".join(map(text_of, box))) for to, box in rig.boxes.items()}


@pytest.mark.parametrize("asked", ["MY GAMES", "LIST", "LIST FULL", "MEINE SPIELE", "my  games"])
def test_my_games_is_answered_to_the_from_address_only(rig: Rig, asked: str) -> None:
    rig.mail(ANN, asked, Reply_To=EVE, Return_Path=EVE, Sender=EVE)
    assert set(rig.boxes) == {ANN}
    assert "boat Standard" in read_letters(rig)[ANN] and "hidden Standard" in read_letters(rig)[ANN]


def test_a_foreign_sign_on_sends_my_games_to_the_seats_owner(rig: Rig) -> None:
    rig.mail(BOB, "SIGNON Fboat annsecret\nMY GAMES\nLIST")
    assert MINE in read_letters(rig)[ANN] and "you play France" in read_letters(rig)[ANN]
    assert MINE not in read_letters(rig)[BOB] and "France" not in read_letters(rig)[BOB]


def test_before_a_sign_on_the_senders_games_are_listed(rig: Rig) -> None:
    rig.mail(BOB, "MY GAMES\nSIGNON Fboat annsecret\nSTATUS")
    assert "you play Germany" in read_letters(rig)[BOB] and "France" not in read_letters(rig)[BOB]
    assert MINE not in read_letters(rig)[ANN]


@pytest.mark.parametrize("asked", ["MY GAMES", "LIST"])
def test_a_master_acting_as_a_power_sees_no_games_of_its_player(rig: Rig, asked: str) -> None:
    rig.mail(EVE, f"SIGNON Mhidden evesecret\nBECOME G\n{asked}")
    assert MINE not in read_letters(rig)[EVE] and "you play" not in read_letters(rig)[EVE]
    assert MINE not in read_letters(rig)[ANN]


def test_the_seats_of_a_person_are_hidden_from_others(rig: Rig) -> None:
    for who in (BOB, GM, EVE, "zoe@example.org"):
        rig.mail(who, "LIST FULL\nMY GAMES\nLIST boat")
    for who, text in read_letters(rig).items():
        assert "ann@" not in text or who in (GM, EVE)
        assert "you play France" not in text
        assert who == EVE or "hidden" not in text


def test_my_games_covers_all_addresses_of_a_person(rig: Rig) -> None:
    rig.mail(ANN, "IAMALSO ann@work.example")
    rig.reply(ANN, "yes")
    rig.mail("ann@work.example", "MY GAMES")
    assert "You have no seat" in read_letters(rig)["ann@work.example"]
    rig.reply("ann@work.example", "yes", next(
        letter for letter in rig.boxes["ann@work.example"] if letter["X-Judge-Kind"] == "confirm"
    ))
    rig.boxes.clear()
    rig.mail("ann@work.example", "MY GAMES")
    assert set(rig.boxes) == {"ann@work.example"}
    assert "you play France" in read_letters(rig)["ann@work.example"]


def test_an_unreadable_game_hides_no_other(rig: Rig) -> None:
    rig.application.store.database.execute_sql(
        "UPDATE games SET marks = 'damaged' WHERE name = 'hidden'"
    )
    rig.mail(ANN, "MY GAMES")
    assert "you play France" in read_letters(rig)[ANN] and "hidden" not in read_letters(rig)[ANN]


def test_my_games_omits_resigned_seats(rig: Rig) -> None:
    rig.resign(BOB, "SIGNON Gboat bobsecret")
    rig.mail(BOB, "MY GAMES")
    assert "you play" not in read_letters(rig)[BOB] and "You have no seat" in read_letters(rig)[BOB]


@pytest.mark.parametrize("on", ["standard", "nations1940", "yorktown"])
def test_my_games_works_next_to_other_questions(on: str) -> None:
    rig = Rig()
    rig.mail(GM, f"CREATE ?marco gmsecret {on}\nSTART")
    rig.boxes.clear()
    rig.mail(GM, "SIGNON Mmarco gmsecret\nMY GAMES\nLIST\nSTATUS")
    assert MINE in read_letters(rig)[GM] and "Games of this judge" in read_letters(rig)[GM]
    rig.close()


NOW = datetime(2026, 1, 5, 20, 0, tzinfo=UTC)
CALLED = {"state": GameState.FORMING, "muster_until": NOW}
ASKING = {"role": Role.MASTER, "asking": (1, 2), "watchers": (3,)}
OWING = {"due": True, "missing": ("Par",)}


@pytest.mark.parametrize("given, shown", [
    ({}, {}),
    ({"owed": OWING}, {"owes": True}),
    ({"owed": {**OWING, "due": False}}, {}), ({"owed": {**OWING, "missing": ()}}, {}),
    ({"owed": OWING, "missing": "none is installed"}, {"missing_system": "none is installed"}),
    # These seats must confirm the muster, in time before the game begins.
    (CALLED, {"owes": True, "muster": NOW}), ({**CALLED, "confirmed": (8,)},
                                              {"owes": True, "muster": NOW}),
    ({**CALLED, "confirmed": (8, 7)}, {}), ({**CALLED, "muster_until": None}, {}),
    ({**CALLED, "state": GameState.RUNNING}, {}), ({**CALLED, "role": Role.MASTER}, {}),
    # These are tasks of masters only.
    (ASKING, {"owes": True, "asking": 3}), ({**ASKING, "role": Role.PLAYER}, {}),
    ({**ASKING, "watchers": ()}, {"owes": True, "asking": 2}),
    ({"role": Role.MASTER, "held": True}, {"owes": True, "release": True}), ({"held": True}, {}),
    ({"role": Role.MASTER}, {}),
])
def test_tasks_of_each_seat_are_listed(given: dict[str, Any], shown: dict[str, object]) -> None:
    """Two of the three player seats are occupied."""
    clock = SimpleNamespace(
        muster_until=given.get("muster_until"), confirmed=given.get("confirmed")
    )
    dealings = SimpleNamespace(asking=given.get("asking", ()), watchers=given.get("watchers", ()))
    state = given.get("state", GameState.RUNNING)
    game = SimpleNamespace(system="x", state=state, clock=clock, dealings=dealings)
    seat = SimpleNamespace(id=7, role=given.get("role", Role.PLAYER))
    with pytest.MonkeyPatch.context() as patch:
        for name, value in {
            "system_missing": given.get("missing"),
            "player_seats": [7, 8, 9],
            "awaits_release": given.get("held", False),
            "player_count": 3,
            "game_facts": {},
            "seat_facts": {},
            "owed_facts": given.get("owed", {"due": False, "missing": ()}),
            "sits_until": None,
            "talk_until": None,
        }.items():
            patch.setattr(own_games, name, lambda *_, value=value: value)
        patch.setattr(own_games, "is_present", lambda seat: seat != 9)
        row = own_games._row(cast(Game, game), cast(Seat, seat))
    plain = {"owes": False, "muster": None, "asking": 0, "release": False, "missing_system": None}
    assert {name: row[name] for name in plain} == plain | shown
    assert (row["joined"], row["of"]) == (2, 3)


@pytest.mark.parametrize("late, grace, deadline, muster, until", [
    (False, None, 1, None, 1), (True, 2, 1, None, 2), (False, 2, 1, None, 1),
    (False, None, None, 3, 3), (False, None, 1, 3, 1), (False, None, None, None, None),
    (True, None, 1, 3, 3),
])
def test_next_time_of_a_game_is_grace_deadline_or_muster(
    late: bool, grace: int | None, deadline: int | None, muster: int | None, until: int | None
) -> None:
    clock = SimpleNamespace(late=late, muster_until=muster)
    game = SimpleNamespace(grace_until=grace, deadline=deadline, clock=clock)
    assert own_games._until(cast(Game, game)) == until


def test_games_with_tasks_come_first_then_the_earliest() -> None:
    def rank(number: int, owes: bool, minutes: int | None, name: str = "marco") -> Any:
        deadline = None if minutes is None else NOW + timedelta(minutes=minutes)
        clock = SimpleNamespace(late=False, muster_until=None)
        game = SimpleNamespace(name=name, grace_until=None, deadline=deadline, clock=clock)
        return own_games._rank(cast(Game, game), cast(Seat, SimpleNamespace(id=number)),
                               {"owes": owes})

    order = [
        rank(5, True, 1), rank(4, True, 2), rank(3, True, None), rank(2, False, 1, "alba"),
        rank(1, False, 1), rank(6, False, 1), rank(0, False, None, "alba"),
    ]
    assert order == sorted(order)
