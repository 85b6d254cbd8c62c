"""Refused order lines: their effect on the phase, and the ways to settle them."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from judge.config import Config, StoreSection
from tests.journeys.rig import Rig, squeeze_text, text_of

ANN = "ann@example.org"
FILED = "A Par - Bur\nA Mar - Spa\nF Bre - MAO"
REFUSED = f"{FILED}\nA Par - Lon"


@pytest.fixture(scope="module")
def begun() -> Iterator[Rig]:
    """A game of Diplomacy with Ann as France and bots as all others."""
    config = Config(store=StoreSection("sqlite:///:memory:"))
    made = Rig(replace(config, policy=replace(config.policy, confirm="false")))
    made.mail(ANN, "CREATE ?marco annsecret standard\nSET PREFERENCE France\nSTART WITH BOTS")
    yield made
    made.close()


def is_over(rig: Rig) -> bool:
    """Return whether the first phase was adjudicated after all orders arrived."""
    marco = rig.application.games.find("marco")
    assert marco
    return marco.phase != "S1901M"


@pytest.mark.parametrize(("mails", "over"), [
    ([FILED], True),
    ([f"{FILED}\nmy army Munich dances"], False),
    ([f"{FILED}\nSee you in London"], True),
    ([REFUSED], False),
    ([REFUSED, "A Mar - Spa"], True),
    ([REFUSED, "A Mar - Mun"], False),
    ([REFUSED, "Thanks for the game"], False),
    ([REFUSED, "DROP"], True),
    ([REFUSED, "READY"], True),
    ([f"{REFUSED}\nDROP"], True),
    ([f"{REFUSED}\nREADY"], False),
    ([f"{REFUSED}\nREADY", "READY"], True),
    (["army Paris dances\nREADY", "READY"], True),
    (["A Par - Lon\nDROP\nREADY"], True),
    (["army Paris dances", f"{FILED}\nArmy  Paris dances"], False),
    (["army Paris dances", "DROP", f"{FILED}\nArmy  Paris dances"], False),
    (["army Paris dances", "DROP\narmy Paris dances\nREADY"], False),
    (["army Paris dances", "DROP", "army Paris dances\nREADY", "READY"], True),
    (["army Paris dances", "READY", f"{FILED}\nArmy  Paris dances"], True),
    (["A Par - Lon", "DROP", f"{FILED}\nA Par - Lon"], False),
    (["DROP\nA Par - Lon\nREADY"], False),
    (["A Par - Lon", "DROP\nA Par - Mun\nREADY"], False),
    (["A Par - Mun\nDROP\nA Par - Lon\nREADY"], False),
    ([f"A Par - Lon\nSTATUS\n{FILED}\nREADY"], False),
    ([f"A Par - Lon\nSTATUS\n{FILED}"], False),
    (["A Par - Lon", f"A Par - Mun\nSTATUS\n{FILED}"], False),
])
def test_phase_waits_for_refused_lines(rig: Rig, mails: list[str], over: bool) -> None:
    for mail in mails:
        rig.mail(ANN, f"SIGNON Fmarco annsecret\n{mail}")
    rig.run()
    assert is_over(rig) is over


def test_deadline_ends_the_wait(rig: Rig) -> None:
    rig.mail(ANN, f"SIGNON Fmarco annsecret\n{REFUSED}")
    marco = rig.application.games.find("marco")
    assert marco and marco.deadline
    rig.clock.set(marco.deadline)
    rig.run()
    assert is_over(rig)


def test_drop_reports_its_effect(rig: Rig) -> None:
    rig.mail(ANN, "SIGNON Fmarco annsecret\nDROP")
    assert "You have no refused lines in this phase" in squeeze_text(text_of(rig.newest[ANN]))
    rig.mail(ANN, "SIGNON Fmarco annsecret\nA Par - Lon\nDROP.")
    assert "Your refused line was dropped" in squeeze_text(text_of(rig.newest[ANN]))


def test_talk_is_shown_next_to_the_refusals(rig: Rig) -> None:
    rig.mail(ANN, "SIGNON Fmarco annsecret\nSee you in London\nA Par - Lon\nA Mar - Spa")
    answer = text_of(rig.newest[ANN])
    refused, talk = answer.index("A Par - Lon"), answer.index("> See you in London")
    assert refused < talk < answer.index("Army Marseilles ->")


@pytest.mark.parametrize("line", [
    "army Paris password annsecret",
    "A Par - Bur SIGNON Fmarco annsecret",
    "A Par - Lon; JOIN polo annsecret",
])
def test_passwords_in_refused_lines_are_masked(rig: Rig, line: str) -> None:
    rig.mail(ANN, f"SIGNON Fmarco annsecret\n{line}")
    assert "annsecret" not in text_of(rig.newest[ANN])
