"""READY and early deadlines end with the orders they were given for."""

import re
from collections.abc import Iterator
from datetime import timedelta
from typing import NamedTuple

import pytest

from judge.model.record import GameRecord, GameState, SeatState
from tests.journeys.rig import Rig, text_of

ANN, BOB, EVE, GM = "ann@example.org", "bob@example.org", "eve@example.org", "gm@example.org"
MASTER = "SIGNON Mfix gmsecret\n"


class Case(NamedTuple):
    """A game of one system in which two players have filed orders and are READY."""

    map: str
    clock: str
    powers: tuple[str, str]
    before: tuple[str, ...]
    """Lines of the master that lead to the phase."""
    orders: tuple[str, str]
    setups: tuple[str, ...] = ()


CASES = {
    "diplomacy": Case(
        "standard", "MOVE", ("F", "E"), ("PROCESS S1901M",),
        ("A Par - Bur\nREADY", "F Lon - NTH\nREADY"),
        ("SETUP\nFrance centres: Par, Mar, Bre, Spa\nENDSETUP",
         "SETUP S1903M\nFrance centres: Par, Mar, Bre, Spa\nENDSETUP"),
    ),
    "nations": Case(
        "nations1940", "TURN", ("KAL@", "RUS@"), ("PROCESS T0",),
        ("RESEARCH Sonar\nREADY", "RESEARCH Sonar\nREADY"),
        ("SETUP\nNEUTRALISE GER\nENDSETUP", "SETUP\nSET provinces.#6.owner KAL\nENDSETUP"),
    ),
    "yorktown": Case(
        "yorktown", "STEP", ("F", "A"), ("PROCESS AP0S\nPROCESS FA0S",), ("done\nREADY", ""),
    ),
}


def seat_line(case: Case, number: int) -> str:
    return f"SIGNON {case.powers[number]}fix secret{number}x\n"


@pytest.fixture(scope="module")
def played_rigs() -> Iterator[dict[str, Rig]]:
    found = {}
    for name, case in CASES.items():
        made = Rig()
        made.mail(GM, f"CREATE ?fix gmsecret {case.map}\nSTART")
        for number, who in enumerate((ANN, BOB)):
            made.mail(who, f"TAKEOVER {case.powers[number]}fix secret{number}x")
        for line in case.before:
            made.mail(GM, MASTER + line)
        made.mail(GM, f"{MASTER}SET {case.clock} DELAY 1")
        for number, who in enumerate((ANN, BOB)):
            made.mail(who, seat_line(case, number) + case.orders[number])
        assert game(made).clock.early == made.clock.now() + timedelta(hours=1), name
        made.boxes.clear()
        found[name] = made
    yield found
    for made in found.values():
        made.close()


def game(rig: Rig) -> GameRecord:
    found = rig.application.games.find("fix")
    assert found
    return found


def agree(rig: Rig, block: str) -> None:
    """Send a SETUP block, and the line that confirms it."""
    rig.mail(GM, MASTER + block)
    found = re.search(r"SETUP [b-t]{6}\n", text_of(rig.newest[GM]).replace("\r", ""))
    assert found, text_of(rig.newest[GM])
    rig.mail(GM, MASTER + found[0])


def check(rig: Rig, *lines: str) -> None:
    """Check that no power without orders is READY, and no early deadline exists."""
    games, before = rig.application.games, game(rig)
    seats = games.seats(before.id)
    filed = games.orders(before.id, before.phase)
    for seat in seats:
        assert not seat.ready or filed.get(seat.power), (seat.power, lines)
    if before.state is not GameState.RUNNING:
        return
    assert before.clock.early is None, lines
    missed = [seat.missed for seat in seats]
    rig.clock.set(rig.clock.now() + timedelta(hours=2))
    rig.run()
    assert game(rig).turn == before.turn, lines
    assert [seat.missed for seat in games.seats(before.id)] == missed, lines


def actions(name: str) -> Iterator[tuple[str, list[tuple[str, str]]]]:
    """Yield actions that remove orders from file, with their senders and mails."""
    case = CASES[name]
    for block in case.setups:
        yield block, []
    last = case.before[-1].split()[-1]
    yield "rollback", [(GM, f"ROLLBACK fix NOW TO {last}")]
    yield "rollforward", [(GM, f"ROLLBACK fix NOW TO {last}"), (GM, "ROLLFORWARD fix NOW")]
    yield "clear", [(ANN, "CLEAR")]
    yield "clear by the master", [(GM, f"BECOME {case.powers[0].strip('@')}\nCLEAR")]
    yield "takeover", [(GM, f"EJECT {case.powers[0].strip('@')}"),
                       (EVE, f"TAKEOVER {case.powers[0]}fix evesecret")]
    yield "unstart", [(GM, f"ROLLBACK fix NOW TO 1\nUNSTART {case.before[0].split()[1]}")]


@pytest.mark.parametrize("system", CASES)
def test_ready_ends_with_the_orders(played_rigs: dict[str, Rig], system: str) -> None:
    ready = [
        seat.ready
        for seat in played_rigs[system].application.games.seats(game(played_rigs[system]).id)
        if seat.state is SeatState.OCCUPIED and seat.address in (ANN, BOB)
    ]
    assert any(ready)
    for what, mails in actions(system):
        rig = played_rigs[system].again()
        if not mails:
            agree(rig, what)
        for who, line in mails:
            line = line.replace("NOW", game(rig).phase)
            start = {GM: MASTER, ANN: seat_line(CASES[system], 0)}.get(who, "")
            rig.mail(who, start + line)
        check(rig, what, text_of(rig.newest[mails[-1][0] if mails else GM]))
        rig.close()


def test_ready_of_other_powers_stays(played_rigs: dict[str, Rig]) -> None:
    rig = played_rigs["diplomacy"].again()
    rig.mail(ANN, seat_line(CASES["diplomacy"], 0) + "CLEAR")
    seats = {seat.address: seat.ready for seat in rig.application.games.seats(game(rig).id)}
    assert (seats[ANN], seats[BOB]) == (False, True)
    rig.close()


@pytest.mark.parametrize("hold", [False, True])
def test_setup_after_the_deadline_restarts_the_phase(hold: bool) -> None:
    """Orders that were in time are void, and the grace would count as a missed phase."""
    rig = Rig()
    rig.mail(GM, "CREATE ?fix gmsecret standard\nSTART")
    for number, (who, letter) in enumerate(((ANN, "F"), (BOB, "E"))):
        rig.mail(who, f"TAKEOVER {letter}fix secret{number}x")
    rig.mail(GM, f"{MASTER}SET HOLD" if hold else f"{MASTER}SET FIRST TURN OFF")
    rig.mail(ANN, "SIGNON Ffix secret0x\nA Par - Bur\nREADY")
    rig.clock.set(rig.clock.now() + timedelta(hours=97 if hold else 80))
    rig.run()
    was = game(rig)
    assert was.phase == "S1901M" and was.deadline and was.deadline < rig.clock.now()
    agree(rig, CASES["diplomacy"].setups[0])
    now = game(rig)
    assert now.phase == "S1901M" and not now.clock.late and not now.clock.held
    assert now.deadline == rig.clock.now() + timedelta(hours=72)
    check(rig, "setup")
    rig.close()
