"""What nobody may learn: by a refusal, by a warning, by a preview, by the map in words (N-156)."""

from functools import cache
from itertools import islice

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from judge.games.nations1940.language.lexicon import lexicon
from judge.games.nations1940.language.reading import read_lines
from judge.games.nations1940.rules.settings import Settings
from judge.games.nations1940.rules.sight import seen_by, veiled
from judge.games.nations1940.rules.state import State
from judge.games.nations1940.rules.world import World
from judge.games.nations1940.sides import names_by_code
from judge.games.nations1940.table import NationsTable
from judge.games.system import Reader, Watcher
from judge.model.incoming import Line
from tests.games.nations1940.board_of_cases import BOARD, MAP, SEED
from tests.games.nations1940.players import CONQUEROR, RACER, Temper, lines_of
from tests.games.nations1940.scripted import Played, play
from tests.games.nations1940.test_played import armed, random_lines
from tests.games.nations1940.test_rules import rules

TURNS = (3, 15, 34)


def mixed(nation: str) -> Temper:
    """Return who makes war, and who signs treaties."""
    return CONQUEROR if nation in ("GER", "OTT") else RACER


@cache
def three_years() -> tuple[Played, ...]:
    """Return the first years of a game, with a war in them."""
    return tuple(islice(play(mixed, SEED), TURNS[-1] + 1))


@pytest.fixture(scope="module")
def states() -> list[State]:
    """Worlds at peace and at war, with pacts, fleets and improvements in them."""
    return [turn.before for turn in three_years() if turn.before.turn in TURNS]


def said(state: State, nation: str, texts: list[str]) -> list[object]:
    """Return all that is answered to lines, with what is on file after them."""
    lines = [Line(number, text) for number, text in enumerate(texts, 1)]
    reading = read_lines(World(BOARD, state), lexicon(MAP), nation, lines, ())
    return [reading.orders, *((v.filed, v.notes, v.complaint) for v in reading.verdicts)]


@rules("N-156", "N-160")
def test_what_is_hidden_changes_no_answer_to_played_orders(states: list[State]) -> None:
    for state in states:
        for nation in state.alive:
            texts = lines_of(World(BOARD, state), nation, mixed(nation))
            known = veiled(World(BOARD, state), state, nation)
            assert said(state, nation, texts) == said(known, nation, texts), nation


@rules("N-156")
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(random_lines(), st.sampled_from(sorted(BOARD.nations)))
def test_what_is_hidden_changes_no_answer_to_any_orders(
    lines: list[tuple[str, str]], nation: str
) -> None:
    state = armed()
    texts = [text for _, text in lines]
    known = veiled(World(BOARD, state), state, nation)
    assert said(state, nation, texts) == said(known, nation, texts)


@rules("N-160")
def test_a_preview_and_the_map_in_words_know_no_more_than_their_reader(
    states: list[State],
) -> None:
    """Whatever stands or is built where he does not see: what he is told is the same."""
    names = names_by_code(MAP)
    for state in states:
        for nation in state.alive:
            reader = Reader(Watcher.POWER, names[nation])
            table = NationsTable(MAP, state, Settings())
            bare = NationsTable(MAP, veiled(World(BOARD, state), state, nation), Settings())
            texts = lines_of(World(BOARD, state), nation, mixed(nation))
            lines = [Line(number, text) for number, text in enumerate(texts, 1)]
            sheets = table.read_orders(lines, names[nation], {}).sheets
            tried = [one.seen_by(reader).try_out(sheets) for one in (table, bare)]
            assert tried[0] == tried[1]
            assert table.places(reader) == bare.places(reader)


def test_a_veil_covers_what_is_not_seen_and_nothing_else(states: list[State]) -> None:
    for state in states:
        for nation in state.alive:
            world = World(BOARD, state)
            known, seen = veiled(world, state, nation), seen_by(world, nation)
            for n, province in known.provinces.items():
                if n in seen:
                    assert province == state.provinces[n]
                else:
                    assert not (province.armies or province.mobile_hq or province.improvements)
                    assert province.owner == state.provinces[n].owner
            assert known.nations[nation] == state.nations[nation]
            assert not any(known.nations[code].techs for code in state.nations if code != nation)
