"""What only we can cause. A player's mistake is never an exception: it is a `Complaint`."""


class JudgeError(Exception):
    """Any fault of the judge itself, its files or its configuration."""


class ConfigError(JudgeError):
    """The configuration names something that cannot be."""


class DataError(JudgeError):
    """A shipped table, grammar or template is faulty."""


class StoreError(JudgeError):
    """The database cannot be opened, read or written."""


class StoreTrouble(StoreError):
    """The database cannot be used now: busy, full, unreadable; it may be later."""


class StoreConflict(StoreTrouble):
    """Somebody else wrote the same meanwhile: what was begun is undone, and can be done again."""


class StoreRefused(StoreError):
    """Raised when the database must not be opened before the operator has decided on it."""


class StoreLost(BaseException):
    """Raised when the files of the database were removed, replaced or damaged during use.

    The process ends with exit code 3. No Exception, so that no handler of other faults catches it:
    nothing that was done since the last check counts.
    """

    def __init__(self, text: str, is_overwritten: bool = False) -> None:
        super().__init__(text)
        self.is_overwritten = is_overwritten
        """Whether what the open files hold is no longer what was written."""
        self.is_logged = False
