"""The rate limit of answers: no floods of strangers, no loops with machines that hide it.

RFC 3834, 2: who answers by himself sees to it that neither a loop nor a flood comes of it. The
letters of machines that say so are never answered at all (`mail/inbound/automatic`);
this is for the others. All that is counted is in the database, so that all judges at one count
together, and one that begins anew knows what was.
"""

from collections.abc import Callable
from datetime import datetime, timedelta

from judge.model.command import Sheet
from judge.model.letter import Kind, Letter
from judge.store.people import People

HOUR = timedelta(hours=1)
FEW = 40
"""Addresses of strangers that are no flood: each has its own limit."""
FLOOR = 192 * 1024
"""Octets an hour that strangers get from us in any case."""
PAGES = 64 * 1024
"""Of these, what goes before answers to strangers are text alone: then there are more of them."""
FEW_OCTETS = 8 * 2**20
"""The same while they are no flood."""
TO_ONE = 512 * 1024
"""Octets of text an hour to one of them, or to anybody else whose seat was not opened."""
ROOM = 8 * 1024
"""Octets of the longest letter to a stranger, about."""
MOST_FRUITLESS = 60
"""Answers in a row and in an hour, to a reply address, to mails that changed nothing."""

_BY_PASSWORD = ("game", "password")
"""Fields of the commands that open a seat of a game by its password."""
_SAID = ("done", "infos", "orders")


def may_go_to_strangers(addresses: int, octets: int, came: Callable[[], int]) -> bool:
    """Tell whether a letter more may go to strangers, to so many of whom so many octets went this
    hour: where that is much they get no more than came in, which is asked for only then."""
    floor = FEW_OCTETS if addresses < FEW else FLOOR
    return octets + ROOM <= floor or octets + ROOM <= came()


def may_be_a_page(octets: int) -> bool:
    """Tell whether a letter to a stranger may be HTML, too, after so many octets this hour."""
    return octets + ROOM <= PAGES


def holds(
    people: People, sender: str, detail: str, sheet: Sheet, letters: list[Letter], now: datetime
) -> bool:
    """Tell whether the answers to a mail are kept back; those to mails that led to nothing count.

    A program that answers each of our answers, and does not say that it is one, knows its seat's
    reply address but no password; and what it writes leads to nothing.
    """
    if not detail or any(
        all(hasattr(one, name) for name in _BY_PASSWORD) for one in sheet.commands
    ):
        return False
    what = f"fruitless {sender.casefold()}"
    if any(map(_is_of_use, letters)):
        people.forget_served(what)
        return False
    if people.served(what, now - HOUR) >= MOST_FRUITLESS:
        return True
    people.serve(what, 1, now)
    return False


def _is_of_use(letter: Letter) -> bool:
    """Tell whether a letter says that something was done or shown, or is for somebody else."""
    if not letter.answers or letter.kind is Kind.PRESS:
        return True
    done, infos, orders = (letter.facts.get(name, ()) for name in _SAID)
    filed = isinstance(orders, list) and any(one.filed for one in orders)
    return bool(done or infos or filed) and letter.kind is not Kind.ERROR
