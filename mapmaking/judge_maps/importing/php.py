"""Reading of arrays in PHP source, which is never run."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from judge_maps.importing.draft import ImportFault

Scalar = str | int | float | None
"""A text or number, or None for anything that would have to be run."""
MAX_DEPTH = 20
_TOKEN = re.compile(
    r"(?P<comment>//[^\n]*|\#[^\n]*|/\*.*?(?:\*/|\Z))"
    r"|(?P<single>'(?:[^'\\]|\\.?)*(?:'|\Z))"
    r'|(?P<double>"(?:[^"\\]|\\.?)*(?:"|\Z))'
    r"|(?P<number>-?[0-9]{1,9}(?:\.[0-9]{1,9})?)"
    r"|(?P<word>\$?\w+)"
    r"|(?P<sign>=>|->|::|[^\s\w])", re.S,
)


@dataclass
class PhpArray:
    """An array: its values with their keys, None where there is no key."""

    name: str
    """Name of the variable it is assigned to, without "$", or empty."""
    closes: str
    is_call: bool = False
    """True for the arguments of a function, which are no array."""
    items: list[tuple[Scalar, "Scalar | PhpArray"]] = field(default_factory=list)
    key: Scalar = None
    value: "Scalar | PhpArray" = None
    is_filled: bool = False

    def end_item(self) -> None:
        """Store the value that was read."""
        if self.is_filled:
            self.items.append((self.key, self.value))
        self.key, self.value, self.is_filled = None, None, False

    @property
    def values(self) -> list["Scalar | PhpArray"]:
        """Return the values without their keys."""
        return [value for _, value in self.items]


class _Token(NamedTuple):
    kind: str
    text: str


def arrays_in(text: str) -> Iterator[PhpArray]:
    """Yield the outermost arrays of a source.

    Raises:
        ImportFault: arrays are nested too deep.
    """
    stack: list[PhpArray] = []
    words = ["", "", ""]
    for token in _tokens(text):
        if stack and token.text == stack[-1].closes:
            found = stack.pop()
            found.end_item()
            if not stack:
                yield found
            elif not found.is_call:
                stack[-1].value, stack[-1].is_filled = found, True
        elif token.text in ("(", "["):
            is_array = token.text == "[" or words[-1].lower() == "array"
            if stack or is_array:
                stack.append(_open_array(token.text, words, not is_array))
            if len(stack) > MAX_DEPTH:
                raise ImportFault(f"arrays of PHP are nested deeper than {MAX_DEPTH}")
        elif stack:
            _take(stack[-1], token)
        words = [*words[1:], token.text]


def _open_array(sign: str, words: list[str], is_call: bool) -> PhpArray:
    name, before = words[-3:-1] if sign == "(" else words[-2:]
    name = name.lstrip("$") if before == "=" else ""
    return PhpArray(name, ")" if sign == "(" else "]", is_call)


def _tokens(text: str) -> Iterator[_Token]:
    for found in _TOKEN.finditer(text):
        if found.lastgroup != "comment":
            yield _Token(found.lastgroup or "", found[0])


def _take(array: PhpArray, token: _Token) -> None:
    if token.text == ",":
        array.end_item()
    elif token.text == "=>":
        array.key = None if isinstance(array.value, PhpArray) else array.value
        array.value, array.is_filled = None, False
    elif token.kind in ("single", "double"):
        array.value, array.is_filled = re.sub(r"\\(['\"\\])", r"\1", token.text[1:-1]), True
    elif token.kind == "number":
        number = float(token.text)
        array.value = int(number) if number.is_integer() else number
        array.is_filled = True
    elif token.kind == "word" and token.text.lower() != "array":
        array.value, array.is_filled = None, True
