"""BECOME: a master acts as a power, openly.

The lines that follow are for the power's seat, until BECOME MASTER, the next sign-on or the end
of the mail. The master gets the receipt and the power's player a copy of it. The log informs
all others. A master who plays cannot act as a power that has a player.
"""

from judge.model.command import (
    MASTER_WORDS,
    AuditDetail,
    Command,
    CommandForm,
    EchoPolicy,
    SeatChange,
    Where,
)
from judge.model.phrase import Phrase, phrase
from judge.model.record import GameState, Seat
from judge.model.seat_commands import ChangeSetting
from judge.play.commands.row import command, reads
from judge.play.commands.session import Session
from judge.play.queries import find_power, is_present, no_such_power, seat_of_power

_SETTINGS = frozenset("wait orders absence holiday holidays vacation vacations".split())
"""Settings that a master may SET while acting as a power.

The player's own affairs (address, password, zone) are excluded.
"""


@command(
    CommandForm("BECOME", "BECOME power", EchoPolicy.SEAT), shuts=True, log=AuditDetail.STANCE,
    as_power=True,
)
class Become(Command):
    """Change of the master's seat: `BECOME N` to a power, `BECOME MASTER` back."""

    who: str

    def seat_change(self) -> SeatChange:
        """Return the change of the open seat."""
        return SeatChange(is_masters=self.who.lower() in MASTER_WORDS)

    @reads("become")
    @classmethod
    def read(cls, who: str, *, at: Where) -> "Become":
        """BECOME N, BECOME MASTER."""
        return cls(**at, who=who.rstrip(".!"))

    def run(self, session: Session) -> None:
        """Open a power's seat for its master.

        After a refusal lines are ignored until the next sign-on.
        """
        master = session.master
        if self.who.casefold() in ("m", "master") and master:
            session.open(master)
            return
        seat = _seat_meant(session, self, master)
        if isinstance(seat, Phrase):
            session.refuse(self, seat)
            session.close(shut=True)
            return
        assert master is not None
        game = session.context.games.get(seat.game)
        session.open(seat, by=master.id)
        session.done(phrase("acting-as", power=seat.power, game=game.name))


def _seat_meant(session: Session, command: Become, master: Seat | None) -> Seat | Phrase:
    """Return the seat of the power that a master becomes, or why it is impossible."""
    if master is None:
        return phrase("become-master-only")
    game = session.context.games.get(master.game)
    if game.state not in (GameState.RUNNING, GameState.PAUSED):
        return phrase("not-running", game=game.name, state=game.state.value)
    side = find_power(game, command.who)
    seat = seat_of_power(game, side.name) if side else None
    if seat is None:
        return no_such_power(game, command.who)
    if game.chosen.gm_plays and is_present(seat):
        return phrase("become-gm-plays", power=seat.power, game=game.name)
    return seat


def problem(session: Session, command: Command) -> Phrase | None:
    """Return why a master cannot give a command while acting as a power, or None."""
    if isinstance(command, ChangeSetting):
        if command.words and command.words[0].lower() in _SETTINGS:
            return None
    elif session.kind(command).as_power:
        return None
    return phrase("become-not-this", word=command.text.split()[0].upper())
