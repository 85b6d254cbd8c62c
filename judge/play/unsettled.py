"""Refused lines of orders that keep a phase from ending early.

They are stored next to the orders, under a phase of their own. A refused line is settled by a
later mail whose orders are all filed, by DROP, by READY, or by the deadline. No text of a
settled line is stored, so the same line is read again when it is sent again.
"""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from judge.games.system import LineRead
from judge.model.record import Seat
from judge.play.game import Game

UNSETTLED = "refused lines"
"""The phase under which the lines are stored."""
MAX_LINES = 40
MAX_CHARS = 200
"""Characters of a line that are compared."""


@dataclass(frozen=True, slots=True)
class RefusedLines:
    """Lines that a power has to correct or drop."""

    open: tuple[str, ...] = ()
    unread: int = 0
    """Lines below a failed sign-on. Their text is not stored, as it may contain a password."""

    @property
    def are_pending(self) -> bool:
        """True if a line is still to be corrected or dropped."""
        return bool(self.open or self.unread)


def refused_lines(game: Game, power: str) -> RefusedLines:
    """Return the refused lines of a power in the present phase."""
    text = game.orders(UNSETTLED).get(power, "")
    if not text:
        return RefusedLines()
    found = json.loads(text)
    if found["phase"] != game.phase:
        return RefusedLines()
    return RefusedLines(tuple(found["open"]), found.get("unread", 0))


def has_open_lines(game: Game, seats: Iterable[Seat]) -> bool:
    """Return whether one of these seats has still to correct or drop a refused line.

    Pass only seats that have something to decide, as others keep no phase waiting.
    """
    return any(refused_lines(game, seat.power).are_pending for seat in seats)


def note_lines(
    game: Game, power: str, lines: Sequence[LineRead], above: Sequence[LineRead] = ()
) -> bool:
    """Store the refused lines of a mail, or settle older ones if none is refused.

    Refused lines of the same mail, among those *above*, are not settled so. Return whether
    anything changed.
    """
    before = refused_lines(game, power)
    refused = [_plain(read.line.text) for read in lines if read.complaint]
    filed = any(read.filed or read.withdrawn for read in lines)
    if refused:
        _store(game, power, replace(before, open=_unique((*before.open, *refused))))
    elif filed and before.are_pending:
        of_mail = [read for read in above if is_open(game, power, read)]
        _store(game, power, RefusedLines(_unique(_plain(read.line.text) for read in of_mail)))
    else:
        return False
    return True


def note_unread_lines(game: Game, power: str, count: int) -> None:
    """Store how many lines of a mail did not count, as a sign-on above them failed."""
    _store(game, power, replace(refused_lines(game, power), unread=count))


def is_open(game: Game, power: str, read: LineRead) -> bool:
    """Return whether a line was refused and not dropped since."""
    found = {line.casefold() for line in refused_lines(game, power).open}
    return read.complaint is not None and _plain(read.line.text).casefold() in found


def settle_lines(game: Game, power: str) -> int:
    """Settle the refused lines of a power and return their number."""
    before = refused_lines(game, power)
    if before.are_pending:
        _store(game, power, RefusedLines())
    return len(before.open) + before.unread


def _store(game: Game, power: str, lines: RefusedLines) -> None:
    value = {"phase": game.phase, "open": lines.open, "unread": lines.unread}
    text = json.dumps(value, ensure_ascii=False) if lines.are_pending else ""
    game.file_orders(UNSETTLED, power, text)


def _plain(text: str) -> str:
    return " ".join(text.split())[:MAX_CHARS]


def _unique(lines: Iterable[str]) -> tuple[str, ...]:
    """Return the last lines, each once regardless of its capitalisation."""
    return tuple({line.casefold(): line for line in lines}.values())[-MAX_LINES:]
