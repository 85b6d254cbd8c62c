"""The table of a blind game: asked for a power, it answers from what that power sees."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from judge.board.map import Map
from judge.board.position import Position
from judge.games.diplomacy.places import place_facts
from judge.games.diplomacy.proxies import lent_units
from judge.games.diplomacy.rules import Rules
from judge.games.diplomacy.sight import in_sight, seen_position, sight_told
from judge.games.diplomacy.sketches import board_sketch, orders_sketch
from judge.games.diplomacy.standing import standing_facts
from judge.games.diplomacy.table import DiplomacyTable
from judge.games.system import LineRead, Menu, OrdersRead, Reader, Watcher
from judge.words.incoming import Line
from judge.words.reason import Reason, because


class BlindTable(DiplomacyTable):
    """The `Table` of a game in which nobody but the master sees the whole board."""

    @property
    def hides(self) -> bool:
        """Readers see different things."""
        return True

    def seen_by(
        self, reader: Reader, sheets: Mapping[str, str] | None = None
    ) -> DiplomacyTable:
        """Return the table as a reader sees it, with what stands by units he orders by proxy."""
        if reader.quality is Watcher.MASTER:
            return self
        return self._seen(reader, self._lent_to(reader.power, sheets or {}))

    def _seen(self, reader: Reader, more: Iterable[str] = ()) -> "SeenTable":
        position = seen_position(self._board, self._position, reader, more)
        return SeenTable(self._board, position, self._rules, reader)

    def _power(self, power: str, more: Iterable[str] = ()) -> "SeenTable":
        return self._seen(Reader(Watcher.POWER, power), more)

    def read_orders(
        self, lines: Sequence[Line], power: str | None, sheets: Mapping[str, str]
    ) -> OrdersRead:
        """Read lines by what their writer sees: neither guesses nor doubts tell of more."""
        if power is None:
            return super().read_orders(lines, None, sheets)
        return self._power(power, self._lent_to(power, sheets)).read_orders(lines, power, sheets)

    def _lent_to(self, power: str, sheets: Mapping[str, str]) -> list[str]:
        """Return the provinces in which a power orders units of others."""
        lent = lent_units(self._loaded(sheets))
        return [province for province, whose in lent.items() if whose == power]

    def carry_out(self, plan: str, power: str, sheets: Mapping[str, str]) -> OrdersRead:
        """Read a plan as orders of this phase; its conditions are about what the power sees."""
        return self._power(power, self._lent_to(power, sheets)).carry_out(plan, power, sheets)

    def menus(
        self, power: str | None, words: str, sheets: Mapping[str, str]
    ) -> tuple[Menu, ...] | Reason:
        """Return the orders that can be given, as far as their giver sees."""
        if power is None:
            return super().menus(None, words, sheets)
        return self._power(power, self._lent_to(power, sheets)).menus(power, words, sheets)

    def missing(self, power: str, sheet: str) -> tuple[str, ...]:
        """Return what a power has yet to decide."""
        return self._power(power).missing(power, sheet)

    def show_sheet(self, power: str, sheet: str) -> Mapping[str, object]:
        """Return the facts of a receipt; its warnings know only what the power sees."""
        return self._power(power).show_sheet(power, sheet)

    def standing(self, reader: Reader) -> Mapping[str, object]:
        """Return the facts of the position as a reader sees it."""
        if reader.quality is Watcher.MASTER:
            return super().standing(reader)
        return self._seen(reader).standing(reader)

    def places(self, reader: Reader) -> Mapping[str, object]:
        """Return the facts of the board, place by place, as a reader sees it."""
        if reader.quality is Watcher.MASTER:
            return super().places(reader)
        return self._seen(reader).places(reader)

    def sketch(self, reader: Reader) -> str:
        """Return what a picture shows a reader; nothing to those who see nothing."""
        if reader.quality is Watcher.MASTER:
            return super().sketch(reader)
        return self._seen(reader).sketch(reader)

    def sketch_orders(self, sheets: Mapping[str, str], reader: Reader) -> str:
        """Return what a picture shows a reader of orders on file."""
        if reader.quality is Watcher.MASTER:
            return super().sketch_orders(sheets, reader)
        return self._seen(reader).sketch_orders(sheets, reader)

    def leaders(self) -> tuple[str, ...]:
        """Return all powers left: who is ahead is nobody's to know."""
        return self.alive()


class SeenTable(DiplomacyTable):
    """What one reader sees of a blind game's position; it does not claim to know more."""

    def __init__(self, board: Map, position: Position, rules: Rules, reader: Reader) -> None:
        super().__init__(board, position, rules)
        self._reader = reader

    @property
    def hides(self) -> bool:
        """Readers see different things."""
        return True

    def read_orders(
        self, lines: Sequence[Line], power: str | None, sheets: Mapping[str, str]
    ) -> OrdersRead:
        """Read lines; that nothing stands where nothing is seen is not claimed."""
        read = super().read_orders(lines, power, sheets)
        return replace(read, lines=tuple(map(_as_seen_there, read.lines)))

    def standing(self, reader: Reader) -> Mapping[str, object]:
        """Return the facts of what is seen, and what that is."""
        facts = standing_facts(self._board, self._position, self._rules, only=self._reader.power)
        return {**facts, "sight": sight_told(self._reader)}

    def places(self, reader: Reader) -> Mapping[str, object]:
        """Return the facts of the board, place by place, and what of it is seen."""
        facts = place_facts(self._board, self._position, unowned="?")
        return {**facts, "sight": sight_told(self._reader)}

    def sketch(self, reader: Reader) -> str:
        """Return what a picture shows of what is seen."""
        only = self._reader.power
        return board_sketch(self._board, self._position, only=only) if only else ""

    def sketch_orders(self, sheets: Mapping[str, str], reader: Reader) -> str:
        """Return what a picture shows of orders among what is seen."""
        only = self._reader.power
        return orders_sketch(self._board, self._position, sheets, only=only) if only else ""

    def show_sheet(self, power: str, sheet: str) -> Mapping[str, object]:
        """Return the facts of a receipt; where nothing is seen, something may stand."""
        facts = super().show_sheet(power, sheet)
        warnings = facts["warnings"]
        assert isinstance(warnings, list)
        return {**facts, "warnings": [self._as_seen(reason) for reason in warnings]}

    def _as_seen(self, reason: Reason) -> Reason:
        order, place = str(reason.facts.get("order", "")), str(reason.facts.get("place", ""))
        sight = in_sight(self._board, self._position, self._reader.power)
        if reason.code in ("support-of-nobody", "convoy-of-nobody") and place not in sight:
            return because("nobody-in-sight", order=order, place=place)
        if reason.code == "no-convoy-ordered":
            return because("no-convoy-in-sight", order=order)
        if reason.code == "no-convoy-chain":
            return because("no-chain-in-sight", order=order)
        return reason


def _as_seen_there(line: LineRead) -> LineRead:
    complaint = line.complaint
    if complaint is None or complaint.reason.code != "no-unit-there":
        return line
    unseen = because("no-unit-in-sight", place=complaint.reason.facts["place"])
    return replace(line, complaint=replace(complaint, reason=unseen))
