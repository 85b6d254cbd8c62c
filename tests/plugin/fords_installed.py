"""The game system of `tests/plugin/fords`, as if it were installed here."""

import sys
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from judge import games, help_topics, phrases
from judge.mail.outbound import templates
from judge.play.people import names
from judge.site import pages

FORDS = Path(__file__).parent / "fords"


@contextmanager
def install_system(place: Path, *, source: Path = FORDS, name: str = "") -> Iterator[None]:
    """Install a system as pip would: its package, and its metadata at a place."""
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
        yield
    finally:
        sys.path[:] = before
        forget()


def forget() -> None:
    """Clear all caches that depend on the installed systems."""
    for module in [each for each in sys.modules if each.partition(".")[0] == "judge_fords"]:
        del sys.modules[module]
    games.clear_cache()
    for kept in (
        phrases.phrasebook, templates.templates_of, help_topics.help_topics,
        help_topics.topics_of_games, help_topics._topics_of, pages.environment_of,
        names._collect_reserved_names,
    ):
        kept.cache_clear()
