"""ROLLBACK and ROLLFORWARD: undo turns and restore them.

Undone turns are stored unchanged. They can be restored while the game is in the position where
they began. Seats do not change, and their present players go on.

The seed stays the same: the same orders in the same turn have the same result, so no one can
repeat a turn until they like the outcome. Only a game that was over gets a new seed, since its
old one was published.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, Self

from judge.digits import is_number
from judge.games import find_system
from judge.model.clock_state import EMPTY_CLOCK
from judge.model.command import Command, CommandForm, EchoPolicy, Permission, Where
from judge.model.letter import Letter, LetterKind
from judge.model.phrase import Phrase, phrase
from judge.model.record import NO_ID, GameState, Role, RollbackRecord, Seat, SeatState, Turn
from judge.play.clocks.deadlines import pause_clock
from judge.play.clocks.game_clock import update_early_deadline
from judge.play.clocks.phases import carried_sheets, open_phase, renew_seed, vacancy
from judge.play.commands.row import command, reads
from judge.play.commands.session import Session
from judge.play.future_orders import apply_stored_orders, sheet_facts
from judge.play.game import Game, options_of
from judge.play.letters.letter_factory import (
    letter_to,
    owed_facts,
    present_seats,
    record_in_history,
)
from judge.play.post_game import open_post_game_press
from judge.play.queries import player_seats, reader_of, sides_of


class _TargetPhase(NamedTuple):
    """Phase to which a game can be turned: label, number, position and orders."""

    phase: str
    number: int
    position: str
    orders: Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Turning(Command):
    """ROLLBACK or ROLLFORWARD to a phase: `ROLLBACK S1901M`.

    The confirming line is `ROLLBACK marco F1901M TO S1901M`. *words* are the words as typed. A
    number may count the phases instead, as in nJudge.
    """

    words: tuple[str, ...] = ()
    restore: bool = False
    """True if the orders of that phase are filed again."""
    full: bool = False
    """True if FULL was written, a word of nJudge that is answered with an explanation."""

    @reads()
    @classmethod
    def read(cls, *typed: str, at: Where) -> Self:
        """Read RESTORE and FULL. The other words depend on the game."""
        words = [word.strip(",.;:!") for word in typed]
        upper = [word.upper() for word in words]
        named = tuple(word for word in words if word and word.upper() not in ("RESTORE", "FULL"))
        return cls(**at, words=named, restore="RESTORE" in upper, full="FULL" in upper)


@command(
    CommandForm("ROLLBACK, ROLL BACK", "ROLLBACK", EchoPolicy.ALL), who=Permission.MASTER,
    rule="roll_back", told=True,
)
class RollBack(Turning):
    """Command of masters that undoes all turns since the beginning of a phase."""

    def run(self, session: Session) -> None:
        """Undo all turns since the beginning of a phase, after a question."""
        game = session.game
        stops = _earlier_phases(game)
        if game.turn == 0 or not stops:
            session.refuse(self, phrase("rollback-nothing", game=game.name))
            return
        asked = _parse_request(game, self.words)
        stop = _find_target(asked, stops, stops[-1])
        if self.full:
            session.refuse(self, phrase("rollback-full"), _ask_to_confirm(self, stop or stops[-1]))
        elif stop is None:
            span = {"first": stops[0].phase, "last": stops[-1].phase}
            reason = phrase("rollback-beyond", game=game.name, **span)
            session.refuse(self, reason, _ask_to_confirm(self, stops[-1]))
        elif not asked.is_sure(game):
            reason = phrase("rollback-sure", game=game.name, phase=stop.phase, now=game.phase)
            session.ask_back(self, reason, _confirming_line(self, game, stop))
        else:
            game.undo(stop.number, session.now)
            news = [phrase("rolled-back", game=game.name, phase=stop.phase, before=game.phase)]
            if game.state is GameState.ENDED:
                _offer_powers(session, game)
                game.change(state=GameState.RUNNING)
                news.append(renew_seed(game, session.now))
            game.change(
                position=stop.position, phase=stop.phase, turn=stop.number, ended=None, result=""
            )
            restored = stop.orders if self.restore else {}
            _resume_game(session, game, news, {stop.phase: restored})


def _offer_powers(session: Session, game: Game) -> None:
    """Offer the powers of a reopened game whose players left after its end."""
    context = session.context
    seated = {seat.power for seat in player_seats(game)}
    for side in sides_of(game):
        if side.name not in seated:
            seat = Seat(
                NO_ID, game.id, Role.PLAYER, SeatState.VACANT, power=side.name, since=session.now
            )
            context.games.add_seat(seat)
            session.announce(game, vacancy(game, side.name), LetterKind.VACANCY)


def _earlier_phases(game: Game) -> list[_TargetPhase]:
    """Return the phases a game can go back to.

    For a game that is over this includes its last phase.
    """
    stops = [
        _TargetPhase(turn.phase, turn.number, turn.before, turn.orders)
        for turn in game.turns()
    ]
    if game.state is GameState.ENDED:
        stops.append(_TargetPhase(game.phase, game.turn, game.position, {}))
    return stops


class _Request(NamedTuple):
    """Meaning of the words of a command.

    They name the target phase, by label or number. In a confirming line they also name the game
    and its present phase.
    """

    game: str = ""
    present: str = ""
    phase: str = ""
    number: int = 0
    is_unknown: bool = False
    """True if some words name none of these."""

    def is_sure(self, game: Game) -> bool:
        """Return whether this is the confirming line, and the phase is still the same."""
        return (self.game, self.present) == (game.name, game.phase)


_UP_TO = ("to", "until", "till")
_IDLE = ("turn", "phase")


def _parse_request(game: Game, words: Sequence[str]) -> _Request:
    """Read the words of a command.

    The game's system knows the labels of phases. Any other words except the game and a number
    make the target unknown, which turns nothing back.
    """
    low = [word.lower() for word in words]
    parting = next((at for at, word in enumerate(low) if word in _UP_TO), None)
    if parting is not None:
        before, behind = words[:parting], words[parting + 1 :]
        there = _parse_request(game, behind) if behind else _Request(is_unknown=True)
        name, present = _find_game_and_phase(game, before)
        return there._replace(game=name, present=present or there.present)
    name, label = _find_game_and_phase(game, words)
    left = [word for word in low if word not in (game.name, *_IDLE)]
    if label or not left:
        return _Request(name, "", label)
    number = int(left[0]) if len(left) == 1 and is_number(left[0], 5) else 0
    return _Request(name, "", "", number, is_unknown=not number)


def _find_game_and_phase(game: Game, words: Sequence[str]) -> tuple[str, str]:
    """Return the game that the first word names, and the phase that the others name."""
    find = find_system(game.system).find_phase
    for start, name in ((0, ""), (1, words[0].lower() if words else "")):
        for most in (words[start:], [x for x in words[start:] if x.lower() not in _IDLE]):
            if most and (label := find(" ".join(most))):
                return name, label
    return (words[0].lower() if words else ""), ""


def _find_target(
    asked: _Request, stops: Sequence[_TargetPhase], default: _TargetPhase
) -> _TargetPhase | None:
    """Return the requested phase, *default* if none was named, or None.

    Of several phases with that label the last one counts. None if no phase has it.
    """
    if asked.is_unknown:
        return None
    if not asked.phase and not asked.number:
        return default
    named = [x for x in stops if x.phase == asked.phase or x.number == asked.number]
    return named[-1] if named else None


def _confirming_line(command: Turning, game: Game, stop: _TargetPhase) -> str:
    """Return the line that confirms a command whose effect was shown."""
    return _line(command, f"{game.name} {game.phase} TO {stop.phase}")


def _ask_to_confirm(command: Turning, stop: _TargetPhase) -> str:
    """Return a line whose reply shows the effect and asks for confirmation."""
    return _line(command, stop.phase)


def _line(command: Turning, where: str) -> str:
    word = "ROLLBACK" if isinstance(command, RollBack) else "ROLLFORWARD"
    return f"{word} {where}{' RESTORE' if command.restore else ''}"


@command(
    CommandForm("ROLLFORWARD, ROLL FORWARD", "ROLLFORWARD", EchoPolicy.ALL), who=Permission.MASTER,
    rule="roll_forward", told=True,
)
class RollForward(Turning):
    """Command of masters that restores undone turns, up to a phase."""

    def run(self, session: Session) -> None:
        """Restore undone turns, up to a phase, after a question."""
        game = session.game
        chain = _find_undone_turns(game)
        last = _find_state_after(game, chain)
        stops = _later_phases(game, chain, last)
        if game.state not in (GameState.RUNNING, GameState.PAUSED) or not stops:
            session.refuse(self, phrase("rollforward-nothing", game=game.name, phase=game.phase))
            return
        asked = _parse_request(game, self.words)
        stop = _find_target(asked, stops, stops[-1])
        if stop is None:
            span = {"first": stops[0].phase, "last": stops[-1].phase}
            reason = phrase("rollforward-beyond", game=game.name, **span)
            session.refuse(self, reason, _ask_to_confirm(self, stops[-1]))
        elif not asked.is_sure(game):
            reason = phrase("rollforward-sure", game=game.name, phase=stop.phase, now=game.phase)
            session.ask_back(self, reason, _confirming_line(self, game, stop))
        else:
            game.drop_orders(game.phase)
            game.redo([found for found in chain if found[1].number < stop.number])
            news = phrase("rolled-forward", game=game.name, phase=stop.phase, before=game.phase)
            game.change(position=stop.position, phase=stop.phase, turn=stop.number)
            if last and stop is stops[-1]:
                _restore_end(session, game, last, news)
            else:
                restored = stop.orders if self.restore else {}
                _resume_game(session, game, [news], {stop.phase: restored})


def _find_undone_turns(game: Game) -> list[tuple[int, Turn]]:
    """Return the undone turns that can follow the present position, in order.

    If a turn was undone more than once, the latest time counts.
    """
    undone = game.context.archive.turns(game.id)
    chain: list[tuple[int, Turn]] = []
    number, position = game.turn, game.position
    while True:
        fits = [x for x in undone if (x[1].number, x[1].before) == (number, position)]
        if not fits:
            return chain
        chain.append(fits[0])
        number, position = number + 1, fits[0][1].after


def _find_state_after(game: Game, chain: Sequence[tuple[int, Turn]]) -> RollbackRecord | None:
    """Return the stored state of the game after all undone turns, or None."""
    end = (chain[-1][1].number + 1, chain[-1][1].after) if chain else (game.turn, game.position)
    for undone in game.context.archive.undone(game.id):
        if (undone.turn, undone.position) == end and (chain or undone.state == "ended"):
            return undone
    return None


def _later_phases(
    game: Game, chain: Sequence[tuple[int, Turn]], last: RollbackRecord | None
) -> list[_TargetPhase]:
    """Return the phases a game can be brought forward to, including the last one."""
    stops = [
        _TargetPhase(turn.phase, turn.number, turn.before, turn.orders) for _, turn in chain[1:]
    ]
    if last:
        orders = last.orders.get(last.phase, {})
        return [*stops, _TargetPhase(last.phase, last.turn, last.position, orders)]
    if chain:
        turn = chain[-1][1]
        system = find_system(game.system)
        label = system.table(game.map, turn.after, options_of(game)).phase.label
        stops.append(_TargetPhase(label, turn.number + 1, turn.after, {}))
    return stops


def _restore_end(session: Session, game: Game, last: RollbackRecord, news: Phrase) -> None:
    """Restore the state of a game before its rollback: orders on file, and its end."""
    if last.state != GameState.ENDED.value:
        _resume_game(session, game, [news], last.orders)
        return
    game.change(
        state=GameState.ENDED, ended=last.ended, result=last.result, deadline=None,
        grace_until=None, due=None, clock=EMPTY_CLOCK, branch=game.branch + 1,
    )
    open_post_game_press(game, session.now)
    game.drop_ballots()
    announce_rollback(session, game, [news, phrase("turned-ended", game=game.name)])


def _resume_game(
    session: Session, game: Game, news: Sequence[Phrase],
    orders: Mapping[str, Mapping[str, str]],
) -> None:
    """Open the phase that a game was turned to, with *orders* on file.

    With orders on file it waits for its deadline. It would be adjudicated at once if they are
    complete.
    """
    context, now = session.context, session.now
    paused, by = game.state is GameState.PAUSED, game.clock.paused_by or "master"
    until = game.clock.paused_until
    game.drop_ballots()
    for seat in player_seats(game):
        if seat.missed:
            context.games.save_seat(replace(seat, missed=0))
    game.change(state=GameState.RUNNING, branch=game.branch + 1)
    open_phase(game, now)
    for phase, sheets in orders.items():
        game.file_sheets(phase, sheets)
    kept = any(orders.values())
    if not kept and (carried := carried_sheets(game)):
        game.file_sheets(game.phase, carried)
    # A plan may have been made for this phase while the game was in an earlier one.
    taken_up = apply_stored_orders(game) if game.plans() else []
    if kept and game.deadline:
        game.change(clock=replace(game.clock, not_before=game.deadline))
    if paused:
        pause_clock(game, now, by, until)
    update_early_deadline(game, now)
    orders_told = phrase("turned-orders-back" if kept else "turned-no-orders")
    announce_rollback(session, game, [*news, orders_told])
    session.queue(*taken_up)


def announce_rollback(session: Session, game: Game, news: Sequence[Phrase]) -> None:
    """Send the present state of the game to all, and record *news[0]* in HISTORY."""
    record_in_history(game, news[0], session.now)
    session.queue(*(_turned_letter(game, seat, news) for seat in present_seats(game)))
    session.done(news[0])


def _turned_letter(game: Game, seat: Seat, news: Sequence[Phrase]) -> Letter:
    """Return the letter to a seat: change, position and missing orders."""
    owed = owed_facts(game, seat)
    if not owed["due"]:
        # A seat with nothing to decide is not asked for orders.
        asks = "turned-no-orders"
        news = [phrase("turned-none-due") if each.code == asks else each for each in news]
    facts = {
        "reasons": news, "standing": game.table.position_facts(reader_of(game, seat)), "owed": owed,
        "sheet": sheet_facts(game, seat.power) if owed["due"] else None,
    }
    return letter_to(game, seat, LetterKind.NOTICE, "turned", facts, phrase("event-turned"))
