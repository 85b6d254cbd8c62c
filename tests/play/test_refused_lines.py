"""Refused lines of orders: what waits for them, and what settles them."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from judge.config import Config, StoreSection
from tests.journeys.rig import Rig, squeezed, text_of

ANN, BOB, GM = "ann@example.org", "bob@example.org", "gm@example.org"
FILED = "A Par - Bur\nA Mar - Spa\nF Bre - MAO"
EARLY = True


@pytest.fixture(scope="module")
def begun() -> Iterator[Rig]:
    """A game of Diplomacy in which Ann is France and nobody else plays."""
    config = Config(store=StoreSection("sqlite:///:memory:"))
    made = Rig(replace(config, policy=replace(config.policy, confirm="false")))
    made.mail(GM, "CREATE ?marco gmsecret standard\nSTART")
    made.mail(ANN, "TAKEOVER Fmarco annsecret")
    yield made
    made.close()


def ends_early(rig: Rig) -> bool:
    """Return whether the phase is to be adjudicated before its deadline."""
    marco = rig.application.games.find("marco")
    assert marco
    return marco.clock.early is not None


@pytest.mark.parametrize(("mails", "early"), [
    ([FILED], True),
    ([f"{FILED}\nA Par - Bur!! now or never, army"], False),
    ([FILED, "A Par - Lon"], False),
    ([FILED, "A Par - Lon", "A Mar - Spa"], True),
    ([FILED, "A Par - Lon", "Thanks for the game"], False),
    ([FILED, "A Par - Lon", "DROP"], True),
    ([f"{FILED}\nA Par - Lon\nDROP"], True),
    ([FILED, "A Par - Lon\nREADY"], False),
    ([FILED, "A Par - Lon\nREADY", "READY"], True),
    ([FILED, "READY", "All hold, my army Munich dances"], False),
    ([FILED, "army Paris dances", "DROP", f"{FILED}\nArmy  Paris dances"], True),
    (["army Paris dances\nREADY", "READY"], True),
    (["A Par - Lon\nDROP\nREADY"], True),
])
def test_phase_waits_for_refused_lines(rig: Rig, mails: list[str], early: bool) -> None:
    for mail in mails:
        rig.mail(ANN, f"SIGNON Fmarco annsecret\n{mail}")
    assert ends_early(rig) is early


def test_deadline_ends_the_wait(rig: Rig) -> None:
    rig.mail(ANN, f"SIGNON Fmarco annsecret\n{FILED}\nA Par - Lon")
    marco = rig.application.games.find("marco")
    assert marco and marco.deadline
    rig.pass_to(marco.deadline)
    after = rig.application.games.find("marco")
    assert after and after.phase != "S1901M"


def test_drop_says_what_it_did(rig: Rig) -> None:
    rig.mail(ANN, "SIGNON Fmarco annsecret\nDROP")
    assert "nothing to drop" in squeezed(text_of(rig.newest[ANN]))
    rig.mail(ANN, "SIGNON Fmarco annsecret\nA Par - Lon\nDROP.")
    assert "Your refused line is dropped" in squeezed(text_of(rig.newest[ANN]))


def test_talk_is_shown_next_to_the_refusals(rig: Rig) -> None:
    rig.mail(ANN, "SIGNON Fmarco annsecret\nSee you in London\nA Par - Lon\nA Mar - Spa")
    answer = text_of(rig.newest[ANN])
    refused, talk = answer.index("A Par - Lon"), answer.index("> See you in London")
    assert refused < talk < answer.index("A MAR - SPA")


@pytest.mark.parametrize("line", [
    "army Paris password annsecret",
    "A Par - Bur SIGNON Fmarco annsecret",
    "A Par - Lon; JOIN polo annsecret",
])
def test_passwords_in_refused_lines_are_masked(rig: Rig, line: str) -> None:
    rig.mail(ANN, f"SIGNON Fmarco annsecret\n{line}")
    assert "annsecret" not in text_of(rig.newest[ANN])
