"""Code blocks of docs/run/operating.md and recipe-server.md, run word for word."""

import re
import socket
import sqlite3
import tomllib
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, closing
from dataclasses import fields
from pathlib import Path

import pytest

from judge.cli import JOBS
from judge.clock import SystemClock
from judge.config import SECTIONS, Config, load_config
from judge.demo.judge_process import Mailroom, text_of
from tests.operating.guide import ROOT, Pretence, boxes, boxes_of_page, split_box

PACKAGES, CONFIGURE, CONNECT, START = boxes_of_page("recipe-server.md")
SIGN, POSTFIX = split_box(CONNECT, "postconf ")
UNITS, SHELL = split_box(START, "judge() ")
BACKUP, DRILL, RESTORE = boxes("Backup and restore")
(UPGRADE,) = boxes("Upgrade")
SOCKET, PIPE = boxes("Behind a mail server")
(PLUGIN,) = boxes("Other games")
(PUBLISH,) = boxes("An archive to look at")
ANN = "ann@example.org"


def free_ports(count: int) -> list[int]:
    """Return different free ports, all bound at the same time."""
    with ExitStack() as stack:
        sockets = [stack.enter_context(socket.socket()) for _ in range(count)]
        for each in sockets:
            each.bind(("127.0.0.1", 0))
        return [int(each.getsockname()[1]) for each in sockets]


@pytest.fixture
def machine(tmp_path: Path) -> Iterator[Pretence]:
    """A machine that delivers letters to a Maildir and accepts mail by SMTP."""
    smtp, lmtp, metrics = free_ports(3)
    made = Pretence(tmp_path, {
        'smtp = ""': f'smtp = "127.0.0.1:{smtp}"',
        "127.0.0.1:2424": f"127.0.0.1:{lmtp}",
        "127.0.0.1:9225": f"127.0.0.1:{metrics}",
        "smtp://127.0.0.1:25": f"maildir:{tmp_path}/outbox",
        "pull": "pull --quiet",
    })
    yield made
    made.stop()


def room(machine: Pretence) -> Mailroom:
    """Return the players' side of the running judge."""
    said = (machine.root / "said").read_text().partition(";")[0]
    found = re.search(r"takes mail at (\S+)", said)
    assert found
    return Mailroom(found[1], machine.root / "outbox", SystemClock())


def ask(machine: Pretence, text: str) -> str:
    """Mail a text to the running judge and return its reply."""
    there = room(machine)
    asked = there.send(ANN, "judge@example.org", "", text)
    letter = there.next_letter(ANN, lambda x: x["In-Reply-To"] == asked, patience=120)
    assert letter is not None
    return text_of(letter)


def _count_locked_installs(machine: Pretence) -> int:
    """Return how often libraries were installed from a lock file.

    The judge itself must bring no libraries along.
    """
    calls = [call for call in machine.calls.read_text().splitlines() if call.startswith("pip ")]
    locked = [call for call in calls if "--require-hashes" in call and call.endswith(".lock")]
    assert all("--no-deps --no-build-isolation" in call for call in set(calls) - set(locked))
    return len(locked)


@pytest.mark.slow
def test_guide_covers_installation_backup_restore_and_upgrade(
    machine: Pretence,
) -> None:
    machine.run(PACKAGES, CONFIGURE, UNITS)
    assert "--system --group --home" in machine.calls.read_text()
    assert _count_locked_installs(machine) == 2
    assert (machine.root / "etc/judge.toml").stat().st_mode & 0o777 == 0o640
    units = {unit.name for unit in (ROOT / "docs/run/systemd").iterdir()}
    assert {unit.name for unit in (machine.root / "etc/systemd/system").iterdir()} == units
    said = machine.run(SHELL)
    assert "grammars" in said and "Mails in: 0 waiting" in said
    url = "http://" + machine.moves["127.0.0.1:9225"] + "/metrics"
    with urllib.request.urlopen(url, timeout=120) as answer:
        assert b"judge_up 1.0" in answer.read()
    assert "marco" in ask(machine, "CREATE ?marco gmsecret standard\nSTART\n")

    define = SHELL.partition("\n")[0]
    assert "copied to" in machine.run(define, BACKUP)
    said = machine.run(define, DRILL)
    assert "phases played again: 0" in said and not (machine.root / "var/lib/judge/drill").exists()

    ask(machine, "CREATE ?polo gmsecret standard\n")
    assert "polo" in machine.run(define, "judge game list")
    machine.run(define, RESTORE)
    listed = machine.run(define, "judge game list")
    assert "marco" in listed and "polo" not in listed
    assert "marco" in ask(machine, "LIST\n")

    said = machine.run(define, UPGRADE)
    assert "copied to" in said and (machine.root / "var/backups/judge/before.sqlite3").exists()
    calls = machine.calls.read_text()
    assert "pip install --upgrade" in calls and "git -C" in calls
    assert _count_locked_installs(machine) == 4
    assert "marco" in ask(machine, "LIST\n")
    said = machine.run(define, PLUGIN)
    assert "grammars" in said and "pip install judge-fords" in machine.calls.read_text()
    assert "marco" in ask(machine, "LIST\n")
    assert '"level": "error"' not in (machine.root / "log").read_text()


@pytest.mark.slow
def test_lost_machine_is_restored_by_one_command(machine: Pretence) -> None:
    machine.run(CONFIGURE, UNITS)
    ask(machine, "CREATE ?marco gmsecret standard\nSTART WITH BOTS\n")
    there = room(machine)
    start = there.next_letter(ANN, lambda x: x["X-Judge-Kind"] == "start", patience=120)
    define = SHELL.partition("\n")[0]
    machine.run(define, BACKUP)
    ask(machine, "CREATE ?polo gmsecret standard\n")
    # The new machine has the configuration, the judge and the copy.
    machine.run(f"kill -9 $(cat {machine.root}/pid); rm -rf /var/lib/judge/*")
    (command,) = [line for line in RESTORE.splitlines() if line.startswith("judge restore ")]
    machine.run(define, command, "systemctl start judge.service")
    listed = machine.run(define, "judge check", "judge game list")
    assert "marco" in listed and "polo" not in listed
    # Reply addresses of earlier letters still open their seats, and the game goes on.
    assert start is not None
    there = room(machine)
    sent = there.send(ANN, str(start["Reply-To"]), "", "STATUS\n", str(start["Message-ID"]))
    reply = there.next_letter(ANN, lambda x: x["In-Reply-To"] == sent, patience=120)
    assert reply is not None and "marco" in text_of(reply)


@pytest.mark.slow
def test_the_nightly_copy_replaces_the_one_of_a_week_ago(machine: Pretence) -> None:
    machine.run(CONFIGURE, UNITS)
    unit = (ROOT / "docs/run/systemd/judge-backup.service").read_text().replace("\\\n", "")
    found = re.search(r"^ExecStart=/bin/sh -euc '(.*)'$", unit, re.MULTILINE)
    assert found
    for _ in range(2):
        machine.run(found[1].replace("%%", "%"))
    (copy,) = (machine.root / "var/backups/judge").iterdir()
    assert re.fullmatch(r"judge-\w{3}\.sqlite3", copy.name)
    with closing(sqlite3.connect(copy)) as opened:
        assert opened.execute("PRAGMA quick_check").fetchall() == [("ok",)]


@pytest.mark.slow
def test_cron_of_the_guide_publishes_the_archive(machine: Pretence) -> None:
    machine.run(CONFIGURE, UNITS, PUBLISH)
    (line,) = re.findall(r"^\*/15 \* \* \* \* judge (.+)$", PUBLISH, re.MULTILINE)
    assert (machine.root / "etc/cron.d/judge-publish").read_text().count("\n") == 1
    # Cron searches only these folders.
    machine.run(f"PATH=/usr/bin:/bin; {line}")
    assert (machine.root / "var/www/games/index.html").exists()


def test_the_guide_names_only_paths_that_it_makes() -> None:
    made = ("/opt/judge/src", "/opt/judge/venv/bin/judge", "/opt/judge/venv/bin/pip")
    for file in [*(ROOT / "docs").rglob("*.md"), *(ROOT / "docs/run/systemd").iterdir()]:
        for path in re.findall(r"/opt/judge[\w/.-]*", file.read_text("utf-8")):
            is_made = path == "/opt/judge/venv" or path.startswith(made)
            assert is_made, f"{file.name}: {path}"
    assert "/usr/bin/python3 -m venv /opt/judge/venv\n" in PACKAGES
    assert "SYSTEM_PYTHON = /usr/bin/python3\n" in (ROOT / "Makefile").read_text("utf-8")


def test_each_recipe_has_at_most_sixty_lines() -> None:
    recipes = sorted((ROOT / "docs/run").glob("recipe-*.md"))
    lengths = {page.name: page.read_text("utf-8").count("\n") for page in recipes}
    assert len(lengths) >= 2 and max(lengths.values()) <= 60, lengths


def test_configuration_of_the_guide_has_every_key_and_default() -> None:
    (whole,) = boxes("Configuration", "toml")
    tables = tomllib.loads(whole)
    assert set(tables) == set(SECTIONS)
    plain = Config()
    for name, section in SECTIONS.items():
        names = {field.name.removesuffix("_") for field in fields(section)}
        assert set(tables[name]) == names, name
        folder = Path("/nowhere")
        environ = {
            f"JUDGE_{name}_{key}".upper(): " ".join(v) if isinstance(v, list) else str(v)
            for key, v in tables[name].items()
        }
        given = getattr(load_config(None, environ, folder), name)
        if name not in ("deliver", "store"):
            assert given == getattr(plain, name), name


def test_every_command_is_in_the_table_of_commands() -> None:
    text = (ROOT / "docs/run/operating.md").read_text("utf-8")
    table = text.partition("## The commands")[2].partition("\n## ")[0]
    commands = set(JOBS) - {"manual"}
    assert len(commands) > 20
    assert [name for name in sorted(commands) if f"`judge {name}" not in table] == []
