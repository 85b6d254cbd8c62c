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
        rows = self._store.look_up(PersonRow, "address = ?", low)
        return Person(**rows[0]) if rows else Person(low)

    def save(self, person: Person) -> None:
        """Keep what somebody said of himself, in place of what was known."""
        values = {item.name: getattr(person, item.name) for item in fields(person)}
        with self._store.transaction():
            self._store.run(PersonRow.delete().where(PersonRow.address == person.address))
            self._store.run(PersonRow.insert(values))

    def names(self) -> dict[str, str]:
        """Return every name that somebody registered, by address."""
        query = PersonRow.select(PersonRow.address, PersonRow.name).where(PersonRow.name != "")
        rows = self._store.rows(query.order_by(PersonRow.address))
        return {row["address"]: row["name"] for row in rows}

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
            values = {**row, "address": address.lower(), "at": at, "undone": False}
            self._store.run(ConductRow.insert(values).on_conflict_replace())

    def last_player(self, game: int, power: str) -> str:
        """Return the address of whoever played a power last, empty where nobody did."""
        mine = (ConductRow.game == game, ConductRow.power == power)
        query = ConductRow.select(ConductRow.address).where(*mine).order_by(ConductRow.at.desc())
        return next((str(row["address"]) for row in self._store.rows(query.limit(1))), "")

    def played(self, game: int, addresses: Iterable[str]) -> set[str]:
        """Return the powers of a game that somebody, at these addresses, began with or took over.
        """
        mine = (ConductRow.game == game, ConductRow.address << [a.lower() for a in addresses])
        query = ConductRow.select(ConductRow.power).where(
            *mine, ConductRow.deed << (Deed.STARTED, Deed.TOOK_OVER), ~ConductRow.undone
        )
        return {row["power"] for row in self._store.rows(query)}

    def left(self, game: int) -> list[tuple[str, str, str]]:
        """Return who gave up or lost which power of a game: (phase, power, address), in order."""
        gone = (ConductRow.game == game, ConductRow.deed.in_((Deed.LOST, Deed.RESIGNED)))
        query = (
            ConductRow.select(ConductRow.phase, ConductRow.power, ConductRow.address)
            .where(*gone, ~ConductRow.undone)
            .order_by(ConductRow.at, ConductRow.power)
        )
        return [(row["phase"], row["power"], row["address"]) for row in self._store.rows(query)]

    def forget_game(self, game: int) -> None:
        """Forget what people did in a game: it never began, or is gone."""
        self._store.run(ConductRow.delete().where(ConductRow.game == game))

    def figures(self, *addresses: str) -> Figures:
        """Return how often somebody, at all these addresses, did what.

        Phases that were rolled back are left out.
        """
        query = (
            ConductRow.select(ConductRow.deed, fn.COUNT(ConductRow.power).alias("times"))
            .where(ConductRow.address.in_([a.lower() for a in addresses]), ~ConductRow.undone)
            .group_by(ConductRow.deed)
        )
        times = {row["deed"].name.lower(): row["times"] for row in self._store.rows(query)}
        return Figures(**times)
