"""What was made apart, met: turning back, holding, freezing, sitting, unstarting and the like."""

from collections.abc import Iterator

import pytest

from judge.model.record import GameRecord, GameState, Seat
from judge.play.gm.operator import ban
from tests.journeys.rig import Rig, squeezed, text_of

ANN, BOB, EVE = "ann@example.org", "bob@example.org", "eve@example.org"
GM, JOE = "gm@example.org", "joe@example.org"
MASTER = "SIGNON Mmeet gmsecret\n"
FRENCH = "SIGNON Fmeet annsecret\n"


@pytest.fixture(scope="module")
def begun() -> Iterator[Rig]:
    """A running game in which Ann plays France and Bob Germany."""
    made = Rig()
    made.mail(GM, "CREATE ?meet gmsecret standard\nSET MANUAL START")
    made.mail(ANN, "JOIN meet annsecret\nSET PREFERENCE F")
    made.mail(BOB, "JOIN meet bobsecret\nSET PREFERENCE G")
    made.mail(GM, f"{MASTER}START")
    yield made
    made.close()


def game_of(rig: Rig) -> GameRecord:
    game = rig.application.games.find("meet")
    assert game
    return game


def seat_of(rig: Rig, power: str) -> Seat:
    seats = rig.application.games.seats(game_of(rig).id)
    return next(seat for seat in reversed(seats) if seat.power == power)


def said(rig: Rig, address: str) -> str:
    return text_of(rig.newest[address])


def heard(rig: Rig, address: str) -> str:
    """Return all letters to an address together."""
    return " ".join(squeezed(text_of(letter)) for letter in rig.boxes[address])


def test_a_game_that_ended_before_its_start_cannot_be_turned_back_into_a_running_one() -> None:
    rig = Rig()
    rig.mail(GM, "CREATE ?meet gmsecret standard\nTERMINATE meet S1901M")
    rig.mail(GM, f"{MASTER}ROLLBACK meet S1901M TO S1901M\nEXPORT")
    assert "Nothing has been adjudicated" in said(rig, GM)
    assert "has not begun" in said(rig, GM)
    assert game_of(rig).state is GameState.ENDED
    rig.close()


def test_who_left_after_the_end_has_no_seat_when_the_game_goes_on_and_his_power_is_offered(
    rig: Rig,
) -> None:
    rig.mail(GM, f"{MASTER}TERMINATE meet S1901M")
    rig.mail(ANN, f"{FRENCH}RESIGN")
    rig.mail(GM, f"{MASTER}ROLLBACK meet S1901M TO S1901M")
    assert "TAKEOVER Fmeet newsecret" in heard(rig, BOB)
    rig.mail(JOE, "TAKEOVER Fmeet joesecret\nA Par - Bur")
    assert seat_of(rig, "France").address == JOE
    rig.mail(ANN, f"{FRENCH}A Par H")
    assert "Army Paris" not in said(rig, ANN)


def test_a_frozen_game_that_ended_and_goes_on_is_not_frozen(rig: Rig) -> None:
    rig.mail(GM, f"{MASTER}FREEZE\nTERMINATE meet S1901M")
    rig.mail(GM, f"{MASTER}ROLLBACK meet S1901M TO S1901M")
    rig.mail(ANN, f"{FRENCH}A Par - Bur")
    assert "Army Paris -> Burgundy" in said(rig, ANN)


def test_a_frozen_game_that_is_unstarted_and_begins_again_is_not_frozen(rig: Rig) -> None:
    rig.mail(GM, f"{MASTER}FREEZE\nUNSTART S1901M\nSTART")
    rig.mail(ANN, f"{FRENCH}A Par - Bur")
    assert "Army Paris -> Burgundy" in said(rig, ANN)


@pytest.mark.parametrize("line", ["UNSTART S1901M", "TERMINATE meet S1901M"])
def test_a_sitting_ends_with_the_game_or_its_start(rig: Rig, line: str) -> None:
    rig.mail(ANN, f"{FRENCH}SITTER {JOE} UNTIL +10d")
    rig.mail(JOE, "SIT Fmeet")
    rig.boxes.clear()
    rig.mail(GM, f"{MASTER}{line}")
    assert "somebody else plays" not in said(rig, ANN)
    assert any("over" in text_of(letter) for letter in rig.boxes[JOE])
    assert len(rig.boxes[JOE]) == 1
    seat = next(s for s in rig.application.games.seats(1) if s.address == ANN)
    assert not {"owner", "sits_until"} & seat.settings.as_json().keys()


def test_a_plan_made_while_the_game_stood_earlier_is_taken_up_when_it_is_brought_forward(
    rig: Rig,
) -> None:
    rig.mail(GM, f"{MASTER}PROCESS S1901M\nROLLBACK meet F1901M TO S1901M")
    rig.mail(ANN, f"{FRENCH}PHASE F1901M\nA Par - Bur")
    rig.mail(GM, f"{MASTER}ROLLFORWARD meet S1901M TO F1901M")
    rig.mail(ANN, f"{FRENCH}STATUS")
    assert "France: Army Paris -> Burgundy." in said(rig, ANN)
    assert not rig.application.games.plans(game_of(rig).id)


def test_a_plan_is_taken_up_when_a_position_of_its_phase_is_set_up(rig: Rig) -> None:
    rig.mail(ANN, f"{FRENCH}PHASE F1901M\nA Par - Bur")
    rig.mail(GM, f"{MASTER}SETUP\nPHASE F1901M\nENDSETUP")
    word = next(x for x in said(rig, GM).split("\n") if x.strip().startswith("SETUP "))
    rig.mail(GM, f"{MASTER}{word.strip()}")
    assert game_of(rig).phase == "F1901M"
    rig.mail(ANN, f"{FRENCH}STATUS")
    assert "France: Army Paris -> Burgundy." in said(rig, ANN)


@pytest.fixture
def held(rig: Rig) -> Rig:
    """The same game; its first phase is over and waits for release."""
    rig.mail(GM, f"{MASTER}SET HOLD")
    rig.mail(ANN, f"{FRENCH}A Par - Bur\nREADY")
    rig.mail(BOB, "SIGNON Gmeet bobsecret\nA Mun H\nREADY")
    rig.clock.forward(minutes=10)
    rig.run()
    assert game_of(rig).clock.held
    return rig


def test_whoever_takes_a_power_over_does_not_open_a_held_phase_again(held: Rig) -> None:
    held.resign(BOB, "SIGNON Gmeet bobsecret")
    held.clock.forward(hours=72)
    held.run()
    held.mail(JOE, "TAKEOVER Gmeet joesecret\nA Mun - Ruh")
    assert game_of(held).clock.held
    assert "S1901M is over and its orders are closed" in heard(held, JOE)


def test_players_cannot_vote_a_held_phase_open(held: Rig) -> None:
    for line in (FRENCH, "SIGNON Gmeet bobsecret\n"):
        held.mail(ANN if line is FRENCH else BOB, f"{line}VOTE EXTEND 24h")
    assert "S1901M is over and its orders are closed" in said(held, BOB)
    assert game_of(held).clock.held


def test_a_held_phase_turned_back_is_open_and_nobody_is_nagged_while_it_waits(
    held: Rig,
) -> None:
    before = {who: len(box) for who, box in held.boxes.items()}
    held.clock.forward(days=9)
    held.run()
    assert {who for who, box in held.boxes.items() if len(box) > before[who]} == {GM}
    held.mail(GM, f"{MASTER}RELEASE S1901M\nROLLBACK meet F1901M TO S1901M RESTORE")
    assert not game_of(held).clock.held
    held.mail(ANN, f"{FRENCH}A Par - Pic")
    assert "France: Army Paris -> Picardy." in said(held, ANN)


def test_whoever_was_asked_to_be_a_master_and_plays_by_then_becomes_none(rig: Rig) -> None:
    rig.mail(GM, f"{MASTER}PROMOTE {JOE}")
    line = next(x for x in said(rig, JOE).split("\n") if "TAKEOVER Mmeet" in x).strip()
    rig.mail(JOE, "TAKEOVER Tmeet joesecret")
    rig.mail(JOE, line.replace("yourpassword", "joemaster") + "\nSTATUS")
    assert f"{JOE} plays in 'meet'" in heard(rig, JOE)
    assert [s.address for s in rig.application.games.seats(1) if s.role.value == "master"] == [GM]


def known_also_at(rig: Rig, address: str, also: str) -> None:
    """Make an address one more of somebody's."""
    rig.mail(address, f"IAMALSO {also}")
    for who in (address, also):
        rig.reply(who, "yes")
    assert rig.application.context.aliases.same(address, also)


def test_nobody_sits_in_from_another_address_of_a_player(rig: Rig) -> None:
    known_also_at(rig, BOB, "bob@work.example")
    rig.mail(ANN, f"{FRENCH}SITTER bob@work.example UNTIL +10d")
    rig.mail("bob@work.example", "SIT Fmeet")
    assert seat_of(rig, "France").address == ANN
    assert "Welcome" not in said(rig, "bob@work.example")


def test_no_other_address_of_a_player_is_made_a_master(rig: Rig) -> None:
    also = "ann@work.example"
    known_also_at(rig, ANN, also)
    rig.mail(GM, f"{MASTER}PROMOTE {also}")
    assert "plays in 'meet'" in heard(rig, GM)
    assert [s.address for s in rig.application.games.seats(1) if s.role.value == "master"] == [GM]


def test_after_resigning_nothing_more_is_done_with_the_seat(rig: Rig) -> None:
    rig.mail(ANN, f"{FRENCH}RESIGN")
    rig.reply(ANN, "yes\nSET WAIT\nA Par - Bur\nSET PASSWORD mine")
    rig.mail(JOE, "TAKEOVER Fmeet joesecret\nSTATUS")
    seat = seat_of(rig, "France")
    assert (seat.address, seat.wait) == (JOE, False)
    assert "Army Paris -> Burgundy" not in heard(rig, JOE)


def test_the_copy_of_a_player_shows_nothing_that_his_master_wrote_in_vain(rig: Rig) -> None:
    rig.mail(GM, f"{MASTER}BECOME F\nA Par - Bur\nINVITE {JOE} T\nA Xyz - {JOE}\nSTATUS")
    assert "Army Paris -> Burgundy" in said(rig, ANN)
    assert JOE in heard(rig, GM)
    assert JOE not in heard(rig, ANN)


def test_a_phase_that_only_a_banned_master_could_release_is_released(held: Rig) -> None:
    with held.application.store.transaction():
        with held.application.context.work() as context:
            ban(context, GM, False, held.clock.now())
    held.clock.forward(hours=25)
    held.run()
    assert game_of(held).phase == "F1901M"
    assert "A Paris - Burgundy" in said(held, ANN)


def test_a_phase_that_waited_for_a_banned_player_alone_waits_no_more(rig: Rig) -> None:
    rig.mail(ANN, f"{FRENCH}A Par - Bur\nA Mar H\nF Bre H\nREADY")
    assert game_of(rig).clock.early is None
    with rig.application.store.transaction():
        with rig.application.context.work() as context:
            ban(context, BOB, True, rig.clock.now())
    rig.clock.forward(minutes=11)
    rig.run()
    assert game_of(rig).phase == "F1901M"


def test_what_was_undone_before_the_start_was_taken_back_is_not_brought_forward(
    rig: Rig,
) -> None:
    rig.mail(GM, f"{MASTER}PROCESS S1901M\nROLLBACK meet F1901M TO S1901M")
    rig.mail(GM, f"{MASTER}UNSTART S1901M\nSTART")
    rig.mail(GM, f"{MASTER}ROLLFORWARD meet S1901M TO F1901M")
    assert "Nothing was undone" in said(rig, GM)
    assert game_of(rig).phase == "S1901M"


def test_who_holds_a_proxy_reads_of_it_once_when_the_game_is_turned_back() -> None:
    rig = Rig()
    rig.mail(GM, "CREATE ?meet gmsecret standard\nSET PROXY\nSTART")
    rig.mail(ANN, "TAKEOVER Fmeet annsecret\nA Par PROXY G")
    rig.mail(BOB, "TAKEOVER Gmeet bobsecret\nA Par - Bur")
    rig.mail(GM, f"{MASTER}PROCESS S1901M")
    rig.boxes.clear()
    rig.mail(GM, f"{MASTER}ROLLBACK meet F1901M TO S1901M RESTORE")
    (letter,) = rig.boxes[BOB]
    assert "A PAR of France: A PAR - BUR" in text_of(letter)
    rig.close()
