"""Automatic actions: starts, musters, ends, and the next due time of each game."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta
from types import SimpleNamespace
from typing import Any

import pytest

from judge.config import Config, StoreSection
from judge.games.capabilities import PastOverlay
from judge.games.system import Viewer, ViewerRole
from judge.model.record import GameState, Role, SeatState
from judge.play.clocks.game_clock import advance_clock, next_wakeup
from judge.play.game import Context, Game
from judge.play.gm.masters import handle_inactive_master
from judge.play.letters import board_pictures
from tests.journeys.rig import Rig, squeeze_text, text_of

GM, ANN, BOB, EVE = (f"{name}@example.org" for name in ("gm", "ann", "bob", "eve"))
FIVE = "\n".join(f"DUMMY {letter}" for letter in "AEGIR")
HOUR = timedelta(hours=1)


@pytest.fixture(scope="module")
def begun() -> Iterator[Rig]:
    """A judge without a game."""
    config = Config(store=StoreSection("sqlite:///:memory:"))
    made = Rig(replace(config, policy=replace(config.policy, confirm="false")))
    yield made
    made.close()


@contextmanager
def game(rig: Rig, name: str = "marco") -> Iterator[tuple[Context, Game]]:
    """Yield a game inside a transaction."""
    with rig.application.store.transaction(), rig.application.context.unit_of_work() as context:
        found = context.games.find(name)
        assert found
        yield context, found


def powers(rig: Rig, name: str = "marco") -> dict[str, str]:
    """Return the power of each player's address."""
    with game(rig, name) as (_, found):
        return {seat.address: seat.power for seat in found.all_seats()
                if seat.role is Role.PLAYER and seat.address}


def test_an_invitation_to_a_power_overrides_preferences(rig: Rig) -> None:
    rig.mail(GM, "CREATE ?marco gmsecret standard\nSET MANUAL START\nINVITE eve@example.org F\n"
                 "INVITE bob@example.org T")
    rig.mail(EVE, "JOIN marco evesecret")
    rig.mail(BOB, "JOIN marco bobsecret")
    rig.mail(ANN, "JOIN marco annsecret\nSET PREFERENCE FT")
    rig.mail(GM, "SIGNON Mmarco gmsecret\nSTART")
    found = powers(rig)
    assert (found[EVE], found[BOB]) == ("France", "Turkey")
    assert found[ANN] not in ("France", "Turkey")
    with game(rig) as (_, marco):
        held = [seat.power for seat in marco.all_seats() if seat.role is Role.PLAYER]
        assert len(held) == len(set(held)) == 7
        states = {seat.address: seat.state for seat in marco.all_seats() if seat.address}
        assert {*states.values()} == {SeatState.OCCUPIED}


def test_one_mail_completes_two_games_and_both_begin(rig: Rig) -> None:
    for name in ("marco", "polo"):
        rig.mail(GM, f"CREATE ?{name} gmsecret standard\n{FIVE}")
        rig.mail(BOB, f"JOIN {name} bobsecret")
    rig.mail(ANN, "JOIN marco annsecret\nJOIN polo annsecret")
    for name in ("marco", "polo"):
        with game(rig, name) as (_, found):
            assert found.state is GameState.RUNNING


def test_the_start_is_counted_for_each_player(rig: Rig) -> None:
    rig.mail(GM, f"CREATE ?marco gmsecret standard\n{FIVE}")
    rig.mail(BOB, "JOIN marco bobsecret")
    rig.mail(ANN, "JOIN marco annsecret")
    with game(rig) as (context, _):
        for address in (ANN, BOB):
            assert context.register.figures(address).started == 1


@pytest.fixture
def muster_game(rig: Rig) -> Rig:
    """A full game in its muster, which asks Bob for a confirmation."""
    rig.mail(GM, f"CREATE ?marco gmsecret standard\nSET MUSTER 48\n{FIVE}")
    rig.mail(BOB, "JOIN marco bobsecret")
    rig.clock.advance(hours=1)
    rig.mail(ANN, "JOIN marco annsecret")
    return rig


def test_a_muster_ends_when_a_player_resigns(muster_game: Rig) -> None:
    with game(muster_game) as (_, marco):
        assert marco.due == marco.clock.muster_until == muster_game.clock.now() + 48 * HOUR
    muster_game.mail(BOB, "SIGNON ?marco bobsecret\nRESIGN")
    with game(muster_game) as (_, marco):
        assert (marco.due, marco.clock.muster_until) == (None, None)


def test_a_muster_processed_too_early_is_processed_again(muster_game: Rig) -> None:
    with game(muster_game) as (_, marco):
        until = marco.clock.muster_until
        assert until
        for early in (until - HOUR, until - timedelta(seconds=1)):
            marco.change(due=early)
            assert advance_clock(marco, early) == [] and marco.due == until
        assert advance_clock(marco, until) and marco.clock.muster_until is None


@pytest.fixture(scope="module")
def started_game(begun: Rig) -> Iterator[Rig]:
    """A running game with France and England."""
    made = begun.again()
    made.mail(GM, "CREATE ?marco gmsecret standard\nSTART")
    made.mail(ANN, "TAKEOVER Fmarco annsecret")
    made.mail(BOB, "TAKEOVER Emarco bobsecret")
    yield made
    made.close()


@pytest.fixture
def running(started_game: Rig) -> Iterator[Rig]:
    """A copy of the running game for one test."""
    made = started_game.again()
    yield made
    made.close()


def test_a_game_without_pending_work_gets_its_next_due_time(running: Rig) -> None:
    with game(running) as (_, marco):
        due = next_wakeup(marco)
        assert due and due > running.clock.now()
        marco.change(due=running.clock.now())
        assert advance_clock(marco, running.clock.now()) == [] and marco.due == due
        marco.change(state=GameState.PAUSED)
        assert (
            advance_clock(marco, running.clock.now()) == []
            and marco.due == marco.clock.paused_until
        )


def test_a_game_paused_by_vote_has_no_due_time(running: Rig) -> None:
    for who, seat in ((ANN, "F"), (BOB, "E")):
        running.mail(who, f"SIGNON {seat}marco {who[:3]}secret\nVOTE PAUSE")
    with game(running) as (_, marco):
        assert (marco.state, marco.due) == (GameState.PAUSED, None)
    for who, seat in ((ANN, "F"), (BOB, "E")):
        running.mail(who, f"SIGNON {seat}marco {who[:3]}secret\nVOTE RESUME")
    with game(running) as (_, marco):
        assert marco.state is GameState.RUNNING and marco.due == next_wakeup(marco)


def test_a_game_that_ends_drops_its_votes(running: Rig) -> None:
    running.mail(ANN, "SIGNON Fmarco annsecret\nVOTE DRAW")
    with game(running) as (_, marco):
        assert [each.matter for each in marco.ballots()] == ["draw"]
    running.mail(GM, "SIGNON Mmarco gmsecret\nTERMINATE marco S1901M")
    with game(running) as (_, marco):
        assert (marco.state, [*marco.ballots()]) == (GameState.ENDED, [])


@pytest.mark.parametrize("paused", [False, True])
def test_a_position_set_up_is_due_with_its_phase(running: Rig, paused: bool) -> None:
    before = "PAUSE\n" if paused else ""
    running.mail(GM, f"SIGNON Mmarco gmsecret\n{before}SETUP\nPHASE F1903M\nFrance: A Par\n"
                     "England: F Lon\nENDSETUP")
    told = text_of(running.newest[GM])
    word = next(line.split()[1] for line in told.splitlines()
                if line.strip().startswith("SETUP ") and len(line.split()) == 2)
    running.mail(GM, f"SIGNON Mmarco gmsecret\nSETUP {word}")
    with game(running) as (_, marco):
        assert marco.phase == "F1903M"
        assert marco.state is (GameState.PAUSED if paused else GameState.RUNNING)
        assert marco.due == (None if paused else next_wakeup(marco))


def test_masters_of_a_finished_game_get_no_inquiry(running: Rig) -> None:
    running.mail(GM, "SIGNON Mmarco gmsecret\nTERMINATE marco S1901M")
    with game(running) as (context, marco):
        master = next(seat for seat in marco.all_seats() if seat.role is Role.MASTER)
        context.bans.record_activity(master.id, running.clock.now())
        later = running.clock.now() + timedelta(days=100)
        assert context.bans.inactive_masters(later, later, 9) == [master.id]
        assert handle_inactive_master(context, master.id, later) == []
        assert context.bans.inactive_masters(later, later, 9) == []


def test_a_bots_power_is_listed_apart_from_vacant_ones(rig: Rig) -> None:
    rig.mail(GM, "CREATE ?marco gmsecret standard\nSTART\nBOT G")
    rig.mail(EVE, "LIST")
    told = squeeze_text(text_of(rig.newest[EVE]))
    assert "Vacant: Austria, England, France, Italy, Russia, Turkey. Bots: Germany." in told


class Recalling(PastOverlay):
    """System that returns the past it is given."""

    def with_past(self, map_name: str, options: Any, sketch: str, past: Any, reader: Viewer) -> str:
        return f"{sketch} after {' '.join(past)}"


@pytest.mark.parametrize(("sketch", "before", "shown"), [
    ("now", "", "now after a b c"), ("now", "F1901M", "now after a"),
    ("now", "S1901M", "now after "), ("", "", ""),
])
def test_a_picture_includes_the_past_before_its_phase(
    monkeypatch: pytest.MonkeyPatch, sketch: str, before: str, shown: str
) -> None:
    monkeypatch.setattr(board_pictures, "find_system", lambda _: Recalling())
    monkeypatch.setattr(board_pictures, "options_of", lambda _: {})
    turns = [SimpleNamespace(phase=phase, before=position)
             for phase, position in (("S1901M", "a"), ("F1901M", "b"), ("S1902M", "c"))]
    played: Any = SimpleNamespace(system="x", map="y", turns=lambda: turns)
    assert (
        board_pictures.add_past_overlay(played, sketch, Viewer(ViewerRole.OBSERVER), before)
        == shown
    )
