"""Lines that take an order off file: `CANCEL A Par - Bur`, `WITHDRAW A Par`, `no inf 3`."""

import re

_LINE = re.compile(
    r"\s*(?P<power>[^\W\d_][^:]{0,20}:)?\s*(?:please\s+)?"
    r"(?:withdraw|cancel|drop|delete|undo|forget|no(?!\s+proxy\b)|unorder)\s+(?:(?:my|the)\s+)?"
    r"(?:orders?\s+(?:(?:of|for|to)\s+)?(?:(?:my|the)\s+)?)?(?P<order>\S.*?)[\s.!]*",
    re.IGNORECASE,
)
_SURELY = re.compile(r"\s*(?:please\s+)?(?:withdraw|cancel|unorder)\s", re.IGNORECASE)
_MAX_WORDS = 5
_MAX_CHARS = 300
"""Characters of a line that is looked at; no order is as long."""


def means_withdrawal(line: str) -> bool:
    """Return whether a line that names no order the game knows means to take one off file.

    >>> means_withdrawal("cancel A Prs"), means_withdrawal("No problem"), means_withdrawal("hi")
    (True, False, False)
    """
    if len(line) > _MAX_CHARS:
        return False
    return bool(_SURELY.match(line)) and len(line.split()) <= _MAX_WORDS


def order_withdrawn(line: str) -> str:
    """Return what a line would take off file: an order or a unit, as it was typed.

    Empty for a line that begins with no such word. What it names may be no order at all.

    >>> order_withdrawn("withdraw a par-bur"), order_withdrawn("Cancel my order for A Par.")
    ('a par-bur', 'A Par')
    >>> order_withdrawn("France: cancel A Par")
    'France: A Par'
    >>> order_withdrawn("A Par - Bur"), order_withdrawn("No, thanks"), order_withdrawn("WITHDRAW")
    ('', '', '')
    """
    found = _LINE.fullmatch(line) if len(line) <= _MAX_CHARS else None
    return f"{found['power'] or ''} {found['order']}".strip() if found else ""
