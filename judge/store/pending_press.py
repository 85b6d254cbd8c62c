"""Pending press and other texts that wait, and how much each seat has written of late."""

from dataclasses import replace
from datetime import datetime

from judge.model.record import UNSTORED, Paper, PaperKind
from judge.store.database import Store
from judge.store.schema import PAPERS, SPOKEN, Spoken
from judge.store.table import Rows, micros


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
