"""The folder of a site: what is written, what is left alone, what is removed."""

import json
import threading
from pathlib import Path

import pytest

from judge.errors import JudgeError
from judge.site import folder
from judge.site.folder import LOCK_NAME, MANIFEST_NAME, SiteFolder


def write(path: Path, files: dict[str, bytes], edition: str = "1", stamp: str = "s") -> SiteFolder:
    with SiteFolder(path, edition) as site:
        site.begin("marco", stamp)
        for file, octets in files.items():
            site.put("marco", file, octets)
        site.finish()
    return site


def has(path: Path, edition: str, stamp: str) -> bool:
    with SiteFolder(path, edition) as site:
        return site.has("marco", stamp)


def test_only_what_changed_is_written_and_what_is_gone_removed(tmp_path: Path) -> None:
    place = tmp_path / "site"
    assert write(place, {"a.html": b"1", "games/b.html": b"2"}).written == 2
    (place / "own.txt").write_text("of somebody else")
    again = write(place, {"a.html": b"1", "c.html": b"3"})
    assert (again.written, again.removed) == (1, 1)
    assert sorted(path.name for path in place.iterdir()) == [
        MANIFEST_NAME, LOCK_NAME, "a.html", "c.html", "own.txt",
    ]
    assert oct((place / "c.html").stat().st_mode)[-3:] == "644"


def test_a_part_is_there_while_its_stamp_and_its_files_are(tmp_path: Path) -> None:
    place = tmp_path / "site"
    write(place, {"a.html": b"1"})
    assert has(place, "1", "s")
    assert not has(place, "1", "t") and not has(place, "1", "") and not has(place, "2", "s")
    (place / "a.html").unlink()
    assert not has(place, "1", "s")


def test_a_part_that_failed_stays_as_it_was(tmp_path: Path) -> None:
    place = tmp_path / "site"
    write(place, {"a.html": b"1"})
    with SiteFolder(place, "1") as site:
        site.retain("marco")
        site.finish()
    assert (place / "a.html").read_bytes() == b"1"
    assert not has(place, "1", "s")


def test_a_folder_of_others_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text("mine")
    with pytest.raises(JudgeError, match="contains other files"):
        SiteFolder(tmp_path, "1")
    (tmp_path / MANIFEST_NAME).write_text("{}")
    with pytest.raises(JudgeError, match="cannot be read"):
        SiteFolder(tmp_path, "1")


def test_no_book_makes_us_remove_a_file_outside(tmp_path: Path) -> None:
    outside, place = tmp_path / "outside.txt", tmp_path / "site"
    outside.write_text("keep me")
    write(place, {"a.html": b"1"})
    told = {"edition": "1", "parts": {"marco": ["s", ["../outside.txt", str(outside)]]}}
    (place / MANIFEST_NAME).write_text(json.dumps(told))
    with SiteFolder(place, "1") as site:
        site.finish()
    assert outside.read_text() == "keep me"
    with SiteFolder(place, "1") as site, pytest.raises(JudgeError):
        site.begin("marco", "")
        site.put("marco", "../b.html", b"")


def test_an_interrupted_run_is_continued(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(folder, "SAVE_SECONDS", 0.0)
    with SiteFolder(tmp_path / "site", "1") as site:
        site.begin("marco", "s")
        site.put("marco", "games/marco/a.html", b"1")
        site.save_progress()
        site.begin("polo", "s")
        site.put("polo", "games/polo/b.html", b"2")
    assert has(tmp_path / "site", "1", "s")
    with SiteFolder(tmp_path / "site", "1") as site:
        # The second game was made private in the meantime.
        site.remove_parts({"marco"})
        assert not site.holds("games/polo/b.html") and site.holds("games/marco/a.html")
        assert site.has("marco", "s")
        site.finish()
    assert sorted(path.name for path in (tmp_path / "site/games").iterdir()) == ["marco"]


def test_replaced_files_are_removed_after_an_interruption(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(folder, "SAVE_SECONDS", 0.0)
    write(tmp_path, {"a.html": b"1"})
    with SiteFolder(tmp_path, "2") as site:
        site.begin("marco", "s")
        assert not site.keep("marco", "a.html"), "it is of another edition"
        site.put("marco", "b.html", b"2")
        site.save_progress()
    assert (tmp_path / "a.html").is_file()
    with SiteFolder(tmp_path, "2") as site:
        assert site.has("marco", "s")
        site.finish()
    assert not (tmp_path / "a.html").exists() and (tmp_path / "b.html").is_file()


def test_a_killed_run_leaves_no_folder(tmp_path: Path) -> None:
    write(tmp_path, {"games/marco/a.html": b"1"})
    (tmp_path / "games/marco/.judge-x7").write_bytes(b"half")
    with SiteFolder(tmp_path, "1") as site:
        site.remove_parts(())
        site.finish()
    assert not (tmp_path / "games/marco").exists()


def test_list_of_an_earlier_judge_is_read(tmp_path: Path) -> None:
    write(tmp_path, {"a.html": b"1"})
    told = {"edition": "1", "parts": {"marco": ["s", ["a.html"]]}}
    (tmp_path / MANIFEST_NAME).write_text(json.dumps(told))
    assert has(tmp_path, "1", "s") and not has(tmp_path, "2", "s")


def test_another_run_waits(tmp_path: Path) -> None:
    done: list[str] = []

    def write_other() -> None:
        with SiteFolder(tmp_path, "1"):
            done.append("other")

    with SiteFolder(tmp_path, "1"):
        other = threading.Thread(target=write_other)
        other.start()
        other.join(0.1)
        done.append("first")
    other.join()
    assert done == ["first", "other"]
