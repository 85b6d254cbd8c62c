"""Maps that the operator adds: `judge map`."""

import os
import re
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from judge.board.bundle import (
    files_of,
    hash_of,
    is_key,
    make_key,
    name_in_key,
    read_bundle,
    read_files,
)
from judge.board.map import Map
from judge.board.mapcheck import MAX_FAULTS, check_files
from judge.board.mapfile import Fault
from judge.drawing.png import paint_png
from judge.drawing.svg import draw_svg
from judge.errors import DataError, JudgeError
from judge.games import added_maps, find_map, reserved_words
from judge.games.contract import check_added_map
from judge.games.diplomacy.boards import board, opening_on, rules_on, shipped_titles
from judge.games.diplomacy.map_tests import run_map_tests, words_of_orders
from judge.games.diplomacy.trial_games import TrialGame, play_trial
from judge.games.diplomacy.views.geometry import SHAPES, base, border_differences, shapes_fault
from judge.games.diplomacy.views.pictures import standing_picture
from judge.help_topics import OTHER_WORDS, help_topics
from judge.play.choices.setting_lists import words_of_settings
from judge.play.commands.asking.boards import MAPS, NAMES, STATE
from judge.play.commands.asking.list_filters import FILTERS
from judge.play.commands.table import COMMANDS
from judge.play.game import Context
from judge.store.maps import Maps
from judge.store.schema import AddedMap
from judge.terminal.games import Outcome
from judge.terminal.inbox import printable, printable_line

_NAME = re.compile(r"[a-z][a-z0-9_]{1,11}")
_OF_MAP = frozenset({NAMES, STATE, "text", "png", "small", "svg", "on", "off", "none"})
"""Words after MAP that name no map."""
MAX_POINTS = 60_000
"""Maximum points of the outlines of a map."""
WIDTH = 1600
"""Width of a picture in pixels."""


class ReadMap(NamedTuple):
    """A map read from a folder, without errors."""

    name: str
    hash: str
    bundle: str
    board: Map


class CheckedMap(NamedTuple):
    """Result of the checks of a folder. There is no map if there are faults."""

    map: ReadMap | None
    faults: tuple[Fault, ...]
    warnings: tuple[Fault, ...] = ()


def check_map(folder: Path) -> CheckedMap:
    """Check the files and tables of a folder, and play games on its map."""
    name = _name_of(folder)
    files, unread = read_files(folder)
    if problem := name_problem(name):
        unread.insert(0, Fault("", 0, problem))
    report = check_files(name, files, words_of_orders(), is_new=True)
    named = {fault.file for fault in unread}
    missing = (fault for fault in report.faults if fault.file not in named)
    faults = (*unread, *missing)[:MAX_FAULTS] if files else tuple(unread)
    if faults:
        return CheckedMap(None, faults)
    found = read_map(folder)
    faults = (*_shapes_faults(found.board.name), *run_map_tests(found.board))
    if not faults:
        system = find_map(found.board.name)
        assert system is not None
        faults = tuple(Fault("", 0, text) for text in check_added_map(system, found.board.name))
    drawn = (Fault(SHAPES, 0, text) for text in border_differences(found.board.name))
    title = found.board.title
    same = (Fault("map.tsv", 0, f"the map {name} has the title {title!r} too")
            for name, each in shipped_titles().items() if each.casefold() == title.casefold())
    warnings = (*report.warnings, *drawn, *same)[:MAX_FAULTS]
    return CheckedMap(None if faults else found, faults, warnings)


def _name_of(folder: Path) -> str:
    """Return the name of a folder, or that of the link to it."""
    return os.path.basename(os.path.abspath(folder))


def _shapes_faults(key: str) -> Iterator[Fault]:
    """Yield why the shapes of a map cannot be used."""
    if fault := shapes_fault(key):
        yield Fault("", 0, fault)
    elif (points := sum(map(len, base(key).arcs))) > MAX_POINTS:
        yield Fault(SHAPES, 0, f"{points} points, and at most {MAX_POINTS} are drawn")


def read_map(folder: Path) -> ReadMap:
    """Return the map of a folder, which is known to this process from then on.

    Raises:
        DataError: the map is faulty, or no map can have the name of the folder.
    """
    name = _name_of(folder)
    if problem := name_problem(name):
        raise DataError(f"{folder}: {problem}")
    bundle = read_bundle(folder)
    key = make_key(name, hash_of(bundle))
    added_maps.store_bundle(key, bundle)
    return ReadMap(name, hash_of(bundle), bundle, board(key))


def name_problem(name: str) -> str:
    """Return why no map can have a name, or an empty text."""
    if not _NAME.fullmatch(name):
        return (
            f"no map can be called {name!r}: 2 to 12 small letters, digits and _, first a letter"
        )
    if name in _words_with_a_meaning():
        return f"no map can be called {name!r}: the word has another meaning in mails"
    return ""


def _words_with_a_meaning() -> frozenset[str]:
    verbs = [form.words.replace(",", "").lower() for row in COMMANDS for form in row.forms]
    words = {word for verb in verbs for word in verb.split()}
    topics = {*help_topics(), *OTHER_WORDS}
    return reserved_words() | words_of_settings() | words | topics | MAPS | FILTERS | _OF_MAP


def add_map(context: Context, now: datetime, found: ReadMap) -> Outcome:
    """Store a map, so that games can be created on it."""
    known = context.maps.list_maps()
    same = next((each for each in known if (each.name, each.hash) == found[:2]), None)
    key = same.key if same else make_key(found.name, found.hash, [each.key for each in known])
    title = found.board.title
    context.maps.add(key, found.name, found.hash, title, found.bundle, now)
    powers = len(found.board.powers)
    lines = [
        f"{found.name} ({title}, {powers} powers) is added: CREATE ?game password {found.name}",
        f"key {key}, SHA-256 {found.hash}",
    ]
    older = [each.key for each in known if each.name == found.name and each.key != key]
    lines += [
        f"warning: the map {each.name} has the title {title!r} too" for each in known
        if each.name != found.name and each.title.casefold() == title.casefold()
    ]
    if games := context.maps.open_games(older):
        lines.append(f"these games keep the map they have: {', '.join(games)}")
    return "\n".join(map(printable_line, lines)), []


def list_maps(context: Context, now: datetime) -> Outcome:
    """Return the added maps, one line each."""
    known = context.maps.list_maps()
    current = context.maps.current_titles()
    rows = [_row(context.maps, each, each.key in current) for each in known]
    return "\n".join(map(printable_line, rows)) or "No map was added.", []


def _row(maps: Maps, found: AddedMap, is_current: bool) -> str:
    state = "offered" if is_current else "dropped" if found.dropped else "older"
    count = len(maps.open_games([found.key]))
    games = f"{count} open game{'' if count == 1 else 's'}"
    return f"{found.key:<25}  {state:<7}  {found.added:%Y-%m-%d}  {games:<12}  {found.title}"


def drop_map(context: Context, now: datetime, name: str) -> Outcome:
    """Offer a map to no new game. Open games keep it, and are named.

    Raises:
        JudgeError: there is no such map.
    """
    if is_key(name):
        raise JudgeError(
            f"a map is dropped by its name, with all its versions: `judge map drop "
            f"{name_in_key(name)}`"
        )
    keys = context.maps.drop(name, now)
    if not keys:
        raise JudgeError(f"there is no added map {name!r}; `judge map list` shows all")
    said = f"{name} is dropped: no game can be created on it."
    if games := context.maps.open_games(keys):
        said += f"\nThese games keep it: {', '.join(games)}"
    return printable(said), []


def export_map(context: Context, name: str, folder: Path) -> str:
    """Write the files of a map into a new folder. Return what was written.

    Raises:
        JudgeError: there is no such map, or the folder is not empty.
        OSError: a file cannot be written.
    """
    key = find_key(context, name)
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise JudgeError(f"{folder} is there already, and not an empty folder")
    files = files_of(added_maps.require_bundle(key))
    folder.mkdir(parents=True, exist_ok=True)
    for file, text in files.items():
        (folder / file).write_text(text, encoding="utf-8", newline="")
    return f"{len(files)} files of {key} are in {folder}"


def find_key(context: Context, name: str) -> str:
    """Return the key of an added map by its name or key, and load the map.

    By its name the version is found that games are created on, or else the newest.

    Raises:
        JudgeError: there is no such map.
    """
    known = [each for each in context.maps.list_maps() if name in (each.key, each.name)]
    if not known:
        raise JudgeError(f"there is no added map {name!r}; `judge map list` shows all")
    current = context.maps.current_titles()
    key = min(known, key=lambda each: each.key not in current).key
    board(key)
    return key


def draw_map(key: str, as_png: bool) -> bytes:
    """Return a picture of the opening of a map, as SVG or PNG."""
    found = board(key)
    svg = draw_svg(standing_picture(found, opening_on(found)))
    return paint_png(svg, WIDTH) if as_png else svg.encode("utf-8")


def play_map(key: str, games: int, years: int) -> Iterator[TrialGame]:
    """Play games of random orders on a map, and yield each."""
    rules = rules_on(key, {})
    for number in range(1, games + 1):
        yield play_trial(board(key), rules, years, number)
