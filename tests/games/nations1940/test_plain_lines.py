"""Effects of single lines in plain words, and of the suggested lines."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import pytest

from judge.games.nations1940.language.lexicon import lexicon
from judge.games.nations1940.language.reading import NationsReading, read_lines
from judge.games.nations1940.rules.orders import Order
from judge.games.nations1940.rules.settings import Settings
from judge.games.nations1940.rules.world import World
from judge.model.incoming import Line
from judge.model.phrase import Complaint
from tests.games.nations1940.board_of_cases import BOARD, MAP, laid_out
from tests.games.nations1940.test_rules import rules

_TABLE = Path(__file__).with_name("plain-lines.txt")
POSITION = (
    "#65 owner=SIC armies=SIC:3 fleets=SIC:1 improvements=POR,RAI,ACA",
    "#64 owner=SIC armies=SIC:2 improvements=RAI,POR", "#33 owner=SIC armies=SIC:1",
    "#80 owner=SIC armies=SIC:1", "#82 owner=SIC armies=SIC:3",
    "#34 owner=SIC armies=SIC:2 improvements=RAI", "#35 owner=SIC armies=SIC:1 improvements=FAC",
    "#81 owner=SIC armies=SIC:1 improvements=POR", "#70 owner=SIC armies=SIC:1",
    "#79 owner=SIC armies=SIC:2", "#69 owner=SIC armies=SIC:1", "#36 owner=DAN armies=DAN:1",
    "#83 owner=EGY armies=EGY:2", "S16 SIC:2", "S17 SIC:1", "NAP SIC CAS", "NAP SIC ITA",
    "NAP SIC DAN", "EXCHANGE SIC ITA", "WAR SIC EGY", "WAR SIC OTT",
    "SIC techs=Submachine queue=Motorized;Radar progress=Motorized:126 spawn_order=64,33 "
    "shed_order=70",
    "OFFER EXCHANGE CAS SIC", "OFFER NAP BRI SIC",
)  # fmt: skip
_QUIET = ("w-neutral", "w-pass", "w-fallout")


class Row(NamedTuple):
    """A line of the table, the orders on file at that time, and its effect."""

    on_file: tuple[str, ...]
    text: str
    does: str


def world() -> World:
    """Return the position of the table."""
    settings = Settings()
    return World(BOARD, laid_out(POSITION, 14, settings), settings)


def read(texts: Sequence[str], on_file: Sequence[Order] = ()) -> NationsReading:
    """Read lines of Sicily."""
    lines = [Line(number, text) for number, text in enumerate(texts, 1)]
    return read_lines(world(), lexicon(MAP), "SIC", lines, on_file)


def rows() -> Iterator[Row]:
    """Yield the rows of the table."""
    on_file: tuple[str, ...] = ()
    for line in _TABLE.read_text(encoding="utf-8").splitlines():
        if line.startswith("FILE "):
            on_file = tuple(line[5:].split(" | "))
        elif not line.startswith("# "):
            text, _, does = line.rpartition(" => ")
            yield Row(on_file, text, does)


def outcome(reading: NationsReading) -> str:
    """Return the effect of the first line in the notation of the table."""
    verdict = reading.verdicts[0]
    notes = [note.code for note in verdict.notes if note.code not in _QUIET]
    off = [f"off {text}" for text in verdict.withdrawn]
    refused = [" > ".join([each.reason.code, *_lines(each)]) for each in verdict.complaints]
    talk = ["talk"] if verdict.ignored else []
    return " | ".join([*off, *verdict.filed, *notes, *refused, *talk]) or "-"


def _lines(told: Complaint) -> list[str]:
    """Return the suggested lines of a complaint."""
    is_example = told.reason.code in ("e-syntax-form", "e-syntax-english", "e-syntax-like")
    return [*told.suggestions, *([str(told.reason.facts["form"])] if is_example else [])]


@rules("N-150", "N-151", "N-152", "N-155", "N-157")
@pytest.mark.parametrize("row", list(rows()), ids=lambda row: row.text[:40])
def test_plain_line_has_its_listed_effect(row: Row) -> None:
    on_file = read(row.on_file).orders
    reading = read([row.text], on_file)
    assert outcome(reading) == row.does
    for told in reading.verdicts[0].complaints:
        for line in _lines(told):
            again = read([line], reading.orders).verdicts[0]
            assert not again.complaints and not again.ignored, line


def test_no_line_of_the_table_is_read_in_part() -> None:
    """A line of the table is talk or has an effect."""
    assert not [row.text for row in rows() if row.does == "-"]


def test_order_worded_again_is_filed_once() -> None:
    on_file = read(["MOVE 1 Naples -> Albania", "MOVE 1 Naples -> Sicily"]).orders
    again = read(["1 army Naples - Albania"], on_file).orders
    assert sorted(map(str, again)) == sorted(map(str, on_file))
