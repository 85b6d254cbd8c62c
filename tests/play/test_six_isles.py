"""Game on a map without shapes, regions and description, with difficult names."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from judge.errors import DataError
from judge.games import added_maps, is_playable
from judge.games.diplomacy import boards
from judge.games.diplomacy.views import geometry
from judge.model.record import GameState
from judge.terminal.checking import check_added_maps
from tests.added_maps import ask, forget_maps, install
from tests.journeys.rig import Rig, text_of

FOLDER = Path(__file__).parents[1] / "maps" / "sixisles"
ANN, BOB, GM = "ann@example.org", "bob@example.org", "gm@example.org"


@pytest.fixture
def rig() -> Iterator[Rig]:
    """A judge with the map of the six isles."""
    made = Rig()
    install(made, FOLDER)
    yield made
    made.close()
    forget_maps()


def begin(rig: Rig) -> dict[str, str]:
    """Begin a game. Return power → address."""
    rig.mail(GM, "CREATE ?marco gmsecret sixisles")
    rig.mail(ANN, "JOIN marco secret")
    rig.mail(BOB, "JOIN marco secret")
    game = rig.application.games.find("marco")
    assert game is not None
    seats = rig.application.games.seats(game.id)
    return {seat.power: seat.address for seat in seats if seat.power}


def test_every_question_about_the_map_is_answered(rig: Rig) -> None:
    assert "sixisles Six Isles, 2 powers. 4 supply centres. 3 of them win." in ask(
        rig, ANN, "LIST MAPS"
    )
    assert "the board of Six Isles at the start, drawn from the list of borders" in ask(
        rig, ANN, "MAP SIXISLES"
    )
    board = ask(rig, ANN, "MAP SIXISLES TEXT")
    assert "Six Isles Älderö (Ald) Reds Reds: Fleet" in board
    assert "empty: Bryn's Gate (Bry), Mère (Mer)" in board
    names = ask(rig, ANN, "MAP SIXISLES NAMES")
    assert names.index("Älderö") < names.index("Bryn's Gate")
    assert "Six Isles Älderö (Ald)" in ask(rig, ANN, "HELP SIXISLES")
    assert {request.title for request in rig.easel.drawn} == {"sixisles"}


def test_preset_without_a_topic_has_help_too(rig: Rig) -> None:
    said = ask(rig, ANN, "HELP CHAOS")
    assert "Each of the 34 centres" in said and "Not done" not in said


def test_game_is_played_by_mail_with_pictures(rig: Rig) -> None:
    people = begin(rig)
    reds, blue = people["Reds"], people["Blåar"]
    [start] = [
        " ".join(text.split()) for text in map(text_of, rig.boxes[blue]) if "Welcome" in text
    ]
    assert "your part of the board in S1812M and the board in S1812M, drawn from the" in start
    said = ask(rig, reds, "SIGNON Rmarco secret\nF Aelderoe - Mère")
    assert "Not done" not in said and "Fleet Älderö -> Mère" in said
    said = ask(rig, blue, "SIGNON Bmarco secret\nA Cosse - Bryn's Gate\nOPTIONS")
    assert "Not done" not in said and "A COS - FEN" in said
    assert "sent" in ask(rig, reds, "SIGNON Rmarco secret\nPRESS TO blaar\nHi.\nENDPRESS").lower()
    german = ask(rig, blue, "SIGNON Bmarco secret\nSET LANGUAGE DE\nLIST MAPS")
    assert "4 Versorgungszentren, von denen 3 gewinnen." in german
    said = ask(rig, GM, "SIGNON Mmarco gmsecret\nPROCESS S1812M")
    assert "Bryn's Gate" in said and "drawn from the list of borders" in said
    game = rig.application.games.find("marco")
    assert game is not None and game.phase == "F1812M"
    assert rig.easel.drawn and not rig.easel.ill_shaped


def test_examples_are_of_the_map_in_play(rig: Rig) -> None:
    reds = begin(rig)["Reds"]
    assert "PRESS TO B sends press to " in " ".join(
        text for letter in rig.boxes[reds] for text in text_of(letter).split()
    )
    topics = ("INDEX", "PRESS", "START", "JOINING", "MASTER")
    said = "".join(ask(rig, reds, f"SIGNON Rmarco secret\nHELP {topic}") for topic in topics)
    assert "PRESS TO B " in said and "F Ald - Mer" in said and "BUT R " in said
    for other in ("France", "Italy", "Kas", "F I ", "Germany"):
        assert other not in said, other


def _spoil(rig: Rig, key: str) -> None:
    """Replace a stored map by a faulty one."""
    added_maps._bundles[key] = '{"map.tsv":"nothing"}'
    for kept in (boards.board, boards._content_fault, geometry.base):
        kept.cache_clear()


def test_faulty_map_stops_its_games_alone(rig: Rig, tmp_path: Path) -> None:
    begin(rig)
    rig.mail(GM, "CREATE ?polo gmsecret standard\nSTART")
    key = rig.application.games.find("marco").map
    _spoil(rig, key)
    again = rig.again()
    _spoil(again, key)
    again.run()
    marco, polo = (again.application.games.find(name) for name in ("marco", "polo"))
    assert (marco.state, polo.state) == (GameState.PAUSED, GameState.RUNNING)
    assert not is_playable("diplomacy", key) and is_playable("diplomacy", "standard")
    said = ask(again, ANN, "LIST MAPS")
    assert "Left out, because they cannot be used now: sixisles (Six Isles)." in said
    assert "standard Standard, 7 powers." in said
    said = ask(again, BOB, "SIGNON Bmarco secret\nA Cos H")
    assert "The map of 'marco' (sixisles) cannot be used" in said
    for line in ("LIST", "LIST marco", "MAP marco", "MAP sixisles", "SIGNON Rmarco secret\nSTATUS"):
        assert "fault of ours" not in ask(again, ANN, line), line
    with again.application.store.transaction(), pytest.raises(DataError, match=key):
        [*check_added_maps(again.application.context.maps)]
    assert "F1901M" in ask(again, GM, "SIGNON Mpolo gmsecret\nPROCESS S1901M")
    forget_maps()
    third = again.again()
    third.run()
    assert third.application.games.find("marco").state is GameState.RUNNING
    for other in (again, third):
        other.close()
