"""The case pages agree with the case files."""

from pathlib import Path

import pytest
from case_pages import pages


@pytest.mark.parametrize("file", pages(), ids=lambda file: str(file.stem))
def test_a_case_page_agrees_with_its_case_files(file: Path) -> None:
    again = "python -m tests.games.diplomacy.case_pages"
    assert file.read_text(encoding="utf-8") == pages()[file], f"made anew by: {again}"
