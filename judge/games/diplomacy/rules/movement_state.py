"""State of a movement adjudication: units, battles and strengths.

A *fact* is one of: a move succeeds, a support holds, a convoy path is intact. It changes once, from
open to decided. A *piece* is a unit with its order and all facts about it. A *battle* is about a
province that at least one unit moves to.
"""

from collections.abc import Sequence
from enum import Enum

from judge.board.map import Map, Station, Unit
from judge.games.diplomacy.rules.orders import Hold, Order
from judge.games.diplomacy.rules.ruleset import Rules
from judge.model.phrase import Phrase


class Resolution(Enum):
    """Answer to a question of the adjudication, as far as it is decided."""

    FAIL = 0
    OK = 1
    OPEN = 2


class Action(Enum):
    """Action of a unit once illegal orders are left out, by default to hold."""

    HOLD = "hold"
    MOVE = "move"
    SUPPORT = "support"
    CONVOY = "convoy"


FAIL, OK, OPEN = Resolution.FAIL, Resolution.OK, Resolution.OPEN
HOLD, MOVE, SUPPORT, CONVOY = Action.HOLD, Action.MOVE, Action.SUPPORT, Action.CONVOY
# Module names are looked up five times faster than members of an enum.


class UnitState:
    """Unit with its order and all facts decided during this adjudication.

    Units refer to each other by province, and directly only to those that support or convoy them.
    Without reference cycles a finished position is freed at once, without garbage collection.
    """

    __slots__ = (
        "power", "side", "station", "unit", "province", "order", "task", "fault", "goal", "fact",
        "helpers", "least", "greatest", "by_sea", "fleets", "is_disrupted",
        "landing", "path", "in_duel", "helped", "bit",
    )  # fmt: skip

    # Set for some tasks only and absent otherwise, because an object is made for every unit.
    landing: Unit
    """Unit at its goal after success, for moves only."""
    path: Resolution
    """Whether it gets to its goal by land or convoy, for moves only.

    It may still bounce there.
    """
    in_duel: bool
    """True in a head-to-head battle (DATC), for moves only.

    The unit in its goal then moves against it by land.
    """
    helped: str
    """Province of the unit it is for, for supports and convoys only."""
    bit: int
    """Its sea as a bitset, or 0, for fleets ordered to convoy only."""

    def __init__(self, power: str, station: Station) -> None:
        self.power = power
        self.side = power
        """Side it belongs to and does not fight: its power or, under friendly fire, itself
        alone."""
        self.station = station
        self.unit = station.unit
        self.province = station.province
        self.order: Order | None = None
        self.task = HOLD
        self.fault: Phrase | None = None
        """Reason why its order is illegal or void, or None."""
        self.goal = ""
        """Province it moves to, its support is directed at, or its convoy ends in."""
        self.fact = FAIL
        """Result of its move or support. FAIL for everything else."""
        self.helpers: tuple[UnitState, ...] = ()
        """Units whose matched support it has, to move or to hold as it does."""
        self.least = self.greatest = 1
        """Strength with the supports known to hold, and with open ones too."""
        self.by_sea = False
        self.fleets: tuple[UnitState, ...] = ()
        """Fleets that convoy it, if a whole route was ordered."""
        self.is_disrupted = False
        """True if its convoy is disrupted by a paradox."""

    @property
    def given(self) -> Order:
        """Its order, or the hold of a unit without one."""
        return self.order or Hold(self.unit)


class Battle:
    """Province that units move to, with its holder, its attackers and the winner."""

    __slots__ = ("province", "holder", "attackers", "winner", "undecided")

    def __init__(self, province: str, holder: UnitState | None, first: UnitState) -> None:
        self.province = province
        self.holder = holder
        self.attackers = [first]
        self.winner: UnitState | None = None
        self.undecided = 1
        """Number of attackers whose move is still open."""


class MovementState:
    """All units and battles of one movement phase."""

    __slots__ = (
        "board", "rules", "at", "battles", "offers", "crossings", "strays", "beaten", "frozen",
        "_fleets",
    )  # fmt: skip

    def __init__(self, board: Map, rules: Rules) -> None:
        self.board = board
        self.rules = rules
        self.at: dict[str, UnitState] = {}
        """Province → the unit in it."""
        self.battles: dict[str, Battle] = {}
        """Province → its battle, for provinces that a unit moves to."""
        self.offers: dict[str, dict[str, tuple[UnitState, ...]]] = {}
        """Start of a convoy → its end → the fleets ordered to convoy."""
        self.crossings: list[UnitState] = []
        """Armies that move by sea over a route that was ordered completely."""
        self.strays: list[tuple[str, Order, Phrase]] = []
        """Invalid orders with power and reason: no such unit, another's unit, or replaced."""
        self.beaten: dict[UnitState, UnitState] = {}
        """Dislodged unit → its dislodger, filled in when all facts are decided."""
        self.frozen = "" if rules.icebreaker else board.icebreaker
        """Province whose coast is closed to fleets by these rules, or empty."""
        self._fleets = -1

    @property
    def fleets(self) -> int:
        """All convoying places that are occupied, as a bitset computed on first access."""
        if self._fleets < 0:
            self._fleets = self.board.sea_bits(self.at)
        return self._fleets


Strength = tuple[int, int]
"""Lower and upper bound of a strength while supports are open."""

NONE: Strength = (0, 0)
ALONE: Strength = (1, 1)


def decide(battle: Battle) -> Sequence[UnitState]:
    """Decide all moves of a battle that can be decided now. Return their units."""
    attackers, holder = battle.attackers, battle.holder
    if len(attackers) == 1:
        (lone,) = attackers
        fate = lone.path if holder is None else decide_move(lone, holder, NONE)
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
            fate = decide_move(attacker, holder, _strongest_rival(attacker, battle))
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


def _strongest_rival(attacker: UnitState, battle: Battle) -> Strength:
    """Return the prevent strength of the strongest rival that moves there too."""
    strongest = most = 0
    for rival in battle.attackers:
        if rival is not attacker:
            least, greatest = prevention(rival, battle.holder)
            if least > strongest:
                strongest = least
            if greatest > most:
                most = greatest
    return strongest, most


def decide_move(attacker: UnitState, holder: UnitState | None, rivals: Strength) -> Resolution:
    """Return whether a move succeeds, fails, or is still open (DATC 5.B.1).

    While it is open whether the holder leaves, success means success against a holder that stays
    (the harder case), and failure means failure against one that leaves. While its path is open, a
    move may fail but cannot succeed.
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


def is_vacated(battle: Battle) -> Resolution:
    """Return whether the province of a battle is empty or its holder leaves."""
    holder = battle.holder
    if holder is None:
        return OK
    return holder.fact if holder.task is MOVE else FAIL


def attack(attacker: UnitState, holder: UnitState | None) -> Strength:
    """Return the strength of an attack (DATC 5.B.8).

    A holder is assumed to stay. A power dislodges no unit of its own and does not help others to do
    so: such supports do not count.
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


def resistance(attacker: UnitState, holder: UnitState | None) -> Strength:
    """Return how strongly the holder of a province resists an attacker if it stays.

    In a head-to-head battle its supports to move count (DATC 5.B.7). After another failed move it
    is one unit alone, else it has its supports to hold (5.B.5). 0 without a holder.
    """
    if holder is None:
        return NONE
    if holder.task is MOVE and not attacker.in_duel:
        return ALONE
    return holder.least, holder.greatest


def prevention(piece: UnitState, holder: UnitState | None) -> Strength:
    """Return how strongly a move keeps others out of its goal (DATC 5.B.6).

    The move need not succeed. The strength is 0 for a move that cannot arrive, and for the loser of
    a head-to-head battle at the origin of its winner. A unit dislodged by any other still counts.
    """
    if piece.path is FAIL:
        return NONE
    if piece.in_duel and holder:
        if holder.fact is OK:
            return NONE
        if holder.fact is OPEN:
            return 0, piece.greatest
    return (piece.least if piece.path is OK else 0), piece.greatest
