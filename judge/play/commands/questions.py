"""Questions sent by letter, and the handling of the replies.

A mail with the token of such a letter comes from a reader of that mailbox, but programs and
unrelated people reply as well. So only a word for yes is a yes and only a word for no is a no.
Any other reply makes the judge send the question once more, and after that it is refused.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

from judge.model.incoming import ConfirmationReply
from judge.model.letter import Letter
from judge.model.phrase import Complaint, ComplaintKind, Phrase, phrase
from judge.play.commands import confirmation
from judge.play.commands.seats import address_change, aliases, leaving, sitting
from judge.play.commands.session import ReplyDraft, Session
from judge.play.people.addresses import PATIENCE
from judge.play.tokens import Purpose, ReplyToken


@dataclass(frozen=True, slots=True)
class Question:
    """Question that the judge sends, with the actions for its replies."""

    letter: Callable[[Session, ReplyToken], Letter | None]
    """Function that makes the letter, or returns None if the question is not open."""
    yes: Callable[[Session, ReplyToken], None]
    no: Callable[[Session, ReplyToken], None]
    is_yes: Callable[[Session, ReplyToken, ConfirmationReply], bool] = (
        lambda session, token, consent: consent is ConfirmationReply.YES
    )
    is_no: Callable[[Session, ReplyToken, ConfirmationReply], bool] = (
        lambda session, token, consent: consent is ConfirmationReply.NO
    )


QUESTIONS: dict[Purpose, Question] = {
    Purpose.CONFIRM: Question(
        confirmation.question, confirmation.confirm, confirmation.decline, confirmation.says_yes
    ),
    Purpose.MOVE: Question(address_change.question, address_change.confirm, address_change.decline),
    Purpose.UNDO: Question(
        address_change.undo_question, address_change.undo, address_change.stay,
        lambda session, token, consent: consent in (ConfirmationReply.UNDO, ConfirmationReply.NO),
        lambda session, token, consent: consent is ConfirmationReply.YES,
    ),
    Purpose.ALSO: Question(aliases.question, aliases.confirm, aliases.decline),
    Purpose.RESIGN: Question(leaving.question, leaving.confirm, leaving.decline),
    Purpose.SIT: Question(sitting.question, sitting.accept, sitting.decline),
}
"""Questions by the purpose of their token."""


def take_answer(session: Session, token: ReplyToken, consent: ConfirmationReply) -> None:
    """Act on the reply to a question, or send the question once more."""
    question = QUESTIONS[token.purpose]
    letter = question.letter(session, token)
    if letter is None:
        _refuse_answer(session, phrase("answer-too-late", days=PATIENCE.days))
    elif question.is_yes(session, token, consent):
        question.yes(session, token)
    elif question.is_no(session, token, consent):
        question.no(session, token)
    elif _may_ask_again(session):
        facts = {**letter.facts, "again": True}
        session.queue(replace(letter, facts=facts, answers=session.mail.message_id or "-"))
    else:
        _refuse_answer(session, phrase("answer-unclear"))


def _may_ask_again(session: Session) -> bool:
    """Return whether the question was sent only once so far."""
    people, now = session.context.people, session.now
    return people.ask_once(f"again {session.mail.detail.lower()}", now, now - 2 * PATIENCE)


def _refuse_answer(session: Session, reason: Phrase) -> None:
    complaint = Complaint(ComplaintKind.NOT_ALLOWED, 0, "", reason)
    session.add(ReplyDraft(complaints=(complaint,)), at=0)
