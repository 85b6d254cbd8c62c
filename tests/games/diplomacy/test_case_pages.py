"""The pages of the cases are those of the case files."""

from pathlib import Path

import pytest
from case_pages import pages


@pytest.mark.parametrize("file", pages(), ids=lambda file: str(file.stem))
def test_a_page_of_cases_is_as_the_files_are(file: Path) -> None:
    again = "python -m tests.games.diplomacy.case_pages"
    assert file.read_text(encoding="utf-8") == pages()[file], f"made anew by: {again}"
