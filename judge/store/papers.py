"""Texts that wait, and how much each seat has written of late."""

from dataclasses import fields, replace
from datetime import datetime

from peewee import fn

from judge.store.database import Store
from judge.store.presstables import PaperRow, SpokenRow
from judge.words.paper import Paper, PaperKind


class Papers:
    """The papers of all games of a store."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def keep(self, paper: Paper) -> Paper:
        """Store a new paper and return it with its id."""
        values = {item.name: getattr(paper, item.name) for item in fields(paper)}
        values.pop("id")
        return replace(paper, id=self._store.run(PaperRow.insert(values)))

    def kept(self, game: int, kind: PaperKind) -> list[Paper]:
        """Return the papers of a game, in the order they were written."""
        mine = (PaperRow.game == game, PaperRow.kind == kind)
        query = PaperRow.select().where(*mine).order_by(PaperRow.id)
        return [Paper(**row) for row in self._store.rows(query)]

    def drop(self, paper: Paper) -> None:
        """Forget a paper."""
        self._store.run(PaperRow.delete().where(PaperRow.id == paper.id))

    def note(self, seat: int, at: datetime, octets: int, since: datetime) -> None:
        """Note that a seat has written so much now; what it wrote before `since` is forgotten."""
        with self._store.transaction():
            old = (SpokenRow.seat == seat, SpokenRow.at < since)
            self._store.run(SpokenRow.delete().where(*old))
            self._store.run(SpokenRow.insert({"seat": seat, "at": at, "octets": octets}))

    def spoken(self, seat: int, since: datetime) -> tuple[int, int]:
        """Return how many texts a seat wrote since then, and how many octets they had."""
        query = SpokenRow.select(
            fn.COUNT(SpokenRow.id).alias("many"), fn.SUM(SpokenRow.octets).alias("octets")
        ).where(SpokenRow.seat == seat, SpokenRow.at >= since)
        row = self._store.rows(query)[0]
        return int(row["many"]), int(row["octets"] or 0)
