"""Mail that no person wrote to us: bounces, feedback reports, and automatic answers.

RFC 3834, 2 and RFC 5321, 6.1. Two machines that answer each other never stop; so when in doubt
there is no answer.
"""

import logging
import re
from email import message_from_bytes
from email.message import Message
from enum import Enum
from typing import NamedTuple

from flufl.bounce import all_failures

from judge.mail.address import Ours, addresses
from judge.mail.inbound.mime import Entity

BOUNCE = "bounce"
COMPLAINT = "complaint"
"""RFC 5965: somebody told his mail provider that a letter of ours is unwanted."""
AUTO_REPLY = "auto-reply"
LIST = "list"
OWN = "own"

POSTMASTERS = re.compile(r"(?:mailer-daemon|mail-daemon|postmaster|double-bounce)@", re.I)
LIST_OWNERS = re.compile(r"owner-[^@]*@|[^@]*-(?:request|owner|bounces?|bounces\+[^@]*)@", re.I)
AWAY = re.compile(
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
"""How programs begin the subject of an out-of-office note; some say it nowhere else."""
DEEPEST = 2
MOST_PARTS = 10
"""How far an answer of a calendar is looked for."""
COMMENT = re.compile(r"\([^()]*\)")


def machine_of(message: Entity, sender: str, envelope: str, ours: Ours) -> str:
    """Return why a message is machine mail: "bounce", "complaint", "own", …; else empty.

    `sender` is its From address, `envelope` the envelope sender, empty for `<>`. Such mail is never
    answered, whatever it holds. X-Auto-Response-Suppress says which answers its sender does not
    want, not who wrote.
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
    if _is_auto_reply(message, kind) or not envelope and AWAY.match(message.text("subject")):
        # Before the null sender: an out-of-office note may have that too, and is no bounce.
        return AUTO_REPLY
    if not envelope or is_report or message.all("x-failed-recipients"):
        return BOUNCE
    if any(POSTMASTERS.match(address) for address in (sender, envelope)):
        return BOUNCE
    return LIST if LIST_OWNERS.match(sender) else ""


def presumed_of(message: Entity, envelope: str) -> str:
    """Return why a message may be machine mail, "list" or "auto-reply"; else empty.

    People write such mail too: by way of a list, or with "Out of office" in the subject. It counts
    only where it opens a seat.
    """
    if AWAY.match(message.text("subject")):
        return AUTO_REPLY
    precedence = _word(message.first("precedence"))
    if message.all("list-id") or message.all("list-post") or precedence in ("bulk", "junk", "list"):
        return LIST
    return LIST if LIST_OWNERS.match(envelope) else ""


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
    """Tell whether a message holds the answer of a calendar (RFC 6047, 2.4)."""
    if kind == "text/calendar":
        return message.parameter("method").lower() == "reply"
    return depth < DEEPEST and kind in ("multipart/alternative", "multipart/mixed") and any(
        _answers_invitation(part, part.kind(), depth + 1) for part in message.parts()[:MOST_PARTS]
    )


def _word(value: str) -> str:
    """Return the word of a header, without comments and parameters.

    >>> _word("No (really); owner=ann")
    'no'
    """
    return COMMENT.sub(" ", value[:500]).partition(";")[0].strip().lower()


# The library tells each detector it tries.
logging.getLogger("flufl.bounce").setLevel(logging.WARNING)

_LOOKED_AT = 128 * 1024
"""Octets of a bounce that are read: what comes after is our own letter."""
_LONGEST = 300
_STATUS = re.compile(rb"^status[ \t]*:[ \t]*([245])\.(\d{1,3})\.(\d{1,3})", re.I | re.M)
_DIAGNOSIS = re.compile(rb"^diagnostic-code[ \t]*:(.*(?:\r?\n[ \t].*)*)", re.I | re.M)
_CODE = re.compile(rb"\b[45](?:\.\d{1,3}\.\d{1,3}|\d\d)\b.{0,200}")
_FULL = (b"2", b"2")
"""Mailbox full (RFC 3463, 3.3): it may have room again."""


class Weight(Enum):
    """How bad a bounce is."""

    HARD = "hard"
    """The address is no good."""
    SOFT = "soft"
    """The letter was given up, but the next one may arrive."""
    DELAYED = "delayed"
    """The letter is still on its way."""
    NONE = "none"
    """Nothing that can be understood as a bounce."""


class Bounce(NamedTuple):
    """What became of a letter, and in the words of whoever sends it back."""

    weight: Weight
    why: str = ""


def read_bounce(raw: bytes) -> Bounce:
    """Return what a bounce says; it never fails.

    Reports by RFC 3464 say so in fields; of other servers' texts a library knows many. Whose letter
    it was we know by the address it came back to, never from what is written in it.

    >>> read_bounce(b"From: ann@example.org\\n\\nHello").weight.value
    'none'
    """
    raw = raw[:_LOOKED_AT]
    temporary, permanent = _failures(raw)
    why = _why(raw)
    status = _STATUS.search(raw)
    if permanent:
        passing = status and (status[1] == b"4" or (status[2], status[3]) == _FULL)
        return Bounce(Weight.SOFT if passing else Weight.HARD, why)
    return Bounce(Weight.DELAYED if temporary else Weight.NONE, why)


def _failures(raw: bytes) -> tuple[frozenset[bytes], frozenset[bytes]]:
    """Return the addresses a letter has not reached yet, and those it never will."""
    try:
        found = all_failures(message_from_bytes(raw))
        return frozenset(found[0]), frozenset(found[1])
    except (ValueError, TypeError, LookupError, AttributeError, AssertionError, RecursionError):
        # The library stumbles over what only looks like a message: that is no bounce.
        return frozenset(), frozenset()


def _why(raw: bytes) -> str:
    """Return the words of the server that refused the letter, on one line."""
    found = _DIAGNOSIS.search(raw)
    if found:
        words = found[1].partition(b";")[2] or found[1]
    else:
        code = _CODE.search(raw.partition(b"\n\n")[2] or raw.partition(b"\r\n\r\n")[2])
        words = code[0] if code else b""
    return " ".join(words.decode("ascii", "replace").split())[:_LONGEST]


_LOOKED_AT_REPORT = 256 * 1024
_UNWANTED = ("abuse", "opt-out", "opt-out-list")
_SENDERS = ("original-mail-from", "return-path")


class Complaint(NamedTuple):
    """What a complaint says of the letter it is about."""

    kind: str
    """Its Feedback-Type in lower case: "abuse", "fraud", "not-spam", …; empty: it has none."""
    message_ids: tuple[str, ...]
    senders: tuple[str, ...]
    """Envelope senders the letter may have had."""

    @property
    def is_unwanted(self) -> bool:
        """Tell whether it says that its reader does not want such letters."""
        return self.kind in _UNWANTED


def read_complaint(raw: bytes) -> Complaint:
    """Return what a complaint says; it never fails.

    Which letter is meant is told by its Message-ID, which only its reader and his provider know, or
    by its envelope sender; whom it went to is often blacked out, and is looked up by us. Only
    fields are read: what stands in the letter itself, others may have written.

    >>> read_complaint(b"From: ann@example.org\\n\\nHello").kind
    ''
    """
    report, original = _fields(raw)
    told = [*report, *original]
    return Complaint(
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
        # The library stumbles over what only looks like a message: that is no complaint.
        return [], []


def _head(part: Message) -> Fields:
    """Return the fields of what a part holds: a report, a message, or the head of one."""
    held = part.get_payload()
    inner = held[0] if isinstance(held, list) else None
    if not isinstance(inner, Message):
        octets = part.get_payload(decode=True)
        inner = message_from_bytes(octets if isinstance(octets, bytes) else b"")
    told = [(name.lower(), " ".join(str(value).split())) for name, value in inner.items()]
    return [(name, value[:_LONGEST]) for name, value in told]
