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


class StoreLost(StoreTrouble):
    """The database's files were removed or replaced under us; what was just written is nowhere."""
