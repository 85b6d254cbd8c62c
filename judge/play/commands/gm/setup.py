"""SETUP: a new position for a game, set by its master.

The position is shown first and set when the master confirms it with the word shown. The change
is announced and stored in HISTORY.
"""

import hmac
import re
from dataclasses import replace

from judge.games import find_system
from judge.games.capabilities import PositionSetup, with_capability
from judge.games.system import ViewerRole
from judge.model.clock_state import PendingSetup
from judge.model.command import (
    BlockCommand,
    BlockForm,
    CommandForm,
    EchoPolicy,
    Permission,
    Where,
    Words,
)
from judge.model.incoming import Line
from judge.model.letter import Letter, LetterKind
from judge.model.phrase import phrase
from judge.model.record import GameState
from judge.play.clocks.deadlines import pause_clock
from judge.play.clocks.game_clock import next_wakeup, update_early_deadline
from judge.play.clocks.phases import open_phase
from judge.play.commands.gm.rollback import announce_rollback
from judge.play.commands.row import command, reads
from judge.play.commands.session import Session
from judge.play.future_orders import apply_stored_orders
from judge.play.game import Game, GameView, options_of
from judge.play.queries import is_open, reader_of

_LETTERS = str.maketrans("0123456789abcdef", "bcdfghjklmnpqrst")


_YES = re.compile(r"[b-t]{6}", re.IGNORECASE)
"""Pattern for the word that confirms a position. No phase matches it."""


@command(
    CommandForm("SETUP", "SETUP", EchoPolicy.ALL, BlockForm(
        "ENDSETUP", r"end\s*(setup)?", head=r"setup(?!\s+[b-t]{6}[\s.!]*$).*",
        max_lines=200,
    )),
    who=Permission.MASTER,
    told=True,
    needs=PositionSetup,
)
class SetUp(BlockCommand):
    """New position: a `SETUP … ENDSETUP` block, or `SETUP word` to confirm it."""

    word: str = ""

    @reads("setup")
    @classmethod
    def read(cls, typed: Words, *, at: Where) -> "SetUp":
        """SETUP F1903M (the head of a block), or SETUP word.

        `lines` is set later, to the lines of the block.
        """
        words = " ".join(typed).strip(" .!")
        if _YES.fullmatch(words):
            return cls(**at, word=words.lower())
        lines = (Line(at["line"], f"PHASE {words}"),) if words else ()
        return cls(**at, lines=lines)

    def run(self, session: Session) -> None:
        """Show the position that a block makes, or set the position that was shown."""
        game = session.game
        if not is_open(game):
            session.refuse(self, phrase("already-over", game=game.name))
        elif (
            game.table.has_hidden_information
            and reader_of(game, session.seat).quality is not ViewerRole.MASTER
        ):
            session.refuse(self, phrase("setup-hidden", game=game.name))
        elif self.word:
            _confirm(session, self, game)
        elif not self.lines:
            session.refuse(self, phrase("setup-empty"), "HELP SETUP")
        else:
            _show(session, self, game)


def _show(session: Session, command: SetUp, game: Game) -> None:
    """Read a block and show its position. A single wrong line refuses all of it."""
    read = with_capability(game.table, PositionSetup).set_up_position(command.lines)
    complaints = [line.complaint for line in read.lines if line.complaint]
    if complaints:
        session.complain(*complaints)
        session.refuse(command, phrase("setup-refused", game=game.name))
        return
    word = _word(game, read.position)
    game.change(clock=replace(game.clock, setup=PendingSetup(word, read.position)))
    table = find_system(game.system).table(game.map, read.position, options_of(game))
    standing = table.position_facts(reader_of(game, session.seat))
    session.show(
        LetterKind.INFO, "setup", standing=standing, notes=read.notes, line=f"SETUP {word}",
        phase=table.phase.label,
    )


def _word(game: Game, position: str) -> str:
    """Return the word that confirms a position in the present state of the game.

    It is made with the game's secret, so that the word does not help to guess a hidden
    position.
    """
    text = f"{game.name}|{game.turn}|{game.branch}|{game.position}|{position}"
    return hmac.digest(game.seed, text.encode(), "sha256").hex()[:6].translate(_LETTERS)


def _confirm(session: Session, command: SetUp, game: Game) -> None:
    """Set the position shown, if the word is still for that position."""
    position = game.clock.setup.position if game.clock.setup else ""
    if not position or command.word.lower() != _word(game, position):
        session.refuse(command, phrase("setup-not-shown", game=game.name))
        return
    label = find_system(game.system).table(game.map, position, options_of(game)).phase.label
    before = game.record
    news = phrase("position-set-up", game=game.name, phase=label, turn=game.turn)
    if game.state is GameState.FORMING:
        _put_into_force(game, position, label)
        game.change_settings(set_up=True)
        announce_rollback(session, game, [news])
    else:
        game.undo(game.turn, session.now)
        _put_into_force(game, position, label)
        taken_up = _go_on(session, before, game)
        announce_rollback(session, game, [news, phrase("turned-no-orders")])
        session.queue(*taken_up)


def _put_into_force(game: Game, position: str, label: str) -> None:
    """Store a position in a game."""
    clock = replace(game.clock, setup=None)
    game.change(position=position, phase=label, clock=clock, branch=game.branch + 1)


def _go_on(session: Session, before: GameView, game: Game) -> list[Letter]:
    """Go on from the new position.

    The same phase keeps its deadline, another one starts now. A phase whose deadline has passed
    starts again too, because orders that were in time are dropped with all others.
    """
    now = session.now
    is_over = game.deadline is not None and game.deadline <= (game.clock.paused or now)
    if game.phase == before.phase and not is_over:
        game.change(clock=game.clock.with_phase_reopened())
    else:
        game.change(state=GameState.RUNNING)
        open_phase(game, now)
        if before.state is GameState.PAUSED:
            pause_clock(game, now, before.clock.paused_by or "master", before.clock.paused_until)
    due = next_wakeup(game) if game.state is GameState.RUNNING else game.clock.paused_until
    game.change(due=due)
    letters = apply_stored_orders(game) if game.plans() else []
    update_early_deadline(game, now)
    return letters
