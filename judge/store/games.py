"""Games and what belongs to them: seats, orders on file, history, votes."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from judge.errors import StoreError
from judge.store.database import Store
from judge.store.kinds import instant_of
from judge.store.removal import remove_game
from judge.store.schema import (
    BALLOTS,
    EVENTS,
    GAMES,
    ORDERS,
    PLANS,
    SEATS,
    TURNS,
    Sheet,
)
from judge.store.table import Rows, Table, among
from judge.words.record import Ballot, Event, GameRecord, GameState, Plan, Seat, SeatState, Turn

CLOCKED = (GameState.FORMING, GameState.RUNNING)
"""The games a clock can move."""
DUE = "state IN (?, ?) AND due <= ?"
"""Which games are due: of the states of `CLOCKED`, by an instant."""
GONE = (SeatState.LEFT, SeatState.VACANT)


def _columns(table: Table[Any]) -> str:
    return ", ".join(f'{table.name}."{column}"' for column in table.named.values())


_WHOLE = (
    f"SELECT {_columns(GAMES)}, {_columns(SEATS)} FROM games"
    " LEFT JOIN seats ON seats.game = games.id"
)


class Games:
    """All games of a store."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._games = Rows(store, GAMES)
        self._seats = Rows(store, SEATS)
        self._orders = Rows(store, ORDERS)
        self._plans = Rows(store, PLANS)
        self._turns = Rows(store, TURNS)
        self._events = Rows(store, EVENTS)
        self._ballots = Rows(store, BALLOTS)

    def find(self, name: str) -> GameRecord | None:
        """Return the game of this name (lower case), or None."""
        return self._games.one(name=name)

    def get(self, game_id: int) -> GameRecord:
        """Return the game of this id.

        Raises: StoreError when there is none: ids come from us.
        """
        found = self._games.one(id=game_id)
        if found is None:
            raise StoreError(f"there is no game with the id {game_id}")
        return found

    def whole(self, **equal: object) -> tuple[GameRecord, list[Seat]] | None:
        """Return the game that has such a value, and its seats in the order they were made, or
        None: what nearly everybody wants of a game, by one statement."""
        ((column, value),) = equal.items()
        found = self._store.found(f"{_WHOLE} WHERE games.{column} = ? ORDER BY seats.id", [value])
        if not found:
            return None
        cut = len(GAMES.named)
        seats = [SEATS.read(row[cut:]) for row in found if row[cut] is not None]
        return GAMES.read(found[0][:cut]), seats

    def add(self, record: GameRecord) -> GameRecord | None:
        """Store a new game and return it with its id; None when its name is taken."""
        with self._store.transaction():
            if self._games.there_is("name = ?", record.name):
                return None
            return replace(record, id=self._games.add(record))

    def save(self, record: GameRecord) -> None:
        """Store a game as it is now.

        Raises: StoreError when it was never added.
        """
        _must_be_there(self._games.save(record), f"game {record.name}")

    def remove(self, game_id: int) -> None:
        """Delete a game and all that was kept because of it.

        Raises: StoreError when something of it cannot go.
        """
        remove_game(self._store, game_id)

    def halt(self, game_id: int) -> str:
        """Pause a game without reading it, since what is stored of it may be at fault.

        Returns its name. Raises: StoreError when there is none.
        """
        names = self._games.pick("name", "id = ?", game_id)
        changed = self._games.change("id = ?", game_id, state=GameState.PAUSED, due=None)
        _must_be_there(changed == 1, f"game {game_id}")
        return str(names[0][0])

    def listed(self) -> list[GameRecord]:
        """Return all games that can be read, by name."""
        return self._games.readable("TRUE ORDER BY name")

    def forming(self) -> list[GameRecord]:
        """Return the games that have not begun, by name."""
        return self._games.readable("state = ? ORDER BY name", GameState.FORMING)

    def going(self, most: int) -> list[GameRecord]:
        """Return games that are not over, those that form first, then by name; so many at most."""
        return self._games.readable(
            "state <> ? ORDER BY state <> ?, name LIMIT ?",
            GameState.ENDED,
            GameState.FORMING,
            most,
        )

    def names(self) -> list[str]:
        """Return the names of all games, sorted."""
        return [name for (name,) in self._games.pick("name", "TRUE ORDER BY name")]

    def due(self, now: datetime, limit: int) -> list[int]:
        """Return the ids of games the resolver must look at, the longest waiting first.

        Only forming and running games are; the cost grows with those due, not with all stored.
        """
        found = self._games.pick("id", f"{DUE} ORDER BY due, id LIMIT ?", *CLOCKED, now, limit)
        return [number for (number,) in found]

    def oldest_open(self) -> datetime | None:
        """Return when the oldest game that is not over was made, None when there is none."""
        statement = "SELECT MIN(created) FROM games WHERE state <> ?"
        ((found,),) = self._store.found(statement, [GameState.ENDED.value])
        return None if found is None else instant_of(found)

    def next_due(self) -> datetime | None:
        """Return the next instant at which a game is due, None when there is none."""
        found: list[datetime] = []
        soonest = "state = ? AND due IS NOT NULL ORDER BY due LIMIT 1"
        for state in CLOCKED:  # one look at the end of an index each
            found.extend(due for (due,) in self._games.pick("due", soonest, state))
        return min(found, default=None)

    def seats(self, game_id: int) -> list[Seat]:
        """Return the seats of a game in the order they were made, left ones too."""
        return self._seats.find(game=game_id)

    def seat(self, seat_id: int) -> Seat | None:
        """Return the seat of this id, or None."""
        return self._seats.one(id=seat_id)

    def seats_numbered(self, seat_ids: Collection[int]) -> dict[int, Seat]:
        """Return the seats of these ids, by id, as far as there are any."""
        found = self._seats.where(among("id", seat_ids), *seat_ids) if seat_ids else []
        return {seat.id: seat for seat in found}

    def seats_at(self, address: str) -> list[Seat]:
        """Return the seats somebody with this address sits on or waits for, in any game.

        Addresses are the same whatever the case of their ASCII letters.
        """
        mine = "LOWER(address) = LOWER(?) AND state NOT IN (?, ?) ORDER BY id"
        return self._seats.where(mine, address, *GONE)

    def add_seat(self, seat: Seat) -> Seat:
        """Store a new seat and return it with its id."""
        return replace(seat, id=self._seats.add(seat))

    def save_seat(self, seat: Seat) -> None:
        """Store a seat as it is now.

        Raises: StoreError when it was never added.
        """
        self.save_seats([seat])

    def save_seats(self, seats: Sequence[Seat]) -> None:
        """Store seats as they are now.

        Raises: StoreError when one of them was never added.
        """
        numbers = ", ".join(str(seat.id) for seat in seats)
        _must_be_there(self._seats.save_all(seats) == len(seats), f"one of the seats {numbers}")

    def orders(self, game_id: int, phase: str) -> dict[str, str]:
        """Return the orders on file for a phase, by power."""
        mine = "game = ? AND phase = ?"
        return dict(self._orders.pick("power, text", mine, game_id, phase))

    def file_orders(self, game_id: int, phase: str, power: str, text: str) -> None:
        """Replace what a power has on file for a phase; an empty text takes it away."""
        self.file_sheets(game_id, phase, {power: text})

    def file_sheets(self, game_id: int, phase: str, sheets: Mapping[str, str]) -> None:
        """Replace what these powers have on file for a phase; empty texts take it away."""
        new = [Sheet(game_id, phase, power, text) for power, text in sheets.items() if text]
        gone = [power for power, text in sheets.items() if not text]
        with self._store.transaction():
            if gone:
                mine = f"game = ? AND phase = ? AND {among('power', gone)}"
                self._orders.remove_where(mine, game_id, phase, *gone)
            self._orders.put(*new)

    def drop_orders(self, game_id: int, phase: str) -> None:
        """Take away everybody's orders for a phase."""
        self._orders.remove(game=game_id, phase=phase)

    def plans(self, game_id: int, power: str = "") -> list[Plan]:
        """Return what is on file for phases still to come, a power's or everybody's."""
        found = self._plans.find(**_of(game_id, power=power))
        return sorted(found, key=lambda plan: (plan.power, plan.phase))

    def file_plan(self, plan: Plan) -> None:
        """Replace what a power has on file for a later phase; an empty plan takes it away."""
        if plan.text or plan.wait:
            self._plans.put(plan)
        else:
            self._plans.remove(game=plan.game, phase=plan.phase, power=plan.power)

    def drop_plans(self, game_id: int, power: str = "") -> None:
        """Take away what is on file for later phases, a power's or everybody's."""
        self._plans.remove(**_of(game_id, power=power))

    def add_turn(self, turn: Turn) -> None:
        """Write an adjudicated phase into the history.

        Raises: StoreError when that turn is already written.
        """
        self._turns.add(turn)

    def turns(self, game_id: int) -> list[Turn]:
        """Return the history of a game, first turn first."""
        return self._turns.find(game=game_id)

    def add_event(self, event: Event) -> int:
        """Write down something that happened and return its number."""
        return self._events.add(event)

    def event(self, number: int) -> Event | None:
        """Return what was written down under a number, or None."""
        return self._events.one(id=number)

    def events(
        self, game_id: int, since: datetime | None = None, until: datetime | None = None
    ) -> list[Event]:
        """Return what happened in a game, in order, from `since` on and before `until`."""
        bounds = {"at >= ?": since, "at < ?": until}
        wanted = " AND ".join(["game = ?", *(one for one, at in bounds.items() if at is not None)])
        instants = [at for at in bounds.values() if at is not None]
        return self._events.where(f"{wanted} ORDER BY at, id", game_id, *instants)

    def last_event(self, game_id: int) -> int:
        """Return the number of the last thing that happened in a game, 0 where nothing did."""
        ((last,),) = self._store.found("SELECT MAX(id) FROM events WHERE game = ?", [game_id])
        return int(last or 0)

    def ballots(self, game_id: int) -> list[Ballot]:
        """Return the standing votes of a game, by matter and seat."""
        return self._ballots.where("game = ? ORDER BY matter, seat", game_id)

    def cast(self, ballot: Ballot) -> None:
        """Take a vote; it replaces the seat's earlier one in that matter."""
        self._ballots.put(ballot)

    def withdraw(self, game_id: int, seat_id: int, matter: str = "") -> int:
        """Take back a seat's vote in one matter, or in all; return how many there were."""
        return self._ballots.remove(**_of(game_id, seat=seat_id, matter=matter))

    def drop_ballots(self, game_id: int, matter: str = "") -> None:
        """Forget everybody's votes in one matter, or in all."""
        self._ballots.remove(**_of(game_id, matter=matter))


def _of(game_id: int, **given: object) -> dict[str, object]:
    """Return what rows of a game are found by: what is empty does not matter."""
    return {"game": game_id, **{name: value for name, value in given.items() if value}}


def _must_be_there(is_there: bool, what: str) -> None:
    if not is_there:
        raise StoreError(f"{what} was never stored")
