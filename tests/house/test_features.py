"""The table of features claims only what a help topic and a test show."""

import re
from pathlib import Path
from typing import NamedTuple

import pytest

from judge.help_topics import help_topics

ROOT = Path(__file__).parents[2]
TESTS = ROOT / "tests"
_ROW = re.compile(r"\| (\d+) \| ([^|]+) \| ([YPN]) \| ([^|]*)\| ([^|]*)\|")


class Row(NamedTuple):
    """One row: number, feature, state of the judge, help topics, and tests."""

    number: int
    what: str
    ours: str
    topics: tuple[str, ...]
    proofs: tuple[str, ...]


def read_rows() -> list[Row]:
    """Return the numbered rows of the table."""
    found = []
    for line in (ROOT / "docs/reference/features.md").read_text("utf-8").splitlines():
        if row := _ROW.fullmatch(line):
            number, what, ours, topics, proofs = row.groups()
            found.append(Row(int(number), what, ours, _words(topics), _words(proofs)))
    return found


def _words(cell: str) -> tuple[str, ...]:
    return tuple(word.strip() for word in cell.split(",") if word.strip())


ROWS = read_rows()


def test_the_table_has_its_hundred_rows() -> None:
    assert [row.number for row in ROWS] == list(range(1, 101))


@pytest.mark.parametrize("row", ROWS, ids=lambda row: str(row.number))
def test_topics_and_tests_of_a_feature_exist(row: Row) -> None:
    assert set(row.topics) <= set(help_topics())
    for proof in row.proofs:
        file, _, name = proof.partition("::")
        path = TESTS / file
        assert path.is_file(), proof
        assert not name or f"def {name}(" in path.read_text("utf-8"), proof


@pytest.mark.parametrize("row", [row for row in ROWS if row.ours == "Y"], ids=lambda row: row.what)
def test_claimed_feature_has_a_help_topic_and_a_test(row: Row) -> None:
    assert row.topics
    assert row.proofs
