"""Diplomacy on the standard and the Youngstown map.

Rules of 2023 as interpreted by the DATC 3.0, with its author's preferred choices as defaults.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache, lru_cache
from importlib.resources import files

from judge.board.bundle import is_key, name_in_key
from judge.board.map import Map
from judge.board.position import Phase, PhaseKind, Season, parse_phase
from judge.dice import Dice
from judge.drawing.layout import PanelDrawing, ProvinceDrawing
from judge.games.added_maps import require_bundle, store_bundle
from judge.games.capabilities import DrawableSystem, PastOverlay, PhoneView, YearlyHistory
from judge.games.diplomacy.boards import (
    added_map_details,
    added_map_fault,
    added_titles,
    board,
    board_under,
    calendar_of,
    faulty_titles,
    opening_on,
    other_words,
    parent_of,
    rules_on,
    shipped_titles,
)
from judge.games.diplomacy.language.phases import find_head, find_phase
from judge.games.diplomacy.options import options_on
from judge.games.diplomacy.table import DiplomacyTable, sort_labels
from judge.games.diplomacy.views.adjudicate_json import result_values
from judge.games.diplomacy.views.brief import brief_facts
from judge.games.diplomacy.views.examples import examples_on
from judge.games.diplomacy.views.geometry import is_schematic, shapes_fault
from judge.games.diplomacy.views.map_rules import map_rules_on
from judge.games.diplomacy.views.past import stood_last, with_bands
from judge.games.diplomacy.views.phases import turn_named
from judge.games.diplomacy.views.phone_view import failed_moves, front_picture
from judge.games.diplomacy.views.pictures import read_picture, turn_sketch
from judge.games.diplomacy.views.record import (
    DiplomacyRecord,
    dump_text,
    load_text,
    read_record,
    write_record,
)
from judge.games.diplomacy.views.report import result_facts
from judge.games.diplomacy.views.standing import centres_by_year, chronicle_facts
from judge.games.diplomacy.views.visibility import (
    BlindTable,
    apply_fog_to_record,
    describe_visibility,
    seen_position,
    sight_in,
)
from judge.games.letter_facts import Brief, HistoryTable, Results
from judge.games.missing_system import MissingSystem, MissingTable
from judge.games.system import (
    ClockKind,
    GameSystem,
    MapDetails,
    Option,
    Options,
    PlayedTurn,
    PowerInfo,
    Table,
    Viewer,
    ViewerRole,
)
from judge.model.order_words import PhaseHead
from judge.model.phrase import Phrase, phrase


def _map_of(sketch: str) -> str:
    """Return the map of a sketch, or an empty string where it names none."""
    try:
        found = json.loads(sketch)
    except ValueError:
        return ""
    return str(found.get("map", "")) if isinstance(found, dict) else ""


class Diplomacy(GameSystem, DrawableSystem, PhoneView, PastOverlay, YearlyHistory):
    """`GameSystem` of the contract for Diplomacy."""

    name = "diplomacy"
    title = "Diplomacy"
    texts = files("judge.mailtemplates") / "diplomacy"
    keeps_english = True
    clocks = (
        # By default the delay of movement phases counts only if several persons had orders to send.
        ClockKind("move", ("MOVE",), phrase("clock-move"), hours=72.0, delay=1 / 6, is_main=True),
        ClockKind("retreat", ("RETREAT",), phrase("clock-retreat")),
        ClockKind("adjust", ("ADJUST", "BUILD"), phrase("clock-adjust")),
    )
    tables = (DiplomacyTable, BlindTable)

    def find_phase(self, words: str) -> str | None:
        """Return the label of the phase that words name.

        >>> Diplomacy().find_phase("Fall 1905 Movement"), Diplomacy().find_phase("marco")
        ('F1905M', None)
        """
        phase = find_phase(words)
        return str(phase) if phase else None

    def find_head(self, line: str) -> PhaseHead | None:
        """Return the phase that a line names as a heading. A season and year are enough."""
        return find_head(line)

    def sort_phases(self, labels: Iterable[str]) -> list[str]:
        """Return labels of phases in chronological order."""
        return sort_labels(labels)

    def turn_of(self, map_name: str, label: str) -> Phrase:
        """Return the turn of a phase: "Spring of 1901"."""
        return turn_named(parse_phase(label), calendar_of(map_name))

    def maps(self) -> Mapping[str, str]:
        """Return name → title of the maps and presets, and key → title of added maps."""
        added = added_titles()
        return {**shipped_titles(), **added} if added else shipped_titles()

    def map_title(self, map_name: str) -> str | None:
        """Return the title of a map, also of an added map that was dropped."""
        if not is_key(map_name):
            return shipped_titles().get(map_name)
        return None if added_map_fault(map_name) else board(map_name).title

    def map_fault(self, map_name: str) -> str:
        """Return why no game on a map can continue, or an empty text."""
        return added_map_fault(map_name) if is_key(map_name) else super().map_fault(map_name)

    def map_details(self, map_name: str) -> MapDetails | None:
        """Return author, hash and notes of an added map."""
        return None if not is_key(map_name) or _is_faulty(map_name) else added_map_details(map_name)

    def map_rules(self, map_name: str, options: Options) -> Sequence[Phrase]:
        """Return the unusual rules of a map, such as builds and neutral powers."""
        return () if _is_faulty(map_name) else tuple(map_rules_on(board(map_name), options))

    def faulty_maps(self) -> Mapping[str, str]:
        """Return key → title of the added maps that cannot be used."""
        return faulty_titles()

    def map_words(self) -> Mapping[str, str]:
        """Return other names of presets, such as "1898", and the names of added maps."""
        added = {name_in_key(key): key for key in added_titles()}
        return {**other_words(), **added} if added else other_words()

    def examples(self, map_name: str) -> Mapping[str, str | Phrase]:
        """Return the examples for a map. Those of the texts are of the Youngstown map."""
        return {} if map_name == "youngstown" or self.map_fault(map_name) else _examples(map_name)

    def base_map(self, map_name: str) -> str:
        """Return the map that a preset is played on."""
        return parent_of(map_name)

    def map_description(self, map_name: str) -> Phrase:
        """Return the description of a map, in a sentence or two."""
        if is_key(map_name):
            on = board(map_name)
            if about := on.texts.about:
                return phrase("about-own", about=about, about_de=on.texts.about_de or about)
            return phrase("about-added", centres=len(on.centres), victory=on.victory)
        return phrase(f"about-{map_name}")

    def powers(self, map_name: str, options: Options) -> tuple[PowerInfo, ...]:
        """Return the powers of a map in its order, the same for all options."""
        return () if _is_faulty(map_name) else _sides(map_name)

    def options(self, map_name: str) -> tuple[Option, ...]:
        """Return the options of the rules (DATC 3.0, chapter 4, and house rules)."""
        return () if _is_faulty(map_name) else _options(map_name)

    def initial_position(self, map_name: str, options: Options, dice: Dice) -> str:
        """Return the first position of a game.

        It is Spring 1901 with one unit in each home centre, or that of a preset. On a blank board
        it is the Winter before, without any unit.
        """
        on = board(map_name)
        found = opening_on(on)
        if rules_on(map_name, options).blank_board:
            winter = Phase(on.first_year - 1, Season.FALL, PhaseKind.ADJUSTMENT)
            found = replace(found, phase=winter, units={})
        return dump_text(found)

    def table(
        self, map_name: str, position: str, options: Options
    ) -> DiplomacyTable | MissingTable:
        """Return the table of a position."""
        if _is_faulty(map_name):
            return MissingTable(MissingSystem(self.name, f"the map {map_name} cannot be used"))
        rules = rules_on(map_name, options)
        kind = BlindTable if rules.blind else DiplomacyTable
        return kind(board_under(map_name, rules), load_text(position), rules)

    def turn(self, map_name: str, record: str) -> "DiplomacyTurn":
        """Return an adjudicated phase from its record."""
        return DiplomacyTurn(map_name, record)

    def sketch_front(self, table: Table, turn: PlayedTurn | None, reader: Viewer) -> str:
        """Return the sketch of the part of the board around a power's units."""
        assert isinstance(table, DiplomacyTable)
        if not reader.power:
            return ""
        failed = turn.failed_moves(reader) if isinstance(turn, DiplomacyTurn) else ()
        return table.sketch_front(reader, failed)

    def with_past(
        self, map_name: str, options: Options, sketch: str, past: Sequence[str], reader: Viewer
    ) -> str:
        """Return a sketch with the powers last in land without a centre.

        Only positions as the viewer saw them are used.
        """
        if not sketch:
            return ""
        on, hidden = board(map_name), rules_on(map_name, options).blind
        watcher = reader if hidden else Viewer(ViewerRole.MASTER)
        return with_bands(sketch, _stood_last(on, tuple(past), watcher))

    def is_schematic(self, map_name: str) -> bool:
        """Return whether a map has no shapes."""
        return is_schematic(map_name)

    def shapes_fault(self, map_name: str) -> str:
        """Return why the shapes of a map are not used, or an empty text."""
        return shapes_fault(map_name)

    def complete_sketch(self, sketch: str) -> str:
        """Return a sketch with the bundle of its map, if that was added."""
        name = _map_of(sketch)
        if not is_key(name):
            return sketch
        return f'{sketch[:-1]}, "bundle": {json.dumps(require_bundle(name))}}}'

    def picture(self, sketch: str, title: str) -> ProvinceDrawing | PanelDrawing:
        """Return the picture of a sketch."""
        told = json.loads(sketch)
        if "bundle" in told:
            store_bundle(told["map"], told["bundle"])
        return front_picture(told, title) if "front" in told else ProvinceDrawing(
            read_picture(told, title)
        )

    def chronicle(
        self, map_name: str, options: Options, turns: Sequence[tuple[str, str]], reader: Viewer
    ) -> HistoryTable:
        """Return the facts of SUMMARY."""
        rules = rules_on(map_name, options)
        played = board_under(map_name, rules)
        hidden = rules.blind and reader.quality is not ViewerRole.MASTER
        only = reader.power if hidden else None
        return chronicle_facts(played, opening_on(played), turns, only=only)

    def years(
        self, map_name: str, options: Options, turns: Sequence[tuple[str, str]]
    ) -> Sequence[tuple[str, Mapping[str, int]]]:
        """Return the number of centres each power owned, year by year."""
        played = board_under(map_name, rules_on(map_name, options))
        return centres_by_year(played, opening_on(played), turns)

    def year_of(self, map_name: str, label: str) -> str:
        """Return the year of a phase.

        >>> Diplomacy().year_of("standard", "F1907A")
        '1907'
        """
        return calendar_of(map_name).year_label(parse_phase(label).year)


class DiplomacyTurn(PlayedTurn):
    """An adjudicated phase of Diplomacy."""

    def __init__(self, map_name: str, text: str) -> None:
        self._map, self._text, self._board = map_name, text, board(map_name)
        self._record = read_record(text, self._board)
        self._seen: dict[Viewer, DiplomacyRecord] = {}

    def _hides(self, reader: Viewer) -> bool:
        return self._record.blind and reader.quality is not ViewerRole.MASTER

    def _seen_by(self, reader: Viewer) -> DiplomacyRecord:
        if reader not in self._seen:
            self._seen[reader] = apply_fog_to_record(self._board, self._record, reader)
        return self._seen[reader]

    def results(self, reader: Viewer) -> Results:
        """Return the facts of the phase, in a blind game only those for the viewer."""
        if not self._hides(reader):
            return result_facts(self._board, self._record)
        facts = result_facts(self._board, self._seen_by(reader), only=reader.power)
        return replace(facts, sight=describe_visibility(reader) if reader.power == "" else None)

    def brief(self, reader: Viewer) -> Brief:
        """Return the head of the results letter for the viewer."""
        power = reader.power if reader.quality is ViewerRole.POWER else ""
        only = reader.power if self._hides(reader) else None
        return brief_facts(self._board, self._seen_by(reader), power, only=only)

    def values(self, reader: Viewer) -> Mapping[str, object]:
        """Return the phase as `judge adjudicate` writes it, with its map and name."""
        seen = self._seen_by(reader)
        found = result_values(self._board, seen.adjudged, seen.by)
        return {"map": self._map, "phase": str(seen.before.phase), **found}

    def sketch(self, reader: Viewer, *, tried: bool = False) -> str:
        """Return the sketch of the phase."""
        if not self._hides(reader):
            return turn_sketch(self._map, self._text, tried=tried)
        if not reader.power:
            return ""
        seen = self._seen_by(reader)
        only = sight_in(self._board, seen, reader.power)
        return turn_sketch(self._map, write_record(seen), tried=tried, only=only)

    def failed_moves(self, reader: Viewer) -> Sequence[tuple[str, str]]:
        """Return the failed moves that the viewer may know of."""
        return failed_moves(self._seen_by(reader))


@lru_cache(maxsize=32)
def _stood_last(on: Map, past: tuple[str, ...], reader: Viewer) -> Mapping[str, str]:
    """Return the power last in each province. Cached for all letters of a phase.

    In a blind game each viewer has another result.
    """
    return stood_last(on, (seen_position(on, load_text(text), reader) for text in past))


def _is_faulty(map_name: str) -> bool:
    return is_key(map_name) and bool(added_map_fault(map_name))


@cache
def _examples(map_name: str) -> Mapping[str, str | Phrase]:
    return examples_on(board(map_name))


@cache
def _options(map_name: str) -> tuple[Option, ...]:
    return options_on(board(map_name))


@cache
def _sides(map_name: str) -> tuple[PowerInfo, ...]:
    """Return the powers of a map. Cached, because each letter needs them."""
    return tuple(PowerInfo(*power[:4]) for power in board(map_name).powers if power.plays)


SYSTEM = Diplomacy()
