"""Games of random orders, by which a map is tested."""

import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from judge.board.map import ARMY, Map, Unit
from judge.board.mapcheck import load_map
from judge.games.diplomacy.boards import board, opening_on, rules_on
from judge.games.diplomacy.rules.ruleset import Rules
from judge.games.diplomacy.trial_games import play_trial, position_faults

SIDE = 10


def write_grid(folder: Path) -> None:
    """Write a map of 100 provinces: a square of land and sea with ten powers."""
    squares = [(x, y) for x in range(SIDE) for y in range(SIDE)]
    names = {(x, y): f"{chr(97 + x)}{chr(107 + y)}".title() for x, y in squares}
    is_sea = {at for at in names if at[0] % 3 == 2 and at[1] % 4 != 0}
    homes = {(x, y): y for y in range(SIDE) for x in (0, 4, 7)}
    kinds = {
        at: "sea" if at in is_sea else
        "coast" if any(near in is_sea for near in beside(at)) else "land"
        for at in names
    }
    rows = {
        "map": ["key\tvalue", "title\tGrid", "first_year\t1900", "victory\t29",
                "quiet_falls\t0", "icebreaker\t-"],
        "provinces": ["abbr\tname\tkind\tsupply_centre\thome_power\tcoasts\taliases"] + [
            f"{name}\t{name} field\t{kinds[at]}\t{int(at in homes or at[0] == 9)}\t"
            f"{f'Power{homes[at]}' if at in homes else '-'}\t-\t-"
            for at, name in names.items()
        ],
        "coasts": ["abbr\tname\taliases"],
        "powers": ["power\tletter\tadjective\twords"] + [
            f"Power{y}\t{'ABCDEFGHIJ'[y]}\tP{y}\t-" for y in range(SIDE)
        ],
        "start": ["power\tletter\tunit\tlocation"] + [
            f"Power{y}\t{'ABCDEFGHIJ'[y]}\t{'F' if kinds[at] == 'coast' and at[0] else 'A'}"
            f"\t{names[at]}" for at, y in homes.items()
        ],
        "adjacency": ["a\tb\tarmy\tfleet"] + [
            f"{min(names[at], names[to])}\t{max(names[at], names[to])}"
            f"\t{int(at not in is_sea and to not in is_sea)}"
            f"\t{int('land' not in (kinds[at], kinds[to]))}"
            for at in names for to in beside(at) if to in names and at < to
        ],
    }
    folder.mkdir()
    for table, lines in rows.items():
        (folder / f"{table}.tsv").write_text("\n".join(lines) + "\n")


def beside(at: tuple[int, int]) -> Iterator[tuple[int, int]]:
    """Yield the squares next to one."""
    yield from ((at[0] + 1, at[1]), (at[0], at[1] + 1), (at[0] - 1, at[1]), (at[0], at[1] - 1))


@pytest.mark.slow
def test_games_on_a_map_of_100_provinces_take_less_than_a_minute(tmp_path: Path) -> None:
    write_grid(tmp_path / "grid")
    grid = load_map("grid", tmp_path / "grid")
    assert len(grid.provinces) == 100
    begun = time.process_time()
    games = [play_trial(grid, Rules(), 10, number) for number in range(20)]
    assert time.process_time() - begun < 60
    assert not [fault for game in games for fault in game.faults]
    assert min(game.phases for game in games) > 20


@pytest.mark.parametrize("name", ["standard", "chaos"])
def test_trial_game_of_a_shipped_map_has_no_fault(name: str) -> None:
    first = play_trial(board(name), rules_on(name, {}), 2, 1)
    assert not first.faults and first.phases > 4
    assert play_trial(board(name), rules_on(name, {}), 2, 1) == first


def test_faults_of_a_position_are_found() -> None:
    map_, opening = board("standard"), opening_on(board("standard"))
    double = {**opening.units, "France": (*opening.units["France"], Unit(ARMY, "Ber"))}
    assert [*position_faults(map_, replace(opening, units=double))] == ["2 units are in Ber"]
    place = next(abbr for abbr in map_.provinces if abbr.upper() == "NTH")
    at_sea = {**opening.units, "France": (Unit(ARMY, place),)}
    assert [*position_faults(map_, replace(opening, units=at_sea))] == [
        f"{Unit(ARMY, place)} cannot be there"
    ]
    owners = {**opening.owners, place: "France"}
    assert [*position_faults(map_, replace(opening, owners=owners))] == [f"France owns {place}"]


def test_fault_of_the_rules_ends_a_trial_game(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*given: object) -> Map:
        raise ValueError("no such place")

    monkeypatch.setattr("judge.games.diplomacy.trial_games.adjudicate", broken)
    found = play_trial(board("standard"), Rules(), 2, 1)
    assert found.faults == ("S1901M: ValueError('no such place')",)
