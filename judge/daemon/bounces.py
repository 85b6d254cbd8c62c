"""Returned mail about letters of the judge: bounces and complaints.

Every letter has an envelope sender of its own, with a token that names it. A bounce is believed
only if it arrives at such an address. Where sub-addresses do not arrive, or a mail account replaces
the envelope sender, it must name a letter of the last days by its Message-ID and its address. The
masters of each game in which the address has a seat get a report, at most once a day. An address
that bounces on several days is suspended until a mail arrives from it.

A complaint that a provider passes on ends optional letters only. It is believed if it names a
letter as only its addressee and their provider can (`mail/inbound/automatic_mail`). Players and
masters still get the letters they need, and the operator decides. The operator gets all complaints,
at most one a day for each address.
"""

import logging
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta

from judge.daemon.application import Application
from judge.daemon.error_reports import notify_masters
from judge.daemon.log_fields import log_step
from judge.mail.inbound.automatic_mail import (
    ArfComplaint,
    BounceSeverity,
    read_bounce,
    read_complaint,
    read_returned_letter,
)
from judge.mail.outbound.bare_addresses import use_bare_address
from judge.mail.outbound.delivery import AccountRefused, NoSuchAddress, PermanentFailure
from judge.model.letter import LetterKind
from judge.model.phrase import Phrase, phrase
from judge.model.record import Outgoing, Seat, StoredMail
from judge.phrases import phrasebook
from judge.play.game import Game
from judge.play.letters.anonymity import SOMEBODY, masters_know
from judge.play.people.addresses import is_needed, stop_optional
from judge.play.queries import title_of
from judge.play.tokens import Purpose, ReplyToken

log = logging.getLogger("judge.sender")

ReasonOf = Callable[[Game, str], Phrase]
"""Function that returns a phrase about a seat of a game, named by its title."""

_POINTS = {BounceSeverity.HARD: 2, BounceSeverity.SOFT: 1}
_DAY = timedelta(days=1)
_BOUNCE_PERIOD = timedelta(days=6)
"""Age of a letter up to which a bounce that names it by its Message-ID is believed."""


class BounceHandler:
    """Handler of bounces and complaints: it finds their letters and reports them."""

    def __init__(self, application: Application) -> None:
        self._application = application
        self._ours = application.ours

    def address_letter(self, letter: Outgoing) -> Outgoing:
        """Return a letter with an envelope sender that names it (VERP).

        Without sub-addresses, it has the bare address in its headers instead.
        """
        judge, listen = self._application.config.judge.address, self._application.config.listen
        detail = listen.detail
        if letter.sender != judge:
            return letter
        if not detail:
            return replace(letter, message=use_bare_address(
                letter.message, letter.message_id, letter.game, judge, listen.separator
            ))
        local, _, host = judge.rpartition("@")
        token = self._application.context.tokens.write(ReplyToken(Purpose.BOUNCE, letter.id, 0, 0))
        return replace(letter, sender=f"{local}{detail}{token}@{host}")

    def letter_of(self, detail: str) -> int:
        """Return the id of the letter that a sub-address names, or 0."""
        token = self._application.context.tokens.read(detail) if detail else None
        return token.seat if token is not None and token.purpose is Purpose.BOUNCE else 0

    def find_returned_letter(self, mail: StoredMail, now: datetime) -> int:
        """Return the id of the letter that a bounce to the bare address returns, or 0.

        The ids in the bounce name the letter where sub-addresses do not arrive, and with a login,
        as a mail account replaces the envelope sender. The bounce is believed for a few days, and
        only if it names the letter's address, too.
        """
        config = self._application.config
        if config.listen.detail and not config.deliver.has_login:
            return 0
        returned = read_returned_letter(mail.raw)
        letter = self._application.post.letter_named(returned.message_ids)
        if letter is None or letter.to.lower() not in returned.recipients:
            return 0
        return letter.id if now - letter.queued <= _BOUNCE_PERIOD else 0

    def handle_bounce(self, mail: StoredMail, number: int, now: datetime) -> str:
        """Handle a mail to the envelope sender of a letter. Return a note of its kind.

        Raises:
            StoreError: the database cannot be used now.
        """
        letter = self._application.post.get_out(number)
        bounce = read_bounce(mail.raw)
        if letter is None or bounce.weight is BounceSeverity.NONE:
            return "no bounce"
        log_step(
            log.warning, "bounced", f"letter {letter.id} to <{letter.to}> bounced: {bounce.why}",
            letter=letter.id, by=mail.id, to=letter.to, error=bounce.why,
        )
        if bounce.weight is not BounceSeverity.DELAYED:
            self._tell(letter, bounce.why, _POINTS[bounce.weight], now)
        return f"{bounce.weight.value} bounce of letter {number}"

    def handle_failure(self, letter: Outgoing, fault: Exception, now: datetime) -> None:
        """Handle a letter that the next server rejected, inside a transaction.

        Raises:
            StoreError: the database cannot be used now.
        """
        if isinstance(fault, NoSuchAddress):
            points = 2
        else:
            points = int(not isinstance(fault, PermanentFailure | AccountRefused))
        self._tell(letter, str(fault), points, now)

    def restore_sender(self, address: str, now: datetime) -> None:
        """Restore an address, because a mail has arrived from it.

        Raises:
            StoreError: the database cannot be used now.
        """
        if self._application.bounce_counts.restore(address):
            log.warning("letters go to <%s> again", address)
            self._tell_masters(address, lambda g, who: phrase(
                "letters-arrive-again", game=g.name, power=who
            ), now)

    def _tell(self, letter: Outgoing, why: str, points: int, now: datetime) -> None:
        """Count a failure, and report it to masters, at most once a day for each address."""
        address = letter.to.lower()
        if address == self._application.config.judge.keeper.lower():
            return
        if not self._application.context.people.ask_once(f"bounce {address}", now, now - _DAY):
            return
        suspended = points > 0 and self._application.bounce_counts.count_bounce(
            address, points, now
        )
        code = "address-suspended" if suspended else "letter-undeliverable"
        self._tell_masters(address, lambda g, who: phrase(
            code, game=g.name, power=who, kind=letter.kind, cited=why or "no reason given"
        ), now)

    def _tell_masters(self, address: str, reason: ReasonOf, now: datetime) -> None:
        """Queue a letter to the masters of each game an address has a seat in.

        The operator gets it if the game has no other master.
        """
        application = self._application
        first: dict[int, Seat] = {}
        for seat in application.games.seats_at(address):
            first.setdefault(seat.game, seat)
        for seat in first.values():
            game = application.context.games.get(seat.game)
            known = masters_know(game)
            said = reason(game, title_of(seat) or (seat.address if known else SOMEBODY))
            if "cited" in said.facts and not known:
                # The text of the other server names the address, which this master must not see.
                said = Phrase(said.code, {**said.facts, "cited": "not told to a master who plays"})
            if not notify_masters(
                application, game.id, said, now, kind=LetterKind.BOUNCE, but=seat.id
            ):
                sentence = phrasebook().render(said)
                # It may contain text of another mail server.
                application.notify_operator(
                    f"letters to the master of {game.name}", "", now, sentence
                )

    def handle_complaint(self, mail: StoredMail, detail: str, now: datetime) -> str:
        """Handle a complaint, inside a transaction. Return a note of its result.

        `detail` is the sub-address it arrived at, which may name the letter, as for a bounce.

        Raises:
            StoreError: the database cannot be used now.
        """
        complaint = read_complaint(mail.raw)
        letter = self._letter(complaint, detail)
        if letter is None:
            return "about no letter of ours"
        address = letter.to.lower()
        ended = self._end(letter, now) if complaint.is_unwanted else []
        log_step(
            log.warning, "complaint",
            f"letter {letter.id} to <{address}> is complained of ({complaint.kind})",
            letter=letter.id, by=mail.id, to=address, kind=complaint.kind,
        )
        if self._application.context.people.ask_once(f"complaint {address}", now, now - _DAY):
            self._tell_keeper(letter, complaint, ended, now)
        return f"of letter {letter.id}"

    def _letter(self, complaint: ArfComplaint, detail: str) -> Outgoing | None:
        """Return the letter of the judge that a complaint is about, or None."""
        found = [self.letter_of(detail)]
        for sender in complaint.senders:
            found.append(self.letter_of(self._ours.detail_of(sender)))
        post = self._application.post
        letters = (post.get_out(number) for number in found if number)
        return next(letters, None) or post.letter_named(complaint.message_ids)

    def _end(self, letter: Outgoing, now: datetime) -> list[str]:
        """End optional letters to an address. Return descriptions of what was ended."""
        context, address = self._application.context, letter.to
        game = context.games.find(letter.game) if letter.game else None
        if self._ours.is_operator(address) or game and is_needed(context, address, game.id):
            return []
        ended = stop_optional(context, address)
        if not ended and not is_needed(context, address):
            # The address belongs to no participant, and others may forge it.
            self._application.bounce_counts.suspend(address, now)
            ended.append("all letters, until a mail comes from it")
        return ended

    def _tell_keeper(
        self, letter: Outgoing, complaint: ArfComplaint, ended: list[str], now: datetime
    ) -> None:
        about = " ".join(filter(None, ("a", letter.kind, "letter", "of", letter.game or "no game")))
        what = (
            f"These end now: {'; '.join(ended)}." if ended else
            "Nothing ends: it is no complaint about unwanted letters, or a player or master there"
            " still needs them. Ask what is meant. `judge ban` or the game's master (EJECT) end it."
        )
        self._application.notify_operator(
            f"a complaint about a letter to {letter.to}",
            f"The mail provider of <{letter.to}> passed a complaint on"
            f" ({complaint.kind or 'no type'}) about {about}, sent as letter {letter.id}. {what}"
            " Further complaints from this address are only noted in the log today.",
            now,
        )
