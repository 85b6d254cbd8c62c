"""Who speaks: addresses that are confirmed, what waits for that, and what was tried in vain.

Addresses are kept and compared in lower case.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from peewee import fn

from judge.store.database import Store
from judge.store.peopletables import AddressRow, AskedRow, HeldRow, MoveRow, ServedRow, WrongRow
from judge.store.tables import EPOCH, micros


class Held(NamedTuple):
    """Lines of one mail that wait for its sender's address to be confirmed."""

    mail: int
    lines: frozenset[int]
    address: str


class Wrong(NamedTuple):
    """How often a wrong password was given since some instant, and when the last time."""

    many: int
    last: datetime | None


@dataclass(frozen=True, slots=True)
class Move:
    """A change of a seat's address: asked for, and done once the new address has confirmed it."""

    id: int
    seat: int
    epoch: int
    """The seat's epoch when it was asked for: a new password or player ends what was asked."""
    old: str
    new: str
    asked: datetime
    done: datetime | None = None


class People:
    """What is remembered of those who write to us."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def is_confirmed(self, address: str) -> bool:
        """Tell whether somebody at this address has answered a letter of ours."""
        row = self._address(AddressRow.address == address.lower())
        return row is not None and row["confirmed"] is not None

    def confirm(self, address: str, now: datetime) -> None:
        """Remember that an address is confirmed; an earlier instant stays."""
        number = self.number_of(address)
        late = (AddressRow.id == number, AddressRow.confirmed.is_null())
        self._store.run(AddressRow.update(confirmed=now).where(*late))

    def number_of(self, address: str) -> int:
        """Return the number of an address, which stands for it in a token."""
        low = address.lower()
        with self._store.transaction():
            row = self._address(AddressRow.address == low)
            if row is not None:
                return int(row["id"])
            return self._store.run(AddressRow.insert(address=low, confirmed=None))

    def address_of(self, number: int) -> str:
        """Return the address of a number, empty when there is none."""
        row = self._address(AddressRow.id == number)
        return str(row["address"]) if row else ""

    def ask(self, what: str, now: datetime, since: datetime) -> bool:
        """Note that something is asked now, and say yes; no if it was asked after `since`."""
        with self._store.transaction():
            rows = self._store.rows(AskedRow.select().where(AskedRow.what == what))
            if rows and rows[0]["at"] > since:
                return False
            self._store.run(AskedRow.delete().where(AskedRow.what == what))
            self._store.run(AskedRow.insert(what=what, at=now))
        return True

    def unask(self, what: str) -> None:
        """Forget that something was asked."""
        self._store.run(AskedRow.delete().where(AskedRow.what == what))

    def hold(
        self, mail: int, line: int, address: str, now: datetime, game: str = ""
    ) -> None:
        """Keep a line of a mail, about a game if it names one, until its sender has said yes."""
        wanted = (HeldRow.mail == mail, HeldRow.line == line)
        with self._store.transaction():
            self._store.run(HeldRow.delete().where(*wanted))
            values = {"mail": mail, "line": line, "address": address.lower(), "at": now}
            values["game"] = game.lower()
            self._store.run(HeldRow.insert(values))

    def held(self, address: str, since: datetime) -> list[Held]:
        """Return what waits for an address and came after `since`, in the order of arrival."""
        query = (
            HeldRow.select()
            .where(HeldRow.address == address.lower(), HeldRow.at >= since)
            .order_by(HeldRow.mail)
        )
        lines: dict[int, set[int]] = {}
        for row in self._store.rows(query):
            lines.setdefault(row["mail"], set()).add(row["line"])
        low = address.lower()
        return [Held(mail, frozenset(found), low) for mail, found in lines.items()]

    def awaits(self, address: str, game: str, since: datetime) -> bool:
        """Tell whether something about a game waits for an address and came after `since`."""
        mine = (HeldRow.address == address.lower(), HeldRow.game == game.lower())
        query = HeldRow.select(HeldRow.mail).where(*mine, HeldRow.at >= since).limit(1)
        return bool(self._store.rows(query))

    def let_go(self, address: str) -> None:
        """Forget what waits for an address."""
        self._store.run(HeldRow.delete().where(HeldRow.address == address.lower()))

    def note_wrong(self, seat: str, address: str, now: datetime) -> None:
        """Note a wrong password."""
        self._store.run(WrongRow.insert(seat=seat, address=address.lower(), at=now))

    def wrong(self, since: datetime, *, seat: str = "", address: str = "") -> Wrong:
        """Return the wrong passwords since an instant: at a seat, from an address, or both."""
        # Written by hand: it is asked several times for each password there is in a mail.
        wanted = "at > ?"
        values: list[object] = [micros(since)]
        if seat:
            wanted += " AND seat = ?"
            values.append(seat)
        if address:
            wanted += " AND address = ?"
            values.append(address.lower())
        statement = f"SELECT COUNT(*), MAX(at) FROM wrong_signons WHERE {wanted}"
        ((many, last),) = self._store.found(statement, values)
        return Wrong(many, None if last is None else EPOCH + timedelta(microseconds=last))

    def forgive(self, seat: str, address: str) -> None:
        """Forget the wrong passwords of somebody who then gave the right one."""
        wanted = (WrongRow.seat == seat, WrongRow.address == address.lower())
        self._store.run(WrongRow.delete().where(*wanted))

    def ask_move(self, move: Move) -> int:
        """Keep a change of address that is asked for and return its number."""
        values = {item.name: getattr(move, item.name) for item in fields(move)}
        del values["id"]
        return self._store.run(MoveRow.insert(values))

    def move(self, number: int) -> Move | None:
        """Return a change of address by its number, or None."""
        rows = self._store.rows(MoveRow.select().where(MoveRow.id == number))
        return Move(**rows[0]) if rows else None

    def moves(self, seat: int) -> list[Move]:
        """Return the changes of a seat's address that were done, in order."""
        query = (
            MoveRow.select()
            .where(MoveRow.seat == seat, MoveRow.done.is_null(False))
            .order_by(MoveRow.done, MoveRow.id)
        )
        return [Move(**row) for row in self._store.rows(query)]

    def drop_move(self, number: int) -> None:
        """Forget a change of address that was declined."""
        self._store.run(MoveRow.delete().where(MoveRow.id == number))

    def finish_move(self, number: int, now: datetime) -> None:
        """Note that a change of address is done."""
        self._store.run(MoveRow.update(done=now).where(MoveRow.id == number))

    def serve(self, address: str, octets: int, now: datetime) -> None:
        """Note that so much goes to an address because somebody asked for it."""
        values = {"address": address.lower(), "at": now, "octets": octets}
        self._store.run(ServedRow.insert(values))

    def served(self, address: str, since: datetime) -> int:
        """Return how many octets went to an address so since an instant."""
        query = ServedRow.select(fn.COALESCE(fn.SUM(ServedRow.octets), 0).alias("octets"))
        mine = (ServedRow.address == address.lower(), ServedRow.at > since)
        return int(self._store.rows(query.where(*mine))[0]["octets"])

    def forget(self, before: datetime) -> None:
        """Drop what no rule looks at any more: asked, kept or tried before an instant."""
        with self._store.transaction():
            self._store.run(AskedRow.delete().where(AskedRow.at < before))
            self._store.run(HeldRow.delete().where(HeldRow.at < before))
            self._store.run(WrongRow.delete().where(WrongRow.at < before))
            self._store.run(ServedRow.delete().where(ServedRow.at < before))

    def _address(self, wanted: Any) -> Mapping[str, Any] | None:
        rows = self._store.rows(AddressRow.select().where(wanted))
        return rows[0] if rows else None
