"""Yearly history of a game: the number of provinces of each nation."""

from collections.abc import Mapping, Sequence

from judge.games.letter_facts import HistoryTable, YearRow
from judge.games.nations1940.rules.state import NationsState, label_of, load_state
from judge.games.nations1940.sides import nations_called
from judge.games.nations1940.views.naming import turn_number
from judge.model.phrase import phrase

MONTHS = 12


def provinces_by_year(
    map_name: str, start: NationsState, turns: Sequence[tuple[str, str]]
) -> list[tuple[str, Mapping[str, int]]]:
    """Return each nation's provinces at the start, at each year's end and at last."""
    found = [("start", _counts(map_name, start))]
    for at, (turn, position) in enumerate(turns, 1):
        number = turn_number(turn)
        if number and (number % MONTHS == 0 or at == len(turns)):
            found.append((label_of(number), _counts(map_name, load_state(position))))
    return found


def _counts(map_name: str, state: NationsState) -> Mapping[str, int]:
    owners = [province.owner for province in state.provinces.values()]
    return {
        called.name: owners.count(called.code)
        for called in nations_called(map_name)
        if called.code in state.nations
    }


def chronicle_facts(
    map_name: str, start: NationsState, turns: Sequence[tuple[str, str]]
) -> HistoryTable:
    """Return the provinces of each nation, with a row a year and a column a nation."""
    called = [one for one in nations_called(map_name) if one.code in start.nations]
    return HistoryTable(
        title=phrase("title-annals"),
        powers=tuple(one.name for one in called),
        letters=tuple(one.code for one in called),
        rows=tuple(
            YearRow(year, tuple(counts[one.name] for one in called))
            for year, counts in provinces_by_year(map_name, start, turns)
        ),
    )
