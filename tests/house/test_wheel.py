"""The wheel contains grammars, templates and maps, and works from anywhere.

It is built from the sdist, so that is complete too.
"""

import configparser
import shutil
import tarfile
from pathlib import Path
from zipfile import ZipFile

import pytest

from tests.wheels import FORDS, ROOT, build, build_sdist, install, run

FIRST_TURN = """\
From: gm@example.org
To: judge@localhost
Message-ID: <1@example.org>

CREATE ?river gmsecret fords
SET MANUAL START
START
SEND 2 UPPER
CLEAR UPPER
PROCESS T1
"""


@pytest.fixture(scope="module")
def wheels(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Three new wheels: of the judge, of its tool for maps, and of a game."""
    return build(tmp_path_factory.mktemp("wheels"))


@pytest.fixture(scope="module")
def environment_bin(wheels: dict[str, Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folder of the commands of an environment that has them installed."""
    return install(wheels, tmp_path_factory.mktemp("installed") / "venv")


@pytest.mark.slow
def test_the_wheel_checks_itself_from_another_directory(
    environment_bin: Path, tmp_path: Path
) -> None:
    said = run(str(environment_bin / "judge"), "check", cwd=tmp_path)
    assert "youngstown" in said
    assert "Fords on Fords (fords): 2 powers, begins in T1" in said
    asked = "import judge; print(judge.__file__)"
    where = run(str(environment_bin / "python"), "-c", asked, cwd=tmp_path)
    assert where.startswith(str(environment_bin.parent))


@pytest.mark.slow
def test_first_mail_is_answered_by_the_installed_wheel(
    environment_bin: Path, tmp_path: Path
) -> None:
    judge = environment_bin / "judge"
    (tmp_path / "mail").write_text("From: ann@example.org\n\nCREATE ?marco gmsecret standard\n")
    run("sh", "-c", f"{judge} deliver < mail", cwd=tmp_path)
    for command in ("work", "send"):
        run(str(judge), command, cwd=tmp_path)
    assert "marco" in run(str(judge), "inbox", "ann@example.org", cwd=tmp_path)


@pytest.mark.slow
def test_sdist_has_all_files_of_the_guide(tmp_path: Path) -> None:
    with tarfile.open(build_sdist(tmp_path / "sources")) as sdist:
        names = {name.partition("/")[2] for name in sdist.getnames()}
    docs = {str(p.relative_to(ROOT)) for p in (ROOT / "docs").rglob("*") if p.is_file()}
    assert "docs/run/requirements.lock" in docs and docs <= names
    assert {"LICENSE", "Makefile", "CHANGELOG.md", "setup.cfg", "pyproject.toml"} <= names


@pytest.mark.slow
def test_the_wheel_draws_a_board(environment_bin: Path, tmp_path: Path) -> None:
    line = '{"map": "youngstown", "phase": "S1901M", "units": {"India": ["A DEL"]}}'
    asked = (
        f"echo '{line}' | {environment_bin / 'judge'} draw --png --width 400 | head -c 4 | wc -c"
    )
    assert run("sh", "-c", asked, cwd=tmp_path).strip() == "4"
    asked = f"echo '{line}' | {environment_bin / 'judge'} draw"
    assert run("sh", "-c", asked, cwd=tmp_path).startswith("<svg")


@pytest.mark.slow
def test_the_examples_of_the_library_run_with_the_wheel(
    environment_bin: Path, tmp_path: Path
) -> None:
    page = shutil.copy(ROOT / "docs/build/library.md", tmp_path)
    said = run(str(environment_bin / "python"), "-m", "doctest", "-v", str(page), cwd=tmp_path)
    assert "Test passed." in said


def test_every_package_is_named_in_setup_cfg() -> None:
    setup = configparser.ConfigParser()
    setup.read(ROOT / "setup.cfg")
    named = set(setup["options"]["packages"].split())
    found = {p.parent for name in ("judge", "grammar") for p in (ROOT / name).rglob("__init__.py")}
    here = {".".join(folder.relative_to(ROOT).parts) for folder in found} - {"grammar"}
    assert named == here | {"judge.grammar", "judge.mailtemplates"}


@pytest.mark.slow
def test_the_tool_for_maps_is_a_wheel_of_its_own(
    wheels: dict[str, Path], environment_bin: Path, tmp_path: Path
) -> None:
    with ZipFile(wheels["judge"]) as held:
        names = held.namelist()
    assert names and not [name for name in names if "judge_maps" in name or "mapmaking" in name]
    (place,) = environment_bin.parent.glob("lib/*/site-packages")
    asked = "from judge_maps import __main__ as tool; print(tool.__file__)"
    where = run(str(environment_bin / "python"), "-c", asked, cwd=tmp_path)
    assert where.startswith(str(place))


@pytest.mark.slow
def test_a_game_from_a_wheel_of_its_own_is_played_by_real_mail(
    environment_bin: Path, tmp_path: Path
) -> None:
    (place,) = environment_bin.parent.glob("lib/*/site-packages")
    journeys = sorted(FORDS.glob("journeys/*.txt"))
    words = (str(FORDS / "over_smtp.py"), *map(str, journeys))
    here, *told = run(str(environment_bin / "python"), *words, cwd=tmp_path).splitlines()
    assert all(Path(each).is_relative_to(place) for each in here.split())
    assert told == [f"{file.stem} was played" for file in journeys] and told
    (tmp_path / "mail").write_text(FIRST_TURN)
    judge = environment_bin / "judge"
    run("sh", "-c", f"{judge} deliver --from gm@example.org < mail", cwd=tmp_path)
    run(str(judge), "work", cwd=tmp_path)
    again = run(str(judge), "replay", "river", cwd=tmp_path)
    assert "phases played again: 1, all with the recorded results" in again
    assert "random draws among them: 2" in again


@pytest.mark.slow
def test_everything_a_game_needs_is_in_the_wheel(environment_bin: Path) -> None:
    (home,) = environment_bin.parent.glob("lib/*/site-packages/judge")
    for name in ("grammar", "mailtemplates"):
        shipped = {p.relative_to(home / name) for p in (home / name).rglob("*.*")}
        here = {p.relative_to(ROOT / name) for p in (ROOT / name).rglob("*.*")}
        assert {p for p in here if "__pycache__" not in p.parts} <= shipped
    tables = {p.relative_to(ROOT / "judge") for p in (ROOT / "judge").rglob("*.tsv")}
    assert tables and all((home / table).is_file() for table in tables)
    drawing = [p for p in (ROOT / "judge/drawing").rglob("*") if p.suffix in (".svg", ".ttf")]
    shapes = [*(ROOT / "judge").rglob("shapes.json")]
    assert len(drawing) > 3 and len(shapes) > 1
    assert all((home / p.relative_to(ROOT / "judge")).is_file() for p in (*drawing, *shapes))
