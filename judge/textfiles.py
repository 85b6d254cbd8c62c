"""Text files from people: UTF-8, or UTF-16 with a byte order mark.

Windows programs put such a mark before UTF-8, too. It is not part of the text.
"""

import codecs
from collections.abc import Iterable, Iterator
from pathlib import Path

from judge.errors import JudgeError

_UTF16_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_MARK = "\ufeff"


class TextFileError(JudgeError):
    """Raised when a file is not readable text."""


def read_text(file: Path) -> str:
    """Return the text of a file, with `\\n` as its line ends.

    Raises:
        OSError: the file cannot be read.
        TextFileError: it is no text; the message names the file and the encoding.
    """
    return decode_text(file.read_bytes(), str(file))


def decode_text(octets: bytes, name: str) -> str:
    """Return the text of a file called *name*, with `\\n` as its line ends.

    >>> decode_text(b"\\xef\\xbb\\xbfGAME marco\\r\\n", "x.txt")
    'GAME marco\\n'
    >>> decode_text("GAME marco".encode("utf-16"), "x.txt")
    'GAME marco'

    Raises:
        TextFileError: it is no text; the message names the file and the encoding.
    """
    encoding = "UTF-16" if octets.startswith(_UTF16_MARKS) else "UTF-8"
    try:
        text = octets.decode(encoding)
    except UnicodeDecodeError as fault:
        line = octets.count(b"\n", 0, fault.start) + 1
        raise TextFileError(f"{name}, line {line}: no {encoding} text; save it as UTF-8") from fault
    if "\0" in text:
        raise TextFileError(f"{name}: no {encoding} text (it has NUL characters); save it as UTF-8")
    return text.removeprefix(_MARK).replace("\r\n", "\n").replace("\r", "\n")


def read_rows(text: str) -> list[dict[str, str]]:
    """Return the rows of a tab-separated table as dicts.

    >>> read_rows("# A comment.\\nwords\\tvalue\\nNMR HOLD\\thold")
    [{'words': 'NMR HOLD', 'value': 'hold'}]
    """
    rows = [line.split("\t") for line in text.splitlines() if line and line[0] != "#"]
    return [dict(zip(rows[0], row, strict=True)) for row in rows[1:]]


def decode_lines(stream: Iterable[bytes]) -> Iterator[str]:
    """Yield the lines of a binary stream, each as soon as it is complete.

    A byte that is not part of a character becomes a lone surrogate, so that only its line is
    spoilt. Marks are dropped before each line, as streams may be several files in a row.

    >>> list(decode_lines([b"\\xef\\xbb\\xbfa\\n", b"b"]))
    ['a\\n', 'b']
    >>> list(decode_lines([b"\\xff\\xfea\\0\\n", b"\\0"]))
    ['a\\n']
    """
    decoder: codecs.IncrementalDecoder | None = None
    rest = ""
    for octets in stream:
        if decoder is None:
            wide = octets.startswith(_UTF16_MARKS)
            name, errors = ("utf-16", "replace") if wide else ("utf-8", "surrogateescape")
            decoder = codecs.getincrementaldecoder(name)(errors)
        *lines, rest = (rest + decoder.decode(octets)).split("\n")
        yield from (line.removeprefix(_MARK) + "\n" for line in lines)
    if decoder is not None:
        rest += decoder.decode(b"", final=True)
    if rest:
        yield rest.removeprefix(_MARK)
