"""Help has a topic for every command and setting, which can be found and read."""

import re
from dataclasses import replace
from functools import cache
from importlib.resources import files
from pathlib import Path

import pytest
from lark.lexer import PatternStr

from judge.help_topics import OTHER_WORDS, find_topic, help_topics, tellers_of, topic_owner
from judge.mail.outbound.render import Renderer
from judge.model.incoming import Line
from judge.model.letter import Letter, LetterKind
from judge.model.phrase import phrase
from judge.phrases import phrasebook
from judge.play.choices.settingtable import all_settings
from judge.play.letters.inquiries import find_setting_rows, help_facts
from judge.plugins import texts_of
from judge.terminal.manual import manual
from tests.language import FORMS, LANGUAGE, read_sheet

ROOT = Path(__file__).parents[2]
FOLDER = files("judge.mailtemplates") / "common" / "help"


@cache
def text_of(topic: str) -> str:
    """Return a topic as a mail shows it."""
    facts = {"info": help_facts()}
    letter = Letter(
        kind=LetterKind.HELP, to="", subject="", template=f"help/{topic}", facts=facts,
        system=topic_owner(topic),
    )
    return Renderer(LANGUAGE, "Judge", "judge@localhost").text(letter)


def source_of(topic: str) -> str:
    """Return the template of a topic."""
    texts = texts_of(topic_owner(topic))
    folder = texts / "help" if texts else FOLDER
    return (folder / f"{topic}.txt").read_text("utf-8")


@cache
def command_words() -> list[str]:
    """Return the words that begin a known command."""
    parser = LANGUAGE.parser
    words = [parser.get_terminal(name).pattern for name in parser.parse_interactive("").accepts()]
    plain = {word.value.upper() for word in words if isinstance(word, PatternStr)}
    return sorted(plain & FORMS.keys())


@pytest.mark.parametrize("word", list(command_words()))
def test_every_command_or_its_synonym_is_shown_by_a_topic(word: str) -> None:
    topic, _ = find_topic(word)
    assert topic, word
    names = {other for other in FORMS if FORMS[other] == FORMS[word]}
    assert any(re.search(rf"\b{name}\b", text_of(topic)) for name in names), topic


@pytest.mark.parametrize("row", list(all_settings()), ids=lambda row: " ".join(row.words))
def test_every_setting_is_shown_by_help_of_its_words(row: object) -> None:
    words = " ".join(row.words)  # type: ignore[attr-defined]
    assert row in find_setting_rows(f"set {words.lower()}")
    assert words in text_of("settings")


@pytest.mark.parametrize("topic", list(help_topics()))
def test_a_topic_is_in_the_index_and_fits_a_screen(topic: str) -> None:
    listed = re.findall(r"HELP ((?:[A-Z0-9]+(?:,\s+)?)+)", text_of("index"))
    assert topic == "index" or topic.upper() in ", ".join(listed).replace(",", " ").split()
    assert all(len(line) <= 72 for line in text_of(topic).splitlines())


def test_a_topic_is_in_one_group_of_the_index() -> None:
    listed = text_of("index").partition("HELP and a topic")[2].partition("\nGames:")
    rows = listed[0] + listed[2].partition("\nRecords:")[2]
    found = re.findall(r"^    HELP (\w+)  +\S", rows, re.M)
    own = {topic.upper() for topic in help_topics() if "" in tellers_of(topic)} - {"INDEX"}
    assert len(found) == len(set(found)) and own <= {*found, "BLIND", "STANDARD", "YOUNGSTOWN"}


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_cards_of_help_are_short(language: str) -> None:
    """HELP begins with a card for a phone, and HELP CARD fits a page."""
    letter = Letter(
        kind=LetterKind.HELP, to="", subject="", template="help/index",
        facts={"info": help_facts()}, language=language,
    )
    judge = Renderer(LANGUAGE, "Judge", "judge@localhost")
    card = judge.text(letter).split("\n\n")[1].splitlines()
    assert len(card) <= 10 and all(len(line.strip()) <= 40 for line in card)
    page = judge.text(replace(letter, template="help/card")).splitlines()
    assert len(page) <= 60 and all(len(line) <= 72 for line in page)


def test_other_words_lead_to_topics() -> None:
    assert set(OTHER_WORDS.values()) <= set(help_topics())
    assert not set(OTHER_WORDS) & set(help_topics())


@pytest.mark.parametrize("topic", list(help_topics()))
def test_the_lines_a_topic_shows_are_understood(topic: str) -> None:
    """An indented line that begins with a command word is read as a command."""
    for number, line in enumerate(_with_examples(source_of(topic)).splitlines(), 1):
        shown = re.split(r"\s{2,}", line.strip())[0]
        if not line.startswith("    ") or not shown or shown.split()[0] not in command_words():
            continue
        blocks = ("REGISTER", "SETUP", "PRESS", "BROADCAST", "OFFICIAL", "IF")
        if shown.split()[0] in blocks or shown in ("DIARY", "STATEMENT"):
            continue
        complaints = read_sheet([Line(number, shown)]).complaints
        assert not complaints, (shown, complaints)


def _with_examples(source: str) -> str:
    """Insert the examples of Diplomacy, which are the common ones."""
    said = re.compile(r'said\("([\w-]+)"\)')

    def fill_example(found: re.Match[str]) -> str:
        pieces = [each.strip() for each in found["pieces"].split("~")]
        example = (said.fullmatch(each) for each in pieces)
        return "".join(
            phrasebook().render(phrase(one[1])) if one else piece.strip('"')
            for one, piece in zip(example, pieces, strict=True)
        ) + "  " * bool(found["wide"])

    return re.sub(r'{{ [(]?(?P<pieces>("[^"]*" ~ )*said\("[^"]*"\)( ~ "[^"]*")*)[)]?'
                  r'(?P<wide>[.]ljust\(\d+\))? }}', fill_example, source)


def test_the_printed_manual_is_made_of_the_topics() -> None:
    """Update the manual with `judge manual > docs/reference/manual.md`."""
    assert (ROOT / "docs/reference/manual.md").read_text("utf-8") == manual()
