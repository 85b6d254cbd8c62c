"""Commands that copy the database, and export, import, publish and replay games."""

import argparse

from judge.cli.output import FINE, WRONG, Job, say
from judge.clock import SystemClock
from judge.config import Config
from judge.daemon.operator import import_once, migrated, restored
from judge.daemon.publishing import publish
from judge.store.database import backup
from judge.terminal.archiving import exported, replayed
from judge.textfiles import read_text


def _backup(given: argparse.Namespace, config: Config) -> int:
    backup(config.store.url, given.file)
    say(f"copied to {given.file}")
    return FINE


def _restore(given: argparse.Namespace, config: Config) -> int:
    found = restored(config, SystemClock(), given.file)
    newest = f", the newest of {found.newest:%Y-%m-%d %H:%M:%S} UTC" if found.newest else ""
    say(f"{config.store.file} is now a copy of {given.file}: {found.mails} mails{newest}")
    for line in found.differences:
        say(line)
    say(f"what was there before is in {found.aside}; start the judge again")
    return FINE


def _migrate(given: argparse.Namespace, config: Config) -> int:
    moved = [one for one in migrated(config, given.to) if one.rows]
    for one in moved:
        say(f"{one.rows} rows of {one.table}")
    file = config.store.file
    say(
        f"moved, and each of {sum(one.rows for one in moved)} rows read back as it was written. Set"
        " [store] url (or JUDGE_STORE_URL) to the new one and start the judge again; one that"
        f" still ran has ended (3). What was here is kept as {file}.moved"
    )
    return FINE


def _export(given: argparse.Namespace, config: Config) -> int:
    print(exported(config, given.game, given.orders), end="")
    return FINE


def _import(given: argparse.Namespace, config: Config) -> int:
    text, clock = read_text(given.file), SystemClock()
    game = import_once(config, clock, text, given.name, given.master, force=given.force)
    say(f"{game.name} is here, in {game.phase}; its master has a letter")
    return FINE


def _publish(given: argparse.Namespace, config: Config) -> int:
    say(publish(config, SystemClock(), given.folder))
    return FINE


def _replay(given: argparse.Namespace, config: Config) -> int:
    again = replayed(config, given.what, SystemClock().now())
    for line in again.differences:
        say(line)
    first, *later = again.commitments or ("",)
    if first:
        say(f"the SHA-256 of its random seed is {first}")
    for commitment in later:
        say(f"the SHA-256 of its next random seed is {commitment}")
    if not again.differences:
        say(f"phases played again: {again.phases}, and each came out as it is written down")
        if again.draws:
            say(f"draws of chance among them: {again.draws}")
        if again.allotted:
            say("its powers were given out as chance has it")
    return WRONG if again.differences else FINE


JOBS: dict[str, Job] = {
    "backup": _backup,
    "restore": _restore,
    "migrate": _migrate,
    "export": _export,
    "import": _import,
    "publish": _publish,
    "replay": _replay,
}
