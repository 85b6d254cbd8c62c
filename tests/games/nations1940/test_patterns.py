"""The table of words and patterns of free wording."""

import re
from pathlib import Path

from judge.games.nations1940.language import patterns

_FOLDER = Path(patterns.__file__).parent
_TABLES = {
    line.split("\t")[0]
    for line in (_FOLDER / "patterns.tsv").read_text(encoding="utf-8").splitlines()
    if "\t" in line
} - {"table"}
_PLAIN = {"form", "short-verb", "treaty-spelling", "kind-spelling"}
"""Tables of names, which are no patterns."""


def test_all_patterns_compile() -> None:
    for table in _TABLES - _PLAIN:
        assert len(patterns.forms(table)) == len(patterns.rows(table)), table


def test_all_tables_are_used() -> None:
    code = "\n".join(file.read_text(encoding="utf-8") for file in _FOLDER.glob("*.py"))
    rows = (_FOLDER / "patterns.tsv").read_text(encoding="utf-8")
    within = {name.lower().replace("_", "-") for name in re.findall(r"\{([A-Z_]+)\}", rows)}
    in_code = set(re.findall(r"[\"' ]([a-z-]+)(?=[\"' ])", code))
    assert _TABLES - within - in_code == set()
