"""The order page without a browser: its policy, size, secrets and legal orders."""

import json
import re
import zlib
from base64 import b64encode
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import pytest

from judge.config import Config, JudgeSection, StoreSection
from judge.daemon.archive_publisher import publish
from judge.daemon.order_pages import write_board
from judge.errors import JudgeError
from judge.games.diplomacy.boards import board, opening_on
from judge.games.diplomacy.rules.possible import possible_texts
from judge.games.diplomacy.rules.ruleset import Rules
from judge.games.diplomacy.views.order_board import order_board_values
from tests.games.diplomacy.random_boards import random_case
from tests.journeys.rig import Rig, text_of
from tests.site.order_pages import page_of_position, read_lines

GM, ANN = "gm@q1.example.org", "ann@q2.example.org"
SECRETS = (
    "q1.example", "q2.example", "gmq4secret", "annq5secret", "Nameq3", "Privateq6", "Orderq8",
)


@pytest.mark.parametrize("seed", range(20))
def test_values_have_every_legal_order(seed: int) -> None:
    on, position, _ = random_case(seed)
    values = json.loads(json.dumps(order_board_values(on, position, Rules())))
    found: dict[str, set[str]] = {}
    for unit, line in read_lines(values):
        found.setdefault(unit, set()).add(line)
    legal = possible_texts(on, position, Rules())
    assert found == {str(unit): {*lines} for own in legal.values() for unit, lines in own.items()}


@pytest.mark.parametrize("name", ["standard", "youngstown"])
@pytest.mark.parametrize("seed", [None, 1, 2, 3])
def test_page_is_small(name: str, seed: int | None) -> None:
    on, position = board(name), opening_on(board(name))
    if seed is not None:
        on, position, _ = random_case(seed, 80, name)
    page = page_of_position(on, position)
    assert len(page) <= 500_000 and len(zlib.compress(page)) <= 150_000


def test_policy_allows_only_the_own_script_and_style() -> None:
    page = page_of_position(board("standard"), opening_on(board("standard"))).decode()
    [policy] = re.findall(r'http-equiv="Content-Security-Policy" content="([^"]*)"', page)
    [style] = re.findall(r"<style>(.*?)</style>", page, re.DOTALL)
    [script] = re.findall(r"<script>(.*?)</script>", page, re.DOTALL)
    hashes = [b64encode(sha256(text.encode()).digest()).decode() for text in (style, script)]
    assert policy.replace("&#39;", "'") == (
        f"default-src 'none'; style-src 'sha256-{hashes[0]}'; script-src 'sha256-{hashes[1]}'; "
        "base-uri 'none'; form-action 'none'"
    )
    assert page.count("<script") == 2 and "innerHTML" not in page
    loads = r"(src|href)=\"|@import|url\((?!#)|fetch\(|XMLHttp| style=\"| on\w+=\""
    assert not re.search(loads, page)
    assert {*re.findall(r"https?://[^\"' ]+", page)} == {"http://www.w3.org/2000/svg"}


@pytest.fixture
def rig(tmp_path: Path) -> Iterator[Rig]:
    archive = JudgeSection(archive="https://example.org/")
    made = Rig(Config(
        judge=archive, store=StoreSection(f"sqlite:///{tmp_path / 'judge.sqlite3'}")
    ))
    yield made
    made.close()


def start(rig: Rig, map_name: str, settings: str = "") -> None:
    """Start a game whose people have planted secrets."""
    rig.mail(GM, f"CREATE ?marco gmq4secret {map_name}\n{settings}\nSTART")
    rig.mail(ANN, "TAKEOVER Fmarco annq5secret")
    rig.mail(ANN, "SIGNON Fmarco annq5secret\nSET NAME Ann Nameq3\nPRESS TO G\nPrivateq6\n"
                  "ENDPRESS\nA Par H ; Orderq8")


def test_page_of_a_gunboat_game_has_no_secret(rig: Rig, tmp_path: Path) -> None:
    start(rig, "standard", "SET GUNBOAT")
    token = str(rig.newest[ANN]["Reply-To"]).partition("@")[0].rpartition("+")[2]
    told = write_board(rig.config, rig.clock, "Marco", tmp_path / "x.html")
    assert told.startswith("marco, S1901M")
    publish(rig.config, rig.clock, tmp_path / "site")
    game_folder = tmp_path / "site/games/marco"
    page = (game_folder / "order.html").read_text("utf-8")
    assert page == (tmp_path / "x.html").read_text("utf-8")
    assert not [secret for secret in (*SECRETS, token) if secret in page]
    assert {*re.findall(r"[\w.+-]+@[\w.-]+", page)} == {"judge@localhost"}
    assert 'href="order.html"' in (game_folder / "index.html").read_text("utf-8")


def test_blind_game_has_no_page_and_the_reason_is_given(rig: Rig, tmp_path: Path) -> None:
    start(rig, "blind standard")
    with pytest.raises(JudgeError, match="players see different parts"):
        write_board(rig.config, rig.clock, "marco", tmp_path / "x.html")
    publish(rig.config, rig.clock, tmp_path / "site")
    assert not [*(tmp_path / "site").rglob("order.html")]
    assert "order.html" not in text_of(rig.newest[ANN])


def test_page_follows_the_phase_and_ends_with_the_game(rig: Rig, tmp_path: Path) -> None:
    start(rig, "standard")
    for command, expected in (("PROCESS S1901M", "F1901M"), ("TERMINATE marco F1901M", "")):
        rig.mail(GM, f"SIGNON Mmarco gmq4secret\n{command}")
        publish(rig.config, rig.clock, tmp_path / "site")
        pages = [*(tmp_path / "site").rglob("order.html")]
        assert [f'"phase":"{expected}"' in page.read_text("utf-8") for page in pages] == (
            [True] if expected else []
        )


@pytest.mark.parametrize(("settings", "is_named"), [("", True), ("SET UNLISTED", False)])
def test_letters_name_a_page_that_is_published(rig: Rig, settings: str, is_named: bool) -> None:
    start(rig, "standard", settings)
    rig.mail(GM, "SIGNON Mmarco gmq4secret\nPROCESS S1901M")
    letter = text_of(rig.newest[ANN])
    assert ("https://example.org/games/marco/order.html#F-F1901M" in letter) == is_named


def test_set_board_off_leaves_the_page_out(rig: Rig) -> None:
    start(rig, "standard")
    rig.mail(ANN, "SIGNON Fmarco annq5secret\nSET BOARD OFF")
    assert "do not link to the page" in text_of(rig.newest[ANN])
    rig.mail(GM, "SIGNON Mmarco gmq4secret\nPROCESS S1901M")
    assert "order.html" not in text_of(rig.newest[ANN])
    rig.mail(ANN, "SIGNON Fmarco annq5secret\nSET BOARD")
    rig.mail(GM, "SIGNON Mmarco gmq4secret\nPROCESS F1901M")
    assert "order.html#F-" in text_of(rig.newest[ANN])
