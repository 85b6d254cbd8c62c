"""Missing programs of a new machine are reported by `make` in one line."""

import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

OLD = "#!/bin/sh\nexit 1\n"
"""A Python that is too old, so that the version check fails."""
GOOD = '#!/bin/sh\necho "$0 $*" >>"$0.asked"\nexit 0\n'
"""A suitable Python, which records its arguments."""
BARE = '#!/bin/sh\ncase "$*" in *ensurepip*) exit 1;; esac\nexit 0\n'
"""A Python as in Debian without python3-venv."""


def python(folder: Path, script: str) -> Path:
    """Write a script called python3 into a folder."""
    folder.mkdir(exist_ok=True)
    file = folder / "python3"
    file.write_text(script)
    file.chmod(0o755)
    return file


def make_run(word: str, folder: Path) -> "subprocess.CompletedProcess[str]":
    """Run `make run` with an environment in a folder that is first on the PATH."""
    words = ["make", "-s", "run", word, f"VENV={folder / 'venv'}"]
    # The tests may themselves be run by make, which passes its own variables on.
    clean = {k: v for k, v in os.environ.items() if not k.startswith(("MAKE", "MFLAGS", "PYTHON"))}
    clean["PATH"] = f"{folder}:{clean['PATH']}"
    return subprocess.run(words, cwd=ROOT, env=clean, capture_output=True, text=True, timeout=120)


@pytest.mark.parametrize(
    ("script", "says"), [(OLD, "Python 3.11 or newer"), (BARE, "python3-venv")]
)
def test_missing_program_is_reported_in_one_line(tmp_path: Path, script: str, says: str) -> None:
    done = make_run(f"PYTHON={python(tmp_path, script)}", tmp_path)
    lines = [line for line in done.stderr.splitlines() if not line.startswith("make: ***")]
    assert done.returncode != 0
    assert len(lines) == 1 and says in lines[0] and "make run" in lines[0]
    assert not (tmp_path / "venv").exists()


@pytest.mark.parametrize("script", [OLD, BARE, GOOD])
def test_system_python_is_used_if_suitable(tmp_path: Path, script: str) -> None:
    own, other = python(tmp_path / "own", script), python(tmp_path, GOOD)
    make_run(f"SYSTEM_PYTHON={own}", tmp_path)
    taken = own if script == GOOD else other
    asked = Path(f"{taken}.asked").read_text().splitlines()
    assert f"{taken} -m venv {tmp_path / 'venv'}" in asked


def test_continuous_integration_uses_its_own_environment() -> None:
    script = (ROOT / ".ci/run").read_text()
    assert "mktemp -d" in script and "make" in script and " test " in script
    assert (ROOT / ".ci/run").stat().st_mode & 0o111
