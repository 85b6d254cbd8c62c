"""SET: settings of games, by their masters, and of seats, by whoever sits there."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC
from zoneinfo import ZoneInfo

from judge.play.choices.choosing import change_settings, change_told
from judge.play.choices.nearby import near_settings
from judge.play.choices.settings import Change, interpret
from judge.play.choices.settingtable import Scope, Takes
from judge.play.clocks.deadlines import hour_of_deadlines, standing_instant
from judge.play.commands.mastering import freezing
from judge.play.commands.mastering.running import set_instant
from judge.play.commands.orders.ordering import set_wait
from judge.play.commands.seats import moving
from judge.play.commands.seats.absences import set_absence
from judge.play.commands.seats.notices import set_digest, set_notices
from judge.play.commands.seats.persons import prefer_language, set_name
from judge.play.commands.session import Session
from judge.play.game import Game
from judge.play.letters.disguise import is_gunboat
from judge.play.letters.telling import has_password, zone_of
from judge.play.office import owner_of
from judge.play.people.eligibility import let_in, list_problem, taken_out
from judge.play.people.wishes import read_wishes, wishes_told
from judge.play.times.instants import read_instant
from judge.words.reason import Reason, because
from judge.words.record import GameState, Role
from judge.words.seats import ChangeSetting

MASTER_CHANGED = "master-changed"
"""Says, before all that a mail changes, who has changed it."""
UNTOLD = (
    "setting-set-secret", "setting-already", "setting-holds-already", "setting-off-already",
    "setting-rule-already",
)
"""What of a setting is its master's alone to hear."""


def change_setting(session: Session, command: ChangeSetting) -> None:
    """Carry out one SET line: all of it or, if anything in it is wrong, nothing."""
    game, seat = session.game, session.seat
    changes = interpret(command.words, command.off, game, seat.role)
    if isinstance(changes, Reason):
        near = near_settings(command.words, command.off, game, seat.role)
        session.refuse(command, changes, *(near if changes.code == "setting-unknown" else ()))
        return
    for change in changes:
        problem = _problem(game, seat.role, change)
        if problem:
            session.refuse(command, problem)
            return
    if changes[0].setting.name == "frozen":
        freezing.freeze(session, command, changes[0])
        return
    if changes[0].setting.takes is Takes.PERIOD:
        set_absence(session, command, changes[0])
        return
    if changes[0].setting.takes is Takes.INSTANT:
        if not _set_instant(session, command, changes[0]):
            return
    elif changes[0].setting.scope is Scope.SEAT:
        complaints = len(session.current.complaints)
        _change_seat(session, command, changes[0])
        if len(session.current.complaints) > complaints:
            return
    elif changes[0].setting.takes is Takes.ADDRESSES:
        if problem := list_problem(game, changes[0], command.words):
            session.refuse(command, problem)
            return
        for address in taken_out(command.words):
            let_in(game, address)
        apply_changes(session, game, changes)
    else:
        apply_changes(session, game, changes)
    if changes[0].setting.takes is not Takes.ADDRESSES:
        _note_contradictions(session, game, changes)


def _problem(game: Game, role: Role, change: Change) -> Reason | None:
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
    shows = {"gunboat": game.chosen.show_addresses, "show_addresses": is_gunboat(game)}
    if change.value and shows.get(change.setting.name):
        return because("gunboat-shows-nobody")
    return None


def _note_contradictions(session: Session, game: Game, changes: Sequence[Change]) -> None:
    """Say so where a mail sets again what it has set already: the last line counts."""
    for change in changes:
        key = (game.id, change.setting.name)
        value = (change.value, change.raw)
        if session.set_before.get(key, value) != value:
            session.say(because("setting-again", setting=" ".join(change.setting.words)))
        session.set_before[key] = value


def _set_instant(session: Session, command: ChangeSetting, change: Change) -> bool:
    """Carry out SET DEADLINE and its like; tell whether it could be."""
    game = session.game
    zone = ZoneInfo(zone_of(game, session.seat))
    # What is added is added to what stands: "+24h" never takes time away.
    adds = bool(change.raw) and change.raw[0].startswith("+")
    stands = standing_instant(game, change.setting.name) if adds else None
    since = max(stands or session.now, session.now)
    instant = read_instant(change.raw, since, zone, hour=hour_of_deadlines(game))
    problem = (
        instant
        if isinstance(instant, Reason)
        else set_instant(session, change.setting.name, instant.astimezone(UTC))
    )
    if problem:
        session.refuse(command, problem)
    return problem is None


def _change_seat(session: Session, command: ChangeSetting, change: Change) -> None:
    seat, name = session.seat, change.setting.name
    if name == "address" and owner_of(seat):
        session.refuse(command, because("sitter-no-address", power=seat.power))
    elif name == "address":
        moving.ask(session, command, str(change.value))
    elif name == "token":
        _set_token(session, command, bool(change.value))
    elif name == "wait":
        set_wait(session, bool(change.value))
    elif name == "name":
        set_name(session, str(change.value))
        session.say(because("setting-set", setting="NAME", value=str(change.value) or "none"))
    elif name == "notices" and isinstance(change.value, tuple):
        set_notices(session, command, change.value)
    elif name == "copies":
        session.office.games.save_seat(
            replace(seat, settings=seat.settings.said(name, change.value))
        )
        session.say(because("copies-on" if change.value else "copies-off"))
    elif name == "digest":
        set_digest(session, command, seat.settings.said(name, change.value).digest)
    elif name == "preference":
        _set_preference(session, command, str(change.value))
    else:
        settings = seat.settings.said(name, change.value)
        session.office.games.save_seat(replace(seat, settings=settings))
        if name == "orders":
            session.current.fresh = change.value == "replace"
        if name in ("map", "format"):
            session.say(because(f"{name}-{change.value}"))
        elif name == "language":
            prefer_language(session, str(change.value))
            session.say(because(f"language-{change.value}"))
        elif name in ("preview", "calendar"):
            session.say(because(f"{name}-{'on' if change.value else 'off'}"))
        elif isinstance(change.value, bool):
            session.say(change_told(session.game, change))
        else:
            session.say(because("setting-set", setting=name.upper(), value=str(change.value)))


def _set_preference(session: Session, command: ChangeSetting, text: str) -> None:
    """Keep which powers a player would like, if they can be read; say how they were."""
    wishes, near = read_wishes(text, session.game)
    if isinstance(wishes, Reason):
        session.refuse(command, wishes, *near)
        return
    session.office.games.save_seat(replace(session.seat, preference=wishes))
    told = wishes_told(wishes, session.game)
    session.say(because("preference-set", preference=wishes, order=told) if wishes
                else because("preference-none"))


def _set_token(session: Session, command: ChangeSetting, on: bool) -> None:
    """Give a seat's letters reply tokens, or none: then all that were ever sent are dead."""
    seat = session.seat
    if not on and not has_password(seat):
        session.refuse(command, because("token-needed"))
        return
    settings = replace(seat.settings, token=on)
    epoch = seat.epoch if on else seat.epoch + 1
    session.office.games.save_seat(replace(seat, settings=settings, epoch=epoch))
    session.say(because("token-on" if on else "token-off"))


def apply_changes(session: Session, game: Game, changes: Sequence[Change]) -> None:
    """Put settings of a game to new values at once and announce them."""
    told = []
    for reason in change_settings(game, changes):
        if changes[0].setting.takes is Takes.ADDRESSES:
            # Of a list that grows line by line the whole is told once.
            session.retract([old for old in session.current.done if _is_about_same(old, reason)])
        session.say(reason)
        if game.state is not GameState.FORMING and reason.code not in UNTOLD:
            told.append(reason)
    if told and not session.tells(game, MASTER_CHANGED):
        session.add_news(game, because(MASTER_CHANGED, game=game.name))
    for reason in told:
        session.announce(game, _to_others(reason))


def _is_about_same(old: Reason, new: Reason) -> bool:
    return old.code == new.code and old.facts.get("setting") == new.facts.get("setting")


def _to_others(reason: Reason) -> Reason:
    """Return what others are told of a setting: what the master wrote himself is his."""
    if reason.code == "setting-set" and reason.facts["setting"] == "COMMENT":
        return because("setting-comment", setting="COMMENT", cited=reason.facts["value"])
    return reason
