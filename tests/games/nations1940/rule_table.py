"""The table of docs/reference/nations1940-rules.md: the tests of each rule.

`python -m tests.games.nations1940.rule_table` writes the column of tests again, without a change to
the other columns.
"""

import ast
import re
from collections import Counter
from functools import cache
from pathlib import Path

HERE = Path(__file__).parent
ROOT = Path(__file__).parents[3]
DOCUMENT = ROOT / "docs/reference/nations1940-rules.md"
ROW = re.compile(r"\| (N-[0-9]+) \| (.*?) \| (.*?) \|")


@cache
def shown_by_rule() -> dict[str, Counter[str]]:
    """Return rule → files of cases, tests and journeys that name it → count."""
    found: dict[str, Counter[str]] = {}
    for file in sorted((HERE / "cases").glob("*.case")):
        for line in file.read_text("utf-8").splitlines():
            if line.startswith("RULES "):
                _count(found, line.split()[1:], f"cases/{file.stem}")
    for file in sorted(HERE.glob("test_*.py")):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            is_mark = isinstance(node, ast.Call) and getattr(node.func, "id", "") == "rules"
            if is_mark:
                names = [ast.literal_eval(each) for each in node.args]  # type: ignore[attr-defined]
                _count(found, names, file.stem)
    for file in sorted((ROOT / "tests/journeys").glob("nations1940*.txt")):
        for line in file.read_text("utf-8").splitlines():
            if line.startswith("# RULES "):
                _count(found, line.split()[2:], f"journeys/{file.stem}")
    return found


def _count(found: dict[str, Counter[str]], rules: list[str], where: str) -> None:
    for rule in rules:
        found.setdefault(rule, Counter())[where] += 1


def cell(counts: Counter[str]) -> str:
    """Return the column of tests of one rule.

    >>> cell(Counter({"cases/land": 2, "test_rules": 1}))
    'cases/land 2, test_rules 1'
    """
    return ", ".join(f"{where} {count}" for where, count in sorted(counts.items()))


@cache
def rows() -> dict[str, str]:
    """Return rule → the tests that the document names."""
    text = DOCUMENT.read_text("utf-8")
    return {found[1]: found[3] for found in map(ROW.fullmatch, text.splitlines()) if found}


def main() -> None:
    """Write the column of tests."""
    tests = shown_by_rule()

    def renew_row(line: str) -> str:
        found = ROW.fullmatch(line)
        if not found:
            return line
        return f"| {found[1]} | {found[2]} | {cell(tests.get(found[1], Counter()))} |"

    text = DOCUMENT.read_text("utf-8")
    DOCUMENT.write_text("\n".join(map(renew_row, text.split("\n"))), "utf-8")


if __name__ == "__main__":
    main()
