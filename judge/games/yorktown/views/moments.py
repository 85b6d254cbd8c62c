"""Titles of turns and steps for letters, and the names of the sides."""

from judge.games.yorktown.rules.board import AP, FA
from judge.games.yorktown.rules.state import Moment, Step
from judge.games.yorktown.rules.turn import date_of
from judge.model.phrase import Phrase, phrase

POWERS = {FA: "Franco-American", AP: "Anglo-Prussian"}
"""Side → its name as a power of the judge."""
ALSO = {FA: ("FA", "Allies", "Franco American"), AP: ("AP", "Crown", "Anglo Prussian")}
"""Side → its other names."""
SIDE_OF = {name: side for side, name in POWERS.items()}
MONTHS = {9: "day-september", 10: "day-october", 11: "day-november"}


def owner_named(text: str) -> tuple[str, str]:
    """Split a master's line into the power named before a colon, and the rest.

    The power is empty if the line names no power.

    >>> owner_named("ap: ART 1 fires at 1404"), owner_named("FRIG 1: F4")
    (('Anglo-Prussian', 'ART 1 fires at 1404'), ('', 'FRIG 1: F4'))
    """
    named, colon, rest = text.partition(":")
    for side, power in POWERS.items():
        if colon and named.strip().lower() in map(str.lower, (power, *ALSO[side])):
            return power, rest.strip()
    return "", text


def date_named(day: int) -> Phrase:
    """Return the date of a day: "28 September 1781" (Y-81)."""
    date = date_of(day)
    return Phrase(MONTHS[date.month], {"day": date.day, "year": date.year})


def turn_named(moment: Moment) -> Phrase:
    """Return the turn of a step: "day 6, 3 October 1781, AP"."""
    if moment.step is Step.SETUP:
        return phrase("turn-setup", side=moment.side)
    return phrase("turn-day", n=moment.day, date=date_named(moment.day), side=moment.side)


def step_named(step: Step) -> Phrase:
    """Return the name of a kind of step: "Fire"."""
    return Phrase(f"step-{step.name.lower()}", {})


def make_title(code: str, moment: Moment) -> Phrase:
    """Return a title that names a step."""
    return Phrase(code, {"turn": turn_named(moment), "kind": step_named(moment.step)})
