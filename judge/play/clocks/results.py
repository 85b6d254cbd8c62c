"""Report of a phase that was played: results, position and missing orders.

Facts that all readers of a game may know are computed once for all of them. With hidden
information, they are computed once for each viewer.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from judge.games import find_system
from judge.games.capabilities import DrawableSystem, YearlyHistory
from judge.games.letter_facts import Brief, HistoryTable, PositionFacts, Results, SheetFacts
from judge.games.system import Viewer, ViewerRole
from judge.model.letter import Enclosure, Letter, LetterKind, LetterPicture
from judge.model.phrase import Phrase, phrase
from judge.model.record import GameState, Role, Seat
from judge.model.replace import replace
from judge.play.future_orders import sheet_facts
from judge.play.game import Context, Game, options_of
from judge.play.letters.board_pictures import (
    BoardView,
    board_format_of,
    front_view,
    illustrate_letter,
    turn_view,
    view_with_front,
)
from judge.play.letters.letter_factory import (
    MAX_CLAUSES,
    ambiguous_power,
    append_summary,
    letter_to,
    owed_facts,
    recipients_of,
    subject_of,
)
from judge.play.press import postal_facts, publish_postal
from judge.play.queries import reader_of


class _ReportParts(NamedTuple):
    """Facts of a phase for one viewer."""

    results: Results
    standing: PositionFacts
    history: HistoryTable | None
    """The score, year by year, or None if this phase did not settle it."""
    file: Enclosure
    """The result for programs."""
    views: dict[str, BoardView]
    """Views of the board, by the reader's wish."""


class _TurnReport:
    """Report of a phase that was played in a game, which is now in the next one."""

    def __init__(self, context: Context, game: Game, played: str, record: str) -> None:
        self._context, self._game, self._played = context, game, played
        self._turn = find_system(game.system).turn(game.map, record)
        self._table = game.table
        self._told: dict[Viewer | None, _ReportParts] = {}
        self._briefs: dict[Viewer, Brief | None] = {}

    def get_parts(self, reader: Viewer) -> _ReportParts:
        """Return the facts for a viewer, the same object for all who may see the same."""
        whose = reader if self._table.has_hidden_information else None
        if whose not in self._told:
            self._told[whose] = self._tell(reader)
        return self._told[whose]

    def brief(self, reader: Viewer) -> Brief | None:
        """Return the summary for a viewer, or None if the system has none."""
        if reader not in self._briefs:
            self._briefs[reader] = self._turn.brief(reader)
        return self._briefs[reader]

    def view(self, reader: Viewer, wish: str) -> BoardView:
        """Return the boards for a viewer, the part with their own units first."""
        views = self.get_parts(reader).views
        if wish not in views:
            views[wish] = turn_view(self._game, reader, wish, self._played, self._turn)
        front = front_view(self._game, reader, wish, self._turn)
        return view_with_front(front, views[wish])

    def _tell(self, reader: Viewer) -> _ReportParts:
        results = self._turn.results(reader)
        return _ReportParts(
            results, self._table.position_facts(reader), self._history(results, reader),
            self._file(reader), {},
        )

    def _history(self, results: Results, reader: Viewer) -> HistoryTable | None:
        game = self._game
        system = find_system(game.system)
        if not results.scores or not isinstance(system, YearlyHistory):
            return None
        turns = [(turn.phase, turn.after) for turn in game.turns()]
        return system.chronicle(game.map, options_of(game), turns, reader)

    def _file(self, reader: Viewer) -> Enclosure:
        name = f"{self._game.name}-{self._played}.json"
        values = {"id": f"{self._game.name}.{self._played}", "game": self._game.name,
                  **self._turn.values(reader)}
        return Enclosure(name, "application/json", json.dumps(values, ensure_ascii=False) + "\n")


def results_letters(game: Game, played: str, record: str) -> list[Letter]:
    """Return the results letter of a phase for every reader."""
    postal = publish_postal(game, game.ended or game.opened or game.created)
    account = _TurnReport(game.context, game, played, record)
    letters = []
    for seat in recipients_of(game):
        reader = reader_of(game, seat)
        told, owed = account.get_parts(reader), owed_facts(game, seat)
        brief = account.brief(_own_reader(seat, reader))
        facts = {
            "reasons": (),
            "postal": postal_facts(game, seat, postal),
            "brief": brief,
            "earlier": (),
            "results": told.results.with_powers_first(*brief.near) if brief else told.results,
            "standing": told.standing,
            "history": told.history,
            "played": played,
            "owed": owed,
            "sheet": _sheet(game, seat),
        }
        template = "report-short" if seat.settings.short else "report"
        letter = letter_to(game, seat, LetterKind.RESULTS, template, facts, phrase("event-results"))
        files = (told.file,) if seat.settings.json else ()
        letter = _add_subject(game, replace(letter, files=files))
        letters.append(
            illustrate_letter(letter, account.view(reader, board_format_of(game.context, seat)))
        )
    return letters


def _add_subject(game: Game, letter: Letter) -> Letter:
    """Return a results letter with the subject and preheader that its facts give."""
    facts: Mapping[str, Any] = letter.facts
    seat = game.context.games.seat(letter.seat)
    assert seat is not None
    gist = _gist(facts["brief"], facts["owed"])
    labels = (*(results.phase for results in facts["earlier"]), facts["played"])
    results = append_summary(phrase("event-results"), gist)
    return replace(
        letter,
        facts={**facts, "preheader": phrase("preheader", gist=gist) if gist else None},
        subject=subject_of(game.name, labels, results, ambiguous_power(game, seat)),
    )


def add_reason(letters: Sequence[Letter], reason: Phrase) -> list[Letter]:
    """Return letters, with a reason added to the results letters."""
    return [
        replace(letter, facts={**letter.facts, "reasons": (reason,)})
        if letter.kind is LetterKind.RESULTS else letter
        for letter in letters
    ]


def join_results(game: Game, letters: Sequence[Letter]) -> list[Letter]:
    """Return letters with one results letter per seat and turn.

    If a phase that does not end its turn and the next phase were adjudicated together, the
    letter of the later phase reports both. It shows the board after the later phase.
    """
    system = find_system(game.system)
    waiting: dict[int, Letter] = {}
    joined: list[Letter] = []
    for letter in letters:
        if letter.kind is LetterKind.RESULTS and "played" in letter.facts:
            if earlier := waiting.pop(letter.seat, None):
                joined.remove(earlier)
                letter = _join(game, earlier, letter)
            if not system.ends_turn(str(letter.facts["played"])):
                waiting[letter.seat] = letter
        joined.append(letter)
    return joined


def _join(game: Game, earlier: Letter, letter: Letter) -> Letter:
    """Return the results letter of a phase with those of the phase before it."""
    before: Mapping[str, Any] = earlier.facts
    facts: dict[str, Any] = dict(letter.facts)
    brief: Brief | None = facts["brief"]
    if brief and before["brief"]:
        turn = find_system(game.system).turn_of(game.map, facts["played"])
        facts["brief"] = brief.after(before["brief"], turn)
    facts["earlier"] = (*before["earlier"], replace(before["results"], next_title=None))
    facts["reasons"] = (*before["reasons"], *facts["reasons"])
    facts["postal"] = [*before["postal"], *facts["postal"]]
    files = (*earlier.files, *letter.files)
    pictures = _join_pictures(game, earlier, letter)
    if facts["map"]["shows"]:
        facts["map"] = {**facts["map"], "shows": [picture.shows for picture in pictures]}
    return _add_subject(game, replace(letter, facts=facts, files=files, pictures=pictures))


def _join_pictures(game: Game, earlier: Letter, letter: Letter) -> tuple[LetterPicture, ...]:
    """Return the pictures of a letter with the marks of those of the phase before it."""
    system = find_system(game.system)
    if not isinstance(system, DrawableSystem):
        return letter.pictures
    before = {picture.sketch.form: picture for picture in earlier.pictures}
    labels = (str(earlier.facts["played"]), str(letter.facts["played"]))
    joined = []
    for picture in letter.pictures:
        if first := before.get(picture.sketch.form):
            source = system.join_sketches(first.sketch.source, picture.sketch.source)
            shows = picture.shows
            if isinstance(shows, Phrase) and shows.code == "shows-turn":
                shows = phrase("shows-turn", phase=labels)
            sketch = picture.sketch._replace(source=source)
            picture = replace(picture, sketch=sketch, shows=shows)
        joined.append(picture)
    return tuple(joined)


def _own_reader(seat: Seat, reader: Viewer) -> Viewer:
    """Return the viewer for the summary: the power of a player, else *reader*.

    When a game is over everyone may see all of it, but the summary is still the player's.
    """
    is_player = seat.role is Role.PLAYER and seat.power
    return Viewer(ViewerRole.POWER, seat.power) if is_player else reader


def _gist(brief: Brief | None, owed: Mapping[str, object]) -> tuple[Phrase, ...]:
    """Return the gist of the letter: its reader's results, and their missing orders."""
    if brief is None:
        return ()
    due = (brief.due,) if brief.due and owed["due"] and owed["missing"] else ()
    return (*(brief.headline or brief.gist)[:MAX_CLAUSES - len(due)], *due)


def _sheet(game: Game, seat: Seat) -> SheetFacts | None:
    """Return a player's own orders for the phase that has begun."""
    if not seat.power or game.state is not GameState.RUNNING:
        return None
    return sheet_facts(game, seat.power)
