"""RTF, in which Outlook may write a mail: freed of its packing, and its text.

Its looks are of no interest here; groups that hold no text are left out, also the elements of HTML
that Outlook wraps in it (their text stands beside them).
"""

import re

from judge.mail.charsets import decode_text

MOST_TEXT = 1024 * 1024
# What stands in the window before the first octet, known to both sides.
_PRELOAD = (
    rb"{\rtf1\ansi\mac\deff0\deftab720{\fonttbl;}{\f0\fnil \froman \fswiss \fmodern "
    rb"\fscript \fdecor MS Sans SerifSymbolArialTimes New RomanCourier{\colortbl\red0\green0\blue0"
    b"\r\n"
    rb"\par \pard\plain\f0\fs20\b\i\u\tab\tx"
)


def loosened(octets: bytes) -> bytes:
    r"""Return RTF freed of its packing, at most `MOST_TEXT` octets of it ([MS-OXRTFCP], 2.1).

    >>> loosened(bytes.fromhex("160000000c0000004d454c41000000007b5c727466317d0d"))
    b'{\\rtf1}\r'
    """
    if len(octets) < 16:
        return b""
    if octets[8:12] == b"MELA":
        return octets[16:16 + MOST_TEXT]
    window, out, at = bytearray(_PRELOAD.ljust(4096, b" ")), bytearray(), 16
    write = len(_PRELOAD)
    while at < len(octets) and len(out) < MOST_TEXT:
        control, at = octets[at], at + 1
        for bit in range(8):
            if not control >> bit & 1:
                taken, at = octets[at:at + 1], at + 1
            else:
                pair = int.from_bytes(octets[at:at + 2].ljust(2, b"\0"), "big")
                start, length, at = pair >> 4, (pair & 15) + 2, at + 2
                if start == write:
                    return bytes(out)
                # A stretch may run into what it writes itself.
                distance = (write - start) % 4096
                seed = bytes(window[(start + step) % 4096] for step in range(min(length, distance)))
                taken = (seed * length)[:length]
            for octet in taken:
                window[write] = octet
                write = (write + 1) % 4096
            out += taken
            if at > len(octets):
                return bytes(out)
    return bytes(out[:MOST_TEXT])


_RTF = re.compile(
    r"\\([a-zA-Z]{1,32})(-?[0-9]{1,10})? ?|\\'([0-9a-fA-F]{2})|\\([^a-zA-Z'])|([{}])|[\r\n]+|"
    r"([^\\{}\r\n]+)"
)
_SILENT = frozenset("fonttbl colortbl stylesheet info pict object header footer htmltag".split())
"""Groups that hold no text, besides those that say so."""
_SIGNS = {
    "par": "\n", "line": "\n", "row": "\n", "sect": "\n", "page": "\n", "tab": "\t", "cell": " ",
    "emdash": "—", "endash": "–", "bullet": "•", "lquote": "‘", "rquote": "’", "ldblquote": "“",
    "rdblquote": "”", "~": "\xa0", "_": "-", "\\": "\\", "{": "{", "}": "}", "\n": "\n",
    "\r": "\n",
}


def text_of_rtf(rtf: str) -> str:
    r"""Return the text of RTF, its octets given as Latin-1 characters.

    >>> text_of_rtf(r"{\rtf1\ansicpg1252{\fonttbl Arial;}A Par \'96 Bur\par F Bre \u8594?MAO}")
    'A Par – Bur\nF Bre →MAO'
    """
    out: list[str] = []
    charset, skip, after = "cp1252", 1, 0
    silent, groups, begins = False, list[tuple[bool, int]](), False
    octets = bytearray()
    for found in _RTF.finditer(rtf):
        word, number, code, sign, brace, text = found.groups()
        if octets and not code:
            # A character may have several octets.
            out.append(decode_text(bytes(octets), charset))
            octets.clear()
        if brace == "{":
            groups.append((silent, skip))
            begins = True
            continue
        if brace:
            silent, skip = groups.pop() if groups else (False, 1)
        elif begins and (sign == "*" or word in _SILENT):
            silent = True
        elif word == "ansicpg" and number:
            charset = f"cp{number}"
        elif word == "uc" and number:
            skip = max(0, min(int(number), 9))
        elif word == "u" and number and not silent:
            out.append(f"\\u{int(number) & 0xFFFF:04x}".encode().decode("unicode-escape"))
            after = skip
        elif (word or sign) in _SIGNS and not silent:
            out.append(_SIGNS[word or sign])
        elif code and not silent and after:
            after -= 1
        elif code and not silent:
            octets += bytes.fromhex(code)
        elif text and not silent:
            out.append(text[after:])
            after = max(after - len(text), 0)
        begins = False
    out.append(decode_text(bytes(octets), charset))
    return "".join(out).encode("utf-16", "surrogatepass").decode("utf-16", "replace")
