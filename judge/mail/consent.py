"""Reads the answer to a question that wants a yes or a no.

A word for yes counts at the start of a line of the mail's own text, in any language that letters
are written in; so does a word for no. Whoever answers for somebody else, or a program that answers
by itself, hardly begins a line so. What says both, or takes its yes back on the same line, is
neither: whoever asked does so once more.
"""

import re
from collections.abc import Sequence

from judge.mail.pieces import plain_text
from judge.words.consent import Consent
from judge.words.incoming import Line

MOST_LINES = 50
"""Nobody says yes further down."""

_START = r"[\s\W_]*"
_YES = re.compile(
    _START + r"""(?:
    yes | yep | yeah | yup | ok | okay | sure | agreed | i\ agree | correct
    | confirm | confirmed | i\ confirm | accept | accepted | i\ accept
    | (?:that|it|this)(?:\ is|'s|\ was)\ (?:me|i|mine|right|correct)
    | ja | jawohl | jep | gern | gerne | einverstanden | stimmt | richtig | korrekt
    | (?:ich\ )?(?:bestätige|bestaetige) | bestätigt | bestaetigt
    | das\ (?:bin|war)\ ich | ich\ (?:bin|war)\ (?:es|das) | ich\ (?:bin|war)'?s
    )\b | [\s\W_]* [yj] [\W_]* $""",
    re.VERBOSE,
)
_NO = re.compile(
    _START + r"""(?:
    no | nope | not | never | decline | declined | refuse | refused
    | i\ (?:do|did|am|was)\ not | i\ (?:don|didn|wasn)'?t
    | (?:that|it|this)(?:\ is|'s|\ was)\ not | (?:that|it|this)\ (?:isn|wasn)'?t
    | nein | nö | nicht | niemals | ablehnen | abgelehnt
    | (?:das|ich)\ (?:bin|war|habe)\ .*\bnicht
    )\b | [\s\W_]* n [\W_]* $""",
    re.VERBOSE,
)
_UNDO = re.compile(_START + r"(?:undo|revert|zurück|zurueck|rückgängig|rueckgaengig)\b")
_APOSTROPHE = re.compile("[\u2018\u2019\u02bc\u00b4`]")
_TAKEN_BACK = re.compile(r"\b(?:no|not|never|nor|nicht|nein|nie|niemals|kein\w*)\b|n't\b|\?")


def read_consent(lines: Sequence[Line]) -> Consent:
    """Return what a mail's own lines answer.

    >>> read_consent([Line(1, "Hello,"), Line(2, "yes, that is me.")])
    <Consent.YES: 'yes'>
    >>> read_consent([Line(1, "NO!! I do not know this person.")])
    <Consent.NO: 'no'>
    >>> read_consent([Line(1, "I say yes")]), read_consent([Line(1, " ")])
    (<Consent.UNCLEAR: 'unclear'>, <Consent.NOTHING: 'nothing'>)
    """
    full = [line.text for line in lines if line.text.strip()]
    if not full:
        return Consent.NOTHING
    plain = [plain_text(_APOSTROPHE.sub("'", text[:500])) for text in full[:MOST_LINES]]
    found = {_sense(text.casefold()) for text in plain} - {None}
    return found.pop() or Consent.UNCLEAR if len(found) == 1 else Consent.UNCLEAR


def _sense(text: str) -> Consent | None:
    if _UNDO.match(text):
        return Consent.UNDO
    if _NO.match(text):
        return Consent.NO
    if _YES.match(text):
        return Consent.UNCLEAR if _TAKEN_BACK.search(text) else Consent.YES
    return None
