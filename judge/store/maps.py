"""Maps that the operator added, with every version that a game may be played on.

The store knows the files of a map only as one text.
"""

import lzma
from collections.abc import Collection
from datetime import datetime

from judge.errors import DataError
from judge.model.record import GameState
from judge.store.database import Store
from judge.store.schema import GAMES, MAPS, AddedMap
from judge.store.table import Rows, in_condition

_MAX_OCTETS = 2**24
"""Maximum size of a text in bytes, more than any map may have."""


class Maps:
    """Added maps of a store."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._maps = Rows(store, MAPS)
        self._games = Rows(store, GAMES)

    def add(
        self, key: str, name: str, content_hash: str, title: str, bundle: str, now: datetime,
        *, is_open: bool = True,
    ) -> bool:
        """Store a map. One that was dropped can be used by new games again.

        With `is_open` false no game can be created on it, unless it is there already. Return
        whether it is new.
        """
        dropped = None if is_open else now
        row = AddedMap(key, name, content_hash, title, now, dropped, _compress(bundle))
        with self._store.transaction():
            if self._maps.add_new(row):
                return True
            if is_open:
                same = "name = ? AND hash = ?"
                self._maps.change(same, name, content_hash, added=now, dropped=None)
            return False

    def list_maps(self) -> list[AddedMap]:
        """Return all maps without their bundles, by name, the newest version first."""
        found = self._maps.select(
            "key, name, hash, title, added, dropped", "TRUE ORDER BY name, added DESC, key"
        )
        return [AddedMap._make((*row, b"")) for row in found]

    def current_titles(self) -> dict[str, str]:
        """Return key → title of the newest version of each map, without dropped maps."""
        found = self._maps.select("name, key, title", "dropped IS NULL ORDER BY name, added, key")
        newest = {name: (key, title) for name, key, title in found}
        return dict(newest.values())

    def find_bundle(self, key: str) -> str | None:
        """Return the text of a map, also of one that was dropped, or None.

        Raises:
            DataError: the text is damaged.
        """
        found = self._maps.select("bundle", "key = ?", key)
        return _decompress(key, found[0][0]) if found else None

    def find_key(self, name: str, content_hash: str) -> str | None:
        """Return the key of the content with a hash, preferably by this name, or None."""
        found = self._maps.select(
            "key", "hash = ? ORDER BY name <> ?, key LIMIT 1", content_hash, name
        )
        return str(found[0][0]) if found else None

    def drop(self, name: str, now: datetime) -> list[str]:
        """Offer a map to no new game. Return its keys, or [] for an unknown map."""
        current = "name = ? AND dropped IS NULL"
        with self._store.transaction():
            keys = [key for (key,) in self._maps.select("key", f"{current} ORDER BY key", name)]
            self._maps.change(current, name, dropped=now)
        return keys

    def delete_unused(self, before: datetime) -> int:
        """Delete maps that no game names. Return the number deleted.

        They were dropped, or replaced by a newer version, before an instant.
        """
        newer = (
            "SELECT 1 FROM maps AS newer WHERE newer.name = maps.name AND newer.dropped IS NULL"
            " AND newer.added > maps.added AND newer.added < ?"
        )
        unused = f"(dropped < ? OR EXISTS ({newer})) AND key NOT IN (SELECT map FROM games)"
        return self._maps.remove_where(unused, before, before)

    def open_games(self, keys: Collection[str]) -> list[str]:
        """Return the names of games on these maps that have not ended, sorted."""
        condition = f"{in_condition('map', keys)} AND state <> ? ORDER BY name"
        found = self._games.select("name", condition, *keys, GameState.ENDED)
        return [name for (name,) in found]


def _compress(text: str) -> bytes:
    return lzma.compress(text.encode("utf-8"))


def _decompress(key: str, octets: bytes) -> str:
    unpacker = lzma.LZMADecompressor()
    try:
        found = unpacker.decompress(octets, _MAX_OCTETS)
        if unpacker.eof:
            return found.decode("utf-8")
    except (lzma.LZMAError, EOFError, UnicodeDecodeError):
        pass
    raise DataError(f"the stored map {key} is damaged")
