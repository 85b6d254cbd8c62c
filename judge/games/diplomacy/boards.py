"""Maps and presets of Diplomacy, each loaded once.

Most are in the package. Others were added to the judge (`judge.games.added_maps`).
"""

import logging
from collections.abc import Mapping
from dataclasses import replace
from functools import cache, lru_cache
from importlib.resources import files
from importlib.resources.abc import Traversable

from judge.board.bundle import NOTES, files_of, folder_in, hash_of, is_key, name_in_key
from judge.board.map import Calendar, Map
from judge.board.mapcheck import load_map
from judge.board.position import Position, parse_phase
from judge.digits import is_number
from judge.errors import DataError, JudgeError
from judge.games.added_maps import current_titles, find_bundle, require_bundle
from judge.games.diplomacy.language.lexicon import lexicon
from judge.games.diplomacy.presets import PresetFile, laid_over, names_in, read_preset
from judge.games.diplomacy.rules.ruleset import Rules, rules_from
from judge.games.system import MapDetails
from judge.model.names import read_name, strip_invisible
from judge.model.phrase import Phrase

MAX_NOTES = 4_000
"""Maximum length of the notes of an added map."""
log = logging.getLogger("judge.games")

MAP_NAMES = ("standard", "youngstown")
"""Names of maps with their own tables and shapes."""
_PACKAGE = __package__


FAULTS = (JudgeError, ValueError, LookupError, TypeError, AttributeError, RecursionError)
"""Exceptions that a faulty map may cause."""


@cache
def presets() -> Mapping[str, PresetFile]:
    """Return the presets by name."""
    folder = files(_PACKAGE) / "presets"
    found = [read_preset(file) for file in folder.iterdir() if file.name.endswith(".ini")]
    return {preset.name: preset for preset in sorted(found, key=_by_board)}


def _by_board(preset: PresetFile) -> tuple[int, bool, str]:
    return MAP_NAMES.index(preset.board), "powers" in preset.head, preset.name


@cache
def all_names() -> tuple[str, ...]:
    """Return the names of maps and presets, the maps first."""
    return (*MAP_NAMES, *presets())


@cache
def other_words() -> Mapping[str, str]:
    """Return further name → preset, for the presets that have other names too."""
    return names_in(presets())


def parent_of(name: str) -> str:
    """Return the map that a preset is played on, or the name itself for a map.

    >>> parent_of("fva"), parent_of("standard")
    ('standard', 'standard')
    """
    return presets()[name].board if name in presets() else name


def folder_of(name: str) -> Traversable:
    """Return the folder with the tables and shapes of a map, or of a preset's map.

    Raises:
        DataError: it is an added map that is not stored here.
    """
    if is_key(name):
        return folder_in(require_bundle(name))
    return files(_PACKAGE) / "maps" / parent_of(name)


@cache
def board(name: str) -> Map:
    """Return a map, or the one that a preset makes, by name.

    >>> len(board("youngstown").centres), board("standard").victory, board("v1898").first_phase
    (72, 18, 'S1899M')

    Raises:
        DataError: there is no such map, or its tables are faulty.
    """
    if name in presets():
        return laid_over(presets()[name], board(parent_of(name)))
    if name not in MAP_NAMES and not is_key(name):
        raise DataError(f"no map {name!r}")
    return load_map(name, folder_of(name))


@cache
def shipped_titles() -> Mapping[str, str]:
    """Return name → title of the maps in the package, and of the presets on them."""
    return {name: board(name).title for name in all_names()}


def added_titles() -> Mapping[str, str]:
    """Return key → title of the added maps that games can be created on.

    Faulty maps are left out.
    """
    return {key: title for key, title in current_titles().items() if not added_map_fault(key)}


def faulty_titles() -> Mapping[str, str]:
    """Return key → title of the added maps that are left out because of a fault."""
    return {key: title for key, title in current_titles().items() if added_map_fault(key)}


@cache
def added_map_details(key: str) -> MapDetails:
    """Return author and notes of an added map.

    Raises:
        DataError: the map is not stored here.
    """
    bundle = require_bundle(key)
    rows = (row.split("\t") for row in files_of(bundle).get("map.tsv", "").splitlines())
    author = next((row[1] for row in rows if row[0] == "author" and row[1:]), "")
    read = read_name(author.strip().strip("-"))
    notes = files_of(bundle).get(NOTES, "")[:MAX_NOTES].strip()
    return MapDetails(
        name_in_key(key), hash_of(bundle), "" if isinstance(read, Phrase) else read,
        tuple(strip_invisible(line) for line in notes.splitlines()),
    )


def added_map_fault(key: str) -> str:
    """Return why no game of an added map can go on, or "" if it can."""
    try:
        return "it is not stored here" if find_bundle(key) is None else _content_fault(key)
    except DataError as fault:
        return str(fault)


@cache
def _content_fault(key: str) -> str:
    try:
        lexicon(board(key))
    except FAULTS as fault:
        # One faulty map must not stop the games on other maps.
        log.error("the map %s cannot be used: %s", key, fault)
        return str(fault) or repr(fault)
    return ""


def calendar_of(name: str) -> Calendar:
    """Return the calendar of a map. Turns of a faulty map have the usual words."""
    return Calendar() if is_key(name) and added_map_fault(name) else board(name).calendar


@lru_cache(maxsize=64)
def opening_on(found: Map) -> Position:
    """Return the first position of games on a map."""
    units = {power: found.sort_units(own) for power, own in found.start.items() if own}
    return Position(parse_phase(found.first_phase), units, found.owners)


def rules_on(name: str, options: Mapping[str, object]) -> Rules:
    """Return the rules for a game's options on a map. Maps may have other builds.

    >>> rules_on("chaos", {}).builds, rules_on("chaos", {"builds": "home"}).builds
    ('any', 'home')
    """
    return rules_from({"builds": board(name).builds, **options})


def board_under(name: str, rules: Rules) -> Map:
    """Return a map with the changes of a game's rules.

    The rules change the number of centres that wins, the number of Falls without change that end
    the game as a draw, and coastal convoys.
    """
    found = board(name)
    quiet = found.quiet_falls if rules.quiet_falls == "by map" else _parse_falls(rules.quiet_falls)
    return _adapt_map(name, rules.victory or found.victory, quiet, rules.coastal_convoys)


def _parse_falls(falls: str) -> int:
    return int(falls) if is_number(falls) else 0


@lru_cache(maxsize=64)
def _adapt_map(name: str, victory: int, quiet_falls: int, coastal_convoys: bool) -> Map:
    found = board(name)
    if (victory, quiet_falls, coastal_convoys) == (found.victory, found.quiet_falls, False):
        return found
    return replace(found, victory=victory, quiet_falls=quiet_falls, coastal_convoys=coastal_convoys)
