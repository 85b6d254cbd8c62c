"""Nations 1940, a game of simultaneous turns for up to twelve nations.

The rules are those of docs/play/nations1940.md (numbers N-1 to N-177). The map is the scenario
"Alternate Europe, 1940".
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from importlib.resources import files

from judge.dice import Dice
from judge.drawing.drawing import Drawing
from judge.games.capabilities import DrawableSystem, PhoneView, YearlyHistory
from judge.games.letter_facts import Brief, HistoryTable, Results
from judge.games.nations1940.options import options_on
from judge.games.nations1940.presets import PRESETS, board_of
from judge.games.nations1940.rules.opening import opening
from judge.games.nations1940.rules.settings import settings_on
from judge.games.nations1940.rules.state import dump_state, label_of, load_state
from judge.games.nations1940.scenario import scenario
from judge.games.nations1940.sides import codes_by_name, names_by_code, nations_called
from judge.games.nations1940.table import NationsTable
from judge.games.nations1940.views.brief import brief_facts
from judge.games.nations1940.views.chronicle import chronicle_facts, provinces_by_year
from judge.games.nations1940.views.map_drawing import drawing_of
from judge.games.nations1940.views.naming import find_turn, turn_named, turn_number
from judge.games.nations1940.views.pictures import sketch_of
from judge.games.nations1940.views.record import read_record
from judge.games.nations1940.views.report import TurnReport
from judge.games.system import (
    ClockKind,
    GameSystem,
    Option,
    Options,
    PlayedTurn,
    PowerInfo,
    Table,
    Viewer,
    ViewerRole,
)
from judge.model.order_words import OrderWords
from judge.model.phrase import Phrase, phrase

_WORDS = frozenset({
    "MOVE", "M", "RAIL", "R", "HOLD", "H", "FLEET", "F", "ESCORT", "E", "BOMB", "B", "ATOM",
    "MISSILE", "BUILD", "BU", "DISMANTLE", "DI", "FORM HQ", "COMMISSION", "CO", "SCUTTLE", "SC",
    "DISBAND", "RESEARCH", "RE", "SPAWN", "SHED", "WAR", "TREATY", "T", "WITHDRAW NAP",
    "WITHDRAW EXCHANGE", "WITHDRAW PACT", "WITHDRAW PEACE", "WITHDRAW DEAL", "CANCEL", "GIVE",
    "DEAL", "DEPLOY", "GOVERNMENT", "TRAITS", "TRAIT", "READY", "NOTREADY",
    *(f"PROPOSE {word}" for word in (
        "NAP", "NON", "NON-AGGRESSION", "EXCHANGE", "PACT", "PEACE", "A", "AN", "MILITARY",
    )),
    *(f"SEND {word}" for word in (
        "ARMY", "ARMIES", "FLEET", "FLEETS", "A", "AN", "THE", "MY", "ALL", "ONE", "TWO", "THREE",
        "FOUR", "FIVE", "SIX", "1", "2", "3", "4", "5", "6", "7", "8", "9",
    )),
    "CREATE A", "CREATE AN", "CREATE ONE", "END THE WAR", "START RESEARCHING", "START RESEARCH",
})  # fmt: skip
"""First words of orders, including those that elsewhere begin a command."""


class Nations1940(GameSystem, YearlyHistory, DrawableSystem, PhoneView):
    """The game system Nations 1940."""

    name = "nations1940"
    title = "Nations 1940"
    order_words = OrderWords(_WORDS, {"ORDERS": "END", "ORDERS+": "END"}, frozenset({"GM"}))
    texts = files("judge.mailtemplates") / "nations1940"
    clocks = (
        ClockKind("turn", ("TURN", "MOVE"), phrase("clock-turn"), hours=72.0, is_main=True),
    )
    misses = 3
    attaches_whole = True
    fronts_for_all = True
    tables = (NationsTable,)

    def find_phase(self, words: str) -> str | None:
        """Return the label of the turn that words name, such as T14 or 1941.2."""
        return find_turn(words)

    def sort_phases(self, labels: Iterable[str]) -> list[str]:
        """Return labels of turns in chronological order."""
        return sorted(labels, key=turn_number)

    def turn_of(self, map_name: str, label: str) -> Phrase:
        """Return the name of a turn."""
        return turn_named(turn_number(label))

    def maps(self) -> Mapping[str, str]:
        """Return name → title of the scenario and of its presets."""
        presets = {name: preset.title for name, preset in PRESETS.items()}
        return {"nations1940": "Alternate Europe, 1940", **presets}

    def base_map(self, map_name: str) -> str:
        """Return the base map of a preset."""
        return board_of(map_name)

    def clocks_on(self, map_name: str) -> tuple[ClockKind, ...]:
        """Return the clock of turns, with the hours of a preset."""
        preset = PRESETS.get(map_name)
        if preset is None:
            return self.clocks
        return tuple(replace(kind, hours=preset.hours) for kind in self.clocks)

    def map_description(self, map_name: str) -> Phrase:
        """Return a description of the game in a sentence."""
        return phrase(f"about-{map_name}")

    def powers(self, map_name: str, options: Options) -> tuple[PowerInfo, ...]:
        """Return the nations that take part."""
        left_out = settings_on(map_name, options).left_out
        starts = scenario(map_name).nations
        return tuple(
            PowerInfo(
                called.name, called.letter, called.adjective,
                (called.code, *called.words, starts[called.code].name),
            )
            for called in nations_called(map_name)
            if called.code not in left_out
        )  # fmt: skip

    def options(self, map_name: str) -> tuple[Option, ...]:
        """Return the options of section 17."""
        return options_on(map_name)

    def initial_position(self, map_name: str, options: Options, dice: Dice) -> str:
        """Return the initial state, before Turn 0."""
        return dump_state(opening(scenario(map_name), settings_on(map_name, options)))

    def table(self, map_name: str, position: str, options: Options) -> NationsTable:
        """Return the table of a position."""
        return NationsTable(map_name, load_state(position), settings_on(map_name, options))

    def turn(self, map_name: str, record: str) -> "NationsTurn":
        """Return the adjudicated turn of a record."""
        return NationsTurn(map_name, record)

    def sketch_front(self, table: Table, turn: PlayedTurn | None, reader: Viewer) -> str:
        """Return the sketch of a nation's land and its neighbours."""
        assert isinstance(table, NationsTable)
        return table.sketch_front(reader)

    def picture(self, sketch: str, title: str) -> Drawing:
        """Return the drawing of a sketch."""
        return drawing_of(sketch, title)

    def chronicle(
        self, map_name: str, options: Options, turns: Sequence[tuple[str, str]], reader: Viewer
    ) -> HistoryTable:
        """Return the provinces of each nation, year by year.

        It is the same for all viewers, since ownership is public (N-161).
        """
        settings = settings_on(map_name, options)
        return chronicle_facts(map_name, opening(scenario(map_name), settings), turns)

    def years(
        self, map_name: str, options: Options, turns: Sequence[tuple[str, str]]
    ) -> Sequence[tuple[str, Mapping[str, int]]]:
        """Return each nation's number of provinces, year by year.

        It is counted at the start, at the end of each year and after the last turn.
        """
        return provinces_by_year(
            map_name, opening(scenario(map_name), settings_on(map_name, options)), turns
        )

    def year_of(self, map_name: str, label: str) -> str:
        """Return the year of a turn. Turn 0 belongs to the first year.

        >>> Nations1940().year_of("nations1940", "T14")
        '1941.'
        """
        return f"{label_of(turn_number(label) or 1).partition('.')[0]}."


class NationsTurn(PlayedTurn):
    """An adjudicated turn of Nations 1940."""

    def __init__(self, map_name: str, record: str) -> None:
        self._map = map_name
        self._telling = TurnReport(map_name, read_record(record))

    def _nation(self, reader: Viewer) -> str:
        return codes_by_name(self._map).get(reader.power, "")

    def results(self, reader: Viewer) -> Results:
        """Return the facts of the turn that a viewer may know."""
        return self._telling.results(reader, self._nation(reader))

    def brief(self, reader: Viewer) -> Brief:
        """Return the summary of the turn for a viewer.

        Of other nations it has only public events.
        """
        return brief_facts(self._telling.record, self._telling.wording, self._nation(reader))

    def values(self, reader: Viewer) -> Mapping[str, object]:
        """Return the turn for programs, with the viewer's own orders.

        A master gets the orders of all nations.
        """
        before, names = self._telling.record.before, names_by_code(self._map)
        is_master = reader.quality is ViewerRole.MASTER
        known = list(before.nations) if is_master else [self._nation(reader)]
        return {
            "map": self._map, "phase": f"T{before.turn}",
            **self._telling.program_values([code for code in known if code in names]),
        }

    def sketch(self, reader: Viewer, *, tried: bool = False) -> str:
        """Return the sketch of the position after the turn for a viewer."""
        is_master = reader.quality is ViewerRole.MASTER
        return sketch_of(self._telling.after, self._map, self._nation(reader), is_master=is_master)


SYSTEM: GameSystem = Nations1940()
