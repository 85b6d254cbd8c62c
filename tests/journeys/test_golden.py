"""Golden letters: every kind there is, word for word as it goes out."""

from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from textwrap import indent

import pytest
from jinja2 import FunctionLoader
from PIL import Image

from judge.mail.outbound import templates
from judge.mail.outbound.render import Renderer
from judge.model.letter import Kind
from tests.journeys.gallery import GAP, WIDTHS, gallery, has_browser
from tests.journeys.golden import FOLDER, STORIES, Kept, play, written
from tests.language import LANGUAGE

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
