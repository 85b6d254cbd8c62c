"""Commands of masters for a running game, such as PROCESS, PAUSE and FREEZE.

FREEZE stops changes of orders and votes during an inquiry. No player can be late while orders
may not change, so the clock stops with them. No power is taken over during that time. The
master's own orders still count.

OFFICIAL sends a letter of the master to everyone in a game, regardless of its press rules. It is
news, not press, so people without press get it too. It is stored like press, so that a reply
can be delivered, and counts as the master's press against the limits of number and length.
"""

import json
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from judge.games.system import Ending
from judge.model.command import (
    BlockForm,
    Command,
    CommandForm,
    EchoPolicy,
    Permission,
    Where,
    Words,
)
from judge.model.letter import LetterKind
from judge.model.master_commands import Announce
from judge.model.phrase import Phrase, phrase
from judge.model.record import Event, GameState, Role
from judge.model.seat_commands import ChangeSetting
from judge.play.choices.settings import SettingChange
from judge.play.clocks.deadlines import (
    also_moved,
    describe_time_change,
    describe_time_changes,
    hour_of_deadlines,
    move_deadline,
    move_negotiation,
    pause_clock,
    put_times,
    resume_clock,
    set_grace,
    times_of,
)
from judge.play.clocks.game_clock import BY_FREEZE, next_wakeup, update_early_deadline
from judge.play.clocks.late_orders import name_silent
from judge.play.clocks.phases import adjudicate, end_game, ending_letters, start_game
from judge.play.clocks.results import add_reason
from judge.play.commands.gm.bots import start_with_bots
from judge.play.commands.press.press import note_written, text_problem
from judge.play.commands.row import DECLARED, CommandRow, command, reads
from judge.play.commands.seats.takeover import Takeover
from judge.play.commands.session import Session
from judge.play.game import Game, GameView
from judge.play.letters.letter_factory import letter_to, present_seats, record_in_history, zone_of
from judge.play.parse_time import read_instant
from judge.play.press import MASTER
from judge.play.queries import awaits_release, is_frozen, phase_meant
from judge.play.tokens import Purpose
from judge.play.votes import pause_problem

_BY_PEOPLE = ("master", "vote")
"""Origins of pauses whose end may be changed."""


@command(
    CommandForm("START, FORCE BEGIN, FORCE START", "START"),
    CommandForm("START WITH BOTS", "START WITH BOTS"), who=Permission.MASTER, rule="begin",
    told=True,
)
class Start(Command):
    """Command of masters that starts the game (START, FORCE BEGIN).

    Powers without a player become vacant or, with *bots*, are played by bots. *now* starts the
    game even if the players were to confirm first.
    """

    now: bool = False
    bots: bool = False

    @reads("begin")
    @classmethod
    def read(cls, now: str = "", *, at: Where) -> "Start":
        """START, START NOW, FORCE BEGIN."""
        return cls(**at, now=bool(now))

    @reads("begin_with_bots")
    @classmethod
    def read_begin_with_bots(cls, *words: str, at: Where) -> "Start":
        """START WITH BOTS, START WITH BOTS NOW."""
        return cls(**at, now=any(word.lower() == "now" for word in words), bots=True)

    def run(self, session: Session) -> None:
        """Start the game now. Vacant powers are in civil disorder until taken over."""
        game = session.game
        if game.state is not GameState.FORMING:
            session.refuse(self, phrase("already-started", game=game.name))
            return
        if game.chosen.muster and not self.now:
            line = "START WITH BOTS NOW" if self.bots else "START NOW"
            session.refuse(self, phrase("start-unmustered", game=game.name), line)
            return
        if self.bots:
            start_with_bots(session, self)
            return
        session.queue(*start_game(game, session.now))
        session.done(phrase("game-started", game=game.name))


@command(CommandForm("PROCESS", "PROCESS", EchoPolicy.ALL), who=Permission.MASTER, told=True)
class Process(Command):
    """Command of masters that adjudicates now, if *phase* is still on.

    *phase* is empty if the command names none.
    """

    phase: str = ""

    def run(self, session: Session) -> None:
        """Adjudicate now, if the named phase is still on, or ask for its name.

        Both replies name the powers without orders.
        """
        game = session.game
        if game.state is not GameState.RUNNING:
            session.refuse(self, phrase("not-running", game=game.name, state=game.state.value))
        elif not self.phase:
            reason = phrase("process-which", phase=game.phase)
            session.refuse(self, reason, f"PROCESS {game.phase}")
            session.done(*name_silent(game))
        elif (asked := phase_meant(game, self.phase)) != game.phase:
            reason = phrase("process-other-phase", asked=asked, phase=game.phase)
            session.refuse(self, reason, f"PROCESS {game.phase}")
        else:
            silent = name_silent(game)
            reason = phrase("processed-by-master", phase=asked)
            record_in_history(game, reason, session.now)
            session.queue(*add_reason(adjudicate(game, session.now), reason))
            update_early_deadline(game, session.now)
            # The results contain the orders of the phase, and the next phase has none yet.
            session.omit_orders()
            session.done(phrase("processed", phase=asked), *silent)


@command(CommandForm("PAUSE, SUSPEND", "PAUSE", EchoPolicy.ALL), who=Permission.MASTER)
class Pause(Command):
    """Command of masters that stops the clock until RESUME or until a date.

    It is written PAUSE or SUSPEND.
    """

    until: tuple[str, ...] = ()

    @reads("pause")
    @classmethod
    def read(cls, until: Words = (), *, at: Where) -> "Pause":
        """PAUSE, PAUSE UNTIL 12 Jan 20:00."""
        return cls(**at, until=tuple(until))

    def run(self, session: Session) -> None:
        """Stop the clock until RESUME or until a date. Orders and press go on.

        A date may be given to a pause that has already begun.
        """
        game, clock = session.game, session.game.clock
        goes_on = game.state is GameState.PAUSED and self.until and clock.paused_by in _BY_PEOPLE
        if game.state is not GameState.RUNNING and not goes_on:
            session.refuse(self, phrase("not-running", game=game.name, state=game.state.value))
            return
        until = _pause_end(session, self)
        if isinstance(until, Phrase):
            session.refuse(self, until, "PAUSE UNTIL +7d")
            return
        begun = (clock.paused or session.now) if goes_on else session.now
        pause_clock(game, begun, clock.paused_by if goes_on else "master", until)
        if until is None:
            announce_reason(session, game, phrase("paused", game=game.name))
            return
        announce_reason(
            session, game, phrase("paused-until", game=game.name, until=until.isoformat())
        )


def _pause_end(session: Session, command: Pause) -> datetime | Phrase | None:
    """Return the end of a pause (None: until RESUME), or why it is impossible."""
    if not command.until:
        return None
    game, zone = session.game, ZoneInfo(zone_of(session.game, session.seat))
    until = read_instant(command.until, session.now, zone, hour=hour_of_deadlines(game))
    if isinstance(until, Phrase):
        return until
    return pause_problem(until, session.now) or until.astimezone(UTC)


@command(CommandForm("RESUME, UNPAUSE", "RESUME"), who=Permission.MASTER)
class Resume(Command):
    """Command of masters that ends a pause."""

    def run(self, session: Session) -> None:
        """End a pause: the time left is the same as before it."""
        game = session.game
        if game.state is not GameState.PAUSED:
            session.refuse(self, phrase("not-paused", game=game.name))
            return
        if is_frozen(game):
            session.refuse(self, phrase("resume-frozen", game=game.name), "UNFREEZE")
            return
        before = game.record
        resume_clock(game, session.now)
        game.change(due=next_wakeup(game))
        update_early_deadline(game, session.now)
        announce_reason(session, game, phrase("resumed", game=game.name))
        tell_new_deadline(session, before, game)


def set_instant(session: Session, command: Command, name: str, instant: datetime) -> None:
    """Move one of the times of the present phase, and report all that moved."""
    game = session.game
    if not _check_instant(session, command, name, instant):
        return
    before = game.record
    if name == "deadline":
        move_deadline(game, instant, session.now)
        news = describe_time_changes("deadline-moved", before, game)
    elif name == "grace":
        set_grace(game, instant)
        news = (describe_time_change("grace-moved", game, before.grace_until, instant),)
    elif name == "negotiation_end":
        move_negotiation(game, instant, session.now)
        moved = describe_time_change("negotiation-moved", game, before.clock.writing_from, instant)
        news = (moved, *describe_time_changes("deadline-now", before, game, but=name))
    else:
        put_times(game, times_of(game)._replace(not_before=instant), name, session.now)
        told = phrase("not-before-until", phase=game.phase, game=game.name)
        if game.deadline != before.deadline:
            told = describe_time_change("not-before-deadline", game, before.deadline, game.deadline)
        told = Phrase(told.code, {**told.facts, "until": instant.isoformat()})
        news = (told, *also_moved(before, game, name))
    session.mark_changed(game)
    session.announce_to_all(game, news)


def _check_instant(session: Session, command: Command, name: str, instant: datetime) -> bool:
    """Return whether a new time for the present phase is possible, else refuse it."""
    game = session.game
    end = game.clock.writing_from
    if game.state is not GameState.RUNNING:
        session.refuse(command, phrase("not-running", game=game.name, state=game.state.value))
        return False
    if name == "negotiation_end" and (end is None or game.deadline is None):
        session.refuse(command, phrase("negotiation-over", phase=game.phase), "SET DEADLINE +24h")
        return False
    if instant <= session.now:
        session.refuse(command, phrase("instant-past"))
        return False
    if name == "deadline" and end and instant < end:
        reason = phrase("deadline-in-negotiation", until=end.isoformat())
        session.refuse(command, reason, *_lines_for(session, instant))
        return False
    if name == "grace" and game.deadline and instant < game.deadline:
        session.refuse(command, phrase("grace-before-deadline"), "SET GRACE +24h")
        return False
    return True


def _lines_for(session: Session, deadline: datetime) -> tuple[str, ...]:
    """Return the lines that set a deadline before the present end of the negotiation.

    The negotiation ends earlier by the same span, or halfway from now if that would be in the
    past.
    """
    game, zone = session.game, ZoneInfo(zone_of(session.game, session.seat))
    end, was = game.clock.writing_from, game.deadline
    assert end and was
    earlier = deadline - (was - end)
    lines = (f"SET NEGOTIATION END {_format_instant(earlier, zone)}",)
    if earlier <= session.now + timedelta(minutes=5):
        half = session.now + (deadline - session.now) / 2
        lines = (f"SET NEGOTIATION END {_format_instant(half, zone)}",)
    elif not (game.clock.not_before and game.clock.not_before > deadline):
        return lines
    return (*lines, f"SET DEADLINE {_format_instant(deadline, zone)}")


def _format_instant(instant: datetime, zone: ZoneInfo) -> str:
    """Return an instant in the form that SET reads, in the zone of a seat."""
    local = instant.astimezone(zone)
    return f"{local.day} {local:%b %Y %H:%M}" + (f":{local:%S}" if local.second else "")


def announce_reason(session: Session, game: Game, reason: Phrase) -> None:
    """Report a change to the sender and announce it to all others."""
    session.announce_to_all(game, [reason])


def tell_new_deadline(session: Session, before: GameView, game: Game) -> None:
    """Report which times of a phase moved in a game that goes on."""
    for moved in describe_time_changes("deadline-now", before, game):
        session.done(moved)
        session.announce_quietly(game, moved)


@command(CommandForm("TERMINATE", "TERMINATE", EchoPolicy.ALL), who=Permission.MASTER, told=True)
class Terminate(Command):
    """Command of masters that ends the game without a result.

    *game* and *phase* are named to confirm it.
    """

    game: str = ""
    phase: str = ""

    def run(self, session: Session) -> None:
        """End the game without a result, after a question about the game and the phase."""
        game = session.game
        again = f"TERMINATE {game.name} {game.phase}"
        if game.state is GameState.ENDED:
            session.refuse(self, phrase("already-over", game=game.name))
        elif (self.game.lower(), phase_meant(game, self.phase)) != (game.name, game.phase):
            session.ask_back(self, phrase("terminate-sure", game=game.name), again)
        else:
            ending = Ending((), phrase("terminated", game=game.name))
            end_game(game, ending, session.now)
            session.queue(*ending_letters(game, ending))
            session.done(phrase("you-terminated", game=game.name))


def frozen(game: Game) -> str:
    """Return which commands are frozen: "orders", "votes", "all" or ""."""
    return game.chosen.frozen


def freeze(session: Session, command: Command, change: SettingChange) -> None:
    """Freeze orders, votes or both, or end that."""
    game, what = session.game, str(change.value)
    before = game.record
    if what == frozen(game):
        session.refuse(command, phrase("freeze-same" if what else "freeze-none"))
        return
    if game.state not in (GameState.RUNNING, GameState.PAUSED):
        session.refuse(command, phrase("not-running", game=game.name, state=game.state.value))
        return
    game.change_settings(frozen=what)
    stands_still = what in ("orders", "all")
    if stands_still and game.state is GameState.RUNNING:
        pause_clock(game, session.now, by=BY_FREEZE)
    elif not stands_still and game.clock.paused_by == BY_FREEZE:
        resume_clock(game, session.now)
        game.change(due=next_wakeup(game))
    update_early_deadline(game, session.now)
    session.mark_changed(game)
    announce_reason(session, game, phrase(f"frozen-{what or 'nothing'}", game=game.name))
    tell_new_deadline(session, before, game)


def problem(session: Session, command: Command) -> Phrase | None:
    """Return why a command must wait until its game is no longer frozen, or None."""
    if isinstance(command, Takeover):
        game = session.context.games.find(command.game.lower())
        if game and frozen(game) and not command.is_mastership:
            return phrase("frozen-takeover", game=game.name)
        return None
    if not session.is_signed_on or session.seat.role is not Role.PLAYER or session.acting_master:
        return None
    game = session.game
    waits = isinstance(command, ChangeSetting) and command.words[:1] in (("WAIT",), ("wait",))
    needs = session.kind(command).frozen
    if (needs == "orders" or waits) and is_frozen(game):
        return phrase("orders-frozen", game=game.name)
    if needs == "votes" and frozen(game) in ("votes", "all"):
        return phrase("votes-frozen", game=game.name)
    return None


@command(CommandForm("RELEASE", "RELEASE", EchoPolicy.ALL), who=Permission.MASTER, told=True)
class Release(Command):
    """Command of masters that publishes a held result: `RELEASE S1901M`.

    *phase* is empty if none was named.
    """

    phase: str = ""

    def run(self, session: Session) -> None:
        """Publish the result of a held phase, if it is the phase named."""
        game = session.game
        if game.state is not GameState.RUNNING:
            session.refuse(self, phrase("not-running", game=game.name, state=game.state.value))
        elif not awaits_release(game):
            reason = phrase("nothing-held", game=game.name, phase=game.phase)
            session.refuse(self, reason, f"PROCESS {game.phase}")
        elif (asked := phase_meant(game, self.phase)) != game.phase:
            reason = phrase("release-which", phase=game.phase)
            session.refuse(self, reason, f"RELEASE {game.phase}")
        else:
            session.queue(*adjudicate(game, session.now))
            update_early_deadline(game, session.now)
            session.done(phrase("released", phase=asked))


MAX_SUBJECT = 60


def announce(session: Session, command: Announce) -> None:
    """Send an announcement to all seats. A plain reply to it is press to the master."""
    game = session.game
    if not any(line.strip() for line in command.body):
        session.refuse(command, phrase("official-empty"))
        return
    problem = text_problem(session, command.body)
    if problem:
        session.refuse(command, problem)
        return
    note_written(session, command.body)
    about = command.subject[:MAX_SUBJECT]
    kept = {"from": MASTER, "to": (), "body": command.body, "about": about}
    text = json.dumps(kept, ensure_ascii=False)
    event = Event(game.id, session.now, game.phase, LetterKind.PRESS.value, text)
    number = game.add_event(event)
    facts = {"about": about, "body": command.body}
    readers = [seat for seat in present_seats(game) if seat.id != session.seat.id]
    session.queue(*(
        letter_to(
            game, seat, LetterKind.NOTICE, "official", facts, about or phrase("event-announcement"),
            purpose=Purpose.PRESS, extra=number,
        )
        for seat in readers
    ))
    session.done(phrase("official-sent", count=len(readers)))


DECLARED.append(CommandRow(
    value=Announce, run=announce, who=Permission.MASTER,
    forms=(CommandForm(
        "OFFICIAL", "OFFICIAL subject",
        block=BlockForm("ENDOFFICIAL", r"end\s*(official|press|broadcast)"),
    ),),
    told=True, most_alike=1,
))
