"""Addresses, deferred lines, failed sign-ons and address changes."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest

from judge.model.incoming import Arrival
from judge.model.person import AddressChange
from judge.model.record import GameRecord, MailState, Role, Seat, SeatState
from judge.store.database import Store
from judge.store.games import Games
from judge.store.mail_queues import Post
from judge.store.people import FailedSignOns, PendingLine, People
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
    assert people.ask_once("confirm ann", NOW, NOW - DAY)
    assert not people.ask_once("confirm ann", NOW + MINUTE, NOW + MINUTE - DAY)
    assert people.ask_once("confirm eve", NOW + MINUTE, NOW + MINUTE - DAY)
    assert people.ask_once("confirm ann", NOW + DAY, NOW)


def test_deferred_lines_come_back_once_in_order_of_arrival(people: People) -> None:
    for mail, line in ((2, 1), (1, 4), (1, 2), (1, 2)):
        people.add_pending(mail, line, "Ann@example.org", NOW)
    people.add_pending(3, 1, "eve@example.org", NOW)
    assert people.pending_for("ann@example.org", NOW) == [
        PendingLine(1, frozenset({2, 4}), "ann@example.org"),
        PendingLine(2, frozenset({1}), "ann@example.org"),
    ]
    assert people.pending_for("ann@example.org", NOW + MINUTE) == []
    people.delete_pending("ann@example.org")
    assert people.pending_for("ann@example.org", NOW) == []
    assert people.pending_for("eve@example.org", NOW) == [
        PendingLine(3, frozenset({1}), "eve@example.org")
    ]


def test_wrong_passwords_are_counted_by_seat_and_by_address(people: People) -> None:
    for seat, address, after in (("a", "x@y.org", 0), ("a", "Z@y.org", 1), ("b", "z@y.org", 2)):
        people.note_wrong(seat, address, NOW + after * MINUTE)
    assert people.failed_sign_ons(NOW - DAY, seat="a") == FailedSignOns(2, NOW + MINUTE)
    assert people.failed_sign_ons(NOW - DAY, address="z@Y.org") == FailedSignOns(
        2, NOW + 2 * MINUTE
    )
    assert people.failed_sign_ons(NOW - DAY, seat="a", address="z@y.org").many == 1
    assert people.failed_sign_ons(NOW + DAY, seat="a") == FailedSignOns(0, None)
    people.clear_failures("a", "z@y.org")
    assert people.failed_sign_ons(NOW - DAY, seat="a").many == 1


def test_counts_use_indexes_only(people: People, store: Store, plans: Plans) -> None:
    post = Post(store)
    for work in (
        lambda: people.failed_sign_ons(NOW, seat="a"),
        lambda: people.failed_sign_ons(NOW, address="b"), lambda: people.pending_for("a", NOW),
        lambda: post.answers_to("ann@example.org", ("error",), NOW),
    ):
        for plan in plans(work):
            assert plan.startswith("SEARCH") and "INDEX" in plan, plan


def test_changes_of_address_are_kept_in_the_order_they_were_done(
    people: People, store: Store, marco: GameRecord, add_seat: Callable[[], int]
) -> None:
    seat = add_seat()
    first, second, third = (
        people.request_address_change(AddressChange(0, seat, 1, old, new, NOW))
        for old, new in (("a", "b"), ("b", "c"), ("c", "d"))
    )
    people.finish_move(second, NOW + DAY)
    people.finish_move(first, NOW + MINUTE)
    assert [move.id for move in people.moves(seat)] == [first, second]
    assert people.move(third) == AddressChange(third, seat, 1, "c", "d", NOW)
    assert people.move(99) is None


@pytest.fixture
def add_seat(store: Store, marco: GameRecord) -> Callable[[], int]:
    """Function that makes a game with a seat and returns the seat's number."""
    def add() -> int:
        games = Games(store)
        game = games.add(marco)
        assert game is not None
        return games.add_seat(Seat(0, game.id, Role.PLAYER, SeatState.OCCUPIED)).id

    return add


def test_old_rows_are_deleted_but_confirmed_addresses_stay(people: People) -> None:
    people.confirm("ann@example.org", NOW)
    people.ask_once("confirm ann", NOW, NOW)
    people.add_pending(1, 1, "ann@example.org", NOW)
    people.note_wrong("a", "ann@example.org", NOW)
    people.delete_older(NOW + MINUTE)
    assert people.is_confirmed("ann@example.org")
    assert people.ask_once("confirm ann", NOW, NOW - DAY)
    assert not people.pending_for("ann@example.org", NOW - DAY)
    assert not people.failed_sign_ons(NOW - DAY, seat="a").many


def test_old_mails_are_reduced_to_headers_hash_and_effect(store: Store) -> None:
    post = Post(store)
    raw = b"From: ann@example.org\r\nSubject: x\r\n\r\nSIGNON Nmarco secretword\r\n"
    post.accept([Arrival(raw, "ann@example.org", ("judge@localhost",))] * 3, NOW)
    for number in (1, 2):
        post.finish(number, MailState.DONE, "1 letters", NOW)
    assert post.strip_old_bodies(0, NOW, 100) == 0
    assert post.strip_old_bodies(0, NOW + MINUTE, 1) == 1
    assert post.strip_old_bodies(1, NOW + MINUTE, 100) == 2, "the third is not worked yet"
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
    assert post.shunt(first, "held 1", "a fault", NOW + 5 * DAY) == 4
    reduced = 0
    for days in range(1, 5):
        reduced = post.strip_old_bodies(reduced, NOW + days * DAY, 100)
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
    assert people.ask_once("confirm ann", NOW, NOW - DAY)
    people.delete_question("confirm ann")
    assert people.ask_once("confirm ann", NOW, NOW - DAY)


def test_declined_address_change_is_deleted(people: People, add_seat: Callable[[], int]) -> None:
    number = people.request_address_change(AddressChange(0, add_seat(), 1, "a", "b", NOW))
    people.drop_move(number)
    assert people.move(number) is None


def test_octets_served_to_an_address_are_summed_over_a_time(people: People) -> None:
    people.record_served("Ann@example.org", 100, NOW)
    people.record_served("ann@example.org", 20, NOW + MINUTE)
    people.record_served("bob@example.org", 3, NOW + MINUTE)
    assert people.served_since("ANN@example.org", NOW - MINUTE) == 120
    assert people.served_since("ann@example.org", NOW) == 20, "after that instant"
    assert people.served_since("eve@example.org", NOW) == 0
    people.delete_older(NOW + MINUTE)
    assert people.served_since("ann@example.org", NOW - MINUTE) == 20


def test_deferred_lines_are_found_by_their_game(people: People) -> None:
    people.add_pending(1, 1, "Ann@example.org", NOW, "Marco")
    assert people.has_pending("ann@example.org", "MARCO", NOW)
    assert not people.has_pending("ann@example.org", "polo", NOW)
    assert not people.has_pending("bob@example.org", "marco", NOW)
    assert not people.has_pending("ann@example.org", "marco", NOW + MINUTE)
