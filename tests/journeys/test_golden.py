"""Golden letters: every kind there is, word for word as it goes out."""

import re
from collections.abc import Callable, Iterator
from importlib.resources import files
from pathlib import Path
from textwrap import indent

import pytest
from jinja2 import FunctionLoader
from PIL import Image

from judge.games.diplomacy.boards import board
from judge.games.facts import Brief
from judge.mail.outbound import templates
from judge.mail.outbound.format_time import when
from judge.mail.outbound.render import Renderer
from judge.model.letter import Kind
from judge.model.phrase import Phrase, phrase
from judge.phrases import phrasebook
from tests.journeys.gallery import (
    GAP,
    HOLES,
    SCHEMES,
    TOO_WIDE,
    WIDTHS,
    axe_core,
    bottoms,
    browser,
    faults,
    gallery,
    has_browser,
)
from tests.journeys.golden import FOLDER, STORIES, Kept, play, written
from tests.journeys.pages import page_of, seen
from tests.journeys.rig import text_of
from tests.language import LANGUAGE

POWERS = {power.name for name in ("standard", "youngstown") for power in board(name).powers}
TOP = files("judge.mailtemplates")
GERMAN = {"results", "start", "reminder", "receipt", "error", "end", "notice", "press", "vote"}
"""The kinds of which German letters are kept too."""


@pytest.fixture(scope="module")
def letters() -> dict[str, Kept]:
    """All stories, played once."""
    return {kept.name: kept for story in STORIES for kept in play(story)}


def test_every_golden_letter_is_as_it_was(letters: dict[str, Kept]) -> None:
    now = {name: written(kept.message) for name, kept in letters.items()}
    kept = {file.stem: file.read_text("utf-8") for file in FOLDER.glob("*.txt")}
    assert now.keys() == kept.keys(), "python -m tests.journeys.golden writes them anew"
    changed = [name for name in now if now[name] != kept[name]]
    assert not changed, f"read these, then python -m tests.journeys.golden:\n{now[changed[0]]}"


def test_no_kind_of_letter_is_missing(letters: dict[str, Kept]) -> None:
    kinds = {kept.message["X-Judge-Kind"] for kept in letters.values()}
    assert kinds >= {kind.value for kind in Kind}
    of_them = {name.split("-")[0] for name in letters if name.endswith("-de")}
    assert of_them >= GERMAN


def test_every_template_stands_in_a_golden_letter(
    letters: dict[str, Kept], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The letters are filled anew: what is read for that is in them."""
    read: set[str] = set()
    loader = templates.loader

    def noting(system: str, language: str = "") -> FunctionLoader:
        load = loader(system, language).load_func
        return FunctionLoader(lambda name: (read.add(name), load(name))[1])

    with monkeypatch.context() as patch:
        patch.setattr(templates, "loader", noting)
        templates.templates_of.cache_clear()
        renderer = Renderer(LANGUAGE, "Judge", "judge@localhost")
        for kept in letters.values():
            if kept.letter:
                renderer.page(kept.letter)
    templates.templates_of.cache_clear()
    assert set(of_letters()) - read == set()


def of_letters() -> Iterator[str]:
    """Yield the templates of texts that letters are made of, help left out."""
    for folder in ("common", "diplomacy"):
        for file in (TOP / folder).iterdir():
            if file.name.endswith(".txt"):
                yield file.name


def test_the_readme_shows_a_letter_as_it_is(letters: dict[str, Kept]) -> None:
    text = (Path(__file__).parents[2] / "README.md").read_text("utf-8")
    letter = written(letters["receipt-orders-faults"].message).partition("\n\n")[2]
    assert indent(letter, "    ") in text


FIRST_SCREEN = 600
"""Pixels of a letter on a telephone that are seen before anybody scrolls."""


def results_of_players(letters: dict[str, Kept]) -> Iterator[tuple[str, Kept, Brief]]:
    """Yield the results letters of players, each with the facts of its head."""
    for name, kept in letters.items():
        brief = kept.letter.facts.get("brief") if kept.letter else None
        if kept.message["X-Judge-Kind"] == "results" and isinstance(brief, Brief) and brief.power:
            yield name, kept, brief


def saying(kept: Kept) -> Callable[[Phrase | str], str]:
    """Return what says phrases in the language of a letter."""
    assert kept.letter is not None
    return phrasebook("diplomacy", kept.letter.language).say


def test_the_own_units_stand_before_any_other_powers(letters: dict[str, Kept]) -> None:
    found = list(results_of_players(letters))
    assert len(found) > 10
    for name, kept, brief in found:
        say, own = saying(kept), str(kept.message["X-Judge-Power"])
        text, page = text_of(kept.message), seen(page_of(kept.message))
        title = " ".join(say(brief.title).split())
        assert title in " ".join(text.split()) and title in " ".join(page.split())
        others = [power for power in POWERS if power != own]
        first = min(text.find(f"\n{power}: ") % len(text) for power in others)
        assert kept.letter is not None
        # The next power's name on a page is the heading of what it did.
        listed = page.find(say(kept.letter.facts["results"].title).rstrip("."))
        if kept.letter.template == "report-short":
            assert listed == -1, name
            listed = len(page)
        for fate in brief.fates:
            what, verdict = say(fate.what), say(fate.verdict)
            # A list of units may go on in the next line.
            at = re.search(r"\s+".join(map(re.escape, what.split())), text)
            assert at and at.start() < first, (name, what)
            assert 0 <= " ".join(text.split()).find(" ".join(f"{what} {verdict}".split())), name
            assert 0 <= page.replace("\u2192", "-").replace("\xa0", " ").find(what) < listed, name


def test_a_page_tells_the_deadline_once(letters: dict[str, Kept]) -> None:
    for name, kept, _ in results_of_players(letters):
        assert kept.letter is not None
        game = kept.letter.facts["game"]
        if game["deadline"]:
            told = when(game["deadline"], game["zone"], kept.letter.language)
            assert seen(page_of(kept.message)).count(told) == 1, name


def test_no_subject_says_only_what_kind_of_letter_it_is(letters: dict[str, Kept]) -> None:
    bare = {"receipt", "notice", "results", "your question", "Quittung", "Ergebnis"}
    for name, kept in letters.items():
        subject = str(kept.message["Subject"])
        assert subject.rpartition(" - ")[2].partition(" ")[2] not in bare, name
        assert subject.removeprefix("Re: ") not in bare, name


@pytest.mark.skipif(not has_browser(), reason="Chromium and its driver are not installed")
def test_the_first_screen_of_a_telephone_holds_losses_debt_and_deadline(
    letters: dict[str, Kept], tmp_path: Path
) -> None:
    with browser() as window:
        for name, kept, brief in results_of_players(letters):
            file = tmp_path / f"{name}.html"
            file.write_text(page_of(kept.message), "utf-8")
            window.open(file, WIDTHS[0])
            assert kept.letter is not None
            say, game = saying(kept), kept.letter.facts["game"]
            owed = kept.letter.facts["owed"]
            wanted = [say(brief.title), *(say(one.verdict) for one in brief.fates if one.is_lost)]
            if owed["due"] and owed["missing"]:
                missing = ", ".join(map(say, owed["missing"]))
                wanted.append(f"{say(phrase('page-missing'))} {missing}")
            if game["deadline"]:
                wanted.append(when(game["deadline"], game["zone"], kept.letter.language))
            ends = bottoms(window, wanted)
            assert all(end and end < FIRST_SCREEN for end in ends), (name, wanted, ends)
            assert window.run(TOO_WIDE) == [], name
            # The pictures are not there: as when a mail program blocks them.
            assert all(height < 80 for height in window.run(HOLES)), name


@pytest.mark.deep
@pytest.mark.skipif(not has_browser(), reason="Chromium and its driver are not installed")
def test_no_letter_is_wider_than_its_window(letters: dict[str, Kept], tmp_path: Path) -> None:
    with browser() as window:
        for name, kept in letters.items():
            file = tmp_path / f"{name}.html"
            file.write_text(page_of(kept.message), "utf-8")
            for width in WIDTHS:
                window.open(file, width)
                assert window.run(TOO_WIDE) == [], (name, width)


@pytest.mark.deep
@pytest.mark.skipif(not has_browser(), reason="Chromium and its driver are not installed")
@pytest.mark.skipif(not axe_core(), reason="axe-core-python is not installed")
def test_axe_finds_no_fault_on_any_page(letters: dict[str, Kept], tmp_path: Path) -> None:
    """It computes what `reading_aloud` can only infer: contrast as it is shown, light and dark."""
    found = {}
    with browser() as window:
        for name, kept in letters.items():
            if not (page := page_of(kept.message)):
                assert name == "notice-keeper", "only the judge's keeper gets text alone"
                continue
            file = tmp_path / f"{name}.html"
            file.write_text(page, "utf-8")
            for width, scheme in zip(WIDTHS, SCHEMES, strict=True):
                window.open(file, width, scheme)
                found |= {(name, width): told} if (told := faults(window)) else {}
    assert not found


@pytest.mark.deep
@pytest.mark.skipif(not has_browser(), reason="Chromium and its driver are not installed")
def test_letters_are_shown_by_a_browser_at_all_widths_and_light_and_dark(tmp_path: Path) -> None:
    names = ["results-fall", "receipt-orders-faults-de", "error-signon"]
    assert sorted(gallery(tmp_path, names)) == sorted(names)
    for name in names:
        with Image.open(tmp_path / f"{name}.png") as shown:
            # Nothing is wider than its window, and dark is dark.
            assert shown.width == 2 * sum(WIDTHS) + 5 * GAP
            left, top = GAP + 2, GAP + 10
            assert min(shown.getpixel((left, top))) > 200
            assert max(shown.getpixel((left + WIDTHS[0] + GAP, top))) < 60
