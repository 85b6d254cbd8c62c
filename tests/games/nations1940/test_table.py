"""A table of Nations: a master's orders, leaders, previews and visibility."""

from dataclasses import replace

import pytest

from judge.games.nations1940 import Nations1940
from judge.games.nations1940.rules.settings import Settings
from judge.games.nations1940.rules.state import NationsState, dump_state, load_state
from judge.games.nations1940.table import NationsTable, load_sheet
from judge.games.nations1940.views.record import read_record
from judge.games.system import Viewer, ViewerRole
from judge.model.incoming import Line
from tests.games.nations1940.board_of_cases import MAP, laid_out
from tests.games.nations1940.test_rules import rules


def table(*lines: str, turn: int = 5, **options: object) -> NationsTable:
    return Nations1940().table(MAP, dump_state(laid_out(lines, turn, Settings())), options)


def test_a_master_names_the_nation_of_each_order() -> None:
    """A line without a nation gets a complaint. Later lines are still read."""
    texts = ["UKR: MOVE 1 #20 -> #21", "MOVE 1 #20 -> #21", "XYZ: HOLD #20", "Danubia: HOLD #38",
             "UKR: RESEARCH Sonar"]
    read = table().read_orders([Line(n, text) for n, text in enumerate(texts, 1)], None, {})
    assert sorted(read.sheets) == ["Danubia", "Ukraine"]
    assert len(load_sheet(read.sheets["Ukraine"])) == 2
    assert [line.line.number for line in read.lines if line.filed] == [1, 4, 5]
    refused = [line for line in read.lines if line.complaint]
    assert [line.line.number for line in refused] == [2, 3]
    assert {one.complaint.reason.code for one in refused if one.complaint} == {"e-syntax-nation"}


def test_all_nations_with_the_most_provinces_lead() -> None:
    at = load_state(dump_state(laid_out((), 5, Settings())))
    assert len(held_by(at, "UKR").leaders()) == 1
    assert held_by(at, "UKR", "DAN").leaders() == ("Danubia", "Ukraine")
    assert held_by(at, "DAN").leaders() == ("Danubia",)


def held_by(at: NationsState, *codes: str) -> NationsTable:
    """Return a table on which each of *codes* owns eight provinces, all others none."""
    provinces = {n: replace(each, owner="") for n, each in at.provinces.items()}
    for first, code in enumerate(codes):
        for n in range(1 + 8 * first, 9 + 8 * first):
            provinces[n] = replace(provinces[n], owner=code)
    return NationsTable(MAP, replace(at, provinces=provinces), Settings())


def test_a_preview_holds_others_and_counts_no_missed_turn() -> None:
    at = table()
    read = at.read_orders([Line(1, "HOLD #20")], "Ukraine", {})
    after = read_record(at.preview({**read.sheets, "Danubia": ""})).after
    assert {nation.missed_turns for nation in after.nations.values()} == {0}
    assert read_record(at.preview({})).after == read_record(at.preview({"Danubia": ""})).after


@pytest.mark.parametrize(("reader", "options", "all_is_seen"), [
    (Viewer(ViewerRole.MASTER), {}, True), (Viewer(ViewerRole.POWER, "Danubia"), {}, False),
    (Viewer(ViewerRole.OBSERVER), {}, False),
    (Viewer(ViewerRole.POWER, "Danubia"), {"fog": "open"}, True),
])
def test_full_sight_depends_on_viewer_and_options(
    reader: Viewer, options: dict[str, object], all_is_seen: bool
) -> None:
    at = table("#24 armies=UKR:4", **options)
    assert at.has_hidden_information
    assert (at.as_seen_by(reader) is at) == all_is_seen


def test_results_of_turn_0_are_own_deployments_and_governments() -> None:
    at = table(turn=0, deploy0=True, free_government=True, traits=True)
    lines = ["DEPLOY 1 #38 -> #40", "GOVERNMENT Republic", "TRAITS Scholarly, Backward"]
    read = at.read_orders([Line(n, text) for n, text in enumerate(lines, 1)], "Danubia", {})
    assert [line.complaint for line in read.lines] == [None] * 3
    record = read_record(at.preview(read.sheets))
    told = {event.kind: event for event in record.events}
    assert {"deployed", "governed", "traits"} <= {*told}


def test_own_figures_count_factories_of_all_provinces() -> None:
    """Four factories raise the limit of improvements by one."""
    at = table("#34 improvements=FAC,ACA", "#36 improvements=FAC", "#40 improvements=FAC,RAI",
               "#69 improvements=FAC", "#20 improvements=FAC")
    (own,) = (piece for piece in at.position_facts(Viewer(ViewerRole.POWER, "Danubia")).pieces
              if piece.template == "own")
    assert isinstance(own.facts, dict)
    assert own.facts["factories"] == 4 and own.facts["limit"] == 4


@rules("N-170")
def test_a_master_sees_the_figures_of_each_nation() -> None:
    master = table().position_facts(Viewer(ViewerRole.MASTER))
    player = table().position_facts(Viewer(ViewerRole.POWER, "Ukraine"))
    [facts] = [one.facts for one in master.pieces if one.template == "governments"]
    assert isinstance(facts, list) and len(facts) == 12
    assert "governments" not in [one.template for one in player.pieces]
    assert {"techs", "projects", "missed", "treaties"} <= facts[0].keys()
