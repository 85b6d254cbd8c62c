"""Frozen records as JSON objects of the fields that differ from the defaults.

Fields written by another version of the judge are kept in the record's field `others`.
"""

from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from datetime import datetime, timedelta
from enum import Enum
from functools import cache
from typing import Any, TypeVar, get_type_hints

import msgspec

R = TypeVar("R")


@cache
def field_types(kind: Any) -> Mapping[str, Any]:
    """Return the types of a record's fields by name, without `others`."""
    hints = get_type_hints(kind)
    return {each.name: hints[each.name] for each in fields(kind) if each.name != "others"}


@cache
def stored_names(kind: Any) -> Mapping[str, str]:
    """Return the names of a record's fields by their JSON keys, without `others`.

    The metadata `stored` of a field is its key where the name in Python is another.
    """
    return {
        each.metadata.get("stored", each.name): each.name
        for each in fields(kind) if each.name != "others"
    }


def read_value(kept: object, kind: Any) -> Any:
    """Convert a JSON value to a type.

    Raises:
        ValueError: it has no such value.
    """
    try:
        return msgspec.convert(kept, kind, strict=False)
    except msgspec.ValidationError as fault:
        raise ValueError(f"{kept!r}: {fault}") from fault


def read_record(kind: Callable[..., R], kept: Mapping[str, Any]) -> R:
    """Read a record from its JSON object.

    Raises:
        ValueError: a field has no value of its type.
    """
    names, types = stored_names(kind), field_types(kind)
    known = {names[key]: read_value(kept[key], types[names[key]]) for key in kept if key in names}
    others = {key: value for key, value in kept.items() if key not in names}
    return kind(**known, others=others)


def write_value(value: object) -> object:
    """Return the JSON form of a value: times in ISO 8601, durations in seconds."""
    match value:
        case datetime():
            return value.isoformat()
        case timedelta():
            return value.total_seconds()
        case Enum():
            return value.value
        case tuple():
            return [write_value(each) for each in value]
        case Mapping():
            return {name: write_value(each) for name, each in value.items()}
        case _ if is_dataclass(value):
            return {each.name: write_value(getattr(value, each.name)) for each in fields(value)}
        case _:
            return value


def write_record(record: Any) -> dict[str, object]:
    """Return the JSON object of the fields that differ from their defaults."""
    kept = dict(record.others)
    for each in fields(record):
        value = getattr(record, each.name)
        if each.name != "others" and value != each.default:
            kept[each.metadata.get("stored", each.name)] = write_value(value)
    return kept
