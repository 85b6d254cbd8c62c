"""Patterns of quotes, signatures and footers in many languages and programs.

Each pattern is matched against one line or a few, cut to `MAX_CHARACTERS` characters, and none can
backtrack far: the time is linear in the size of the mail.
"""

import re
from collections.abc import Sequence

MAX_CHARACTERS = 300
"""Maximum characters of a line that are matched."""

QUOTED = re.compile(r"[ \t]*(?:[>＞»]|&gt;|\xc2»)")
MARK = re.compile(r"[ \t]*(?:[\w.-]{1,12}>|[|:}%#](?=[ \t]|$))")
"""Other marks of a quote, accepted only below the head of a quote."""
INVISIBLE = re.compile(
    "[\xad\u034f\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufe0e\ufe0f\ufeff\ufffc]"
)
"""Invisible characters, which are removed before a line is matched."""

VERB = re.compile(
    r"(?:^|[\s,>)\"'])(?:wrote|writes|said|schrieb|schreibt|a écrit|a ecrit|écrit|"
    r"escribió|escribio|ha scritto|scrive|escreveu|schreef|"
    r"heeft\b.{0,80}\bgeschreven|skrev|kirjoitti|"
    r"napisał|pisze|napísal|napsal|írta|a scris|пишет|писал|написал|пише|έγραψε|yazdı|şunu yazdı)"
    r"|写道|寫道|のメール|書きました|님이 작성",
    re.IGNORECASE,
)
"""Verb of a quote's head: "Ann wrote"."""
OPENER = re.compile(
    r"[ \t]*(?:on|am|le|el|il|em|op|den|på|w dniu|dnia|dne|dňa|pada|στις|в|у|在|于|於)\s",
    re.IGNORECASE,
)
"""First word of a quote's head: "On Monday"."""
# Only years from 2000 on: press in the style of the period has dates such as 1901.
DATED = re.compile(r"@|\b\d{1,2}[:.h]\d\d|\b20\d\d\b|20\d\d年")
NAMED = re.compile(
    r"[<(][^<>()\s@]{1,100}@[^<>()\s@]{1,100}[>)]|\s[^<>()\s@]{1,100}@[^\s@]{1,100}:$"
)
"""An address in brackets, or one before a colon at the end."""
OPEN_ADDRESS = re.compile(r"<[ \t]*[^<>()\s]{0,120}[ \t]*$")
"""The end of a line that was broken inside an address."""
REST_OF_ADDRESS = re.compile(
    r"<[ \t]*[^<>()\s]{1,120}@[^<>()\s]{1,120}>"
    rf"(?:[\s,;:：)]*$|.{{0,100}}[:：]$|.{{0,40}}(?:{VERB.pattern}|{DATED.pattern}))",
    re.IGNORECASE,
)
"""An address followed by the rest of a quote's head."""
QUOTING = re.compile(
    r"[ \t]*(?:quoting|zitat von|citando(?: a)?|citat från|cytowanie)\s.{0,120}@.{1,100}:$", re.I
)
"""Beginning of a quote by Horde."""
DATED_NAME = re.compile(
    r"(?:\b\d{1,2}[:.]\d\d|\b20\d\d).{1,120}<[^<>\s@]{1,100}@[^<>\s@]{1,100}>[ \t]*[:：]$"
)
DIGIT = re.compile(r"\d")
TIME = re.compile(r"(?<!\d)\d{1,2}[:.]\d\d(?!\d)")
YEAR = re.compile(r"(?<!\d)20\d\d(?!\d)")
DASHED = re.compile(r"[ \t]*--.{10,250}--[ \t]*$")
HEADER = re.compile(r"[ \t]*\*{0,2}[^\W\d_][^:：\d<>@]{0,24}[:：]\*{0,2}[ \t]*\S")
"""Form of a mail header in any language."""
ADDRESS = re.compile(r"[^\s@<>]{1,64}@[^\s@<>]{1,100}\.[^\s@<>]{1,60}")

_FROM = re.compile(
    r"[ \t]*\*{0,2}(?:from|von|de|da|van|från|fra|od|от|lähettäjä|feladó|gönderen|kimden|από|"
    r"发件人|寄件者|差出人|보낸 ?사람|expéditeur)\*{0,2}[ \t\xa0]*[:：]",
    re.IGNORECASE,
)
HEADERS = (
    _FROM,
    re.compile(
        r"[ \t]*\*{0,2}(?:sent|date|gesendet|datum|envoyé|enviado(?: el)?|enviada(?: em)?|fecha|"
        r"data|inviato|verzonden|skickat|sendt|dato|wysłano|отправлено|дата|lähetetty|发送时间|日期|送信日時|"
        r"보낸 ?날짜)\*{0,2}[ \t\xa0]*[:：]",
        re.IGNORECASE,
    ),
    re.compile(
        r"[ \t]*\*{0,2}(?:to|an|à|para|a|aan|till|til|do|кому|vastaanottaja|收件人|宛先|받는 ?사람)"
        r"\*{0,2}[ \t\xa0]*[:：]",
        re.IGNORECASE,
    ),
    re.compile(
        r"[ \t]*\*{0,2}(?:subject|betreff|objet|asunto|oggetto|onderwerp|ämne|emne|assunto|"
        r"temat|тема|aihe|主题|主旨|件名|제목)\*{0,2}[ \t\xa0]*[:：]",
        re.IGNORECASE,
    ),
)

ORIGINAL = re.compile(
    r"[ \t]*[-_*]{2,}[ \t]*(?:original(?:[ -]?(?:message|nachricht|e-?mail|appointment))?|"
    r"reply message|forwarded message|"
    r"ursprüngliche (?:nachricht|e-?mail)|weitergeleitete nachricht|"
    r"message d'origine|message original|message transféré|mensaje original|mensaje reenviado|"
    r"messaggio originale|messaggio inoltrato|mensagem original|mensagem encaminhada|"
    r"oorspronkelijk bericht|doorgestuurd bericht|ursprungligt meddelande|opprinnelig melding|"
    r"oprindelig meddelelse|wiadomość oryginalna|исходное сообщение|пересылаемое сообщение|"
    r"原始邮件|原始郵件|元のメッセージ|원본 메시지)[ \t]*[-_*]{2,}[ \t]*$",
    re.IGNORECASE,
)
FORWARDED = re.compile(
    r"[ \t]*(?:begin forwarded message|anfang der weitergeleiteten (?:nachricht|e-?mail)|"
    r"début du message (?:réexpédié|transféré)|inicio del mensaje reenviado|"
    r"inizio messaggio inoltrato|vidarebefordrat brev|(?:begin )?doorgestuurd bericht|"
    r"(?:startet )?videresendt (?:besked|melding)|välitetty viesti alkaa|"
    r"treść przekazanej wiadomości|início da mensagem (?:re)?encaminhada|"
    r"начало переадресованного сообщения|転送されたメッセージ|下面是被转发的邮件|开始转发的邮件|"
    r"iletilen ileti başlangıcı)[ \t]*[:：]?[ \t]*$",
    re.IGNORECASE,
)
OURS = re.compile(r"[ \t]*:: Judge: ")
"""First line of the judge's own letters.

All below it is quoted, whether the mail program adds a head of its own above it or not.
"""
RULE = re.compile(r"[ \t]*_{20,}[ \t]*$")


def _any_of(found: Sequence[re.Pattern[str]]) -> re.Pattern[str]:
    """Return a pattern that matches any of several, ignoring case.

    It rejects most lines by one match.
    """
    return re.compile("|".join(f"(?:{each.pattern})" for each in found), re.IGNORECASE)


ABOVE = _any_of((ORIGINAL, FORWARDED, DASHED, RULE))
"""Lines above a quote, except mail headers and lines such as "Ann wrote:"."""

SIGNATURE = re.compile(r"--[ \t\xa0]*$")
DEVICES = (
    r"i(?:phone|pad|pod)|android|galaxy|samsung|blackberry|windows|handy|smartphone|mobil\w*|"
    r"phone|ios\b|outlook|yahoo|gmail|proton\w*|k-9|fairemail|thunderbird|mail\b|gmx|web\.de|"
    r"t-online|huawei|xiaomi|nokia|sony|htc|aol|telefon\w*|spark|bluemail|nine|tablet|tuta|airmail|"
    r"superhuman|boxer|mailbird|mailsuite|mailtrack|watch|telekom|яндекс|почты|"
    r"pixel|oneplus|motorola|moto\b|oppo|realme|honor\b|lg\b|roundcube|infomaniak|mailo|posteo|"
    r"(?:front|missive|hey|shift|canary|mimestream|shortwave)$"
)
_SCANNERS = r"(?:avast|avg|mcafee|norton|eset|kaspersky|bitdefender|sophos|avira)"
_VIRUS = r"(?:v[ií]rus|viren|vírus|вирус|wirus)"
_FOOTERS = (
    re.compile(
        r"[ \t]*[-(\[]*[ \t]*(?:sent (?:from|via|with|using|by)|get (?:outlook|bluemail)|"
        r"gesendet (?:von|mit|über)|envoyé (?:de|depuis|à partir|avec|par)|"
        r"envoyee? depuis|enviado (?:desde|do|de|via|con|a partir)|enviada? (?:do|pelo|desde)|"
        r"inviato (?:dal?|con|tramite)|verzonden (?:vanaf|met|via)|verstuurd vanaf|"
        r"skickat (?:från|med)|sendt (?:fra|med)|wysłane? (?:z|za)|lähetetty|sender notified by|"
        r"отправлено (?:с|из|через)|téléchargez|"
        r"obtenga|holen sie sich|diese nachricht wurde von|this message was sent from)\b"
        rf".{{0,120}}?(?:{DEVICES}).{{0,120}}$",
        re.IGNORECASE,
    ),
    re.compile(r"[ \t]*<#[0-9A-F-]{20,60}>[ \t]*$"),
    re.compile(r"[ \t]*von meine[mr]\b.{1,60} gesendet\b.{0,60}$", re.IGNORECASE),
    re.compile(r"[ \t]*yahoo mail: search, organize, conquer[ \t]*$", re.IGNORECASE),
    re.compile(
        r"[ \t]*\[(?:(?:inline )?(?:image|bild)|cid)\s*:[^\[\]]{1,100}\][ \t]*$", re.IGNORECASE
    ),
    re.compile(
        r"[ \t]*<[\w .()-]{1,80}\.(?:png|jpe?g|gif|heic|svg|pdf|docx?|ics|txt|eml)>[ \t]*$",
        re.IGNORECASE,
    ),
    re.compile(
        r"[ \t]*(?:please excuse my brevity|excuse (?:the )?typos|"
        r"bitte entschuldigen sie die kürze).{0,60}$",
        re.IGNORECASE,
    ),
)
_FOREIGN = re.compile(
    r"[ \t]*(?:(?:发自|發自|来自|從|从)(?:我的|网易)).{0,40}$|"
    r".{0,40}(?:から送信|에서 보냄)[ \t]*$"
)
_OUTLOOK = re.compile(
    r"[^\d:]{0,30}outlook[^\d:]{0,30}(?:android|ios)\b.{0,80}$|"
    r"[ \t]*(?:android|ios) ?[用용] ?outlook\b.{0,80}$", re.IGNORECASE
)
_SCANNED = (
    re.compile(
        r".{0,60}www\.(?:avast|avg|norton|mcafee)\.com\b.{0,40}$|"
        r"[ \t]*(?:virus-free\.|this e-?mail has been checked for viruses|"
        r"diese e-?mail wurde von .{1,40} auf viren)|"
        rf".{{0,120}}\b{_SCANNERS}\b.{{0,80}}\b{_VIRUS}|"
        rf".{{0,120}}\b{_VIRUS}.{{0,80}}\b{_SCANNERS}\b",
        re.IGNORECASE,
    ),
)
_MAY_BE_SCANNED = re.compile("[wW]{3}|[vVwW][iIıİíÍ][rR]|[вВ][иИ][рР]")
"""Text that each line of a virus scanner contains, searched for first for speed."""


def is_footer(line: str) -> bool:
    """Return whether a line is one that a program adds below its user's text."""
    for footer in _FOOTERS:
        if footer.match(line):
            return True
    # Patterns that match inside a line are tried only if a quick check succeeds.
    if not line.isascii() and _FOREIGN.match(line):
        return True
    if "outlook" in line.lower() and _OUTLOOK.match(line):
        return True
    return bool(_MAY_BE_SCANNED.search(line)) and any(seal.match(line) for seal in _SCANNED)


PHONE = re.compile(r"[^:>\d]{0,40}i(?:phon|pad|pod)[^:>\d]{0,30}$", re.IGNORECASE)
"""Line that a phone adds as a separate paragraph below a text, in any language."""
CLOSER = re.compile(r"[ \t]*(?:end ?press|end ?broadcast|sign ?off)\b", re.IGNORECASE)
"""Line that no signature contains: "--" above it is part of the text."""
_MAIL = (
    r"(?:e-?mail|mail\b|courriel|correo|sender|absender|expéditeur|remitente|mittente|afzender)"
)
BANNER = re.compile(
    r"[\s*\[(\u26a0\ufe0f]*(?:"
    r"(?:caution|warning|external|externe?|achtung|vorsicht|attention|precaución|atención|"
    rf"attenzione|atenção|let op|uwaga|advarsel|varning|внимание)\b.{{0,80}}?\b{_MAIL}|"
    r"extern(?:al|e|o)?\][\s*]*(?:$|.{0,40}(?:message|mail|nachricht|mensaje))|"
    r"this (?:message|e-?mail) (?:is|came|comes|originated|was sent) from .{0,20}"
    r"(?:external|untrusted|outside)|"
    r"you have not previously corresponded with this sender|zjqcmqryfpfpt\w+$|"
    r"(?:you|some people who received this message) don.t often get e-?mail from\b|"
    r"sie erhalten nicht (?:häufig|oft) e-?mails von|no suele recibir correo|"
    r"vous (?:n.obtenez|ne recevez) pas souvent|non si riceve spesso un messaggio|"
    r"u ontvangt niet vaak e-?mail|não costuma receber e-?mail)",
    re.IGNORECASE,
)
MIN_WRAPPED_CHARACTERS = 55
"""Minimum length of a line of a banner that continues in the next one."""
DISCLAIMER = re.compile(
    r"[ \t]*[*_]*[ \t]*(?:(?:confidentiality|legal|privacy|important|disclaimer)"
    r"(?: (?:notice|note|statement|disclaimer))?[ \t]*[:.-]|disclaimer\b|"
    r"(?:this|the information (?:contained )?in this) "
    r"(?:e-?mail|message|communication|transmission)\b.{0,120}?"
    r"\b(?:confidential|intended|privileged|may contain|contains)|"
    r"th(?:is|e) (?:contents of this )?e-?mail (?:and any|is|are|may)\b|"
    r"if you (?:are not the intended|have received this)|"
    r"please consider the environment|bitte denken sie an die umwelt|"
    r"diese e-?mail (?:enthält|kann|und)\b|der inhalt dieser e-?mail|"
    r"ce (?:message|courriel|mail)\b.{0,60}?\b(?:confidentiel|contient|pièces|destin)|"
    r"este (?:mensaje|correo|e-?mail)\b.{0,60}?\b(?:confidencial|contiene|contém|dirig)|"
    r"(?:questo messaggio|la presente e-?mail|le informazioni contenute)\b|"
    r"dit (?:bericht|e-?mailbericht) (?:is|kan|bevat)\b)",
    re.IGNORECASE,
)
LIST_FOOTER = re.compile(
    r"[ \t]*(?:you received this (?:message|e-?mail) because you are subscribed|"
    r"to unsubscribe (?:from this|send\b|,|visit)|to view this discussion|unsubscribe[ \t]*[:|]|"
    r"yahoo! groups links|--~--~-+~|archives? of this list)",
    re.IGNORECASE,
)
LIST_NAME = re.compile(r".{1,60}\bmailing list\b|.{0,60}\blist(?:info)?\b.{0,40}@", re.IGNORECASE)
_ADDED = _any_of((SIGNATURE, RULE, *_FOOTERS, BANNER, DISCLAIMER, LIST_FOOTER))
_ADDED_ANYWHERE = re.compile("i(?:phon|pad|pod)|outlook|www|[vw]ir")
"""Text that every other added line in ASCII contains, in lower case."""


def may_be_added(line: str) -> bool:
    """Return whether a program or a list may have added a line.

    It is a quick check: a line that is not ASCII always may.
    """
    return bool(not line.isascii() or _ADDED.match(line) or _ADDED_ANYWHERE.search(line.lower()))
