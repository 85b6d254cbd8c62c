"""Rate limits of replies, against floods of strangers and loops with programs.

RFC 3834, 2: an automatic responder must prevent loops and floods. Mail that declares itself
automatic is never answered (`mail/inbound/automatic_mail`). These limits are for other mail. All
counts are in the database, so that they apply to all processes and survive restarts.
"""

from collections.abc import Callable
from datetime import datetime, timedelta

from judge.model.command import ParsedMail
from judge.model.letter import Letter, LetterKind
from judge.store.people import People

HOUR = timedelta(hours=1)
FLOOD_THRESHOLD = 40
"""Number of strangers below which there is no flood. Each has its own limit."""
MIN_HOURLY_OCTETS = 192 * 1024
"""Octets an hour that strangers get in any case during a flood."""
HTML_HOURLY_OCTETS = 64 * 1024
"""Octets an hour to strangers above which their replies are text only.

More of them fit into the limit then.
"""
NORMAL_HOURLY_OCTETS = 8 * 2**20
"""Octets an hour that strangers get in any case without a flood."""
MAX_OCTETS_PER_ADDRESS = 512 * 1024
"""Octets of text an hour to an address whose mails opened no seat."""
LETTER_SIZE = 8 * 1024
"""Approximate octets of the longest letter to a stranger."""
MAX_FRUITLESS_REPLIES = 60
"""Maximum replies an hour to mails without effect, sent to a reply address.

A mail with an effect resets the count.
"""

_BY_PASSWORD = ("game", "password")
"""Fields of the commands that open a seat of a game by its password."""
_SAID = ("done", "infos", "orders")


def may_go_to_strangers(addresses: int, octets: int, came: Callable[[], int]) -> bool:
    """Return whether strangers may get another letter this hour.

    *addresses* is the number of strangers with letters this hour, *octets* is the size of these.
    Above the floor they get at most as many octets as were received. *came* returns these, and is
    only called then.
    """
    floor = NORMAL_HOURLY_OCTETS if addresses < FLOOD_THRESHOLD else MIN_HOURLY_OCTETS
    return octets + LETTER_SIZE <= floor or octets + LETTER_SIZE <= came()


def may_send_html(octets: int) -> bool:
    """Return whether a letter to a stranger may include HTML.

    *octets* is the size of letters to strangers this hour.
    """
    return octets + LETTER_SIZE <= HTML_HOURLY_OCTETS


def is_reply_suppressed(
    people: People,
    sender: str,
    detail: str,
    sheet: ParsedMail,
    letters: list[Letter],
    now: datetime,
) -> bool:
    """Return whether replies to this sender are suppressed as a mail loop.

    Mails without effect are counted. A program that answers each reply, and does not declare itself
    automatic, knows its seat's reply address but no password, and its mails have no effect.
    """
    if not detail or any(
        all(hasattr(one, name) for name in _BY_PASSWORD) for one in sheet.commands
    ):
        return False
    what = f"fruitless {sender.casefold()}"
    if any(map(_had_effect, letters)):
        people.forget_served(what)
        return False
    if people.served_since(what, now - HOUR) >= MAX_FRUITLESS_REPLIES:
        return True
    people.record_served(what, 1, now)
    return False


def _had_effect(letter: Letter) -> bool:
    """Return whether a letter reports an effect or content, or is for another person."""
    if not letter.answers or letter.kind is LetterKind.PRESS:
        return True
    done, infos, orders = (letter.facts.get(name, ()) for name in _SAID)
    filed = isinstance(orders, list) and any(one.filed for one in orders)
    return bool(done or infos or filed) and letter.kind is not LetterKind.ERROR
