"""The wheels of this project, and an environment that has them installed.

They are built from copies of their sources and without the network, the judge's from its sdist.
"""

import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

ROOT = Path(__file__).parents[1]
FORDS = ROOT / "tests/plugin"
_BUILD = "from setuptools import build_meta; build_meta.build_{kind}('{kind}')"
"""Code that builds a wheel or sdist within its sources."""
_SOURCES = (
    "judge", "grammar", "mailtemplates", "docs", "setup.cfg", "pyproject.toml", "MANIFEST.in",
    "README.md", "CHANGELOG.md", "CONTRIBUTING.md", "LICENSE", "Makefile",
)
_NAMES = ("judge", "maps", "fords")


def build(folder: Path) -> dict[str, Path]:
    """Build wheels of the judge, its tool for maps and a game in a folder."""
    run("tar", "-xzf", str(build_sdist(folder / "sources")), cwd=folder)
    next(folder.glob("postal_judge-*")).rename(folder / "judge")
    made = shutil.ignore_patterns("*.egg-info", "build", "__pycache__")
    shutil.copytree(ROOT / "mapmaking", folder / "maps", ignore=made)
    shutil.copytree(FORDS / "fords", folder / "fords", ignore=made)
    for name in _NAMES:
        _build("wheel", folder / name)
    return {name: next((folder / name).glob("wheel/*.whl")) for name in _NAMES}


def build_sdist(sources: Path) -> Path:
    """Copy the judge's sources into a new folder and build their sdist."""
    sources.mkdir(parents=True)
    for name in _SOURCES:
        copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
        copy(ROOT / name, sources / name)
    _build("sdist", sources)
    return next(sources.glob("sdist/*.tar.gz"))


def _build(kind: str, sources: Path) -> None:
    run(sys.executable, "-W", "ignore", "-c", _BUILD.format(kind=kind), cwd=sources)


def install(wheels: dict[str, Path], venv: Path) -> Path:
    """Install wheels into a new environment and return the folder of its commands.

    The libraries are those of the running environment, but judge itself comes from the wheel (an
    editable install of it is not seen through a path file).
    """
    run(sys.executable, "-m", "venv", "--without-pip", str(venv), cwd=venv.parent)
    pip = (sys.executable, "-m", "pip", "--python", str(venv / "bin/python"), "install", "-q")
    files = map(str, wheels.values())
    run(*pip, "--no-deps", "--no-index", "--no-compile", *files, cwd=venv.parent)
    (folder,) = venv.glob("lib/*/site-packages")
    (folder / "libraries.pth").write_text(sysconfig.get_paths()["purelib"] + "\n")
    return venv / "bin"


def run(*words: str, cwd: Path) -> str:
    """Run a command without this process's environment and return its output."""
    clean = {k: v for k, v in os.environ.items() if not k.startswith(("JUDGE_", "PYTHON"))}
    done = subprocess.run(words, cwd=cwd, env=clean, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
