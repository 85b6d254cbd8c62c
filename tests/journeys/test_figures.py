"""What counts for whom: leavers, sitters, several addresses, gunboat, and turns undone."""

from collections.abc import Iterator

import pytest

from judge.model.person import Finish, Skill, Tally
from judge.play.rating import finished_games, listed, record_of, skills, work_out
from judge.terminal.games import about_rating
from tests.journeys.bench import Bench, text_of

ANN, BOB, GM = "ann@example.org", "bob@example.org", "gm@example.org"


@pytest.fixture
def bench() -> Iterator[Bench]:
    made = Bench()
    yield made
    made.close()


def begin(bench: Bench, name: str, *settings: str) -> None:
    """Have Ann play Russia and Bob Germany in a new game."""
    bench.mail(GM, f"CREATE ?{name} gmsecret standard\n" + "\n".join(settings))
    for who, letter in ((ANN, "R"), (BOB, "G")):
        bench.mail(who, f"JOIN {name} secret{letter}\nSET PREFERENCE {letter}\nSET NAME {who[:3]}")
    bench.mail(GM, f"SIGNON M{name} gmsecret\nSTART")


def concede(bench: Bench, name: str) -> None:
    """Have Bob concede to Ann."""
    bench.mail(BOB, f"SIGNON G{name} secretG\nVOTE CONCEDE R")


def known(bench: Bench) -> dict[str, Skill]:
    office = bench.works.office
    return dict(skills(finished_games(office), office.aliases.heads()))


def games_of(bench: Bench, who: str, *, own: bool = True) -> Tally:
    return record_of(bench.works.office, who, own=own).games


def test_games_count_once_they_are_over(bench: Bench) -> None:
    begin(bench, "one")
    assert known(bench) == {}
    concede(bench, "one")
    assert known(bench)[ANN].points > 1000 > known(bench)[BOB].points - 100
    assert games_of(bench, ANN) == Tally(games=1, won=1, centres=4)
    assert games_of(bench, BOB) == Tally(games=1, survived=1, centres=3)


def test_a_game_called_off_or_played_alone_counts_for_nobody(bench: Bench) -> None:
    begin(bench, "one")
    bench.mail(GM, "SIGNON Mone gmsecret\nTERMINATE one S1901M")
    bench.mail(GM, "CREATE ?two gmsecret standard")
    bench.mail(ANN, "JOIN two secretR")
    bench.mail(GM, "SIGNON Mtwo gmsecret\nSTART")
    bench.mail(ANN, "SIGNON ?two secretR\nVOTE DRAW")
    game = bench.works.games.find("two")
    assert game is not None and game.ended is not None
    assert finished_games(bench.works.office) == ()
    assert games_of(bench, ANN) == Tally()


def test_who_leaves_is_last_and_who_takes_over_has_the_result(bench: Bench) -> None:
    begin(bench, "one")
    bench.mail(ANN, "SIGNON Rone secretR\nRESIGN")
    bench.mail("cid@example.org", "TAKEOVER Rone secretC")
    concede(bench, "one")
    assert games_of(bench, ANN) == Tally(games=1, left=1)
    assert games_of(bench, "cid@example.org").won == 1
    after = known(bench)
    assert after["cid@example.org"].points > after[BOB].points > after[ANN].points


def test_who_comes_back_to_his_power_has_not_left_it(bench: Bench) -> None:
    begin(bench, "one")
    bench.mail(ANN, "SIGNON Rone secretR\nRESIGN")
    bench.mail(ANN, "TAKEOVER Rone secretC")
    concede(bench, "one")
    assert games_of(bench, ANN) == Tally(games=1, won=1, centres=4)


def test_the_player_has_the_result_and_not_the_sitter(bench: Bench) -> None:
    begin(bench, "one")
    bench.mail(ANN, "SIGNON Rone secretR\nSITTER zoe@example.org UNTIL 9 Jan")
    bench.mail("zoe@example.org", "SIT Rone")
    concede(bench, "one")
    assert games_of(bench, ANN).won == 1
    assert games_of(bench, "zoe@example.org") == Tally()


def test_leaving_after_the_end_changes_nothing(bench: Bench) -> None:
    begin(bench, "one")
    concede(bench, "one")
    before = known(bench)
    bench.mail(ANN, "SIGNON Rone secretR\nRESIGN")
    assert "nothing changed" in about_rating(bench.works.office, True)
    assert known(bench) == before


def test_several_addresses_are_one_person(bench: Bench) -> None:
    begin(bench, "one")
    concede(bench, "one")
    link = bench.works.office.aliases.ask("ann@work.example", ANN, bench.clock.now())
    for first in (True, False):
        bench.works.office.aliases.agree(link, first=first)
    assert games_of(bench, "ann@work.example") == games_of(bench, ANN)
    assert [row.name for row in listed(
        bench.works.office, known(bench), bench.works.office.aliases.heads()
    )] == ["ann", "bob"]


def test_a_gunboat_game_tells_nobody_who_won_it(bench: Bench) -> None:
    begin(bench, "boat", "SET GUNBOAT")
    concede(bench, "boat")
    assert known(bench) == {}
    assert games_of(bench, ANN).won == 1
    assert games_of(bench, ANN, own=False) == Tally()
    (game,) = finished_games(bench.works.office)
    assert game.secret and game.scores[5].finish is Finish.WON
    begin(bench, "next")
    bench.mail(GM, "SIGNON Mnext gmsecret\nINFO PLAYER R")
    assert "finished games" not in text_of(bench.newest[GM])
    bench.mail(ANN, "INFO PLAYER")
    assert "finished games: 1; won 1" in text_of(bench.newest[ANN])
    assert "rating:" not in text_of(bench.newest[ANN])
    bench.mail("eve@example.org", "RATING\nSTATISTICS")
    told = text_of(bench.newest["eve@example.org"])
    assert "Nobody stands in the list yet." in told and "ann" not in told
    assert "Standard: 1 game played to an end." in told


def test_an_unrated_game_counts_but_not_in_the_rating(bench: Bench) -> None:
    begin(bench, "one", "SET UNRATED")
    concede(bench, "one")
    assert known(bench) == {}
    assert games_of(bench, ANN, own=False).won == 1


def test_a_game_whose_end_is_undone_no_longer_counts(bench: Bench) -> None:
    begin(bench, "one", "SET VICTORY 5")
    for orders in ("F Sev - Rum\nF StP - Bot\nA War - Gal\nA Mos - Ukr", "F Bot - Swe"):
        game = bench.works.games.find("one")
        assert game is not None
        bench.mail(ANN, f"SIGNON Rone secretR\n{orders}")
        bench.mail(GM, f"SIGNON Mone gmsecret\nPROCESS {game.phase}")
    assert games_of(bench, ANN).won == 1
    before = known(bench)
    bench.mail(GM, "SIGNON Mone gmsecret\nROLLBACK one F1901A TO F1901M")
    game = bench.works.games.find("one")
    assert game is not None and game.ended is None
    assert known(bench) == {}
    bench.mail(GM, "SIGNON Mone gmsecret\nPROCESS F1901M")
    assert known(bench) == before


def test_what_is_kept_is_what_the_records_say(bench: Bench) -> None:
    begin(bench, "one")
    begin(bench, "two", "SET GUNBOAT")
    bench.mail(ANN, "SIGNON Rtwo secretR\nRESIGN")
    concede(bench, "one")
    concede(bench, "two")
    office = bench.works.office
    for finished in finished_games(office):
        assert work_out(office.games.get(finished.id)) == finished
    assert about_rating(office, True).startswith("games worked out again: 2; nothing changed")
    (number, _), *_ = office.finishes.kept().items()
    office.finishes.keep(number, finished_games(office)[0].ended, None)
    assert about_rating(office, True).startswith("games worked out again: 2; changed: one")
    assert about_rating(office, False).splitlines()[0].endswith(f"1  {ANN}  ann")


def test_games_count_in_the_order_in_which_they_ended() -> None:
    """Whoever wins the later of two games against the same people has the better of it."""
    people = {ANN: "A", BOB: "E", "cat@example.org": "F"}
    bench = Bench()
    for who in people:
        bench.mail(who, f"REGISTER\nName: {who[:3].title()}\nEND")
        bench.reply(who, "yes")
    for name in ("older", "newer"):
        bench.mail(GM, f"CREATE ?{name} gmsecret standard\nSET NO DIAS\nSTART")
        for who, letter in people.items():
            bench.mail(who, f"TAKEOVER {letter}{name} secret")
    for name, sharing in (("newer", "E F"), ("older", "A E")):
        for who, letter in people.items():
            bench.mail(who, f"SIGNON {letter}{name} secret\nVOTE DRAW {sharing}")
        bench.clock.forward(hours=1)
    bench.mail(BOB, "RATING")
    told = text_of(bench.newest[BOB])
    places = [told.index(f"{name} (2 games)") for name in ("Bob", "Ann", "Cat")]
    assert places == sorted(places)
    found = [each.id for each in finished_games(bench.works.office)]
    names = [bench.works.games.get(number).name for number in found]
    assert names == ["newer", "older"]
    bench.close()
