"""People by address: confirmations, aliases, registration and conduct.

Addresses are stored and compared in lower case.
"""

from collections.abc import Collection, Iterable
from datetime import datetime
from typing import NamedTuple

from judge.model.person import AddressChange, AliasLink, ConductFigures, ConductKind, Person
from judge.model.record import NO_ID, DeliveryState
from judge.store import schema
from judge.store.database import Store
from judge.store.table import NEVER, Rows, in_condition, instant_of


class PendingLine(NamedTuple):
    """Deferred lines of one mail, which wait for the sender's confirmation."""

    mail: int
    lines: frozenset[int]
    address: str
    asked: tuple[str, ...] = ()
    """Requests of the lines, in words. Lines stored by an older version have none."""


class FailedSignOns(NamedTuple):
    """Number of failed sign-ons since some instant, and the time of the last one."""

    many: int
    last: datetime | None


class People:
    """Addresses with their confirmations, deferred lines and failed sign-ons."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._addresses = Rows(store, schema.ADDRESSES)
        self._asked = Rows(store, schema.ASKED)
        self._held = Rows(store, schema.HELD)
        self._wrong = Rows(store, schema.WRONG)
        self._moves = Rows(store, schema.MOVES)
        self._served = Rows(store, schema.SERVED)

    def is_confirmed(self, address: str) -> bool:
        """Return whether the person at this address has answered a letter of the judge."""
        confirmed = "address = ? AND confirmed IS NOT NULL"
        return self._addresses.exists(confirmed, address.lower())

    def confirm(self, address: str, now: datetime) -> None:
        """Mark an address as confirmed. An earlier instant stays."""
        late = "address = ? AND confirmed IS NULL"
        with self._store.transaction():
            if not self._addresses.change(late, address.lower(), confirmed=now):
                self._addresses.add_new(schema.KnownAddress(NO_ID, address.lower(), now))

    def number_of(self, address: str) -> int:
        """Return the number of an address, which represents it in tokens."""
        low = address.lower()
        with self._store.transaction():
            known = self._addresses.find_one(address=low)
            return known.id if known else self._addresses.add(schema.KnownAddress(NO_ID, low, None))

    def address_of(self, number: int) -> str:
        """Return the address with a number, or ""."""
        known = self._addresses.find_one(id=number)
        return known.address if known else ""

    def ask_once(self, what: str, now: datetime, since: datetime) -> bool:
        """Record a question. Return False if it was asked after *since* already."""
        with self._store.transaction():
            if self._asked.exists("what = ? AND at > ?", what, since):
                return False
            self._asked.upsert(schema.LastAsked(what, now))
        return True

    def delete_question(self, what: str) -> None:
        """Delete the record of a question."""
        self._asked.remove(what=what)

    def add_pending(
        self, mail: int, line: int, address: str, now: datetime, game: str = "", asked: str = ""
    ) -> None:
        """Store a line of a mail until its sender confirms their address.

        *asked* is its request in words. *game* is the game it is about, if it names one.
        """
        low = address.lower()
        self._held.upsert(schema.PendingLineRow(mail, line, low, now, game.lower(), asked))

    def pending_for(
        self, address: str, since: datetime, before: datetime | None = None
    ) -> list[PendingLine]:
        """Return the deferred lines of an address since *since*, in order of arrival.

        With *before*, leave out those stored at that instant or later.
        """
        low = address.lower()
        lines: dict[int, dict[int, str]] = {}
        mine = "address = ? AND at >= ? AND at < ? ORDER BY mail, line"
        found = self._held.select("mail, line, asked", mine, low, since, before or NEVER)
        for mail, line, asked in found:
            lines.setdefault(mail, {})[line] = asked
        return [
            PendingLine(mail, frozenset(kept), low, tuple(filter(None, kept.values())))
            for mail, kept in lines.items()
        ]

    def has_pending(self, address: str, game: str, since: datetime) -> bool:
        """Return whether a line about a game is deferred for an address since *since*."""
        mine = "address = ? AND game = ? AND at >= ?"
        return self._held.exists(mine, address.lower(), game.lower(), since)

    def delete_pending(self, address: str) -> None:
        """Delete the deferred lines of an address."""
        self._held.remove(address=address.lower())

    def drop_held(self, mail: int) -> None:
        """Delete the deferred lines of one mail."""
        self._held.remove(mail=mail)

    def note_wrong(self, seat: str, address: str, now: datetime) -> None:
        """Record a failed sign-on."""
        self._wrong.add(schema.WrongSignOn(NO_ID, seat, address.lower(), now))

    def failed_sign_ons(
        self, since: datetime, *, seat: str = "", address: str = ""
    ) -> FailedSignOns:
        """Return failed sign-ons since an instant: at a seat, from an address, or both."""
        given = {"seat": seat, "address": address.lower()}
        mine = {name: value for name, value in given.items() if value}
        wanted = " AND ".join(["at > ?", *(f"{name} = ?" for name in mine)])
        many, last = self._wrong.aggregate("COUNT(*), MAX(at)", wanted, since, *mine.values())
        return FailedSignOns(many, None if last is None else instant_of(last))

    def often_wrong(self, since: datetime, most: int) -> frozenset[str]:
        """Return the seats with at least *most* failed sign-ons since an instant."""
        often = "at > ? GROUP BY seat HAVING COUNT(*) >= ?"
        return frozenset(seat for (seat,) in self._wrong.select("seat", often, since, most))

    def clear_failures(self, seat: str, address: str) -> None:
        """Clear the failed sign-ons of a seat and address after a successful one."""
        self._wrong.remove(seat=seat, address=address.lower())

    def request_address_change(self, move: AddressChange) -> int:
        """Store a requested address change. Return its number."""
        return self._moves.add(move)

    def move(self, number: int) -> AddressChange | None:
        """Return an address change by its number, or None."""
        return self._moves.find_one(id=number)

    def moves(self, seat: int) -> list[AddressChange]:
        """Return the completed address changes of a seat, in order."""
        return self._moves.find_where("seat = ? AND done IS NOT NULL ORDER BY done, id", seat)

    def drop_move(self, number: int) -> None:
        """Delete an address change that was declined."""
        self._moves.remove(id=number)

    def finish_move(self, number: int, now: datetime) -> None:
        """Record that an address change is complete."""
        self._moves.change("id = ?", number, done=now)

    def record_served(self, address: str, octets: int, now: datetime) -> None:
        """Record the octets sent to an address on demand."""
        self._served.add(schema.ServedOctets(NO_ID, address.lower(), now, octets))

    def served_since(self, address: str, since: datetime) -> int:
        """Return the octets sent to an address on demand since an instant."""
        mine = "address = ? AND at > ?"
        (octets,) = self._served.aggregate("SUM(octets)", mine, address.lower(), since)
        return int(octets or 0)

    def forget_served(self, address: str) -> None:
        """Reset the count of octets sent to an address."""
        self._served.remove(address=address.lower())

    def delete_older(self, before: datetime) -> None:
        """Delete records from before an instant, which no rule needs any more."""
        with self._store.transaction():
            for rows in (self._asked, self._held, self._wrong, self._served):
                rows.remove_where("at < ?", before)


class Outreach:
    """Letters that people have others sent.

    They are invitations, requests to sit in, or notices of a new address. A letter may wait in the
    queue until it is due. Until it is sent, the person who requested it can cancel it.
    """

    def __init__(self, store: Store) -> None:
        self._outreach = Rows(store, schema.OUTREACH)
        self._outgoing = Rows(store, schema.OUTGOING)

    def schedule(self, asker: str, address: str, about: str, due: datetime) -> int:
        """Record a letter that is due at an instant. Return its number in this table."""
        return self._outreach.add(
            schema.PlannedLetterRow(NO_ID, asker.lower(), address.lower(), about, due)
        )

    def record_letter(self, number: int, letter: int) -> None:
        """Record the id of the outgoing message of a letter."""
        self._outreach.change("id = ?", number, letter=letter)

    def find_due(self, whose: str, address: str, since: datetime) -> list[schema.PlannedLetterRow]:
        """Return the letters due after an instant, the last first.

        *whose* is "address" for those to an address, and "asker" for those requested from it.
        """
        wanted = f"{whose} = ? AND due > ? ORDER BY due DESC, id DESC"
        return self._outreach.find_where(wanted, address.lower(), since)

    def cancel_about(self, about: str, now: datetime) -> frozenset[int]:
        """Cancel unsent letters about something. Return their numbers in this table."""
        gone = frozenset(
            one.id
            for one in self._outreach.find(about=about)
            if not one.letter or one.due > now and self._is_dropped(one.letter)
        )
        if gone:
            self._outreach.remove_where(in_condition("id", gone), *gone)
        return gone

    def _is_dropped(self, letter: int) -> bool:
        """Delete an outgoing message that was never tried. Return whether it was deleted."""
        waits = "id = ? AND state = ? AND tries = 0 AND claimed IS NULL"
        return self._outgoing.remove_where(waits, letter, DeliveryState.QUEUED) == 1

    def delete_older(self, before: datetime) -> None:
        """Delete letters due before an instant, which no rule needs any more."""
        self._outreach.remove_where("due < ?", before)


class Aliases:
    """Addresses that belong to the same person.

    With *keeps* the look-ups are cached for a unit of work, in which nothing else writes.
    """

    def __init__(self, store: Store, *, keeps: bool = False) -> None:
        self._store = store
        self._keeps = keeps
        self._known: dict[str, tuple[str, ...]] = {}
        self._expected: set[str] = set()
        self._aliases = Rows(store, schema.ALIASES)
        self._links = Rows(store, schema.LINKS)

    def keeping(self) -> "Aliases":
        """Return a caching copy for one unit of work."""
        return Aliases(self._store, keeps=True)

    def clear(self) -> None:
        """Clear the cache after a change or its rollback."""
        self._known.clear()

    def prefetch(self, addresses: Iterable[str]) -> None:
        """Add these addresses to the next look-up of a unit of work."""
        if self._keeps:
            self._expected.update(address.lower() for address in addresses)

    def addresses_of(self, address: str) -> tuple[str, ...]:
        """Return all addresses of the person at one, this one first."""
        low = address.lower()
        if not self._keeps:
            return self._query_aliases((low,))[low]
        if low not in self._known:
            self._known |= self._query_aliases(sorted({low, *self._expected} - self._known.keys()))
            self._expected.clear()
        return self._known[low]

    def _query_aliases(self, lows: Collection[str]) -> dict[str, tuple[str, ...]]:
        found: dict[str, tuple[str, ...]] = {low: (low,) for low in lows}
        statement = (
            "SELECT one.address, other.address FROM aliases AS one"
            " JOIN aliases AS other ON other.person = one.person AND other.address <> one.address"
            f" WHERE {in_condition('one.address', lows)} ORDER BY other.address"
        )
        for low, other in self._store.select_sql(statement, list(lows)):
            found[low] += (other,)
        return found

    def primary_addresses(self) -> dict[str, str]:
        """Return the main address of a person, by each address of those with several."""
        people: dict[int, list[str]] = {}
        for one in self._aliases.find():
            people.setdefault(one.person, []).append(one.address)
        return {address: known[0] for known in people.values() for address in known}

    def is_same_person(self, one: str, other: str) -> bool:
        """Return whether two addresses are one person's. False for an empty address."""
        low = other.lower()
        return bool(low) and (one.lower() == low or bool(one) and low in self.addresses_of(one))

    def ask_once(self, first: str, second: str, now: datetime) -> int:
        """Store a request to link two addresses. Return its number."""
        return self._links.add(AliasLink(NO_ID, first.lower(), second.lower(), now))

    def link(self, number: int) -> AliasLink | None:
        """Return a link request by its number, or None."""
        return self._links.find_one(id=number)

    def decline(self, number: int) -> None:
        """Delete a link request that was declined."""
        self._links.remove(id=number)

    def delete_older(self, before: datetime, limit: int) -> int:
        """Delete requests to link addresses made before an instant. Return their number.

        Links that were made stay, because they are stored as aliases.
        """
        old = "id IN (SELECT id FROM links WHERE asked < ? LIMIT ?)"
        return self._links.remove_where(old, before, limit)

    def agree(self, number: int, *, first: bool) -> AliasLink | None:
        """Record the consent of one side. Once both agree, the addresses are linked."""
        said = {"first_yes": True} if first else {"second_yes": True}
        with self._store.transaction():
            self._links.change("id = ?", number, **said)
            link = self.link(number)
            if link is not None and link.is_confirmed:
                self._join(link.first, link.second, number)
        return link

    def remove_alias(self, address: str) -> None:
        """Unlink an address from the others of its person."""
        low = address.lower()
        self.clear()
        with self._store.transaction():
            person = self._person(low)
            self._aliases.remove(address=low)
            if person is not None and len(self._aliases.find(person=person)) == 1:
                self._aliases.remove(person=person)

    def _join(self, first: str, second: str, number: int) -> None:
        """Merge two persons. A person has the number of the first link that made it."""
        person = self._person(first) or self._person(second) or number
        both = {*self.addresses_of(first), *self.addresses_of(second)}
        self._aliases.upsert(*(schema.Alias(address, person) for address in sorted(both)))
        self.clear()

    def _person(self, low: str) -> int | None:
        alias = self._aliases.find_one(address=low)
        return alias.person if alias else None


class PersonRegister:
    """Registered people of a store, and their conduct."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._persons = Rows(store, schema.PERSONS)
        self._conduct = Rows(store, schema.CONDUCT)

    def person(self, address: str) -> Person:
        """Return the record of a person. It may contain nothing but the address."""
        low = address.lower()
        return self._persons.find_one(address=low) or Person(low)

    def people(self, addresses: Collection[str]) -> dict[str, Person]:
        """Return the records of people at these addresses, by address in lower case."""
        low = {address.lower() for address in addresses}
        found = self._persons.find_where(in_condition("address", low), *low) if low else []
        return {person.address: person for person in found}

    def save(self, person: Person) -> None:
        """Store the record of a person, replacing an earlier one."""
        self._persons.upsert(person)

    def names(self) -> dict[str, str]:
        """Return all registered names, by address."""
        return dict(self._persons.select("address, name", "name <> '' ORDER BY address"))

    def lookalikes(self, look: str) -> list[Person]:
        """Return the people whose name has this normalised form (`names.look_of`)."""
        return self._persons.find_where("look = ? AND look <> ''", look)

    def named_before(self) -> list[Person]:
        """Return the people with names from before normalised forms were stored."""
        return self._persons.find_where("name <> '' AND look = ''")

    def standing_by(self) -> list[Person]:
        """Return all people on the standby list."""
        return self._persons.find_where("standby <> '[]' ORDER BY address")

    def record_conduct(
        self,
        addresses: Iterable[tuple[str, str]],
        deed: ConductKind,
        game: int,
        phase: str,
        at: datetime,
    ) -> None:
        """Record the conduct of people in a phase, given as (address, power).

        A phase that is played again after a rollback counts once, with the later conduct.
        """
        deeds = {
            power: schema.Conduct(game, phase, power, deed, address.lower(), at)
            for address, power in addresses
        }
        self._conduct.upsert(*deeds.values())

    def last_player(self, game: int, power: str) -> str:
        """Return the address of the last player of a power, or ""."""
        last = "game = ? AND power = ? ORDER BY at DESC, phase DESC, deed DESC LIMIT 1"
        found = self._conduct.select("address", last, game, power)
        return str(found[0][0]) if found else ""

    def find_powers_played(self, game: int, addresses: Iterable[str]) -> set[str]:
        """Return the powers of a game that a person started with or took over.

        *addresses* are all of that person's.
        """
        low = {address.lower() for address in addresses}
        found = self._list_conduct(game, ConductKind.STARTED, ConductKind.TOOK_OVER)
        return {one.power for one in found if one.address in low}

    def list_departures(self, game: int) -> list[tuple[str, str, str]]:
        """Return lost or resigned powers of a game: (phase, power, address), in order."""
        found = self._list_conduct(game, ConductKind.LOST, ConductKind.RESIGNED)
        return [(one.phase, one.power, one.address) for one in found]

    def list_excused(self, game: int) -> list[tuple[str, str, datetime]]:
        """Return the excuses at deadlines of a game: (phase, power, time), in order."""
        found = self._list_conduct(game, ConductKind.EXCUSED)
        return [(one.phase, one.power, one.at) for one in found]

    def _list_conduct(self, game: int, *deeds: ConductKind) -> list[schema.Conduct]:
        mine = f"game = ? AND {in_condition('deed', deeds)} AND undone = 0 ORDER BY at, power"
        return self._conduct.find_where(mine, game, *deeds)

    def forget_game(self, game: int) -> None:
        """Delete the conduct of a game that never began or was deleted."""
        self._conduct.remove(game=game)

    def figures(self, *addresses: str) -> ConductFigures:
        """Return the conduct figures of a person at all these addresses.

        Phases that were rolled back are left out.
        """
        found = self._store.select_sql(
            f"SELECT deed, COUNT(*) FROM conduct WHERE {in_condition('address', addresses)}"
            " AND undone = 0 GROUP BY deed",
            [address.lower() for address in addresses],
        )
        return ConductFigures(**{ConductKind(deed).name.lower(): times for deed, times in found})
