"""People who told us of themselves, and what they did: by address, in lower case."""

from collections.abc import Iterable
from dataclasses import fields
from datetime import datetime

from peewee import fn

from judge.store.database import Store
from judge.store.peopletables import ConductRow, PersonRow
from judge.words.person import Deed, Figures, Person


_NOBODY = len("[]")
"""Octets of an empty list of maps, as it is stored."""


class Register:
    """All people of a store."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def person(self, address: str) -> Person:
        """Return what is known of somebody: no more than the address, perhaps."""
        low = address.lower()
        rows = self._store.rows(PersonRow.select().where(PersonRow.address == low))
        return Person(**rows[0]) if rows else Person(low)

    def save(self, person: Person) -> None:
        """Keep what somebody said of himself, in place of what was known."""
        values = {item.name: getattr(person, item.name) for item in fields(person)}
        with self._store.transaction():
            self._store.run(PersonRow.delete().where(PersonRow.address == person.address))
            self._store.run(PersonRow.insert(values))

    def standing_by(self) -> list[Person]:
        """Return everybody who wants to hear of vacancies."""
        wanted = fn.LENGTH(PersonRow.standby) > _NOBODY
        query = PersonRow.select().where(wanted).order_by(PersonRow.address)
        return [Person(**row) for row in self._store.rows(query)]

    def note(
        self, addresses: Iterable[tuple[str, str]], deed: Deed, game: int, phase: str, at: datetime
    ) -> None:
        """Write down what people did in a phase, given as (address, power).

        A phase that is played again after a rollback counts once: the later deed stands.
        """
        for address, power in addresses:
            row = {"game": game, "phase": phase, "power": power, "deed": deed}
            values = {**row, "address": address.lower(), "at": at}
            self._store.run(ConductRow.insert(values).on_conflict_replace())

    def figures(self, address: str) -> Figures:
        """Return how often somebody did what."""
        query = (
            ConductRow.select(ConductRow.deed, fn.COUNT(ConductRow.power).alias("times"))
            .where(ConductRow.address == address.lower())
            .group_by(ConductRow.deed)
        )
        times = {row["deed"].name.lower(): row["times"] for row in self._store.rows(query)}
        return Figures(**times)
