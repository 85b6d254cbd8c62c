"""Installing the judge with uv and pipx, from the folder that `make dist` makes.

Both programs and the locked libraries come from the package registry. Without it the tests are
skipped.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.wheels import build_sdist

HELP = "From: ann@example.org\n\nHELP\n"
TIMEOUT = 900.0


def run(*words: str, cwd: Path, **more: str) -> str:
    """Run a command with variables added to the environment and return its output."""
    clean = {k: v for k, v in os.environ.items() if not k.startswith(("JUDGE_", "MAKE", "MFLAGS"))}
    done = subprocess.run(
        words, cwd=cwd, env=clean | more, capture_output=True, text=True, timeout=TIMEOUT
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def tools(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folder of the programs uv and pipx."""
    venv = tmp_path_factory.mktemp("tools") / "venv"
    run(sys.executable, "-m", "venv", str(venv), cwd=venv.parent)
    words = [str(venv / "bin/python"), "-m", "pip", "install", "-q", "uv", "pipx"]
    if subprocess.run(words, capture_output=True, timeout=TIMEOUT, check=False).returncode:
        pytest.skip("no package registry can be reached")
    return venv / "bin"


@pytest.fixture(scope="module")
def dist(tools: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Folder of wheels, made from a copy of the sources."""
    folder = tmp_path_factory.mktemp("dist")
    build_sdist(folder / "sources")
    run("make", "dist", f"VENV={folder / 'venv'}", cwd=folder / "sources")
    yield folder / "sources/dist"
    shutil.rmtree(folder)


@pytest.mark.slow
@pytest.mark.parametrize(
    "words",
    [
        ("uv", "tool", "install", "--no-index", "--find-links={dist}", "postal-judge"),
        ("pipx", "install", "--pip-args=--no-index --find-links={dist}", "postal-judge"),
    ],
    ids=lambda words: words[0],
)
def test_tool_installs_a_judge_that_answers(
    words: tuple[str, ...], tools: Path, dist: Path, tmp_path: Path
) -> None:
    name, *rest = words
    homes = {
        key: str(tmp_path / key)
        for key in ("UV_TOOL_DIR", "UV_TOOL_BIN_DIR", "UV_CACHE_DIR", "PIPX_HOME", "PIPX_BIN_DIR")
    }
    run(str(tools / name), *(word.format(dist=dist) for word in rest), cwd=tmp_path, **homes)
    judge = str(tmp_path / ("UV_TOOL_BIN_DIR" if name == "uv" else "PIPX_BIN_DIR") / "judge")
    assert "grammars" in run(judge, "check", cwd=tmp_path)
    (tmp_path / "mail").write_text(HELP)
    run("sh", "-c", f"{judge} deliver < mail && {judge} work && {judge} send", cwd=tmp_path)
    assert "LIST" in run(judge, "inbox", "ann@example.org", cwd=tmp_path)
