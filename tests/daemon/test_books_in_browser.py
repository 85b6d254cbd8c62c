"""Game books of three systems in Chromium: layout, contrast and search."""

import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from judge.config import Config, StoreSection
from judge.daemon.archive_publisher import publish
from tests.journeys.gallery import TOO_WIDE, Browser, axe_core, browser, faults, has_browser
from tests.journeys.rig import Rig, same_dice
from tests.journeys.test_nations_archive import TURNS

pytestmark = [
    pytest.mark.slow,
    pytest.mark.once,
    pytest.mark.skipif(not has_browser(), reason="Chromium and its driver are not installed"),
]
GM = "gm@example.org"
GAMES = {
    "marco": "standard", "yuma": "youngstown", "fog": "blind standard", "trip": "nations1940",
    "siege": "yorktown",
}
PHASES = 5
WINDOWS = ((360, "light"), (360, "dark"), (1600, "light"), (1600, "dark"))


def play(rig: Rig, name: str) -> None:
    """Play some phases with bots or fixed orders, then terminate the game."""
    has_bots = name in ("marco", "yuma", "fog")
    rig.mail(GM, f"CREATE ?{name} gmsecret {GAMES[name]}")
    rig.mail(GM, f"SIGNON M{name} gmsecret\nSET CD SUPPORT\nSTART{' WITH BOTS' * has_bots}")
    for turn in range(PHASES):
        found = rig.application.games.find(name)
        assert found and found.phase
        orders = TURNS[turn] if name == "trip" and turn < len(TURNS) else ""
        rig.mail(GM, f"SIGNON M{name} gmsecret\n{orders}\nPROCESS {found.phase}")
    found = rig.application.games.find(name)
    assert found and len(rig.application.games.turns(found.id)) >= PHASES
    # A finished game is shown completely, even one whose players never saw the whole board.
    rig.mail(GM, f"SIGNON M{name} gmsecret\nTERMINATE {name} {found.phase}")


@pytest.fixture(scope="module")
def books(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folder with the pages of five games."""
    place = tmp_path_factory.mktemp("books")
    rig = Rig(Config(store=StoreSection(f"sqlite:///{place / 'judge.sqlite3'}")))
    with same_dice():
        for name in GAMES:
            play(rig, name)
    publish(rig.config, rig.clock, place / "site")
    rig.close()
    return place / "site"


@pytest.fixture(scope="module")
def window() -> Iterator[Browser]:
    with browser() as found:
        yield found


def test_every_game_has_its_book(books: Path) -> None:
    for name in GAMES:
        assert len([*(books / "games" / name).glob("*.html")]) > PHASES, name
    told = (books / "games/trip/T2.html").read_text("utf-8")
    assert "<h3>On land</h3>" in told and "d8" in told
    assert "<h3>Set up</h3>" in (books / "games/siege/AP0S.html").read_text("utf-8")


@pytest.mark.skipif(not axe_core(), reason="axe-core-python is not installed")
@pytest.mark.parametrize("folder", ["", "find", *(f"games/{name}" for name in GAMES)])
def test_pages_fit_their_windows_and_are_accessible(
    books: Path, window: Browser, folder: str
) -> None:
    """Pages have no overflow, no accessibility faults and no browser errors."""
    found = {}
    for page in sorted((books / folder).glob("*.html")):
        for width, scheme in WINDOWS:
            window.open(page, width, scheme)
            told = [*window.complaints(), *window.run(TOO_WIDE), *faults(window)]
            found |= {(page.name, width, scheme): told} if told else {}
    assert not found


BOARDS = """return [...document.querySelectorAll(".board .stack")].map(one =>
  [one.getBoundingClientRect().width, [...one.querySelectorAll("img")].map(img => img.src)]);"""
"""Script that returns the width of each board in CSS pixels, and its files."""
_TEXT = re.compile(r'<text [^>]*font-size="([0-9.]+)"[^>]*>(?!½|.<)')
"""Size of a text. The letters and the ½ on the discs of units are signs."""
_VIEW = re.compile(r'viewBox="0 0 ([0-9.]+)')


@pytest.mark.parametrize("game", GAMES)
def test_texts_of_a_board_can_be_read_on_a_phone(
    books: Path, window: Browser, game: str
) -> None:
    """Texts have at least 7 CSS pixels on a phone of 390."""
    sizes = []
    for page in sorted((books / "games" / game).glob("*.html")):
        window.open(page, 390)
        for wide, places in window.run(BOARDS):
            for place in places:
                svg = Path(unquote(urlsplit(place).path)).read_text("utf-8")
                unit = wide / float(_VIEW.findall(svg)[0])
                sizes += [unit * float(size) for size in _TEXT.findall(svg)]
    assert len(sizes) > 100
    assert min(sizes) >= 7


SEARCH = """const field = document.querySelector("input[type=search]");
field.value = WORDS;
field.dispatchEvent(new Event("input"));
const seen = one => one.getClientRects().length > 0;
return [[...document.querySelectorAll("#all li")].filter(seen)
          .map(one => one.querySelector("a").textContent),
        document.querySelector("output").textContent,
        [...document.querySelectorAll("ul.shelves")].some(seen)];"""
"""Script that enters words into the search field.

It returns the visible games, the result count text, and whether the shelves are visible.
"""


@pytest.mark.parametrize(
    ("words", "games"),
    [
        ("yorktown", ["siege"]), ("  MARCO ", ["marco"]), ("1940 trip", ["trip"]),
        ("marco yuma", []), ("nobody", []), (".*", []),
    ],
)
def test_games_are_found_by_words(
    books: Path, window: Browser, words: str, games: list[str]
) -> None:
    window.open(books / "find/index.html", 360)
    seen, told, shelves = window.run(SEARCH.replace("WORDS", repr(words)))
    assert (seen, shelves) == (games, False)
    assert told == (f"{len(games)} game" if len(games) == 1 else f"{len(games)} games")
    seen, told, shelves = window.run(SEARCH.replace("WORDS", "''"))
    assert (sorted(seen), told, shelves) == (sorted(GAMES), "", True)


def test_without_a_script_the_list_is_whole(books: Path) -> None:
    page = (books / "find/index.html").read_text("utf-8")
    for name in GAMES:
        assert f'href="../games/{name}/index.html"' in page, name
    assert "<input" not in page and "hidden" not in page
