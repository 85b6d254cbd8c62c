"""The lists of waiting mails and due items, and replies to later mails."""

from dataclasses import replace
from datetime import timedelta

from judge.model.record import GameRecord, GameState, MailState, Role, Seat, SeatState
from judge.store.database import Store
from judge.store.games import Games
from judge.store.mail_queues import Post
from judge.store.pending import Bundles
from judge.store.schema import PendingDigest
from tests.store.test_post import MINUTE, NOW, arrival, outgoing

MOMENT = timedelta(microseconds=1)


def test_oldest_new_mails_come_first_up_to_a_limit(store: Store) -> None:
    post, worklist = Post(store), Post(store)
    for minutes in range(4):
        post.accept([arrival(b"%d" % minutes)], NOW + minutes * MINUTE)
    post.finish(2, MailState.DONE, "", NOW)
    assert worklist.new_numbers(9) == [(1, NOW), (3, NOW + 2 * MINUTE), (4, NOW + 3 * MINUTE)]
    assert worklist.waiting(9) == [1, 3, 4] and worklist.waiting(2) == [1, 3]
    assert worklist.new_numbers(2) == [(1, NOW), (3, NOW + 2 * MINUTE)]


def test_games_and_digests_are_due_at_their_instant(store: Store, marco: GameRecord) -> None:
    games, bundles, worklist = Games(store), Bundles(store), Post(store)
    game = games.add(replace(marco, due=NOW))
    assert game
    seat = games.add_seat(Seat(0, game.id, Role.OBSERVER, SeatState.OCCUPIED)).id
    assert worklist.is_anything_due(NOW) and not worklist.is_anything_due(NOW - MOMENT)
    # A pause with an end is over at its instant, and one without has none.
    games.save(replace(game, state=GameState.PAUSED))
    assert worklist.is_anything_due(NOW) and not worklist.is_anything_due(NOW - MOMENT)
    games.save(replace(game, state=GameState.PAUSED, due=None))
    assert not worklist.is_anything_due(NOW)
    bundles.add(PendingDigest(seat, NOW, NOW + MINUTE))
    bundles.add(PendingDigest(seat, NOW + MINUTE, NOW))
    assert bundles.get(seat) == PendingDigest(seat, NOW, NOW + MINUTE) and bundles.get(99) is None
    assert worklist.is_anything_due(NOW + MINUTE) and not worklist.is_anything_due(NOW)
    assert bundles.due(NOW + MINUTE) == [PendingDigest(seat, NOW, NOW + MINUTE)]
    assert bundles.due(NOW + MINUTE - MOMENT) == []
    bundles.reschedule(seat, NOW)
    assert worklist.is_anything_due(NOW)
    bundles.drop(seat)
    assert not worklist.is_anything_due(NOW + MINUTE) and bundles.get(seat) is None


def test_games_count_as_answered_by_letters_to_later_mails(store: Store) -> None:
    post, worklist = Post(store), Post(store)
    for to, game, answers in (
        ("Ann@x.org", "marco", 5), ("ann@x.org", "polo", 6), ("ann@x.org", "", 7),
        ("bob@x.org", "khan", 8), ("amy@x.org", "niccolo", 9), ("amy@x.org", "niccolo", 10),
    ):
        post.queue(outgoing(to=to, game=game, answers=answers))
    both = ["ANN@x.org", "amy@x.org"]
    assert worklist.games_answered(both, 4) == {"marco", "polo", "niccolo"}
    assert worklist.games_answered(both, 5) == {"polo", "niccolo"}
    assert worklist.games_answered(["ann@x.org"], 6) == frozenset()
