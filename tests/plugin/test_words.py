"""Letters and help of another game contain no words of Diplomacy."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from judge.games import find_system
from judge.help_topics import help_topics, topics_of_games
from judge.play.choices.capabilities import TOPICS
from tests.house.test_neutral import OWN
from tests.journeys.rig import Rig, squeeze_text, text_of
from tests.plugin.fords_installed import install_system

ANN, BOB, GM = "ann@example.org", "bob@example.org", "gm@example.org"
ALIEN = re.compile(
    rf"{OWN.pattern}|\b[SFW]1[89]\d\d[MRA]\b|\b(?:movement|retreats?|adjustments?)\b|A Del\b"
    "|TO F I",
    re.IGNORECASE,
)
ELSEWHERE = {"start"}
"""Topics for people who have yet to choose a game."""


@pytest.fixture(autouse=True)
def fords(tmp_path: Path) -> Iterator[None]:
    """Install the system for every test of this module."""
    with install_system(tmp_path):
        yield


def group_topics(topics: list[str], many: int = 13) -> Iterator[list[str]]:
    """Yield topics in groups that fit into one reply."""
    for at in range(0, len(topics), many):
        yield topics[at:at + many]


def test_neither_help_nor_letters_speak_of_another_game() -> None:
    rig = Rig()
    rig.mail(GM, "CREATE ?river gmsecret fords\nSET TURNS 4")
    rig.mail(ANN, "JOIN river annsecret\nSET PREFERENCE N")
    rig.mail(BOB, "JOIN river bobsecret")
    optional = {topic for topics in TOPICS.values() for topic in topics}
    others = {topic for topic, systems in topics_of_games().items() if "fords" not in systems}
    for topics in group_topics(sorted({*help_topics()} - optional - ELSEWHERE - others)):
        rig.mail(ANN, "\n".join(["SIGNON Nriver annsecret", *(f"HELP {one}" for one in topics)]))
    text = squeeze_text("\n".join(map(text_of, rig.boxes[ANN])))
    assert "PRESS TO S sends press to South" in text and "ROLLBACK T3" in text
    assert "The powers' letters: N North, S South." in text
    assert not {each[0] for each in ALIEN.finditer(text)}
    rig.close()


def test_letters_show_the_limit_of_phases_without_orders(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(type(find_system("fords")), "misses", 5)
    rig = Rig()
    rig.mail(GM, "CREATE ?river gmsecret fords\nSET MANUAL START\nSTART")
    assert any("If that happens 5 times in a row, it becomes vacant" in squeeze_text(text_of(one))
               for one in rig.boxes[GM])
    rig.close()
