"""Games on a map that is missing or faulty wait, and all others go on."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from judge.model.record import GameState
from tests.added_maps import ask, forget_maps, install, map_and_phase, write_mars
from tests.journeys.rig import Rig, text_of
from tests.play.test_added_maps import ANN, BOB, CREATE, GM, play_on


@pytest.fixture
def mapless(tmp_path: Path) -> Iterator[Rig]:
    """A started judge with two running games, one of them on a missing map."""
    rig = Rig()
    install(rig, write_mars(tmp_path))
    rig.mail(GM, f"{CREATE}\nSTART")
    rig.mail(GM, "CREATE ?polo gmsecret standard\nSTART")
    rig.mail(ANN, "TAKEOVER Fmarco annsecret")
    store = rig.application.store
    store.update_sql("UPDATE maps SET key = 'x' || key", ())
    forget_maps()
    made = rig.again()
    forget_maps()
    made.boxes.clear()
    made.run()
    yield made
    made.close()
    rig.close()


def test_game_on_a_missing_map_waits_alone(mapless: Rig) -> None:
    said = " ".join(" ".join(map(text_of, mapless.boxes[GM])).split())
    assert "The map of 'marco' (mars) cannot be used at this judge" in said
    found = mapless.application.games.find("marco")
    assert found is not None and found.state is GameState.PAUSED
    mapless.clock.advance(days=30)
    mapless.run()
    other = mapless.application.games.find("polo")
    assert other is not None and other.phase != "S1901M"
    assert "polo" in ask(mapless, ANN, "LIST") and "marco" in ask(mapless, ANN, "LIST")
    assert "marco" in ask(mapless, ANN, "LIST marco")
    assert "youngstown" in ask(mapless, ANN, "LIST MAPS")
    assert "no map" in ask(mapless, BOB, "CREATE ?cara bobsecret mars")


@pytest.mark.parametrize("line", [
    "A Par - Bur", "MAP", "STATUS", "RESUME", "SET NMR HOLD", "PRESS TO ALL\nHi\nENDPRESS",
    "HELP RULES", "EXPORT", "HISTORY", "OPTIONS", "PREVIEW", "LOG", "RESIGN", "SUMMARY",
])
def test_mail_to_a_game_on_a_missing_map_gets_a_reply(mapless: Rig, line: str) -> None:
    for sender, signon in ((ANN, "SIGNON Fmarco annsecret"), (GM, "SIGNON Mmarco gmsecret")):
        said = ask(mapless, sender, f"{signon}\n{line}")
        assert "fault of the judge" not in said and "marco" in said
    shunted = mapless.application.store.select_sql(
        "SELECT note FROM mails WHERE state <> 'done'", ()
    )
    assert not shunted


def test_game_continues_once_its_map_is_back(mapless: Rig) -> None:
    store = mapless.application.store
    store.update_sql("UPDATE maps SET key = substr(key, 2)", ())
    again = mapless.again()
    again.boxes.clear()
    again.run()
    said = " ".join(" ".join(map(text_of, again.boxes[ANN])).split())
    assert "The map of 'marco' (mars) can be used again" in said
    play_on(again)
    assert map_and_phase(again)[1] == "F1901M"
    again.close()
