"""MY GAMES: the sender's games, with phase, deadline and missing orders.

A From line is no proof, but the reply goes to that address alone. A forger learns nothing by
it, not even that a seat exists. If a seat is open, the games are those of its registered
address, which gets the reply. A master who acts as a power gets no games, because they would be
its player's.
"""

from collections.abc import Mapping
from datetime import datetime

from judge.model.command import AuditDetail, Command, CommandForm, Permission, Where
from judge.model.letter import LetterKind
from judge.model.record import GameState, Role, Seat
from judge.play.commands.row import command, reads
from judge.play.commands.session import ReplyDraft, Session
from judge.play.game import Game
from judge.play.letters.letter_factory import game_facts, owed_facts, seat_facts
from judge.play.people.sitting import sits_until
from judge.play.post_game import talk_until
from judge.play.queries import (
    awaits_release,
    is_present,
    player_count,
    player_seats,
    system_missing,
)

MAX_GAMES = 50
"""Maximum number of games in one reply."""


@command(
    CommandForm("MY GAMES, MYGAMES, MY SEATS, LIST MY GAMES", "MY GAMES"),
    CommandForm("MEINE PARTIEN, MEINE SPIELE", "MEINE PARTIEN"), who=Permission.ANYBODY,
    log=AuditDetail.NOTHING,
)
class MyGames(Command):
    """The sender's games: `MY GAMES`. `MEINE PARTIEN` asks in German."""

    language: str = ""

    @reads("my_games_in_german")
    @classmethod
    def read(cls, *, at: Where) -> "MyGames":
        """MEINE PARTIEN."""
        return cls(**at, language="de")

    def run(self, session: Session) -> None:
        """Show the games of the present person."""
        rows = own_rows(session)
        session.add(ReplyDraft(language=self.language))
        session.show(LetterKind.INFO, "mine", rows=rows)


def own_rows(session: Session) -> list[Mapping[str, object]]:
    """Return the facts of every seat of the present person in unfinished games.

    Seats with something to do come first, then those with the earliest deadline. Empty while a
    master acts as a power.
    """
    if session.acting_master:
        return []
    context = session.context
    addresses = context.aliases.addresses_of(session.person) if session.person else ()
    seats = {seat.id: seat for each in addresses for seat in context.games.seats_at(each)}
    games = context.games.open_among({seat.game for seat in seats.values()}, MAX_GAMES)
    found = []
    for game in games:
        for seat in game.all_seats():
            if seat.id in seats and is_present(seat):
                row = _row(game, seat)
                found.append((_rank(game, seat, row), row))
    return [row for _, row in sorted(found, key=lambda each: each[0])]


def _rank(game: Game, seat: Seat, row: Mapping[str, object]) -> tuple[bool, bool, float, str, int]:
    """Return the sort key of a game."""
    until = _until(game)
    instant = until.timestamp() if until else 0.0
    return not row["owes"], until is None, instant, game.name, seat.id


def _until(game: Game) -> datetime | None:
    return (game.grace_until if game.clock.late else game.deadline) or game.clock.muster_until


def _row(game: Game, seat: Seat) -> dict[str, object]:
    missing = system_missing(game)
    owed = owed_facts(game, seat) if missing is None else {"due": False, "missing": ()}
    players = [each for each in player_seats(game) if is_present(each)]
    forming = game.state is GameState.FORMING
    muster = game.clock.muster_until if forming and seat.role is Role.PLAYER else None
    called = muster if muster and seat.id not in (game.clock.confirmed or ()) else None
    master = seat.role is Role.MASTER
    asking = len(game.dealings.asking) + len(game.dealings.watchers) if master else 0
    release = master and awaits_release(game)
    return {
        "system": game.system,
        "missing_system": missing,
        "game": game_facts(game, seat),
        "seat": seat_facts(game, seat),
        "owed": owed,
        "owes": bool(owed["due"] and owed["missing"] or called or asking or release),
        "muster": called,
        "joined": len(players),
        "of": player_count(game),
        "asking": asking,
        "release": release,
        "sits_until": sits_until(seat),
        "talk": talk_until(game),
    }
