"""Press replies: mails that answer a letter of press.

They are press to the sender of that letter, never commands. If a reply contains a sign-on or a
press block, which its writer hardly meant for the recipient, nothing is sent and the judge asks.
"""

import re
from collections.abc import Sequence

from judge.mail.language.commands import read_command
from judge.mail.language.open_seat import OpenSeat
from judge.mail.language.segments import plain_text, split_line
from judge.mail.language.unclosed_press import Evidence, find_unclosed_press
from judge.mail.language.vocabulary import CommandLanguage
from judge.mail.outbound.third_party_text import quote_lines
from judge.model.command import Command, ParsedMail
from judge.model.incoming import Line
from judge.model.phrase import Complaint, ComplaintKind, phrase
from judge.model.press_commands import GROUP, WRITER, SendPress
from judge.model.seat_commands import SignOff

MAX_COMMANDS = 100
"""Lines that parse as commands. A reply with more of them is not press."""

_TO_ALL = re.compile(r"\s*to\s+all[\s.:!]*$", re.IGNORECASE)
_TO_SOME = re.compile(r"\s*to\s+(?P<words>[\w/+&,; ]{1,120})[\s.:!]*$", re.IGNORECASE)
_BETWEEN = re.compile(r"[\s,;+&/]+|\band\b|\bund\b", re.IGNORECASE)
_END = re.compile(r"\s*end\s*(press|broadcast)[\s.!]*$", re.IGNORECASE)
_SIGN_OFF = re.compile(r"\s*sign\s*off[\s.!]*$", re.IGNORECASE)


def read_press_reply(
    language: CommandLanguage, lines: Sequence[Line], seat: OpenSeat
) -> ParsedMail:
    """Parse a press reply, which SIGNOFF or a final ENDPRESS alone on a line ends.

    `TO ALL` alone on the first line selects all readers of that letter. The rest is kept as typed.
    The caller checks whether `TO G I` on the first line names powers, and whether the text consists
    only of orders and so is not meant as press.
    """
    end = next((at for at, line in enumerate(lines) if _is(_SIGN_OFF, line)), len(lines))
    closing: tuple[Command, ...] = ()
    if end < len(lines):
        closing = (SignOff(line=lines[end].number, text=lines[end].text.strip()),)
    unread, left = _count_lines(lines[end + 1 :]), quote_lines(language, lines[end + 1 :])
    body = _trim_blank_lines(lines[:end])
    if body and _is(_END, body[-1]):
        body = _trim_blank_lines(body[:-1])
    if not body:
        return ParsedMail(closing, unread=unread, quoted=left)
    if leave := _leaves(language, body):
        return ParsedMail((*leave, *closing), unread=unread, quoted=left)
    texts = tuple(line.text for line in body)
    found = find_unclosed_press(language, texts)
    if found.sign in (Evidence.SECRET, Evidence.HEAD) or _is_meant_for_the_judge(
        language, body, seat
    ):
        first = body[0].number
        reason = phrase("press-or-commands")
        # The lines are not quoted, since they may contain a password.
        complaint = Complaint(ComplaintKind.AMBIGUOUS, first, "", reason)
        return ParsedMail((), (complaint,), _count_lines(lines))
    to = WRITER
    if _is(_TO_ALL, body[0]):
        to, body = GROUP, _trim_blank_lines(body[1:])
    texts = tuple(line.text for line in body)
    if not texts:
        return ParsedMail(closing, unread=unread, quoted=left)
    press = SendPress(
        line=body[0].number, text=texts[0], to=(to,), body=texts, names=found.names,
        heading=_heading(body[0]) if to == WRITER else (),
    )
    return ParsedMail((press, *closing), unread=unread, quoted=left)


def _leaves(language: CommandLanguage, body: Sequence[Line]) -> tuple[Command, ...]:
    """Return UNSUBSCRIBE if the reply consists of it, else nothing.

    It is accepted in reply to any letter (RFC 2369, 3.2).
    """
    pieces = split_line(body[0]) if len(body) == 1 else []
    found = read_command(language, pieces[0]) if len(pieces) == 1 else ()
    commands = found if isinstance(found, tuple) else ()
    kind = language.readings["unsubscribe"]
    return commands if any(isinstance(one, kind.value) for one in commands) else ()


def _heading(line: Line) -> tuple[str, ...]:
    """Return the words after TO if a line may be a list of readers.

    >>> _heading(Line(1, "TO G, Italy and R")), _heading(Line(1, "To be honest, no. Never."))
    (('G', 'Italy', 'R'), ())
    """
    found = _TO_SOME.match(plain_text(line.text))
    return tuple(filter(None, _BETWEEN.split(found["words"]))) if found else ()


def _is(pattern: re.Pattern[str], line: Line) -> bool:
    return pattern.match(plain_text(line.text)) is not None


def _count_lines(lines: Sequence[Line]) -> int:
    """Count the lines that are not blank."""
    return sum(bool(line.text.strip()) for line in lines)


def _trim_blank_lines(lines: Sequence[Line]) -> Sequence[Line]:
    """Strip blank lines at either end."""
    full = [at for at, line in enumerate(lines) if line.text.strip()]
    return lines[full[0] : full[-1] + 1] if full else ()


def _is_meant_for_the_judge(
    language: CommandLanguage, body: Sequence[Line], seat: OpenSeat
) -> bool:
    """Return whether a reply contains an end of press, or consists of commands."""
    commands = 0
    full = [line for line in body if line.text.strip()]
    for line in full:
        if _is(_END, line) or commands > MAX_COMMANDS:
            return True
        pieces = split_line(line)
        readings = [
            read_command(language, piece) for piece in pieces
            if language.first_word(piece.plain) and not seat.is_order(piece.plain)
        ]
        commands += any(isinstance(reading, tuple) for reading in readings)
    return commands == len(full)
