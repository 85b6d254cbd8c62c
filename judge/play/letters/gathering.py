"""One letter of a kind per mail and reader: what a mail has others told is told at once.

A mail may do a thing and take it back a hundred times. Notices to one reader become one, which
says each thing once, where it was said last; of letters that show how things stand the last one
goes. What stands for itself always goes: answers, press, results, announcements of the master.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from judge.words.letter import Kind, Letter
from judge.words.reason import Reason, because

MOST_TOLD = 40
"""Things one notice tells: of what a mail did besides, HISTORY knows."""
_ALONE = ("press", "report", "official", "turned", "fault")
"""Templates of letters that are never one with another."""


def gathered(letters: Iterable[Letter]) -> list[Letter]:
    """Return the letters that a mail causes, one of a kind to each reader."""
    found: dict[object, Letter] = {}
    for letter in letters:
        key = _key(letter)
        before = found.get(key)
        if before is not None and letter.template == "notice":
            letter = _both(before, letter)
        found[key] = letter
    return [_short(letter) if "reasons" in letter.facts else letter for letter in found.values()]


def _key(letter: Letter) -> object:
    """Return what letters that become one have in common."""
    if letter.answers or letter.template in _ALONE or letter.outreach:
        return id(letter)
    # Whoever left and came again has another seat, but begins once.
    start = letter.kind is Kind.START
    about = (letter.game, letter.power) if start else letter.seat or (letter.game, letter.subject)
    # Where one opens something and the other nothing, they are not the same.
    parting = letter.facts.get("parting", False)
    return letter.to.lower(), letter.template, letter.kind, about, bool(letter.token), parting


def _both(before: Letter, after: Letter) -> Letter:
    """Return one notice that tells what two tell."""
    reasons = once([*_reasons(before), *_reasons(after)])
    return replace(after, facts={**after.facts, "reasons": reasons}, subject=before.subject)


def _reasons(letter: Letter) -> Sequence[Reason]:
    found: Any = letter.facts["reasons"]
    return tuple(found)


def once(reasons: Sequence[Reason]) -> list[Reason]:
    """Return reasons, each once, where it was given last."""
    kept: list[Reason] = []
    for reason in reversed(reasons):
        if reason not in kept:
            kept.append(reason)
    return kept[::-1]


def _short(letter: Letter) -> Letter:
    """Return a notice that tells no more than fits; the newest is told."""
    reasons = once(_reasons(letter))
    many = len(reasons) - MOST_TOLD
    if many > 0:
        reasons = [because("more-in-history", count=many), *reasons[many:]]
    return replace(letter, facts={**letter.facts, "reasons": reasons})
