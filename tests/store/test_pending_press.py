"""Amount of press that each seat has written recently."""

from datetime import timedelta

from judge.model.record import GameRecord, Role, Seat, SeatState
from judge.store.database import Store
from judge.store.games import Games
from judge.store.pending import PendingPress
from tests.store.conftest import START


def test_press_is_counted_by_seat_and_time(store: Store, marco: GameRecord) -> None:
    papers, games, hour = PendingPress(store), Games(store), timedelta(hours=1)
    game = games.add(marco)
    assert game
    for _ in range(2):
        games.add_seat(Seat(id=0, game=game.id, role=Role.PLAYER, state=SeatState.OCCUPIED))
    papers.record_usage(1, START, 100, START - hour)
    papers.record_usage(1, START + hour, 20, START)
    papers.record_usage(2, START + hour, 7, START)
    assert papers.usage_since(1, START) == (2, 120)
    assert papers.usage_since(1, START + timedelta(microseconds=1)) == (1, 20)
    papers.record_usage(1, START + 2 * hour, 3, START + timedelta(microseconds=1))
    assert papers.usage_since(1, START) == (2, 23), "what is older than was asked for is forgotten"
    assert papers.usage_since(2, START) == (1, 7) and papers.usage_since(3, START) == (0, 0)
