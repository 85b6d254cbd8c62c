"""Legality of a nation's orders at the start of the turn (N-156, N-157).

Orders are checked from the first to the last. Units that one order takes are not available to the
next. Only the nation's own things, public facts and what the nation sees count, so that a refusal
reveals nothing hidden.
"""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from judge.games.nations1940.rules.forecasts import attack_notes
from judge.games.nations1940.rules.limits import improvement_limit
from judge.games.nations1940.rules.order_check import Redundant
from judge.games.nations1940.rules.orders import (
    ArmyDisband,
    ArmyHold,
    ArmyMove,
    AtomicBomb,
    Bomb,
    Commission,
    Deploy,
    Dismantle,
    Escort,
    Form,
    Govern,
    ImprovementBuild,
    Missile,
    Order,
    Rail,
    Research,
    Sail,
    Scuttle,
    Shed,
    Spawn,
    Traits,
    Treaty,
    War,
    Withdraw,
    format_place,
    order_text,
)
from judge.games.nations1940.rules.politics import Politics
from judge.games.nations1940.rules.routes import Routes
from judge.games.nations1940.rules.sites import Sites
from judge.games.nations1940.rules.state import WAR, bond
from judge.games.nations1940.rules.visibility import seen_by
from judge.games.nations1940.rules.world import World
from judge.model.phrase import Fact, Phrase, phrase


class CheckedOrder(NamedTuple):
    """Result of checking an order: the order as filed, or the fault.

    `notes` are warnings with codes W-…. An order that would change nothing is not filed and has no
    fault, but a note.
    """

    order: Order
    fault: Phrase | None = None
    notes: tuple[Phrase, ...] = ()
    is_filed: bool = True


BEFORE_GAME = (Treaty, Withdraw, Research, Spawn, Shed, ArmyHold)
"""Orders that are legal on Turn 0 under all options (N-9)."""


_DEPTHS = 3


def _depth(order: Order) -> int:
    """Return the stage in which an order is checked.

    Fleets come first, then armies, then the orders that depend on both. A ferry needs fleets that
    arrive, a Military HQ needs armies that do.
    """
    match order:
        case Sail() | Scuttle():
            return 0
        case ImprovementBuild() | Dismantle() | Form() | Commission() | ArmyDisband():
            return 2
    return 1


def check_orders(world: World, nation: str, orders: Sequence[Order]) -> list[CheckedOrder]:
    """Return the results for a nation's orders, in their order.

    A war declared by one of them counts for all (N-101).
    """
    return LegalityChecker(world, nation, orders).run()


class LegalityChecker:
    """Check of one nation's orders, with the units taken so far."""

    def __init__(self, world: World, nation: str, orders: Sequence[Order]) -> None:
        self.world = with_wars(world, nation, orders)
        self.nation = nation
        self._given = tuple(orders)
        self.orders: Sequence[Order] = self._given
        """All orders except those refused so far."""
        self.taken: Counter[tuple[str, int | str]] = Counter()
        """Units ordered so far, by kind (such as `armies` or `fleets`) and place."""
        self.seen = seen_by(world, nation)
        self.text = ""
        self._routes = Routes(self)
        self._sites = Sites(self)
        self._politics = Politics(self, world)

    def run(self) -> list[CheckedOrder]:
        """Return the result for each order."""
        if not self.world.nations[self.nation].alive:
            dead = [self._make_phrase(order, "e-dead") for order in self.orders]
            return [
                CheckedOrder(order, why, is_filed=False) for order, why in zip(self.orders, dead)
            ]
        found: dict[int, CheckedOrder] = {}
        for depth in range(_DEPTHS):
            for at, order in enumerate(self._given):
                if _depth(order) == depth:
                    found[at] = self._check_order(order)
            # Later stages must not rely on orders that were refused in this one.
            self.orders = [
                order for at, order in enumerate(self._given)
                if at not in found or found[at].fault is None
            ]
        moves = {
            at: one.order for at, one in found.items()
            if one.fault is None and isinstance(one.order, ArmyMove)
        }
        for at, notes in attack_notes(self, moves).items():
            found[at] = found[at]._replace(notes=(*found[at].notes, *notes))
        return [found[at] for at in range(len(self._given))]

    def _make_phrase(self, order: Order, code: str) -> Phrase:
        return phrase(code, order=order_text(order, self.world.board))

    def _check_order(self, order: Order) -> CheckedOrder:
        self.text = order_text(order, self.world.board)
        fault = self._wrong_turn(order)
        if fault:
            return CheckedOrder(order, fault, is_filed=False)
        found = self._look(order)
        if isinstance(found, Phrase):
            return CheckedOrder(order, found, is_filed=False)
        if isinstance(found, Redundant):
            is_filed = found.rest is not None
            return CheckedOrder(found.rest or order, notes=(found.note,), is_filed=is_filed)
        return CheckedOrder(found)

    def _wrong_turn(self, order: Order) -> Phrase | None:
        """Return a refusal if an order may not be given in this turn (N-9)."""
        settings = self.world.settings
        allowed = {Deploy: settings.deploy0, Govern: settings.free_government}
        is_before = self.world.turn == 0
        if isinstance(order, Traits):
            allowed[Traits] = settings.traits
        if type(order) in allowed:
            if allowed[type(order)] and is_before:
                return None
            return self.make_refusal("e-turn-option" if is_before else "e-turn-late")
        if is_before and not isinstance(order, BEFORE_GAME):
            return self.make_refusal("e-turn-early")
        return None

    def _look(self, order: Order) -> Order | Phrase | Redundant:
        """Return the order as filed, a refusal, or `Redundant` if it changes nothing."""
        match order:
            case ArmyMove() | Rail() | Sail() | Escort() | Deploy() | ArmyHold():
                return self._routes.check(order)
            case (
                Bomb() | AtomicBomb() | Missile() | ImprovementBuild() | Dismantle() | Form()
                | Commission()
                | Scuttle() | ArmyDisband()
            ):  # fmt: skip
                return self._sites.check(order)
            case _:
                return self._politics.check(order)

    def make_refusal(self, code: str, **facts: Fact) -> Phrase:
        """Return a refusal of the current order, or a warning about it."""
        return Phrase(code, {"order": self.text, **facts})

    def place(self, place: int | str) -> str:
        """Return a place with its number and name."""
        return format_place(place, self.world.board)

    def take_units(self, what: str, place: int | str, count: int) -> int | Phrase:
        """Take units of a place and return their number, or a refusal.

        *count* 0 takes all that are left. The refusals are E-OWNER and E-COUNT (N-157).
        """
        world = self.world
        if isinstance(place, str):
            there = world.seas[place].get(self.nation, 0)
        else:
            there = getattr(world.provinces[place], what).get(self.nation, 0)
        if not there:
            return self.make_refusal(f"e-owner-{_CODES[what]}", place=self.place(place))
        left = there - self.taken[what, place]
        if left < max(count, 1):
            few = f"e-count-{_CODES[what]}" if what in _NONE_LEFT else "e-twice-hq"
            code = few if left else _NONE_LEFT.get(what, few)
            return self.make_refusal(code, place=self.place(place), left=left, count=count or left)
        self.taken[what, place] += count or left
        return count or left

    def enemy(self, n: int, *, neutral: bool = True) -> Phrase | None:
        """Return a refusal if a province may not be attacked, else None.

        The refusals are E-PEACE without a war and E-NAP with a treaty. Unless *neutral*, neutral
        land is refused too.
        """
        owner = self.world.provinces[n].owner
        if not owner:
            return None if neutral else self.make_refusal("e-peace-neutral", place=self.place(n))
        if self.world.is_at_war(self.nation, owner):
            return None
        if owner == self.nation:
            return self.make_refusal("e-self")
        is_bound = bond("NAP", self.nation, owner) in self.world.bonds
        code = "e-nap" if is_bound else "e-peace"
        return self.make_refusal(code, place=self.place(n), nation=owner)

    def limit(self) -> int:
        """Return the number of improvements that the nation may build this turn."""
        return improvement_limit(self.world, self.nation)


_NONE_LEFT = {"armies": "e-count-army-none", "fleets": "e-count-fleet-none"}
_CODES = {"armies": "army", "mobile_hq": "hq", "fleets": "fleet"}


def with_wars(world: World, nation: str, orders: Sequence[Order]) -> World:
    """Return the world after a nation has declared its wars (N-20, step 1)."""
    enemies = [order.nation for order in orders if isinstance(order, War)]
    if not enemies or not world.turn:
        return world
    found = World(world.board, world.freeze(world.turn), world.settings)
    for enemy in enemies:
        if enemy != nation and world.nations.get(enemy) and world.nations[enemy].alive:
            pair = {nation, enemy}
            found.bonds = {one for one in found.bonds if {one.a, one.b} != pair}
            found.bonds.add(bond(WAR, nation, enemy))
    return found
