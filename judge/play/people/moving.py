"""A seat's address changed by mail: the new address must say yes.

Then the seat's letters go there and every older token is dead. The old address is told, and can
undo it for seven days, whatever happened to the password meanwhile; undoing ends the password too,
for whoever moved the seat may have chosen it.
"""

import re

_ADDRESS = re.compile(
    r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*"
    r"@[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?)*"
)


def read_address(text: str, judge: str) -> str:
    """Return the address a person may move to, or nothing: it is none, or the judge's own.

    >>> read_address("<Ann@Example.org>", "judge@example.org")
    'Ann@example.org'
    >>> read_address("judge+x@example.org", "judge@example.org"), read_address("ann", "")
    ('', '')
    """
    bare = text.strip("<>.,;")
    if len(bare) > 254 or not _ADDRESS.fullmatch(bare):
        return ""
    local, _, domain = bare.rpartition("@")
    own, _, host = judge.lower().rpartition("@")
    if len(local) > 64 or (domain.lower() == host and local.lower().startswith(own)):
        return ""
    return f"{local}@{domain.lower()}"
