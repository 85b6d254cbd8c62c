"""The pages of the public archive, filled from templates.

A page's template is searched first in the folder of the game system, then in `site`. Every link
leads to a place within the site. Pages are complete without a script; the only one (`find.js`)
searches the games of a list.
"""

import hashlib
import re
from collections.abc import Callable, Mapping, Sequence
from contextvars import ContextVar
from datetime import UTC, datetime
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Protocol
from urllib.parse import quote

from jinja2 import BaseLoader, Environment, FunctionLoader, StrictUndefined, TemplateError
from markupsafe import Markup

from judge.drawing.card import Card, shares_of
from judge.drawing.chart import read_chart
from judge.errors import DataError
from judge.languages import grammar_of
from judge.model.phrase import Phrase, phrase
from judge.model.record import GameSummary, PublicGame
from judge.phrases import folders_of, phrasebook
from judge.plugins import entry_points_by_name, package_of, texts_of

FOLDER = "site"
_HIDE: ContextVar[Callable[[str], str]] = ContextVar("hide", default=str)
"""Function that removes secrets from texts, for the judge whose page is rendered."""
MAX_IN_FEED = 50
_UNPRINTED = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff\ufffe\uffff]")


class OpenGame(Protocol):
    """A game with open seats."""

    @property
    def since(self) -> datetime:
        """Instant at which its seats were opened."""


_TEMPLATES = files("judge.mailtemplates")


def page_name(label: str) -> str:
    """Return the file name of the page of a phase, for any game system.

    >>> page_name("S1901M"), page_name("1781-10-04 FA move")
    ('S1901M.html', '1781-10-04-FA-move.html')
    """
    return re.sub(r"[^A-Za-z0-9_.-]", "-", label).lstrip(".") + ".html"


class Pages:
    """Renderer of the templates of one judge.

    `hide` removes from each text what the public may not see.
    """

    def __init__(
        self, judge: str, hide: Callable[[str], str], home: str = "",
        address: str = "judge@localhost",
    ) -> None:
        self._judge = judge
        self._hide = hide
        self._home = home
        """URL of the site, ending in a slash, or an empty string if unknown."""
        self._address = address
        """The judge's own address, the only one on the pages."""
        self._host = address.partition("@")[2]

    def index(self, games: Sequence[GameSummary], openings: Sequence[object]) -> bytes:
        """Return the list of all games, those with open seats first."""
        facts = {
            "rows": self._rows(games), "openings": openings, "mail": self._mail_link,
            "address": Markup.escape(self._address),
        }
        return self._page("", "index", facts)

    def _mail_link(self, line: str) -> Markup:
        """Return a link that opens a mail to the judge with a line."""
        return Markup('<a href="mailto:{}?subject={}&amp;body={}">{}</a>').format(
            quote(self._address, "@+"), quote(line.split()[0]), quote(f"{line}\r\n"), line
        )

    def shelf(self, kind: str, name: str, games: Sequence[GameSummary]) -> bytes:
        """Return a list of games that have a map, a power or a year in common."""
        facts = {"kind": kind, "name": name, "rows": self._rows(games), "depth": 1}
        return self._page("", "shelf", facts)

    def shelves(
        self, shelves: Mapping[str, Sequence[object]], games: Sequence[GameSummary]
    ) -> bytes:
        """Return the searchable list of these lists and of all games."""
        facts = {"shelves": shelves, "rows": self._rows(games), "depth": 1}
        return self._page("", "find", facts)

    def figures(self, maps: Sequence[Mapping[str, object]]) -> bytes:
        """Return the statistics of the powers of each map."""
        return self._page("", "figures", {"maps": maps})

    def feed(self, games: Sequence[GameSummary], openings: Sequence[OpenGame]) -> bytes:
        """Return the news as an Atom feed: finished games and open seats."""
        over = self._rows([game for game in games if game.ended][:MAX_IN_FEED])
        days = [one.since for one in openings] + [game.ended for game, _ in over if game.ended]
        updated = max(days, default=datetime(2026, 1, 1, tzinfo=UTC))
        facts = {"rows": over, "openings": openings, "updated": updated, "host": self._host}
        return self._page("", "feed", facts)

    def _rows(self, games: Sequence[GameSummary]) -> list[tuple[GameSummary, str]]:
        return [(game, self._ending(game)) for game in games]

    def game(self, headline: GameSummary, facts: Mapping[str, object]) -> bytes:
        """Return the first page of a game."""
        return self._game_page("game", headline, facts)

    def phase(self, headline: GameSummary, facts: Mapping[str, object]) -> bytes:
        """Return the page of a phase that was played."""
        return self._game_page("phase", headline, facts)

    def card(self, headline: GameSummary, shown: PublicGame) -> Card:
        """Return the card of a game, with the shares of its powers if it has a chart."""
        told = self._ending(headline) or phrasebook(headline.system).render(
            phrase("story-going", phase=headline.phase)
        )
        chart = read_chart(shown.chart.source) if shown.chart else None
        counts = [
            (one.name, one.letter, one.colour, one.counts[-1]) for one in chart.lines
        ] if chart else []
        return Card(headline.name, headline.variant, self._hide(told), shares_of(counts))

    def check(self) -> None:
        """Read every template of every folder again.

        Raises:
            DataError: a template cannot be read.
        """
        environment_of.cache_clear()
        for system in ("", *entry_points_by_name()):
            environment = environment_of(system)
            for file in _folders_of(system)[0].iterdir():
                if not file.name.endswith(".page"):
                    continue
                try:
                    environment.get_template(file.name)
                except TemplateError as fault:
                    raise DataError(f"{system or FOLDER}/{file.name}: {fault}") from fault

    def _game_page(self, name: str, headline: GameSummary, facts: Mapping[str, object]) -> bytes:
        score = score_title(headline.system)
        told = {"game": headline, "ending": self._ending(headline), "depth": 2, "score": score}
        return self._page(headline.system, name, {**told, **facts})

    def _ending(self, game: GameSummary) -> str:
        return phrasebook(game.system).render(game.ending) if game.ending else ""

    def _page(self, system: str, name: str, facts: Mapping[str, object]) -> bytes:
        try:
            template = environment_of(system).get_template(f"page-{name}.page")
            told = {"judge": self._judge, "home": self._home, "depth": 0, **facts}
            _HIDE.set(self._hide)
            return template.render(**told).encode("utf-8", "replace")
        except (TemplateError, TypeError) as fault:
            raise DataError(f"page {name!r}: {fault!r}") from fault


def score_title(system: str) -> str:
    """Return what a game system calls its score: "Supply centres"."""
    return phrasebook(system).render(phrase("score-title"))


def style() -> bytes:
    """Return the style of all pages."""
    return (_TEMPLATES / FOLDER / "style.css").read_bytes()


def finder() -> bytes:
    """Return the script that finds games in a list."""
    return (_TEMPLATES / FOLDER / "find.js").read_bytes()


def edition(version: str) -> str:
    """Return a hash that changes whenever pages or pictures may change their form."""
    hashed = hashlib.sha256(version.encode())
    for name, point in sorted(entry_points_by_name().items()):
        hashed.update(f"{name} {package_of(point)}\0".encode())
    for folder in (
        *_folders_of(""), *folders_of(""), *filter(None, map(texts_of, entry_points_by_name())),
    ):
        for file in sorted(folder.iterdir(), key=lambda place: place.name):
            if file.name.startswith(("page-", "style", "find", "phrases")):
                hashed.update(file.name.encode() + b"\0" + file.read_bytes())
    return hashed.hexdigest()


@cache
def environment_of(system: str) -> Environment:
    """Return the environment of a system's pages, which compiles each template once."""
    environment = Environment(
        loader=_loader(system), undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True,
        autoescape=True, auto_reload=False, finalize=_clean_value,
    )
    environment.filters.update(
        say=phrasebook(system).render, joined=phrasebook(system).join_list, day=_day,
        minute=_minute, page=page_name, instant=_instant, clock=_clock,
    )
    return environment


def _clean_value(value: object) -> object:
    """Hide secrets in a text, and remove characters that a page may not contain.

    Markup stays as it is, since it comes from the templates themselves.
    """
    if not isinstance(value, str) or isinstance(value, Markup):
        return value
    return _UNPRINTED.sub("", _HIDE.get()(value))


def _folders_of(system: str) -> list[Traversable]:
    """Return the folders of pages, the system's own first."""
    own = texts_of(system) if system else None
    return [*([own] if own else []), _TEMPLATES / FOLDER]


def _loader(system: str) -> BaseLoader:
    folders = _folders_of(system)

    def read(name: str) -> str | None:
        files_named = (folder / name for folder in folders)
        return next((file.read_text("utf-8") for file in files_named if file.is_file()), None)

    return FunctionLoader(read)


def _day(moment: datetime | None) -> str:
    """Format a day for people.

    >>> _day(datetime(2026, 1, 6, 23, 30))
    '6 Jan 2026'
    """
    return f"{moment.day} {grammar_of('').months[moment.month - 1]} {moment.year}" if moment else ""


def _instant(moment: datetime) -> str:
    """Format an instant for a feed.

    >>> _instant(datetime(2026, 1, 6, 23, 30, tzinfo=UTC))
    '2026-01-06T23:30:00Z'
    """
    return f"{moment.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"


def _clock(sentences: Sequence[Phrase], system: str) -> str:
    """Return the sentences on the clock of a game as a paragraph."""
    return " ".join(map(phrasebook(system).render, sentences))


def _minute(moment: datetime | None) -> str:
    return f"{_day(moment)}, {moment:%H:%M} UTC" if moment else ""
