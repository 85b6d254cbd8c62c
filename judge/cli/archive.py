"""Commands that copy the database, and export, import, publish and replay games."""

import argparse

from judge.cli.output import FINE, WRONG, Job, print_line
from judge.clock import SystemClock
from judge.config import Config
from judge.daemon.archive_publisher import publish
from judge.daemon.operator_tasks import import_once, migrate_store, restore_store
from judge.daemon.order_pages import write_board
from judge.store.database import backup
from judge.terminal.archiving import export_game, replay_game
from judge.textfiles import read_text


def _backup(given: argparse.Namespace, config: Config) -> int:
    backup(config.store.url, given.file)
    print_line(f"copied to {given.file}")
    return FINE


def _restore(given: argparse.Namespace, config: Config) -> int:
    found = restore_store(config, SystemClock(), given.file)
    newest = f", the newest of {found.newest:%Y-%m-%d %H:%M:%S} UTC" if found.newest else ""
    print_line(f"{config.store.file} is now a copy of {given.file}: {found.mails} mails{newest}")
    for line in found.differences:
        print_line(line)
    print_line(f"the old files are in {found.aside}; start the judge again")
    return FINE


def _migrate(given: argparse.Namespace, config: Config) -> int:
    moved = [one for one in migrate_store(config, given.to) if one.rows]
    for one in moved:
        print_line(f"{one.rows} rows of {one.table}")
    file = config.store.file
    print_line(
        f"moved: all {sum(one.rows for one in moved)} rows were read back and compared. Set [store]"
        " url (or JUDGE_STORE_URL) to the new database, and start the judge again. A judge that"
        f" was still running has stopped (3). The old file is kept as {file}.moved"
    )
    return FINE


def _export(given: argparse.Namespace, config: Config) -> int:
    print(export_game(config, given.game, given.orders, given.with_map), end="")
    return FINE


def _import(given: argparse.Namespace, config: Config) -> int:
    text, clock = read_text(given.file), SystemClock()
    game = import_once(config, clock, text, given.name, given.master, force=given.force)
    print_line(f"{game.name} is imported, in {game.phase}; its master gets a letter")
    return FINE


def _publish(given: argparse.Namespace, config: Config) -> int:
    print_line(publish(config, SystemClock(), given.folder))
    return FINE


def _board(given: argparse.Namespace, config: Config) -> int:
    print_line(write_board(config, SystemClock(), given.game, given.file))
    return FINE


def _replay(given: argparse.Namespace, config: Config) -> int:
    again = replay_game(config, given.what, SystemClock().now())
    for line in again.differences:
        print_line(line)
    first, *later = again.commitments or ("",)
    if first:
        print_line(f"the SHA-256 of its random seed is {first}")
    for commitment in later:
        print_line(f"the SHA-256 of its next random seed is {commitment}")
    if not again.differences:
        print_line(f"phases played again: {again.phases}, all with the recorded results")
        if again.draws:
            print_line(f"random draws among them: {again.draws}")
        if again.allotted:
            print_line("its powers were given out by the recorded seed")
    return WRONG if again.differences else FINE


JOBS: dict[str, Job] = {
    "backup": _backup,
    "restore": _restore,
    "migrate": _migrate,
    "export": _export,
    "import": _import,
    "publish": _publish,
    "board": _board,
    "replay": _replay,
}
