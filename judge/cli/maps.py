"""Commands for maps that the operator adds."""

import argparse
import sys
from pathlib import Path

from judge.cli.output import FINE, WRONG, Job, print_error, print_line
from judge.clock import SystemClock
from judge.config import Config
from judge.daemon.operator_tasks import run_action
from judge.errors import JudgeError
from judge.games import find_map
from judge.play.game import Context
from judge.terminal import maps
from judge.terminal.games import Outcome
from judge.terminal.inbox import printable


def _map(given: argparse.Namespace, config: Config) -> int:
    if given.what != "list" and not given.name:
        raise JudgeError(f"name a map: `judge map {given.what} …`")
    return _JOBS[given.what](given, config)


def _check(given: argparse.Namespace, config: Config) -> int:
    return WRONG if _check_folder(Path(given.name)) is None else FINE


def _check_folder(folder: Path) -> maps.ReadMap | None:
    """Print faults and warnings. Return the map of a folder, or None with faults."""
    found = maps.check_map(folder)
    for fault in found.faults:
        print_error(printable(f"{fault}"))
    for warning in found.warnings:
        print_line(printable(f"warning: {warning}"))
    if found.map is not None:
        board = found.map.board
        print_line(
            f"{found.map.name}: {len(board.powers)} powers, {len(board.provinces)} provinces, "
            f"{len(board.centres)} centres, {board.victory} win; no faults"
        )
    return found.map


def _add(given: argparse.Namespace, config: Config) -> int:
    found = _check_folder(Path(given.name))
    if found is None:
        return WRONG
    said = run_action(config, SystemClock(), lambda context, now: maps.add_map(context, now, found))
    print_line(said)
    return FINE


def _list(given: argparse.Namespace, config: Config) -> int:
    print_line(run_action(config, SystemClock(), maps.list_maps))
    return FINE


def _drop(given: argparse.Namespace, config: Config) -> int:
    print_line(run_action(
        config, SystemClock(), lambda context, now: maps.drop_map(context, now, given.name)
    ))
    return FINE


def _export(given: argparse.Namespace, config: Config) -> int:
    if given.folder is None:
        raise JudgeError(f"name a folder: `judge map export {given.name} FOLDER`")
    print_line(run_action(
        config, SystemClock(),
        lambda context, now: (maps.export_map(context, given.name, given.folder), ()),
    ))
    return FINE


def _draw(given: argparse.Namespace, config: Config) -> int:
    picture = maps.draw_map(_find_key(given.name, config), given.png is not None)
    if given.png is None:
        sys.stdout.buffer.write(picture)
    else:
        try:
            given.png.write_bytes(picture)
        except OSError as fault:
            reason = fault.strerror or "it cannot be written"
            raise JudgeError(f"{given.png}: {reason}") from fault
        print_line(f"drawn in {given.png}")
    return FINE


def _play(given: argparse.Namespace, config: Config) -> int:
    if given.games < 1 or given.years < 1:
        raise JudgeError("--games and --years are at least 1")
    phases = faults = 0
    for number, game in enumerate(
        maps.play_map(_find_key(given.name, config), given.games, given.years), 1
    ):
        phases, faults = phases + game.phases, faults + len(game.faults)
        for fault in game.faults:
            print_error(f"game {number}: {fault}")
    print_line(f"{given.games} games of random orders, {phases} phases, {faults} faults")
    return WRONG if faults else FINE


def _find_key(name: str, config: Config) -> str:
    """Return the name of a shipped map, or the key of another one.

    A folder that has the name of a map needs a path, such as `./mars`.
    """
    if find_map(name) is not None:
        return name
    is_folder = Path(name).is_dir()
    if "/" in name or name.startswith("."):
        return maps.read_map(Path(name)).board.name
    keys: list[str] = []

    def look(context: Context, now: object) -> Outcome:
        keys.append(maps.find_key(context, name))
        return "", ()

    try:
        run_action(config, SystemClock(), look)
    except JudgeError:
        if not is_folder:
            raise
        return maps.read_map(Path(name)).board.name
    return keys[0]


_JOBS: dict[str, Job] = {
    "check": _check, "add": _add, "list": _list, "drop": _drop, "draw": _draw, "play": _play,
    "export": _export,
}
JOBS: dict[str, Job] = {"map": _map}
