"""Legality of builds, removals and strikes (N-56, N-75 to N-86, N-93 to N-98)."""

from judge.games.nations1940.rules.building import HQ_ARMIES
from judge.games.nations1940.rules.order_check import OrderCheck, Redundant
from judge.games.nations1940.rules.orders import (
    ArmyDisband,
    ArmyMove,
    AtomicBomb,
    Bomb,
    Commission,
    Dismantle,
    Form,
    ImprovementBuild,
    Missile,
    Order,
    Rail,
    Scuttle,
)
from judge.games.nations1940.rules.strikes import may_hit
from judge.games.nations1940.scenario import KINDS
from judge.model.phrase import Phrase


class Sites:
    """Checks of the orders for improvements, for units in place and for strikes."""

    def __init__(self, check: OrderCheck) -> None:
        self._check = check

    def check(self, order: Order) -> Order | Phrase | Redundant:
        """Return the order as filed, a refusal, or `Redundant` if it changes nothing."""
        fault: Phrase | Redundant | None
        match order:
            case ImprovementBuild():
                fault = self._build(order)
            case Dismantle():
                fault = self._dismantle(order)
            case Form(province):
                fault = self._form(province)
            case Commission(province):
                fault = self._commission(province)
            case Scuttle(count, province):
                fault = self._give_up("fleets", count, province)
            case ArmyDisband(count, province):
                fault = self._give_up("armies", count, province)
            case Bomb(target, base) | AtomicBomb(target, base):
                fault = self._from_airfield(target, base, is_atom=isinstance(order, AtomicBomb))
            case Missile():
                return self._missile(order)
            case _:
                raise AssertionError(order)
        return fault or order

    def _own(self, n: int) -> Phrase | None:
        check = self._check
        if check.world.provinces[n].owner == check.nation:
            return None
        return check.make_refusal("e-owner", place=check.place(n))

    def _spend(self) -> Phrase | None:
        """Use one of the turn's improvements, or return the refusal E-LIMIT."""
        check = self._check
        if check.taken["pi", 0] >= check.limit():
            return check.make_refusal("e-limit-pi", limit=check.limit())
        check.taken["pi", 0] += 1
        return None

    def _build(self, order: ImprovementBuild) -> Phrase | Redundant | None:
        check, n = self._check, order.province
        what, place = KINDS[order.kind], check.place(n)
        if fault := self._own(n):
            return fault
        gone = any(
            isinstance(one, Dismantle) and (one.kind, one.province) == (order.kind, n)
            for one in check.orders
        )
        if check.taken[f"build {order.kind}", n]:
            return Redundant(check.make_refusal("w-twice-build", what=what, place=place))
        if order.kind in check.world.provinces[n].improvements and not gone:
            return check.make_refusal("e-dup", what=what, place=place)
        if order.kind == "POR" and not check.world.board.coasts(n):
            return check.make_refusal("e-site-coast", place=place)
        if order.kind == "SIL" and not check.world.strength(check.nation, "missiles"):
            return check.make_refusal("e-tech", tech="Nuclear Missiles")
        if order.kind == "HQ":
            if check.world.nations[check.nation].capital == n:
                return check.make_refusal("e-site-capital", place=place)
            if self._count_expected_armies(n) < HQ_ARMIES:
                return check.make_refusal(
                    "e-army-hq", place=place, there=self._count_expected_armies(n)
                )
        if fault := self._spend():
            return fault
        check.taken[f"build {order.kind}", n] += 1
        if order.kind == "HQ":
            check.taken["spent", n] += HQ_ARMIES
        return None

    def _count_expected_armies(self, n: int) -> int:
        """Return the number of own armies in a province if all moves succeed.

        Armies that other orders use up there are subtracted.
        """
        check = self._check
        there = check.world.provinces[n].armies.get(check.nation, 0) - check.taken["spent", n]
        for order in check.orders:
            if (
                isinstance(order, ArmyMove | Rail)
                and not order.hq
                and order.path[0] != order.path[-1]
            ):
                present = check.world.provinces[order.path[0]].armies.get(check.nation, 0)
                count = order.count or present
                there -= count if order.path[0] == n else 0
                there += count if order.path[-1] == n else 0
        return max(there, 0)

    def _dismantle(self, order: Dismantle) -> Phrase | Redundant | None:
        check, n = self._check, order.province
        what, place = KINDS[order.kind], check.place(n)
        if fault := self._own(n):
            return fault
        if order.kind not in check.world.provinces[n].improvements:
            return check.make_refusal("e-site-none", what=what, place=place)
        if check.taken[f"dismantle {order.kind}", n]:
            return Redundant(check.make_refusal("w-twice-build", what=what, place=place))
        if fault := self._spend():
            return fault
        check.taken[f"dismantle {order.kind}", n] += 1
        return None

    def _form(self, n: int) -> Phrase | None:
        check = self._check
        if fault := self._own(n):
            return fault
        if not check.world.strength(check.nation, "mobile_hq"):
            return check.make_refusal("e-tech", tech="Mechanized Infantry")
        is_capital = check.world.nations[check.nation].capital == n
        if not is_capital and "HQ" not in check.world.provinces[n].improvements:
            return check.make_refusal("e-site-hq", place=check.place(n))
        return self._spend_army(n)

    def _spend_army(self, n: int) -> Phrase | None:
        check = self._check
        if self._count_expected_armies(n) < 1:
            return check.make_refusal("e-army", place=check.place(n))
        check.taken["spent", n] += 1
        return None

    def _commission(self, n: int) -> Phrase | None:
        check = self._check
        if fault := self._own(n):
            return fault
        if "POR" not in check.world.provinces[n].improvements:
            return check.make_refusal("e-port", place=check.place(n))
        if check.taken["port", n]:
            return check.make_refusal("e-twice-port", place=check.place(n))
        if fault := self._spend_army(n):
            return fault
        check.taken["port", n] += 1
        return None

    def _give_up(self, what: str, count: int, n: int) -> Phrase | None:
        """Check units to give up in step 6.

        Armies may have arrived by then.
        """
        check = self._check
        if what == "armies":
            left = self._count_expected_armies(n)
            if left < max(count, 1):
                code = "e-count-army" if left else "e-count-army-none"
                return check.make_refusal(code, place=check.place(n), left=left, count=count)
            check.taken["spent", n] += count or self._count_expected_armies(n)
            return None
        taken = check.take_units(what, n, count)
        return taken if isinstance(taken, Phrase) else None

    def _from_airfield(self, target: int, base: int, *, is_atom: bool) -> Phrase | None:
        check = self._check
        world = check.world
        if fault := self._own(base):
            return fault
        if "AIR" not in world.provinces[base].improvements:
            return check.make_refusal("e-site-none", what=KINDS["AIR"], place=check.place(base))
        most = world.strength(check.nation, "atomic_bombs")
        if is_atom and not most:
            return check.make_refusal("e-tech", tech="Nuclear Power")
        if fault := self._target(target, is_nuclear=is_atom):
            return fault
        reach = world.strength(check.nation, "air_range")
        if target not in world.board.within(base, reach):
            return check.make_refusal("e-range-air", place=check.place(target), reach=reach)
        if check.taken["airfield", base]:
            return check.make_refusal("e-twice-air", place=check.place(base))
        if is_atom and check.taken["atom", 0] >= most:
            return check.make_refusal("e-limit-atom", limit=most)
        check.taken["airfield", base] += 1
        check.taken["atom", 0] += is_atom
        return None

    def _target(self, target: int, *, is_nuclear: bool) -> Phrase | None:
        check = self._check
        if may_hit(check.world, check.nation, target, is_nuclear=is_nuclear):
            return None
        return check.enemy(target, neutral=False)

    def _missile(self, order: Missile) -> Missile | Phrase:
        check, count = self._check, order.count
        world = check.world
        if not world.strength(check.nation, "missiles"):
            return check.make_refusal("e-tech", tech="Nuclear Missiles")
        silos = [
            n for n in world.list_owned(check.nation) if "SIL" in world.provinces[n].improvements
        ]
        if not silos:
            return check.make_refusal("e-site-silo")
        if fault := self._target(order.target, is_nuclear=True):
            return fault
        left = check.limit() - check.taken["missile", 0]
        if left < max(count, 1):
            return check.make_refusal("e-limit-missile", limit=check.limit(), left=left)
        check.taken["missile", 0] += count or left
        return Missile(count or left, order.target)
