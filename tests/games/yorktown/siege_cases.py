"""Case files of Yorktown: a position, orders, dice and the expected results.

A case begins with `CASE` and its rules. The lines below are optional:

    MOMENT FA6M                     the step and its side
    UNIT AP INF 9 1612 N marked     a unit: side, id, hex, then facing, marked, still=2, with CMD 1,
                                    aground; a frigate has two hexes; without a hex: left, dead
    REDOUBT 1520 4                  a built redoubt, and the turn it was built in
    FA attack 1612 with INF 23      an order, or a standing order, of a side
    DICE 4 5                        the dice; without it no die may be rolled
    RULES days=10 victory=both number=1
    => battle result=D2             a required event with these facts
    =/ battle                       a forbidden event
    -> FA INF 23 1612 facing=0      a unit's place and condition afterwards
    END AP                          the winner

All other units are off the map.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from judge.games.yorktown.language.grammar import clean, parse
from judge.games.yorktown.language.reading import SheetReader
from judge.games.yorktown.language.sheets import amend_standing_orders, read_sheet
from judge.games.yorktown.language.verdicts import Filed
from judge.games.yorktown.rules.board import SIDE_NAMES, key_of
from judge.games.yorktown.rules.hexes import SIDES
from judge.games.yorktown.rules.orders import Order, Standing
from judge.games.yorktown.rules.state import (
    DEAD,
    LEFT,
    RULES,
    CounterState,
    Moment,
    SiegePosition,
    blank,
    parse_moment,
)
from judge.games.yorktown.rules.turn import Played, YorktownRules, play_step
from judge.model.incoming import Line

FOLDER = Path(__file__).parent / "cases"


@dataclass
class Case:
    """One case as written in its file."""

    name: str
    lines: list[str] = field(default_factory=list)

    def rest(self, word: str) -> list[list[str]]:
        """Return the words after each line that begins with a word."""
        rows = [line.split() for line in self.lines]
        return [row[1:] for row in rows if row[0] == word]


def read_cases() -> Iterator[Case]:
    """Yield every case of every file."""
    for file in sorted(FOLDER.glob("*.case")):
        case = None
        for line in file.read_text(encoding="utf-8").splitlines():
            if line.startswith("CASE "):
                if case:
                    yield case
                case = Case(f"{file.stem}: {line.removeprefix('CASE ')}")
            elif case and line.strip() and not line.startswith("#"):
                case.lines.append(line.strip())
        if case:
            yield case


def position_of(case: Case) -> SiegePosition:
    """Return the position of a case."""
    found = blank()
    units = dict(found.units)
    for side, kind, number, *words in case.rest("UNIT"):
        key = key_of(side, f"{kind} {number}")
        units[key] = _unit(words)
        if "with" in words:
            staff = key_of(side, " ".join(words[words.index("with") + 1 :][:2]))
            units[staff] = CounterState(at=units[key].at, attached=key, tied="tied" in words)
    moment = _moment(case)
    redoubts = {name: int(turn) for name, turn in case.rest("REDOUBT")}
    options = dict(word.split("=") for row in case.rest("RULES") for word in row)
    rules = int(options.get("number", RULES))
    return replace(found, moment=moment, units=units, redoubts=redoubts, rules=rules)


def _moment(case: Case) -> Moment:
    moment = parse_moment(case.rest("MOMENT")[0][0])
    assert moment
    return moment


def _unit(words: Sequence[str]) -> CounterState:
    hexes = [word for word in words if len(word) == 4 and word.isdigit()]
    unit = (
        CounterState(at=hexes[0]) if hexes else CounterState(at=LEFT if "left" in words else DEAD)
    )
    if len(hexes) > 1:
        unit = unit._replace(bow=hexes[1])
    for word in words:
        if word in SIDES:
            unit = unit._replace(facing=SIDES.index(word))
        elif word == "marked":
            unit = unit._replace(marked=99)
        elif word == "aground":
            unit = unit._replace(grounded=True, spent=15)
        elif word.startswith("aboard="):
            unit = unit._replace(at=f"AP-FRIG{word[-1]}")
        elif "=" in word:
            name, _, number = word.partition("=")
            unit = unit._replace(**{name: int(number)})  # type: ignore[arg-type]
    return unit


def play(case: Case, *, by_sheet: bool = False) -> Played:
    """Play a case, with its orders unchanged or as filed by the sheet reader."""
    position = position_of(case)
    orders: list[Order] = []
    standing: dict[str, tuple[Standing, ...]] = dict.fromkeys(SIDE_NAMES, ())
    for side in SIDE_NAMES:
        for words in case.rest(side):
            order = parse(clean(" ".join(words)))
            if isinstance(order, Standing):
                standing[side] = amend_standing_orders(standing[side], [order])
            else:
                assert side == position.moment.side and not isinstance(order, tuple), words
                orders.append(order)
    if by_sheet:
        orders = [*_read_filed_orders(case, position)]
    dice = [int(die) for row in case.rest("DICE") for die in row]
    options = dict(word.split("=") for row in case.rest("RULES") for word in row)
    rules = YorktownRules(int(options.get("days", 22)), options.get("victory", "either"))
    return play_step(position, orders, standing, rules, lambda k: dice[k - 1])


def refuses(case: Case) -> bool:
    """Return whether the sheet reader refuses a line of a case or shortens its path."""
    position = position_of(case)
    return any(
        verdict.complaint or any(note.code == "path-cut" for note in verdict.notes)
        for verdict in _read(case, position).verdicts
    )


def _read(case: Case, position: SiegePosition) -> Filed:
    side = position.moment.side
    lines = [Line(n, " ".join(words)) for n, words in enumerate(case.rest(side), 1)]
    return SheetReader(position, side, {}).read(lines)


def _read_filed_orders(case: Case, position: SiegePosition) -> tuple[Order, ...]:
    return read_sheet(_read(case, position).sheets.get(position.moment, "")).orders


def lacks(case: Case, *, by_sheet: bool = False) -> list[str]:
    """Return the expectations that a case does not meet."""
    played = play(case, by_sheet=by_sheet)
    told = [(event.code, event.facts) for _, event in played.told.events]
    told += [(played.end.reason.code, played.end.reason.facts)] if played.end else []
    wrong = []
    for code, *facts in case.rest("=>"):
        wanted = dict(fact.split("=", 1) for fact in facts)
        if not any(c == code and _fits(wanted, f) for c, f in told):
            wrong.append(f"no {code} {wanted}")
    for code, *facts in case.rest("=/"):
        wanted = dict(fact.split("=", 1) for fact in facts)
        if any(c == code and _fits(wanted, f) for c, f in told):
            wrong.append(f"there is {code} {wanted}")
    for side, kind, number, at, *facts in case.rest("->"):
        unit = played.after.units[key_of(side, f"{kind} {number}")]
        wanted = dict(fact.split("=", 1) for fact in facts)
        if unit.at != at or not _fits(wanted, unit._asdict()):
            wrong.append(f"{side} {kind} {number}: {unit}")
    for (winner,) in case.rest("END"):
        if not played.end or played.end.winner != winner:
            wrong.append(f"the end is {played.end}")
    return [*wrong, *(f"{code} {dict(facts)}" for code, facts in told)] if wrong else []


def _fits(wanted: dict[str, str], facts: object) -> bool:
    assert hasattr(facts, "get")
    return all(_format_fact(facts.get(name)) == value for name, value in wanted.items())


def _format_fact(fact: object) -> str:
    return "+".join(fact) if isinstance(fact, tuple) else str(fact).replace(" ", "+")
