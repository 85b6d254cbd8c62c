"""What the mail server before us says about a sender: Authentication-Results (RFC 8601).

Only a header of the one server the operator named is believed, for anybody may write such headers
into a mail. That server takes those away that claim to be its own (RFC 8601, 5); should one slip
through all the same, a "fail" beside it still counts, so that it wins nothing.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

LONGEST = 10_000
"""More of a header is not looked at."""

DEEPEST = 10
"""Comments inside comments."""

COMMENT = re.compile(r"\([^()]*\)")
QUOTED = re.compile(r'"((?:[^"\\]|\\.)*)"')
VERDICT = re.compile(r"\s*dmarc(?:\s*/\s*\d+)?\s*=\s*([a-z]+)\b(.*)", re.IGNORECASE | re.DOTALL)
HEADER_FROM = re.compile(r"\bheader\s*\.\s*from\s*=\s*(\S+)", re.IGNORECASE)


class Vouched(NamedTuple):
    """What one header says of DMARC: its verdict, and whose From it was about, if it tells."""

    verdict: str
    domain: str


def is_forged(headers: Sequence[str], trusted: str, senders: Sequence[str]) -> bool:
    """Tell whether the trusted server found that a mail is not from whom it says.

    That is so when DMARC failed, and when it passed for another domain than the one we would take
    for the sender's, or for one of several senders. No word of the server is no verdict.

    >>> is_forged(["mx.example.org; dmarc=fail header.from=x.org"], "mx.example.org", ["a@x.org"])
    True
    >>> is_forged(["mx.elsewhere.org; dmarc=fail"], "mx.example.org", ["a@x.org"])
    False
    """
    if not trusted:
        return False
    found = [vouched for text in headers for vouched in vouched_by(text, trusted)]
    if any(vouched.verdict == "fail" for vouched in found):
        return True
    passed = [vouched.domain for vouched in found if vouched.verdict == "pass"]
    domains = {sender.rpartition("@")[2].lower() for sender in senders}
    return bool(passed) and (
        len(set(senders)) > 1 or any(domain and domain not in domains for domain in passed)
    )


def vouched_by(text: str, trusted: str) -> list[Vouched]:
    """Return what a header says of DMARC, if it is the trusted server's.

    >>> vouched_by("mx.org 1; spf=pass (x; y); dmarc=pass header.from=X.org", "mx.org")
    [Vouched(verdict='pass', domain='x.org')]
    """
    text = text[:LONGEST]
    for _ in range(DEEPEST):
        text = COMMENT.sub(" ", text)
    # A quoted value keeps its characters but those that part one from the next.
    text = QUOTED.sub(lambda quoted: re.sub(r"[;\s=]", "_", quoted[1]), text)
    server, *results = text.split(";")
    if server.split()[:1] != [trusted] and server.lower().split()[:1] != [trusted.lower()]:
        return []
    verdicts = (VERDICT.match(result) for result in results)
    return [Vouched(found[1].lower(), _domain(found[2])) for found in verdicts if found]


def _domain(properties: str) -> str:
    found = HEADER_FROM.search(properties)
    return found[1].rpartition("@")[2].lower().rstrip(".") if found else ""
