"""The addresses of one person: those that both sides have said belong together.

Addresses are kept and compared in lower case.
"""

from collections.abc import Collection, Iterable
from datetime import datetime

from judge.store.database import Store
from judge.store.schema import ALIASES, LINKS, Alias
from judge.store.table import Rows, among
from judge.words.person import Link as Link


class Aliases:
    """Who is known at several addresses.

    With `keeps` nobody is asked for twice: for a unit of work, in which nobody else writes.
    """

    def __init__(self, store: Store, *, keeps: bool = False) -> None:
        self._store = store
        self._keeps = keeps
        self._known: dict[str, tuple[str, ...]] = {}
        self._expected: set[str] = set()
        self._aliases = Rows(store, ALIASES)
        self._links = Rows(store, LINKS)

    def keeping(self) -> "Aliases":
        """Return the same for one unit of work."""
        return Aliases(self._store, keeps=True)

    def forget(self) -> None:
        """Let go of who was asked for: it was changed, or a change of it was taken back."""
        self._known.clear()

    def expect(self, addresses: Iterable[str]) -> None:
        """Have these asked for in one statement with the next one that is, in a unit of work."""
        if self._keeps:
            self._expected.update(address.lower() for address in addresses)

    def of(self, address: str) -> tuple[str, ...]:
        """Return all addresses of the person at one, this one first."""
        low = address.lower()
        if not self._keeps:
            return self._asked((low,))[low]
        if low not in self._known:
            self._known |= self._asked(sorted({low, *self._expected} - self._known.keys()))
            self._expected.clear()
        return self._known[low]

    def _asked(self, lows: Collection[str]) -> dict[str, tuple[str, ...]]:
        found: dict[str, tuple[str, ...]] = {low: (low,) for low in lows}
        statement = (
            "SELECT one.address, other.address FROM aliases AS one"
            " JOIN aliases AS other ON other.person = one.person AND other.address <> one.address"
            f" WHERE {among('one.address', lows)} ORDER BY other.address"
        )
        for low, other in self._store.found(statement, list(lows)):
            found[low] += (other,)
        return found

    def heads(self) -> dict[str, str]:
        """Return the one address that stands for a person, by each of those with several."""
        people: dict[int, list[str]] = {}
        for one in self._aliases.find():
            people.setdefault(one.person, []).append(one.address)
        return {address: known[0] for known in people.values() for address in known}

    def same(self, one: str, other: str) -> bool:
        """Tell whether two addresses are one person's; no address is nobody's."""
        low = other.lower()
        return bool(low) and (one.lower() == low or bool(one) and low in self.of(one))

    def ask(self, first: str, second: str, now: datetime) -> int:
        """Keep that two addresses are said to belong together; return the number of that."""
        return self._links.add(Link(0, first.lower(), second.lower(), now))

    def link(self, number: int) -> Link | None:
        """Return what was asked by its number, or None."""
        return self._links.one(id=number)

    def decline(self, number: int) -> None:
        """Forget what was asked: one side has said no."""
        self._links.remove(id=number)

    def agree(self, number: int, *, first: bool) -> Link | None:
        """Note that one side has said yes; once both have, the addresses are one person's."""
        said = {"first_yes": True} if first else {"second_yes": True}
        with self._store.transaction():
            self._links.change("id = ?", number, **said)
            link = self.link(number)
            if link is not None and link.holds:
                self._join(link.first, link.second, number)
        return link

    def part(self, address: str) -> None:
        """Take an address from the others of its person."""
        low = address.lower()
        self.forget()
        with self._store.transaction():
            person = self._person(low)
            self._aliases.remove(address=low)
            if person is not None and len(self._aliases.find(person=person)) == 1:
                self._aliases.remove(person=person)

    def _join(self, first: str, second: str, number: int) -> None:
        """Make one person of two; a person has the number of the first link that made it."""
        person = self._person(first) or self._person(second) or number
        both = {*self.of(first), *self.of(second)}
        self._aliases.put(*(Alias(address, person) for address in sorted(both)))
        self.forget()

    def _person(self, low: str) -> int | None:
        alias = self._aliases.one(address=low)
        return alias.person if alias else None
