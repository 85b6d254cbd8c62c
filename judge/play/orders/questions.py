"""Lines among orders that ask a person something: nobody reads them, and they go to nobody by a
guess, so their writer gets them back as press to the master, ready to send.
"""

import re
from collections.abc import Sequence

from judge.games.system import LineRead
from judge.words.complaint import Complaint, ComplaintKind
from judge.words.reason import because

FEWEST_WORDS = 4
"""Shorter ones ("Ready?", "What now?") are asked of nobody in particular."""
_QUESTION = re.compile(
    r"(?:can|could|does|would|will|is|are|has|kann|k.nnte|wei.|hat)\s+"
    r"(?:(?:any|some)(?:body|one)|jemand|wer)\b|.*\?\s*$",
    re.IGNORECASE,
)


def is_question(text: str) -> bool:
    """Tell whether a line reads like a question to a person.

    >>> is_question("Can anyone explain why my fleet bounced"), is_question("A Par - Bur ?")
    (True, True)
    >>> is_question("Ready?"), is_question("Thanks for the game so far")
    (False, False)
    """
    plain = text.strip()
    return len(plain.split()) >= FEWEST_WORDS and _QUESTION.match(plain) is not None


def questions_among(lines: Sequence[LineRead]) -> list[Complaint]:
    """Return what is said of lines that are no orders and ask somebody something."""
    return [
        Complaint(
            ComplaintKind.UNREADABLE, read.line.number, read.line.text.strip(),
            because("looks-like-question"),
            suggestions=("PRESS TO MASTER", read.line.text.strip(), "ENDPRESS"),
        )
        for read in lines
        if read.ignored and is_question(read.line.text)
    ]
