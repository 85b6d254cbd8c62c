"""Refusals that a submission server gives because of the judge's own account.

They have nothing to do with the letter or its address: a limit of letters a day, a full quota, or
a policy about the account.
"""

import re

_ALWAYS = (421, 432, 452, 454, 530, 534, 535)
"""Codes about the account or the server, with any text."""
_PERMANENT = (550, 552, 553, 554)
"""Codes about the account with some of the texts below."""
_ENHANCED = re.compile(r"[45]\.[0-9]{1,3}\.[0-9]{1,3}\b")
_TEMPORARY_POLICY = re.compile(r"4\.7\.[0-9]")
_ACCOUNT_STATES = ("5.4.5", "5.2.0", "5.2.252", "5.7.0", "5.7.1", "5.7.60")
"""Enhanced codes about the account. Exchange refuses a From of others by 5.2.252 and 5.7.60."""
_LETTER_STATES = ("5.2.3", "5.3.4")
"""Enhanced codes of a letter that is too large (RFC 3463, 3.3 and 3.4)."""
_LIMIT = re.compile(r"limit|quota", re.IGNORECASE)
_SIZE = re.compile(r"\bsizes?\b|too (?:large|big|long)", re.IGNORECASE)


def is_account_fault(code: int, text: str) -> bool:
    """Return whether a refusal is about the judge's account.

    It is a reply to MAIL FROM or to the data of a letter.

    >>> is_account_fault(550, "5.4.5 Daily user sending limit exceeded")
    True
    >>> is_account_fault(552, "5.3.4 Message size exceeds fixed limit")
    False
    """
    if code in _ALWAYS:
        return True
    found = _ENHANCED.match(text.strip())
    enhanced = found[0] if found else ""
    if 400 <= code < 500:
        return _TEMPORARY_POLICY.match(enhanced) is not None
    if code not in _PERMANENT or enhanced in _LETTER_STATES:
        return False
    if enhanced in _ACCOUNT_STATES:
        return True
    return _LIMIT.search(text) is not None and _SIZE.search(text) is None
