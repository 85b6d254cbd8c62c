"""Orders of Fords in the lines of a mail."""

from collections.abc import Sequence

from lark import Tree, UnexpectedInput

from judge.games.system import LineRead, OrdersRead
from judge.grammar_loader import load_grammar
from judge.model.incoming import Line
from judge.model.phrase import Complaint, ComplaintKind, Phrase, phrase
from judge_fords.river import Order, River, read_sheet, write_orders


def parse_order(text: str) -> Order | None:
    """Return the order in a text, or None."""
    try:
        tree: Tree[str] = load_grammar("orders", package="judge_fords").parse(text.strip())
    except UnexpectedInput:
        return None
    words = [str(token) for token in tree.children]
    match str(tree.data):
        case "send" | "withdraw" as verb:
            return Order(verb, int(words[0]), words[1].capitalize())
        case "clear":
            return Order("clear", ford=words[0].capitalize())
    return Order("pass")


def read_lines(river: River, lines: Sequence[Line], power: str | None, sheet: str) -> OrdersRead:
    """Read the lines of one mail for the camp whose turn it is.

    ORDERS … END replaces all orders on file. Other lines are added to them.
    """
    camp = river.mover
    if power not in (camp, None):
        reason = phrase("not-your-turn", camp=camp)
        refused = (_refuse_line(line, ComplaintKind.NOT_ALLOWED, reason) for line in lines)
        return OrdersRead({}, tuple(refused))
    orders, told = [*read_sheet(sheet)], list[LineRead]()
    for line in lines:
        match line.text.split("#")[0].upper().split():
            case ["ORDERS"]:
                orders.clear()
                told.append(LineRead(line))
            case ["END"] | []:
                told.append(LineRead(line))
            case _:
                told.append(_lay(river, orders, line))
    changed = {} if tuple(orders) == read_sheet(sheet) else {camp: write_orders(orders)}
    return OrdersRead(changed, tuple(told))


def _lay(river: River, orders: list[Order], line: Line) -> LineRead:
    """Add the order of a line to those before it, if it is legal.

    After PASS, which ends a list, a new one begins.
    """
    order = parse_order(line.text.split("#")[0])
    if order is None:
        return _refuse_line(line, ComplaintKind.UNREADABLE, phrase("no-order-of-fords"))
    kept = [] if Order("pass") in orders else [*orders]
    before = river
    for each in kept:
        before = before.apply_order(each)
    if before.lacks(order):
        reason = phrase("too-few-troops", camp=river.mover)
        return _refuse_line(line, ComplaintKind.ILLEGAL, reason)
    orders[:] = [*kept, order]
    return LineRead(line, filed=(str(order),))


def _refuse_line(line: Line, kind: ComplaintKind, reason: Phrase) -> LineRead:
    return LineRead(line, complaint=Complaint(kind, line.number, line.text, reason))
