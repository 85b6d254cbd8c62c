"""Letters of earlier days: what their reply addresses open no longer, and what they still undo.

Whoever reads an old letter, in a mailbox that was given up or is somebody else's, can write any
From line; only that the letter is an old one tells him from whoever has the seat now.
"""

from collections.abc import Callable, Iterator
from email.message import EmailMessage

import pytest

from tests.journeys.bench import Bench, squeezed, text_of

GM, ANN, BOB, WORK = "gm@example.org", "ann@example.org", "bob@example.org", "ann@work.example"
EVE = "eve@example.org"
TOO_LATE = "answered already, or no longer asks"
NO_SEAT = "opens no seat for you (any more)"
Change = Callable[[Bench], object]


@pytest.fixture(scope="module")
def begun() -> Iterator[Bench]:
    """A running game in which Ann plays France; and one that forms, of Eve."""
    made = Bench()
    made.mail(GM, "CREATE ?marco gmsecret standard\nSTART")
    made.mail(ANN, "TAKEOVER Fmarco annsecret")
    made.mail(EVE, "CREATE ?polo evesecret standard")
    yield made
    made.close()


def orders(bench: Bench) -> dict[str, str]:
    game = bench.works.games.find("marco")
    assert game is not None
    return bench.works.games.orders(game.id, game.phase)


def says(bench: Bench, sender: str, text: str, letter: EmailMessage | None = None) -> str:
    """Have somebody mail a text, or reply with it to a letter; return what he is told."""
    bench.boxes.clear()
    if letter is None:
        bench.mail(sender, text)
    else:
        bench.reply(sender, text, letter)
    return squeezed(" ".join(text_of(one) for one in bench.boxes.get(sender, ())))


def opens(bench: Bench, who: str, password: str) -> bool:
    """Tell whether somebody's password opens France."""
    return "did not work" not in says(bench, who, f"SIGNON Fmarco {password}\nSTATUS")


def move(
    bench: Bench, old: str = ANN, new: str = WORK, password: str = "annsecret"
) -> EmailMessage:
    """Have a player move to another address; return the letter that undoes it."""
    says(bench, old, f"SIGNON Fmarco {password}\nSET ADDRESS {new}")
    assert "now the address of your seat" in says(bench, new, "Yes", bench.newest[new])
    return bench.newest[old]


# --- letters that open the seat ---


def taken_over(bench: Bench) -> None:
    bench.mail(ANN, "SIGNON Fmarco annsecret\nRESIGN")
    bench.mail(BOB, "TAKEOVER Fmarco bobsecret")


def ejected(bench: Bench) -> None:
    bench.mail(GM, "SIGNON Mmarco gmsecret\nEJECT F")
    bench.mail(BOB, "TAKEOVER Fmarco bobsecret")


def sat_in_for(bench: Bench) -> None:
    bench.mail(ANN, f"SIGNON Fmarco annsecret\nSITTER {BOB} UNTIL 8 Jan 20:00")
    bench.mail(BOB, "SIT Fmarco")


def given_new_password(bench: Bench) -> None:
    bench.mail(ANN, "SIGNON Fmarco annsecret\nSET PASSWORD annsecond")


@pytest.mark.parametrize("change, now", [
    (move, WORK), (taken_over, BOB), (ejected, BOB), (sat_in_for, BOB), (given_new_password, ANN),
])
def test_a_letter_of_before_opens_nothing_whoever_is_said_to_reply(
    bench: Bench, change: Change, now: str
) -> None:
    """The From line is of whoever has the seat now: not that, the letter is what is wrong."""
    old = bench.newest[ANN]
    change(bench)
    assert NO_SEAT in says(bench, now, "A Par - Bur", old)
    assert NO_SEAT in says(bench, ANN, "A Par - Bur", old)
    assert not orders(bench)
    bench.mail(now, "HELP")
    assert NO_SEAT in says(bench, now, "SET PASSWORD stolen", old)


def test_a_sitters_letter_opens_nothing_once_the_player_is_back(bench: Bench) -> None:
    sat_in_for(bench)
    old = bench.newest[BOB]
    bench.mail(ANN, "SIGNON Fmarco annsecret\nSITTER OFF")
    for who in (ANN, BOB):
        assert NO_SEAT in says(bench, who, "A Par - Bur", old)
    assert not orders(bench)


# --- letters that set a new password ---


def reset(bench: Bench) -> EmailMessage:
    """Have a letter mailed to Ann that sets a new password."""
    says(bench, ANN, "RESET PASSWORD Fmarco")
    letter = bench.newest[ANN]
    assert "SET PASSWORD yournewpassword" in text_of(letter)
    return letter


def test_a_letter_that_sets_a_password_may_be_answered_for_seven_days(bench: Bench) -> None:
    letter = reset(bench)
    bench.clock.forward(days=7)
    assert "has been changed" in says(bench, ANN, "SET PASSWORD annsecond", letter)
    assert opens(bench, ANN, "annsecond")


def test_a_letter_that_sets_a_password_lives_no_longer_than_that(bench: Bench) -> None:
    letter = reset(bench)
    bench.clock.forward(days=7, seconds=2)
    assert NO_SEAT in says(bench, ANN, "SET PASSWORD stolen", letter)
    assert opens(bench, ANN, "annsecret")


def test_a_letter_that_sets_a_password_does_so_once(bench: Bench) -> None:
    letter = reset(bench)
    says(bench, ANN, "SET PASSWORD annsecond", letter)
    assert NO_SEAT in says(bench, ANN, "SET PASSWORD stolen", letter)
    assert opens(bench, ANN, "annsecond")


@pytest.mark.parametrize("change, now, password", [
    (move, WORK, "annsecret"), (taken_over, BOB, "bobsecret"),
    (given_new_password, ANN, "annsecond"),
])
def test_a_letter_that_sets_a_password_ends_with_what_it_was_written_for(
    bench: Bench, change: Change, now: str, password: str
) -> None:
    letter = reset(bench)
    change(bench)
    for who in (ANN, now):
        assert NO_SEAT in says(bench, who, "SET PASSWORD stolen", letter)
    assert opens(bench, now, password)


# --- letters that move a seat ---


def asked_to_move(bench: Bench) -> EmailMessage:
    """Have Ann ask for a move; return the letter that asks the new address."""
    says(bench, ANN, f"SIGNON Fmarco annsecret\nSET ADDRESS {WORK}")
    return bench.newest[WORK]


def address(bench: Bench) -> str:
    """Return where France's letters go."""
    game = bench.works.games.find("marco")
    assert game is not None
    return next(one.address for one in bench.works.games.seats(game.id) if one.power == "France")


def test_a_yes_moves_a_seat_within_seven_days(bench: Bench) -> None:
    letter = asked_to_move(bench)
    bench.clock.forward(days=7)
    says(bench, WORK, "Yes", letter)
    assert address(bench) == WORK


def test_a_yes_is_too_late_after_them(bench: Bench) -> None:
    letter = asked_to_move(bench)
    bench.clock.forward(days=7, seconds=2)
    assert TOO_LATE in says(bench, WORK, "Yes", letter)
    assert address(bench) == ANN


@pytest.mark.parametrize("change, now", [
    (given_new_password, ANN), (taken_over, BOB), (ejected, BOB), (sat_in_for, BOB),
])
def test_a_yes_moves_nothing_once_the_seat_has_another_password_or_person(
    bench: Bench, change: Change, now: str
) -> None:
    letter = asked_to_move(bench)
    bench.clock.forward(days=1, seconds=1)
    change(bench)
    assert TOO_LATE in says(bench, WORK, "Yes", letter)
    assert address(bench) == now


def test_a_yes_moves_a_seat_once(bench: Bench) -> None:
    letter = asked_to_move(bench)
    says(bench, WORK, "Yes", letter)
    undoing = bench.newest[ANN]
    assert TOO_LATE in says(bench, WORK, "Yes", letter)
    says(bench, ANN, "UNDO", undoing)
    assert TOO_LATE in says(bench, WORK, "Yes", letter)
    assert address(bench) == ANN


def test_a_seat_nobody_has_any_more_is_moved_and_given_back_to_nobody(bench: Bench) -> None:
    undoing = move(bench)
    bench.clock.forward(days=1, seconds=1)
    says(bench, WORK, "SIGNON Fmarco annsecret\nSET ADDRESS third@example.org")
    letter = bench.newest["third@example.org"]
    bench.mail(WORK, "SIGNON Fmarco annsecret\nRESIGN")
    assert TOO_LATE in says(bench, "third@example.org", "Yes", letter)
    assert TOO_LATE in says(bench, ANN, "UNDO", undoing)
    bench.mail(BOB, "TAKEOVER Fmarco bobsecret")
    assert address(bench) == BOB


def test_a_seat_that_was_left_before_the_start_is_given_back_to_nobody(bench: Bench) -> None:
    bench.mail(ANN, "JOIN polo annsecret")
    says(bench, ANN, f"SIGNON ?polo annsecret\nSET ADDRESS {WORK}")
    says(bench, WORK, "Yes", bench.newest[WORK])
    undoing = bench.newest[ANN]
    bench.mail(WORK, "SIGNON ?polo annsecret\nRESIGN")
    assert TOO_LATE in says(bench, ANN, "UNDO", undoing)


# --- letters that move it back ---


def test_a_move_is_undone_within_seven_days(bench: Bench) -> None:
    letter = move(bench)
    bench.clock.forward(days=7)
    says(bench, ANN, "UNDO", letter)
    assert address(bench) == ANN


def test_a_move_stays_after_them(bench: Bench) -> None:
    letter = move(bench)
    bench.clock.forward(days=7, seconds=2)
    assert TOO_LATE in says(bench, ANN, "UNDO", letter)
    assert address(bench) == WORK


def test_a_move_is_undone_once(bench: Bench) -> None:
    """Or whoever has the letter ends the password anew, each time it was set."""
    letter = move(bench)
    says(bench, ANN, "UNDO", letter)
    says(bench, ANN, "SET PASSWORD annsecond", bench.newest[ANN])
    assert TOO_LATE in says(bench, ANN, "UNDO", letter)
    assert address(bench) == ANN and opens(bench, ANN, "annsecond")


@pytest.mark.parametrize("further", [False, True])
def test_undoing_a_move_takes_no_seat_from_the_next_person(bench: Bench, further: bool) -> None:
    """Not even where the next person moved as well."""
    letter = move(bench)
    bench.mail(WORK, "SIGNON Fmarco annsecret\nRESIGN")
    bench.mail(BOB, "TAKEOVER Fmarco bobsecret")
    if further:
        move(bench, BOB, "bob@home.example", "bobsecret")
    assert TOO_LATE in says(bench, ANN, "UNDO", letter)
    now = "bob@home.example" if further else BOB
    assert address(bench) == now and opens(bench, now, "bobsecret")


def test_a_move_is_undone_wherever_the_same_seat_was_moved_on_to(bench: Bench) -> None:
    letter = move(bench)
    move(bench, WORK, "ann@third.example")
    says(bench, ANN, "UNDO", letter)
    assert address(bench) == ANN


# --- wrong passwords ---


def guess(bench: Bench, who: str, many: int = 6) -> str:
    """Have somebody guess the password of France a few times; return what he hears at last."""
    return [says(bench, who, f"SIGNON Fmarco guess{n}") for n in range(many)][-1]


@pytest.mark.parametrize("who, right", [(EVE, "SIGNON Mpolo evesecret"),
                                        (ANN, "SIGNON Fmarco annsecret")])
def test_a_right_password_forgives_no_wrong_ones_but_those_of_its_sender_at_its_seat(
    bench: Bench, who: str, right: str
) -> None:
    assert "tried too often without success" in guess(bench, EVE)
    assert "did not work" not in says(bench, who, f"{right}\nSTATUS")
    assert "tried too often without success" in says(bench, EVE, "SIGNON Fmarco another")


def test_a_right_password_forgives_the_wrong_ones_before_it(bench: Bench) -> None:
    guess(bench, EVE, 4)
    assert opens(bench, EVE, "annsecret")
    assert "did not work" in guess(bench, EVE, 5)
