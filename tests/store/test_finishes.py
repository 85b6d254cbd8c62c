"""Stored results of games."""

from dataclasses import replace
from datetime import timedelta

from judge.model.person import Finish, Finished, PowerFinish
from judge.model.record import GameRecord, GameState
from judge.store.database import Store
from judge.store.games import Finishes, Games
from tests.store.conftest import START


def test_stored_results_are_read_as_written(store: Store, marco: GameRecord) -> None:
    games, finishes, day = Games(store), Finishes(store), timedelta(days=1)
    ids = []
    for name, state, ended in (
        ("late", GameState.ENDED, START + day), ("early", GameState.ENDED, START),
        ("open", GameState.RUNNING, None), ("again", GameState.RUNNING, START),
    ):
        game = games.add(replace(marco, name=name, state=state, ended=ended))
        assert game
        ids.append(game.id)
    late, early, *_ = ids
    assert list(finishes.find_ended().items()) == [(early, START), (late, START + day)]
    scores = (
        PowerFinish("France", Finish.WON, 18, "ann@example.org", ("bob@example.org",)),
        PowerFinish("Italy", Finish.OUT, 0, "", ()),
    )
    won = Finished(late, "standard", "diplomacy", START + day, True, False, scores,
                   (("1901", (5, 4)), ("1902", (6, 3))))
    finishes.save_finish(late, START, None)
    finishes.save_finish(late, START + day, won)
    finishes.save_finish(early, START, None)
    assert finishes.load_finishes() == {late: (START + day, won), early: (START, None)}
    finishes.delete_finishes([late, 99])
    assert finishes.load_finishes() == {early: (START, None)}
