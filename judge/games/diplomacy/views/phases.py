"""Phases in words: names of turns and phases, and titles."""

from judge.board.position import Phase, PhaseKind
from judge.model.phrase import Phrase, phrase


def turn_named(phase: Phase) -> Phrase:
    """Return the turn of a phase: "Spring of 1901"."""
    return phrase(f"turn-{phase.season.name.lower()}", year=phase.year)


def kind_named(kind: PhaseKind) -> Phrase:
    """Return the name of a kind of phase: "Movement"."""
    return phrase(f"phase-{kind.name.lower()}")


def make_title(code: str, phase: Phase) -> Phrase:
    """Return a title that names a phase: "Position in Spring of 1901 (Movement)"."""
    return phrase(code, turn=turn_named(phase), kind=kind_named(phase.kind))
