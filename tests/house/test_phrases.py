"""Every phrase in the code has a sentence, and every sentence its facts."""

import ast
import re
import string
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import NamedTuple

import pytest

from judge.errors import DataError
from judge.games import all_systems
from judge.model.phrase import phrase
from judge.phrases import Phrasebook, phrasebook
from judge.play.choices.settingtable import all_settings
from tests.house.syntax import nodes_of

ROOT = Path(__file__).parents[2] / "judge"
SYSTEMS = [system.name for system in all_systems()]


class Given(NamedTuple):
    """One `phrase(…)` call in the code: place, code and facts.

    The facts are None if they are computed.
    """

    where: str
    code: str
    facts: frozenset[str] | None

    @property
    def books(self) -> list[Phrasebook]:
        """Phrasebooks that must have it: that of its own system, or all of them."""
        own = [name for name in SYSTEMS if f"games/{name}/" in self.where]
        return [phrasebook(name) for name in own or ["", *SYSTEMS]]


def codes_of(node: ast.expr) -> list[str]:
    """Return the codes that an argument may be, none if it is computed."""
    if isinstance(node, ast.IfExp):
        return codes_of(node.body) + codes_of(node.orelse)
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return [node.value]
    return []


@cache
def rooms() -> tuple[Path, ...]:
    """Return the files of the judge's code."""
    return tuple(sorted(ROOT.rglob("*.py")))


def reasons_given() -> Iterator[Given]:
    """Yield every phrase whose code is a constant."""
    for file in rooms():
        added = facts_added(file)
        for node in nodes_of(file):
            if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name)):
                continue
            if node.func.id != "phrase" or not node.args:
                continue
            names = [keyword.arg for keyword in node.keywords]
            facts = None if None in names else added.union(name for name in names if name)
            for code in codes_of(node.args[0]):
                where = f"{file.relative_to(ROOT.parent)}:{node.lineno}"
                yield Given(where, code, facts)


@cache
def facts_added(file: Path) -> frozenset[str]:
    """Return the facts added to phrases in a module.

    The pattern is `Phrase(x.code, {**x.facts, "n": 1})`.
    """
    return frozenset(
        key.value
        for node in nodes_of(file)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id == "Phrase"
        for facts in node.args
        if isinstance(facts, ast.Dict) and None in facts.keys
        for key in facts.keys
        if isinstance(key, ast.Constant) and isinstance(key.value, str)
    )


def places_of(sentence: str) -> set[str]:
    """Return the facts of a sentence."""
    return {name for _, name, _, _ in string.Formatter().parse(sentence) if name is not None}


def all_sentences() -> Iterator[tuple[str, str, str]]:
    """Yield folder, code and sentence of every row of every table."""
    for folder in sorted(files("judge.mailtemplates").iterdir(), key=lambda path: path.name):
        if folder.is_dir():
            for table in folder.iterdir():
                if table.name.endswith(".tsv"):
                    for row in table.read_text(encoding="utf-8").splitlines():
                        if row and row[0] != "#":
                            code, _, sentence = row.partition("\t")
                            yield folder.name, code, sentence


def test_every_reason_has_its_sentence() -> None:
    unsaid = [
        f"{given.where}: {given.code}"
        for given in reasons_given()
        if not all(given.code in book.sentences for book in given.books)
    ]
    assert not unsaid


def test_every_reason_has_the_facts_of_its_sentence() -> None:
    wanting = [
        f"{given.where}: {given.code} wants {sorted(places_of(sentence) - given.facts)}"
        for given in reasons_given()
        if given.facts is not None
        for book in given.books
        for sentence in [book.sentences.get(given.code, "")]
        if not places_of(sentence) <= given.facts
    ]
    assert not wanting


def test_every_sentence_is_used() -> None:
    words, shapes = {row.help.code for row in all_settings()}, set[str]()
    for table in ROOT.glob("play/*/*.tsv"):
        words |= set(re.split(r"[\t\n]", table.read_text(encoding="utf-8")))
    for file in rooms():
        for node in nodes_of(file):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                words.add(node.value)
            elif isinstance(node, ast.JoinedStr):
                shapes.add(shape_of(node))
    script = files("judge.mailtemplates") / "diplomacy" / "order.js"
    page = script.read_text("utf-8") + (script.parent / "page-order.page").read_text("utf-8")
    words |= {f"order-page-{key}" for key in re.findall(r"\"([a-z-]+)\"", page)}
    shapes |= {f"order-page-{begun}[a-z-]+" for begun in re.findall(r"\"([a-z]+-)\" \+", page)}
    for template in templates():
        words |= set(re.findall(r"\"([a-z0-9-]+)\"", template))
        shapes |= {f"{begun}[a-z0-9-]+" for begun in re.findall(r"\"([a-z0-9-]+-)\" ~", template)}
    composed = re.compile("|".join(shape for shape in shapes if "-" in shape))
    idle = [code for _, code, _ in all_sentences() if code not in words]
    assert [code for code in idle if not composed.fullmatch(code)] == []


def templates() -> Iterator[str]:
    """Yield the English templates of texts and pages, which may name sentences."""
    for folder in files("judge.mailtemplates").iterdir():
        files_of = [*folder.iterdir()] if folder.is_dir() else []
        topics = [file for each in files_of if each.name == "help" for file in each.iterdir()]
        for file in [*files_of, *topics]:
            if file.name.endswith((".txt", ".html", ".page")):
                yield file.read_text(encoding="utf-8")


def shape_of(node: ast.JoinedStr) -> str:
    """Return an f-string as a regular expression of the codes it can make."""
    return "".join(
        re.escape(part.value) if isinstance(part, ast.Constant) else "[a-z0-9]+"
        for part in node.values
    )


def test_sentences_name_plain_facts_only() -> None:
    odd = [
        f"{folder}/{code}: {name}"
        for folder, code, sentence in all_sentences()
        for name in places_of(sentence)
        if not name.isidentifier()
    ]
    assert not odd


def test_codes_are_lower_case_words_with_hyphens() -> None:
    for _, code, _ in all_sentences():
        assert set(code) <= set(string.ascii_lowercase + string.digits + "-"), code


@pytest.mark.parametrize(
    ("words", "said"),
    [((), ""), (("a",), "a"), (("a", "b"), "a and b"), (("a", "b", "c"), "a, b and c")],
)
def test_lists_are_joined(words: tuple[str, ...], said: str) -> None:
    assert Phrasebook().join_list(words) == said


def test_facts_are_formatted_as_their_placeholder_asks() -> None:
    book = Phrasebook()
    book.sentences["x"] = "{places:or}; {n} {n:unit|units}; {one:unit|units}; {bare}; {yes}; {word}"
    reason = phrase(
        "x", places=("Bur", "Mar", "Pic"), n=2, one=1, bare=7, yes=True, word="{evil} %s"
    )
    assert book.render(reason) == "Bur, Mar or Pic; 2 units; unit; 7; yes; {evil} %s"


@pytest.mark.parametrize("code", ["no-such-code", "x"])
def test_missing_code_or_fact_is_an_internal_error(code: str) -> None:
    book = Phrasebook()
    book.sentences["x"] = "{missing}"
    with pytest.raises(DataError):
        book.render(phrase(code))
