"""Who speaks: addresses that are confirmed, what waits for that, and what was tried in vain.

Addresses are kept and compared in lower case.
"""

from datetime import datetime
from typing import NamedTuple

from judge.store.database import Store
from judge.store.kinds import instant_of, micros
from judge.store.schema import (
    ADDRESSES,
    ASKED,
    HELD,
    MOVES,
    SERVED,
    WRONG,
    Asked,
    HeldLine,
    Known,
    Served,
    WrongSignOn,
)
from judge.store.table import Rows
from judge.words.person import Move as Move


class Held(NamedTuple):
    """Lines of one mail that wait for its sender's address to be confirmed."""

    mail: int
    lines: frozenset[int]
    address: str


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
                self._addresses.add_new(Known(0, address.lower(), now))

    def number_of(self, address: str) -> int:
        """Return the number of an address, which stands for it in a token."""
        low = address.lower()
        with self._store.transaction():
            known = self._addresses.one(address=low)
            return known.id if known else self._addresses.add(Known(0, low, None))

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
        self, mail: int, line: int, address: str, now: datetime, game: str = ""
    ) -> None:
        """Keep a line of a mail, about a game if it names one, until its sender has said yes."""
        self._held.put(HeldLine(mail, line, address.lower(), now, game.lower()))

    def held(self, address: str, since: datetime) -> list[Held]:
        """Return what waits for an address and came after `since`, in the order of arrival."""
        low = address.lower()
        lines: dict[int, set[int]] = {}
        mine = "address = ? AND at >= ? ORDER BY mail"
        for mail, line in self._held.pick("mail, line", mine, low, since):
            lines.setdefault(mail, set()).add(line)
        return [Held(mail, frozenset(found), low) for mail, found in lines.items()]

    def awaits(self, address: str, game: str, since: datetime) -> bool:
        """Tell whether something about a game waits for an address and came after `since`."""
        mine = "address = ? AND game = ? AND at >= ?"
        return self._held.there_is(mine, address.lower(), game.lower(), since)

    def let_go(self, address: str) -> None:
        """Forget what waits for an address."""
        self._held.remove(address=address.lower())

    def note_wrong(self, seat: str, address: str, now: datetime) -> None:
        """Note a wrong password."""
        self._wrong.add(WrongSignOn(0, seat, address.lower(), now))

    def wrong(self, since: datetime, *, seat: str = "", address: str = "") -> Wrong:
        """Return the wrong passwords since an instant: at a seat, from an address, or both."""
        given = {"seat": seat, "address": address.lower()}
        mine = {name: value for name, value in given.items() if value}
        wanted = " AND ".join(["at > ?", *(f"{name} = ?" for name in mine)])
        statement = f"SELECT COUNT(*), MAX(at) FROM wrong_signons WHERE {wanted}"
        ((many, last),) = self._store.found(statement, [micros(since), *mine.values()])
        return Wrong(many, None if last is None else instant_of(last))

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
        self._served.add(Served(0, address.lower(), now, octets))

    def served(self, address: str, since: datetime) -> int:
        """Return how many octets went to an address so since an instant."""
        statement = "SELECT COALESCE(SUM(octets), 0) FROM served WHERE address = ? AND at > ?"
        ((octets,),) = self._store.found(statement, [address.lower(), micros(since)])
        return int(octets)

    def forget(self, before: datetime) -> None:
        """Drop what no rule looks at any more: asked, kept or tried before an instant."""
        with self._store.transaction():
            for rows in (self._asked, self._held, self._wrong, self._served):
                rows.remove_where("at < ?", before)
