"""What waits until somebody has shown that he reads the mail of his address."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Protocol, runtime_checkable

from judge.model.command import Command, Waits
from judge.model.incoming import Consent
from judge.model.letter import Kind, Letter
from judge.model.person import FIELDS
from judge.model.phrase import phrase
from judge.model.seats import Register
from judge.play.commands.gm.importing import Import
from judge.play.commands.seats.aliases import IAmAlso
from judge.play.commands.seats.sitting import Sit
from judge.play.commands.session import Session
from judge.play.letters.subjects import answering
from judge.play.people.addresses import ONCE_A_DAY, PATIENCE, is_fresh
from judge.play.tokens import Purpose, Token
from judge.store.people import Held

MOST_KEPT = 20
"""Lines that wait for one address."""
MAX_LETTERS_A_DAY = 10
"""Letters that ask one address for a yes, within 24 hours, whoever writes in its name."""
MAX_WORDS_CHARS = 300
"""Characters of one request in such a letter."""
MAX_FIELDS = 20
"""Fields of REGISTER that may wait together: the letter lists each."""
MAX_FIELD_CHARS = 60
"""Characters of one field of REGISTER in it; nothing valid is longer."""


def is_known(session: Session) -> bool:
    """Tell whether the sender's address is confirmed; the keeper's always is."""
    return _reads_mail(session, session.mail.sender)


def _reads_mail(session: Session, address: str) -> bool:
    context = session.context
    return context.policy.is_keeper(address) or context.people.is_confirmed(address)


@runtime_checkable
class Vouching(Protocol):
    """A command that knows itself whether more than a From line speaks for it."""

    def is_vouched(self, session: Session) -> bool:
        """Return whether the command needs no yes."""


def must_wait(session: Session, command: Command) -> bool:
    """Return whether a command waits until the sender has said yes by a reply.

    Anybody can write a From line, that of a known address too, so only questions are answered at
    once. What the operator alone may do always waits for a yes.
    """
    policy = session.context.policy
    waits = session.kind(command).waits
    if session.released or waits in (Waits.NEVER, Waits.AFTER):
        return False
    if isinstance(command, Import):
        return bool(command.lines) and policy.is_keeper(session.mail.sender)
    if policy.create == "keeper" and session.kind(command).makes:
        return policy.is_keeper(session.mail.sender)
    if not policy.confirm or _is_vouched(session, command, waits):
        return False
    return waits is not Waits.LONG or not is_known(session)


def speaks_for_person(session: Session) -> bool:
    """Return whether the sender may change at once what is public of a person.

    A reply to a letter shows that they read the person's mail. A password opens one seat, and
    others may know it: a sitter, or the player before.
    """
    if session.released or not session.context.policy.confirm:
        return True
    replied = any(answer.replied for answer in session.answers)
    return replied and session.context.aliases.same(session.person, session.mail.sender)


def _is_vouched(session: Session, command: Command, waits: Waits) -> bool:
    """Return whether more than a From line speaks for a command, or it can change nothing."""
    if waits is Waits.LONG:
        return session.is_signed_on
    match command:
        case Vouching():
            return command.is_vouched(session)
        case IAmAlso(off=False):
            return True
        case Sit():
            return session.token is not None and session.token.purpose is Purpose.SIT
        case _:
            return waits is Waits.PERSON and speaks_for_person(session)


def is_missing(session: Session, game: str) -> bool:
    """Return whether there is no game of a name, and none waits to be made."""
    return session.context.games.find(game.lower()) is None and not awaits(session, game)


def keep(session: Session, command: Command) -> None:
    """Keep a command until the address has said yes; with one that would open a seat, also what
    follows it up to the next."""
    people, sender = session.context.people, session.mail.sender
    kind = session.kind(command)
    follows = kind.waits in (Waits.SEATED, Waits.AFTER)
    if follows:
        session.close()
    if isinstance(command, Register) and sum(n in FIELDS for n, _ in command.fields) > MAX_FIELDS:
        session.refuse(command, phrase("block-too-long", limit=MAX_FIELDS))
        return
    waits = people.held(sender, session.now - PATIENCE)
    if sum(len(held.lines) for held in waits) >= MOST_KEPT:
        session.defer("", follows=follows)
        session.refuse(command, phrase("too-much-waits", most=MOST_KEPT))
        return
    game = str(getattr(command, "game", ""))
    what = command.name if isinstance(command, Import) else game
    short = f"{kind.name} {what}".strip()
    people.hold(
        session.mail.number, command.line, sender, session.now, game, _in_words(command) or short
    )
    session.defer(short, follows=follows)


def _in_words(command: Command) -> str:
    """Return a request as the confirmation letter lists it, with all that it would change.

    Empty for one that the game alone describes.
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
    """Tell whether a sign-on that opens nothing may yet, for something about its game waits."""
    context, since = session.context, session.now - PATIENCE
    return not session.released and context.people.awaits(session.mail.sender, game, since)


def keep_sign_on(session: Session, command: Command, game: str) -> None:
    """Keep a sign-on whose password may be one that waits, with what follows it in its mail."""
    keep(session, command)
    session.tell_sender(phrase("signon-waits", game=game))


def confirmation(session: Session) -> Letter | None:
    """Return the letter that asks the sender for a yes, or None where it may not be sent.

    It lists all that waits. A stranger gets one a day until they answer: what they ask for
    meanwhile joins it. A known address gets one for each mail, as its yes is for what it lists.
    """
    people, now, sender = session.context.people, session.now, session.mail.sender
    known, low, since = is_known(session), sender.casefold(), now - ONCE_A_DAY
    asks_anew = known and session.kept
    if not asks_anew and not people.ask(f"address {low}", now, since):
        return None
    return _next_letter(session, sender, people.held(sender, now - PATIENCE))


def _next_letter(session: Session, address: str, waits: Sequence[Held]) -> Letter | None:
    """Return the letter that lists what waits, or None if too many went today."""
    people, now = session.context.people, session.now
    slots = (f"yes {number} {address.casefold()}" for number in range(MAX_LETTERS_A_DAY))
    if not any(people.ask(slot, now, now - ONCE_A_DAY) for slot in slots):
        return None
    token = Token.at(now, Purpose.CONFIRM, people.number_of(address))
    return _letter(session, address, token, waits)


def _covered(session: Session, token: Token) -> list[Held]:
    """Return what the yes to a letter is for.

    Of a known address that is what the letter lists: what was asked for later, in whoever's name,
    is not. A stranger's first yes is for all that joined it.
    """
    people = session.context.people
    address = people.address_of(token.seat)
    written = token.written + timedelta(seconds=1) if _reads_mail(session, address) else None
    return people.held(address, session.now - PATIENCE, written)


def _in_list(waits: Sequence[Held]) -> tuple[str, ...]:
    return tuple(words for held in waits for words in held.asked)


def _letter(session: Session, address: str, token: Token, waits: Sequence[Held]) -> Letter:
    known = _reads_mail(session, address)
    return Letter(
        kind=Kind.CONFIRM,
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


def question(session: Session, token: Token) -> Letter | None:
    """Return the letter of a token once more, or None where it no longer asks."""
    address = session.context.people.address_of(token.seat)
    if not address or not is_fresh(token, session.now):
        return None
    return _letter(session, address, token, _covered(session, token))


def says_yes(session: Session, token: Token, consent: Consent) -> bool:
    """Tell whether an answer confirms: a yes, or an empty reply from an address still unknown."""
    people = session.context.people
    known = _reads_mail(session, people.address_of(token.seat))
    return consent is Consent.YES or consent is Consent.NOTHING and not known


def confirm(session: Session, token: Token) -> None:
    """Take a yes: the address is confirmed from now on, and what waited is carried out.

    What the yes is not for is asked about in the next letter.
    """
    people = session.context.people
    address = people.address_of(token.seat)
    covered = _covered(session, token)
    rest = [held for held in people.held(address, session.now - PATIENCE) if held not in covered]
    people.confirm(address, session.now)
    people.unask(f"address {address}")
    told = Letter(
        kind=Kind.CONFIRM,
        to=address,
        subject=answering(phrase("event-confirmed")),
        template="confirmed",
        facts={"mails": len(covered), "asked": _in_list(covered)},
        answers=session.mail.message_id or "-",
    )
    more = _next_letter(session, address, rest) if rest else None
    session.queue(told, *filter(None, [more]))


def decline(session: Session, token: Token) -> None:
    """Take a no: what waited is forgotten."""
    people = session.context.people
    address = people.address_of(token.seat)
    people.let_go(address)
    people.unask(f"address {address}")
    session.tell_sender(phrase("answer-no"))


def set_free(session: Session, token: Token, consent: Consent) -> list[Held]:
    """Return what waits for the yes that an answer is, in the order of arrival."""
    if token.purpose is not Purpose.CONFIRM or question(session, token) is None:
        return []
    return _covered(session, token) if says_yes(session, token, consent) else []
