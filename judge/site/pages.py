"""The pages of the public archive: templates filled.

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
from markupsafe import Markup

from judge.errors import DataError
from judge.languages import grammar_of
from judge.model.phrase import phrase
from judge.model.record import Headline
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
