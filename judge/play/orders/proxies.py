"""Units that one player lets another order: who must hear of it, and whose order is waited for."""

from collections.abc import Collection, Iterable

from judge.games.system import Table, Trust
from judge.play.game import Game
from judge.play.letters.telling import notice_to
from judge.play.office import is_present, player_seats, seat_of_power
from judge.words.letter import Kind, Letter
from judge.words.reason import Reason, because
from judge.words.record import Seat, SeatState


def trusts_now(game: Game) -> tuple[Trust, ...]:
    """Return all that players let each other order in the present phase."""
    return game.table.trusts(game.orders(game.phase))


def sheet_facts(game: Game, power: str) -> dict[str, object]:
    """Return the facts of a power's sheet, with the units of others that it may order."""
    return sheets_facts(game, [power])[0]


def sheets_facts(
    game: Game, powers: Iterable[str]
) -> list[dict[str, object]]:
    """Return the facts of several powers' sheets, which are asked for and read once."""
    table, sheets = game.table, game.orders(game.phase)
    trusts = table.trusts(sheets)
    return [
        {
            **table.show_sheet(power, sheets.get(power, "")),
            "entrusted": [trust for trust in trusts if trust.holder == power],
        }
        for power in powers
    ]


def awaited(game: Game, table: Table) -> list[Seat]:
    """Return the held seats that have not yet ordered a unit somebody lets them order.

    A phase does not end early without them, but its deadline does not wait: they owe nothing.
    """
    trusts = table.trusts(game.orders(game.phase))
    holders = {trust.holder for trust in trusts if not trust.order}
    return [
        seat
        for seat in player_seats(game)
        if seat.power in holders and seat.state is SeatState.HELD and not seat.ready
    ]


def tell_holders(
    game: Game, before: Collection[Trust], after: Collection[Trust]
) -> list[Letter]:
    """Make the letters to those whose proxies changed."""
    news: dict[str, list[Reason]] = {}
    for code, gone, come in (("proxy-taken", after, before), ("proxy-lent", before, after)):
        known = trust_keys(gone)
        for trust in come:
            if trust_key(trust) not in known:
                reason = because(code, owner=trust.owner, unit=trust.unit, phase=game.phase)
                news.setdefault(trust.holder, []).append(reason)
    letters = []
    for power, reasons in news.items():
        seat = seat_of_power(game, power)
        if seat and is_present(seat):
            letters.append(notice_to(game, seat, reasons, Kind.NOTICE))
    return letters


def trust_key(trust: Trust) -> tuple[str, str, str]:
    """Return what makes two grants of a unit the same."""
    return trust.owner, trust.holder, trust.unit


def trust_keys(trusts: Collection[Trust]) -> frozenset[tuple[str, str, str]]:
    """Return those of several."""
    return frozenset(map(trust_key, trusts))
