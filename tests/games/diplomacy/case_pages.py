"""Pages made from the case files.

`python -m tests.games.diplomacy.case_pages` writes them. `docs/reference/datc.md` has every case of
the DATC with its orders and their outcomes, also under the other choices it leaves open.
`docs/reference/youngstown-cases.md` has those of the Youngstown map.
"""

from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

from tests.games.diplomacy.case_files import Case, Expected, read_cases

ROOT = Path(__file__).parents[3]
CASES = Path(__file__).parent / "cases"

CHAPTERS = {
    "datc_4": "4: choices, and orders that are poorly written",
    "datc_6a": "6.A: basic checks",
    "datc_6b": "6.B: coasts",
    "datc_6c": "6.C: circular movement",
    "datc_6d": "6.D: supports and dislodgement",
    "datc_6e": "6.E: head-to-head battles and beleaguered garrisons",
    "datc_6f": "6.F: convoys",
    "datc_6g": "6.G: convoys to adjacent places",
    "datc_6h": "6.H: retreats",
    "datc_6i": "6.I: builds",
    "datc_6j": "6.J: civil disorder and removals",
    "youngstown_boxes": "Off-board boxes",
    "youngstown_convoys": "Convoys",
    "youngstown_links": "What touches what",
    "youngstown_places": "Places",
    "youngstown_years": "Whole years",
}

DATC = """# Every case of the DATC

The Diplomacy Adjudicator Test Cases (Lucas Kruijswijk, version 3.0) in the order of their numbers.
The titles are the judge's own. Each order is followed by its outcome, with the code of the reason
in brackets. The rules are the standard ones, which the author of the DATC prefers
([diplomacy.md](../play/diplomacy.md)). "under" shows what another choice changes. `python -m
tests.games.diplomacy.case_pages` makes this page from `tests/games/diplomacy/cases`, which the
tests run.
"""

YOUNGSTOWN = """# The cases of the Youngstown map

These cases test what only this map has: off-board boxes, links across the board, and boxes and seas
where fleets convoy. Each line is an order and its outcome, with the code of the reason in brackets.
`python -m tests.games.diplomacy.case_pages` makes this page from `tests/games/diplomacy/cases`,
which the tests run.
"""


def pages() -> dict[Path, str]:
    """Return the file and text of each page."""
    return {
        ROOT / "docs/reference/datc.md": page(DATC, "datc_*.case"),
        ROOT / "docs/reference/youngstown-cases.md": page(YOUNGSTOWN, "youngstown_*.case"),
    }


def page(head: str, pattern: str) -> str:
    """Return a page of all cases in the matching files."""
    lines = [head]
    for path in sorted(CASES.glob(pattern)):
        lines.append(f"## {CHAPTERS[path.stem]}\n")
        for _, found in groupby(read_cases(path), lambda case: case.name):
            lines += _case(list(found))
    return "\n".join(lines)


def _case(versions: list[Case]) -> Iterator[str]:
    """Yield the lines of a case, and its differences under other choices."""
    usual, *others = versions
    yield f"### {usual.name} {usual.title}\n"
    if usual.options:
        yield f"Under {_options(usual.options)}.\n"
    yield "```"
    for heading, lines in usual.start.items():
        yield f"{heading.lower()}: {'; '.join(lines)}"
    for step in usual.steps:
        if len(usual.steps) > 1 or str(step.phase) != "S1901M":
            yield f"{step.phase}"
        yield from map(_order, step.orders)
        for heading, lines in step.told.items():
            yield f"{heading.lower()}: {'; '.join(lines)}"
    yield "```\n"
    last = usual.steps[-1].orders
    for text, same in groupby(others, lambda case: _list_changed_lines(case, last)):
        under = " or ".join(_options(_beyond(case, usual)) for case in same)
        yield f"Under {under}:" if text else f"The same under {under}.\n"
        if text:
            yield f"\n```\n{text}\n```\n"


def _options(options: dict[str, str]) -> str:
    return " ".join(f"`{name}={value}`" for name, value in options.items())


def _beyond(case: Case, usual: Case) -> dict[str, str]:
    """Return the options of a case that differ from the usual one."""
    return {name: value for name, value in case.options.items()
            if usual.options.get(name) != value}


def _list_changed_lines(case: Case, usual: tuple[Expected, ...]) -> str:
    """Return the lines that differ from the usual ones."""
    found = case.steps[-1].orders
    return "\n".join(_order(one) for one, was in zip(found, usual, strict=True) if one != was)


def _order(order: Expected) -> str:
    said = ", ".join(order.outcomes)
    if order.code:
        said += f" [{order.code}]"
    return f"{order!s:50} {said}"


if __name__ == "__main__":
    for file, text in pages().items():
        file.write_text(text, encoding="utf-8")
