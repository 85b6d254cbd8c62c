"""MAP: the board of a game or of a map."""

import re
from dataclasses import replace

from judge.digits import is_number
from judge.games import all_systems, find_system, match_maps
from judge.games.capabilities import DrawableSystem, ProgramRows, TextBoard
from judge.games.system import Viewer
from judge.model.command import (
    AuditDetail,
    Command,
    CommandForm,
    EchoPolicy,
    Permission,
    Where,
    Words,
)
from judge.model.letter import LetterKind
from judge.model.phrase import phrase
from judge.model.record import GameState, Seat, Turn
from judge.play.choices.capabilities import capability_refusal, offers
from judge.play.commands.asking.boards import NAMES, STATE, map_of_open_game, show_board
from judge.play.commands.asking.inquiries import find_asked_game, own_seat
from judge.play.commands.asking.own_games import own_rows
from judge.play.commands.picture_ration import ration_pictures
from judge.play.commands.row import command, reads
from judge.play.commands.session import ReplyDraft, Session
from judge.play.game import Game
from judge.play.letters.board_pictures import (
    MAX_PICTURES,
    OFF,
    TEXT,
    BoardView,
    board_format_of,
    front_view,
    standing_view,
    turn_view,
    view_with_front,
)
from judge.play.letters.letter_factory import game_facts
from judge.play.queries import (
    phase_meant,
    reader_of,
)

_FORMS_OF_PICTURES = ("png", "small", "svg", "text", "names", "state", "gif", "pdf", "ps")
_NAME_OF_GAME = re.compile("[a-z][a-z0-9]{1,7}", re.IGNORECASE)


@command(
    CommandForm("MAP", "MAP marco", EchoPolicy.ALL), who=Permission.ANYBODY, rule="show_map",
    log=AuditDetail.NOTHING, as_power=True,
)
class ShowMap(Command):
    """Board, or some orders: `MAP`, `MAP marco S1901M`, `MAP TEXT`, `MAP standard`.

    *game* is the first word if it may be a game's name. It may be the first word of a phase
    instead. *form* is "png", "small", "svg", "text" or empty for the viewer's setting. It is
    "names" for a map without a game (`MAP standard NAMES`), or "state" for rows for programs.
    """

    game: str = ""
    phase: str = ""
    form: str = ""

    @reads("show_map")
    @classmethod
    def read(cls, typed: Words, *, at: Where) -> "ShowMap":
        """MAP, MAP marco, MAP marco S1901M, MAP S1901M TEXT."""
        words = " ".join(typed).rstrip(".!: ")
        low = f" {words}".lower()
        form = next((form for form in _FORMS_OF_PICTURES if low.endswith(f" {form}")), "")
        words = words[: len(words) - len(form)].strip()
        game, _, phase = words.partition(" ")
        if not _NAME_OF_GAME.fullmatch(game):
            game, phase = "", words
        form = "png" if form in ("gif", "pdf", "ps") else form
        return cls(**at, game=game.lower(), phase=phase, form=form)

    def run(self, session: Session) -> None:
        """Show the board of a game, now or in an earlier phase."""
        if self.phase.strip() == "*" and not self.game:
            own = [str(row["game"]["name"]) for row in own_rows(session)]  # type: ignore[index]
            reason = phrase("map-all" if own else "map-all-none")
            session.refuse(self, reason, *([f"MAP {each}" for each in own[:4]] or ["LIST"]))
            return
        name, words = game_and_phase(session, self.game, self.phase)
        map_name = _find_map(session, name, words)
        asked = session.current.asked
        enough = sum(map(asked.count, ("map", "board-of-map"))) >= MAX_PICTURES
        if map_name and not enough and self.form != STATE:
            wish, more = (
                ("", ReplyDraft()) if self.form == NAMES else _board_format(session, self, None)
            )
            show_board(session, self, map_name, wish, more, self.form)
            return
        game = find_asked_game(session, self, name)
        if game is None:
            return
        if self.form == NAMES:
            # The places of a game are named as on its map, in all phases.
            show_board(session, self, game.map, "", ReplyDraft(), NAMES)
            return
        if self.form == STATE:
            _show_program_rows(session, self, game, words)
            return
        if enough:
            session.refuse(self, phrase("too-many-maps", limit=MAX_PICTURES))
        else:
            _show_map_of(session, self, game, words)


def _show_map_of(session: Session, command: ShowMap, game: Game, words: str) -> None:
    """Show the board of a game, by default in its present position."""
    label = phase_meant(game, words)
    turn = turn_called(game, words)
    if turn is None and label not in ("", game.phase):
        reason = phrase("map-not-played", phase=label, game=game.name)
        session.refuse(command, reason, f"MAP {game.name}")
        return
    seat = own_seat(session, game)
    reader = reader_of(game, seat)
    if not (offers(game, DrawableSystem) or offers(game, TextBoard)):
        _in_words(session, game, seat, reader, turn)
        return
    wish, more = _board_format(session, command, game)
    if turn:
        played = find_system(game.system).turn(game.map, turn.outcome)
        view = turn_view(game, reader, wish, turn.phase, played)
    else:
        view = standing_view(game, reader, wish)
        view = view_with_front(front_view(game, reader, wish), view, only_files=True)
    if view.is_empty:
        session.add(more)
        session.refuse(command, phrase("map-hidden", game=game.name))
        return
    results = None
    if turn and wish == TEXT:
        results = find_system(game.system).turn(game.map, turn.outcome).results(reader)
    session.add(replace(more, pictures=tuple(view.pictures)))
    session.show(
        LetterKind.INFO, "map", system=game.system, game=game_facts(game, seat), map=view.facts,
        results=results, standing=None,
    )


def _show_program_rows(session: Session, command: ShowMap, game: Game, words: str) -> None:
    """Send the position of a started game as rows for programs."""
    table = game.table
    problem = capability_refusal(game, ProgramRows)
    if problem:
        session.refuse(command, problem, f"EXPORT {game.name}")
        return
    assert isinstance(table, ProgramRows)
    if game.state is GameState.FORMING or phase_meant(game, words) not in ("", game.phase):
        session.refuse(command, phrase("map-state-now"), f"MAP {game.name} STATE")
        return
    rows = table.program_rows(reader_of(game, own_seat(session, game)))
    session.show(LetterKind.INFO, "map-state", system=game.system, game=game_facts(game), rows=rows)


def _in_words(
    session: Session, game: Game, seat: Seat | None, reader: Viewer, turn: Turn | None
) -> None:
    """Show the position, or the results of a phase, in a system without pictures."""
    system, begun = find_system(game.system), game.state is not GameState.FORMING
    results = system.turn(game.map, turn.outcome).results(reader) if turn else None
    reason = capability_refusal(game, DrawableSystem)
    assert reason is not None
    session.done(reason)
    session.show(
        LetterKind.INFO, "map", system=game.system, game=game_facts(game, seat),
        map=BoardView().facts, results=results,
        standing=game.table.position_facts(reader) if begun and not turn else None,
    )


def game_and_phase(session: Session, game: str, phase: str) -> tuple[str, str]:
    """Return the game that a line names, and the words for a phase.

    Words that name a phase of the open game, or else of any system, name no game.
    """
    words = " ".join(filter(None, (game, phase)))
    if not words:
        return "", ""
    known = [find_system(session.game.system)] if session.is_signed_on else all_systems()
    return ("", words) if any(system.find_phase(words) for system in known) else (game, phase)


def turn_called(game: Game, words: str) -> Turn | None:
    """Return a turn by words for its phase or by its number.

    Of several phases with the name it is the last one. None if no such phase was played.
    """
    return _turn(game, phase_meant(game, words)) or _turn_by_number(game, words)


def _turn(game: Game, label: str) -> Turn | None:
    """Return the last turn with a phase label, or None."""
    turns = game.turns() if label else []
    return next((turn for turn in reversed(turns) if turn.phase == label), None)


def _find_map(session: Session, name: str, words: str) -> str:
    """Return the map that is requested without a game.

    Empty if no single map is named or a game has that name.
    """
    typed = [*name.split(), *words.lower().split()]
    if session.context.games.find(name):
        return ""
    meant = match_maps(typed).maps
    return map_of_open_game(session, typed) or (meant[0] if len(meant) == 1 else "")


def _turn_by_number(game: Game, words: str) -> Turn | None:
    """Return the turn with a number as in nJudge, where 1 is the first turn, or None."""
    turns = game.turns() if is_number(words, 3) else []
    return turns[int(words) - 1] if 0 < len(turns) >= int(words or 0) > 0 else None


def _board_format(session: Session, command: ShowMap, game: Game | None) -> tuple[str, ReplyDraft]:
    """Return the format of the board: that of the line, else the viewer's setting.

    A viewer whose setting is OFF gets a picture on request.
    """
    wish = command.form or board_format_of(
        session.context, own_seat(session, game) if game else None
    )
    return ration_pictures(session, session.current, "png" if wish == OFF else wish)
