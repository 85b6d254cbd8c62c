"""Mails that waited for their sender's address: carried out when he confirms it.

They are read again from the store and given to the desk in the order of arrival, inside the
transaction of the mail that confirms; each is answered by itself.
"""

import traceback
from collections.abc import Callable, Mapping, Sequence

from judge.daemon.works import Works
from judge.errors import StoreError
from judge.mail.address import Ours
from judge.mail.reader import read_mail
from judge.mail.sheet import read_sheet
from judge.store.people import Held
from judge.store.sentletters import SentLetters
from judge.words.command import Sheet
from judge.words.incoming import Incoming
from judge.words.record import StoredMail


def prepare_waiting(works: Works, ours: Ours, waiting: Sequence[Held]) -> None:
    """Do the slow work on the passwords of mails that a confirmation will set free."""
    for held in waiting:
        stored = works.post.get(held.mail)
        if stored is not None:
            works.desk.prepare(*_read(works, ours, stored), released=True)


def release(
    works: Works, ours: Ours, waiting: Sequence[Held],
    set_aside: Callable[[StoredMail, frozenset[int], str], None],
) -> int:
    """Carry out what waited for a confirmation, and queue the answers; return how many letters.

    A mail that we fail on is undone and given to `set_aside` with the story; the others go on.

    Raises:
        StoreError: the database cannot be used now.
    """
    many = 0
    contested = _contested(works, ours, waiting)
    for held in waiting:
        stored = works.post.get(held.mail)
        if stored is None:
            continue
        try:
            with works.store.savepoint():
                incoming, sheet = _read(works, ours, stored)
                letters = works.desk.handle(
                    incoming, sheet, only=held.lines, contested=contested
                )
                many += works.queue(letters, held.mail)
        except StoreError:
            raise
        except Exception:
            # One mail that we cannot work must not stop the others.
            set_aside(stored, held.lines, traceback.format_exc())
    if waiting:
        works.office.people.let_go(waiting[0].address)
    return many


def _contested(
    works: Works, ours: Ours, waiting: Sequence[Held]
) -> Mapping[tuple[str, str], int]:
    """Return the seats for which mails that waited give different passwords."""
    sheets: list[tuple[int, Sheet]] = []
    for held in waiting if len(waiting) > 1 else ():
        stored = works.post.get(held.mail)
        try:
            if stored is not None:
                sheet = _read(works, ours, stored)[1]
                kept = tuple(one for one in sheet.commands if one.line in held.lines)
                sheets.append((held.mail, Sheet(kept)))
        except Exception:
            # It is set aside with its story when it is carried out.
            continue
    return works.desk.contested(sheets)


def _read(works: Works, ours: Ours, stored: StoredMail) -> tuple[Incoming, Sheet]:
    incoming = read_mail(stored, ours, works.config.listen.trust, SentLetters(works.store))
    return incoming, read_sheet(works.language, incoming.lines)
