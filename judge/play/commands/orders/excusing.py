"""EXCUSE: delay of the deadline for a player, who is then not late (SET EXCUSES)."""

from judge.model.command import Command, CommandForm
from judge.model.phrase import phrase
from judge.play.clocks import excuses
from judge.play.clocks.deadlines import also_moved
from judge.play.commands.row import command
from judge.play.commands.session import Session
from judge.play.letters.anonymity import hides_late_names
from judge.play.letters.letter_factory import present_seats, record_in_history

_INSTEAD = {"excuse-none": "VOTE EXTEND 24h", "excuse-used": "VOTE EXTEND 24h"}


@command(CommandForm("EXCUSE", "EXCUSE"), freeze="orders")
class Excuse(Command):
    """Command that delays the present deadline by one of the player's excuses."""

    def run(self, session: Session) -> None:
        """Delay the present deadline for the open seat's player, and announce that."""
        seat, game = session.seat, session.game
        was, before = game.deadline, game.record
        if reason := excuses.excuse_refusal(game, seat):
            instead = _INSTEAD.get(reason.code)
            session.refuse(self, reason, *([instead] if instead else []))
            return
        assert was is not None
        excuses.excuse(game, [seat], session.now)
        news = excuses.excuse_phrase(game, [seat], was, known=True)
        more = also_moved(before, game)
        if not hides_late_names(game):
            session.mark_changed(game)
            session.announce_to_all(game, [news, *more])
            return
        session.mark_changed(game)
        session.done(news, *more)
        public = excuses.excuse_phrase(game, [seat], was, known=False)
        record_in_history(game, public, session.now)
        knowing = frozenset(each.id for each in excuses.seats_that_may_know(game, [seat]))
        others = frozenset(each.id for each in present_seats(game)) - knowing
        session.announce_quietly(game, news, to=knowing)
        session.announce_quietly(game, public, to=others)
        for moved in more:
            session.announce_quietly(game, moved)


def standing(session: Session) -> None:
    """Report the remaining excuses of the open seat's player, in games with excuses."""
    seat, game = session.seat, session.game
    if not game.chosen.excuses or not excuses.can_take_excuse(game, seat):
        return
    count, of = excuses.count_left(game, seat), game.chosen.excuses
    session.done(phrase("excuses-standing", left=count, of=of))
