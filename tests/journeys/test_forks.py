"""Boards made by FORK: what they contain, their number, and no statistics."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from judge.games.diplomacy.views.record import dump_text, load_text
from judge.model.record import GameRecord, GameState, Role
from judge.play.commands.gm.forking import MAX_FORKS
from tests.journeys.rig import Rig, read_span, text_of

ANN, BOB, EVE, GM = "ann@example.org", "bob@example.org", "eve@example.org", "gm@example.org"
PHASES = "SIGNON Mmarco gmsecret\nPROCESS {}"


@pytest.fixture(scope="module")
def begun() -> Iterator[Rig]:
    """A gunboat game in its second phase with orders on file.

    Ann is France and Bob is Italy.
    """
    made = Rig()
    made.mail(GM, "CREATE ?marco gmsecret standard gunboat\nSET MOVE NEXT 96")
    made.mail(ANN, "JOIN marco annsecret\nSET PREFERENCE F")
    made.mail(BOB, "JOIN marco bobsecret\nSET PREFERENCE I")
    made.mail(GM, "SIGNON Mmarco gmsecret\nSTART")
    made.mail(BOB, "SIGNON Imarco bobsecret\nA Ven - Tri\nA Rom - Apu")
    made.mail(GM, PHASES.format("S1901M"))
    made.mail(BOB, "SIGNON Imarco bobsecret\nA Apu - Ven\nPRESS TO F\nhush\nENDPRESS\nVOTE DRAW")
    made.mail(EVE, "OBSERVE marco evesecret")
    yield made
    made.close()


def find_game(rig: Rig, name: str) -> GameRecord:
    game = rig.application.games.find(name)
    assert game, name
    return game


def answer(rig: Rig, who: str, text: str) -> str:
    rig.boxes.clear()
    rig.mail(who, text)
    return " ".join(" ".join(map(text_of, rig.boxes[who])).split())


@pytest.mark.parametrize("line, phase", [("FORK marco S1901M", "S1901M"), ("FORK", "F1901M")])
def test_a_fork_contains_only_the_position(rig: Rig, line: str, phase: str) -> None:
    answer(rig, ANN, f"SIGNON Fmarco annsecret\n{line}")
    source, made, games = find_game(rig, "marco"), find_game(rig, "marcox1"), rig.application.games
    turns = games.turns(source.id)
    assert (made.state, made.phase, made.turn) == (GameState.FORMING, phase, 0)
    assert made.position == (turns[0].before if phase == "S1901M" else source.position)
    assert made.seed != source.seed
    assert (games.turns(made.id), games.plans(made.id)) == ([], [])
    assert games.orders(made.id, phase) == {}
    assert games.ballots(made.id) == []
    [seat] = games.seats(made.id)
    assert (seat.role, seat.address, seat.power) == (Role.MASTER, ANN, "")
    text = " ".join(event.text for event in games.events(made.id))
    assert not any(word in text for word in ("hush", BOB, ANN, GM, "Apu"))
    for table in ("marco", "marcox1"):
        asked = (f"{word} {table}" for word in ("LIST", "WHO", "HISTORY", "LOG"))
        assert ANN not in answer(rig, EVE, "\n".join(asked))


def test_the_source_game_does_not_record_the_fork(rig: Rig) -> None:
    before = find_game(rig, "marco"), rig.application.games.events(find_game(rig, "marco").id)
    answer(rig, ANN, "SIGNON Fmarco annsecret\nFORK")
    assert [who for who, box in rig.boxes.items() if box] == [ANN]
    assert before == (
        find_game(rig, "marco"), rig.application.games.events(find_game(rig, "marco").id),
    )


def test_an_observer_gets_a_surviving_power(rig: Rig) -> None:
    source = find_game(rig, "marco")
    position = load_text(source.position)
    units = {power: own for power, own in position.units.items() if power in ("Russia", "Turkey")}
    owners = {place: power for place, power in position.owners.items() if power in units}
    gone = dump_text(replace(position, units=units, owners=owners))
    with rig.application.store.transaction():
        rig.application.games.save(replace(source, position=gone))
    told = answer(rig, EVE, "SIGNON Omarco evesecret\nFORK\nSTART WITH BOTS")
    assert "You are Russia." in told


def test_an_abandoned_fork_counts_against_no_one(rig: Rig) -> None:
    answer(rig, ANN, "SIGNON Fmarco annsecret\nFORK\nSTART WITH BOTS")
    before = rig.application.context.register.figures(ANN)
    for _ in range(4):
        rig.clock.set(rig.clock.now() + read_span("32d"))
        rig.run()
    phases = rig.application.games.turns(find_game(rig, "marcox1").id)
    assert len(phases) >= 2, "its deadlines passed"
    assert rig.application.context.register.list_departures(find_game(rig, "marcox1").id) == []
    after = rig.application.context.register.figures(ANN)
    assert after.started == before.started


@pytest.mark.slow
def test_forks_are_limited_per_month(rig: Rig) -> None:
    for number in range(1, MAX_FORKS + 1):
        name = f"marcox{number}"
        told = answer(rig, ANN, "SIGNON Fmarco annsecret\nFORK")
        assert f"'{name}' is a board of your own" in told
        rig.mail(ANN, f"SIGNON M{name} annsecret\nTERMINATE {name} F1901M")
        assert find_game(rig, name).state is GameState.ENDED
    assert f"made {MAX_FORKS} boards" in answer(rig, ANN, "SIGNON Fmarco annsecret\nFORK")
    rig.clock.set(rig.clock.now() + read_span("31d"))
    assert "is a board of your own" in answer(rig, EVE, "SIGNON Omarco evesecret\nFORK")


def test_open_forks_count_as_own_games(rig: Rig) -> None:
    most = rig.application.context.policy.open_games
    for _ in range(most):
        assert "a board of your own" in answer(rig, ANN, "SIGNON Fmarco annsecret\nFORK")
    assert "a board of your own" not in answer(rig, ANN, "SIGNON Fmarco annsecret\nFORK")
    assert "a board of your own" in answer(rig, EVE, "SIGNON Omarco evesecret\nFORK")
