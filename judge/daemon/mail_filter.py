"""Selection of the mails in a mailbox that are for the judge.

The mailbox may be shared with a person. A mail that is not for the judge is neither changed nor
stored.
"""

import logging
from collections.abc import Iterable
from typing import NamedTuple

from judge.daemon.application import Application
from judge.daemon.mail_reader import MailReader, find_answered_detail, find_answered_letter
from judge.errors import StoreError
from judge.mail.address import JudgeAddresses, addresses
from judge.mail.imap.account import read_account
from judge.mail.inbound.automatic_mail import LIST, NOTICE, classify, presumed_of
from judge.mail.inbound.envelope import Envelope, read_envelope
from judge.mail.inbound.mime import Entity
from judge.mail.inbound.reader import list_answered_ids
from judge.model.incoming import Arrival
from judge.model.record import NO_ID, StoredMail

log = logging.getLogger("judge.fetch")

_BULK = {LIST, NOTICE}
"""Kinds of mail that is left in the mailbox, unless it opens a seat."""


class Selection(NamedTuple):
    """Envelope of a mail, and whether the mail is to be fetched."""

    envelope: Envelope
    """Its recipient is empty if no header names the judge."""
    is_wanted: bool


NOT_ADDRESSED = Selection(Envelope("", ""), False)


class MailFilter:
    """Filter of the mails in the mailbox of the configuration."""

    def __init__(self, application: Application) -> None:
        self._application = application
        self._reading = MailReader(application)
        config = application.config
        self.ours = JudgeAddresses(config.judge.address, config.judge.keeper, config.listen.detail)
        user, judge = read_account(config.fetch.from_).user.lower(), config.judge.address.lower()
        is_sub_address = config.listen.separator in judge.rpartition("@")[0]
        self._is_shared = is_sub_address and user != judge

    def select(self, head: bytes, is_big: bool) -> Selection:
        """Return whether a mail may be for the judge, by its header.

        In a shared mailbox, a stranger's mail is not fetched if it *is_big*.
        """
        try:
            message = Entity(head)
            envelope = self._read_envelope(head, message)
            if not envelope.recipient:
                return NOT_ADDRESSED
            sender = envelope.sender
            author = _author(message) or sender
            kind = classify(message, author, sender, self.ours)
            is_bulk = not {kind, presumed_of(message, author, sender)}.isdisjoint(_BULK)
            is_doubtful = is_bulk or (
                is_big and self._is_shared and not self._application.is_known(author)
            )
            is_wanted = not is_doubtful or bool(self._find_detail(envelope, message))
            return Selection(envelope, is_wanted)
        except StoreError:
            raise
        except Exception:
            # A mail that cannot be parsed must not stop the others. It stays where it is.
            log.exception("a mail of the mailbox cannot be parsed, and is left there")
            return NOT_ADDRESSED

    def _read_envelope(self, head: bytes, message: Entity) -> Envelope:
        """Return the envelope of a mail.

        A bounce of a letter is to the judge, even if it names only the account that sent it.
        """
        envelope = read_envelope(head, self.ours)
        is_bounce = not envelope.recipient and not envelope.sender
        if not is_bounce or not self._application.config.deliver.has_login:
            return envelope
        letter = self._application.post.letter_named(list_answered_ids(message))
        return envelope if letter is None else Envelope("", self.ours.judge)

    def _find_detail(self, envelope: Envelope, message: Entity) -> str:
        """Return the detail of the judge's address, or of the letter that a mail answers."""
        detail = self.ours.detail_of(envelope.recipient)
        if detail or self._application.config.listen.detail:
            return detail
        ids = list_answered_ids(message)
        return find_answered_detail(self._application, _author(message), ids)

    def is_wanted(self, envelope: Envelope, arrival: Arrival) -> bool:
        """Return whether a mail to the judge is to be stored.

        A stranger without a command gets help only if the mail certainly is for the judge: in a
        mailbox of its own, with the judge in To or Cc, and from a sender that is not forged.
        """
        message = Entity(arrival.raw)
        author = _author(message) or envelope.sender
        if self._find_detail(envelope, message) or self._application.is_known(author):
            return True
        try:
            return self._concerns_judge(message, arrival)
        except StoreError:
            raise
        except Exception:
            # The worker fails too, and reports it.
            log.exception("a mail of the mailbox cannot be parsed")
            return True

    def _concerns_judge(self, message: Entity, arrival: Arrival) -> bool:
        """Return whether a stranger's mail has a command, or may be answered without one."""
        now = self._application.clock.now()
        stored = StoredMail(NO_ID, now, arrival.sender, arrival.recipients, arrival.raw)
        read = self._reading.read_whole(stored)
        if read.kept or self._application.dispatcher.has_instruction(read.incoming, read.sheet):
            return True
        named = (value for name in ("to", "cc") for value in message.all(name))
        is_named = any(map(self.ours.is_judge, (one for each in named for one in addresses(each))))
        return is_named and not self._is_shared and not read.incoming.forged

    def count_replies(self, heads: Iterable[bytes]) -> int:
        """Return the number of mails, given by their headers, that answer letters."""
        return sum(map(self._is_reply, heads))

    def _is_reply(self, head: bytes) -> bool:
        message = Entity(head)
        ids = list_answered_ids(message)
        return bool(find_answered_letter(self._application, _author(message), ids))


def _author(message: Entity) -> str:
    """Return the first From address, or an empty string."""
    return next(iter(addresses(message.first("from"))), "")
