"""A game in one transaction: only changed seats are written, once."""

from dataclasses import replace

import pytest

from judge.model.record import Seat
from judge.play.game import LoadedGames
from judge.store.games import Games
from tests.journeys.rig import Rig

ANN = "ann@example.org"


@pytest.mark.parametrize("keeps, written", [(True, [["x", "y"]]), (False, [["x"], ["y"]])])
def test_only_changed_seats_are_written(
    monkeypatch: pytest.MonkeyPatch, keeps: bool, written: list[list[str]]
) -> None:
    rig = Rig()
    rig.mail(ANN, "CREATE ?marco annsecret standard\nSTART")
    saved: list[list[str]] = []
    save = Games.save_seats

    def note_seats(games: Games, seats: list[Seat]) -> None:
        saved.append([seat.preference for seat in seats])
        save(games, seats)

    monkeypatch.setattr(Games, "save_seats", note_seats)
    with rig.application.context.unit_of_work() as context:
        games = LoadedGames(context.games.stored, keeps=keeps)
        games.context = context
        game = games.find("marco")
        assert game is not None
        first, second = game.all_seats()[:2]
        game.save_seat(first)
        games.save_seat(second)
        games.flush()
        assert saved == [], "they are as they were"
        for seat, wish in ((first, "x"), (second, "y")):
            game.save_seat(replace(seat, preference=wish))
            game.save_seat(replace(seat, preference=wish))
        assert [seat.preference for seat in game.all_seats()[:2]] == ["x", "y"]
        games.flush()
        games.flush()
        assert saved == written
        new = game.add_seat(replace(first, id=0, address="bob@example.org"))
        other = games.add_seat(replace(first, id=0, address="eve@example.org"))
        games.flush()
        assert game.seat(new.id) == new and game.seat(other.id) == (other if keeps else None)
        stored = context.games.stored
        assert [stored.seat(one.id) for one in (new, other)] == [new, other]
        assert first.id < second.id < new.id < other.id and saved == written
    rig.close()
