"""How a game ends by its own rules: won, over with its last year, or drawn by quiet Falls."""

from judge.games.diplomacy.adjudicate import Adjudged
from judge.games.system import Ending
from judge.words.reason import because


def ending_of(adjudged: Adjudged, year: int) -> Ending | None:
    """Return how a game ends with a phase of a year, or None if it goes on."""
    if adjudged.winner:
        count = len(adjudged.position.centres(adjudged.winner))
        reason = because("victory", power=adjudged.winner, centres=count)
        return Ending((adjudged.winner,), reason)
    if adjudged.is_last:
        return _at_end(adjudged, year)
    if adjudged.drawn:
        falls = adjudged.position.quiet_falls
        return Ending(adjudged.drawn, because("quiet-draw", powers=adjudged.drawn, falls=falls))
    return None


def _at_end(adjudged: Adjudged, year: int) -> Ending:
    """Return how a game ends whose last year is over."""
    sharing = adjudged.drawn
    if len(sharing) == 1:
        power, centres = sharing[0], len(adjudged.position.centres(sharing[0]))
        reason = because("last-year-won", power=power, centres=centres, year=year)
        return Ending(sharing, reason)
    return Ending(sharing, because("last-year-shared", powers=sharing, year=year))
