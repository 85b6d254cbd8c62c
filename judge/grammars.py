"""The languages of the judge, loaded by name from the package `judge.grammar` or another.

A grammar is data: it ships beside the code and is read through `importlib.resources`, so that a
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
    """Return the LALR parser of a grammar, made once for each set of options.

    `more` stands below it, as if it were written there. `package` is the one whose folder the
    grammar lies in: a game system brings its own. `options` are Lark's own (`start`, `lexer`,
    `propagate_positions` …).

    Raises:
        DataError: there is no such grammar, or Lark finds a fault in it.
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
    """Return the names of the rules of a grammar, those that leave a name in a tree.

    Raises:
        DataError: there is no such grammar.
    """
    return frozenset(_RULE.findall(_text_of(name, package)))


def parser_of(name: str, text: str, **options: object) -> Lark:
    """Make the parser of a grammar text; `name` is for the message only.

    >>> parser_of("toy", 'start: "a"+').parse("aa").data
    Token('RULE', 'start')

    Raises:
        DataError: Lark finds a fault in it.
    """
    settings: dict[str, object] = {"parser": "lalr", **options}
    try:
        return Lark(text, **settings)
    except LarkError as fault:
        raise DataError(f"grammar {name}: {fault}") from fault


_SIGN = re.compile(r"(?:[^\W_]|\\\W|-)(?![?*+{])")
"""The sign that a pattern begins with, if it begins with just one."""


@cache
def beginnings(name: str, more: tuple[str, ...] = ()) -> re.Pattern[str]:
    """Return a pattern for what can begin a text of a grammar, longest first, as whole words.

    A word given as a plain string must not go on as a longer one; a terminal with a pattern of
    its own says itself where it ends. Case does not matter.
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
    """Return a pattern for any of some, in groups that their first sign lets pass over at once.

    What comes first among those that may match stays first.

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
