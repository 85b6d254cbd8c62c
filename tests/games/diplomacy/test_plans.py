"""Plans: orders on file for later phases, merged, shown and carried out."""

import json

import pytest
from tables import position, table

from judge.games.capabilities import PlanRead
from judge.games.diplomacy import SYSTEM
from judge.games.diplomacy.table import DiplomacyTable
from judge.games.system import PhaseInfo
from judge.model.incoming import Body, IfBlock, Line
from judge.model.phrase import Phrase

LATER = "F1903M"


def plan(at: DiplomacyTable, *body: str | IfBlock, on: str = "", label: str = LATER) -> PlanRead:
    lines: Body = tuple(
        Line(number, each) if isinstance(each, str) else each for number, each in enumerate(body, 1)
    )
    return at.plan_orders(lines, "India", label, on)


def choice(test: str, then: str, otherwise: str = "") -> IfBlock:
    return IfBlock(Line(1, test), (Line(2, then),), (Line(4, otherwise),) if otherwise else ())


def codes(read: PlanRead) -> list[str]:
    return [line.complaint.reason.code for line in read.lines if line.complaint]


def test_a_new_planned_order_replaces_the_old_one_at_the_end() -> None:
    at = table()
    first = plan(at, "A Cal - Brm", "A Del - Kas").plan
    second = plan(at, "A Cal H", on=first).plan
    assert at.show_plan(second) == ("A DEL - KAS", "A CAL H")


def test_order_replaced_by_the_same_mail_is_named() -> None:
    at = table()
    read = plan(at, "A Cal - Brm", "A Cal H", on=plan(at, "A Cal S A Del").plan)
    notes = [(line.filed, [note.code for note in line.notes]) for line in read.lines]
    assert notes == [(("A CAL - BRM",), []), (("A CAL H",), ["order-replaced"])]


def test_waived_builds_add_up() -> None:
    at = table()
    read = plan(at, "WAIVE", "BUILD A Cal", "WAIVE", label="F1903A")
    assert at.show_plan(read.plan) == ("WAIVE", "BUILD A CAL", "WAIVE")


def test_a_choice_replaces_the_old_one_under_the_same_condition() -> None:
    at = table()
    first = plan(at, choice("A Kas", "A Del H"), choice("not A Kas", "A Del - Kas")).plan
    second = plan(at, choice("army Kashmir", "A Del - Raj"), on=first).plan
    assert at.show_plan(second) == (
        "IF NOT A KAS THEN", "  A DEL - KAS", "ENDIF", "IF A KAS THEN", "  A DEL - RAJ", "ENDIF",
    )


def test_a_shown_plan_is_read_back_as_the_same_plan() -> None:
    at = table()
    nested = IfBlock(
        Line(1, "A Kas"), (Line(2, "A Del H"),), (choice("F Ben", "F Ben - Mad", "A Cal H"),)
    )
    shown = at.show_plan(plan(at, nested).plan)
    assert shown == (
        "IF A KAS THEN", "  A DEL H", "ELSE IF F BEN THEN", "  F BEN - MAD", "ELSE", "  A CAL H",
        "ENDIF",
    )


@pytest.mark.parametrize(
    ("block", "wrong"),
    [
        (choice("A Xyz", "A Del H"), ["unknown-place", "block-refused"]),
        (choice("A Kas", "A Del - Par"), ["cannot-reach", "block-refused"]),
        (choice("A Kas", "A Del H", "A Del - Xyz"), ["unknown-place", "block-refused"]),
        (IfBlock(Line(1, "A Kas"), ()), ["block-empty"]),
        (choice("A Kas", "so much for that"), ["block-empty"]),
    ],
)
def test_a_choice_is_accepted_or_refused_as_a_whole(block: IfBlock, wrong: list[str]) -> None:
    read = plan(table(), "A Cal H", block)
    assert table().show_plan(read.plan) == ("A CAL H",)
    assert codes(read) == wrong


def test_a_repaired_condition_has_a_note() -> None:
    read = plan(table(), choice("A Kashmr", "A Del H"))
    assert [note.code for line in read.lines for note in line.notes] == ["read-as"]


def test_the_length_of_a_plan_is_limited() -> None:
    read = plan(table(), *["WAIVE"] * 201, label="F1903A")
    assert len(json.loads(read.plan)) == 200
    assert codes(read) == ["plan-too-long"]


def test_conditions_are_evaluated_when_the_plan_is_carried_out() -> None:
    at = table(position("F1903M", {"India": "A KAS, F MAD", "China": "A NEP"}))
    body = plan(
        at, "F Mad - Ben", choice("Chinese A Nep and not A Del", "A Kas - Afg", "A Kas H"),
        choice("A Tib", "F Mad H"), "A Cal H",
    )
    done = at.carry_out(body.plan, "India", {})
    assert json.loads(done.sheets["India"]) == ["F MAD - BEN", "A KAS - AFG"]
    wrong = [line.complaint for line in done.lines if line.complaint]
    assert [complaint.reason.code for complaint in wrong] == ["no-unit"]


def test_a_plan_replaces_only_its_own_orders_on_file() -> None:
    at = table(position("F1903M", {"India": "A KAS, F MAD"}))
    sheet = {"India": json.dumps(["A KAS H", "F MAD H"])}
    done = at.carry_out(plan(at, "A Kas - Afg").plan, "India", sheet)
    assert sorted(json.loads(done.sheets["India"])) == ["A KAS - AFG", "F MAD H"]


@pytest.mark.parametrize(
    ("label", "said"),
    [
        ("S1901M", "S1901M"), ("s1901r", "S1901R"), ("W1901A", "F1901A"), ("F1906B", "F1906A"),
        ("S1900M", "phase-past"), ("S1907M", "phase-too-far"), ("NEXT", "no-such-phase"),
        ("S1901A", "no-such-phase"),
    ],
)
def test_phase_names_are_validated(label: str, said: str) -> None:
    found = table().phase_called(label)
    assert (found.label if isinstance(found, PhaseInfo) else found.code) == said
    assert isinstance(found, PhaseInfo | Phrase)


def test_phases_are_sorted() -> None:
    labels = ["S1902M", "F1901A", "F1901M", "S1901R", "F1901R"]
    assert SYSTEM.sort_phases(labels) == ["S1901R", "F1901M", "F1901R", "F1901A", "S1902M"]
