"""Parser of stored mails: sender, recipient address, and the lines that count."""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import chain, islice

from judge.mail.address import JudgeAddresses, addresses, normalize
from judge.mail.inbound.attachments import sort_attachments
from judge.mail.inbound.auth_results import is_forged
from judge.mail.inbound.automatic_mail import classify, presumed_of
from judge.mail.inbound.contents import BodyText
from judge.mail.inbound.embedded_bodies import TextLine, all_contents
from judge.mail.inbound.html_text import MAX_TAGS, LineOrigin, read_html
from judge.mail.inbound.mime import Entity, decode_header
from judge.mail.inbound.quote_stripper import strip_quotes
from judge.mail.inbound.quoted_letter import LetterMatcher, SentLetterMatcher, SentMail
from judge.mail.outbound.third_party_text import is_cited, replace_layout_signs
from judge.model.incoming import Attached, Incoming, Line
from judge.model.record import StoredMail

MESSAGE_ID = re.compile(r"<[!-;=?-~]{1,240}>")
SEPARATOR = re.compile("[\x0b\x0c\x85\u2028\u2029]")
"""Ends of lines and pages that Word and Apple's programs put into a text."""
QUOTE_DEPTH = re.compile(r">*")
MAX_LINES = 20_000
"""Maximum number of lines of one mail to read, by any author."""


FindDetail = Callable[[str, Sequence[str]], str]
"""Function that returns the detail of the answered letter, or an empty string.

It gets the sender, and the ids of the mails that theirs answers, the nearest first.
"""


def read_mail(
    stored: StoredMail, ours: JudgeAddresses, trusted: str = "", sent: SentMail | None = None,
    find_detail: FindDetail | None = None,
) -> Incoming:
    """Parse a stored mail. This never fails, as unreadable parts are left out.

    The lines keep the characters as typed, except NULs and carriage returns. *trusted* is the
    server whose Authentication-Results are trusted. *sent* gives access to the judge's letters.
    *find_detail* is given where replies arrive at the judge's bare address.
    """
    message = Entity(stored.raw)
    writers = [address for value in message.all("from") for address in addresses(value)]
    sender = _sender(writers, stored.sender)
    details = (ours.detail_of(address) for address in stored.recipients)
    detail = next((detail for detail in details if detail), "")
    answered = list_answered_ids(message)
    if not detail and find_detail is not None:
        detail = find_detail(sender, answered)
    (found, files), sealed = all_contents(message)
    known = SentLetterMatcher(sent, ours, sender, detail, answered) if sent else None
    struck: list[str] = []
    parts, is_cut = _parts(found, struck)
    own, ignored = strip_quotes(parts, known)
    lines = _split(own)
    attachments = sort_attachments(files)
    return Incoming(
        number=stored.id,
        accepted=stored.accepted,
        sender=sender,
        detail=detail,
        subject=message.text("subject")[:1000],
        message_id=next(iter(_ids(message, "message-id")), ""),
        lines=lines,
        ignored=replace(ignored, is_cut=is_cut),
        sealed=sealed and not lines,
        struck=tuple(Line(0, text) for text in struck),
        attached=_read_attached(attachments.texts, known, sum(map(len, parts))),
        files=attachments.others,
        machine=(machine := classify(message, sender, stored.sender, ours)),
        presumed="" if machine else presumed_of(message, sender, stored.sender),
        forged=is_forged(
            message.all("authentication-results"), trusted, message.all("from"), sender
        ),
        references=" ".join(_ids(message, "references")[-20:] or _ids(message, "in-reply-to")[:1]),
    )


def _sender(writers: list[str], envelope: str) -> str:
    """Return the From address, of several the envelope sender, else the first."""
    sent_by = normalize(envelope)
    return sent_by if sent_by in writers else next(iter(writers), sent_by)


def _ids(message: Entity, name: str) -> list[str]:
    """Return the well-formed message ids in a header."""
    value = " ".join(message.all(name))[-10_000:]
    return MESSAGE_ID.findall(decode_header(value))


def list_answered_ids(message: Entity) -> list[str]:
    """Return the ids of the mails that a mail answers, the nearest first."""
    return [*_ids(message, "in-reply-to")[:5], *_ids(message, "references")[:-21:-1]]


def _read_attached(
    texts: Sequence[tuple[str, BodyText]], known: LetterMatcher | None, first: int
) -> tuple[Attached, ...]:
    """Return the lines of attached texts that count, numbered after *first* lines."""
    found: list[Attached] = []
    for name, text in texts:
        (typed,), _ = _parts([text], [])
        own, _ = strip_quotes([typed], known)
        found.append(Attached(name, tuple(Line(first + at, each) for at, each in _split(own))))
        first += len(typed)
    return tuple(found)


def _split(lines: Sequence[Line]) -> tuple[Line, ...]:
    """Split the sender's own lines at separators.

    This is done after quotes are removed, as the text after a separator has no quote mark.
    """
    pieces = (
        [line._replace(text=piece) for piece in SEPARATOR.split(line.text, MAX_LINES)]
        for line in lines
    )
    return tuple(islice(chain.from_iterable(pieces), MAX_LINES))


def _parts(texts: Sequence[BodyText], struck: list[str]) -> tuple[list[list[TextLine]], bool]:
    """Return the lines of each text part, and whether some exceed the limits.

    Text struck out in HTML is added to *struck*.
    """
    parts: list[list[TextLine]] = []
    left, is_cut = MAX_LINES, False
    for text in texts:
        is_cut = is_cut or text.is_cut or text.is_html and text.content.count("<") > MAX_TAGS
        lines = _lines(text, left + 1, struck)
        is_cut = is_cut or len(lines) > left
        # Here, as HTML may write a sign as a number.
        parts.append([(replace_layout_signs(line), origin) for line, origin in lines[:left]])
        left -= len(parts[-1])
    return parts, is_cut


def _lines(text: BodyText, limit: int, struck: list[str]) -> list[TextLine]:
    """Return the lines of one text part, at most *limit* of a plain one.

    Text struck out in HTML is added to *struck*.
    """
    content = text.content.replace("\0", "")
    if text.is_html:
        page = read_html(content)
        struck += map(replace_layout_signs, page.struck)
        return page.lines
    lines = re.sub(r"\r*\n|\r", "\n", content).split("\n", limit)[:limit]
    if text.flowed:
        lines = unflow(lines, text.delsp)
    return [(line, LineOrigin.NONE) for line in lines]


def unflow(lines: list[str], delsp: bool) -> list[str]:
    """Join the lines of a flowed text that were broken for transport (RFC 3676, 4).

    >>> unflow(["A Par ", "- Bur", " From here", "-- ", "Ann"], delsp=False)
    ['A Par - Bur', 'From here', '-- ', 'Ann']
    >>> unflow(["> A Par ", "- Bur"], delsp=False)
    ['> A Par ', '- Bur']
    """
    whole: list[list[str]] = []
    open_depth = -1
    for line in lines:
        quote = QUOTE_DEPTH.match(line)
        depth = quote.end() if quote else 0
        text = line[depth:].removeprefix(" ")
        # A line marked by the judge does not continue a line of the sender's.
        if depth == open_depth and text != "-- " and not is_cited(text):
            whole[-1].append(text)
        else:
            whole.append([">" * depth + " " * bool(depth), text])
        open_depth = depth if text.endswith(" ") and text != "-- " else -1
        if delsp and open_depth >= 0:
            whole[-1][-1] = text[:-1]
    return ["".join(pieces) for pieces in whole]
