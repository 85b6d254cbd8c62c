"""Phases in words: names of turns and phases, and titles."""

from judge.board.map import Calendar, Map
from judge.board.position import SPRING, Phase, PhaseKind
from judge.model.phrase import Phrase, phrase


def turn_named(phase: Phase, calendar: Calendar) -> Phrase:
    """Return the turn of a phase in the words of its map: "Spring of 1901"."""
    number, era = calendar.year_in_era(phase.year)
    year = phrase(f"year-{era.lower()}", year=number) if era else number
    if season := _own_season(phase, calendar):
        return phrase("turn-named", season=season, year=year)
    return phrase(f"turn-{phase.season.name.lower()}", year=year)


def turn_title(phase: Phase, board: Map) -> str:
    """Return the turn of a phase in English, for pictures: "Spring of 44 BC"."""
    season = _own_season(phase, board.calendar) or phase.season.title
    return f"{season} of {board.calendar.year_label(phase.year)}"


def _own_season(phase: Phase, calendar: Calendar) -> str:
    return calendar.spring if phase.season is SPRING else calendar.fall


def kind_named(kind: PhaseKind) -> Phrase:
    """Return the name of a kind of phase: "Movement"."""
    return phrase(f"phase-{kind.name.lower()}")


def make_title(code: str, phase: Phase, board: Map) -> Phrase:
    """Return a title that names a phase: "Position in Spring of 1901 (Movement)"."""
    return phrase(code, turn=turn_named(phase, board.calendar), kind=kind_named(phase.kind))
