"""Votes of the players: matters, choices, and how they are counted.

A choice is stored as text in the form in which votes are compared. `vote_line` writes it as the
line that votes for the same.

Draws, concessions, other times and the end of a game without result need the votes of all who
still play. To extend a deadline, to pause and to resume takes two thirds of them. Powers
without a player do not block.
"""

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from judge.games.capabilities import Ranking
from judge.games.system import Table
from judge.model.phrase import Phrase, phrase
from judge.model.record import Ballot, GameState, Role
from judge.phrases import format_utc
from judge.play.choices.house_rules import choices_of, read_option, rules_in_force, words_of
from judge.play.choices.settings import interpret, too_late
from judge.play.choices.settingtable import Scope, Setting, settings_of
from judge.play.game import Game
from judge.play.parse_time import read_duration
from judge.play.queries import (
    bots_in,
    find_power,
    main_clock,
    no_such_power,
    occupied_seats,
    player_seats,
    sides_of,
)


class Matter(NamedTuple):
    """A matter that can be voted on."""

    name: str
    by_all: bool = True
    """True if all must agree, else two thirds."""
    states: tuple[GameState, ...] = (GameState.RUNNING, GameState.PAUSED)
    fleeting: bool = False
    """True if votes in it end with the phase in any game."""
    ends_game: bool = False
    """True if it ends the game, so that a sitter cannot vote."""


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
"""Matters by the word after VOTE."""


class VoteTally(NamedTuple):
    """Count of the votes in a matter."""

    votes: int
    of: int
    needed: int


def voters(game: Game, table: Table, but: str = "") -> list[int]:
    """Return the seats whose votes count: occupied ones of powers still alive."""
    seats = occupied_seats(game, table.powers_alive())
    return [seat.id for seat in seats if seat.power != but]


def tally(game: Game, matter: str, choice: str) -> VoteTally:
    """Count the votes for a choice."""
    table = game.table
    entitled = voters(game, table, choice if matter == "concede" else "")
    cast = _cast(game, matter, entitled)
    alike = [x for x in cast.values() if matter in COUNTED_TOGETHER or x == choice]
    return VoteTally(len(alike), len(entitled), _count_needed(MATTERS[matter], len(entitled)))


def _count_needed(matter: Matter, of: int) -> int:
    return of if matter.by_all else math.ceil(of * 2 / 3)


def _cast(game: Game, matter: str, entitled: Iterable[int]) -> dict[int, str]:
    """Return the votes in one matter that count, as seat → choice."""
    seats = set(entitled)
    return {
        ballot.seat: ballot.choice
        for ballot in game.ballots()
        if ballot.matter == matter and ballot.seat in seats
    }


def find_carried_choice(game: Game, matter: str) -> str | None:
    """Return the choice carried in a matter, or None, also if there are no voters."""
    table = game.table
    if matter == "concede":
        return _conceded_to(game, table)
    entitled = voters(game, table)
    cast = _cast(game, matter, entitled)
    needed = _count_needed(MATTERS[matter], len(entitled))
    if not cast or len(cast) < needed:
        return None
    match matter:
        case "draw":
            return _find_shared_draw(game, cast)
        case "extend":
            # A vote for more time also counts for less, so the largest sufficient span is
            # taken.
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
    """Withdraw the votes for pauses that would be over by now."""
    for ballot in game.ballots():
        until = pause_until(ballot.choice) if ballot.matter == "pause" else None
        if until and until <= now:
            game.withdraw(ballot.seat, "pause")


def leaders(table: Table) -> tuple[str, ...]:
    """Return the powers others may concede to.

    They are all survivors if the leader is not public.
    """
    return table.leaders() if isinstance(table, Ranking) else table.powers_alive()


def _conceded_to(game: Game, table: Table) -> str | None:
    """Return the leader to whom all others concede, or None."""
    for leader in leaders(table):
        entitled = voters(game, table, leader)
        cast = _cast(game, "concede", entitled)
        if cast and len(cast) == len(entitled) and set(cast.values()) == {leader}:
            return leader
    return None


def _find_shared_draw(game: Game, cast: dict[int, str]) -> str | None:
    """Return the powers that share a draw all have voted for, or None.

    These are survivors with a player or a bot, since others have agreed to nothing. A bot
    agrees to every draw, unless it alone leads.
    """
    table = game.table
    alive = table.powers_alive()
    if bot_ahead(game):
        return None
    powers = {seat.id: seat.power for seat in player_seats(game)}
    if game.chosen.dias:
        playing = {*(powers[seat] for seat in voters(game, table)), *bots_in(game)}
        return ",".join(power for power in alive if power in playing)
    named = {powers[seat]: frozenset(choice.split(",")) for seat, choice in cast.items()}
    return ",".join(common_draw(alive, named)) or None


def bot_ahead(game: Game) -> str:
    """Return the power of a bot that agrees to no draw as it alone leads, or ""."""
    ahead = leaders(game.table)
    return ahead[0] if len(ahead) == 1 and ahead[0] in bots_in(game) else ""


def common_draw(alive: Sequence[str], named: Mapping[str, frozenset[str]]) -> tuple[str, ...]:
    """Return the largest draw every voter accepts, or () if it is of fewer than two.

    Voters who name themselves accept any draw among those named that includes them. Voters who
    do not also accept one without them.

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
    """Return whether votes in a matter last beyond the end of the phase."""
    return not (MATTERS[matter].fleeting or game.chosen.votes_expire)


def expire(game: Game) -> None:
    """Drop votes that end with a phase, and concessions to powers not leading."""
    for name in MATTERS:
        if not lasts(game, name):
            game.drop_ballots(name)
    ballots = [x for x in game.ballots() if x.matter == "concede"]
    ahead = leaders(game.table) if ballots else ()
    for ballot in ballots:
        if ballot.choice not in ahead:
            game.withdraw(ballot.seat, "concede")


def votes_of_seat(game: Game, seat_id: int) -> list[Ballot]:
    """Return a seat's own current votes."""
    return [ballot for ballot in game.ballots() if ballot.seat == seat_id]


MAX_EXTENSION = timedelta(days=7)
MIN_EXTENSION = timedelta(hours=1)
MAX_PAUSE = timedelta(days=366)
_YES = "yes"
"""Choice of a vote that has nothing to choose."""
_UNTIL = re.compile(r"^(to|until|till|bis)\s+", re.IGNORECASE)
_TIMES = ("negotiation", "first_negotiation", "cron")
"""Settings VOTE CLOCK may change."""


ReadInstant = Callable[[Sequence[str]], datetime | Phrase]
"""Function that reads a date of the voter's, seen from the time of the mail."""


def read_choice(
    matter: Matter, words: tuple[str, ...], game: Game, now: datetime, instant: ReadInstant
) -> str | Phrase:
    """Return the choice voted for, in the form in which votes are compared."""
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
    """Return the powers of a draw in the map's order, or a reason of refusal.

    Without words they are all survivors. Under `SET DIAS` no others can be named.
    """
    alive = game.table.powers_alive()
    if not words:
        return ",".join(alive)
    if game.chosen.dias:
        return phrase("vote-draw-dias", game=game.name)
    found: set[str] = set()
    for word in " ".join(words).replace(",", " ").replace("+", " ").split():
        side = find_power(game, word)
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
    """Return the leader named in a vote to concede, or the reason why it is refused."""
    named = [word for word in words if word.lower() != "to"]
    ahead = leaders(game.table)
    side = find_power(game, " ".join(named)) if named else None
    if not named and len(ahead) == 1:
        return ahead[0]
    if side is None or side.name not in ahead:
        return phrase("vote-concede-leader", leaders=ahead)
    return side.name


def _extension(text: str, game: Game, now: datetime, instant: ReadInstant) -> str | Phrase:
    """Return how much later the deadline shall be, from a length of time or a date."""
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
    if not MIN_EXTENSION <= span <= MAX_EXTENSION:
        return phrase("vote-extend-span", most=MAX_EXTENSION.days)
    hours, minutes = divmod(round(span / timedelta(minutes=1)), 60)
    return f"{hours}h{minutes}m" if minutes else f"{hours}h"


def pause_problem(until: datetime, now: datetime) -> Phrase | None:
    """Return why a pause cannot end at an instant, or None."""
    if until <= now:
        return phrase("instant-past")
    if until > now + MAX_PAUSE:
        return phrase("pause-too-long", days=MAX_PAUSE.days)
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
    """Return other times as votes for them are compared.

    The words of settings are in capitals, but case is significant in DAYS.

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
    """Return a rule as votes for it are compared, with its new value."""
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
    """Return the line that votes for the same choice."""
    letters = {side.name: side.letter for side in sides_of(game)}
    match matter:
        case "draw" if not game.chosen.dias:
            return f"VOTE DRAW {' '.join(letters[power] for power in choice.split(','))}"
        case "concede":
            return f"VOTE CONCEDE {letters[choice]}"
        case "extend" | "clock" | "rule":
            return f"VOTE {matter.upper()} {choice}"
        case "pause" if until := pause_until(choice):
            return f"VOTE PAUSE UNTIL {format_utc(until)}"
        case _:
            return f"VOTE {matter.upper()}"
