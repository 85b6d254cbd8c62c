"""Texts shared by all games contain no words of Diplomacy."""

import re
from collections.abc import Iterator
from importlib.resources import files
from importlib.resources.abc import Traversable

OWN = re.compile(
    r"\b(?:supply|convoys?|cent(?:re|er)s?|arm(?:y|ies)|fleets?|dislodged|units? hold)\b",
    re.IGNORECASE,
)
"""Words that only Diplomacy has."""


def texts() -> Iterator[Traversable]:
    """Yield the common texts, pages and sentences in English, without help topics."""
    for folder in ("common", "site"):
        for file in (files("judge.mailtemplates") / folder).iterdir():
            if file.name.endswith((".txt", ".html", ".page", ".tsv")):
                yield file


def test_common_texts_hold_no_words_of_one_game() -> None:
    found = {
        f"{file.name}: {line.strip()[:80]}"
        for file in texts()
        for line in file.read_text(encoding="utf-8").splitlines()
        if OWN.search(line) and not line.startswith("#")
    }
    assert not found
