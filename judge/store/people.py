"""People by address: confirmed or not, one person's several addresses, what they told of it.

Addresses are kept and compared in lower case.
"""

from collections.abc import Collection, Iterable
from datetime import datetime
from typing import NamedTuple

from judge.model.person import Deed, Figures, Link, Move, Person
from judge.model.record import UNSTORED, OutState
from judge.store.database import Store
from judge.store.schema import (
    ADDRESSES,
    ALIASES,
    ASKED,
    CONDUCT,
    HELD,
    LINKS,
    MOVES,
    OUTGOING,
    OUTREACH,
    PERSONS,
    SERVED,
    WRONG,
    Alias,
    Arranged,
    Asked,
    Conduct,
    HeldLine,
    Known,
    Served,
    WrongSignOn,
)
from judge.store.table import Rows, among, instant_of, micros


class Held(NamedTuple):
    """Lines of one mail that wait for its sender's address to be confirmed."""

    mail: int
    lines: frozenset[int]
    address: str
    asked: tuple[str, ...] = ()
    """What they ask for, in words; those kept by an older version have none."""


class Wrong(NamedTuple):
    """How often a wrong password was given since some instant, and when the last time."""

    many: int
    last: datetime | None


class People:
    """What is remembered of those who write to us."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._addresses = Rows(store, ADDRESSES)
        self._asked = Rows(store, ASKED)
        self._held = Rows(store, HELD)
        self._wrong = Rows(store, WRONG)
        self._moves = Rows(store, MOVES)
        self._served = Rows(store, SERVED)

    def is_confirmed(self, address: str) -> bool:
        """Tell whether somebody at this address has answered a letter of ours."""
        confirmed = "address = ? AND confirmed IS NOT NULL"
        return self._addresses.there_is(confirmed, address.lower())

    def confirm(self, address: str, now: datetime) -> None:
        """Remember that an address is confirmed; an earlier instant stays."""
        late = "address = ? AND confirmed IS NULL"
        with self._store.transaction():
            if not self._addresses.change(late, address.lower(), confirmed=now):
                self._addresses.add_new(Known(UNSTORED, address.lower(), now))

    def number_of(self, address: str) -> int:
        """Return the number of an address, which stands for it in a token."""
        low = address.lower()
        with self._store.transaction():
            known = self._addresses.one(address=low)
            return known.id if known else self._addresses.add(Known(UNSTORED, low, None))

    def address_of(self, number: int) -> str:
        """Return the address of a number, empty when there is none."""
        known = self._addresses.one(id=number)
        return known.address if known else ""

    def ask(self, what: str, now: datetime, since: datetime) -> bool:
        """Note that something is asked now, and say yes; no if it was asked after `since`."""
        with self._store.transaction():
            if self._asked.there_is("what = ? AND at > ?", what, since):
                return False
            self._asked.put(Asked(what, now))
        return True

    def unask(self, what: str) -> None:
        """Forget that something was asked."""
        self._asked.remove(what=what)

    def hold(
        self, mail: int, line: int, address: str, now: datetime, game: str = "", asked: str = ""
    ) -> None:
        """Keep a line of a mail until its sender has said yes; it asks for `asked`, in words, and
        is about a game if it names one."""
        self._held.put(HeldLine(mail, line, address.lower(), now, game.lower(), asked))

    def held(
        self, address: str, since: datetime, before: datetime | None = None
    ) -> list[Held]:
        """Return what waits for an address and came after *since*, in the order of arrival.

        With *before*, leave out what was kept at that instant or later.
        """
        low = address.lower()
        lines: dict[int, dict[int, str]] = {}
        mine = "address = ? AND at >= ?"
        values: tuple[object, ...] = (low, since)
        if before is not None:
            mine, values = f"{mine} AND at < ?", (*values, before)
        found = self._held.pick("mail, line, asked", f"{mine} ORDER BY mail, line", *values)
        for mail, line, asked in found:
            lines.setdefault(mail, {})[line] = asked
        return [
            Held(mail, frozenset(kept), low, tuple(filter(None, kept.values())))
            for mail, kept in lines.items()
        ]

    def awaits(self, address: str, game: str, since: datetime) -> bool:
        """Tell whether something about a game waits for an address and came after `since`."""
        mine = "address = ? AND game = ? AND at >= ?"
        return self._held.there_is(mine, address.lower(), game.lower(), since)

    def let_go(self, address: str) -> None:
        """Forget what waits for an address."""
        self._held.remove(address=address.lower())

    def drop_held(self, mail: int) -> None:
        """Delete the lines of one mail that waited for a confirmation."""
        self._held.remove(mail=mail)

    def note_wrong(self, seat: str, address: str, now: datetime) -> None:
        """Note a wrong password."""
        self._wrong.add(WrongSignOn(UNSTORED, seat, address.lower(), now))

    def wrong(self, since: datetime, *, seat: str = "", address: str = "") -> Wrong:
        """Return the wrong passwords since an instant: at a seat, from an address, or both."""
        given = {"seat": seat, "address": address.lower()}
        mine = {name: value for name, value in given.items() if value}
        wanted = " AND ".join(["at > ?", *(f"{name} = ?" for name in mine)])
        statement = f"SELECT COUNT(*), MAX(at) FROM wrong_signons WHERE {wanted}"
        ((many, last),) = self._store.found(statement, [micros(since), *mine.values()])
        return Wrong(many, None if last is None else instant_of(last))

    def often_wrong(self, since: datetime, most: int) -> frozenset[str]:
        """Return the seats at which so many passwords or more were wrong since an instant."""
        statement = (
            "SELECT seat FROM wrong_signons WHERE at > ? GROUP BY seat HAVING COUNT(*) >= ?"
        )
        return frozenset(seat for (seat,) in self._store.found(statement, [micros(since), most]))

    def forgive(self, seat: str, address: str) -> None:
        """Forget the wrong passwords of somebody who then gave the right one."""
        self._wrong.remove(seat=seat, address=address.lower())

    def ask_move(self, move: Move) -> int:
        """Keep a change of address that is asked for and return its number."""
        return self._moves.add(move)

    def move(self, number: int) -> Move | None:
        """Return a change of address by its number, or None."""
        return self._moves.one(id=number)

    def moves(self, seat: int) -> list[Move]:
        """Return the changes of a seat's address that were done, in order."""
        return self._moves.where("seat = ? AND done IS NOT NULL ORDER BY done, id", seat)

    def drop_move(self, number: int) -> None:
        """Forget a change of address that was declined."""
        self._moves.remove(id=number)

    def finish_move(self, number: int, now: datetime) -> None:
        """Note that a change of address is done."""
        self._moves.change("id = ?", number, done=now)

    def serve(self, address: str, octets: int, now: datetime) -> None:
        """Note that so much goes to an address because somebody asked for it."""
        self._served.add(Served(UNSTORED, address.lower(), now, octets))

    def served(self, address: str, since: datetime) -> int:
        """Return how many octets went to an address so since an instant."""
        statement = "SELECT COALESCE(SUM(octets), 0) FROM served WHERE address = ? AND at > ?"
        ((octets,),) = self._store.found(statement, [address.lower(), micros(since)])
        return int(octets)

    def forget_served(self, address: str) -> None:
        """Begin anew to count what goes to an address."""
        self._served.remove(address=address.lower())

    def forget(self, before: datetime) -> None:
        """Drop what no rule looks at any more: asked, kept or tried before an instant."""
        with self._store.transaction():
            for rows in (self._asked, self._held, self._wrong, self._served):
                rows.remove_where("at < ?", before)


class Planned(NamedTuple):
    """A letter that somebody has another sent: to whom, and from when on it may go."""

    id: int
    address: str
    due: datetime


class Outreach:
    """The book of letters that somebody has others sent.

    Somebody is invited, asked to sit in, or said to have a new address. The letter may wait in the
    queue for its day; until it is gone, whoever had it sent can take it back.
    """

    def __init__(self, store: Store) -> None:
        self._outreach = Rows(store, OUTREACH)
        self._outgoing = Rows(store, OUTGOING)

    def plan(self, asker: str, address: str, about: str, due: datetime) -> int:
        """Note a letter that may go then, and return its number here."""
        return self._outreach.add(Arranged(UNSTORED, asker.lower(), address.lower(), about, due))

    def queued(self, number: int, letter: int) -> None:
        """Note which outgoing message it became."""
        self._outreach.change("id = ?", number, letter=letter)

    def to(self, address: str, since: datetime) -> list[Planned]:
        """Return the letters to an address that went after an instant, or will, the last first."""
        return self._planned("address", address, since)

    def of(self, asker: str, since: datetime) -> list[Planned]:
        """Return the letters that somebody had sent after an instant, or will, the last first."""
        return self._planned("asker", asker, since)

    def _planned(self, whose: str, address: str, since: datetime) -> list[Planned]:
        wanted = f"{whose} = ? AND due > ? ORDER BY due DESC, id DESC"
        found = self._outreach.where(wanted, address.lower(), since)
        return [Planned(one.id, one.address, one.due) for one in found]

    def take_back(self, about: str, now: datetime) -> frozenset[int]:
        """Have letters about something that still wait not sent; return their numbers here."""
        gone = frozenset(
            one.id
            for one in self._outreach.find(about=about)
            if not one.letter or one.due > now and self._is_dropped(one.letter)
        )
        if gone:
            self._outreach.remove_where(among("id", gone), *gone)
        return gone

    def _is_dropped(self, letter: int) -> bool:
        """Drop an outgoing message that nobody has tried to send; tell whether it could be."""
        waits = "id = ? AND state = ? AND tries = 0 AND claimed IS NULL"
        return self._outgoing.remove_where(waits, letter, OutState.QUEUED) == 1

    def forget(self, before: datetime) -> None:
        """Drop what no rule looks at any more."""
        self._outreach.remove_where("due < ?", before)


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
        return self._links.add(Link(UNSTORED, first.lower(), second.lower(), now))

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

    def alike(self, look: str) -> list[Person]:
        """Return those whose name looks so (`names.look_of`)."""
        return self._persons.where("look = ? AND look <> ''", look)

    def named_before(self) -> list[Person]:
        """Return those who have a name of before it was kept how names look."""
        return self._persons.where("name <> '' AND look = ''")

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
        last = "game = ? AND power = ? ORDER BY at DESC, phase DESC, deed DESC LIMIT 1"
        found = self._conduct.pick("address", last, game, power)
        return str(found[0][0]) if found else ""

    def played(self, game: int, addresses: Iterable[str]) -> set[str]:
        """Return the powers of a game that somebody, at these addresses, began with or took over.
        """
        low = [address.lower() for address in addresses]
        mine = f"game = ? AND deed IN (?, ?) AND undone = 0 AND {among('address', low)}"
        found = self._conduct.pick("power", mine, game, Deed.STARTED, Deed.TOOK_OVER, *low)
        return {power for (power,) in found}

    def left(self, game: int) -> list[tuple[str, str, str]]:
        """Return who gave up or lost which power of a game: (phase, power, address), in order."""
        gone = "game = ? AND deed IN (?, ?) AND undone = 0 ORDER BY at, power"
        found = self._conduct.where(gone, game, Deed.LOST, Deed.RESIGNED)
        return [(one.phase, one.power, one.address) for one in found]

    def excused(self, game: int) -> list[tuple[str, str, datetime]]:
        """Return for whom a deadline of a game waited: (phase, power, when), in order."""
        waited = "game = ? AND deed = ? AND undone = 0 ORDER BY at, power"
        found = self._conduct.where(waited, game, Deed.EXCUSED)
        return [(one.phase, one.power, one.at) for one in found]

    def forget_game(self, game: int) -> None:
        """Forget what people did in a game: it never began, or is gone."""
        self._conduct.remove(game=game)

    def figures(self, *addresses: str) -> Figures:
        """Return how often somebody, at all these addresses, did what.

        Phases that were rolled back are left out.
        """
        found = self._store.found(
            f"SELECT deed, COUNT(*) FROM conduct WHERE {among('address', addresses)}"
            " AND undone = 0 GROUP BY deed",
            [address.lower() for address in addresses],
        )
        return Figures(**{Deed(deed).name.lower(): times for deed, times in found})
