"""The order language of Nations 1940: forms, names and typing errors."""

import pytest

from judge.games.nations1940.language.lexicon import lexicon
from judge.games.nations1940.language.reading import NationsReading, read_lines
from judge.games.nations1940.rules.orders import (
    dump_order,
    load_order,
    order_text,
)
from judge.games.nations1940.rules.settings import Settings
from judge.games.nations1940.rules.world import World
from judge.model.incoming import Line
from tests.games.nations1940.board_of_cases import BOARD, MAP, laid_out
from tests.games.nations1940.test_rules import rules

SETTINGS = Settings()
STRONG = (
    "UKR techs=Mechanized;Nuclear_Missiles;Sonar", "WAR UKR GER", "PACT UKR DAN",
    "#20 armies=UKR:9 improvements=ACA,FOR,RAI,AIR,SIL mobile_hq=UKR:1", "#19 improvements=RAI,FOR",
    "#21 improvements=ACA,RAI", "#24 improvements=ACA,POR,RAI armies=UKR:2 fleets=UKR:2",
    "S23 UKR:2", "#46 improvements=AIR", "NAP UKR EGY",
)  # fmt: skip


def read(
    *texts: str, nation: str = "UKR", turn: int = 14, lines: tuple[str, ...] = STRONG
) -> NationsReading:
    """Read lines of a mail."""
    world = World(BOARD, laid_out(lines, turn, SETTINGS), SETTINGS)
    numbered = [Line(number, text) for number, text in enumerate(texts, 1)]
    return read_lines(world, lexicon(MAP), nation, numbered, ())


FORMS = [
    ("MOVE 2 #20 -> Kharkov -> Rostov", "MOVE 2 #20 Kiev -> #21 Kharkov -> #23 Rostov"),
    ("m kiev to minsk", "MOVE 1 #20 Kiev -> #19 Minsk"),
    ("M ALL Kiev - Minsk", "MOVE ALL #20 Kiev -> #19 Minsk"),
    ("M 1 20-21", "MOVE 1 #20 Kiev -> #21 Kharkov"),
    ("MOVE 1 #24 -> Georgia VIA S23", ""),
    ("M HQ #20 -> #21", "MOVE HQ #20 Kiev -> #21 Kharkov"),
    ("RAIL 2 Crimea -> Minsk", "RAIL 2 #24 Crimea -> #21 Kharkov -> #20 Kiev -> #19 Minsk"),
    ("R HQ 20 -> 19", "RAIL HQ #20 Kiev -> #19 Minsk"),
    ("H #20", "HOLD #20 Kiev"),
    ("F 2 #24 -> S22", "FLEET 2 #24 Crimea -> S22 Western Black Sea"),
    ("FLEET 1 Eastern -> Sea_of_Azov", "FLEET 1 S23 Eastern Black Sea -> S24 Sea of Azov"),
    ("ESCORT 1 S23 #30 -> #24 FOR DAN", "ESCORT 1 S23 #30 Georgia -> #24 Crimea FOR DAN"),
    ("E Eastern Black Georgia -> Crimea FOR Danubia",
     "ESCORT 1 S23 #30 Georgia -> #24 Crimea FOR DAN"),
    ("MISSILE 2 \"North Germany\"", "MISSILE 2 #50 North Germany"),
    ("MISSILE 1 north_germany", "MISSILE 1 #50 North Germany"),
    ("BUILD ACADEMY #19", "BUILD ACA #19 Minsk"),
    ("BU RAI 23, 44", "BUILD RAI #23 Rostov|BUILD RAI #44 Lwow"),
    ("BUILD AA Batteries Kiev", "BUILD AAB #20 Kiev"),
    ("BUILD missile silo minsk", "BUILD SIL #19 Minsk"),
    ("DISMANTLE FORT #19", "DISMANTLE FOR #19 Minsk"),
    ("FORM HQ #20", "FORM HQ #20 Kiev"),
    ("COMMISSION Crimea", "COMMISSION #24 Crimea"),
    ("SC 1 #24", "SCUTTLE 1 #24 Crimea"),
    ("DISBAND 1 #20", "DISBAND 1 #20 Kiev"),
    ('RESEARCH Defence, "Anti-Tank Guns", Oil',
     'RESEARCH "Defence in Depth", "Anti-Tank Guns", "Oil-Fired Turbines"'),
    ('RE Assembly, electricdiesel trains',
     'RESEARCH "Assembly Lines", "Electric&Diesel Trains"'),
    ("SPAWN #21, #19", "SPAWN #21 Kharkov, #19 Minsk"),
    ("SHED 44", "SHED #44 Lwow"),
    ("WAR Italy", "WAR ITA"),
    ("TREATY EXCHANGE EGY", "TREATY EXCHANGE EGY"),
    ("T Non-Aggression Treaty Kingdom of Denmark", ""),
    ("T non-aggression pact Kalmar", "TREATY NAP KAL"),
    ("CANCEL NAP egypt", "CANCEL NAP EGY"),
    ("GIVE #23, Sonar TO EGY", "GIVE #23 Rostov, \"Sonar\" TO EGY"),
    ('DEAL EGY GIVE #23 FOR "Defence in", #83',
     'DEAL EGY GIVE #23 Rostov FOR "Defence in Depth", #83 Tobruk'),
    ("> MOVE 1 20 -> 21", ""),
]  # fmt: skip


@rules("N-150", "N-152", "N-153", "N-155")
@pytest.mark.parametrize(("text", "filed"), FORMS)
def test_every_form_is_filed_in_its_standard_text(text: str, filed: str) -> None:
    reading = read(text)
    found = "|".join(reading.verdicts[0].filed)
    if text.startswith("M ALL"):
        filed = filed.replace("ALL", "9")
    assert found == filed, reading.verdicts[0].complaint
    for order in reading.orders:
        assert load_order(dump_order(order)) == order
        assert read(order_text(order, BOARD)).orders == (order,)


EXAMPLE = """
ORDERS n40a T14
WAR DAN                     ; immediate
M 3 Lwow -> Transylvania    ; over the Tatar Pass, -1
M 1 #20 -> #40
F 1 S22 -> S23
BU ACA 19, BU FAC 21, BU RAI 20
RE "Medium Tanks", Mechanized Inf   ; "Mech" would be ambiguous
T NAP RUS, T EXCHANGE RUS
READY
END
"""


@rules("N-151", "N-154", "N-155")
def test_the_example_of_the_specification() -> None:
    lines = ("#44 armies=UKR:3", "S22 UKR:1", "UKR techs=Submachine;Motorized")
    reading = read(*EXAMPLE.strip().splitlines(), lines=lines)
    assert [one.complaint for one in reading.verdicts if one.complaint] == []
    assert [order_text(order, BOARD) for order in reading.orders] == [
        "WAR DAN", "MOVE 3 #44 Lwow -> #39 Transylvania", "MOVE 1 #20 Kiev -> #40 Bessarabia",
        "FLEET 1 S22 Western Black Sea -> S23 Eastern Black Sea", "BUILD ACA #19 Minsk",
        "BUILD FAC #21 Kharkov", "BUILD RAI #20 Kiev",
        'RESEARCH "Medium Tanks", "Mechanized Infantry"', "TREATY NAP RUS", "TREATY EXCHANGE RUS",
    ]  # fmt: skip
    assert reading.ready is True


WRONG = [
    ("M 1 al -> 20", "e-ambiguous", ()),
    ("M 1 Kyjiw -> Minsk", "e-unknown-province", ()),
    ("F 1 S99 -> S23", "e-unknown-place", None),
    ("WAR Grmni", "e-unknown-nation", ("WAR German",)),
    ("RE Rdr", "e-unknown-near", ()),
    ("BUILD Acdmi 20", "e-unknown-kind", ()),
    ("RE Mech", "e-ambiguous", ()),
    ("biuld FAC 20", "e-syntax-shape", ("BUILD FAC #20 Kiev",)),
    ("MOVE 1 20", "e-syntax-like", ()),
    ("MOVE", "e-syntax-form", ()),
    ("TREATY DEAL EGY", "e-syntax-plain", ()),
    ("CANCEL PEACE EGY", "withdraw-peace", ("WAR EGY",)),
    ("MOVE 1 24 VIA S23", "e-syntax-like", ()),
    ("ESCORT 1 nowhere -> 20 FOR DAN", "e-syntax-shape", ()),
    ("EGY: HOLD 20", "e-owner-nation", ()),
    ("MOVE 99 20 -> 21", "e-count-army", ()),
    ("MOVE 1 88 -> 21", "e-owner-army", ()),
    ("FLEET 3 24 -> S22", "e-count-fleet", ()),
    ("WITHDRAW PACT EGY", "e-treaty-open", ()),
]


ALREADY_SO = [
    ("WAR GER", "w-treaty-war"),
    ("TREATY NAP EGY", "w-treaty-there"),
    ("TREATY PACT DAN", "w-treaty-there"),
    ("TREATY PEACE EGY", "w-treaty-peace"),
]


@rules("N-101", "N-157")
@pytest.mark.parametrize(("text", "code"), ALREADY_SO)
def test_redundant_order_is_a_note(text: str, code: str) -> None:
    reading = read("ORDERS", text, "READY")
    verdict = reading.verdicts[1]
    assert [note.code for note in verdict.notes] == [code]
    assert (verdict.complaint, verdict.filed, verdict.ignored) == (None, [], False)
    assert (reading.orders, reading.ready) == ((), True)


REPEATED = [
    "RESEARCH Defence in Depth", "SPAWN #21", "SHED #21", "HOLD #20", "TREATY NAP RUS",
    "GIVE #23 TO EGY", "DEAL EGY GIVE #23 FOR #83", "BUILD FAC #20",
]


@rules("N-151", "N-157")
@pytest.mark.parametrize("text", REPEATED)
def test_repeated_order_is_filed_once(text: str) -> None:
    """A running order or one on file may be given again."""
    world = World(BOARD, laid_out(STRONG, 14, SETTINGS), SETTINGS)
    world.reform("UKR", queue=("Defence in Depth",), spawn_order=(21,), shed_order=(21,))
    on_file = read(text).orders
    reading = read_lines(world, lexicon(MAP), "UKR", [Line(1, text)], on_file)
    assert len(on_file) == 1 and reading.verdicts[0].complaint is None
    assert reading.orders == on_file


@rules("N-152", "N-153", "N-157", "N-158")
@pytest.mark.parametrize(("text", "code", "suggested"), WRONG)
def test_a_wrong_line_is_refused(text: str, code: str, suggested: tuple[str, ...] | None) -> None:
    verdict = read("ORDERS", text).verdicts[1]
    assert verdict.complaint and verdict.complaint.reason.code == code
    if suggested is not None:
        assert verdict.complaint.suggestions == suggested


@rules("N-101", "N-102", "N-157")
def test_a_treaty_with_an_enemy_of_the_same_mail_is_refused() -> None:
    reading = read("ORDERS", "WAR DAN", "TREATY NAP DAN", "TREATY NAP RUS", "END")
    codes = [one.complaint.reason.code for one in reading.verdicts if one.complaint]
    assert codes == ["e-treaty-war-ordered"]
    assert [order_text(order, BOARD) for order in reading.orders] == ["WAR DAN", "TREATY NAP RUS"]


@rules("N-152")
def test_the_verb_selects_land_or_sea_names() -> None:
    assert read("MOVE 1 20 -> alb").verdicts[0].complaint.reason.code == "e-adj"  # type: ignore
    names = read("M 1 al -> 20").verdicts[0].complaint.reason.facts["names"]  # type: ignore
    assert names == ("#35 Albania", "#54 Alsace", "#79 Algiers", "#84 Alexandria")


@rules("N-151")
def test_a_block_replaces_orders_and_a_plus_adds() -> None:
    world = World(BOARD, laid_out(STRONG, 14, SETTINGS), SETTINGS)
    on_file = read("MOVE 1 20 -> 21", "RE Defence").orders

    def after(*texts: str) -> list[str]:
        lines = [Line(number, text) for number, text in enumerate(texts, 1)]
        reading = read_lines(world, lexicon(MAP), "UKR", lines, on_file)
        return [order_text(order, BOARD).split()[0] for order in reading.orders]

    assert after("ORDERS n40a T14", "HOLD 20", "END") == ["HOLD"]
    assert after("ORDERS+ n40a", "HOLD 20", "END") == ["MOVE", "RESEARCH", "HOLD"]
    assert after("HOLD 20") == ["MOVE", "RESEARCH", "HOLD"]
    assert after("ORDERS n40a T13", "HOLD 20", "END") == ["MOVE", "RESEARCH"]
    assert after("RE Sonarr") == ["MOVE", "RESEARCH"]
    assert after("RE Electronics") == ["MOVE", "RESEARCH"]


@rules("N-151", "N-157")
def test_a_block_for_another_turn_is_ignored() -> None:
    reading = read("ORDERS n40a T13", "HOLD 20", "READY", "END", "HOLD 20")
    codes = [one.complaint.reason.code if one.complaint else "" for one in reading.verdicts]
    assert codes == ["e-turn-other", "e-turn-other", "e-turn-other", "", ""]
    assert reading.ready is None and len(reading.orders) == 1


@rules("N-157")
def test_prose_without_a_block_is_no_order() -> None:
    assert read("Hello there, dear judge").verdicts[0].ignored
    assert not read("ORDERS", "Something else").verdicts[1].ignored


@pytest.mark.parametrize(
    "text", ["", ";", "END", "-", "\"", "MOVE \"", "M 1 # -> #", "999999999 -> 1"]
)
def test_any_text_is_read_without_an_exception(text: str) -> None:
    read("ORDERS", text, "END")


@rules("N-152", "N-157")
@pytest.mark.parametrize(("text", "suggested"), [
    ("research trains", 'RESEARCH "Assembly Lines", "Electric&Diesel Trains"'),
    ("Research tanks",
     'RESEARCH "Submachine Guns", "Motorized Logistics", "Medium Tanks"'),
    ("research computers", 'RESEARCH "Electronics", "Early Computers"'),
    ("RESEARCH jets, Radar", 'RESEARCH "Monoplane Fighters", "Radar", "Jet Engines"'),
    ("For Alexandria:", "BUILD FOR ALEXANDRIA"),
    # The prerequisites are put first.
    ("RESEARCH Electric&Diesel Trains", 'RESEARCH "Assembly Lines", "Electric&Diesel Trains"'),
])  # fmt: skip
def test_name_within_a_longer_one_is_suggested(text: str, suggested: str) -> None:
    refused = read(text, nation="EGY").verdicts[0].complaint
    assert refused and suggested in refused.suggestions


@rules("N-102", "N-109", "N-157")
@pytest.mark.parametrize(("lines", "filed"), [
    (("OFFER NAP DAN UKR",), ["TREATY NAP DAN"]),
    (("OFFER NAP DAN UKR", "OFFER EXCHANGE DAN UKR"), []),
    ((), []),
])
def test_the_only_open_offer_is_accepted(lines: tuple[str, ...], filed: list[str]) -> None:
    verdict = read("Accept Danubia's offer", lines=lines).verdicts[0]
    assert verdict.filed == filed and bool(verdict.complaint) is not bool(filed)
    assert not verdict.ignored


@rules("N-157")
@pytest.mark.parametrize(("text", "form"), [
    ("MOVE 2 Crimea 20", "#20 Kiev"),
    ("Bewege 2 Armeen von Kiev nach Minsk", "#20 Kiev"),
    ("GIVE #23 Sonar", ""),
    ("Baue Eisenbahnen in Kharkov", "BUILD RAI #21 Kharkov"),
])
def test_an_example_matches_the_refused_line(text: str, form: str) -> None:
    refused = read("ORDERS", text, lines=()).verdicts[1].complaint
    assert refused
    is_shape = refused.reason.code.endswith(("shape", "plain"))
    assert form in str(refused.reason.facts["form"]) and is_shape is not bool(form)


@rules("N-101", "N-109", "N-157")
def test_a_refused_deal_names_the_missing_tech_before_the_war() -> None:
    lines = ("DEAL EGY GIVE Oil FOR #83", "DEAL EGY GIVE #23 FOR #83", "WAR EGY", "CANCEL NAP EGY")
    reading = read(*lines)
    codes = [one.complaint.reason.code for one in reading.verdicts if one.complaint]
    assert codes == ["e-tech", "e-treaty-war-ordered"]
    notes = [note.code for one in reading.verdicts for note in one.notes]
    assert notes == ["w-war-ends", "w-treaty-ended"]


REPLACING = [
    ("MOVE 9 20 -> 21", "MOVE 9 20 -> 21", ["MOVE 9 #20 Kiev -> #21 Kharkov"]),
    ("MOVE ALL 20 -> 21", "MOVE 2 Kiev -> Kharkov", ["MOVE 2 #20 Kiev -> #21 Kharkov"]),
    ("MOVE 5 20 -> 21", "MOVE ALL 20 -> 19", ["MOVE 9 #20 Kiev -> #19 Minsk"]),
    ("MOVE 9 20 -> 21", "RAIL 3 20 -> 21", ["RAIL 3 #20 Kiev -> #21 Kharkov"]),
    ("MOVE 9 20 -> 21", "HOLD 20", ["HOLD #20 Kiev"]),
    ("FLEET 2 24 -> S22", "FLEET 2 24 -> S23", ["FLEET 2 #24 Crimea -> S23 Eastern Black Sea"]),
    ("MOVE 5 20 -> 21", "MOVE 2 20 -> 21",
     ["MOVE 5 #20 Kiev -> #21 Kharkov", "MOVE 2 #20 Kiev -> #21 Kharkov"]),
    ("MOVE 9 20 -> 21", "MOVE 2 20 -> 19", ["MOVE 9 #20 Kiev -> #21 Kharkov"]),
    ("MOVE 9 20 -> 21", "MOVE 9 20 -> 88", ["MOVE 9 #20 Kiev -> #21 Kharkov"]),
]


@rules("N-151", "N-157")
@pytest.mark.parametrize(("before", "text", "filed"), REPLACING)
def test_later_order_for_the_same_units_counts(before: str, text: str, filed: list[str]) -> None:
    world = World(BOARD, laid_out(STRONG, 14, SETTINGS), SETTINGS)
    on_file = read(before).orders
    reading = read_lines(world, lexicon(MAP), "UKR", [Line(1, text)], on_file)
    assert [order_text(order, BOARD) for order in reading.orders] == filed
    is_replaced = any(note.code == "w-replaced" for note in reading.verdicts[0].notes)
    is_same = filed == [order_text(order, BOARD) for order in on_file]
    assert is_replaced is (len(filed) == 1 and not is_same)


@rules("N-151", "N-157")
def test_refusal_for_ordered_units_shows_how_to_withdraw() -> None:
    world = World(BOARD, laid_out(STRONG, 14, SETTINGS), SETTINGS)
    on_file = read("MOVE 9 20 -> 21").orders
    lines = [Line(1, "MOVE 2 20 -> 19")]
    refused = read_lines(world, lexicon(MAP), "UKR", lines, on_file).verdicts[0].complaint
    assert refused and refused.reason.code == "e-count-army-none"
    assert refused.suggestions == ("WITHDRAW MOVE 9 #20 Kiev -> #21 Kharkov",)
    again = [Line(1, refused.suggestions[0]), *lines]
    reading = read_lines(world, lexicon(MAP), "UKR", again, on_file)
    filed = [order_text(order, BOARD) for order in reading.orders]
    assert filed == ["MOVE 2 #20 Kiev -> #19 Minsk"]


@rules("N-88", "N-90", "N-151")
@pytest.mark.parametrize(("text", "queue", "notes"), [
    ("Research Assembly Lines first", ("Assembly Lines", "Submachine Guns"), ["w-queue-later"]),
    ("Research first: Assembly Lines", ("Assembly Lines", "Submachine Guns"), ["w-queue-later"]),
    ("Research Assembly Lines", ("Assembly Lines",), ["w-queue-gone"]),
    ("Research Submachine Guns, Assembly Lines", ("Submachine Guns", "Assembly Lines"), []),
])
def test_change_of_the_project_in_progress(
    text: str, queue: tuple[str, ...], notes: list[str]
) -> None:
    world = World(BOARD, laid_out((), 14, SETTINGS), SETTINGS)
    world.reform("UKR", queue=("Submachine Guns",), progress={"Submachine Guns": 18})
    reading = read_lines(world, lexicon(MAP), "UKR", [Line(1, text)], ())
    assert [getattr(one, "techs", None) for one in reading.orders] == [queue]
    assert [note.code for note in reading.verdicts[0].notes] == notes


@rules("N-24", "N-25")
def test_spawn_notes_provinces_without_headquarters() -> None:
    verdict = read("SPAWN #21, #19", lines=("#21 improvements=HQ",)).verdicts[0]
    assert verdict.filed and [note.code for note in verdict.notes] == ["w-spawn-hq"]
    assert verdict.notes[0].facts["places"] == ("#19 Minsk",)
