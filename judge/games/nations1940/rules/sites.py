"""Whether a nation may build, raise, give up and strike (N-56, N-75 to N-86, N-93 to N-98)."""

from judge.games.nations1940.rules.building import HQ_ARMIES
from judge.games.nations1940.rules.desk import Desk
from judge.games.nations1940.rules.orders import (
    Atom,
    Bomb,
    Build,
    Commission,
    Disband,
    Dismantle,
    Form,
    Missile,
    Move,
    Order,
    Rail,
    Scuttle,
)
from judge.games.nations1940.rules.strikes import may_hit
from judge.games.nations1940.scenario import KINDS
from judge.model.phrase import Phrase


class Sites:
    """Looks at the orders for what stands somewhere."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def look(self, order: Order) -> Order | Phrase:
        """Return an order as it is filed, or what is wrong with it."""
        match order:
            case Build():
                fault = self._build(order)
            case Dismantle():
                fault = self._dismantle(order)
            case Form(province):
                fault = self._form(province)
            case Commission(province):
                fault = self._commission(province)
            case Scuttle(count, province):
                fault = self._give_up("fleets", count, province)
            case Disband(count, province):
                fault = self._give_up("armies", count, province)
            case Bomb(target, base) | Atom(target, base):
                fault = self._from_airfield(target, base, is_atom=isinstance(order, Atom))
            case Missile():
                return self._missile(order)
            case _:
                raise AssertionError(order)
        return fault or order

    def _own(self, n: int) -> Phrase | None:
        desk = self._desk
        if desk.world.provinces[n].owner == desk.nation:
            return None
        return desk.no("e-owner", place=desk.place(n))

    def _spend(self) -> Phrase | None:
        """Use one of the turn's improvements (E-LIMIT)."""
        desk = self._desk
        if desk.taken["pi", 0] >= desk.limit():
            return desk.no("e-limit-pi", limit=desk.limit())
        desk.taken["pi", 0] += 1
        return None

    def _build(self, order: Build) -> Phrase | None:
        desk, n = self._desk, order.province
        what, place = KINDS[order.kind], desk.place(n)
        if fault := self._own(n):
            return fault
        gone = any(
            isinstance(one, Dismantle) and (one.kind, one.province) == (order.kind, n)
            for one in desk.orders
        )
        if desk.taken[f"build {order.kind}", n]:
            return desk.no("e-twice-build", what=what, place=place)
        if order.kind in desk.world.provinces[n].improvements and not gone:
            return desk.no("e-dup", what=what, place=place)
        if order.kind == "POR" and not desk.world.board.coasts(n):
            return desk.no("e-site-coast", place=place)
        if order.kind == "SIL" and not desk.world.strength(desk.nation, "missiles"):
            return desk.no("e-tech", tech="Nuclear Missiles")
        if order.kind == "HQ":
            if desk.world.nations[desk.nation].capital == n:
                return desk.no("e-site-capital", place=place)
            if self._expected(n) < HQ_ARMIES:
                return desk.no("e-army-hq", place=place, there=self._expected(n))
        if fault := self._spend():
            return fault
        desk.taken[f"build {order.kind}", n] += 1
        if order.kind == "HQ":
            desk.taken["spent", n] += HQ_ARMIES
        return None

    def _expected(self, n: int) -> int:
        """Return how many own armies will be in a province if all moves come off and nobody fights,
        less those that other orders use up there."""
        desk = self._desk
        there = desk.world.provinces[n].armies.get(desk.nation, 0) - desk.taken["spent", n]
        for order in desk.orders:
            if isinstance(order, Move | Rail) and not order.hq and order.path[0] != order.path[-1]:
                present = desk.world.provinces[order.path[0]].armies.get(desk.nation, 0)
                count = order.count or present
                there -= count if order.path[0] == n else 0
                there += count if order.path[-1] == n else 0
        return max(there, 0)

    def _dismantle(self, order: Dismantle) -> Phrase | None:
        desk, n = self._desk, order.province
        what, place = KINDS[order.kind], desk.place(n)
        if fault := self._own(n):
            return fault
        if order.kind not in desk.world.provinces[n].improvements:
            return desk.no("e-site-none", what=what, place=place)
        if desk.taken[f"dismantle {order.kind}", n]:
            return desk.no("e-twice-build", what=what, place=place)
        if fault := self._spend():
            return fault
        desk.taken[f"dismantle {order.kind}", n] += 1
        return None

    def _form(self, n: int) -> Phrase | None:
        desk = self._desk
        if fault := self._own(n):
            return fault
        if not desk.world.strength(desk.nation, "mobile_hq"):
            return desk.no("e-tech", tech="Mechanized Infantry")
        is_capital = desk.world.nations[desk.nation].capital == n
        if not is_capital and "HQ" not in desk.world.provinces[n].improvements:
            return desk.no("e-site-hq", place=desk.place(n))
        return self._spend_army(n)

    def _spend_army(self, n: int) -> Phrase | None:
        desk = self._desk
        if self._expected(n) < 1:
            return desk.no("e-army", place=desk.place(n))
        desk.taken["spent", n] += 1
        return None

    def _commission(self, n: int) -> Phrase | None:
        desk = self._desk
        if fault := self._own(n):
            return fault
        if "POR" not in desk.world.provinces[n].improvements:
            return desk.no("e-port", place=desk.place(n))
        if desk.taken["port", n]:
            return desk.no("e-twice-port", place=desk.place(n))
        if fault := self._spend_army(n):
            return fault
        desk.taken["port", n] += 1
        return None

    def _give_up(self, what: str, count: int, n: int) -> Phrase | None:
        """Test what is given up in step 6, where it then is: armies may have come by then."""
        desk = self._desk
        if what == "armies":
            if self._expected(n) < max(count, 1):
                return desk.no(
                    "e-count-army", place=desk.place(n), left=self._expected(n), count=count
                )
            desk.taken["spent", n] += count or self._expected(n)
            return None
        taken = desk.take(what, n, count)
        return taken if isinstance(taken, Phrase) else None

    def _from_airfield(self, target: int, base: int, *, is_atom: bool) -> Phrase | None:
        desk = self._desk
        world = desk.world
        if fault := self._own(base):
            return fault
        if "AIR" not in world.provinces[base].improvements:
            return desk.no("e-site-none", what=KINDS["AIR"], place=desk.place(base))
        most = world.strength(desk.nation, "atomic_bombs")
        if is_atom and not most:
            return desk.no("e-tech", tech="Nuclear Power")
        if fault := self._target(target, is_nuclear=is_atom):
            return fault
        reach = world.strength(desk.nation, "air_range")
        if target not in world.board.within(base, reach):
            return desk.no("e-range-air", place=desk.place(target), reach=reach)
        if desk.taken["airfield", base]:
            return desk.no("e-twice-air", place=desk.place(base))
        if is_atom and desk.taken["atom", 0] >= most:
            return desk.no("e-limit-atom", limit=most)
        desk.taken["airfield", base] += 1
        desk.taken["atom", 0] += is_atom
        return None

    def _target(self, target: int, *, is_nuclear: bool) -> Phrase | None:
        desk = self._desk
        if may_hit(desk.world, desk.nation, target, is_nuclear=is_nuclear):
            return None
        return desk.enemy(target, neutral=False)

    def _missile(self, order: Missile) -> Missile | Phrase:
        desk, count = self._desk, order.count
        world = desk.world
        if not world.strength(desk.nation, "missiles"):
            return desk.no("e-tech", tech="Nuclear Missiles")
        silos = [n for n in world.owned(desk.nation) if "SIL" in world.provinces[n].improvements]
        if not silos:
            return desk.no("e-site-silo")
        if fault := self._target(order.target, is_nuclear=True):
            return fault
        left = desk.limit() - desk.taken["missile", 0]
        if left < max(count, 1):
            return desk.no("e-limit-missile", limit=desk.limit(), left=left)
        desk.taken["missile", 0] += count or left
        return Missile(count or left, order.target)
