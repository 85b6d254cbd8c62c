"""Automatic mail: bounces, feedback reports and automatic replies.

RFC 3834, 2 and RFC 5321, 6.1. Two machines that reply to each other never stop, so in case of doubt
there is no reply.
"""

import logging
import re
from email import message_from_bytes
from email.message import Message
from enum import Enum
from typing import NamedTuple

from flufl.bounce import all_failures

from judge.mail.address import JudgeAddresses, addresses
from judge.mail.inbound.mime import Entity

BOUNCE = "bounce"
COMPLAINT = "complaint"
"""RFC 5965: a recipient reported a letter to their mail provider as unwanted."""
AUTO_REPLY = "auto-reply"
LIST = "list"
NOTICE = "notice"
"""A message from an address that takes no replies."""
OWN = "own"

POSTMASTERS = re.compile(r"(?:mailer-daemon|mail-daemon|postmaster|double-bounce)@", re.I)
LIST_OWNERS = re.compile(r"owner-[^@]*@|[^@]*-(?:request|owner|bounces?|bounces\+[^@]*)@", re.I)
NO_REPLY = re.compile(r"(?:[^@]*[-._+])?(?:no|do[-._]?not)[-._]?reply(?:[-._+][^@]*)?@", re.I)
_LIST_HEADERS = ("list-id", "list-post", "list-unsubscribe", "list-unsubscribe-post")
"""Headers of lists and newsletters.

Feedback-ID is none, because Fastmail adds it to the mail of persons. Newsletters with it have
List-Unsubscribe, too.
"""
OUT_OF_OFFICE = re.compile(
    r"(?:auto(?:matic)?[ -]?(?:reply|response)|"
    r"out[ -]of[ -](?:the[ -])?office(?: auto-?reply| re)?|"
    r"automatische (?:antwort|abwesenheitsnotiz)|abwesenheits(?:notiz|nachricht|meldung|assistent)|"
    r"automatisch antwoord|afwezigheidsbericht|réponse automatique|respuesta automática|"
    r"abs(?:ence|ent(?:\(e\)|e)?) du bureau|message d.absence|fuera de la oficina|"
    r"fora do escritório|fuori (?:sede|ufficio)|poza biurem|mimo kancelář|házon kívül|"
    r"resposta automática|risposta automatica|resposta automàtica|autosvar|automatiskt? svar|"
    r"automaattinen vastaus|odpowiedź automatyczna|automatická odpov(?:ěď|eď)|"
    r"automatikus válasz|"
    r"răspuns automat|otomatik yanıt|автоматический ответ|автоматична відповідь|автоответ|"
    r"автоматичен отговор|αυτόματη απάντηση|automatski odgovor|samodejni odgovor|automaatvastus|"
    r"automātiska atbilde|automatinis atsakymas|trả lời tự động|การตอบกลับอัตโนมัติ|"
    r"balasan otomatis|"
    r"自動応答|自動返信|不在通知|自动答复|自动回复|自動回覆|자동 회신|자동 응답|부재중|"
    r"תשובה אוטומטית|رد تلقائي)\s*[:：]",
    re.IGNORECASE,
)
"""Beginnings of the subject of an out-of-office note, often the only sign of one."""
MAX_DEPTH = 2
MAX_PARTS = 10
"""Maximum number of parts searched for a calendar reply at each level."""
COMMENT = re.compile(r"\([^()]*\)")


def classify(message: Entity, sender: str, envelope: str, ours: JudgeAddresses) -> str:
    """Return the type of an automatic mail, such as "bounce", or an empty string.

    *sender* is its From address, *envelope* the envelope sender, empty for `<>`. Such mail is never
    answered. X-Auto-Response-Suppress is not evaluated: it names replies that the sender does not
    want, not the type of the sender.
    """
    loops = [one for value in message.all("x-loop") for one in addresses(value)]
    if any(ours.is_judge(address) for address in (sender, envelope, *loops)):
        return OWN
    kind = message.kind()
    is_report = kind == "multipart/report"
    about = message.parameter("report-type").lower() if is_report else ""
    if about == "disposition-notification":
        return AUTO_REPLY
    if about == "feedback-report":
        return COMPLAINT
    if (
        _is_auto_reply(message, kind)
        or not envelope
        and OUT_OF_OFFICE.match(message.text("subject"))
    ):
        # Checked before the null sender: out-of-office notes may have it and are no bounces.
        return AUTO_REPLY
    if not envelope or is_report or message.all("x-failed-recipients"):
        return BOUNCE
    if any(POSTMASTERS.match(address) for address in (sender, envelope)):
        return BOUNCE
    return LIST if LIST_OWNERS.match(sender) else ""


def presumed_of(message: Entity, sender: str, envelope: str) -> str:
    """Return "list", "notice" or "auto-reply" if a mail may be automatic, else "".

    People write such mail too, through a list or with "Out of office" in the subject. Such mail
    counts only if it opens a seat.
    """
    if OUT_OF_OFFICE.match(message.text("subject")):
        return AUTO_REPLY
    precedence = _word(message.first("precedence"))
    if any(map(message.all, _LIST_HEADERS)) or precedence in ("bulk", "junk", "list"):
        return LIST
    if LIST_OWNERS.match(envelope):
        return LIST
    return NOTICE if NO_REPLY.match(sender) else ""


def _is_auto_reply(message: Entity, kind: str) -> bool:
    submitted = _word(message.first("auto-submitted"))
    if submitted not in ("", "no") and kind != "multipart/report":
        return True
    if kind == "text/calendar" or message.parameter("method").lower() == "reply":
        return True
    if _answers_invitation(message, kind):
        return True
    if any(message.all(name) for name in ("x-autoreply", "x-autorespond", "x-auto-response")):
        return True
    return _word(message.first("precedence")) in ("auto_reply", "auto-reply")


def _answers_invitation(message: Entity, kind: str, depth: int = 0) -> bool:
    """Return whether a message contains the reply of a calendar (RFC 6047, 2.4)."""
    if kind == "text/calendar":
        return message.parameter("method").lower() == "reply"
    return depth < MAX_DEPTH and kind in ("multipart/alternative", "multipart/mixed") and any(
        _answers_invitation(part, part.kind(), depth + 1) for part in message.parts()[:MAX_PARTS]
    )


def _word(value: str) -> str:
    """Return the first value of a header, without comments and parameters.

    >>> _word("No (really); owner=ann")
    'no'
    """
    return COMMENT.sub(" ", value[:500]).partition(";")[0].strip().lower()


# The library logs each detector it tries.
logging.getLogger("flufl.bounce").setLevel(logging.WARNING)

_LOOKED_AT = 128 * 1024
"""Number of bytes of a bounce to read. The rest is the judge's own letter."""
_MAX = 300
_STATUS = re.compile(rb"^status[ \t]*:[ \t]*([245])\.(\d{1,3})\.(\d{1,3})", re.I | re.M)
_DIAGNOSIS = re.compile(rb"^diagnostic-code[ \t]*:(.*(?:\r?\n[ \t].*)*)", re.I | re.M)
_CODE = re.compile(rb"\b[45](?:\.\d{1,3}\.\d{1,3}|\d\d)\b.{0,200}")
_FULL = (b"2", b"2")
"""Mailbox full (RFC 3463, 3.3), a temporary condition."""


class BounceSeverity(Enum):
    """Severity of a bounce."""

    HARD = "hard"
    """The address is unusable."""
    SOFT = "soft"
    """The letter was given up, but the next one may arrive."""
    DELAYED = "delayed"
    """The letter is still on its way."""
    NONE = "none"
    """The mail is no recognisable bounce."""


class Bounce(NamedTuple):
    """Severity of a bounce, with the reason in the words of the server."""

    weight: BounceSeverity
    why: str = ""


def read_bounce(raw: bytes) -> Bounce:
    """Parse a bounce. This never fails.

    Reports by RFC 3464 have fields. A library recognises the texts of many other servers. The
    letter is identified by the address the bounce came to, never by the text of the bounce.

    >>> read_bounce(b"From: ann@example.org\\n\\nHello").weight.value
    'none'
    """
    raw = raw[:_LOOKED_AT]
    temporary, permanent = _failures(raw)
    why = _read_server_reason(raw)
    status = _STATUS.search(raw)
    if permanent:
        passing = status and (status[1] == b"4" or (status[2], status[3]) == _FULL)
        return Bounce(BounceSeverity.SOFT if passing else BounceSeverity.HARD, why)
    return Bounce(BounceSeverity.DELAYED if temporary else BounceSeverity.NONE, why)


def _failures(raw: bytes) -> tuple[frozenset[bytes], frozenset[bytes]]:
    """Return the addresses a letter has not reached yet, and those it never will."""
    try:
        found = all_failures(message_from_bytes(raw))
        return frozenset(found[0]), frozenset(found[1])
    except (ValueError, TypeError, LookupError, AttributeError, AssertionError, RecursionError):
        # The library fails on malformed messages, which are no bounces.
        return frozenset(), frozenset()


def _read_server_reason(raw: bytes) -> str:
    """Return the reason given by the server that refused the letter, on one line."""
    found = _DIAGNOSIS.search(raw)
    if found:
        words = found[1].partition(b";")[2] or found[1]
    else:
        code = _CODE.search(raw.partition(b"\n\n")[2] or raw.partition(b"\r\n\r\n")[2])
        words = code[0] if code else b""
    return " ".join(words.decode("ascii", "replace").split())[:_MAX]


_LOOKED_AT_REPORT = 256 * 1024
_UNWANTED = ("abuse", "opt-out", "opt-out-list")
_SENDERS = ("original-mail-from", "return-path")


class ArfComplaint(NamedTuple):
    """Data of a complaint about a letter."""

    kind: str
    """Feedback-Type in lower case: "abuse", "fraud", "not-spam", … Empty if missing."""
    message_ids: tuple[str, ...]
    senders: tuple[str, ...]
    """Possible envelope senders of the letter."""

    @property
    def is_unwanted(self) -> bool:
        """True if the recipient does not want such letters."""
        return self.kind in _UNWANTED


def read_complaint(raw: bytes) -> ArfComplaint:
    """Parse a complaint. This never fails.

    The letter is identified by its Message-ID, known only to its recipient and the mail provider,
    or by its envelope sender. The judge looks up the recipient, as that is often blacked out. Only
    fields are read, as others may have written the text of the letter.

    >>> read_complaint(b"From: ann@example.org\\n\\nHello").kind
    ''
    """
    report, original = _fields(raw)
    told = [*report, *original]
    return ArfComplaint(
        next((value.lower() for name, value in report if name == "feedback-type"), ""),
        tuple(value for name, value in original if name == "message-id"),
        tuple(value.strip("<>") for name, value in told if name in _SENDERS),
    )


Fields = list[tuple[str, str]]


def _fields(raw: bytes) -> tuple[Fields, Fields]:
    """Return the fields of the report, and those of the letter it is about."""
    try:
        parts = message_from_bytes(raw[:_LOOKED_AT_REPORT]).get_payload()
        if not isinstance(parts, list) or len(parts) < 2:
            return [], []
        report, *rest = [_head(part) for part in parts[1:3] if isinstance(part, Message)]
        return report, rest[0] if rest else []
    except (ValueError, TypeError, LookupError, AttributeError, AssertionError, RecursionError):
        # The library fails on malformed messages, which are no complaints.
        return [], []


def _head(part: Message) -> Fields:
    """Return the fields in a part: of a report, a message, or the headers of one."""
    held = part.get_payload()
    inner = held[0] if isinstance(held, list) else None
    if not isinstance(inner, Message):
        octets = part.get_payload(decode=True)
        inner = message_from_bytes(octets if isinstance(octets, bytes) else b"")
    return _fields_of(inner)


def _fields_of(message: Message) -> Fields:
    told = [(name.lower(), " ".join(str(value).split())) for name, value in message.items()]
    # The last of the references is the nearest.
    return [
        (name, value[-_MAX:] if name == "references" else value[:_MAX]) for name, value in told
    ]


_RETURNED = ("message/rfc822", "text/rfc822-headers", "message/rfc822-headers")
_RECIPIENTS = ("final-recipient", "original-recipient")


class ReturnedLetter(NamedTuple):
    """Letter that a report by RFC 3464 returns."""

    message_ids: tuple[str, ...]
    """Its Message-ID and its last reference, which is the same where a provider replaces ids."""
    recipients: tuple[str, ...]
    """Addresses that it did not reach, in lower case."""


def read_returned_letter(raw: bytes) -> ReturnedLetter:
    """Parse the identifiers of the letter in a bounce. This never fails.

    >>> read_returned_letter(b"From: ann@example.org\\n\\nHello")
    ReturnedLetter(message_ids=(), recipients=())
    """
    ids: list[str] = []
    recipients: list[str] = []
    for part in _report_parts(raw):
        kind, held = part.get_content_type(), part.get_payload()
        if kind == "message/delivery-status" and isinstance(held, list):
            fields = [one for each in held if isinstance(each, Message) for one in _fields_of(each)]
            recipients += [
                address.lower() for name, value in fields if name in _RECIPIENTS
                for address in addresses(value.partition(";")[2])
            ]
        elif kind in _RETURNED:
            fields = _head(part)
            ids += [value for name, value in fields if name == "message-id"]
            ids += [value.split()[-1] for name, value in fields if name == "references" and value]
    return ReturnedLetter(tuple(ids), tuple(recipients))


def _report_parts(raw: bytes) -> list[Message]:
    """Return the parts of a report, none for other messages."""
    try:
        parts = message_from_bytes(raw[:_LOOKED_AT_REPORT]).get_payload()
    except (ValueError, TypeError, LookupError, AttributeError, AssertionError, RecursionError):
        # The library fails on malformed messages, which are no reports.
        return []
    found = parts if isinstance(parts, list) else []
    return [part for part in found[:MAX_PARTS] if isinstance(part, Message)]
