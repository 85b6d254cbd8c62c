"""Pictures: asked for with the letters that carry them, drawn later, kept once for all of them."""

from collections.abc import Mapping
from datetime import datetime

from judge.model.letter import PictureState, Sketch
from judge.store.database import Store
from judge.store.post import NEW_LETTERS
from judge.store.schema import OUTGOING, PICTURES, KeptPicture
from judge.store.table import Rows, among

_BATCH = 500
_SKETCH = ", ".join(Sketch._fields)
# An index is of these rows alone. Were the value handed to a statement, SQLite would look each time
# whether it may use that, which takes several times as long as what is asked.
_IS_NEW = f"state = '{PictureState.NEW.value}'"


class Pictures:
    """The pictures of all games."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._pictures = Rows(store, PICTURES)
        self._outgoing = Rows(store, OUTGOING)

    def ask(self, sketch: Sketch, now: datetime, *, asked_for: bool = False) -> bool:
        """Want a picture, inside the transaction of a letter; return whether it is drawn already.

        One that failed is tried again. `asked_for`: by somebody, and not by the judge for results.
        """
        return self.ask_all({sketch: asked_for}, now)[sketch]

    def ask_all(self, wanted: Mapping[Sketch, bool], now: datetime) -> dict[Sketch, bool]:
        """Want pictures, each with whether it is asked for, as `ask` does one; in few statements.
        """
        if not wanted:
            return {}
        keys = [sketch.key for sketch in wanted]
        found = self._pictures.pick("key, state, asked_for", among("key", keys), *keys)
        known = {key: (state, asked_for) for key, state, asked_for in found}
        new = [_new(sketch, now, by) for sketch, by in wanted.items() if sketch.key not in known]
        self._pictures.put(*new)
        if known:
            self._pictures.change(among("key", known), *known, asked=now)
        for sketch, asked_for in wanted.items():
            state, before = known.get(sketch.key, (None, False))
            if state is PictureState.FAILED:
                again = {"state": PictureState.NEW, "since": now, "asked_for": asked_for}
                self._pictures.change("key = ?", sketch.key, **again)
            elif before and not asked_for:
                self._pictures.change("key = ?", sketch.key, asked_for=False)
        there = {key for key, (state, _) in known.items() if state is PictureState.DRAWN}
        return {sketch: sketch.key in there for sketch in wanted}

    def next_new(self, place: int = 0) -> Sketch | None:
        """Return what is to be drawn next, or None: for results first, then what waits longest.

        Whole boards go before parts of them: one of those is for one reader, and says less. With a
        place, what is so far behind the first.
        """
        first = f"{_IS_NEW} ORDER BY asked_for, form = 'front', since, key LIMIT 1 OFFSET ?"
        found = self._pictures.pick(_SKETCH, first, place)
        return Sketch(*found[0]) if found else None

    def is_new(self, key: str) -> bool:
        """Tell whether a picture still is to be drawn."""
        return self._pictures.there_is(f"key = ? AND {_IS_NEW}", key)

    def drawn(self, key: str, octets: bytes, now: datetime, *, lets_go: bool = True) -> int:
        """Keep a drawn picture; return how many letters may go out now: none without `lets_go`,
        which looks at all that wait, and is to be done for many pictures at once."""
        return self._finish(key, PictureState.DRAWN, octets, "", now, lets_go)

    def let_go(self) -> int:
        """Let all letters go out whose pictures are all drawn or given up; return how many."""
        if not self._outgoing.there_is("waits <> 0"):
            return 0
        with self._store.transaction():
            return self._let_go()

    def failed(self, key: str, error: str, now: datetime) -> int:
        """Note that a picture could not be drawn; return how many letters go without it."""
        return self._finish(key, PictureState.FAILED, b"", error, now)

    def give_up(self, since: datetime, error: str, now: datetime) -> tuple[int, int]:
        """Give up what has been wanted since an instant or longer; return how many pictures, and
        how many letters go without them."""
        late = (f"{_IS_NEW} AND since <= ?", since)
        if not self._pictures.there_is(*late):
            return 0, 0
        failed = {"state": PictureState.FAILED, "octets": b"", "error": error, "finished": now}
        with self._store.transaction():
            many = self._pictures.change(*late, **failed)
            return many, self._let_go()

    def octets(self, key: str) -> bytes | None:
        """Return a drawn picture, or None."""
        drawn = "key = ? AND state = ?"
        found = self._pictures.pick("octets", drawn, key, PictureState.DRAWN)
        return found[0][0] if found else None

    def forget(self, before: datetime) -> int:
        """Drop what no letter has wanted since an instant, a few at a time; return how many.

        Letters are sent or given up within days, so that none of them can wait for such a one.
        They are found by their index: to look through the rows is to read all that was drawn,
        and nobody else can write meanwhile.
        """
        old = "SELECT key FROM pictures WHERE state IN (?, ?) AND asked < ? LIMIT ?"
        done = (PictureState.DRAWN, PictureState.FAILED)
        return self._pictures.remove_where(f"key IN ({old})", *done, before, _BATCH)

    def _finish(
        self, key: str, state: PictureState, octets: bytes, error: str, now: datetime,
        lets_go: bool = True,
    ) -> int:
        """Say what became of a picture that is still wanted, and let go of its letters."""
        became = {"state": state, "octets": octets, "error": error, "finished": now}
        with self._store.transaction():
            if not self._pictures.change(f"key = ? AND {_IS_NEW}", key, **became):
                # Somebody else has drawn it meanwhile.
                return 0
            return self._let_go() if lets_go else 0

    def _let_go(self) -> int:
        """Let all letters go out that wait for nothing any more; return how many."""
        missing = {key for (key,) in self._pictures.pick("key", _IS_NEW)}
        free = [
            number
            for number, places in self._outgoing.pick("id, places", "waits <> 0")
            if not any(place.key in missing for place in places)
        ]
        if not free:
            return 0
        self._store.announce(NEW_LETTERS)
        return self._outgoing.change(among("id", free), *free, waits=False)


def _new(sketch: Sketch, now: datetime, asked_for: bool) -> KeptPicture:
    return KeptPicture(
        key=sketch.key, **sketch._asdict(), state=PictureState.NEW, octets=b"", error="",
        asked=now, finished=None, asked_for=asked_for, since=now,
    )
