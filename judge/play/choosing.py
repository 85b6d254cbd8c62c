"""SET: settings of the game by its master, of a seat by its person."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC
from zoneinfo import ZoneInfo

from judge.play import moving
from judge.play.instants import read_instant
from judge.play.mastering import set_instant
from judge.play.ordering import set_wait
from judge.play.session import Session
from judge.play.settings import HOUSE_RULES, Change, Scope, Takes, interpret
from judge.play.signup import password_problem
from judge.play.telling import zone_of
from judge.words.command import ChangePassword, ChangeSetting
from judge.words.reason import Reason, because
from judge.words.record import GameRecord, GameState, Role


def change_setting(session: Session, command: ChangeSetting) -> None:
    """Carry out one SET line: all of it or, if anything in it is wrong, nothing."""
    game, seat = session.game, session.seat
    changes = interpret(command.words, command.off, game, seat.role)
    if isinstance(changes, Reason):
        session.refuse(command, changes)
        return
    for change in changes:
        problem = _problem(game, seat.role, change)
        if problem:
            session.refuse(command, problem)
            return
    if changes[0].setting.takes is Takes.INSTANT:
        _set_instant(session, command, changes[0])
    elif changes[0].setting.scope is Scope.SEAT:
        _change_seat(session, command, changes[0])
    else:
        apply_changes(session, game, changes)


def _problem(game: GameRecord, role: Role, change: Change) -> Reason | None:
    """Return why this person may not change that now, or None."""
    name = " ".join(change.setting.words)
    if change.setting.scope is Scope.GAME and role is not Role.MASTER:
        return because("setting-master-only", setting=name)
    if change.setting.name in ("wait", "preference") and role is not Role.PLAYER:
        return because("setting-player-only", setting=name)
    if change.setting.before_start and game.state is not GameState.FORMING:
        return because("setting-before-start", setting=name)
    if game.state is GameState.ENDED:
        return because("already-over", game=game.name)
    return None


def _set_instant(session: Session, command: ChangeSetting, change: Change) -> None:
    zone = ZoneInfo(zone_of(session.game, session.seat))
    instant = read_instant(change.raw, session.now, zone)
    problem = (
        instant
        if isinstance(instant, Reason)
        else set_instant(session, change.setting.name, instant.astimezone(UTC))
    )
    if problem:
        session.refuse(command, problem)


def _change_seat(session: Session, command: ChangeSetting, change: Change) -> None:
    seat, name = session.seat, change.setting.name
    if name == "address":
        moving.ask(session, command, str(change.value))
    elif name == "token":
        _set_token(session, bool(change.value))
    elif name == "wait":
        set_wait(session, bool(change.value))
    elif name == "preference":
        session.office.games.save_seat(replace(seat, preference=str(change.value)))
        session.say(because("preference-set", preference=str(change.value) or "none"))
    else:
        settings = {**seat.settings, name: change.value}
        session.office.games.save_seat(replace(seat, settings=settings))
        session.say(because("setting-set", setting=name.upper(), value=str(change.value)))


def _set_token(session: Session, on: bool) -> None:
    """Give a seat's letters reply tokens, or none: then all that were ever sent are dead."""
    seat = session.seat
    settings = {**seat.settings, "token": on}
    epoch = seat.epoch if on else seat.epoch + 1
    session.office.games.save_seat(replace(seat, settings=settings, epoch=epoch))
    session.say(because("token-on" if on else "token-off"))


def apply_changes(session: Session, game: GameRecord, changes: Sequence[Change]) -> None:
    """Put settings of a game to new values at once and announce them."""
    settings = dict(game.settings)
    for change in changes:
        name = change.setting.name
        if name == "house":
            settings.update(HOUSE_RULES)
        elif settings.get(name) == change.value:
            continue
        settings[name] = change.value
        reason = _change_told(game, change)
        session.say(reason)
        if game.state is not GameState.FORMING:
            session.announce(game, reason)
    session.office.games.save(replace(game, settings=settings))


def _change_told(game: GameRecord, change: Change) -> Reason:
    if change.setting.takes is Takes.NOTHING:
        words = " ".join(change.setting.words)
        off = change.setting.off is not None and change.value == change.setting.off
        said = f"NO {words}" if off else words
        return because("setting-now", setting=said, help=change.setting.help)
    value = change.value
    shown = f"{value:g}" if isinstance(value, float) else str(value) or "none"
    return because("setting-set", setting=" ".join(change.setting.words), value=shown)


def change_password(session: Session, command: ChangePassword) -> None:
    """Give a seat a new password; its reply tokens end with the old one."""
    problem = password_problem(command.password)
    if problem:
        session.refuse(command, problem)
        return
    seat = session.seat
    hashed = session.office.keyring.hash(command.password)
    session.office.games.save_seat(replace(seat, password=hashed, epoch=seat.epoch + 1))
    session.say(because("password-changed"))
