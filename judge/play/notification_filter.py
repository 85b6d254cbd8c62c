"""Notification filter: what a seat gets at once, in its digest, or not at all."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from judge.games import find_system
from judge.model.letter import Letter, LetterKind
from judge.model.phrase import phrase
from judge.model.record import GameState, Role, Seat
from judge.play.archive.public_view import entries_for
from judge.play.choices.settingtable import KINDS, PHASE, WATCHING
from judge.play.game import Context, Game
from judge.play.letters.board_pictures import (
    BoardView,
    board_format_of,
    front_view,
    illustrate_letter,
    turn_view,
    view_with_front,
)
from judge.play.letters.calendar_events import changed_since, note_deadlines, with_appointments
from judge.play.letters.letter_factory import letter_to, zone_of
from judge.play.letters.order_pages import with_order_pages
from judge.play.people.addresses import with_copies
from judge.play.queries import is_present, reader_of
from judge.store.schema import PendingDigest

_BUNDLED_PLAYING = (LetterKind.PRESS, LetterKind.VOTE, LetterKind.VACANCY)
"""Kinds of letters that may be delayed for a player.

Results and notices are not among them, as they may contain a change of the player's deadlines.
"""


def digest_kinds(seat: Seat) -> tuple[LetterKind, ...]:
    """Return the kinds of letters that a seat's digest collects, if it wants one."""
    return WATCHING if seat.role in (Role.OBSERVER, Role.MONITOR) else _BUNDLED_PLAYING


def muted_kinds(seat: Seat) -> tuple[str, ...]:
    """Return the kinds of letters that a seat has muted."""
    return seat.settings.muted or ()


def digest_due(game: Game, seat: Seat, now: datetime) -> datetime | None:
    """Return when a digest that begins now is due (None: with the next results)."""
    wish = seat.settings.digest
    if not isinstance(wish, int):
        return None
    local = now.astimezone(ZoneInfo(zone_of(game, seat)))
    at = local.replace(hour=wish // 60, minute=wish % 60, second=0, microsecond=0)
    return (at if at > local else at + timedelta(days=1)).astimezone(UTC)


def filter_notifications(
    context: Context, letters: Iterable[Letter], now: datetime
) -> list[Letter]:
    """Apply mute, digest and copy settings. Return the letters to send now."""
    letters = list(letters)
    news = note_deadlines(context, letters, now)
    kept: list[Letter] = []
    told: dict[int, None] = {}
    for letter in letters:
        seat = context.games.seat(letter.seat) if letter.seat and not letter.answers else None
        if seat is None or not is_present(seat):
            kept.append(letter)
        elif letter.kind is LetterKind.END:
            kept += [*flush_digest(context, seat.id, now), letter]
        elif letter.kind in [KINDS.get(word) for word in muted_kinds(seat)]:
            continue
        elif seat.settings.digest in (None, ""):
            kept.append(letter)
        else:
            if letter.kind in digest_kinds(seat):
                game = context.games.get(seat.game)
                context.bundles.add(PendingDigest(seat.id, now, digest_due(game, seat, now)))
            else:
                kept.append(letter)
            if letter.kind is LetterKind.RESULTS and seat.settings.digest == PHASE:
                told[seat.id] = None
    # The digests come last, so that they include all other events of the same instant.
    kept += [letter for number in told for letter in flush_digest(context, number, now)]
    kept = with_order_pages(context, with_appointments(context, kept, news, now))
    return with_copies(context, kept)


def flush_digest(context: Context, number: int, now: datetime) -> list[Letter]:
    """Return the digest of a seat as at most one letter, and close the digest."""
    bundle, seat = context.bundles.get(number), context.games.seat(number)
    context.bundles.drop(number)
    if bundle is None or seat is None or not is_present(seat):
        return []
    game = context.games.get(seat.game)
    found = entries_for(game, seat, lambda _, at: bundle.since <= at <= now)
    wanted = [entry for entry in found if _is_wanted(seat, str(entry["letter"]))]
    if not wanted:
        return []
    results = any(entry["kind"] == "results" for entry in wanted)
    begun = results and game.state is not GameState.FORMING
    facts = {
        "entries": wanted, "since": bundle.since,
        "standing": game.table.position_facts(reader_of(game, seat)) if begun else None,
    }
    kind = LetterKind.RESULTS if results else LetterKind.NOTICE
    letter = letter_to(game, seat, kind, "digest", facts, phrase("event-digest"))
    told = changed_since(game, seat, bundle.since, now)
    letter = replace(letter, appointments=told)
    return [illustrate_letter(letter, _last_turn(game, seat)) if begun else letter]


def _last_turn(game: Game, seat: Seat) -> BoardView:
    """Return the view of the newest results in a digest."""
    last = game.turns()[-1]
    wish = board_format_of(game.context, seat)
    reader = reader_of(game, seat)
    turn = find_system(game.system).turn(game.map, last.outcome)
    now = front_view(game, reader, wish, turn)
    return view_with_front(now, turn_view(game, reader, wish, last.phase, turn))


def _is_wanted(seat: Seat, kind: str) -> bool:
    """Return whether a seat's digest includes history entries of this kind."""
    if kind == LetterKind.PRESS.value and seat.role is Role.MONITOR:
        return False
    muted = [KINDS[word].value for word in muted_kinds(seat) if word in KINDS]
    if seat.role in (Role.PLAYER, Role.MASTER):
        return kind not in muted and kind in [each.value for each in digest_kinds(seat)]
    return kind not in (LetterKind.START.value, LetterKind.END.value, *muted)
