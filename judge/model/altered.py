"""Frozen values with some fields altered. Floor 0."""

from collections.abc import Callable
from dataclasses import fields
from dataclasses import replace as altered
from functools import cache
from operator import attrgetter
from typing import TYPE_CHECKING, Any, NamedTuple

__all__ = ["altered"]

_replace = altered
_set = object.__setattr__

if not TYPE_CHECKING:
    # Its types are those of the library's, which is checked for the fields there are.

    def altered(value: Any, /, **new: Any) -> Any:
        """Return a value with some fields altered, as `dataclasses.replace` does.

        That one looks at each field anew each time and has the value made by its `__init__`, which
        asks for each by name; a mail has some thirty values altered.

        >>> from judge.model.phrase import Complaint, ComplaintKind, phrase
        >>> said = Complaint(ComplaintKind.ILLEGAL, 1, "A Par H", phrase("no-unit", place="Par"))
        >>> altered(said, line=2).line
        2
        """
        slots, values_of, then = _shape(type(value))
        if not slots:
            return _replace(value, **new)
        made = object.__new__(type(value))
        for put, before in zip(slots, values_of(value), strict=True):
            put(made, before)
        for name, given in new.items():
            _set(made, name, given)
        if then:
            then(made)
        return made


class _Shape(NamedTuple):
    """How the values of a kind are made of others."""

    slots: tuple[Callable[[Any, Any], None], ...]
    """What sets each field in its slot; nothing where a kind has no slots."""
    values_of: Callable[[Any], Any]
    """What gets the values of all fields."""
    then: Callable[[Any], None] | None
    """What the kind does itself with a value that was made."""


@cache
def _shape(kind: Any) -> _Shape:
    names = tuple(field.name for field in fields(kind))
    has_slots = len(names) > 1 and "__slots__" in vars(kind)
    slots = tuple(getattr(kind, name).__set__ for name in names) if has_slots else ()
    return _Shape(slots, attrgetter(*names), getattr(kind, "__post_init__", None))
