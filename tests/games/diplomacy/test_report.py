"""Result letters: the whole text of a phase, and its occasional lines."""

import json
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from english import in_english, pieces_of
from scenes import unit
from tables import DICE, YOUNGSTOWN, position, read, table

from judge.board.position import Dislodged, Position, parse_phase
from judge.games.diplomacy import SYSTEM
from judge.games.diplomacy.language.wording import result_line
from judge.games.diplomacy.rules.adjudicate import AdjudicationResult, TurnResult
from judge.games.diplomacy.rules.orders import (
    Build,
    Disband,
    Move,
    Outcome,
    Retreat,
    Verdict,
    Waive,
)
from judge.games.diplomacy.views.record import DiplomacyRecord, dump_text, read_record, write_record
from judge.games.diplomacy.views.report import result_facts
from judge.games.letter_facts import Results
from judge.games.system import Adjudication, Ending, Viewer, ViewerRole
from judge.mail.outbound.render import Renderer
from judge.model.letter import Letter, LetterKind
from judge.model.phrase import phrase
from tests.language import LANGUAGE

ANYBODY = Viewer(ViewerRole.OBSERVER)
RENDERER = Renderer(LANGUAGE, "YNGS", "judge@example.org")
GOLDEN = Path(__file__).parent / "golden"

CLASH = position(
    "S1901M",
    {
        "England": "F OBB, F OBJ",
        "France": "A PAR, A GAS",
        "Germany": "A MUN",
        "India": "A CAL, A DEL",
        "Italy": "A SPA",
        "Japan": "F OBK, F NPA, F OBL, F OBA, F NAT, A TOK",
        "Russia": "F STP/NC",
    },
)
CLASH_ORDERS = {
    "England": ("F ObB - ObK", "F ObJ S F ObB - ObK"),
    "France": ("A Par - Bur", "A Gas S A Par - Bur"),
    "Germany": ("A Mun - Bur",),
    "India": ("A Del S A Cal - Nep",),
    "Italy": ("A Spa - Gas",),
    "Japan": (
        "F ObK H",
        "A Tok -> NPa -> ObL -> ObA -> NAt -> Ire",
        *(f"F {sea} C A Tok - Ire" for sea in ("NPa", "ObL", "ObA", "NAt")),
    ),
    "Russia": ("F StP/nc - Oms",),
}
"""Orders with a bounce, a cut, a dislodgement, a void support and a long convoy.

One unit has no order.
"""


def adjudicate_lines(found: Position, orders: Mapping[str, tuple[str, ...]]) -> Adjudication:
    """Adjudicate orders that are read from lines."""
    at = table(found)
    sheets = {power: read(at, power, *lines).sheets[power] for power, lines in orders.items()}
    return at.adjudicate(sheets, DICE)


def make_results(done: Adjudication) -> Results:
    return SYSTEM.turn("youngstown", done.record).results(ANYBODY)


def letter_text(template: str, facts: object, phase: str) -> str:
    game = {
        "name": "marco",
        "variant": "Youngstown",
        "phase": phase,
        "deadline": datetime(2026, 1, 6, 23, 30, tzinfo=UTC),
        "zone": "UTC",
        "turn": 2,
        "state": "running",
    }
    told = {"game": game, "seat": {"role": "master", "replies": True}, template: facts}
    letter = Letter(LetterKind.RESULTS, "a@b", "s", template, told, system="diplomacy")
    return RENDERER.text(letter)


def golden(name: str) -> str:
    return (GOLDEN / f"{name}.txt").read_text(encoding="utf-8")


def test_the_results_of_a_movement_phase_match_the_golden_file() -> None:
    done = adjudicate_lines(CLASH, CLASH_ORDERS)
    assert letter_text("results", make_results(done), "S1901R") == golden("movement")


def test_result_lines_have_the_classic_format() -> None:
    facts = make_results(adjudicate_lines(CLASH, CLASH_ORDERS))
    lines = [line.text for group in facts.groups for line in group.lines]
    for line in (
        "England: Fleet Offboard J SUPPORT Fleet Offboard B -> Offboard K.",
        "France: Army Gascony SUPPORT Army Paris -> Burgundy.  (*cut*)",
        "Germany: Army Munich -> Burgundy.  (*bounce*)",
        "India: Army Calcutta, No Order Processed.",
        "Japan: Fleet Offboard K, HOLD.  (*dislodged*)",
        "Japan: Fleet North Pacific Ocean CONVOY Army Tokyo -> Ireland.",
    ):
        assert line in lines
    assert in_english(facts.title) == "Movement results for Spring of 1901."
    assert facts.next == "S1901R"


def test_every_failed_order_has_a_reason() -> None:
    for group in make_results(adjudicate_lines(CLASH, CLASH_ORDERS)).groups:
        for line in group.lines:
            assert bool(line.reason) == ("(*" in line.text), line


def test_the_machine_form_is_plain_json() -> None:
    done = adjudicate_lines(CLASH, CLASH_ORDERS)
    values: Any = SYSTEM.turn("youngstown", done.record).values(ANYBODY)
    assert json.loads(json.dumps(values)) == values
    assert values["next"] == "S1901R"
    assert values["contested"] == ["BUR"]
    assert values["units"]["Russia"] == ["F OMS"]
    (beaten,) = values["dislodged"]["Japan"]
    assert beaten == {"unit": "F OBK", "from": "OBB", "via": False, "retreats": ["OBC", "SPO"]}


def test_records_are_read_back_as_they_were_written() -> None:
    done = adjudicate_lines(CLASH, CLASH_ORDERS)
    record = read_record(done.record, YOUNGSTOWN)
    assert write_record(record) == done.record
    assert record.before == CLASH
    assert dump_text(record.adjudged.position) == done.after


FALL = position(
    "F1901M",
    {"India": "A BRM, A DEL, A NEP, F CEY", "China": "A CAL, A PEK"},
    {"India": "Cal Del Mad", "China": "Can Han Pek"},
)


def test_ownership_counts_and_changes_after_a_fall() -> None:
    done = adjudicate_lines(FALL, {"India": ("A Del H",), "China": ("A Pek H",)})
    assert letter_text("results", make_results(done), "F1901A") == golden("fall")


def quiet(falls: int, owners: str = "Cal Del Mad Brm") -> Position:
    """Return a Fall without a change, after *falls* others."""
    still = position("F1905M", {"India": "A BRM, A CAL, A DEL, F MAD"}, {"India": owners})
    return replace(still, quiet_falls=falls)


def notices(done: Adjudication) -> list[str]:
    return [reason.code for reason in make_results(done).notices]


@pytest.mark.parametrize(("falls", "said"), [(0, []), (1, ["draw-ahead"])])
def test_a_draw_is_announced_one_fall_ahead(falls: int, said: list[str]) -> None:
    done = adjudicate_lines(quiet(falls), {})
    assert done.ending is None
    assert notices(done) == said


def test_three_quiet_falls_end_the_game_as_a_draw() -> None:
    done = adjudicate_lines(quiet(2), {})
    assert done.ending
    assert done.ending.winners == ("India",)
    assert done.ending.reason == phrase("quiet-draw", powers=("India",), falls=3)
    facts = make_results(done)
    assert facts.ending == done.ending.reason
    assert facts.next == ""
    assert "Next phase" not in letter_text("results", facts, "F1905M")


def test_an_elimination_is_announced() -> None:
    gone = position("F1901M", {"India": "A CAL"}, {"India": "Del", "China": "Cal"})
    assert notices(adjudicate_lines(gone, {})) == ["eliminated"]


def test_enough_centres_win() -> None:
    many = list(YOUNGSTOWN.centres[:37])
    done = adjudicate_lines(position("F1908M", {"India": "A DEL"}, {"India": " ".join(many)}), {})
    assert done.ending
    assert done.ending.winners == ("India",)
    assert done.ending.reason.code == "victory"


ARMY, FLEET = unit("A DEL", YOUNGSTOWN), unit("F STP/NC", YOUNGSTOWN)


@pytest.mark.parametrize(
    ("verdict", "line"),
    [
        (Verdict(Retreat(FLEET, "Nwy"), (Outcome.SUCCEEDS,)),
         "X: Fleet St Petersburg (north coast) -> Norway."),
        (Verdict(Retreat(ARMY, "Kas"), (Outcome.BOUNCE, Outcome.DISBANDED)),
         "X: Army Delhi -> Kashmir.  (*bounce, disbanded*)"),
        (Verdict(Disband(ARMY), (Outcome.DISBANDED,)), "X: Army Delhi, DISBAND."),
        (Verdict(Disband(ARMY), (Outcome.DISBANDED, Outcome.NO_ORDER)),
         "X: Army Delhi, No Order Processed.  (*disbanded*)"),
        (Verdict(Move(ARMY, "Kas", True), (Outcome.NO_CONVOY,)),
         "X: Army Delhi -> Kashmir.  (*no convoy*)"),
    ],
)  # fmt: skip
def test_retreats_and_moves_are_rendered(verdict: Verdict, line: str) -> None:
    assert result_line("X", verdict.order, verdict.outcomes, YOUNGSTOWN) == line


@pytest.mark.parametrize(
    ("verdict", "line"),
    [
        (Verdict(Build(FLEET), (Outcome.SUCCEEDS,)),
         "X: Builds a fleet in St Petersburg (north coast)."),
        (Verdict(Disband(ARMY), (Outcome.DISBANDED,)), "X: Removes the army in Delhi."),
        (Verdict(Disband(ARMY), (Outcome.DISBANDED, Outcome.NO_ORDER)),
         "X: Defaults, removing the army in Delhi."),
        (Verdict(Waive(), (Outcome.SUCCEEDS,)), "X: Build waived."),
        (Verdict(Build(ARMY), (Outcome.VOID,)), "X: Builds an army in Delhi.  (*void*)"),
    ],
)  # fmt: skip
def test_adjustments_are_rendered(verdict: Verdict, line: str) -> None:
    assert result_line("X", verdict.order, verdict.outcomes, YOUNGSTOWN, removing=True) == line


def test_reasons_with_lists_survive_the_record() -> None:
    why = phrase("quiet-draw", powers=("India", "China"), falls=3)
    adjudged = AdjudicationResult(
        {"India": (Verdict(Move(ARMY, "Kas"), (Outcome.BOUNCE,), why),)},
        TurnResult(
            CLASH, {"India": (Dislodged(ARMY, "Kas", False, ("Nep",)),)}, frozenset({"Bur"})
        ),
    )
    record = DiplomacyRecord(CLASH, adjudged, Ending(("India",), why), 3)
    assert read_record(write_record(record), YOUNGSTOWN) == record
    facts = result_facts(YOUNGSTOWN, record)
    (beaten,) = pieces_of(facts)["dislodged"].units
    assert in_english(beaten) == ("India", "The Indian Army in Delhi can retreat to Nepal.")
    assert facts.ending == why


def test_the_yearly_table_is_a_grid() -> None:
    first = position("S1902M", {}, {"India": "Cal Del Mad Brm", "China": "Han Pek Can"})
    between = position("F1901R", {}, {"India": "Cal"})
    turns = [("S1901M", dump_text(CLASH)), ("F1901M", dump_text(between))]
    turns += [("F1901R", dump_text(first)), ("F1901A", dump_text(first))]
    facts = SYSTEM.chronicle("youngstown", {}, turns, ANYBODY)
    assert [row.year for row in facts.rows] == ["1900", "1901"]
    assert facts.rows[1].counts == (0, 3, 0, 0, 0, 4, 0, 0, 0, 0)
    assert in_english(pieces_of(facts)["gains"]) == (("1901", ("India: Burma.",)),)
    text = letter_text("chronicle", facts, "S1902M")
    assert "        A   C   E   F   G   N   I   J   R   T\n" in text
    assert "1901    -   3   -   -   -   4   -   -   -   -\n" in text


def test_a_position_letter_lists_the_pending_retreats() -> None:
    found = position(
        "S1901R",
        {"China": "A KAS"},
        dislodged={"India": [Dislodged(ARMY, "Kas", False, ("Nep", "Cal"))]},
    )
    text = letter_text("standing", table(found).position_facts(ANYBODY), "S1901R")
    assert "The Indian Army in Delhi can retreat to" in text
    assert text.startswith("Position in Spring of 1901 (Retreat). Units; ")
    assert parse_phase("S1901R") == found.phase
