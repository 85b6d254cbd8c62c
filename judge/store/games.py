"""Games with their seats, orders, history, ballots and results."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import Any

from judge.errors import StoreError
from judge.model.person import ConductKind, Finish, Finished, PowerFinish
from judge.model.record import (
    NO_ID,
    Ballot,
    Event,
    GameRecord,
    GameState,
    Plan,
    RollbackRecord,
    Seat,
    SeatState,
    Turn,
)
from judge.store import schema
from judge.store.database import Store
from judge.store.table import EPOCH, NEVER, RecordTable, Rows, in_condition, instant_of

CLOCKED = (GameState.FORMING, GameState.RUNNING, GameState.PAUSED, GameState.ENDED)
"""States of games that can be due."""
DUE = "state IN (?, ?, ?, ?) AND due <= ?"
"""Condition for due games: the states of `CLOCKED`, and an instant."""
EMPTY_SEAT_STATES = (SeatState.LEFT, SeatState.VACANT)


def _columns(table: RecordTable[Any]) -> str:
    return ", ".join(f'{table.name}."{column}"' for column in table.named.values())


_WHOLE = (
    f"SELECT {_columns(schema.GAMES)}, {_columns(schema.SEATS)} FROM games"
    " LEFT JOIN seats ON seats.game = games.id"
)


class Games:
    """All games of a store."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._games = Rows(store, schema.GAMES)
        self._seats = Rows(store, schema.SEATS)
        self._orders = Rows(store, schema.ORDERS)
        self._plans = Rows(store, schema.PLANS)
        self._turns = Rows(store, schema.TURNS)
        self._events = Rows(store, schema.EVENTS)
        self._ballots = Rows(store, schema.BALLOTS)

    def find(self, name: str) -> GameRecord | None:
        """Return the game of this name (lower case), or None."""
        return self._games.find_one(name=name)

    def get(self, game_id: int) -> GameRecord:
        """Return the game of this id.

        Raises: StoreError for an unknown id, because ids come from the judge.
        """
        found = self._games.find_one(id=game_id)
        if found is None:
            raise StoreError(f"there is no game with the id {game_id}")
        return found

    def find_with_seats(self, **equal: object) -> tuple[GameRecord, list[Seat]] | None:
        """Return the game with this value of one column, and its seats, or None.

        The seats are in the order they were made. It takes a single statement.
        """
        ((column, value),) = equal.items()
        found = self._store.select_sql(
            f"{_WHOLE} WHERE games.{column} = ? ORDER BY seats.id", [value]
        )
        if not found:
            return None
        cut = len(schema.GAMES.named)
        seats = [schema.SEATS.read(row[cut:]) for row in found if row[cut] is not None]
        return schema.GAMES.read(found[0][:cut]), seats

    def add(self, record: GameRecord) -> GameRecord | None:
        """Store a new game. Return it with its id, or None when its name is taken."""
        with self._store.transaction():
            if self._games.exists("name = ?", record.name):
                return None
            return replace(record, id=self._games.add(record))

    def save(self, record: GameRecord) -> None:
        """Store the present state of a game.

        Raises: StoreError when it was never added.
        """
        _require_stored(self._games.save(record), f"game {record.name}")

    def remove(self, game_id: int) -> None:
        """Delete a game and every row that belongs to it or to its seats.

        It must run within a transaction. The declarations in `schema` name these rows, so that new
        tables are included. A table that refers to another is declared after it, and deleted before
        it. Mails and letters stay, because they belong to no game.

        Raises: StoreError when a row cannot be deleted.
        """
        for table in reversed(schema.TABLES):
            rows = Rows(self._store, table)
            for column, to in table.refers.items():
                if to is schema.SEATS:
                    mine = f'"{column}" IN (SELECT id FROM seats WHERE game = ?)'
                    rows.remove_where(mine, game_id)
                elif to is schema.GAMES:
                    rows.remove(**{column: game_id})
        self._games.remove(id=game_id)

    def pause_unread(self, game_id: int) -> str:
        """Pause a game without parsing its record, which may be damaged.

        A game that has ended stays so, and is no longer due. Return its name.

        Raises: StoreError when there is no such game.
        """
        names = self._games.select("name", "id = ?", game_id)
        changed = self._games.change("id = ?", game_id, due=None)
        _require_stored(changed == 1, f"game {game_id}")
        going = "id = ? AND state <> 'ended'"
        self._games.change(going, game_id, state=GameState.PAUSED)
        return str(names[0][0])

    def running_maps(self) -> list[tuple[str, str]]:
        """Return the systems and maps of running games, each pair once."""
        grouped = "state = ? GROUP BY system, map ORDER BY system, map"
        found = self._games.select("system, map", grouped, GameState.RUNNING)
        return [(system, map_name) for system, map_name in found]

    def running_on(self, system: str, map_name: str) -> list[int]:
        """Return the ids of running games of a system on a map."""
        condition = "state = ? AND system = ? AND map = ? ORDER BY id"
        return self._ids(condition, GameState.RUNNING, system, map_name)

    def paused_by(self, why: str) -> list[int]:
        """Return the ids of games paused for a reason (`ClockState.paused_by`)."""
        condition = "state = ? AND json_extract(marks, '$.paused_by') = ? ORDER BY id"
        return self._ids(condition, GameState.PAUSED, why)

    def _ids(self, condition: str, *values: object) -> list[int]:
        return [number for (number,) in self._games.select("id", condition, *values)]

    def list_games(self) -> list[GameRecord]:
        """Return all games whose records can be read, by name."""
        return self._games.readable("TRUE ORDER BY name")

    def list_forming(self) -> list[GameRecord]:
        """Return the games that have not begun, by name."""
        return self._games.readable("state = ? ORDER BY name", GameState.FORMING)

    def open_among(self, numbers: Collection[int], most: int) -> list[GameRecord]:
        """Return at most *most* games with these ids, the newest first.

        Games that have ended and are no longer due are left out, and unreadable records.
        """
        wanted = f"(state <> ? OR due IS NOT NULL) AND {in_condition('id', numbers)}"
        condition = f"{wanted} ORDER BY id DESC LIMIT ?"
        return self._games.readable(condition, GameState.ENDED, *numbers, most) if numbers else []

    def list_open(self, most: int) -> list[GameRecord]:
        """Return games that have not ended, at most *most*.

        Forming games come first. Then they are sorted by name.
        """
        return self._games.readable(
            "state <> ? ORDER BY state <> ?, name LIMIT ?",
            GameState.ENDED,
            GameState.FORMING,
            most,
        )

    def names(self) -> list[str]:
        """Return the names of all games, sorted."""
        return [name for (name,) in self._games.select("name", "TRUE ORDER BY name")]

    def list_clocks(self) -> list[tuple[object, ...]]:
        """Return the facts of running and paused games that change their pages.

        These are id, phase, state, deadline and settings, which may hide it.
        """
        states = GameState.RUNNING, GameState.PAUSED
        mine = f"{in_condition('state', states)} ORDER BY id"
        return self._games.select("id, phase, state, deadline, settings", mine, *states)

    def due(self, now: datetime, limit: int) -> list[int]:
        """Return the ids of games that the resolver must process, the longest due first.

        These are forming, running and paused games, and ended ones whose press is still open. The
        cost grows with the due games, not with all stored ones.
        """
        return self._ids(f"{DUE} ORDER BY due, id LIMIT ?", *CLOCKED, now, limit)

    def due_among(self, games: Collection[int], now: datetime) -> list[int]:
        """Return those of these games that are due, the longest due first."""
        mine = f"{in_condition('id', games)} AND {DUE} ORDER BY due, id"
        return self._ids(mine, *games, *CLOCKED, now)

    def oldest_open(self) -> datetime | None:
        """Return when the oldest game that has not ended was made, or None."""
        (found,) = self._games.aggregate("MIN(created)", "state <> ?", GameState.ENDED)
        return None if found is None else instant_of(found)

    def next_due(self) -> datetime | None:
        """Return the next instant at which a game is due, or None."""
        found: list[datetime] = []
        soonest = "state = ? AND due IS NOT NULL ORDER BY due LIMIT 1"
        for state in CLOCKED:  # One look-up at the end of an index for each state.
            found.extend(due for (due,) in self._games.select("due", soonest, state))
        return min(found, default=None)

    def seats(self, game_id: int) -> list[Seat]:
        """Return the seats of a game in the order they were made, including left ones."""
        return self._seats.find(game=game_id)

    def seat(self, seat_id: int) -> Seat | None:
        """Return the seat of this id, or None."""
        return self._seats.find_one(id=seat_id)

    def seats_numbered(self, seat_ids: Collection[int]) -> dict[int, Seat]:
        """Return the seats of these ids, by id. Unknown ids are left out."""
        found = self._seats.find_where(in_condition("id", seat_ids), *seat_ids) if seat_ids else []
        return {seat.id: seat for seat in found}

    def seats_at(self, address: str) -> list[Seat]:
        """Return the seats that this address occupies or waits for, in any game.

        The case of ASCII letters does not matter.
        """
        mine = "LOWER(address) = LOWER(?) AND state NOT IN (?, ?) ORDER BY id"
        return self._seats.find_where(mine, address, *EMPTY_SEAT_STATES)

    def add_seat(self, seat: Seat) -> Seat:
        """Store a new seat. Return it with its id."""
        return replace(seat, id=self._seats.add(seat))

    def save_seats(self, seats: Sequence[Seat]) -> None:
        """Store the present state of seats.

        Raises: StoreError when one of them was never added.
        """
        numbers = ", ".join(str(seat.id) for seat in seats)
        _require_stored(self._seats.save_all(seats) == len(seats), f"one of the seats {numbers}")

    def orders(self, game_id: int, phase: str) -> dict[str, str]:
        """Return the sheets for a phase, by power."""
        mine = "game = ? AND phase = ?"
        return dict(self._orders.select("power, text", mine, game_id, phase))

    def file_sheets(self, game_id: int, phase: str, sheets: Mapping[str, str]) -> None:
        """Replace the sheets of these powers for a phase. Empty texts delete them."""
        row = partial(schema.OrdersRow, game_id, phase)
        gone = [power for power, text in sheets.items() if not text]
        with self._store.transaction():
            if gone:
                mine = f"game = ? AND phase = ? AND {in_condition('power', gone)}"
                self._orders.remove_where(mine, game_id, phase, *gone)
            self._orders.upsert(*(row(*sheet) for sheet in sheets.items() if sheet[1]))

    def drop_orders(self, game_id: int, phase: str) -> None:
        """Delete the sheets of all powers for a phase."""
        self._orders.remove(game=game_id, phase=phase)

    def plans(self, game_id: int, power: str = "") -> list[Plan]:
        """Return the future orders of a game, or of one power."""
        found = self._plans.find(**_select_columns(game_id, power=power))
        return sorted(found, key=lambda plan: (plan.power, plan.phase))

    def file_plan(self, plan: Plan) -> None:
        """Replace the orders of a power for a later phase. An empty plan deletes them."""
        if plan.text or plan.wait:
            self._plans.upsert(plan)
        else:
            self._plans.remove(game=plan.game, phase=plan.phase, power=plan.power)

    def drop_plans(self, game_id: int, power: str = "") -> None:
        """Delete the future orders of a game, or of one power."""
        self._plans.remove(**_select_columns(game_id, power=power))

    def add_turn(self, turn: Turn) -> None:
        """Add an adjudicated phase to the history.

        Raises: StoreError when the turn is stored already.
        """
        self._turns.add(turn)

    def turns(self, game_id: int) -> list[Turn]:
        """Return the turns of a game, the first one first."""
        return self._turns.find(game=game_id)

    def add_event(self, event: Event) -> int:
        """Store an event. Return its id."""
        return self._events.add(event)

    def event(self, number: int) -> Event | None:
        """Return the event of this id, or None."""
        return self._events.find_one(id=number)

    def events(
        self, game_id: int, since: datetime | None = None, until: datetime | None = None
    ) -> list[Event]:
        """Return the events of a game in order, from `since` on and before `until`."""
        wanted = "game = ? AND at >= ? AND at < ? ORDER BY at, id"
        return self._events.find_where(wanted, game_id, since or EPOCH, until or NEVER)

    def last_event(self, game_id: int) -> int:
        """Return the id of the last event of a game, or 0."""
        (last,) = self._events.aggregate("MAX(id)", "game = ?", game_id)
        return int(last or 0)

    def ballots(self, game_id: int) -> list[Ballot]:
        """Return the ballots of a game, by matter and seat."""
        return self._ballots.find_where("game = ? ORDER BY matter, seat", game_id)

    def cast_vote(self, ballot: Ballot) -> None:
        """Store a ballot. It replaces the seat's earlier one in that matter."""
        self._ballots.upsert(ballot)

    def withdraw(self, game_id: int, seat_id: int, matter: str = "") -> int:
        """Delete a seat's ballot in one matter, or in all. Return the number deleted."""
        return self._ballots.remove(**_select_columns(game_id, seat=seat_id, matter=matter))

    def drop_ballots(self, game_id: int, matter: str = "") -> None:
        """Delete the ballots of all seats in one matter, or in all."""
        self._ballots.remove(**_select_columns(game_id, matter=matter))


def _select_columns(game_id: int, **given: object) -> dict[str, object]:
    """Return the column values that select rows of a game. Empty values are left out."""
    return {"game": game_id, **{name: value for name, value in given.items() if value}}


def _require_stored(is_there: bool, what: str) -> None:
    if not is_there:
        raise StoreError(f"{what} was never stored")


_OF_PHASES = (ConductKind.ON_TIME, ConductKind.LATE, ConductKind.MISSED, ConductKind.EXCUSED)
"""Conduct that a rollback of the phase undoes, unlike taking or leaving a seat."""
_CONDUCT_ROWS = f"game = ? AND phase = ? AND at <= ? AND {in_condition('deed', _OF_PHASES)}"


class RollbackArchive:
    """Rollbacks of all games of a store, with their turns."""

    def __init__(self, store: Store) -> None:
        self._orders = Rows(store, schema.ORDERS)
        self._turns = Rows(store, schema.TURNS)
        self._undone = Rows(store, schema.UNDONE)
        self._undone_turns = Rows(store, schema.UNDONE_TURNS)
        self._conduct = Rows(store, schema.CONDUCT)

    def undo(self, game: GameRecord, first: int, now: datetime) -> None:
        """Archive a game's turns from number `first` on, with all sheets and conduct.

        The caller sets the state of the game itself.
        """
        orders: dict[str, dict[str, str]] = {}
        for sheet in self._orders.find(game=game.id):
            orders.setdefault(sheet.phase, {})[sheet.power] = sheet.text
        undone = self._undone.add(RollbackRecord(
            id=NO_ID, game=game.id, at=now, turn=game.turn, phase=game.phase,
            position=game.position, orders=orders, state=game.state.value, ended=game.ended,
            result=game.result,
        ))
        mine = "game = ? AND number >= ?"
        turns = self._turns.find_where(f"{mine} ORDER BY number", game.id, first)
        self._undone_turns.add_all(turns, undone=undone)
        for turn in turns:
            self._mark_conduct(turn, True)
        # A rollback ends the present phase unplayed.
        excused = "game = ? AND phase = ? AND deed = ?"
        self._conduct.change(excused, game.id, game.phase, ConductKind.EXCUSED, undone=True)
        self._turns.remove_where(mine, game.id, first)
        self._orders.remove(game=game.id)

    def undone(self, game_id: int) -> list[RollbackRecord]:
        """Return the rollbacks of a game, the latest first."""
        return self._undone.find_where("game = ? ORDER BY id DESC", game_id)

    def turns(self, game_id: int) -> list[tuple[int, Turn]]:
        """Return the turns rolled back in a game, each with the id of its rollback.

        The latest rollback comes first.
        """
        columns = ", ".join(("undone", *schema.UNDONE_TURNS.own))
        found = self._undone_turns.select(columns, "game = ? ORDER BY undone DESC, number", game_id)
        return [(undone, Turn(*turn)) for undone, *turn in found]

    def redo(self, chain: Sequence[tuple[int, Turn]]) -> None:
        """Put undone turns into the history again, with their conduct."""
        self._turns.add_all([turn for _, turn in chain])
        for undone, turn in chain:
            self._undone_turns.remove(undone=undone, number=turn.number)
            self._mark_conduct(turn, False)

    def delete_undone(self, game_id: int) -> None:
        """Delete the rollbacks of a game that is to start again."""
        self._undone_turns.remove(game=game_id)
        self._undone.remove(game=game_id)

    def _mark_conduct(self, turn: Turn, undone: bool) -> None:
        """Exclude the conduct of a phase from the counts, or include it again.

        Later conduct than that of *turn* is from another time that the phase was played.
        """
        self._conduct.change(
            _CONDUCT_ROWS, turn.game, turn.phase, turn.at, *_OF_PHASES, undone=undone
        )


class Finishes:
    """Results of the games of a store.

    They are derived from the records, so that all of them may be deleted at any time.
    """

    def __init__(self, store: Store) -> None:
        self._games = Rows(store, schema.GAMES)
        self._finishes = Rows(store, schema.FINISHES)

    def find_ended(self) -> dict[int, datetime]:
        """Return every ended game with its end, in order of time."""
        over = "state = ? AND ended IS NOT NULL ORDER BY ended, id"
        return dict(self._games.select("id, ended", over, GameState.ENDED))

    def load_finishes(self) -> dict[int, tuple[datetime, Finished | None]]:
        """Return the stored results: game → its end and result (None for no result)."""
        return {one.game: (one.ended, _read(one)) for one in self._finishes.find()}

    def save_finish(self, game: int, ended: datetime, finished: Finished | None) -> None:
        """Store the result of a game."""
        self._finishes.upsert(schema.FinishRow(game, ended, _dump_finished(finished)))

    def delete_finishes(self, games: Sequence[int]) -> None:
        """Delete the results of these games."""
        self._finishes.remove_where(in_condition("game", games), *games)


def _dump_finished(finished: Finished | None) -> dict[str, Any] | None:
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


def _read(ending: schema.FinishRow) -> Finished | None:
    told = ending.told
    if told is None:
        return None
    scores = (
        PowerFinish(power, Finish(finish), points, player, tuple(left))
        for power, finish, points, player, left in told["scores"]
    )
    years = ((year, tuple(counts)) for year, counts in told["years"])
    return Finished(
        ending.game, told["map"], told["system"], ending.ended, told["secret"], told["rated"],
        tuple(scores), tuple(years),
    )
