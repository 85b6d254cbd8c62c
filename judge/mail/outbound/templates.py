"""Templates of letters, read and ready: one environment for texts, one for HTML, by game system.

A template is looked for in the folder of the letter's game system, then in `common`; in those of
the letter's language before the English ones. Pages are the same for all languages: their words
are sentences of the tables, `said("page-units")`. Facts, whoever wrote them, are only ever printed,
never read as templates.

What several letters share are the macros of `parts.txt` and `pieces.html`. Each letter has them as
`parts` and `pieces`, with its facts; what tells of another game imports them anew.
"""

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
from judge.mail.outbound.citing import cited
from judge.mail.outbound.format_time import instant, span, when
from judge.mail.outbound.layout import (
    BREAK,
    ENGLISH,
    VERBATIM,
    cleaned,
    marked,
    prose,
    rows,
    unbroken,
    unglued,
    verbatim,
)
from judge.mail.outbound.text_to_html import IN_ENGLISH, NO_BREAK, STYLES, typeset
from judge.model.phrase import Fact, Phrase, phrase
from judge.phrases import Phrasebook, folders_of, phrasebook
from judge.plugins import declared, keeps_english

_KEPT = 32
"""Of each part; the letters of one game's phase differ in it by zone, and by little else."""


class Shared:
    """What templates call as `shared("standing.txt", standing=standing)`.

    Such a part knows these facts and no others, so that the same facts make the same text: nothing
    that is for one reader alone can get into the letter of another. Facts are compared by what
    is in them; those that are the same objects cost nothing.
    """

    def __init__(self, environment: Environment) -> None:
        self._environment = environment
        self._kept: dict[str, dict[tuple[object, ...], tuple[Mapping[str, object], str]]] = {}

    def __call__(self, name: str, **facts: object) -> str:
        """Return a part, filled."""
        kept = self._kept.setdefault(name, {})
        # Facts that are kept stay what they are called here.
        key = (*facts, *map(id, facts.values()))
        if key in kept:
            return kept[key][1]
        for known, said in kept.values():
            if known == facts:
                return said
        said = self._environment.get_template(name).render(facts)
        # A page's part is escaped already.
        said = Markup(said) if self._environment.autoescape else said
        if len(kept) >= _KEPT:
            del kept[next(iter(kept))]
        kept[key] = facts, said
        return said


class Templates(NamedTuple):
    """The templates of one game system's letters."""

    text: Environment
    html: Environment
    book: Phrasebook

    def with_parts(self, facts: Mapping[str, object]) -> dict[str, object]:
        """Return the facts of a letter with the macros that its text and its page share."""
        return {**facts, "parts": _Macros(self.text, "parts.txt", facts)}

    def fill(self, template: str, facts: Mapping[str, object]) -> str:
        """Return the text of a letter, not yet laid out; its facts are those `with_parts`.

        Raises:
            DataError: its template is missing or faulty, or wants a fact that is not there.
        """
        return _filled(self.text, (f"{template}.txt",), facts)

    def fill_page(self, template: str, facts: Mapping[str, object]) -> str:
        """Return the page of a letter: of its own template, else of the plain one.

        Raises:
            DataError: as `fill`.
        """
        known = {**facts, "pieces": _Macros(self.html, "pieces.html", facts)}
        return _filled(self.html, (f"{template}.html", "plain.html"), known)


def _filled(
    environment: Environment, names: tuple[str, ...], facts: Mapping[str, object]
) -> str:
    """Fill the first template that there is."""
    try:
        return environment.select_template(list(names)).render(facts)
    except (TemplateError, TypeError) as fault:
        raise DataError(f"letter {names[0]!r}: {fault!r}") from fault


class _Macros:
    """The macros of a template, made with the facts of one letter when the first is called.

    A template that imported them would have them all made again, and a letter is several templates.
    """

    def __init__(
        self, environment: Environment, template: str, facts: Mapping[str, object]
    ) -> None:
        self._environment = environment
        self._template = template
        self._facts = facts

    def __getattr__(self, name: str) -> object:
        """Make them all, which are its own from then on, and return one."""
        made = self._environment.get_template(self._template).make_module(dict(self._facts))
        self.__dict__.update(made.__dict__)
        return getattr(made, name)


@cache
def templates_of(system: str, language: str = "") -> Templates:
    """Return the templates of a game system, read once; empty: of letters that belong to none."""
    load, book = loader(system, language), phrasebook(system, language)
    kept_in_english = bool(language) and keeps_english(system)
    text = _environment(load, book, system)
    html = _environment(load, book, system, autoescape=True)
    html.globals.update({"told": _telling(text), "typeset": _typeset, "css": STYLES,
                         "mailto": mailto, "language": language or "en",
                         "english": Markup(IN_ENGLISH if kept_in_english else "")})
    html.filters.update({"press": _press_in_html, "cited": _cited_in_html, "typed": _typed})
    return Templates(text, html, book)


def check_all() -> None:
    """Read every template that is common to all game systems, or that an installed one has.

    Raises:
        DataError: one cannot be read.
    """
    for system in ("", *declared()):
        for language in letter_languages():
            found = templates_of(system, language)
            # A page is the same in all languages.
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
    """An environment that looks up `game.zone` as an entry of a dictionary first.

    Most facts are dictionaries, and an attribute that is missing costs far more than one that is.
    The library would chain the globals, and walk the chain for each part of each letter.
    """

    def make_globals(self, d: MutableMapping[str, Any] | None) -> MutableMapping[str, Any]:
        """Return the globals of a template as one dictionary."""
        return {**self.globals, **(d or {})}

    def getattr(self, obj: object, attribute: str) -> object:
        """Return an entry of a dictionary, else an attribute."""
        if type(obj) is dict and attribute in obj and attribute not in _METHODS:
            return obj[attribute]
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
        # Without bound: there are only so many templates, and each is wanted many times a letter.
        cache_size=-1,
        finalize=_finished_in_html if autoescape else _finished,
    )
    filters: dict[str, Callable[..., object]] = {
        "say": _saying(book),
        "parted": _parting(book),
        "in_english": (_saying_plainly(phrasebook(system)) if keeps_english(system)
                       else _saying(book)),
        "english": partial(_in_english, bool(book.language) and keeps_english(system)),
        "joined": book.joined,
        "power": lambda name, of="": (phrasebook(of, book.language) if of else book).power(name),
        "plural": book.grammar.form,
        "decimal": book.grammar.decimal,
        "wrapped": rows,
        "unbroken": unbroken,
        "prose": prose,
        "press": _press,
        "cited": _cited,
        "instant": instant,
        "when": partial(when, language=book.language),
        "span": partial(span, language=book.language),
    }
    environment.filters.update(filters)
    environment.globals["said"] = _said
    environment.globals["unit_of"] = partial(_unit_of, language=book.language)
    environment.extend(parts=Shared(environment))
    environment.globals["shared"] = _shared
    environment.globals["shown"] = _showing(system, book.language)
    return environment


def _showing(system: str, language: str) -> Callable[..., Template]:
    """Return what finds the template of a thing that was asked for: a fact `system` of it says
    whose templates it wants, for one letter may tell of several games; empty: those of no game."""

    def shown(info: Mapping[str, object]) -> Template:
        whose = templates_of(str(info.get("system", system)), language)
        return whose.text.get_template(f"{info['template']}.txt")

    return shown


def _unit_of(system: str, language: str) -> str:
    """Return what a game system counts its score in, in the plural: "centres", "points"."""
    return phrasebook(system, language).say(phrase("score-unit"))


def _saying(book: Phrasebook) -> Callable[..., str]:
    """Return what says phrases, with instants in the zone that the reader wants; by the tables of
    another `system` where one is named."""

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
            # The present phase has one name in a letter, that of the letter's head.
            facts = {key: game["phase"] if fact == label else fact
                     for key, fact in reason.facts.items()}
            reason = Phrase(reason.code, facts)
        return own.say(reason, partial(when, zone=str(zone), language=book.language))

    return say


def _saying_plainly(book: Phrasebook) -> Callable[..., str]:
    """Return what says phrases as they are, whatever else stands in the letter.

    It takes a context as what `_saying` returns: else templates would be compiled otherwise.
    """

    @pass_context
    def say(context: Context, reason: Phrase | str) -> str:
        return book.say(reason)

    return say


@pass_context
def _said(context: Context, code: str, **facts: Fact) -> str:
    """Return a phrase that a template names by its code, by the tables of its own system: what
    is included for another game shares the globals of the letter, but not its system."""
    return str(context.environment.filters["say"](context, Phrase(code, facts)))


@pass_context
def _shared(context: Context, name: str, **facts: object) -> str:
    """Return a shared part, from the templates of the system that the present template is of.

    What is included for another game has the globals of the letter, but its own environment.
    """
    parts: Shared = getattr(context.environment, "parts")
    return parts(name, **facts)


def _finished(value: object) -> str:
    """Return what is printed in place of a value."""
    return cleaned(value) if isinstance(value, str) else str(value)


def _finished_in_html(value: object) -> object:
    """Return what is printed in place of a value; what is HTML already was cleaned before."""
    if isinstance(value, str) and not hasattr(value, "__html__"):
        return cleaned(value).replace(VERBATIM, "")
    return value


def _press(body: str | tuple[str, ...] | list[str]) -> str:
    """Return what a player wrote to players, kept line by line as it was typed."""
    return verbatim(cleaned(body if isinstance(body, str) else "\n".join(body)))


def _press_in_html(body: str | tuple[str, ...] | list[str]) -> str:
    return _typeset(_press(body))


def _parting(book: Phrasebook) -> Callable[..., tuple[str, str, str]]:
    """Return what says phrases in three parts: `_parted`."""
    say = _saying(book)

    @pass_context
    def parted(context: Context, reason: Phrase) -> tuple[str, str, str]:
        return _parted(say(context, reason), reason)

    return parted


def _parted(said: str, reason: Phrase) -> tuple[str, str, str]:
    """Return what stands before the sentence that holds the fact `cited`, that one, and the rest.

    >>> from judge.model.phrase import phrase
    >>> _parted("It came back. It said: no. Good.", phrase("said", cited="no"))
    ('It came back.', 'It said: no.', 'Good.')
    """
    words = reason.facts.get("cited")
    if words is None:
        return "", "", said
    before, found, after = said.partition(str(words))
    stop = after[:1] if after.startswith((".", "!", "?")) else ""
    lead, end, begun = before.rpartition(". ") if found else ("", "", before)
    return (lead + end).strip(), begun + found + stop, after.removeprefix(stop).strip()


def _cited(body: str | tuple[str, ...] | list[str], indent: int = 0) -> str:
    """Return what somebody else wrote, for a letter that may be answered with commands."""
    text = cleaned(body if isinstance(body, str) else "\n".join(body))
    return verbatim(cited(text.replace(VERBATIM, ""), indent))


def _cited_in_html(body: str | tuple[str, ...] | list[str], indent: int = 0) -> str:
    return _typeset(_cited(body, indent))


def _in_english(is_foreign: bool, text: str) -> str:
    """Return a row of a letter, with the sign that it is English where the letter is not."""
    if not is_foreign:
        return text
    return text.replace(BREAK, BREAK + ENGLISH, 1) if text.startswith(BREAK) else ENGLISH + text


def _typed(text: str) -> str:
    """Return a text whose unbroken blanks hold in HTML too."""
    return unglued(text, NO_BREAK)


def _typeset(text: str) -> str:
    return Markup(typeset(text))


def _telling(text: Environment) -> Callable[..., str]:
    """Return what sets a template of texts as HTML: for pieces that need no page of their own."""

    @pass_context
    def told(context: Context, name: str | Template, **facts: Any) -> str:
        # What a page calls itself, its `shared` among it, would set what is text as a page.
        known = {**context.get_all(), **text.globals, **facts}
        return _typeset(text.get_template(name).render(known))

    return told


def mailto(address: str, subject: str, lines: list[str]) -> str:
    """Return a link that opens a letter with these lines in it.

    >>> mailto("judge@example.org", "marco S1901M", ["SIGNON Nmarco ?", "A DEL "])
    'mailto:judge@example.org?subject=marco%20S1901M&body=SIGNON%20Nmarco%20%3F%0D%0AA%20DEL%20'
    """
    body = quote("\r\n".join(map(cleaned, lines)), safe="")
    return f"mailto:{quote(address, safe='@')}?subject={quote(subject, safe='')}&body={body}"


def loader(system: str, language: str = "") -> BaseLoader:
    """Return what finds a template by name: the system's own, else the common one."""
    folders = folders_of(system, language)

    def load(name: str) -> str:
        for folder in folders:
            path = folder / name
            if path.is_file():
                return marked(path.read_text(encoding="utf-8"))
        raise TemplateNotFound(name)

    return FunctionLoader(load)
