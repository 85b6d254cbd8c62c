"""IAMALSO: aliases, the several addresses of one person."""

from dataclasses import replace

from judge.model.command import (
    AuditDetail,
    Command,
    CommandForm,
    ConfirmationPolicy,
    Permission,
    Where,
    bare_address,
)
from judge.model.letter import Letter, LetterKind
from judge.model.person import AliasLink
from judge.model.phrase import Phrase, phrase
from judge.play.commands.outreach import earliest_send_time, send
from judge.play.commands.row import command, reads
from judge.play.commands.session import Session
from judge.play.game import Context
from judge.play.people.addresses import ONCE_A_DAY, PATIENCE, is_fresh, read_address
from judge.play.tokens import Purpose, ReplyToken

MAX_ADDRESSES = 5
"""Maximum number of addresses of one person."""


@command(
    CommandForm("IAMALSO, I AM ALSO", "IAMALSO ann@work.example"), who=Permission.ANYBODY,
    rule="also", waits=ConfirmationPolicy.PERSON, log=AuditDetail.NOTHING, personal=True,
)
class IAmAlso(Command):
    """Alias of the same person: `IAMALSO ann@work.example`. OFF removes one."""

    address: str = ""
    off: bool = False

    @reads("also")
    @classmethod
    def read(cls, address: str = "", *, at: Where) -> "IAmAlso":
        """IAMALSO ann@work.example."""
        return cls(**at, address=bare_address(address))

    @reads("also_off")
    @classmethod
    def read_also_off(cls, address: str, *, at: Where) -> "IAmAlso":
        """IAMALSO OFF ann@work.example."""
        return cls(**at, address=bare_address(address), off=True)

    def run(self, session: Session) -> None:
        """Ask both addresses for a confirmation, remove an alias, or list the aliases."""
        context, own = session.context, session.person
        if not self.address:
            _tell(session)
            return
        address = read_address(self.address, context.policy.address)
        problem = _problem(session, own, address, self)
        if problem:
            session.refuse(self, problem)
        elif self.off:
            context.aliases.remove_alias(address)
            session.done(phrase("also-parted", address=address))
        else:
            _request_link(session, self, own, address)


def _request_link(session: Session, command: IAmAlso, own: str, address: str) -> None:
    """Ask both addresses to confirm. The owner of the other may not know the judge."""
    about = f"also {own} {address}"
    due = earliest_send_time(session, address, about)
    if isinstance(due, Phrase):
        for one in (address.casefold(), own):
            session.context.people.delete_question(f"also {one}")
        session.refuse(command, due)
        return
    number = session.context.aliases.ask_once(own, address, session.now)
    mine, theirs = (
        _letter(session, to, other, ReplyToken.at(at, Purpose.ALSO, number, side))
        for side, (to, other, at) in enumerate(
            ((own, address, session.now), (address, own, due)), start=1
        )
    )
    reason = phrase("also-asked", address=address, own=own, days=PATIENCE.days)
    session.queue(mine)
    send(session, theirs, about, due, reason)


def _tell(session: Session) -> None:
    known = session.context.aliases.addresses_of(session.person)
    if len(known) > 1:
        session.done(phrase("also-known", addresses=known))
    else:
        session.done(phrase("also-none", address=session.person))


def _problem(session: Session, own: str, address: str, command: IAmAlso) -> Phrase | None:
    aliases, now = session.context.aliases, session.now
    if not address:
        return phrase("address-unusable", text=command.address[:100])
    if not own or session.mail.forged:
        return phrase("sender-doubtful")
    known = aliases.is_same_person(own, address)
    if command.off:
        if not session.is_signed_on and not session.released:
            return phrase("also-off-needs-signon")
        return None if known and address.lower() != own else phrase("also-not", address=address)
    if known:
        return phrase("also-already", address=address)
    if len(aliases.addresses_of(own)) + len(aliases.addresses_of(address)) > MAX_ADDRESSES:
        return phrase("also-too-many", most=MAX_ADDRESSES)
    for one in (address.casefold(), own):
        if not session.context.people.ask_once(f"also {one}", now, now - ONCE_A_DAY):
            return phrase("address-asked-today", address=one)
    return None


def _letter(session: Session, to: str, other: str, token: ReplyToken) -> Letter:
    return Letter(
        kind=LetterKind.CONFIRM, to=to, subject=phrase("subject-both-yours"), template="also",
        facts={"own": to, "other": other, "days": PATIENCE.days, "again": False},
        token=session.context.tokens.write(token),
    )


def question(session: Session, token: ReplyToken) -> Letter | None:
    """Return the letter to one of the two addresses, or None if it is no longer open."""
    link = session.context.aliases.link(token.seat)
    if link is None or link.is_confirmed or not is_fresh(token, session.now):
        return None
    sides = link.first, link.second
    to, other = sides if token.epoch == 1 else reversed(sides)
    return _letter(session, to, other, token)


def decline(session: Session, token: ReplyToken) -> None:
    """Drop the pending alias after a NO, and inform the address that asked for it."""
    link = session.context.aliases.link(token.seat)
    assert link is not None
    session.context.aliases.decline(link.id)
    session.tell_sender(phrase("answer-no"))
    if token.epoch != 1:
        session.queue(_note(link.first, phrase("also-declined", address=link.second)))


def confirm(session: Session, token: ReplyToken) -> None:
    """Store the YES of one address. After the second one the two are one person."""
    context, now = session.context, session.now
    link = context.aliases.link(token.seat)
    assert link is not None
    first = token.epoch == 1
    context.people.confirm(link.first if first else link.second, now)
    found = context.aliases.agree(link.id, first=first)
    assert found is not None
    if found.is_confirmed:
        _share(context, found)
        reason = phrase("also-known", addresses=(found.first, found.second))
        session.queue(*(_note(to, reason) for to in (found.first, found.second)))
    else:
        waits = phrase("also-waits", address=link.second if first else link.first)
        session.queue(_note(link.first if first else link.second, waits))


def _note(to: str, reason: Phrase) -> Letter:
    return Letter(
        kind=LetterKind.CONFIRM, to=to, subject=phrase("subject-your-addresses"), template="fault",
        facts={"reason": reason},
    )


def _share(context: Context, link: AliasLink) -> None:
    """Copy name, time zone and level between two addresses, where one has none."""
    book = context.register
    one, other = book.person(link.first), book.person(link.second)
    for mine, theirs in ((one, other), (other, one)):
        book.save(
            replace(
                mine,
                name=mine.name or theirs.name,
                zone=mine.zone or theirs.zone,
                level=mine.level or theirs.level,
            )
        )
