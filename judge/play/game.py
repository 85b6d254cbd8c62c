"""Unit of work: the games of one transaction, each read and written once.

All code that carries out a mail or advances a game by the clock works on one `Game` object for
each game. Data of a game is read when first needed, changes are visible at once to all code
that uses the game, and `flush` writes them. Nothing of it outlives the transaction: the next
one reads again (Fowler, Patterns of Enterprise Application Architecture: unit of work, identity
map).
"""

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from operator import attrgetter
from typing import Unpack

from judge.games import find_system, is_playable
from judge.games.added_maps import use_source
from judge.games.system import Ending, Table
from judge.model.clock_state import ClockState
from judge.model.record import (
    Ballot,
    Event,
    GameChanges,
    GameRecord,
    GameState,
    Plan,
    Seat,
    Turn,
)
from judge.model.replace import replace
from judge.play.game_settings import GameSettings, Policy, SettingsChanges, is_of_judge
from judge.play.passwords import PasswordCheck
from judge.play.pending_requests import DealingsChanges, PendingRequests, dealings_in, settings_with
from judge.play.tokens import Tokens
from judge.store.addresses import Bans
from judge.store.games import Finishes, Games, RollbackArchive
from judge.store.maps import Maps
from judge.store.pending import Appointments, Bundles, PendingPress
from judge.store.people import Aliases, Outreach, People, PersonRegister


class Game:
    """One game in one transaction, with its seats, orders, votes and position."""

    # These are read from the record, by properties that are set below the class.
    id: int
    name: str
    system: str
    map: str
    state: GameState
    phase: str
    turn: int
    position: str
    settings: Mapping[str, object]
    seed: bytes
    created: datetime
    started: datetime | None
    ended: datetime | None
    opened: datetime | None
    deadline: datetime | None
    grace_until: datetime | None
    due: datetime | None
    clock: ClockState
    result: str
    branch: int

    __slots__ = (
        "games", "record", "_stored", "_seats", "_unsaved", "_sheets", "_plans", "_ballots",
        "_turns", "_table", "_seen", "_chosen", "_dealings",
    )

    def __init__(self, games: "LoadedGames", record: GameRecord) -> None:
        self.games = games
        self.record = record
        """The game as it is now."""
        self._stored = record
        self._seats: dict[int, Seat] | None = None
        self._unsaved: set[int] = set()
        self._sheets: dict[str, dict[str, str]] = {}
        self._plans: list[Plan] | None = None
        self._ballots: list[Ballot] | None = None
        self._turns: list[Turn] | None = None
        self._table: Table | None = None
        self._seen: tuple[object, ...] = ()
        self._chosen: tuple[str, object, GameSettings] | None = None
        self._dealings: tuple[Mapping[str, object], PendingRequests] | None = None

    @property
    def context(self) -> "Context":
        """Context of the transaction."""
        return self.games.context

    @property
    def dealings(self) -> PendingRequests:
        """Pending requests between its people."""
        if self._dealings is None or self._dealings[0] is not self.settings:
            self._dealings = self.settings, dealings_in(self.settings)
        return self._dealings[1]

    def change_requests(self, **changes: Unpack[DealingsChanges]) -> None:
        """Change some of the pending requests."""
        self.change(settings=settings_with(self.settings, **changes))

    def change(self, **changes: Unpack[GameChanges]) -> None:
        """Change fields of the game. They are written when the transaction ends."""
        self.record = replace(self.record, **changes)
        if not self.games.keeps:
            self.flush()

    def flush(self) -> None:
        """Write the changes."""
        if self.record is not self._stored and self.record != self._stored:
            self.games.stored.save(self.record)
        self._stored = self.record
        if self._unsaved:
            seats = self._by_number()
            self.games.stored.save_seats([seats[number] for number in sorted(self._unsaved)])
        self._unsaved = set()

    @property
    def chosen(self) -> GameSettings:
        """Settings of the game, with defaults for those its master has not set."""
        system, map_name = self.record.system, self.record.map
        if self._chosen is None or self._chosen[0] != map_name or (
            self._chosen[1] is not self.settings
        ):
            # A game whose system is missing still has press, seats and all other settings.
            kinds = find_system(system).clocks_on(map_name) if is_playable(system, map_name) else ()
            self._chosen = map_name, self.settings, GameSettings.of(self.settings, kinds)
        return self._chosen[2]

    def change_settings(self, **settings: Unpack[SettingsChanges]) -> None:
        """Set settings to new values, other than by a SET line."""
        self.change(settings={**self.settings, **settings})

    @property
    def table(self) -> Table:
        """Current position."""
        seen = self.map, self.position, self.settings
        if self._table is None or self._seen != seen:
            self._table = table_of(self.record)
            self._seen = seen
        return self._table

    def _by_number(self) -> dict[int, Seat]:
        if self._seats is None:
            return self.take_seats(self.games.stored.seats(self.id))
        return self._seats

    def take_seats(self, seats: Iterable[Seat]) -> dict[int, Seat]:
        """Use *seats*, as read from the store, as the seats of the game."""
        self._seats = {seat.id: seat for seat in seats}
        self.context.aliases.prefetch([each.address for each in self.all_seats() if each.address])
        return self._seats

    @property
    def has_seats(self) -> bool:
        """True if its seats have been read."""
        return self._seats is not None

    def all_seats(self) -> list[Seat]:
        """Return its seats in the order they were made, including those that were left."""
        return list(self._by_number().values())

    def seat(self, number: int) -> Seat | None:
        """Return the seat of this number, as it is now, or None."""
        return self._by_number().get(number)

    def save_seat(self, seat: Seat) -> None:
        """Replace the seat of the same number. It is written when the transaction ends."""
        seats = self._by_number()
        if seats[seat.id] == seat:
            return
        seats[seat.id] = seat
        self._unsaved.add(seat.id)
        if not self.games.keeps:
            self.flush()

    def add_seat(self, seat: Seat) -> Seat:
        """Create a new seat and return it with its number."""
        seats = self._by_number()
        seat = self.games.stored.add_seat(seat)
        seats[seat.id] = seat
        return seat

    def orders(self, phase: str) -> dict[str, str]:
        """Return the orders on file for a phase, by power."""
        if phase not in self._sheets:
            self._sheets[phase] = self.games.stored.orders(self.id, phase)
        return dict(self._sheets[phase])

    def file_orders(self, phase: str, power: str, text: str) -> None:
        """Replace a power's orders on file for a phase. An empty text removes them."""
        self.file_sheets(phase, {power: text})

    def file_sheets(self, phase: str, sheets: Mapping[str, str]) -> None:
        """Replace the orders on file of these powers for a phase.

        Empty texts remove them.
        """
        if gone := [power for power, text in sheets.items() if not text]:
            self._clear_ready(phase, gone)
        self.games.stored.file_sheets(self.id, phase, sheets)
        if phase in self._sheets:
            filed = {**self._sheets[phase], **sheets}
            self._sheets[phase] = {power: filed[power] for power in sorted(filed) if filed[power]}

    def drop_orders(self, phase: str) -> None:
        """Remove all orders for a phase."""
        self._clear_ready(phase)
        self._sheets.pop(phase, None)
        self.games.stored.drop_orders(self.id, phase)

    def _clear_ready(self, phase: str, powers: Collection[str] = ()) -> None:
        """Clear READY and an early deadline with the orders of some powers, or of all.

        READY is about orders on file, so a power that had none keeps it. Without *powers* it is
        cleared for all, since their position may change too.
        """
        if phase != self.phase:
            return
        filed = self.orders(phase)
        gone = {power for power in powers if filed.get(power)}
        for seat in self.all_seats():
            if seat.ready and (not powers or seat.power in gone):
                self.save_seat(replace(seat, ready=False))
        if self.clock.early and (gone or not powers):
            self.change(clock=replace(self.clock, early=None))

    def plans(self, power: str = "") -> list[Plan]:
        """Return the future orders on file, of one power or of all."""
        if self._plans is None:
            self._plans = self.games.stored.plans(self.id)
        return [plan for plan in self._plans if power in ("", plan.power)]

    def file_plan(self, plan: Plan) -> None:
        """Replace a power's orders on file for a later phase. An empty plan removes them."""
        self._plans = None
        self.games.stored.file_plan(plan)

    def drop_plans(self, power: str = "") -> None:
        """Remove the future orders on file, of one power or of all."""
        if self.plans(power):
            self._plans = None
            self.games.stored.drop_plans(self.id, power)

    def turns(self) -> list[Turn]:
        """Return its history, first turn first."""
        if self._turns is None:
            self._turns = self.games.stored.turns(self.id)
        return self._turns

    def add_turn(self, turn: Turn) -> None:
        """Add an adjudicated phase to the history."""
        self._turns = None
        self.games.stored.add_turn(turn)

    def undo(self, first: int, now: datetime) -> None:
        """Set aside the turns from number `first` on.

        All orders on file are removed, and the conduct records of those turns no longer count.
        The caller resets the game itself to its state at that time.
        """
        self._clear_ready(self.phase)
        self.context.archive.undo(self.record, first, now)
        self._turns, self._sheets = None, {}

    def redo(self, chain: Sequence[tuple[int, Turn]]) -> None:
        """Add turns that were rolled back to its history again."""
        self.context.archive.redo(chain)
        self._turns = None

    def add_event(self, event: Event) -> int:
        """Store an event and return its number."""
        return self.games.stored.add_event(event)

    def events(self, since: datetime | None = None, until: datetime | None = None) -> list[Event]:
        """Return its events in order, from `since` on and before `until`."""
        return self.games.stored.events(self.id, since, until)

    def last_event(self) -> int:
        """Return the number of its last event, or 0 without events."""
        return self.games.stored.last_event(self.id)

    def ballots(self) -> list[Ballot]:
        """Return its current votes, by matter and seat."""
        if self._ballots is None:
            self._ballots = self.games.stored.ballots(self.id)
        return list(self._ballots)

    def cast_vote(self, ballot: Ballot) -> None:
        """Store a vote. It replaces the seat's earlier one in that matter."""
        self._ballots = None
        self.games.stored.cast_vote(ballot)

    def withdraw(self, seat: int, matter: str = "") -> int:
        """Withdraw a seat's vote in one matter, or in all. Return the number withdrawn."""
        if not any(each.seat == seat and matter in ("", each.matter) for each in self.ballots()):
            return 0
        self._ballots = None
        return self.games.stored.withdraw(self.id, seat, matter)

    def drop_ballots(self, matter: str = "") -> None:
        """Delete all votes in one matter, or in all."""
        if any(matter in ("", each.matter) for each in self.ballots()):
            self._ballots = None
            self.games.stored.drop_ballots(self.id, matter)


# One mail reads about two hundred of them, so these properties avoid Python functions.
for _name in GameRecord.__slots__:
    setattr(Game, _name, property(attrgetter(f"record.{_name}")))

GameView = Game | GameRecord
"""A game in a unit of work, or its record."""


def table_of(game: GameView) -> Table:
    """Return the position of a game. In a unit of work use `Game.table`."""
    return find_system(game.system).table(game.map, game.position, options_of(game))


def write_ending(ending: Ending) -> str:
    """Return the end of a game as it is stored in its record."""
    told = {"winners": list(ending.winners), "reason": ending.reason.as_json()}
    return json.dumps(told, ensure_ascii=False)


def options_at(game: GameView, turn: Turn) -> Mapping[str, object]:
    """Return the options that a turn was played with."""
    return options_of(game) if turn.options is None else turn.options


def table_before(game: GameView, turn: Turn) -> Table:
    """Return the position that a turn was played from."""
    return find_system(game.system).table(game.map, turn.before, options_at(game, turn))


def options_of(game: GameView) -> dict[str, object]:
    """Return the values of the system's own options that a game has set."""
    return {name: value for name, value in game.settings.items() if not is_of_judge(name)}


class LoadedGames:
    """The games loaded in a transaction, each once, with access to all others.

    Without `keeps` no game is cached and every change is written at once. That is for viewing
    games outside a unit of work.
    """

    context: "Context"

    def __init__(self, stored: Games, *, keeps: bool = False) -> None:
        self.stored = stored
        self.keeps = keeps
        self._open: dict[int, Game] = {}

    def flush(self) -> None:
        """Write the changes."""
        for game in self._open.values():
            game.flush()

    def clear(self) -> None:
        """Discard all games, after a part of the transaction was rolled back."""
        self._open.clear()

    def _load_game(self, record: GameRecord) -> Game:
        """Return the loaded game of a record. What it has already read stays unchanged."""
        if self.keeps and record.id in self._open:
            return self._open[record.id]
        game = Game(self, record)
        if self.keeps:
            self._open[record.id] = game
        return game

    def _all(self, records: Iterable[GameRecord]) -> list[Game]:
        return [self._load_game(record) for record in records]

    def get(self, number: int) -> Game:
        """Return the game of this number.

        Raises:
            StoreError: there is no such game. Numbers come from the judge itself.
        """
        found = self._open.get(number) or self._read(id=number)
        return found if found is not None else self._load_game(self.stored.get(number))

    def _read(self, **equal: object) -> Game | None:
        """Read a game together with its seats if games are cached, else return None."""
        found = self.stored.find_with_seats(**equal) if self.keeps else None
        if found is None or found[0].id in self._open:
            # A game that is loaded may have been renamed since it was stored.
            return None
        game = self._load_game(found[0])
        game.take_seats(found[1])
        return game

    def find(self, name: str) -> Game | None:
        """Return the game of this name (lower case), or None."""
        for game in self._open.values():
            if game.name == name:
                return game
        if self.keeps:
            return self._read(name=name)
        record = self.stored.find(name)
        return self._load_game(record) if record else None

    def add(self, record: GameRecord) -> Game | None:
        """Store a new game and return it with its number, or None if its name is taken."""
        self.flush()
        added = self.stored.add(record)
        return self._load_game(added) if added else None

    def remove(self, number: int) -> None:
        """Delete a game and all data of it."""
        self._open.pop(number, None)
        self.stored.remove(number)

    def names(self) -> list[str]:
        """Return the names of all games, sorted."""
        self.flush()
        return self.stored.names()

    def list_games(self) -> list[Game]:
        """Return all games that can be read, by name."""
        self.flush()
        return self._all(self.stored.list_games())

    def list_forming(self) -> list[Game]:
        """Return the games that have not begun, by name."""
        self.flush()
        return self._all(self.stored.list_forming())

    def open_among(self, numbers: Collection[int], most: int) -> list[Game]:
        """Return at most *most* readable, open games of these numbers, newest first."""
        self.flush()
        return self._all(self.stored.open_among(numbers, most))

    def list_open(self, most: int) -> list[Game]:
        """Return at most *most* games that are not over, forming ones first, by name."""
        self.flush()
        return self._all(self.stored.list_open(most))

    def event(self, number: int) -> Event | None:
        """Return the event of this number, or None."""
        return self.stored.event(number)

    def seat(self, number: int) -> Seat | None:
        """Return the seat of this number, or None."""
        for game in self._open.values():
            if game.has_seats and (found := game.seat(number)):
                return found
        return self.stored.seat(number)

    def seats_numbered(self, numbers: Collection[int]) -> dict[int, Seat]:
        """Return the seats of these numbers, by number."""
        at_hand = {
            seat.id: seat for game in self._open.values() if game.has_seats
            for seat in game.all_seats() if seat.id in numbers
        }
        return at_hand | self.stored.seats_numbered([x for x in numbers if x not in at_hand])

    def seats_at(self, address: str) -> list[Seat]:
        """Return the seats of an address in any game, also those that wait."""
        self.flush()
        return self.stored.seats_at(address)

    def save_seat(self, seat: Seat) -> None:
        """Replace the seat of the same number."""
        self.get(seat.game).save_seat(seat)

    def add_seat(self, seat: Seat) -> Seat:
        """Create a new seat and return it with its number."""
        return self.get(seat.game).add_seat(seat)


@dataclass(frozen=True, slots=True)
class Context:
    """The records, the keys and the operator's choices."""

    games: LoadedGames
    people: People
    password_check: PasswordCheck
    tokens: Tokens
    policy: Policy
    register: PersonRegister
    bundles: Bundles
    archive: RollbackArchive
    bans: Bans
    aliases: Aliases
    pending_press: PendingPress
    finishes: Finishes
    appointments: Appointments
    outreach: Outreach
    maps: Maps

    def __post_init__(self) -> None:
        self.games.context = self

    def read_session(self) -> "Context":
        """Return a context for several reads, in which each record is read once.

        It is not for changes. Added maps are those of its store from then on.
        """
        use_source(self.maps)
        games = LoadedGames(self.games.stored, keeps=True)
        return replace(self, games=games, aliases=self.aliases.keeping())

    def clear(self) -> None:
        """Discard all that was read, after a part of the transaction was rolled back."""
        self.games.clear()
        self.aliases.clear()

    @contextmanager
    def unit_of_work(self) -> Iterator["Context"]:
        """Begin a unit of work, in which each game is one object.

        Its changes are written at the end. It belongs inside the transaction of the caller. A
        unit of work that begins within another is part of that one.
        """
        context = self if self.games.keeps else self.read_session()
        yield context
        context.games.flush()
