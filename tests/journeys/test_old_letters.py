"""Old letters: expired reply addresses, and the changes they can still undo.

A reader of an old letter, in an abandoned or foreign mailbox, can forge any From line. Only the age
of the letter distinguishes them from the present player.
"""

from collections.abc import Callable, Iterator
from email.message import EmailMessage

import pytest

from tests.journeys.rig import Rig, squeeze_text, text_of

GM, ANN, BOB, WORK = "gm@example.org", "ann@example.org", "bob@example.org", "ann@work.example"
EVE = "eve@example.org"
TOO_LATE = "was already answered, or is older than 7 days"
NO_SEAT = "does not sign you on (any more)"
Change = Callable[[Rig], object]


@pytest.fixture(scope="module")
def begun() -> Iterator[Rig]:
    """A running game with Ann as France, and a forming one of Eve."""
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
    """Mail a text, or reply with it to a letter. Return the judge's replies."""
    rig.boxes.clear()
    if letter is None:
        rig.mail(sender, text)
    else:
        rig.reply(sender, text, letter)
    return squeeze_text(" ".join(text_of(one) for one in rig.boxes.get(sender, ())))


def opens(rig: Rig, who: str, password: str) -> bool:
    """Return whether a password opens France."""
    return "Sign-on failed" not in says(rig, who, f"SIGNON Fmarco {password}\nSTATUS")


def move(rig: Rig, old: str = ANN, new: str = WORK, password: str = "annsecret") -> EmailMessage:
    """Change a player's address. Return the letter that undoes it."""
    says(rig, old, f"SIGNON Fmarco {password}\nSET ADDRESS {new}")
    assert "now has this address" in says(rig, new, "Yes", rig.newest[new])
    return rig.newest[old]


# --- Letters that open the seat ---


def taken_over(rig: Rig) -> None:
    rig.resign(ANN, "SIGNON Fmarco annsecret")
    rig.mail(BOB, "TAKEOVER Fmarco bobsecret")


def eject_player(rig: Rig) -> None:
    rig.mail(GM, "SIGNON Mmarco gmsecret\nEJECT F")
    rig.mail(BOB, "TAKEOVER Fmarco bobsecret")


def sat_in_for(rig: Rig) -> None:
    rig.mail(ANN, f"SIGNON Fmarco annsecret\nSITTER {BOB} UNTIL 8 Jan 20:00")
    rig.mail(BOB, "SIT Fmarco")


def given_new_password(rig: Rig) -> None:
    rig.mail(ANN, "SIGNON Fmarco annsecret\nSET PASSWORD annsecond")


@pytest.mark.parametrize(
    "change, now",
    [
        (move, WORK), (taken_over, BOB), (eject_player, BOB), (sat_in_for, BOB),
        (given_new_password, ANN),
    ],
)
def test_an_old_letter_opens_no_seat_with_any_sender(rig: Rig, change: Change, now: str) -> None:
    """The From line is right: only the letter is too old."""
    old = rig.newest[ANN]
    change(rig)
    assert NO_SEAT in says(rig, now, "A Par - Bur", old)
    assert NO_SEAT in says(rig, ANN, "A Par - Bur", old)
    assert not orders(rig)
    rig.mail(now, "HELP")
    assert NO_SEAT in says(rig, now, "SET PASSWORD stolen", old)


def test_a_sitters_letter_opens_nothing_after_the_sitting(rig: Rig) -> None:
    sat_in_for(rig)
    old = rig.newest[BOB]
    rig.mail(ANN, "SIGNON Fmarco annsecret\nSITTER OFF")
    for who in (ANN, BOB):
        assert NO_SEAT in says(rig, who, "A Par - Bur", old)
    assert not orders(rig)


# --- Letters that set a new password ---


def reset(rig: Rig) -> EmailMessage:
    """Request a letter to Ann that sets a new password."""
    says(rig, ANN, "RESET PASSWORD Fmarco")
    letter = rig.newest[ANN]
    assert "SET PASSWORD yournewpassword" in text_of(letter)
    return letter


def test_a_password_letter_is_valid_for_seven_days(rig: Rig) -> None:
    letter = reset(rig)
    rig.clock.advance(days=7)
    assert "has been changed" in says(rig, ANN, "SET PASSWORD annsecond", letter)
    assert opens(rig, ANN, "annsecond")


def test_a_password_letter_expires_after_seven_days(rig: Rig) -> None:
    letter = reset(rig)
    rig.clock.advance(days=7, seconds=2)
    assert NO_SEAT in says(rig, ANN, "SET PASSWORD stolen", letter)
    assert opens(rig, ANN, "annsecret")


def test_a_password_letter_is_valid_once(rig: Rig) -> None:
    letter = reset(rig)
    says(rig, ANN, "SET PASSWORD annsecond", letter)
    assert NO_SEAT in says(rig, ANN, "SET PASSWORD stolen", letter)
    assert opens(rig, ANN, "annsecond")


@pytest.mark.parametrize("change, now, password", [
    (move, WORK, "annsecret"), (taken_over, BOB, "bobsecret"),
    (given_new_password, ANN, "annsecond"),
])
def test_a_password_letter_expires_with_a_change_of_the_seat(
    rig: Rig, change: Change, now: str, password: str
) -> None:
    letter = reset(rig)
    change(rig)
    for who in (ANN, now):
        assert NO_SEAT in says(rig, who, "SET PASSWORD stolen", letter)
    assert opens(rig, now, password)


# --- Letters that change an address ---


def asked_to_move(rig: Rig) -> EmailMessage:
    """Request an address change as Ann. Return the letter to the new address."""
    says(rig, ANN, f"SIGNON Fmarco annsecret\nSET ADDRESS {WORK}")
    return rig.newest[WORK]


def address(rig: Rig) -> str:
    """Return the address of France."""
    game = rig.application.games.find("marco")
    assert game is not None
    return next(
        one.address for one in rig.application.games.seats(game.id) if one.power == "France"
    )


def test_a_yes_within_seven_days_changes_the_address(rig: Rig) -> None:
    letter = asked_to_move(rig)
    rig.clock.advance(days=7)
    says(rig, WORK, "Yes", letter)
    assert address(rig) == WORK


def test_a_yes_after_seven_days_is_too_late(rig: Rig) -> None:
    letter = asked_to_move(rig)
    rig.clock.advance(days=7, seconds=2)
    assert TOO_LATE in says(rig, WORK, "Yes", letter)
    assert address(rig) == ANN


@pytest.mark.parametrize("change, now", [
    (given_new_password, ANN), (taken_over, BOB), (eject_player, BOB), (sat_in_for, BOB),
])
def test_a_yes_is_too_late_after_a_change_of_the_seat(rig: Rig, change: Change, now: str) -> None:
    letter = asked_to_move(rig)
    rig.clock.advance(days=1, seconds=1)
    change(rig)
    assert TOO_LATE in says(rig, WORK, "Yes", letter)
    assert address(rig) == now


def test_a_yes_changes_the_address_once(rig: Rig) -> None:
    letter = asked_to_move(rig)
    says(rig, WORK, "Yes", letter)
    undoing = rig.newest[ANN]
    assert TOO_LATE in says(rig, WORK, "Yes", letter)
    says(rig, ANN, "UNDO", undoing)
    assert TOO_LATE in says(rig, WORK, "Yes", letter)
    assert address(rig) == ANN


def test_the_address_of_a_vacant_seat_is_not_changed_or_restored(rig: Rig) -> None:
    undoing = move(rig)
    rig.clock.advance(days=1, seconds=1)
    says(rig, WORK, "SIGNON Fmarco annsecret\nSET ADDRESS third@example.org")
    letter = rig.newest["third@example.org"]
    rig.resign(WORK, "SIGNON Fmarco annsecret")
    assert TOO_LATE in says(rig, "third@example.org", "Yes", letter)
    assert TOO_LATE in says(rig, ANN, "UNDO", undoing)
    rig.mail(BOB, "TAKEOVER Fmarco bobsecret")
    assert address(rig) == BOB


def test_a_seat_left_before_the_start_is_not_restored(rig: Rig) -> None:
    rig.mail(ANN, "JOIN polo annsecret")
    says(rig, ANN, f"SIGNON ?polo annsecret\nSET ADDRESS {WORK}")
    says(rig, WORK, "Yes", rig.newest[WORK])
    undoing = rig.newest[ANN]
    rig.mail(WORK, "SIGNON ?polo annsecret\nRESIGN")
    assert TOO_LATE in says(rig, ANN, "UNDO", undoing)


# --- Letters that undo an address change ---


def test_an_address_change_is_undone_within_seven_days(rig: Rig) -> None:
    letter = move(rig)
    rig.clock.advance(days=7)
    says(rig, ANN, "UNDO", letter)
    assert address(rig) == ANN


def test_an_address_change_is_final_after_seven_days(rig: Rig) -> None:
    letter = move(rig)
    rig.clock.advance(days=7, seconds=2)
    assert TOO_LATE in says(rig, ANN, "UNDO", letter)
    assert address(rig) == WORK


def test_an_address_change_is_undone_once(rig: Rig) -> None:
    """Otherwise each new password could be voided again with the letter."""
    letter = move(rig)
    says(rig, ANN, "UNDO", letter)
    says(rig, ANN, "SET PASSWORD annsecond", rig.newest[ANN])
    assert TOO_LATE in says(rig, ANN, "UNDO", letter)
    assert address(rig) == ANN and opens(rig, ANN, "annsecond")


@pytest.mark.parametrize("further", [False, True])
def test_undoing_an_address_change_takes_no_seat_from_others(rig: Rig, further: bool) -> None:
    """This holds even if the next person changed the address too."""
    letter = move(rig)
    rig.resign(WORK, "SIGNON Fmarco annsecret")
    rig.mail(BOB, "TAKEOVER Fmarco bobsecret")
    if further:
        move(rig, BOB, "bob@home.example", "bobsecret")
    assert TOO_LATE in says(rig, ANN, "UNDO", letter)
    now = "bob@home.example" if further else BOB
    assert address(rig) == now and opens(rig, now, "bobsecret")


def test_an_address_change_is_undone_after_a_further_one(rig: Rig) -> None:
    letter = move(rig)
    move(rig, WORK, "ann@third.example")
    says(rig, ANN, "UNDO", letter)
    assert address(rig) == ANN


# --- Wrong passwords ---


def guess(rig: Rig, who: str, many: int = 6) -> str:
    """Guess the password of France a few times. Return the last reply."""
    return [says(rig, who, f"SIGNON Fmarco guess{n}") for n in range(many)][-1]


@pytest.mark.parametrize("who, right", [(EVE, "SIGNON Mpolo evesecret"),
                                        (ANN, "SIGNON Fmarco annsecret")])
def test_a_right_password_forgives_only_its_senders_guesses(rig: Rig, who: str, right: str) -> None:
    assert "Too many wrong passwords" in guess(rig, EVE)
    assert "Sign-on failed" not in says(rig, who, f"{right}\nSTATUS")
    assert "Too many wrong passwords" in says(rig, EVE, "SIGNON Fmarco another")


def test_a_right_password_forgives_earlier_wrong_ones(rig: Rig) -> None:
    guess(rig, EVE, 4)
    assert opens(rig, EVE, "annsecret")
    assert "Sign-on failed" in guess(rig, EVE, 5)
