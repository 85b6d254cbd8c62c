"""Every language has all templates, sentences and facts of English."""

import re
import string
from importlib.resources import files
from importlib.resources.abc import Traversable

import pytest

from judge.games import all_systems
from judge.help_topics import help_topics, topic_owner
from judge.languages import languages
from judge.mail.outbound.render import Renderer
from judge.model.letter import Letter, LetterKind
from judge.model.phrase import phrase
from judge.phrases import Phrasebook, phrasebook, read_pairs
from judge.play.choices.settingtable import all_settings
from judge.play.letters.inquiries import help_facts
from tests.language import LANGUAGE

TOP = files("judge.mailtemplates")
FOLDERS = sorted(folder.name for folder in TOP.iterdir() if (folder / "de").is_dir())
OTHERS = [code for code in languages() if code != "en"]

READ_BY_PROGRAMS = (
    "common/head.txt", "common/roll.txt", "common/chronicle.txt", "common/standing-rows.txt",
    "diplomacy/head.txt", "diplomacy/standing.txt",
)
"""Templates that are the same in every language.

They are read by nJudge's tools, or are lists of names.
"""

_KEYS = re.compile(
    r"(said|map|attribute=)\(?\"[a-z0-9-]+\"|\"page-[a-z0-9-]+\"|(==|in) \(?(\"[a-z]+\"(, )?)+"
)
"""Codes of phrases, names of filters and facts, and compared values: nothing that is printed."""
_CODE = re.compile(r"\{\{.*?\}\}|\{%.*?%\}|\{#.*?#\}", re.DOTALL)


def templates(folder: Traversable) -> dict[str, str]:
    """Return the templates of texts in a folder and its help, by relative path."""
    found = {}
    for place, before in ((folder, ""), (folder / "help", "help/")):
        for file in place.iterdir() if place.is_dir() else ():
            if file.name.endswith(".txt"):
                found[before + file.name] = file.read_text(encoding="utf-8")
    return found


def has_words(template: str) -> bool:
    """Return whether a template has words of its own."""
    printed = "".join(re.findall(r"\{\{.*?\}\}", template, re.DOTALL))
    literals = re.findall(r"\"([^\"]*)\"", _KEYS.sub("", printed))
    literals = [each for each in literals if not each.endswith(".txt")]
    said = [*literals, _CODE.sub("", template)]
    return any(re.search("[A-Za-z]{2}", each) for each in said)


def facts_used(template: str) -> set[str]:
    """Return the dotted facts that a template uses, such as `game.name`."""
    code = re.sub(r"\"[^\"]*\"|'[^']*'", "", "".join(_CODE.findall(template)))
    names = set(re.findall(r"[a-z_]+(?:\.[a-z_]+)+", code))
    return {name for name in names if not name.startswith("parts.")}


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("folder", FOLDERS)
def test_every_template_with_words_is_there_in_every_language(folder: str, language: str) -> None:
    own = templates(TOP / folder / language)
    english = templates(TOP / folder)
    wanted = {
        name for name, text in english.items()
        if has_words(text) and f"{folder}/{name}" not in READ_BY_PROGRAMS
    }
    assert wanted - own.keys() == set()
    assert own.keys() - english.keys() == set()


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("folder", FOLDERS)
def test_a_template_tells_the_same_facts_in_every_language(folder: str, language: str) -> None:
    english = templates(TOP / folder)
    differing = {
        name: facts_used(text) ^ facts_used(english[name])
        for name, text in templates(TOP / folder / language).items()
        if facts_used(text) != facts_used(english[name])
    }
    assert differing == {}


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("system", ["", *(system.name for system in all_systems())])
def test_every_sentence_is_there_and_wants_the_same_facts(system: str, language: str) -> None:
    english, own = Phrasebook(system).sentences, Phrasebook(system, language).sentences
    assert own.keys() == english.keys()
    assert [code for code in english if own[code] == english[code] and has_english(own[code])] == []
    # The text of an added map in another language is a fact of its own.
    local = {code: own[code].replace(f"_{language}}}", "}") for code in own}
    assert [code for code in english if places(local[code]) != places(english[code])] == []


def has_english(sentence: str) -> bool:
    """Return whether a sentence has words besides its placeholders."""
    return bool(re.search("[a-z]{3}", re.sub(r"\{.*?\}", "", sentence)))


def places(sentence: str) -> set[str]:
    """Return the facts of a sentence, including those inside choices of others."""
    found = set()
    for _, name, how, _ in string.Formatter().parse(sentence):
        if name is not None:
            found |= {name} | places(how or "")
    return found


def test_every_setting_says_what_it_is_for_and_what_it_takes() -> None:
    for row in all_settings():
        assert phrasebook().render(row.help)
        assert not row.takes.value or phrasebook().render(phrase(row.takes.value))


def test_every_rule_option_and_value_has_a_sentence() -> None:
    for system in all_systems():
        book = phrasebook(system.name)
        for map_name in system.maps():
            for option in system.options(map_name):
                assert book.render(option.help)
                values = option.values or (option.default, option.most)
                assert all(book.render(option.describe_value(value)) for value in values), (
                    option.name
                )


@pytest.mark.parametrize("language", OTHERS)
def test_the_words_of_pages_are_in_the_table(language: str) -> None:
    """HTML templates serve every language, with sentences of the tables."""
    for folder in FOLDERS:
        for file in (TOP / folder).iterdir():
            if file.name.endswith(".html"):
                page = file.read_text(encoding="utf-8")
                book = phrasebook("" if folder == "common" else folder, language)
                for code in re.findall(r"said\(\"([a-z0-9-]+[a-z0-9])\"", page):
                    assert code in book.sentences, (file.name, code)
                bare = re.sub(r"<style>.*?</style>|<[^>]*>|&#?\w+;", "", _CODE.sub("", page))
                assert not re.search("[A-Za-z]{2}", bare.replace("yourpassword", "")), file.name


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("folder", FOLDERS)
def test_names_are_names_and_no_sentences(folder: str, language: str) -> None:
    table = TOP / folder / language / "names.tsv"
    for english, own in read_pairs(table) if table.is_file() else ():
        assert not set(english + own) & set("{}.:;,"), english


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("topic", help_topics())
def test_a_topic_fits_a_screen_and_shows_the_same_lines(topic: str, language: str) -> None:
    own, english = (text_of(topic, code) for code in (language, ""))
    assert all(len(line) <= 72 for line in own.splitlines())
    if topic not in ("settings", "register"):
        assert commands(english) <= commands(own) | commands(own, first=False)


def text_of(topic: str, language: str) -> str:
    """Return a topic as a mail shows it."""
    letter = Letter(
        kind=LetterKind.HELP, to="", subject="", template=f"help/{topic}",
        facts={"info": help_facts()}, language=language, system=topic_owner(topic),
    )
    return Renderer(LANGUAGE, "Judge", "judge@localhost").text(letter)


def commands(text: str, *, first: bool = True) -> set[str]:
    """Return the indented commands of a topic, or without *first* all capitals."""
    if not first:
        return set(re.findall(r"\b[A-Z]{4,}\b", text))
    lines = [line.strip().split()[0] for line in text.splitlines() if line.startswith("    ")]
    return {word for word in lines if re.fullmatch("[A-Z]{4,}", word)}
