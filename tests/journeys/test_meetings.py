"""What was made apart, met: turning back, holding, freezing, sitting, unstarting and the like."""

from collections.abc import Iterator

import pytest

from judge.model.record import GameRecord, GameState, Seat
from judge.play.gm.operator import ban
from tests.journeys.bench import Bench, squeezed, text_of

ANN, BOB, EVE = "ann@example.org", "bob@example.org", "eve@example.org"
GM, JOE = "gm@example.org", "joe@example.org"
MASTER = "SIGNON Mmeet gmsecret\n"
FRENCH = "SIGNON Fmeet annsecret\n"


@pytest.fixture(scope="module")
def begun() -> Iterator[Bench]:
    """A running game in which Ann plays France and Bob Germany."""
    made = Bench()
    made.mail(GM, "CREATE ?meet gmsecret standard\nSET MANUAL START")
    made.mail(ANN, "JOIN meet annsecret\nSET PREFERENCE F")
    made.mail(BOB, "JOIN meet bobsecret\nSET PREFERENCE G")
    made.mail(GM, f"{MASTER}START")
    yield made
    made.close()


def game_of(bench: Bench) -> GameRecord:
    game = bench.works.games.find("meet")
    assert game
    return game


def seat_of(bench: Bench, power: str) -> Seat:
    seats = bench.works.games.seats(game_of(bench).id)
    return next(seat for seat in reversed(seats) if seat.power == power)


def said(bench: Bench, address: str) -> str:
    return text_of(bench.newest[address])


def heard(bench: Bench, address: str) -> str:
    """Return all letters to an address together."""
    return " ".join(squeezed(text_of(letter)) for letter in bench.boxes[address])


def test_a_game_that_ended_before_its_start_cannot_be_turned_back_into_a_running_one() -> None:
    bench = Bench()
    bench.mail(GM, "CREATE ?meet gmsecret standard\nTERMINATE meet S1901M")
    bench.mail(GM, f"{MASTER}ROLLBACK meet S1901M TO S1901M\nEXPORT")
    assert "Nothing has been adjudicated" in said(bench, GM)
    assert "has not begun" in said(bench, GM)
    assert game_of(bench).state is GameState.ENDED
    bench.close()


def test_who_left_after_the_end_has_no_seat_when_the_game_goes_on_and_his_power_is_offered(
    bench: Bench,
) -> None:
    bench.mail(GM, f"{MASTER}TERMINATE meet S1901M")
    bench.mail(ANN, f"{FRENCH}RESIGN")
    bench.mail(GM, f"{MASTER}ROLLBACK meet S1901M TO S1901M")
    assert "TAKEOVER Fmeet newsecret" in heard(bench, BOB)
    bench.mail(JOE, "TAKEOVER Fmeet joesecret\nA Par - Bur")
    assert seat_of(bench, "France").address == JOE
    bench.mail(ANN, f"{FRENCH}A Par H")
    assert "Army Paris" not in said(bench, ANN)


def test_a_frozen_game_that_ended_and_goes_on_is_not_frozen(bench: Bench) -> None:
    bench.mail(GM, f"{MASTER}FREEZE\nTERMINATE meet S1901M")
    bench.mail(GM, f"{MASTER}ROLLBACK meet S1901M TO S1901M")
    bench.mail(ANN, f"{FRENCH}A Par - Bur")
    assert "Army Paris -> Burgundy" in said(bench, ANN)


def test_a_frozen_game_that_is_unstarted_and_begins_again_is_not_frozen(bench: Bench) -> None:
    bench.mail(GM, f"{MASTER}FREEZE\nUNSTART S1901M\nSTART")
    bench.mail(ANN, f"{FRENCH}A Par - Bur")
    assert "Army Paris -> Burgundy" in said(bench, ANN)


@pytest.mark.parametrize("line", ["UNSTART S1901M", "TERMINATE meet S1901M"])
def test_a_sitting_ends_with_the_game_or_its_start(bench: Bench, line: str) -> None:
    bench.mail(ANN, f"{FRENCH}SITTER {JOE} UNTIL +10d")
    bench.mail(JOE, "SIT Fmeet")
    bench.boxes.clear()
    bench.mail(GM, f"{MASTER}{line}")
    assert "somebody else plays" not in said(bench, ANN)
    assert any("over" in text_of(letter) for letter in bench.boxes[JOE])
    assert len(bench.boxes[JOE]) == 1
    seat = next(s for s in bench.works.games.seats(1) if s.address == ANN)
    assert not {"owner", "sits_until"} & seat.settings.as_json().keys()


def test_a_plan_made_while_the_game_stood_earlier_is_taken_up_when_it_is_brought_forward(
    bench: Bench,
) -> None:
    bench.mail(GM, f"{MASTER}PROCESS S1901M\nROLLBACK meet F1901M TO S1901M")
    bench.mail(ANN, f"{FRENCH}PHASE F1901M\nA Par - Bur")
    bench.mail(GM, f"{MASTER}ROLLFORWARD meet S1901M TO F1901M")
    bench.mail(ANN, f"{FRENCH}STATUS")
    assert "France: Army Paris -> Burgundy." in said(bench, ANN)
    assert not bench.works.games.plans(game_of(bench).id)


def test_a_plan_is_taken_up_when_a_position_of_its_phase_is_set_up(bench: Bench) -> None:
    bench.mail(ANN, f"{FRENCH}PHASE F1901M\nA Par - Bur")
    bench.mail(GM, f"{MASTER}SETUP\nPHASE F1901M\nENDSETUP")
    word = next(x for x in said(bench, GM).split("\n") if x.strip().startswith("SETUP "))
    bench.mail(GM, f"{MASTER}{word.strip()}")
    assert game_of(bench).phase == "F1901M"
    bench.mail(ANN, f"{FRENCH}STATUS")
    assert "France: Army Paris -> Burgundy." in said(bench, ANN)


@pytest.fixture
def held(bench: Bench) -> Bench:
    """The same game; its first phase is over and waits for release."""
    bench.mail(GM, f"{MASTER}SET HOLD")
    bench.mail(ANN, f"{FRENCH}A Par - Bur\nREADY")
    bench.mail(BOB, "SIGNON Gmeet bobsecret\nA Mun H\nREADY")
    bench.clock.forward(minutes=10)
    bench.run()
    assert game_of(bench).clock.held
    return bench


def test_whoever_takes_a_power_over_does_not_open_a_held_phase_again(held: Bench) -> None:
    held.mail(BOB, "SIGNON Gmeet bobsecret\nRESIGN")
    held.clock.forward(hours=72)
    held.run()
    held.mail(JOE, "TAKEOVER Gmeet joesecret\nA Mun - Ruh")
    assert game_of(held).clock.held
    assert "S1901M is over and its orders are closed" in heard(held, JOE)


def test_players_cannot_vote_a_held_phase_open(held: Bench) -> None:
    for line in (FRENCH, "SIGNON Gmeet bobsecret\n"):
        held.mail(ANN if line is FRENCH else BOB, f"{line}VOTE EXTEND 24h")
    assert "S1901M is over and its orders are closed" in said(held, BOB)
    assert game_of(held).clock.held


def test_a_held_phase_turned_back_is_open_and_nobody_is_nagged_while_it_waits(
    held: Bench,
) -> None:
    before = {who: len(box) for who, box in held.boxes.items()}
    held.clock.forward(days=9)
    held.run()
    assert {who for who, box in held.boxes.items() if len(box) > before[who]} == {GM}
    held.mail(GM, f"{MASTER}RELEASE S1901M\nROLLBACK meet F1901M TO S1901M RESTORE")
    assert not game_of(held).clock.held
    held.mail(ANN, f"{FRENCH}A Par - Pic")
    assert "France: Army Paris -> Picardy." in said(held, ANN)


def test_whoever_was_asked_to_be_a_master_and_plays_by_then_becomes_none(bench: Bench) -> None:
    bench.mail(GM, f"{MASTER}PROMOTE {JOE}")
    line = next(x for x in said(bench, JOE).split("\n") if "TAKEOVER Mmeet" in x).strip()
    bench.mail(JOE, "TAKEOVER Tmeet joesecret")
    bench.mail(JOE, line.replace("yourpassword", "joemaster") + "\nSTATUS")
    assert f"{JOE} plays in 'meet'" in heard(bench, JOE)
    assert [s.address for s in bench.works.games.seats(1) if s.role.value == "master"] == [GM]


def known_also_at(bench: Bench, address: str, also: str) -> None:
    """Make an address one more of somebody's."""
    bench.mail(address, f"IAMALSO {also}")
    for who in (address, also):
        bench.reply(who, "yes")
    assert bench.works.office.aliases.same(address, also)


def test_nobody_sits_in_from_another_address_of_a_player(bench: Bench) -> None:
    known_also_at(bench, BOB, "bob@work.example")
    bench.mail(ANN, f"{FRENCH}SITTER bob@work.example UNTIL +10d")
    bench.mail("bob@work.example", "SIT Fmeet")
    assert seat_of(bench, "France").address == ANN
    assert "Welcome" not in said(bench, "bob@work.example")


def test_no_other_address_of_a_player_is_made_a_master(bench: Bench) -> None:
    also = "ann@work.example"
    known_also_at(bench, ANN, also)
    bench.mail(GM, f"{MASTER}PROMOTE {also}")
    assert "plays in 'meet'" in heard(bench, GM)
    assert [s.address for s in bench.works.games.seats(1) if s.role.value == "master"] == [GM]


def test_after_resigning_nothing_more_is_done_with_the_seat(bench: Bench) -> None:
    bench.mail(ANN, f"{FRENCH}RESIGN\nSET WAIT\nA Par - Bur\nSET PASSWORD mine")
    assert "3 lines were not read" in heard(bench, ANN)
    bench.mail(JOE, "TAKEOVER Fmeet joesecret\nSTATUS")
    seat = seat_of(bench, "France")
    assert (seat.address, seat.wait) == (JOE, False)
    assert "Army Paris -> Burgundy" not in heard(bench, JOE)


def test_the_copy_of_a_player_shows_nothing_that_his_master_wrote_in_vain(bench: Bench) -> None:
    bench.mail(GM, f"{MASTER}BECOME F\nA Par - Bur\nINVITE {JOE} T\nA Xyz - {JOE}\nSTATUS")
    assert "Army Paris -> Burgundy" in said(bench, ANN)
    assert JOE in heard(bench, GM)
    assert JOE not in heard(bench, ANN)


def test_a_phase_that_only_a_banned_master_could_release_is_released(held: Bench) -> None:
    with held.works.store.transaction():
        with held.works.office.work() as office:
            ban(office, GM, False, held.clock.now())
    held.clock.forward(hours=25)
    held.run()
    assert game_of(held).phase == "F1901M"
    assert "Army Paris -> Burgundy" in said(held, ANN)


def test_what_was_undone_before_the_start_was_taken_back_is_not_brought_forward(
    bench: Bench,
) -> None:
    bench.mail(GM, f"{MASTER}PROCESS S1901M\nROLLBACK meet F1901M TO S1901M")
    bench.mail(GM, f"{MASTER}UNSTART S1901M\nSTART")
    bench.mail(GM, f"{MASTER}ROLLFORWARD meet S1901M TO F1901M")
    assert "Nothing was undone" in said(bench, GM)
    assert game_of(bench).phase == "S1901M"


def test_who_holds_a_proxy_reads_of_it_once_when_the_game_is_turned_back() -> None:
    bench = Bench()
    bench.mail(GM, "CREATE ?meet gmsecret standard\nSET PROXY\nSTART")
    bench.mail(ANN, "TAKEOVER Fmeet annsecret\nA Par PROXY G")
    bench.mail(BOB, "TAKEOVER Gmeet bobsecret\nA Par - Bur")
    bench.mail(GM, f"{MASTER}PROCESS S1901M")
    bench.boxes.clear()
    bench.mail(GM, f"{MASTER}ROLLBACK meet F1901M TO S1901M RESTORE")
    (letter,) = bench.boxes[BOB]
    assert "A PAR of France: A PAR - BUR" in text_of(letter)
    bench.close()
