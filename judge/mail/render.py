"""Letters turned into messages: templates filled, laid out, and given their headers.

A template is looked for in the folder of the letter's game system, then in `common`. Facts,
whoever wrote them, are only ever printed, never read as templates.
"""

from collections.abc import Callable
from datetime import datetime
from importlib.resources import files

from jinja2 import (
    BaseLoader,
    Environment,
    FunctionLoader,
    StrictUndefined,
    TemplateError,
    TemplateNotFound,
)

from judge.errors import DataError
from judge.mail.compose import Headers, compose
from judge.mail.instants import instant, span, when
from judge.mail.layout import cleaned, prose, tidied, unbroken, verbatim, wrapped
from judge.phrases import joined, phrasebook
from judge.words.letter import Letter

COMMON = "common"
TEMPLATES = files("judge.mailtemplates")
NAMELESS = "-"
"""What a letter answers when it answers a mail without a Message-ID."""

_SPECIAL = str.maketrans("", "", '"\\()<>[]:;@,')
"""What may not stand in a name before an address unless it is quoted (RFC 5322, 3.2.3)."""


class Renderer:
    """Fills templates for one judge, known by its name and address."""

    def __init__(self, name: str, address: str, detail: str = "+") -> None:
        self._judge = {"name": name, "address": address}
        self._local, _, self._host = address.rpartition("@")
        self._detail = detail
        self._sender = f"{name.translate(_SPECIAL)} <{address}>".strip()
        self._environments: dict[str, Environment] = {}

    def text(self, letter: Letter) -> str:
        """Return the text of a letter, at most 72 columns wide where words allow.

        Raises:
            DataError: its template is missing or faulty, or wants a fact that is not there.
        """
        environment = self._environment(letter.system)
        try:
            template = environment.get_template(f"{letter.template}.txt")
            return tidied(template.render({"judge": self._judge, **letter.facts}))
        except (TemplateError, TypeError) as fault:
            raise DataError(f"letter {letter.template!r}: {fault!r}") from fault

    def message(self, letter: Letter, now: datetime, message_id: str) -> bytes:
        """Return a letter as a finished message."""
        return compose(self._headers(letter, now, message_id), self.text(letter))

    def check(self) -> None:
        """Read every template of every folder.

        Raises:
            DataError: one cannot be read.
        """
        for folder in TEMPLATES.iterdir():
            if not folder.is_dir():
                continue
            for file in folder.iterdir():
                if file.name.endswith(".txt"):
                    try:
                        self._environment(folder.name).get_template(file.name)
                    except TemplateError as fault:
                        raise DataError(f"{folder.name}/{file.name}: {fault}") from fault

    def _headers(self, letter: Letter, now: datetime, message_id: str) -> Headers:
        answered = "" if letter.answers == NAMELESS else letter.answers
        root = f"<{letter.thread}@{self._host}>" if letter.thread else ""
        leave = f"<mailto:{self._sub(letter.unsubscribe)}?subject=UNSUBSCRIBE>"
        judge_headers = {
            "Game": letter.game,
            "Phase": letter.phase,
            "Power": letter.power,
            "Kind": letter.kind.value,
        }
        return Headers(
            sender=self._sender,
            to=letter.to,
            subject=letter.subject,
            message_id=message_id,
            date=now,
            reply_to=self._sub(letter.token),
            in_reply_to=answered,
            references=" ".join(filter(None, (root, answered))),
            list_id=f"<{letter.game}.{self._host}>" if letter.game else "",
            unsubscribe=leave if letter.unsubscribe else "",
            auto="auto-replied" if letter.answers else "auto-generated",
            judge={name: value for name, value in judge_headers.items() if value},
        )

    def _sub(self, detail: str) -> str:
        """Return our address with a detail, or bare."""
        return f"{self._local}{self._detail if detail else ''}{detail}@{self._host}"

    def _environment(self, system: str) -> Environment:
        """Return the environment of a game system; empty: of letters that belong to none."""
        if system not in self._environments:
            self._environments[system] = _make_environment(system)
        return self._environments[system]


def _make_environment(system: str) -> Environment:
    environment = Environment(
        loader=_loader(system),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        # A template that is included keeps its last line to itself.
        keep_trailing_newline=True,
        # Plain text: nothing in it needs escaping but control characters, which `finalize` drops.
        autoescape=False,
        auto_reload=False,
        finalize=lambda value: cleaned(value) if isinstance(value, str) else value,
    )
    filters: dict[str, Callable[..., str]] = {
        "say": phrasebook(system).say,
        "joined": joined,
        "wrapped": wrapped,
        "unbroken": unbroken,
        "prose": prose,
        "press": _press,
        "instant": instant,
        "when": when,
        "span": span,
    }
    environment.filters.update(filters)
    return environment


def _press(body: str | tuple[str, ...] | list[str]) -> str:
    """Return what a player wrote to players, kept line by line as it was typed."""
    return verbatim(cleaned(body if isinstance(body, str) else "\n".join(body)))


def _loader(system: str) -> BaseLoader:
    """Return what finds a template by name: the system's own, else the common one."""
    folders = [TEMPLATES / folder for folder in (system, COMMON) if folder]

    def load(name: str) -> str:
        for folder in folders:
            path = folder / name
            if path.is_file():
                return path.read_text(encoding="utf-8")
        raise TemplateNotFound(name)

    return FunctionLoader(load)
