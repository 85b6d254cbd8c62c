"""Results held back: where a game says so, a phase that is over waits for its master's RELEASE.

When the phase would be adjudicated, orders close and the master gets the result as it stands, to
look it over. Until it is released nobody else hears of it. A new deadline opens the phase again.
"""

from dataclasses import replace
from datetime import datetime, timedelta

from judge.dice import Dice
from judge.games import find_system
from judge.games.system import Watcher
from judge.play.clocks.phases import adjudicate, sheets_in_force
from judge.play.game import Game
from judge.play.letters.telling import announce, letter_to, present_seats
from judge.play.office import is_held, reader_of
from judge.words.letter import Kind, Letter
from judge.words.reason import because
from judge.words.record import Role, Seat

PATIENCE = timedelta(hours=24)
"""How often the master is told again that everybody waits."""


def finish_phase(game: Game, now: datetime) -> list[Letter]:
    """Adjudicate a phase that is over, or hold its result back where the game says so.

    A game without a master to release it holds nothing back.
    """
    if not game.chosen.hold or not _masters(game):
        return adjudicate(game, now)
    game.change(clock=game.clock.holding(now))
    masters = _masters(game)
    reason = because("phase-held", phase=game.phase, game=game.name)
    letters = announce(game, reason, now, but=[seat.id for seat in masters])
    return letters + [_held_letter(game, seat) for seat in masters]


def _masters(game: Game) -> list[Seat]:
    """Return the masters who can release something: mails of those who are banned do nothing."""
    return [
        seat
        for seat in present_seats(game)
        if seat.role is Role.MASTER and not game.office.watchbook.is_banned(seat.address)
    ]


def _held_letter(game: Game, seat: Seat) -> Letter:
    """Show a master the result that waits; to one who may play only that it waits."""
    reader = reader_of(game, seat)
    results = None
    if reader.quality is Watcher.MASTER:
        sheets, dice = sheets_in_force(game), Dice(game.seed, game.turn)
        tried = game.table.adjudicate(sheets, dice)
        results = find_system(game.system).retell(game.map, tried.record, reader)
    facts = {"results": results}
    return letter_to(game, seat, Kind.NOTICE, "held", facts, "waits for you")


def next_nudge(game: Game) -> datetime | None:
    """Return when to tell the master again that a result waits; None when none does."""
    nudged = game.clock.nudged if is_held(game) else None
    return nudged + PATIENCE if nudged else None


def nudge(game: Game, now: datetime) -> list[Letter]:
    """Tell the master again that everybody waits; where he has gone, let the result go."""
    if not _masters(game):
        return adjudicate(game, now)
    game.change(clock=replace(game.clock, nudged=now))
    return [_held_letter(game, seat) for seat in _masters(game)]
