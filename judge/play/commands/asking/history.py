"""HISTORY and EXPORT: what happened in a game, told or as a file."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

from judge.digits import has_digit
from judge.errors import JudgeError
from judge.games import find_system
from judge.model.command import Command, Form, Log, Shown, Spans, Typed, Waits, Where, Who, Words
from judge.model.letter import Enclosure, Kind
from judge.model.phrase import Phrase, phrase
from judge.model.record import GameState, Seat
from judge.play.archive.gamefile import archive_of, write_archive
from judge.play.archive.orderlists import order_list
from judge.play.archive.showcase import entries_for
from judge.play.commands.asking.inquiries import game_asked, game_in, own_seat
from judge.play.commands.row import command, reads
from judge.play.commands.session import Answer, Session
from judge.play.game import Game
from judge.play.letters.letter_factory import game_facts, zone_of
from judge.play.parse_time import day_begins, read_past
from judge.play.queries import bots_in

HISTORY_DAYS = 7
"""How far back HISTORY goes when nothing else is said."""


@command(
    Form("HISTORY", "HISTORY marco LINES 200", Shown.ALL),
    who=Who.ANYBODY,
    waits=Waits.LONG,
    log=Log.NOTHING,
    as_power=True,
)
class History(Command):
    """`HISTORY [marco] [FROM date|phase] [TO date|phase] [LINES n]`; the bounds as typed.

    `without`: `EXCLSTART S1903M [EXCLEND F1905B]` leaves those phases out, and notices too,
    unless BROAD is said.
    """

    game: str = ""
    since: tuple[str, ...] = ()
    until: tuple[str, ...] = ()
    lines: int = 1000
    without: tuple[str, ...] = ()
    results_only: bool = False

    @reads("history")
    @classmethod
    def read(cls, *parts: Typed | Spans, at: Where) -> "History":
        """HISTORY marco FROM Jan 1 LINES 200, HISTORY marco EXCLSTART S1903M."""
        spans = dict(part for part in parts if isinstance(part, tuple))
        without = spans.get("without", ())
        return cls(
            **at,
            game=game_in(parts),
            since=spans.get("since", ()),
            until=spans.get("until", ()),
            lines=int(spans.get("lines", ("1000",))[0]),
            without=without + spans.get("without_to", ()) if without else (),
            results_only=bool(without) and "broad" not in spans,
        )

    def run(self, session: Session) -> None:
        """Show everything an observer was sent (a player besides: the press for him)."""
        game = game_asked(session, self, self.game)
        if game is None:
            return
        seat = own_seat(session, game)
        range_ = _range(session, self, game, seat)
        if isinstance(range_, Phrase):
            session.refuse(self, range_, *_phases_to_name(self, game, range_))
            return
        entries = entries_for(game, seat, range_.has)
        if self.results_only:
            entries = [each for each in entries if each["kind"] in ("results", "end")]
        session.show(
            Kind.INFO,
            "history",
            system=game.system,
            game=game_facts(game, seat),
            entries=entries[-self.lines:] if self.lines else [],
            left_out=max(0, len(entries) - self.lines),
            since=range_.since,
            until=range_.until,
        )


@dataclass(frozen=True)
class _Range:
    """Which entries are wanted (by phase and instant), and the bounds as a letter tells them."""

    has: Callable[[str, datetime], bool]
    since: object = ""
    until: object = ""


def _range(
    session: Session, command: History, game: Game, seat: Seat | None
) -> _Range | Phrase:
    """Return what is wanted: FROM and TO may each be a date or a phase, both included."""
    phases = _Phases(game)
    if command.without:
        return _without(phases, command.without)
    since: _Bound | Phrase = session.now - timedelta(days=HISTORY_DAYS)
    until: _Bound | Phrase = session.now + timedelta(seconds=1)
    zone = ZoneInfo(zone_of(game, seat))
    if command.since:
        since = _bound(session, game, command.since, zone)
    elif command.until:
        since = game.created
    if command.until:
        begun = _instant(since, zone) if command.since else None
        until = _bound(session, game, command.until, zone, begun)
    for bound in (since, until):
        if isinstance(bound, Phrase):
            return bound
        if isinstance(bound, str) and not phases.has(bound):
            return phrase("history-no-phase", phase=bound, game=game.name)
    assert not isinstance(since, Phrase) and not isinstance(until, Phrase)
    first, last = _instant(since, zone), _instant(until, zone, is_end=True)
    backwards = first >= last if first and last else phases.is_after(since, until)
    if backwards:
        return phrase("history-backwards", game=game.name)

    def has(phase: str, at: datetime) -> bool:
        after = at >= first if first else phases.is_before(str(since), phase)
        before = at < last if last else phases.is_before(phase, str(until))
        return after and before

    return _Range(has, since, until)


_Bound = datetime | date | str
"""An end of what is wanted: an instant, a whole day of the reader's, or a phase."""


def _instant(
    bound: _Bound | Phrase, zone: ZoneInfo, *, is_end: bool = False
) -> datetime | None:
    """Return when a bound is: a day begins what follows, and what it ends has all of it."""
    if isinstance(bound, datetime):
        return bound
    if isinstance(bound, date):
        return day_begins(bound + timedelta(days=is_end), zone)
    return None


def _without(phases: "_Phases", bounds: Sequence[str]) -> _Range:
    """Leave out the phases from the first bound on, up to and with the second (nJudge)."""
    first, last = bounds[0].upper(), bounds[1].upper() if len(bounds) > 1 else ""

    def has(phase: str, at: datetime) -> bool:
        outside = not phases.is_before(first, phase)
        return outside or bool(last) and not phases.is_before(phase, last)

    return _Range(has)


def _bound(
    session: Session, game: Game, words: Sequence[str], zone: ZoneInfo,
    after: datetime | None = None,
) -> _Bound | Phrase:
    """Return a phase, what seems to name one in capitals, an instant, or a whole day."""
    system, named = find_system(game.system), " ".join(words).rstrip(".")
    if label := system.find_phase(named):
        return label
    if len(words) == 1 and not has_digit(words[0][:1]) and has_digit(words[0]):
        return words[0].upper().rstrip(".")
    return read_past(words, session.now, zone, after)


class _Phases:
    """The phases of a game in their order, also those that were skipped."""

    def __init__(self, game: Game) -> None:
        self._system = find_system(game.system)

    def has(self, named: str) -> bool:
        """Tell whether a phase of the game could be called so."""
        return self._system.find_phase(named) is not None

    def is_before(self, one: str, other: str) -> bool:
        """Tell whether one phase comes before another or is the same."""
        first, second = self._system.find_phase(one), self._system.find_phase(other)
        if first is None or second is None:
            return False
        return first == second or self._system.in_order((second, first))[0] == first

    def is_after(self, one: object, other: object) -> bool:
        """Tell whether a phase comes after another; False where either is none."""
        if not isinstance(one, str) or not isinstance(other, str):
            return False
        return not self.is_before(one, other)


def _phases_to_name(
    command: History, game: Game, fault: Phrase
) -> list[str]:
    """Return the line that asks for the same the right way round, or for all there is."""
    if fault.code == "history-backwards":
        first, last = " ".join(command.until), " ".join(command.since)
        return [f"HISTORY {game.name} FROM {first} TO {last}"]
    turns = game.turns()
    if not turns:
        return []
    return [f"HISTORY {game.name} FROM {turns[0].phase} TO {turns[-1].phase}"]


MOST_FILES = 3
"""Games that one answer takes along."""
_DAY = timedelta(days=1)


@command(Form("EXPORT", "EXPORT marco"), who=Who.ANYBODY, waits=Waits.LONG, log=Log.NOTHING)
class Export(Command):
    """`EXPORT marco`, `EXPORT marco ORDERS`: the whole game as a file."""

    game: str = ""
    orders: bool = False

    @reads("export")
    @classmethod
    def read(cls, typed: Words, *, at: Where) -> "Export":
        """EXPORT marco, EXPORT marco ORDERS."""
        words = [word.strip(".,!").lower() for word in typed]
        names = [word for word in words if word not in ("", "orders", "json")]
        return cls(**at, game=" ".join(names), orders="orders" in words)

    def run(self, session: Session) -> None:
        """Send what everybody may know of a game as JSON, or its orders as a list.

        In a game that hides positions it is for all once it is over, and before that for nobody:
        it would tell every position.
        """
        game = game_asked(session, self, self.game)
        if game is None:
            return
        if game.turn == 0:
            session.refuse(self, phrase("export-not-begun", game=game.name))
        elif game.table.hides and game.state is not GameState.ENDED:
            session.refuse(self, phrase("export-blind", game=game.name))
        elif len(session.current.files) >= MOST_FILES:
            session.refuse(self, phrase("export-too-many", limit=MOST_FILES))
        else:
            _enclose(session, self, game)


def _enclose(session: Session, command: Export, game: Game) -> None:
    orders = command.orders
    archived = archive_of(game.record, game.turns(), game.events(), bots_in(game))
    name = f"{game.name}-{game.phase}"
    if orders:
        try:
            text = order_list(archived)
        except JudgeError:
            session.refuse(command, phrase("export-no-list", game=game.name))
            return
        file = Enclosure(f"{name}-orders.txt", "text/plain; charset=utf-8", text)
    else:
        file = Enclosure(f"{name}.json", "application/json", write_archive(archived))
    # A word that asks is short, and a From line easily forged: nobody is to be flooded through us.
    people, octets = session.context.people, len(file.text.encode())
    most = session.context.policy.export_volume
    if people.served(session.mail.sender, session.now - _DAY) + octets > most:
        session.refuse(command, phrase("export-too-much", limit=max(most // 1024, 1)))
        return
    people.serve(session.mail.sender, octets, session.now)
    session.add(Answer(files=(file,)))
    session.show(Kind.INFO, "export", name=game.name, file=file.name, orders=orders)
