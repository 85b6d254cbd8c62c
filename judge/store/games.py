"""Games and what belongs to them: seats, orders on file, history, votes."""

from collections.abc import Iterable, Mapping
from dataclasses import fields, replace
from datetime import datetime
from typing import Any, TypeVar

from peewee import fn

from judge.errors import StoreError
from judge.store.database import Store
from judge.store.removal import remove_game
from judge.store.tables import (
    BallotRow,
    EventRow,
    GameRow,
    OrderRow,
    PlanRow,
    SeatRow,
    TurnRow,
)
from judge.words.record import Ballot, Event, GameRecord, GameState, Plan, Seat, SeatState, Turn

T = TypeVar("T")

CLOCKED = (GameState.FORMING, GameState.RUNNING)
"""The games a clock can move."""
GONE = (SeatState.LEFT, SeatState.VACANT)


class Games:
    """All games of a store."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def find(self, name: str) -> GameRecord | None:
        """Return the game of this name (lower case), or None."""
        return _first(self._games("name = ?", name))

    def get(self, game_id: int) -> GameRecord:
        """Return the game of this id.

        Raises: StoreError when there is none: ids come from us.
        """
        found = _first(self._games("id = ?", game_id))
        if found is None:
            raise StoreError(f"there is no game with the id {game_id}")
        return found

    def add(self, record: GameRecord) -> GameRecord | None:
        """Store a new game and return it with its id; None when its name is taken."""
        with self._store.transaction():
            if self.find(record.name) is not None:
                return None
            game_id = self._store.run(GameRow.insert(_columns(record)))
        return replace(record, id=game_id)

    def save(self, record: GameRecord) -> None:
        """Store a game as it is now.

        Raises: StoreError when it was never added.
        """
        changed = self._store.run(
            GameRow.update(_columns(record)).where(GameRow.id == record.id)
        )
        _must_be_there(changed, f"game {record.name}")

    def remove(self, game_id: int) -> None:
        """Delete a game and all that was kept because of it.

        Raises: StoreError when something of it cannot go.
        """
        remove_game(self._store, game_id)

    def halt(self, game_id: int) -> str:
        """Pause a game without reading it, since what is stored of it may be at fault.

        Returns its name. Raises: StoreError when there is none.
        """
        mine = GameRow.id == game_id
        rows = self._store.rows(GameRow.select(GameRow.name).where(mine))
        paused = GameRow.update(state=GameState.PAUSED, due=None).where(mine)
        _must_be_there(self._store.run(paused), f"game {game_id}")
        return str(rows[0]["name"])

    def listed(self) -> list[GameRecord]:
        """Return all games that can be read, by name."""
        return self._readable("1 ORDER BY name")

    def forming(self) -> list[GameRecord]:
        """Return the games that have not begun, by name."""
        return self._readable("state = ? ORDER BY name", GameState.FORMING.value)

    def going(self, most: int) -> list[GameRecord]:
        """Return games that are not over, those that form first, then by name; so many at most."""
        return self._readable(
            "state <> ? ORDER BY state <> ?, name LIMIT ?",
            GameState.ENDED.value,
            GameState.FORMING.value,
            most,
        )

    def names(self) -> list[str]:
        """Return the names of all games, sorted."""
        rows = self._store.rows(GameRow.select(GameRow.name).order_by(GameRow.name))
        return [row["name"] for row in rows]

    def due(self, now: datetime, limit: int) -> list[int]:
        """Return the ids of games the resolver must look at, the longest waiting first.

        Only forming and running games are; the cost grows with those due, not with all stored.
        """
        query = (
            GameRow.select(GameRow.id)
            .where(GameRow.state.in_(CLOCKED), GameRow.due <= now)
            .order_by(GameRow.due, GameRow.id)
            .limit(limit)
        )
        return [row["id"] for row in self._store.rows(query)]

    def oldest_open(self) -> datetime | None:
        """Return when the oldest game that is not over was made, None when there is none."""
        query = GameRow.select(fn.MIN(GameRow.created).alias("created")).where(
            GameRow.state != GameState.ENDED
        )
        found = self._store.rows(query)[0]["created"]
        return found if isinstance(found, datetime) else None

    def next_due(self) -> datetime | None:
        """Return the next instant at which a game is due, None when there is none."""
        found: list[datetime] = []
        for state in CLOCKED:  # one look at the end of an index each
            query = (
                GameRow.select(GameRow.due)
                .where(GameRow.state == state, GameRow.due.is_null(False))
                .order_by(GameRow.due)
                .limit(1)
            )
            found.extend(row["due"] for row in self._store.rows(query))
        return min(found, default=None)

    def seats(self, game_id: int) -> list[Seat]:
        """Return the seats of a game in the order they were made, left ones too."""
        return self._seats("game = ? ORDER BY id", game_id)

    def seat(self, seat_id: int) -> Seat | None:
        """Return the seat of this id, or None."""
        return _first(self._seats("id = ?", seat_id))

    def seats_at(self, address: str) -> list[Seat]:
        """Return the seats somebody with this address sits on or waits for, in any game.

        Addresses are the same whatever the case of their ASCII letters.
        """
        gone = [state.value for state in GONE]
        return self._seats(
            "LOWER(address) = LOWER(?) AND state NOT IN (?, ?) ORDER BY id", address, *gone
        )

    def add_seat(self, seat: Seat) -> Seat:
        """Store a new seat and return it with its id."""
        return replace(seat, id=self._store.run(SeatRow.insert(_columns(seat))))

    def save_seat(self, seat: Seat) -> None:
        """Store a seat as it is now.

        Raises: StoreError when it was never added.
        """
        changed = self._store.run(SeatRow.update(_columns(seat)).where(SeatRow.id == seat.id))
        _must_be_there(changed, f"seat {seat.id}")

    def orders(self, game_id: int, phase: str) -> dict[str, str]:
        """Return the orders on file for a phase, by power."""
        rows = self._store.look_up(OrderRow, "game = ? AND phase = ?", game_id, phase)
        return {row["power"]: row["text"] for row in rows}

    def file_orders(self, game_id: int, phase: str, power: str, text: str) -> None:
        """Replace what a power has on file for a phase; an empty text takes it away."""
        self.file_sheets(game_id, phase, {power: text})

    def file_sheets(self, game_id: int, phase: str, sheets: Mapping[str, str]) -> None:
        """Replace what these powers have on file for a phase; empty texts take it away."""
        mine = (OrderRow.game == game_id, OrderRow.phase == phase, OrderRow.power << list(sheets))
        new = [
            {"game": game_id, "phase": phase, "power": power, "text": text}
            for power, text in sheets.items()
            if text
        ]
        with self._store.transaction():
            self._store.run(OrderRow.delete().where(*mine))
            if new:
                self._store.run(OrderRow.insert_many(new))

    def drop_orders(self, game_id: int, phase: str) -> None:
        """Take away everybody's orders for a phase."""
        mine = (OrderRow.game == game_id, OrderRow.phase == phase)
        self._store.run(OrderRow.delete().where(*mine))

    def plans(self, game_id: int, power: str = "") -> list[Plan]:
        """Return what is on file for phases still to come, a power's or everybody's."""
        wanted = [PlanRow.game == game_id]
        if power:
            wanted.append(PlanRow.power == power)
        query = PlanRow.select().where(*wanted).order_by(PlanRow.power, PlanRow.phase)
        return [Plan(**row) for row in self._store.rows(query)]

    def file_plan(self, plan: Plan) -> None:
        """Replace what a power has on file for a later phase; an empty plan takes it away."""
        mine = (PlanRow.game == plan.game, PlanRow.power == plan.power)
        with self._store.transaction():
            self._store.run(PlanRow.delete().where(*mine, PlanRow.phase == plan.phase))
            if plan.text or plan.wait:
                self._store.run(PlanRow.insert(_columns(plan)))

    def drop_plans(self, game_id: int, power: str = "") -> None:
        """Take away what is on file for later phases, a power's or everybody's."""
        wanted = [PlanRow.game == game_id]
        if power:
            wanted.append(PlanRow.power == power)
        self._store.run(PlanRow.delete().where(*wanted))

    def add_turn(self, turn: Turn) -> None:
        """Write an adjudicated phase into the history.

        Raises: StoreError when that turn is already written.
        """
        self._store.run(TurnRow.insert(_columns(turn)))

    def turns(self, game_id: int) -> list[Turn]:
        """Return the history of a game, first turn first."""
        query = TurnRow.select().where(TurnRow.game == game_id).order_by(TurnRow.number)
        return [Turn(**row) for row in self._store.rows(query)]

    def add_event(self, event: Event) -> int:
        """Write down something that happened and return its number."""
        return self._store.run(EventRow.insert(_columns(event)))

    def event(self, number: int) -> Event | None:
        """Return what was written down under a number, or None."""
        rows = self._store.rows(EventRow.select().where(EventRow.id == number))
        return next((_event(row) for row in rows), None)

    def events(
        self, game_id: int, since: datetime | None = None, until: datetime | None = None
    ) -> list[Event]:
        """Return what happened in a game, in order, from `since` on and before `until`."""
        wanted = [EventRow.game == game_id]
        if since is not None:
            wanted.append(EventRow.at >= since)
        if until is not None:
            wanted.append(EventRow.at < until)
        query = EventRow.select().where(*wanted).order_by(EventRow.at, EventRow.id)
        return [_event(row) for row in self._store.rows(query)]

    def last_event(self, game_id: int) -> int:
        """Return the number of the last thing that happened in a game, 0 where nothing did."""
        query = EventRow.select(fn.MAX(EventRow.id).alias("last")).where(EventRow.game == game_id)
        return int(self._store.rows(query)[0]["last"] or 0)

    def ballots(self, game_id: int) -> list[Ballot]:
        """Return the standing votes of a game, by matter and seat."""
        query = (
            BallotRow.select()
            .where(BallotRow.game == game_id)
            .order_by(BallotRow.matter, BallotRow.seat)
        )
        return [Ballot(**row) for row in self._store.rows(query)]

    def cast(self, ballot: Ballot) -> None:
        """Take a vote; it replaces the seat's earlier one in that matter."""
        with self._store.transaction():
            self.withdraw(ballot.game, ballot.seat, ballot.matter)
            self._store.run(BallotRow.insert(_columns(ballot)))

    def withdraw(self, game_id: int, seat_id: int, matter: str = "") -> int:
        """Take back a seat's vote in one matter, or in all; return how many there were."""
        wanted = [BallotRow.game == game_id, BallotRow.seat == seat_id]
        if matter:
            wanted.append(BallotRow.matter == matter)
        return self._store.run(BallotRow.delete().where(*wanted))

    def drop_ballots(self, game_id: int, matter: str = "") -> None:
        """Forget everybody's votes in one matter, or in all."""
        wanted = [BallotRow.game == game_id]
        if matter:
            wanted.append(BallotRow.matter == matter)
        self._store.run(BallotRow.delete().where(*wanted))

    def _games(self, condition: str, *values: object) -> list[GameRecord]:
        return [GameRecord(**row) for row in self._store.look_up(GameRow, condition, *values)]

    def _readable(self, condition: str, *values: object) -> list[GameRecord]:
        """Return games but for damaged ones: no list of games fails for one of them."""
        return [GameRecord(**row) for row in self._store.readable(GameRow, condition, *values)]

    def _seats(self, condition: str, *values: object) -> list[Seat]:
        return [Seat(**row) for row in self._store.look_up(SeatRow, condition, *values)]


def _columns(record: GameRecord | Seat | Turn | Event | Ballot | Plan) -> dict[str, Any]:
    """Return the fields of a record as a row's; the id is the database's to give."""
    values = {item.name: getattr(record, item.name) for item in fields(record)}
    values.pop("id", None)
    return values


def _first(found: Iterable[T]) -> T | None:
    return next(iter(found), None)


def _must_be_there(changed: int, what: str) -> None:
    if changed != 1:
        raise StoreError(f"{what} was never stored")


def _event(row: Mapping[str, Any]) -> Event:
    return Event(**{key: row[key] for key in row if key != "id"})
