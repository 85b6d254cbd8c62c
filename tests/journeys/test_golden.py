"""Golden letters, compared exactly, and the layout of all letters of the stories."""

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime
from importlib.resources import files
from pathlib import Path
from textwrap import indent

import pytest
from jinja2 import FunctionLoader
from PIL import Image

from judge.games.diplomacy.boards import board
from judge.games.letter_facts import Brief
from judge.mail.outbound import templates
from judge.mail.outbound.compose import insert_parts
from judge.mail.outbound.format_time import format_local
from judge.mail.outbound.render import Renderer
from judge.model.letter import NOTE, LetterKind
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
from tests.journeys.golden import (
    STORIES,
    Kept,
    difference,
    files_of,
    format_letter,
    play,
    read_golden,
)
from tests.journeys.pages import has_telling_subject, page_of, seen
from tests.journeys.received import parse_letter
from tests.journeys.rig import text_of
from tests.language import LANGUAGE

POWERS = {power.name for name in ("standard", "youngstown") for power in board(name).powers}
OTHER_GAMES = ("nations1940-", "yorktown-")
TOP = files("judge.mailtemplates")


@pytest.fixture(scope="module")
def letters() -> dict[str, Kept]:
    """Letters of all stories, played once."""
    return {kept.name: kept for story in STORIES for kept in play(story)}


def test_golden_letters_are_unchanged(letters: dict[str, Kept]) -> None:
    differs = difference(read_golden(), files_of(letters.values()))
    assert not differs, f"read this, then python -m tests.journeys.golden:\n{differs}"


@pytest.mark.parametrize("name, most", [
    ("results-quiet", 60), ("results-busy", 85), ("receipt-orders", 25), ("start-player", 70),
    ("receipt-orders-faults", 37), ("receipt-retreats", 35), ("receipt-builds", 34),
    ("yorktown-start", 64), ("nations1940-start", 94), ("results-movement", 79),
])
def test_a_letter_is_short(letters: dict[str, Kept], name: str, most: int) -> None:
    assert len(text_of(letters[name].message).splitlines()) <= most


def test_each_kind_has_a_golden_letter_in_both_languages(letters: dict[str, Kept]) -> None:
    kinds = {kind.value for kind in LetterKind}
    golden = {name: str(kept.message["X-Judge-Kind"])
              for name, kept in letters.items() if kept.is_golden}
    assert {kind for name, kind in golden.items() if not name.endswith("-de")} == kinds
    assert {kind for name, kind in golden.items() if name.endswith("-de")} == kinds


@pytest.mark.slow
def test_every_template_is_used_by_a_story(
    letters: dict[str, Kept], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The test renders the letters again and records the templates read."""
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
    assert set(of_letters()) - read == ELSEWHERE


ELSEWHERE = {"map-notes.txt", "signon.txt", "signon-first.txt"}
"""Templates that need an added map, a provider without sub-addresses, or SET TOKEN OFF.

`tests/play/test_added_maps`, `tests/daemon/test_bare_addresses` and the journey `tokens` read
their letters.
"""


def of_letters() -> Iterator[str]:
    """Yield the text templates of letters, without help topics."""
    for folder in ("common", "diplomacy"):
        for file in (TOP / folder).iterdir():
            if file.name.endswith(".txt"):
                yield file.name


def test_a_letter_without_its_pictures_says_so(letters: dict[str, Kept]) -> None:
    renderer = Renderer(LANGUAGE, "Judge", "judge@localhost")
    now, found = datetime(2026, 1, 1, tzinfo=UTC), set()
    for name, kept in letters.items():
        letter = kept.letter
        for sent in (letter, replace(letter, plain=True)) if letter and letter.pictures else ():
            made = renderer.message(sent, now, "<1@localhost>")
            parts = [
                place.shows.encode("ascii") if place.form == NOTE else b"\r\n"
                for place in made.places
            ]
            message = parse_letter(insert_parts(made.octets, made.places, parts))
            texts = [text_of(message), *([] if sent.plain else [seen(page_of(message))])]
            book = phrasebook(sent.system, sent.language)
            for picture in sent.pictures:
                facts = {"shows": picture.shows, "game": sent.game}
                note = book.render(phrase("picture-missing", **facts)).split()
                assert all(" ".join(note) in " ".join(text.split()) for text in texts), name
            found.add(sent.kind)
    assert len(found) > 3


def test_the_players_page_contains_an_unchanged_letter(letters: dict[str, Kept]) -> None:
    text = (Path(__file__).parents[2] / "docs/play/players.md").read_text("utf-8")
    letter = format_letter(letters["receipt-orders"].message).partition("\n\n")[2]
    assert indent(letter, "    ") in text


FIRST_SCREEN = 600
"""Height of a letter on a phone that is visible without scrolling, in pixels."""
MAX_HOLE = 240
"""Maximum height of a blocked picture, which shows its alternative text, in pixels."""


def of_diplomacy(letters: dict[str, Kept]) -> dict[str, Kept]:
    """Return the letters of stories of Diplomacy. `test_widths` checks the others."""
    return {name: kept for name, kept in letters.items() if not name.startswith(OTHER_GAMES)}


def results_of_players(letters: dict[str, Kept]) -> Iterator[tuple[str, Kept, Brief]]:
    """Yield the results letters of players, each with the facts of its head."""
    for name, kept in of_diplomacy(letters).items():
        brief = kept.letter.facts.get("brief") if kept.letter else None
        if kept.message["X-Judge-Kind"] == "results" and isinstance(brief, Brief) and brief.power:
            yield name, kept, brief


def saying(kept: Kept) -> Callable[[Phrase | str], str]:
    """Return a function that renders phrases in the language of a letter."""
    assert kept.letter is not None
    return phrasebook("diplomacy", kept.letter.language).render


def test_own_units_are_listed_before_other_powers(letters: dict[str, Kept]) -> None:
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
        # On a page the next power's name is the heading of its results.
        listed = page.find(say(kept.letter.facts["results"].title).rstrip("."))
        if kept.letter.template == "report-short":
            assert listed == -1, name
            listed = len(page)
        for fate in brief.fates:
            what, verdict = say(fate.what), say(fate.verdict)
            # A list of units may continue in the next line.
            at = re.search(r"\s+".join(map(re.escape, what.split())), text)
            assert at and at.start() < first, (name, what)
            assert 0 <= " ".join(text.split()).find(" ".join(f"{what} {verdict}".split())), name
            assert 0 <= page.replace("\u2192", "-").replace("\xa0", " ").find(what) < listed, name


@pytest.mark.slow
def test_a_page_contains_the_deadline_once(letters: dict[str, Kept]) -> None:
    for name, kept, _ in results_of_players(letters):
        assert kept.letter is not None
        game = kept.letter.facts["game"]
        if game["deadline"]:
            told = format_local(game["deadline"], game["zone"], kept.letter.language)
            assert seen(page_of(kept.message)).count(told) == 1, name


def test_subjects_contain_more_than_the_kind_of_letter(letters: dict[str, Kept]) -> None:
    subjects = {str(kept.message["Subject"]) for kept in letters.values()}
    assert not {subject for subject in subjects if not has_telling_subject(subject)}


@pytest.mark.slow
@pytest.mark.skipif(not has_browser(), reason="Chromium and its driver are not installed")
def test_the_first_phone_screen_shows_losses_and_missing_orders(
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
                wanted.append(format_local(game["deadline"], game["zone"], kept.letter.language))
            ends = bottoms(window, wanted)
            assert all(end and end < FIRST_SCREEN for end in ends), (name, wanted, ends)
            assert window.run(TOO_WIDE) == [], name
            # The pictures are missing, as in a mail program that blocks them.
            assert all(height < MAX_HOLE for height in window.run(HOLES)), name


@pytest.mark.slow
@pytest.mark.skipif(not has_browser(), reason="Chromium and its driver are not installed")
def test_no_letter_is_wider_than_its_window(letters: dict[str, Kept], tmp_path: Path) -> None:
    with browser() as window:
        for name, kept in of_diplomacy(letters).items():
            file = tmp_path / f"{name}.html"
            file.write_text(page_of(kept.message), "utf-8")
            for width in WIDTHS:
                window.open(file, width)
                assert window.run(TOO_WIDE) == [], (name, width)


@pytest.mark.slow
@pytest.mark.skipif(not has_browser(), reason="Chromium and its driver are not installed")
@pytest.mark.skipif(not axe_core(), reason="axe-core-python is not installed")
def test_axe_finds_no_fault_on_any_page(letters: dict[str, Kept], tmp_path: Path) -> None:
    """It computes the contrast that `reading_aloud` only infers, in light and dark."""
    found = {}
    with browser() as window:
        for name, kept in of_diplomacy(letters).items():
            if not (page := page_of(kept.message)):
                assert name == "notice-keeper", "only the judge's keeper gets text alone"
                continue
            file = tmp_path / f"{name}.html"
            file.write_text(page, "utf-8")
            for width, scheme in zip(WIDTHS, SCHEMES, strict=True):
                window.open(file, width, scheme)
                found |= {(name, width): told} if (told := faults(window)) else {}
    assert not found


@pytest.mark.slow
@pytest.mark.skipif(not has_browser(), reason="Chromium and its driver are not installed")
def test_browser_pictures_have_all_widths_and_schemes(tmp_path: Path) -> None:
    names = ["results-fall", "receipt-orders-faults-de", "error-signon"]
    assert sorted(gallery(tmp_path, names)) == sorted(names)
    for name in names:
        with Image.open(tmp_path / f"{name}.png") as shown:
            # No picture is wider than its window, and the dark scheme is dark.
            assert shown.width == 2 * sum(WIDTHS) + 5 * GAP
            left, top = GAP + 2, GAP + 10
            assert min(shown.getpixel((left, top))) > 200
            assert max(shown.getpixel((left + WIDTHS[0] + GAP, top))) < 60
