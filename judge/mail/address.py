"""Parsing of addresses, and the judge's own addresses with their details."""

import re

ADDRESS = re.compile(
    r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~.-]{1,128}@"
    r"(?:[A-Za-z0-9][A-Za-z0-9-]{0,62}(?:\.[A-Za-z0-9-]{1,63}){0,30}|\[[0-9A-Fa-f.:IPv]{3,60}\])"
)
MAX = 2000
"""Maximum characters of a header that are searched for addresses."""


def normalize(address: str) -> str:
    """Return an address with its domain in lower case, or empty if it is unusable.

    An address is unusable if the judge could not write to it.

    >>> normalize("Ann.Example@EXAMPLE.org")
    'Ann.Example@example.org'
    >>> normalize("ann@example.org\\r\\nBcc: bob@example.org")
    ''
    """
    if not ADDRESS.fullmatch(address):
        return ""
    local, _, domain = address.rpartition("@")
    return f"{local}@{domain.lower()}"


def addresses(header: str) -> list[str]:
    """Return the addresses of a From header, without names, comments and groups.

    See RFC 5322, 3.4. A name that looks like an address is not one.

    >>> addresses('"bob@example.org" <ann@Example.org>, (me) eve@example.org (Eve)')
    ['ann@example.org', 'eve@example.org']
    >>> addresses("undisclosed-recipients:;")
    []
    """
    found = []
    for entry in _entries(header[:MAX]):
        start = entry.rfind("<")
        if start >= 0:
            entry = entry[start + 1:].partition(">")[0]
        entry = entry.rpartition(":")[2] if ":" in entry and "[" not in entry else entry
        address = normalize("".join(entry.split()))
        if address:
            found.append(address)
    return found


def count_authors(header: str) -> int:
    """Return the number of authors in a From header, with usable addresses or not.

    >>> (count_authors('"bob, eve" <ann@example.org>'),
    ...  count_authors("ann@example.org, jö@ü.example"))
    (1, 2)
    """
    if len(header) > MAX:
        # The part that is not searched may contain other authors.
        return 2
    return sum(max(1, each.count("<")) for each in _entries(header) if "@" in each)


def _entries(header: str) -> list[str]:
    """Split a list of addresses at its commas, without quoted names and comments."""
    entries = [""]
    depth, quoted, escaped = 0, False, False
    for char in header:
        if escaped:
            escaped = False
        elif char == "\\":
            escaped = True
        elif char == '"' and not depth:
            quoted = not quoted
        elif quoted:
            continue
        elif char == "(":
            depth += 1
        elif char == ")":
            depth = max(depth - 1, 0)
        elif depth:
            continue
        elif char in ",;":
            entries.append("")
        else:
            entries[-1] += char
    return entries


class JudgeAddresses:
    """The addresses that belong to this judge.

    >>> ours = JudgeAddresses("judge@example.org", "keeper@example.org", detail="+")
    >>> ours.is_local("Judge+x7@EXAMPLE.org"), ours.detail_of("judge+x7@example.org")
    (True, 'x7')
    >>> ours.is_local("postmaster"), ours.is_local("judy@example.org")
    (True, False)

    The judge's own name may contain the separator of a detail.

    >>> mine = JudgeAddresses("me+judge@example.org")
    >>> mine.detail_of("me+judge+x7@example.org"), mine.is_local("me@example.org")
    ('x7', False)
    """

    def __init__(self, judge: str, keeper: str = "", detail: str = "+") -> None:
        self.judge = judge
        self.keeper = keeper
        self.detail = detail
        self._local, _, self._domain = judge.lower().rpartition("@")
        self._local = self._local or self._domain
        domain = f"@{self._domain}"
        self._keepers = {keeper.lower(), "postmaster", "postmaster" + domain} - {""}

    def is_local(self, address: str) -> bool:
        """Return whether the judge accepts mail for an address (else: 550)."""
        return self.is_judge(address) or self.is_operator(address)

    def is_operator(self, address: str) -> bool:
        """Return whether an address is the operator's or postmaster (RFC 5321, 4.5.1)."""
        return address.lower() in self._keepers and not self.is_judge(address)

    def is_judge(self, address: str) -> bool:
        """Return whether an address is the judge's own or a sub-address of it."""
        return self._find_detail(address) is not None

    def detail_of(self, address: str) -> str:
        """Return the detail of a sub-address of the judge as written, empty for others."""
        return self._find_detail(address) or ""

    def _find_detail(self, address: str) -> str | None:
        """Return the detail of an address, empty without one.

        Return None if the address is not the judge's.
        """
        local, _, domain = address.rpartition("@")
        name, rest = local[:len(self._local)], local[len(self._local):]
        if (name.lower(), domain.lower()) != (self._local, self._domain):
            return None
        if not rest:
            return ""
        is_detail = self.detail and rest.startswith(self.detail)
        return rest[len(self.detail):] if is_detail else None
