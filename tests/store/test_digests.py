"""Deadlines as readers were told them."""

from datetime import timedelta

from judge.model.letter import Appointment
from judge.model.record import GameRecord
from judge.store.database import Store
from judge.store.digests import Appointments
from judge.store.games import Games
from tests.store.conftest import START

DAY, MOMENT = timedelta(days=1), timedelta(microseconds=1)


def test_what_is_on_is_told_and_the_phase_asked_for_and_what_changed(
    store: Store, marco: GameRecord
) -> None:
    book, game = Appointments(store), Games(store).add(marco)
    assert game
    spring, autumn, winter = (
        Appointment(game.id, "marco", phase, "move", phase, START + days * DAY, 0, is_on, START)
        for phase, days, is_on in (("S1901M", 1, False), ("F1901M", 3, True), ("W1901A", 2, False))
    )
    for one in (spring, autumn, winter):
        book.keep(one)
    assert book.of(game.id, "marco", "") == [autumn]
    assert book.of(game.id, "marco", "W1901A") == [winter, autumn]
    assert [one.name for one in book.of(game.id, "Marco the Great", "")] == ["Marco the Great"]
    assert book.of(99, "marco", "S1901M") == []
    moved = Appointment(
        game.id, "marco", "F1901M", "move", "F1901M", START, 1, True, START + DAY
    )
    book.keep(moved)
    assert book.since(game.id, "marco", START) == [moved, spring, winter]
    assert book.since(game.id, "marco", START + MOMENT) == [moved]
