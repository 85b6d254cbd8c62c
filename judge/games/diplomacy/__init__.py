"""Diplomacy on the standard and the Youngstown map.

Rules of 2023 as the DATC 3.0 reads them, the author's preferred choices as defaults.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache

from judge.board.map import Map
from judge.board.phase import Phase, PhaseKind, Season
from judge.board.position import Position
from judge.dice import Dice
from judge.games.diplomacy.boards import MAP_NAMES, board
from judge.games.diplomacy.record import dump_text, load_text, read_record
from judge.games.diplomacy.report import result_facts
from judge.games.diplomacy.rules import rules_from
from judge.games.diplomacy.standing import chronicle_facts
from judge.games.diplomacy.table import DiplomacyTable
from judge.games.system import GameSystem, Option, Options, Reader, Side, Table

QUIET_FALLS = 3
"""Falls without any change of centres that end a game as a draw, where the option is on."""


class Diplomacy:
    """The `GameSystem` of the contract for Diplomacy."""

    name = "diplomacy"
    title = "Diplomacy"

    def maps(self) -> Mapping[str, str]:
        """Return name → title of the maps."""
        return {name: board(name).title for name in MAP_NAMES}

    def sides(self, map_name: str) -> tuple[Side, ...]:
        """Return the powers of a map, in its order."""
        return tuple(Side(*power) for power in board(map_name).powers)

    def options(self) -> tuple[Option, ...]:
        """Return the options of the rules (DATC 3.0, chapter 4, and the owner's documents)."""
        return OPTIONS

    def opening(self, map_name: str, options: Options, dice: Dice) -> str:
        """Return the position of Spring 1901: one unit in each home centre."""
        return dump_text(_opening(board(map_name)))

    def table(self, map_name: str, position: str, options: Options) -> Table:
        """Return a position at hand."""
        played = _board(map_name, options)
        return DiplomacyTable(played, load_text(position), rules_from(options))

    def retell(self, map_name: str, record: str, reader: Reader) -> Mapping[str, object]:
        """Return the facts of an adjudicated phase; in Diplomacy everybody may know them all."""
        return result_facts(board(map_name), read_record(record, board(map_name)))

    def chronicle(
        self, map_name: str, turns: Sequence[tuple[str, str]], reader: Reader
    ) -> Mapping[str, object]:
        """Return the facts of SUMMARY."""
        return chronicle_facts(board(map_name), _opening(board(map_name)), turns)


OPTIONS = (
    Option("icebreaker", ("on", "off"), "off: fleets may not use the coast of Omsk"),
    Option(
        "quiet_falls",
        ("by map", "on", "off"),
        "a draw of all survivors when no centre changes hands in three Falls running;"
        " by map: on for Youngstown",
    ),
    Option(
        "paradox",
        ("szykman", "all_hold", "1971", "1982", "2000"),
        "which rule settles a convoy paradox (DATC 4.A.2)",
    ),
    Option(
        "intent",
        ("own_fleet", "via_only", "swap_only"),
        "what sends an army by convoy that could walk (DATC 4.A.3)",
    ),
    Option(
        "fallback",
        ("none", "land"),
        "land: an army without a complete convoy walks if it can (DATC 4.A.3)",
    ),
    Option(
        "support_coast",
        ("lenient", "strict"),
        "strict: a support must name the coast its fleet goes to (DATC 4.B.4)",
    ),
    Option(
        "convoy_return",
        ("allowed", "no"),
        "whether a unit may retreat to where its convoyed attacker came from (DATC 4.A.5)",
    ),
    Option(
        "missing_coast",
        ("possible", "illegal"),
        "what a fleet does that names no coast where it reaches only one (DATC 4.B.2)",
    ),
    Option(
        "wrong_coast",
        ("illegal", "possible"),
        "what a fleet does that names a coast it cannot reach, but reaches the other (DATC 4.B.3)",
    ),
    Option(
        "disorder",
        ("owned", "home"),
        "the centres from which distances count when nobody removes units (DATC 4.D.8)",
    ),
)
"""Too many builds or removals (DATC 4.D.4, 4.D.6) are no option: filing keeps the last ones."""


def _board(map_name: str, options: Options) -> Map:
    """Return a map, with the draw by quiet Falls switched on where a game asks for it."""
    if options.get("quiet_falls") in ("on", True):
        return _with_quiet_falls(map_name)
    return board(map_name)


@cache
def _with_quiet_falls(map_name: str) -> Map:
    found = board(map_name)
    return found if found.quiet_falls else replace(found, quiet_falls=QUIET_FALLS)


def _opening(found: Map) -> Position:
    return Position(
        phase=Phase(found.first_year, Season.SPRING, PhaseKind.MOVEMENT),
        units=found.start,
        owners={p.abbr: p.home for p in found.provinces.values() if p.is_centre and p.home},
    )


SYSTEM: GameSystem = Diplomacy()
