"""MY GAMES tells somebody's games to his own address, and to nobody who writes in his name."""

from collections.abc import Iterator

import pytest

from tests.journeys.rig import Rig, squeezed, text_of

GM, ANN, BOB, EVE = "gm@example.org", "ann@example.org", "bob@example.org", "eve@example.org"
MINE = "Your games:"


@pytest.fixture(scope="module")
def begun() -> Iterator[Rig]:
    """A gunboat game of Ann and Bob, and one of Ann's that LIST does not show."""
    rig = Rig()
    rig.mail(GM, "CREATE ?boat gmsecret standard\nSET GUNBOAT")
    rig.mail(EVE, "CREATE ?hidden evesecret standard\nSET UNLISTED\nSTART")
    rig.mail(ANN, "JOIN boat annsecret\nSET PREFERENCE F\nTAKEOVER Ghidden annsecret")
    rig.mail(BOB, "JOIN boat bobsecret\nSET PREFERENCE G")
    rig.mail(GM, "SIGNON Mboat gmsecret\nSTART")
    yield rig
    rig.close()


@pytest.fixture
def rig(begun: Rig) -> Iterator[Rig]:
    """The same for one test, with empty boxes."""
    made = begun.again()
    made.boxes.clear()
    yield made
    made.close()


def told(rig: Rig) -> dict[str, str]:
    """Return everything that went to each address."""
    return {to: squeezed(" ".join(map(text_of, box))) for to, box in rig.boxes.items()}


@pytest.mark.parametrize("asked", ["MY GAMES", "LIST", "LIST FULL", "MEINE SPIELE", "my  games"])
def test_a_mail_in_anothers_name_is_answered_to_his_address_alone(rig: Rig, asked: str) -> None:
    rig.mail(ANN, asked, Reply_To=EVE, Return_Path=EVE, Sender=EVE)
    assert set(rig.boxes) == {ANN}
    assert "boat Standard" in told(rig)[ANN] and "hidden Standard" in told(rig)[ANN]


def test_whoever_signs_on_to_anothers_seat_reads_nothing_of_his_games(rig: Rig) -> None:
    rig.mail(BOB, "SIGNON Fboat annsecret\nMY GAMES\nLIST")
    assert MINE in told(rig)[ANN] and "you play France" in told(rig)[ANN]
    assert MINE not in told(rig)[BOB] and "France" not in told(rig)[BOB]


def test_before_a_sign_on_the_games_are_the_senders_own(rig: Rig) -> None:
    rig.mail(BOB, "MY GAMES\nSIGNON Fboat annsecret\nSTATUS")
    assert "you play Germany" in told(rig)[BOB] and "France" not in told(rig)[BOB]
    assert MINE not in told(rig)[ANN]


@pytest.mark.parametrize("asked", ["MY GAMES", "LIST"])
def test_a_master_who_acts_as_a_power_reads_nothing_of_its_player(rig: Rig, asked: str) -> None:
    rig.mail(EVE, f"SIGNON Mhidden evesecret\nBECOME G\n{asked}")
    assert MINE not in told(rig)[EVE] and "you play" not in told(rig)[EVE]
    assert MINE not in told(rig)[ANN]


def test_nobody_else_reads_that_somebody_has_a_seat(rig: Rig) -> None:
    for who in (BOB, GM, EVE, "zoe@example.org"):
        rig.mail(who, "LIST FULL\nMY GAMES\nLIST boat")
    for who, text in told(rig).items():
        assert "ann@" not in text or who in (GM, EVE)
        assert "you play France" not in text
        assert who == EVE or "hidden" not in text


def test_a_person_of_several_addresses_asks_from_any(rig: Rig) -> None:
    rig.mail(ANN, "IAMALSO ann@work.example")
    rig.reply(ANN, "yes")
    rig.mail("ann@work.example", "MY GAMES")
    assert "You have no seat" in told(rig)["ann@work.example"]
    rig.reply("ann@work.example", "yes", next(
        letter for letter in rig.boxes["ann@work.example"] if letter["X-Judge-Kind"] == "confirm"
    ))
    rig.boxes.clear()
    rig.mail("ann@work.example", "MY GAMES")
    assert set(rig.boxes) == {"ann@work.example"}
    assert "you play France" in told(rig)["ann@work.example"]


def test_a_game_that_cannot_be_read_hides_no_other(rig: Rig) -> None:
    rig.application.store.database.execute_sql(
        "UPDATE games SET marks = 'damaged' WHERE name = 'hidden'"
    )
    rig.mail(ANN, "MY GAMES")
    assert "you play France" in told(rig)[ANN] and "hidden" not in told(rig)[ANN]


def test_who_has_left_is_told_of_nothing(rig: Rig) -> None:
    rig.mail(BOB, "SIGNON Gboat bobsecret\nRESIGN\nMY GAMES")
    rig.mail(BOB, "MY GAMES")
    assert "you play" not in told(rig)[BOB] and "You have no seat" in told(rig)[BOB]


@pytest.mark.parametrize("on", ["standard", "nations1940", "yorktown"])
def test_it_is_told_beside_whatever_else_a_game_of_any_system_is_asked(on: str) -> None:
    rig = Rig()
    rig.mail(GM, f"CREATE ?marco gmsecret {on}\nSTART")
    rig.boxes.clear()
    rig.mail(GM, "SIGNON Mmarco gmsecret\nMY GAMES\nLIST\nSTATUS")
    assert MINE in told(rig)[GM] and "Games of this judge" in told(rig)[GM]
    rig.close()
