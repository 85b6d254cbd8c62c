"""Mail that no person wrote to us, and that is therefore never answered.

RFC 3834, 2 and RFC 5321, 6.1. Two machines that answer each other never stop; so when in doubt
there is no answer.
"""

import re

from judge.mail.address import Ours, addresses
from judge.mail.mime import Entity

BOUNCE = "bounce"
COMPLAINT = "complaint"
"""RFC 5965: somebody told his mail provider that a letter of ours is unwanted."""
AUTO_REPLY = "auto-reply"
LIST = "list"
OWN = "own"

POSTMASTERS = re.compile(r"(?:mailer-daemon|mail-daemon|postmaster|double-bounce)@", re.I)
LIST_OWNERS = re.compile(r"owner-[^@]*@|[^@]*-(?:request|owner|bounces?|bounces\+[^@]*)@", re.I)
SUPPRESSED = re.compile(r"\b(?:all|oof|autoreply)\b", re.I)
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
    """Return why a message is machine mail: "bounce", "complaint", "list", …; else empty.

    `sender` is its From address, `envelope` the envelope sender, empty for `<>`.
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
    if _is_auto_reply(message, kind):
        # Before the null sender: an out-of-office note may have that too, and is no bounce.
        return AUTO_REPLY
    if not envelope or is_report or message.all("x-failed-recipients"):
        return BOUNCE
    if any(POSTMASTERS.match(address) for address in (sender, envelope)):
        return BOUNCE
    precedence = _word(message.first("precedence"))
    if message.all("list-id") or message.all("list-post") or precedence in ("bulk", "junk", "list"):
        return LIST
    if any(LIST_OWNERS.match(address) for address in (sender, envelope)):
        return LIST
    return ""


def _is_auto_reply(message: Entity, kind: str) -> bool:
    submitted = _word(message.first("auto-submitted"))
    if submitted not in ("", "no") and kind != "multipart/report":
        return True
    if kind == "text/calendar" or message.parameter("method").lower() == "reply":
        return True
    if _answers_invitation(message, kind):
        return True
    if AWAY.match(message.text("subject")):
        return True
    if any(message.all(name) for name in ("x-autoreply", "x-autorespond", "x-auto-response")):
        return True
    if _word(message.first("precedence")) in ("auto_reply", "auto-reply"):
        return True
    return any(SUPPRESSED.search(value) for value in message.all("x-auto-response-suppress"))


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
