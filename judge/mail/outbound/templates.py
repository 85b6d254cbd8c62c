"""Templates of letters, with environments for text and HTML per game system.

A template is searched in the folder of the letter's game system, then in `common`, and in those
of the letter's language before the English ones. Facts are only printed, never parsed as templates.

A page has the frame `base.html` and follows the text of its letter. `NAME.html` replaces the text
of `NAME.txt` on the pages of all languages: its words are sentences of the tables,
`said("page-units")`. Without it, a page has the parts of a text that only puts parts together, and
any other text as `text_to_html` converts it.

Macros common to several letters are in `parts.txt`. Each letter has them as `parts`, with its
facts. Pages use those of `parts.html` where it has one of that name. Templates about another game
import them again.
"""

import re
from collections.abc import Callable, Mapping, MutableMapping
from functools import cache, partial
from typing import Any, NamedTuple
from urllib.parse import quote

from jinja2 import (
    BaseLoader,
    Environment,
    FunctionLoader,
    StrictUndefined,
    Template,
    TemplateError,
    TemplateNotFound,
    pass_context,
)
from jinja2.runtime import Context
from markupsafe import Markup

from judge.errors import DataError
from judge.languages import letter_languages
from judge.mail.outbound.format_time import format_duration, format_local, format_njudge
from judge.mail.outbound.layout import (
    BREAK,
    ENGLISH,
    VERBATIM,
    add_layout_marks,
    fill_paragraphs,
    no_break,
    restore_blanks,
    strip_controls,
    verbatim,
    wrap_rows,
)
from judge.mail.outbound.text_to_html import IN_ENGLISH, NO_BREAK, STYLES, to_html
from judge.mail.outbound.third_party_text import mark_third_party
from judge.model.phrase import Fact, Phrase, phrase
from judge.phrases import Phrasebook, folders_of, phrasebook
from judge.plugins import entry_points_by_name, keeps_english

_KEPT = 32
"""Cached texts of each part. The letters of one phase differ mostly by time zone."""


class Shared:
    """Cache of shared parts.

    Templates call it as `shared("standing.txt", standing=standing)`. A part has only these facts,
    so that equal facts give the same text and no private fact is shown to another reader. Facts
    are compared by value, quickly if they are the same objects.
    """

    def __init__(self, environment: Environment) -> None:
        self._environment = environment
        self._kept: dict[str, dict[tuple[object, ...], tuple[Mapping[str, object], str]]] = {}

    def __call__(self, name: str, **facts: object) -> str:
        """Return a filled part."""
        kept = self._kept.setdefault(name, {})
        # Cached facts stay referenced, so that their ids remain unique.
        key = (*facts, *map(id, facts.values()))
        if key in kept:
            return kept[key][1]
        for known, said in kept.values():
            if known == facts:
                return said
        said = self._environment.get_template(name).render(facts)
        # A filled part is clean, and a page's is escaped. `Markup` is printed as it is.
        said = Markup(said)
        if len(kept) >= _KEPT:
            del kept[next(iter(kept))]
        kept[key] = facts, said
        return said


class Templates(NamedTuple):
    """Templates of the letters of one game system."""

    text: Environment
    html: Environment
    book: Phrasebook

    def with_parts(self, facts: Mapping[str, object]) -> dict[str, object]:
        """Return the facts of a letter with the macros of its text."""
        return {**facts, "parts": _Macros(self.text, "parts.txt", facts)}

    def fill(self, template: str, facts: Mapping[str, object]) -> str:
        """Return the text of a letter, not yet laid out, from facts of `with_parts`.

        Raises:
            DataError: its template is missing or faulty, or uses a missing fact.
        """
        return _fill(self.text, f"{template}.txt", template, facts)

    def fill_page(self, template: str, facts: Mapping[str, Any]) -> str:
        """Return the page of a letter, from the facts of its text.

        The fact `page` has its subject and pictures, its template, and the filled text.

        Raises:
            DataError: as `fill`.
        """
        macros = _Macros(self.html, "parts.html", facts, texts=facts["parts"])
        return _fill(self.html, "base.html", template, {**facts, "parts": macros})


def _fill(environment: Environment, name: str, letter: str, facts: Mapping[str, object]) -> str:
    try:
        return environment.get_template(name).render(facts)
    except (TemplateError, TypeError) as fault:
        raise DataError(f"letter {letter!r}: {fault!r}") from fault


class _Macros:
    """Macros of a template, created with the facts of one letter on first use.

    An import in each template would create them again, and a letter has several templates. On a
    page, macros that only *texts* has are converted to HTML.
    """

    def __init__(
        self,
        environment: Environment,
        template: str,
        facts: Mapping[str, object],
        texts: "_Macros | None" = None,
    ) -> None:
        self._environment = environment
        self._template = template
        self._facts = facts
        self._is_made = False
        self.texts = texts

    def __getattr__(self, name: str) -> Any:
        """Create all macros as attributes, and return one."""
        if not self._is_made:
            made = self._environment.get_template(self._template).make_module(dict(self._facts))
            self.__dict__.update(made.__dict__)
            self._is_made = True
            return getattr(self, name)
        if self.texts is None:
            raise AttributeError(name)
        return partial(_typeset_macro, getattr(self.texts, name))


def _typeset_macro(macro: Callable[..., str], *args: object) -> str:
    return _typeset(macro(*args))


@cache
def templates_of(system: str, language: str = "") -> Templates:
    """Return the cached templates of a game system, or those of no system if empty."""
    load, book = loader(system, language), phrasebook(system, language)
    kept_in_english = bool(language) and keeps_english(system)
    text = _environment(load, book, system)
    html = _environment(load, book, system, autoescape=True)
    html.globals.update({"told": _telling(text), "typeset": _typeset, "css": STYLES,
                         "mailto": mailto, "language": language or "en",
                         "english": Markup(IN_ENGLISH if kept_in_english else "")})
    html.filters.update(
        {"press": _press_in_html, "cited": _cited_in_html, "typed": _restore_no_breaks}
    )
    return Templates(text, html, book)


def check_all() -> None:
    """Load all templates, common ones and those of installed game systems.

    Raises:
        DataError: a template cannot be read.
    """
    for system in ("", *entry_points_by_name()):
        for language in letter_languages():
            found = templates_of(system, language)
            # Pages are the same in all languages.
            kinds = {"txt": found.text} | ({} if language else {"html": found.html})
            for file in folders_of(system)[0].iterdir():
                which = kinds.get(file.name.rpartition(".")[2])
                if which is None:
                    continue
                try:
                    which.get_template(file.name)
                except TemplateError as fault:
                    raise DataError(f"{system} {file.name} {language}: {fault}") from fault


class _FactsFirst(Environment):
    """Environment that looks up `game.zone` as a dictionary entry first.

    Most facts are dictionaries, and a failed attribute lookup costs far more than a successful one.
    The library would also chain the globals, and search the chain for each part of each letter.
    """

    def make_globals(self, d: MutableMapping[str, Any] | None) -> MutableMapping[str, Any]:
        """Return the globals of a template as one dictionary."""
        return {**self.globals, **(d or {})}

    def getattr(self, obj: object, attribute: str) -> object:
        """Return an entry of a dictionary, else an attribute."""
        if type(obj) is dict and attribute in obj and attribute not in _METHODS:
            return obj[attribute]
        try:
            return getattr(obj, attribute)
        except AttributeError:
            return super().getattr(obj, attribute)


_METHODS = frozenset(dir(dict))


def _environment(
    load: BaseLoader, book: Phrasebook, system: str, *, autoescape: bool = False
) -> Environment:
    environment = _FactsFirst(
        loader=load,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        # A template that is included keeps its last line to itself.
        keep_trailing_newline=True,
        # In plain text nothing needs escaping but control characters, which `finalize` drops.
        autoescape=autoescape,
        auto_reload=False,
        # Unlimited: there are few templates, and each is used many times in a letter.
        cache_size=-1,
        finalize=_finished_in_html if autoescape else _finalize,
    )
    filters: dict[str, Callable[..., object]] = {
        "say": _saying(book),
        "parted": _parting(book),
        "in_english": (
            _saying_plainly(phrasebook(system)) if keeps_english(system) else _saying(book)
        ),
        "english": partial(_in_english, bool(book.language) and keeps_english(system)),
        "joined": book.join_list,
        "power": lambda name, of="": (phrasebook(of, book.language) if of else book).power_name(
            name
        ),
        "plural": book.grammar.choose_plural,
        "decimal": book.grammar.decimal,
        "wrapped": wrap_rows,
        "unbroken": no_break,
        "prose": fill_paragraphs,
        "press": _press,
        "cited": _mark_third_party,
        "instant": format_njudge,
        "when": partial(format_local, language=book.language),
        "span": partial(format_duration, language=book.language),
    }
    environment.filters.update(filters)
    environment.globals["said"] = _render_code
    environment.globals["unit_of"] = partial(_unit_of, language=book.language)
    environment.extend(parts=Shared(environment))
    environment.globals["shared"] = _render_shared
    environment.globals["shown"] = _showing(system, book.language)
    return environment


def _showing(system: str, language: str) -> Callable[..., Template]:
    """Return a function that finds the template of a requested text.

    A fact `system` of the text names the game system of its templates, since one letter may report
    on several games. Empty for texts about no game.
    """

    def find_template(info: Mapping[str, object]) -> Template:
        whose = templates_of(str(info.get("system", system)), language)
        return whose.text.get_template(f"{info['template']}.txt")

    return find_template


def _unit_of(system: str, language: str) -> str:
    """Return the unit of a game system's score in the plural: "centres", "points"."""
    return phrasebook(system, language).render(phrase("score-unit"))


def _saying(book: Phrasebook) -> Callable[..., str]:
    """Return a filter that renders phrases, with times in the reader's zone.

    Its argument `system` selects the phrase tables of another game system.
    """

    @pass_context
    def say(context: Context, reason: Phrase | str, system: str = "") -> str:
        own = phrasebook(system, book.language) if system else book
        if isinstance(reason, str):
            return own.name(reason)
        game = context.get("game")
        if type(game) is not dict and not isinstance(game, Mapping):
            game = {}
        zone = context.get("zone") or game.get("zone", "UTC")
        if (label := game.get("label")) and label in reason.facts.values():
            # A letter uses one name for the present phase, that of its head.
            facts = {key: game["phase"] if fact == label else fact
                     for key, fact in reason.facts.items()}
            reason = Phrase(reason.code, facts)
        return own.render(reason, partial(format_local, zone=str(zone), language=book.language))

    return say


def _saying_plainly(book: Phrasebook) -> Callable[..., str]:
    """Return a filter that renders phrases without regard to the letter's context.

    It takes a context like the filter of `_saying`, since templates would be compiled differently
    otherwise.
    """

    @pass_context
    def say(context: Context, reason: Phrase | str) -> str:
        return book.render(reason)

    return say


@pass_context
def _render_code(context: Context, code: str, **facts: Fact) -> str:
    """Render a phrase given by its code, from the tables of the template's system.

    Templates included for another game have the globals of the letter, but not its system. The
    text may have examples of its own, from the map of its game.
    """
    if code.startswith("example-"):
        info = context.get("info")
        own = info.get("examples", {}) if isinstance(info, Mapping) else {}
        return str(context.environment.filters["say"](context, own.get(code, Phrase(code, facts))))
    return str(context.environment.filters["say"](context, Phrase(code, facts)))


@pass_context
def _render_shared(context: Context, name: str, **facts: object) -> str:
    """Return a shared part from the templates of the present template's own system.

    Templates included for another game have the globals of the letter, but their own environment.
    """
    parts: Shared = getattr(context.environment, "parts")
    return parts(name, **facts)


def _finalize(value: object) -> str:
    """Return the text printed for a value. `Markup` was cleaned before."""
    if not isinstance(value, str):
        return str(value)
    # Fast path: most values are short and printable.
    return value if value.isprintable() or type(value) is Markup else strip_controls(value)


def _finished_in_html(value: object) -> object:
    """Return the text printed for a value. HTML was cleaned before."""
    if isinstance(value, str) and not value.isprintable() and type(value) is not Markup:
        return strip_controls(value).replace(VERBATIM, "")
    return value


def _press(body: str | tuple[str, ...] | list[str]) -> str:
    """Return press, marked to be kept line by line as typed."""
    return verbatim(strip_controls(body if isinstance(body, str) else "\n".join(body)))


def _press_in_html(body: str | tuple[str, ...] | list[str]) -> str:
    return _typeset(_press(body))


def _parting(book: Phrasebook) -> Callable[..., tuple[str, str, str]]:
    """Return a filter that renders phrases and splits them by `_split_at_quotation`."""
    say = _saying(book)

    @pass_context
    def split_phrase(context: Context, reason: Phrase) -> tuple[str, str, str]:
        return _split_at_quotation(say(context, reason), reason)

    return split_phrase


def _split_at_quotation(said: str, reason: Phrase) -> tuple[str, str, str]:
    """Split a text at the sentence that contains the fact `cited`, into three parts.

    >>> from judge.model.phrase import phrase
    >>> _split_at_quotation("It came back. It said: no. Good.", phrase("said", cited="no"))
    ('It came back.', 'It said: no.', 'Good.')
    """
    words = reason.facts.get("cited")
    if words is None:
        return "", "", said
    before, found, after = said.partition(str(words))
    stop = after[:1] if after.startswith((".", "!", "?")) else ""
    lead, end, begun = before.rpartition(". ") if found else ("", "", before)
    return (lead + end).strip(), begun + found + stop, after.removeprefix(stop).strip()


def _mark_third_party(body: str | tuple[str, ...] | list[str], indent: int = 0) -> str:
    """Return third-party text, marked for letters that may be answered with commands."""
    text = strip_controls(body if isinstance(body, str) else "\n".join(body))
    return verbatim(mark_third_party(text.replace(VERBATIM, ""), indent))


def _cited_in_html(body: str | tuple[str, ...] | list[str], indent: int = 0) -> str:
    return _typeset(_mark_third_party(body, indent))


def _in_english(is_foreign: bool, text: str) -> str:
    """Return a row of a letter, marked as English if the letter is not English."""
    if not is_foreign:
        return text
    return text.replace(BREAK, BREAK + ENGLISH, 1) if text.startswith(BREAK) else ENGLISH + text


def _restore_no_breaks(text: str) -> str:
    """Return a text with nonbreaking blanks for HTML."""
    return restore_blanks(text, NO_BREAK)


def _typeset(text: str) -> str:
    # On a page, a macro of texts returns markup.
    return Markup(to_html(str(text)))


def _telling(text: Environment) -> Callable[..., str]:
    """Return a function that renders a text template as HTML, without an own page."""

    @pass_context
    def render_in_html(context: Context, name: str, **facts: Any) -> str:
        page = context.get("page")
        if page and name == f"{page['template']}.txt":
            return _typeset(page["text"])
        # The globals of texts replace those of pages, such as `shared`, which would make HTML.
        known = {**context.get_all(), **text.globals, **facts}
        parts = known.get("parts")
        if isinstance(parts, _Macros):
            known["parts"] = parts.texts or parts
        return _typeset(text.get_template(name).render(known))

    return render_in_html


def mailto(address: str, subject: str, lines: list[str]) -> str:
    """Return a link that opens a new mail with *lines* in it.

    >>> mailto("judge@example.org", "marco S1901M", ["SIGNON Nmarco ?", "A DEL "])
    'mailto:judge@example.org?subject=marco%20S1901M&body=SIGNON%20Nmarco%20%3F%0D%0AA%20DEL%20'
    """
    body = quote("\r\n".join(map(strip_controls, lines)), safe="")
    return f"mailto:{quote(address, safe='@')}?subject={quote(subject, safe='')}&body={body}"


_ONLY_PARTS = re.compile(
    r"""(?: \s
        | \{\# (?: (?!\#\}) . )* \#\}
        | \{% (?: (?!%\}) . )* %\}
        | \{\{\s (?: parts\.\w+ | shared ) \( (?: (?!\}\}) . )* \}\}
    )*""",
    re.DOTALL | re.VERBOSE,
)
"""Pattern of texts that print nothing but other templates, shared parts and macros of `parts`."""


def loader(system: str, language: str = "") -> FunctionLoader:
    """Return a loader of templates: the system's own, else the common one.

    A page's template without a file is made from the text of that name.
    """
    folders = folders_of(system, language)

    def read(name: str) -> str | None:
        for folder in folders:
            file = folder / name
            if file.is_file():
                return add_layout_marks(file.read_text(encoding="utf-8"))
        return None

    def load(name: str) -> str:
        source = read(name)
        if source is None and name.endswith(".html"):
            text_name = name.removesuffix(".html") + ".txt"
            source = read(text_name)
            if source is not None and _ONLY_PARTS.fullmatch(source):
                return source.replace('.txt"', '.html"').replace("\n\n", "\n")
            if source is not None:
                return f'{{{{ told("{text_name}") }}}}\n'
        if source is None:
            raise TemplateNotFound(name)
        return source

    return FunctionLoader(load)
