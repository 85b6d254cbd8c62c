"""Whole games of Nations 1940: scripted to each ending, or at random (N-175)."""

import hashlib
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from judge.dice import Dice
from judge.games.nations1940 import Nations1940
from judge.games.nations1940.language.lexicon import lexicon
from judge.games.nations1940.language.reading import read_lines
from judge.games.nations1940.rules.invariants import broken
from judge.games.nations1940.rules.orders import ArmyMove, Order, Rail
from judge.games.nations1940.rules.resolve import Resolved, resolve
from judge.games.nations1940.rules.settings import Settings
from judge.games.nations1940.rules.state import NationsState, dump_state, load_state
from judge.games.nations1940.rules.world import World
from judge.games.nations1940.views.record import write_record
from judge.games.system import Viewer, ViewerRole
from judge.model.incoming import Line
from judge.phrases import phrasebook
from tests.games.nations1940.board_of_cases import BOARD, MAP, SEED
from tests.games.nations1940.players import CONQUEROR, FARMER, RACER, RULER, SLEEPER, Temper
from tests.games.nations1940.scripted import Played, play
from tests.games.nations1940.test_rules import rules

Tempers = Callable[[str], Temper]


def choose_temper(nation: str) -> Temper:
    """Return mixed strategies, as in a real game."""
    known = {
        "GER": CONQUEROR, "RUS": RULER, "ITA": RACER, "BRI": RACER, "DAN": RULER, "EGY": FARMER,
    }  # fmt: skip
    return known.get(nation, (RACER, RULER, CONQUEROR, FARMER)[sum(map(ord, nation)) % 4])


def racing(nation: str) -> Temper:
    """Return the strategy of a race to the moon for each nation."""
    return RACER


def one_conqueror(nation: str) -> Temper:
    """Return a conqueror's strategy for one nation, an idle one for the others."""
    return CONQUEROR if nation == "GER" else SLEEPER


def asleep(nation: str) -> Temper:
    """Return a farmer's strategy for one nation, an idle one for the others."""
    return FARMER if nation == "GER" else SLEEPER


def look_at(turn: Played) -> None:
    """Check the invariants of a turn, and that all orders are for own units."""
    world = World(BOARD, turn.resolved.after)
    assert broken(world) == [], turn.before.turn
    assert load_state(dump_state(turn.resolved.after)) == turn.resolved.after
    before = World(BOARD, turn.before)
    for nation, orders in turn.orders.items():
        for order in orders:
            assert acts_with_own(before, nation, order), (nation, order)


def acts_with_own(world: World, nation: str, order: Order) -> bool:
    """Return whether the units moved by an order belong to the nation."""
    if not isinstance(order, ArmyMove | Rail):
        return True
    what = "mobile_hq" if order.hq else "armies"
    return getattr(world.provinces[order.path[0]], what).get(nation, 0) >= order.count > 0


@pytest.mark.slow
@rules("N-175", "N-176", "N-177")
def test_two_years_of_a_game_keep_the_invariants() -> None:
    turns = []
    for turn in play(choose_temper, SEED):
        look_at(turn)
        turns.append(turn)
        if turn.before.turn == 24:
            break
    kinds = {event.kind for turn in turns for event in turn.resolved.events}
    assert {"war", "treaty", "battle", "capture", "completed", "spawned", "built", "event"} <= kinds
    read = [one for turn in turns for verdicts in turn.verdicts.values() for one in verdicts]
    assert sum(one.complaint is not None for one in read) < 5


ENDINGS = [(racing, "landing"), (one_conqueror, "domination"), (asleep, "stagnation")]


TOLD_TO = (
    Viewer(ViewerRole.POWER, "Danubia"), Viewer(ViewerRole.POWER, "Germany"),
    Viewer(ViewerRole.OBSERVER), Viewer(ViewerRole.MASTER),
)


@rules("N-139", "N-161", "N-162")
@pytest.mark.slow
def test_every_turn_is_rendered_for_every_viewer() -> None:
    """With an event each turn and wars, every event has its phrase in both languages."""
    system, books = Nations1940(), [phrasebook("nations1940", code) for code in ("", "de")]
    happened = set()
    for turn in play(choose_temper, SEED, Settings(event_chance=100)):
        record = write_record(turn.before, turn.resolved, Settings(), {})
        happened |= {event.kind for event in turn.resolved.events}
        for reader in TOLD_TO:
            pieces = {p.template: p.facts for p in system.turn(MAP, record).results(reader).pieces}
            told: list[Any] = [*pieces.get("fortunes", ())]  # type: ignore[misc]
            for each in pieces.get("private", ()):  # type: ignore[attr-defined]
                told += each["lines"]
            gazette: Any = pieces["gazette"]
            told += [entry["line"] for part in gazette for entry in part["entries"]]
            assert all(book.render(one) for book in books for one in told)
            result = system.turn(MAP, record).values(reader)
            assert result["phase"] == f"T{turn.before.turn}"
        table = system.table(MAP, dump_state(turn.resolved.after), {})
        for reader in TOLD_TO:
            assert table.position_facts(reader).pieces
        if turn.before.turn == 36:
            break
    assert {"event", "storm", "accident", "uprising", "epidemic-ends"} & happened


@pytest.mark.slow
@rules("N-10", "N-175")
@pytest.mark.parametrize(("tempers", "how"), ENDINGS, ids=[how for _, how in ENDINGS])
def test_games_reach_each_of_the_endings(tempers: Tempers, how: str) -> None:
    last = None
    for turn in play(tempers, SEED):
        look_at(turn)
        last = turn
    assert last and last.resolved.victory and last.resolved.victory.how == how
    assert last.before.turn <= 240


@pytest.mark.slow
@rules("N-176", "N-177")
def test_a_whole_game_is_reproducible() -> None:
    assert fingerprint(choose_temper) == fingerprint(choose_temper)


def fingerprint(tempers: Tempers) -> str:
    """Return the digest of all reports of a game."""
    found = hashlib.sha256()
    for turn in play(tempers, SEED):
        found.update(write_record(turn.before, turn.resolved, Settings(), {}).encode())
    return found.hexdigest()


@st.composite
def random_lines(draw: st.DrawFn) -> list[tuple[str, str]]:
    """Draw lines of several nations, many of them legal."""
    nation = st.sampled_from(sorted(BOARD.nations))
    land = st.integers(1, 90).map(lambda n: f"#{n}")
    sea = st.sampled_from(sorted(BOARD.seas))
    near = st.sampled_from([(f"#{a}", f"#{b}") for a, found in BOARD.roads.items() for b in found])
    kind = st.sampled_from(["RAI", "ACA", "FOR", "POR", "HQ", "AIR", "AAB", "FAC", "SIL"])
    treaty = st.sampled_from(["NAP", "EXCHANGE", "PACT", "PEACE"])
    forms = st.one_of(
        near.map(lambda way: f"MOVE ALL {way[0]} -> {way[1]}"),
        near.map(lambda way: f"RAIL 1 {way[0]} -> {way[1]}"),
        st.tuples(land, sea).map(lambda way: f"FLEET 1 {way[0]} -> {way[1]}"),
        st.tuples(kind, land).map(lambda one: f"BUILD {one[0]} {one[1]}"),
        st.tuples(kind, land).map(lambda one: f"DISMANTLE {one[0]} {one[1]}"),
        land.map(lambda one: f"COMMISSION {one}"), land.map(lambda one: f"SCUTTLE 1 {one}"),
        nation.map(lambda one: f"WAR {one}"),
        st.tuples(treaty, nation).map(lambda one: f"TREATY {one[0]} {one[1]}"),
        st.tuples(treaty, nation).map(lambda one: f"CANCEL {one[0]} {one[1]}"),
        st.tuples(land, nation).map(lambda one: f"GIVE {one[0]} TO {one[1]}"),
        st.tuples(land, land).map(lambda one: f"BOMB {one[0]} FROM {one[1]}"),
        st.tuples(land, land).map(lambda one: f"MISSILE 2 {one[0]}"),
    )  # fmt: skip
    return draw(st.lists(st.tuples(nation, forms), max_size=60))


def step(state: NationsState, lines: Sequence[tuple[str, str]], seed: bytes) -> Resolved:
    """Play a turn of random lines."""
    rules_of = Settings(event_chance=100, nuke_neutrals=True)
    world = World(BOARD, state, rules_of)
    orders = {}
    for nation in world.alive:
        own = [Line(n, text) for n, (who, text) in enumerate(lines, 1) if who == nation]
        orders[nation] = read_lines(world, lexicon(MAP), nation, own, ()).orders
    return resolve(BOARD, state, orders, rules_of, Dice(seed, state.turn))


@rules("N-175")
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(random_lines(), min_size=2, max_size=5), st.binary(min_size=32, max_size=32))
@pytest.mark.slow
def test_random_orders_keep_the_invariants(turns: list[list[tuple[str, str]]], seed: bytes) -> None:
    state = make_armed_state()
    for lines in turns:
        resolved = step(state, lines, seed)
        assert broken(World(BOARD, resolved.after)) == []
        assert step(state, lines, seed) == resolved
        state = resolved.after
        if resolved.victory:
            return


def make_armed_state() -> NationsState:
    """Return a state in which every nation has many armies and technologies."""
    from tests.games.nations1940.board_of_cases import laid_out

    lines = [f"{code} techs=Nuclear_Missiles;Mechanized;Rapid" for code in BOARD.nations]
    for start in BOARD.nations.values():
        at = f"#{start.capital}"
        lines.append(f"{at} armies={start.code}:6 improvements=ACA,AIR,RAI,SIL")
    return laid_out(lines, 30, Settings())
