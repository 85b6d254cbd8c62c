"""The folder of a site: what is written, what is left alone, what is removed."""

import json
from pathlib import Path

import pytest

from judge.errors import JudgeError
from judge.site.folder import MANIFEST_NAME, SiteFolder


def write(path: Path, files: dict[str, bytes], edition: str = "1", stamp: str = "s") -> SiteFolder:
    site = SiteFolder(path, edition)
    site.begin("marco", stamp)
    for file, octets in files.items():
        site.put("marco", file, octets)
    site.finish()
    return site


def test_only_what_changed_is_written_and_what_is_gone_removed(tmp_path: Path) -> None:
    place = tmp_path / "site"
    assert write(place, {"a.html": b"1", "games/b.html": b"2"}).written == 2
    (place / "own.txt").write_text("of somebody else")
    again = write(place, {"a.html": b"1", "c.html": b"3"})
    assert (again.written, again.removed) == (1, 1)
    assert sorted(path.name for path in place.iterdir()) == [
        MANIFEST_NAME, "a.html", "c.html", "own.txt",
    ]
    assert oct((place / "c.html").stat().st_mode)[-3:] == "644"


def test_a_part_is_there_while_its_stamp_and_its_files_are(tmp_path: Path) -> None:
    place = tmp_path / "site"
    write(place, {"a.html": b"1"})
    assert SiteFolder(place, "1").has("marco", "s")
    assert not SiteFolder(place, "1").has("marco", "t")
    assert not SiteFolder(place, "1").has("marco", "")
    assert not SiteFolder(place, "2").has("marco", "s")
    assert SiteFolder(place, "1").begin("x", "") is None
    (place / "a.html").unlink()
    assert not SiteFolder(place, "1").has("marco", "s")


def test_a_part_that_failed_stays_as_it_was(tmp_path: Path) -> None:
    place = tmp_path / "site"
    write(place, {"a.html": b"1"})
    site = SiteFolder(place, "1")
    site.retain("marco")
    site.finish()
    assert (place / "a.html").read_bytes() == b"1"
    assert not SiteFolder(place, "1").has("marco", "s")


def test_a_folder_of_others_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text("mine")
    with pytest.raises(JudgeError, match="holds other files"):
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
    SiteFolder(place, "1").finish()
    assert outside.read_text() == "keep me"
    site = SiteFolder(place, "1")
    site.begin("marco", "")
    with pytest.raises(JudgeError):
        site.put("marco", "../b.html", b"")
