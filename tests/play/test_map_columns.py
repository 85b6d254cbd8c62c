"""Game on a map with words of its own, owners, a port and a neutral power."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from judge.play.archive.gamefile import archive_stored, read_archive, write_archive
from judge.play.archive.importing import replay
from tests.added_maps import ask, forget_maps, install
from tests.journeys.rig import Rig, text_of

TABLES = {
    "map": "key\tvalue\ntitle\tIsles of Old\nfirst_phase\tF0043A\nera\tBC\nseason_spring\tLent\n"
           "season_fall\tAdvent\nicebreaker\tCos\nbuilds\tany\n"
           "about\tOld islands.\nabout_de\tAlte Inseln.\n",
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


def start(rig: Rig) -> tuple[str, str]:
    """Begin a game. Return the addresses of Reds and Blues."""
    rig.mail(GM, "CREATE ?marco gmsecret oldisles")
    rig.mail(ANN, "JOIN marco secret")
    rig.mail(BOB, "JOIN marco secret")
    game = rig.application.games.find("marco")
    assert game is not None
    seats = {s.power: s.address for s in rig.application.games.seats(game.id) if s.power}
    return seats["Reds"], seats["Blues"]


RULES = (
    "3 of the 4 centres win the game.", "A power builds in any centre it owns.",
    "Folk is neutral: no one plays it, and its units hold.",
    "Fleets convoy at sea, and also in these ports: Eel Rock.",
    "F0043A is Advent of 43 BC, and S0044M is Lent of 42 BC.",
)


def test_rules_of_the_map_are_told(rig: Rig) -> None:
    reds, _ = start(rig)
    begun = " ".join(" ".join(map(text_of, rig.boxes[reds])).split())
    for said in (begun, ask(rig, reds, "HELP OLDISLES"), ask(rig, reds, "LIST marco")):
        assert not [rule for rule in RULES if rule not in said]
    for command in ("MAP OLDISLES TEXT", "MAP OLDISLES NAMES", "MAP marco NAMES"):
        assert RULES[3] in ask(rig, reds, command)
    said = ask(rig, reds, "SIGNON Rmarco secret\nSET LANGUAGE DE\nHELP OLDISLES\nLIST marco")
    assert said.count("Folk ist neutral") == 2 and "S0044M ist Lent 42 v. Chr." in said


def test_icebreaker_is_about_the_coast_of_the_map(rig: Rig) -> None:
    rig.mail(GM, "CREATE ?marco gmsecret oldisles")
    said = ask(rig, GM, "SIGNON Mmarco gmsecret\nSET NO ICEBREAKER\nLIST marco")
    assert "Fleets may not use the coast of Cosse." in said and "Omsk" not in said


def test_changed_rule_of_the_map_is_left_out(rig: Rig) -> None:
    rig.mail(GM, "CREATE ?marco gmsecret oldisles\nSET BUILDS HOME")
    said = ask(rig, GM, "LIST marco")
    assert "A power builds in its own home centres" in said and RULES[1] not in said


@pytest.mark.parametrize("words,answer", [
    ("PHASE Advent of 42 BC", "F0044M"),
    ("PHASE LENT 41 BC MOVES", "S0045M"),
    ("PHASE S0042M", "S0042M is Lent of 44 BC, which is over. It is F0043A now, Advent of 43 BC."),
    ("PHASE S0052M", "S0052M is Lent of 34 BC, which is too far ahead"),
    ("PHASE Harvest of 41 BC", 'no phase "HARVEST OF 41 BC". Write a label like that of this phase:'
                               " F0043A is Advent of 43 BC."),
])
def test_phase_is_named_in_words_of_the_map(rig: Rig, words: str, answer: str) -> None:
    _, blues = start(rig)
    assert answer in ask(rig, blues, f"SIGNON Bmarco secret\n{words}\nA Bry H")


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
