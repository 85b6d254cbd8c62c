"""The game system of `tests/plugin/fords`, as if it were installed here."""

import sys
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from jinja2 import BytecodeCache, Environment
from jinja2.bccache import Bucket

from judge import games, phrases, topics
from judge.mail.outbound import templates
from judge.site import pages

FORDS = Path(__file__).parent / "fords"


class Compiled(BytecodeCache):
    """Templates that were compiled once and whose text is the same still.

    Everything that is read once is read anew wherever a system comes or goes; to compile the
    templates of all others again would take longer than all else that such a test does.
    """

    kept: dict[tuple[object, ...], bytes] = {}

    def __init__(self, *place: object) -> None:
        self.place = place

    def load_bytecode(self, bucket: Bucket) -> None:
        """Take over what was compiled, which the library throws away for another text."""
        if code := self.kept.get((*self.place, bucket.key)):
            bucket.bytecode_from_string(code)

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep what was compiled."""
        self.kept[*self.place, bucket.key] = bucket.bytecode_to_string()


def _compiling_once(patch: pytest.MonkeyPatch) -> None:
    real = templates._environment

    def made(load: Any, book: Any, system: str, *, autoescape: bool = False) -> Environment:
        environment = real(load, book, system, autoescape=autoescape)
        environment.bytecode_cache = Compiled(system, book.language, autoescape)
        return environment

    patch.setattr(templates, "_environment", made)


@contextmanager
def installed(place: Path, *, source: Path = FORDS, name: str = "") -> Iterator[None]:
    """Have a system found as one that pip installed: its package, and its metadata at a place."""
    project = tomllib.loads((source / "pyproject.toml").read_text("utf-8"))["project"]
    info = place / f"{(name or project['name']).replace('-', '_')}-{project['version']}.dist-info"
    info.mkdir()
    points = project["entry-points"]["judge.games"]
    (info / "METADATA").write_text(
        f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n"
    )
    (info / "entry_points.txt").write_text(
        "[judge.games]\n" + "".join(f"{key} = {value}\n" for key, value in points.items())
    )
    before = [*sys.path]
    sys.path[:0] = [str(place), str(source)]
    forget()
    try:
        with pytest.MonkeyPatch.context() as patch:
            _compiling_once(patch)
            yield
    finally:
        sys.path[:] = before
        forget()


def forget() -> None:
    """Have everything that is read once read anew."""
    for module in [each for each in sys.modules if each.partition(".")[0] == "judge_fords"]:
        del sys.modules[module]
    games.forget()
    for kept in (
        phrases.phrasebook, templates.templates_of, topics.help_topics, topics.topics_of_games,
        pages.environment_of,
    ):
        kept.cache_clear()
