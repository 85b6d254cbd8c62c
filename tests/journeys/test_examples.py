"""Example lines in help topics work in the open game."""

import re

import pytest

from judge.games import find_system
from tests.journeys.rig import Rig, text_of

GM = "gm@example.org"
GAMES = {"siege": "yorktown", "trip": "nations1940", "yuma": "youngstown"}
LINE = re.compile(r"^ {4}(.+?)(?: {2,}.*)?$", re.M)


@pytest.fixture(scope="module")
def rig() -> Rig:
    made = Rig()
    for name, played in GAMES.items():
        made.mail(GM, f"CREATE ?{name} gmsecret {played}\nSTART")
    # Nations have no orders but diplomacy before Turn 1.
    made.mail(GM, "SIGNON Mtrip gmsecret\nPROCESS T0")
    return made


def read_examples(rig: Rig, name: str, topic: str) -> list[str]:
    """Return the example lines of a topic, shown to the master of a game."""
    rig.mail(GM, f"SIGNON M{name} gmsecret\nHELP {topic}")
    return LINE.findall(text_of(rig.newest[GM]))


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("topic", ["MASTER", "TURNING", "MAP"])
def test_phases_in_help_are_phases_of_the_game(rig: Rig, name: str, topic: str) -> None:
    game = rig.application.games.find(name)
    assert game
    labels = [
        word
        for line in read_examples(rig, name, topic)
        for word in re.findall(r"\b[A-Z]{1,2}\d+[A-Z]?\b", line)
    ]
    assert labels and {find_system(game.system).find_phase(label) for label in labels} == {*labels}


@pytest.mark.parametrize("name", GAMES)
def test_press_in_help_addresses_powers_of_the_game(rig: Rig, name: str) -> None:
    lines = [line for line in read_examples(rig, name, "PRESS") if line.startswith("PRESS TO ")]
    assert len(lines) > 3
    for line in lines:
        rig.mail(GM, f"SIGNON M{name} gmsecret\n{line}\nHello.\nENDPRESS")
        assert "is not a power of" not in text_of(rig.newest[GM]), line


@pytest.mark.parametrize("name", GAMES)
def test_orders_in_help_are_orders_of_the_game(rig: Rig, name: str) -> None:
    rig.mail(GM, f"SIGNON M{name} gmsecret\nHELP MASTER")
    told = text_of(rig.newest[GM])
    found = re.search(r"You may order any unit: (.+?), or just (.+?)\.\s", told, re.DOTALL)
    assert found
    for line in found.groups():
        rig.mail(GM, f"SIGNON M{name} gmsecret\n{' '.join(line.split())}")
        assert "refused" not in str(rig.newest[GM]["Subject"]), line


@pytest.mark.parametrize("name", GAMES)
def test_bots_help_shows_lines_of_the_game(rig: Rig, name: str) -> None:
    lines = [line.strip() for line in read_examples(rig, name, "BOTS")]
    system = GAMES[name] if name != "yuma" else "standard"
    assert f"CREATE ?marco yourpassword {system}" in lines
    for line in lines:
        if line.startswith("BOT "):
            rig.mail(GM, f"SIGNON M{name} gmsecret\n{line}")
            assert "refused" not in str(rig.newest[GM]["Subject"]), line
