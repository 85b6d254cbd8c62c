"""Detection of order-like text, which no game system may ignore.

A reader that can neither file nor reject a piece of a mail uses this check. Talk is ignored. All
other text that names a unit, a place of the map or an order word is rejected with a reason. The
words come from the game system (`OrderVocabulary`); the forms of talk are the same in all systems.
"""

import re
import unicodedata
from collections.abc import Collection
from enum import Enum
from functools import cached_property

_MAX_CHARS = 300
"""Length limit of a checked piece, in characters."""
_MAX_NAME_WORDS = 5
_MAX_GREETING_WORDS = 4
_MIN_ENDING_CHARS = 5
"""Minimum length of a word for a unit that ends a German compound ("Parisarmee")."""


_DEED_LETTERS = frozenset("shcm")
"""Verbs of orders in one letter, which count after a place ("A Mar S him")."""


class WordKind(Enum):
    """Category of a word in a line."""

    UNIT = "u"
    PLACE = "p"
    DEED = "d"
    ARROW = "x"
    ALL = "q"
    """A word for all units, which makes a verb an order ("all hold")."""
    FILLER = "f"
    WISH = "i"
    """A word for the writer's own wishes: "I want", "let"."""
    TALK = "t"
    """A word that is rare in orders: "you", "was", "because"."""
    OTHER = "w"


_ALL = frozenset(
    "all every nobody noone everything everyone everybody each both rest remaining other "
    "others units unit alle alles "
    "andere anderen übrigen einheiten beide".split()
)
_FILLERS = frozenset(
    "the in at a an of from my our new please pls bitte then also now and und & order orders "
    "order: with by der die das den dem im am von aus meine mein auf one two three no none not "
    "keine kein where they are does nothing thanks thank put place position there itself time "
    "last turn this year judge hello hi dear danke 1 2 3 4 5 6 7 8 9 or oder if wenn falls "
    "unless else otherwise sonst ins vor fast firm still nothing".split()
)
_WISHES = frozenset(
    "i we ich wir let's want wants would like let lets should will shall can i'd i'll will "
    "möchte will "
    "lass soll sollen send".split()
)
_TALK = frozenset(
    "you your yours yourself he him his she her they them their it it's its is isn't am are were "
    "was been be being did do don't didn't had has have having lost who whom whose what why how "
    "when where's which because since though although about think thought hope guess wonder "
    "believe trust know said says told tell asked ask promise agree sorry yesterday tomorrow week "
    "monday tuesday wednesday thursday friday saturday sunday today tonight again always never "
    "ever me us myself i'm that that's those these some any anyone anybody someone somebody "
    "but too very so really just only here forget forgot afraid could might may must cannot can't "
    "du dein deine dir dich ihr euch euer er sie es ist sind war waren bin bist habe hast hat "
    "hatte haben wer was wann warum wie wo weil ob nicht mir mich uns nur aber auch immer nie "
    "wieder heute morgen gestern woche moved took taken went came supported lost live lives living "
    "denies deny rumour rumours rumor rumors president king queen tsar kaiser sultan emperor "
    "minister ambassador peace beware announces announced declared newspaper people citizens "
    "suggest suggests suggested propose proposes recommend expected "
    "minute beat going that shows see looks good great bad nice poor well".split()
)
_VETO = re.compile(r"\S@\S+\.|://|\bwww\.|^\s*[>＞»]|^\s*\|\|")
_GREETING = re.compile(
    r"\s*(?:hi|hello|hey|dear|hallo|liebe[rs]?|moin|servus|greetings|gr[uü](?:ß|ss)e?|good|guten?|"
    r"bonjour|ciao|salut|cheers|regards|best|kind|warm|many|thanks?|danke|yours|sincerely|viele|"
    r"sch(?:ö|oe)ne|beste|mit|ps|p\.s\.|tel|phone|fax|mobile|sent|see|bye|farewell|long|"
    r"congrat\w*|from|to|subject|date|re)\b",
    re.IGNORECASE,
)
_REPORTED = re.compile(
    r"\s*(?:last|previous|letzte[rns]?)\s(?:turn|year|season|phase|runde|jahr)\b.*\b"
    r"(?:bounced|failed|worked|was|were|moved|did|got|went|cost|hat|war|ging)\b|"
    r"\s*i\s(?:suggest|propose|think|believe|recommend|guess|hope|bet)\s(?:that\s)?"
    r"(?:you|he|she|they)\b|\s*ich\s(?:schlage|glaube|denke|hoffe),?\s(?:dir|du|er|sie)\b",
    re.IGNORECASE,
)
"""Beginnings of sentences about orders."""
_SALUTATION = re.compile(
    r"(?:hi|hello|hey|dear|hallo|liebe[rs]?|moin|servus|greetings|gr[uü](?:ß|ss)e?|bonjour|ciao|"
    r"good (?:morning|evening|day|afternoon|luck)|guten (?:morgen|tag|abend)|cheers|thanks?|danke|"
    r"(?:best|kind|warm) (?:regards|wishes)|regards|yours|sincerely|viele|sch(?:ö|oe)ne|"
    r"(?:good)?bye|tsch(?:ü|ue|u)ss?)\b",
    re.IGNORECASE,
)
_GREETED = re.compile(
    r"\s*(?:hi|hello|hey|hallo|moin|servus|greetings|bonjour|ciao|salut|good|guten?|(?:good)?bye|"
    r"tsch(?:ü|ue|u)ss?)\b"
    r"[^,!:.]{0,30}[,!:.]\s+(?=\w+\W+\w)",
    re.IGNORECASE,
)
"""A greeting followed by more words on its line."""
_STREET = re.compile(
    r"\b(?:street|road|avenue|rue|via|ring|platz|square|lane|hotel|universit\w*|tel|phone|ltd|gmbh|"
    r"stra(?:ß|ss)e)\b|stra(?:ß|ss)e\b|\b[0-9]{5}\b|\b[A-Z]{1,2}[0-9]{1,2}[A-Z]?\s[0-9][A-Z]{2}\b",
    re.IGNORECASE,
)
_DATED = re.compile(
    r"\b(?:jan|feb|mar|apr|may|mai|jun|jul|aug|sep|oct|okt|nov|dec|dez)[a-zäé]*\.?\b", re.IGNORECASE
)
_ASIDE = re.compile(
    r"^\s*(?:[-*•]\s+|[0-9]{1,2}[.)]\s*|[a-z]\)\s)|\b(?:where|as) (?:they|it|you) (?:are|is)\b",
    re.IGNORECASE,
)
"""The mark of a list item, and words that only mean that a unit stays."""
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?|#\s?[0-9]+|<->|[-=~]*>+|[-~=]+")
_REPEAT = re.compile(
    r"(?:\W*(?:the|my|please|use|keep|repeat|send|file|bitte|die|meine)\b)*\W*"
    r"(?:same|previous|old|last|identical|earlier|gleichen?|selben|dieselben|alten|vorigen)\s+"
    r"(?:orders?|moves?|builds?|befehle|züge)"
    r"(?:\s+(?:as|from|of|again|please|like|wie|bitte)\b.*)?\W*",
    re.IGNORECASE,
)
"""Requests to repeat earlier orders, which no reader supports."""
_NONE = frozenset({"no", "none", "keine", "kein"})
_HEADING = frozenset(
    "orders order moves move builds build retreats retreat adjustments supports befehle züge "
    "befehl zug".split()
)


def _with_plain(words: Collection[str]) -> frozenset[str]:
    """Return words with their spellings without accents, as in cleaned lines."""
    plain = (unicodedata.normalize("NFKD", word) for word in words)
    return frozenset(words) | {"".join(c for c in word if c.isalnum()) for word in plain}


class OrderVocabulary:
    """Vocabulary of a game's orders, which separates order lines from talk."""

    def __init__(
        self,
        *,
        units: Collection[str],
        deeds: Collection[str],
        places: Collection[str],
        unit_letters: Collection[str] = (),
        common: Collection[str] = (),
        headings: Collection[str] = (),
        weak: Collection[str] = (),
    ) -> None:
        """Build the tables from words in lower case, `places` without blanks and signs.

        `unit_letters` are units only before a place. Names in `common` are ordinary words too and
        count as places only after a unit or an arrow. Verbs (`deeds`) that are also in `weak` mean
        nothing alone.
        """
        self._units, self._deeds = frozenset(units), _with_plain(deeds)
        self._places, self._letters = frozenset(places), frozenset(unit_letters)
        self._common = frozenset(common)
        self._weak = frozenset(weak)
        self._endings = tuple(word for word in self._units if len(word) >= _MIN_ENDING_CHARS)
        self._headings = frozenset(word.casefold() for word in headings)

    @cached_property
    def _begins(self) -> frozenset[str]:
        """Beginnings of names, which make the search for long names fast."""
        return frozenset(name[:3] for name in self._places)

    def is_unknown(self, word: str) -> bool:
        """Return whether a word is used neither in orders nor in talk."""
        return self.marks(word) == [WordKind.OTHER]

    def marks(self, text: str) -> list[WordKind]:
        """Return the marks of a text, one for each word or name of several words."""
        words = [found[0] for found in _WORD.finditer(text)]
        found: list[WordKind] = []
        at = 0
        while at < len(words):
            mark, length = self._mark(words, at, found)
            found.append(mark)
            at += length
        return found

    def _mark(self, words: list[str], at: int, before: list[WordKind]) -> tuple[WordKind, int]:
        word = words[at].casefold().replace("’", "'")
        if not word[0].isalnum() and word[0] != "#":
            return WordKind.ARROW, 1
        beside = bool(before) and before[-1] in (WordKind.UNIT, WordKind.ARROW)
        length = self._place_at(words, at)
        if length and (beside or length > 1 or word not in self._common):
            return WordKind.PLACE, length
        if word in _DEED_LETTERS and before[-1:] == [WordKind.PLACE]:
            return WordKind.DEED, 1
        if word in self._letters and self._place_at(words, at + 1):
            return WordKind.UNIT, 1
        for mark, table in (
            (WordKind.UNIT, self._units), (WordKind.DEED, self._deeds), (WordKind.ALL, _ALL),
            (WordKind.TALK, _TALK), (WordKind.WISH, _WISHES), (WordKind.FILLER, _FILLERS),
        ):
            if word in table:
                return mark, 1
        if word.endswith(self._endings):
            return WordKind.UNIT, 1
        led = word in ("to", "nach") or word == "on" and self._place_at(words, at + 1)
        return WordKind.FILLER if led else WordKind.OTHER, 1

    def _place_at(self, words: list[str], at: int) -> int:
        """Return the number of words of the longest place name at an index, or 0."""
        joined, longest = "", 0
        for number, word in enumerate(words[at : at + _MAX_NAME_WORDS], 1):
            plain = "".join(filter(str.isalnum, word.casefold())) or word
            joined += f"#{plain}" if word.startswith("#") else plain
            if joined in self._places:
                longest = number
            if joined[:3] not in self._begins and len(joined) >= 3:
                break
        return longest

    def is_order_like(self, text: str) -> bool:
        """Return whether a piece of a mail that no reader understood must be rejected.

        If not, it may be ignored.
        """
        text = text.strip()
        if not text or len(text) > _MAX_CHARS or _VETO.search(text) or _REPORTED.match(text):
            return False
        if _REPEAT.fullmatch(text):
            return True
        if greeting := _GREETED.match(text):
            rest = text[greeting.end() :]
            return self.is_order_like(rest) or self._is_order_like(text)
        return self._is_order_like(text)

    def _is_order_like(self, text: str) -> bool:
        plain = _ASIDE.sub(" ", text)
        marks = self.marks(plain)
        if self._is_heading(plain) or not _SIGNS & set(marks):
            return False
        if not {WordKind.PLACE, WordKind.UNIT, WordKind.ALL} & set(marks):
            words = {found[0].casefold() for found in _WORD.finditer(plain)}
            if words & self._deeds <= self._weak:
                return False
        return _is_order(marks, text)

    def is_talk(self, text: str) -> bool:
        """Return whether a piece is clearly talk, even if a reader has a guess for it."""
        if self.is_order_like(text):
            return False
        marks = self.marks(text)
        said = WordKind.TALK in marks or marks[:1] == [WordKind.WISH]
        return said or bool(_VETO.search(text) or _GREETING.match(text) or _STREET.search(text))

    def is_opening(self, text: str) -> bool:
        """Return whether a line is a greeting, a closing or a heading and names nothing.

        Such a line ("Dear judge,", "for this month:") is no order, even if its first word resembles
        one.
        """
        plain = text.strip()
        if {WordKind.UNIT, WordKind.PLACE, WordKind.ARROW} & set(self.marks(plain)):
            return False
        words = {found[0].casefold() for found in _WORD.finditer(plain)}
        if words & self._deeds - _HEADING - {"for"}:
            return False
        return bool(_SALUTATION.match(plain)) or plain.endswith(":")

    def _is_heading(self, text: str) -> bool:
        """Return whether a line is only the title of a list of orders."""
        words = re.findall(r"[^\W_]+", text.casefold())
        left = [
            word for word in words
            if word in _NONE
            or word not in _HEADING and word not in self._headings and word not in _FILLERS
            and not re.fullmatch(r"[a-z]?[0-9]+[a-z]?", word)
        ]
        named = any(word in _HEADING and word.endswith(("s", "e")) for word in words)
        return named and not left


_SIGNS = frozenset({WordKind.UNIT, WordKind.PLACE, WordKind.DEED, WordKind.ALL})


def _is_order(marks: list[WordKind], text: str) -> bool:
    count = {mark: marks.count(mark) for mark in WordKind}
    shape = "".join(mark.value for mark in marks)
    talk, other, wish = count[WordKind.TALK], count[WordKind.OTHER], count[WordKind.WISH]
    places, deeds, units = count[WordKind.PLACE], count[WordKind.DEED], count[WordKind.UNIT]
    known = places + deeds + units + count[WordKind.ARROW]
    bare = re.sub("[fi]", "", shape)
    if re.search("up?x+f*p|px+f*p", shape) and talk + other < known:
        return not talk or units + deeds > 0
    if ">" in text and not talk and (places or units or deeds):
        return True
    has_type = re.match(r"\s*(?:[Ff]|army|fleet)\s", text)
    if re.match("upd.*p", bare) or has_type and shape[:2] == "up":
        return True
    if text.endswith("?") and talk + wish:
        return False
    if re.search("pdp[fx]*p", shape) and talk <= 2:
        # This form is an order in any sentence: "Sorry, I meant that Nwg supports Yor to Nwy".
        return True
    if _GREETING.match(text) or _STREET.search(text):
        return bool(re.search("uf*p", shape)) and known >= 3 and not talk
    if "," in text and re.fullmatch("p+", bare):
        return False
    if re.search("x[fw]{0,2}p", shape) and not talk + wish and other <= 2:
        return True
    return _is_phrase(bare, units, places, deeds, talk, other, wish)


def _is_phrase(
    bare: str, units: int, places: int, deeds: int, talk: int, other: int, wish: int
) -> bool:
    """Return whether words without an arrow are an order, by their marks `bare`."""
    if re.match("q+d", bare) and places:
        return True
    has_unit = bool(re.search("up", bare))
    if talk and re.fullmatch("(?:u?pd)+t|upt|q+d+t*|q+udt?w?", bare):
        return True
    if talk:
        return has_unit and places > 1 and bool(deeds) and talk + other <= 1
    if has_unit:
        return other <= 2 + places + deeds
    if units and (places or deeds):
        return other <= 1
    if deeds and places:
        return other <= (places > 1) + ("q" in bare)
    if deeds and not (other or wish):
        return True
    if re.match("ux|u?w?xp|xp|px", bare):
        return other <= 1
    return places > 1 and not (other or wish) and not re.search("[^px]", bare)


def is_greeting(text: str) -> bool:
    """Return whether a line is a greeting or closing of a few words.

    >>> is_greeting("Hi judge,"), is_greeting("Hello A Par - Bur")
    (True, False)
    """
    words = text.split()
    is_plain = all(word.strip(",.!'").isalpha() for word in words)
    return bool(_SALUTATION.match(text.strip())) and is_plain and len(words) <= _MAX_GREETING_WORDS


def without_list_mark(text: str) -> str:
    """Return an order without a list number or bullet in front of it.

    >>> without_list_mark("2) MOVE 1 Kiev -> Minsk")
    'MOVE 1 Kiev -> Minsk'
    """
    return re.sub(r"^\s*(?:[-*•]\s+|[0-9]{1,2}[.)]\s+)", "", text)
