"""Hidden facts must not leak by refusals, warnings, previews or the map (N-156)."""

from functools import cache
from itertools import islice

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from judge.games.nations1940.language.lexicon import lexicon
from judge.games.nations1940.language.reading import read_lines
from judge.games.nations1940.rules.settings import Settings
from judge.games.nations1940.rules.state import NationsState
from judge.games.nations1940.rules.visibility import apply_fog, seen_by
from judge.games.nations1940.rules.world import World
from judge.games.nations1940.sides import names_by_code
from judge.games.nations1940.table import NationsTable
from judge.games.system import Viewer, ViewerRole
from judge.model.incoming import Line
from tests.games.nations1940.board_of_cases import BOARD, MAP, SEED
from tests.games.nations1940.players import CONQUEROR, RACER, Temper, lines_of
from tests.games.nations1940.scripted import Played, play
from tests.games.nations1940.test_played import make_armed_state, random_lines
from tests.games.nations1940.test_rules import rules

TURNS = (3, 15, 34)


def choose_temper(nation: str) -> Temper:
    """Return the strategy of a nation: a conqueror or one that signs treaties."""
    return CONQUEROR if nation in ("GER", "OTT") else RACER


@cache
def three_years() -> tuple[Played, ...]:
    """Return the first years of a game with a war."""
    return tuple(islice(play(choose_temper, SEED), TURNS[-1] + 1))


@pytest.fixture(scope="module")
def states() -> list[NationsState]:
    """Return states at peace and at war, with pacts, fleets and improvements."""
    return [turn.before for turn in three_years() if turn.before.turn in TURNS]


def read_answers(state: NationsState, nation: str, texts: list[str]) -> list[object]:
    """Return all answers to lines, with the orders on file after them."""
    lines = [Line(number, text) for number, text in enumerate(texts, 1)]
    reading = read_lines(World(BOARD, state), lexicon(MAP), nation, lines, ())
    return [reading.orders, *((v.filed, v.notes, v.complaint) for v in reading.verdicts)]


@rules("N-156", "N-160")
def test_hidden_facts_change_no_answer_to_played_orders(states: list[NationsState]) -> None:
    for state in states:
        for nation in state.alive:
            texts = lines_of(World(BOARD, state), nation, choose_temper(nation))
            known = apply_fog(World(BOARD, state), state, nation)
            assert read_answers(state, nation, texts) == read_answers(known, nation, texts), nation


@rules("N-156")
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(random_lines(), st.sampled_from(sorted(BOARD.nations)))
def test_hidden_facts_change_no_answer_to_random_orders(
    lines: list[tuple[str, str]], nation: str
) -> None:
    state = make_armed_state()
    texts = [text for _, text in lines]
    known = apply_fog(World(BOARD, state), state, nation)
    assert read_answers(state, nation, texts) == read_answers(known, nation, texts)


@rules("N-160")
def test_a_preview_and_the_map_text_reveal_nothing_hidden(
    states: list[NationsState],
) -> None:
    """Facts out of sight do not change the result."""
    names = names_by_code(MAP)
    for state in states:
        for nation in state.alive:
            reader = Viewer(ViewerRole.POWER, names[nation])
            table = NationsTable(MAP, state, Settings())
            bare = NationsTable(MAP, apply_fog(World(BOARD, state), state, nation), Settings())
            texts = lines_of(World(BOARD, state), nation, choose_temper(nation))
            lines = [Line(number, text) for number, text in enumerate(texts, 1)]
            sheets = table.read_orders(lines, names[nation], {}).sheets
            tried = [one.as_seen_by(reader).preview(sheets) for one in (table, bare)]
            assert tried[0] == tried[1]
            assert table.places(reader) == bare.places(reader)


def test_a_veil_hides_exactly_the_unseen_facts(states: list[NationsState]) -> None:
    for state in states:
        for nation in state.alive:
            world = World(BOARD, state)
            known, seen = apply_fog(world, state, nation), seen_by(world, nation)
            for n, province in known.provinces.items():
                if n in seen:
                    assert province == state.provinces[n]
                else:
                    assert not (province.armies or province.mobile_hq or province.improvements)
                    assert province.owner == state.provinces[n].owner
            assert known.nations[nation] == state.nations[nation]
            assert not any(known.nations[code].techs for code in state.nations if code != nation)
