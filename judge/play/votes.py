"""What the players of a game decide together: motions, ballots, and how they are counted.

A choice is kept as text in the form in which votes are compared; `vote_line` writes it as the
line that votes for the same.

How votes are counted: who has a vote, what carries a matter, when a vote ends.

Draws, concessions, other times and the end of a game without result take the votes of all who
still play; to extend a deadline, to pause and to go on, two thirds of them. Powers without a
player do not block.
"""

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import timedelta
from typing import NamedTuple
from zoneinfo import ZoneInfo

from judge.games.capabilities import Ranking
from judge.games.system import Table
from judge.model.orders import Vote
from judge.model.phrase import Phrase, phrase
from judge.model.record import Ballot, GameState, Role, SeatState
from judge.play.choices.settings import interpret
from judge.play.choices.settingtable import Scope, Setting, settings_of
from judge.play.game import Game
from judge.play.parse_time import read_duration, read_instant
from judge.play.queries import bots_in, find_side, main_clock, no_such_power, player_seats, sides_of


class Matter(NamedTuple):
    """One thing that can be voted on."""

    name: str
    by_all: bool = True
    """All must agree; else two thirds."""
    states: tuple[GameState, ...] = (GameState.RUNNING, GameState.PAUSED)
    fleeting: bool = False
    """Votes in it end with the phase in any game."""
    ends_game: bool = False
    """It ends the game: not for a sitter to agree to."""


RUNNING_ONLY = (GameState.RUNNING,)
MATTERS = {
    matter.name: matter
    for matter in (
        Matter("draw", ends_game=True),
        Matter("concede", ends_game=True),
        Matter("clock"),
        Matter("cancel", ends_game=True),
        Matter("extend", by_all=False, states=RUNNING_ONLY, fleeting=True),
        Matter("pause", by_all=False, states=RUNNING_ONLY),
        Matter("resume", by_all=False, states=(GameState.PAUSED,)),
    )
}
"""What can be voted on, by the word after VOTE."""


class Tally(NamedTuple):
    """How a matter stands."""

    votes: int
    of: int
    needed: int


def voters(game: Game, table: Table, but: str = "") -> list[int]:
    """Return the seats whose votes count: those held, of powers still alive."""
    alive = table.alive()
    return [
        seat.id
        for seat in player_seats(game)
        if seat.state is SeatState.HELD and seat.power in alive and seat.power != but
    ]


def tally(game: Game, matter: str, choice: str) -> Tally:
    """Count the votes for what somebody voted for."""
    table = game.table
    entitled = voters(game, table, choice if matter == "concede" else "")
    cast = _cast(game, matter, entitled)
    alike = [x for x in cast.values() if matter in ("draw", "extend") or x == choice]
    return Tally(len(alike), len(entitled), _needed(MATTERS[matter], len(entitled)))


def _needed(matter: Matter, of: int) -> int:
    return of if matter.by_all else math.ceil(of * 2 / 3)


def _cast(
    game: Game, matter: str, entitled: Iterable[int]
) -> dict[int, str]:
    """Return seat → choice of the votes in one matter that count."""
    seats = set(entitled)
    return {
        ballot.seat: ballot.choice
        for ballot in game.ballots()
        if ballot.matter == matter and ballot.seat in seats
    }


def carried(game: Game, matter: str) -> str | None:
    """Return what has been carried in a matter, or None; where nobody has a vote, nothing is."""
    table = game.table
    if matter == "concede":
        return _conceded_to(game, table)
    entitled = voters(game, table)
    cast = _cast(game, matter, entitled)
    needed = _needed(MATTERS[matter], len(entitled))
    if not cast or len(cast) < needed:
        return None
    match matter:
        case "draw":
            return _shared(game, cast)
        case "extend":
            # Who wants more time takes less too: so much as enough of them ask for.
            return f"{sorted(map(_hours, cast.values()), reverse=True)[needed - 1]:g}h"
        case _:
            choices = set(cast.values())
            return choices.pop() if len(choices) == 1 else None


def _hours(choice: str) -> float:
    return float(choice.removesuffix("h"))


def leaders(table: Table) -> tuple[str, ...]:
    """Return the powers others may concede to: any that is left, where nobody is known to lead."""
    return table.leaders() if isinstance(table, Ranking) else table.alive()


def _conceded_to(game: Game, table: Table) -> str | None:
    """Return the leader to whom all others concede."""
    for leader in leaders(table):
        entitled = voters(game, table, leader)
        cast = _cast(game, "concede", entitled)
        if cast and len(cast) == len(entitled) and set(cast.values()) == {leader}:
            return leader
    return None


def _shared(game: Game, cast: dict[int, str]) -> str | None:
    """Return the powers that share a draw all have voted for.

    Of all who still play: of powers that have a player or a bot, that is. Others have agreed to
    nothing. A bot agrees to every draw, unless it is ahead of everybody.
    """
    table = game.table
    alive = table.alive()
    if bot_ahead(game):
        return None
    powers = {seat.id: seat.power for seat in player_seats(game)}
    if game.chosen.dias:
        playing = {*(powers[seat] for seat in voters(game, table)), *bots_in(game)}
        return ",".join(power for power in alive if power in playing)
    named = {powers[seat]: frozenset(choice.split(",")) for seat, choice in cast.items()}
    return ",".join(common_draw(alive, named)) or None


def bot_ahead(game: Game) -> str:
    """Return the power of a bot that agrees to no draw, as it alone is ahead; empty: there is none.
    """
    ahead = leaders(game.table)
    return ahead[0] if len(ahead) == 1 and ahead[0] in bots_in(game) else ""


def common_draw(alive: Sequence[str], named: Mapping[str, frozenset[str]]) -> tuple[str, ...]:
    """Return the largest draw that every voter accepts, empty where there is none of two or more.

    Who names himself accepts any draw among those named that has himself in it; who does not,
    also one without him.

    >>> common_draw("AEFG", {"F": frozenset("EFG"), "G": frozenset("FG"), "E": frozenset("FG")})
    ('F', 'G')
    """
    shared = [
        power
        for power in alive
        if all(power in names or power == voter for voter, names in named.items())
    ]
    wanted = {voter for voter, names in named.items() if voter in names}
    return tuple(shared) if len(shared) > 1 and wanted <= set(shared) else ()


def lasts(game: Game, matter: str) -> bool:
    """Tell whether votes in a matter stand over the end of the phase."""
    return not (MATTERS[matter].fleeting or game.chosen.votes_expire)


def expire(game: Game) -> None:
    """End the votes that end with a phase, and concessions to who no longer leads."""
    for name in MATTERS:
        if not lasts(game, name):
            game.drop_ballots(name)
    ballots = [x for x in game.ballots() if x.matter == "concede"]
    ahead = leaders(game.table) if ballots else ()
    for ballot in ballots:
        if ballot.choice not in ahead:
            game.withdraw(ballot.seat, "concede")


def standing(game: Game, seat_id: int) -> list[Ballot]:
    """Return a seat's own votes that stand."""
    return [ballot for ballot in game.ballots() if ballot.seat == seat_id]


LONGEST_EXTENSION = timedelta(days=7)
SHORTEST_EXTENSION = timedelta(hours=1)
_TIMES = ("negotiation", "first_negotiation", "cron")
"""The settings VOTE CLOCK may change."""


def read_choice(matter: Matter, command: Vote, game: Game) -> str | Phrase:
    """Return what is voted for, in the form in which votes are compared."""
    words = command.words
    match matter.name:
        case "draw":
            return _draw_choice(words, game)
        case "concede":
            return _concede_choice(words, game)
        case "extend":
            return _extension(" ".join(words).lower().removeprefix("by "), game)
        case "clock":
            return _clock_problem(command, game) or _clock_choice(words, settings_of(game))
        case _:
            return phrase("vote-too-much", matter=matter.name.upper()) if words else "yes"


def _draw_choice(words: tuple[str, ...], game: Game) -> str | Phrase:
    """Return the powers of a draw, in the map's order; of all survivors where it must be."""
    alive = game.table.alive()
    if not words:
        return ",".join(alive)
    if game.chosen.dias:
        return phrase("vote-draw-dias", game=game.name)
    found: set[str] = set()
    for word in " ".join(words).replace(",", " ").replace("+", " ").split():
        side = find_side(game, word)
        letters = {side.letter.upper(): side.name for side in sides_of(game)}
        if side:
            found.add(side.name)
        elif set(word.upper()) <= set(letters):
            found.update(letters[letter] for letter in word.upper())
        elif word.lower() != "and":
            return no_such_power(game, word)
    if gone := tuple(sorted(found - set(alive))):
        return phrase("vote-draw-gone", powers=gone)
    return ",".join(power for power in alive if power in found)


def _concede_choice(words: tuple[str, ...], game: Game) -> str | Phrase:
    """Return the leader somebody concedes to; there is nobody else to concede to."""
    named = [word for word in words if word.lower() != "to"]
    ahead = leaders(game.table)
    side = find_side(game, " ".join(named)) if named else None
    if not named and len(ahead) == 1:
        return ahead[0]
    if side is None or side.name not in ahead:
        return phrase("vote-concede-leader", leaders=ahead)
    return side.name


def _extension(text: str, game: Game) -> str | Phrase:
    """Return how much later the deadline shall be, of a length of time or of a date."""
    span = read_duration(text or "24h")
    if isinstance(span, Phrase) and game.deadline:
        words = re.sub(r"^(to|until|till|bis)\s", "", text).split()
        zone = ZoneInfo(game.chosen.zone)
        hour = game.deadline.astimezone(zone).timetz()
        until = read_instant(words, game.deadline, zone, hour=hour)
        span = span if isinstance(until, Phrase) else until - game.deadline
    if isinstance(span, Phrase):
        return span
    if not SHORTEST_EXTENSION <= span <= LONGEST_EXTENSION:
        return phrase("vote-extend-span", most=LONGEST_EXTENSION.days)
    return f"{span.total_seconds() / 3600:g}h"


def _clock_choice(words: tuple[str, ...], rows: Sequence[Setting]) -> str:
    """Return other times as votes for them are compared; in DAYS small letters mean something.

    >>> rows = [Setting(("TURN", key), "", "") for key in ("NEXT", "DAYS")]
    >>> _clock_choice(("turn", "Next", "48", "days", "-MTWTFs"), rows)
    'TURN NEXT 48 DAYS -MTWTFs'
    """
    known = {word for row in rows for word in row.words}
    return " ".join(word.upper() if word.upper() in known else word for word in words)


def _clock_problem(command: Vote, game: Game) -> Phrase | None:
    changes = interpret(command.words, False, game, Role.MASTER)
    if isinstance(changes, Phrase):
        return changes
    for change in changes:
        row = change.setting
        if row.scope is not Scope.GAME or not ("." in row.name or row.name in _TIMES):
            return phrase("vote-clock-only", clock=main_clock(game))
    return None


def vote_line(game: Game, matter: str, choice: str) -> str:
    """Return the line that votes for the same."""
    letters = {side.name: side.letter for side in sides_of(game)}
    match matter:
        case "draw" if not game.chosen.dias:
            return f"VOTE DRAW {' '.join(letters[power] for power in choice.split(','))}"
        case "concede":
            return f"VOTE CONCEDE {letters[choice]}"
        case "extend" | "clock":
            return f"VOTE {matter.upper()} {choice}"
        case _:
            return f"VOTE {matter.upper()}"
