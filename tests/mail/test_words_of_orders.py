"""No order is read as a command, exact or misspelt, with any place name."""

from importlib.resources import files

import pytest

from judge.mail.language.mail_parser import MAX_ORDER_LINES
from judge.model.incoming import Line
from judge.model.order_commands import GiveOrders
from tests.language import read_sheet

RESTS = ("", " - Bur", " S A Bur - Mar", " H", " hold", " Bur", " to Bur", " via convoy to Bur")
ORDER_WORDS = (
    "a f army fleet hold holds stand support convoy build remove disband waive keep maintain"
    " transform move retreat english french german austrian italian russian turkish chinese indian"
    " japanese england france germany austria italy russia turkey china india japan"
).split()


def spellings(map_name: str) -> list[str]:
    """Return every spelling of every place of a map."""
    table = files("judge.games.diplomacy").joinpath("maps", map_name, "provinces.tsv")
    rows = [
        row.split("\t")
        for row in table.read_text(encoding="utf-8").splitlines()
        if row and not row.startswith("#")
    ]
    columns = [rows[0].index(name) for name in ("abbr", "name", "aliases")]
    cells = [row[column] for row in rows[1:] for column in columns]
    return [name for cell in cells for name in cell.split(";") if name != "-"]


@pytest.mark.slow
@pytest.mark.parametrize("map_name", ["standard", "youngstown"])
def test_orders_that_begin_with_a_place_are_orders(map_name: str) -> None:
    places = spellings(map_name)
    assert len(places) > 75
    check([f"{unit}{place}{rest}" for unit in ("", "A ") for place in places for rest in RESTS])


def test_orders_that_begin_with_another_word_are_orders() -> None:
    check([f"{word}{rest}" for word in ORDER_WORDS for rest in RESTS])


def check(texts: list[str]) -> None:
    """Read the texts as mails and check that each is only order lines."""
    for start in range(0, len(texts), MAX_ORDER_LINES):
        part = texts[start : start + MAX_ORDER_LINES]
        lines = [Line(number, text) for number, text in enumerate(part, 1)]
        (orders,) = read_sheet(lines).commands
        assert isinstance(orders, GiveOrders)
        assert orders.lines == tuple(lines)
