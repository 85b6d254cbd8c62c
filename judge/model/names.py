"""Syntax of the names that people choose, and detection of look-alikes.

A name is shown to others next to a power. It must not be mistaken for another person's, for a
power or a master, nor change how the rest of a letter reads: letters and digits of one alphabet,
blanks, and a few signs that are common in names. Names look the same if they share a skeleton as
in Unicode's report on confusable identifiers (UTS #39, 4), here limited to the alphabets in which
whole Latin words can be imitated.
"""

import unicodedata

from judge.model.phrase import Phrase, phrase

MAX_NAME_LENGTH = 30
"""Maximum characters of a name."""
_MAX_TEXT = 1000
"""Maximum characters of the raw text, blanks included."""
_SIGNS = " '’.-"
_MAX_COMBINING_MARKS = 2
"""Maximum combining marks on one letter. More would run into adjacent lines."""
_ALIKE_ALPHABETS = ("LATIN", "GREEK", "CYRILLIC", "ARMENIAN", "COPTIC", "CHEROKEE", "LISU")
"""Alphabets with letters that look the same. A name uses only one of them."""
_IMITATED = {
    "a": "αɑаΑА", "b": "βьΒВв", "c": "ϲсϹС", "d": "ԁđԁ", "e": "εеΕЕ", "g": "ɡɢԌց", "h": "ħһηнΗНҺհ",
    "i": "ıιіΙІ", "j": "јϳЈյ", "k": "κкΚК", "l": "łʟӏӀ1", "m": "мΜМ", "n": "пΝոռ", "o": "øοоσօΟО0",
    "p": "ρрΡР", "q": "ԛգզԚ", "r": "гґ", "s": "ѕςЅ5", "t": "τтŧΤТ", "u": "υսʋ", "v": "νѵѴ",
    "w": "ωԝԜ", "x": "χхΧХ", "y": "γуүΥУ", "z": "ζΖ", "3": "зЗ", "6": "б",
}
_LOOKS = {ord(each): plain for plain, alike in _IMITATED.items() for each in alike}
"""Letters and digits → the one that they can be mistaken for."""
_CONFUSABLE_PAIRS = (("rn", "m"), ("vv", "w"), ("i", "l"))
"""Sequences and letters that look like another letter in some case."""


def confusable_key(name: str) -> str:
    """Return the skeleton shared by names that look the same.

    It is empty if nothing of the name is visible.

    >>> (confusable_key("Ann O'Neil") == confusable_key("ANN 0NE1L"), confusable_key("Аnn")
    ...  == confusable_key("Ann"))
    (True, True)
    >>> (confusable_key("Ánn") == confusable_key("ann"), confusable_key("Ann")
    ...  == confusable_key("Anna"))
    (True, False)
    """
    plain = unicodedata.normalize("NFKD", name).translate(_LOOKS).casefold()
    plain = unicodedata.normalize("NFKD", plain).translate(_LOOKS)
    look = "".join(char for char in plain if char.isalnum())
    for several, one in _CONFUSABLE_PAIRS:
        look = look.replace(several, one)
    return look


_INVISIBLE = frozenset({"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp"})
"""Unicode categories of characters that show nothing, or something else elsewhere."""


def read_name(text: str) -> str | Phrase:
    """Normalise a name, or return the reason why it is invalid.

    An empty text stays empty and is valid.

    >>> read_name("  Ann   Example "), read_name(30 * "x") == 30 * "x"
    ('Ann Example', True)
    >>> [read_name(text).code for text in (31 * "x", "Ann\\u202e", "Аnn", "--", "a@b.org")]
    ['name-too-long', 'name-signs', 'name-alphabets', 'name-signs', 'name-signs']
    """
    if len(text) > _MAX_TEXT:
        return phrase("name-too-long", most=MAX_NAME_LENGTH)
    # Only spaces are blanks of a name. Line breaks and invisible characters are refused below.
    name = " ".join(filter(None, unicodedata.normalize("NFC", text).split(" ")))
    if not name:
        return ""
    if len(name) > MAX_NAME_LENGTH:
        return phrase("name-too-long", most=MAX_NAME_LENGTH)
    if not name[0].isalnum() or not all(map(_may_stand, name)) or is_overmarked(name):
        return phrase("name-signs")
    letters = [char for char in name if char.isalpha()]
    if not letters or not confusable_key(name):
        return phrase("name-signs")
    return phrase("name-alphabets") if mixes_alphabets(letters) else name


def strip_invisible(text: str) -> str:
    """Return a text without control characters and direction marks.

    >>> strip_invisible("a\\tb\\u202ec")
    'a bc'
    """
    plain = text.replace("\t", " ")
    return "".join(char for char in plain if unicodedata.category(char) not in _INVISIBLE)


def _may_stand(char: str) -> bool:
    """Return whether a name may contain a character.

    Control characters, direction marks and invisible blanks are excluded.
    """
    return char in _SIGNS or unicodedata.category(char) in (
        "Lu", "Ll", "Lt", "Lm", "Lo", "Mn", "Mc", "Nd"
    )


def is_overmarked(name: str) -> bool:
    """Return whether a letter of a name has too many combining marks."""
    marks = 0
    for char in unicodedata.normalize("NFD", name):
        marks = marks + 1 if unicodedata.category(char) == "Mn" else 0
        if marks > _MAX_COMBINING_MARKS:
            return True
    return False


def mixes_alphabets(letters: list[str]) -> bool:
    """Return whether letters mix confusable alphabets, or both writing directions."""
    alphabets = {unicodedata.name(letter, "").split(" ")[0] for letter in letters}
    ways = {unicodedata.bidirectional(letter) in ("R", "AL") for letter in letters}
    return len(alphabets.intersection(_ALIKE_ALPHABETS)) > 1 or len(ways) > 1
