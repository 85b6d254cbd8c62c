"""How quotes, signatures and footers look in many languages and mail programs, line by line.

Every pattern is matched against one line, or a few short ones, of bounded length, and none can
backtrack far: the whole cut is linear in the size of the mail.
"""

import re

LONGEST = 300
"""More of a line is not looked at."""

QUOTED = re.compile(r"[ \t]*[>＞»]")
MARK = re.compile(r"[ \t]*(?:[\w.-]{1,12}>|[|:}%#](?=[ \t]|$))")
"""Other marks of a quote, believed only below its head."""
UNSEEN = re.compile("[\xad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]")

VERB = re.compile(
    r"(?:^|[\s,>)\"'])(?:wrote|writes|said|schrieb|schreibt|a écrit|a ecrit|écrit|"
    r"escribió|escribio|ha scritto|scrive|escreveu|schreef|"
    r"heeft\b.{0,80}\bgeschreven|skrev|kirjoitti|"
    r"napisał|pisze|napísal|napsal|írta|a scris|пишет|писал|написал|пише|έγραψε|yazdı|şunu yazdı)"
    r"|写道|寫道|のメール|書きました|님이 작성",
    re.IGNORECASE,
)
OPENER = re.compile(
    r"[ \t]*(?:on|am|le|el|il|em|op|den|på|w dniu|dnia|dne|dňa|pada|στις|в|у|在|于|於)\s",
    re.IGNORECASE,
)
# Not 1901: letters between rulers are dated too, and are press.
DATED = re.compile(r"@|\b\d{1,2}[:.h]\d\d|\b20\d\d\b|20\d\d年")
NAMED = re.compile(r"<[^<>\s@]{1,100}@[^<>\s@]{1,100}>")
DATED_NAME = re.compile(
    r"(?:\b\d{1,2}[:.]\d\d|\b20\d\d).{1,120}<[^<>\s@]{1,100}@[^<>\s@]{1,100}>[ \t]*[:：]$"
)
TIME = re.compile(r"(?<!\d)\d{1,2}[:.]\d\d(?!\d)")
YEAR = re.compile(r"(?<!\d)20\d\d(?!\d)")
DASHED = re.compile(r"[ \t]*--.{10,250}--[ \t]*$")
HEADER = re.compile(r"[ \t]*\*{0,2}[^\W\d_][^:：\d<>@]{0,24}[:：]\*{0,2}[ \t]*\S")
"""What the headers of a mail look like in any language."""
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
    r"inizio messaggio inoltrato)[ \t]*[:：]?[ \t]*$",
    re.IGNORECASE,
)
RULE = re.compile(r"[ \t]*_{20,}[ \t]*$")

SIGNATURE = re.compile(r"--[ \t\xa0]*$")
DEVICES = (
    r"i(?:phone|pad|pod)|android|galaxy|samsung|blackberry|windows|handy|smartphone|mobil\w*|"
    r"phone|ios\b|outlook|yahoo|gmail|proton\w*|k-9|fairemail|thunderbird|mail\b|gmx|web\.de|"
    r"t-online|huawei|xiaomi|nokia|sony|htc|aol|telefon\w*|spark|bluemail|nine|tablet|tuta|airmail"
)
FOOTERS = (
    re.compile(
        r"[ \t]*[-(\[]*[ \t]*(?:sent (?:from|via|with|using|by)|get (?:outlook|bluemail)|"
        r"gesendet (?:von|mit|über)|envoyé (?:de|depuis|à partir|avec|par)|"
        r"envoyee? depuis|enviado (?:desde|do|de|via|con|a partir)|enviada? (?:do|pelo|desde)|"
        r"inviato (?:da|con)|verzonden (?:vanaf|met|via)|verstuurd vanaf|skickat (?:från|med)|"
        r"sendt (?:fra|med)|wysłane? (?:z|za)|lähetetty|отправлено (?:с|из)|téléchargez|"
        r"obtenga|holen sie sich|diese nachricht wurde von|this message was sent from)\b"
        rf".{{0,120}}?(?:{DEVICES}).{{0,120}}$",
        re.IGNORECASE,
    ),
    re.compile(r"[ \t]*<#[0-9A-F-]{20,60}>[ \t]*$"),
    re.compile(r"[ \t]*von meine[mr] .{1,60} gesendet\.?[ \t]*$", re.IGNORECASE),
    re.compile(r"[ \t]*(?:发自我的|發自我的|從我的).{0,40}$|.{0,40}(?:から送信|에서 보냄)[ \t]*$"),
    re.compile(
        r"[ \t]*(?:please excuse my brevity|excuse (?:the )?typos|"
        r"bitte entschuldigen sie die kürze).{0,60}$",
        re.IGNORECASE,
    ),
    re.compile(
        r"[ \t]*(?:virus-free\.|this e-?mail has been checked for viruses|"
        r"diese e-?mail wurde von .{1,40} auf viren|garanti sans virus|libre de virus)",
        re.IGNORECASE,
    ),
)
CLOSER = re.compile(r"[ \t]*(?:end ?press|end ?broadcast|sign ?off)\b", re.IGNORECASE)
"""What stands below no signature: "--" above it is a part of the text."""
BANNER = re.compile(
    r"[ \t]*\[?you don't often get e-?mail from\b|"
    r"[ \t]*[*\[]*[ \t]*(?:caution|warning|external|\[external\]|achtung|vorsicht|attention)\b"
    r".{0,80}?(?:e-?mail|sender|outside|extern|absender|origin|expéditeur)",
    re.IGNORECASE,
)
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
