"""EXCUSE: the deadline waits for a player, who then is not late (SET EXCUSES)."""

from judge.model.orders import Excuse
from judge.model.phrase import phrase
from judge.play.clocks import excuses
from judge.play.clocks.deadlines import also_moved
from judge.play.commands.outcome import (
    NOTHING,
    Outcome,
    refused,
    said,
    spread,
    told_all,
    touched,
)
from judge.play.commands.session import Session
from judge.play.letters.anonymity import counts_only
from judge.play.letters.letter_factory import present_seats, record

_INSTEAD = {"excuse-none": "VOTE EXTEND 24h", "excuse-used": "VOTE EXTEND 24h"}


def excuse(session: Session, command: Excuse) -> Outcome:
    """Have the present deadline wait for the open seat's player, and tell everybody."""
    seat, game = session.seat, session.game
    was, before = game.deadline, game.record
    if reason := excuses.problem(game, seat):
        instead = _INSTEAD.get(reason.code)
        return refused(command, reason, *([instead] if instead else []))
    assert was is not None
    excuses.excuse(game, [seat], session.now)
    news = excuses.told(game, [seat], was, known=True)
    more = also_moved(before, game)
    if not counts_only(game):
        return touched(game) + told_all(session, game, [news, *more])
    did = touched(game) + said(news, *more)
    public = excuses.told(game, [seat], was, known=False)
    record(game, public, session.now)
    knowing = frozenset(each.id for each in excuses.who_may_know(game, [seat]))
    others = frozenset(each.id for each in present_seats(game)) - knowing
    did += spread(game, news, to=knowing) + spread(game, public, to=others)
    for moved in more:
        did += spread(game, moved)
    return did


def standing(session: Session) -> Outcome:
    """Say how many excuses the open seat's player has left, where a game gives any."""
    seat, game = session.seat, session.game
    if not game.chosen.excuses or not excuses.can_ask(game, seat):
        return NOTHING
    count, of = excuses.left(game, seat), game.chosen.excuses
    return said(phrase("excuses-standing", left=count, of=of))
