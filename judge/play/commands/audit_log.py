"""Log of the masters' commands, which everyone in their game can read.

Refused commands, questions, press and a master's own affairs are not logged. The log contains
no addresses and no secrets, and of orders only the powers they were for.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from judge.model.command import (
    PASSWORD_MASK,
    AuditDetail,
    Command,
    CommandForm,
    ConfirmationPolicy,
    Permission,
    Spans,
    Typed,
    Where,
)
from judge.model.letter import LetterKind
from judge.model.phrase import Phrase, phrase
from judge.model.press_commands import SendPress
from judge.model.record import GameState, Plan, Role
from judge.model.seat_commands import ChangeSetting
from judge.play.choices.settings import interpret
from judge.play.choices.settingtable import Scope, settings_of
from judge.play.commands.asking.inquiries import find_asked_game, game_in
from judge.play.commands.gm.become import Become
from judge.play.commands.gm.setup import SetUp
from judge.play.commands.row import command, reads
from judge.play.commands.session import Session
from judge.play.game import Game
from judge.play.gm.masters import KIND, log_act, name_of
from judge.play.letters.kept_phrases import load_phrase
from judge.play.letters.letter_factory import game_facts

MAX = 200
"""Characters of a line in the log."""


class _Before(NamedTuple):
    """State of a game before a command was carried out."""

    phase: str
    """Phase under which the act is logged, even if the command starts another one."""
    forming: bool
    sheets: Mapping[str, str]
    plans: Sequence[Plan]


def carry_out(session: Session, command: Command, run: Callable[[], None]) -> None:
    """Carry out a command, and log it if a master gave it."""
    master, kind = session.master, session.kind(command)
    if master is None or kind.log is AuditDetail.NOTHING:
        run()
        return
    game = session.context.games.get(master.game)
    alike = (game.id, type(command))
    if session.acts.count(alike) >= kind.most_alike:
        word = command.text.split()[0].upper()
        session.refuse(command, phrase("acts-alike", word=word, most=kind.most_alike))
        return
    power = session.seat.power if session.acting_master else ""
    before = _Before(
        game.phase, game.state is GameState.FORMING, game.orders(game.phase), game.plans()
    )
    refusals, news = session.refusals, len(session.news)
    run()
    told = kind.told or any(each.game == game.id for each in session.news[news:])
    is_refused = session.refusals > refusals
    who = name_of(game, master)
    if kind.told and not is_refused:
        session.count_act(alike)
    if kind.log is AuditDetail.UNITS:
        reason = _describe_changed_orders(session, game, before, who, power)
    elif is_refused:
        return
    elif power:
        reason = _acted_as(game, command, kind.log, who, power)
        if isinstance(command, SendPress):
            # The power's player gets a copy of the reply and must see what was sent in their name.
            session.show(LetterKind.RECEIPT, "acted-press", body=command.body)
    else:
        reason = _did(game, command, kind.log, who)
    if reason:
        # LIST shows how a game is set up before its start.
        told |= kind.log is AuditDetail.SETTING and before.forming
        log_act(game, reason, session.now, told=told, phase=before.phase)


def _describe_changed_orders(
    session: Session, game: Game, before: _Before, who: str, power: str
) -> Phrase | None:
    """Return the log entry for changed orders, with the powers but not the orders."""
    sheets = game.orders(before.phase)
    changed = sorted(
        name for name in {*sheets, *before.sheets} if sheets.get(name) != before.sheets.get(name)
    )
    if changed:
        return phrase("master-ordered", who=who, powers=tuple(changed), phase=before.phase)
    if power and game.plans() != before.plans:
        return phrase("master-ordered", who=who, powers=(power,), phase=session.order_phase)
    return None


def _acted_as(
    game: Game, command: Command, kept: AuditDetail, who: str, power: str
) -> Phrase | None:
    """Return the log entry for a command that a master gave as a power.

    Votes are the power's secret. Where press need not name its writer the log does not name the
    power either. The power's player sees both.
    """
    match kept:
        case AuditDetail.STANCE:
            return None
        case AuditDetail.PRESS:
            named = game.chosen.press == "white" and not game.chosen.fake_sender
            if not named:
                return None
            return phrase("master-act-as", who=who, power=power, line="PRESS")
        case AuditDetail.WORD:
            line = command.text.split()[0].upper()
            return phrase("master-act-as", who=who, power=power, line=line)
        case _:
            return phrase("master-act-as", who=who, power=power, line=_line(command))


def _did(game: Game, command: Command, kept: AuditDetail, who: str) -> Phrase | None:
    match command:
        case Become(who=name) if name.casefold() == "master":
            return None
        case ChangeSetting():
            return _set(game, command, who)
    match kept:
        case AuditDetail.PRESS:
            return None
        case AuditDetail.LOOK:
            sees = game.state in (GameState.RUNNING, GameState.PAUSED)
            blind = game.chosen.gm_plays
            return phrase("master-saw", who=who) if sees and not blind else None
        case _:
            return phrase("master-act", who=who, line=_line(command))


def _set(game: Game, command: ChangeSetting, who: str) -> Phrase | None:
    """Return the log entry for a changed setting, without values that masters hide.

    None for settings of the master's own seat.
    """
    changes = interpret(command.words, command.off, game, Role.MASTER)
    if not isinstance(changes, Phrase) and changes[0].setting.scope is Scope.SEAT:
        return None
    upper = tuple(word.upper() for word in command.words)
    rows = settings_of(game)
    secret = [row for row in rows if row.secret and upper[: len(row.words)] == row.words]
    line = _mask_addresses(command.text)
    if secret:
        line = " ".join(("SET", *(("NO",) if command.off else ()), *secret[0].words, PASSWORD_MASK))
    return phrase("master-act", who=who, line=line)


def _line(command: Command) -> str:
    """Return a command as the log shows it.

    The word of a SETUP is omitted, as it is for those who saw the position.
    """
    if isinstance(command, SetUp) and command.word:
        return "SETUP"
    return _mask_addresses(command.text)


def _mask_addresses(text: str) -> str:
    """Return a line without addresses.

    >>> _mask_addresses("INVITE <ann@example.org>,  N")
    'INVITE *** N'
    """
    shown = " ".join(PASSWORD_MASK if "@" in word else word for word in text.split())
    return shown[:MAX]


@command(
    CommandForm("LOG", "LOG marco"), who=Permission.ANYBODY, waits=ConfirmationPolicy.LONG,
    log=AuditDetail.NOTHING, as_power=True,
)
class ShowLog(Command):
    """All logged acts of a game's masters: `LOG marco LINES 50`."""

    game: str = ""
    lines: int = 200

    @reads("log")
    @classmethod
    def read(cls, *parts: Typed | Spans, at: Where) -> "ShowLog":
        """LOG marco LINES 50."""
        spans = dict(part for part in parts if isinstance(part, tuple))
        lines = int(spans.get("lines", ("200",))[0])
        game = game_in(parts)
        return cls(**at, game=game, lines=lines)

    def run(self, session: Session) -> None:
        """Show the logged acts of the masters of a game, in order of time."""
        game = find_asked_game(session, self, self.game)
        if game is None:
            return
        acts = [event for event in game.events() if event.kind == KIND]
        seat = session.seat if session.is_signed_on and session.current.game == game.id else None
        entries = [
            {"at": act.at, "phase": act.phase,
             "reason": load_phrase(json.loads(act.text), game.system)}
            for act in acts
        ]
        session.show(
            LetterKind.INFO, "log", game=game_facts(game, seat),
            entries=entries[-self.lines:] if self.lines else [],
            left_out=max(0, len(entries) - self.lines),
        )
