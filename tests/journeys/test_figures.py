"""Statistics of persons: resignations, sitters, addresses, gunboat and rollbacks."""

from collections.abc import Iterator

import pytest

from judge.model.person import Finish, Rating, ResultTally
from judge.play.rating import compute_finish, finished_games, rank_players, record_of, skills
from judge.terminal.games import about_rating
from tests.journeys.rig import Rig, text_of

ANN, BOB, GM = "ann@example.org", "bob@example.org", "gm@example.org"


@pytest.fixture
def fresh() -> Iterator[Rig]:
    """A judge without a game."""
    made = Rig()
    yield made
    made.close()


@pytest.fixture(scope="module")
def begun() -> Iterator[Rig]:
    """A judge with a game named one."""
    made = Rig()
    begin(made, "one")
    yield made
    made.close()


def begin(rig: Rig, name: str, *settings: str) -> None:
    """Start a new game with Ann as Russia and Bob as Germany."""
    rig.mail(GM, f"CREATE ?{name} gmsecret standard\n" + "\n".join(settings))
    for who, letter in ((ANN, "R"), (BOB, "G")):
        rig.mail(who, f"JOIN {name} secret{letter}\nSET PREFERENCE {letter}\nSET NAME {who[:3]}")
    rig.mail(GM, f"SIGNON M{name} gmsecret\nSTART")


def concede(rig: Rig, name: str) -> None:
    """Concede to Ann as Bob."""
    rig.mail(BOB, f"SIGNON G{name} secretG\nVOTE CONCEDE R")


def known(rig: Rig) -> dict[str, Rating]:
    context = rig.application.context
    return dict(skills(finished_games(context), context.aliases.primary_addresses()))


def games_of(rig: Rig, who: str, *, own: bool = True) -> ResultTally:
    return record_of(rig.application.context, who, own=own).games


def test_games_count_once_they_are_over(rig: Rig) -> None:
    assert known(rig) == {}
    concede(rig, "one")
    assert known(rig)[ANN].points > 1000 > known(rig)[BOB].points - 100
    assert games_of(rig, ANN) == ResultTally(games=1, won=1, points=4)
    assert games_of(rig, BOB) == ResultTally(games=1, survived=1, points=3)


def test_a_cancelled_or_solo_game_counts_for_no_one(rig: Rig) -> None:
    rig.mail(GM, "SIGNON Mone gmsecret\nTERMINATE one S1901M")
    rig.mail(GM, "CREATE ?two gmsecret standard")
    rig.mail(ANN, "JOIN two secretR")
    rig.mail(GM, "SIGNON Mtwo gmsecret\nSTART")
    rig.mail(ANN, "SIGNON ?two secretR\nVOTE DRAW")
    game = rig.application.games.find("two")
    assert game is not None and game.ended is not None
    assert finished_games(rig.application.context) == ()
    assert games_of(rig, ANN) == ResultTally()


def test_a_leaver_is_last_and_the_successor_has_the_result(rig: Rig) -> None:
    rig.resign(ANN, "SIGNON Rone secretR")
    rig.mail("cid@example.org", "TAKEOVER Rone secretC")
    concede(rig, "one")
    assert games_of(rig, ANN) == ResultTally(games=1, left=1)
    assert games_of(rig, "cid@example.org").won == 1
    after = known(rig)
    assert after["cid@example.org"].points > after[BOB].points > after[ANN].points


def test_a_returning_player_has_not_left(rig: Rig) -> None:
    rig.resign(ANN, "SIGNON Rone secretR")
    rig.mail(ANN, "TAKEOVER Rone secretC")
    concede(rig, "one")
    assert games_of(rig, ANN) == ResultTally(games=1, won=1, points=4)


def test_the_player_has_the_result_instead_of_the_sitter(rig: Rig) -> None:
    rig.mail(ANN, "SIGNON Rone secretR\nSITTER zoe@example.org UNTIL 9 Jan")
    rig.mail("zoe@example.org", "SIT Rone")
    concede(rig, "one")
    assert games_of(rig, ANN).won == 1
    assert games_of(rig, "zoe@example.org") == ResultTally()


def test_leaving_after_the_end_changes_nothing(rig: Rig) -> None:
    concede(rig, "one")
    before = known(rig)
    rig.mail(ANN, "SIGNON Rone secretR\nRESIGN")
    assert "nothing changed" in about_rating(rig.application.context, True)
    assert known(rig) == before


def test_several_addresses_are_one_person(rig: Rig) -> None:
    concede(rig, "one")
    link = rig.application.context.aliases.ask_once("ann@work.example", ANN, rig.clock.now())
    for first in (True, False):
        rig.application.context.aliases.agree(link, first=first)
    assert games_of(rig, "ann@work.example") == games_of(rig, ANN)
    assert [row.name for row in rank_players(
        rig.application.context, known(rig), rig.application.context.aliases.primary_addresses()
    )] == ["ann", "bob"]


def test_a_gunboat_game_hides_its_winner(fresh: Rig) -> None:
    begin(fresh, "boat", "SET GUNBOAT")
    concede(fresh, "boat")
    assert known(fresh) == {}
    assert games_of(fresh, ANN).won == 1
    assert games_of(fresh, ANN, own=False) == ResultTally()
    (game,) = finished_games(fresh.application.context)
    assert game.secret and game.scores[5].finish is Finish.WON
    begin(fresh, "next")
    fresh.mail(GM, "SIGNON Mnext gmsecret\nINFO PLAYER R")
    assert "finished games" not in text_of(fresh.newest[GM])
    fresh.mail(ANN, "INFO PLAYER")
    assert "finished games: 1; won 1" in text_of(fresh.newest[ANN])
    assert "rating:" not in text_of(fresh.newest[ANN])
    fresh.mail("eve@example.org", "RATING\nSTATISTICS")
    told = text_of(fresh.newest["eve@example.org"])
    assert "The list is still empty." in told and "ann" not in told
    assert "Standard: 1 game finished." in told


def test_an_unrated_game_counts_outside_the_rating(fresh: Rig) -> None:
    begin(fresh, "one", "SET UNRATED")
    concede(fresh, "one")
    assert known(fresh) == {}
    assert games_of(fresh, ANN, own=False).won == 1


def test_a_game_with_a_rolled_back_end_no_longer_counts(fresh: Rig) -> None:
    begin(fresh, "one", "SET VICTORY 5")
    for orders in ("F Sev - Rum\nF StP - Bot\nA War - Gal\nA Mos - Ukr", "F Bot - Swe"):
        game = fresh.application.games.find("one")
        assert game is not None
        fresh.mail(ANN, f"SIGNON Rone secretR\n{orders}")
        fresh.mail(GM, f"SIGNON Mone gmsecret\nPROCESS {game.phase}")
    assert games_of(fresh, ANN).won == 1
    before = known(fresh)
    fresh.mail(GM, "SIGNON Mone gmsecret\nROLLBACK one F1901A TO F1901M")
    game = fresh.application.games.find("one")
    assert game is not None and game.ended is None
    assert known(fresh) == {}
    fresh.mail(GM, "SIGNON Mone gmsecret\nPROCESS F1901M")
    assert known(fresh) == before


def test_stored_results_agree_with_the_records(rig: Rig) -> None:
    begin(rig, "two", "SET GUNBOAT")
    rig.resign(ANN, "SIGNON Rtwo secretR")
    concede(rig, "one")
    concede(rig, "two")
    context = rig.application.context
    for finished in finished_games(context):
        assert compute_finish(context.games.get(finished.id)) == finished
    assert about_rating(context, True).startswith("games computed again: 2; nothing changed")
    (number, _), *_ = context.finishes.load_finishes().items()
    context.finishes.save_finish(number, finished_games(context)[0].ended, None)
    assert about_rating(context, True).startswith("games computed again: 2; changed: one")
    assert about_rating(context, False).splitlines()[0].endswith(f"1  {ANN}  ann")


def test_games_count_by_their_time_of_end() -> None:
    """The winner of the later of two games has the higher rating.

    Both games have the same players.
    """
    people = {ANN: "A", BOB: "E", "cat@example.org": "F"}
    rig = Rig()
    for who in people:
        rig.mail(who, f"REGISTER\nName: {who[:3].title()}\nEND")
        rig.reply(who, "yes")
    for name in ("older", "newer"):
        rig.mail(GM, f"CREATE ?{name} gmsecret standard\nSET NO DIAS\nSTART")
        for who, letter in people.items():
            rig.mail(who, f"TAKEOVER {letter}{name} secret")
    for name, sharing in (("newer", "E F"), ("older", "A E")):
        for who, letter in people.items():
            rig.mail(who, f"SIGNON {letter}{name} secret\nVOTE DRAW {sharing}")
        rig.clock.advance(hours=1)
    rig.mail(BOB, "RATING")
    told = text_of(rig.newest[BOB])
    places = [told.index(f"{name} (2 games)") for name in ("Bob", "Ann", "Cat")]
    assert places == sorted(places)
    found = [each.id for each in finished_games(rig.application.context)]
    names = [rig.application.games.get(number).name for number in found]
    assert names == ["newer", "older"]
    rig.close()
