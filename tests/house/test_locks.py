"""The lock files of docs/: every library of a judge with release and hashes."""

import configparser
import re
from collections.abc import Iterator
from importlib.metadata import requires
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[2]
_PIN = re.compile(
    r"^([a-z0-9-]+)==([^ ]+)(?: ; ([^\\]+))? \\\n((?:    --hash=.*\n)+)", re.MULTILINE
)
_HASH = re.compile(r"    --hash=sha256:[0-9a-f]{64}(?: \\)?")


def pins(name: str) -> Iterator[tuple[str, str]]:
    """Yield the libraries of a lock file for this Python, with their releases."""
    text = (ROOT / "docs/run" / name).read_text("utf-8")
    for library, release, marker, hashes in _PIN.findall(text):
        assert all(_HASH.fullmatch(line) for line in hashes.splitlines()), library
        wanted = Requirement(f"{library}{f' ; {marker}' if marker else ''}")
        if wanted.marker is None or wanted.marker.evaluate():
            yield library, release


def parse_requirements(text: str) -> list[Requirement]:
    lines = (line for line in text.splitlines() if line and not line.startswith("#"))
    return [Requirement(line) for line in lines]


@pytest.fixture(scope="module")
def locked_versions() -> dict[str, str]:
    found = list(pins("requirements.lock"))
    assert len(dict(found)) == len(found) > 20
    return dict(found)


def test_requirements_of_setup_cfg_are_locked_within_limits(
    locked_versions: dict[str, str],
) -> None:
    setup = configparser.ConfigParser()
    setup.read(ROOT / "setup.cfg", "utf-8")
    for each in parse_requirements(setup["options"]["install_requires"]):
        release = locked_versions[canonicalize_name(each.name)]
        assert each.specifier.contains(release), f"{each}: make lock"


def test_requirements_of_libraries_are_locked_too(locked_versions: dict[str, str]) -> None:
    for library in locked_versions:
        for each in map(Requirement, requires(library) or ()):
            if each.marker is None or each.marker.evaluate({"extra": ""}):
                assert canonicalize_name(each.name) in locked_versions, f"{library} wants {each}"


def test_build_requirement_is_locked_within_limits() -> None:
    found = dict(pins("build.lock"))
    (each,) = parse_requirements(
        re.findall(r'requires = \["(.*)"\]', (ROOT / "pyproject.toml").read_text())[0]
    )
    assert list(found) == [each.name] and each.specifier.contains(found[each.name])
