"""Pictures: asked for with the letters that carry them, drawn later, kept once for all of them."""

from datetime import datetime

from judge.store.database import Store
from judge.store.picturetables import PictureRow
from judge.store.tables import OutgoingRow
from judge.words.picture import PictureState, Sketch

_BATCH = 500
_DONE = (PictureState.DRAWN, PictureState.FAILED)


class Pictures:
    """The pictures of all games."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def ask(self, sketch: Sketch, now: datetime, *, asked_for: bool = False) -> bool:
        """Want a picture, inside the transaction of a letter; return whether it is drawn already.

        One that failed is tried again. `asked_for`: by somebody, and not by the judge for results.
        """
        mine = PictureRow.key == sketch.key
        query = PictureRow.select(PictureRow.state, PictureRow.asked_for)
        rows = self._store.rows(query.where(mine))
        if not rows:
            values = {**sketch._asdict(), "key": sketch.key, "state": PictureState.NEW}
            values |= {"octets": b"", "error": "", "asked": now, "since": now}
            values |= {"asked_for": asked_for}
            self._store.run(PictureRow.insert(values))
            return False
        state, before = rows[0]["state"], rows[0]["asked_for"]
        values = {"asked": now}
        if state is PictureState.FAILED:
            values |= {"state": PictureState.NEW, "since": now, "asked_for": asked_for}
        elif before and not asked_for:
            values |= {"asked_for": False}
        self._store.run(PictureRow.update(values).where(mine))
        return bool(state is PictureState.DRAWN)

    def next_new(self) -> Sketch | None:
        """Return what is to be drawn next, or None: for results first, then what waits longest."""
        query = (
            PictureRow.select(*(getattr(PictureRow, name) for name in Sketch._fields))
            .where(PictureRow.state == PictureState.NEW)
            .order_by(PictureRow.asked_for, PictureRow.since, PictureRow.key)
            .limit(1)
        )
        rows = self._store.rows(query)
        return Sketch(**rows[0]) if rows else None

    def drawn(self, key: str, octets: bytes, now: datetime) -> int:
        """Keep a drawn picture; return how many letters may go out now."""
        return self._finish(key, PictureState.DRAWN, octets, "", now)

    def failed(self, key: str, error: str, now: datetime) -> int:
        """Note that a picture could not be drawn; return how many letters go without it."""
        return self._finish(key, PictureState.FAILED, b"", error, now)

    def give_up(self, since: datetime, error: str, now: datetime) -> tuple[int, int]:
        """Give up what has been wanted since an instant or longer; return how many pictures, and
        how many letters go without them."""
        late = (PictureRow.state == PictureState.NEW, PictureRow.since <= since)
        if not self._store.rows(PictureRow.select(PictureRow.key).where(*late).limit(1)):
            return 0, 0
        values = {"state": PictureState.FAILED, "octets": b"", "error": error, "finished": now}
        with self._store.transaction():
            many = self._store.run(PictureRow.update(values).where(*late))
            return many, self._let_go()

    def octets(self, key: str) -> bytes | None:
        """Return a drawn picture, or None."""
        mine = (PictureRow.key == key, PictureRow.state == PictureState.DRAWN)
        rows = self._store.rows(PictureRow.select(PictureRow.octets).where(*mine))
        return bytes(rows[0]["octets"]) if rows else None

    def forget(self, before: datetime) -> int:
        """Drop what no letter has wanted since an instant, a few at a time; return how many.

        Letters are sent or given up within days, so that none of them can wait for such a one.
        They are found by their index: to look through the rows is to read all that was drawn,
        and nobody else can write meanwhile.
        """
        old = (
            PictureRow.select(PictureRow.key)
            .where(PictureRow.state.in_(_DONE), PictureRow.asked < before)
            .limit(_BATCH)
        )
        return self._store.run(PictureRow.delete().where(PictureRow.key.in_(old)))

    def _finish(
        self, key: str, state: PictureState, octets: bytes, error: str, now: datetime
    ) -> int:
        """Say what became of a picture that is still wanted, and let go of its letters."""
        values = {"state": state, "octets": octets, "error": error, "finished": now}
        mine = (PictureRow.key == key, PictureRow.state == PictureState.NEW)
        with self._store.transaction():
            if not self._store.run(PictureRow.update(values).where(*mine)):
                # Somebody else has drawn it meanwhile.
                return 0
            return self._let_go()

    def _let_go(self) -> int:
        """Let all letters go out that wait for nothing any more; return how many."""
        undrawn = PictureRow.select(PictureRow.key).where(PictureRow.state == PictureState.NEW)
        missing = {row["key"] for row in self._store.rows(undrawn)}
        waiting = OutgoingRow.select(OutgoingRow.id, OutgoingRow.places).where(OutgoingRow.waits)
        free = [
            row["id"]
            for row in self._store.rows(waiting)
            if not any(place.key in missing for place in row["places"])
        ]
        change = OutgoingRow.update(waits=False)
        return self._store.run(change.where(OutgoingRow.id.in_(free))) if free else 0
