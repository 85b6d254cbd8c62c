"""What exactly is voted for: the words behind VOTE draw, concede, extend and clock.

A choice is kept as text in the form in which votes are compared; `vote_line` writes it as the
line that votes for the same.
"""

from datetime import timedelta

from judge.play.choices.settings import interpret
from judge.play.choices.settingtable import SETTINGS, Scope
from judge.play.game import Game
from judge.play.office import find_side, no_such_power, sides_of
from judge.play.times.instants import read_duration
from judge.play.votes.ballots import Matter
from judge.words.orders import Vote
from judge.words.reason import Reason, because
from judge.words.record import Role

LONGEST_EXTENSION = timedelta(days=7)
SHORTEST_EXTENSION = timedelta(hours=1)
_TIMES = ("move.", "retreat.", "adjust.", "negotiation", "first_negotiation", "cron")
"""The settings VOTE CLOCK may change."""


def read_choice(matter: Matter, command: Vote, game: Game) -> str | Reason:
    """Return what is voted for, in the form in which votes are compared."""
    words = command.words
    match matter.name:
        case "draw":
            return _draw_choice(words, game)
        case "concede":
            return _concede_choice(words, game)
        case "extend":
            return _extension(" ".join(words).lower().removeprefix("by "))
        case "clock":
            return _clock_problem(command, game) or _clock_choice(words)
        case _:
            return because("vote-too-much", matter=matter.name.upper()) if words else "yes"


def _draw_choice(words: tuple[str, ...], game: Game) -> str | Reason:
    """Return the powers of a draw, in the map's order; of all survivors where it must be."""
    alive = game.table.alive()
    if not words:
        return ",".join(alive)
    if game.chosen.dias:
        return because("vote-draw-dias", game=game.name)
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
        return because("vote-draw-gone", powers=gone)
    return ",".join(power for power in alive if power in found)


def _concede_choice(words: tuple[str, ...], game: Game) -> str | Reason:
    """Return the leader somebody concedes to; there is nobody else to concede to."""
    named = [word for word in words if word.lower() != "to"]
    leaders = game.table.leaders()
    side = find_side(game, " ".join(named)) if named else None
    if not named and len(leaders) == 1:
        return leaders[0]
    if side is None or side.name not in leaders:
        return because("vote-concede-leader", leaders=leaders)
    return side.name


def _extension(text: str) -> str | Reason:
    span = read_duration(text or "24h")
    if isinstance(span, Reason):
        return span
    if not SHORTEST_EXTENSION <= span <= LONGEST_EXTENSION:
        return because("vote-extend-span", most=LONGEST_EXTENSION.days)
    return f"{span.total_seconds() / 3600:g}h"


def _clock_choice(words: tuple[str, ...]) -> str:
    """Return other times as votes for them are compared; in DAYS small letters mean something.

    >>> _clock_choice(("move", "Next", "48", "days", "-MTWTFs"))
    'MOVE NEXT 48 DAYS -MTWTFs'
    """
    known = {word for row in SETTINGS for word in row.words}
    return " ".join(word.upper() if word.upper() in known else word for word in words)


def _clock_problem(command: Vote, game: Game) -> Reason | None:
    changes = interpret(command.words, False, game, Role.MASTER)
    if isinstance(changes, Reason):
        return changes
    for change in changes:
        row = change.setting
        if row.scope is not Scope.GAME or not row.name.startswith(_TIMES):
            return because("vote-clock-only")
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
