"""The answer to a mail: one letter for each seat it opened, one to the sender for the rest."""

from collections.abc import Mapping

from judge.play.absences import absence_facts
from judge.play.ahead import plan_facts
from judge.play.office import is_open, is_present, reader_of, sheet_of, sides_of, table_of
from judge.play.session import Answer, Session
from judge.play.telling import (
    game_facts,
    letter_to,
    notice_to,
    owed_facts,
    roster,
    seat_facts,
)
from judge.play.voting import standing_votes
from judge.words.command import Sheet
from judge.words.complaint import Complaint, ComplaintKind
from judge.words.letter import Kind, Letter
from judge.words.reason import because
from judge.words.record import GameRecord, GameState, Role, Seat

_FOR_SEATS = ("sheets", "plans", "owed", "votes", "absences")
"""Facts of a receipt that an answer to nobody's seat does not have."""


def answer_letters(session: Session, sheet: Sheet) -> list[Letter]:
    """Make all answers to a mail at the end of its work."""
    letters = []
    elsewhere = False
    for answer in session.answers:
        if answer.seat:
            seat = session.office.games.seat(answer.seat)
            assert seat is not None
            letters.append(_seat_answer(session, answer, seat, sheet))
            address = answer.address or seat.address
            elsewhere |= address.casefold() != session.mail.sender.casefold()
    strangers = session.strangers
    if session.dropped:
        reason = because("lines-dropped", count=session.dropped)
        strangers.complaints.append(Complaint(ComplaintKind.NOT_ALLOWED, 0, "", reason))
    if elsewhere and session.mail.sender:
        strangers.done.append(because("carried-out-elsewhere"))
    if session.kept and not strangers.is_empty:
        strangers.done.append(because("waits-for-confirmation", what=tuple(session.kept)))
    if not (letters or session.letters or session.kept) and strangers.is_empty:
        strangers.done.append(because("nothing-found"))
        strangers.infos.append({"template": "help-hint"})
    if not strangers.is_empty and session.mail.sender:
        letters.append(_stranger_answer(session, strangers, sheet))
    if session.warned:
        letters.append(_warning(session, session.warned))
    return letters


def _common_facts(session: Session, answer: Answer, sheet: Sheet) -> dict[str, object]:
    return {
        "done": answer.done,
        "complaints": answer.complaints,
        "orders": answer.orders,
        "infos": answer.infos,
        "ignored": session.mail.ignored,
        "unread": sheet.unread,
    }


def _stranger_answer(session: Session, answer: Answer, sheet: Sheet) -> Letter:
    """Make the answer to the sender for what concerned no seat."""
    kind = Kind.ERROR if answer.complaints or not answer.kinds else Kind.INFO
    if answer.kinds == {Kind.HELP} and not answer.complaints:
        kind = Kind.HELP
    elif answer.done and not answer.complaints and not answer.infos:
        kind = Kind.INFO
    subject = {Kind.HELP: "Re: help", Kind.INFO: "Re: your question"}.get(kind, "Re: your mail")
    return Letter(
        kind=kind,
        to=session.mail.sender,
        subject=subject,
        template="answer",
        facts=_common_facts(session, answer, sheet),
        # What was asked for is shown as its own game system shows it.
        system=next((str(info["system"]) for info in answer.infos if "system" in info), ""),
        answers=session.mail.message_id,
    )


def _seat_answer(session: Session, answer: Answer, seat: Seat, sheet: Sheet) -> Letter:
    """Make the answer to a seat: what was done, the whole order sheet, what is owed."""
    office = session.office
    game = office.games.get(answer.game)
    here = [_with_own_facts(session, game, seat, info) for info in answer.infos]
    facts = {
        **_common_facts(session, answer, sheet),
        "infos": here,
        "sheets": _sheets(session, game, seat, answer),
        "plans": plan_facts(office, game, seat.power) if seat.power and is_open(game) else [],
        "owed": owed_facts(office, game, seat),
        "votes": standing_votes(office, game, seat),
        "absences": absence_facts(session, game, seat),
        "forming": _forming_facts(session, game, seat),
        "next": _next_line(game, seat),
    }
    only_info = answer.infos and not (answer.done or answer.orders or answer.complaints)
    kinds = answer.kinds
    kind, template, event = Kind.RECEIPT, "receipt", "receipt"
    if only_info and kinds and Kind.RECEIPT not in kinds:
        kind = Kind.HELP if kinds == {Kind.HELP} else Kind.INFO
        event = "answer"
    elif answer.orders:
        event = "orders"
    letter = letter_to(
        office, game, seat, kind, template, facts, event, answers=session.mail.message_id or "-"
    )
    if not is_present(seat):
        return _to_the_gone(letter, answer)
    return letter


def _to_the_gone(letter: Letter, answer: Answer) -> Letter:
    """Send the answer of somebody who left to the address that left; it opens nothing any more."""
    return Letter(
        kind=letter.kind,
        to=answer.address,
        subject=letter.subject,
        template="answer",
        facts={k: v for k, v in letter.facts.items() if k not in _FOR_SEATS},
        system=letter.system,
        answers=letter.answers,
    )


def _with_own_facts(
    session: Session, game: GameRecord, seat: Seat, info: Mapping[str, object]
) -> dict[str, object]:
    """Fill in what an info shows of the seat's own game; STATUS is filled only now, after all."""
    facts = dict(info)
    if facts["template"] == "position":
        begun = game.state is not GameState.FORMING
        reader = reader_of(game, seat)
        facts["standing"] = table_of(game).standing(reader) if begun else None
        facts["roster"] = roster(session.office, game, seat)
        facts["game"] = game_facts(game, seat)
    return facts


def _sheets(session: Session, game: GameRecord, seat: Seat, answer: Answer) -> list[object]:
    """Return the facts of every order sheet this answer shows: the seat's own power's, or those
    a master changed or asked for."""
    if game.state not in (GameState.RUNNING, GameState.PAUSED) or not is_present(seat):
        return []
    powers = [seat.power] if seat.power else sorted(answer.powers)
    table = table_of(game)
    return [
        table.show_sheet(power, sheet_of(session.office, game, power)) for power in powers
    ]


def _forming_facts(session: Session, game: GameRecord, seat: Seat) -> dict[str, object] | None:
    if game.state is not GameState.FORMING or seat.role not in (Role.PLAYER, Role.MASTER):
        return None
    players = [s for s in session.office.games.seats(game.id) if s.role is Role.PLAYER]
    return {
        "joined": sum(is_present(s) for s in players),
        "of": len(sides_of(game)),
        "master": seat.role is Role.MASTER,
    }


def _next_line(game: GameRecord, seat: Seat) -> str:
    """Return the sign-on line this seat uses next time."""
    return f"SIGNON {seat_facts(game, seat)['signon']} yourpassword"


def _warning(session: Session, seat: Seat) -> Letter:
    """Tell a seat's address that its reply address was used from elsewhere; nothing was done."""
    game = session.office.games.get(seat.game)
    reason = because("token-from-elsewhere", game=game.name)
    return notice_to(session.office, game, seat, [reason], Kind.NOTICE)
