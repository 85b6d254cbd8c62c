"""Whether a nation may say and set what it does (N-89, N-90, N-100 to N-112)."""

from judge.games.nations1940.rules.desk import Desk
from judge.games.nations1940.rules.diplomacy import MOST_EXCHANGES, between
from judge.games.nations1940.rules.orders import (
    Cancel,
    Give,
    Govern,
    Item,
    Order,
    Research,
    Shed,
    Spawn,
    Trade,
    Traits,
    Treaty,
    War,
    Withdraw,
)
from judge.games.nations1940.rules.state import DEAL, EXCHANGE, NAP, PACT, PEACE, WAR, bond
from judge.games.nations1940.rules.trading import UNTRADEABLE
from judge.games.nations1940.rules.world import World
from judge.model.phrase import Phrase


class Politics:
    """Looks at the orders that move nothing; `before` knows none of the wars declared now."""

    def __init__(self, desk: Desk, before: World) -> None:
        self._desk = desk
        self._before = before

    def look(self, order: Order) -> Order | Phrase:
        """Return an order as it is filed, or what is wrong with it."""
        match order:
            case War(nation):
                fault = self._somebody(nation) or self._war(nation)
            case Treaty(kind, nation):
                fault = self._somebody(nation) or self._treaty(kind, nation)
            case Withdraw(kind, nation):
                fault = self._somebody(nation) or self._withdraw(kind, nation)
            case Cancel(kind, nation):
                fault = self._somebody(nation) or self._cancel(kind, nation)
            case Give(items, nation):
                fault = self._partner(nation) or self._gives(items, nation)
            case Trade(nation, gives, wants):
                fault = (
                    self._partner(nation) or self._gives(gives, nation)
                    or self._wants(wants, nation)
                )
            case Research(techs):
                fault = self._research(techs)
            case Spawn(provinces) | Shed(provinces):
                fault = self._listed(provinces)
            case Traits(names):
                fault = self._traits(names)
            case Govern():
                fault = None
            case _:
                raise AssertionError(order)
        return fault or order

    def _somebody(self, nation: str) -> Phrase | None:
        desk = self._desk
        if nation == desk.nation:
            return desk.no("e-self")
        if nation not in desk.world.nations or not desk.world.nations[nation].alive:
            return desk.no("e-dead-other", nation=nation)
        return None

    def _partner(self, nation: str) -> Phrase | None:
        desk = self._desk
        if fault := self._somebody(nation):
            return fault
        if desk.world.at_war(desk.nation, nation):
            return desk.no("e-treaty-war", nation=nation)
        return None

    def _war(self, nation: str) -> Phrase | None:
        if self._before.at_war(self._desk.nation, nation):
            return self._desk.no("e-treaty-there", what=WAR, nation=nation)
        return None

    def _treaty(self, kind: str, nation: str) -> Phrase | None:
        """Test the condition of a treaty as far as it can be known (E-TREATY)."""
        desk = self._desk
        wars = [order.nation for order in desk.orders if isinstance(order, War)]
        if desk.world.turn and nation in wars:
            return desk.no("e-treaty-war", nation=nation)
        if bond(kind, desk.nation, nation) in desk.world.bonds:
            return desk.no("e-treaty-there", what=kind, nation=nation)
        at_war = desk.world.at_war(desk.nation, nation)
        if kind == PEACE and not at_war:
            return desk.no("e-treaty-peace", nation=nation)
        if kind == PACT and at_war and not self._says(PEACE, nation):
            return desk.no("e-treaty-war", nation=nation)
        if kind == EXCHANGE:
            has_nap = bond(NAP, desk.nation, nation) in desk.world.bonds
            if not has_nap and not self._says(NAP, nation):
                return desk.no("e-treaty-nap", nation=nation)
            cancelled = sum(
                isinstance(order, Cancel) and order.kind in (EXCHANGE, NAP) for order in desk.orders
            )
            if desk.world.exchanges(desk.nation) - cancelled >= MOST_EXCHANGES:
                return desk.no("e-treaty-full", most=MOST_EXCHANGES)
        return None

    def _says(self, kind: str, nation: str) -> bool:
        """Tell whether the nation announces something too, now or before; a NAP is peace."""
        desk = self._desk
        kinds = (kind, NAP) if kind == PEACE else (kind,)
        now = any(
            isinstance(order, Treaty) and order.nation == nation and order.kind in kinds
            for order in desk.orders
        )
        return now or any(
            (offer.by, offer.to) == (desk.nation, nation) and offer.kind in kinds
            for offer in desk.world.offers
        )

    def _withdraw(self, kind: str, nation: str) -> Phrase | None:
        desk = self._desk
        if kind == DEAL:
            is_open = any((d.by, d.to) == (desk.nation, nation) for d in desk.world.deals)
        else:
            is_open = any(
                (offer.kind, offer.by, offer.to) == (kind, desk.nation, nation)
                for offer in desk.world.offers
            )
        return None if is_open else desk.no("e-treaty-open", what=kind, nation=nation)

    def _cancel(self, kind: str, nation: str) -> Phrase | None:
        desk = self._desk
        if bond(kind, desk.nation, nation) in between(desk.world, desk.nation, nation):
            return None
        return desk.no("e-treaty-none", what=kind, nation=nation)

    def _gives(self, items: tuple[Item, ...], nation: str) -> Phrase | None:
        """Test what the nation itself gives (N-74, N-92, N-109)."""
        desk = self._desk
        for item in items:
            if isinstance(item, int):
                province = desk.world.provinces[item]
                if province.owner != desk.nation:
                    return desk.no("e-owner", place=desk.place(item))
                if desk.world.nations[desk.nation].capital == item:
                    return desk.no("e-site-capital-sold", place=desk.place(item))
                if province.due_to:
                    return desk.no("e-owner-sold", place=desk.place(item), nation=province.due_to)
            elif item not in desk.world.nations[desk.nation].techs:
                return desk.no("e-tech", tech=item)
        return self._untradeable(items)

    def _untradeable(self, items: tuple[Item, ...]) -> Phrase | None:
        techs = self._desk.world.board.techs
        for item in items:
            if isinstance(item, str) and any(e.key == UNTRADEABLE for e in techs[item].effects):
                return self._desk.no("e-site-landing", tech=item)
        return None

    def _wants(self, items: tuple[Item, ...], nation: str) -> Phrase | None:
        """Test what the nation wants: land is public, what others know is not."""
        desk = self._desk
        coming = {item for item in items if isinstance(item, str)}
        for item in items:
            if isinstance(item, int):
                if desk.world.provinces[item].owner != nation:
                    return desk.no("e-owner-other", place=desk.place(item), nation=nation)
            elif item in desk.world.nations[desk.nation].techs:
                return desk.no("e-known", tech=item)
            elif fault := self._lacks(item, coming):
                return fault
        return self._untradeable(items)

    def _lacks(self, tech: str, coming: set[str]) -> Phrase | None:
        """Return which requirement of a technology is missing (E-QUEUE)."""
        desk = self._desk
        known = desk.world.nations[desk.nation].techs | coming
        missing = [need for need in desk.world.board.techs[tech].requires if need not in known]
        return desk.no("e-queue", tech=tech, needs=tuple(missing)) if missing else None

    def _research(self, techs: tuple[str, ...]) -> Phrase | None:
        """Test that requirements are known, or stand before in the queue (N-90)."""
        desk = self._desk
        before: set[str] = set()
        for tech in techs:
            if tech in desk.world.nations[desk.nation].techs:
                return desk.no("e-known", tech=tech)
            if fault := self._lacks(tech, before):
                return fault
            before.add(tech)
        return None

    def _listed(self, provinces: tuple[int, ...]) -> Phrase | None:
        desk = self._desk
        for n in provinces:
            if desk.world.provinces[n].owner != desk.nation:
                return desk.no("e-owner", place=desk.place(n))
        return None

    def _traits(self, names: tuple[str, ...]) -> Phrase | None:
        points = sum(self._desk.world.board.traits[name].points for name in names)
        return self._desk.no("e-limit-traits", points=points) if points < 0 else None
