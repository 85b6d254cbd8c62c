"""People who told us of themselves, and what they did: by address, in lower case."""

from collections.abc import Collection, Iterable
from datetime import datetime

from peewee import fn

from judge.store.database import Store
from judge.store.schema import CONDUCT, PERSONS, Conduct
from judge.store.table import Rows, among
from judge.words.person import Deed, Figures, Person


class Register:
    """All people of a store."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._persons = Rows(store, PERSONS)
        self._conduct = Rows(store, CONDUCT)

    def person(self, address: str) -> Person:
        """Return what is known of somebody: no more than the address, perhaps."""
        low = address.lower()
        return self._persons.one(address=low) or Person(low)

    def people(self, addresses: Collection[str]) -> dict[str, Person]:
        """Return what is known of those at some addresses, by address in lower case."""
        low = {address.lower() for address in addresses}
        found = self._persons.where(among("address", low), *low) if low else []
        return {person.address: person for person in found}

    def save(self, person: Person) -> None:
        """Keep what somebody said of himself, in place of what was known."""
        self._persons.put(person)

    def names(self) -> dict[str, str]:
        """Return every name that somebody registered, by address."""
        return dict(self._persons.pick("address, name", "name <> '' ORDER BY address"))

    def standing_by(self) -> list[Person]:
        """Return everybody who wants to hear of vacancies."""
        return self._persons.where("standby <> '[]' ORDER BY address")

    def note(
        self, addresses: Iterable[tuple[str, str]], deed: Deed, game: int, phase: str, at: datetime
    ) -> None:
        """Write down what people did in a phase, given as (address, power).

        A phase that is played again after a rollback counts once: the later deed stands.
        """
        deeds = {
            power: Conduct(game, phase, power, deed, address.lower(), at)
            for address, power in addresses
        }
        self._conduct.put(*deeds.values())

    def last_player(self, game: int, power: str) -> str:
        """Return the address of whoever played a power last, empty where nobody did."""
        last = "game = ? AND power = ? ORDER BY at DESC LIMIT 1"
        found = self._conduct.pick("address", last, game, power)
        return str(found[0][0]) if found else ""

    def played(self, game: int, addresses: Iterable[str]) -> set[str]:
        """Return the powers of a game that somebody, at these addresses, began with or took over.
        """
        low = [address.lower() for address in addresses]
        mine = f"game = ? AND deed IN (?, ?) AND NOT undone AND {among('address', low)}"
        found = self._conduct.pick("power", mine, game, Deed.STARTED, Deed.TOOK_OVER, *low)
        return {power for (power,) in found}

    def left(self, game: int) -> list[tuple[str, str, str]]:
        """Return who gave up or lost which power of a game: (phase, power, address), in order."""
        gone = "game = ? AND deed IN (?, ?) AND NOT undone ORDER BY at, power"
        found = self._conduct.where(gone, game, Deed.LOST, Deed.RESIGNED)
        return [(one.phase, one.power, one.address) for one in found]

    def forget_game(self, game: int) -> None:
        """Forget what people did in a game: it never began, or is gone."""
        self._conduct.remove(game=game)

    def figures(self, *addresses: str) -> Figures:
        """Return how often somebody, at all these addresses, did what.

        Phases that were rolled back are left out.
        """
        row = CONDUCT.model
        query = (
            row.select(row.deed, fn.COUNT(row.power).alias("times"))
            .where(row.address.in_([a.lower() for a in addresses]), ~row.undone)
            .group_by(row.deed)
        )
        times = {one["deed"].name.lower(): one["times"] for one in self._store.rows(query)}
        return Figures(**times)
