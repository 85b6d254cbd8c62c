"""Youngstown positions for tests of the system's interface."""

from collections.abc import Mapping, Sequence

from scenes import unit

from judge.board.position import Dislodged, Position, parse_phase
from judge.dice import Dice
from judge.games.diplomacy import SYSTEM
from judge.games.diplomacy.boards import board
from judge.games.diplomacy.table import DiplomacyTable
from judge.games.diplomacy.views.record import dump_text
from judge.games.system import OrdersRead
from judge.model.incoming import Line

DICE = Dice(bytes(32), 1)
YOUNGSTOWN = board("youngstown")


def position(
    phase: str,
    units: Mapping[str, str],
    owners: Mapping[str, str] | None = None,
    dislodged: Mapping[str, Sequence[Dislodged]] | None = None,
) -> Position:
    """Return a Youngstown position. Without `owners` the home centres are owned."""
    homes = {p.abbr: p.home for p in YOUNGSTOWN.provinces.values() if p.home}
    owned = {c: power for power, cs in (owners or {}).items() for c in cs.split()}
    return Position(
        parse_phase(phase),
        {
            power: tuple(unit(text, YOUNGSTOWN) for text in listed.split(", ") if text)
            for power, listed in units.items()
        },
        homes if owners is None else owned,
        {power: tuple(found) for power, found in (dislodged or {}).items()},
    )


def table(found: Position | None = None, **options: object) -> DiplomacyTable:
    text = dump_text(found) if found else SYSTEM.initial_position("youngstown", {}, DICE)
    return SYSTEM.table("youngstown", text, options)


def read(
    at: DiplomacyTable, power: str | None, *texts: str, sheets: Mapping[str, str] | None = None
) -> OrdersRead:
    lines = [Line(number, text) for number, text in enumerate(texts, 1)]
    return at.read_orders(lines, power, sheets or {})
