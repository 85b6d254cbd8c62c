"""LIST of a judge with more games than one reply should contain."""

from collections.abc import Iterator

import pytest

from judge.play.commands.asking import inquiries
from tests.journeys.rig import Rig, text_of


@pytest.fixture
def rig() -> Iterator[Rig]:
    """A judge with two forming games and a running one."""
    made = Rig()
    for name in ("anton", "berta", "carla"):
        made.mail(f"{name}@example.org", f"CREATE ?{name} secret standard")
    made.mail("anton@example.org", "SIGNON Manton secret; START")
    yield made
    made.close()


def test_a_long_list_has_forming_games_first_and_is_cut(
    rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(inquiries, "MAX_LISTED", 2)
    rig.mail("eve@example.org", "LIST")
    text = text_of(rig.letter("eve@example.org"))
    assert "berta" in text and "carla" in text and "anton" not in text
    assert "Only 2 of the games" in text


def test_a_short_list_is_complete(rig: Rig) -> None:
    rig.mail("eve@example.org", "LIST")
    text = text_of(rig.letter("eve@example.org"))
    assert all(name in text for name in ("anton", "berta", "carla"))
    assert "Only" not in text
