"""Subjects: the topic of a letter, and its gist in a few words."""

from collections.abc import Mapping, Sequence
from importlib.resources import files

from judge.model.letter import LetterKind
from judge.model.phrase import Phrase, phrase
from judge.textfiles import read_rows

EVENT_BY_CODE: Mapping[str, str] = {
    row["code"]: row["event"]
    for row in read_rows((files(__package__) / "events.tsv").read_text(encoding="utf-8"))
}
"""Code of a reason → code of the end of the subject. Others are plain news."""


MAX_CLAUSES = 3
"""Maximum number of clauses of the gist in a subject."""


def subject_of(
    game: str, phase: str | tuple[str, ...], event: Phrase | str, power: str = ""
) -> Phrase:
    """Return the subject of a letter about a phase, as in "marco - S1901M results".

    It names several phases if the letter reports them together. *power* is named if its reader
    has several: "marco (France) - S1901M results".
    """
    named = phrase("game-of-power", game=game, power=power) if power else game
    return phrase("subject-game", game=named, phase=phase, event=event)


def append_summary(event: Phrase, gist: Sequence[Phrase]) -> Phrase:
    """Return a subject's end with the letter's gist, as in "results: you lost A IMO".

    >>> append_summary(phrase("event-results"), ()).code
    'event-results'
    """
    clauses = tuple(gist[:MAX_CLAUSES])
    return phrase("event-and", event=event, gist=clauses) if clauses else event


def answering(subject: Phrase) -> Phrase:
    """Return the subject of a reply."""
    return phrase("subject-answer", subject=subject)


def headline(code: str, kind: LetterKind) -> Phrase:
    """Return the end of the subject of a letter with this first reason.

    >>> headline("paused", LetterKind.NOTICE).code, headline("vote-cast", LetterKind.VOTE).code
    ('event-paused', 'event-vote')
    """
    if code.startswith("power-nmr-"):
        # A game system may word it differently for each of its clocks.
        code = "power-nmr"
    return phrase(EVENT_BY_CODE.get(code.removesuffix("-private"), f"event-{kind.value}"))
