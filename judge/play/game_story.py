"""Story of a game in generated sentences: years, turning points, survivors.

All of it comes from the score at the end of each year (`YearlyHistory.years`), so that it is the
same for every game that has one, and from nothing that is still secret by then.
"""

import json
from collections.abc import Sequence
from datetime import timedelta
from typing import NamedTuple

from judge.drawing.chart import Chart, ChartLine
from judge.drawing.picture import Head
from judge.games import find_system
from judge.games.capabilities import DrawableSystem, DrawableTable, YearlyHistory, with_capability
from judge.games.system import Viewer, ViewerRole
from judge.model.phrase import Phrase, phrase
from judge.model.record import YearCounts
from judge.phrases import phrasebook
from judge.play.game import Game, options_of
from judge.play.queries import map_title, sides_of

MAX_SPELLED_NUMBER = 9
"""Largest number written in words, unless it is a score."""
MAX_TURNING_POINTS = 6
"""Maximum number of turning points."""


class Points(NamedTuple):
    """Score year by year: names of all powers, and their counts in that order."""

    powers: tuple[str, ...]
    years: tuple[YearCounts, ...]
    winner: str = ""
    """Power that won the game alone, or empty."""


def describe_year(told: Points, at: int, turn: Phrase | str) -> Phrase:
    """Describe a year, as in "Russia gains three and leads with 10."."""
    before, after = told.years[at - 1].counts, told.years[at].counts
    clauses = _gains(told, before, after, is_last=at == len(told.years) - 1)
    if out := _out(told, before, after):
        clauses.append(phrase("story-out", powers=tuple(out), count=len(out)))
    return phrase("story-year", turn=turn, clauses=tuple(clauses))


def _gains(
    told: Points, before: Sequence[int], after: Sequence[int], *, is_last: bool
) -> list[Phrase]:
    """Describe the greatest gain and the lead, in one clause if it is the same power."""
    gained = [now - then for then, now in zip(before, after, strict=True)]
    best = max(gained)
    takers = [p for p, more in zip(told.powers, gained, strict=True) if more == best > 0]
    top = max(after)
    leaders = [p for p, count in zip(told.powers, after, strict=True) if count == top]
    won = told.winner if is_last else ""
    if not takers:
        return [phrase("story-no-gain"), _lead(leaders, top, won)]
    many = spell_number(best)
    if len(takers) == 1 and takers == ([won] if won else leaders):
        count = after[told.powers.index(takers[0])]
        code = "story-gains-wins" if won else "story-gains-leads"
        return [phrase(code, power=takers[0], many=many, count=count)]
    if len(takers) <= 3:
        clause = phrase("story-gains", powers=tuple(takers), many=many, count=len(takers))
    else:
        clause = phrase("story-gain-many", powers=spell_number(len(takers)), many=many)
    return [clause, _lead(leaders, top, won)]


def _lead(leaders: Sequence[str], top: int, won: str) -> Phrase:
    if won:
        return phrase("story-wins", power=won)
    if len(leaders) > 3:
        return phrase("story-level", count=top)
    return phrase("story-leads", powers=tuple(leaders), number=len(leaders), count=top)


def _out(told: Points, before: Sequence[int], after: Sequence[int]) -> list[str]:
    counts = zip(told.powers, before, after, strict=True)
    return [power for power, then, now in counts if then and not now]


def turning_points(told: Points) -> tuple[Phrase, ...]:
    """Return lead changes, eliminations and the greatest gain of a year, in order."""
    found: list[tuple[int, int, Phrase]] = []
    lead = ""
    gains = sorted(_each_gain(told), key=lambda gain: -gain[1])
    # A record shared by two gains does not count.
    if gains and gains[0][1] >= 3 and (len(gains) < 2 or gains[1][1] < gains[0][1]):
        at, more, power = gains[0]
        fact = phrase("point-gain", year=told.years[at].year, power=power, many=spell_number(more))
        found.append((at, 1, fact))
    for at, year in enumerate(told.years):
        top = max(year.counts)
        leaders = [p for p, n in zip(told.powers, year.counts, strict=True) if n == top]
        if at and len(leaders) == 1 and leaders[0] != lead:
            fact = phrase("point-lead", year=year.year, power=leaders[0], count=top)
            found.append((at, 0, fact))
        if len(leaders) == 1:
            lead = leaders[0]
        if at and (out := _out(told, told.years[at - 1].counts, year.counts)):
            fact = phrase("point-out", year=year.year, powers=tuple(out), count=len(out))
            found.append((at, 2, fact))
    # Changes of the lead and eliminations have precedence over the greatest gain.
    kept = sorted(sorted(found, key=lambda one: (one[1] == 1, one[0]))[:MAX_TURNING_POINTS])
    return tuple(fact for *_, fact in kept)


def _each_gain(told: Points) -> list[tuple[int, int, str]]:
    return [
        (at, told.years[at].counts[n] - told.years[at - 1].counts[n], power)
        for at in range(1, len(told.years))
        for n, power in enumerate(told.powers)
    ]


def survivors(told: Points) -> Phrase | None:
    """Describe the survivors and their shares, the greatest first.

    Return None if no score is known.
    """
    if not told.years:
        return None
    left = [
        (count, power)
        for count, power in zip(told.years[-1].counts, told.powers, strict=True) if count
    ]
    left.sort(key=lambda one: -one[0])
    shares = tuple(phrase("story-share", power=power, count=count) for count, power in left)
    return phrase("story-left", powers=shares) if shares else None


def score_of(game: Game) -> tuple[Points, int]:
    """Return the score of a game year by year, and the score that wins.

    Both are empty if the game has no score. The result is for viewers who may see everything.
    """
    system = find_system(game.system)
    powers = tuple(side.name for side in sides_of(game))
    if not isinstance(system, YearlyHistory):
        return Points(powers, ()), 0
    turns, options = [(turn.phase, turn.after) for turn in game.turns()], options_of(game)
    years = tuple(
        YearCounts(year, tuple(owned.get(power, 0) for power in powers))
        for year, owned in system.years(game.map, options, turns)
    )
    winners = json.loads(game.result)["winners"] if game.result else []
    annals = system.chronicle(game.map, options, turns, Viewer(ViewerRole.MASTER))
    return Points(powers, years, winners[0] if len(winners) == 1 else ""), annals.goal


def how_it_went(game: Game, told: Points) -> tuple[Phrase, ...]:
    """Describe a game that is over: its length, turning points and survivors."""
    if not game.started or not game.turns():
        return ()
    span = (game.ended or game.started) - game.started
    length = describe_length(max(len(told.years) - 1, 0), len(game.turns()), span)
    left = survivors(told)
    return (length, *turning_points(told), *([left] if left else []))


def chart_of(game: Game, told: Points, goal: int) -> Chart | None:
    """Return the chart of a score, each power in its colour on the board.

    Return None for fewer than two years.
    """
    if len(told.years) < 2:
        return None
    colours: dict[str, int] = {}
    table, system = game.table, find_system(game.system)
    if isinstance(table, DrawableTable) and (source := table.sketch(Viewer(ViewerRole.MASTER))):
        sides = with_capability(system, DrawableSystem).picture(source, game.name).captions.sides
        colours = {side.name: side.colour for side in sides}
    lines = tuple(
        ChartLine(
            side.name, side.letter, colours.get(side.name, at),
            tuple(year.counts[at] for year in told.years),
        )
        for at, side in enumerate(sides_of(game))
    )
    book = phrasebook(game.system)
    head = Head(game.name, book.render(phrase("score-title")), map_title(game))
    goal_told = book.render(phrase("chart-goal", count=goal))
    return Chart(head, lines, tuple(year.year for year in told.years), goal, goal_told)


def page_of(game: Game) -> str:
    """Return the public page of a game that is over, or an empty text."""
    archive, chosen = game.context.policy.archive, game.chosen
    is_open = archive and chosen.listed and not chosen.private and game.started
    return f"{archive}games/{game.name}/index.html" if is_open else ""


_UNITS = (
    (timedelta(days=1), "value-days"), (timedelta(hours=1), "value-hours"),
    (timedelta(minutes=1), "value-minutes"),
)
"""Units of time, the longest first, each with its phrase code."""


def describe_length(years: int, phases: int, span: timedelta) -> Phrase:
    """Describe the length of a game, on the board and in real time."""
    unit, code = next((each for each in _UNITS if span >= 2 * each[0]), _UNITS[-1])
    took = phrase(code, count=max(span // unit, 1))
    if years:
        return phrase("story-length-years", years=years, phases=phases, span=took)
    return phrase("story-length", phases=phases, span=took)


def spell_number(number: int) -> Phrase | int:
    """Return a small number in words."""
    return phrase(f"number-{number}") if 0 < number <= MAX_SPELLED_NUMBER else number
