"""Resolution of a turn: the steps of N-20 in their order.

It is pure. The same state, orders and seed give the same state and the same report (N-176).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from judge.dice import Dice
from judge.games.nations1940.rules.building import build
from judge.games.nations1940.rules.capitals import flee, settle
from judge.games.nations1940.rules.diplomacy import conclude, declare
from judge.games.nations1940.rules.endings import Victory, victory
from judge.games.nations1940.rules.escorts import Escorts
from judge.games.nations1940.rules.fleets import sail
from judge.games.nations1940.rules.foreign_troops import send_home
from judge.games.nations1940.rules.marching import march
from judge.games.nations1940.rules.orders import (
    Deploy,
    Govern,
    Order,
    Research,
    Shed,
    Spawn,
    Traits,
)
from judge.games.nations1940.rules.outcomes import outcome
from judge.games.nations1940.rules.random_events import happen
from judge.games.nations1940.rules.research import research
from judge.games.nations1940.rules.settings import Settings
from judge.games.nations1940.rules.state import RULES, NationsState
from judge.games.nations1940.rules.strikes import strike
from judge.games.nations1940.rules.trading import arrive, learn, trade
from judge.games.nations1940.rules.upkeep import Before, upkeep
from judge.games.nations1940.rules.world import Roll, World, WorldEvent
from judge.games.nations1940.scenario import Scenario

Sheets = Mapping[str, Sequence[Order]]
"""Nation → its orders, without an entry if it missed the turn (N-22)."""


@dataclass(frozen=True)
class Resolved:
    """Result of a turn."""

    after: NationsState
    events: tuple[WorldEvent, ...]
    rolls: tuple[Roll, ...]
    victory: Victory | None
    became: Mapping[str, tuple[tuple[str, ...], ...]] = field(default_factory=dict)
    """Nation → outcome codes of each of its orders, in their order."""


def resolve(
    board: Scenario, state: NationsState, sheets: Sheets, settings: Settings, dice: Dice
) -> Resolved:
    """Adjudicate one turn."""
    world = World(board, state, settings, dice)
    for act in state.acts:
        world.record_event("act", text=act)
    _note_missing(world, sheets)
    _take_standing_orders(world, sheets)
    if state.turn == 0:
        _prepare(world, sheets)
    else:
        _play(world, sheets)
    won = victory(world)
    became = {
        nation: tuple(outcome(world, nation, order) for order in orders)
        for nation, orders in sheets.items()
    }
    after = replace(world.freeze(state.turn + 1), rules=RULES)
    return Resolved(after, tuple(world.events), tuple(world.rolls), won, became)


def _note_missing(world: World, sheets: Sheets) -> None:
    """Count the turns that each nation has missed in a row (N-22)."""
    silent = [nation for nation in world.alive if nation not in sheets]
    for nation in world.alive:
        missed = world.nations[nation].missed_turns + 1 if nation in silent else 0
        world.reform(nation, missed_turns=missed)
    if silent:
        world.record_event("missed", nations=silent)


def _take_standing_orders(world: World, sheets: Sheets) -> None:
    """Store the standing orders: queue, spawn and shed lists (N-151)."""
    for nation in world.alive:
        for order in sheets.get(nation, ()):
            match order:
                case Research(techs):
                    world.reform(nation, queue=techs)
                case Spawn(provinces):
                    world.reform(nation, spawn_order=provinces)
                case Shed(provinces):
                    world.reform(nation, shed_order=provinces)


def _prepare(world: World, sheets: Sheets) -> None:
    """Adjudicate Turn 0: diplomacy, and the orders that options allow (N-7, N-9)."""
    for nation in world.alive:
        for order in sheets.get(nation, ()):
            match order:
                case Deploy(count, start, goal):
                    there = world.provinces[start].armies.get(nation, 0)
                    moved = min(count or there, there)
                    world.add("armies", start, nation, -moved)
                    world.add("armies", goal, nation, moved)
                    world.record_event(
                        "deployed", only=(nation,), nation=nation, count=moved, at=start, goal=goal
                    )
                case Govern(government):
                    world.reform(nation, government=government)
                    world.record_event("governed", nation=nation, government=government)
                case Traits(names):
                    world.reform(nation, traits=names)
                    world.record_event("traits", nation=nation, names=list(names))
    declare(world, sheets)
    conclude(world, sheets)


def _play(world: World, sheets: Sheets) -> None:
    """Execute all steps of a turn except step 11 (N-20)."""
    before = Before(world)
    declare(world, sheets)
    hit = strike(world, sheets)
    ships = sail(world, sheets)
    march(world, sheets, Escorts(world, ships, sheets))
    flee(world)
    settle(world)
    built = build(world, sheets, before.owners)
    arrivals = trade(world, sheets)
    completed = research(world, built.academies)
    for nation in world.alive:
        world.reform(nation, pi_malus=0)
    upkeep(world, hit, built.headquarters, before)
    happen(world)
    conclude(world, sheets)
    for nation, tech in completed.items():
        if world.nations[nation].alive:
            learn(world, nation, tech)
    arrive(world, arrivals)
    send_home(world)
