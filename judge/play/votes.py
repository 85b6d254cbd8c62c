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
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from judge.games.capabilities import Ranking
from judge.games.system import Table
from judge.model.phrase import Phrase, phrase
from judge.model.record import Ballot, GameState, Role, SeatState
from judge.phrases import plainly
from judge.play.choices.house_rules import choices_of, read_option, rules_in_force, words_of
from judge.play.choices.settings import interpret, too_late
from judge.play.choices.settingtable import Scope, Setting, settings_of
from judge.play.game import Game
from judge.play.parse_time import read_duration
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
COUNTED_TOGETHER = ("draw", "extend", "pause")
"""Matters in which different choices support each other."""
MATTERS = {
    matter.name: matter
    for matter in (
        Matter("draw", ends_game=True),
        Matter("concede", ends_game=True),
        Matter("clock"),
        Matter("rule"),
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
    alike = [x for x in cast.values() if matter in COUNTED_TOGETHER or x == choice]
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
            return sorted(cast.values(), key=extension_of, reverse=True)[needed - 1]
        case "pause":
            # A vote for a longer pause counts for a shorter one as well.
            return sorted(cast.values(), key=_pause_length, reverse=True)[needed - 1]
        case _:
            choices = set(cast.values())
            return choices.pop() if len(choices) == 1 else None


def extension_of(choice: str) -> timedelta:
    """Return how much later a vote to extend moves a deadline."""
    span = read_duration(choice)
    assert isinstance(span, timedelta)
    return span


def pause_until(choice: str) -> datetime | None:
    """Return the end of the pause that a vote is for, or None if it has none."""
    return None if choice == _YES else datetime.fromisoformat(choice)


def _pause_length(choice: str) -> tuple[bool, str]:
    return choice == _YES, choice


def drop_past_pauses(game: Game, now: datetime) -> None:
    """Take back the votes for pauses that would be over by now."""
    for ballot in game.ballots():
        until = pause_until(ballot.choice) if ballot.matter == "pause" else None
        if until and until <= now:
            game.withdraw(ballot.seat, "pause")


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
LONGEST_PAUSE = timedelta(days=366)
_YES = "yes"
"""Choice of a vote that has nothing to choose."""
_UNTIL = re.compile(r"^(to|until|till|bis)\s+", re.IGNORECASE)
_TIMES = ("negotiation", "first_negotiation", "cron")
"""The settings VOTE CLOCK may change."""


ReadInstant = Callable[[Sequence[str]], datetime | Phrase]
"""Function that reads a date of the voter's, seen from the time of the mail."""


def read_choice(
    matter: Matter, words: tuple[str, ...], game: Game, now: datetime, instant: ReadInstant
) -> str | Phrase:
    """Return what is voted for, in the form in which votes are compared."""
    match matter.name:
        case "draw":
            return _draw_choice(words, game)
        case "concede":
            return _concede_choice(words, game)
        case "extend":
            text = " ".join(words).lower()
            if game.clock.negotiates:
                text = text.removeprefix("negotiation").lstrip()
            return _extension(text.removeprefix("by "), game, now, instant)
        case "pause":
            return _pause_choice(" ".join(words), now, instant)
        case "clock":
            return _clock_problem(words, game) or _clock_choice(words, settings_of(game))
        case "rule":
            return _rule_choice(words, game)
        case _:
            return phrase("vote-too-much", matter=matter.name.upper()) if words else _YES


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


def _extension(text: str, game: Game, now: datetime, instant: ReadInstant) -> str | Phrase:
    """Return how much later the deadline shall be, of a length of time or of a date."""
    date = _UNTIL.sub("", text)
    span = read_duration(text or "24h")
    if isinstance(span, Phrase) and game.deadline:
        until = instant(date.split())
        if isinstance(until, Phrase):
            return until if date != text else span
        if until <= game.deadline:
            return phrase(
                "vote-extend-earlier", until=until.isoformat(), deadline=game.deadline.isoformat()
            )
        span = until - max(game.deadline, now)
    if isinstance(span, Phrase):
        return span
    if not SHORTEST_EXTENSION <= span <= LONGEST_EXTENSION:
        return phrase("vote-extend-span", most=LONGEST_EXTENSION.days)
    hours, minutes = divmod(round(span / timedelta(minutes=1)), 60)
    return f"{hours}h{minutes}m" if minutes else f"{hours}h"


def pause_problem(until: datetime, now: datetime) -> Phrase | None:
    """Return why a pause cannot end at an instant, or None."""
    if until <= now:
        return phrase("instant-past")
    if until > now + LONGEST_PAUSE:
        return phrase("pause-too-long", days=LONGEST_PAUSE.days)
    return None


def _pause_choice(text: str, now: datetime, instant: ReadInstant) -> str | Phrase:
    """Return the end of a pause as votes for it are compared."""
    if not text:
        return _YES
    date = _UNTIL.sub("", text)
    until = instant(date.split())
    if date == text and (isinstance(until, Phrase) or until == now):
        return phrase("vote-pause-form")
    if isinstance(until, Phrase):
        return until
    return pause_problem(until, now) or until.astimezone(UTC).isoformat()


def _clock_choice(words: tuple[str, ...], rows: Sequence[Setting]) -> str:
    """Return other times as votes for them are compared; in DAYS small letters mean something.

    >>> rows = [Setting(("TURN", key), "", "") for key in ("NEXT", "DAYS")]
    >>> _clock_choice(("turn", "Next", "48", "days", "-MTWTFs"), rows)
    'TURN NEXT 48 DAYS -MTWTFs'
    """
    known = {word for row in rows for word in row.words}
    return " ".join(word.upper() if word.upper() in known else word for word in words)


def _clock_problem(words: tuple[str, ...], game: Game) -> Phrase | None:
    changes = interpret(words, False, game, Role.MASTER)
    if isinstance(changes, Phrase):
        return changes
    for change in changes:
        row = change.setting
        if problem := too_late(game, row.name):
            return problem
        if row.scope is not Scope.GAME or not ("." in row.name or row.name in _TIMES):
            return phrase("vote-clock-only", clock=main_clock(game))
    return None


def _rule_choice(words: tuple[str, ...], game: Game) -> str | Phrase:
    """Return a rule as votes for it are compared, with the value it shall have."""
    off = bool(words) and words[0].upper() in ("NO", "NOT")
    found = read_option(words[1:] if off else words, off, game)
    if isinstance(found, Phrase):
        return found
    if found is None or not found.option.at_any_time:
        names = tuple(words_of(option) for option in choices_of(game) if option.at_any_time)
        return phrase("vote-rule-only", rules=names) if names else phrase("vote-rule-none")
    choice = f"{words_of(found.option)} {found.value}".replace("_", " ").upper()
    if choice in {rule.words for rule in rules_in_force(game)}:
        return phrase("setting-rule-already", setting=words_of(found.option), told=found.told)
    return choice


def vote_line(game: Game, matter: str, choice: str) -> str:
    """Return the line that votes for the same."""
    letters = {side.name: side.letter for side in sides_of(game)}
    match matter:
        case "draw" if not game.chosen.dias:
            return f"VOTE DRAW {' '.join(letters[power] for power in choice.split(','))}"
        case "concede":
            return f"VOTE CONCEDE {letters[choice]}"
        case "extend" | "clock" | "rule":
            return f"VOTE {matter.upper()} {choice}"
        case "pause" if until := pause_until(choice):
            return f"VOTE PAUSE UNTIL {plainly(until)}"
        case _:
            return f"VOTE {matter.upper()}"
