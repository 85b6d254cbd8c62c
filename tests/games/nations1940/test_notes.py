"""Notes on orders: odds against nations, land given away, excluded orders."""

import pytest

from judge.games.system import Viewer, ViewerRole
from judge.model.incoming import Line
from judge.phrases import phrasebook
from tests.games.nations1940.test_rules import rules
from tests.games.nations1940.test_table import table


def notes(before: tuple[str, ...], orders: tuple[str, ...], language: str = "en") -> str:
    """Return the notes on the orders of Danubia, as text."""
    lines = [Line(number, text) for number, text in enumerate(orders, 1)]
    read = table(*before).read_orders(lines, "Danubia", {})
    assert not [one.complaint for one in read.lines if one.complaint]
    say = phrasebook("nations1940", language).render
    return " ".join(say(note) for one in read.lines for note in one.notes)


@rules("N-46", "N-156", "N-160")
@pytest.mark.parametrize(("before", "orders", "told"), [
    (("#34 armies=DAN:3", "#25 armies=OTT:2"), ("WAR OTT", "MOVE 3 #34 -> #25"),
     ["#25 Istanbul (Turkey): you see 2 armies (+1 HQ).",
      "to take it with 3 armies from #34 Salonika, if no one else moves there: 40%."]),
    (("#34 armies=DAN:3", "#25 armies=OTT:2", "OTT techs=Defence"),
     ("WAR OTT", "MOVE 3 #34 -> #25"), ["you see 2 armies (+1 HQ)"]),
    (("#34 armies=DAN:3", "#25 armies=OTT:0"), ("WAR OTT", "MOVE 3 #34 -> #25"),
     ["you see no army there. You take it without a fight if none arrives."]),
    # A joint attack has one note.
    (("#34 armies=DAN:2", "#37 owner=DAN neutral=0 armies=DAN:1"),
     ("WAR OTT", "MOVE 2 #34 -> #25", "MOVE 1 #37 -> #25"),
     ["2 armies from #34 Salonika and 1 army from #37 Bulgaria"]),
    ((), ("GIVE #34 TO OTT",),
     ["You give #34 Salonika to Turkey for nothing, with everything built there."]),
    (("DAN techs=Sonar",), ("GIVE #34, #36, Sonar TO OTT",),
     ["You give #34 Salonika and #36 Macedonia to Turkey for nothing"]),
])  # fmt: skip
def test_notes_on_orders(before: tuple[str, ...], orders: tuple[str, ...], told: list[str]) -> None:
    found = notes(before, orders)
    assert all(part in found for part in told), found
    assert found.count("W-ODDS") <= 1


def test_notes_in_german() -> None:
    assert "Du gibst #34 Salonika umsonst an Türkei" in notes((), ("GIVE #34 TO OTT",), "de")


def test_excluded_orders_are_not_among_possible_ones() -> None:
    at = table("#69 armies=DAN:2")
    first = at.read_orders([Line(1, "BUILD HQ 69")], "Danubia", {}).sheets
    sheets = at.read_orders([Line(1, "MOVE 2 #69 -> #37")], "Danubia", first).sheets
    shown = at.show_sheet("Danubia", sheets["Danubia"])
    assert [one.code for one in shown.impossible] == ["e-army-hq"]
    assert not [one for one in shown.warnings if one.code.startswith("e-")]


@rules("N-160")
def test_options_show_odds_and_every_kind_of_order() -> None:
    """A war on file permits attacks, as it does for orders."""
    at = table("#34 armies=DAN:3", "#25 armies=OTT:2", "DAN techs=Sonar")
    sheets = at.read_orders([Line(1, "WAR OTT")], "Danubia", {}).sheets
    found = at.menus("Danubia", "", sheets)
    assert isinstance(found, tuple)
    say = phrasebook("nations1940").render
    odds = " ".join(say(one.note) for one in found if one.note)
    assert "#25 Istanbul" in odds
    verbs = {text.split()[0] for menu in found for text in menu.orders}
    assert verbs >= {"MOVE", "BUILD", "RESEARCH", "TREATY", "WAR", "SPAWN", "SHED", "HOLD",
                     "DISBAND", "GIVE", "DEAL"}
    assert at.position_facts(Viewer(ViewerRole.POWER, "Danubia"))


@pytest.mark.parametrize(("armies", "is_noted"), [(9, True), (9999, False)])
def test_odds_of_large_armies_are_computed_quickly(armies: int, is_noted: bool) -> None:
    found = notes(
        (f"#34 armies=DAN:{armies}", f"#36 armies=DAN:{armies} mobile_hq=DAN:1",
         f"#69 armies=DAN:{armies} improvements=AIR,HQ", f"#38 armies=DAN:{armies}",
         f"#37 owner=OTT neutral=0 armies=OTT:{armies}"),
        ("WAR OTT", "MOVE ALL #34 -> #37", "MOVE ALL #36 -> #37", "MOVE ALL #69 -> #37",
         "MOVE ALL #38 -> #37"),
    )  # fmt: skip
    assert ("W-ODDS" in found) == is_noted
