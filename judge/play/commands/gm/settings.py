"""SET: settings of games, by their masters, and of seats, by their people."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from judge.games import find_system
from judge.games.capabilities import Bots
from judge.model.command import AuditDetail, BlockForm, CommandForm, EchoPolicy
from judge.model.phrase import Phrase, phrase
from judge.model.record import GameState, Role, Seat
from judge.model.seat_commands import ChangeSetting
from judge.play.choices.capabilities import capability_refusal, offers
from judge.play.choices.legacy_settings import legacy_answer
from judge.play.choices.settings import (
    SettingChange,
    change_settings,
    describe_setting_change,
    interpret,
    near_settings,
    too_late,
)
from judge.play.choices.settingtable import Scope, Takes, is_address
from judge.play.clocks.deadlines import hour_of_deadlines, standing_instant
from judge.play.commands.gm import remapping, running
from judge.play.commands.gm.running import set_instant
from judge.play.commands.orders.ordering import set_wait
from judge.play.commands.row import DECLARED, END_OF_FIELDS, CommandRow
from judge.play.commands.seats import address_change
from judge.play.commands.seats.absences import set_absence, set_digest, set_notices
from judge.play.commands.seats.persons import prefer_language, set_name
from judge.play.commands.session import Session
from judge.play.game import Game
from judge.play.gm.decisions import drop_impossible_orders
from judge.play.letters.anonymity import is_gunboat
from judge.play.letters.letter_factory import has_password, zone_of
from judge.play.parse_time import read_duration, read_instant
from judge.play.people.admission import allow_return, list_problem, taken_out
from judge.play.people.power_allocation import (
    describe_preferences,
    parse_known_preferences,
    parse_preferences,
)
from judge.play.queries import is_open, is_present, owner_of, player_seats

MASTER_CHANGED = "master-changed"
"""Code of the news that names the master, before the changes of one mail."""
UNTOLD = (
    "setting-set-secret", "setting-already", "setting-holds-already", "setting-off-already",
    "setting-rule-already",
)
"""Codes of reports about settings that only the master gets."""


AFTER_END = frozenset("tell_name own_press language format zone copies notices digest".split())
"""Settings of a seat that may be SET after the end, as letters go on for a while."""


def change_setting(session: Session, command: ChangeSetting) -> None:
    """Carry out one SET line: all of it, or nothing if anything in it is wrong."""
    game, seat = session.game, session.seat
    if (words := remapping.map_wished(command, seat.role)) is not None:
        remapping.change_map(session, command, words)
        return
    command = _as_written_here(session, command)
    changes = interpret(command.words, command.off, game, seat.role)
    if isinstance(changes, Phrase):
        clocks = [kind.words[0] for kind in find_system(game.system).clocks]
        old = legacy_answer(command.words, command.off, clocks)
        if old and changes.code in ("setting-unknown", "setting-not-off"):
            session.refuse(command, old.reason, *old.lines)
            return
        if command.words[0].upper() == "NEGOTIATION" and changes.code == "duration-unreadable":
            session.refuse(command, changes, *_end_lines(session, command.words[1:]))
            return
        near = near_settings(command.words, command.off, game, seat.role)
        session.refuse(command, changes, *(near if changes.code == "setting-unknown" else ()))
        return
    refusals = session.refusals
    for change in changes:
        problem = _problem(game, seat.role, change)
        if problem:
            lines = _by_vote(command, change) if seat.role is Role.PLAYER else ()
            session.refuse(command, problem, *(lines or _instead(game, seat, change)))
            return
    if changes[0].setting.name == "frozen":
        running.freeze(session, command, changes[0])
        return
    if changes[0].setting.takes is Takes.PERIOD:
        set_absence(session, command, changes[0])
        return
    if changes[0].setting.takes is Takes.INSTANT:
        _set_instant(session, command, changes[0])
    elif changes[0].setting.scope is Scope.SEAT:
        _change_seat(session, command, changes[0])
    elif changes[0].setting.takes is Takes.ADDRESSES:
        if problem := list_problem(game, changes[0], command.words):
            session.refuse(command, problem)
            return
        for address in taken_out(command.words):
            allow_return(game, address)
        apply_changes(session, game, changes)
        return
    else:
        apply_changes(session, game, changes)
    if session.refusals == refusals:
        _note_contradictions(session, game, changes)


DECLARED.append(CommandRow(
    value=ChangeSetting, run=change_setting,
    forms=(
        CommandForm("SET", "SET WAIT", EchoPolicy.NOTHING, BlockForm(
            "END", END_OF_FIELDS, head=r"set\s+comment\s+begin\b.*", name="SET COMMENT",
            max_lines=100,
        )),
        CommandForm("WAIT", "SET WAIT"),
        CommandForm("NOWAIT", "SET NO WAIT"),
        CommandForm("FREEZE", "FREEZE"),
        CommandForm("UNFREEZE", "UNFREEZE"),
    ),
    log=AuditDetail.SETTING,
))


def _by_vote(command: ChangeSetting, change: SettingChange) -> tuple[str, ...]:
    """Return the lines that let players vote for what a master can set."""
    if change.setting.name in ("deadline", "negotiation_end"):
        span = read_duration("".join(change.raw).removeprefix("+") or "24h")
        if isinstance(span, Phrase):
            return (f"VOTE EXTEND UNTIL {' '.join(change.raw)}",)
        return (f"VOTE EXTEND {span / timedelta(hours=1):g}h",)
    if change.told and not change.setting.before_start:
        return (" ".join(["VOTE RULE", *(["NO"] if command.off else []), *command.words]),)
    return ()


def _instead(game: Game, seat: Seat, change: SettingChange) -> tuple[str, ...]:
    """Return the lines that achieve the aim of a refused setting."""
    if change.setting.name == "first_negotiation" and seat.role is Role.MASTER and is_open(game):
        running = game.clock.negotiates and game.state is GameState.RUNNING
        return ("SET NEGOTIATION END +24h",) if running else ("SET NEGOTIATION 48",)
    return ()


def _end_lines(session: Session, words: Sequence[str]) -> tuple[str, ...]:
    """Return the line that moves the end of negotiation to the instant in *words*."""
    game, zone = session.game, ZoneInfo(zone_of(session.game, session.seat))
    end = game.clock.writing_from
    found = read_instant(words, session.now, zone, hour=hour_of_deadlines(game)) if end else None
    return (f"SET NEGOTIATION END {' '.join(words)}",) if isinstance(found, datetime) else ()


def _as_written_here(session: Session, command: ChangeSetting) -> ChangeSetting:
    """Return a SET line in the judge's form.

    VARIANT and AD, which other judges have before a setting, are removed. ADDRESS without a
    value means the sender's address.
    """
    words = command.words
    first = words[0].upper() if words else ""
    if first == "VARIANT" and len(words) > 1:
        return replace(command, words=words[1:])
    if first in ("AD", "ADDRESS"):
        rest = words[1:] or (session.mail.sender,)
        return replace(command, words=("ADDRESS", *rest))
    return command


def _problem(game: Game, role: Role, change: SettingChange) -> Phrase | None:
    """Return why this person may not make the change now, or None."""
    name = " ".join(change.setting.words)
    if change.setting.scope is Scope.GAME and role is not Role.MASTER:
        return phrase("setting-master-only", setting=name)
    # A master who starts alone, with bots, plays too.
    may_wish = change.setting.name == "preference" and role is Role.MASTER and offers(game, Bots)
    if change.setting.name in ("wait", "preference") and role is not Role.PLAYER and not may_wish:
        return phrase("setting-player-only", setting=name)
    if problem := too_late(game, change.setting.name):
        return problem
    if change.setting.before_start and game.state is not GameState.FORMING:
        return phrase("setting-before-start", setting=name)
    if game.state is GameState.ENDED and change.setting.name not in AFTER_END:
        return phrase("already-over", game=game.name)
    if change.setting.name == "names_at_end" and change.value and _has_players(game):
        return phrase("names-at-end-late", game=game.name)
    if change.value != change.setting.off and (
        lack := capability_refusal(game, change.setting.needs)
    ):
        return lack
    shows = {"gunboat": game.chosen.show_addresses, "show_addresses": is_gunboat(game)}
    if change.setting.name == "abandoned" and change.value == "bot" and not game.chosen.bots:
        return phrase("bots-forbidden", game=game.name)
    if change.value and shows.get(change.setting.name):
        return phrase("gunboat-shows-nobody")
    return None


def _has_players(game: Game) -> bool:
    return any(is_present(seat) for seat in player_seats(game))


def _note_contradictions(session: Session, game: Game, changes: Sequence[SettingChange]) -> None:
    """Report settings that this mail sets to several values. The last line counts."""
    for change in changes:
        name, value = change.setting.name, (change.value, change.raw)
        if session.set_before.get((game.id, name), value) != value:
            session.done(phrase("setting-again", setting=" ".join(change.setting.words)))
        session.remember_setting(game.id, name, value)


def _set_instant(session: Session, command: ChangeSetting, change: SettingChange) -> None:
    """Carry out SET DEADLINE and the other settings with an instant."""
    game = session.game
    zone = ZoneInfo(zone_of(game, session.seat))
    # An addition counts from the present instant: "+24h" never takes time away.
    adds = bool(change.raw) and change.raw[0].startswith("+")
    stands = standing_instant(game, change.setting.name) if adds else None
    since = max(stands or session.now, session.now)
    instant = read_instant(change.raw, since, zone, hour=hour_of_deadlines(game))
    if isinstance(instant, Phrase):
        session.refuse(command, instant, *_as_a_length(game, change))
        return
    set_instant(session, command, change.setting.name, instant.astimezone(UTC))


def _as_a_length(game: Game, change: SettingChange) -> tuple[str, ...]:
    """Return the lines that SET DEADLINE 24 HOURS may mean: this deadline, or all."""
    span = read_duration("".join(change.raw))
    if change.setting.name != "deadline" or isinstance(span, Phrase):
        return ()
    clock = find_system(game.system).main_clock.words[0]
    hours = f"{span / timedelta(hours=1):g}"
    every = f"SET {clock} NEXT {hours}"
    return (every,) if game.deadline is None else (f"SET DEADLINE +{hours}h", every)


def _change_seat(session: Session, command: ChangeSetting, change: SettingChange) -> None:
    seat, name = session.seat, change.setting.name
    if name == "address" and owner_of(seat):
        session.refuse(command, phrase("sitter-no-address", power=seat.power))
    elif name == "address" and len(addresses := _split_addresses(str(change.value))) > 1:
        lines = (f"SET ADDRESS {addresses[0]}", f"IAMALSO {addresses[1]}")
        session.refuse(command, phrase("address-one"), *lines)
    elif name == "address":
        address_change.request_change(session, command, str(change.value))
    elif name == "tell_name" and (problem := _untellable(session.game, seat)):
        session.refuse(command, problem)
    elif name == "board" and seat.role is not Role.PLAYER:
        session.refuse(command, phrase("setting-player-only", setting="BOARD"))
    elif name == "token":
        _set_token(session, command, bool(change.value))
    elif name == "wait":
        set_wait(session, bool(change.value))
    elif name == "name":
        set_name(session, command, str(change.value))
    elif name == "notices" and isinstance(change.value, tuple):
        set_notices(session, command, change.value)
    elif name == "copies":
        session.context.games.save_seat(
            replace(seat, settings=seat.settings.with_setting(name, change.value))
        )
        session.done(phrase("copies-on" if change.value else "copies-off"))
    elif name == "digest":
        set_digest(session, seat.settings.with_setting(name, change.value).digest)
    elif name == "preference":
        _set_preference(session, command, str(change.value))
    else:
        settings = seat.settings.with_setting(name, change.value)
        session.context.games.save_seat(replace(seat, settings=settings))
        if name == "language":
            prefer_language(session, str(change.value))
        session.done(_describe(change))
        if name == "orders":
            session.set_replace_mode(change.value == "replace")


_ON_OFF = {
    "own_press": ("own-press-on", "own-press-off"),
    "short": ("short-on", "short-off"),
    "tell_name": ("tell-name-on", "tell-name-off"),
    "preview": ("preview-on", "preview-off"),
    "calendar": ("calendar-on", "calendar-off"),
}
"""Phrases of a seat's settings that are on or off."""


def _describe(change: SettingChange) -> Phrase:
    """Return the report of a change of a seat's own setting."""
    name, value = change.setting.name, change.value
    if name in ("map", "format", "board"):
        return phrase(f"{name}-{value}")
    if name == "language":
        return phrase("language-chosen")
    if name in _ON_OFF:
        return phrase(_ON_OFF[name][not value])
    if isinstance(value, bool):
        return describe_setting_change(change)
    return phrase("setting-set", setting=name.upper(), value=str(value))


def _split_addresses(text: str) -> list[str]:
    """Return the addresses of a comma list, a form that other judges accept."""
    return [word for word in text.replace(",", " ").split() if is_address(word)]


def _untellable(game: Game, seat: Seat) -> Phrase | None:
    """Return why a seat cannot choose if its name is published at the end, or None."""
    if seat.role is not Role.PLAYER:
        return phrase("setting-player-only", setting="TELL NAME")
    if owner_of(seat):
        return phrase("sitter-no-name", power=seat.power)
    if not is_gunboat(game):
        return phrase("tell-name-open", game=game.name)
    return None if game.chosen.names_at_end else phrase("tell-name-never", game=game.name)


def _set_preference(session: Session, command: ChangeSetting, text: str) -> None:
    """Store the powers that a player prefers, and report how they were read.

    Words that name no power are reported and left out.
    """
    wishes, near = parse_preferences(text, session.game)
    strange: tuple[str, ...] = ()
    if isinstance(wishes, Phrase):
        known = ""
        if wishes.code == "preference-unknown":
            known, strange = parse_known_preferences(text, session.game)
        if not known:
            session.refuse(command, wishes, *near)
            return
        wishes = known
    session.context.games.save_seat(replace(session.seat, preference=wishes))
    told = describe_preferences(wishes, session.game)
    session.done(phrase("preference-set", preference=wishes, order=told) if wishes
                else phrase("preference-none"))
    if strange:
        session.done(phrase("preference-left-out", words=strange))


def _set_token(session: Session, command: ChangeSetting, on: bool) -> None:
    """Turn reply tokens in a seat's letters on or off.

    OFF expires all tokens sent before.
    """
    seat = session.seat
    if not on and not has_password(seat):
        session.refuse(command, phrase("token-needed"))
        return
    settings = replace(seat.settings, token=on)
    epoch = seat.epoch if on else seat.epoch + 1
    session.context.games.save_seat(replace(seat, settings=settings, epoch=epoch))
    session.done(phrase("token-on" if on else "token-off"))


def apply_changes(session: Session, game: Game, changes: Sequence[SettingChange]) -> None:
    """Apply settings of a game at once and announce them."""
    told, before = [], game.record
    if game.state is not GameState.FORMING:
        # ALWAYS WAIT and similar settings decide whether a phase ends once all orders are in.
        session.mark_changed(game)
    for reason in change_settings(game, changes):
        if changes[0].setting.takes is Takes.ADDRESSES:
            # A list that grows line by line is reported once, as a whole.
            done = session.current.done
            session.remove(*(old for old in done if _is_about_same(old, reason)))
        session.done(reason)
        if game.state is not GameState.FORMING and reason.code not in UNTOLD:
            told.append(reason)
    if told and not session.tells(game, MASTER_CHANGED):
        session.announce_quietly(game, phrase(MASTER_CHANGED, game=game.name))
    for reason in told:
        session.announce(game, _to_others(reason))
    for dropped in drop_impossible_orders(game, before):
        session.announce_quietly(game, dropped.reason, to=frozenset({dropped.seat.id}))
        session.mark_changed(game)


def _is_about_same(old: Phrase, new: Phrase) -> bool:
    return old.code == new.code and old.facts.get("setting") == new.facts.get("setting")


def _to_others(reason: Phrase) -> Phrase:
    """Return the phrase about a setting for others, with a comment as a quote."""
    if reason.code == "setting-set" and reason.facts["setting"] == "COMMENT":
        return phrase("setting-comment", setting="COMMENT", cited=reason.facts["value"])
    return reason
