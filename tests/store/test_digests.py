"""Calendar entries and pending digests of readers."""

from datetime import timedelta

from judge.model.letter import CalendarEntry
from judge.model.record import GameRecord, Role, Seat, SeatState
from judge.store.database import Store
from judge.store.games import Games
from judge.store.pending import Appointments, Bundles
from judge.store.schema import PendingDigest
from tests.store.conftest import START

DAY, MOMENT = timedelta(days=1), timedelta(microseconds=1)


def test_current_requested_and_changed_entries_are_found(store: Store, marco: GameRecord) -> None:
    book, game = Appointments(store), Games(store).add(marco)
    assert game
    spring, autumn, winter = (
        CalendarEntry(game.id, "marco", phase, "move", phase, START + days * DAY, 0, is_on, START)
        for phase, days, is_on in (("S1901M", 1, False), ("F1901M", 3, True), ("W1901A", 2, False))
    )
    for one in (spring, autumn, winter):
        book.keep(one)
    assert book.entries_for(game.id, "marco", "") == [autumn]
    assert book.entries_for(game.id, "marco", "W1901A") == [winter, autumn]
    assert [one.name for one in book.entries_for(game.id, "Marco the Great", "")] == [
        "Marco the Great"
    ]
    assert book.entries_for(99, "marco", "S1901M") == []
    moved = CalendarEntry(game.id, "marco", "F1901M", "move", "F1901M", START, 1, True, START + DAY)
    book.keep(moved)
    assert book.changed_since(game.id, "marco", START) == [moved, spring, winter]
    assert book.changed_since(game.id, "marco", START + MOMENT) == [moved]


def seat(game: int, name: str) -> Seat:
    """Return an observer's seat."""
    address = f"{name}@example.org"
    return Seat(0, game, Role.OBSERVER, SeatState.OCCUPIED, address=address)


def test_seat_has_one_pending_digest_with_a_due_time(store: Store, marco: GameRecord) -> None:
    games, bundles = Games(store), Bundles(store)
    game = games.add(marco)
    assert game
    first, second, third = (
        games.add_seat(seat(game.id, name)).id
        for name in ("ann", "bob", "eve")
    )
    bundles.add(PendingDigest(first, START, START + DAY))
    bundles.add(PendingDigest(first, START + DAY, None))
    bundles.add(PendingDigest(second, START, None))
    bundles.add(PendingDigest(third, START, START))
    assert bundles.get(first) == PendingDigest(first, START, START + DAY)
    assert bundles.due(START - MOMENT) == []
    assert [one.seat for one in bundles.due(START)] == [third]
    assert [one.seat for one in bundles.due(START + DAY)] == [third, first]
    assert [one.seat for one in bundles.due(START + DAY, limit=1)] == [third]
    bundles.reschedule(second, START)
    bundles.reschedule(99, START)
    assert [one.seat for one in bundles.due(START)] == [second, third]
    bundles.drop(third)
    assert bundles.get(third) is None and bundles.get(second) == PendingDigest(second, START, START)
