"""Authentication-Results (RFC 8601): the mail server's verdict on a sender.

Only headers of the one server named by the operator are trusted, as anyone may write such headers
into a mail. That server removes headers that claim to be its own (RFC 8601, 5). If one passes all
the same, a "fail" next to it still counts, so that a forged header is useless. Text that an
attacker can make that server write (a name in a greeting, a quoted local part) may make a header
unreadable. An unreadable header of that server therefore counts as a "fail" too.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

from authres import AuthenticationResultsHeader, AuthResError

from judge.dice import new_seed
from judge.mail.address import addresses, count_authors
from judge.mail.inbound.mime import MAX_VALUE

_LOOSE = {ord(char): "_" for char in ":<>[],"}
"""Characters read as letters, since some servers write them unquoted.

They separate nothing in the header. They come from IPv6 addresses, the empty sender and
international names.
"""


class AuthResult(NamedTuple):
    """DMARC verdict of one header, and the From domain it is about, if given."""

    verdict: str
    domain: str


UNREADABLE = AuthResult("fail", "")
_END = f"end-{new_seed().hex()[:16]}"
"""Unguessable result, appended to a server's header before parsing.

If it is not read, an open quote or comment before it has swallowed the rest, which the parser
accepts.
"""
MAX = 2 * MAX_VALUE
"""Maximum characters of all headers of one server, to bound the cost of parsing."""


def is_forged(headers: Sequence[str], trusted: str, writers: Sequence[str], sender: str) -> bool:
    """Return whether a mail is known not to be from its stated sender.

    *writers* are its From lines. More than one author is forged, whichever result a server gives,
    as it does not name the author it checked (RFC 7489, 6.6.1). With a trusted server, a mail is
    also forged in these cases: its sender is not in its From lines (the server had nothing to
    check), DMARC failed, or DMARC passed for another domain than the sender's. Without a result
    there is no verdict.

    >>> mx, ann = "mx.example.org", "a@x.org"
    >>> is_forged(["mx.example.org; dmarc=fail header.from=x.org"], mx, ["Ann <a@x.org>"], ann)
    True
    >>> is_forged(["mx.elsewhere.org; dmarc=fail"], mx, ["a@x.org"], ann)
    False
    >>> is_forged([], "", ["a@x.org, e@x.org"], ann), is_forged([], mx, [], ann)
    (True, True)
    """
    if len(writers) > 1 or any(count_authors(line) > 1 for line in writers):
        return True
    if not trusted:
        return False
    believed = [text for text in headers if _is_by(text, trusted.lower())]
    named = [address for line in writers for address in addresses(line)]
    if sender not in named or sum(map(len, believed)) > MAX:
        return True
    domain = sender.rpartition("@")[2].lower()
    return any(
        "fail" in vouched.verdict
        or vouched.verdict == "pass" and vouched.domain not in ("", domain)
        for text in believed for vouched in parse_dmarc(text)
    )


def parse_dmarc(text: str) -> list[AuthResult]:
    """Return the DMARC results of a header.

    >>> parse_dmarc("mx.org 1; spf=pass (x; y); dmarc=pass header.from=X.org")
    [AuthResult(verdict='pass', domain='x.org')]
    >>> parse_dmarc('mx.org; spf=fail smtp.mailfrom="a@x.org; dmarc=pass') == [UNREADABLE]
    True
    """
    if len(text) >= MAX_VALUE:
        # Its end was cut off when the mail was parsed.
        return [UNREADABLE]
    # Some servers end the last result with a semicolon as they end the others.
    loose = text.translate(_LOOSE).rstrip("; \t")
    loose = "".join(char if char.isascii() else "_" for char in loose)
    if loose.lower() == server_of(text) or _parse_results(loose) == []:
        return []
    results = _parse_results(f"{loose}; {_END}=none")
    if not results or results[-1].method != _END:
        return [UNREADABLE]
    return [
        AuthResult(result.result, _domain(result.properties))
        for result in results if result.method == "dmarc"
    ]


def _parse_results(text: str) -> Sequence[Any] | None:
    """Return the results in a header (empty for "none"), or None if it is malformed."""
    try:
        return AuthenticationResultsHeader.parse_value(text).results  # type: ignore[no-any-return]
    except (AuthResError, RecursionError):
        return None


def _is_by(text: str, trusted: str) -> bool:
    """Return whether a header is, or may be, from the trusted server.

    A header without a clear server may be, if it contains the trusted name.
    """
    server = server_of(text)
    return server == trusted or not server and trusted in text.lower()


def server_of(text: str) -> str:
    """Return the server that wrote a header, in lower case.

    It is the first word, or empty if that is unclear.

    >>> server_of("(a (b; c)) MX.org 1; dmarc=pass"), server_of("(mx.org"), server_of('"mx.org"; x')
    ('mx.org', '', '')
    """
    depth, escaped, word = 0, False, ""
    for char in text:
        if escaped:
            escaped = False
        elif depth and char == "\\":
            escaped = True
        elif word and char in "(; \t":
            break
        elif char == "(":
            depth += 1
        elif depth and char == ")":
            depth -= 1
        elif not depth and char not in " \t":
            word += char
    return "" if depth or '"' in word else word.lower()


def _domain(properties: Sequence[Any]) -> str:
    """Return the From domain that a result is about, or an empty string."""
    named = (str(each.value) for each in properties if (each.type, each.name) == ("header", "from"))
    return next(named, "").rpartition("@")[2].lower().rstrip(".")
