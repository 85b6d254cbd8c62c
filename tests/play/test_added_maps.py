"""Games on added maps, which they keep."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from judge.board.bundle import hash_of, read_bundle
from tests.added_maps import MARS, REDS, ask, drop, forget_maps, install, map_and_phase, write_mars
from tests.journeys.rig import Rig

ANN, BOB, GM = "ann@example.org", "bob@example.org", "gm@example.org"
CREATE = "CREATE ?marco gmsecret mars"


@pytest.fixture
def rig() -> Iterator[Rig]:
    """An empty judge."""
    made = Rig()
    yield made
    made.close()


def play_on(rig: Rig) -> str:
    """Process the phase of the running game. Return the letters to its master."""
    phase = map_and_phase(rig)[1]
    return ask(rig, GM, f"SIGNON Mmarco gmsecret\nF: A Par - Bur\nPROCESS {phase}")


def test_game_is_created_and_played_on_an_added_map(rig: Rig, tmp_path: Path) -> None:
    key = install(rig, write_mars(tmp_path))
    assert REDS in ask(rig, GM, f"{CREATE}\nSTART")
    assert map_and_phase(rig) == (key, "S1901M")
    assert REDS in play_on(rig)
    assert map_and_phase(rig) == (key, "F1901M")
    assert rig.easel.drawn


def test_players_get_the_map_of_their_game(rig: Rig, tmp_path: Path) -> None:
    mars = write_mars(tmp_path)
    (mars / "notes.txt").write_text("Old notes.\n")
    install(rig, mars)
    rig.mail(GM, CREATE)
    write_mars(tmp_path, "New Mars")
    (mars / "notes.txt").write_text("New notes.\n")
    install(rig, mars)
    for command in ("MAP MARS TEXT", "MAP MARS NAMES", "HELP MARS"):
        assert "New Mars" in ask(rig, GM, command)
        said = ask(rig, GM, f"SIGNON Mmarco gmsecret\n{command}")
        assert REDS in said and "New Mars" not in said and "New notes" not in said
    drop(rig)
    said = ask(rig, GM, "SIGNON Mmarco gmsecret\nHELP MARS\nMAP MARS TEXT\nMAP MARS NAMES")
    assert "Old notes." in said and said.count(REDS) >= 3 and "Not done" not in said


def test_refused_map_is_hidden_with_a_reason(rig: Rig, tmp_path: Path) -> None:
    install(rig, write_mars(tmp_path))
    said = ask(rig, GM, "CREATE ?marco gmsecret atlantis")
    assert "the word after the password names no map here" in said and "atlantis" not in said
    assert "The maps are mars, " in said
    assert 'there is no map "marss"' in ask(rig, GM, "CREATE ?marco gmsecret marss")


def test_words_of_an_added_map_work_as_those_of_a_shipped_one(rig: Rig, tmp_path: Path) -> None:
    install(rig, write_mars(tmp_path))
    rig.mail(GM, CREATE)
    assert f"mars {REDS}" in ask(rig, ANN, "LIST MAPS").replace(":", "").replace("  ", " ")
    assert "marco" in ask(rig, ANN, "LIST MARS")
    assert "marco" not in ask(rig, ANN, "LIST STANDARD")
    assert REDS in ask(rig, ANN, "MAP MARS")
    assert "No map" not in ask(rig, ANN, "STATISTICS MARS")
    assert "marco" in ask(rig, ANN, "JOIN marco annsecret mars")


def test_new_version_is_for_new_games_only(rig: Rig, tmp_path: Path) -> None:
    old = install(rig, write_mars(tmp_path))
    rig.mail(GM, f"{CREATE}\nSTART")
    new = install(rig, write_mars(tmp_path, "New Mars"))
    assert old != new
    rig.mail(BOB, "CREATE ?polo bobsecret mars")
    polo = rig.application.games.find("polo")
    assert polo is not None and polo.map == new
    play_on(rig)
    assert map_and_phase(rig) == (old, "F1901M")
    assert REDS in ask(rig, ANN, "LIST marco")


def test_game_goes_on_after_its_folder_changed(rig: Rig, tmp_path: Path) -> None:
    mars = write_mars(tmp_path)
    key = install(rig, mars)
    rig.mail(GM, f"{CREATE}\nSTART")
    (mars / "provinces.tsv").unlink()
    forget_maps()
    play_on(rig)
    assert map_and_phase(rig) == (key, "F1901M")


def test_game_goes_on_after_its_map_was_dropped(rig: Rig, tmp_path: Path) -> None:
    key = install(rig, write_mars(tmp_path))
    rig.mail(GM, f"{CREATE}\nSTART")
    drop(rig)
    forget_maps()
    assert "no map" in ask(rig, BOB, "CREATE ?polo bobsecret mars")
    assert rig.application.games.find("polo") is None
    assert MARS not in ask(rig, BOB, "LIST MAPS").lower()
    assert "marco" in ask(rig, ANN, "OBSERVE marco")
    play_on(rig)
    assert map_and_phase(rig) == (key, "F1901M")


def test_game_goes_on_after_a_restart(rig: Rig, tmp_path: Path) -> None:
    key = install(rig, write_mars(tmp_path))
    rig.mail(GM, f"{CREATE}\nSTART")
    forget_maps()
    again = rig.again()
    forget_maps()
    play_on(again)
    assert map_and_phase(again) == (key, "F1901M")
    again.close()


def test_map_added_meanwhile_is_found_by_a_running_judge(rig: Rig, tmp_path: Path) -> None:
    assert MARS not in ask(rig, BOB, "LIST MAPS").lower()
    key = install(rig, write_mars(tmp_path))
    forget_maps()
    rig.mail(GM, CREATE)
    assert map_and_phase(rig)[0] == key


def test_letters_name_author_and_hash_of_an_added_map(rig: Rig, tmp_path: Path) -> None:
    mars = write_mars(tmp_path, author="Ann Example")
    (mars / "notes.txt").write_text("Two moons rise.\nRESIGN\u202e\n")
    install(rig, mars)
    rig.mail(GM, CREATE)
    said = ask(rig, ANN, "LIST MAPS")
    assert "Maps of this judge: mars Standard on Mars, 7 powers, by Ann Example." in said
    assert said.index("youngstown") < said.index("Maps of Nations") < said.index("this judge:")
    said = ask(rig, GM, "SIGNON Mmarco gmsecret\nHELP RULES")
    assert "Map of 'marco': Standard on Mars by Ann Example, added here as mars." in said
    assert hash_of(read_bundle(mars)) in said
    said = ask(rig, ANN, "HELP MARS")
    assert "Notes on the map Standard on Mars by Ann Example: || Two moons rise. || RESIGN" in said
    said = ask(rig, ANN, "HILFE mars")
    assert "Notizen zur Karte Standard on Mars von Ann Example: || Two moons" in said


def test_help_of_an_added_map_without_notes_shows_its_board(rig: Rig, tmp_path: Path) -> None:
    install(rig, write_mars(tmp_path, author="-"))
    said = ask(rig, ANN, "HELP MARS")
    assert REDS in said and "There is no help" not in said
