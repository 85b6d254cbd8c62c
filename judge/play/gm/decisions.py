"""Decisions of the players, carried out once their votes have carried them."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import datetime
from typing import NamedTuple

from judge.games.system import Ending, Table
from judge.model.incoming import Line
from judge.model.letter import Letter, LetterKind
from judge.model.phrase import Phrase, phrase
from judge.model.record import GameState, Role, Seat, SeatState
from judge.play.choices.settings import change_settings, interpret
from judge.play.clocks.deadlines import describe_time_changes, extend, pause_clock, resume_clock
from judge.play.clocks.game_clock import next_wakeup, update_early_deadline
from judge.play.clocks.phases import end_game, ending_letters
from judge.play.game import Game, GameView, options_of, table_of
from judge.play.letters.letter_factory import announce, notice_to
from judge.play.queries import awaits_release, player_seats
from judge.play.votes import (
    MATTERS,
    drop_past_pauses,
    extension_of,
    find_carried_choice,
    lasts,
    pause_until,
    vote_line,
    votes_of_seat,
)


def _lasting(game: Game, matter: str) -> Phrase:
    if lasts(game, matter):
        return phrase("vote-stands", matter=matter.upper())
    return phrase("vote-expires", matter=matter.upper(), phase=game.phase)


def carry_out_votes(
    game: Game, matter: str, choice: str, now: datetime
) -> tuple[list[Phrase], list[Letter]]:
    """Carry out a decision. Return the public news, and letters of its own."""
    game.drop_ballots(matter)
    letters: list[Letter] = []
    match matter:
        case "draw":
            powers = tuple(choice.split(","))
            code = "draw-agreed" if game.chosen.dias else "draw-agreed-some"
            return [], _end(game, Ending(powers, phrase(code, powers=powers)), now)
        case "concede":
            reason = phrase("conceded", power=choice)
            return [], _end(game, Ending((choice,), reason), now)
        case "cancel":
            return [], _end(game, Ending((), phrase("cancelled", game=game.name)), now)
        case "clock":
            changes = interpret(choice.split(), False, game, Role.MASTER)
            # A zone or map that a later release no longer has leaves the times unchanged.
            news = change_settings(game, () if isinstance(changes, Phrase) else changes)
        case "rule":
            news, letters = _change_rule(game, choice)
        case "extend":
            before = game.record
            extend(game, extension_of(choice), now)
            news = [*describe_time_changes("vote-extended", before, game)]
        case "pause":
            until = pause_until(choice)
            pause_clock(game, now, "vote", until)
            news = [
                phrase("vote-paused-until", game=game.name, until=until.isoformat())
                if until else phrase("vote-paused", game=game.name)
            ]
        case _:
            before = game.record
            resume_clock(game, now)
            news = [
                phrase("vote-resumed", game=game.name),
                *describe_time_changes("deadline-now", before, game),
            ]
    due = next_wakeup(game) if game.state is GameState.RUNNING else game.clock.paused_until
    game.change(due=due)
    update_early_deadline(game, now)
    return news, letters


def _change_rule(game: Game, choice: str) -> tuple[list[Phrase], list[Letter]]:
    """Change a rule of a game.

    Return the news, and letters to powers that lose orders.
    """
    changes = interpret(choice.split(), False, game, Role.MASTER)
    # A rule that a later release no longer has leaves the game unchanged.
    changes = () if isinstance(changes, Phrase) else changes
    before = game.record
    change_settings(game, changes)
    news = [
        phrase("vote-rule-changed", game=game.name, rule=change.told)
        for change in changes if change.told
    ]
    letters = [
        notice_to(game, dropped.seat, [dropped.reason], LetterKind.NOTICE)
        for dropped in drop_impossible_orders(game, before)
    ]
    return news, letters


def _end(game: Game, ending: Ending, now: datetime) -> list[Letter]:
    end_game(game, ending, now)
    return ending_letters(game, ending)


def settle_votes(game: Game, now: datetime) -> list[Letter]:
    """Carry out matters that the present votes have carried.

    That may happen because a voter who blocked them has left.
    """
    letters: list[Letter] = []
    frozen = game.chosen.frozen in ("votes", "all")
    if frozen or not game.ballots():
        return letters
    drop_past_pauses(game, now)
    for matter in MATTERS.values():
        if game.state in matter.states:
            found = find_carried_choice(game, matter.name)
            if found is not None:
                news, own = carry_out_votes(game, matter.name, found, now)
                if news:
                    letters += announce(game, news[0], now, more=news[1:])
                letters += own
    return letters


def standing_votes(game: Game, seat: Seat) -> list[dict[str, object]]:
    """Return a seat's own current votes, for its receipts."""
    return [
        {
            "line": vote_line(game, ballot.matter, ballot.choice),
            "matter": ballot.matter,
            "lasting": _lasting(game, ballot.matter),
        }
        for ballot in votes_of_seat(game, seat.id)
    ]


class DroppedOrder(NamedTuple):
    """An order removed from file, with its seat and the reason for its player."""

    seat: Seat
    reason: Phrase


def drop_impossible_orders(game: Game, before: GameView) -> list[DroppedOrder]:
    """Remove orders that the rules allowed *before* but no longer allow.

    READY of their powers is cleared with them. While the result of a phase awaits its master,
    its orders stay unchanged.
    """
    if game.state not in (GameState.RUNNING, GameState.PAUSED) or awaits_release(game):
        return []
    found: list[DroppedOrder] = []
    if options_of(before) == options_of(game):
        return found
    old = table_of(before)
    for seat in player_seats(game):
        sheets = game.orders(game.phase)
        sheet = sheets.get(seat.power, "")
        possible = {order for order, why in _check_orders(old, seat.power, sheet) if why is None}
        dropped = {
            order: why for order, why in _check_orders(game.table, seat.power, sheet)
            if why and order in possible
        }
        if not dropped:
            continue
        lines = [Line(number, f"CANCEL {order}") for number, order in enumerate(dropped, 1)]
        game.file_sheets(game.phase, game.table.read_orders(lines, seat.power, sheets).sheets)
        if seat.ready:
            game.save_seat(replace(seat, ready=False))
        if seat.state is SeatState.OCCUPIED:
            found += [
                DroppedOrder(seat, phrase("order-impossible-now", order=order, reason=why))
                for order, why in dropped.items()
            ]
    return found


def _check_orders(table: Table, power: str, sheet: str) -> Iterator[tuple[str, Phrase | None]]:
    """Yield the orders of a sheet, with the reason for which they would be refused."""
    if not sheet:
        return
    nothing: Mapping[str, str] = {}
    for draft in table.show_sheet(power, sheet).draft:
        if not draft.open:
            [read] = table.read_orders([Line(1, draft.line)], power, nothing).lines[:1]
            yield draft.line, read.complaint.reason if read.complaint else None
