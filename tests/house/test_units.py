"""The systemd units name existing commands and pass `systemd-analyze verify`."""

import re
import shlex
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from judge.terminal.usage import make_parser
from tests.machine import HAS_SYSTEMD

UNITS = sorted((Path(__file__).parents[2] / "docs/run/systemd").iterdir())
SERVICES = [unit for unit in UNITS if unit.suffix == ".service"]
PROGRAM = "/opt/judge/venv/bin/judge"


def settings(unit: Path, name: str) -> list[str]:
    """Return all values of a setting of a unit, with continued lines joined."""
    text = unit.read_text().replace("\\\n", " ")
    return re.findall(rf"^{name}=(.*)$", text, re.MULTILINE)


def test_each_timer_has_its_service() -> None:
    timers = {unit.stem for unit in UNITS if unit.suffix == ".timer"}
    assert timers == {"judge-resolve", "judge-backup"}
    assert timers < {unit.stem for unit in SERVICES}


@pytest.mark.parametrize("unit", SERVICES, ids=lambda unit: unit.name)
def test_the_commands_of_the_units_exist(unit: Path) -> None:
    lines = settings(unit, "ExecStart") + settings(unit, "ExecStartPre")
    commands = [
        shlex.split(part.split(";")[0])
        for line in lines
        for part in line.split(PROGRAM)[1:]
    ]
    assert len(commands) == len(lines) > 0
    for words in commands:
        make_parser().parse_args([word.rstrip("'") for word in words])


@pytest.mark.parametrize("unit", SERVICES, ids=lambda unit: unit.name)
def test_every_service_has_its_own_user_and_private_files(unit: Path) -> None:
    assert settings(unit, "User") == ["judge"] and settings(unit, "UMask") == ["0077"]
    assert settings(unit, "NoNewPrivileges") == ["yes"]
    assert settings(unit, "ProtectSystem") == ["strict"]
    assert settings(unit, "StateDirectoryMode") == ["0700"]


@pytest.mark.parametrize("unit", SERVICES, ids=lambda unit: unit.name)
def test_every_service_has_limits_of_memory_and_tasks(unit: Path) -> None:
    [memory], [tasks] = settings(unit, "MemoryMax"), settings(unit, "TasksMax")
    assert re.fullmatch(r"(512M|1G)", memory) and 16 <= int(tasks) <= 256


@pytest.mark.parametrize("unit", UNITS if HAS_SYSTEMD else [], ids=lambda unit: unit.name)
def test_systemd_accepts_a_unit_without_messages(unit: Path, tmp_path: Path) -> None:
    for one in UNITS:
        # The program is not installed on this machine.
        (tmp_path / one.name).write_text(one.read_text().replace(PROGRAM, sys.executable))
    if unit.name == "judge.service":
        # Apply the documented override for two machines.
        page = (unit.parents[1] / "scaling.md").read_text()
        more = page.partition("(`systemctl edit judge`):\n")[2].partition("\nThe password")[0]
        assert "Restart=always" in more
        (tmp_path / "judge.service.d").mkdir()
        (tmp_path / "judge.service.d/override.conf").write_text(textwrap.dedent(more))
    done = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", str(tmp_path / unit.name)],
        capture_output=True, text=True, timeout=120,
        env={"SYSTEMD_LOG_LEVEL": "warning", "PATH": "/usr/bin:/bin"},
    )
    assert (done.returncode, done.stdout + done.stderr) == (0, "")
