"""What waits until somebody has shown that he reads the mail of his address."""

from judge.model.command import Command, Waits
from judge.model.incoming import Consent
from judge.model.letter import Kind, Letter
from judge.model.mastering import Import
from judge.model.phrase import phrase
from judge.model.record import Role
from judge.model.seats import Create, Join, Observe, SignOn, Sit, Takeover
from judge.play.commands.outcome import NOTHING, Kept, Outcome, closed, posted, refused, told_sender
from judge.play.commands.session import Session
from judge.play.letters.subjects import answering
from judge.play.people.addresses import ONCE_A_DAY, PATIENCE, is_fresh
from judge.play.people.signon_throttle import comes_from
from judge.play.queries import is_present
from judge.play.tokens import Purpose, Token
from judge.store.people import Held

MOST_KEPT = 20
"""Lines that wait for one address."""


def is_known(session: Session) -> bool:
    """Tell whether the sender's address is confirmed; the keeper's always is."""
    return _reads_mail(session, session.mail.sender)


def _reads_mail(session: Session, address: str) -> bool:
    context = session.context
    return context.policy.is_keeper(address) or context.people.is_confirmed(address)


def must_wait(session: Session, command: Command) -> bool:
    """Tell whether a command waits until whoever reads the sender's mail has said yes.

    From an address that is known only what would give somebody a seat does, with a password that
    anybody may have written. For what the keeper alone may do his word is always asked for.
    """
    policy = session.context.policy
    waits = session.kind(command).waits
    if session.released or waits in (Waits.NEVER, Waits.AFTER):
        return False
    if isinstance(command, Import) or isinstance(command, Create) and policy.create == "keeper":
        is_block = not isinstance(command, Import) or bool(command.lines)
        return is_block and policy.is_keeper(session.mail.sender)
    if not policy.confirm or _is_vouched(session, command, waits):
        return False
    if not is_known(session):
        return True
    return isinstance(command, Sit) or bool(getattr(command, "password", ""))


def _is_vouched(session: Session, command: Command, waits: Waits) -> bool:
    """Tell whether more than a From line speaks for a command already, or it gives no seat."""
    if waits is Waits.LONG:
        return session.is_signed_on
    match command:
        case Join() | Observe():
            return _is_seated(session, command)
        case Sit():
            return session.token is not None and session.token.purpose is Purpose.SIT
        case Takeover(who=who) if who.casefold() in ("m", "master"):
            return session.current.proven or _has_word(session, command)
        case _:
            return False


def _has_word(session: Session, command: Takeover) -> bool:
    """Tell whether the sender has the word of the letter that asked him to be a master."""
    game = session.context.games.find(command.game.lower())
    offer = game.dealings.asked_masters.get(session.mail.sender.lower()) if game else None
    return offer is not None and offer.word in command.words


def _is_seated(session: Session, command: Join | Observe) -> bool:
    """Tell whether a command only opens, or changes, a seat the sender has already."""
    game = session.context.games.find(command.game.lower())
    if game is None or isinstance(command, Join) and command.again:
        return False
    roles = (Role.PLAYER,) if isinstance(command, Join) else (Role.OBSERVER, Role.MONITOR)
    return any(
        is_present(seat) and seat.role in roles and comes_from(session.context, session.mail, seat)
        for seat in game.all_seats()
    )


def keep(session: Session, command: Command) -> Outcome:
    """Keep a command, and what follows it up to the next seat, until the address is confirmed."""
    people, sender = session.context.people, session.mail.sender
    kind = session.kind(command)
    follows = kind.waits is not Waits.LONG
    did = closed() if follows else NOTHING
    waits = people.held(sender, session.now - PATIENCE)
    if sum(len(held.lines) for held in waits) >= MOST_KEPT:
        did += Kept("", follows)
        return did + refused(command, phrase("too-much-waits", most=MOST_KEPT))
    game = str(getattr(command, "game", ""))
    people.hold(session.mail.number, command.line, sender, session.now, game)
    what = command.name if isinstance(command, Import) else game
    return did + Kept(f"{kind.name} {what}".strip(), follows)


def awaits(session: Session, game: str) -> bool:
    """Tell whether a sign-on that opens nothing may yet, for something about its game waits."""
    context, since = session.context, session.now - PATIENCE
    return not session.released and context.people.awaits(session.mail.sender, game, since)


def keep_sign_on(session: Session, command: SignOn) -> Outcome:
    """Keep a sign-on whose password may be one that waits, with what follows it in its mail."""
    return keep(session, command) + told_sender(phrase("signon-waits", game=command.game))


def confirmation(session: Session) -> Letter | None:
    """Return the letter that asks the sender to confirm, or None where one went today already."""
    people, now, sender = session.context.people, session.now, session.mail.sender
    if not people.ask(f"address {sender.casefold()}", now, now - ONCE_A_DAY):
        return None
    token = Token.at(now, Purpose.CONFIRM, people.number_of(sender))
    return _letter(session, sender, token, session.kept[:10])


def _letter(session: Session, address: str, token: Token, asked: tuple[str, ...]) -> Letter:
    return Letter(
        kind=Kind.CONFIRM,
        to=address,
        subject=phrase("subject-confirm"),
        template="confirm",
        facts={
            "asked": asked,
            "days": PATIENCE.days,
            "known": _reads_mail(session, address),
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
    return _letter(session, address, token, ())


def says_yes(session: Session, token: Token, consent: Consent) -> bool:
    """Tell whether an answer confirms: a yes, or an empty reply from an address still unknown."""
    people = session.context.people
    known = _reads_mail(session, people.address_of(token.seat))
    return consent is Consent.YES or consent is Consent.NOTHING and not known


def confirm(session: Session, token: Token) -> Outcome:
    """Take a yes: the address is confirmed from now on, and what waited is carried out."""
    people = session.context.people
    address = people.address_of(token.seat)
    people.confirm(address, session.now)
    people.unask(f"address {address}")
    many = len(people.held(address, session.now - PATIENCE))
    return posted(
        Letter(
            kind=Kind.CONFIRM,
            to=address,
            subject=answering(phrase("event-confirmed")),
            template="confirmed",
            facts={"mails": many},
            answers=session.mail.message_id or "-",
        )
    )


def decline(session: Session, token: Token) -> Outcome:
    """Take a no: what waited is forgotten."""
    people = session.context.people
    address = people.address_of(token.seat)
    people.let_go(address)
    people.unask(f"address {address}")
    return told_sender(phrase("answer-no"))


def set_free(session: Session, token: Token, consent: Consent) -> list[Held]:
    """Return what waits for the yes that an answer is, in the order of arrival."""
    people = session.context.people
    if token.purpose is not Purpose.CONFIRM or question(session, token) is None:
        return []
    if not says_yes(session, token, consent):
        return []
    return people.held(people.address_of(token.seat), session.now - PATIENCE)
