"""Instructions in a mail: commands, and orders for the seat it opens.

List mail and absence notes often reach the judge without a person behind them. Such a mail counts
only where a password or a reply address opens a seat and the text tells that seat to do something
(RFC 3834, 2).
"""

from collections.abc import Sequence

from judge.model.command import Command, ParsedMail
from judge.model.incoming import Incoming
from judge.model.order_commands import ForPhase, GiveOrders, Heading
from judge.model.phrase import Complaint, ComplaintKind
from judge.model.record import GameState, Seat
from judge.model.seat_commands import SignOff
from judge.play.commands.parts import parts_of
from judge.play.commands.seats.signup import SignOn
from judge.play.future_orders import read_lines
from judge.play.game import Context
from judge.play.people.admission import seats_named
from judge.play.people.signon_throttle import token_opens
from judge.play.queries import system_missing
from judge.play.tokens import Purpose

_EMPTY = (SignOn, SignOff, ForPhase, Heading)
"""Commands that by themselves ask for nothing."""

Step = Command | Complaint


def has_instruction(
    context: Context, openings: tuple[type[Command], ...], mail: Incoming, sheet: ParsedMail
) -> bool:
    """Return whether a mail holds a command, or an order for its seat."""
    seat = _token_seat(context, mail)
    for part in _parts(sheet, openings):
        seat = _seat_of(context, mail, part[0], seat)
        if _instructs(context, part, seat):
            return True
    return False


def instructions_of(
    context: Context, openings: tuple[type[Command], ...], mail: Incoming, sheet: ParsedMail
) -> ParsedMail:
    """Return the commands that count of a mail that a program may have sent.

    They are the parts that sign on to a seat, or reply to a letter of it from its address, and
    hold a command or an order.
    """
    kept: list[Step] = []
    seat = _token_seat(context, mail) if token_opens(context, mail) else None
    for part in _parts(sheet, openings):
        opens = isinstance(part[0], openings)
        if opens:
            seat = _seat_of(context, mail, part[0], None) if isinstance(part[0], SignOn) else None
        if seat is not None and _instructs(context, part, seat):
            kept += part
    return ParsedMail(
        tuple(one for one in kept if not isinstance(one, Complaint)),
        tuple(one for one in kept if isinstance(one, Complaint)),
        sheet.unread, sheet.quoted, sheet.below, struck=sheet.struck,
    )


def _parts(sheet: ParsedMail, openings: tuple[type[Command], ...]) -> Sequence[list[Step]]:
    steps: list[Step] = [*sheet.commands, *sheet.complaints]
    return [*parts_of(sorted(steps, key=lambda step: step.line), openings)]


def _token_seat(context: Context, mail: Incoming) -> Seat | None:
    """Return the seat that takes commands at the reply address of a mail, or None."""
    token = context.tokens.read(mail.detail)
    is_for_commands = token is not None and token.purpose is Purpose.COMMANDS
    return context.games.seat(token.seat) if token and is_for_commands else None


def _seat_of(context: Context, mail: Incoming, first: Step, seat: Seat | None) -> Seat | None:
    """Return the seat that is open after the first step of a part.

    *seat* was open before it.
    """
    if not isinstance(first, SignOn):
        return seat
    game = context.games.find(first.game.lower())
    seats = seats_named(game, first.who, mail.sender) if game else []
    return seats[0] if seats else None


def _instructs(context: Context, part: Sequence[Step], seat: Seat | None) -> bool:
    for step in part:
        if isinstance(step, GiveOrders):
            if seat is not None and _are_orders(context, step, seat):
                return True
        elif isinstance(step, Heading) and step.rest:
            return True
        elif isinstance(step, Command) and not isinstance(step, _EMPTY):
            return True
    return False


def _are_orders(context: Context, given: GiveOrders, seat: Seat) -> bool:
    """Return whether a line is an order in the game of a seat, be it legal or not."""
    game = context.games.get(seat.game)
    if game.state not in (GameState.RUNNING, GameState.PAUSED) or system_missing(game):
        return False
    sheets = game.orders(game.phase)
    read = read_lines(game, game.table, given.lines, seat.power or None, sheets)
    return any(
        line.filed or line.kept
        or line.complaint is not None and line.complaint.kind is not ComplaintKind.UNREADABLE
        for line in read.lines
    )
