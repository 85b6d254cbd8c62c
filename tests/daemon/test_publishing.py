"""The public archive: contents of its pages, secrets, and display in Chromium."""

import errno
import re
import shutil
from collections.abc import Iterator
from datetime import datetime
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from PIL import Image

from judge.config import Config, JudgeSection, StoreSection
from judge.daemon import archive_publisher, site_boards
from judge.daemon.archive_publisher import publish
from judge.drawing.card import Card
from judge.drawing.drawing import Drawing
from judge.drawing.png import paint_png
from judge.drawing.svg import card_svg
from judge.errors import JudgeError
from judge.model.record import GameRecord, GameState
from judge.play.archive import public_view
from judge.site.folder import SiteFolder
from tests.journeys import gallery
from tests.journeys.rig import Rig

GM, ANN, BOB = "gm@q1.example.org", "ann@q2.example.org", "bob@localhost"
SECRETS = (
    "q1.example", "q2.example", "bob@", "foe@", "Nameq3", "gmq4secret", "annq5secret", "Privateq6",
    "Toldmasterq7", "Orderq8", "argon2",
)
"""Planted secrets, which may appear on no page."""
_VOID = {"meta", "link", "img", "br", "hr"}


@pytest.fixture(scope="module")
def begun() -> Iterator[Rig]:
    """A judge with a game of two phases, whose people sent every kind of secret."""
    made = Rig()
    made.mail(GM, "CREATE ?marco gmq4secret standard\nSET COMMENT ask gm@q1.example.org\n"
                  "SET DENY PLAYER foe@example.net\nSET SHOW ADDRESSES\nSTART")
    made.mail(ANN, "TAKEOVER Fmarco annq5secret")
    made.mail(BOB, "TAKEOVER Gmarco bobsecret")
    token = str(made.newest[ANN]["Reply-To"])
    made.mail(ANN, f"SIGNON Fmarco annq5secret\nSET NAME Ann Nameq3\nBROADCAST\n"
                   f"<script>alert(1)</script> & write to {ANN} or {token}\nENDPRESS\n"
                   "PRESS TO G\nPrivateq6\nENDPRESS\nPRESS TO M\nToldmasterq7\nENDPRESS\n"
                   "DIARY\nMy diary\nENDPRESS")
    for orders in ("A Par - Bur\nA Mun - Bur\nF Kie - Den", "F Den - Swe\nF Bre - Gas"):
        play(made, orders)
    made.mail(ANN, "SIGNON Fmarco annq5secret\nA Par H ; Orderq8")
    yield made
    made.close()


@pytest.fixture
def rig(begun: Rig, tmp_path: Path) -> Iterator[Rig]:
    """Copy of the rig with its database in a file."""
    made = begun.again(Config(store=StoreSection(f"sqlite:///{tmp_path / 'judge.sqlite3'}")))
    yield made
    made.close()


@pytest.fixture(autouse=True, scope="module")
def keep_cards_svg() -> Iterator[None]:
    """Store cards as SVG with readable words. One test renders them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(site_boards, "paint_png", lambda svg, width: svg.encode())
        yield


@pytest.fixture(scope="module")
def site_copy(begun: Rig, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site of the unchanged rig."""
    place = tmp_path_factory.mktemp("written")
    made = begun.again(Config(store=StoreSection(f"sqlite:///{place / 'judge.sqlite3'}")))
    publish(made.config, made.clock, place / "site")
    made.close()
    return place / "site"


@pytest.fixture
def begun_site(site_copy: Path, tmp_path: Path) -> dict[str, str]:
    """Writable copy of that site, as a map from file name to text."""
    shutil.copytree(site_copy, tmp_path / "site")
    return texts(tmp_path / "site")


def game(rig: Rig) -> GameRecord:
    found = rig.application.games.find("marco")
    assert found
    return found


def play(rig: Rig, orders: str = "") -> None:
    rig.mail(GM, f"SIGNON Mmarco gmq4secret\n{orders}\nPROCESS {game(rig).phase}")


def master(rig: Rig, text: str) -> None:
    rig.mail(GM, f"SIGNON Mmarco gmq4secret\n{text}")


def site(rig: Rig, path: Path) -> dict[str, str]:
    """Publish the site and return each file with its text."""
    publish(rig.config, rig.clock, path)
    return texts(path)


def texts(path: Path) -> dict[str, str]:
    files = (file for file in path.rglob("*") if file.is_file())
    return {
        str(file.relative_to(path)): file.read_bytes().decode("utf-8", "replace") for file in files
    }


def test_a_running_game_is_shown_as_observers_see_it(begun_site: dict[str, str]) -> None:
    files = begun_site
    assert "marco</a>" in files["index.html"]
    page = files["games/marco/S1901M.html"]
    assert "Army Paris → Burgundy.  (*bounce*)" in page and "Broadcast from France" in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt; &amp; write to (an address)" in page
    assert page.count("<figure ") == 2 and "3 centres, 3 units" in page
    front = files["games/marco/index.html"]
    assert 'class="chart"' in front and '<th scope="row">1901</th>' in front
    assert "My diary" not in "".join(files.values())


def test_no_secret_is_on_any_page_before_or_after_the_end(
    rig: Rig, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Cards are checked by their words, since rendered pixels cannot be read."""
    written: list[str] = []

    def note_card(drawing: Drawing, card: Card) -> str:
        written.append(card_svg(drawing, card))
        return written[-1]

    monkeypatch.setattr(site_boards, "card_svg", note_card)
    token = str(rig.newest[ANN]["Reply-To"]).partition("+")[2].partition("@")[0]
    assert len(token) == 37
    for _ in range(2):
        text = "".join([*site(rig, tmp_path / "site").values(), *written])
        for secret in (*SECRETS, token, game(rig).seed.hex()):
            assert secret not in text, secret
        master(rig, f"TERMINATE marco {game(rig).phase}")
    assert "My diary" in "".join(site(rig, tmp_path / "site").values())
    assert len(written) == 2
    shown = " ".join(re.findall(r">([^<]+)</text>", written[1]))
    assert "The master has ended &#39;marco&#39; without a result" in shown


def test_press_is_published_after_the_end_if_the_game_allows_it(rig: Rig, tmp_path: Path) -> None:
    rig.mail(GM, "CREATE ?talk gmq4secret standard\nSET REVEAL PRESS\nSTART")
    rig.mail(ANN, "TAKEOVER Ftalk annq5secret")
    rig.mail(
        ANN,
        "SIGNON Ftalk annq5secret\nPRESS TO G\nbetween us\nENDPRESS\n"
        "PRESS TO M\nfor the master\nENDPRESS",
    )
    assert "between us" not in "".join(site(rig, tmp_path / "site").values())
    rig.mail(GM, "SIGNON Mtalk gmq4secret\nTERMINATE talk S1901M")
    front = site(rig, tmp_path / "site")["games/talk/index.html"]
    assert "Message from France to Germany" in front and "between us" in front
    assert "for the master" not in front


@pytest.mark.slow
def test_long_blind_game_hides_board_and_people(
    rig: Rig, begun_site: dict[str, str], tmp_path: Path
) -> None:
    """While it runs, pages, feed, figures and lists show only that it needs players."""
    rig.mail(GM, "CREATE ?hush gmq4secret blind gunboat standard")
    rig.mail(ANN, "JOIN hush annq5secret\nNAME Nameq3")
    rig.mail(GM, "SIGNON Mhush gmq4secret\nSTART WITH BOTS")
    found = rig.application.games.find("hush")
    assert found
    seats = rig.application.games.seats(found.id)
    ann = next(seat for seat in seats if seat.address == ANN)
    sign = f"SIGNON {ann.power[0]}hush annq5secret"
    rig.mail(ANN, f"{sign}\nDIARY\nMy diary\nENDPRESS\nPRESS TO M\nToldmasterq7\nENDPRESS")
    for _ in range(8):
        found = rig.application.games.find("hush")
        assert found
        rig.mail(ANN, f"{sign}\n; Orderq8")
        rig.mail(GM, f"SIGNON Mhush gmq4secret\nPROCESS {found.phase}")
    running = site(rig, tmp_path / "site")
    changed = {name for name in running if running[name] != begun_site.get(name)}
    assert changed <= {"index.html", "feed.xml", ".judge-site.json"}
    for name in changed:
        told = running[name].partition("hush")[2].partition("marco")[0]
        assert not re.search(r"Army|Fleet|centre|unit|S190|F190|My diary", told), name
    found = rig.application.games.find("hush")
    assert found
    rig.mail(GM, f"SIGNON Mhush gmq4secret\nTERMINATE hush {found.phase}")
    over = site(rig, tmp_path / "site")
    assert len([name for name in over if re.search(r"games/hush/[SF]\d+\w\.html", name)]) >= 8
    text = "".join(over.values())
    assert "My diary" in "".join(over[name] for name in over if name.startswith("games/hush/"))
    assert not [secret for secret in SECRETS if secret in text]


@pytest.mark.parametrize(
    ("setting", "running", "over"),
    [
        ("SET UNLISTED", False, False),
        ("SET PRIVATE word", False, False),
        ("SET OBSERVERS APPROVAL", False, True),
        ("SET OBSERVERS NONE", False, True),
        ("SET COMMENT open", True, True),
    ],
)
def test_which_games_are_shown(
    rig: Rig, begun_site: dict[str, str], tmp_path: Path, setting: str, running: bool, over: bool
) -> None:
    assert "games/marco/S1901M.html" in begun_site
    master(rig, setting)
    files = site(rig, tmp_path / "site")
    linked = 'href="games/marco/index.html"' in files["index.html"]
    assert ("games/marco/S1901M.html" in files, linked) == (running,) * 2
    master(rig, f"TERMINATE marco {game(rig).phase}")
    assert ("games/marco/index.html" in site(rig, tmp_path / "site")) == over


def test_hidden_game_is_removed_even_from_a_full_disk(
    rig: Rig, begun_site: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "games/marco/S1901M.html" in begun_site
    master(rig, "SET UNLISTED")

    def fail(*given: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch, pytest.raises(OSError, match="No space"):
        patch.setattr(SiteFolder, "_write", fail)
        site(rig, tmp_path / "site")
    assert not (tmp_path / "site/games/marco/S1901M.html").exists()
    assert "games/marco" not in site(rig, tmp_path / "site")["index.html"]


def test_a_blind_game_is_shown_once_it_is_over(rig: Rig, tmp_path: Path) -> None:
    rig.mail(GM, "CREATE ?hush gmq4secret standard\nSET BLIND\nSTART")
    rig.mail(GM, "CREATE ?later gmq4secret standard")
    rig.mail(GM, "SIGNON Mhush gmq4secret\nA Par - Bur\nPROCESS S1901M")
    files = site(rig, tmp_path / "site")
    assert "hush" not in "".join(files) and "games/hush" not in files["index.html"]
    assert "later</b>" in files["index.html"] and "Burgundy" not in files["index.html"]
    rig.mail(GM, "SIGNON Mhush gmq4secret\nTERMINATE hush F1901M")
    assert "Paris → Burgundy" in site(rig, tmp_path / "site")["games/hush/S1901M.html"]


@pytest.mark.slow
def test_site_is_the_same_from_scratch_as_step_by_step(rig: Rig, tmp_path: Path) -> None:
    for _ in range(2):
        site(rig, tmp_path / "site")
        play(rig)
    master(rig, f"TERMINATE marco {game(rig).phase}")
    steps, anew = site(rig, tmp_path / "site"), site(rig, tmp_path / "anew")
    assert steps == anew
    assert "files written: 0, removed: 0" in publish(rig.config, rig.clock, tmp_path / "site")


def test_a_game_that_is_over_is_not_read_again(
    rig: Rig, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    master(rig, f"TERMINATE marco {game(rig).phase}")
    before = site(rig, tmp_path / "site")
    monkeypatch.setattr(public_view, "event_entry", None)
    assert site(rig, tmp_path / "site") == before


@pytest.mark.parametrize(
    "damage", ["turns SET outcome = '{}' WHERE game = 1", "games SET settings = '{' WHERE id = 1",
               "games SET position = '{}' WHERE id = 1", "games SET state = 'odd' WHERE id = 1"]
)
@pytest.mark.usefixtures("begun_site")
def test_failing_game_does_not_block_the_others(rig: Rig, tmp_path: Path, damage: str) -> None:
    rig.mail(GM, "CREATE ?next gmq4secret standard\nSTART")
    with rig.application.store.transaction():
        rig.application.store.database.execute_sql(f"UPDATE {damage}")
    with pytest.raises(JudgeError, match="not written: marco"):
        publish(rig.config, rig.clock, tmp_path / "site")
    assert "next" in (tmp_path / "site/index.html").read_text("utf-8")
    for name in ("marco", "next"):
        assert (tmp_path / f"site/games/{name}/index.html").is_file()


_WITHIN = {
    "li": {"ul", "ol"}, "tr": {"thead", "tbody"}, "td": {"tr"}, "th": {"tr"},
    "thead": {"table"}, "tbody": {"table"}, "caption": {"table"}, "dt": {"dl"}, "dd": {"dl"},
    "figcaption": {"figure"}, "summary": {"details"}, "title": {"head"}, "link": {"head"},
    "meta": {"head"}, "script": {"head"}, "head": {"html"}, "body": {"html"}, "main": {"body"},
    "header": {"body"},
}
"""Allowed parents of elements that need one."""
_ONLY_PHRASING = {
    "p", "h1", "h2", "h3", "pre", "span", "small", "a", "b", "time", "summary", "abbr",
}  # fmt: skip
_PHRASING = {"span", "small", "a", "b", "time", "abbr", "img", "br"}
"""Elements allowed within those that contain no blocks."""
_TAGS = _PHRASING | _ONLY_PHRASING | _WITHIN.keys() | {
    "html", "section", "article", "nav", "div", "ul", "ol", "dl", "table", "figure", "details",
    "script",
}  # fmt: skip


class Checker(HTMLParser):
    """Parser that asserts well-formed HTML and collects the links."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.links: list[str] = []
        self.tags: set[str] = set()
        self.ids: set[str] = set()
        self.stacked = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Open a tag and check its parents and attributes."""
        told = dict(attrs)
        assert len(told) == len(attrs), f"an attribute twice: {attrs}"
        assert not any(name.startswith("on") for name in told)
        self.tags.add(tag)
        assert tag in _TAGS, tag
        parents = _WITHIN.get(tag)
        assert parents is None or self.open[-1] in parents, (self.open, tag)
        assert tag in _PHRASING or not {*self.open} & _ONLY_PHRASING, (self.open, tag)
        assert tag != "a" or "a" not in self.open
        assert told.get("id", "") not in self.ids
        self.ids |= {str(told["id"])} if "id" in told else set()
        if tag not in _VOID:
            self.open.append(tag)
        if tag == "img":
            # In a stack of drawings, the lowest describes all of them.
            assert told["alt"] or self.stacked
            self.stacked = True
        elif tag == "span":
            self.stacked = False
        self.links += [str(told[name]) for name in ("href", "src") if name in told]

    def handle_endtag(self, tag: str) -> None:
        """Close a tag, which must be the last one opened."""
        assert self.open.pop() == tag


def test_pages_are_well_formed_and_every_link_leads_to_a_page(
    begun_site: dict[str, str], tmp_path: Path
) -> None:
    files = begun_site
    # The order page has tests of its own.
    pages = [name for name in files if name.endswith(".html") and "order" not in name]
    assert {"index.html", "find/index.html", "figures.html", "games/marco/index.html"} < {*pages}
    for name in pages:
        checker = Checker()
        checker.feed(files[name])
        checker.close()
        assert files[name].startswith("<!doctype html>") and not checker.open
        assert {"html", "title", "h1", "main"} <= checker.tags
        # One page has a script, which is a file of the site, and is complete without it.
        assert ("script" in checker.tags) == (name == "find/index.html"), name
        assert "<script>" not in files[name]
        for link in checker.links:
            if name == "index.html" and link.startswith("mailto:judge@localhost?"):
                continue
            assert ":" not in link and not link.startswith("/")
            assert ((tmp_path / "site" / name).parent / link).resolve().is_file(), link


ATOM = "{http://www.w3.org/2005/Atom}"


def test_lists_show_ended_games_and_open_seats(rig: Rig, tmp_path: Path) -> None:
    rig.mail(GM, "CREATE ?next gmq4secret standard\nSET COMMENT <b>&amp;\x01 ask gm@q1.example.org")
    rig.mail(GM, "CREATE ?zzzap gmq4secret standard\nSET UNLISTED")
    rig.mail(GM, "CREATE ?zzzop gmq4secret standard\nSET PRIVATE word")
    before = site(rig, tmp_path / "site")
    assert "JOIN next newpassword" in before["index.html"]
    assert "body=JOIN%20next%20newpassword%0D%0A" in before["index.html"]
    assert "mail your orders to judge@localhost," in before["index.html"]
    assert "Time for orders: 3 days in movement phases" in before["index.html"]
    assert "have no player." in before["index.html"] and "Bots play" not in before["index.html"]
    assert "find/map-standard.html" not in before
    assert "TAKEOVER Amarco newpassword" in before["index.html"]
    for power in "FG":
        secret = "annq5secret" if power == "F" else "bobsecret"
        rig.mail(ANN if power == "F" else BOB, f"SIGNON {power}marco {secret}\nVOTE DRAW")
    assert game(rig).state is GameState.ENDED
    files = site(rig, tmp_path / "site")
    for name in ("map-standard", "power-france", "power-germany", f"year-{rig.clock.now().year}"):
        assert 'href="../games/marco/index.html"' in files[f"find/{name}.html"], name
        assert f'href="{name}.html"' in files["find/index.html"]
    assert "1 game played to an end." in files["figures.html"]
    feed = ElementTree.fromstring(files["feed.xml"])
    entries = {e.findtext(f"{ATOM}title"): e for e in feed.iter(f"{ATOM}entry")}
    assert [*entries] == ["next looks for players", "marco is over"]
    for one in (feed, *entries.values()):
        for tag in ("id", "title", "updated", "link"):
            assert one.find(f"{ATOM}{tag}") is not None
        assert datetime.fromisoformat(str(one.findtext(f"{ATOM}updated"))) <= rig.clock.now()
    ids = [e.findtext(f"{ATOM}id") for e in entries.values()]
    assert len(ids) == len({*ids})
    assert "France" in str(entries["marco is over"].findtext(f"{ATOM}summary"))
    text = "".join(files.values())
    assert "<b>&amp;" not in text and "zzzap" not in text and "zzzop" not in text
    assert not [secret for secret in SECRETS if secret in text]


def test_powers_of_bots_are_shown_as_such(rig: Rig, tmp_path: Path) -> None:
    rig.mail(GM, "CREATE ?solo gmq4secret standard\nSTART WITH BOTS")
    page = site(rig, tmp_path / "site")["index.html"]
    told = page.partition("<b>solo</b>")[2].partition("<pre>")[0]
    assert re.search(r"Bots play (\w+, ){4}\w+ and \w+, until a player takes over", told)
    assert "no player" not in told


def test_last_letter_links_the_archive_and_pages_have_cards(
    begun: Rig, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(site_boards, "paint_png", paint_png)
    home = "https://games.example.net/all/"
    store = StoreSection(f"sqlite:///{tmp_path / 'judge.sqlite3'}")
    rig = begun.again(Config(JudgeSection(archive=home), store=store))
    play(rig)
    master(rig, f"TERMINATE marco {game(rig).phase}")
    files = site(rig, tmp_path / "site")
    bodies = [str(letter.get_body(("plain",))) for letter in rig.boxes[ANN]]
    told = [body for body in bodies if "How it went:" in body]
    assert len(told) == 1 and f"{home}games/marco/index.html" in told[0]
    front = files["games/marco/index.html"]
    card = re.findall(rf'og:image" content="{home}(games/marco/card-\w+\.png)"', front)
    assert len(card) == 1
    with Image.open(tmp_path / "site" / card[0]) as image:
        assert image.size == (1200, 630)
    assert f'og:url" content="{home}games/marco/S1901M.html"' in files["games/marco/S1901M.html"]
    rig.close()


def test_year_is_a_row_of_boards_and_pages_link_neighbours(begun_site: dict[str, str]) -> None:
    files = begun_site
    front = files["games/marco/index.html"]
    assert "<h3>1901</h3>" in front and "Fall of 1901: " in front
    assert front.count('class="stack"') == 1 + 2
    for name, ways in (("S1901M", ["next"]), ("F1901M", ["prev"])):
        nav = files[f"games/marco/{name}.html"].partition("<nav")[2].partition("</nav>")[0]
        assert re.findall(r'rel="(\w+)"', nav) == ways
        assert nav.count("<a ") + nav.count("<span") == 3
    drawn = [name for name in files if name.startswith("boards/")]
    assert drawn and all(files[name].count("<svg") == 1 for name in drawn)


LOADED = """const seen = [...document.images].filter(one => one.className != "key");
return Promise.all(seen.map(one => {
  one.loading = "eager";
  return one.decode().then(() => true, () => one.src);
}));"""
"""Script that returns for each picture whether it loads."""


PLACES = """return ["a[rel=prev]", "a[rel=next]", ".stack"].map(wanted => {
  const found = document.querySelector(wanted);
  if (!found) return null;
  const box = found.getBoundingClientRect();
  return [wanted == "a[rel=prev]" ? box.left : box.right, box.top];
});"""
"""Script that returns the positions of the links and the first board."""


@pytest.mark.slow
def test_boards_and_links_keep_their_position_on_all_pages(rig: Rig, tmp_path: Path) -> None:
    """With Chromium: a reader clicks through a game without moving the mouse."""
    for _ in range(3):
        play(rig)
    files = site(rig, tmp_path / "site")
    if not gallery.has_browser():
        pytest.skip("Chromium and its driver are not installed")
    pages = [name for name in files if re.search(r"marco/[SF]\d+\w\.html", name)]
    with gallery.browser() as window:
        for width in (360, 800, 1600):
            # On a phone the results come before the board.
            seen: list[set[tuple[float, ...]]] = [set(), set(), *([set()] if width > 640 else [])]
            for name in pages:
                window.open(tmp_path / "site" / name, width)
                for places, found in zip(seen, window.run(PLACES), strict=False):
                    places |= {tuple(found)} if found else set()
            assert {len(places) for places in seen} == {1}, (width, seen)


@pytest.mark.slow
def test_a_browser_shows_the_pages_on_a_phone_and_on_a_desk(rig: Rig, tmp_path: Path) -> None:
    """With Chromium: no page is wider than the window, and every picture loads."""
    files = site(rig, tmp_path / "site")
    if not gallery.has_browser():
        pytest.skip("Chromium and its driver are not installed")
    with gallery.browser() as window:
        for name in sorted(name for name in files if name.endswith((".html", ".svg"))):
            for width, scheme in ((360, "light"), (800, "dark"), (1600, "light")):
                window.open(tmp_path / "site" / name, width, scheme)
                if name.endswith(".svg"):
                    assert window.run("return document.documentElement.tagName") == "svg", name
                    continue
                assert window.run("return document.documentElement.scrollWidth") <= width, name
                assert {*window.run(LOADED)} <= {True}, name
                styled = "return getComputedStyle(document.querySelector('main')).maxWidth"
                assert window.run(styled) != "none"


def test_each_game_is_read_in_one_transaction(
    rig: Rig, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A game cannot advance between the reads of its turns and its position."""
    seen: list[str] = []

    def reading(name: str) -> None:
        real = getattr(archive_publisher, name)

        def read(one: Any, *given: Any) -> Any:
            context = one.context if name == "showcase" else one
            assert context.games.stored._store.database.in_transaction()
            seen.append(name)
            return real(one, *given)

        monkeypatch.setattr(archive_publisher, name, read)

    names = ["find_shown", "showcase", "openings", "figures"]
    for each in names:
        reading(each)
    publish(rig.config, rig.clock, tmp_path / "site")
    assert seen == names


def test_a_game_that_was_never_written_is_not_listed(rig: Rig, tmp_path: Path) -> None:
    rig.mail(GM, "CREATE ?next gmq4secret standard\nSTART")
    with rig.application.store.transaction():
        rig.application.store.database.execute_sql("UPDATE turns SET outcome = '{}' WHERE game = 1")
    with pytest.raises(JudgeError, match="not written: marco"):
        publish(rig.config, rig.clock, tmp_path / "site")
    listed = (tmp_path / "site/index.html").read_text("utf-8")
    assert "games/next/" in listed and "games/marco/" not in listed
