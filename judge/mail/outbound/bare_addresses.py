"""Letters through a provider that delivers no mail to sub-addresses.

Stored letters name sub-addresses with reply tokens. These would not arrive, so a letter that is
sent has the bare address. Its reply is recognised by the Message-ID of the letter it answers.
"""

import re
from functools import lru_cache
from urllib.parse import quote

_REFERENCES = re.compile(rb"^references:[^\r\n]*(?:\r\n[ \t][^\r\n]*)*", re.I | re.M)
_UNSUBSCRIBE = re.compile(rb"^(list-unsubscribe:\s*<mailto:[^>\s]*)(?=>)", re.I | re.M)


def use_bare_address(
    message: bytes, message_id: str, game: str, address: str, separator: str
) -> bytes:
    """Return a letter with the judge's bare address in place of its sub-addresses.

    Its own Message-ID is added to References, because some providers replace the Message-ID. A
    program that unsubscribes by mail names the *game*, as the address no longer does.

    >>> raw = b"Reply-To: judge+x7@x.org\\r\\n\\r\\nbody\\r\\n"
    >>> use_bare_address(raw, "<1@x.org>", "", "judge@x.org", "+")
    b'Reply-To: judge@x.org\\r\\nReferences: <1@x.org>\\r\\n\\r\\nbody\\r\\n'
    """
    head, blank, body = message.partition(b"\r\n\r\n")
    head = _sub_address(address, separator).sub(address.encode("ascii"), head)
    if game:
        line = f"&body={quote(f'UNSUBSCRIBE {game}')}".encode("ascii")
        head = _UNSUBSCRIBE.sub(lambda found: found[1] + line, head)
    own = message_id.encode("ascii")
    if (found := _REFERENCES.search(head)) is not None:
        head = head[:found.end()] + b"\r\n " + own + head[found.end():]
    else:
        head += b"\r\nReferences: " + own
    return head + blank + body


@lru_cache(maxsize=4)
def _sub_address(address: str, separator: str) -> re.Pattern[bytes]:
    local, _, host = address.rpartition("@")
    name, domain = (re.escape(one.encode("ascii")) for one in (local + separator, host))
    return re.compile(rb"(?<![^\s<:\"(,;])" + name + rb"[A-Za-z0-9]+@" + domain, re.IGNORECASE)
