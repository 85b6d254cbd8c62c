"""Added map of an exported game: name, hash and title, and on request its files.

A game is imported on the map with the same hash. The files of a map are in an export only if the
operator asks for them and its licence permits it. They are stored only by the operator's import.
"""

import json
import re
from collections.abc import Mapping
from datetime import datetime
from typing import Any, NamedTuple

from judge.board.bundle import (
    files_of,
    hash_of,
    is_key,
    is_too_large,
    make_key,
    name_in_key,
)
from judge.board.mapfile import parse_tables
from judge.errors import DataError, JudgeError
from judge.games import find_map, title_of
from judge.games.added_maps import find_key, require_bundle, store_bundle
from judge.play.game import Context

FREE = frozenset({"own", "free"})
"""Licences of maps whose files may be handed out."""
_KEY, _FILES = "added_map", "files"
_NAME = re.compile(r"[a-z][a-z0-9_]{1,19}")
_HASH = re.compile(r"[0-9a-f]{64}")
_NAMES_KEY = re.compile(r"""^\s*("map":|MAP)\s+"?[a-z0-9_]+\.""", re.MULTILINE | re.IGNORECASE)


def map_values(key: str, *, with_files: bool = False) -> dict[str, object]:
    """Return the values of a game's map for its export. A shipped map needs none.

    Raises:
        JudgeError: the files are wanted, and the licence of the map does not permit it.
    """
    if not is_key(key):
        return {}
    bundle = require_bundle(key)
    values: dict[str, object] = {
        "name": name_in_key(key), "hash": hash_of(bundle), "title": title_of(key),
    }
    if with_files:
        licence = licence_of(bundle)
        if licence not in FREE:
            raise JudgeError(
                f"the licence of the map {name_in_key(key)} is {licence or 'unknown'}: only maps"
                f" with the licence {' or '.join(sorted(FREE))} in map.tsv are exported"
            )
        values[_FILES] = files_of(bundle)
    return {_KEY: values}


def licence_of(bundle: str) -> str:
    """Return the licence of a map in small letters, or an empty text."""
    tables, _ = parse_tables(files_of(bundle))
    licence = tables.about["licence"].lower()
    return "" if licence == "-" else licence


def key_here(values: Mapping[str, Any]) -> str:
    """Return the judge's key for the map of an exported game.

    A shipped map has its name.

    Raises:
        JudgeError: this judge does not have the map.
        ValueError: the values of the map are damaged.
    """
    name = values["map"]
    if not isinstance(name, str) or not is_key(name):
        return str(name)
    told_name, told_hash = _read_names(values)
    key = find_key(told_name, told_hash)
    if key is None:
        raise JudgeError(
            f"this judge does not have the map {told_name} with the hash {told_hash}: add its"
            " folder by `judge map add`, or export the game with --with-map"
        )
    return key


def _read_names(values: Mapping[str, Any]) -> tuple[str, str]:
    told = values[_KEY]
    if not _NAME.fullmatch(told["name"]) or not _HASH.fullmatch(told["hash"]):
        raise ValueError("the map has no name or no hash")
    return told["name"], told["hash"]


def names_added_map(text: str) -> bool:
    """Return whether an export, or a list of orders, names a map with a key."""
    return _NAMES_KEY.search(text) is not None


class FileMap(NamedTuple):
    """The map in an exported game, as a source of added maps."""

    name: str
    hash: str
    bundle: str

    @property
    def key(self) -> str:
        """Key of the map, if no other has it."""
        return make_key(self.name, self.hash)

    def current_titles(self) -> dict[str, str]:
        """Return nothing: no game is created on it."""
        return {}

    def find_bundle(self, key: str) -> str | None:
        """Return the bundle of its key."""
        return self.bundle if key == self.key else None

    def find_key(self, name: str, content_hash: str) -> str | None:
        """Return its key for its hash."""
        return self.key if content_hash == self.hash else None


def map_in(text: str) -> FileMap | None:
    """Return the map whose files are in an exported game, or None.

    Raises:
        DataError: the map is faulty.
    """
    try:
        values = json.loads(text)
    except (ValueError, RecursionError):
        # It is a list of orders, or no game at all.
        return None
    try:
        if not isinstance(values, dict) or _FILES not in values.get(_KEY, ()):
            return None
        name, told_hash = _read_names(values)
        bundle = json.dumps(values[_KEY][_FILES], ensure_ascii=False, separators=(",", ":"))
        is_large = is_too_large(files_of(bundle))
    except (ValueError, KeyError, TypeError) as fault:
        raise DataError(f"the map in the file is damaged: {fault!r}") from fault
    if is_large:
        raise DataError(f"the map {name} in the file is larger than a map may be")
    if hash_of(bundle) != told_hash:
        raise DataError(f"the map {name} in the file is damaged: its hash is another one")
    found = FileMap(name, told_hash, bundle)
    store_bundle(found.key, bundle)
    if find_map(found.key) is None:
        raise DataError(f"the map {name} in the file cannot be used")
    return found


def add_map_in(context: Context, text: str, now: datetime) -> None:
    """Store the map in an exported game, for imported games only.

    Raises:
        DataError: the map is faulty.
    """
    found = map_in(text)
    if found is not None and find_key(found.name, found.hash) is None:
        key = make_key(found.name, found.hash, [each.key for each in context.maps.list_maps()])
        title = title_of(found.key)
        context.maps.add(key, found.name, found.hash, title, found.bundle, now, is_open=False)
