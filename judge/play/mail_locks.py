"""Locks that a mail needs: games and persons.

Mails that share a lock are processed in their order. All others may overtake each other, so
that many mails of one sender do not delay the others. The locks are a superset of what the mail
uses, and nothing slow is looked up for them.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from judge.model.command import Command, CommandKind, Kinds, ParsedMail
from judge.model.incoming import Incoming
from judge.play.game import Context
from judge.play.tokens import Purpose

_FORMING = "forming"
"""Lock of commands that create a game or join the next forming one."""
_NAMING = ("who", "address", "words")
"""Fields of commands that may contain a person's address."""
_QUESTIONS = (Purpose.CONFIRM, Purpose.ALSO, Purpose.MOVE, Purpose.UNDO)


@dataclass(frozen=True, slots=True)
class MailLocks:
    """Locks that one mail needs."""

    who: str
    """Lock key of the sender, used to prefer senders of few mails to senders of many."""
    keys: frozenset[str] = frozenset()
    exclusive: bool = False
    """True if the mail may concern games it does not name.

    No deadline passes before it.
    """

    @property
    def games(self) -> list[int]:
        """Ids of the games that it names or belongs to."""
        return [int(key.removeprefix("game ")) for key in self.keys if key.startswith("game ")]

    def blocks_game(self, game: int, name: str) -> bool:
        """Return whether a game must not be adjudicated before this mail is processed."""
        return self.exclusive or not self.keys.isdisjoint((f"game {game}", f"name {name}"))


def locks_for(context: Context, kinds: Kinds, mail: Incoming, sheet: ParsedMail) -> MailLocks:
    """Return the locks that a mail needs."""
    if mail.machine:
        return MailLocks("")
    # The upstream server calls this sender forged, so the mail delays no real person.
    who = f"forged {mail.sender.lower()}" if mail.forged else person_key(context, mail.sender)
    keys = {who, *_by_token(context, mail)}
    exclusive = False
    for command in sheet.commands:
        kind = kinds[type(command)]
        keys.update(_by_command(context, kind, command))
        exclusive = exclusive or kind.personal or _is_nameless(kind, command)
    token = context.tokens.read(mail.detail)
    return MailLocks(
        who, frozenset(keys), exclusive or token is not None and token.purpose in _QUESTIONS
    )


def person_key(context: Context, address: str) -> str:
    """Return the lock key of a person, shared by all their addresses."""
    return f"person {min(context.aliases.addresses_of(address))}"


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
        for game in context.games.list_forming():
            if game.chosen.listed:
                yield from _game(context, game.name)
    for field in _NAMING:
        said = getattr(command, field, "")
        for word in (said,) if isinstance(said, str) else said:
            if "@" in word:
                yield person_key(context, word.strip("<>"))


def _game(context: Context, name: str) -> Iterator[str]:
    """Yield the keys of a game: its name, and its number if it exists.

    The name is a key as the game may not exist yet, or may be renamed.
    """
    low = name.lower()
    yield f"name {low}"
    game = context.games.find(low)
    if game is not None:
        yield f"game {game.id}"


def _by_token(context: Context, mail: Incoming) -> Iterator[str]:
    """Yield the keys of the seat, persons and game that a reply's token refers to."""
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
