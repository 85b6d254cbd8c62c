"""Complaints about our letters, passed on by mail providers: optional letters end, no others.

A complaint is believed when it names a letter of ours as only its reader and his provider can
(`mail/complaints`). Whoever plays or is a master goes on getting what he must know, and the keeper
decides; the keeper hears of all complaints, once a day for each address.
"""

import logging
from datetime import datetime, timedelta

from judge.daemon.bouncing import Bouncing
from judge.daemon.trail import trail
from judge.daemon.works import Works
from judge.mail.address import Ours
from judge.mail.complaints import Complaint, read_complaint
from judge.play.people.optional import is_needed, stop_optional
from judge.words.record import Outgoing, StoredMail

log = logging.getLogger("judge.sender")

_DAY = timedelta(days=1)


class Complaining:
    """Knows which letter is complained of, and what ends by it."""

    def __init__(self, works: Works, bouncing: Bouncing, ours: Ours) -> None:
        self._works = works
        self._bouncing = bouncing
        self._ours = ours

    def heard(self, mail: StoredMail, detail: str, now: datetime) -> str:
        """Deal with a complaint, inside a transaction; return what it was, for the note.

        `detail` is what it came to: it may name the letter, as a bounce does.

        Raises:
            StoreError: the database cannot be used now.
        """
        complaint = read_complaint(mail.raw)
        letter = self._letter(complaint, detail)
        if letter is None:
            return "about no letter of ours"
        address = letter.to.lower()
        ended = self._end(letter, now) if complaint.is_unwanted else []
        log.warning(
            "letter %d to <%s> is complained of (%s)", letter.id, address, complaint.kind,
            extra=trail("complaint", letter=letter.id, by=mail.id, to=address, kind=complaint.kind),
        )
        if self._works.office.people.ask(f"complaint {address}", now, now - _DAY):
            self._tell_keeper(letter, complaint, ended, now)
        return f"of letter {letter.id}"

    def _letter(self, complaint: Complaint, detail: str) -> Outgoing | None:
        """Return the letter a complaint is about, if it is one of ours."""
        found = [self._bouncing.letter_of(detail)]
        for sender in complaint.senders:
            found.append(self._bouncing.letter_of(self._ours.detail_of(sender)))
        found.append(self._works.reach.letter_named(complaint.message_ids))
        return next((self._works.post.get_out(number) for number in found if number), None)

    def _end(self, letter: Outgoing, now: datetime) -> list[str]:
        """End what an address need not get; return what that was, in words."""
        office, address = self._works.office, letter.to
        game = office.games.find(letter.game) if letter.game else None
        if self._ours.is_keeper(address) or game and is_needed(office, address, game.id):
            return []
        ended = stop_optional(office, address)
        if not ended and not is_needed(office, address):
            # Somebody who has nothing to do with us: others may write in his name.
            self._works.reach.suspend(address, now)
            ended.append("all letters, until somebody writes from it")
        return ended

    def _tell_keeper(
        self, letter: Outgoing, complaint: Complaint, ended: list[str], now: datetime
    ) -> None:
        about = " ".join(filter(None, ("a", letter.kind, "letter", "of", letter.game or "no game")))
        what = (
            f"These end now: {'; '.join(ended)}." if ended else
            "Nothing ends by it: it is no complaint about unwanted letters, or somebody who plays"
            " or is a master there must go on getting them. Ask what is meant; `judge ban` or the"
            " game's master (EJECT) end it."
        )
        self._works.tell_keeper(
            f"a complaint about a letter to {letter.to}",
            f"The mail provider of <{letter.to}> passed a complaint on"
            f" ({complaint.kind or 'no type'}) about {about}, sent as letter {letter.id}. {what}"
            " Further complaints from this address are only noted in the log today.",
            now,
        )
