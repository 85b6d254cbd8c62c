"""The length of results letters of Nations 1940 in a turn with many fights."""

from datetime import timedelta

from tests.journeys.rig import Rig, same_dice, text_of

GM, ANN = "gm@example.org", "ann@example.org"
MAX_LINES = 127
OWN = """
WAR BRI
MOVE 2 #50 -> #7
MOVE 1 #50 -> #52
MOVE 1 #49 -> #48
MOVE 1 #45 -> #18
BUILD RAI #46, BUILD FAC #47, BUILD ACA #50
RESEARCH Sonar
"""
OTHERS = """
BUR: MOVE ALL #59 -> #60
BUR: MOVE ALL #51 -> #53
DAN: MOVE ALL #38 -> #37
KAL: MOVE ALL #8 -> #6
RUS: MOVE ALL #87 -> #16
UKR: MOVE ALL #44 -> #43
CAS: MOVE ALL #74 -> #72
"""


def test_letter_of_ten_battles_is_short() -> None:
    with same_dice():
        rig = Rig()
        rig.mail(GM, "CREATE ?long gmsecret nations1940\nSTART")
    rig.mail(ANN, "TAKEOVER GER@long annsecret")
    rig.mail(GM, "SIGNON Mlong gmsecret\nPROCESS T0")
    rig.mail(ANN, f"SIGNON GER@long annsecret\n{OWN}")
    rig.mail(GM, f"SIGNON Mlong gmsecret\n{OTHERS}")
    rig.clock.set(rig.clock.now() + timedelta(days=3))
    rig.run()
    text = text_of(rig.newest[ANN])
    rig.close()
    lines = text.splitlines()
    assert sum("impulse 1:" in line for line in lines) >= 10, text
    assert len(lines) <= MAX_LINES, text


def test_master_reads_the_nation_before_each_order() -> None:
    rig = Rig()
    rig.mail(GM, "CREATE ?long gmsecret nations1940\nSTART")
    rig.mail(GM, "SIGNON Mlong gmsecret\nPROCESS T0")
    rig.mail(GM, f"SIGNON Mlong gmsecret\n{OTHERS}\nPROCESS T1")
    text = text_of(rig.newest[GM])
    rig.close()
    assert "Kalmar: MOVE 1 #8 Gotaland -> #6 Norway" in text or "Castile: MOVE 3" in text
    assert "\nMOVE" not in text
