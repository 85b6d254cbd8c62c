"""Lines that letters and help topics show as examples, made from the map in play.

The sentences `example-…` of the texts name powers and places of the Youngstown map.
"""

from collections.abc import Mapping, Sequence

from judge.board.map import ARMY, Map, Power, Unit
from judge.games.diplomacy.boards import opening_on
from judge.model.phrase import Phrase, phrase

_USUAL = "FIGREANCJT"
"""Sign-on letters of powers in order of preference, for examples that people know."""
_BEFORE_GAME = frozenset({
    "example-letter", "example-letter-name", "example-bot", "example-bot-letter",
    "example-card-letter", "example-card-name",
})
"""Examples of sign-on letters before the name of a game, with the powers they belong to."""


def examples_on(board: Map) -> Mapping[str, str | Phrase]:
    """Return code → text of the examples on a map."""
    powers = _sort_powers(board)
    several = (power for power in powers if len(_units(board, power)) > 1)
    own = next(several, powers[0])
    orders = _orders(board, own)
    other = next(power for power in powers if power != own)
    found = {
        **_phases(board),
        **_people(powers),
        **_wishes(powers, own),
        "example-letter": own.letter,
        "example-letter-name": _name(own),
        "example-typed": own.name.lower() if own.name.isalpha() else own.letter.lower(),
        "example-order": orders[0],
        "example-power-order": f"{own.name}: {orders[0]}",
        "example-first-order": orders[0],
        "example-second-order": orders[1],
        "example-preview-own": orders[0],
        "example-preview-other": f"{other.name}: {_orders(board, other)[0]}",
        "example-menu": orders[0].partition(" - ")[0],
        "example-other": other.letter,
        "example-create": phrase("example-create-on", map=board.name.partition(".")[0]),
        "example-card": orders[0],
        "example-card-letter": own.letter,
        "example-card-name": _name(own),
    }
    if len(own.letter) > 1:
        # The texts write a letter and the name of a game as one word, which a code cannot be.
        found = {code: text for code, text in found.items() if code not in _BEFORE_GAME}
    return found


def _sort_powers(board: Map) -> list[Power]:
    """Return the powers, those of the usual examples first."""
    def rank(power: Power) -> int:
        return _USUAL.index(power.letter) if power.letter in {*_USUAL} else len(_USUAL)

    return sorted((power for power in board.powers if power.plays), key=rank)


def _phases(board: Map) -> dict[str, str | Phrase]:
    first = str(opening_on(board).phase)
    return {"example-phase": first, "example-later": f"F{board.first_year:04}M"}


def _people(powers: Sequence[Power]) -> dict[str, str | Phrase]:
    """Return examples of readers. Of two powers, one writes to the other."""
    first, second = powers[0], powers[1]
    third = powers[2] if len(powers) > 2 else first
    shown = third if third != first else second
    to = powers[:2] if len(powers) > 2 else powers[1:2]
    answer = [third, second] if len(powers) > 2 else [first]
    return {
        "example-to": " ".join(power.letter for power in to),
        "example-to-names": _join_names(to),
        "example-named": ", ".join(power.name.upper() for power in to),
        "example-but": third.letter,
        "example-but-name": _name(third),
        "example-reply": " ".join(power.letter for power in answer),
        "example-reply-names": _join_names(answer),
        "example-leader": first.letter,
        "example-leader-name": _name(first),
        "example-draw": " ".join(power.letter for power in powers[:3]),
        "example-reader": first.letter,
        "example-reader-name": _name(first),
        "example-shown": shown.letter,
        "example-shown-name": _name(shown),
        "example-bot": second.name.upper(),
        "example-bot-letter": second.letter,
    }


def _join_names(powers: Sequence[Power]) -> Phrase:
    return phrase("example-names", names=tuple(map(_name, powers)))


def _name(power: Power) -> Phrase:
    return phrase("example-power", name=power.name)


def _wishes(powers: Sequence[Power], own: Power) -> dict[str, str | Phrase]:
    """Return examples of SET PREFERENCE. Codes are given as names, with commas."""
    wanted = [own, *(power for power in powers if power != own)][:4]
    names = ", ".join(power.name for power in wanted[:2])
    letters = "".join(power.letter for power in wanted[:3])
    if any(len(power.letter) > 1 for power in wanted):
        letters = names
    mean = phrase("example-wishes-two", first=wanted[0].name, second=wanted[1].name)
    wishes = names
    if len(wanted) == 4 and letters != names:
        first, second, third, fourth = (power.letter for power in wanted)
        wishes = f"{first}[{second}{third}]{fourth}"
        mean = phrase(
            "example-wishes-four", first=first, second=second, third=third, fourth=fourth
        )
    return {
        "example-wishes": wishes,
        "example-wishes-mean": mean,
        "example-wish-names": names,
        "example-first-wishes": letters,
        "example-bot-wishes": letters,
    }


def _units(board: Map, power: Power) -> Sequence[Unit]:
    return board.start.get(power.name, ())


def _orders(board: Map, power: Power) -> tuple[str, str]:
    """Return two moves, of two units if the power begins with two.

    Powers that begin without units get an army in a home centre, or anywhere.
    """
    homes = [place.abbr for place in board.provinces.values() if place.home == power.name]
    units = list(_units(board, power)) or [
        Unit(ARMY, abbr) for abbr in (*homes, *board.walk) if board.walk.get(abbr)
    ][:1]
    moves = [
        [f"{unit.kind.value} {unit.place} - {goal}" for goal in sorted(board.stations[unit].there)]
        for unit in units
    ]
    found = [options[0] for options in moves if options]
    found += [option for options in moves for option in options[1:]]
    found += [f"{unit.kind.value} {unit.place} H" for unit in units]
    return found[0], found[min(1, len(found) - 1)]
