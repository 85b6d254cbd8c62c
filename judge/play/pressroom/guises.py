"""As whose and whose press is shown: white and grey, fake readers (nJudge), fake writers (DPjudge).

Press to and from the master is always white and never fake.
"""

from typing import NamedTuple

from judge.play.game import Game
from judge.play.office import find_side, sides_of, title_of
from judge.play.pressroom.addressees import Readers, read_readers
from judge.play.pressroom.correspondence import MASTER
from judge.words.press import GREY, WHITE, WRITER, SendPress
from judge.words.reason import Reason, because
from judge.words.record import Role, Seat


class Guise(NamedTuple):
    """What readers see of who wrote press and for whom; `writer` None: nobody."""

    writer: str | None
    readers: tuple[str, ...]


def guise_of(
    game: Game, seat: Seat, command: SendPress, readers: Readers
) -> Guise | Reason:
    """Return how press is to be shown, or why it may not be shown so."""
    plain = Guise(title_of(seat), (*readers.names, WRITER) if readers.answered else readers.names)
    if seat.role is Role.MASTER or readers.is_for_master:
        dressed = command.colour == GREY or command.fake or command.sender
        return because("press-with-master-plain") if dressed else plain
    writer = _writer(game, seat, command, readers)
    shown_to = _readers(game, command, readers, plain.readers)
    if isinstance(writer, Reason):
        return writer
    if isinstance(shown_to, Reason):
        return shown_to
    shown_as = None if writer == "" else writer or plain.writer
    if shown_as != plain.writer:
        left_out = "" if command.fake else readers.left_out
        shown_to = _covering(game, shown_as, shown_to, left_out)
    return Guise(shown_as, shown_to)


def _covering(
    game: Game, shown_as: str | None, shown_to: tuple[str, ...], left_out: str
) -> tuple[str, ...]:
    """Return a list of readers that does not tell who wrote under another name, or under none.

    Whoever is shown as the writer is no reader too, and a list "all but Italy" does not lack the
    real one, nor has it him at another place than all others have.
    """
    if not shown_to:
        return ()
    names = dict.fromkeys((*shown_to, *([left_out] if left_out else [])))
    order = {side.name: at for at, side in enumerate(sides_of(game))}
    covering = sorted(names, key=lambda name: order.get(name, len(order)))
    return tuple(name for name in covering if name != shown_as) or shown_to


def _writer(
    game: Game, seat: Seat, command: SendPress, readers: Readers
) -> str | None | Reason:
    """Return the name press is shown under: "" for none, None for the writer's own."""
    allowed = game.chosen.press
    if command.sender:
        return _feigned(game, seat, command.sender)
    if seat.role is Role.OBSERVER and game.chosen.observer_press != "any":
        allowed = WHITE
    wish = command.colour or (GREY if readers.answers_hidden else "")
    first, _, second = allowed.partition("/")
    if wish not in ("", first, second):
        return because("press-white-only" if wish == GREY else "press-grey-only", game=game.name)
    return "" if (wish or first) == GREY else None


def _feigned(game: Game, seat: Seat, word: str) -> str | Reason:
    if not game.chosen.fake_sender:
        return because("press-no-fake-sender", game=game.name)
    side = find_side(game, word)
    if side is None or seat.role is not Role.PLAYER:
        return because("press-from-unknown", word=word)
    return side.name


def _readers(
    game: Game, command: SendPress, readers: Readers, plain: tuple[str, ...]
) -> tuple[str, ...] | Reason:
    """Return the readers press shows: those it has, unless the game lets it show others."""
    rule = game.chosen.fake
    if command.fake and rule == "none":
        return because("press-no-fake", game=game.name)
    if (command.fake and command.fake_to or command.honest) and rule == "always":
        return because("press-always-broadcast", game=game.name)
    if readers.is_for_all:
        return because("press-fake-broadcast") if command.fake else ()
    if command.fake:
        shown = read_readers(game, command.fake_to, command.fake_all_but)
        if not isinstance(shown, Reason) and MASTER in shown:
            return because("press-with-master-plain")
        return shown
    if rule in ("default", "always") and not command.honest:
        return ()
    return plain
