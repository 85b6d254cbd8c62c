"""Numbers as people write them: of ASCII digits alone. Floor 0.

`str.isdigit` takes "²" for a digit, which `int` does not; `int` takes "٣" and "1_0" for numbers,
which nobody who reads them in a letter would. `tests/house/test_digits.py` has all rooms ask here.
"""


def is_number(text: str, longest: int = 9) -> bool:
    """Tell whether a text is a number that `int` reads, of so many digits at most.

    >>> is_number("1901"), is_number("²"), is_number("٣"), is_number(""), is_number("1" * 10)
    (True, False, False, False, False)
    """
    return 0 < len(text) <= longest and text.isascii() and text.isdigit()


def has_digit(text: str) -> bool:
    """Tell whether an ASCII digit stands in a text.

    >>> has_digit("S1901M"), has_digit("m²")
    (True, False)
    """
    return any(is_number(char) for char in text)


def minutes_of_day(hour: str, minute: str) -> int | None:
    """Return the minutes of the day that a time is, or None if it is none.

    >>> minutes_of_day("7", "30"), minutes_of_day("24", "00"), minutes_of_day("7", "²")
    (450, None, None)
    """
    if not (is_number(hour) and is_number(minute) and int(hour) < 24 and int(minute) < 60):
        return None
    return int(hour) * 60 + int(minute)
