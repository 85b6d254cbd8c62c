"""The chart of a game: what each power owned, year by year, as lines with letters at their ends."""

from collections.abc import Sequence

from markupsafe import Markup, escape

from judge.drawing.colours import paint
from judge.words.showcase import Year

WIDTH, HEIGHT = 720, 320
_LEFT, _RIGHT, _TOP, _BOTTOM = 34, 40, 12, 30
_APART = 15
"""Units between two letters at the ends of lines."""


def chart(powers: Sequence[tuple[str, str, int]], years: Sequence[Year]) -> Markup:
    """Return the chart as SVG to be put into a page; empty for less than two years.

    `powers` are (name, letter, colour). The table of the page says the same in numbers.
    """
    if len(years) < 2:
        return Markup()
    most = max(max(year.counts) for year in years)
    parts = [*_grid(years, most)]
    ends = _ends([_y(count, most) for count in years[-1].counts])
    for at, (name, letter, colour) in enumerate(powers):
        counts = [year.counts[at] for year in years]
        points = " ".join(
            f"{_x(n, len(years)):.1f},{_y(count, most):.1f}" for n, count in enumerate(counts)
        )
        ink = paint(colour).strong
        parts.append(
            f'<polyline points="{points}" fill="none" stroke="{ink}" stroke-width="3"'
            f' stroke-linejoin="round"><title>{escape(name)}: {", ".join(map(str, counts))}'
            "</title></polyline>"
            f'<text x="{WIDTH - _RIGHT + 8}" y="{ends[at] + 5:.1f}" fill="{ink}"'
            f' font-weight="bold">{escape(letter)}</text>'
        )
    label = f"Supply centres from {years[0].year} to {years[-1].year}; the table has the numbers."
    return Markup(
        f'<svg class="chart" role="img" aria-label="{escape(label)}"'
        f' viewBox="0 0 {WIDTH} {HEIGHT}" font-size="14">{"".join(parts)}</svg>'
    )


def _grid(years: Sequence[Year], most: int) -> list[str]:
    step = max(1, -(-most // 6))
    lines = []
    for count in range(0, most + 1, step):
        y = _y(count, most)
        lines.append(
            f'<line x1="{_LEFT}" x2="{WIDTH - _RIGHT}" y1="{y:.1f}" y2="{y:.1f}"'
            f' stroke="#c9c4b8"/><text x="{_LEFT - 8}" y="{y + 5:.1f}" text-anchor="end">'
            f"{count}</text>"
        )
    every = -(-len(years) // 10)
    for number, year in enumerate(years):
        if number % every == 0:
            lines.append(
                f'<text x="{_x(number, len(years)):.1f}" y="{HEIGHT - 8}" text-anchor="middle">'
                f"{escape(year.year)}</text>"
            )
    return lines


def _x(number: int, many: int) -> float:
    return _LEFT + (WIDTH - _LEFT - _RIGHT) * number / (many - 1)


def _y(count: int, most: int) -> float:
    return HEIGHT - _BOTTOM - (HEIGHT - _TOP - _BOTTOM) * count / max(most, 1)


def _ends(wanted: Sequence[float]) -> list[float]:
    """Move the letters at the ends of lines apart, so that each can be read.

    >>> _ends([100.0, 100.0, 50.0])
    [92.5, 107.5, 50.0]
    """
    order = sorted(range(len(wanted)), key=lambda at: (wanted[at], at))
    found = list(wanted)
    groups: list[list[int]] = []
    for at in order:
        groups.append([at])
        while len(groups) > 1 and _first(groups[-1], wanted) - _last(groups[-2], wanted) < _APART:
            later = groups.pop()
            groups[-1] += later
    for group in groups:
        for n, at in enumerate(group):
            found[at] = _first(group, wanted) + n * _APART
    return found


def _first(group: Sequence[int], wanted: Sequence[float]) -> float:
    middle = sum(wanted[at] for at in group) / len(group)
    return middle - (len(group) - 1) * _APART / 2


def _last(group: Sequence[int], wanted: Sequence[float]) -> float:
    return _first(group, wanted) + (len(group) - 1) * _APART
