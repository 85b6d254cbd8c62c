"""Letters of earlier days: what their reply addresses open no longer, and what they still undo.

Whoever reads an old letter, in a mailbox that was given up or is somebody else's, can write any
From line; only that the letter is an old one tells him from whoever has the seat now.
"""

from collections.abc import Callable, Iterator
from email.message import EmailMessage

import pytest

from tests.journeys.rig import Rig, squeezed, text_of

GM, ANN, BOB, WORK = "gm@example.org", "ann@example.org", "bob@example.org", "ann@work.example"
EVE = "eve@example.org"
TOO_LATE = "answered already, or no longer asks"
NO_SEAT = "opens no seat for you (any more)"
Change = Callable[[Rig], object]


@pytest.fixture(scope="module")
def begun() -> Iterator[Rig]:
    """A running game in which Ann plays France; and one that forms, of Eve."""
    made = Rig()
    made.mail(GM, "CREATE ?marco gmsecret standard\nSTART")
    made.mail(ANN, "TAKEOVER Fmarco annsecret")
    made.mail(EVE, "CREATE ?polo evesecret standard")
    yield made
    made.close()


def orders(rig: Rig) -> dict[str, str]:
    game = rig.application.games.find("marco")
    assert game is not None
    return rig.application.games.orders(game.id, game.phase)


def says(rig: Rig, sender: str, text: str, letter: EmailMessage | None = None) -> str:
    """Have somebody mail a text, or reply with it to a letter; return what he is told."""
    rig.boxes.clear()
    if letter is None:
        rig.mail(sender, text)
    else:
        rig.reply(sender, text, letter)
    return squeezed(" ".join(text_of(one) for one in rig.boxes.get(sender, ())))


def opens(rig: Rig, who: str, password: str) -> bool:
    """Tell whether somebody's password opens France."""
    return "Sign-on failed" not in says(rig, who, f"SIGNON Fmarco {password}\nSTATUS")


def move(
    rig: Rig, old: str = ANN, new: str = WORK, password: str = "annsecret"
) -> EmailMessage:
    """Have a player move to another address; return the letter that undoes it."""
    says(rig, old, f"SIGNON Fmarco {password}\nSET ADDRESS {new}")
    assert "now the address of your seat" in says(rig, new, "Yes", rig.newest[new])
    return rig.newest[old]


# --- letters that open the seat ---


def taken_over(rig: Rig) -> None:
    rig.resign(ANN, "SIGNON Fmarco annsecret")
    rig.mail(BOB, "TAKEOVER Fmarco bobsecret")


def ejected(rig: Rig) -> None:
    rig.mail(GM, "SIGNON Mmarco gmsecret\nEJECT F")
    rig.mail(BOB, "TAKEOVER Fmarco bobsecret")


def sat_in_for(rig: Rig) -> None:
    rig.mail(ANN, f"SIGNON Fmarco annsecret\nSITTER {BOB} UNTIL 8 Jan 20:00")
    rig.mail(BOB, "SIT Fmarco")


def given_new_password(rig: Rig) -> None:
    rig.mail(ANN, "SIGNON Fmarco annsecret\nSET PASSWORD annsecond")


@pytest.mark.parametrize("change, now", [
    (move, WORK), (taken_over, BOB), (ejected, BOB), (sat_in_for, BOB), (given_new_password, ANN),
])
def test_a_letter_of_before_opens_nothing_whoever_is_said_to_reply(
    rig: Rig, change: Change, now: str
) -> None:
    """The From line is of whoever has the seat now: not that, the letter is what is wrong."""
    old = rig.newest[ANN]
    change(rig)
    assert NO_SEAT in says(rig, now, "A Par - Bur", old)
    assert NO_SEAT in says(rig, ANN, "A Par - Bur", old)
    assert not orders(rig)
    rig.mail(now, "HELP")
    assert NO_SEAT in says(rig, now, "SET PASSWORD stolen", old)


def test_a_sitters_letter_opens_nothing_once_the_player_is_back(rig: Rig) -> None:
    sat_in_for(rig)
    old = rig.newest[BOB]
    rig.mail(ANN, "SIGNON Fmarco annsecret\nSITTER OFF")
    for who in (ANN, BOB):
        assert NO_SEAT in says(rig, who, "A Par - Bur", old)
    assert not orders(rig)


# --- letters that set a new password ---


def reset(rig: Rig) -> EmailMessage:
    """Have a letter mailed to Ann that sets a new password."""
    says(rig, ANN, "RESET PASSWORD Fmarco")
    letter = rig.newest[ANN]
    assert "SET PASSWORD yournewpassword" in text_of(letter)
    return letter


def test_a_letter_that_sets_a_password_may_be_answered_for_seven_days(rig: Rig) -> None:
    letter = reset(rig)
    rig.clock.forward(days=7)
    assert "has been changed" in says(rig, ANN, "SET PASSWORD annsecond", letter)
    assert opens(rig, ANN, "annsecond")


def test_a_letter_that_sets_a_password_lives_no_longer_than_that(rig: Rig) -> None:
    letter = reset(rig)
    rig.clock.forward(days=7, seconds=2)
    assert NO_SEAT in says(rig, ANN, "SET PASSWORD stolen", letter)
    assert opens(rig, ANN, "annsecret")


def test_a_letter_that_sets_a_password_does_so_once(rig: Rig) -> None:
    letter = reset(rig)
    says(rig, ANN, "SET PASSWORD annsecond", letter)
    assert NO_SEAT in says(rig, ANN, "SET PASSWORD stolen", letter)
    assert opens(rig, ANN, "annsecond")


@pytest.mark.parametrize("change, now, password", [
    (move, WORK, "annsecret"), (taken_over, BOB, "bobsecret"),
    (given_new_password, ANN, "annsecond"),
])
def test_a_letter_that_sets_a_password_ends_with_what_it_was_written_for(
    rig: Rig, change: Change, now: str, password: str
) -> None:
    letter = reset(rig)
    change(rig)
    for who in (ANN, now):
        assert NO_SEAT in says(rig, who, "SET PASSWORD stolen", letter)
    assert opens(rig, now, password)


# --- letters that move a seat ---


def asked_to_move(rig: Rig) -> EmailMessage:
    """Have Ann ask for a move; return the letter that asks the new address."""
    says(rig, ANN, f"SIGNON Fmarco annsecret\nSET ADDRESS {WORK}")
    return rig.newest[WORK]


def address(rig: Rig) -> str:
    """Return where France's letters go."""
    game = rig.application.games.find("marco")
    assert game is not None
    return next(
        one.address for one in rig.application.games.seats(game.id) if one.power == "France"
    )


def test_a_yes_moves_a_seat_within_seven_days(rig: Rig) -> None:
    letter = asked_to_move(rig)
    rig.clock.forward(days=7)
    says(rig, WORK, "Yes", letter)
    assert address(rig) == WORK


def test_a_yes_is_too_late_after_them(rig: Rig) -> None:
    letter = asked_to_move(rig)
    rig.clock.forward(days=7, seconds=2)
    assert TOO_LATE in says(rig, WORK, "Yes", letter)
    assert address(rig) == ANN


@pytest.mark.parametrize("change, now", [
    (given_new_password, ANN), (taken_over, BOB), (ejected, BOB), (sat_in_for, BOB),
])
def test_a_yes_moves_nothing_once_the_seat_has_another_password_or_person(
    rig: Rig, change: Change, now: str
) -> None:
    letter = asked_to_move(rig)
    rig.clock.forward(days=1, seconds=1)
    change(rig)
    assert TOO_LATE in says(rig, WORK, "Yes", letter)
    assert address(rig) == now


def test_a_yes_moves_a_seat_once(rig: Rig) -> None:
    letter = asked_to_move(rig)
    says(rig, WORK, "Yes", letter)
    undoing = rig.newest[ANN]
    assert TOO_LATE in says(rig, WORK, "Yes", letter)
    says(rig, ANN, "UNDO", undoing)
    assert TOO_LATE in says(rig, WORK, "Yes", letter)
    assert address(rig) == ANN


def test_a_seat_nobody_has_any_more_is_moved_and_given_back_to_nobody(rig: Rig) -> None:
    undoing = move(rig)
    rig.clock.forward(days=1, seconds=1)
    says(rig, WORK, "SIGNON Fmarco annsecret\nSET ADDRESS third@example.org")
    letter = rig.newest["third@example.org"]
    rig.resign(WORK, "SIGNON Fmarco annsecret")
    assert TOO_LATE in says(rig, "third@example.org", "Yes", letter)
    assert TOO_LATE in says(rig, ANN, "UNDO", undoing)
    rig.mail(BOB, "TAKEOVER Fmarco bobsecret")
    assert address(rig) == BOB


def test_a_seat_that_was_left_before_the_start_is_given_back_to_nobody(rig: Rig) -> None:
    rig.mail(ANN, "JOIN polo annsecret")
    says(rig, ANN, f"SIGNON ?polo annsecret\nSET ADDRESS {WORK}")
    says(rig, WORK, "Yes", rig.newest[WORK])
    undoing = rig.newest[ANN]
    rig.mail(WORK, "SIGNON ?polo annsecret\nRESIGN")
    assert TOO_LATE in says(rig, ANN, "UNDO", undoing)


# --- letters that move it back ---


def test_a_move_is_undone_within_seven_days(rig: Rig) -> None:
    letter = move(rig)
    rig.clock.forward(days=7)
    says(rig, ANN, "UNDO", letter)
    assert address(rig) == ANN


def test_a_move_stays_after_them(rig: Rig) -> None:
    letter = move(rig)
    rig.clock.forward(days=7, seconds=2)
    assert TOO_LATE in says(rig, ANN, "UNDO", letter)
    assert address(rig) == WORK


def test_a_move_is_undone_once(rig: Rig) -> None:
    """Or whoever has the letter ends the password anew, each time it was set."""
    letter = move(rig)
    says(rig, ANN, "UNDO", letter)
    says(rig, ANN, "SET PASSWORD annsecond", rig.newest[ANN])
    assert TOO_LATE in says(rig, ANN, "UNDO", letter)
    assert address(rig) == ANN and opens(rig, ANN, "annsecond")


@pytest.mark.parametrize("further", [False, True])
def test_undoing_a_move_takes_no_seat_from_the_next_person(rig: Rig, further: bool) -> None:
    """Not even where the next person moved as well."""
    letter = move(rig)
    rig.resign(WORK, "SIGNON Fmarco annsecret")
    rig.mail(BOB, "TAKEOVER Fmarco bobsecret")
    if further:
        move(rig, BOB, "bob@home.example", "bobsecret")
    assert TOO_LATE in says(rig, ANN, "UNDO", letter)
    now = "bob@home.example" if further else BOB
    assert address(rig) == now and opens(rig, now, "bobsecret")


def test_a_move_is_undone_wherever_the_same_seat_was_moved_on_to(rig: Rig) -> None:
    letter = move(rig)
    move(rig, WORK, "ann@third.example")
    says(rig, ANN, "UNDO", letter)
    assert address(rig) == ANN


# --- wrong passwords ---


def guess(rig: Rig, who: str, many: int = 6) -> str:
    """Have somebody guess the password of France a few times; return what he hears at last."""
    return [says(rig, who, f"SIGNON Fmarco guess{n}") for n in range(many)][-1]


@pytest.mark.parametrize("who, right", [(EVE, "SIGNON Mpolo evesecret"),
                                        (ANN, "SIGNON Fmarco annsecret")])
def test_a_right_password_forgives_no_wrong_ones_but_those_of_its_sender_at_its_seat(
    rig: Rig, who: str, right: str
) -> None:
    assert "tried too often without success" in guess(rig, EVE)
    assert "Sign-on failed" not in says(rig, who, f"{right}\nSTATUS")
    assert "tried too often without success" in says(rig, EVE, "SIGNON Fmarco another")


def test_a_right_password_forgives_the_wrong_ones_before_it(rig: Rig) -> None:
    guess(rig, EVE, 4)
    assert opens(rig, EVE, "annsecret")
    assert "Sign-on failed" in guess(rig, EVE, 5)
