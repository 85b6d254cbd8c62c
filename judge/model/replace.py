"""Copies of frozen values with some fields replaced."""

from collections.abc import Callable
from dataclasses import fields, replace
from functools import cache
from operator import attrgetter
from typing import TYPE_CHECKING, Any, NamedTuple

__all__ = ["replace"]

_replace = replace
_set = object.__setattr__

if not TYPE_CHECKING:
    # Type checkers see `dataclasses.replace`, whose field names they verify.

    def replace(value: Any, /, **new: Any) -> Any:
        """Return a copy of a value with some fields replaced.

        It does the same as `dataclasses.replace`, which looks up every field on each call and
        passes all of them to `__init__`. Each mail replaces fields about thirty times.

        >>> from judge.model.phrase import Complaint, ComplaintKind, phrase
        >>> said = Complaint(ComplaintKind.ILLEGAL, 1, "A Par H", phrase("no-unit", place="Par"))
        >>> replace(said, line=2).line
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
    """Functions that copy the values of one class."""

    slots: tuple[Callable[[Any, Any], None], ...]
    """Setters of the fields' slots, in order. Empty for a class without slots."""
    values_of: Callable[[Any], Any]
    """Getter of the values of all fields."""
    then: Callable[[Any], None] | None
    """The class's `__post_init__`, if it has one."""


@cache
def _shape(kind: Any) -> _Shape:
    names = tuple(field.name for field in fields(kind))
    has_slots = len(names) > 1 and "__slots__" in vars(kind)
    slots = tuple(getattr(kind, name).__set__ for name in names) if has_slots else ()
    return _Shape(slots, attrgetter(*names), getattr(kind, "__post_init__", None))
