"""Acts of the operator on games and people, from the terminal.

Errors are raised for the operator. The people concerned are sent a letter about the act, and it
appears in the game's log like the acts of its masters.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from judge.errors import JudgeError
from judge.model.letter import Letter, LetterKind
from judge.model.phrase import Phrase, phrase
from judge.model.record import NO_ID, GameState, Role, Seat, SeatState
from judge.play.choices.settingtable import is_address
from judge.play.clocks.deadlines import describe_time_changes, pause_clock, resume_clock
from judge.play.clocks.game_clock import next_wakeup, update_early_deadline
from judge.play.clocks.phases import vacancy, vacate
from judge.play.game import Context, Game
from judge.play.gm.decisions import settle_votes
from judge.play.gm.masters import WATCHERS, demote_master, log_act, make_master, masters_of
from judge.play.letters.letter_factory import announce, notice_to, present_seats
from judge.play.people.admission import own_settings
from judge.play.people.sitting import adverts, end_sitting
from judge.play.queries import is_frozen, is_open, is_present, owner_of

WHO = "The operator of this judge"


def _act(
    game: Game, line: str, news: Phrase, now: datetime,
    more: Sequence[Phrase] = (), but: Sequence[int] = (),
) -> list[Letter]:
    """Log an act of the operator and announce it to everyone in the game."""
    log_act(game, phrase("master-act", who=WHO, line=line), now, told=True)
    return announce(game, news, now, more=more, but=but)


def pause(game: Game, now: datetime) -> list[Letter]:
    """Stop a game's clock.

    Raises:
        JudgeError: the game is not running.
    """
    if game.state is not GameState.RUNNING:
        raise JudgeError(f"{game.name} is {game.state.value}, so it cannot be paused")
    pause_clock(game, now, by="keeper")
    return _act(game, "PAUSE", phrase("keeper-paused", game=game.name), now)


def resume(game: Game, now: datetime) -> list[Letter]:
    """Resume a paused game with the time that was left.

    Raises:
        JudgeError: the game is not paused, or frozen by its master.
    """
    if game.state is not GameState.PAUSED:
        raise JudgeError(f"{game.name} is {game.state.value}, not paused")
    if is_frozen(game):
        raise JudgeError(f"{game.name} is frozen: its master's UNFREEZE lets it go on")
    before = game.record
    resume_clock(game, now)
    game.change(due=next_wakeup(game))
    update_early_deadline(game, now)
    resumed = phrase("keeper-resumed", game=game.name)
    news = describe_time_changes("keeper-resumed", before, game, resumed)
    return _act(game, "RESUME", news[0], now, more=news[1:])


def give(game: Game, address: str, now: datetime) -> list[Letter]:
    """Make a person the only master of a game. Its former masters observe it.

    Raises:
        JudgeError: the game is over, the address is not valid, or is a master's.
    """
    low = address.lower()
    if not is_address(low):
        raise JudgeError(f"{address!r} is no mail address")
    if not is_open(game):
        raise JudgeError(f"{game.name} is over")
    seats = [seat for seat in present_seats(game) if seat.address.lower() == low]
    if any(seat.role is Role.MASTER for seat in seats):
        raise JudgeError(f"{address} is a master of {game.name} already")
    if any(seat.role is Role.PLAYER for seat in seats):
        game.change_settings(gm_plays=True)
    letters = []
    for master in masters_of(game):
        gone = demote_master(game.context, master)
        told = phrase("demoted-you", game=game.name)
        letters.append(notice_to(game, gone, [told], LetterKind.NOTICE))
    watching = [seat for seat in seats if seat.role in WATCHERS]
    seat = watching[0] if watching else game.add_seat(
        Seat(NO_ID, game.id, Role.MASTER, SeatState.OCCUPIED, address=low,
             settings=own_settings(game.context, low), since=now)
    )
    seat = make_master(game, seat, now)
    letters.append(notice_to(game, seat, [phrase("given-you", game=game.name)], LetterKind.NOTICE))
    news = phrase("new-master", game=game.name)
    return letters + _act(game, "GIVE ***", news, now, but=[seat.id])


def delete(game: Game) -> list[Letter]:
    """Delete a game. Return letters about it, without tokens."""
    reason = phrase("game-deleted", game=game.name)
    letters = [
        replace(notice_to(game, seat, [reason], LetterKind.NOTICE), token="", unsubscribe="")
        for seat in present_seats(game)
    ]
    game.context.games.remove(game.id)
    return letters


def ban(context: Context, address: str, vacated: bool, now: datetime) -> list[Letter]:
    """Ban an address, or a whole domain ("@example.org").

    A ban of an address covers the person, with all their addresses. With `vacated` their seats
    are given up too. One letter informs the person. After that no mail from there is answered.

    Raises:
        JudgeError: it is banned already, is no address, or is the operator's or the judge's.
    """
    low = address.lower()
    own = {context.policy.keeper.lower(), context.policy.address.lower()}
    domains = {"@" + each.rpartition("@")[2] for each in own}
    whole = low.startswith("@")
    if not is_address("x" + low if whole else low) or low in own | domains:
        raise JudgeError(f"{address!r} cannot be banned")
    if not context.bans.ban(low, now):
        raise JudgeError(f"{address} is banned already")
    if whole:
        return []
    facts = {"reason": phrase("banned-you")}
    letters = [Letter(LetterKind.NOTICE, low, "Your mail is no longer taken", "fault", facts)]
    for each in context.aliases.addresses_of(low) if vacated else ():
        letters += _vacate_seats(context, each, now)
    return letters


def _vacate_seats(context: Context, address: str, now: datetime) -> list[Letter]:
    """Remove a person from every seat in open games, but keep a game's only master."""
    letters: list[Letter] = []
    for seat in context.games.seats_at(address):
        game = context.games.get(seat.game)
        if not is_open(game) or not is_present(seat):
            continue
        if owner_of(seat):
            letters += end_sitting(game, seat, now)
        elif seat.role is Role.MASTER:
            if len(masters_of(game)) > 1:
                demote_master(context, seat, gone=True)
                letters += announce(game, phrase("demoted", game=game.name), now)
        elif seat.power and seat.state is SeatState.OCCUPIED:
            letters += _vacate_power(game, seat, now)
        else:
            context.games.save_seat(replace(seat, state=SeatState.LEFT, epoch=seat.epoch + 1))
    return letters


def _vacate_power(game: Game, seat: Seat, now: datetime) -> list[Letter]:
    """Make a power vacant, as after an EJECT."""
    news = phrase("keeper-vacated", power=seat.power, game=game.name)
    letters = _act(game, f"EJECT {seat.power}", news, now, but=[seat.id])
    vacate(game, seat, now)
    letters += announce(game, vacancy(game, seat.power), now, kind=LetterKind.VACANCY)
    letters += adverts(game, seat, now)
    letters += settle_votes(game, now)
    update_early_deadline(game, now)
    return letters


def only_master_of(context: Context, address: str) -> list[str]:
    """Return the names of the open games that have no other master than this address."""
    games = [
        context.games.get(seat.game)
        for seat in context.games.seats_at(address)
        if seat.role is Role.MASTER
    ]
    return [game.name for game in games if is_open(game) and len(masters_of(game)) == 1]
