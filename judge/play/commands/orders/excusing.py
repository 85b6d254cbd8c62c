"""EXCUSE: delay of the deadline for a player, who is then not late (SET EXCUSES)."""

from judge.model.command import Command, Form
from judge.model.phrase import phrase
from judge.play.clocks import excuses
from judge.play.clocks.deadlines import also_moved
from judge.play.commands.row import command
from judge.play.commands.session import Session
from judge.play.letters.anonymity import counts_only
from judge.play.letters.letter_factory import present_seats, record

_INSTEAD = {"excuse-none": "VOTE EXTEND 24h", "excuse-used": "VOTE EXTEND 24h"}


@command(Form("EXCUSE", "EXCUSE"), freeze="orders")
class Excuse(Command):
    """Command that delays the present deadline by one of the player's excuses."""

    def run(self, session: Session) -> None:
        """Delay the present deadline for the open seat's player, and announce that."""
        seat, game = session.seat, session.game
        was, before = game.deadline, game.record
        if reason := excuses.problem(game, seat):
            instead = _INSTEAD.get(reason.code)
            session.refuse(self, reason, *([instead] if instead else []))
            return
        assert was is not None
        excuses.excuse(game, [seat], session.now)
        news = excuses.told(game, [seat], was, known=True)
        more = also_moved(before, game)
        if not counts_only(game):
            session.mark_changed(game)
            session.announce_to_all(game, [news, *more])
            return
        session.mark_changed(game)
        session.done(news, *more)
        public = excuses.told(game, [seat], was, known=False)
        record(game, public, session.now)
        knowing = frozenset(each.id for each in excuses.who_may_know(game, [seat]))
        others = frozenset(each.id for each in present_seats(game)) - knowing
        session.announce_quietly(game, news, to=knowing)
        session.announce_quietly(game, public, to=others)
        for moved in more:
            session.announce_quietly(game, moved)


def standing(session: Session) -> None:
    """Report the remaining excuses of the open seat's player, in games with excuses."""
    seat, game = session.seat, session.game
    if not game.chosen.excuses or not excuses.can_ask(game, seat):
        return
    count, of = excuses.left(game, seat), game.chosen.excuses
    session.done(phrase("excuses-standing", left=count, of=of))
