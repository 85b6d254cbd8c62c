"""The help topics of Yorktown: all of the tables is in them, in both languages."""

import csv
from collections.abc import Iterator
from importlib.resources import files

import pytest

from judge.games import find_system
from tests.journeys.rig import Rig, text_of

LANGUAGES = ["", "de/"]
GM = "gm@example.org"


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


@pytest.mark.parametrize("topic", ["UNITS", "COMBAT", "ARTILLERY", "FRIGATES", "VICTORY"])
def test_topics_come_by_mail(topic: str) -> None:
    rig = Rig()
    rig.mail(GM, "CREATE ?siege gmsecret yorktown")
    rig.mail(GM, f"SIGNON Msiege gmsecret\nHELP {topic}")
    told = text_of(rig.boxes[GM][-1])
    assert "Yorktown: " in told and "docs/" not in told
    rig.close()
