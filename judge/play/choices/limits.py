"""The values of settings that say who may play: addresses, shares, points, levels, one word."""

import re
from collections.abc import Sequence

from judge.play.choices.settingtable import Setting, Takes
from judge.words.person import LEVELS
from judge.words.reason import because

MOST_LISTED = 100
"""Addresses a list of a game may have."""
_ADDRESS = re.compile(r"[^\s@<>,;]+@[^\s@<>,;]+")
_SHARE = re.compile(r"([0-9]{1,3}(?:\.[0-9]{0,6})?|\.[0-9]{1,6})%?")
_POINTS = re.compile(r"[+-]?[0-9]{1,6}")


def is_address(text: str) -> bool:
    """Tell whether a text has the shape of a mail address.

    >>> is_address("ann@example.org"), is_address("ann")
    (True, False)
    """
    return len(text) <= 254 and _ADDRESS.fullmatch(text) is not None


def read_limit(row: Setting, rest: Sequence[str]) -> object:
    """Return the value that words stand for behind a setting of this kind, or a Reason."""
    name, text = " ".join(row.words), rest[0]
    if row.takes is Takes.ADDRESSES:
        words = tuple(word.strip("<>,;").lower() for word in rest)
        wrong = next((word for word in words if not is_address(word.lstrip("-"))), None)
        return because("setting-address", setting=name, text=wrong) if wrong is not None else words
    if len(rest) > 1:
        return because("setting-one-word", setting=name)
    match row.takes:
        case Takes.SHARE:
            share = _share(text)
            return because("setting-share", setting=name) if share is None else share
        case Takes.POINTS:
            points = _POINTS.fullmatch(text)
            return int(points[0]) if points else because("setting-number", setting=name)
        case Takes.LEVEL:
            level = "" if text.lower() == "any" else text.lower()
            fits = level in ("", *LEVELS)
            allowed = ", ".join(("any", *LEVELS)).upper()
            return level if fits else because("setting-value", setting=name, allowed=allowed)
        case _:
            return text.lower()[:40]


def _share(text: str) -> int | None:
    """Return a share in per cent: "90", "90%" and nJudge's "0.9" are the same.

    >>> _share("90"), _share("90%"), _share("0.9"), _share("1"), _share("1.0"), _share("lots")
    (90, 90, 90, 1, 100, None)
    """
    found = _SHARE.fullmatch(text)
    if not found:
        return None
    number = float(found[1])
    if "." in text and number <= 1:
        number *= 100
    return round(number) if 0 <= number <= 100 else None


def listed(known: Sequence[str], changes: Sequence[str]) -> tuple[str, ...]:
    """Return a list of addresses after some were put in, and those with a - taken out.

    >>> listed(("a@x.org", "b@x.org"), ("c@x.org", "-a@x.org"))
    ('b@x.org', 'c@x.org')
    """
    out = {word[1:] for word in changes if word.startswith("-")}
    put = (word for word in changes if not word.startswith("-"))
    return tuple(word for word in dict.fromkeys([*known, *put]) if word not in out)[:MOST_LISTED]
