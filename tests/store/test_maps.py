"""Added maps of a store."""

from dataclasses import replace
from datetime import timedelta

import pytest

from judge.board.bundle import hash_of, make_key
from judge.errors import DataError
from judge.model.record import GameRecord, GameState
from judge.store.database import Store
from judge.store.games import Games
from judge.store.maps import Maps
from tests.store.conftest import START

HOUR = timedelta(hours=1)


def add(maps: Maps, name: str, text: str, hours: int = 0, *, is_open: bool = True) -> str:
    key = make_key(name, hash_of(text))
    maps.add(key, name, hash_of(text), text.title(), text, START + hours * HOUR, is_open=is_open)
    return key


def test_newest_version_of_a_map_is_current(store: Store) -> None:
    maps = Maps(store)
    old, new, other = add(maps, "mars", "one"), add(maps, "mars", "two", 1), add(maps, "io", "one")
    assert maps.current_titles() == {new: "Two", other: "One"}
    assert maps.find_bundle(old) == "one"
    assert [each.key for each in maps.list_maps()] == [other, new, old]


def test_dropped_map_stays_readable(store: Store) -> None:
    maps = Maps(store)
    keys = {add(maps, "mars", "one"), add(maps, "mars", "two")}
    assert {*maps.drop("mars", START)} == keys
    assert maps.current_titles() == {}
    assert {maps.find_bundle(key) for key in keys} == {"one", "two"}
    assert maps.drop("mars", START) == []


def test_dropped_map_can_be_added_again(store: Store) -> None:
    maps = Maps(store)
    key = add(maps, "mars", "one")
    add(maps, "mars", "two", 1)
    maps.drop("mars", START)
    assert add(maps, "mars", "one", 2) == key
    assert maps.current_titles() == {key: "One"}


def test_closed_map_does_not_reopen_or_close_a_known_one(store: Store) -> None:
    maps = Maps(store)
    closed = add(maps, "mars", "one", is_open=False)
    assert maps.current_titles() == {} and maps.find_bundle(closed) == "one"
    opened = add(maps, "mars", "two")
    add(maps, "mars", "two", 1, is_open=False)
    assert maps.current_titles() == {opened: "Two"}


def test_map_is_deleted_once_no_game_names_it(store: Store, marco: GameRecord) -> None:
    maps, games = Maps(store), Games(store)
    used, unused = add(maps, "mars", "one"), add(maps, "io", "two")
    games.add(replace(marco, map=used))
    maps.drop("mars", START)
    maps.drop("io", START)
    assert maps.delete_unused(START) == 0
    assert maps.delete_unused(START + HOUR) == 1
    assert maps.find_bundle(used) and maps.find_bundle(unused) is None


def test_replaced_version_is_deleted_once_no_game_names_it(
    store: Store, marco: GameRecord
) -> None:
    maps, games = Maps(store), Games(store)
    used, unused = add(maps, "mars", "one"), add(maps, "mars", "two", 1)
    games.add(replace(marco, map=used))
    newest, other = add(maps, "mars", "three", 2), add(maps, "io", "one")
    assert maps.delete_unused(START + 2 * HOUR) == 0
    assert maps.delete_unused(START + 3 * HOUR) == 1
    assert {each.key for each in maps.list_maps()} == {used, newest, other}
    assert maps.find_bundle(unused) is None


def test_open_games_of_maps_are_listed(store: Store, marco: GameRecord) -> None:
    maps, games = Maps(store), Games(store)
    key = add(maps, "mars", "one")
    games.add(replace(marco, map=key))
    games.add(replace(marco, name="polo", map=key, state=GameState.ENDED))
    games.add(replace(marco, name="niccolo"))
    assert maps.open_games([key]) == ["marco"]
    assert maps.open_games([]) == []


def test_damaged_map_is_a_fault(store: Store) -> None:
    maps = Maps(store)
    key = add(maps, "mars", "one")
    store.update_sql("UPDATE maps SET bundle = ?", [b"\xfd7zXZ"])
    with pytest.raises(DataError, match="mars.*damaged"):
        maps.find_bundle(key)
