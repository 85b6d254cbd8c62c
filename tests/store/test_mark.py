"""The file that tells that a judge ran on a database, and what follows where that is gone."""

from pathlib import Path

import pytest

from judge.errors import StoreError
from judge.store.files import moved_copy
from judge.store.mark import database_gone, must_not_be_new, note_database


@pytest.mark.parametrize(("told", "is_gone"), [
    (None, False), ("", False), ("17 starting\n", False), ("17\n", True), ("0", True),
])
def test_where_a_judge_ran_its_database_must_be(
    tmp_path: Path, told: str | None, is_gone: bool
) -> None:
    file, mark = tmp_path / "judge.sqlite3", tmp_path / "judge.lock"
    if told is not None:
        mark.write_text(told)
    for held in (None, b""):
        if held is not None:
            file.write_bytes(held)
        if is_gone:
            with pytest.raises(StoreError, match="where a judge ran before"):
                must_not_be_new(file)
        else:
            must_not_be_new(file)
    file.write_bytes(b"x")
    must_not_be_new(file)
    must_not_be_new(None)


def test_of_one_that_was_moved_it_is_told_where_it_is_put_away(tmp_path: Path) -> None:
    file = tmp_path / "judge.sqlite3"
    assert "`judge serve --new`" in str(database_gone(file))
    moved_copy(file).write_bytes(b"")
    assert "`judge migrate`" in str(database_gone(file))


@pytest.mark.parametrize(("told", "then"), [
    (None, "0\n"), ("", "0\n"), ("17 starting\n", "0\n"), ("17\n", "17\n"), ("170\n", "170\n"),
])
def test_that_there_is_a_database_is_written_down_unless_it_is(
    tmp_path: Path, told: str | None, then: str
) -> None:
    mark = tmp_path / "judge.lock"
    if told is not None:
        mark.write_text(told)
    note_database(tmp_path / "judge.sqlite3")
    assert mark.read_text() == then
    note_database(None)
    assert {file.name for file in tmp_path.iterdir()} == {"judge.lock"}
    if told is None:
        assert mark.stat().st_mode & 0o777 == 0o600
