"""What an adjudication of movement works on, and its battles: strengths, and who gets a province.

A *fact* is one of: a move succeeds, a support holds, a path stands. It changes once, away from
open. A *piece* is a unit with its order and all facts about it; a *battle* is a province somebody
moves to.
"""

from collections.abc import Sequence
from enum import Enum

from judge.board.map import Map, Station, Unit
from judge.games.diplomacy.rules.orders import Hold, Order
from judge.games.diplomacy.rules.ruleset import Rules
from judge.model.phrase import Phrase


class Fact(Enum):
    """What is known of something at a moment of the adjudication."""

    FAIL = 0
    OK = 1
    OPEN = 2


class Task(Enum):
    """What a piece does, once illegal orders are left out; it holds if nothing else."""

    HOLD = "hold"
    MOVE = "move"
    SUPPORT = "support"
    CONVOY = "convoy"


FAIL, OK, OPEN = Fact.FAIL, Fact.OK, Fact.OPEN
HOLD, MOVE, SUPPORT, CONVOY = Task.HOLD, Task.MOVE, Task.SUPPORT, Task.CONVOY
# By these names, because Python looks up an enum's member five times slower than a name.


class Piece:
    """One unit, its order, and everything settled about it during this adjudication.

    Pieces name each other by province and refer to those alone that help or carry them: without
    circles among them, a position that is done with is freed at once and leaves the collector
    nothing to look for.
    """

    __slots__ = (
        "power", "side", "station", "unit", "province", "order", "task", "fault", "goal", "fact",
        "helpers", "least", "greatest", "by_sea", "fleets", "is_disrupted",
        "landing", "path", "in_duel", "helped", "bit",
    )  # fmt: skip

    # Known of some tasks alone, and not there for others: a piece is made for every unit.
    landing: Unit
    """Of a move: the unit as it stands once it succeeded."""
    path: Fact
    """Of a move: whether it gets to its goal, where others may still beat it."""
    in_duel: bool
    """Of a move: the holder of its goal moves against it on land (DATC: head-to-head battle)."""
    helped: str
    """Of a support or a convoy: the province of the unit it is for."""
    bit: int
    """Of a fleet told to convoy: its sea as a bitset, or none."""

    def __init__(self, power: str, station: Station) -> None:
        self.power = power
        self.side = power
        """Whose units it does not fight: its power's; under friendly fire it fights all others."""
        self.station = station
        self.unit = station.unit
        self.province = station.province
        self.order: Order | None = None
        self.task = HOLD
        self.fault: Phrase | None = None
        """Why its order is illegal or void."""
        self.goal = ""
        """Province it moves to, its support is directed at, or its convoy ends in."""
        self.fact = FAIL
        """Its move succeeds, or its support holds; FAIL for everything else."""
        self.helpers: tuple[Piece, ...] = ()
        """Pieces whose matched support it has, to move or to hold as it does."""
        self.least = self.greatest = 1
        """Strength counting the supports known to hold, and counting open ones too."""
        self.by_sea = False
        self.fleets: tuple[Piece, ...] = ()
        """Fleets that offer to carry it."""
        self.is_disrupted = False
        """Its convoy is off because of a paradox."""

    @property
    def given(self) -> Order:
        """Return its order, or the hold of a unit without one."""
        return self.order or Hold(self.unit)


class Battle:
    """A province somebody moves to: who stands there, who comes, who got it."""

    __slots__ = ("province", "holder", "attackers", "winner", "undecided")

    def __init__(self, province: str, holder: Piece | None, first: Piece) -> None:
        self.province = province
        self.holder = holder
        self.attackers = [first]
        self.winner: Piece | None = None
        self.undecided = 1
        """How many attackers may or may not get it."""


class Field:
    """All pieces and battles of one movement phase."""

    __slots__ = (
        "board", "rules", "at", "battles", "offers", "crossings", "strays", "beaten", "frozen",
        "_fleets",
    )  # fmt: skip

    def __init__(self, board: Map, rules: Rules) -> None:
        self.board = board
        self.rules = rules
        self.at: dict[str, Piece] = {}
        """Province → the piece in it."""
        self.battles: dict[str, Battle] = {}
        """Province → its battle, for provinces somebody moves to."""
        self.offers: dict[str, dict[str, tuple[Piece, ...]]] = {}
        """Start of a convoy → its end → the fleets that offer it."""
        self.crossings: list[Piece] = []
        """Armies that move by sea over a route that was wholly ordered."""
        self.strays: list[tuple[str, Order, Phrase]] = []
        """Orders that are for no unit, with their power."""
        self.beaten: dict[Piece, Piece] = {}
        """Each piece that was dislodged → who dislodged it; known when all is settled."""
        self.frozen = "" if rules.icebreaker else board.icebreaker
        """Province whose coast is closed to fleets by these rules, or empty."""
        self._fleets = -1

    @property
    def fleets(self) -> int:
        """Return all seas with a fleet in them, as a bitset; found when first asked for."""
        if self._fleets < 0:
            self._fleets = self.board.sea_bits(self.at)
        return self._fleets


Strength = tuple[int, int]
"""A strength while supports are open: at least and at most so much."""

NONE: Strength = (0, 0)
ALONE: Strength = (1, 1)


def decide(battle: Battle) -> Sequence[Piece]:
    """Decide every move of a battle that can be decided now; return those that were."""
    attackers, holder = battle.attackers, battle.holder
    if len(attackers) == 1:
        (lone,) = attackers
        fate = lone.path if holder is None else _fate(lone, holder, NONE)
        if fate is OPEN:
            return ()
        lone.fact = fate
        battle.undecided = 0
        if fate is OK:
            battle.winner = lone
        return attackers
    decided = []
    for attacker in attackers:
        if attacker.fact is OPEN:
            fate = _fate(attacker, holder, _strongest_rival(attacker, battle))
            if fate is not OPEN:
                attacker.fact = fate
                decided.append(attacker)
                if fate is OK:
                    battle.winner = attacker
    if battle.winner:
        for attacker in attackers:
            if attacker.fact is OPEN:
                attacker.fact = FAIL
                decided.append(attacker)
    battle.undecided -= len(decided)
    return decided


def _strongest_rival(attacker: Piece, battle: Battle) -> Strength:
    """Return how strongly the others who move there keep an attacker out, the strongest of them."""
    strongest = most = 0
    for rival in battle.attackers:
        if rival is not attacker:
            least, greatest = prevention(rival, battle.holder)
            if least > strongest:
                strongest = least
            if greatest > most:
                most = greatest
    return strongest, most


def _fate(attacker: Piece, holder: Piece | None, rivals: Strength) -> Fact:
    """Return whether a move succeeds, fails, or may do either (DATC 5.B.1).

    While it is open whether the holder leaves, success means success against a holder that stays,
    the harder case, and failure means failure against one that leaves. While its path may still
    break the move is sure of nothing.
    """
    path = attacker.path
    if path is FAIL:
        return FAIL
    rivals_least, rivals_greatest = rivals
    if holder is None:
        leaves = OK
    elif holder.task is MOVE and not attacker.in_duel:
        leaves = holder.fact
    else:
        leaves = FAIL
    if leaves is not OK:
        least, greatest = attack(attacker, holder)
        held_least, held_greatest = resistance(attacker, holder)
        if path is OK and least > rivals_greatest and least > held_greatest:
            return OK
        if leaves is FAIL:
            return FAIL if greatest <= rivals_least or greatest <= held_least else OPEN
    elif path is OK and attacker.least > rivals_greatest:
        return OK
    return FAIL if attacker.greatest <= rivals_least else OPEN


def leaving(battle: Battle) -> Fact:
    """Return whether the province of a battle is empty, or left by its holder."""
    holder = battle.holder
    if holder is None:
        return OK
    return holder.fact if holder.task is MOVE else FAIL


def attack(attacker: Piece, holder: Piece | None) -> Strength:
    """Return an attack's strength, against a holder that stays if there is one (DATC 5.B.8).

    A power dislodges no unit of its own, nor helps others to: its supports do not count.
    """
    if holder is None:
        return attacker.least, attacker.greatest
    if attacker.side == holder.side:
        return NONE
    if not attacker.helpers:
        return ALONE
    least = greatest = 1
    for helper in attacker.helpers:
        if helper.side != holder.side:
            least += helper.fact is OK
            greatest += helper.fact is not FAIL
    return least, greatest


def resistance(attacker: Piece, holder: Piece | None) -> Strength:
    """Return how strongly the holder of a province resists an attacker, if it stays.

    In a duel with all it has to move (DATC 5.B.7); after another move that failed as one unit
    alone; else with its supports to hold (5.B.5).
    """
    if holder is None:
        return NONE
    if holder.task is MOVE and not attacker.in_duel:
        return ALONE
    return holder.least, holder.greatest


def prevention(piece: Piece, holder: Piece | None) -> Strength:
    """Return how strongly a move keeps others out of its goal, whether or not it gets there.

    Nothing is kept by a move that cannot arrive, nor by the loser of a duel at its winner's
    origin (DATC 5.B.6); a unit dislodged by anybody else still does.
    """
    if piece.path is FAIL:
        return NONE
    if piece.in_duel and holder:
        if holder.fact is OK:
            return NONE
        if holder.fact is OPEN:
            return 0, piece.greatest
    return (piece.least if piece.path is OK else 0), piece.greatest
