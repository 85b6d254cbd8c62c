"""Waiting parts of letters: digests, calendar entries, pending press and pictures."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime

from judge.model.letter import Appointment, PictureState, Sketch
from judge.model.record import UNSTORED, Paper, PaperKind
from judge.store.database import Store
from judge.store.post import NEW_LETTERS
from judge.store.schema import (
    APPOINTMENTS,
    BUNDLES,
    OUTGOING,
    PAPERS,
    PICTURES,
    SPOKEN,
    Bundle,
    KeptPicture,
    Spoken,
)
from judge.store.table import Rows, among, micros

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


_IN_ORDER = "ORDER BY at, told, phase"


class Bundles:
    """All bundles of a store.

    Only the span is kept; the letter is made of what HISTORY knows of that time.
    """

    def __init__(self, store: Store) -> None:
        self._bundles = Rows(store, BUNDLES)

    def add(self, bundle: Bundle) -> None:
        """Begin a bundle, unless the seat has one: what is new then belongs to that."""
        self._bundles.add_new(bundle)

    def get(self, seat: int) -> Bundle | None:
        """Return a seat's bundle, or None."""
        return self._bundles.one(seat=seat)

    def drop(self, seat: int) -> None:
        """Forget a seat's bundle: it is told, or nobody wants it any more."""
        self._bundles.remove(seat=seat)

    def hasten(self, seat: int, due: datetime) -> None:
        """Have a seat's bundle, if there is one, told at another instant."""
        self._bundles.change("seat = ?", seat, due=due)

    def due(self, now: datetime, limit: int = 100) -> list[Bundle]:
        """Return the bundles to be told by an instant."""
        return self._bundles.where("due <= ? ORDER BY due, seat LIMIT ?", now, limit)


class Appointments:
    """The appointments of all games, one for each phase that had a deadline."""

    def __init__(self, store: Store) -> None:
        self._appointments = Rows(store, APPOINTMENTS)

    def of(self, game: int, name: str, phase: str) -> list[Appointment]:
        """Return what a game's readers have to expect: what is on, and the one of a phase."""
        mine = "game = ? AND (is_on <> 0 OR phase = ?)"
        return self._found(name, f"{mine} {_IN_ORDER}", game, phase)

    def since(self, game: int, name: str, instant: datetime) -> list[Appointment]:
        """Return what changed in a game since an instant."""
        return self._found(name, f"game = ? AND told >= ? {_IN_ORDER}", game, instant)

    def keep(self, appointment: Appointment) -> None:
        """Keep an appointment in place of what it was before."""
        self._appointments.put(appointment)

    def _found(self, name: str, condition: str, *values: object) -> list[Appointment]:
        return [replace(one, name=name) for one in self._appointments.where(condition, *values)]


class PendingPress:
    """The papers of all games of a store."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._papers = Rows(store, PAPERS)
        self._spoken = Rows(store, SPOKEN)

    def keep(self, paper: Paper) -> Paper:
        """Store a new paper and return it with its id."""
        return replace(paper, id=self._papers.add(paper))

    def kept(self, game: int, kind: PaperKind) -> list[Paper]:
        """Return the papers of a game, in the order they were written."""
        return self._papers.find(game=game, kind=kind)

    def drop(self, paper: Paper) -> None:
        """Forget a paper."""
        self._papers.remove(id=paper.id)

    def note(self, seat: int, at: datetime, octets: int, since: datetime) -> None:
        """Note that a seat has written so much now; what it wrote before `since` is forgotten."""
        with self._store.transaction():
            self._spoken.remove_where("seat = ? AND at < ?", seat, since)
            self._spoken.add(Spoken(UNSTORED, seat, at, octets))

    def spoken(self, seat: int, since: datetime) -> tuple[int, int]:
        """Return how many texts a seat wrote since then, and how many octets they had."""
        statement = "SELECT COUNT(id), SUM(octets) FROM spoken WHERE seat = ? AND at >= ?"
        ((many, octets),) = self._store.found(statement, [seat, micros(since)])
        return int(many), int(octets or 0)
