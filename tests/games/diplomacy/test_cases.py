"""Case files: every order and position must come out as its case says.

A case file is plain text, and "#" begins a comment. A line at the margin is a heading for the
indented lines below it. A case starts with CASE and its number. Everything else is optional.

  CASE 6.A.1 a title       number and title
  MAP youngstown           else standard
  OPTIONS icebreaker=False options of the game, as words (judge.games.diplomacy.rules.ruleset)
  UNITS                    "England: F NTH, A LON". Without it the board holds just the units that
                           are ordered, as the orders name them.
  DISLODGED                "France: A BUR from MUN" or "... from MUN by sea": must retreat
  CONTESTED                "GAS, BRE": closed to retreats
  CENTRES                  "England: LON, LVP, JOH": owned centres
  QUIET 2                  Falls without change so far
  PHASE S1901M             the first phase, else S1901M; a second PHASE plays on from the position
                           the first one leads to, which must be in that phase
  ORDERS                   "England: F North Sea - Picardy => void [cannot-reach]": the order as a
                           player writes it, its outcomes, and in brackets the reason's code and
                           any of its facts ("[cut by=A MUN; power=Germany]"). A refused order
                           counts as void, with the refusal's reason. "England: (F NTH) => no order"
                           is a unit without an order, as are all units without a line.
  AFTER                    units after the phase, as in UNITS. The default follows the outcomes:
                           successful moves, no dislodged and disbanded units, the builds
  DISLODGED AFTER          dislodged units as in DISLODGED (the outcomes always list them)
  RETREATS                 "Turkey: F ANK: ARM, CON": where a dislodged unit may go;
                           "Turkey: F ANK" if it may go nowhere
  CONTESTED AFTER          contested provinces
  CENTRES AFTER            centres of the powers named there
  QUIET AFTER, NEXT, WINNER, DRAWN   count, phase label, power, powers
  UNDER paradox=1982       the same case under other rules ("a=b | c=d": under each of them); the
                           order lines given here replace those of the last ORDERS block
"""

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from case_files import Case, Expected, Step, ordered_unit, read_cases, read_place, read_unit

from judge.board.map import Map, Unit, UnitKind, province_of
from judge.board.position import Dislodged, Position
from judge.games.diplomacy.boards import board_under
from judge.games.diplomacy.language.order_reader import read_exact
from judge.games.diplomacy.rules.adjudicate import AdjudicationResult, adjudicate
from judge.games.diplomacy.rules.orders import (
    Build,
    Move,
    Order,
    Retreat,
    Verdict,
    order_text,
    unit_of,
)
from judge.games.diplomacy.rules.ruleset import Rules, rules_from
from judge.model.phrase import Complaint, Phrase

CASES = [
    case
    for path in sorted((Path(__file__).parent / "cases").glob("*.case"))
    for case in read_cases(path)
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_case_has_its_expected_results(case: Case) -> None:
    rules = rules_from({key: _value(text) for key, text in case.options.items()})
    position = _start(case)
    faults: list[str] = []
    for step in case.steps:
        if position.phase != step.phase:
            faults.append(f"phase: want {step.phase}, got {position.phase}")
            break
        position, found = _play(board_under(case.board.name, rules), position, step, rules)
        faults += found
    if faults:
        pytest.fail("\n".join([f"{case.id} {case.title}", *faults]), pytrace=False)


def test_case_names_are_unique() -> None:
    names = [case.id for case in CASES]
    assert len(names) == len(set(names))


def test_no_case_of_the_datc_is_missing() -> None:
    counts = dict(A=12, B=15, C=9, D=34, E=15, F=25, G=20, H=16, I=7, J=11)
    wanted = {f"6.{part}.{n}" for part, count in counts.items() for n in range(1, count + 1)}
    assert wanted <= {case.name for case in CASES}


def _value(text: str) -> object:
    """Read an option's value: yes or no, else a word."""
    return {"True": True, "False": False}.get(text, text)


def _start(case: Case) -> Position:
    board, start = case.board, case.start
    if "UNITS" in start:
        units = dict(_units(start["UNITS"], board))
    else:
        named: dict[str, list[Unit]] = {}
        for line in case.steps[0].orders:
            unit = ordered_unit(line.text, board)
            if unit and unit not in named.setdefault(line.power, []):
                named[line.power].append(unit)
        units = {power: tuple(found) for power, found in named.items()}
    return Position(
        phase=case.steps[0].phase,
        units=units,
        owners=_owners(start.get("CENTRES", []), board),
        dislodged=dict(_parse_dislodged(start.get("DISLODGED", []), board)),
        contested=_places(start.get("CONTESTED", []), board),
        quiet_falls=int(start.get("QUIET", ["0"])[0]),
    )


def _units(lines: Sequence[str], board: Map) -> Iterator[tuple[str, tuple[Unit, ...]]]:
    for power, found in _parse_rows(lines):
        yield power, tuple(read_unit(text, board) for text in found)


def _owners(lines: Sequence[str], board: Map) -> dict[str, str]:
    return {read_place(text, board): power for power, found in _parse_rows(lines) for text in found}


def _places(lines: Sequence[str], board: Map) -> frozenset[str]:
    return frozenset(read_place(text, board) for line in lines for text in line.split(", "))


def _parse_rows(lines: Sequence[str]) -> Iterator[tuple[str, list[str]]]:
    """Read lines such as "England: F NTH, A LON". An empty list is written "-"."""
    for line in lines:
        power, _, rest = line.partition(": ")
        yield power, [] if rest == "-" else rest.split(", ")


def _parse_dislodged(
    lines: Sequence[str], board: Map
) -> Iterator[tuple[str, tuple[Dislodged, ...]]]:
    for power, texts in _parse_rows(lines):
        found = []
        for text in texts:
            unit, _, rest = text.partition(" from ")
            place, by, _ = rest.partition(" by sea")
            origin = read_place(place, board) if place else ""
            found.append(Dislodged(read_unit(unit, board), origin, bool(by)))
        yield power, tuple(found)


def _play(board: Map, position: Position, step: Step, rules: Rules) -> tuple[Position, list[str]]:
    """Adjudicate one phase and list the differences from the expectation."""
    orders: dict[str, list[Order]] = {}
    read: list[tuple[Expected, Order | Complaint | None]] = []
    for line in step.orders:
        order = read_exact(line.text, board, position, line.power, rules) if line.is_given else None
        read.append((line, order))
        if order is not None and not isinstance(order, Complaint):
            orders.setdefault(line.power, []).append(order)
    result = adjudicate(board, position, orders, rules)
    faults, pairs = _compare_verdicts(board, read, result)
    if "AFTER" in step.told:
        wanted = {p: sorted(map(str, u)) for p, u in _units(step.told["AFTER"], board) if u}
    else:
        wanted = _outcome_units(position, pairs)
    got = {p: sorted(map(str, u)) for p, u in result.position.units.items() if u}
    if wanted != got:
        faults.append(f"units after:\n  want {_show(wanted)}\n  got  {_show(got)}")
    faults += _compare_dislodged(board, step, pairs, result)
    return result.position, faults + _compare_told(board, step, result)


def _compare_verdicts(
    board: Map,
    read: Sequence[tuple[Expected, Order | Complaint | None]],
    result: AdjudicationResult,
) -> tuple[list[str], list[tuple[Expected, Verdict]]]:
    faults, pairs = [], []
    left = {power: list(found) for power, found in result.verdicts.items()}
    for line, order in read:
        refused = order.reason if isinstance(order, Complaint) else None
        verdict = _take(left.get(line.power, []), order, ordered_unit(line.text, board))
        if verdict is None and not refused:
            faults.append(f"{line}: no verdict")
            continue
        got = {outcome.value for outcome in verdict.outcomes} if verdict else set()
        if refused:
            got = got - {"no order", "succeeds"} | {"void"}
        if verdict:
            pairs.append((line, verdict))
        reason = refused or (verdict.reason if verdict else None)
        faults += _fault(line, tuple(sorted(got)), reason)
    for power, found in left.items():
        for verdict in found:
            if [outcome.value for outcome in verdict.outcomes] != ["no order"]:
                faults.append(f"{power}: {order_text(verdict.order)}: unexpected {verdict}")
    return faults, pairs


def _take(
    left: list[Verdict], order: Order | Complaint | None, unit: Unit | None
) -> Verdict | None:
    """Remove and return the verdict on an order from those left.

    Without a verdict on the order itself it is the first on a unit of the same province.
    """
    for verdict in left:
        if verdict.order == order:
            left.remove(verdict)
            return verdict
    for verdict in left:
        about = unit_of(verdict.order)
        if unit and about and about.province == unit.province:
            left.remove(verdict)
            return verdict
    return None


def _fault(line: Expected, outcomes: tuple[str, ...], reason: Phrase | None) -> list[str]:
    facts = {key: _text(value) for key, value in reason.facts.items()} if reason else {}
    if (
        outcomes == line.outcomes
        and (not line.code or (reason is not None and reason.code == line.code))
        and all(facts.get(key) == value for key, value in line.facts.items())
    ):
        return []
    wanted = "; ".join(f"{key}={value}" for key, value in line.facts.items())
    got = reason.code + " " + "; ".join(f"{k}={v}" for k, v in facts.items()) if reason else ""
    return [
        f"{line}\n  want {', '.join(line.outcomes)} [{line.code} {wanted}]"
        f"\n  got  {', '.join(outcomes)} [{got}]"
    ]


def _text(value: object) -> str:
    return "+".join(map(str, value)) if isinstance(value, tuple) else str(value)


def _outcome_units(
    position: Position, pairs: Sequence[tuple[Expected, Verdict]]
) -> dict[str, list[str]]:
    """Return the units after the expected outcomes, applied simultaneously."""
    gone: list[tuple[str, str]] = []
    come: list[tuple[str, str]] = []
    for line, verdict in pairs:
        order, unit = verdict.order, unit_of(verdict.order)
        if unit is None:
            continue
        succeeds = "succeeds" in line.outcomes
        if isinstance(order, Move | Retreat) and succeeds:
            gone.append((line.power, unit.province))
            is_fleet = unit.kind is UnitKind.FLEET
            goal = order.to if is_fleet else province_of(order.to)
            come.append((line.power, str(Unit(unit.kind, goal))))
        elif isinstance(order, Build) and succeeds:
            come.append((line.power, str(unit)))
        elif {"dislodged", "disbanded"} & set(line.outcomes):
            gone.append((line.power, unit.province))
    after = {
        power: [str(unit) for unit in units if (power, unit.province) not in gone]
        for power, units in position.units.items()
    }
    for power, text in come:
        after.setdefault(power, []).append(text)
    return {power: sorted(units) for power, units in after.items() if units}


def _compare_dislodged(
    board: Map, step: Step, pairs: Sequence[tuple[Expected, Verdict]], result: AdjudicationResult
) -> list[str]:
    faults = []
    wanted = sorted(
        f"{line.power} {unit.province}"
        for line, verdict in pairs
        if "dislodged" in line.outcomes and (unit := unit_of(verdict.order))
    )
    beaten = [(power, one) for power, found in result.dislodged.items() for one in found]
    got = sorted(f"{power} {one.unit.province}" for power, one in beaten)
    if wanted != got:
        faults.append(f"dislodged: want {wanted}, got {got}")
    places = {(power, str(one.unit)): sorted(one.retreats or ()) for power, one in beaten}
    for line in step.told.get("RETREATS", []):
        power, unit, *open_to = line.split(": ")
        goals = sorted(read_place(x, board) for x in open_to[0].split(", ")) if open_to else []
        if places.get((power, unit.rstrip(":"))) != goals:
            faults.append(f"retreats of {line}: got {places.get((power, unit.rstrip(':')))}")
    origins = dict(_parse_dislodged(step.told.get("DISLODGED AFTER", []), board))
    for power, ones in origins.items():
        seen = {(d.unit, d.origin, d.by_convoy) for d in result.dislodged.get(power, ())}
        if seen != {(d.unit, d.origin, d.by_convoy) for d in ones}:
            faults.append(f"dislodged of {power}: want {ones}, got {seen}")
    return faults


def _compare_told(board: Map, step: Step, result: AdjudicationResult) -> list[str]:
    after, told, faults = result.position, step.told, []

    def check(head: str, got: object, wanted: object) -> None:
        if head in told and got != wanted:
            faults.append(f"{head.lower()}: want {wanted}, got {got}")

    check("NEXT", str(after.phase), _first(told, "NEXT"))
    check("WINNER", result.winner or "-", _first(told, "WINNER"))
    check("DRAWN", ", ".join(sorted(result.drawn)) or "-", _first(told, "DRAWN"))
    check("QUIET AFTER", str(after.quiet_falls), _first(told, "QUIET AFTER"))
    empty = _first(told, "CONTESTED AFTER") == "-"
    contested = frozenset() if empty else _places(told.get("CONTESTED AFTER", []), board)
    check("CONTESTED AFTER", result.contested, contested)
    for power, found in _parse_rows(told.get("CENTRES AFTER", [])):
        wanted = tuple(sorted(read_place(text, board) for text in found))
        check("CENTRES AFTER", after.centres(power), wanted)
    return faults


def _first(told: dict[str, list[str]], head: str) -> str:
    return told.get(head, [""])[0]


def _show(units: dict[str, list[str]]) -> str:
    return "; ".join(f"{power}: {', '.join(found)}" for power, found in sorted(units.items()))
