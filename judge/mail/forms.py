"""The words that begin a command, the right form of each, and what a misspelt one may have meant.

The words themselves are taken from the grammar; here stands only what a grammar cannot say.
"""

import re

from rapidfuzz.distance import OSA

from judge.grammars import beginnings, is_readable

SIGN_ON = "SIGNON Nmarco password"

_FORMS = {
    "SIGNON, SIGNIN, SIGN ON, SIGN IN, LOGIN, LOGON, HELLO": SIGN_ON,
    "JOIN": "JOIN marco password",
    "CREATE": "CREATE ?marco password youngstown",
    "OBSERVE": "OBSERVE marco",
    "WATCH": "WATCH marco",
    "MONITOR": "MONITOR marco",
    "TAKEOVER, TAKE OVER": "TAKEOVER Nmarco password",
    "RESIGN": "RESIGN",
    "WITHDRAW": "WITHDRAW",
    "UNSUBSCRIBE, UNOBSERVE, UNWATCH, UNMONITOR": "UNSUBSCRIBE",
    "SIGNOFF, SIGN OFF, LOG OFF, LOGOFF, LOGOUT": "SIGNOFF",
    "RESET": "RESET PASSWORD Nmarco",
    "SET": "SET WAIT",
    "SET PASSWORD": "SET PASSWORD new",
    "WAIT": "SET WAIT",
    "NOWAIT": "SET NO WAIT",
    "PRESS": "PRESS TO F I",
    "BROADCAST": "BROADCAST",
    "POSTAL PRESS": "POSTAL PRESS",
    "DIARY": "DIARY LIST",
    "CLEAR": "CLEAR",
    "STATUS": "STATUS",
    "PHASE": "PHASE F1905M",
    "IF": "IF A Bur THEN A Par H ELSE A Par - Bur ENDIF",
    "REPLACE": "REPLACE",
    "OPTIONS": "OPTIONS A Par",
    "PREVIEW, PREDICT": "PREVIEW",
    "READY": "READY",
    "UNREADY, NOTREADY, NOT READY": "NOT READY",
    "VOTE": "VOTE DRAW",
    "UNVOTE": "UNVOTE",
    "LIST, WHOGAME, WHO GAME": "LIST marco",
    "SUMMARY": "SUMMARY marco",
    "HISTORY": "HISTORY marco LINES 200",
    "MAP": "MAP marco",
    "RATING, RATINGS": "RATING",
    "STATISTICS, STATISTIC": "STATISTICS standard",
    "HELP, HILFE": "HELP",
    "GET, SEND": "GET rules",
    "VERSION": "VERSION",
    "START, FORCE BEGIN, FORCE START": "START",
    "PROCESS": "PROCESS",
    "PAUSE, SUSPEND": "PAUSE",
    "RESUME, UNPAUSE": "RESUME",
    "EJECT": "EJECT power",
    "TERMINATE": "TERMINATE",
    "RELEASE": "RELEASE",
    "SETUP": "SETUP",
    "EXPORT": "EXPORT marco",
    "IMPORT": "IMPORT trial marco",
    "ROLLBACK, ROLL BACK": "ROLLBACK",
    "ROLLFORWARD, ROLL FORWARD": "ROLLFORWARD",
    "BECOME": "BECOME power",
    "PROMOTE": "PROMOTE ann@example.org",
    "DEMOTE": "DEMOTE ann@example.org",
    "OFFICIAL": "OFFICIAL subject",
    "DUMMY": "DUMMY power",
    "REVIVE": "REVIVE power",
    "UNSTART": "UNSTART",
    "RENAME": "RENAME polo",
    "FREEZE": "FREEZE",
    "UNFREEZE": "UNFREEZE",
    "LOG": "LOG marco",
    "REGISTER": "REGISTER",
    "INFO": "INFO PLAYER",
    "STANDBY, STAND BY": "STANDBY youngstown",
    "SITTER": "SITTER ann@example.org UNTIL 31 Mar",
    "SIT": "SIT india@marco",
    "INVITE": "INVITE ann@example.org",
    "UNINVITE": "UNINVITE ann@example.org",
    "APPROVE": "APPROVE ann@example.org",
    "REFUSE": "REFUSE ann@example.org",
    "CONFIRM": "CONFIRM",
    "IAMALSO, I AM ALSO": "IAMALSO ann@work.example",
}
FORMS = {word: form for words, form in _FORMS.items() for word in words.split(", ")}
"""How each command is written that we carry out: a line that could be sent and does no harm."""

_SIGN_ON_WORDS = frozenset(word for word, form in FORMS.items() if form == SIGN_ON)

OPENERS = _SIGN_ON_WORDS | {"JOIN", "CREATE", "TAKEOVER", "TAKE OVER", "BECOME"}
"""Commands that open a seat: when one fails, nothing counts until the next one."""

PRESS = frozenset({"PRESS", "BROADCAST", "POSTAL PRESS"})
"""Commands whose block is press."""

SECRETIVE = OPENERS | {"OBSERVE", "WATCH", "MONITOR", "RESIGN", "WITHDRAW"}
"""Commands that may hold a password."""

_NOT_SHOWN = frozenset({"SET", "SET PASSWORD", "RESET", "INVEST", "PURGE"})
_SHOWN = frozenset(
    {"PRESS", "BROADCAST", "POSTAL PRESS", "DIARY", "PROCESS", "HISTORY", "VOTE", "TERMINATE"}
    | {"PHASE", "OPTIONS", "PREVIEW", "PREDICT", "MAP"}
    | {"RELEASE", "SETUP", "ROLLBACK", "ROLL BACK", "ROLLFORWARD", "ROLL FORWARD"}
)

# "Yellow Sea H" is no greeting.
_NEVER_MEANT = frozenset({"HELLO"})
_GAME = "[a-z][a-z0-9]{1,7}"
_SEAT = re.compile(rf"\?{_GAME}|[^\s@?]+@{_GAME}|[a-z]{_GAME}", re.IGNORECASE)
_NEARLY_SEAT = re.compile(rf"{_SEAT.pattern}|[a-z]$|\S*[@?0-9]", re.IGNORECASE)
_SEAT_WITH_SIGN = re.compile(rf"(\?{_GAME}|[^\s@?]+@{_GAME})(\s+\S+){{1,3}}", re.IGNORECASE)


def first_word(plain: str) -> str:
    """Return the command word a piece begins with, in capitals; empty when it begins with none.

    >>> first_word("sign  on Nmarco pw"), first_word("SETNOWAIT"), first_word("setting out")
    ('SIGN ON', 'SET', '')
    """
    found = beginnings("mail").match(plain)
    return " ".join(found.group().upper().split()) if found else ""


def command_length(plain: str) -> int:
    """Return how many words of a piece are its command, also where that is misspelt or left out.

    >>> command_length("SIGN ON Nmarco pw"), command_length("SINGON ?marco pw")
    (2, 1)
    >>> command_length("?marco pw")
    0
    """
    if word := first_word(plain):
        return len(word.split())
    return 0 if _SEAT_WITH_SIGN.fullmatch(plain) else 1


def shown_words(word: str, rest: list[str]) -> int:
    """Return how many words after the command may be shown of a line that failed.

    Nobody knows which word of such a line was the password. The seat or game is shown where it
    stands in its place and just one word follows.

    >>> shown_words("SIGNON", ["Nmarco", "pw"]), shown_words("JOIN", ["my", "long", "pw"])
    (1, 0)
    >>> shown_words("SET", ["PASSWORD", "new", "one"]), shown_words("LIST", ["marco", "pw"])
    (0, 1)
    """
    if word in SECRETIVE:
        return len(_seat_in(word, rest).split())
    if word in _NOT_SHOWN:
        return 0
    return len(rest) if word in _SHOWN or word not in FORMS else 1


def form_of(word: str, rest: list[str]) -> str:
    """Return how a command is written, with what the sender wrote after it where that fits.

    >>> form_of("SIGNON", ["N", "marco", "secret"]), form_of("LOGIN", ["my", "secret", "word"])
    ('SIGNON Nmarco password', 'SIGNON Nmarco password')
    >>> form_of("PROCESS", ["F1902M"]), form_of("PROCESS", ["at", "once"])
    ('PROCESS F1902M', 'PROCESS')
    >>> form_of("TAKEOVER", ["india@ob10", "secret"])
    'TAKEOVER india@ob10 password'
    """
    command, *parts = FORMS[word].split()
    seat = _seat_in(word, rest).replace(" ", "")
    if seat and "password" in parts:
        return f"{command} {seat} password"
    corrected = " ".join([word, *rest])
    shown = word not in SECRETIVE and shown_words(word, rest) == len(rest) > 0
    return corrected if shown and fits(corrected) else FORMS[word]


def _seat_in(word: str, rest: list[str]) -> str:
    """Return the seat as typed, if it can be told from a password; "N marco" for "Nmarco" too."""
    if len(rest) == 2 and _SEAT.fullmatch(rest[0]):
        return rest[0]
    if len(rest) == 3 and len(rest[0]) == 1 and _SEAT.fullmatch(rest[0] + rest[1]):
        return f"{rest[0]} {rest[1]}" if word in _SIGN_ON_WORDS else ""
    return ""


def is_password_setting(word: str) -> bool:
    """Tell whether a word after SET announces a password."""
    return word.upper() in {"P", "PW"} or near_password(word)


def near_password(word: str) -> bool:
    """Tell whether a word is PASSWORD or a slip of it.

    >>> near_password("pasword"), near_password("press")
    (True, False)
    """
    return word.upper() == "PASS" or OSA.distance(word.upper(), "PASSWORD", score_cutoff=2) <= 2


def meant(plain: str) -> str:
    """Return the command that a line beginning with no command word seems to mean, or nothing.

    Seeming needs a first word that is nearly a command (one slip, or two where a seat and a
    password follow) and a rest that fits it; `?game password` and `power@game password` are a
    sign-on by their shape.

    >>> meant("SINGON Nmarco pw"), meant("india@marco pw"), meant("Persia - Ira")
    ('SIGNON', 'SIGNON', '')
    """
    typed, _, rest = plain.partition(" ")
    if _SEAT_WITH_SIGN.fullmatch(plain) or _SEAT_WITH_SIGN.fullmatch(rest.strip()):
        near = nearest(typed, 2)
        return near if near in SECRETIVE else "SIGNON"
    if typed.upper().startswith("SIGNON"):
        return "SIGNON"
    near = nearest(typed, 1)
    if near and (near in _SIGN_ON_WORDS or fits(f"{near} {rest}")):
        return near
    words = rest.split()
    if near in SECRETIVE and len(near) > 5 and len(words) > 1 and _NEARLY_SEAT.match(words[0]):
        return near
    near = nearest(typed, 2)
    return near if near in SECRETIVE and len(words) == 2 and fits(f"{near} {rest}") else ""


def nearest(word: str, limit: int) -> str:
    """Return the one command within so many slips of a word of five letters or more.

    Of shorter commands only JOIN is looked for: a password follows it.

    >>> nearest("brodcast", 1), nearest("STATSU", 1), nearest("waive", 2), nearest("JION", 1)
    ('BROADCAST', 'STATUS', '', 'JOIN')
    """
    if not 4 <= len(word) <= 13:
        return ""
    known_words = [known for known in FORMS if len(known) >= 5]
    if len(word) == 4:
        # "Chin to Bur" is two slips away.
        known_words, limit = ["JOIN"], 1
    distances = {
        known: OSA.distance(word.upper(), known, score_cutoff=limit)
        for known in known_words
        if known not in _NEVER_MEANT
    }
    best = min(distances.values())
    closest = {FORMS[known]: known for known, distance in distances.items() if distance == best}
    return closest.popitem()[1] if best <= limit and len(closest) == 1 else ""


def is_one_slip(typed: str, known: str) -> bool:
    """Tell whether a word is another with one letter more, fewer, other, or two changed round.

    >>> is_one_slip("LISST", "LIST"), is_one_slip("LIST", "LIST")
    (True, False)
    """
    return OSA.distance(typed, known, score_cutoff=1) == 1


def fits(plain: str) -> bool:
    """Tell whether the grammar reads a piece."""
    return is_readable("mail", plain)


def near_press(plain: str) -> str:
    """Return what opens a block of press if a piece begins with a slip of it.

    >>> near_press("PRES TO F"), near_press("BRODCAST"), near_press("Prussia hold")
    ('PRESS', 'BROADCAST', '')
    >>> near_press("POSTAL PRES"), near_press("DAIRY"), near_press("Dairy farms")
    ('POSTAL PRESS', 'DIARY', '')
    """
    typed, *rest = plain.upper().split()
    if typed == "POSTAL" and rest and OSA.distance(rest[0], "PRESS", score_cutoff=1) <= 1:
        return "POSTAL PRESS"
    if len(typed) == 4 and OSA.distance(typed, "PRESS") == 1:
        return "PRESS"
    word = nearest(typed, 2 if len(typed) > 6 else 1)
    return word if word in PRESS or word == "DIARY" and not rest else ""


def near_end_of_press(plain: str) -> bool:
    """Tell whether a line looks as if it ought to end a block of press.

    >>> near_end_of_press("ENDPRES"), near_end_of_press("End pres, Ann"), near_end_of_press("end")
    (True, True, False)
    """
    typed = plain.upper().split()[:2]
    if not typed or len(plain) > 40:
        return False
    # "Endless war awaits" is two slips away.
    slips = 2 if len(typed) == 1 else 1
    return any(
        OSA.distance(text.strip(",.!"), end, score_cutoff=slips) <= slips
        for text in (typed[0], "".join(typed))
        for end in ("ENDPRESS", "ENDBROADCAST")
    )
