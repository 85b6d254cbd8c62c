"""HISTORY and EXPORT: the events of a game, in a letter or as a file."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

from judge.digits import has_digit
from judge.errors import JudgeError
from judge.games import find_system
from judge.model.command import (
    AuditDetail,
    Command,
    CommandForm,
    ConfirmationPolicy,
    EchoPolicy,
    Permission,
    Spans,
    Typed,
    Where,
    Words,
)
from judge.model.letter import Enclosure, LetterKind
from judge.model.phrase import Phrase, phrase
from judge.model.record import GameState, Seat
from judge.play.archive.gamefile import archive_of, write_archive
from judge.play.archive.orderlists import order_list
from judge.play.archive.public_view import entries_for
from judge.play.commands.asking.inquiries import find_asked_game, game_in, own_seat
from judge.play.commands.row import command, reads
from judge.play.commands.session import ReplyDraft, Session
from judge.play.game import Game
from judge.play.letters.letter_factory import game_facts, zone_of
from judge.play.parse_time import day_begins, read_past
from judge.play.queries import bots_in

HISTORY_DAYS = 7
"""Days that HISTORY covers by default."""


@command(
    CommandForm("HISTORY", "HISTORY marco LINES 200", EchoPolicy.ALL), who=Permission.ANYBODY,
    waits=ConfirmationPolicy.LONG, log=AuditDetail.NOTHING, as_power=True,
)
class History(Command):
    """Events of a game: `HISTORY [marco] [FROM x] [TO x] [LINES n]`.

    The bounds x, each a date or a phase, are stored as typed. *without* is for `EXCLSTART
    S1903M [EXCLEND F1905B]`, which leaves those phases out, and notices too unless the line has
    BROAD.
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
        """Show everything an observer was sent, and to a player the press for them."""
        game = find_asked_game(session, self, self.game)
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
            LetterKind.INFO, "history", system=game.system, game=game_facts(game, seat),
            entries=entries[-self.lines:] if self.lines else [],
            left_out=max(0, len(entries) - self.lines), since=range_.since, until=range_.until,
        )


@dataclass(frozen=True)
class _Range:
    """Range of entries, by phase and instant, and its bounds as a letter shows them."""

    has: Callable[[str, datetime], bool]
    since: object = ""
    until: object = ""


def _range(session: Session, command: History, game: Game, seat: Seat | None) -> _Range | Phrase:
    """Return the range of a command. FROM and TO are dates or phases, both included."""
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
"""Bound of a range: an instant, a whole day in the viewer's zone, or a phase."""


def _instant(bound: _Bound | Phrase, zone: ZoneInfo, *, is_end: bool = False) -> datetime | None:
    """Return the instant of a bound, or None for a phase.

    A day counts from its beginning as a start, and to its end as an end.
    """
    if isinstance(bound, datetime):
        return bound
    if isinstance(bound, date):
        return day_begins(bound + timedelta(days=is_end), zone)
    return None


def _without(phases: "_Phases", bounds: Sequence[str]) -> _Range:
    """Return the range that leaves out the phases between two bounds, as in nJudge.

    Both bounds are left out too. Without a second bound all later phases are.
    """
    first, last = bounds[0].upper(), bounds[1].upper() if len(bounds) > 1 else ""

    def has(phase: str, at: datetime) -> bool:
        outside = not phases.is_before(first, phase)
        return outside or bool(last) and not phases.is_before(phase, last)

    return _Range(has)


def _bound(
    session: Session, game: Game, words: Sequence[str], zone: ZoneInfo,
    after: datetime | None = None,
) -> _Bound | Phrase:
    """Return a phase, a word that resembles one in capitals, an instant, or a day."""
    system, named = find_system(game.system), " ".join(words).rstrip(".")
    if label := system.find_phase(named):
        return label
    if len(words) == 1 and not has_digit(words[0][:1]) and has_digit(words[0]):
        return words[0].upper().rstrip(".")
    return read_past(words, session.now, zone, after)


class _Phases:
    """Phases of a game in their order, including skipped ones."""

    def __init__(self, game: Game) -> None:
        self._system = find_system(game.system)

    def has(self, named: str) -> bool:
        """Return whether the word can be the name of a phase of the game."""
        return self._system.find_phase(named) is not None

    def is_before(self, one: str, other: str) -> bool:
        """Return whether one phase comes before another or is the same."""
        first, second = self._system.find_phase(one), self._system.find_phase(other)
        if first is None or second is None:
            return False
        return first == second or self._system.sort_phases((second, first))[0] == first

    def is_after(self, one: object, other: object) -> bool:
        """Return whether a phase comes after another. False for other bounds."""
        if not isinstance(one, str) or not isinstance(other, str):
            return False
        return not self.is_before(one, other)


def _phases_to_name(command: History, game: Game, fault: Phrase) -> list[str]:
    """Return the line with the bounds exchanged, or the line for all phases."""
    if fault.code == "history-backwards":
        first, last = " ".join(command.until), " ".join(command.since)
        return [f"HISTORY {game.name} FROM {first} TO {last}"]
    turns = game.turns()
    if not turns:
        return []
    return [f"HISTORY {game.name} FROM {turns[0].phase} TO {turns[-1].phase}"]


MAX_FILES = 3
"""Maximum number of files of games in one reply."""
_DAY = timedelta(days=1)


@command(
    CommandForm("EXPORT", "EXPORT marco"), who=Permission.ANYBODY, waits=ConfirmationPolicy.LONG,
    log=AuditDetail.NOTHING,
)
class Export(Command):
    """File of a whole game: `EXPORT marco`, `EXPORT marco ORDERS`."""

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
        """Send the public facts of a game as JSON, or its orders as a list.

        A game that hides positions is exported for everyone after its end, and not at all
        before, because the file would reveal every position.
        """
        game = find_asked_game(session, self, self.game)
        if game is None:
            return
        if game.turn == 0:
            session.refuse(self, phrase("export-not-begun", game=game.name))
        elif game.table.has_hidden_information and game.state is not GameState.ENDED:
            session.refuse(self, phrase("export-blind", game=game.name))
        elif len(session.current.files) >= MAX_FILES:
            session.refuse(self, phrase("export-too-many", limit=MAX_FILES))
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
    # The command is short and a From line easily forged, so the volume a day is limited.
    people, octets = session.context.people, len(file.text.encode())
    most = session.context.policy.export_volume
    if people.served_since(session.mail.sender, session.now - _DAY) + octets > most:
        session.refuse(command, phrase("export-too-much", limit=max(most // 1024, 1)))
        return
    people.record_served(session.mail.sender, octets, session.now)
    session.add(ReplyDraft(files=(file,)))
    session.show(LetterKind.INFO, "export", name=game.name, file=file.name, orders=orders)
