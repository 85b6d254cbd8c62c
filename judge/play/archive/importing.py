"""A game brought in from a file: its powers wait for players, its clock for its master."""

import re
from dataclasses import replace
from datetime import datetime

from judge.dice import fresh_seed
from judge.errors import JudgeError
from judge.play.archive.archived import Archived
from judge.play.archive.replaying import replay
from judge.play.clocks.deadlines import stop
from judge.play.clocks.phases import open_phase
from judge.play.game import Game, Office
from judge.play.letters.telling import notice_to, record
from judge.play.office import is_open, sides_of
from judge.words.letter import Kind, Letter
from judge.words.reason import Reason, because
from judge.words.record import GameState, Role, Seat, SeatState

_NAME = re.compile(r"[a-z][a-z0-9]{1,7}")


def bring_in(
    office: Office, archived: Archived, name: str, master: str, now: datetime, *, force: bool
) -> tuple[Game, list[Letter]]:
    """Make the game of a file, within the caller's transaction; return it and its letters.

    With `force` it may hold phases that come out otherwise here than they did there.

    Raises: JudgeError when it cannot be; nothing is changed then.
    """
    imported = because("game-imported", game=name or archived.game.name, phase=archived.game.phase)
    owner = Seat(0, 0, Role.MASTER, SeatState.HELD, address=master)
    game, seat = make(office, archived, name, owner, imported, now, force=force)
    how = because("game-imported-how") if is_open(game) else because("game-imported-over")
    return game, [notice_to(game, seat, [imported, how], Kind.NOTICE)]


def make(
    office: Office, archived: Archived, name: str, master: Seat, news: Reason, now: datetime,
    *, force: bool = False,
) -> tuple[Game, Seat]:
    """Make a game like another, with a master's seat like the one given; return both as stored.

    `news` is what stands in its history about that.

    Raises: JudgeError when it cannot be; nothing is changed then.
    """
    name = (name or archived.game.name).lower()
    if not _NAME.fullmatch(name):
        raise JudgeError(f"a game cannot be called {name!r}: 2 to 8 letters or digits")
    differences = [] if force else list(replay(archived))
    if differences:
        more = f" (and {len(differences) - 1} more)" if len(differences) > 1 else ""
        raise JudgeError(f"the file does not come out as it says: {differences[0]}{more}")
    given = archived.game
    game = office.games.add(
        replace(given, name=name, seed=given.seed or fresh_seed(), opened=now, created=now)
    )
    if game is None:
        raise JudgeError(f"there is a game called {name!r} already; --name gives it another")
    for turn in archived.turns:
        game.add_turn(replace(turn, game=game.id))
    for event in archived.events:
        game.add_event(replace(event, game=game.id))
    for side in sides_of(game):
        vacant = Seat(0, game.id, Role.PLAYER, SeatState.VACANT, power=side.name, since=now)
        office.games.add_seat(vacant)
    if is_open(game):
        game.change(state=GameState.RUNNING)
        open_phase(game, now)
        stop(game, now, by="master")
    record(game, news, now)
    seat = office.games.add_seat(replace(master, id=0, game=game.id, epoch=0, since=now))
    office.watchbook.hear(seat.id, now)
    return game, seat
