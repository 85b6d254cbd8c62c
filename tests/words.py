"""Words lint: names, docstrings and letters in plain technical English.

    python -m tests.words             compare the findings with tests/words.tsv
    python -m tests.words -v [PATH]   print each finding, of one folder or file
    python -m tests.words --lower     lower the allowances to what is left

Each package has an allowance for each rule. More findings fail. An allowance only shrinks.
"""

import argparse
import ast
import re
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
ALLOWANCES = ROOT / "tests/words.tsv"

RULES = {
    "first-word": "a docstring begins with a verb in the imperative or a noun",
    "summary": "a docstring has a summary line of at most 79 characters with a full stop",
    "one-statement": "a summary line is one statement: no semicolon, at most one colon",
    "word": "a docstring or comment uses a word that the glossary replaces",
    "participle": "a function is named by a verb and its object, not by a participle",
    "limit": "a limit is named MAX_… or MIN_…",
    "test-name": "a test is named in at most 60 characters, without who, nobody, his",
    "letter": "a letter says they, not he or whoever",
}
MAX_SUMMARY_LENGTH = 79
MAX_TEST_NAME_LENGTH = 60

_RIDDLES = frozenset(
    "what who whose whoever whom where when how whether tell have say see let something somebody "
    "nobody nothing those both as of".split()
)
_REPLACED = re.compile(
    r"\b(whoever|whatever|nobody|somebody|anybody|told|heard|anew|astray|stands?|stood|"
    r"mend(?:s|ed)?|altered|let(?:s)? go|he|his|him|himself|no more|so many|(?-i:is none)|of ours|"
    r"meanwhile|in hand|alike)\b",
    re.IGNORECASE,
)
_PARTICIPLE = re.compile(
    r"_?(told|said|heard|held|kept|given|taken|written|drawn|shown|made|found|[a-z]{3,}(?<!e)ed)"
)
_LIMIT = re.compile(r"_?(MOST|LONGEST|LEAST|FEWEST|SHORTEST|DEEPEST|OLDEST)(_.*)?")
_TEST_WORD = re.compile(r"_(who|whoever|nobody|somebody|his|he|anew|told)_")
_LETTER_WORD = re.compile(r"\b(he|his|him|himself|whoever)\b")
_LETTERS = ("*.txt", "*.html", "phrases*.tsv")
_TRANSLATED = "de"
"""Folder of the German letters, which have other words."""


class Finding(NamedTuple):
    """One breach of a rule."""

    rule: str
    file: str
    line: int
    text: str

    @property
    def package(self) -> str:
        """Folder that its allowance belongs to, such as judge/mail."""
        parts = self.file.split("/")
        return "/".join(parts[:2]) if len(parts) > 2 else parts[0]


def find_all() -> Iterator[Finding]:
    """Yield all findings in the code and in the English letters."""
    for home in ("judge", "mapmaking", "tests"):
        for path in sorted((ROOT / home).rglob("*.py")):
            yield from find_in_module(path.relative_to(ROOT).as_posix(), path.read_text("utf-8"))
    for pattern in _LETTERS:
        for path in sorted((ROOT / "mailtemplates").rglob(pattern)):
            name = path.relative_to(ROOT)
            if _TRANSLATED not in name.parts:
                for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
                    if _LETTER_WORD.search(line):
                        yield Finding("letter", name.as_posix(), number, line.strip())


def find_in_module(file: str, source: str) -> Iterator[Finding]:
    """Yield the findings in one Python module."""
    for node in ast.walk(ast.parse(source)):
        line = getattr(node, "lineno", 1)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            for rule, text in check_docstring(ast.get_docstring(node) or ""):
                yield Finding(rule, file, line, text)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            if rule := check_function_name(node):
                yield Finding(rule, file, line, node.name)
        if isinstance(node, ast.Assign | ast.AnnAssign):
            for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                if isinstance(target, ast.Name) and _LIMIT.fullmatch(target.id):
                    yield Finding("limit", file, line, target.id)
    for number, text in enumerate(source.splitlines(), 1):
        if text.lstrip().startswith("# ") and _REPLACED.search(text):
            yield Finding("word", file, number, text.strip())


def check_docstring(text: str) -> Iterator[tuple[str, str]]:
    """Yield the rules that a docstring breaks, each with the words in question."""
    if not text:
        return
    summary = text.splitlines()[0]
    if re.split(r"\W", summary, maxsplit=1)[0].lower() in _RIDDLES:
        yield "first-word", summary
    if len(summary) > MAX_SUMMARY_LENGTH or not summary.endswith((".", "?", ":", "”", '"')):
        yield "summary", summary
    if ";" in summary or summary.count(":") > 1:
        yield "one-statement", summary
    if found := _REPLACED.search(text):
        yield "word", f"{found[0]}: {summary}"


def check_function_name(node: ast.FunctionDef | ast.AsyncFunctionDef) -> str:
    """Return the rule that the name of a function breaks, or an empty text."""
    if node.name.startswith("test_"):
        is_bad = len(node.name) > MAX_TEST_NAME_LENGTH or _TEST_WORD.search(node.name)
        return "test-name" if is_bad else ""
    is_property = any("property" in ast.unparse(each) for each in node.decorator_list)
    return "participle" if _PARTICIPLE.fullmatch(node.name) and not is_property else ""


def read_allowances() -> Counter[tuple[str, str]]:
    """Return the allowance of each package and rule."""
    head, *rows = (line.split("\t") for line in ALLOWANCES.read_text("utf-8").splitlines())
    return Counter({
        (package, rule): int(count)
        for package, *counts in rows for rule, count in zip(head[1:], counts, strict=True)
    })


def write_allowances(allowed: Counter[tuple[str, str]]) -> None:
    """Write the allowance of each package and rule."""
    packages = sorted({package for (package, _), count in allowed.items() if count})
    rows = [["package", *RULES]]
    rows += [[package, *(str(allowed[package, rule]) for rule in RULES)] for package in packages]
    ALLOWANCES.write_text("".join("\t".join(row) + "\n" for row in rows), "utf-8")


def main(words: list[str]) -> str | None:
    """Compare findings with allowances, and return what is wrong if anything is."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("-v", action="store_true", dest="is_verbose", help="print each finding")
    parser.add_argument("--lower", action="store_true", help="lower the allowances")
    parser.add_argument("path", nargs="?", default="", help="only findings below this path")
    asked = parser.parse_args(words)
    findings = list(find_all())
    if asked.is_verbose:
        for each in findings:
            if each.file.startswith(asked.path):
                print(f"{each.file}:{each.line}: {each.rule}: {each.text[:100]}")
        return None
    counts = Counter((each.package, each.rule) for each in findings)
    allowed = read_allowances()
    if asked.lower:
        write_allowances(allowed & counts)
        allowed &= counts
    excess = counts - allowed
    if excess:
        for (package, rule), count in sorted(excess.items()):
            print(f"{package}: {count} too many: {RULES[rule]}")
        return "more findings than tests/words.tsv allows; python -m tests.words -v shows them"
    print(f"words: {counts.total()} findings, all allowed")
    if counts != +allowed:
        print("fewer than allowed: python -m tests.words --lower")
    return None


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
