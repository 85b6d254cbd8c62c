"""Visibility in blind games: the only module that limits what a viewer sees.

A power sees its own units and centres, all that is next to them by army or fleet, and the outcome
of orders there. Observers see nothing, and the master sees all. All letters, pictures, readings and
previews for a viewer are made of the position and the record from here, so that two games that look
the same here look the same in every letter.

Some facts cannot be hidden: the phase (a retreat phase needs a dislodged unit), the number of
powers left, vacant powers, a draw that is near, and all that a player's own orders find out: a
support succeeds or fails, a battle has certain strengths.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from judge.board.map import Map, province_of
from judge.board.position import Dislodged, Position
from judge.dice import Dice
from judge.games.capabilities import Menu
from judge.games.diplomacy.rules.adjudicate import AdjudicationResult, TurnResult
from judge.games.diplomacy.rules.orders import (
    Build,
    Convoy,
    Disband,
    Hold,
    Move,
    Order,
    Retreat,
    Support,
    Verdict,
    Waive,
    unit_of,
)
from judge.games.diplomacy.rules.ruleset import Rules
from judge.games.diplomacy.table import DiplomacyTable
from judge.games.diplomacy.views.order_sheet import lent_units
from judge.games.diplomacy.views.phone_view import Failed, front_sketch
from judge.games.diplomacy.views.pictures import VisibleArea, board_sketch, orders_sketch
from judge.games.diplomacy.views.record import DiplomacyRecord
from judge.games.diplomacy.views.standing import place_facts, standing_facts
from judge.games.letter_facts import Places, PositionFacts, SheetFacts
from judge.games.system import LineRead, OrdersRead, Viewer, ViewerRole
from judge.model.incoming import Line
from judge.model.phrase import Phrase, phrase

_WORD = re.compile("[A-Za-z]+")


def visible_provinces(
    board: Map, position: Position, power: str, more: Iterable[str] = ()
) -> frozenset[str]:
    """Return the provinces of a power's units and centres, and those around them.

    *more* are provinces in which it orders units of others.
    """
    held = {unit.province for unit in position.units.get(power, ())}
    held |= {beaten.unit.province for beaten in position.dislodged.get(power, ())}
    held |= {*position.centres(power), *more}
    return frozenset(held.union(*(board.near[province] for province in held)))


def seen_position(
    board: Map, position: Position, reader: Viewer, more: Iterable[str] = ()
) -> Position:
    """Return the visible part of a position for a viewer."""
    if reader.quality is ViewerRole.MASTER:
        return position
    power = reader.power
    sight = visible_provinces(board, position, power, more) if power else frozenset()
    units = {
        side.name: board.sort_units(
            [unit for unit in position.units.get(side.name, ()) if unit.province in sight]
        )
        for side in board.powers
    }
    return Position(
        phase=position.phase,
        units={owner: found for owner, found in units.items() if found},
        owners={centre: power for centre in position.centres(power)} if power else {},
        dislodged=_seen_beaten(board, position.dislodged, power, sight),
        contested=position.contested & sight,
    )


def _seen_beaten(
    board: Map,
    dislodged: Mapping[str, tuple[Dislodged, ...]],
    power: str,
    sight: frozenset[str],
) -> dict[str, tuple[Dislodged, ...]]:
    """Return the dislodged units in sight. Retreats are shown for own units only."""
    seen = {
        side.name: tuple(
            beaten._replace(origin=beaten.origin if beaten.origin in sight else "")
            if side.name == power
            else Dislodged(beaten.unit, retreats=())
            for beaten in dislodged.get(side.name, ())
            if beaten.unit.province in sight
        )
        for side in board.powers
    }
    return {owner: found for owner, found in seen.items() if found}


def apply_fog_to_record(board: Map, record: DiplomacyRecord, reader: Viewer) -> DiplomacyRecord:
    """Return the visible part of an adjudicated phase for a viewer."""
    if not record.blind or reader.quality is ViewerRole.MASTER:
        return record
    power, adjudged = reader.power, record.adjudged
    lent = [place for place, whose in record.by.items() if power and whose == power]
    sight = visible_provinces(board, record.before, power, lent) if power else frozenset()
    verdicts, glimpses = _seen_verdicts(board, record, power, sight)
    after = seen_position(board, adjudged.position, reader)
    known = {c for c, owner in record.before.owners.items() if power and owner == power}
    owners = {c: o for c, o in adjudged.position.owners.items() if c in known}
    is_near = adjudged.position.quiet_falls + 1 == record.quiet_limit
    return DiplomacyRecord(
        before=seen_position(board, record.before, reader, lent),
        adjudged=AdjudicationResult(verdicts, TurnResult(
            position=replace(
                after,
                owners={**after.owners, **owners},
                quiet_falls=adjudged.position.quiet_falls if is_near else 0,
            ),
            dislodged=_seen_beaten(board, adjudged.dislodged, power, sight),
            contested=adjudged.contested & sight,
            gained={c: o for c, o in adjudged.gained.items() if power and o == power or c in known},
            removed={power: adjudged.removed[power]} if power in adjudged.removed else {},
        )),
        ending=record.ending,
        quiet_limit=record.quiet_limit if is_near else 0,
        by={p: who for p, who in record.by.items() if p in lent or _is_own(record, p, power)},
        blind=True,
        glimpses=glimpses,
    )


def sight_in(board: Map, told: DiplomacyRecord, power: str) -> VisibleArea:
    """Return the provinces a power saw in a phase, from the record as visible to it."""
    lent = [place for place, whose in told.by.items() if whose == power]
    return VisibleArea(power, visible_provinces(board, told.before, power, lent))


def _is_own(record: DiplomacyRecord, province: str, power: str) -> bool:
    there = record.before.unit_at(province)
    return there is not None and there[0] == power


def _seen_verdicts(
    board: Map, record: DiplomacyRecord, power: str, sight: frozenset[str]
) -> tuple[dict[str, tuple[Verdict, ...]], dict[str, tuple[Verdict, ...]]]:
    """Return fully visible verdicts, and other units' orders that lead out of sight.

    Of the latter only the outcome is visible: each order is replaced by a hold.
    """
    full: dict[str, tuple[Verdict, ...]] = {}
    part: dict[str, tuple[Verdict, ...]] = {}
    for owner, found in record.adjudged.verdicts.items():
        for verdict in found:
            unit = unit_of(verdict.order)
            own = owner == power or unit and power and record.by.get(unit.province) == power
            if not own and (unit is None or unit.province not in sight):
                continue
            if own or places_of(verdict.order) <= sight:
                seen = verdict.with_reason(_seen_reason(board, verdict.reason, sight))
                full[owner] = (*full.get(owner, ()), seen)
            elif unit:
                glimpse = Verdict(Hold(unit), verdict.outcomes)
                part[owner] = (*part.get(owner, ()), glimpse)
    return full, part


def places_of(order: Order) -> frozenset[str]:
    """Return the provinces that an order names."""
    match order:
        case Waive():
            places: tuple[str, ...] = ()
        case Hold(unit) | Build(unit) | Disband(unit):
            places = (unit.place,)
        case Move(unit, to, _, route):
            places = (unit.place, to, *route)
        case Support(unit, other, to) | Convoy(unit, other, to):
            places = (unit.place, other.place, to or other.place)
        case Retreat(unit, to):
            places = (unit.place, to)
    return frozenset(map(province_of, places))


def _seen_reason(board: Map, reason: Phrase | None, sight: frozenset[str]) -> Phrase | None:
    """Return a reason, or "out-of-sight" if it names any place out of sight."""
    if reason is None:
        return None
    hidden = {abbr.upper() for abbr in board.provinces if abbr not in sight}
    for fact in reason.facts.values():
        texts = fact if isinstance(fact, tuple) else (str(fact),)
        if any(word.upper() in hidden for text in texts for word in _WORD.findall(str(text))):
            return phrase("out-of-sight")
    return reason


def describe_visibility(reader: Viewer) -> Phrase | None:
    """Return a phrase on what a viewer sees of a blind game, or None for the master."""
    match reader.quality:
        case ViewerRole.POWER:
            return phrase("blind-power", power=reader.power)
        case ViewerRole.OBSERVER:
            return phrase("blind-observer")
        case ViewerRole.MASTER:
            return None


class BlindTable(DiplomacyTable):
    """`Table` of a game in which only the master sees the whole board."""

    @property
    def has_hidden_information(self) -> bool:
        """True: viewers see different things."""
        return True

    def as_seen_by(self, reader: Viewer, sheets: Mapping[str, str] | None = None) -> DiplomacyTable:
        """Return the table as a viewer sees it, with the view of units ordered by proxy."""
        if reader.quality is ViewerRole.MASTER:
            return self
        return self._seen(reader, self._lent_to(reader.power, sheets or {}))

    def _seen(self, reader: Viewer, more: Iterable[str] = ()) -> "SeenTable":
        position = seen_position(self._board, self._position, reader, more)
        return SeenTable(self._board, position, self._rules, reader, frozenset(more))

    def _power(self, power: str, more: Iterable[str] = ()) -> "SeenTable":
        return self._seen(Viewer(ViewerRole.POWER, power), more)

    def read_orders(
        self, lines: Sequence[Line], power: str | None, sheets: Mapping[str, str]
    ) -> OrdersRead:
        """Parse lines by what their sender sees, so that no guess reveals other units."""
        if power is None:
            return super().read_orders(lines, None, sheets)
        return self._power(power, self._lent_to(power, sheets)).read_orders(lines, power, sheets)

    def _lent_to(self, power: str, sheets: Mapping[str, str]) -> list[str]:
        """Return the provinces in which a power orders units of others."""
        lent = lent_units(self._load_sheets(sheets))
        return [province for province, whose in lent.items() if whose == power]

    def carry_out(self, plan: str, power: str, sheets: Mapping[str, str]) -> OrdersRead:
        """Parse a plan as orders of this phase, with conditions on what the power sees."""
        return self._power(power, self._lent_to(power, sheets)).carry_out(plan, power, sheets)

    def menus(
        self, power: str | None, words: str, sheets: Mapping[str, str]
    ) -> tuple[Menu, ...] | Phrase:
        """Return the possible orders, as far as the power sees."""
        if power is None:
            return super().menus(None, words, sheets)
        return self._power(power, self._lent_to(power, sheets)).menus(power, words, sheets)

    def bot_sheet(self, power: str, sheet: str, dice: Dice) -> str:
        """Return the orders of a bot that sees what its power sees."""
        return self._power(power).bot_sheet(power, sheet, dice)

    def missing_orders(self, power: str, sheet: str) -> tuple[str | Phrase, ...]:
        """Return what a power has yet to decide."""
        return self._power(power).missing_orders(power, sheet)

    def show_sheet(self, power: str, sheet: str) -> SheetFacts:
        """Return the facts of a receipt, with warnings from what the power sees."""
        return self._power(power).show_sheet(power, sheet)

    def position_facts(self, reader: Viewer) -> PositionFacts:
        """Return the facts of the position as a viewer sees it."""
        if reader.quality is ViewerRole.MASTER:
            return super().position_facts(reader)
        return self._seen(reader).position_facts(reader)

    def places(self, reader: Viewer) -> Places:
        """Return the facts of the board, place by place, as a viewer sees it."""
        if reader.quality is ViewerRole.MASTER:
            return super().places(reader)
        return self._seen(reader).places(reader)

    def sketch(self, reader: Viewer) -> str:
        """Return the sketch of the board for a viewer.

        Empty if the viewer sees nothing.
        """
        if reader.quality is ViewerRole.MASTER:
            return super().sketch(reader)
        return self._seen(reader).sketch(reader)

    def sketch_orders(self, sheets: Mapping[str, str], reader: Viewer) -> str:
        """Return the sketch of orders on file for a viewer."""
        if reader.quality is ViewerRole.MASTER:
            return super().sketch_orders(sheets, reader)
        return self._seen(reader).sketch_orders(sheets, reader)

    def sketch_front(self, reader: Viewer, failed: Failed) -> str:
        """Return the sketch of a power's front, as the power sees it."""
        return self._seen(reader).sketch_front(reader, failed)

    def leaders(self) -> tuple[str, ...]:
        """Return all powers left, since the leaders are hidden."""
        return self.powers_alive()


class SeenTable(DiplomacyTable):
    """Position of a blind game as one viewer sees it, without claims on the rest."""

    def __init__(
        self,
        board: Map,
        position: Position,
        rules: Rules,
        reader: Viewer,
        more: frozenset[str] = frozenset(),
    ) -> None:
        super().__init__(board, position, rules)
        self._reader = reader
        self._more = more

    def _sight(self) -> VisibleArea | None:
        """Return the sight of the viewer, or None for viewers without a power."""
        power = self._reader.power
        if not power:
            return None
        return VisibleArea(power, visible_provinces(self._board, self._position, power, self._more))

    @property
    def has_hidden_information(self) -> bool:
        """True: viewers see different things."""
        return True

    def read_orders(
        self, lines: Sequence[Line], power: str | None, sheets: Mapping[str, str]
    ) -> OrdersRead:
        """Parse lines, without the claim that an unseen place is empty."""
        read = super().read_orders(lines, power, sheets)
        return replace(read, lines=tuple(map(_as_seen_there, read.lines)))

    def position_facts(self, reader: Viewer) -> PositionFacts:
        """Return the facts of the visible part, and a note on the limits."""
        facts = standing_facts(self._board, self._position, self._rules, only=self._reader.power)
        return replace(facts, sight=describe_visibility(self._reader))

    def places(self, reader: Viewer) -> Places:
        """Return the facts of the visible board by place, and a note on the limits."""
        facts = place_facts(self._board, self._position, unowned="?")
        return replace(facts, sight=describe_visibility(self._reader))

    def sketch(self, reader: Viewer) -> str:
        """Return the sketch of the visible part."""
        only = self._sight()
        return board_sketch(self._board, self._position, only=only) if only else ""

    def sketch_orders(self, sheets: Mapping[str, str], reader: Viewer) -> str:
        """Return the sketch of orders in the visible part."""
        only = self._sight()
        return orders_sketch(self._board, self._position, sheets, only=only) if only else ""

    def sketch_front(self, reader: Viewer, failed: Failed) -> str:
        """Return the sketch of the viewer's front."""
        only = self._sight()
        if only is None:
            return ""
        return front_sketch(self._board, self._position, only.power, failed, only=only)

    def show_sheet(self, power: str, sheet: str) -> SheetFacts:
        """Return the facts of a receipt, with warnings that allow for unseen units.

        Whether a convoy needs a fleet depends on fleets that the power may not see.
        """
        facts = super().show_sheet(power, sheet)
        told = (reason for reason in facts.warnings if reason.code != "fleet-not-needed")
        return replace(facts, warnings=tuple(map(self._as_seen, told)))

    def _as_seen(self, reason: Phrase) -> Phrase:
        order, place = str(reason.facts.get("order", "")), str(reason.facts.get("place", ""))
        seen = visible_provinces(self._board, self._position, self._reader.power)
        names = {self._board.provinces[province].name for province in seen}
        if reason.code in ("support-of-nobody", "convoy-of-nobody") and place not in names:
            return phrase("nobody-in-sight", order=order, place=place)
        if reason.code == "no-convoy-ordered":
            return phrase("no-convoy-in-sight", order=order)
        if reason.code == "no-convoy-link":
            return phrase("no-link-in-sight", order=order)
        if reason.code == "no-convoy-chain":
            return phrase("no-chain-in-sight", order=order)
        return reason


def _as_seen_there(line: LineRead) -> LineRead:
    complaint = line.complaint
    if complaint is None or complaint.reason.code != "no-unit-there":
        return line
    unseen = phrase("no-unit-in-sight", place=complaint.reason.facts["place"])
    return replace(line, complaint=replace(complaint, reason=unseen))
