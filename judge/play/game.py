"""The unit of work: the games of one transaction, each read once and written once.

Whatever carries out a mail, or moves a game on by the clock, works on one `Game` for each game it
touches. What belongs to a game is read when it is first wanted, changes are seen at once by
everybody who has the game in hand, and `flush` writes what changed. Nothing of it outlives the
transaction: the next one reads anew (Fowler, Patterns of Enterprise Application Architecture:
unit of work, identity map).
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from operator import attrgetter
from typing import Unpack

from judge.games import find_system, is_installed
from judge.games.system import Table
from judge.model.altered import altered
from judge.model.record import (
    Ballot,
    Event,
    GameChanges,
    GameRecord,
    GameView,
    Plan,
    Seat,
    Turn,
)
from judge.play.chosen import Chosen, GameSettings, Policy, is_of_judge
from judge.play.dealings import Dealings, DealingsChanges, dealings_in, settings_with
from judge.play.passwords import PasswordCheck
from judge.play.tokens import Tokens
from judge.store.addresses import Bans
from judge.store.games import Archive, Finishes, Games
from judge.store.pending import Appointments, Bundles, PendingPress
from judge.store.people import Aliases, Outreach, People, Register


def table_of(game: GameView) -> Table:
    """Return the position of a game at hand; of one in a unit of work it is `Game.table`."""
    return find_system(game.system).table(game.map, game.position, options_of(game))


def options_of(game: GameView) -> dict[str, object]:
    """Return what a game has chosen of its system's own options."""
    return {name: value for name, value in game.settings.items() if not is_of_judge(name)}


class Game(GameView):
    """One game in one transaction, with its seats, orders, votes and position.

    The properties of `GameView` are those of the record.
    """

    __slots__ = (
        "games", "record", "_stored", "_seats", "_unsaved", "_sheets", "_plans", "_ballots",
        "_turns", "_table", "_seen", "_chosen", "_dealings",
    )

    def __init__(self, games: "OpenGames", record: GameRecord) -> None:
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
        self._dealings: tuple[Mapping[str, object], Dealings] | None = None

    @property
    def context(self) -> "Context":
        """The context the transaction is done in."""
        return self.games.context

    @property
    def dealings(self) -> Dealings:
        """What is under way between its people."""
        if self._dealings is None or self._dealings[0] is not self.settings:
            self._dealings = self.settings, dealings_in(self.settings)
        return self._dealings[1]

    def deal(self, **changes: Unpack[DealingsChanges]) -> None:
        """Change some of the dealings of its people."""
        self.change(settings=settings_with(self.settings, **changes))

    def change(self, **changes: Unpack[GameChanges]) -> None:
        """Change fields of the game; it is written when the transaction ends."""
        self.record = altered(self.record, **changes)
        if not self.games.keeps:
            self.flush()

    def flush(self) -> None:
        """Write what changed."""
        if self.record is not self._stored and self.record != self._stored:
            self.games.stored.save(self.record)
        self._stored = self.record
        if self._unsaved:
            seats = self._by_number()
            self.games.stored.save_seats([seats[number] for number in sorted(self._unsaved)])
        self._unsaved = set()

    # What was set.

    @property
    def chosen(self) -> GameSettings:
        """What its master has set, and what holds where he has not."""
        system, map_name = self.record.system, self.record.map
        if self._chosen is None or self._chosen[0] != map_name or (
            self._chosen[1] is not self.settings
        ):
            # A game whose system is missing still has press, seats and all else that is set.
            kinds = find_system(system).clocks_on(map_name) if is_installed(system) else ()
            self._chosen = map_name, self.settings, GameSettings.of(self.settings, kinds)
        return self._chosen[2]

    def choose(self, **settings: Unpack[Chosen]) -> None:
        """Put settings to new values, other than by a SET line."""
        self.change(settings={**self.settings, **settings})

    # The position.

    @property
    def table(self) -> Table:
        """The position at hand."""
        seen = self.map, self.position, self.settings
        if self._table is None or self._seen != seen:
            self._table = table_of(self.record)
            self._seen = seen
        return self._table

    # The seats.

    def _by_number(self) -> dict[int, Seat]:
        if self._seats is None:
            return self.take_seats(self.games.stored.seats(self.id))
        return self._seats

    def take_seats(self, seats: Iterable[Seat]) -> dict[int, Seat]:
        """Take its seats as they were read."""
        self._seats = {seat.id: seat for seat in seats}
        self.context.aliases.expect(each.address for each in self.all_seats() if each.address)
        return self._seats

    @property
    def has_seats(self) -> bool:
        """Its seats were read already."""
        return self._seats is not None

    def all_seats(self) -> list[Seat]:
        """Return its seats in the order they were made, left ones too."""
        return list(self._by_number().values())

    def seat(self, number: int) -> Seat | None:
        """Return the seat of this number, as it is now, or None."""
        return self._by_number().get(number)

    def save_seat(self, seat: Seat) -> None:
        """Have a seat be as it says; it is written when the transaction ends."""
        seats = self._by_number()
        if seats[seat.id] == seat:
            return
        seats[seat.id] = seat
        self._unsaved.add(seat.id)
        if not self.games.keeps:
            self.flush()

    def add_seat(self, seat: Seat) -> Seat:
        """Make a new seat and return it with its number."""
        seats = self._by_number()
        seat = self.games.stored.add_seat(seat)
        seats[seat.id] = seat
        return seat

    # Orders, on file and ahead.

    def orders(self, phase: str) -> dict[str, str]:
        """Return the orders on file for a phase, by power."""
        if phase not in self._sheets:
            self._sheets[phase] = self.games.stored.orders(self.id, phase)
        return dict(self._sheets[phase])

    def file_orders(self, phase: str, power: str, text: str) -> None:
        """Replace what a power has on file for a phase; an empty text takes it away."""
        self.file_sheets(phase, {power: text})

    def file_sheets(self, phase: str, sheets: Mapping[str, str]) -> None:
        """Replace what these powers have on file for a phase; empty texts take it away."""
        if gone := [power for power, text in sheets.items() if not text]:
            self._clear_ready(phase, gone)
        self.games.stored.file_sheets(self.id, phase, sheets)
        if phase in self._sheets:
            filed = {**self._sheets[phase], **sheets}
            self._sheets[phase] = {power: filed[power] for power in sorted(filed) if filed[power]}

    def drop_orders(self, phase: str) -> None:
        """Take away everybody's orders for a phase."""
        self._clear_ready(phase)
        self._sheets.pop(phase, None)
        self.games.stored.drop_orders(self.id, phase)

    def _clear_ready(self, phase: str, powers: Collection[str] = ()) -> None:
        """Take READY and an early deadline along with the orders of some powers, or of all.

        READY is about orders on file: a power that had none keeps it. Without *powers* it is
        cleared for all, since their position may be another one too.
        """
        if phase != self.phase:
            return
        filed = self.orders(phase)
        gone = {power for power in powers if filed.get(power)}
        for seat in self.all_seats():
            if seat.ready and (not powers or seat.power in gone):
                self.save_seat(altered(seat, ready=False))
        if self.clock.early and (gone or not powers):
            self.change(clock=altered(self.clock, early=None))

    def plans(self, power: str = "") -> list[Plan]:
        """Return what is on file for phases still to come, a power's or everybody's."""
        if self._plans is None:
            self._plans = self.games.stored.plans(self.id)
        return [plan for plan in self._plans if power in ("", plan.power)]

    def file_plan(self, plan: Plan) -> None:
        """Replace what a power has on file for a later phase; an empty plan takes it away."""
        self._plans = None
        self.games.stored.file_plan(plan)

    def drop_plans(self, power: str = "") -> None:
        """Take away what is on file for later phases, a power's or everybody's."""
        if self.plans(power):
            self._plans = None
            self.games.stored.drop_plans(self.id, power)

    # What was, and what is voted on.

    def turns(self) -> list[Turn]:
        """Return its history, first turn first."""
        if self._turns is None:
            self._turns = self.games.stored.turns(self.id)
        return self._turns

    def add_turn(self, turn: Turn) -> None:
        """Write an adjudicated phase into the history."""
        self._turns = None
        self.games.stored.add_turn(turn)

    def undo(self, first: int, now: datetime) -> None:
        """Put its turns from number `first` on aside, with all orders on file and the deeds.

        The caller sets the game itself to where it shall be then.
        """
        self._clear_ready(self.phase)
        self.context.archive.undo(self.record, first, now)
        self._turns, self._sheets = None, {}

    def redo(self, chain: Sequence[tuple[int, Turn]]) -> None:
        """Write turns that were undone into its history again."""
        self.context.archive.redo(chain)
        self._turns = None

    def add_event(self, event: Event) -> int:
        """Write down something that happened and return its number."""
        return self.games.stored.add_event(event)

    def events(
        self, since: datetime | None = None, until: datetime | None = None
    ) -> list[Event]:
        """Return what happened in it, in order, from `since` on and before `until`."""
        return self.games.stored.events(self.id, since, until)

    def last_event(self) -> int:
        """Return the number of the last thing that happened in it, 0 where nothing did."""
        return self.games.stored.last_event(self.id)

    def ballots(self) -> list[Ballot]:
        """Return its standing votes, by matter and seat."""
        if self._ballots is None:
            self._ballots = self.games.stored.ballots(self.id)
        return list(self._ballots)

    def cast(self, ballot: Ballot) -> None:
        """Take a vote; it replaces the seat's earlier one in that matter."""
        self._ballots = None
        self.games.stored.cast(ballot)

    def withdraw(self, seat: int, matter: str = "") -> int:
        """Take back a seat's vote in one matter, or in all; return how many there were."""
        if not any(each.seat == seat and matter in ("", each.matter) for each in self.ballots()):
            return 0
        self._ballots = None
        return self.games.stored.withdraw(self.id, seat, matter)

    def drop_ballots(self, matter: str = "") -> None:
        """Forget everybody's votes in one matter, or in all."""
        if any(matter in ("", each.matter) for each in self.ballots()):
            self._ballots = None
            self.games.stored.drop_ballots(self.id, matter)


# A mail reads some two hundred of them, so they are no Python functions.
for _name in GameRecord.__slots__:
    setattr(Game, _name, property(attrgetter(f"record.{_name}")))


class OpenGames:
    """The games a transaction has in hand, each of them once; and the way to all others.

    Without `keeps` nothing is kept and every change is written at once: for looking at games
    outside of a unit of work.
    """

    context: "Context"

    def __init__(self, stored: Games, *, keeps: bool = False) -> None:
        self.stored = stored
        self.keeps = keeps
        self._open: dict[int, Game] = {}

    def flush(self) -> None:
        """Write what changed."""
        for game in self._open.values():
            game.flush()

    def forget(self) -> None:
        """Let go of all games, as they were before a part of the transaction was taken back."""
        self._open.clear()

    def _taken(self, record: GameRecord) -> Game:
        """Return a game in hand; what was read of it before stays as it is."""
        if self.keeps and record.id in self._open:
            return self._open[record.id]
        # Its abstract properties are set below the class.
        game = Game(self, record)  # type: ignore[abstract]
        if self.keeps:
            self._open[record.id] = game
        return game

    def _all(self, records: Iterable[GameRecord]) -> list[Game]:
        return [self._taken(record) for record in records]

    def get(self, number: int) -> Game:
        """Return the game of this number.

        Raises: StoreError when there is none: numbers come from us.
        """
        found = self._open.get(number) or self._read(id=number)
        return found if found is not None else self._taken(self.stored.get(number))

    def _read(self, **equal: object) -> Game | None:
        """Read a game together with its seats, where it is kept; None where there is none."""
        found = self.stored.whole(**equal) if self.keeps else None
        if found is None or found[0].id in self._open:
            # One in hand has another name by now than the one it is stored under.
            return None
        game = self._taken(found[0])
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
        return self._taken(record) if record else None

    def add(self, record: GameRecord) -> Game | None:
        """Store a new game and return it with its number; None when its name is taken."""
        self.flush()
        added = self.stored.add(record)
        return self._taken(added) if added else None

    def remove(self, number: int) -> None:
        """Delete a game and all that was kept because of it."""
        self._open.pop(number, None)
        self.stored.remove(number)

    def names(self) -> list[str]:
        """Return the names of all games, sorted."""
        self.flush()
        return self.stored.names()

    def listed(self) -> list[Game]:
        """Return all games that can be read, by name."""
        self.flush()
        return self._all(self.stored.listed())

    def forming(self) -> list[Game]:
        """Return the games that have not begun, by name."""
        self.flush()
        return self._all(self.stored.forming())

    def open_among(self, numbers: Collection[int], most: int) -> list[Game]:
        """Return the games of these numbers that can be read and are not done with, the newest
        first; so many at most."""
        self.flush()
        return self._all(self.stored.open_among(numbers, most))

    def going(self, most: int) -> list[Game]:
        """Return games that are not over, those that form first, then by name; so many at most."""
        self.flush()
        return self._all(self.stored.going(most))

    def event(self, number: int) -> Event | None:
        """Return what was written down under a number, or None."""
        return self.stored.event(number)

    def seat(self, number: int) -> Seat | None:
        """Return the seat of this number, or None."""
        for game in self._open.values():
            if game.has_seats and (found := game.seat(number)):
                return found
        return self.stored.seat(number)

    def seats_numbered(self, numbers: Collection[int]) -> dict[int, Seat]:
        """Return the seats of these numbers, each by its own."""
        at_hand = {
            seat.id: seat for game in self._open.values() if game.has_seats
            for seat in game.all_seats() if seat.id in numbers
        }
        return at_hand | self.stored.seats_numbered([x for x in numbers if x not in at_hand])

    def seats_at(self, address: str) -> list[Seat]:
        """Return the seats somebody with this address sits on or waits for, in any game."""
        self.flush()
        return self.stored.seats_at(address)

    def save_seat(self, seat: Seat) -> None:
        """Have a seat be as it says."""
        self.get(seat.game).save_seat(seat)

    def add_seat(self, seat: Seat) -> Seat:
        """Make a new seat and return it with its number."""
        return self.get(seat.game).add_seat(seat)


@dataclass(frozen=True, slots=True)
class Context:
    """The records, the keys and the operator's choices."""

    games: OpenGames
    people: People
    password_check: PasswordCheck
    tokens: Tokens
    policy: Policy
    register: Register
    bundles: Bundles
    archive: Archive
    bans: Bans
    aliases: Aliases
    pending_press: PendingPress
    finishes: Finishes
    appointments: Appointments
    outreach: Outreach

    def __post_init__(self) -> None:
        self.games.context = self

    def looking(self) -> "Context":
        """Return the context for one look at several things: what is read once is not read again,
        and nothing is to be changed."""
        games = OpenGames(self.games.stored, keeps=True)
        return altered(self, games=games, aliases=self.aliases.keeping())

    def forget(self) -> None:
        """Let go of all that was read: a part of the transaction was taken back."""
        self.games.forget()
        self.aliases.forget()

    @contextmanager
    def work(self) -> Iterator["Context"]:
        """Begin a unit of work: within it each game is one object, and at its end what changed is
        written. It belongs inside the transaction of whoever has the store; what is begun within
        another is part of that."""
        context = self if self.games.keeps else self.looking()
        yield context
        context.games.flush()
