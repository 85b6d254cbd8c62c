"""Parts of the order reader: grammar, lexicon, cleaning, legality and warnings."""

import ast
import logging
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import lark
import pytest
from scenes import position, unit

from judge.board.map import Map
from judge.games.diplomacy.boards import board
from judge.games.diplomacy.language import grammar
from judge.games.diplomacy.language.cleaning import normalize_line
from judge.games.diplomacy.language.lexicon import MapLexicon, lexicon
from judge.games.diplomacy.language.repair import powers_near
from judge.games.diplomacy.rules import legality
from judge.games.diplomacy.rules.legality import explain_illegality
from judge.games.diplomacy.rules.orders import Convoy, Hold, Move, Order, Support, parse_order
from judge.games.diplomacy.rules.ruleset import Rules
from judge.games.diplomacy.views.receipt import warnings
from judge.grammar_loader import load_grammar
from judge.model.phrase import phrase
from judge.phrases import phrasebook

STANDARD, YOUNGSTOWN = board("standard"), board("youngstown")
ROOM = Path(grammar.__file__).parents[1]
FILES = (
    "language/lexicon language/meaning language/order_reader language/repair language/verdicts "
    "rules/legality views/receipt"
).split()


def test_the_grammar_has_no_conflict_of_either_kind(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG, logger=lark.logger.name):
        lark.logger.propagate = True
        load_grammar("diplomacy", debug=True)
    assert [record.message for record in caplog.records] == []


def test_a_grammar_conflict_is_detected(caplog: pytest.LogCaptureFixture) -> None:
    text = 'start: a\na: "x" | "x" a | a "y"\n'
    with caplog.at_level(logging.DEBUG, logger=lark.logger.name):
        lark.logger.propagate = True
        lark.Lark(text, parser="lalr", debug=True)
    assert any("onflict" in record.message for record in caplog.records)


def test_every_terminal_is_a_list_of_plain_words() -> None:
    found = dict(grammar.spellings_of_verbs())
    assert found["_COLON"] == ":"
    for _, spelling in grammar.spellings_of_verbs():
        assert spelling == spelling.lower()
        assert spelling.replace(" ", "").isalpha() or spelling in set("-,.&:!") | {"->"}


@pytest.mark.parametrize("on", [STANDARD, YOUNGSTOWN], ids=["standard", "youngstown"])
def test_every_listed_spelling_means_its_province(on: Map) -> None:
    words = lexicon(on)
    for province in on.provinces.values():
        for spelling in (province.abbr, province.name, *province.aliases):
            joined = "".join(c for c in spelling.lower() if c.isalnum())
            assert words.places[joined] == province.abbr


@pytest.mark.parametrize(
    ("typed", "plain"),
    [
        ("A\u00a0Par\u2011Bur", "a par-bur"),
        ("A Par \u2192 Bur", "a par -> bur"),
        ("A Par \u2014> Bur", "a par -> bur"),
        ("\u200b A Par // why", "a par"),
        ("1. A Par", "a par"),
        ("\u2022 A Par", "a par"),
        ("\uff21\u3000\uff30ar", "a par"),
        ("A Stra\u00dfe \u0130", "a strasse i"),
        ("(*cut*) A Par", "(*cut*) a par"),
        ("A Par \U0001f44d", "a par"),
    ],
)
def test_typographic_signs_become_plain(typed: str, plain: str) -> None:
    found = normalize_line(typed)
    assert found.text == plain
    assert len(found.columns) == len(plain)


LEGALITY = [
    ("A PAR - BUR", "France", ""),
    ("A PAR - PAR", "France", "same-place"),
    ("A MAR - SWI", "France", "impassable"),
    ("A MAR - LYO", "France", "at-sea"),
    ("A MAR - TUN VIA", "France", ""),
    ("A MAR - TUN VIA LYO TYS", "France", ""),
    ("A MAR - TUN VIA LYO ION", "France", "broken-route"),
    ("A PAR - BUR VIA", "France", "no-way-by-sea"),
    ("A PAR - BRE VIA", "France", "no-way-by-sea"),
    ("F BRE - PAR", "France", "inland"),
    ("F BRE - MUN", "France", "cannot-reach"),
    ("F BRE - GAS VIA", "France", "only-armies-by-sea"),
    ("F MAO - SPA", "France", "which-coast"),
    ("F MAO - SPA/NC", "France", ""),
    ("F LYO - SPA/NC", "France", "wrong-coast"),
    ("F MAO - POR", "France", ""),
    ("F MAO C A MAR - TUN", "France", ""),
    ("F BRE C A MAR - TUN", "France", "cannot-convoy"),
    ("F MAO C F BRE - TUN", "France", "only-armies-by-sea"),
    ("F MAO C A MAR - BUR", "France", "helped-cannot-reach"),
    ("A PAR S A MUN - BUR", "France", ""),
    ("A PAR S A VIE - BUR", "France", "helped-cannot-reach"),
    ("A PAR S A MAR", "France", "cannot-reach"),
    ("A PAR S A PAR - BUR", "France", "same-place"),
    ("A MUN H", "France", "not-your-unit"),
    ("A SPA H", "France", "no-unit"),
    ("BUILD A PAR", "France", "wrong-phase"),
    ("F BRE D", "France", "wrong-phase"),
]


@pytest.mark.parametrize(("text", "power", "code"), LEGALITY)
def test_an_order_is_refused_only_for_reasons_of_the_map(text: str, power: str, code: str) -> None:
    at = position(STANDARD, "M", "France: A PAR, A MAR, F BRE, F MAO, F LYO; Germany: A MUN")
    found = explain_illegality(parse_order(text, STANDARD), power, STANDARD, at, Rules())
    assert (found.code if found else "") == code


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("A BUR R MAR", ""),
        ("A BUR R GAS", ""),
        ("A BUR R PAR", "retreat-occupied"),
        ("A BUR R BRE", "cannot-reach"),
        ("A BUR - MAR", "wrong-phase"),
        ("A PAR R GAS", "no-unit"),
        ("F POR R SPA/SC", ""),
        ("F POR R SPA", "which-coast"),
        ("F POR R GAS", "cannot-reach"),
    ],
)
def test_a_retreat_to_a_closed_place_is_refused(text: str, code: str) -> None:
    at = position(STANDARD, "R", "France: A PAR; dislodged France: A BUR, F POR")
    found = explain_illegality(parse_order(text, STANDARD), "France", STANDARD, at, Rules())
    assert (found.code if found else "") == code


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("BUILD A MAR", ""),
        ("BUILD F MAR", ""),
        ("BUILD F PAR", "occupied"),
        ("BUILD A KIE", "not-home"),
        ("A PAR D", ""),
        ("WAIVE", ""),
    ],
)
def test_an_impossible_build_is_refused(text: str, code: str) -> None:
    at = position(STANDARD, "A", "France: A PAR")
    found = explain_illegality(parse_order(text, STANDARD), "France", STANDARD, at, Rules())
    assert (found.code if found else "") == code


@pytest.mark.parametrize(
    ("text", "phase", "rules", "code"),
    [
        ("F WES - SPA", "M", Rules(), ""),
        ("F WES - SPA", "M", Rules(missing_coast="illegal"), "which-coast"),
        ("F WES - SPA/SC", "M", Rules(missing_coast="illegal"), ""),
        ("F MAO - SPA", "M", Rules(), "which-coast"),
        ("BUILD F STP", "A", Rules(), "which-coast"),
        ("BUILD F STP/SC", "A", Rules(), ""),
        ("BUILD A STP", "A", Rules(), ""),
    ],
)
def test_a_coast_must_be_named_if_the_rules_demand_it(
    text: str, phase: str, rules: Rules, code: str
) -> None:
    at = position(STANDARD, phase, "Russia: F WES, F MAO")
    found = explain_illegality(parse_order(text, STANDARD), "Russia", STANDARD, at, rules)
    assert (found.code if found else "") == code


def test_without_icebreaker_no_fleet_uses_the_coast_of_omsk() -> None:
    at = position(YOUNGSTOWN, "M", "Russia: F STP/NC")
    order = Move(unit("F STP/NC", YOUNGSTOWN), "Oms")
    assert explain_illegality(order, "Russia", YOUNGSTOWN, at, Rules()) is None
    found = explain_illegality(order, "Russia", YOUNGSTOWN, at, Rules(icebreaker=False))
    assert found == phrase("no-icebreaker", place="Oms")


def test_without_icebreaker_no_army_supports_a_fleet_into_omsk() -> None:
    at = position(YOUNGSTOWN, "M", "Russia: F STP/NC, A MOS")
    order = parse_order("A MOS S F STP/NC - OMS", YOUNGSTOWN)
    assert explain_illegality(order, "Russia", YOUNGSTOWN, at, Rules()) is None
    found = explain_illegality(order, "Russia", YOUNGSTOWN, at, Rules(icebreaker=False))
    assert found == phrase("helped-cannot-reach", unit="F STP/NC", place="Oms")


@pytest.mark.parametrize("text", ["F STP/NC S A MOS - OMS", "F STP/NC S A OMS"])
def test_without_icebreaker_no_fleet_supports_into_omsk(text: str) -> None:
    at = position(YOUNGSTOWN, "M", "Russia: F STP/NC, A MOS, A OMS")
    order = parse_order(text, YOUNGSTOWN)
    assert explain_illegality(order, "Russia", YOUNGSTOWN, at, Rules()) is None
    found = explain_illegality(order, "Russia", YOUNGSTOWN, at, Rules(icebreaker=False))
    assert found == phrase("no-icebreaker", place="Oms")


@pytest.mark.parametrize(
    ("orders", "codes"),
    [
        (["A PAR - BUR", "A MAR S A PAR - BUR"], []),
        (["A PAR - PIC", "A MAR S A PAR - BUR"], ["support-of-another-order"]),
        (["A MAR S A PAR - BUR"], ["support-of-no-order"]),
        (["A MAR S A SPA"], ["support-of-nobody"]),
        (["F MAO C A SPA - LON"], ["convoy-of-nobody"]),
        (["F MAO C A MAR - POR"], ["convoy-of-no-order"]),
        (["F MAO C A MAR - POR", "A MAR H"], ["convoy-of-another-order"]),
        (["A BRE - LON VIA"], ["no-convoy-ordered"]),
        (["A BRE - POR VIA", "F MAO C A BRE - POR"], []),
        (["A PAR - BUR", "A MAR - BUR"], ["same-goal"]),
        (["A MAR - GAS", "A PAR - BRE"], ["goal-taken"]),
        (["A PAR - BRE", "A BRE - PAR"], ["own-units-swap"]),
        (["F MAO - BRE", "A BRE - PAR", "A PAR - GAS"], []),
        (["A BRE - POR", "F MAO C A BRE - POR"], []),
        (["A PAR S A MAR - BUR"], ["support-of-no-order"]),
        (["A PAR S A MAR - BUR", "A MAR H"], ["support-of-another-order"]),
        (["A PAR S A MAR"], []),
        (["F MAO C A BRE - POR"], ["convoy-of-no-order"]),
        (["A PAR S A GAS - BRE"], ["support-of-nobody", "support-against-own"]),
        (["A PAR S A GAS - BRE", "A BRE - PIC"], ["support-of-nobody"]),
        (["F MAO C A SMY - CON"], ["convoy-of-nobody"]),
    ],
)
def test_suspicious_orders_have_warnings(orders: list[str], codes: list[str]) -> None:
    at = position(STANDARD, "M", "France: A PAR, A MAR, A BRE, F MAO")
    given = [parse_order(text, STANDARD) for text in orders]
    assert [reason.code for reason in warnings(STANDARD, at, "France", given, Rules())] == codes


def test_support_against_an_own_unit_warns_where_it_is_void() -> None:
    at = position(STANDARD, "M", "France: A PAR, A BUR; Germany: A MUN")
    given = [parse_order("A PAR S A MUN - BUR", STANDARD)]
    found = warnings(STANDARD, at, "France", given, Rules())
    assert found == (
        phrase("support-against-own", order="A PAR S A MUN - BUR", unit="A BUR", place="Bur"),
    )
    assert warnings(STANDARD, at, "France", given, Rules(friendly_fire=True)) == ()
    leaving = [*given, parse_order("A BUR - GAS", STANDARD)]
    assert warnings(STANDARD, at, "France", leaving, Rules()) == ()


def test_a_convoy_without_a_route_has_a_warning() -> None:
    at = position(STANDARD, "M", "Turkey: A SMY, F BLA; England: F NTH, A LON")
    given = [parse_order("F BLA C A LON - NWY", STANDARD)]
    found = warnings(STANDARD, at, "Turkey", given, Rules())
    assert [reason.code for reason in found] == ["fleet-not-needed"]
    given = [parse_order("F BLA C A SMY - NAP", STANDARD)]
    found = warnings(STANDARD, at, "Turkey", given, Rules())
    assert [reason.code for reason in found] == ["convoy-of-no-order"]
    given.append(parse_order("A SMY - NAP VIA", STANDARD))
    found = warnings(STANDARD, at, "Turkey", given, Rules())
    assert [reason.code for reason in found] == ["no-convoy-chain", "no-convoy-link"]


NOT_NEEDED = [
    ("A LON - BEL VIA NTH", ()),
    ("A LON - BEL VIA ENG NTH", ()),
    ("A LON - BEL VIA IRI ENG", ("IRI",)),
    ("A LON - BEL VIA IRI ENG NTH", ("IRI",)),
    ("A LON - BEL VIA ENG MAO", ("MAO",)),
    ("A LON - BRE VIA NTH ENG", ("NTH",)),
    ("F IRI C A LON - BEL", ("IRI",)),
    ("F ENG C A LON - BEL", ()),
]
"""An order of England by sea → the seas whose fleet no route needs."""


@pytest.mark.parametrize(("order", "seas"), NOT_NEEDED)
def test_a_fleet_that_no_route_needs_is_named(order: str, seas: tuple[str, ...]) -> None:
    at = position(STANDARD, "M", "England: A LON, F NTH, F ENG, F IRI; France: F MAO")
    texts = [order] if order.startswith("A") else [order, "A LON - BEL VIA"]
    given = [parse_order(text, STANDARD) for text in texts]
    found = warnings(STANDARD, at, "England", given, Rules())
    named = [reason.facts["seas"] for reason in found if reason.code == "fleet-not-needed"]
    assert named == ([seas] if seas else [])


LINKS = [
    (["A LON - TUN VIA", "F ENG C A LON - TUN", "F WES C A LON - TUN"], ("MAO",)),
    (["A LON - TUN VIA", "F ENG C A LON - TUN"], ("MAO", "WES")),
    (["A LON - TUN VIA"], ()),
]
"""Orders of England → the seas where the chain of its convoy has a gap."""


@pytest.mark.parametrize(("orders", "seas"), LINKS)
def test_the_missing_link_of_a_convoy_is_named(orders: list[str], seas: tuple[str, ...]) -> None:
    at = position(STANDARD, "M", "England: A LON, F ENG, F MAO, F WES")
    found = warnings(
        STANDARD, at, "England", [parse_order(text, STANDARD) for text in orders], Rules()
    )
    named = [(reason.code, reason.facts.get("seas", ())) for reason in found]
    assert named == [("no-convoy-link" if seas else "no-convoy-ordered", seas)]


def test_too_many_builds_have_a_warning() -> None:
    at = position(STANDARD, "A", "France: A PAR, A BUR")
    given = [parse_order(text, STANDARD) for text in ("BUILD A MAR", "BUILD F BRE")]
    assert warnings(STANDARD, at, "France", given, Rules()) == (
        phrase("too-many-builds", given=2, due=1),
    )


def test_warnings_use_all_orders_of_a_sheet() -> None:
    army, fleet = unit("A LON", STANDARD), unit("F NTH", STANDARD)
    sheet: list[Order] = [Move(army, "Nwy", via=True), Convoy(fleet, army, "Nwy")]
    at = position(STANDARD, "M", "England: A LON, F NTH, F ENG")
    assert warnings(STANDARD, at, "England", sheet, Rules()) == ()
    helper = unit("F ENG", STANDARD)
    sheet += [Support(helper, fleet), Hold(helper)]
    assert warnings(STANDARD, at, "England", sheet, Rules()) == ()


def reasons_in(path: Path) -> list[tuple[str, frozenset[str]]]:
    """Return every `phrase("code", fact=…)` of a file."""
    found = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "phrase":
            facts = frozenset(word.arg or "" for word in node.keywords)
            for code in ast.walk(node.args[0]):
                if isinstance(code, ast.Constant) and isinstance(code.value, str):
                    found.append((code.value, facts))
    return found


@pytest.mark.parametrize("name", FILES)
def test_every_reason_has_a_template_for_its_facts(name: str) -> None:
    book = phrasebook("diplomacy")
    for code, facts in reasons_in(ROOM / f"{name}.py"):
        said = book.render(phrase(code, **{fact: "X" for fact in facts}))
        assert said and "{" not in said


def test_the_search_for_reasons_is_not_empty() -> None:
    codes = {code for code, _ in reasons_in(Path(legality.__file__))}
    assert codes >= {"impassable", "broken-route", "retreat-contested", "no-unit"}


def test_a_word_may_be_a_misspelling_of_several_powers() -> None:
    words = SimpleNamespace(powers={"alba": "Alba", "alma": "Alma", "cima": "Cima"})
    found = powers_near("alfa", 3, cast(MapLexicon, words))
    assert [(edge.kind, edge.meaning, edge.cost, edge.is_sure) for edge in found] == [
        ("POWER", "Alba", 1.0, False), ("POWER", "Alma", 1.0, False),
    ]
