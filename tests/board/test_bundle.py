"""Bundles: the files of a map as one text with a hash."""

from dataclasses import replace
from pathlib import Path

import pytest

from judge.board.bundle import (
    MAX_TABLE_OCTETS,
    files_of,
    fits_key,
    hash_of,
    make_key,
    read_bundle,
    write_bundle,
)
from judge.errors import DataError
from judge.games.added_maps import store_bundle
from judge.games.diplomacy import boards

STANDARD = Path(boards.__file__).parent / "maps" / "standard"


def test_bundle_has_the_files_of_a_map() -> None:
    bundle = read_bundle(STANDARD)
    assert {"map.tsv", "provinces.tsv", "shapes.json"} <= files_of(bundle).keys()
    key = make_key("mars", hash_of(bundle))
    store_bundle(key, bundle)
    assert boards.board(key) == replace(boards.board("standard"), name=key)


def test_line_ends_and_byte_order_marks_do_not_change_the_hash(tmp_path: Path) -> None:
    texts = {"map.tsv": "key\tvalue\ntitle\tMärs\n", "notes.txt": "Two moons.\n"}
    for folder, prefix, end in (("a", "", "\n"), ("b", "\ufeff", "\r\n")):
        (tmp_path / folder).mkdir()
        for name, text in texts.items():
            octets = (prefix + text.replace("\n", end)).encode()
            (tmp_path / folder / name).write_bytes(octets)
    (tmp_path / "b" / "source").mkdir()
    (tmp_path / "b" / "read.me").write_text("no part of the map")
    assert read_bundle(tmp_path / "a") == read_bundle(tmp_path / "b")
    assert files_of(read_bundle(tmp_path / "a")) == texts


def test_key_fits_its_content_only() -> None:
    one, other = write_bundle({"map.tsv": "a"}), write_bundle({"map.tsv": "b"})
    key = make_key("mars", hash_of(one))
    assert fits_key(key, one) and not fits_key(key, other)
    assert fits_key(make_key("mars", hash_of(one), [key]), one)


def test_files_that_are_too_large_are_refused(tmp_path: Path) -> None:
    (tmp_path / "map.tsv").write_text("x" * (MAX_TABLE_OCTETS + 1))
    with pytest.raises(DataError, match="more than 1 MiB"):
        read_bundle(tmp_path)


@pytest.mark.parametrize("text", [
    "", "[]", "7", '{"map.tsv": 7}', '{"../map.tsv": ""}', '{"map.tsv": ""', "[" * 100_000,
])
def test_other_texts_are_no_bundles(text: str) -> None:
    with pytest.raises(DataError, match="no bundle"):
        files_of(text)
