"""Numbers in user input, which consist of ASCII digits alone.

`str.isdigit` accepts "²", which `int` does not. `int` accepts "٣" and "1_0", which a reader of a
letter would not take for numbers. `tests/house/test_digits.py` checks that all packages use this
module.
"""


def is_number(text: str, longest: int = 9) -> bool:
    """Return whether a text is a number of at most `longest` ASCII digits.

    >>> is_number("1901"), is_number("²"), is_number("٣"), is_number(""), is_number("1" * 10)
    (True, False, False, False, False)
    """
    return 0 < len(text) <= longest and text.isascii() and text.isdigit()


def has_digit(text: str) -> bool:
    """Return whether a text contains an ASCII digit.

    >>> has_digit("S1901M"), has_digit("m²")
    (True, False)
    """
    return any(is_number(char) for char in text)


def minutes_of_day(hour: str, minute: str) -> int | None:
    """Return a time as minutes since midnight, or None if it is invalid.

    >>> minutes_of_day("7", "30"), minutes_of_day("24", "00"), minutes_of_day("7", "²")
    (450, None, None)
    """
    if not (is_number(hour) and is_number(minute) and int(hour) < 24 and int(minute) < 60):
        return None
    return int(hour) * 60 + int(minute)
