"""Reader of the case files of Nations 1940 (*.case), played by `test_cases.py`.

A case begins with CASE, its name and its subject. RULES names the rules that it tests. The default
for everything is the scenario on Turn 1, without random events.

    TURN 7                                  the turn that is played
    OPTIONS nuke_neutrals=on
    WITH                                    differences before the turn
      #37 owner=DAN armies=DAN:3 improvements=ACA,FOR fallout=2 populous=yes
      S16 SIC:2                             fleets
      DAN techs=Radar;Sonar queue=Sonar progress=Sonar:80 capital=38 loyalist=yes old_capital=39
      WAR DAN UKR                           also NAP, EXCHANGE, PACT
      DUE #37 EGY
    ORDERS
      DAN: MOVE 3 #38 -> #37                must be accepted
      DAN: MOVE 9 #38 -> #37 => e-count-army left=3     must be refused with these facts
      DAN: WAR UKR => w-treaty-war          must be accepted with this note only
      DAN: -                                empty sheet, as for nations not named here
    ROLLS
      battle:37:1:A = 7 5                   the draws under a tag; others come from a fixed seed
    THEN                                    as WITH, but expected after the turn
    TOLD
      capture at=37 nation=DAN razed=ACA    an event with at least these facts
      not battle                            no such event
    BECAME
      DAN: captures losses; done            outcomes of each of a nation's orders
    NEXT                                    the next turn: ORDERS, ROLLS and so on
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

HEADS = (
    "CASE", "RULES", "TURN", "OPTIONS", "WITH", "ORDERS", "ROLLS", "THEN", "TOLD", "BECAME", "NEXT",
)


class Given(NamedTuple):
    """One order line of a case.

    `refused` is the code of its refusal with facts, or empty if the order is accepted.
    """

    nation: str
    text: str
    refused: str


@dataclass
class Turn:
    """One turn of a case."""

    orders: list[Given] = field(default_factory=list)
    rolls: dict[str, list[int]] = field(default_factory=dict)
    then: list[str] = field(default_factory=list)
    told: list[str] = field(default_factory=list)
    became: dict[str, list[str]] = field(default_factory=dict)


@dataclass
class Case:
    """One case."""

    file: str
    title: str
    rules: tuple[str, ...] = ()
    turn: int = 1
    options: dict[str, str] = field(default_factory=lambda: {"events": "off"})
    before: list[str] = field(default_factory=list)
    turns: list[Turn] = field(default_factory=lambda: [Turn()])

    @property
    def id(self) -> str:
        """Return the test ID."""
        return f"{self.file}/{self.title}"


def read_cases(path: Path) -> Iterator[Case]:
    """Read the cases of a file."""
    case: Case | None = None
    head = ""
    for number, raw in enumerate(path.read_text("utf-8").splitlines(), 1):
        line = raw.rstrip()
        if not line or line.startswith("//"):
            continue
        if line[0] != " ":
            head, _, rest = line.partition(" ")
            assert head in HEADS, f"{path.name}:{number}: no heading: {line}"
            if head == "CASE":
                if case:
                    yield case
                case = Case(path.stem, rest)
            assert case
            _head(case, head, rest)
            continue
        assert case
        _line(case, head, line.strip())
    if case:
        yield case


def _head(case: Case, head: str, rest: str) -> None:
    match head:
        case "RULES":
            case.rules = tuple(rest.split())
        case "TURN":
            case.turn = int(rest)
        case "OPTIONS":
            case.options |= dict(part.split("=") for part in rest.split())  # type: ignore[arg-type]
        case "NEXT":
            case.turns.append(Turn())


def _line(case: Case, head: str, line: str) -> None:
    turn = case.turns[-1]
    match head:
        case "WITH":
            case.before.append(line)
        case "ORDERS":
            nation, _, text = line.partition(": ")
            text, _, refused = text.partition(" => ")
            turn.orders.append(Given(nation, text, refused))
        case "ROLLS":
            tag, _, values = line.partition(" = ")
            turn.rolls[tag] = list(map(int, values.split()))
        case "THEN":
            turn.then.append(line)
        case "TOLD":
            turn.told.append(line)
        case "BECAME":
            nation, _, text = line.partition(": ")
            turn.became[nation] = text.split("; ")


def words_of(line: str) -> Mapping[str, str]:
    """Return the parts of a line that have values."""
    return dict(part.split("=", 1) for part in line.split() if "=" in part)  # type: ignore[misc]
