"""The page on which a player points at units and gets a mail with order lines.

It is one file without any request: board, style, script and legal orders are part of it. Its
Content-Security-Policy allows only this script and style, by their hashes. It contains nothing
that its game hides, no address of a person and no token.
"""

import json
import re
from base64 import b64encode
from collections.abc import Mapping
from datetime import datetime
from hashlib import sha256
from typing import NamedTuple

from markupsafe import Markup

from judge.drawing import colours
from judge.drawing.layout import ProvinceDrawing
from judge.drawing.svg import named_svg
from judge.errors import DataError
from judge.languages import ENGLISH, letter_languages
from judge.model.phrase import Phrase
from judge.phrases import Phrasebook, folders_of, phrasebook
from judge.site.pages import environment_of

_CODE = re.compile("order-page-([a-z-]+)")
"""Code of a sentence of the page."""
_COLOURS = ("INK", "MOVE", "SUPPORT", "CONVOY", "RETREAT", "NEW", "FAILED")
"""Colours of the board that the style of the page uses."""


class OrderPageFacts(NamedTuple):
    """Facts of one order page."""

    system: str
    judge: str
    address: str
    """Address that the mail goes to."""
    game: str
    signons: Mapping[str, str]
    """Word after SIGNON for each letter of a power."""
    titles: tuple[Phrase, ...]
    """Name of the phase in parts."""
    powers: tuple[str, ...]
    deadline: datetime | None
    values: Mapping[str, object]
    """Values of the game system."""
    language: str = ""
    """Language in which the page begins, or "" for that of the browser."""


def render_order_page(
    facts: OrderPageFacts, drawing: ProvinceDrawing, *, is_coarse: bool = False
) -> bytes:
    """Return the order page of a game, with simpler outlines if *is_coarse*."""
    style = f":root {{{_colour_rules()}}}\n{_read(facts.system, 'order.css')}"
    script = _read(facts.system, "order.js")
    policy = (
        f"default-src 'none'; style-src '{_hash(style)}'; script-src '{_hash(script)}'; "
        "base-uri 'none'; form-action 'none'"
    )
    code = "" if facts.language == ENGLISH else facts.language
    texts = _sentences(phrasebook(facts.system, code))
    template = environment_of(facts.system).get_template("page-order.page")
    return template.render(
        policy=policy, language=facts.language or ENGLISH,
        style=Markup(style), script=Markup(script), data=Markup(_data(facts)),
        board=Markup(named_svg(drawing, facts.game, is_coarse=is_coarse)), judge=facts.judge,
        game=facts.game, phase=facts.values["phase"], texts=texts,
    ).encode("utf-8", "replace")


def _data(facts: OrderPageFacts) -> str:
    """Return the values of the script as JSON that no HTML can end."""
    books = {code or ENGLISH: phrasebook(facts.system, code) for code in letter_languages()}
    values = {
        **facts.values,
        "game": facts.game,
        "language": facts.language,
        "to": facts.address,
        "signons": facts.signons,
        "until": facts.deadline.isoformat() if facts.deadline else "",
        "title": {code: ", ".join(map(book.render, facts.titles)) for code, book in books.items()},
        "names": {
            code: {name: book.power_name(name) for name in facts.powers}
            for code, book in books.items()
        },
        "texts": {code: _sentences(book) for code, book in books.items()},
    }
    text = json.dumps(values, ensure_ascii=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def _sentences(book: Phrasebook) -> dict[str, str]:
    """Return the sentences of the page, for the script to fill in their facts."""
    return {
        found[1]: sentence
        for code, sentence in book.sentences.items()
        if (found := _CODE.fullmatch(code))
    }


def _colour_rules() -> str:
    return "; ".join(f"--board-{name.lower()}: {getattr(colours, name)}" for name in _COLOURS)


def _read(system: str, name: str) -> str:
    """Return a file of the texts of a system.

    Raises:
        DataError: the system has no such file.
    """
    for folder in folders_of(system):
        if (folder / name).is_file():
            return (folder / name).read_text("utf-8")
    raise DataError(f"{system} has no {name}")


def _hash(text: str) -> str:
    """Return the source expression of an inline script or style."""
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"
