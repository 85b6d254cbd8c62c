"""Calendar events: the next deadline, with letters, for their readers' calendars.

The last deadline sent is stored for each phase. Each batch of letters is checked once before it
is sent, so that every reader gets a change of the deadline with the letter, regardless of its
cause. A phase that was over before its deadline, a pause and the end of the game cancel the
event. A deadline that passed is left unchanged.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

from judge.games import find_system
from judge.model.letter import CalendarEntry, Letter, LetterKind
from judge.model.record import GameState, Seat
from judge.model.replace import replace
from judge.phrases import phrasebook
from judge.play.game import Context, Game
from judge.play.queries import awaits_release, is_present

News = Mapping[int, Sequence[CalendarEntry]]
"""Changed calendar events by game."""
_TELLING = (
    LetterKind.END, LetterKind.RESULTS, LetterKind.START, LetterKind.NOTICE, LetterKind.VOTE,
    LetterKind.VACANCY, LetterKind.REMINDER, LetterKind.RECEIPT, LetterKind.INFO,
)
"""Kinds of letters that may carry a deadline, in order of preference."""
_ALWAYS = (LetterKind.RESULTS, LetterKind.START)
"""Kinds of letters that carry the deadline even if it is unchanged."""


def note_deadlines(context: Context, letters: Iterable[Letter], now: datetime) -> News:
    """Compare the deadlines of the letters' games with the stored ones."""
    seats = {letter.seat for letter in letters if letter.seat}
    found = [seat for number in sorted(seats) if (seat := context.games.seat(number))]
    games = {seat.game for seat in found}
    return {number: _changes(context.games.get(number), now) for number in sorted(games)}


def _changes(game: Game, now: datetime) -> list[CalendarEntry]:
    deadline = (
        game.deadline if game.state is GameState.RUNNING and not awaits_release(game) else None
    )
    known = game.context.appointments.entries_for(game.id, game.name, game.phase)
    found = []
    for each in known:
        if each.is_on and (each.phase != game.phase or deadline is None):
            off = replace(each, is_on=False, told=now)
            # A deadline that was reached need not be cancelled.
            if each.at > now:
                off = replace(off, sequence=each.sequence + 1)
                found.append(off)
            game.context.appointments.keep(off)
    old = next((each for each in known if each.phase == game.phase), None)
    is_known = old is not None and old.is_on and old.at == deadline
    if deadline and deadline > now and not is_known:
        phase, book = game.table.phase, phrasebook(game.system)
        new = CalendarEntry(
            game.id, game.name, game.phase, phase.clock, book.render(phase.turn), deadline,
            sequence=old.sequence + 1 if old else 0, is_on=True, told=now,
        )
        game.context.appointments.keep(new)
        found.append(new)
    return [_add_turn_words(game, each) for each in found]


def _add_turn_words(game: Game, appointment: CalendarEntry) -> CalendarEntry:
    """Return an appointment with its turn as a phrase, for any language."""
    turn = find_system(game.system).turn_of(game.map, appointment.phase)
    return replace(appointment, said=turn)


def with_appointments(
    context: Context, letters: Iterable[Letter], news: News, now: datetime
) -> list[Letter]:
    """Return letters with calendar events, carried by one letter to each reader."""
    letters = list(letters)
    carrying = _carrying(letters)
    standing: dict[int, list[CalendarEntry]] = {}
    found = []
    for letter in letters:
        seat = context.games.seat(letter.seat) if letter.seat else None
        if seat is not None and not letter.appointments and _wants(seat):
            told = list(news.get(seat.game, ())) if id(letter) in carrying else []
            if not told and letter.kind in _ALWAYS:
                if seat.game not in standing:
                    standing[seat.game] = _standing(context, seat.game, now)
                told = standing[seat.game]
            letter = replace(letter, appointments=tuple(told)) if told else letter
        found.append(letter)
    return found


def _carrying(letters: Sequence[Letter]) -> set[int]:
    """Return the `id()` of each reader's best letter to carry the changes."""
    best: dict[tuple[int, str], Letter] = {}
    for letter in letters:
        if letter.seat and letter.kind in _TELLING:
            key = (letter.seat, letter.to)
            first = best.get(key)
            if first is None or _TELLING.index(letter.kind) < _TELLING.index(first.kind):
                best[key] = letter
    return {id(letter) for letter in best.values()}


def _wants(seat: Seat) -> bool:
    return is_present(seat) and seat.settings.calendar is not False


def _standing(context: Context, number: int, now: datetime) -> list[CalendarEntry]:
    game = context.games.get(number)
    known = context.appointments.entries_for(game.id, game.name, game.phase)
    return [_add_turn_words(game, each) for each in known if each.is_on and each.at > now]


def changed_since(
    game: Game, seat: Seat, since: datetime, now: datetime
) -> tuple[CalendarEntry, ...]:
    """Return future events that changed since an instant, for a digest."""
    if not _wants(seat):
        return ()
    changed = game.context.appointments.changed_since(game.id, game.name, since)
    return tuple(_add_turn_words(game, each) for each in changed if each.at > now)
