"""The order page as a file in letters (SET BOARD ATTACHED)."""

from collections.abc import Iterator
from datetime import timedelta
from email.message import EmailMessage

import pytest

from judge.games.diplomacy.boards import board, opening_on
from judge.mail.outbound.compose import list_enclosures
from judge.play.letters import order_pages
from judge.play.letters.order_pages import MAX_ATTACHED_OCTETS
from tests.games.diplomacy.random_boards import random_case
from tests.journeys.rig import Rig, text_of
from tests.site.order_pages import page_of_position

GM, ANN, BOB = "gm@q1.example.org", "ann@q2.example.org", "bob@q3.example.org"
SECRETS = ("q1.example", "q2.example", "gmq4secret", "annq5secret", "Privateq6", "Orderq8")


@pytest.fixture
def rig() -> Iterator[Rig]:
    made = Rig()
    yield made
    made.close()


def start(rig: Rig, map_name: str = "standard", board_setting: str = "ATTACHED") -> None:
    """Start a game in which France has chosen a form of the order page."""
    rig.mail(GM, f"CREATE ?marco gmq4secret {map_name}\nSTART")
    rig.mail(ANN, "TAKEOVER Fmarco annq5secret")
    rig.mail(BOB, "TAKEOVER Emarco bobq7secret")
    rig.mail(ANN, f"SIGNON Fmarco annq5secret\nSET BOARD {board_setting}\nPRESS TO E\nPrivateq6\n"
                  "ENDPRESS\nA Par H ; Orderq8")


def process(rig: Rig, phase: str = "S1901M") -> None:
    rig.mail(GM, f"SIGNON Mmarco gmq4secret\nPROCESS {phase}")


def words_of(letter: EmailMessage) -> str:
    """Return the text of a letter in one line."""
    return " ".join(text_of(letter).split())


def attached_page(letter: EmailMessage) -> str | None:
    """Return the order page of a letter, or None without one."""
    for part in list_enclosures(letter):
        if part.get_content_type() == "text/html":
            assert part.get_content_disposition() == "attachment"
            assert part.get_filename() == f"marco-{letter['X-Judge-Phase']}.html"
            return str(part.get_content())
    return None


def test_results_carry_the_page_for_the_seat_that_chose_it(rig: Rig) -> None:
    start(rig)
    assert "carry the page with the board" in words_of(rig.newest[ANN])
    assert attached_page(rig.newest[ANN]) is None
    process(rig)
    letter = rig.newest[ANN]
    page = attached_page(letter)
    assert page and '"phase":"F1901M"' in page and page.rstrip().endswith("</html>")
    assert "open the attached marco-F1901M.html" in words_of(letter)
    token = str(letter["Reply-To"]).partition("@")[0].rpartition("+")[2]
    assert not [secret for secret in (*SECRETS, token) if secret in page]
    assert attached_page(rig.newest[BOB]) is None and "attached" not in words_of(rig.newest[BOB])


def test_start_and_reminder_carry_the_page(rig: Rig) -> None:
    rig.mail(GM, "CREATE ?marco gmq4secret standard\nSET MANUAL START")
    rig.mail(ANN, "JOIN ?marco annq5secret\nSET BOARD ATTACHED")
    rig.mail(GM, "SIGNON Mmarco gmq4secret\nSTART")
    letter = rig.newest[ANN]
    assert letter["X-Judge-Kind"] == "start" and attached_page(letter)
    assert "attached marco-S1901M.html" in words_of(letter)
    rig.clock.set(rig.clock.now() + timedelta(hours=60))
    rig.run()
    letter = rig.newest[ANN]
    assert letter["X-Judge-Kind"] == "reminder" and attached_page(letter)


def test_late_players_get_the_page(rig: Rig) -> None:
    start(rig)
    rig.clock.set(rig.clock.now() + timedelta(hours=73))
    rig.run()
    letter = rig.newest[ANN]
    assert letter["X-Judge-Kind"] == "reminder" and "orders are late" in letter["Subject"]
    page = attached_page(letter)
    assert page and '"phase":"S1901M"' in page
    assert "attached marco-S1901M.html" in words_of(letter)


def test_rollback_carries_the_page_of_its_phase(rig: Rig) -> None:
    start(rig)
    process(rig)
    rig.mail(GM, "SIGNON Mmarco gmq4secret\nROLLBACK marco F1901M TO S1901M")
    letter = rig.newest[ANN]
    assert letter["X-Judge-Kind"] == "notice" and letter["X-Judge-Phase"] == "S1901M"
    page = attached_page(letter)
    assert page and '"phase":"S1901M"' in page
    assert "attached marco-S1901M.html" in words_of(letter)
    assert attached_page(rig.newest[BOB]) is None


def test_german_letter_names_the_attached_page(rig: Rig) -> None:
    start(rig)
    rig.mail(ANN, "SIGNON Fmarco annq5secret\nSET LANGUAGE DE")
    process(rig)
    page = attached_page(rig.newest[ANN])
    assert page and '<html lang="de">' in page and '"language":"de"' in page
    assert "Öffne die Anlage marco-F1901M.html." in words_of(rig.newest[ANN])


@pytest.mark.parametrize(("chosen", "registered", "language"), [
    ("", "", ""), ("SET LANGUAGE EN\n", "", "en"), ("", "DE", "de"),
    ("SET LANGUAGE EN\n", "DE", "en"),
])
def test_page_begins_in_the_language_of_its_letter(
    rig: Rig, chosen: str, registered: str, language: str
) -> None:
    start(rig)
    if registered:
        rig.reply(ANN, f"REGISTER\nLanguage: {registered}\nEND", rig.newest[ANN])
    rig.mail(ANN, f"SIGNON Fmarco annq5secret\n{chosen}SET BOARD ATTACHED")
    rig.mail(BOB, "SIGNON Emarco bobq7secret\nSET BOARD ATTACHED")
    process(rig)
    page = attached_page(rig.newest[ANN])
    assert page and f'"language":"{language}"' in page
    other = attached_page(rig.newest[BOB])
    assert other and '"language":""' in other


def test_a_blind_game_has_no_page(rig: Rig) -> None:
    start(rig, "blind standard")
    process(rig)
    assert rig.newest[ANN]["X-Judge-Kind"] == "results"
    assert attached_page(rig.newest[ANN]) is None and "attached" not in words_of(rig.newest[ANN])


@pytest.mark.parametrize("setting", ["OFF", "LINK"])
def test_other_settings_end_it(rig: Rig, setting: str) -> None:
    start(rig)
    rig.mail(ANN, f"SIGNON Fmarco annq5secret\nSET BOARD {setting}")
    process(rig)
    assert attached_page(rig.newest[ANN]) is None and "attached" not in words_of(rig.newest[ANN])


def test_a_page_too_large_is_left_out(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(order_pages, "MAX_ATTACHED_OCTETS", 1000)
    start(rig)
    process(rig)
    assert attached_page(rig.newest[ANN]) is None
    assert "larger than 350 kB" in words_of(rig.newest[ANN])


def test_page_is_drawn_once_and_only_if_wanted(
    rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn = []
    draw = order_pages.draw_order_page

    def count(*given: object, is_coarse: bool) -> bytes:
        drawn.append(given)
        return draw(*given, is_coarse=is_coarse)  # type: ignore[arg-type]

    monkeypatch.setattr(order_pages, "draw_order_page", count)
    start(rig, board_setting="LINK")
    process(rig)
    assert not drawn
    for address, seat in ((ANN, "Fmarco annq5secret"), (BOB, "Emarco bobq7secret")):
        rig.mail(address, f"SIGNON {seat}\nSET BOARD ATTACHED")
    process(rig, "F1901M")
    # Without a retreat or a build, the results of two phases come in one letter.
    assert len(drawn) == 1 and attached_page(rig.newest[ANN]) == attached_page(rig.newest[BOB])


@pytest.mark.parametrize("name", ["standard", "youngstown"])
@pytest.mark.parametrize("seed", [None, 1, 2])
def test_attached_page_is_small(name: str, seed: int | None) -> None:
    on, position = board(name), opening_on(board(name))
    if seed is not None:
        on, position, _ = random_case(seed, 80, name)
    page = page_of_position(on, position, is_coarse=True)
    assert len(page) <= MAX_ATTACHED_OCTETS


@pytest.mark.parametrize("value", ["ATTACHED", "LINK", "OFF"])
def test_master_without_a_power_cannot_choose_the_page(rig: Rig, value: str) -> None:
    rig.mail(GM, f"CREATE ?marco gmq4secret\nSET BOARD {value}")
    assert "BOARD is only for players." in words_of(rig.newest[GM])
    assert "No map is called" not in words_of(rig.newest[GM])
