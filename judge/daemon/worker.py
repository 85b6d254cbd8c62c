"""The desk's work: the oldest mail nobody has read yet, in one transaction with all it causes."""

import logging
import traceback
from datetime import datetime

from judge.daemon.resolving import Resolving
from judge.daemon.works import Works
from judge.errors import StoreError
from judge.mail.address import Ours
from judge.mail.reader import read_mail
from judge.mail.sheet import read_sheet
from judge.words.command import Sheet
from judge.words.record import MailState, Outgoing, StoredMail

log = logging.getLogger("judge.worker")

_TRIES = 3
"""How often a mail is tried again when the storage failed under it."""


class Worker:
    """Works mails one by one, in the order of their 250s."""

    def __init__(self, works: Works, resolving: Resolving) -> None:
        self._works = works
        self._resolving = resolving
        config = works.config
        self._ours = Ours(config.judge.address, config.judge.keeper, config.listen.detail)
        self._failed: dict[int, int] = {}

    def step(self) -> bool:
        """Work the oldest new mail; return whether there was one.

        Games that were due before it was accepted are attended to first, as of that instant:
        what was late when it came is late. A fault of ours sets this mail aside and is told to
        the keeper.

        Raises:
            StoreError: the database cannot be used now; the mail is still new.
        """
        mail = self._works.post.next_new()
        if mail is None:
            return False
        self._resolving.tick(mail.accepted)
        try:
            self._work(mail)
        except StoreError:
            tries = self._failed[mail.id] = self._failed.get(mail.id, 0) + 1
            if tries < _TRIES:
                raise
            self._shunt(mail, traceback.format_exc())
        except Exception:
            # One mail that we cannot work must not stop the others.
            self._shunt(mail, traceback.format_exc())
        return True

    def _work(self, mail: StoredMail) -> None:
        works = self._works
        if not any(self._ours.is_judge(one) for one in mail.recipients):
            with works.store.transaction():
                if self._is_new(mail):
                    self._pass_on(mail)
                    self._finish(mail, MailState.DONE, "for the keeper")
            return
        incoming = read_mail(mail, self._ours)
        unanswered = incoming.machine or ("repeat" if works.post.is_repeat(mail) else "")
        sheet = Sheet(())
        if not unanswered:
            sheet = read_sheet(incoming.lines, press_reply=works.desk.is_press_reply(incoming))
            works.desk.prepare(incoming, sheet)
        with works.store.transaction():
            if not self._is_new(mail):
                return
            if any(self._ours.is_keeper(one) for one in mail.recipients):
                self._pass_on(mail)
            if unanswered:
                self._finish(mail, MailState.IGNORED, unanswered)
            else:
                letters = works.desk.handle(incoming, sheet)
                many = works.queue(letters, mail.id)
                self._finish(mail, MailState.DONE, f"{many} letters")

    def _is_new(self, mail: StoredMail) -> bool:
        """Tell, inside the transaction, whether no other process has worked the mail meanwhile."""
        found = self._works.post.get(mail.id)
        return found is not None and found.state is MailState.NEW

    def _finish(self, mail: StoredMail, state: MailState, note: str) -> None:
        self._works.post.finish(mail.id, state, note, self._works.clock.now())
        log.info("mail %d from <%s>: %s, %s", mail.id, mail.sender, state.value, note)

    def _pass_on(self, mail: StoredMail) -> None:
        """Queue a mail to the keeper as it is, under a trace header that ends loops.

        A mail that already was at the keeper's is not passed on again.
        """
        keeper = self._works.config.judge.keeper
        trace = f"Delivered-To: {keeper}".encode()
        heads = mail.raw.replace(b"\r\n", b"\n").partition(b"\n\n")[0].split(b"\n")
        if trace in heads:
            log.warning("mail %d is for the keeper and came back: not passed on", mail.id)
            return
        now = self._works.clock.now()
        out = Outgoing(
            id=0,
            to=keeper,
            sender=mail.sender,
            message_id=self._works.new_message_id(),
            message=trace + b"\r\n" + mail.raw,
            queued=now,
            due=now,
            answers=mail.id,
        )
        self._works.post.queue(out)

    def _shunt(self, mail: StoredMail, story: str) -> None:
        """Set a mail aside and tell the keeper; the mail itself stays in the store."""
        now: datetime = self._works.clock.now()
        log.error("mail %d from <%s> is set aside\n%s", mail.id, mail.sender, story)
        self._failed.pop(mail.id, None)
        with self._works.store.transaction():
            self._works.post.finish(mail.id, MailState.SHUNTED, story, now)
            self._works.tell_keeper(
                f"mail {mail.id} is set aside",
                f"The judge could not work mail {mail.id} from <{mail.sender}>, accepted"
                f" {mail.accepted:%Y-%m-%d %H:%M:%S} UTC. It is kept, nothing of it was carried"
                f" out, and the mails after it go on.\n\n{story}",
                now,
            )
