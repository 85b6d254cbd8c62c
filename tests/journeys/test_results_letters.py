"""Results letters: their length with real pictures, and their links."""

import re
from collections.abc import Callable, Iterator
from email.message import EmailMessage
from html import unescape
from urllib.parse import parse_qs, urlsplit

import pytest

from judge.daemon.picture_worker import PictureWorker
from judge.drawing.render_process import RenderProcess
from judge.games.diplomacy.boards import board
from judge.games.diplomacy.rules.orders import order_text
from judge.games.diplomacy.views.record import load_text
from judge.games.painting import paint
from judge.model.letter import PictureRequest
from judge.play.game import table_of
from tests.journeys.pages import page_of, seen
from tests.journeys.rig import Rig
from tests.random_orders import Luck, orders_for

GM, ANN, BOB = "gm@example.org", "ann@example.org", "bob@example.org"
MAX_LETTER_OCTETS = 450_000
"""Maximum octets of a letter, accepted by every mailbox."""


MAX_PICTURES_OCTETS = 350_000
"""Maximum octets of a player's two pictures together."""


class Painter(RenderProcess):
    """Render process that draws real pictures in this process."""

    def __init__(self) -> None:
        super().__init__(paint)

    def draw(
        self, sketch: PictureRequest, seconds: float, stopped: Callable[[], bool] = lambda: False
    ) -> bytes:
        """Return the picture."""
        return paint(sketch)


@pytest.fixture(scope="module")
def begun() -> Iterator[Rig]:
    made = Rig()
    made.mail(GM, "CREATE ?marco gmsecret youngstown\nSTART\nSET MAP OFF")
    made.mail(ANN, "TAKEOVER Rmarco annsecret\nSET MAP OFF")
    made.mail(BOB, "TAKEOVER Imarco bobsecret\nSET MAP OFF")
    yield made
    made.close()


@pytest.fixture(scope="module")
def five(begun: Rig) -> Iterator[Rig]:
    """The game five phases later."""
    made = begun.again()
    for _ in range(5):
        play(made)
    yield made
    made.close()


@pytest.fixture
def later(five: Rig) -> Iterator[Rig]:
    """A copy of that game for one test."""
    made = five.again()
    yield made
    made.close()


def play(rig: Rig) -> None:
    """Play a phase in which every unit has an order."""
    game = rig.application.games.find("marco")
    assert game is not None
    position, on = load_text(game.position), board("youngstown")
    orders = "\n".join(
        f"{power.name}: {order_text(order)}"
        for power in on.powers
        for order in orders_for(on, position, power.name, Luck(3, game.turn, power.name))
    )
    rig.mail(GM, f"SIGNON Mmarco gmsecret\n{orders}\nPROCESS {game.phase}")


def results(rig: Rig, address: str) -> EmailMessage:
    return [one for one in rig.boxes[address] if one["X-Judge-Kind"] == "results"][-1]


@pytest.mark.slow
def test_results_of_the_larger_map_fit_a_mailbox(
    later: Rig,
) -> None:
    later.painting = PictureWorker(later.application, Painter())
    later.mail(ANN, "SIGNON Rmarco annsecret\nSET MAP PNG")
    later.mail(BOB, "SIGNON Imarco bobsecret\nSET MAP SVG")
    play(later)
    for address, kind in ((ANN, "image/png"), (BOB, "image/svg+xml")):
        letter = results(later, address)
        pictures = [
            part.get_payload(decode=True)
            for part in letter.walk()
            if part.get_content_type() == kind
        ]
        assert len(pictures) == (2 if address == ANN else 1), "his own front, and all of it"
        octets = [each for each in pictures if isinstance(each, bytes)]
        assert all(each.startswith((b"\x89PNG", b"<svg")) for each in octets)
        assert kind != "image/png" or sum(map(len, octets)) < MAX_PICTURES_OCTETS
        assert 100_000 < len(letter.as_bytes()) < MAX_LETTER_OCTETS, kind


def test_centres_are_listed_year_by_year(later: Rig) -> None:
    play(later)
    shown = [
        seen(page_of(letter))
        for letter in later.boxes[ANN]
        if "Supply centres, year by year" in page_of(letter)
    ]
    assert shown and "1900 1901" in " ".join(shown[0].split())
    assert re.search(r"Russia 6 \d+", " ".join(shown[0].split()))


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_link_opens_a_letter_with_valid_orders(rig: Rig, language: str) -> None:
    """The letter is completed as it says, with orders and the password.

    The link exists only if a reply opens no seat. Otherwise the letter asks for a reply.
    """
    rig.mail(ANN, f"SIGNON Rmarco annsecret\nSET LANGUAGE {language}")
    assert 'href="mailto:' not in page_of(rig.newest[ANN])
    rig.mail(ANN, "SIGNON Rmarco annsecret\nSET TOKEN OFF")
    play(rig)
    letter = results(rig, ANN)
    (link,) = set(re.findall(r'href="(mailto:[^"]*)"', page_of(letter)))
    parts = urlsplit(unescape(link))
    assert parts.path == rig.config.judge.address and "+" not in parts.path
    fields = parse_qs(parts.query, strict_parsing=True)
    (subject,), (body,) = fields["subject"], fields["body"]
    signon, *units = body.split("\r\n")
    password = {"en": "yourpassword", "de": "deinpasswort"}[language]
    assert subject.startswith("marco - F1901M") and signon == f"SIGNON Rmarco {password}"
    assert len(units) == 6 and all(re.fullmatch(r"[AF] \S+ ", unit) for unit in units)
    filled = [signon.replace(password, "annsecret"), *(f"{unit}H" for unit in units)]
    rig.mail(ANN, "\r\n".join(filled))
    game = rig.application.games.find("marco")
    assert game is not None
    filed = rig.application.games.orders(game.id, "F1901M")["Russia"]
    assert not table_of(game).missing_orders("Russia", filed)


def test_the_link_in_retreats_and_winters_has_the_due_orders(rig: Rig) -> None:
    found = []
    rig.mail(ANN, "SIGNON Rmarco annsecret\nSET TOKEN OFF")
    for _ in range(8):
        play(rig)
        page = page_of(results(rig, ANN))
        found += re.findall(r'href="mailto:[^"]*body=SIGNON([^"]*)"', page)
    assert any("build" in one.lower() for one in found), found


def test_each_player_of_a_blind_game_has_an_own_report() -> None:
    """Facts shared by all viewers elsewhere are computed for each viewer here."""
    rig = Rig()
    rig.mail(GM, "CREATE ?fog gmsecret standard\nSET BLIND\nSTART")
    rig.mail(ANN, "TAKEOVER Ffog annsecret")
    rig.mail(BOB, "TAKEOVER Tfog bobsecret")
    for orders, phase in (
        ("A Par - Bur; F Ank - BLA", "S1901M"), ("A Bur - Bel; F BLA - Rum", "F1901M"),
    ):
        rig.mail(GM, f"SIGNON Mfog gmsecret\n{orders}\nPROCESS {phase}")
    own = {ANN: ("France", "Belgium", "BEL"), BOB: ("Turkey", "Rumania", "RUM")}
    for address, other in ((ANN, BOB), (BOB, ANN)):
        letter = results(rig, address)
        parts = [part for part in letter.walk() if not part.is_multipart()]
        octets = [part.get_payload(decode=True) for part in parts]
        told = [one.decode("utf-8") for one in octets if isinstance(one, bytes)]
        page = seen(page_of(letter))
        for word in own[address][:2]:
            assert word in page
        power, place, short = own[other]
        # Neither text, page, picture nor JSON file names the other's conquest.
        names = (place, f'"{short}"', f" {short}")
        assert not [name for one in told for name in names if name in one]
        row = re.search(r"year by year\s+1900 1901(.*?)Pictures?:", " ".join(page.split()))
        assert row is not None and power not in row[1]
    assert all(word in seen(page_of(results(rig, GM))) for word in ("Belgium", "Rumania"))
    rig.close()
