"""Addresses, deferred lines, failed sign-ons and address changes."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest

from judge.model.incoming import Arrival
from judge.model.person import Move
from judge.model.record import GameRecord, MailState, Role, Seat, SeatState
from judge.store.database import Store
from judge.store.games import Games
from judge.store.people import Held, People, Wrong
from judge.store.post import Post
from tests.store.test_post import outgoing

NOW = datetime(2026, 1, 5, 20, 0, tzinfo=UTC)
MINUTE, DAY = timedelta(minutes=1), timedelta(days=1)
Plans = Callable[[Callable[[], object]], list[str]]


@pytest.fixture
def people(store: Store) -> People:
    """No known people, but three mails to refer to."""
    Post(store).accept([Arrival(b"x", "ann@example.org", ("judge@localhost",))] * 3, NOW)
    return People(store)


def test_an_address_is_confirmed_whatever_its_case(people: People) -> None:
    assert not people.is_confirmed("Ann@example.org")
    number = people.number_of("Ann@example.org")
    assert not people.is_confirmed("ann@example.org")
    people.confirm("ANN@example.org", NOW)
    assert people.is_confirmed("Ann@Example.org")
    assert people.number_of("ann@example.org") == number
    assert (people.address_of(number), people.address_of(99)) == ("ann@example.org", "")


def test_request_is_not_repeated_too_soon(people: People) -> None:
    assert people.ask("confirm ann", NOW, NOW - DAY)
    assert not people.ask("confirm ann", NOW + MINUTE, NOW + MINUTE - DAY)
    assert people.ask("confirm eve", NOW + MINUTE, NOW + MINUTE - DAY)
    assert people.ask("confirm ann", NOW + DAY, NOW)


def test_deferred_lines_come_back_once_in_order_of_arrival(people: People) -> None:
    for mail, line in ((2, 1), (1, 4), (1, 2), (1, 2)):
        people.hold(mail, line, "Ann@example.org", NOW)
    people.hold(3, 1, "eve@example.org", NOW)
    assert people.held("ann@example.org", NOW) == [
        Held(1, frozenset({2, 4}), "ann@example.org"), Held(2, frozenset({1}), "ann@example.org"),
    ]
    assert people.held("ann@example.org", NOW + MINUTE) == []
    people.let_go("ann@example.org")
    assert people.held("ann@example.org", NOW) == []
    assert people.held("eve@example.org", NOW) == [Held(3, frozenset({1}), "eve@example.org")]


def test_wrong_passwords_are_counted_by_seat_and_by_address(people: People) -> None:
    for seat, address, after in (("a", "x@y.org", 0), ("a", "Z@y.org", 1), ("b", "z@y.org", 2)):
        people.note_wrong(seat, address, NOW + after * MINUTE)
    assert people.wrong(NOW - DAY, seat="a") == Wrong(2, NOW + MINUTE)
    assert people.wrong(NOW - DAY, address="z@Y.org") == Wrong(2, NOW + 2 * MINUTE)
    assert people.wrong(NOW - DAY, seat="a", address="z@y.org").many == 1
    assert people.wrong(NOW + DAY, seat="a") == Wrong(0, None)
    people.forgive("a", "z@y.org")
    assert people.wrong(NOW - DAY, seat="a").many == 1


def test_counts_use_indexes_only(people: People, store: Store, plans: Plans) -> None:
    post = Post(store)
    for work in (
        lambda: people.wrong(NOW, seat="a"),
        lambda: people.wrong(NOW, address="b"),
        lambda: people.held("a", NOW),
        lambda: post.answers_to("ann@example.org", ("error",), NOW),
    ):
        for plan in plans(work):
            assert plan.startswith("SEARCH") and "INDEX" in plan, plan


def test_changes_of_address_are_kept_in_the_order_they_were_done(
    people: People, store: Store, marco: GameRecord, add_seat: Callable[[], int]
) -> None:
    seat = add_seat()
    first, second, third = (
        people.ask_move(Move(0, seat, 1, old, new, NOW))
        for old, new in (("a", "b"), ("b", "c"), ("c", "d"))
    )
    people.finish_move(second, NOW + DAY)
    people.finish_move(first, NOW + MINUTE)
    assert [move.id for move in people.moves(seat)] == [first, second]
    assert people.move(third) == Move(third, seat, 1, "c", "d", NOW)
    assert people.move(99) is None


@pytest.fixture
def add_seat(store: Store, marco: GameRecord) -> Callable[[], int]:
    """Function that makes a game with a seat and returns the seat's number."""
    def add() -> int:
        games = Games(store)
        game = games.add(marco)
        assert game is not None
        return games.add_seat(Seat(0, game.id, Role.PLAYER, SeatState.HELD)).id

    return add


def test_old_rows_are_deleted_but_confirmed_addresses_stay(people: People) -> None:
    people.confirm("ann@example.org", NOW)
    people.ask("confirm ann", NOW, NOW)
    people.hold(1, 1, "ann@example.org", NOW)
    people.note_wrong("a", "ann@example.org", NOW)
    people.forget(NOW + MINUTE)
    assert people.is_confirmed("ann@example.org")
    assert people.ask("confirm ann", NOW, NOW - DAY)
    assert not people.held("ann@example.org", NOW - DAY)
    assert not people.wrong(NOW - DAY, seat="a").many


def test_old_mails_are_reduced_to_headers_hash_and_effect(store: Store) -> None:
    post = Post(store)
    raw = b"From: ann@example.org\r\nSubject: x\r\n\r\nSIGNON Nmarco secretword\r\n"
    post.accept([Arrival(raw, "ann@example.org", ("judge@localhost",))] * 3, NOW)
    for number in (1, 2):
        post.finish(number, MailState.DONE, "1 letters", NOW)
    assert post.reduce(0, NOW, 100) == 0
    assert post.reduce(0, NOW + MINUTE, 1) == 1
    assert post.reduce(1, NOW + MINUTE, 100) == 2, "the third is not worked yet"
    first, third = post.get(1), post.get(3)
    assert first is not None and third is not None
    assert first.raw == b"From: ann@example.org\r\nSubject: x\r\n\r\n"
    assert first.note.startswith("1 letters; 63 octets, sha256 ")
    assert first.digest == third.digest and third.raw == raw


def test_late_shunted_part_does_not_stop_the_stripping_of_mails(store: Store) -> None:
    """It has the age of its mail but a new number. Those between are younger."""
    post = Post(store)
    for many in range(3):
        post.accept([Arrival(b"Subject: x\r\n\r\nsecretword\r\n", "", ())], NOW + many * DAY)
        post.finish(many + 1, MailState.DONE, "", NOW)
    first = post.get(1)
    assert first is not None
    assert post.set_aside(first, "held 1", "a fault", NOW + 5 * DAY) == 4
    reduced = 0
    for days in range(1, 5):
        reduced = post.reduce(reduced, NOW + days * DAY, 100)
    whole = [n for n in range(1, 5) if (mail := post.get(n)) and b"secretword" in mail.raw]
    assert (reduced, whole) == (4, [])


def test_replies_without_a_game_are_counted_among_many_letters(store: Store) -> None:
    post = Post(store)
    for at in range(150):
        post.queue(outgoing(queued=NOW, kind="results"))
    for kind in ("error", "error", "notice"):
        post.queue(outgoing(to="Ann@example.org", queued=NOW, kind=kind, game=""))
    for _ in range(150):
        post.queue(outgoing(queued=NOW, kind="results"))
    kinds = ("error", "help")
    assert post.answers_to("ann@Example.org", kinds, NOW - MINUTE) == 2
    assert post.answers_to("ann@example.org", kinds, NOW) == 0
    assert post.answers_to("eve@example.org", kinds, NOW - MINUTE) == 0


def test_withdrawn_request_may_be_repeated(people: People) -> None:
    assert people.ask("confirm ann", NOW, NOW - DAY)
    people.unask("confirm ann")
    assert people.ask("confirm ann", NOW, NOW - DAY)


def test_declined_address_change_is_deleted(people: People, add_seat: Callable[[], int]) -> None:
    number = people.ask_move(Move(0, add_seat(), 1, "a", "b", NOW))
    people.drop_move(number)
    assert people.move(number) is None


def test_octets_served_to_an_address_are_summed_over_a_time(people: People) -> None:
    people.serve("Ann@example.org", 100, NOW)
    people.serve("ann@example.org", 20, NOW + MINUTE)
    people.serve("bob@example.org", 3, NOW + MINUTE)
    assert people.served("ANN@example.org", NOW - MINUTE) == 120
    assert people.served("ann@example.org", NOW) == 20, "after that instant"
    assert people.served("eve@example.org", NOW) == 0
    people.forget(NOW + MINUTE)
    assert people.served("ann@example.org", NOW - MINUTE) == 20


def test_deferred_lines_are_found_by_their_game(people: People) -> None:
    people.hold(1, 1, "Ann@example.org", NOW, "Marco")
    assert people.awaits("ann@example.org", "MARCO", NOW)
    assert not people.awaits("ann@example.org", "polo", NOW)
    assert not people.awaits("bob@example.org", "marco", NOW)
    assert not people.awaits("ann@example.org", "marco", NOW + MINUTE)
