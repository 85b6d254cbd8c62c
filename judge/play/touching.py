"""What a mail may touch: games and persons. Mails that touch the same are worked in their order.

All others may overtake each other, so that a sender's many mails do not make everybody wait. What
is named here is too much rather than too little; nothing is looked at that costs time.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from judge.model.command import Command, CommandKind, Kinds, Sheet
from judge.model.incoming import Incoming
from judge.play.game import Context
from judge.play.tokens import Purpose

_FORMING = "forming"
"""Touched by what makes a game, and by who joins whichever forms."""
_NAMING = ("who", "address", "words")
"""Fields of commands in which somebody's address may stand."""
_QUESTIONS = (Purpose.CONFIRM, Purpose.ALSO, Purpose.MOVE, Purpose.UNDO)


@dataclass(frozen=True, slots=True)
class Touch:
    """What one mail touches."""

    who: str
    """Whose mail it is: whoever writes much waits for those who write little."""
    keys: frozenset[str] = frozenset()
    wide: bool = False
    """It may matter to a game that it does not name: no deadline passes before it."""

    def matters_to(self, game: int, name: str) -> bool:
        """Tell whether a game is not to be adjudicated before this mail is worked."""
        return self.wide or not self.keys.isdisjoint((f"game {game}", f"name {name}"))


def touched(context: Context, kinds: Kinds, mail: Incoming, sheet: Sheet) -> Touch:
    """Return what a mail touches."""
    if mail.machine:
        return Touch("")
    # What the server before us calls forged is nobody's: it delays nobody it names.
    who = f"forged {mail.sender.lower()}" if mail.forged else person_key(context, mail.sender)
    keys = {who, *_by_token(context, mail)}
    wide = False
    for command in sheet.commands:
        kind = kinds[type(command)]
        keys.update(_by_command(context, kind, command))
        wide = wide or kind.personal or _is_nameless(kind, command)
    token = context.tokens.read(mail.detail)
    return Touch(who, frozenset(keys), wide or token is not None and token.purpose in _QUESTIONS)


def person_key(context: Context, address: str) -> str:
    """Return what stands for a person: the same for all addresses of his."""
    return f"person {min(context.aliases.of(address))}"


def _is_nameless(kind: CommandKind, command: Command) -> bool:
    """Return whether a command joins the next game, whichever that is."""
    return kind.registers == "?" and not getattr(command, "game", "")


def _by_command(context: Context, kind: CommandKind, command: Command) -> Iterator[str]:
    for name in filter(None, (getattr(command, "game", ""), getattr(command, "name", ""))):
        yield from _game(context, name)
    if kind.makes:
        yield _FORMING
    if _is_nameless(kind, command):
        yield _FORMING
        for game in context.games.forming():
            if game.chosen.listed:
                yield from _game(context, game.name)
    for field in _NAMING:
        said = getattr(command, field, "")
        for word in (said,) if isinstance(said, str) else said:
            if "@" in word:
                yield person_key(context, word.strip("<>"))


def _game(context: Context, name: str) -> Iterator[str]:
    """Yield the keys of a game: its name too, for it may not be made yet, or be renamed."""
    low = name.lower()
    yield f"name {low}"
    game = context.games.find(low)
    if game is not None:
        yield f"game {game.id}"


def _by_token(context: Context, mail: Incoming) -> Iterator[str]:
    """Yield what a reply touches by the letter it answers."""
    token = context.tokens.read(mail.detail)
    if token is None:
        return
    number = token.seat
    if token.purpose is Purpose.CONFIRM:
        yield person_key(context, context.people.address_of(number))
        return
    if token.purpose is Purpose.ALSO:
        link = context.aliases.link(number)
        if link is not None:
            yield from (person_key(context, link.first), person_key(context, link.second))
        return
    if token.purpose in (Purpose.MOVE, Purpose.UNDO):
        move = context.people.move(number)
        if move is None:
            return
        yield from (person_key(context, move.old), person_key(context, move.new))
        number = move.seat
    seat = context.games.seat(number) if token.purpose is not Purpose.BOUNCE else None
    if seat is not None:
        yield from _game(context, context.games.get(seat.game).name)
        yield person_key(context, seat.address)
