"""Lines that name units: never talk, and refused with true reasons."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judge.games.yorktown.language.sheets import read_sheet
from tests.games.yorktown.test_reading import codes, moment, position, read

ARMY = (
    "FA INF 3 1620", "FA INF 4 1720", "FA INF 14 1302", "FA INF 15 dead", "FA INF 23 1914",
    "FA INF 22 1117", "FA INF 11 1217", "FA INF 10 2021 with CMD 1", "FA ART 2 1719",
    "FA ART 23 0317", "FA ART 1 dead", "AP INF 12 1116", "AP INF 6 1316", "AP INF 8 1815",
    "AP FRIG 2 1808 1809",
)  # fmt: skip


@pytest.mark.parametrize(("line", "filed"), [
    ("Weedon to 1301", ["INF 14: 1301"]),
    ("Weedon holds", ["INF 14 holds"]),
    ("Saintonge holds its ground", ["INF 23 holds"]),
    ("we attack 1116 with INF 22, INF 23 and INF 11, INF 23 advances",
     ["attack 1116 with INF 22, INF 23, INF 11 advance INF 23"]),
    ("ART 23 to the road at 0416", ["ART 23: 0416"]),
    ("INF 22 attacks 1116 together with INF 11", ["attack 1116 with INF 22, INF 11"]),
    ("INF 11 attacks 1316 with INF 3", ["attack 1316 with INF 11, INF 3"]),
    ("INF 10 and Washington to 2020", ["CMD 1 with INF 10", "INF 10: 2020"]),
    ("Barber to 1619, Hamilton to 1719", ["INF 3: 1619", "INF 4: 1719"]),
    ("INF 3 should stay where it is", ["INF 3 holds"]),
    ("all infantry attack 1116", ["attack 1116 with INF 22"]),
])
def test_line_that_names_a_unit_is_filed(line: str, filed: list[str]) -> None:
    told = read(position("FA6M", *ARMY), "FA", line).verdicts
    assert [text for verdict in told for text in verdict.filed] == filed
    assert not any(verdict.complaint for verdict in told)


@pytest.mark.parametrize("line", [
    "the Weedon line was meant as: INF 14 to 1301", "INF 23 is where he was", "Wayne, you go there",
    "Saintonge are where they attack", "we attack 1116 because it is weak", "Gist said hold 1720",
    "our guns will fire where you want",
    "the artillery dances in the hornwork 1613", "INF 3 has nothing to do",
    "you may move Washington",
])
def test_line_that_names_a_unit_is_never_talk(line: str) -> None:
    told = read(position("FA6M", *ARMY), "FA", line, "done")
    assert not told.verdicts[0].ignored and told.verdicts[0].complaint
    assert not any(read_sheet(sheet).done for sheet in told.sheets.values())


@pytest.mark.parametrize("line", [
    "Yours, General Washington", "Washington was a lucky man.", "gw@washington.example",
    "Dear General Rochambeau,", "I met you in 1914 or so", "Hello Wayne", "FIRE:", "MOVE:",
    "Move orders:", "*Fire step:*",
])
def test_talk_and_headings_are_ignored(line: str) -> None:
    assert read(position("FA6M", *ARMY), "FA", line).verdicts[0].ignored


@pytest.mark.parametrize(("line", "units", "lines"), [
    ("Weedon to 1301", ("INF 14", "INF 15"), ("INF 14: 1301", "INF 15: 1401-1301")),
    ("Weedon in 1404 facing SE", ("INF 14", "INF 15"), ()),
    ("Weedon attacks 1505", ("INF 14", "INF 15"), ()),
    ("Weedon faces N", ("INF 14", "INF 15"), ("INF 14 face N", "INF 15 face N")),
    ("Sappers to 1821", ("PIO 1", "PIO 2", "PIO 21"),
     ("PIO 1 enters 1724-1723-1722-1821", "PIO 2 enters 1724-1723-1722-1821")),
])
def test_ambiguous_unit_name_asks_for_the_unit(
    line: str, units: tuple[str, ...], lines: tuple[str, ...]
) -> None:
    found = position("FA6M", "FA INF 14 1302", "FA INF 15 1402")
    told = read(found, "FA", line).verdicts[0].complaint
    assert told and told.reason.code == "ye02-shared"
    assert told.reason.facts["units"] == units
    assert told.suggestions == lines


@pytest.mark.parametrize("line", ["Washington and INF 3 to 1815", "INF 3 and CMD 1 to 0101"])
def test_unit_and_commander_move_together_or_not_at_all(line: str) -> None:
    filed = read(position("FA6M", *ARMY), "FA", line)
    assert len(codes(filed)) == 1 and not filed.verdicts[0].filed
    assert not any(read_sheet(sheet).orders for sheet in filed.sheets.values())


def test_commander_joins_the_last_unit_of_a_mail() -> None:
    filed = read(position("FA6M", *ARMY), "FA", "CMD 1 with INF 3", "CMD 1 with INF 4")
    assert filed.sheets[moment("FA6M")] == "CMD 1 with INF 4"


def test_order_of_another_unit_leaves_the_shared_name() -> None:
    found = position("FA6M", "FA INF 14 1302", "FA INF 15 1402", "FA INF 3 1620")
    now = moment("FA6M")
    first = read(found, "FA", "Weedon to 1301", "INF 4 holds")
    add = read(found, "FA", "add", "INF 3: 1619", "INF 15: 1401", sheets=first.sheets)
    assert add.sheets[now] == "INF 15: 1401\nINF 4 holds\nINF 3: 1619"


@pytest.mark.parametrize(("line", "code"), [
    ("hit CMD 1 leave INF 10", "ye47"),
    ("hit WASHINGTON leave INF 3 INF 10", "ye47"),
    ("hit CMD 1 leave CMD 21", "ye47-combat"),
    ("hit CMD 1 leave INF 15", "ye31"),
    ("losses INF 3 INF 15", "ye31"),
    ("attack 1116 with INF 22, INF 15", "ye31"),
    ("attack 1116 with INF 22 advance INF 11", "ye48"),
    ("ART 1 fires at 1116", "ye27"),
    ("CMD 1 with INF 15", "ye31"),
])
def test_order_with_an_impossible_unit_is_refused(line: str, code: str) -> None:
    assert codes(read(position("FA6M", *ARMY), "FA", line)) == [code]


def test_commander_moves_to_another_unit() -> None:
    told = read(position("FA6M", *ARMY), "FA", "hit CMD 1 leave INF 3").verdicts[0]
    assert told.filed == ("hit CMD 1 leave INF 3",) and not told.notes


@pytest.mark.parametrize("lines", [
    ("Hamilton attacks 1815", "attack 1815 with Hamilton"),
    ("attack 1815 with INF 4", "ATTACK 1815 with I4."),
    ("CMD 1 with INF 3", "Washington joins Barber"),
])
def test_same_order_in_two_wordings_is_filed_once(lines: tuple[str, str]) -> None:
    filed = read(position("FA6M", *ARMY), "FA", *lines)
    assert [note.code for note in filed.verdicts[1].notes] == ["filed-once"]
    assert len(read_sheet(filed.sheets[moment("FA6M")]).orders) == 1


def test_gun_fires_at_the_last_target_of_a_mail() -> None:
    found = position("FA6F", *ARMY)
    filed = read(found, "FA", "ART 2 fires at 1815", "ART 2 fires at 1316")
    assert filed.sheets[moment("FA6F")] == "ART 2 fires at 1316"
    twice = read(position("AP6F", *ARMY), "AP", "FRIG 2: fire 1620", "FRIG 2: fire 1620")
    assert len(read_sheet(twice.sheets[moment("AP6F")]).orders) == 2


def test_frigate_is_a_target_by_its_number() -> None:
    found = position("FA6F", "FA ART 2 1511", "AP FRIG 2 1808 1809")
    for line in ("ART 2 fires at FRIG 2", "ART 2 fires on the frigate in 1808"):
        assert read(found, "FA", line).verdicts[0].filed == ("ART 2 fires at 1808",)


@pytest.mark.parametrize(("on_file", "lines", "filed"), [
    ("INF 1: 2020-2019-2018", ["add", "INF 2 to 2021"], "INF 2: 2021"),
    ("INF 1: 2020-2019-2018", ["add", "INF 2 to 2020"], "INF 2: 2021-2020"),
    ("", ["INF 1 to 2018", "INF 2 to 2020"], "INF 2: 2021-2020"),
])
def test_path_is_found_behind_orders_on_file(on_file: str, lines: list[str], filed: str) -> None:
    found = position("FA6M", "FA INF 1 2021", "FA INF 2 2022")
    sheets = {moment("FA6M"): on_file} if on_file else {}
    told = read(found, "FA", *lines, sheets=sheets).verdicts[-1]
    assert told.filed == (filed,)


def test_path_of_a_corrected_line_uses_its_place() -> None:
    """INF 2 moves before INF 1 leaves 2021, so that the path leads around it."""
    found, now = position("FA6M", "FA INF 1 2021", "FA INF 2 2022"), moment("FA6M")
    on_file = {now: "INF 2 holds\nINF 1: 2020-2019"}
    filed = read(found, "FA", "add", "INF 2 to 2020", sheets=on_file)
    assert "2021" not in filed.sheets[now].splitlines()[0]


@pytest.mark.parametrize(("lines", "reason"), [
    (["INF 1 to 2018", "INF 2 to 2018"], ("ye46-goes", "INF 1")),
    (["INF 2 to 2019"], ("ye46-stands", "INF 3")),
    (["INF 5 and 4 to 1915"], ("ye46-goes", "INF 5")),
    (["INF 23-24 to 0118"], ("ye46-goes", "INF 23")),
    (["INF 2 to 0101"], ("ye09", "")),
])
def test_reason_of_a_missing_path_is_true(lines: list[str], reason: tuple[str, str]) -> None:
    found = position(
        "FA6M", "FA INF 1 2021", "FA INF 2 2022", "FA INF 3 2019", "FA INF 4 1916", "FA INF 5 2016"
    )
    complaint = read(found, "FA", *lines).verdicts[-1].complaint
    assert complaint
    assert (complaint.reason.code, complaint.reason.facts.get("other", "")) == reason


@pytest.mark.parametrize(("unit", "line", "code"), [
    ("FA CAV 1 1619", "CAV 1 to 1316", "ye08"),
    ("FA INF 3 1520", "INF 3 to 1509", "ye09"),
    ("FA INF 3 1523", "INF 3 to 1518", "ye11"),
])
def test_reason_of_a_closed_hex_is_given(unit: str, line: str, code: str) -> None:
    around = ("AP INF 9 1516", "AP INF 8 1317", "AP INF 7 1718", "AP INF 6 1419")
    found = position("FA6M", unit, *around)
    assert codes(read(found, "FA", line)) == [code]


def test_group_note_names_the_unit_that_misses_the_hex() -> None:
    found = position("FA6M", "FA INF 3 1820", "FA INF 4 1821")
    [verdict] = read(found, "FA", "INF 3 and INF 4 to 1818").verdicts
    notes = verdict.notes
    assert [note.code for note in notes] == ["way-found", "way-near"]
    assert notes[1].facts.items() >= {"unit": "INF 4", "at": "1818", "to": "1819"}.items()
    [verdict] = read(found, "FA", "INF 3 and INF 4 to 1809").verdicts
    assert {note.code for note in verdict.notes} == {"way-short"}


def test_move_to_the_own_hex_is_noted() -> None:
    told = read(position("FA6M", "FA ART 23 0317"), "FA", "ART 23 to 0317").verdicts[0]
    assert [note.code for note in told.notes] == ["yw03-entered"]


def test_reason_begins_with_a_whole_word() -> None:
    told = read(position("FA6M", *ARMY), "FA", "INF 3 attacks nothing").verdicts[0].complaint
    assert told and told.reason.facts["rest"] == "attacks nothing"


SUBJECTS = ["Weedon", "Knox", "Saintonge", "INF 3", "Washington", "our guns", "Infantry 7", "Wayne"]
DEEDS = ["holds", "attacks", "must not move", "fires", "to 1819", "in 1404", "enters", "is at 1620"]
TAILS = ["", "where it is", "because you asked me to", "again, I think", "as he said", "!", "maybe"]


@settings(max_examples=60)
@given(st.sampled_from(SUBJECTS), st.sampled_from(DEEDS), st.sampled_from(TAILS))
def test_unit_with_an_order_word_is_never_talk(subject: str, deed: str, tail: str) -> None:
    told = read(position("FA6M", *ARMY), "FA", f"{subject} {deed} {tail}").verdicts
    assert told and not any(verdict.ignored for verdict in told)


SOUP = (
    "all every infantry units guns French Washington Weedon Wayne's sappers INF 3 4 99 CMD 1 ART 2 "
    "FRIG 2 to 1819 1815 9999 attack attacks with and or retreat retreats hit leave losses cancel "
    "fires at builds redoubt in N holds stays move both advance done none boards lands exit W , : -"
).split()


@settings(max_examples=60)
@given(
    st.lists(st.sampled_from(SOUP), min_size=1, max_size=8),
    st.sampled_from(["FA0S", "FA6F", "FA6M", "AP6M"]),
)
def test_any_words_have_a_verdict(words: list[str], label: str) -> None:
    for side in ("FA", "AP"):
        told = read(position(label, *ARMY), side, " ".join(words), "add", "done").verdicts
        assert all(v.filed or v.notes or v.complaint or v.ignored or v.withdrawn for v in told)


UNITS = ["INF 51", "INF 99", "CAV 7", "ART 77", "PIO 9", "INF 28"]
REST = ["holds", "at 1815", "to 1819", "face N", "fires at 1815", "builds redoubt", "with INF 3",
        "to 0118", "enters 1524", "boards FRIG 1", ": 1621-1622"]  # fmt: skip
SCENE = (
    "FA INF 3 1620", "FA INF 4 1720", "FA INF 5 dead", "FA ART 2 1719", "FA PIO 1 2119 still=2",
    "FA CAV 1 1821", "FA CAV 21 dead", "AP INF 8 1815",
)


@settings(max_examples=60)
@given(st.sampled_from(UNITS), st.sampled_from(REST), st.sampled_from(["FA6F", "FA6M", "AP6M"]))
def test_suggested_line_is_filed_unchanged(unit: str, rest: str, label: str) -> None:
    found = position(label, *SCENE)
    for verdict in read(found, "FA", f"{unit} {rest}").verdicts:
        for line in verdict.complaint.suggestions if verdict.complaint else ():
            assert line.split()[0] == unit.split()[0]
            told = read(found, "FA", line).verdicts
            assert all(each.filed and not each.complaint for each in told)
            assert not any(note.code == "path-cut" for each in told for note in each.notes)


@pytest.mark.parametrize(("line", "lines"), [
    ("CAV 2 to 1820", ("CAV 1: 1820",)),
    ("INF 3 at 1621", ("INF 3: 1621",)),
    ("INF 3 at 1815", ()),
    ("INF 28 to 1621", ("INF 3: 1621", "INF 4: 1721-1621")),
    ("ART 99 to 1718", ("ART 2: 1718",)),
    ("attack 1815 with INF 51", ("attack 1815 with INF 3", "attack 1815 with INF 4")),
    ("INF 51 to 1719", ()),
])
def test_living_units_of_the_type_are_suggested(line: str, lines: tuple[str, ...]) -> None:
    told = read(position("FA6M", *SCENE), "FA", line).verdicts[0].complaint
    assert told and told.suggestions == lines


def test_free_entry_hexes_are_suggested() -> None:
    found = position("FA6M", "FA INF 1 1524", "FA INF 2 1424")
    told = read(found, "FA", "INF 3 enters 1523-1522").verdicts[0].complaint
    assert told and told.reason.code == "ye36"
    assert not {"1524", "1424"} & {*told.reason.facts["entries"]}  # type: ignore[misc]
