"""Deferred commands, which wait until the sender confirms their address."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Protocol, runtime_checkable

from judge.model.command import Command, ConfirmationPolicy
from judge.model.incoming import ConfirmationReply
from judge.model.letter import Letter, LetterKind
from judge.model.person import FIELDS
from judge.model.phrase import phrase
from judge.model.seat_commands import Register
from judge.play.commands.gm.importing import Import
from judge.play.commands.seats.aliases import IAmAlso
from judge.play.commands.seats.sitting import Sit
from judge.play.commands.session import Session
from judge.play.letters.letter_factory import answering
from judge.play.people.addresses import ONCE_A_DAY, PATIENCE, is_fresh
from judge.play.tokens import Purpose, ReplyToken
from judge.store.people import PendingLine

MAX_KEPT = 20
"""Maximum number of deferred lines of one address."""
MAX_LETTERS_A_DAY = 10
"""Confirmation requests to one address within 24 hours, from all mails."""
MAX_WORDS_CHARS = 300
"""Characters of one request in such a letter."""
MAX_FIELDS = 20
"""Fields of REGISTER that one deferred command may have. The letter lists each."""
MAX_FIELD_CHARS = 60
"""Characters of one REGISTER field in such a letter. No valid value is longer."""


def is_known(session: Session) -> bool:
    """Return whether the sender's address is confirmed. The operator's always is."""
    return _reads_mail(session, session.mail.sender)


def _reads_mail(session: Session, address: str) -> bool:
    context = session.context
    return context.policy.is_operator(address) or context.people.is_confirmed(address)


@runtime_checkable
class Vouching(Protocol):
    """Command that decides for itself whether it needs a confirmation."""

    def is_vouched(self, session: Session) -> bool:
        """Return whether the command needs no confirmation."""


def needs_confirmation(session: Session, command: Command) -> bool:
    """Return whether a command is deferred until the sender confirms it by a reply.

    Anyone can forge a From line, that of a known address too, so only questions are answered at
    once. What only the operator may do always needs a confirmation.
    """
    policy = session.context.policy
    waits = session.kind(command).waits
    if session.released or waits in (ConfirmationPolicy.NEVER, ConfirmationPolicy.AFTER):
        return False
    if isinstance(command, Import):
        return bool(command.lines) and policy.is_operator(session.mail.sender)
    if policy.create == "keeper" and session.kind(command).makes:
        return policy.is_operator(session.mail.sender)
    if not policy.confirm or _is_vouched(session, command, waits):
        return False
    return waits is not ConfirmationPolicy.LONG or not is_known(session)


def speaks_for_person(session: Session) -> bool:
    """Return whether the sender may change a person's public data at once.

    A reply to a letter shows that they read the person's mail. A password opens one seat, and
    others may know it: a sitter, or the previous player.
    """
    if session.released or not session.context.policy.confirm:
        return True
    replied = any(answer.replied for answer in session.answers)
    return replied and session.context.aliases.is_same_person(session.person, session.mail.sender)


def _is_vouched(session: Session, command: Command, waits: ConfirmationPolicy) -> bool:
    """Return whether a command is proved by more than a From line or is harmless."""
    if waits is ConfirmationPolicy.LONG:
        return session.is_signed_on
    match command:
        case Vouching():
            return command.is_vouched(session)
        case IAmAlso(off=False):
            return True
        case Sit():
            return session.token is not None and session.token.purpose is Purpose.SIT
        case _:
            return waits is ConfirmationPolicy.PERSON and speaks_for_person(session)


def is_missing(session: Session, game: str) -> bool:
    """Return whether no game has this name and no deferred command would make it."""
    return session.context.games.find(game.lower()) is None and not awaits(session, game)


def defer_command(session: Session, command: Command) -> None:
    """Defer a command until its sender confirms it.

    A command that would open a seat is deferred together with the lines after it, up to the
    next one of that kind.
    """
    people, sender = session.context.people, session.mail.sender
    kind = session.kind(command)
    follows = kind.waits in (ConfirmationPolicy.SEATED, ConfirmationPolicy.AFTER)
    if follows:
        session.close()
    if isinstance(command, Register) and sum(n in FIELDS for n, _ in command.fields) > MAX_FIELDS:
        session.refuse(command, phrase("block-too-long", limit=MAX_FIELDS))
        return
    waits = people.pending_for(sender, session.now - PATIENCE)
    if sum(len(held.lines) for held in waits) >= MAX_KEPT:
        session.defer("", follows=follows)
        session.refuse(command, phrase("too-much-waits", most=MAX_KEPT))
        return
    game = str(getattr(command, "game", ""))
    what = command.name if isinstance(command, Import) else game
    short = f"{kind.name} {what}".strip()
    people.add_pending(
        session.mail.number, command.line, sender, session.now, game, _in_words(command) or short
    )
    session.defer(short, follows=follows)


def _in_words(command: Command) -> str:
    """Return a request as the confirmation letter lists it, with all its changes.

    Empty if the name of the game describes it.
    """
    match command:
        case Register(fields=fields):
            told = (f"{n.upper()} {v[:MAX_FIELD_CHARS]}".strip() for n, v in fields if n in FIELDS)
            return f"REGISTER {', '.join(dict.fromkeys(told))}".strip()
        case _ if getattr(command, "password", "") or isinstance(command, Import):
            return ""
        case _:
            return command.text[:MAX_WORDS_CHARS]


def awaits(session: Session, game: str) -> bool:
    """Return whether a command about a game is deferred for the sender.

    A sign-on that fails now may then succeed after the confirmation.
    """
    context, since = session.context, session.now - PATIENCE
    return not session.released and context.people.has_pending(session.mail.sender, game, since)


def keep_sign_on(session: Session, command: Command, game: str) -> None:
    """Defer a sign-on whose password may belong to a deferred command.

    The lines after it are deferred with it.
    """
    defer_command(session, command)
    session.tell_sender(phrase("signon-waits", game=game))


def confirmation(session: Session) -> Letter | None:
    """Return the confirmation request to the sender, or None if none may be sent.

    It lists all deferred commands. A stranger gets one a day until they reply, and later
    requests join the first one. A known address gets one for each mail, as its YES covers only
    what the letter lists.
    """
    people, now, sender = session.context.people, session.now, session.mail.sender
    known, low, since = is_known(session), sender.casefold(), now - ONCE_A_DAY
    asks_again = known and session.deferred
    if not asks_again and not people.ask_once(f"address {low}", now, since):
        return None
    return _next_letter(session, sender, people.pending_for(sender, now - PATIENCE))


def _next_letter(session: Session, address: str, waits: Sequence[PendingLine]) -> Letter | None:
    """Return the letter that lists the deferred commands.

    None if MAX_LETTERS_A_DAY letters were sent within 24 hours.
    """
    people, now = session.context.people, session.now
    slots = (f"yes {number} {address.casefold()}" for number in range(MAX_LETTERS_A_DAY))
    if not any(people.ask_once(slot, now, now - ONCE_A_DAY) for slot in slots):
        return None
    token = ReplyToken.at(now, Purpose.CONFIRM, people.number_of(address))
    return _letter(session, address, token, waits)


def _find_covered_lines(session: Session, token: ReplyToken) -> list[PendingLine]:
    """Return the deferred commands that a YES to a letter covers.

    For a known address these are the commands that the letter lists, not later ones, which
    others may have sent in its name. A stranger's first YES covers all deferred commands.
    """
    people = session.context.people
    address = people.address_of(token.seat)
    written = token.written + timedelta(seconds=1) if _reads_mail(session, address) else None
    return people.pending_for(address, session.now - PATIENCE, written)


def _in_list(waits: Sequence[PendingLine]) -> tuple[str, ...]:
    return tuple(words for held in waits for words in held.asked)


def _letter(
    session: Session, address: str, token: ReplyToken, waits: Sequence[PendingLine]
) -> Letter:
    known = _reads_mail(session, address)
    return Letter(
        kind=LetterKind.CONFIRM,
        to=address,
        subject=phrase("subject-confirm-request" if known else "subject-confirm"),
        template="confirm",
        facts={
            "asked": _in_list(waits),
            "days": PATIENCE.days,
            "known": known,
            "again": False,
        },
        token=session.context.tokens.write(token),
        answers=session.mail.message_id or "-",
    )


def question(session: Session, token: ReplyToken) -> Letter | None:
    """Return the letter of a token again, or None if the question is no longer open."""
    address = session.context.people.address_of(token.seat)
    if not address or not is_fresh(token, session.now):
        return None
    return _letter(session, address, token, _find_covered_lines(session, token))


def says_yes(session: Session, token: ReplyToken, consent: ConfirmationReply) -> bool:
    """Return whether a reply confirms: YES, or an empty reply from a stranger."""
    people = session.context.people
    known = _reads_mail(session, people.address_of(token.seat))
    return consent is ConfirmationReply.YES or consent is ConfirmationReply.NOTHING and not known


def confirm(session: Session, token: ReplyToken) -> None:
    """Confirm the address of a token and report its deferred commands as confirmed.

    Deferred commands that this YES does not cover are listed in another request.
    """
    people = session.context.people
    address = people.address_of(token.seat)
    covered = _find_covered_lines(session, token)
    rest = [
        held for held in people.pending_for(address, session.now - PATIENCE) if held not in covered
    ]
    people.confirm(address, session.now)
    people.delete_question(f"address {address}")
    told = Letter(
        kind=LetterKind.CONFIRM, to=address, subject=answering(phrase("event-confirmed")),
        template="confirmed", facts={"mails": len(covered), "asked": _in_list(covered)},
        answers=session.mail.message_id or "-",
    )
    more = _next_letter(session, address, rest) if rest else None
    session.queue(told, *filter(None, [more]))


def decline(session: Session, token: ReplyToken) -> None:
    """Delete the deferred commands of an address after its NO."""
    people = session.context.people
    address = people.address_of(token.seat)
    people.delete_pending(address)
    people.delete_question(f"address {address}")
    session.tell_sender(phrase("answer-no"))


def pending_commands(
    session: Session, token: ReplyToken, consent: ConfirmationReply
) -> list[PendingLine]:
    """Return the deferred mails that a reply confirms, in order of arrival."""
    if token.purpose is not Purpose.CONFIRM or question(session, token) is None:
        return []
    return _find_covered_lines(session, token) if says_yes(session, token, consent) else []
