"""Games, seats, orders, history and votes."""

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.errors import StoreError
from judge.model.clock_state import EMPTY_CLOCK
from judge.model.record import (
    Ballot,
    Event,
    GameRecord,
    GameState,
    Plan,
    Role,
    Seat,
    SeatState,
    Turn,
)
from judge.model.seat_settings import DEFAULT_SETTINGS, SeatSettings
from judge.store.database import Store
from judge.store.games import Games, RollbackArchive
from judge.store.table import instant_of, micros

START = datetime(2026, 1, 5, 20, 0, tzinfo=UTC)
HOUR = timedelta(hours=1)
Plans = Callable[[Callable[[], object]], list[str]]


def add(games: Games, record: GameRecord) -> GameRecord:
    stored = games.add(record)
    assert stored is not None
    return stored


def test_a_game_comes_back_as_it_was_stored(store: Store, marco: GameRecord) -> None:
    games = Games(store)
    stored = add(games, marco)
    assert stored == replace(marco, id=stored.id)
    assert games.find("marco") == stored
    assert games.get(stored.id) == stored
    assert isinstance(games.get(stored.id).seed, bytes)


def test_unknown_name_is_none_and_unknown_id_an_error(store: Store) -> None:
    assert Games(store).find("polo") is None
    with pytest.raises(StoreError):
        Games(store).get(7)


def test_a_taken_name_is_refused(store: Store, marco: GameRecord) -> None:
    games = Games(store)
    first = add(games, marco)
    assert games.add(replace(marco, map="standard")) is None
    assert games.list_games() == [first]


def test_a_saved_game_is_changed(store: Store, marco: GameRecord) -> None:
    games = Games(store)
    stored = add(games, marco)
    changed = replace(
        stored, phase="F1901M", turn=2, clock=EMPTY_CLOCK, due=None, deadline=START + HOUR
    )
    games.save(changed)
    assert games.get(stored.id) == changed
    with pytest.raises(StoreError, match="never stored"):
        games.save(replace(marco, id=99, name="polo"))


def test_games_are_listed_by_name(store: Store, marco: GameRecord) -> None:
    games = Games(store)
    for name in ("polo", "marco", "abc"):
        add(games, replace(marco, name=name))
    assert games.names() == ["abc", "marco", "polo"]
    assert [game.name for game in games.list_games()] == games.names()


DUE = [
    (GameState.RUNNING, 0, True), (GameState.RUNNING, -60, True), (GameState.RUNNING, 1, False),
    (GameState.RUNNING, None, False), (GameState.FORMING, -1, True),
    (GameState.FORMING, None, False),
    # A pause ends at that instant.
    (GameState.PAUSED, -60, True), (GameState.PAUSED, 1, False), (GameState.PAUSED, None, False),
    # Press after the end of the game lasts until then.
    (GameState.ENDED, -60, True), (GameState.ENDED, None, False),
]


@pytest.mark.parametrize("state, minutes, is_due", DUE)
def test_games_are_due_from_their_instant(
    store: Store, marco: GameRecord, state: GameState, minutes: int | None, is_due: bool
) -> None:
    games = Games(store)
    due = None if minutes is None else START + timedelta(minutes=minutes)
    stored = add(games, replace(marco, state=state, due=due))
    assert games.due(START, 10) == ([stored.id] if is_due else [])
    assert games.next_due() == due


def test_due_games_come_longest_first_up_to_a_limit(store: Store, marco: GameRecord) -> None:
    games = Games(store)
    ids = {}
    for name, hours in [("aa", 1), ("bb", 3), ("cc", 2)]:
        ids[name] = add(games, replace(marco, name=name, due=START - hours * HOUR)).id
    assert games.due(START, 10) == [ids["bb"], ids["cc"], ids["aa"]]
    assert games.due(START, 2) == [ids["bb"], ids["cc"]]
    assert games.next_due() == START - 3 * HOUR


def test_due_games_are_found_by_index(store: Store, plans: Plans) -> None:
    """The cost of a look must not grow with the games stored."""
    games = Games(store)
    found = plans(lambda: games.due(START, 10)) + plans(games.next_due)
    assert len(found) == 5
    for plan in found:
        assert "SEARCH games USING COVERING INDEX games_due (state=? AND due" in plan


def test_seats_are_found_by_index(store: Store, plans: Plans) -> None:
    games = Games(store)
    [by_address] = plans(lambda: games.seats_at("ann@example.org"))
    assert "USING INDEX seats_address" in by_address
    [by_game] = plans(lambda: games.seats(1))
    assert "USING INDEX seats_game" in by_game


def seat_of(game: GameRecord, **values: object) -> Seat:
    seat = Seat(
        0, game.id, Role.PLAYER, SeatState.OCCUPIED, "India", "Ann@example.org", "$argon2id$x",
        settings=SeatSettings(zone="Europe/Paris"), since=START,
    )
    return replace(seat, **values)  # type: ignore[arg-type]


def test_a_seat_comes_back_as_it_was_stored(store: Store, marco: GameRecord) -> None:
    games = Games(store)
    game = add(games, marco)
    ann = games.add_seat(seat_of(game, wait=True))
    bob = games.add_seat(seat_of(game, power="Italy", address="bob@example.org"))
    assert games.seat(ann.id) == ann == seat_of(game, id=ann.id, wait=True)
    assert games.seats(game.id) == [ann, bob]
    games.save_seats([replace(bob, missed=2, ready=True)])
    assert games.seat(bob.id) == replace(bob, missed=2, ready=True)
    assert games.seat(99) is None
    with pytest.raises(StoreError, match="never stored"):
        games.save_seats([replace(bob, id=99)])


def test_seats_saved_together_must_all_exist(store: Store, marco: GameRecord) -> None:
    games = Games(store)
    game = add(games, marco)
    ann, bob = games.add_seat(seat_of(game)), games.add_seat(seat_of(game, power="Italy"))
    changed = [replace(ann, missed=1), replace(bob, since=None, settings=DEFAULT_SETTINGS)]
    games.save_seats(changed)
    assert games.seats(game.id) == changed
    with pytest.raises(StoreError, match="never stored"):
        games.save_seats([ann, replace(bob, id=99)])


def test_a_seat_needs_its_game(store: Store, marco: GameRecord) -> None:
    with pytest.raises(StoreError):
        Games(store).add_seat(seat_of(replace(marco, id=99)))


def test_an_address_finds_its_seats_in_any_case(store: Store, marco: GameRecord) -> None:
    games = Games(store)
    game, other = add(games, marco), add(games, replace(marco, name="polo"))
    held = games.add_seat(seat_of(game))
    waiting = games.add_seat(seat_of(other, state=SeatState.WAITING, power=""))
    games.add_seat(seat_of(game, state=SeatState.LEFT, role=Role.OBSERVER))
    games.add_seat(seat_of(game, state=SeatState.VACANT, power="China"))
    games.add_seat(seat_of(game, power="Italy", address="ann@example.com"))
    assert games.seats_at("ann@EXAMPLE.org") == [held, waiting]


def test_plans_are_kept_for_each_power_and_phase(store: Store, marco: GameRecord) -> None:
    games = Games(store)
    game = add(games, marco).id
    games.file_plan(Plan(game, "F1901M", "India", "first"))
    games.file_plan(Plan(game, "F1901M", "India", "second", wait=True))
    games.file_plan(Plan(game, "S1902M", "Italy", "", wait=True))
    assert games.plans(game) == [
        Plan(game, "F1901M", "India", "second", True), Plan(game, "S1902M", "Italy", "", True),
    ]
    games.file_plan(Plan(game, "S1902M", "Italy", ""))
    assert games.plans(game, "Italy") == []
    games.drop_plans(game, "Italy")
    assert len(games.plans(game)) == 1
    games.drop_plans(game)
    assert games.plans(game) == []


def test_orders_are_replaced_power_by_power(store: Store, marco: GameRecord) -> None:
    games = Games(store)
    game = add(games, marco).id
    games.file_sheets(game, "S1901M", {"India": "A Del - Kas"})
    games.file_sheets(game, "S1901M", {"Italy": "A Rom H"})
    games.file_sheets(game, "S1901M", {"India": "A Del H"})
    games.file_sheets(game, "F1901M", {"India": "A Kas H"})
    assert games.orders(game, "S1901M") == {"India": "A Del H", "Italy": "A Rom H"}
    games.file_sheets(game, "S1901M", {"Italy": ""})
    assert games.orders(game, "S1901M") == {"India": "A Del H"}
    games.drop_orders(game, "S1901M")
    assert games.orders(game, "S1901M") == {}
    assert games.orders(game, "F1901M") == {"India": "A Kas H"}


def test_history_is_kept_in_order_and_written_once(store: Store, marco: GameRecord) -> None:
    games = Games(store)
    game = add(games, marco).id
    one, two = (
        Turn(game, number, f"S190{number}M", "before", {"India": "A Del H"}, "{}", "after", START)
        for number in (1, 2)
    )
    games.add_turn(two)
    games.add_turn(one)
    assert games.turns(game) == [one, two]
    with pytest.raises(StoreError):
        games.add_turn(one)


def test_events_are_found_between_two_instants(store: Store, marco: GameRecord) -> None:
    games = Games(store)
    game = add(games, marco).id
    events = [
        Event(game, START + n * HOUR, "S1901M", "press", f"text {n}", ("Italy", "Master"))
        for n in range(4)
    ]
    for event in reversed(events):
        games.add_event(event)
    assert games.events(game) == events
    assert games.last_event(game) == 4 and games.last_event(game + 1) == 0
    assert games.events(game, since=START + HOUR) == events[1:]
    assert games.events(game, until=START + HOUR) == events[:1]
    assert games.events(game, START + HOUR, START + 3 * HOUR) == events[1:3]


def test_a_vote_replaces_the_earlier_one(store: Store, marco: GameRecord) -> None:
    games = Games(store)
    game = add(games, marco)
    ann, bob = (games.add_seat(seat_of(game, power=name)).id for name in ("India", "Italy"))
    for seat, matter, choice in [
        (ann, "draw", "yes"), (ann, "draw", "no"), (ann, "clock", "48"), (bob, "draw", "yes"),
    ]:
        games.cast_vote(Ballot(game.id, seat, matter, choice))
    assert games.ballots(game.id) == [
        Ballot(game.id, ann, "clock", "48"), Ballot(game.id, ann, "draw", "no"),
        Ballot(game.id, bob, "draw", "yes"),
    ]
    assert games.withdraw(game.id, ann, "draw") == 1
    assert games.withdraw(game.id, ann, "draw") == 0
    games.drop_ballots(game.id, "draw")
    assert games.ballots(game.id) == [Ballot(game.id, ann, "clock", "48")]
    assert games.withdraw(game.id, ann) == 1
    games.cast_vote(Ballot(game.id, bob, "draw", "yes"))
    games.drop_ballots(game.id)
    assert games.ballots(game.id) == []


@given(st.datetimes(timezones=st.builds(timezone, st.timedeltas(-23 * HOUR, 23 * HOUR))))
def test_instants_survive_to_the_microsecond(instant: datetime) -> None:
    try:
        utc = instant.astimezone(UTC)
    except OverflowError:
        return
    assert instant_of(micros(instant)) == utc


def test_the_oldest_game_that_is_not_over_is_found(store: Store, marco: GameRecord) -> None:
    games = Games(store)
    assert games.oldest_open() is None
    for name, days, state in (("old", 1, GameState.ENDED), ("mid", 2, GameState.PAUSED),
                              ("new", 3, GameState.FORMING)):
        games.add(replace(marco, name=name, created=START + timedelta(days=days), state=state))
    assert games.oldest_open() == START + timedelta(days=2)


def test_failed_filing_leaves_the_earlier_sheets(store: Store, marco: GameRecord) -> None:
    games = Games(store)
    game = add(games, marco)
    before = {"India": "A Del - Kas", "Japan": "F Tok - NPa"}
    games.file_sheets(game.id, "S1901M", before)
    with pytest.raises(UnicodeEncodeError):
        games.file_sheets(game.id, "S1901M", {"India": "A Del H", "Japan": "\udc80"})
    assert games.orders(game.id, "S1901M") == before


def test_sheets_are_filed_and_taken_away_at_once(store: Store, marco: GameRecord) -> None:
    games = Games(store)
    game = add(games, marco)
    games.file_sheets(game.id, "S1901M", {"India": "A Del - Kas", "Japan": "F Tok - NPa"})
    games.file_sheets(game.id, "S1901M", {"India": "", "Japan": "F Tok H", "China": "A Pek H"})
    assert games.orders(game.id, "S1901M") == {"Japan": "F Tok H", "China": "A Pek H"}


def test_a_game_is_found_whole_with_seats_or_without(store: Store, marco: GameRecord) -> None:
    games = Games(store)
    game = add(games, marco)
    assert games.find_with_seats(id=game.id) == (game, []) == games.find_with_seats(name="marco")
    seats = [games.add_seat(seat_of(game)), games.add_seat(seat_of(game, power="Italy"))]
    assert (
        games.find_with_seats(id=game.id) == (game, seats) and games.find_with_seats(id=99) is None
    )


def test_the_next_game_is_due_whatever_state_it_is_in(store: Store, marco: GameRecord) -> None:
    games = Games(store)
    assert games.next_due() is None
    for name, state, hours in (("aa", GameState.RUNNING, 3), ("bb", GameState.FORMING, 2),
                               ("cc", GameState.RUNNING, 1), ("dd", GameState.PAUSED, 0)):
        add(games, replace(marco, name=name, state=state, due=START + hours * HOUR))
        if name != "aa":
            assert games.next_due() == START + {"bb": 2, "cc": 1, "dd": 0}[name] * HOUR


def test_rolled_back_turns_are_stored_whole(store: Store, marco: GameRecord) -> None:
    games = Games(store)
    game = add(games, marco)
    archive = RollbackArchive(store)
    sheets = {"India": "A Del H", "Japan": "F Tok H"}
    with store.transaction():
        for phase in ("S1901M", "F1901M"):
            games.file_sheets(game.id, phase, sheets)
        archive.undo(game, 0, START)
    (undone,) = archive.undone(game.id)
    assert undone.orders == {"S1901M": sheets, "F1901M": sheets}
    assert games.orders(game.id, "S1901M") == {}


def test_deletion_of_a_game_deletes_all_its_rows(store: Store, marco: GameRecord) -> None:
    games, archive = Games(store), RollbackArchive(store)
    game = add(games, marco)
    games.add_turn(Turn(game.id, 1, "S1901M", "before", {}, "{}", "after", START))
    with store.transaction():
        archive.undo(game, 1, START)
        assert archive.turns(game.id)
        Games(store).remove(game.id)
    for table in ("games", "undone", "undone_turns"):
        assert not store.select_sql(f"SELECT 1 FROM {table}", ()), table
