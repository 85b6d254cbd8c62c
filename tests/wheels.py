"""The wheels of this project, and an environment that has them installed: once for a run of the
tests, from copies of their sources and without the network."""

import os
import shutil
import subprocess
import sys
import sysconfig
from importlib.util import cache_from_source
from pathlib import Path

from tests.run_folder import made_once

ROOT = Path(__file__).parents[1]
FORDS = ROOT / "tests/plugin"
_BUILD = "from setuptools import build_meta; build_meta.build_wheel('wheel')"
"""Builds a wheel within its sources."""
_SOURCES = ("judge", "grammar", "mailtemplates", "setup.cfg", "pyproject.toml", "README.md")
_NAMES = ("judge", "maps", "fords")


def built() -> dict[str, Path]:
    """Return three wheels: of the judge, of its tool for maps, and of a game."""
    with made_once("wheels") as (place, is_made):
        if not is_made:
            _build(place)
    return {name: next((place / name).glob("wheel/*.whl")) for name in _NAMES}


def _build(place: Path) -> None:
    (place / "judge").mkdir(parents=True)
    for name in _SOURCES:
        copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
        copy(ROOT / name, place / "judge" / name)
    made = shutil.ignore_patterns("*.egg-info", "build", "__pycache__")
    shutil.copytree(ROOT / "mapmaking", place / "maps", ignore=made)
    shutil.copytree(FORDS / "fords", place / "fords", ignore=made)
    for name in _NAMES:
        run(sys.executable, "-W", "ignore", "-c", _BUILD, cwd=place / name)


def installed() -> Path:
    """Install them; return where their commands are.

    The libraries are those of the running environment, but judge itself comes from the wheel (an
    editable install of it is not seen through a path file).
    """
    with made_once("installed") as (place, is_made):
        if not is_made:
            place.mkdir()
            _install(built(), place / "venv")
    return place / "venv" / "bin"


def _install(wheels: dict[str, Path], venv: Path) -> None:
    run(sys.executable, "-m", "venv", "--without-pip", str(venv), cwd=venv.parent)
    pip = (sys.executable, "-m", "pip", "--python", str(venv / "bin/python"), "install", "-q")
    files = map(str, wheels.values())
    run(*pip, "--no-deps", "--no-index", "--no-compile", *files, cwd=venv.parent)
    (folder,) = venv.glob("lib/*/site-packages")
    (folder / "libraries.pth").write_text(sysconfig.get_paths()["purelib"] + "\n")
    for one in (folder / "judge").rglob("*.py"):
        _share_compiled(ROOT / one.relative_to(folder), one)


def _share_compiled(ours: Path, theirs: Path) -> None:
    """Let an installed file have what Python compiled of the same file here.

    To compile them all takes seconds. Python itself sees whether it fits: by the size of the
    source and the time it was changed at, which is therefore made the same.
    """
    compiled = Path(cache_from_source(str(ours)))
    if compiled.is_file() and ours.read_bytes() == theirs.read_bytes():
        time = ours.stat().st_mtime_ns
        os.utime(theirs, ns=(time, time))
        there = Path(cache_from_source(str(theirs)))
        there.parent.mkdir(exist_ok=True)
        shutil.copy(compiled, there)


def run(*words: str, cwd: Path) -> str:
    """Run a command outside this process's environment; return what it printed."""
    clean = {k: v for k, v in os.environ.items() if not k.startswith(("JUDGE_", "PYTHON"))}
    done = subprocess.run(words, cwd=cwd, env=clean, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
