"""Games on presets: check, replay, import and display."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from judge.cli import main
from judge.config import Config, StoreSection
from judge.games.diplomacy.boards import MAP_NAMES, all_names
from tests.journeys.rig import Rig

PRESETS = [name for name in all_names() if name not in MAP_NAMES]
Told = Callable[..., str]


@pytest.fixture(scope="module", params=[1, pytest.param(3, marks=pytest.mark.slow)])
def folder(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Path]:
    """A folder whose judge has a game against bots on each preset, after some phases."""
    path = tmp_path_factory.mktemp("presets")
    (path / "var").mkdir()
    rig = Rig(Config(store=StoreSection(f"sqlite:///{path / 'var/judge.sqlite3'}")))
    for name in PRESETS:
        gm = f"gm-{name}@example.org"
        rig.mail(gm, f"CREATE ?{name[:7]}a gmsecret {name}\nSTART WITH BOTS")
        for _ in range(request.param):
            game = rig.application.games.find(f"{name[:7]}a")
            assert game
            rig.mail(gm, f"SIGNON M{game.name} gmsecret\nPROCESS {game.phase}")
    rig.close()
    yield path


@pytest.fixture
def run_command(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Told:
    """Return a function that runs a command in the folder and returns its output."""
    def run(*words: str) -> str:
        assert main(list(words)) == 0, capsys.readouterr()
        return capsys.readouterr().out

    monkeypatch.chdir(folder)
    monkeypatch.setenv("JUDGE_LISTEN_SMTP", "127.0.0.1:9")
    return run


@pytest.mark.parametrize("name", PRESETS)
@pytest.mark.slow
def test_a_preset_game_is_replayed_from_store_and_exports(
    run_command: Told, folder: Path, name: str
) -> None:
    game = f"{name[:7]}a"
    played = run_command("replay", game)
    assert "all with the recorded results" in played
    phases = next(line for line in played.splitlines() if "played again" in line)
    (folder / "game.json").write_text(run_command("export", game))
    (folder / "game.txt").write_text(run_command("export", game, "--orders"))
    assert "# Played by bots: " in (folder / "game.txt").read_text()
    assert phases in run_command("replay", "game.json")
    for letter, file in (("b", "game.json"), ("c", "game.txt")):
        run_command("import", file, "--name", f"{name[:7]}{letter}", "--master", "gm@example.org")
        assert phases in run_command("replay", f"{name[:7]}{letter}")


@pytest.mark.slow
def test_games_on_presets_are_checked_and_shown(run_command: Told, folder: Path) -> None:
    run_command("check")
    run_command("publish", "site")
    shown = " ".join(str(page.relative_to(folder)) for page in (folder / "site").rglob("*.html"))
    assert [name for name in PRESETS if f"{name[:7]}a" not in shown] == []
