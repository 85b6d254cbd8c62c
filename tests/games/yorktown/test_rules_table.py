"""Every numbered rule has a row in the documentation, with tests that name it."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[3]
HERE = Path(__file__).parent
RULES = 101
_ROW = re.compile(r"\| Y-([0-9]+) \| [^|]+ \| (.+) \|")


def rows() -> dict[int, list[str]]:
    """Return the files that the page names for each rule."""
    page = (ROOT / "docs/reference/yorktown-rules.md").read_text("utf-8")
    found = (_ROW.fullmatch(line) for line in page.splitlines())
    return {int(row[1]): re.findall(r"`([^`]+)`", row[2]) for row in found if row}


def names_in(file: str) -> list[str]:
    """Return the names of tests or cases in a file."""
    text = (HERE / file).read_text("utf-8")
    pattern = r"^CASE (.*)$" if file.endswith(".case") else r"^def (test\w+)"
    return re.findall(pattern, text, re.MULTILINE)


def test_every_rule_has_its_row() -> None:
    assert sorted(rows()) == list(range(1, RULES + 1))


def test_every_row_names_files_with_a_test_of_the_rule() -> None:
    for number, files in rows().items():
        assert files, number
        for file in files:
            named = re.compile(rf"Y-{number}\b|_y{number}_")
            assert any(named.search(name) for name in names_in(file)), (number, file)
