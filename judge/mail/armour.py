"""Takes off what PGP and uuencode put around a text; what belongs to them alone is no text."""

import re
from collections.abc import Sequence

from judge.mail.markup import Mark

PGP_BEGIN = "-----BEGIN PGP SIGNED MESSAGE-----"
PGP_SIGNATURE = "-----BEGIN PGP SIGNATURE-----"
PGP_MESSAGE = "-----BEGIN PGP MESSAGE-----"

UU_BEGIN = re.compile(r"begin [0-7]{3} \S")
UU_LINE = re.compile(r"begin |end$|[ -`]{1,62}$")
"""What a file in the text (uuencode) consists of: no small letters but in its first and last line.
"""

TextLine = tuple[str, Mark]


def without_armour(part: Sequence[TextLine]) -> list[TextLine]:
    """Undo the dashes of a signed text (RFC 9580, 7.2); mark what belongs to PGP only, and files
    in the text."""
    lines: list[TextLine] = []
    state = "outside"
    for text, mark in part:
        line = text.rstrip()
        if line == PGP_BEGIN:
            state = "headers"
        elif line == PGP_SIGNATURE and state == "text":
            state = "signature"
        elif line == PGP_MESSAGE and state == "outside":
            state = "message"
        elif state == "outside" and UU_BEGIN.match(line):
            state = "file"
        elif state == "file" and not UU_LINE.match(text):
            state = "outside"
        if state in ("headers", "signature", "file", "message"):
            lines.append((text, Mark.SIGNATURE))
        else:
            lines.append((text[2:] if state == "text" and text.startswith("- ") else text, mark))
        if state == "headers" and not line:
            state = "text"
        elif state == "signature" and line == PGP_SIGNATURE.replace("BEGIN", "END"):
            state = "outside"
        elif state == "message" and line == PGP_MESSAGE.replace("BEGIN", "END"):
            state = "outside"
        elif state == "file" and line == "end":
            state = "outside"
    return lines
