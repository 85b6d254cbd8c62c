"""Combinations of features: rollback, HOLD, FREEZE, sitters, UNSTART and others."""

from collections.abc import Iterator

import pytest

from judge.model.record import GameRecord, GameState, Seat
from judge.play.gm.operator import ban
from tests.journeys.rig import Rig, squeeze_text, text_of

ANN, BOB, EVE = "ann@example.org", "bob@example.org", "eve@example.org"
GM, JOE = "gm@example.org", "joe@example.org"
MASTER = "SIGNON Mmeet gmsecret\n"
FRENCH = "SIGNON Fmeet annsecret\n"


@pytest.fixture(scope="module")
def begun() -> Iterator[Rig]:
    """A running game with Ann as France and Bob as Germany."""
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


def read_newest(rig: Rig, address: str) -> str:
    return text_of(rig.newest[address])


def read_all_letters(rig: Rig, address: str) -> str:
    """Return all letters to an address as one text."""
    return " ".join(squeeze_text(text_of(letter)) for letter in rig.boxes[address])


def test_a_game_terminated_before_its_start_stays_ended() -> None:
    rig = Rig()
    rig.mail(GM, "CREATE ?meet gmsecret standard\nTERMINATE meet S1901M")
    rig.mail(GM, f"{MASTER}ROLLBACK meet S1901M TO S1901M\nEXPORT")
    assert "Nothing has been adjudicated" in read_newest(rig, GM)
    assert "has not begun" in read_newest(rig, GM)
    assert game_of(rig).state is GameState.ENDED
    rig.close()


def test_a_seat_left_after_the_end_is_vacant_after_a_rollback(
    rig: Rig,
) -> None:
    rig.mail(GM, f"{MASTER}TERMINATE meet S1901M")
    rig.mail(ANN, f"{FRENCH}RESIGN")
    rig.mail(GM, f"{MASTER}ROLLBACK meet S1901M TO S1901M")
    assert "TAKEOVER Fmeet newsecret" in read_all_letters(rig, BOB)
    rig.mail(JOE, "TAKEOVER Fmeet joesecret\nA Par - Bur")
    assert seat_of(rig, "France").address == JOE
    rig.mail(ANN, f"{FRENCH}A Par H")
    assert "Army Paris" not in read_newest(rig, ANN)


def test_a_frozen_game_is_not_frozen_after_end_and_rollback(rig: Rig) -> None:
    rig.mail(GM, f"{MASTER}FREEZE\nTERMINATE meet S1901M")
    rig.mail(GM, f"{MASTER}ROLLBACK meet S1901M TO S1901M")
    rig.mail(ANN, f"{FRENCH}A Par - Bur")
    assert "Army Paris -> Burgundy" in read_newest(rig, ANN)


def test_a_frozen_game_is_not_frozen_after_unstart_and_start(rig: Rig) -> None:
    rig.mail(GM, f"{MASTER}FREEZE\nUNSTART S1901M\nSTART")
    rig.mail(ANN, f"{FRENCH}A Par - Bur")
    assert "Army Paris -> Burgundy" in read_newest(rig, ANN)


@pytest.mark.parametrize("line", ["UNSTART S1901M", "TERMINATE meet S1901M"])
def test_a_sitter_leaves_with_the_end_or_unstart_of_the_game(rig: Rig, line: str) -> None:
    rig.mail(ANN, f"{FRENCH}SITTER {JOE} UNTIL +10d")
    rig.mail(JOE, "SIT Fmeet")
    rig.boxes.clear()
    rig.mail(GM, f"{MASTER}{line}")
    assert "A sitter plays" not in read_newest(rig, ANN)
    assert any("over" in text_of(letter) for letter in rig.boxes[JOE])
    assert len(rig.boxes[JOE]) == 1
    seat = next(s for s in rig.application.games.seats(1) if s.address == ANN)
    assert not {"owner", "sits_until"} & seat.settings.as_json().keys()


def test_a_plan_made_before_a_rollforward_is_used_after_it(
    rig: Rig,
) -> None:
    rig.mail(GM, f"{MASTER}PROCESS S1901M\nROLLBACK meet F1901M TO S1901M")
    rig.mail(ANN, f"{FRENCH}PHASE F1901M\nA Par - Bur")
    rig.mail(GM, f"{MASTER}ROLLFORWARD meet S1901M TO F1901M")
    rig.mail(ANN, f"{FRENCH}STATUS")
    assert "France: Army Paris -> Burgundy." in read_newest(rig, ANN)
    assert not rig.application.games.plans(game_of(rig).id)


def test_a_plan_is_used_when_its_phase_is_set_up(rig: Rig) -> None:
    rig.mail(ANN, f"{FRENCH}PHASE F1901M\nA Par - Bur")
    rig.mail(GM, f"{MASTER}SETUP\nPHASE F1901M\nENDSETUP")
    word = next(x for x in read_newest(rig, GM).split("\n") if x.strip().startswith("SETUP "))
    rig.mail(GM, f"{MASTER}{word.strip()}")
    assert game_of(rig).phase == "F1901M"
    rig.mail(ANN, f"{FRENCH}STATUS")
    assert "France: Army Paris -> Burgundy." in read_newest(rig, ANN)


@pytest.fixture
def held_game(rig: Rig) -> Rig:
    """The game with an adjudicated first phase that waits for RELEASE."""
    rig.mail(GM, f"{MASTER}SET HOLD")
    rig.mail(ANN, f"{FRENCH}A Par - Bur\nREADY")
    rig.mail(BOB, "SIGNON Gmeet bobsecret\nA Mun H\nREADY")
    rig.clock.advance(minutes=10)
    rig.run()
    assert game_of(rig).clock.held
    return rig


def test_a_takeover_does_not_reopen_a_held_phase(held_game: Rig) -> None:
    held_game.resign(BOB, "SIGNON Gmeet bobsecret")
    held_game.clock.advance(hours=72)
    held_game.run()
    held_game.mail(JOE, "TAKEOVER Gmeet joesecret\nA Mun - Ruh")
    assert game_of(held_game).clock.held
    assert "S1901M has ended, so orders on file cannot change" in read_all_letters(held_game, JOE)


def test_votes_do_not_reopen_a_held_phase(held_game: Rig) -> None:
    for line in (FRENCH, "SIGNON Gmeet bobsecret\n"):
        held_game.mail(ANN if line is FRENCH else BOB, f"{line}VOTE EXTEND 24h")
    assert "S1901M has ended, so orders on file cannot change" in read_newest(held_game, BOB)
    assert game_of(held_game).clock.held


def test_a_held_phase_sends_no_reminders_and_rollback_reopens_it(
    held_game: Rig,
) -> None:
    before = {who: len(box) for who, box in held_game.boxes.items()}
    held_game.clock.advance(days=9)
    held_game.run()
    assert {who for who, box in held_game.boxes.items() if len(box) > before[who]} == {GM}
    held_game.mail(GM, f"{MASTER}RELEASE S1901M\nROLLBACK meet F1901M TO S1901M RESTORE")
    assert not game_of(held_game).clock.held
    held_game.mail(ANN, f"{FRENCH}A Par - Pic")
    assert "France: Army Paris -> Picardy." in read_newest(held_game, ANN)


def test_a_pending_master_with_a_seat_is_refused(rig: Rig) -> None:
    rig.mail(GM, f"{MASTER}PROMOTE {JOE}")
    line = next(x for x in read_newest(rig, JOE).split("\n") if "TAKEOVER Mmeet" in x).strip()
    rig.mail(JOE, "TAKEOVER Tmeet joesecret")
    rig.mail(JOE, line.replace("yourpassword", "joemaster") + "\nSTATUS")
    assert f"{JOE} plays in 'meet'" in read_all_letters(rig, JOE)
    assert [s.address for s in rig.application.games.seats(1) if s.role.value == "master"] == [GM]


def known_also_at(rig: Rig, address: str, also: str) -> None:
    """Register another address of a person."""
    rig.mail(address, f"IAMALSO {also}")
    for who in (address, also):
        rig.reply(who, "yes")
    assert rig.application.context.aliases.is_same_person(address, also)


def test_a_player_cannot_sit_from_another_address(rig: Rig) -> None:
    known_also_at(rig, BOB, "bob@work.example")
    rig.mail(ANN, f"{FRENCH}SITTER bob@work.example UNTIL +10d")
    rig.mail("bob@work.example", "SIT Fmeet")
    assert seat_of(rig, "France").address == ANN
    assert "Welcome" not in read_newest(rig, "bob@work.example")


def test_another_address_of_a_player_cannot_be_master(rig: Rig) -> None:
    also = "ann@work.example"
    known_also_at(rig, ANN, also)
    rig.mail(GM, f"{MASTER}PROMOTE {also}")
    assert "plays in 'meet'" in read_all_letters(rig, GM)
    assert [s.address for s in rig.application.games.seats(1) if s.role.value == "master"] == [GM]


def test_commands_after_resigning_are_not_carried_out(rig: Rig) -> None:
    rig.mail(ANN, f"{FRENCH}RESIGN")
    rig.reply(ANN, "yes\nSET WAIT\nA Par - Bur\nSET PASSWORD mine")
    rig.mail(JOE, "TAKEOVER Fmeet joesecret\nSTATUS")
    seat = seat_of(rig, "France")
    assert (seat.address, seat.wait) == (JOE, False)
    assert "Army Paris -> Burgundy" not in read_all_letters(rig, JOE)


def test_a_players_copy_omits_failed_lines_of_the_master(rig: Rig) -> None:
    rig.mail(GM, f"{MASTER}BECOME F\nA Par - Bur\nINVITE {JOE} T\nA Xyz - {JOE}\nSTATUS")
    assert "Army Paris -> Burgundy" in read_newest(rig, ANN)
    assert JOE in read_all_letters(rig, GM)
    assert JOE not in read_all_letters(rig, ANN)


def test_a_phase_held_by_a_banned_master_is_released(held_game: Rig) -> None:
    with held_game.application.store.transaction():
        with held_game.application.context.unit_of_work() as context:
            ban(context, GM, False, held_game.clock.now())
    held_game.clock.advance(hours=25)
    held_game.run()
    assert game_of(held_game).phase == "F1901M"
    assert "A Paris - Burgundy" in read_newest(held_game, ANN)


def test_a_phase_does_not_wait_for_a_banned_player(rig: Rig) -> None:
    rig.mail(ANN, f"{FRENCH}A Par - Bur\nA Mar H\nF Bre H\nREADY")
    assert game_of(rig).clock.early is None
    with rig.application.store.transaction():
        with rig.application.context.unit_of_work() as context:
            ban(context, BOB, True, rig.clock.now())
    rig.clock.advance(minutes=11)
    rig.run()
    assert game_of(rig).phase == "F1901M"


def test_unstart_discards_undone_phases(
    rig: Rig,
) -> None:
    rig.mail(GM, f"{MASTER}PROCESS S1901M\nROLLBACK meet F1901M TO S1901M")
    rig.mail(GM, f"{MASTER}UNSTART S1901M\nSTART")
    rig.mail(GM, f"{MASTER}ROLLFORWARD meet S1901M TO F1901M")
    assert "cannot be rolled forward" in read_newest(rig, GM)
    assert game_of(rig).phase == "S1901M"


def test_a_proxy_holder_reads_of_it_once_after_a_rollback() -> None:
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
