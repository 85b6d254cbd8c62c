"""Game on a map with words of its own, owners, a port and a neutral power."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from judge.play.archive.gamefile import archive_stored, read_archive, write_archive
from judge.play.archive.importing import replay
from tests.added_maps import forget_maps, install
from tests.journeys.rig import Rig, text_of

TABLES = {
    "map": "key\tvalue\ntitle\tIsles of Old\nfirst_phase\tF0043A\nera\tBC\nseason_spring\tLent\n"
           "season_fall\tAdvent\nbuilds\tany\nabout\tOld islands.\nabout_de\tAlte Inseln.\n",
    "provinces": "abbr\tname\tkind\tsupply_centre\thome_power\tcoasts\taliases\towner\n"
                 "Ald\tAlder\tcoast\t1\tReds\t-\t-\t=\nBry\tBryn\tland\t1\t-\t-\t-\tFolk\n"
                 "Cos\tCosse\tcoast\t1\t-\t-\t-\tBlues\nEel\tEel Rock\tport\t1\t-\t-\t-\t-\n"
                 "Mer\tMere\tsea\t0\t-\t-\t-\t-\n",
    "adjacency": "a\tb\tarmy\tfleet\nAld\tBry\t1\t0\nAld\tMer\t0\t1\nBry\tCos\t1\t0\n"
                 "Cos\tMer\t0\t1\nEel\tMer\t0\t1\n",
    "powers": "power\tletter\tadjective\twords\tplays\nReds\t?\tRed\t-\tyes\n"
              "Blues\t?\tBlue\t-\tyes\nFolk\t?\tFolk\t-\tno\n",
    "start": "power\tunit\tlocation\nFolk\tA\tBry\n",
}
ANN, BOB, GM = "ann@example.org", "bob@example.org", "gm@example.org"


@pytest.fixture
def rig(tmp_path: Path) -> Iterator[Rig]:
    """A judge with the map."""
    folder = tmp_path / "oldisles"
    folder.mkdir()
    for table, text in TABLES.items():
        (folder / f"{table}.tsv").write_text(text)
    made = Rig()
    install(made, folder)
    yield made
    made.close()
    forget_maps()


def ask(rig: Rig, sender: str, text: str) -> str:
    """Return the letters to the sender of a mail."""
    rig.boxes.clear()
    rig.mail(sender, text)
    return " ".join(" ".join(map(text_of, rig.boxes[sender])).split())


def test_game_is_played_in_the_words_of_its_map(rig: Rig) -> None:
    assert "Isles of Old, 2 powers. Old islands." in ask(rig, GM, "LIST MAPS")
    rig.mail(GM, "CREATE ?marco gmsecret oldisles")
    rig.mail(ANN, "JOIN marco secret")
    said = ask(rig, BOB, "JOIN marco secret")
    assert "Advent of 43 BC" in said and "F0043A" in said
    game = rig.application.games.find("marco")
    assert game is not None and game.phase == "F0043A"
    seats = {s.power: s.address for s in rig.application.games.seats(game.id) if s.power}
    assert {*seats} == {"Reds", "Blues"}
    reds, blues = seats["Reds"], seats["Blues"]
    assert "Not done" not in ask(rig, reds, "SIGNON Rmarco secret\nBuild F Ald")
    ask(rig, blues, "SIGNON Bmarco secret\nSET LANGUAGE DE\nBuild A Cos")
    said = " ".join(" ".join(map(text_of, rig.boxes[blues])).split())
    assert "Lent 42 v. Chr." in said
    assert "Alte Inseln." in ask(rig, blues, "SIGNON Bmarco secret\nLIST MAPS")
    game = rig.application.games.find("marco")
    assert game is not None and game.phase == "S0044M"
    topics = "HELP ORDERS\nHELP PRESS\nHELP RULES\nHELP SIGNON\nHELP OLDISLES"
    said = ask(rig, reds, f"SIGNON Rmarco secret\n{topics}\nOPTIONS")
    assert "fault of ours" not in said and "no help" not in said
    said = ask(rig, GM, "SIGNON Mmarco gmsecret\nA Bry - Ald")
    assert "The unit in Bryn belongs to Folk, which is neutral" in said
    said = ask(rig, GM, "SIGNON Mmarco gmsecret\nPROCESS S0044M\nPROCESS F0044M")
    assert "Lent of 42 BC" in said
    said = ask(rig, GM, "SIGNON Mmarco gmsecret\nSUMMARY\nHISTORY\nLIST marco\nMAP\nSTATUS")
    assert "fault of ours" not in said and "42 BC" in said


def test_game_is_exported_and_replayed(rig: Rig) -> None:
    rig.mail(GM, "CREATE ?marco gmsecret oldisles")
    rig.mail(ANN, "JOIN marco secret")
    rig.mail(BOB, "JOIN marco secret")
    rig.mail(GM, "SIGNON Mmarco gmsecret\nPROCESS F0043A\nPROCESS S0044M")
    game = rig.application.games.find("marco")
    assert game is not None and game.phase == "F0044M"
    text = write_archive(archive_stored(rig.application.games, game))
    assert [*replay(read_archive(text))] == []
    said = ask(rig, GM, "SIGNON Mmarco gmsecret\nEXPORT")
    assert "fault of ours" not in said
