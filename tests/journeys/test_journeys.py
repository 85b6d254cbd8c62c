"""Every journey file beside this one is walked."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.journeys.ledger import JOURNEYS, Row, ledger, letters_of, rows_of, whole
from tests.journeys.postal import PostalBench
from tests.journeys.rig import walk

AGAIN = "read it, then python -m tests.journeys.ledger"


@pytest.fixture(scope="module")
def known() -> Mapping[str, list[Row]]:
    """The letters of all journeys as they were."""
    return ledger()


@pytest.mark.parametrize("file", JOURNEYS, ids=lambda file: file.stem)
def test_a_journey_ends_as_it_is_told(file: Path, known: Mapping[str, list[Row]]) -> None:
    letters = letters_of(file)
    for number, (row, was) in enumerate(zip(rows_of(letters), known[file.stem]), 1):
        assert row == was, f"letter {number}: {AGAIN}\n{whole(letters[number - 1])}"
    assert len(letters) == len(known[file.stem]), AGAIN


BARE = {"receipt", "answer", "notice", "results", "your question", "your mail",
        "Quittung", "Antwort", "Neues", "Ergebnis", "deine Frage", "deine Mail"}


def test_no_subject_says_only_what_kind_of_letter_it_is(known: Mapping[str, list[Row]]) -> None:
    told = {row.subject for rows in known.values() for row in rows}
    assert len(told) > 500
    for subject in told:
        event = subject.rpartition(" - ")[2].partition(" ")[2] if " - " in subject else ""
        assert event not in BARE and subject.removeprefix("Re: ") not in BARE, subject


BY_POST = (
    "first_game", "joining", "orders", "later", "clock", "votes", "history", "press", "replies",
    "observers", "masters", "rollback", "export", "maps",
)
"""A journey of each group of commands that is walked by real SMTP and Maildir as well."""


@pytest.mark.parametrize("name", BY_POST)
def test_a_journey_ends_the_same_by_post(name: str, tmp_path: Path) -> None:
    file = Path(__file__).parent / f"{name}.txt"
    walk(file, lambda config: PostalBench(config, tmp_path))
