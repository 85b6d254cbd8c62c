"""Every case file of Nations 1940: orders are read and turns are played."""

from pathlib import Path

import pytest

from judge.games.nations1940.language.lexicon import lexicon
from judge.games.nations1940.language.reading import read_lines
from judge.games.nations1940.rules.invariants import broken
from judge.games.nations1940.rules.orders import Order
from judge.games.nations1940.rules.outcomes import OUTCOMES
from judge.games.nations1940.rules.resolve import resolve
from judge.games.nations1940.rules.settings import Settings, settings_from
from judge.games.nations1940.rules.state import NationsState
from judge.games.nations1940.rules.world import World
from judge.model.incoming import Line
from judge.model.phrase import Phrase
from tests.games.nations1940.board_of_cases import (
    BOARD,
    MAP,
    LoadedDice,
    fits,
    laid_out,
    looked_at,
)
from tests.games.nations1940.case_files import Case, Turn, read_cases

FOLDER = Path(__file__).parent / "cases"
CASES = [case for path in sorted(FOLDER.glob("*.case")) for case in read_cases(path)]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_case_has_its_expected_results(case: Case) -> None:
    settings = settings_from(case.options)
    state = laid_out(case.before, case.turn, settings)
    assert broken(World(BOARD, state, settings)) == []
    for turn in case.turns:
        orders = orders_of(state, turn, settings)
        resolved = resolve(BOARD, state, orders, settings, LoadedDice(state.turn, turn.rolls))
        for nation, became in resolved.became.items():
            words = [" ".join(each) for each in became]
            assert {word for each in became for word in each} <= {*OUTCOMES}
            assert len(became) == len(orders[nation]) and all(words)
            assert turn.became.get(nation, words) == words, orders[nation]
        state = resolved.after
        world = World(BOARD, state, settings)
        assert broken(world) == []
        for line in turn.then:
            for name, expected, found in looked_at(world, line):
                assert found == expected, (name, [*resolved.events])
        for line in turn.told:
            is_not = line.startswith("not ")
            wanted = line.removeprefix("not ")
            found_events = [event for event in resolved.events if fits(event, wanted)]
            assert bool(found_events) != is_not, (line, [*resolved.events])


def orders_of(state: NationsState, turn: Turn, settings: Settings) -> dict[str, tuple[Order, ...]]:
    """Read the orders of a turn. Each must be accepted, or refused with its code."""
    world = World(BOARD, state, settings)
    orders: dict[str, tuple[Order, ...]] = {nation: () for nation in world.alive}
    for nation in dict.fromkeys(given.nation for given in turn.orders):
        given = [one for one in turn.orders if one.nation == nation and one.text != "-"]
        lines = [Line(number, one.text) for number, one in enumerate(given, 1)]
        reading = read_lines(world, lexicon(MAP), nation, lines, ())
        for one, verdict in zip(given, reading.verdicts, strict=True):
            code, *facts = one.refused.split() or [""]
            reason = verdict.complaint.reason if verdict.complaint else Phrase("", {})
            if code.startswith("w-") and not verdict.complaint:
                reason = verdict.notes[0]
            assert reason.code == code, (one.text, verdict.complaint)
            for name, wanted in (fact.split("=") for fact in facts):
                assert str(reason.facts[name]) == wanted, (one.text, reason)
        orders[nation] = reading.orders
    return orders
