"""Names of the nations: codes of the rules and powers of the judge (N-152)."""

import csv
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from judge.games.nations1940.presets import board_of


class Called(NamedTuple):
    """A nation's names: code, sign-on letter, short name, adjective, further words."""

    code: str
    letter: str
    name: str
    adjective: str
    words: tuple[str, ...]


@cache
def nations_called(map_name: str) -> tuple[Called, ...]:
    """Return the names of a scenario's nations, in its order.

    >>> nations_called("nations1940")[0]
    Called(code='BRI', letter='B', name='Britain', adjective='British', words=('Commonwealth',))
    """
    file = files("judge.games.nations1940") / "maps" / board_of(map_name) / "sides.tsv"
    rows = csv.DictReader(file.read_text(encoding="utf-8").splitlines(), delimiter="\t")
    return tuple(
        Called(
            row["code"], row["letter"], row["name"], row["adjective"],
            tuple(filter(None, row["words"].split(";"))),
        )
        for row in rows
    )  # fmt: skip


@cache
def names_by_code(map_name: str) -> dict[str, str]:
    """Return code → short name."""
    return {nation.code: nation.name for nation in nations_called(map_name)}


@cache
def codes_by_name(map_name: str) -> dict[str, str]:
    """Return short name → code."""
    return {nation.name: nation.code for nation in nations_called(map_name)}
