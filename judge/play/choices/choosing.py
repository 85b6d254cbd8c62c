"""SET: settings of the game by its master, of a seat by its person."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, timedelta
from zoneinfo import ZoneInfo

from judge.play.choices.chosen import DEFAULTS
from judge.play.choices.houserules import choices_of, usual_of
from judge.play.choices.nearby import near_settings
from judge.play.choices.settings import (
    HOUSE_RULES,
    Change,
    Scope,
    Takes,
    interpret,
    schedule_of,
    value_said,
)
from judge.play.clocks.absences import set_absence
from judge.play.clocks.deadlines import hour_of_deadlines, standing_instant
from judge.play.clocks.instants import read_instant
from judge.play.clocks.schedule import CLOCKS
from judge.play.game import Game
from judge.play.governing import freezing
from judge.play.governing.mastering import set_instant
from judge.play.letters.disguise import is_gunboat
from judge.play.letters.sifting import set_digest, set_notices
from judge.play.letters.telling import has_password, zone_of
from judge.play.office import owner_of
from judge.play.orders.ordering import set_wait
from judge.play.people import moving
from judge.play.people.eligibility import let_in, list_problem, taken_out
from judge.play.people.persons import prefer_language, set_name
from judge.play.people.wishes import read_wishes, wishes_told
from judge.play.session import Session
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
ENDS_VOTES = {"dias": "draw", "concessions": "concede"}
"""Settings whose change ends the votes in a matter."""

_PACE = ("cron", *(f"{clock}.{key}" for clock in CLOCKS for key in ("next", "min")))
"""Settings that say how long a phase takes."""


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
            replace(seat, settings={**seat.settings, "copies": change.value})
        )
        session.say(because("copies-on" if change.value else "copies-off"))
    elif name == "digest":
        set_digest(session, command, change.value)
    elif name == "preference":
        _set_preference(session, command, str(change.value))
    else:
        settings = {**seat.settings, name: change.value}
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
            session.say(_change_told(session.game, change))
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
    settings = {**seat.settings, "token": on}
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


def change_settings(game: Game, changes: Sequence[Change]) -> list[Reason]:
    """Put settings of a game to new values; return what is to be told of it.

    Votes for what is no longer voted on in that way end.
    """
    settings, news = dict(game.settings), []
    for change in changes:
        name = change.setting.name
        if name == "house":
            settings.update(HOUSE_RULES)
        elif _is_in_force(game, settings, change):
            settings[name] = change.value
            news.append(_change_told(game, change, already=True))
            continue
        settings[name] = change.value
        news.append(_change_told(game, change))
        if name in ENDS_VOTES:
            game.drop_ballots(ENDS_VOTES[name])
    game.change(settings=settings)
    if any(change.setting.name in _PACE for change in changes) and _is_hasty(game):
        minutes = game.office.policy.shortest // timedelta(minutes=1)
        news.append(because("clock-shortest", minutes=minutes))
    return news


def _is_hasty(game: Game) -> bool:
    """Tell whether a clock of a game is set faster than the operator lets it run."""
    schedule = schedule_of(game.chosen, game.office.policy.shortest)
    return any(schedule.is_hasty(clock, game.created) for clock in CLOCKS)


def _is_in_force(game: Game, settings: Mapping[str, object], change: Change) -> bool:
    """Tell whether a setting has the value already that it is to get."""
    name = change.setting.name
    if name.endswith(".delay"):
        # Unsaid it counts for several persons only (`clocks.early`).
        return settings.get(name) == change.value
    usual = {option.name: usual_of(option) for option in choices_of(game)}
    return settings.get(name, DEFAULTS.get(name, usual.get(name))) == change.value


def _change_told(game: Game, change: Change, *, already: bool = False) -> Reason:
    words, end = " ".join(change.setting.words), "-already" if already else ""
    if change.told:
        return because(f"setting-rule{end}", setting=words, told=change.told)
    if change.setting.takes is Takes.NOTHING:
        off = change.setting.off is not None and change.value == change.setting.off
        code = "setting-off" if off else "setting-holds" if already else "setting-now"
        return because(f"{code}{end}", setting=words, help=change.setting.help)
    code = "setting-already" if already else "setting-set"
    if change.setting.secret:
        code = "setting-set-secret"
    return because(code, setting=words, value=value_said(change.setting, change.value))
