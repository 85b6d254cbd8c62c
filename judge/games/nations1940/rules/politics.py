"""Legality of diplomacy, trade and research (N-89, N-90, N-100 to N-112)."""

from judge.games.nations1940.rules.diplomacy import MAX_EXCHANGES, between
from judge.games.nations1940.rules.order_check import OrderCheck, Redundant
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
from judge.games.nations1940.rules.research import project_of
from judge.games.nations1940.rules.state import DEAL, EXCHANGE, NAP, PACT, PEACE, bond
from judge.games.nations1940.rules.trading import UNTRADEABLE
from judge.games.nations1940.rules.world import World
from judge.model.phrase import Phrase


class Politics:
    """Checks of the orders that move nothing.

    *before* is the world without the wars declared in the same sheet.
    """

    def __init__(self, check: OrderCheck, before: World) -> None:
        self._check = check
        self._before = before

    def check(self, order: Order) -> Order | Phrase | Redundant:
        """Return the order as filed, a refusal, or `Redundant` if it has a note."""
        fault: Phrase | Redundant | None
        match order:
            case War(nation):
                fault = self._somebody(nation) or self._war(order)
            case Treaty(kind, nation):
                fault = self._somebody(nation) or self._treaty(kind, nation)
            case Withdraw(kind, nation):
                fault = self._somebody(nation) or self._withdraw(kind, nation)
            case Cancel(kind, nation):
                fault = self._somebody(nation) or self._cancel(kind, nation)
            case Give(items, nation):
                fault = (
                    self._somebody(nation) or self._given_before(items, nation)
                    or self._gives(items, nation) or self._peaceful(nation)
                    or self._note_land(order)
                )
            case Trade(nation, gives, wants):
                fault = (
                    self._somebody(nation) or self._gives(gives, nation)
                    or self._wants(wants, nation) or self._peaceful(nation)
                )
            case Research(techs):
                fault = self._research(techs)
            case Spawn(provinces):
                fault = self._refuse_foreign_provinces(provinces) or self._without_headquarters(
                    order
                )
            case Shed(provinces):
                fault = self._refuse_foreign_provinces(provinces)
            case Traits(names):
                fault = self._traits(names)
            case Govern():
                fault = None
            case _:
                raise AssertionError(order)
        return fault or order

    def _somebody(self, nation: str) -> Phrase | None:
        check = self._check
        if nation == check.nation:
            return check.make_refusal("e-self")
        if nation not in check.world.nations or not check.world.nations[nation].alive:
            return check.make_refusal("e-dead-other", nation=nation)
        return None

    def _peaceful(self, nation: str) -> Phrase | None:
        """Return a refusal of a trade with a nation at war, also if the war is ordered."""
        check = self._check
        if not check.world.is_at_war(check.nation, nation):
            return None
        return check.make_refusal(self._war_code(nation), nation=nation)

    def _war_code(self, nation: str) -> str:
        is_ordered = nation in self._new_wars()
        return "e-treaty-war-ordered" if is_ordered else "e-treaty-war"

    def _war(self, order: War) -> Redundant | None:
        """Return a note if a war exists already or ends treaties (N-101)."""
        check, nation = self._check, order.nation
        if self._before.is_at_war(check.nation, nation):
            return Redundant(check.make_refusal("w-treaty-war", nation=nation))
        ended = between(self._before, check.nation, nation)
        if not ended or not check.world.turn:
            return None
        kinds = tuple(sorted(one.kind for one in ended))
        return Redundant(check.make_refusal("w-war-ends", kinds=kinds, nation=nation), order)

    def _treaty(self, kind: str, nation: str) -> Phrase | Redundant | None:
        """Check the condition of a treaty as far as it can be known (E-TREATY)."""
        check = self._check
        if check.world.turn and nation in self._new_wars():
            return check.make_refusal("e-treaty-war-ordered", nation=nation)
        if bond(kind, check.nation, nation) in check.world.bonds:
            return Redundant(check.make_refusal("w-treaty-there", what=kind, nation=nation))
        at_war = check.world.is_at_war(check.nation, nation)
        if kind == PEACE and not at_war:
            return Redundant(check.make_refusal("w-treaty-peace", nation=nation))
        if kind == PACT and at_war and not self._says(PEACE, nation):
            return check.make_refusal("e-treaty-war", nation=nation)
        if kind == EXCHANGE:
            has_nap = bond(NAP, check.nation, nation) in check.world.bonds
            if not has_nap and not self._says(NAP, nation):
                return check.make_refusal("e-treaty-nap", nation=nation)
            cancelled = sum(
                isinstance(order, Cancel) and order.kind in (EXCHANGE, NAP)
                for order in check.orders
            )
            if check.world.exchanges(check.nation) - cancelled >= MAX_EXCHANGES:
                return check.make_refusal("e-treaty-full", most=MAX_EXCHANGES)
        return None

    def _new_wars(self) -> list[str]:
        """Return the nations on which war is declared in this sheet for the first time."""
        wars = [order.nation for order in self._check.orders if isinstance(order, War)]
        return [one for one in wars if not self._before.is_at_war(self._check.nation, one)]

    def _says(self, kind: str, nation: str) -> bool:
        """Return whether the nation announces a treaty too, now or in an open offer.

        A NAP counts as peace.
        """
        check = self._check
        kinds = (kind, NAP) if kind == PEACE else (kind,)
        now = any(
            isinstance(order, Treaty) and order.nation == nation and order.kind in kinds
            for order in check.orders
        )
        return now or any(
            (offer.by, offer.to) == (check.nation, nation) and offer.kind in kinds
            for offer in check.world.offers
        )

    def _withdraw(self, kind: str, nation: str) -> Phrase | None:
        check = self._check
        if kind == DEAL:
            is_open = any((d.by, d.to) == (check.nation, nation) for d in check.world.deals)
        else:
            is_open = any(
                (offer.kind, offer.by, offer.to) == (kind, check.nation, nation)
                for offer in check.world.offers
            )
        return None if is_open else check.make_refusal("e-treaty-open", what=kind, nation=nation)

    def _cancel(self, kind: str, nation: str) -> Phrase | Redundant | None:
        check = self._check
        ended = bond(kind, check.nation, nation)
        if ended in between(check.world, check.nation, nation):
            return None
        if ended in between(self._before, check.nation, nation):
            return Redundant(check.make_refusal("w-treaty-ended", what=kind, nation=nation))
        return check.make_refusal("e-treaty-none", what=kind, nation=nation)

    def _given_before(self, items: tuple[Item, ...], nation: str) -> Phrase | Redundant | None:
        """Remove land that is already due to the nation from a gift (N-111)."""
        check, land = self._check, self._check.world.provinces
        due = [
            n for n in items
            if isinstance(n, int) and (land[n].owner, land[n].due_to) == (check.nation, nation)
        ]  # fmt: skip
        if not due:
            return None
        rest = tuple(item for item in items if item not in due)
        note = check.make_refusal(
            "w-owner-sold", places=tuple(map(check.place, due)), nation=nation
        )
        fault = self._gives(rest, nation)
        return fault or Redundant(note, Give(rest, nation) if rest else None)

    def _note_land(self, order: Give) -> Redundant | None:
        """Return a note on the provinces that are given away for nothing."""
        land = tuple(self._check.place(n) for n in order.items if isinstance(n, int))
        if not land:
            return None
        note = self._check.make_refusal("w-give", places=land, count=len(land), nation=order.nation)
        return Redundant(note, order)

    def _gives(self, items: tuple[Item, ...], nation: str) -> Phrase | None:
        """Check the items that the nation itself gives (N-74, N-92, N-109)."""
        check = self._check
        for item in items:
            if isinstance(item, int):
                province = check.world.provinces[item]
                if province.owner != check.nation:
                    return check.make_refusal("e-owner", place=check.place(item))
                if check.world.nations[check.nation].capital == item:
                    return check.make_refusal("e-site-capital-sold", place=check.place(item))
                if province.due_to:
                    return check.make_refusal(
                        "e-owner-sold", place=check.place(item), nation=province.due_to
                    )
            elif item not in check.world.nations[check.nation].techs:
                return check.make_refusal("e-tech", tech=item)
        return self._untradeable(items)

    def _untradeable(self, items: tuple[Item, ...]) -> Phrase | None:
        techs = self._check.world.board.techs
        for item in items:
            if isinstance(item, str) and any(e.key == UNTRADEABLE for e in techs[item].effects):
                return self._check.make_refusal("e-site-landing", tech=item)
        return None

    def _wants(self, items: tuple[Item, ...], nation: str) -> Phrase | None:
        """Check the items that the nation wants.

        Ownership of land is public, the technologies of others are not.
        """
        check = self._check
        coming = {item for item in items if isinstance(item, str)}
        for item in items:
            if isinstance(item, int):
                if check.world.provinces[item].owner != nation:
                    return check.make_refusal(
                        "e-owner-other", place=check.place(item), nation=nation
                    )
            elif item in check.world.nations[check.nation].techs:
                return check.make_refusal("e-known", tech=item)
            elif fault := self._lacks(item, coming):
                return fault
        return self._untradeable(items)

    def _lacks(self, tech: str, coming: set[str]) -> Phrase | None:
        """Return a refusal if a requirement of a technology is missing (E-QUEUE)."""
        check = self._check
        known = check.world.nations[check.nation].techs | coming
        missing = [need for need in check.world.board.techs[tech].requires if need not in known]
        return check.make_refusal("e-queue", tech=tech, needs=tuple(missing)) if missing else None

    def _research(self, techs: tuple[str, ...]) -> Phrase | Redundant | None:
        """Check that requirements are known or earlier in the queue (N-90).

        Known technologies are left out. A queue of only these is refused.
        """
        check = self._check
        known = [tech for tech in techs if tech in check.world.nations[check.nation].techs]
        rest = tuple(tech for tech in techs if tech not in known)
        before: set[str] = set()
        for tech in rest:
            if fault := self._lacks(tech, before):
                return fault
            before.add(tech)
        if not known:
            return self._note_interruption(rest)
        if not rest:
            return check.make_refusal("e-known", tech=known[0])
        return Redundant(check.make_refusal("w-known", techs=tuple(known)), Research(rest))

    def _note_interruption(self, techs: tuple[str, ...]) -> Redundant | None:
        """Return a note on projects that a new queue drops or delays (N-88)."""
        check = self._check
        now = check.world.nations[check.nation]
        gone = tuple(tech for tech in now.queue if tech not in techs)
        if gone:
            return Redundant(
                check.make_refusal("w-queue-gone", techs=gone, count=len(gone)), Research(techs)
            )
        project = project_of(check.world, check.nation)
        done = now.progress.get(project, 0) if project else 0
        if not project or not done or techs[0] == project:
            return None
        cost = check.world.board.techs[project].cost
        note = check.make_refusal(
            "w-queue-later", tech=project, done=done, cost=cost, first=techs[0]
        )
        return Redundant(note, Research(techs))

    def _refuse_foreign_provinces(self, provinces: tuple[int, ...]) -> Phrase | None:
        check = self._check
        for n in provinces:
            if check.world.provinces[n].owner != check.nation:
                return check.make_refusal("e-owner", place=check.place(n))
        return None

    def _without_headquarters(self, order: Spawn) -> Redundant | None:
        """Return a note on listed provinces in which no army can appear (N-24)."""
        check = self._check
        bare = [
            n for n in order.provinces
            if "HQ" not in check.world.provinces[n].improvements
            and check.world.nations[check.nation].capital != n
        ]  # fmt: skip
        if not bare:
            return None
        return Redundant(
            check.make_refusal("w-spawn-hq", places=tuple(map(check.place, bare))), order
        )

    def _traits(self, names: tuple[str, ...]) -> Phrase | None:
        points = sum(self._check.world.board.traits[name].points for name in names)
        return self._check.make_refusal("e-limit-traits", points=points) if points < 0 else None
