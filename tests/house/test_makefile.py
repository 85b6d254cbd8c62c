"""What a newcomer's machine lacks is said in one line."""

import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

OLD = "#!/bin/sh\nexit 1\n"
"""A Python that is too old: it fails the question for its version."""
BARE = '#!/bin/sh\ncase "$*" in *ensurepip*) exit 1;; esac\nexit 0\n'
"""A Python as Debian ships it without python3-venv."""


@pytest.mark.parametrize(
    ("script", "says"), [(OLD, "Python 3.11 or newer"), (BARE, "python3-venv")]
)
def test_what_is_missing_is_said_in_one_line(tmp_path: Path, script: str, says: str) -> None:
    python = tmp_path / "python3"
    python.write_text(script)
    python.chmod(0o755)
    words = ["make", "-s", "run", f"PYTHON={python}", f"VENV={tmp_path / 'venv'}"]
    # The tests may themselves be run by make, which hands its own variables on.
    clean = {k: v for k, v in os.environ.items() if not k.startswith(("MAKE", "MFLAGS"))}
    done = subprocess.run(words, cwd=ROOT, env=clean, capture_output=True, text=True, timeout=120)
    lines = [line for line in done.stderr.splitlines() if not line.startswith("make: ***")]
    assert done.returncode != 0
    assert len(lines) == 1 and says in lines[0] and "make run" in lines[0]
    assert not (tmp_path / "venv").exists()


def test_the_continuous_check_makes_an_environment_of_its_own_and_runs_the_tests() -> None:
    script = (ROOT / ".ci/run").read_text()
    assert "mktemp -d" in script and "make" in script and " test " in script
    assert (ROOT / ".ci/run").stat().st_mode & 0o111
