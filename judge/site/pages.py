"""The pages of the public archive: templates filled, with a chart of who owned what.

A page's template is looked for in the folder of the game system, then in `site`. They hold no
script, and every link leads to a place within the site.
"""

import hashlib
import re
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from importlib.resources import files
from importlib.resources.abc import Traversable

from jinja2 import BaseLoader, Environment, FunctionLoader, StrictUndefined, TemplateError
from markupsafe import Markup, escape

from judge.drawing.colours import paint
from judge.errors import DataError
from judge.languages import grammar_of
from judge.model.phrase import phrase
from judge.model.record import Headline, Year
from judge.phrases import folders_of, phrasebook
from judge.plugins import declared, package_of, texts_of

FOLDER = "site"
_TEMPLATES = files("judge.mailtemplates")


def page_name(label: str) -> str:
    """Return the name of the page of a phase, whatever its game calls it.

    >>> page_name("S1901M"), page_name("1781-10-04 FA move")
    ('S1901M.html', '1781-10-04-FA-move.html')
    """
    return re.sub(r"[^A-Za-z0-9_.-]", "-", label).lstrip(".") + ".html"


class Pages:
    """Fills the templates of one judge; `hide` takes out of each text what nobody may see."""

    def __init__(self, judge: str, hide: Callable[[str], str]) -> None:
        self._judge = judge
        self._hide = hide
        self._environments: dict[str, Environment] = {}

    def index(self, games: Sequence[Headline]) -> bytes:
        """Return the list of all games."""
        rows = [(game, self._ending(game)) for game in games]
        return self._page("", "index", {"rows": rows, "depth": 0})

    def game(self, headline: Headline, facts: Mapping[str, object]) -> bytes:
        """Return the first page of a game."""
        return self._game_page("game", headline, facts)

    def phase(self, headline: Headline, facts: Mapping[str, object]) -> bytes:
        """Return the page of a phase that was played."""
        return self._game_page("phase", headline, facts)

    def check(self) -> None:
        """Read every template of every folder.

        Raises:
            DataError: one cannot be read.
        """
        for system in ("", *declared()):
            environment = _environment(system, self._hide)
            for file in _folders_of(system)[0].iterdir():
                if not file.name.endswith(".page"):
                    continue
                try:
                    environment.get_template(file.name)
                except TemplateError as fault:
                    raise DataError(f"{system or FOLDER}/{file.name}: {fault}") from fault

    def _game_page(self, name: str, headline: Headline, facts: Mapping[str, object]) -> bytes:
        score = score_title(headline.system)
        told = {"game": headline, "ending": self._ending(headline), "depth": 2, "score": score}
        return self._page(headline.system, name, {**told, **facts})

    def _ending(self, game: Headline) -> str:
        return phrasebook(game.system).say(game.ending) if game.ending else ""

    def _page(self, system: str, name: str, facts: Mapping[str, object]) -> bytes:
        if system not in self._environments:
            self._environments[system] = _environment(system, self._hide)
        try:
            template = self._environments[system].get_template(f"page-{name}.page")
            return template.render(judge=self._judge, **facts).encode("utf-8", "replace")
        except (TemplateError, TypeError) as fault:
            raise DataError(f"page {name!r}: {fault!r}") from fault


def score_title(system: str) -> str:
    """Return what a game system calls its score: "Supply centres"."""
    return phrasebook(system).say(phrase("score-title"))


def style() -> bytes:
    """Return the style of all pages."""
    return (_TEMPLATES / FOLDER / "style.css").read_bytes()


def edition(version: str) -> str:
    """Return what changes whenever pages or pictures could be written otherwise than before."""
    hashed = hashlib.sha256(version.encode())
    for name, point in sorted(declared().items()):
        hashed.update(f"{name} {package_of(point)}\0".encode())
    for folder in (*_folders_of(""), *folders_of(""), *filter(None, map(texts_of, declared()))):
        for file in sorted(folder.iterdir(), key=lambda place: place.name):
            if file.name.startswith(("page-", "style", "phrases")):
                hashed.update(file.name.encode() + b"\0" + file.read_bytes())
    return hashed.hexdigest()


def _environment(system: str, hide: Callable[[str], str]) -> Environment:
    def shown(value: object) -> object:
        """Hide within every text; what is markup was put together here."""
        return hide(value) if isinstance(value, str) and not isinstance(value, Markup) else value

    environment = Environment(
        loader=_loader(system), undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True,
        autoescape=True, auto_reload=False, finalize=shown,
    )
    environment.filters.update(
        say=phrasebook(system).say, joined=phrasebook(system).joined, day=_day, minute=_minute,
        page=page_name,
    )
    return environment


def _folders_of(system: str) -> list[Traversable]:
    """Return the folders of pages, a system's own before that of all."""
    own = texts_of(system) if system else None
    return [*([own] if own else []), _TEMPLATES / FOLDER]


def _loader(system: str) -> BaseLoader:
    folders = _folders_of(system)

    def read(name: str) -> str | None:
        files_named = (folder / name for folder in folders)
        return next((file.read_text("utf-8") for file in files_named if file.is_file()), None)

    return FunctionLoader(read)


def _day(moment: datetime | None) -> str:
    """Return a day as people write it.

    >>> _day(datetime(2026, 1, 6, 23, 30))
    '6 Jan 2026'
    """
    return f"{moment.day} {grammar_of('').months[moment.month - 1]} {moment.year}" if moment else ""


def _minute(moment: datetime | None) -> str:
    return f"{_day(moment)}, {moment:%H:%M} UTC" if moment else ""


WIDTH, HEIGHT = 720, 320
_LEFT, _RIGHT, _TOP, _BOTTOM = 34, 40, 12, 30
_APART = 15
"""Units between two letters at the ends of lines."""


def chart(
    powers: Sequence[tuple[str, str, int]], years: Sequence[Year], score: str
) -> Markup:
    """Return the chart as SVG to be put into a page; empty for less than two years.

    `powers` are (name, letter, colour), `score` says what is counted. The table says the
    same in numbers.
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
    label = f"{score} from {years[0].year} to {years[-1].year}; the table has the numbers."
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
