"""What makes two deliveries the same letter.

A sender that did not hear our 250 sends again (RFC 5321, 4.5.4.1), with other trace headers. The
Message-ID alone is no proof that it is the same letter, so what it says is counted in.
"""

import hashlib
import re

COUNTED = (b"message-id", b"from", b"to", b"subject")
HEADER = re.compile(rb"^([!-9;-~]+)[ \t]*:(.*(?:\r?\n[ \t].*)*)", re.MULTILINE)
END = re.compile(rb"\r?\n\r?\n")


def digest(raw: bytes) -> str:
    """Return what is the same for repeated deliveries of one letter; empty without a Message-ID.

    >>> once = digest(b"Message-ID: <1@x>\\r\\nFrom: ann@x\\r\\n\\r\\nA Par H\\r\\n")
    >>> again = digest(b"Received: by y\\nMessage-Id:\\n <1@x>\\nFrom: ann@x\\n\\nA Par H\\n")
    >>> once == again
    True
    >>> digest(b"From: ann@x\\r\\n\\r\\nA Par H\\r\\n")
    ''
    """
    end = END.search(raw)
    head, body = (raw[:end.start()], raw[end.end():]) if end else (raw, b"")
    found: dict[bytes, bytes] = {}
    for header in HEADER.finditer(head):
        name = header[1].lower()
        if name in COUNTED:
            found.setdefault(name, b" ".join(header[2].split()))
    if not found.get(b"message-id"):
        return ""
    hashed = hashlib.sha256()
    for name in COUNTED:
        hashed.update(found.get(name, b"") + b"\n")
    hashed.update(b"\n".join(body.rstrip().splitlines()))
    return hashed.hexdigest()


def headers_of(raw: bytes) -> bytes:
    """Return a message without its body, and without lines above it that are no header.

    >>> headers_of(b"From: ann@x\\r\\nhello\\r\\n\\r\\nSIGNON Nmarco secret\\r\\n")
    b'From: ann@x\\r\\n\\r\\n'
    """
    head = END.split(raw, maxsplit=1)[0]
    return b"".join(header[0].rstrip(b"\r") + b"\r\n" for header in HEADER.finditer(head)) + b"\r\n"
