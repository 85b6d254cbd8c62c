"""Retreats, adjustments, civil disorder and the sequence of phases."""

from collections.abc import Mapping
from dataclasses import replace

import pytest
from scenes import unit

from judge.board.map import Map
from judge.board.position import Dislodged, Position, parse_phase
from judge.games.diplomacy.boards import board, board_under
from judge.games.diplomacy.rules.adjudicate import (
    AdjudicationResult,
    adjudicate,
    adjustment_count,
    buildable,
    builds_due,
    find_ordering_powers,
    open_retreats,
)
from judge.games.diplomacy.rules.orders import Order, order_text, parse_order
from judge.games.diplomacy.rules.ruleset import Rules, rules_from

STANDARD, YOUNGSTOWN = board("standard"), board("youngstown")


def _at(
    phase: str,
    units: Mapping[str, str],
    centres: Mapping[str, str] | None = None,
    on: Map = STANDARD,
    dislodged: Mapping[str, tuple[Dislodged, ...]] | None = None,
) -> Position:
    standing = {
        power: on.sort_units([unit(text.upper(), on) for text in texts.split(", ") if text])
        for power, texts in units.items()
    }
    owners = {c: power for power, found in (centres or {}).items() for c in found.split()}
    return Position(parse_phase(phase), standing, owners, dislodged or {})


def _play(
    position: Position,
    orders: Mapping[str, str] | None = None,
    on: Map = STANDARD,
    **options: object,
) -> AdjudicationResult:
    given: dict[str, list[Order]] = {
        power: [parse_order(text, on) for text in texts.split("; ")]
        for power, texts in (orders or {}).items()
    }
    rules = rules_from(options)
    return adjudicate(board_under(on.name, rules), position, given, rules)


def _list_verdicts(result: AdjudicationResult, power: str) -> list[tuple[str, ...]]:
    return [
        (order_text(order), *(outcome.value for outcome in outcomes), reason.code if reason else "")
        for order, outcomes, reason in result.verdicts.get(power, ())
    ]


BURGUNDY = Dislodged(unit("A BUR", STANDARD), "Mun")


@pytest.mark.parametrize(
    "order,outcomes",
    [
        ("A BUR R GAS", ("succeeds", "")),
        ("A BUR - GAS", ("succeeds", "")),
        ("A BUR D", ("disbanded", "")),
        ("A BUR R MUN", ("void", "disbanded", "retreat-origin")),
        ("A BUR R BEL", ("void", "disbanded", "retreat-contested")),
        ("A BUR R PAR", ("void", "disbanded", "retreat-occupied")),
        ("A BUR R BRE", ("void", "disbanded", "cannot-reach")),
        ("A BUR H", ("void", "disbanded", "wrong-phase")),
    ],
)
def test_a_retreat_is_carried_out_or_its_unit_disbands(order: str, outcomes: tuple[str]) -> None:
    start = _at("S1901R", {"France": "A PAR"}, dislodged={"France": (BURGUNDY,)})
    start = replace(start, contested=frozenset({"Bel"}))
    result = _play(start, {"France": order})
    assert _list_verdicts(result, "France") == [(order, *outcomes)]
    went = [u for u in result.position.units["France"] if u.place == "Gas"]
    assert len(went) == (outcomes[0] == "succeeds")
    assert str(result.position.phase) == "F1901M"


def test_a_dislodged_unit_without_an_order_disbands() -> None:
    start = _at("S1901R", {"France": "A PAR"}, dislodged={"France": (BURGUNDY,)})
    told = _list_verdicts(_play(start), "France")
    assert told == [("A BUR D", "disbanded", "no order", "retreat-not-ordered")]


def test_two_that_retreat_to_one_province_both_disband() -> None:
    rome = Dislodged(unit("A ROM", STANDARD), "Nap")
    apulia = Dislodged(unit("F APU", STANDARD), "Ion")
    start = _at("S1901R", {}, dislodged={"Italy": (rome,), "Turkey": (apulia,)})
    result = _play(start, {"Italy": "A ROM R VEN", "Turkey": "F APU R VEN"})
    assert _list_verdicts(result, "Italy") == [
        ("A ROM R VEN", "bounce", "disbanded", "retreat-together")
    ]
    assert _list_verdicts(result, "Turkey") == [
        ("F APU R VEN", "bounce", "disbanded", "retreat-together")
    ]
    assert not any(result.position.units.values())


@pytest.mark.parametrize(
    "order,outcomes",
    [
        ("F POR R SPA", ("void", "disbanded", "which-coast")),
        ("F POR R SPA/NC", ("succeeds", "")),
        ("F POR R SPA/SC", ("succeeds", "")),
    ],
)
def test_a_retreat_to_one_of_two_coasts_must_name_it(order: str, outcomes: tuple[str]) -> None:
    start = _at("S1901R", {}, dislodged={"France": (Dislodged(unit("F POR", STANDARD)),)})
    assert _list_verdicts(_play(start, {"France": order}), "France") == [(order, *outcomes)]


def test_an_order_for_a_unit_that_need_not_retreat_is_void() -> None:
    start = _at("S1901R", {"France": "A PAR"}, dislodged={"France": (BURGUNDY,)})
    result = _play(start, {"France": "A BUR R GAS; A PAR R PIC"})
    assert _list_verdicts(result, "France")[1] == ("A PAR R PIC", "void", "not-dislodged")
    assert unit("A PAR", STANDARD) in result.position.units["France"]


def test_listed_retreats_override_those_of_the_rules() -> None:
    start = _at("S1901R", {}, dislodged={"France": (BURGUNDY._replace(retreats=("Gas",)),)})
    beaten = start.dislodged["France"][0]
    assert open_retreats(STANDARD, start, beaten, Rules()) == ("Gas",)
    told = _list_verdicts(_play(start, {"France": "A BUR R PIC"}), "France")
    assert told == [("A BUR R PIC", "void", "disbanded", "retreat-closed")]


def test_the_origin_of_a_convoyed_attacker_is_open_by_default() -> None:
    beaten = BURGUNDY._replace(by_convoy=True)
    start = _at("S1901R", {})
    assert "Mun" in open_retreats(STANDARD, start, beaten, Rules())
    assert "Mun" not in open_retreats(STANDARD, start, beaten, Rules(convoy_return="no"))


def test_no_retreat_across_the_ice_without_an_icebreaker() -> None:
    beaten = Dislodged(unit("F SIB", YOUNGSTOWN))
    start = _at("S1901R", {}, on=YOUNGSTOWN)
    assert "Oms" in open_retreats(YOUNGSTOWN, start, beaten, Rules())
    assert "Oms" not in open_retreats(YOUNGSTOWN, start, beaten, Rules(icebreaker=False))


@pytest.mark.parametrize(
    "orders,told",
    [
        ("BUILD A PAR; BUILD F BRE", ["succeeds", "succeeds"]),
        ("BUILD A PAR; WAIVE", ["succeeds", "succeeds"]),
        ("BUILD A PAR; BUILD F PAR", ["succeeds", "occupied"]),
        ("BUILD F PAR", ["inland"]),
        ("BUILD A SPA", ["not-home"]),
        ("BUILD A MAR", ["occupied"]),
        ("BUILD A PAR; BUILD F BRE; WAIVE", ["succeeds", "succeeds", "builds-used-up"]),
        ("A MAR D", ["no-removals-due"]),
        ("A MAR H; BUILD A PAR", ["wrong-phase", "succeeds"]),
    ],
)
def test_builds_are_made_in_sequence_up_to_the_limit(orders: str, told: list[str]) -> None:
    start = _at("F1901A", {"France": "A MAR, A SPA"}, {"France": "BRE PAR MAR SPA".title()})
    result = _play(start, {"France": orders})
    assert [line[-1] or line[1] for line in _list_verdicts(result, "France")] == told
    built = [order for order, line in zip(orders.split("; "), told) if line == "succeeds"]
    assert len(result.position.units["France"]) == 2 + sum("BUILD" in order for order in built)
    assert str(result.position.phase) == "S1902M"


@pytest.mark.parametrize(
    "choice,built", [("first", {"Par", "Bre"}), ("last", {"Bre", "Mar"}), ("none", set())]
)
def test_the_counted_builds_of_too_many_are_a_choice(choice: str, built: set[str]) -> None:
    start = _at("F1901A", {"France": "A SPA"}, {"France": "Bre Par Mar"})
    orders = {"France": "BUILD A PAR; BUILD F BRE; BUILD A MAR"}
    result = _play(start, orders, extra_builds=choice)
    assert {u.place for u in result.position.units["France"]} == built | {"Spa"}


def test_a_fleet_is_built_on_a_named_coast() -> None:
    start = _at("F1901A", {"Russia": ""}, {"Russia": "StP Mos"})
    result = _play(start, {"Russia": "BUILD F STP; BUILD F STP/NC"})
    assert _list_verdicts(result, "Russia") == [
        ("BUILD F STP", "void", "which-coast"),
        ("BUILD F STP/NC", "succeeds", ""),
    ]


def test_builds_are_allowed_in_colonial_homes_only() -> None:
    start = _at("F1901A", {"England": "A LON"}, {"England": "Lon Joh Tok"}, YOUNGSTOWN)
    assert buildable(YOUNGSTOWN, start, "England") == ("Joh",)
    assert builds_due(YOUNGSTOWN, start, "England") == 2
    assert adjustment_count(YOUNGSTOWN, start, "England") == 1
    result = _play(start, {"England": "BUILD F JOH; BUILD A TOK"}, YOUNGSTOWN)
    assert [line[-1] for line in _list_verdicts(result, "England")] == ["", "not-home"]


def test_no_fleet_is_built_in_omsk_without_an_icebreaker() -> None:
    start = _at("F1901A", {"Russia": ""}, {"Russia": "Oms"}, YOUNGSTOWN)
    told = _list_verdicts(
        _play(start, {"Russia": "BUILD F OMS"}, YOUNGSTOWN, icebreaker=False), "Russia"
    )
    assert told == [("BUILD F OMS", "void", "no-icebreaker")]
    assert (
        _list_verdicts(_play(start, {"Russia": "BUILD F OMS"}, YOUNGSTOWN), "Russia")[0][1]
        == "succeeds"
    )


@pytest.mark.parametrize(
    "orders,told,left",
    [
        ("A PAR D", [("A PAR D", "disbanded", "")], {"Spa", "Por"}),
        (
            "A PAR D; A SPA D",
            [("A PAR D", "disbanded", ""), ("A SPA D", "void", "removals-used-up")],
            {"Spa", "Por"},
        ),
        (
            "A BER D",
            [
                ("A BER D", "void", "no-unit"),
                ("A POR D", "disbanded", "no order", "removed-unasked"),
            ],
            {"Par", "Spa"},
        ),
        (
            "WAIVE",
            [
                ("WAIVE", "void", "no-builds-due"),
                ("A POR D", "disbanded", "no order", "removed-unasked"),
            ],
            {"Par", "Spa"},
        ),
    ],
)
def test_removals_are_made_in_sequence_and_completed(
    orders: str, told: list[tuple[str, ...]], left: set[str]
) -> None:
    start = _at("F1901A", {"France": "A PAR, A SPA, A POR"}, {"France": "Par Mar"})
    result = _play(start, {"France": orders})
    assert _list_verdicts(result, "France") == told
    assert {u.place for u in result.position.units["France"]} == left


@pytest.mark.parametrize(
    "choice,left", [("first", {"Por"}), ("last", {"Par"}), ("disorder", {"Par"})]
)
def test_the_counted_removals_of_too_many_are_a_choice(choice: str, left: set[str]) -> None:
    start = _at("F1901A", {"France": "A PAR, A SPA, A POR"}, {"France": "Par"})
    orders = {"France": "A PAR D; A SPA D; A POR D"}
    result = _play(start, orders, extra_removals=choice)
    assert {u.place for u in result.position.units["France"]} == left


@pytest.mark.parametrize(
    "units,centres,on,gone",
    [
        # Every border is one step, by water too.
        ("A PAR, A LON", "Par", STANDARD, "Lon"),
        # Any owned centre counts, not only home centres.
        ("A PAR, A SMY", "Smy", STANDARD, "Par"),
        # Fleets are removed first at equal distance, then the full names decide.
        ("A GAS, F ENG", "Bre", STANDARD, "Eng"),
        ("F MAO, F ENG", "Bre", STANDARD, "Eng"),
        # Boxes count as steps like all other provinces.
        ("F ObK, F ObB", "Lon", YOUNGSTOWN, "ObK"),
        ("F NPa, F ObL", "Lon", YOUNGSTOWN, "NPa"),
        # The way leads from box D over E, or over box G, for armies and fleets.
        ("A ObF, F ObG", "Mar", YOUNGSTOWN, "ObG"),
    ],
)
def test_civil_disorder_removes_the_farthest_unit(
    units: str, centres: str, on: Map, gone: str
) -> None:
    start = _at("F1901A", {"France": units}, {"France": centres}, on)
    result = _play(start, on=on)
    stayed = {u.place for u in result.position.units["France"]}
    assert {u.place for u in start.units["France"]} - stayed == {gone}


def test_the_old_disorder_rule_counts_from_home_by_unit_type() -> None:
    start = _at("F1901A", {"Italy": "F SMY, A MUN"}, {"Italy": "Smy"})
    left = {rule: _play(start, disorder=rule).position.units["Italy"] for rule in ("owned", "home")}
    assert [u.place for u in left["owned"]] == ["Smy"]
    assert [u.place for u in left["home"]] == ["Mun"]
    start = _at("F1901A", {"Germany": "F TRI, A UKR"}, {"Germany": "Kie"})
    assert [u.place for u in _play(start, disorder="home").position.units["Germany"]] == ["Ukr"]


def test_centres_change_hands_only_after_the_last_move_of_fall() -> None:
    units = {"France": "A SPA", "Germany": "A BEL"}
    spring, fall = _at("S1901M", units), _at("F1901M", units)
    assert _play(spring).gained == {} and _play(spring).position.owners == {}
    assert _play(fall).gained == {"Bel": "Germany", "Spa": "France"}
    assert _play(fall).position.owners == {"Bel": "Germany", "Spa": "France"}


def test_centres_change_hands_after_the_retreats_of_fall() -> None:
    start = _at("F1901M", {"France": "A BUR, A PIC", "Germany": "A BEL"}, {"Germany": "Bel"})
    orders = {"France": "A BUR - BEL; A PIC S A BUR - BEL"}
    first = _play(start, orders)
    assert str(first.position.phase) == "F1901R" and first.gained == {}
    then = adjudicate(STANDARD, first.position, {}, Rules())
    assert then.gained == {"Bel": "France"}


def test_phases_without_a_choice_are_passed_over() -> None:
    start = _at("F1901M", {"France": "A PAR"}, {"France": "Par"})
    assert str(_play(start).position.phase) == "S1902M"
    more = _at("F1901M", {"France": "A PAR"}, {"France": "Par Bre"})
    assert str(_play(more).position.phase) == "F1901A"
    full = _at("F1901M", {"France": "A PAR"}, {"France": "Par Spa"})
    assert str(_play(full).position.phase) == "S1902M"


def test_a_unit_without_a_retreat_is_removed_without_a_phase() -> None:
    units = {"France": "A MAR, A GAS, F LYO", "Italy": "A SPA, A POR"}
    units |= {"England": "F MAO, F WES"}
    start = _at("S1901M", units)
    orders = {"France": "A MAR - SPA; A GAS S A MAR - SPA; F LYO S A MAR - SPA"}
    result = _play(start, orders)
    assert [str(one.unit) for one in result.dislodged["Italy"]] == ["A SPA"]
    assert result.dislodged["Italy"][0].retreats == ()
    assert str(result.position.phase) == "F1901M"


def test_a_power_without_centres_loses_its_units_at_once() -> None:
    start = _at("F1901M", {"France": "A PAR", "Italy": "A RUH"}, {"France": "Par", "Italy": ""})
    result = _play(start)
    assert str(result.position.phase) == "S1902M"
    assert {power: found for power, found in result.removed.items() if found} == {
        "Italy": (unit("A RUH", STANDARD),)
    }
    assert not result.position.units.get("Italy")


@pytest.mark.parametrize(
    "phase,units,centres,powers",
    [
        ("S1901M", {"France": "A PAR", "Italy": ""}, {"Italy": "Rom"}, {"France"}),
        ("F1901A", {"France": "A PAR", "Italy": ""}, {"Italy": "Rom", "France": "Par"}, {"Italy"}),
        ("F1901A", {"France": "A PAR, A BRE"}, {"France": "Par"}, {"France"}),
        ("F1901A", {"France": "A PAR"}, {}, set()),
    ],
)
def test_powers_with_a_choice_must_order(
    phase: str, units: Mapping[str, str], centres: Mapping[str, str], powers: set[str]
) -> None:
    assert find_ordering_powers(STANDARD, _at(phase, units, centres)) == powers


def _own_centres(count: int, rival: int) -> Position:
    """Return a Fall in which Japan and China own these numbers of centres."""
    centres = YOUNGSTOWN.centres
    owned = {"Japan": centres[:count], "China": centres[count : count + rival]}
    owners = {centre: power for power, found in owned.items() for centre in found}
    return Position(parse_phase("F1910M"), {"Japan": (unit("F JAP", YOUNGSTOWN),)}, owners)


@pytest.mark.parametrize("count,rival,winner", [(36, 30, ""), (37, 35, "Japan"), (40, 0, "Japan")])
def test_thirty_seven_centres_win_but_thirty_six_do_not(
    count: int, rival: int, winner: str
) -> None:
    assert _play(_own_centres(count, rival), on=YOUNGSTOWN).winner == winner


def test_the_thirty_seventh_centre_wins_in_its_fall() -> None:
    start = _own_centres(36, 0)
    last = YOUNGSTOWN.centres[36]
    standing = unit(f"A {last.upper()}", YOUNGSTOWN)
    start = replace(start, units={"Japan": (standing,)})
    assert _play(start, on=YOUNGSTOWN).winner == "Japan"
    spring = replace(start, phase=parse_phase("S1910M"))
    assert _play(spring, on=YOUNGSTOWN).winner == ""


def test_three_quiet_falls_end_the_game_for_all_survivors() -> None:
    start = _at("F1905M", {"France": "A PAR"}, {"France": "Par", "Japan": "Tok"}, YOUNGSTOWN)
    counts, drawn = [], []
    for _ in range(3):
        result = _play(replace(start, quiet_falls=len(counts)), on=YOUNGSTOWN)
        counts.append(result.position.quiet_falls)
        drawn.append(result.drawn)
    assert counts == [1, 2, 3]
    assert drawn == [(), (), ("France", "Japan")]


def test_a_change_of_owner_resets_the_quiet_falls() -> None:
    start = _at("F1905M", {"France": "A BEL"}, {"Germany": "Bel"}, YOUNGSTOWN)
    result = _play(replace(start, quiet_falls=2), on=YOUNGSTOWN)
    assert result.position.quiet_falls == 0 and result.drawn == ()


@pytest.mark.parametrize("on,options", [(STANDARD, {}), (YOUNGSTOWN, {"quiet_falls": "off"})])
def test_quiet_falls_do_not_end_a_game_that_ignores_them(
    on: Map, options: Mapping[str, object]
) -> None:
    start = _at("F1905M", {"France": "A PAR"}, {"France": "Par"}, on)
    assert _play(replace(start, quiet_falls=7), on=on, **options).drawn == ()


@pytest.mark.parametrize(
    "given,order,told",
    [
        ("A PAR - BUR; A PAR - PIC", "A PAR - PIC", ("succeeds", "")),
        ("A BER - KIE", "A BER - KIE", ("void", "no-unit")),
        ("A MUN - KIE", "A MUN - KIE", ("void", "not-your-unit")),
        ("BUILD A PAR", "BUILD A PAR", ("void", "wrong-phase")),
        ("WAIVE", "WAIVE", ("void", "no-unit")),
        ("F PAR - BUR", "F PAR - BUR", ("succeeds", "")),
        ("A PAR - SWI", "A PAR - SWI", ("void", "impassable")),
        ("A PAR - MUN", "A PAR - MUN", ("void", "cannot-reach")),
        ("A PAR - PAR", "A PAR - PAR", ("void", "same-place")),
    ],
)
def test_orders_are_adjudicated_as_given(given: str, order: str, told: tuple[str, ...]) -> None:
    start = _at("S1901M", {"France": "A PAR", "Germany": "A MUN"})
    assert (order, *told) in _list_verdicts(_play(start, {"France": given}), "France")
