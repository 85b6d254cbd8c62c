"""SETUP of Yorktown: positions described by a master's lines."""

from dataclasses import replace

import pytest

from judge.dice import derive_die
from judge.games import find_system
from judge.games.yorktown.bots import bot_orders
from judge.games.yorktown.language.arranging import Arranger, arrangement
from judge.games.yorktown.language.sheets import standing_in_force, write_standing
from judge.games.yorktown.rules.state import blank, dump, load
from judge.games.yorktown.rules.turn import YorktownRules, play_step
from judge.games.yorktown.table import YorktownTable
from judge.model.incoming import Line
from tests.games.yorktown.test_reading import position
from tests.journeys.rig import Rig, text_of

GM, ANN = "gm@example.org", "ann@example.org"


def lines(*texts: str) -> list[Line]:
    """Return numbered lines."""
    return [Line(number, text) for number, text in enumerate(texts, 1)]


@pytest.mark.slow
def test_the_lines_of_each_position_restore_it() -> None:
    found = blank()
    for _ in range(40):
        arranger = Arranger(blank())
        read = arranger.read(lines(*arrangement(found)))
        assert not [line.complaint for line in read if line.complaint]
        assert arranger.position == found
        played = play_step(
            found, bot_orders(found), {}, YorktownRules(), lambda k: derive_die("setup", k)
        )
        found = played.after


@pytest.mark.parametrize(("line", "code"), [
    ("FA INF 3 at 1520 face N", ""), ("FA INF 3 at 1520 face N half 7", ""),
    ("AP FRIG 1 at 1508 1608 aground", ""), ("AP INF 5 aboard FRIG 1", ""),
    ("FA CMD 1 with INF 4", ""), ("REDOUBT 1717 9", ""), ("NO REDOUBT 1520", ""),
    ("FA STANDING retreat all S", ""), ("FA STANDING none", ""), ("PHASE AP6F", ""),
    ("clear", ""), ("FA INF 3 dead", ""),
    ("PHASE S1901M", "setup-no-step"), ("FA INF 99 at 1520", "ye02-theirs"),
    ("FA INF 3 at 9999", "setup-no-place"), ("FA INF 3 at 1520 glad", "setup-no-word"),
    ("FA STANDING dance", "setup-no-standing"), ("Who is there?", "setup-unread"),
    ("FA INF 3 at 1508", "ye09"), ("FA INF 3 at 1612", "ye06"),
    ("AP FRIG 1 at 1508 1708", "ye29-water"), ("FA INF 3 with INF 4", "ye38"),
])
def test_line_is_carried_out_or_refused(line: str, code: str) -> None:
    found = position("FA6M", "FA INF 4 1620", "AP INF 9 1612", "AP FRIG 1 1808 1809")
    (read,) = Arranger(found).read(lines(line))
    assert (read.complaint.reason.code if read.complaint else "") == code


def test_a_table_lists_its_setup_lines() -> None:
    found = position("FA6M", "FA INF 4 1620 N", "AP INF 9 1612")
    table = find_system("yorktown").table("yorktown", dump(found), {})
    assert isinstance(table, YorktownTable)
    assert "FA INF 4 at 1620 face N" in table.setup_lines()
    made = table.set_up_position(lines("FA INF 4 at 1520"))
    assert load(made.position).units["FA-INF4"].at == "1520"


@pytest.mark.parametrize("language", ["en", "de"])
def test_master_sets_a_position_up_by_mail(language: str) -> None:
    rig = Rig()
    rig.mail(GM, f"REGISTER\nLanguage: {language}\nENDREGISTER")
    rig.mail(GM, "CREATE ?siege gmsecret yorktown\nSTART")
    rig.mail(GM, "SIGNON Msiege gmsecret\nHELP SETUP")
    assert "FA INF 3 at 1520 face N" in text_of(rig.boxes[GM][-1])
    rig.mail(GM, "SIGNON Msiege gmsecret\nSETUP AP6F\nFA INF 3 at 1520 face N\n"
             "AP INF 9 at 1612\nAP ART 1 at 1512\nENDSETUP")
    shown = text_of(rig.boxes[GM][-1])
    word = shown.split("SETUP ")[-1].split()[0]
    rig.mail(GM, f"SIGNON Msiege gmsecret\nSETUP {word}")
    found = rig.application.games.find("siege")
    assert found and found.phase == "AP6F"
    rig.close()


def test_a_finished_game_becomes_a_private_board() -> None:
    rig = Rig()
    rig.mail(GM, "CREATE ?siege gmsecret yorktown\nSTART")
    rig.mail(GM, "SIGNON Msiege gmsecret\nPROCESS AP0S")
    rig.mail(GM, "SIGNON Msiege gmsecret\nTERMINATE siege FA0S\nFORK")
    assert "siegex1" in "\n".join(map(text_of, rig.boxes[GM]))
    rig.close()


def test_standing_orders_of_lost_units_are_void() -> None:
    found = position("FA6M", "FA INF 3 1620", "FA INF 4 dead", "FA CMD 1 dead")
    lines = (
        "retreat INF 4 to 1917", "retreat INF 3 to 1621", "hit CMD 1 leave INF 3", "losses INF 4",
        "losses INF 4 INF 3", "hit CMD 21 leave INF 4", "retreat all S",
    )
    kept = write_standing(standing_in_force(replace(found, standing={"FA": lines}), "FA"))
    assert kept == ("retreat INF 3 to 1621", "losses INF 3", "retreat all S")
