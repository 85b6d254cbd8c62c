"""What threads share is touched under a lock: seen to without having any threads race."""

from threading import Lock
from typing import Any, TypeVar

_T = TypeVar("_T", bound=object)


def guard(thing: _T, *names: str, lock: str = "_lock", set_only: bool = False) -> _T:
    """Have a thing look at and set some of its attributes only while it holds its lock.

    With `set_only` it may look without: what it sees then may be old, and it knows that.
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
