"""Each command imports only the modules it needs, for a short start."""

import os
import subprocess
import sys
from importlib import import_module
from pathlib import Path

from judge.cli import JOBS
from tests.house.test_layers import LIBRARIES

# One process runs all commands: each adds to the modules loaded by those before it.
_SCRIPT = """
import sys
from judge.cli import main
for words in (["--version"], ["inbox"], ["mail", "--from", "ann@example.org", "text"]):
    try:
        main(words)
    except SystemExit:
        pass
    print(words[0], *sorted(sys.modules))
"""


def test_reading_letters_loads_few_modules(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("LIST\n")
    done = subprocess.run(
        [sys.executable, "-c", _SCRIPT],
        cwd=tmp_path,
        env=os.environ | {"JUDGE_LISTEN_SMTP": "127.0.0.1:9"},
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    told = [line.split() for line in done.stdout.splitlines() if " judge.cli " in line]
    assert [words[0] for words in told] == ["--version", "inbox", "mail"]
    libraries = LIBRARIES - sys.stdlib_module_names
    loaded = [libraries & {name.split(".")[0] for name in words} for words in told]
    assert loaded == [set(), {"msgspec"}, {"msgspec", "peewee"}]
    wings = {name.split(".")[1] for name in told[2] if name.startswith("judge.")}
    assert not wings & {"games", "play", "daemon", "site", "drawing"}


def test_each_command_is_implemented_by_its_listed_module() -> None:
    rooms = {name: import_module(f"judge.cli.{name}").JOBS for name in JOBS.values()}
    assert {command: room for room, jobs in rooms.items() for command in jobs} == JOBS
