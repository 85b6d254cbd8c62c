"""Games and what belongs to them: seats, orders on file, history, votes, endings."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from judge.errors import StoreError
from judge.model.person import Deed, Finish, Finished, Score
from judge.model.record import (
    UNSTORED,
    Ballot,
    Event,
    GameRecord,
    GameState,
    Plan,
    Seat,
    SeatState,
    Turn,
    Undone,
)
from judge.store.database import Store
from judge.store.schema import (
    BALLOTS,
    CONDUCT,
    EVENTS,
    FINISHES,
    GAMES,
    ORDERS,
    PLANS,
    SEATS,
    TABLES,
    TURNS,
    UNDONE,
    UNDONE_TURNS,
    Ending,
    Sheet,
)
from judge.store.table import Rows, Table, among, instant_of


def remove_game(store: Store, game: int) -> None:
    """Delete a game and every row that belongs to it or to its seats, within a transaction.

    Which rows those are the declarations say, so that a table made later is not forgotten; what
    refers to another comes after it there, and goes before it. Mails and letters stay: they belong
    to no game.
    """
    for table in reversed(TABLES):
        for column, to in table.refers.items():
            if to is SEATS:
                mine = f'"{column}" IN (SELECT id FROM seats WHERE game = ?)'
                Rows(store, table).remove_where(mine, game)
            elif to is GAMES:
                Rows(store, table).remove(**{column: game})
    Rows(store, GAMES).remove(id=game)


CLOCKED = (GameState.FORMING, GameState.RUNNING, GameState.PAUSED, GameState.ENDED)
"""The games a clock can move."""
DUE = "state IN (?, ?, ?, ?) AND due <= ?"
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
        """Pause a game without reading it, since what is stored of it may be at fault; one that is
        over stays so, and is done with.

        Returns its name. Raises: StoreError when there is none.
        """
        names = self._games.pick("name", "id = ?", game_id)
        changed = self._games.change("id = ?", game_id, due=None)
        _must_be_there(changed == 1, f"game {game_id}")
        going = "id = ? AND state <> 'ended'"
        self._games.change(going, game_id, state=GameState.PAUSED)
        return str(names[0][0])

    def unlike(self, systems: Collection[str]) -> list[int]:
        """Return the games that go on and are of none of some systems."""
        condition = f"state = ? AND NOT {among('system', systems)}"
        return self._ids(condition, GameState.RUNNING, *systems)

    def paused_by(self, why: str) -> list[int]:
        """Return the games whose clock stands still for a reason (`ClockState.paused_by`)."""
        condition = "state = ? AND json_extract(marks, '$.paused_by') = ?"
        return self._ids(condition, GameState.PAUSED, why)

    def _ids(self, condition: str, *values: object) -> list[int]:
        found = self._games.pick("id", f"{condition} ORDER BY id", *values)
        return [number for (number,) in found]

    def listed(self) -> list[GameRecord]:
        """Return all games that can be read, by name."""
        return self._games.readable("TRUE ORDER BY name")

    def forming(self) -> list[GameRecord]:
        """Return the games that have not begun, by name."""
        return self._games.readable("state = ? ORDER BY name", GameState.FORMING)

    def open_among(self, numbers: Collection[int], most: int) -> list[GameRecord]:
        """Return the games of these numbers that can be read and are not done with: they are not
        over, or something of them is still due. The newest come first; so many at most."""
        wanted = f"(state <> ? OR due IS NOT NULL) AND {among('id', numbers)}"
        condition = f"{wanted} ORDER BY id DESC LIMIT ?"
        return self._games.readable(condition, GameState.ENDED, *numbers, most) if numbers else []

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

        Forming and running games are, those whose pause ends, and those that are over while their
        people may still talk;
        the cost grows with those due, not with all stored.
        """
        found = self._games.pick("id", f"{DUE} ORDER BY due, id LIMIT ?", *CLOCKED, now, limit)
        return [number for (number,) in found]

    def due_among(self, games: Collection[int], now: datetime) -> list[int]:
        """Return those of some games that are due, the longest waiting first."""
        mine = f"{among('id', games)} AND {DUE} ORDER BY due, id"
        return [number for (number,) in self._games.pick("id", mine, *games, *CLOCKED, now)]

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


_OF_PHASES = (Deed.ON_TIME, Deed.LATE, Deed.MISSED, Deed.EXCUSED)
"""The deeds that are undone with a phase; who took a seat or gave it up has done so all the same.
"""
_DEEDS = f"game = ? AND phase = ? AND at <= ? AND {among('deed', _OF_PHASES)}"


class Archive:
    """What was undone in all games of a store."""

    def __init__(self, store: Store) -> None:
        self._orders = Rows(store, ORDERS)
        self._turns = Rows(store, TURNS)
        self._undone = Rows(store, UNDONE)
        self._undone_turns = Rows(store, UNDONE_TURNS)
        self._conduct = Rows(store, CONDUCT)

    def undo(self, game: GameRecord, first: int, now: datetime) -> None:
        """Put a game's turns from number `first` on aside, with all orders on file and the deeds.

        The caller sets the game itself to where it shall be then.
        """
        undone = self._undone.add(self._standing(game, now))
        mine = "game = ? AND number >= ?"
        turns = self._turns.where(f"{mine} ORDER BY number", game.id, first)
        self._undone_turns.add_all(turns, undone=undone)
        for turn in turns:
            self._mark(turn, True)
        self._mark_excuses(game)
        self._turns.remove_where(mine, game.id, first)
        self._orders.remove(game=game.id)

    def _standing(self, game: GameRecord, now: datetime) -> Undone:
        orders: dict[str, dict[str, str]] = {}
        for sheet in self._orders.find(game=game.id):
            orders.setdefault(sheet.phase, {})[sheet.power] = sheet.text
        return Undone(
            id=UNSTORED, game=game.id, at=now, turn=game.turn, phase=game.phase,
            position=game.position, orders=orders, state=game.state.value, ended=game.ended,
            result=game.result,
        )

    def undone(self, game_id: int) -> list[Undone]:
        """Return the rollbacks of a game, the latest first."""
        return self._undone.where("game = ? ORDER BY id DESC", game_id)

    def turns(self, game_id: int) -> list[tuple[int, Turn]]:
        """Return the turns of a game that were undone, each with its rollback, the latest first."""
        columns = ", ".join(("undone", *UNDONE_TURNS.own))
        found = self._undone_turns.pick(
            columns, "game = ? ORDER BY undone DESC, number", game_id
        )
        return [(undone, Turn(*turn)) for undone, *turn in found]

    def redo(self, chain: Sequence[tuple[int, Turn]]) -> None:
        """Write turns that were undone into the history of their game again, with their deeds."""
        self._turns.add_all([turn for _, turn in chain])
        for undone, turn in chain:
            self._undone_turns.remove(undone=undone, number=turn.number)
            self._mark(turn, False)

    def forget(self, game_id: int) -> None:
        """Drop all that was undone in a game: it is to begin anew."""
        self._undone_turns.remove(game=game_id)
        self._undone.remove(game=game_id)

    def _mark_excuses(self, game: GameRecord) -> None:
        """Give back the excuses taken in the present phase: what is undone ends it unplayed."""
        mine = "game = ? AND phase = ? AND deed = ?"
        self._conduct.change(mine, game.id, game.phase, Deed.EXCUSED, undone=True)

    def _mark(self, turn: Turn, undone: bool) -> None:
        """Have the deeds of a phase count no longer, or count again.

        Those of another time the same phase was played came later than this turn.
        """
        self._conduct.change(_DEEDS, turn.game, turn.phase, turn.at, *_OF_PHASES, undone=undone)


class Finishes:
    """How the games of a store ended.

    Nothing here is known that the records do not tell, so that all of it may be forgotten at any
    time.
    """

    def __init__(self, store: Store) -> None:
        self._games = Rows(store, GAMES)
        self._finishes = Rows(store, FINISHES)

    def ended(self) -> dict[int, datetime]:
        """Return every game that is over, and since when; the order of time."""
        over = "state = ? AND ended IS NOT NULL ORDER BY ended, id"
        return dict(self._games.pick("id, ended", over, GameState.ENDED))

    def kept(self) -> dict[int, tuple[datetime, Finished | None]]:
        """Return what was worked out: game → when it had ended, and how; None for no result."""
        return {one.game: (one.ended, _read(one)) for one in self._finishes.find()}

    def keep(self, game: int, ended: datetime, finished: Finished | None) -> None:
        """Keep how a game ended."""
        self._finishes.put(Ending(game, ended, _told(finished)))

    def forget(self, games: Sequence[int]) -> None:
        """Forget what was worked out of some games."""
        self._finishes.remove_where(among("game", games), *games)


def _told(finished: Finished | None) -> dict[str, Any] | None:
    if finished is None:
        return None
    return {
        "map": finished.map,
        "system": finished.system,
        "secret": finished.secret,
        "rated": finished.rated,
        "scores": [
            [score.power, score.finish.value, score.points, score.player, list(score.left)]
            for score in finished.scores
        ],
        "years": [[year, list(counts)] for year, counts in finished.years],
    }


def _read(ending: Ending) -> Finished | None:
    told = ending.told
    if told is None:
        return None
    scores = (
        Score(power, Finish(finish), points, player, tuple(left))
        for power, finish, points, player, left in told["scores"]
    )
    years = ((year, tuple(counts)) for year, counts in told["years"])
    return Finished(
        ending.game, told["map"], told["system"], ending.ended, told["secret"], told["rated"],
        tuple(scores), tuple(years),
    )
