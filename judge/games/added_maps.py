"""Maps that the operator has added (`judge map add`), by their keys.

Games name such a map by a key like "mars.1a2b3c4d" (`judge.board.bundle`). The database has the
maps. A unit of work sets the source of its thread (`use_source`), and a bundle is read when a key
is first used in a process, so that maps added by another process are found too. The process that
renders pictures has no database: it gets bundles with its requests (`store_bundle`).
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Protocol

from judge.board.bundle import fits_key
from judge.errors import DataError


class MapSource(Protocol):
    """Database of added maps."""

    def current_titles(self) -> Mapping[str, str]:
        """Return key → title of the maps that games can be created on, by name."""

    def find_bundle(self, key: str) -> str | None:
        """Return the bundle of a key, also of a dropped or older map, or None."""

    def find_key(self, name: str, content_hash: str) -> str | None:
        """Return the key of the content with a hash, preferably by this name, or None."""


_source: ContextVar[MapSource | None] = ContextVar("map_source", default=None)
_bundles: dict[str, str] = {}
"""Bundles by key, for the life of the process: a key always has the same content."""


def use_source(source: MapSource | None) -> None:
    """Set the source of added maps for this thread. None: there are none."""
    _source.set(source)


@contextmanager
def no_source() -> Iterator[None]:
    """Use no added maps in a block, such as a check of what the packages contain."""
    token = _source.set(None)
    try:
        yield
    finally:
        _source.reset(token)


def current_titles() -> Mapping[str, str]:
    """Return key → title of the added maps that games can be created on."""
    source = _source.get()
    return source.current_titles() if source is not None else {}


def find_key(name: str, content_hash: str) -> str | None:
    """Return the judge's key of the content with a hash, or None.

    A map of this name has precedence.
    """
    source = _source.get()
    return source.find_key(name, content_hash) if source is not None else None


def find_bundle(key: str) -> str | None:
    """Return the bundle of a key, or None.

    Raises:
        DataError: the stored bundle is damaged.
    """
    if key not in _bundles:
        source = _source.get()
        bundle = source.find_bundle(key) if source is not None else None
        if bundle is None:
            return None
        store_bundle(key, bundle)
    return _bundles[key]


def require_bundle(key: str) -> str:
    """Return the bundle of a key.

    Raises:
        DataError: it is not stored here, or damaged.
    """
    bundle = find_bundle(key)
    if bundle is None:
        raise DataError(f"no map {key!r}")
    return bundle


def store_bundle(key: str, bundle: str) -> None:
    """Make a bundle known to this process.

    Raises:
        DataError: the key does not belong to it.
    """
    if not fits_key(key, bundle):
        raise DataError(f"the map {key} is damaged: its hash is another one")
    _bundles[key] = bundle
