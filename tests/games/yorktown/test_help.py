"""The help topics of Yorktown contain all of its tables, in both languages."""

import csv
import re
from collections.abc import Iterator
from importlib.resources import files

import pytest

from judge.games import find_system
from judge.games.yorktown.rules.board import COSTS, REDOUBT, HexTerrain, hexes
from judge.games.yorktown.rules.hexes import SIDES
from tests.journeys.rig import Rig, text_of

LANGUAGES = ["", "de/"]
GM = "gm@example.org"


@pytest.fixture(scope="module")
def rig() -> Iterator[Rig]:
    """A judge with a game of Yorktown, for questions without effects."""
    made = Rig()
    made.mail(GM, "CREATE ?siege gmsecret yorktown")
    yield made
    made.close()


def rows(table: str) -> Iterator[dict[str, str]]:
    """Yield the rows of a table."""
    text = files("judge.games.yorktown").joinpath(f"tables/{table}.tsv").read_text("utf-8")
    return csv.DictReader(text.splitlines(), delimiter="\t")


def lines(language: str, topic: str) -> list[list[str]]:
    """Return the words of each line of a topic."""
    text = (find_system("yorktown").texts / f"{language}help/{topic}.txt").read_text("utf-8")
    return [line.strip("¦ ").split() for line in text.splitlines()]


@pytest.mark.parametrize("language", LANGUAGES)
def test_units_topic_has_every_counter(language: str) -> None:
    told = lines(language, "units")
    for row in rows("units"):
        factor = "-" if row["combat"] == "0" else row["combat"]
        words = [*row["order_id"].split(), factor, row["move"], row["nation"]]
        found = [" ".join(line[5:]) for line in told if line[:5] == words]
        assert any(name and row["name"].startswith(name) for name in found), row["key"]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("topic", "table"), [("combat", "crt"), ("artillery", "artillery-crt")])
def test_tables_are_in_their_topics(topic: str, table: str, language: str) -> None:
    told = [line[-6:] for line in lines(language, topic)]
    for row in rows(table):
        assert [row[f"d{die}"] for die in range(1, 7)] in told


@pytest.mark.parametrize("language", LANGUAGES)
def test_movement_and_terrain_topics_have_the_costs(language: str) -> None:
    names = {
        "": {"clear": HexTerrain.CLEAR, "woods": HexTerrain.WOODS, "marsh": HexTerrain.MARSH},
        "de/": {"frei": HexTerrain.CLEAR, "Wald": HexTerrain.WOODS, "Sumpf": HexTerrain.MARSH},
    }[language]
    for topic in ("movement", "terrain"):
        rows = [" ".join(line).replace(",", "") for line in lines(language, topic)]
        for name, terrain in names.items():
            start = rf"(?:\S )?{name}(?: \w+)* {COSTS[terrain]}\b"
            assert any(re.match(start, row) for row in rows), (topic, name)


@pytest.mark.parametrize("language", LANGUAGES)
def test_walls_topic_has_every_wall_and_gate(language: str) -> None:
    told = " ".join(" ".join(line) for line in lines(language, "walls"))
    for name, found in hexes().items():
        if found.feature == REDOUBT:
            assert name in told
        elif found.walls:
            assert f"{name} {'/'.join(SIDES[side] for side in sorted(found.walls))}" in told
            assert told.count(name) >= (2 if found.roads else 1)


@pytest.mark.parametrize(("asked", "topic"), [
    ("MOVE", "Yorktown: movement"), ("MOVEMENT", "Yorktown: movement"),
    ("DIGGING", "Yorktown: redoubts"), ("REDOUBTS", "Yorktown: redoubts"),
    ("STACKING", "Yorktown: how many"), ("TERRAIN", "Yorktown: terrain"),
    ("WALLS", "Yorktown: walls"), ("GATES", "Yorktown: walls"),
    ("TERAIN", "HELP TERRAIN"), ("TERAIN", "HELP YORKTOWN"),
    ("", "MOVEMENT"), ("", "VICTORY"), ("", "HELP PREVIEW"),
    ("ORDERS", "A mail with orders for a step replaces all your orders"),
    ("YORKTOWN", "The receipt lists\r\nthe orders it removed."),
])
def test_help_words_of_the_game_work_inside_it(rig: Rig, asked: str, topic: str) -> None:
    rig.mail(GM, f"SIGNON Msiege gmsecret\nHELP {asked}")
    assert topic in text_of(rig.boxes[GM][-1])
    assert "HELP OPTIONS " not in text_of(rig.boxes[GM][-1])


@pytest.mark.parametrize(("asked", "line"), [
    ("VICTORY", "HELP YORKTOWN VICTORY"), ("DIGGING", "HELP YORKTOWN DIGGING"),
    ("YORKTOWN MOVE", "Yorktown: movement"), ("WALLS", "Yorktown: walls"),
])
def test_help_words_of_the_game_work_outside_it(rig: Rig, asked: str, line: str) -> None:
    rig.mail("zoe@example.org", f"HELP {asked}")
    assert line in text_of(rig.boxes["zoe@example.org"][-1])


@pytest.mark.parametrize("topic", ["UNITS", "COMBAT", "ARTILLERY", "FRIGATES", "VICTORY"])
def test_help_topics_are_sent_by_mail(rig: Rig, topic: str) -> None:
    rig.mail(GM, f"SIGNON Msiege gmsecret\nHELP {topic}")
    told = text_of(rig.boxes[GM][-1])
    assert "Yorktown: " in told and "docs/" not in told
