"""The addresses of one person: those that both sides have said belong together.

Addresses are kept and compared in lower case.
"""

from dataclasses import dataclass
from datetime import datetime

from judge.store.database import Store
from judge.store.peopletables import AliasRow, LinkRow


@dataclass(frozen=True, slots=True)
class Link:
    """Two addresses said to be one person's, and which of them have said yes."""

    id: int
    first: str
    second: str
    asked: datetime
    first_yes: bool = False
    second_yes: bool = False

    @property
    def holds(self) -> bool:
        """Both have said yes."""
        return self.first_yes and self.second_yes


class Aliases:
    """Who is known at several addresses."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def of(self, address: str) -> tuple[str, ...]:
        """Return all addresses of the person at one, this one first."""
        low = address.lower()
        person = self._person(low)
        if person is None:
            return (low,)
        rows = self._store.rows(AliasRow.select().where(AliasRow.person == person))
        return (low, *sorted(row["address"] for row in rows if row["address"] != low))

    def heads(self) -> dict[str, str]:
        """Return the one address that stands for a person, by each of those with several."""
        people: dict[int, list[str]] = {}
        for row in self._store.rows(AliasRow.select().order_by(AliasRow.address)):
            people.setdefault(row["person"], []).append(row["address"])
        return {address: known[0] for known in people.values() for address in known}

    def same(self, one: str, other: str) -> bool:
        """Tell whether two addresses are one person's; no address is nobody's."""
        low = other.lower()
        return bool(low) and (one.lower() == low or bool(one) and low in self.of(one))

    def ask(self, first: str, second: str, now: datetime) -> int:
        """Keep that two addresses are said to belong together; return the number of that."""
        values = {"first": first.lower(), "second": second.lower(), "asked": now}
        values |= {"first_yes": False, "second_yes": False}
        return self._store.run(LinkRow.insert(values))

    def link(self, number: int) -> Link | None:
        """Return what was asked by its number, or None."""
        rows = self._store.rows(LinkRow.select().where(LinkRow.id == number))
        return Link(**rows[0]) if rows else None

    def decline(self, number: int) -> None:
        """Forget what was asked: one side has said no."""
        self._store.run(LinkRow.delete().where(LinkRow.id == number))

    def agree(self, number: int, *, first: bool) -> Link | None:
        """Note that one side has said yes; once both have, the addresses are one person's."""
        said = {"first_yes": True} if first else {"second_yes": True}
        with self._store.transaction():
            self._store.run(LinkRow.update(said).where(LinkRow.id == number))
            link = self.link(number)
            if link is not None and link.holds:
                self._join(link.first, link.second, number)
        return link

    def part(self, address: str) -> None:
        """Take an address from the others of its person."""
        low = address.lower()
        with self._store.transaction():
            person = self._person(low)
            self._store.run(AliasRow.delete().where(AliasRow.address == low))
            left = self._store.rows(AliasRow.select().where(AliasRow.person == person))
            if len(left) == 1:
                self._store.run(AliasRow.delete().where(AliasRow.person == person))

    def _join(self, first: str, second: str, number: int) -> None:
        """Make one person of two; a person has the number of the first link that made it."""
        person = self._person(first) or self._person(second) or number
        for address in {*self.of(first), *self.of(second)}:
            self._store.run(AliasRow.delete().where(AliasRow.address == address))
            self._store.run(AliasRow.insert(address=address, person=person))

    def _person(self, low: str) -> int | None:
        rows = self._store.look_up(AliasRow, "address = ?", low)
        return int(rows[0]["person"]) if rows else None
