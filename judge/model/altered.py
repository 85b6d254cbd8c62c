"""Frozen values with some fields altered. Floor 0."""

from collections.abc import Callable
from dataclasses import fields
from dataclasses import replace as altered
from functools import cache
from operator import attrgetter
from typing import TYPE_CHECKING, Any

__all__ = ["altered"]

_replace = altered

if not TYPE_CHECKING:
    # Its types are those of the library's, which is checked for the fields there are.

    def altered(value: Any, /, **new: Any) -> Any:  # noqa: F811
        """Return a value with some fields altered, as `dataclasses.replace` does.

        That one looks at each field anew each time, and a mail has some thirty values altered.

        >>> from judge.model.phrase import Complaint, ComplaintKind, phrase
        >>> said = Complaint(ComplaintKind.ILLEGAL, 1, "A Par H", phrase("no-unit", place="Par"))
        >>> altered(said, line=2).line
        2
        """
        names, values_of = _shape(type(value))
        if len(names) < 2:
            return _replace(value, **new)
        given = dict(zip(names, values_of(value)))
        given.update(new)
        return type(value)(**given)


@cache
def _shape(kind: Any) -> tuple[tuple[str, ...], Callable[[Any], Any]]:
    """Return the names of a kind's fields and what gets their values."""
    names = tuple(field.name for field in fields(kind))
    return names, attrgetter(*names)
