"""Inactive masters and banned addresses."""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

import pytest

from judge.model.record import GameRecord, Role, Seat, SeatState
from judge.store.addresses import Bans
from judge.store.database import Store
from judge.store.games import Games
from tests.store.conftest import START

DAY, MOMENT = timedelta(days=1), timedelta(microseconds=1)


@pytest.fixture
def seat(store: Store, marco: GameRecord) -> Callable[[], int]:
    """Function that makes a master's seat in a new game and returns its number."""
    def make() -> int:
        games = Games(store)
        game = games.add(replace(marco, name=f"marco{len(games.names())}"))
        assert game
        return games.add_seat(Seat(0, game.id, Role.MASTER, SeatState.OCCUPIED)).id

    return make


def test_a_master_is_silent_from_the_first_moment_after(
    store: Store, seat: Callable[[], int]
) -> None:
    book, ann, bob = Bans(store), seat(), seat()
    book.record_activity(ann, START)
    book.record_activity(bob, START + MOMENT)
    assert book.inactive_masters(START, START, 9) == []
    assert book.inactive_masters(START + MOMENT, START, 9) == [ann]
    assert book.inactive_masters(START + DAY, START, 9) == [ann, bob]
    assert book.inactive_masters(START + DAY, START, 1) == [ann]
    assert book.last_activity(ann) == START and book.last_activity(99) is None
    book.delete_activity(ann)
    assert book.inactive_masters(START + DAY, START, 9) == [bob] and book.last_activity(ann) is None


def test_asked_master_is_checked_again_at_the_set_time(
    store: Store, seat: Callable[[], int]
) -> None:
    book, ann, bob = Bans(store), seat(), seat()
    for one in (ann, bob):
        book.record_activity(one, START)
        assert not book.has_inquiry(one)
        book.record_inquiry(one, START + DAY)
        assert book.has_inquiry(one)
    book.recheck_at(ann, START + 2 * DAY)
    book.recheck_at(bob, None)
    assert book.inactive_masters(START + DAY, START + 2 * DAY - MOMENT, 9) == []
    assert book.inactive_masters(START + DAY, START + 2 * DAY, 9) == [ann]
    book.record_activity(bob, START + DAY)
    assert not book.has_inquiry(bob), "it is answered"
    assert book.inactive_masters(START + 2 * DAY, START + 2 * DAY, 9) == [ann, bob]
    assert book.inactive_masters(START + 2 * DAY, START + 2 * DAY, 1) == [ann], (
        "who was asked comes first"
    )


def test_no_mail_is_taken_from_an_address_or_a_domain(store: Store) -> None:
    book = Bans(store)
    assert not book.is_banned() and not book.is_banned("", "ann@x.org")
    assert book.ban("Ann@X.org", START) and not book.ban("ann@x.org", START + DAY)
    assert book.ban("@Y.org", START)
    assert book.bans() == [("@y.org", START), ("ann@x.org", START)]
    assert book.is_banned("bob@x.org", "ANN@x.org") and book.is_banned("", "bob@y.ORG")
    assert not book.is_banned("bob@x.org", "bob@z.y.org", "y.org@x.org")
    assert book.unban("ANN@x.org") and not book.unban("ann@x.org")
    assert not book.is_banned("ann@x.org")
    book.ban("@", START)
    assert not book.is_banned(""), "who names no address has none"
