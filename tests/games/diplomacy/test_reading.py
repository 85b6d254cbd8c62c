"""Order lines: a table of their meanings, and invariants of any line."""

import re
import time
from pathlib import Path
from random import Random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from scenes import position
from slips import mistyped_lines, possible_orders, random_position, spell

from judge.board.map import Map
from judge.board.position import Position
from judge.games.diplomacy.boards import board
from judge.games.diplomacy.language.lexicon import lexicon
from judge.games.diplomacy.language.order_reader import ParsedLine, read_exact, read_lines
from judge.games.diplomacy.rules.orders import Move, Order, order_text
from judge.games.diplomacy.rules.ruleset import Rules
from judge.model.incoming import Line
from judge.model.phrase import Complaint, ComplaintKind, phrase

STANDARD, YOUNGSTOWN = board("standard"), board("youngstown")
BOARDS = {"standard": STANDARD, "youngstown": YOUNGSTOWN}
START = position(STANDARD, "M", "start")


def read_cases() -> list[list[str]]:
    text = Path(__file__).with_name("order-lines.tsv").read_text(encoding="utf-8")
    rows = [row.split("\t") for row in text.splitlines() if not row.startswith("#")]
    return rows[1:]


def read(
    text: str, power: str | None = "France", at: Position = START, on: Map = STANDARD
) -> ParsedLine:
    return read_lines([Line(1, text)], on, at, power, Rules())[0]


def read_sheet(text: str, power: str, at: Position, on: Map) -> tuple[ParsedLine, ...]:
    lines = [Line(number, line) for number, line in enumerate(text.split("\n"), 1)]
    return read_lines(lines, on, at, power, Rules())


def read_filed_orders(seen: ParsedLine) -> list[str]:
    return [order_text(order) for _, order in seen.orders]


def decode_escapes(line: str) -> str:
    return re.sub(r"\\u([0-9a-f]{4})", lambda found: chr(int(found[1], 16)), line)


@pytest.mark.parametrize(
    ("line", "on", "phase", "power", "units", "expect"), list(read_cases()),
)
def test_a_listed_line_has_its_listed_meaning(
    line: str, on: str, phase: str, power: str, units: str, expect: str
) -> None:
    at = position(BOARDS[on], phase, units)
    seen = read(decode_escapes(line), power, at, BOARDS[on])
    if expect.startswith("ignore:"):
        assert seen == ParsedLine(Line(1, decode_escapes(line)), ignored=True)
        return
    parts = [expect] if expect.startswith("ask:") else expect.split(" ; ")
    told = [part for part in parts if part.startswith(("ask:", "refuse:"))]
    assert read_filed_orders(seen) == [part for part in parts if part not in told]
    assert len(seen.complaints) == len(told)
    assert not seen.ignored
    for complaint, part in zip(seen.complaints, told):
        check_complaint(complaint, *part.split(":", 1))


def check_complaint(complaint: Complaint, verdict: str, what: str) -> None:
    assert (complaint.kind is ComplaintKind.AMBIGUOUS) == (verdict == "ask"), complaint
    if verdict == "refuse":
        code, _, place = what.partition(" ")
        facts = [str(fact).upper() for fact in complaint.reason.facts.values()]
        assert complaint.reason.code == code
        assert not place or place.upper() in facts
    elif what in ("incomplete", "type"):
        assert complaint.reason.code == {"type": "which-type"}.get(what, what)
    elif what.startswith("coast "):
        coasts = what.removeprefix("coast ").split(" | ")
        assert [text.split(" ")[-1] for text in complaint.suggestions] == coasts
    else:
        choices = what.replace(" ; ", "; ").split(" | ")
        assert sorted(complaint.suggestions) == sorted(choices)


@pytest.mark.parametrize(
    ("line", "column"),
    [
        ("A Par - xyzzy", 8),
        ("  A Par - xyzzy", 10),
        ("* A P\u00e1r \u2014> xyzzy", 11),
        ("F Bre - MAO; A Par - Mos", 21),
        ("\u200bA Par - \ufb01xyzzy", 9),
    ],
)
def test_a_complaint_points_at_the_typed_word(line: str, column: int) -> None:
    assert read(line).complaints[0].column == column


@pytest.mark.parametrize(
    ("line", "notes"),
    [
        ("A Marselles - Gascny", [("Marselles", "Marseilles"), ("Gascny", "Gascony")]),
        ("A ParBur", [("ParBur", "Paris Burgundy")]),
        ("A Par suports A Mar-Bur", [("suports", "support")]),
        ("F Bre - Mid Atlantc", [("Mid Atlantc", "Mid-Atlantic Ocean")]),
    ],
)
def test_a_repair_always_has_a_note(line: str, notes: list[tuple[str, str]]) -> None:
    told = [phrase("read-as", word=word, meaning=meaning) for word, meaning in notes]
    assert list(read(line).notes) == told


@pytest.mark.parametrize(
    ("line", "note"),
    [
        ("F Par - Bur", phrase("wrong-type", unit="A PAR", typed="Fleet")),
        ("A Par/nc - Bur", phrase("coast-ignored", place="Par", coast="nc")),
        ("A Mar - Spa/sc", phrase("coast-ignored", place="Spa", coast="sc")),
    ],
)
def test_an_assumption_has_a_note(line: str, note: object) -> None:
    seen = read(line)
    assert (len(seen.orders), seen.notes) == (1, (note,))


def test_a_chosen_coast_has_a_note() -> None:
    at = position(STANDARD, "M", "Italy: F WES")
    seen = read("F Wes - Spa", "Italy", at)
    assert read_filed_orders(seen) == ["F WES - SPA/SC"]
    assert seen.notes == (phrase("coast-chosen", place="Spa/sc"),)


@pytest.mark.parametrize(
    ("line", "orders", "codes"),
    [
        ("A Par - Bur; A Mar - Mos; F Bre H", ["A PAR - BUR", "F BRE H"], ["cannot-reach"]),
        ("A Par - Bur, A Mar - Mos", ["A PAR - BUR"], ["cannot-reach"]),
        ("A Par - Bur, A Mar - Spian", ["A PAR - BUR", "A MAR - SPA"], []),
        ("A Par - Bur and A Mar - Mos", ["A PAR - BUR"], ["cannot-reach"]),
        ("A Lon - Wal; A Mun - Ruh", [], ["not-your-unit", "not-your-unit"]),
        ("A Par S A Mar -", [], ["incomplete"]),
        ("A Par - Mar - Spa", [], ["no-sea"]),
        ("A Mar - Lyo - Tys - Par", [], ["broken-route"]),
        ("A Mar - Wes - Tun", [], ["broken-route"]),
        ("A Bre - Pic via convoy", [], ["only-armies-by-sea"]),
        ("F Bre - Par", [], ["inland"]),
        ("A Par D", [], ["wrong-phase"]),
        ("F Bre - Spa/ec", [], ["no-such-coast"]),
        ("F Bre/dc - Pic", [], ["unknown-coast"]),
    ],
)
def test_good_orders_of_a_line_are_filed_next_to_bad_ones(
    line: str, orders: list[str], codes: list[str]
) -> None:
    seen = read(line)
    assert read_filed_orders(seen) == orders
    assert [complaint.reason.code for complaint in seen.complaints] == codes


@pytest.mark.parametrize(
    ("line", "power", "order"),
    [
        ("A Mun - Bur", "Germany", "A MUN - BUR"),
        ("Germany: A Mun - Bur", "Germany", "A MUN - BUR"),
        ("F Lon S Edi - Nth", "England", "F LON S F EDI - NTH"),
    ],
)
def test_the_master_orders_any_unit_with_or_without_its_power(
    line: str, power: str, order: str
) -> None:
    seen = read(line, None)
    assert [(who, order_text(what)) for who, what in seen.orders] == [(power, order)]


def test_the_master_must_name_the_real_power_of_a_unit() -> None:
    seen = read("France: A Mun - Bur", None)
    assert [complaint.reason.code for complaint in seen.complaints] == ["not-your-unit"]


def test_the_master_must_name_the_power_of_a_waive() -> None:
    winter = position(STANDARD, "A", "France: A PAR")
    assert read("waive", None, winter).complaints[0].reason.code == "whose-order"
    assert read("France: waive", None, winter).orders[0][0] == "France"


@pytest.mark.parametrize(
    ("text", "orders"),
    [
        ("A Par -\nBur", ["A PAR - BUR"]),
        ("A Par -\nBur, A Mar H", ["A PAR - BUR", "A MAR H"]),
        ("F Bre H, A Par -\nBur, A Mar H", ["F BRE H", "A PAR - BUR", "A MAR H"]),
        (
            "army paris to burgundy comma fleet brest to picardy comma army\nmarseilles hold",
            ["A PAR - BUR", "F BRE - PIC", "A MAR H"],
        ),
        (
            "Army Marseilles moves to Burgundy; Army Paris supports Army Marseilles\n"
            "to Burgundy; Fleet Brest moves to Mid-Atlantic Ocean",
            ["A MAR - BUR", "A PAR S A MAR - BUR", "F BRE - MAO"],
        ),
        (
            "Fleet Brest moves to Mid-Atlantic Ocean and the Army in Paris supports\n"
            "the Army in Marseilles to Burgundy and the Army in Marseilles moves to\nBurgundy",
            ["F BRE - MAO", "A PAR S A MAR - BUR", "A MAR - BUR"],
        ),
    ],
)
def test_orders_broken_across_lines_are_joined(text: str, orders: list[str]) -> None:
    [seen] = read_sheet(text, "France", START, STANDARD)
    assert (read_filed_orders(seen), seen.complaints, seen.line.number) == (orders, (), 1)


@pytest.mark.parametrize("before", ["A Par", "A Par -", "A Par S", "A Par S A Mar -", "A Par -,"])
def test_an_incomplete_line_takes_nothing_from_the_next(before: str) -> None:
    first, second = read_sheet(f"{before}\nA Mar - Bur", "France", START, STANDARD)
    assert (read_filed_orders(first), read_filed_orders(second)) == ([], ["A MAR - BUR"])
    assert [complaint.reason.code for complaint in first.complaints] == ["incomplete"]


@pytest.mark.parametrize("name", ["standard", "youngstown"])
def test_orders_on_separate_lines_are_independent(name: str) -> None:
    on, rng = BOARDS[name], Random(1901)
    whole = 0
    for _ in range(12):
        at = random_position(on, rng, 27)
        for power in sorted(at.units):
            by_unit = {order.unit: order for order in possible_orders(on, at, power, rng)}
            lines = [spell(order, on, rng) for order in by_unit.values()]
            meant = [read_filed_orders(read(line, power, at, on)) for line in lines]
            cut = [rng.random() < 0.5 for _ in lines]
            words = [line.split(" ") for line in lines]
            sheet = "\n".join(
                " ".join(some[: rng.randrange(1, len(some) + 1)]) if short else " ".join(some)
                for some, short in zip(words, cut, strict=True)
            )
            seen = [read_filed_orders(one) for one in read_sheet(sheet, power, at, on)]
            for order, short in zip(meant, cut, strict=True):
                assert short or order in seen, sheet
                whole += not short
    assert whole > 150


@pytest.mark.parametrize("line", ["A Par - Bur", "A Par S A Mar - Bur", "F Bre H"])
def test_every_suggestion_is_accepted_unchanged(line: str) -> None:
    for broken in (line.replace("Par", "Pa"), line.replace("Bur", "Bue"), line[:-1]):
        for complaint in read(broken).complaints:
            for suggestion in complaint.suggestions:
                assert read_filed_orders(read(suggestion)) == suggestion.split("; ")


@pytest.mark.parametrize(
    ("text", "power", "expect"),
    [
        ("F NTH - PIC", "England", "F NTH - PIC"),
        ("A NTH - PIC", "England", "F NTH - PIC"),
        ("A LON - NWY", "England", "A LON - NWY"),
        ("F Eng - Spa", "England", "F ENG - SPA"),
        ("A Mun H", "England", "not-your-unit"),
        ("A Lon - Xyz", "England", "unknown-place"),
        ("A Lon", "England", "incomplete"),
        ("A Par H", "England", "A PAR H"),
    ],
)
def test_an_exact_order_is_read_unchanged(text: str, power: str, expect: str) -> None:
    at = position(STANDARD, "M", "England: F NTH, A LON, F ENG; Germany: A MUN")
    found = read_exact(text, STANDARD, at, power, Rules())
    told = found.reason.code if isinstance(found, Complaint) else order_text(found)
    assert told == expect


def test_an_exact_build_keeps_an_open_coast_open() -> None:
    winter = position(STANDARD, "A", "Russia: A MOS")
    found = read_exact("Build F StP", STANDARD, winter, "Russia", Rules())
    assert not isinstance(found, Complaint) and order_text(found) == "BUILD F STP"
    found = read_exact("Build F StP/ec", STANDARD, winter, "Russia", Rules())
    assert isinstance(found, Complaint) and found.reason.code == "no-such-coast"


@given(st.text(max_size=120))
@pytest.mark.slow
def test_no_text_ever_breaks_the_reader(text: str) -> None:
    seen = read(text)
    assert seen.ignored != bool(seen.orders or seen.complaints)


WORDS = ["A", "F", "Par", "Bur", "-", "S", "C", "and", ",", ".", ";", "(", ")", "/", "nc", "H", "x"]


@given(st.lists(st.sampled_from([*WORDS, "France:", "north", "off", "via", "R", "build"])))
@example(["A", "("])
def test_no_mixture_of_words_ever_breaks_the_reader(words: list[str]) -> None:
    line = " ".join(words)
    for power in ("France", None):
        seen = read(line, power, on=YOUNGSTOWN, at=position(YOUNGSTOWN, "M", "start"))
        for who, order in seen.orders:
            assert who and read(order_text(order), who, on=YOUNGSTOWN).line


@pytest.mark.parametrize("name", ["standard", "youngstown"])
def test_the_text_of_an_order_is_read_back(name: str) -> None:
    on, rng = BOARDS[name], Random(1901)
    count = 0
    for _ in range(6):
        at = random_position(on, rng, 24)
        for power in sorted(at.units):
            for order in possible_orders(on, at, power, rng):
                assert read(order_text(order), power, at, on).orders == ((power, order),)
                assert read_exact(order_text(order), on, at, power, Rules()) == order
                count += 1
    assert count > 300


def by_its_goal(order: Order) -> Order:
    return order._replace(via=False, route=()) if isinstance(order, Move) else order


@pytest.mark.parametrize(("name", "seed"), [("standard", 7), ("youngstown", 7)])
@pytest.mark.slow
def test_a_repair_never_files_another_order(name: str, seed: int) -> None:
    repaired = 0
    for at, power, order, line in mistyped_lines(BOARDS[name], Random(seed), 1_500):
        seen = read(line, power, at, BOARDS[name])
        if seen.orders and any(note.code == "read-as" for note in seen.notes):
            assert [by_its_goal(o) for _, o in seen.orders] == [by_its_goal(order)], line
            repaired += 1
    assert repaired > 700


@pytest.mark.slow
def test_a_suggestion_keeps_every_exactly_typed_place() -> None:
    asked = 0
    words = lexicon(STANDARD).places
    for at, power, _, line in mistyped_lines(STANDARD, Random(99), 1_500):
        names = (word.lower() for word in re.findall(r"\b[A-Za-z]{3}\b", line))
        typed = {words[name].upper() for name in names if name in words}
        for complaint in read(line, power, at, STANDARD).complaints:
            for suggestion in complaint.suggestions:
                asked += 1
                assert all(place in suggestion for place in typed), (line, suggestion)
    assert asked > 150


@pytest.mark.parametrize(
    "line",
    [
        "and " * 60,
        "and, " * 10,
        "na, ns, bs, " * 8,
        "off - " * 13,
        "( " * 40,
        "A Par - Bur, " * 200,
        "north south gulf sea off " * 5,
        "x" * 5_000,
        "a" * 39 + " b",
        "-" * 3_000,
        "F Bre - Spa (nc",
        "F Bre - Spa (s.c.",
    ],
)
def test_a_hostile_line_is_read_in_bounded_time(line: str) -> None:
    read(line, on=YOUNGSTOWN, at=position(YOUNGSTOWN, "M", "start"))
    begun = time.process_time()
    read(line, on=YOUNGSTOWN, at=position(YOUNGSTOWN, "M", "start"))
    assert time.process_time() - begun < 30


@pytest.mark.parametrize(
    "line",
    [
        "",
        "   ",
        "Hello all,",
        "I will support you into Burgundy if you leave Munich.",
        "Burgundy",
        "Best regards, Ann",
        "-- ",
        "On Monday Bob wrote:",
        "A nice move, that!",
        "See you in Spring 1902",
        "Sent from my phone",
        "Can Turkey hold Ankara?",
    ],
)
def test_prose_is_no_order(line: str) -> None:
    assert read(line).ignored


def test_a_line_with_too_many_words_is_refused_as_a_whole() -> None:
    longest = "Army Xyzzy supports army Marseilles to Burgundy army Munich army Munich hold"
    assert len(longest.split()) == 12
    assert read(longest).complaints[0].reason.code == "unknown-place"
    assert read(f"{longest} hold").complaints[0].reason.code == "part-unread"


@pytest.mark.parametrize(
    ("line", "phase", "units", "expect", "notes"),
    [
        ("F Gas - Spa/nc", "M", "France: F GAS", "F GAS - SPA/NC", []),
        ("F Wes - Spa/nc", "M", "France: F WES", "refuse", []),
        ("F Bre - Pic/nc", "M", "France: F BRE", "F BRE - PIC", [("Pic", "nc")]),
        ("A Gas - Spa/nc", "M", "France: A GAS", "A GAS - SPA", [("Spa", "nc")]),
        ("A Mar S A Gas - Spa/nc", "M", "France: A MAR, A GAS", "A MAR S A GAS - SPA",
         [("Spa", "nc")]),
        ("F Por S F Mao - Spa/sc", "M", "France: F POR, F MAO", "F POR S F MAO - SPA",
         [("Spa", "sc")]),
        ("A Mar S F Spa/nc", "M", "France: A MAR, F SPA/SC", "A MAR S F SPA/SC",
         [("Spa/sc", "nc")]),
        ("A Mar S F Spa/sc", "M", "France: A MAR, F SPA/SC", "A MAR S F SPA/SC", []),
        ("A Mar S F Spa/nc", "M", "France: A MAR", "A MAR S F SPA/NC", []),
        ("A Mar S A Spa/nc", "M", "France: A MAR", "A MAR S A SPA", []),
        ("F Spa/nc S F Wes - Lyo", "M", "France: F SPA/NC, F WES", "refuse", []),
        ("F Spa/sc S F Wes - Lyo", "M", "France: F SPA/SC, F WES", "F SPA/SC S F WES - LYO", []),
        ("F Por S F Spa - Mao", "M", "France: F POR", "F POR S F SPA - MAO", []),
        ("F Spa/nc - Mao", "M", "France: F SPA/SC", "F SPA/SC - MAO", [("Spa/sc", "nc")]),
        ("F Mao C A Bre - Spa/nc", "M", "France: F MAO, A BRE", "F MAO C A BRE - SPA",
         [("Spa", "nc")]),
        ("A Bre - Spa/nc", "M", "France: F MAO, A BRE", "A BRE - SPA VIA", [("Spa", "nc")]),
        ("A Bur R Mar/sc", "R", "dislodged France: A BUR", "A BUR R MAR", [("Mar", "sc")]),
        ("BUILD A Mar/sc", "A", "France: A PAR", "BUILD A MAR", [("Mar", "sc")]),
        ("BUILD F Mar/sc", "A", "France: A PAR", "BUILD F MAR", [("Mar", "sc")]),
    ],
)
def test_a_coast_counts_only_where_a_fleet_has_a_choice(
    line: str, phase: str, units: str, expect: str, notes: list[tuple[str, str]]
) -> None:
    seen = read(line, at=position(STANDARD, phase, units))
    assert read_filed_orders(seen) == ([] if expect == "refuse" else [expect])
    ignored = [note for note in seen.notes if note.code == "coast-ignored"]
    assert ignored == [phrase("coast-ignored", place=at, coast=coast) for at, coast in notes]


@pytest.mark.parametrize(
    ("text", "expect"),
    [
        ("A Mar S A Gas - Spa/nc", "A MAR S A GAS - SPA"),
        ("F Por S F Mao - Spa/nc", "F POR S F MAO - SPA/NC"),
        ("F Por S F Mao - Spa", "F POR S F MAO - SPA"),
        ("F Mao - Spa", "F MAO - SPA"),
        ("F Mao - Spa/nc", "F MAO - SPA/NC"),
    ],
)
def test_an_exact_order_leaves_the_coast_of_a_fleet_to_the_rules(text: str, expect: str) -> None:
    at = position(STANDARD, "M", "France: A MAR, A GAS, F MAO, F POR")
    found = read_exact(text, STANDARD, at, "France", Rules())
    assert not isinstance(found, Complaint), found
    assert order_text(found) == expect


@pytest.mark.parametrize(("line", "code", "place"), [
    ("F Mao - Spa", "not-your-unit", "MAO"),
    ("F Mao/nc - Spa", "not-your-unit", "MAO"),
    ("A Par - Bohmia", "cannot-reach", "Boh"),
    ("A Par - Belgin", "cannot-reach", "Bel"),
    ("A Par - Albanen", "cannot-reach", "Alb"),
])
def test_a_refusal_gives_the_first_reason(line: str, code: str, place: str) -> None:
    """An illegal order asks no further question.

    Neither the coast of another power's fleet nor one of two unreachable places is asked for, where
    one place is much closer to the word.
    """
    at = position(STANDARD, "M", "France: A PAR, F BRE; England: F MAO")
    (found,) = read(line, "France", at).complaints
    assert found.reason.code == code and place in found.reason.facts.values()


@pytest.mark.parametrize(("first", "repaired"), [("A Psr - Bur", False), ("A Par - Bur", True)])
def test_a_long_line_is_repaired_only_next_to_an_exact_order(first: str, repaired: bool) -> None:
    seen = read(", ".join([first, "F Bree - Eng"] * 14))
    assert (set(read_filed_orders(seen)) == {"A PAR - BUR", "F BRE - ENG"}) is repaired
    assert bool(seen.complaints) is not repaired
