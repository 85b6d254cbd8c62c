"""Digests, calendar entries, pending texts and pictures."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime

from judge.model.letter import CalendarEntry, PictureRequest, PictureState
from judge.model.record import NO_ID, PendingText, PendingTextKind
from judge.store import schema
from judge.store.database import Store
from judge.store.mail_queues import NEW_LETTERS
from judge.store.table import Rows, in_condition

_BATCH = 500
_SKETCH = ", ".join(PictureRequest._fields)
# The value is literal, because the index covers only these rows. With a parameter, SQLite would
# check each time whether the index applies, which takes several times as long as the query.
_IS_NEW = f"state = '{PictureState.NEW.value}'"


class Pictures:
    """Pictures of all games."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._pictures = Rows(store, schema.PICTURES)
        self._outgoing = Rows(store, schema.OUTGOING)

    def request_pictures(
        self, wanted: Mapping[PictureRequest, bool], now: datetime
    ) -> dict[PictureRequest, bool]:
        """Request pictures in few statements. Return whether each is rendered already.

        It must run inside the transaction of their letters. A failed picture is tried again. The
        values are true if a person asked for the picture, and false for the judge's own letters of
        results.
        """
        if not wanted:
            return {}
        keys = [sketch.key for sketch in wanted]
        found = self._pictures.select("key, state, asked_for", in_condition("key", keys), *keys)
        known = {key: (state, asked_for) for key, state, asked_for in found}
        self._pictures.upsert(*(
            schema.KeptPicture(
                key=sketch.key, **sketch._asdict(), state=PictureState.NEW, octets=b"", error="",
                asked=now, finished=None, asked_for=asked_for, since=now,
            )
            for sketch, asked_for in wanted.items() if sketch.key not in known
        ))
        if known:
            self._pictures.change(in_condition("key", known), *known, asked=now)
        for sketch, asked_for in wanted.items():
            state, before = known.get(sketch.key, (None, False))
            if state is PictureState.FAILED:
                again = {"state": PictureState.NEW, "since": now, "asked_for": asked_for}
                self._pictures.change("key = ?", sketch.key, **again)
            elif before and not asked_for:
                self._pictures.change("key = ?", sketch.key, asked_for=False)
        there = {key for key, (state, _) in known.items() if state is PictureState.DRAWN}
        return {sketch: sketch.key in there for sketch in wanted}

    def next_new(self, place: int = 0) -> PictureRequest | None:
        """Return the next picture to render, or None.

        Pictures of results come first, and among them the fronts, which players need most. Then
        come those that wait longest. *place* is the number of pictures to skip.
        """
        first = f"{_IS_NEW} ORDER BY asked_for, form <> 'front', since, key LIMIT 1 OFFSET ?"
        found = self._pictures.select(_SKETCH, first, place)
        return PictureRequest(*found[0]) if found else None

    def is_new(self, key: str) -> bool:
        """Return whether a picture still is to be rendered."""
        return self._pictures.exists(f"key = ? AND {_IS_NEW}", key)

    def save_drawn(self, key: str, octets: bytes, now: datetime, *, lets_go: bool = True) -> int:
        """Store a rendered picture. Return the number of letters released.

        It is 0 if not *lets_go*. A release reads all waiting letters, and should follow many
        pictures.
        """
        return self._finish(key, PictureState.DRAWN, octets, "", now, lets_go)

    def release_letters(self) -> int:
        """Release letters whose pictures are all rendered or given up. Return how many."""
        if not self._outgoing.exists("waits <> 0"):
            return 0
        with self._store.transaction():
            return self._let_go()

    def mark_failed(self, key: str, error: str, now: datetime) -> int:
        """Record a rendering failure. Return the number of letters released."""
        return self._finish(key, PictureState.FAILED, b"", error, now)

    def fail_older_than(self, since: datetime, error: str, now: datetime) -> tuple[int, int]:
        """Give up pictures wanted since an instant or longer.

        Return the number of pictures, and of letters released without them.
        """
        late = (f"{_IS_NEW} AND since <= ?", since)
        if not self._pictures.exists(*late):
            return 0, 0
        failed = {"state": PictureState.FAILED, "octets": b"", "error": error, "finished": now}
        with self._store.transaction():
            many = self._pictures.change(*late, **failed)
            return many, self._let_go()

    def octets(self, key: str) -> bytes | None:
        """Return a rendered picture, or None."""
        drawn = "key = ? AND state = ?"
        found = self._pictures.select("octets", drawn, key, PictureState.DRAWN)
        return found[0][0] if found else None

    def delete_unused(self, before: datetime) -> int:
        """Delete pictures not wanted since an instant, a batch at a time.

        Return the number deleted. Letters are sent or given up within days, so that none of them
        can wait for such a picture. The query uses an index: a scan of the rows would read all
        rendered octets, while no other process can write.
        """
        old = "SELECT key FROM pictures WHERE state IN (?, ?) AND asked < ? LIMIT ?"
        done = (PictureState.DRAWN, PictureState.FAILED)
        return self._pictures.remove_where(f"key IN ({old})", *done, before, _BATCH)

    def _finish(
        self, key: str, state: PictureState, octets: bytes, error: str, now: datetime,
        lets_go: bool = True,
    ) -> int:
        """Store the result of a picture that is still wanted, and release its letters."""
        became = {"state": state, "octets": octets, "error": error, "finished": now}
        with self._store.transaction():
            if not self._pictures.change(f"key = ? AND {_IS_NEW}", key, **became):
                # Another worker has rendered it since.
                return 0
            return self._let_go() if lets_go else 0

    def _let_go(self) -> int:
        """Release all letters that wait for no picture any more. Return their number."""
        missing = {key for (key,) in self._pictures.select("key", _IS_NEW)}
        free = [
            number
            for number, places in self._outgoing.select("id, places", "waits <> 0")
            if not any(place.key in missing for place in places)
        ]
        if not free:
            return 0
        self._store.announce(NEW_LETTERS)
        return self._outgoing.change(in_condition("id", free), *free, waits=False)


_IN_ORDER = "ORDER BY at, told, phase"


class Bundles:
    """Pending digests of a store.

    Only the time span is stored. The letter is made of the events of that time.
    """

    def __init__(self, store: Store) -> None:
        self._bundles = Rows(store, schema.BUNDLES)

    def add(self, bundle: schema.PendingDigest) -> None:
        """Start a digest. If the seat has one already, that continues."""
        self._bundles.add_new(bundle)

    def get(self, seat: int) -> schema.PendingDigest | None:
        """Return a seat's digest, or None."""
        return self._bundles.find_one(seat=seat)

    def drop(self, seat: int) -> None:
        """Delete a seat's digest, which was sent or is no longer wanted."""
        self._bundles.remove(seat=seat)

    def reschedule(self, seat: int, due: datetime) -> None:
        """Change when a seat's digest, if there is one, is due."""
        self._bundles.change("seat = ?", seat, due=due)

    def due(self, now: datetime, limit: int = 100) -> list[schema.PendingDigest]:
        """Return the digests that are due by an instant."""
        return self._bundles.find_where("due <= ? ORDER BY due, seat LIMIT ?", now, limit)


class Appointments:
    """Calendar entries of all games, one for each phase that had a deadline."""

    def __init__(self, store: Store) -> None:
        self._appointments = Rows(store, schema.APPOINTMENTS)

    def entries_for(self, game: int, name: str, phase: str) -> list[CalendarEntry]:
        """Return a game's active calendar entries, and that of *phase*."""
        mine = "game = ? AND (is_on <> 0 OR phase = ?)"
        return self._find_named(name, f"{mine} {_IN_ORDER}", game, phase)

    def changed_since(self, game: int, name: str, instant: datetime) -> list[CalendarEntry]:
        """Return the calendar entries of a game that changed since an instant."""
        return self._find_named(name, f"game = ? AND told >= ? {_IN_ORDER}", game, instant)

    def keep(self, appointment: CalendarEntry) -> None:
        """Store a calendar entry, replacing its earlier version."""
        self._appointments.upsert(appointment)

    def _find_named(self, name: str, condition: str, *values: object) -> list[CalendarEntry]:
        return [
            replace(one, name=name) for one in self._appointments.find_where(condition, *values)
        ]


class PendingPress:
    """Pending texts and press usage of all games of a store."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._papers = Rows(store, schema.PAPERS)
        self._spoken = Rows(store, schema.SPOKEN)

    def keep(self, paper: PendingText) -> PendingText:
        """Store a new pending text. Return it with its id."""
        return replace(paper, id=self._papers.add(paper))

    def list_texts(self, game: int, kind: PendingTextKind) -> list[PendingText]:
        """Return the pending texts of a game, in the order they were written."""
        return self._papers.find(game=game, kind=kind)

    def drop(self, paper: PendingText) -> None:
        """Delete a pending text."""
        self._papers.remove(id=paper.id)

    def record_usage(self, seat: int, at: datetime, octets: int, since: datetime) -> None:
        """Record the size of a text that a seat wrote, and delete records before *since*."""
        with self._store.transaction():
            self._spoken.remove_where("seat = ? AND at < ?", seat, since)
            self._spoken.add(schema.PressUsage(NO_ID, seat, at, octets))

    def usage_since(self, seat: int, since: datetime) -> tuple[int, int]:
        """Return the number of texts that a seat wrote since then, and their octets."""
        mine = "seat = ? AND at >= ?"
        many, octets = self._spoken.aggregate("COUNT(id), SUM(octets)", mine, seat, since)
        return int(many), int(octets or 0)
