"""Frozen values with some fields altered. Floor 0."""

from collections.abc import Callable
from dataclasses import fields
from dataclasses import replace as altered
from functools import cache
from operator import attrgetter
from typing import TYPE_CHECKING, Any

__all__ = ["altered"]

_replace = altered
_set = object.__setattr__

if not TYPE_CHECKING:
    # Its types are those of the library's, which is checked for the fields there are.

    def altered(value: Any, /, **new: Any) -> Any:  # noqa: F811
        """Return a value with some fields altered, as `dataclasses.replace` does.

        That one looks at each field anew each time and has the value made by its `__init__`, which
        asks for each by name; a mail has some thirty values altered.

        >>> from judge.model.phrase import Complaint, ComplaintKind, phrase
        >>> said = Complaint(ComplaintKind.ILLEGAL, 1, "A Par H", phrase("no-unit", place="Par"))
        >>> altered(said, line=2).line
        2
        """
        slots, values_of = _slots(type(value))
        if not slots:
            return _replace(value, **new)
        made = object.__new__(type(value))
        for put, before in zip(slots, values_of(value), strict=True):
            put(made, before)
        for name, given in new.items():
            _set(made, name, given)
        return made


@cache
def _slots(kind: Any) -> tuple[tuple[Callable[[Any, Any], None], ...], Callable[[Any], Any]]:
    """Return what sets the fields of a kind, each in its slot, and what gets all their values.

    Nothing sets those of a kind that has no slots, or that does more when one of it is made.
    """
    names = tuple(field.name for field in fields(kind))
    if len(names) < 2 or "__slots__" not in vars(kind) or hasattr(kind, "__post_init__"):
        return (), attrgetter(*names)
    return tuple(getattr(kind, name).__set__ for name in names), attrgetter(*names)
