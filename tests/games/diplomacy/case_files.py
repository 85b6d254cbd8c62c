"""Reader of case files (*.case). `test_cases.py` describes the format."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import NamedTuple

from judge.board.map import Map, Unit, UnitKind
from judge.board.position import Phase, PhaseKind, Season, parse_phase
from judge.games.diplomacy.boards import board

HEADS = (
    "CASE", "MAP", "PHASE", "OPTIONS", "UNITS", "DISLODGED AFTER", "DISLODGED", "CONTESTED AFTER",
    "CONTESTED", "CENTRES AFTER", "CENTRES", "QUIET AFTER", "QUIET", "ORDERS", "AFTER", "RETREATS",
    "NEXT", "WINNER", "DRAWN", "UNDER",
)  # fmt: skip
VERBS = {"-", "->", "H", "Hold", "S", "Supports", "C", "Convoys", "R", "D", "via"}


class Expected(NamedTuple):
    """One line of an ORDERS block.

    `is_given` is false for a unit without an order.
    """

    power: str
    text: str
    outcomes: tuple[str, ...]
    code: str
    facts: dict[str, str]
    is_given: bool

    def __str__(self) -> str:
        text = self.text if self.is_given else f"({self.text})"
        return f"{self.power}: {text}"


@dataclass(frozen=True)
class Step:
    """One phase of a case: its orders and the expected results."""

    phase: Phase
    orders: tuple[Expected, ...] = ()
    told: dict[str, list[str]] = field(default_factory=dict)
    """Heading → lines of all other expectations of the case."""


@dataclass(frozen=True)
class Case:
    """One case: its start and the phases it plays."""

    file: str
    name: str
    title: str
    map: str
    options: dict[str, str]
    start: dict[str, list[str]]
    steps: tuple[Step, ...]

    @property
    def board(self) -> Map:
        """Return the map of the case."""
        return board(self.map)

    @property
    def id(self) -> str:
        """Return file, number and options, used as the test ID."""
        changed = "".join(f"/{key}={value}" for key, value in self.options.items())
        return f"{self.file}/{self.name}{changed}"


def read_cases(path: Path) -> Iterator[Case]:
    """Read all cases of one file, including those made by UNDER."""
    blocks: list[tuple[str, str, list[str]]] = []
    for number, raw in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        line = raw.partition("#")[0].rstrip()
        if not line:
            continue
        if line[0] == " ":
            blocks[-1][2].append(line.strip())
            continue
        head = next((h for h in HEADS if line == h or line.startswith(h + " ")), "")
        assert head, f"{path.name}:{number}: no heading: {line}"
        if head == "CASE" and blocks:
            yield from _case(path.stem, blocks)
            blocks = []
        blocks.append((head, line[len(head) :].strip(), []))
    yield from _case(path.stem, blocks)


def _case(file: str, blocks: list[tuple[str, str, list[str]]]) -> Iterator[Case]:
    name, _, title = blocks[0][1].partition(" ")
    case = Case(file, name, title, "standard", {}, {}, ())
    steps: list[Step] = []
    unders: list[tuple[str, list[str]]] = []
    for head, rest, lines in blocks[1:]:
        match head:
            case "MAP":
                case = replace(case, map=rest)
            case "OPTIONS":
                case = replace(case, options=_options(rest))
            case "PHASE":
                steps.append(Step(parse_phase(rest)))
            case "UNITS" | "DISLODGED" | "CONTESTED" | "CENTRES" | "QUIET":
                case.start[head] = [rest] * bool(rest) + lines
            case "UNDER":
                unders.append((rest, lines))
            case _:
                if not steps:
                    steps.append(Step(Phase(1901, Season.SPRING, PhaseKind.MOVEMENT)))
                if head == "ORDERS":
                    steps[-1] = replace(steps[-1], orders=tuple(map(_parse_expected, lines)))
                else:
                    steps[-1].told[head] = [rest] * bool(rest) + lines
    case = replace(case, steps=tuple(steps))
    yield case
    for rest, lines in unders:
        for options in rest.split("|"):
            yield _under(case, _options(options), lines)


def _options(text: str) -> dict[str, str]:
    return dict(word.split("=") for word in text.split())


def _under(case: Case, options: dict[str, str], lines: list[str]) -> Case:
    """Return the case under other rules. The lines replace those with the same order."""
    last = case.steps[-1]
    orders = list(last.orders)
    for new in map(_parse_expected, lines):
        at = [n for n, old in enumerate(orders) if str(old) == str(new)]
        assert at, f"{case.name}: UNDER repeats no order: {new}"
        orders[at[0]] = new
    # The other expected results depend on the first rules. Only the AFTER lines remain.
    earlier = [
        replace(step, told={head: lines for head, lines in step.told.items() if head == "AFTER"})
        for step in case.steps[:-1]
    ]
    steps = (*earlier, Step(last.phase, tuple(orders)))
    return replace(case, options=case.options | options, steps=steps)


def _parse_expected(line: str) -> Expected:
    """Read "England: F NTH - PIC => void [cannot-reach to=PIC]"."""
    order, arrow, wanted = line.partition(" => ")
    power, colon, text = order.partition(": ")
    assert arrow and colon, f"no order with an outcome: {line}"
    outcomes, _, reason = wanted.partition("[")
    code, _, facts = reason.rstrip("]").partition(" ")
    text = text.strip()
    is_given = not text.startswith("(")
    return Expected(
        power=power,
        text=text.strip("()") if not is_given else text,
        outcomes=tuple(sorted(x.strip() for x in outcomes.split(","))),
        code=code,
        facts=dict(fact.strip().split("=") for fact in facts.split(";")) if facts else {},
        is_given=is_given,
    )


def ordered_unit(text: str, on: Map) -> Unit | None:
    """Return the unit that an order text names, or None if it names no unit."""
    words = re.sub(r"^(Build|Remove) ", "", text).split()
    if words[0] not in ("A", "F"):
        return None
    ends = [n for n, word in enumerate(words) if word in VERBS]
    return read_unit(" ".join(words[: ends[0] if ends else None]), on)


def read_unit(text: str, on: Map) -> Unit:
    """Read "F STP/NC" or "F St Petersburg(nc)"."""
    kind, _, place = text.partition(" ")
    return Unit(UnitKind(kind), read_place(place, on))


def read_place(text: str, on: Map) -> str:
    """Read a place by abbreviation, name or alias, with its coast as /nc or (nc)."""
    name, _, coast = text.replace("(", "/").rstrip(")").partition("/")
    name = name.strip().lower()
    for province in on.provinces.values():
        if name in (province.abbr.lower(), province.name.lower(), *province.aliases):
            return f"{province.abbr}/{coast.lower()}" if coast else province.abbr
    raise AssertionError(f"no place {text!r}")
