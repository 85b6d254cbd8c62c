"""`judge map` at the terminal, and games on added maps in files."""

import json
import os
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from judge.board.bundle import MAX_BUNDLE_OCTETS, hash_of, read_bundle, write_bundle
from judge.cli import main
from judge.clock import SystemClock
from judge.config import Config, StoreSection
from judge.errors import DataError
from judge.play.archive.map_of_game import licence_of
from judge.terminal.checking import check_added_maps
from judge.terminal.maps import name_problem
from tests.added_maps import MARS, REDS, forget_maps, key_of, map_and_phase, write_mars
from tests.journeys.rig import Rig, text_of

ANN, GM = "ann@example.org", "gm@example.org"


@pytest.fixture(scope="module")
def begun() -> Iterator[Rig]:
    """An empty judge, whose clock is that of the commands."""
    made = Rig()
    made.clock.set(SystemClock().now())
    made.mail(GM, "LIST")
    yield made
    made.close()


@pytest.fixture
def rig(begun: Rig, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Rig]:
    """The same judge, with its database in a file that the commands find."""
    url = f"sqlite:///{tmp_path}/judge.sqlite3"
    monkeypatch.setenv("JUDGE_STORE_URL", url)
    made = begun.again(replace(Config(), store=StoreSection(url)))
    yield made
    made.close()


def run(capsys: pytest.CaptureFixture[str], *words: object, code: int = 0) -> str:
    """Run a command of the judge as a new process does. Return its output and errors."""
    forget_maps()
    capsys.readouterr()
    assert main([*map(str, words)]) == code
    printed = capsys.readouterr()
    return printed.out + printed.err


def begin(rig: Rig, name: str = "marco") -> None:
    """Begin a game on the added map."""
    rig.mail(GM, f"CREATE ?{name} gmsecret mars\nSTART")


def test_map_is_added_listed_and_dropped(
    rig: Rig, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    mars = write_mars(tmp_path)
    assert run(capsys, "map", "list") == "No map was added.\n"
    said = run(capsys, "map", "add", mars)
    assert key_of(mars) in said and "CREATE ?game password mars" in said and REDS in said
    begin(rig)
    listed = run(capsys, "map", "list")
    assert key_of(mars) in listed and " 1 open game  " in listed
    said = run(capsys, "map", "drop", "mars")
    assert said == "mars is dropped: no game can be created on it.\nThese games keep it: marco\n"
    assert "dropped" in run(capsys, "map", "list")
    assert "no added map 'mars'" in run(capsys, "map", "drop", "mars", code=1)
    rig.mail(GM, "SIGNON Mmarco gmsecret\nPROCESS S1901M")
    assert map_and_phase(rig) == (key_of(mars), "F1901M")


@pytest.mark.slow
def test_added_map_is_exported_as_it_was(
    rig: Rig, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    mars, key = write_mars(tmp_path), key_of(write_mars(tmp_path))
    run(capsys, "map", "add", mars)
    write_mars(tmp_path, "Another")
    copy = tmp_path / "copy" / "mars"
    run(capsys, "map", "export", "mars", copy)
    assert key_of(copy) == key
    assert "not an empty folder" in run(capsys, "map", "export", key, copy, code=1)


def test_folder_that_is_no_map_is_refused(
    rig: Rig, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "venus").mkdir()
    assert "no map is in the folder" in run(capsys, "map", "add", tmp_path / "venus", code=1)
    mars = write_mars(tmp_path)
    (mars / "notes.txt").symlink_to(mars / "map.tsv")
    assert "not a file" in run(capsys, "map", "add", mars, code=1)
    (mars / "notes.txt").unlink()
    (mars / "powers.tsv").unlink()
    assert "powers.tsv" in run(capsys, "map", "add", mars, code=1)
    (mars / "powers.tsv").write_bytes(b"\xff\xfe")
    assert "powers.tsv" in run(capsys, "map", "add", mars, code=1)
    assert "no map is in the folder" in run(capsys, "map", "play", tmp_path / "nowhere", code=1)
    assert run(capsys, "map", "list") == "No map was added.\n"


@pytest.mark.slow
def test_version_of_a_map_is_not_dropped(
    rig: Rig, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    mars = write_mars(tmp_path)
    run(capsys, "map", "add", mars)
    assert "judge map drop mars" in run(capsys, "map", "drop", key_of(mars), code=1)
    assert "offered" in run(capsys, "map", "list")


@pytest.mark.slow
def test_link_to_a_folder_has_the_name_of_the_link(
    rig: Rig, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "venus").symlink_to(write_mars(tmp_path))
    assert "venus: 7 powers" in run(capsys, "map", "check", tmp_path / "venus")


@pytest.mark.slow
def test_title_of_another_map_is_a_warning(
    rig: Rig, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    mars = write_mars(tmp_path)
    run(capsys, "map", "add", mars)
    said = run(capsys, "map", "add", mars.rename(tmp_path / "venus"))
    assert f"warning: the map mars has the title '{REDS}' too" in said
    said = run(capsys, "map", "check", write_mars(tmp_path, "Youngstown"))
    assert "warning: map.tsv: the map youngstown has the title 'Youngstown' too" in said


@pytest.mark.slow
def test_added_map_comes_before_a_folder_without_a_path(
    rig: Rig, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    mars = write_mars(tmp_path)
    assert "2 games" in run(capsys, "map", "play", "mars", "--games", "2", "--years", "1")
    run(capsys, "map", "add", mars)
    (mars / "powers.tsv").unlink()
    assert "2 games" in run(capsys, "map", "play", "mars", "--games", "2", "--years", "1")
    assert "powers.tsv" in run(capsys, "map", "play", "./mars", code=1)
    assert "at least 1" in run(capsys, "map", "play", "mars", "--games", "-3", code=1)
    said = run(capsys, "map", "draw", "mars", "--png", tmp_path / "no" / "x.png", code=1)
    assert said.endswith("x.png: No such file or directory\n") and "Errno" not in said


def test_missing_database_is_explained(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("JUDGE_STORE_URL", f"sqlite:///{tmp_path}/none.sqlite3")
    said = run(capsys, "map", "add", write_mars(tmp_path), code=1)
    assert "start the judge once (`judge serve`)" in said


@pytest.mark.slow
def test_check_names_an_added_map_with_a_fault(
    rig: Rig, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    mars = write_mars(tmp_path)
    run(capsys, "map", "add", mars)
    begin(rig)
    assert [*check_added_maps(rig.application.context.maps)] == [f"map {key_of(mars)}: {REDS}"]
    rig.application.store.update_sql("UPDATE maps SET bundle = ?", [b"damaged"])
    forget_maps()
    with pytest.raises(DataError, match=f"{key_of(mars)} cannot be used: .*open games: marco"):
        [*check_added_maps(rig.application.context.maps)]


@pytest.mark.parametrize("name", [
    "standard", "fva", "1898", "nations1940", "diplomacy", "press", "rules", "list", "maps",
    "png", "forming", "gunboat", "M", "m", "mars.1", "a-b", "abcdefghijklm", "größe",
])
def test_no_map_takes_a_name_with_a_meaning(name: str) -> None:
    assert f"no map can be called {name!r}" in name_problem(name)


@pytest.mark.slow
def test_two_contents_with_the_same_first_digits_have_two_keys(
    rig: Rig, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    mars = write_mars(tmp_path)
    maps, now = rig.application.context.maps, rig.clock.now()
    maps.add(key_of(mars), MARS, "another", "Another", "{}", now)
    said = run(capsys, "map", "add", mars)
    begin(rig)
    key = f"mars.{hash_of(read_bundle(mars))[:12]}"
    assert f"key {key}," in said and map_and_phase(rig) == (key, "S1901M")


@pytest.mark.slow
def test_map_is_drawn_and_played_from_its_folder(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It needs no database."""
    monkeypatch.setenv("JUDGE_STORE_URL", f"sqlite:///{tmp_path}/nothing.sqlite3")
    mars = write_mars(tmp_path)
    run(capsys, "map", "draw", mars, "--png", tmp_path / "mars.png")
    assert (tmp_path / "mars.png").read_bytes().startswith(b"\x89PNG")
    said = run(capsys, "map", "play", mars, "--games", 2, "--years", 1)
    assert said.startswith("2 games of random orders") and said.endswith("0 faults\n")


@pytest.mark.slow
def test_game_is_imported_on_the_map_with_the_same_hash(
    rig: Rig, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    mars = write_mars(tmp_path, licence="own")
    run(capsys, "map", "add", mars)
    begin(rig)
    rig.mail(GM, "SIGNON Mmarco gmsecret\nPROCESS S1901M")
    exported = run(capsys, "export", "marco")
    told = json.loads(exported)["added_map"]
    assert (told["name"], told["title"]) == (MARS, REDS) and "files" not in told
    assert key_of(mars) == f"mars.{told['hash'][:8]}"
    file = tmp_path / "marco.json"
    file.write_text(exported)
    run(capsys, "import", file, "--name", "polo")
    assert map_and_phase(rig, "polo") == (key_of(mars), "F1901M")
    assert "phases played again: 1" in run(capsys, "replay", file)
    listed = run(capsys, "export", "marco", "--orders")
    assert f"MAP {key_of(mars)}" in listed and told["hash"] in listed


@pytest.mark.slow
def test_import_names_the_missing_map(
    rig: Rig, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    mars = write_mars(tmp_path, licence="own")
    run(capsys, "map", "add", mars)
    begin(rig)
    bare, whole = tmp_path / "bare.json", tmp_path / "whole.json"
    bare.write_text(run(capsys, "export", "marco"))
    whole.write_text(run(capsys, "export", "marco", "--with-map"))
    rig.application.store.update_sql("DELETE FROM maps", ())
    said = run(capsys, "import", bare, "--name", "polo", code=1)
    assert "does not have the map mars with the hash" in said
    assert "added_map" in whole.read_text()
    assert "phases played again: 0" in run(capsys, "replay", whole)
    run(capsys, "import", whole, "--name", "polo")
    assert map_and_phase(rig, "polo") == (key_of(mars), "S1901M")
    # It is for imported games only.
    assert "dropped" in run(capsys, "map", "list")
    large = json.loads(whole.read_text())
    large["added_map"]["files"]["notes.txt"] = "x" * MAX_BUNDLE_OCTETS
    (tmp_path / "large.json").write_text(json.dumps(large))
    refusal = run(capsys, "import", tmp_path / "large.json", "--name", "niccolo", code=1)
    assert "the map mars in the file is larger than a map may be" in refusal
    damaged = whole.read_text().replace(REDS, "Else")
    whole.write_text(damaged)
    assert "hash is another" in run(capsys, "import", whole, "--name", "niccolo", code=1)


@pytest.mark.slow
def test_import_by_mail_names_the_missing_map_and_stores_none(
    rig: Rig, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run(capsys, "map", "add", write_mars(tmp_path, licence="free"))
    begin(rig)
    whole = run(capsys, "export", "marco", "--with-map")
    small = run(capsys, "export", "marco")
    rig.application.store.update_sql("DELETE FROM maps", ())
    judge = replace(rig.config.judge, keeper=ANN)
    memory = StoreSection("sqlite:///:memory:")
    with closing(rig.again(replace(Config(), judge=judge, store=memory))) as other:
        for text in (small, whole):
            other.mail(ANN, f"IMPORT polo\n{text}\nENDIMPORT")
            other.reply(ANN, "yes")
            said = " ".join(text_of(other.newest[ANN]).split())
            assert "does not have the map mars with the hash" in said
        assert other.application.context.maps.list_maps() == []
        assert other.application.games.find("polo") is None


@pytest.mark.slow
def test_files_of_a_map_are_exported_only_under_a_free_licence(
    rig: Rig, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run(capsys, "map", "add", write_mars(tmp_path, licence="AGPL-3"))
    begin(rig)
    said = run(capsys, "export", "marco", "--with-map", code=1)
    assert "the licence of the map mars is agpl-3" in said
    assert "added_map" in run(capsys, "export", "marco")


@pytest.mark.parametrize(("table", "licence"), [
    ("key\tvalue\nlicence\tFree\n", "free"),
    ("value\tkey\nfree\tlicence\n", "free"),
    ("key\tnote\tvalue\nlicence\town\tAll rights reserved\n", "all rights reserved"),
    ("key\tvalue\nlicence\t-\n", ""),
    ("key\tvalue\n", ""),
])
def test_licence_is_read_by_the_names_of_columns(table: str, licence: str) -> None:
    assert licence_of(write_bundle({"map.tsv": table})) == licence


@pytest.mark.slow
def test_game_goes_on_after_backup_and_restore(
    rig: Rig, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    mars = write_mars(tmp_path)
    run(capsys, "map", "add", mars)
    begin(rig)
    run(capsys, "backup", tmp_path / "copy.sqlite3")
    rig.application.store.close()
    os.remove(tmp_path / "judge.sqlite3")
    run(capsys, "restore", tmp_path / "copy.sqlite3")
    forget_maps()
    with closing(Rig(rig.config)) as again:
        again.clock.set(SystemClock().now())
        again.mail(GM, "SIGNON Mmarco gmsecret\nPROCESS S1901M")
        assert map_and_phase(again) == (key_of(mars), "F1901M")
