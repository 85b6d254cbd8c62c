"""Check that threads access shared state under a lock, without any race."""

from threading import Lock
from typing import Any, TypeVar

_T = TypeVar("_T", bound=object)


def guard(thing: _T, *names: str, lock: str = "_lock", set_only: bool = False) -> _T:
    """Check that an object's lock is held whenever some attributes are accessed.

    With `set_only` reads are allowed without the lock, because the object tolerates old values.
    """
    assert all(hasattr(thing, name) for name in names), names
    kind = type(thing)
    held: Lock = getattr(thing, lock)

    def get(self: Any, name: str) -> Any:
        if name in names and not set_only:
            assert held.locked(), f"{name} is looked at without the lock"
        return kind.__getattribute__(self, name)

    def put(self: Any, name: str, value: Any) -> None:
        if name in names:
            assert held.locked(), f"{name} is set without the lock"
        kind.__setattr__(self, name, value)

    thing.__class__ = type(kind.__name__, (kind,), {"__getattribute__": get, "__setattr__": put})
    return thing
