"""Order lines of Yorktown: samples of the rules, spellings, refusals, sheets."""

from collections.abc import Mapping

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from judge.games import find_system
from judge.games.yorktown.language.checking import OrderChecker
from judge.games.yorktown.language.grammar import Control, Done, UnreadableLine, clean, parse
from judge.games.yorktown.language.reading import SheetReader
from judge.games.yorktown.language.sheets import join_sheets, without_gaps
from judge.games.yorktown.language.verdicts import Filed
from judge.games.yorktown.rules.orders import order_text
from judge.games.yorktown.rules.state import Moment, SiegePosition, blank, dump, parse_moment
from judge.games.yorktown.views.moments import owner_named
from judge.model.incoming import Line
from tests.games.yorktown.siege_cases import Case, position_of

SAMPLES = """
INF 3: 1204-1305-1306 face NE         # path may begin with the unit's own hex
CAV 1: 2519 2518 2517                 # spaces instead of dashes
INF 21 enters 0118-0217-0317-0416     # first hex is the entry hex
ART 2 fires at 1512                   # FIRE step
ART 3 fires at 2014 ART 1             # names one of two units in a redoubt
PIO 1 builds redoubt                  # FIRE step
FRIG 1: F4 L F2 fire 1713 F3 fire 1713
FRIG 2: F1 beach                      # the last step runs ashore
INF 5 boards FRIG 1
INF 5 lands 2413 face S
CMD 1 with INF 7
INF 8 exit W
attack 1511 with INF 3, INF 4 advance INF 3
attack 1714 1815 with INF 6           # both defenders together
retreat INF 3 to 1815, 1816
retreat all S SE SW
hit CORNWALLIS leave INF 2
hit CMD 1 stay
losses INF 12 INF 14
done
WASHINGTON with INF 7
INF 3 at 1512 face N
FRIG 1 at 1508 1608
CMD 1 stays
INF 8 holds
INF 8 face SE
done fire
done move
clear
add
show
show 1512
show INF 3
show odds 1512
resign
draw offer
draw accept
""".strip().splitlines()
"""The samples of Y-88, and the other forms of Y-86."""

VARIANTS = [
    ("i3 1204-1305", "INF 3: 1204-1305"),
    ("Infantry 3 : 1204 -> 1305 → 1306, FACING ne.", "INF 3: 1204-1305-1306 face NE"),
    ("inf3 southwest", "INF 3 face SW"),
    ("a2 fire 1512", "ART 2 fires at 1512"),
    ("Artillery 2 fires at 1512.", "ART 2 fires at 1512"),
    ("p1 build a redoubt", "PIO 1 builds redoubt"),
    ("f1: f f2 left Fire at 1713 beach", "FRIG 1: F3 L fire 1713 beach"),
    ("I5 boards F1", "INF 5 boards FRIG 1"),
    ("k1 with i7", "CMD 1 with INF 7"),
    ("ATTACK 1511 WITH I3 C1 ADVANCE C1", "attack 1511 with INF 3, CAV 1 advance CAV 1"),
    ("losses: no", ""),
    ("frigate 1 at 1508-1608", "FRIG 1 at 1508 1608"),
    ("inf 3: 1204–1305", "INF 3: 1204-1305"),
]


def position(moment: str, *units: str) -> SiegePosition:
    """Return a position with these units on the map."""
    lines = [f"MOMENT {moment}", *(f"UNIT {unit}" for unit in units)]
    return position_of(Case("", lines))


def read(
    found: SiegePosition, side: str, *lines: str, sheets: Mapping[Moment, str] | None = None
) -> Filed:
    """Read lines of a side."""
    numbered = [Line(number, line) for number, line in enumerate(lines, 1)]
    return SheetReader(found, side, sheets or {}).read(numbered)


def moment(label: str) -> Moment:
    """Return a moment by its label."""
    found = parse_moment(label)
    assert found
    return found


def codes(filed: Filed) -> list[str]:
    """Return the codes of the complaints."""
    return [v.complaint.reason.code for v in filed.verdicts if v.complaint]


@pytest.mark.parametrize("line", SAMPLES)
def test_y85_y86_y88_every_sample_of_the_rules_is_read(line: str) -> None:
    assert not isinstance(parse(clean(line)), UnreadableLine)


@pytest.mark.parametrize("line", SAMPLES)
def test_the_standard_text_of_an_order_is_read_back(line: str) -> None:
    order = parse(clean(line))
    if not isinstance(order, Done | Control | UnreadableLine):
        assert parse(clean(order_text(order))) == order


@pytest.mark.parametrize(("line", "told"), VARIANTS)
def test_y85_y87_case_commas_dashes_and_long_words_are_optional(line: str, told: str) -> None:
    order = parse(clean(line))
    if not told:
        assert isinstance(order, UnreadableLine)
    else:
        assert not isinstance(order, Done | Control | UnreadableLine)
        assert order_text(order) == told


REFUSED = [
    ("FA6M", "FA INF 3 1520", "FA", "INF 3 dances", "ye01"),
    ("FA6M", "FA INF 3 1520", "FA", "INF 51: 1521", "ye02"),
    ("FA6M", "FA INF 3 1520", "FA", "CORNWALLIS stays", "ye02-theirs"),
    ("FA6M", "FA INF 3 1520", "FA", "INF 3: 3125", "ye03"),
    ("FA6M", "FA INF 3 1520", "FA", "INF 3: 1204-1305", "ye04"),
    ("FA6M", "FA INF 3 1520", "FA", "INF 3: 0101", "ye09"),
    ("FA6M", "FA INF 3 1511", "FA", "INF 3: 1510", "ye09"),
    ("FA6M", "FA ART 1 1520 shots=1", "FA", "ART 1: 1521", "ye12"),
    ("FA6F", "FA ART 1 1523", "FA", "ART 1 fires at 1508", "ye13"),
    ("FA6F", "FA ART 1 1520", "FA", "ART 1 fires at 1512", "ye14"),
    ("FA6F", "FA PIO 1 1520", "FA", "PIO 1 builds redoubt", "ye16"),
    ("FA6F", "FA INF 3 1520", "FA", "INF 3 builds redoubt", "ye44"),
    ("FA6M", "FA INF 3 1520", "FA", "INF 3 fires at 1512", "ye27"),
    ("FA6M", "FA ART 1 1520", "FA", "attack 1519 with ART 1", "ye28"),
    ("AP0S", "FA INF 3 1520", "AP", "INF 3 at 1514", "ye29-where"),
    ("FA6M", "FA INF 3 1520", "FA", "INF 3 enters 1524", "ye32"),
    ("FA6M", "FA INF 3 1520", "FA", "INF 7 enters 1523-1522", "ye36"),
    ("FA6M", "FA INF 3 dead", "FA", "INF 3: 1521", "ye31"),
    ("FA6M", "FA INF 3 1520", "FA", "show 1512", "say-preview"),
    ("FA6M", "FA INF 3 1520", "FA", "draw offer", "say-draw"),
]


@pytest.mark.parametrize(("label", "unit", "side", "line", "code"), REFUSED)
def test_y93_y94_a_fault_refuses_its_line_only(
    label: str, unit: str, side: str, line: str, code: str
) -> None:
    filed = read(position(label, unit), side, line, "retreat all S")
    assert codes(filed) == [code]
    assert without_gaps(filed.sheets[moment(label)]) == "retreat all S"


ALREADY_SO = [
    ("FA6F", "FA PIO 1 2014", "PIO 1 builds redoubt", "yw03-redoubt"),
    ("FA6M", "FA INF 3 1524", "INF 3 enters 1524", "yw03-entered"),
    ("FA6M", "FA INF 3 1524 N", "INF 3 enters 1423-1524 face N", "yw03-entered"),
]


@pytest.mark.parametrize(("label", "unit", "line", "code"), ALREADY_SO)
def test_y93_redundant_order_is_a_note(label: str, unit: str, line: str, code: str) -> None:
    filed = read(position(label, unit), "FA", line, "done")
    verdict = filed.verdicts[0]
    assert (verdict.filed, [note.code for note in verdict.notes]) == ((), [code])
    assert codes(filed) == [] and not verdict.ignored
    assert filed.sheets[moment(label)] == "done"


REPEATED = [
    ("FA6M", "FA INF 3 1520 N with CMD 1", line)
    for line in ("INF 3: 1520", "INF 3 holds", "INF 3 face N", "CMD 1 with INF 3", "CMD 1 stays")
] + [("FA6F", "FA PIO 1 1717 still=2", "PIO 1 builds redoubt")]  # fmt: skip


@pytest.mark.parametrize(("label", "unit", "line"), REPEATED)
def test_y93_repeated_order_delays_no_step(label: str, unit: str, line: str) -> None:
    found = position(label, unit)
    first = read(found, "FA", line, "done")
    again = read(found, "FA", line, line, "done", sheets=first.sheets)
    assert codes(first) == codes(again) == []


@pytest.mark.parametrize(("line", "code"), [("draw accept", "say-draw"), ("resign", "say-resign")])
def test_y84_resigning_and_draws_are_commands_of_the_judge(line: str, code: str) -> None:
    assert codes(read(position("FA6M", "FA INF 3 1520"), "FA", line)) == [code]


def test_y94_every_code_of_the_rules_has_its_phrase() -> None:
    text = (find_system("yorktown").texts / "phrases-errors.tsv").read_text("utf-8")
    said = {row.partition("-")[0].partition("\t")[0] for row in text.splitlines()}
    assert {*(f"ye{number:02}" for number in range(1, 31)), "yw01", "yw02"} <= said


def test_y93_a_path_is_cut_at_its_first_illegal_hex() -> None:
    filed = read(position("FA6M", "FA INF 3 1512"), "FA", "INF 3: 1511-1510")
    assert filed.verdicts[0].filed == ("INF 3: 1511",)
    assert [note.code for note in filed.verdicts[0].notes] == ["ye09", "path-cut"]


def test_a_wrong_unit_gets_suggested_lines() -> None:
    filed = read(position("FA6M", "FA INF 3 1520", "FA INF 11 1522"), "FA", "INF 51: 1521")
    complaint = filed.verdicts[0].complaint
    assert complaint and complaint.suggestions[0] == "INF 11: 1521"


def test_a_misspelt_word_is_repaired_with_a_note() -> None:
    filed = read(position("FA6M", "FA INF 3 1520"), "FA", "INF 3 hodls")
    assert filed.verdicts[0].filed == ("INF 3 holds",)
    assert filed.verdicts[0].notes[0].code == "line-read-as"


@pytest.mark.parametrize(
    ("line", "rest"),
    [("INF 3 face E", "e"), ("INF 3: 1521 face west", "west"), ("retreat all S E", "e")],
)
def test_y94_a_hex_has_no_side_to_the_east_or_west(line: str, rest: str) -> None:
    filed = read(position("FA6M", "FA INF 3 1520"), "FA", line)
    complaint = filed.verdicts[0].complaint
    assert complaint and complaint.reason.code == "ye45"
    sides = ("NE", "SE") if rest == "e" else ("NW", "SW")
    assert complaint.reason.facts == {"side": rest[0].upper(), "sides": sides}
    assert complaint.suggestions[0].endswith(sides[0])


@pytest.mark.parametrize(
    "line",
    ["INF 3 holds quickly", "PIO 1 builds redoubt 1520", "hit CMD 1 stay INF 3", "done fire now",
     "INF 3 boards FRIG 1 quickly", "INF 3: 1521 face S 1522"],
)
def test_y94_an_extra_word_is_refused(line: str) -> None:
    filed = read(position("FA6M", "FA INF 3 1520"), "FA", line)
    complaint = filed.verdicts[0].complaint
    assert complaint and complaint.reason.code.startswith("ye01")


@pytest.mark.parametrize("lines", [
    ("INF 3: 1521-1523", "cancel INF 3", "INF 4 holds", "done"),
    ("INF 77 holds", "clear", "INF 4 holds", "done"),
])
def test_line_cancelled_in_the_same_mail_does_not_stop_done(lines: tuple[str, ...]) -> None:
    filed = read(position("FA6M", "FA INF 3 1520", "FA INF 4 1620"), "FA", *lines)
    assert filed.sheets[moment("FA6M")].endswith("done")


@pytest.mark.parametrize("refused", ["INF 3 to 1520; INF 4 dances", "INF 3 and INF 4 dance"])
def test_refused_line_of_two_units_stops_done_after_a_cancel(refused: str) -> None:
    found = position("FA6M", "FA INF 3 1520", "FA INF 4 1620")
    filed = read(found, "FA", refused, "cancel INF 3", "done")
    assert not filed.sheets.get(moment("FA6M"), "").endswith("done")


@example(["WASHINGTON", "exit"])
@given(st.lists(st.sampled_from(sorted({*" ".join(SAMPLES).split(), "please", "east"}))))
def test_y93_any_words_are_an_order_or_are_refused(words: list[str]) -> None:
    filed = read(position("FA6M", "FA INF 3 1520"), "FA", " ".join(words))
    assert all(v.complaint or v.filed or v.ignored or v.notes for v in filed.verdicts)


def test_prose_and_quotes_are_no_orders() -> None:
    filed = read(blank(), "AP", "I think we should talk.", "> INF 1 at 1512")
    assert all(verdict.ignored for verdict in filed.verdicts)
    assert not filed.sheets


def test_y89_orders_are_filed_in_their_own_step() -> None:
    found = position(
        "AP6F", "AP FRIG 1 1509 1510", "AP INF 1 1511", "AP ART 1 1512", "FA INF 3 1513"
    )
    filed = read(
        found, "AP", "INF 2 holds", "FRIG 1: fire 1513", "INF 1 boards FRIG 1", "FRIG 1: R",
        "ART 1 fires at 1513",
    )
    assert filed.sheets[moment("AP6F")] == "FRIG 1: fire 1513\nART 1 fires at 1513"
    assert filed.sheets[moment("AP6M")].splitlines() == [
        "INF 2 holds", "INF 1 boards FRIG 1", "FRIG 1: R",
    ]


def test_y90_a_new_mail_replaces_that_step_and_add_appends() -> None:
    found, now = position("FA6M", "FA INF 3 1520", "FA INF 4 1620"), moment("FA6M")
    on_file = {now: "INF 3 holds\nretreat all S"}
    assert read(found, "FA", "INF 4 holds", sheets=on_file).sheets[now] == (
        "INF 4 holds\nretreat all S"
    )
    assert read(found, "FA", "add", "INF 4 holds", sheets=on_file).sheets[now] == (
        "INF 3 holds\nINF 4 holds\nretreat all S"
    )
    assert read(found, "FA", "clear", sheets=on_file).sheets[now] == "retreat all S"


@pytest.mark.parametrize(("lines", "gone"), [
    (("INF 5 holds",), ("INF 3 holds", "INF 4: 1619", "attack 1519 with INF 6")),
    (("INF 4: 1621", "attack 1519 with INF 5"), ("INF 3 holds", "attack 1519 with INF 6")),
    (("clear",), ("INF 3 holds", "INF 4: 1619", "attack 1519 with INF 6")),
    (("add", "INF 5 holds"), ()),
    (("INF 77 holds",), ()),
    (("retreat all S",), ()),
    (("done",), ()),
])
def test_y90_mail_lists_the_orders_it_replaces(
    lines: tuple[str, ...], gone: tuple[str, ...]
) -> None:
    units = ("FA INF 3 1520", "FA INF 4 1620", "FA INF 5 1720", "FA INF 6 1420", "AP INF 9 1519")
    on_file = {moment("FA6M"): "INF 3 holds\nINF 4: 1619\nattack 1519 with INF 6"}
    filed = read(position("FA6M", *units), "FA", *lines, sheets=on_file)
    assert tuple(order for each in filed.verdicts for order in each.withdrawn) == gone


def test_y90_done_covers_all_steps_and_done_fire_one() -> None:
    found = position("FA6F", "FA ART 1 1520")
    assert {str(m) for m in read(found, "FA", "done").sheets} == {"FA6F", "FA6M"}
    assert {str(m) for m in read(found, "FA", "done fire").sheets} == {"FA6F"}


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        ("ART 1 fires at 9999", "refused: no hex of the map"),
        ("INF 77 holds", "refused: no such unit"),
        ("ART 1 sings 1512", "cannot be read"),
        ("ARRT 1 fires at 1512", "begins with a unit that is mistyped"),
        ("IFN 3: 1521", "the same"),
        ("INF 3: 1521-1523", "cut short"),
        ("INF 3 holds; INF 77 holds", "one of two on a line"),
        ("SHOW", "no order, and refused"),
    ],
)
def test_y90_done_next_to_an_invalid_line_plays_nothing(wrong: str, why: str) -> None:
    """Valid lines are filed, and a typing error costs no step."""
    found = position("FA6F", "FA ART 1 1520", "FA INF 3 1520")
    for lines in (("PIO 1 holds", wrong, "done"), ("done", "INF 4 holds", wrong)):
        filed = read(found, "FA", *lines)
        assert not any("done" in sheet.splitlines() for sheet in filed.sheets.values()), why
        assert any("holds" in sheet for sheet in filed.sheets.values())
        told = [one.complaint for one in filed.verdicts if one.line.text == "done"]
        assert [one and one.reason.code for one in told] == ["done-held"]
        assert told[0] and told[0].suggestions == ("done",)


def test_y90_done_alone_or_with_prose_plays_the_sheet() -> None:
    found, now = position("FA6M", "FA INF 3 1520"), moment("FA6M")
    for lines in (("done",), ("Sorry for the typo.", "done"), ("done move",)):
        filed = read(found, "FA", *lines, sheets={now: "INF 3 holds"})
        assert filed.sheets[now] == "INF 3 holds\ndone"


def test_y90_done_on_file_is_withdrawn_by_an_invalid_line() -> None:
    found, now = position("AP5M", "FA INF 3 1520"), moment("FA6M")
    filed = read(found, "FA", "INF 77 holds", "done move", sheets={now: "INF 3 holds\ndone"})
    assert filed.sheets[now] == "INF 3 holds"


def test_y77_y78_standing_orders_are_replaced_individually() -> None:
    found, now = position("FA6M", "FA INF 3 1520"), moment("FA6M")
    on_file = {now: "retreat all S\nretreat INF 3 to 1521"}
    filed = read(found, "FA", "retreat all N", sheets=on_file)
    assert filed.sheets[now] == "retreat INF 3 to 1521\nretreat all N"


def test_y94_orders_sent_in_the_opponents_turn_are_filed() -> None:
    filed = read(position("AP6M", "FA INF 3 1520"), "FA", "INF 3: 1521")
    assert filed.sheets[moment("FA7M")] == "INF 3: 1521"
    assert filed.verdicts[0].notes[0].code == "ye30"


def test_a_master_orders_for_either_side_by_its_name() -> None:
    found = position("AP6F", "FA INF 25 1814", "FA ART 1 1520", "AP ART 1 1512")
    table = find_system("yorktown").table("yorktown", dump(found), {})
    lines = ["ART 1 fires at 1814", "FA: retreat all S", "Franco-American: ART 1: 1519", "Hello"]
    read = table.read_orders([Line(n, text) for n, text in enumerate(lines, 1)], None, {})
    assert read.sheets == {
        "Anglo-Prussian": "@AP6F\nART 1 fires at 1814",
        "Franco-American": "@AP6F\nretreat all S\n@FA7M\nART 1: 1519",
    }
    assert [line.line.number for line in read.lines] == [1, 2, 3, 4] and read.lines[3].ignored


@pytest.mark.parametrize(("label", "on_file", "lines", "sheets"), [
    ("FA6M", {}, ["INF 3: 1521", "INF 4 holds", "INF 3 holds"],
     {"FA6M": "INF 4 holds\nINF 3 holds"}),
    ("FA6M", {}, ["done"], {"FA6M": "done"}),
    ("FA6F", {"FA6F": "ART 1 fires at 1512", "FA6M": "INF 3 holds", "FA7F": "ART 2 fires at 1512"},
     ["clear"], {"FA6F": "", "FA6M": "", "FA7F": ""}),
    ("FA6M", {"FA6M": "INF 3 holds"}, ["I think we should talk."], {}),
])
def test_y90_a_mail_changes_exactly_its_own_steps(
    label: str, on_file: Mapping[str, str], lines: list[str], sheets: Mapping[str, str]
) -> None:
    """The last move of a unit is filed at its place. A past step is not changed."""
    found = position(label, "FA INF 3 1520", "FA INF 4 1522")
    kept = {moment(each): text for each, text in on_file.items()}
    filed = read(found, "FA", *lines, sheets=kept)
    assert {str(each): text for each, text in filed.sheets.items()} == sheets


def test_y77_standing_orders_are_valid_at_once() -> None:
    (verdict,) = read(position("AP6M", "FA INF 3 1520"), "FA", "losses INF 3").verdicts
    assert (verdict.filed, verdict.notes) == (("losses INF 3",), ())


def test_similar_units_are_suggested_for_a_wrong_one() -> None:
    found = position("FA6M", "FA INF 3 1520", "FA INF 11 1521", "FA INF 15 dead", "FA ART 5 1522")
    for verdict in read(found, "FA", "INF 51 holds", "INF51 holds").verdicts:
        assert verdict.complaint and verdict.complaint.suggestions == (
            "INF 11 holds", "INF 3 holds",
        )


def test_all_possible_continuations_are_reported() -> None:
    found = parse(clean("inf 3 dances"))
    assert isinstance(found, UnreadableLine)
    assert found.expected == (
        "hex", "side", "at", "boards", "builds", ":", "enters", "exits", "facing", "fires",
        "holds", "lands", "stays", "with",
    )


def test_y26_a_wall_is_not_crossed_in_a_later_step() -> None:
    order = parse(clean("INF 3: 1514-1513-1512"))
    assert not isinstance(order, Done | Control | UnreadableLine)
    found = OrderChecker(position("FA6M", "FA INF 3 1515"), "FA").check(order, now=True)
    assert found.cut and found.cut.code == "ye08"


@pytest.mark.parametrize(("unit", "line", "code"), [
    ("AP INF 23 1711", "INF 23: 1712-1812-1912", ""),
    ("AP INF 22 1712", "INF 22: 1612-1713", ""),
    ("AP PIO 1 1515", "PIO 1: 1514-1613", ""),
    ("AP INF 23 1411", "INF 23: 1412-1413", "ye08"),
    ("AP INF 23 1412", "INF 23: 1413", ""),
    ("AP INF 23 1412", "INF 23: 1413-1412", "ye08"),
])
def test_y26_walls_of_a_hex_with_a_road_are_open_on_all_sides(
    unit: str, line: str, code: str
) -> None:
    """Roads leave 1812, 1612 and 1613 by other sides, and 1412 by none."""
    [verdict] = read(position("AP6M", unit), "AP", line).verdicts
    assert [note.code for note in verdict.notes] == ([code, "path-cut"] if code else [])


def test_steps_without_orders_are_in_no_sheet() -> None:
    some = {moment("FA7M"): "", moment("FA6M"): "INF 3 holds", moment("FA8M"): "INF 3 holds"}
    assert join_sheets(some) == "@FA6M\nINF 3 holds\n@FA8M\nINF 3 holds"


def test_a_mail_without_orders_changes_no_sheet() -> None:
    table = find_system("yorktown").table("yorktown", dump(position("FA6M", "FA INF 3 1520")), {})
    power = "Franco-American"
    sheets = {power: "@FA6M\nINF 3 holds"}
    assert table.read_orders([Line(1, "hello there")], power, sheets).sheets == {}
    read = table.read_orders([Line(1, "INF 3: 1521")], power, sheets)
    assert read.sheets == {power: "@FA6M\nINF 3: 1521"}


@pytest.mark.parametrize(("label", "side", "lines", "sheets"), [
    ("AP6F", "AP", ["done fire", "FRIG 1: F"], {"AP6F": "done", "AP6M": "FRIG 1: F1"}),
    ("AP6F", "AP", ["FRIG 1: F", "done fire"], {"AP6F": "FRIG 1: F1\ndone"}),
    ("AP6F", "AP", ["done move", "FRIG 1: F"], {"AP6F": "FRIG 1: F1", "AP6M": "done"}),
    ("AP6F", "AP", ["INF 9 boards FRIG 1", "FRIG 1: F"],
     {"AP6M": "INF 9 boards FRIG 1\nFRIG 1: F1"}),
    ("AP6F", "AP", ["done fire", "done move"], {"AP6F": "done", "AP6M": "done"}),
])
def test_y89_a_frigate_sails_in_the_step_of_its_lines(
    label: str, side: str, lines: list[str], sheets: Mapping[str, str]
) -> None:
    filed = read(position(label, "AP FRIG 1 1508 1608", "AP INF 9 1511"), side, *lines)
    assert {str(each): text for each, text in filed.sheets.items()} == sheets


def test_y94_an_order_is_filed_for_the_step_that_can_use_it() -> None:
    (mine,) = read(position("AP6M", "AP ART 1 1512"), "AP", "ART 1 fires at 1514").verdicts
    (other,) = read(position("FA6M", "AP ART 1 1512"), "AP", "ART 1 fires at 1514").verdicts
    assert [(mine.complaint and mine.complaint.reason.code)] == ["ye27"]
    assert [note.code for note in other.notes] == ["ye30"]


def test_a_master_names_either_side_before_an_order() -> None:
    assert owner_named("Anglo-Prussian: INF 9 holds") == ("Anglo-Prussian", "INF 9 holds")
    assert owner_named("Franco-American: INF 3 holds") == ("Franco-American", "INF 3 holds")
    assert owner_named("INF 3 holds") == ("", "INF 3 holds")
