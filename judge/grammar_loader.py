"""Lark grammars, loaded by name from the package `judge.grammar` or another.

A grammar is data: it ships with the code and is read through `importlib.resources`, so that a
wheel, an editable install and a checkout all find it.
"""

import re
from functools import cache
from importlib.resources import files

from lark import Lark
from lark.exceptions import LarkError
from lark.lexer import PatternStr

from judge.errors import DataError


@cache
def load_grammar(
    name: str, more: tuple[str, ...] = (), package: str = "judge.grammar", **options: object
) -> Lark:
    """Return the LALR parser of a grammar, cached for each set of options.

    `more` is appended to its text. `package` is the package with the grammar's file: a game system
    has its own. `options` are Lark's (`start`, `lexer`, `propagate_positions` …).

    Raises:
        DataError: there is no such grammar, or Lark rejects it.
    """
    return parser_of(name, "\n".join((_text_of(name, package), *more)), **options)


def _text_of(name: str, package: str) -> str:
    try:
        return files(package).joinpath(f"{name}.lark").read_text("utf-8")
    except (OSError, ImportError, UnicodeDecodeError) as fault:
        raise DataError(f"grammar {name}: cannot be read: {fault}") from fault


_RULE = re.compile(r"^([a-z]\w*):", re.MULTILINE)


@cache
def rules_of(name: str, package: str = "judge.grammar") -> frozenset[str]:
    """Return the names of a grammar's rules that appear in its trees.

    Raises:
        DataError: there is no such grammar.
    """
    return frozenset(_RULE.findall(_text_of(name, package)))


def parser_of(name: str, text: str, **options: object) -> Lark:
    """Build the parser of a grammar text.

    `name` is for the error message only.

    >>> parser_of("toy", 'start: "a"+').parse("aa").data
    Token('RULE', 'start')

    Raises:
        DataError: Lark rejects the text.
    """
    settings: dict[str, object] = {"parser": "lalr", **options}
    try:
        return Lark(text, **settings)
    except LarkError as fault:
        raise DataError(f"grammar {name}: {fault}") from fault


_SIGN = re.compile(r"(?:[^\W_]|\\\W|-)(?![?*+{])")
"""The first character of a pattern that always begins with the same one."""


@cache
def start_pattern(name: str, more: tuple[str, ...] = ()) -> re.Pattern[str]:
    """Return a pattern for the first words of a grammar's texts, longest first.

    A word given as a plain string must not continue as a longer one; a terminal with a pattern of
    its own defines its end itself. Case is ignored.
    """
    parser = load_grammar(name, more)
    patterns = []
    for terminal in parser.parse_interactive("").accepts():  # type: ignore[no-untyped-call]
        pattern = parser.get_terminal(terminal).pattern
        if isinstance(pattern, PatternStr):
            patterns.append(re.escape(pattern.value) + r"(?![\w@'’-])")
        else:
            patterns.append(pattern.value)
    return re.compile(_by_letter(sorted(patterns, key=len, reverse=True)), re.IGNORECASE)


def _by_letter(patterns: list[str]) -> str:
    """Return an alternation of patterns, grouped by first character for speed.

    A lookahead skips each group at once. The precedence of the patterns is unchanged.

    >>> _by_letter(["set", "sign", "list", "(a|s)", "s"])
    '(?=s)(?:set|sign)|(?=l)(?:list)|(a|s)|(?=s)(?:s)'
    """
    told: list[str] = []
    groups: dict[str, list[str]] = {}
    for pattern in [*patterns, ""]:
        if sign := _SIGN.match(pattern):
            groups.setdefault(sign[0].lower(), []).append(pattern)
            continue
        told += [f"(?={sign})(?:{'|'.join(group)})" for sign, group in groups.items()]
        told += [pattern] if pattern else []
        groups = {}
    return "|".join(told)
