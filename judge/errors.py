"""Exceptions of the judge.

A player's mistake is never an exception but a `Complaint`.
"""


class JudgeError(Exception):
    """Base class of errors in the judge itself, its files or its configuration."""


class ConfigError(JudgeError):
    """Raised when the configuration has an impossible value."""


class DataError(JudgeError):
    """Raised when a shipped table, grammar or template is faulty."""


class StoreError(JudgeError):
    """Raised when the database cannot be opened, read or written."""


class StoreTrouble(StoreError):
    """Raised when the database is unusable at present: busy, full or unreadable.

    A later attempt may succeed.
    """


class StoreConflict(StoreTrouble):
    """Raised when another transaction wrote the same rows.

    The transaction was rolled back and can be repeated.
    """


class StoreRefused(StoreError):
    """Raised when the operator must decide before the database may be opened."""


class StoreLost(BaseException):
    """Raised when the database's files were removed, replaced or damaged in use.

    The process ends with exit code 3. The class is no Exception, so that handlers of other faults
    do not catch it: nothing that was done since the last check counts.
    """

    def __init__(self, text: str, is_overwritten: bool = False) -> None:
        super().__init__(text)
        self.is_overwritten = is_overwritten
        """True if the open files no longer contain what was written."""
        self.is_logged = False
