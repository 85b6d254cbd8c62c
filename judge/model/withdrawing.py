"""Lines that delete an order on file, such as `CANCEL A Par - Bur` or `no inf 3`."""

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
"""Maximum characters of a line that is examined. No order is as long."""


def means_withdrawal(line: str) -> bool:
    """Return whether a line without a known order is meant to delete one on file.

    >>> means_withdrawal("cancel A Prs"), means_withdrawal("No problem"), means_withdrawal("hi")
    (True, False, False)
    """
    if len(line) > _MAX_CHARS:
        return False
    return bool(_SURELY.match(line)) and len(line.split()) <= _MAX_WORDS


def order_withdrawn(line: str) -> str:
    """Return the order or unit that a line would delete from file, as typed.

    Empty for a line that begins with no such word. The text need not be an order.

    >>> order_withdrawn("withdraw a par-bur"), order_withdrawn("Cancel my order for A Par.")
    ('a par-bur', 'A Par')
    >>> order_withdrawn("France: cancel A Par")
    'France: A Par'
    >>> order_withdrawn("A Par - Bur"), order_withdrawn("No, thanks"), order_withdrawn("WITHDRAW")
    ('', '', '')
    """
    found = _LINE.fullmatch(line) if len(line) <= _MAX_CHARS else None
    return f"{found['power'] or ''} {found['order']}".strip() if found else ""
