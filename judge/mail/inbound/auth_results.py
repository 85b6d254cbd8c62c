"""Authentication-Results (RFC 8601): what the mail server before us says about a sender.

Only a header of the one server the operator named is believed, for anybody may write such headers
into a mail. That server takes those away that claim to be its own (RFC 8601, 5); should one slip
through all the same, a "fail" beside it still counts, so that it wins nothing. What a stranger can
have that server write (a name in a greeting, a local part in quotes) may make a header unreadable:
an unreadable header of that server counts as a "fail" too.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

from authres import AuthenticationResultsHeader, AuthResError

from judge.dice import fresh_seed
from judge.mail.address import addresses, how_many
from judge.mail.inbound.mime import LONGEST_VALUE

_LOOSE = {ord(char): "_" for char in ":<>[],"}
"""Part nothing from anything in the header, and servers write them bare: addresses of IPv6, the
empty sender, international names. Taken for letters, so that no mail is doubted for them."""


class AuthResult(NamedTuple):
    """What one header says of DMARC: its verdict, and whose From it was about, if it tells."""

    verdict: str
    domain: str


UNREADABLE = AuthResult("fail", "")
_END = f"end-{fresh_seed().hex()[:16]}"
"""A result of our own after a server's, which nobody can know: where it is not read, a quote or a
comment before it was left open and took the rest along, which the parser forgives."""
MOST = 2 * LONGEST_VALUE
"""Characters of all headers of one server; no mail is to cost more than reading these."""


def is_forged(
    headers: Sequence[str], trusted: str, writers: Sequence[str], sender: str
) -> bool:
    """Tell whether a mail is not from whom it says, as far as that can be known.

    `writers` are its From lines. More than one author is forged, whatever a server says: it does
    not say which of them it looked at (RFC 7489, 6.6.1). Where a server is trusted a mail that has
    its sender from elsewhere is so too, for the server had nothing to look at; so is one of which
    it says that DMARC failed, or that it passed for another domain than the sender's. No word of
    the server is no verdict.

    >>> mx, ann = "mx.example.org", "a@x.org"
    >>> is_forged(["mx.example.org; dmarc=fail header.from=x.org"], mx, ["Ann <a@x.org>"], ann)
    True
    >>> is_forged(["mx.elsewhere.org; dmarc=fail"], mx, ["a@x.org"], ann)
    False
    >>> is_forged([], "", ["a@x.org, e@x.org"], ann), is_forged([], mx, [], ann)
    (True, True)
    """
    if len(writers) > 1 or any(how_many(line) > 1 for line in writers):
        return True
    if not trusted:
        return False
    believed = [text for text in headers if _is_by(text, trusted.lower())]
    named = [address for line in writers for address in addresses(line)]
    if sender not in named or sum(map(len, believed)) > MOST:
        return True
    domain = sender.rpartition("@")[2].lower()
    return any(
        "fail" in vouched.verdict
        or vouched.verdict == "pass" and vouched.domain not in ("", domain)
        for text in believed for vouched in vouched_by(text)
    )


def vouched_by(text: str) -> list[AuthResult]:
    """Return what a header says of DMARC.

    >>> vouched_by("mx.org 1; spf=pass (x; y); dmarc=pass header.from=X.org")
    [AuthResult(verdict='pass', domain='x.org')]
    >>> vouched_by('mx.org; spf=fail smtp.mailfrom="a@x.org; dmarc=pass') == [UNREADABLE]
    True
    """
    if len(text) >= LONGEST_VALUE:
        # Its end was cut off when the mail was taken apart.
        return [UNREADABLE]
    # Some servers end the last result as they end the others.
    loose = text.translate(_LOOSE).rstrip("; \t")
    loose = "".join(char if char.isascii() else "_" for char in loose)
    if loose.lower() == server_of(text) or _parsed(loose) == []:
        return []
    results = _parsed(f"{loose}; {_END}=none")
    if not results or results[-1].method != _END:
        return [UNREADABLE]
    return [
        AuthResult(result.result, _domain(result.properties))
        for result in results if result.method == "dmarc"
    ]


def _parsed(text: str) -> Sequence[Any] | None:
    """Return the results in a header (none at all, where it says so), or None if it is faulty."""
    try:
        return AuthenticationResultsHeader.parse_value(text).results  # type: ignore[no-any-return]
    except (AuthResError, RecursionError):
        return None


def _is_by(text: str, trusted: str) -> bool:
    """Tell whether a header is the trusted server's, or may be: nobody can tell whose it is."""
    server = server_of(text)
    return server == trusted or not server and trusted in text.lower()


def server_of(text: str) -> str:
    """Return who wrote a header, in lower case: its first word; empty where that is unclear.

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
    """Return the domain of the From that a result is about, if it is named."""
    named = (
        str(each.value) for each in properties if (each.type, each.name) == ("header", "from")
    )
    return next(named, "").rpartition("@")[2].lower().rstrip(".")
