"""Literal template lines fit into the 72 columns of letters."""

from pathlib import Path

import pytest

from judge.mail.outbound.layout import add_layout_marks, strip_layout_marks

ROOT = Path(__file__).parents[2]
TEMPLATES = sorted((ROOT / "mailtemplates").rglob("*.txt"))


@pytest.mark.parametrize("file", TEMPLATES, ids=lambda file: f"{file.parent.name}/{file.stem}")
def test_no_written_line_of_a_letter_is_broken_by_the_renderer(file: Path) -> None:
    text = strip_layout_marks(add_layout_marks(file.read_text("utf-8")))
    written = [line for line in text.splitlines() if "{" not in line]
    assert [line for line in written if len(line) > 72] == []
