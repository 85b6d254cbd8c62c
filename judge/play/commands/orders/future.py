"""PHASE, IF, REPLACE, OPTIONS and PREVIEW, and warnings about proxy grants."""

from dataclasses import replace

from judge.games import find_system
from judge.games.capabilities import FutureOrders, OrderLists, Previews, with_capability
from judge.games.system import LineRead, OrdersRead, PhaseInfo, ViewerRole
from judge.model.command import (
    AuditDetail,
    BlockCommand,
    BlockForm,
    Command,
    CommandForm,
    EchoPolicy,
    Where,
    Words,
)
from judge.model.incoming import Body, Line
from judge.model.letter import Letter, LetterKind
from judge.model.order_commands import Conditional, ForPhase, Heading
from judge.model.order_words import PhaseHead
from judge.model.phrase import Phrase, phrase
from judge.model.record import GameState, Plan, Role
from judge.play.choices.capabilities import capability_refusal
from judge.play.clocks.phases import sheets_in_force
from judge.play.commands.orders.excusing import standing
from judge.play.commands.picture_ration import ration_pictures
from judge.play.commands.row import DECLARED, CommandRow, command, reads
from judge.play.commands.session import ReplyDraft, Session
from judge.play.future_orders import current_proxies, proxy_change_letters, trust_key, trust_keys
from judge.play.game import Game
from judge.play.letters.board_pictures import MAX_PICTURES, OFF, board_format_of, preview_view
from judge.play.queries import awaits_release, is_present, phase_meant, reader_of, seat_of_power


def remember_earlier_proxies(session: Session, game: Game) -> None:
    """Remember a game's proxy grants, before this mail changes its orders."""
    if game.id in session.earlier_proxies:
        return
    session.remember_proxies(game.id, current_proxies(game))


def warn_of_vacant_proxies(session: Session, game: Game) -> None:
    """Warn the open seat of new proxy grants to powers without a player."""
    before = trust_keys(session.earlier_proxies.get(game.id, ()))
    for trust in current_proxies(game):
        holder = seat_of_power(game, trust.holder)
        if trust.owner == session.seat.power and trust_key(trust) not in before:
            if holder is None or not is_present(holder):
                session.done(phrase("proxy-to-vacant", power=trust.holder, unit=trust.unit))


def proxy_letters(session: Session) -> list[Letter]:
    """Make the letters about proxy grants that this mail added or removed."""
    letters = []
    for game_id, before in session.earlier_proxies.items():
        game = session.context.games.get(game_id)
        letters += proxy_change_letters(game, before, current_proxies(game))
    return letters


MAX_PLANS = 20
"""Maximum number of later phases for which a power has orders on file."""
MAX_SHOWN = 8
"""Maximum number of OPTIONS and PREVIEW commands in one reply."""


def set_order_phase(session: Session, command: ForPhase) -> None:
    """Set the phase of the orders that follow: a later one, or the present one."""
    if not command.phase:
        session.set_phase(session.order_phase, astray=True)
        return
    found = _phase_wanted(session, command)
    if isinstance(found, Phrase):
        session.set_phase(session.order_phase, astray=True)
        session.refuse(command, found)
        return
    elif found.label != session.game.phase:
        session.set_phase(found.label)
        session.done(phrase("orders-go-to", phase=found.label))
        return
    session.set_phase(found.label)


DECLARED.append(CommandRow(
    value=ForPhase, run=set_order_phase, rule="for_phase",
    forms=(CommandForm("PHASE", "PHASE F1905M", EchoPolicy.ALL),),
    log=AuditDetail.STANCE, as_power=True, frozen="orders",
))


def _phase_wanted(session: Session, command: ForPhase) -> PhaseInfo | Phrase:
    """Return the phase that PHASE names, or why the open seat cannot order for it."""
    seat, game = session.seat, session.game
    if seat.role is not Role.PLAYER or not seat.power or not _is_going_on(game):
        return phrase("needs-running-power")
    found = _find_phase(game, phase_meant(game, command.phase))
    if isinstance(found, Phrase):
        return found
    plans = {plan.phase for plan in game.plans(seat.power)}
    if found.label not in {game.phase, *plans} and len(plans) >= MAX_PLANS:
        return phrase("too-many-plans", limit=MAX_PLANS)
    return found


def _find_phase(game: Game, label: str) -> PhaseInfo | Phrase:
    """Return the phase with a label: the present one, or a later one.

    For other labels the reason is returned, and for later phases in systems without future
    orders.
    """
    table = game.table
    if isinstance(table, FutureOrders):
        return table.phase_called(label)
    if label == game.phase:
        return table.phase
    reason = capability_refusal(game, FutureOrders)
    assert reason is not None
    return reason


def handle_heading(session: Session, command: Heading) -> None:
    """Handle the name of a phase above orders.

    The name of the present phase is acknowledged. After another name the lines below are refused,
    until PHASE names their phase.
    """
    orders = (Role.PLAYER, Role.MASTER)
    if (
        not session.is_signed_on
        or session.seat.role not in orders
        or not _is_going_on(session.game)
    ):
        session.refuse(command, phrase("heading-alone"))
        return
    game = session.game
    head = find_system(game.system).find_head(command.words) or _UNNAMED
    if head.label and head.label == session.order_phase:
        return
    asked = _find_phase(game, head.label) if head.label else None
    if _is_present_phase(game, head) and session.order_phase in ("", game.phase):
        reason = phrase("heading-now", text=command.text, phase=game.phase)
        session.set_phase(session.order_phase)
        session.done(reason)
        return
    session.set_phase(session.order_phase, astray=True)
    if isinstance(asked, Phrase):
        session.refuse(command, asked)
        return
    elif asked is None:
        session.refuse(command, phrase("heading-next"))
        return
    reason = phrase("heading-other", phase=game.phase)
    session.refuse(command, reason, f"PHASE {asked.label}")


_UNNAMED = PhaseHead("")


def _is_present_phase(game: Game, head: PhaseHead) -> bool:
    """Return whether a name is that of the present phase, or of its turn."""
    asked = _find_phase(game, head.label) if head.label else None
    return isinstance(asked, PhaseInfo) and (
        asked.label == game.phase or head.is_turn and asked.turn == game.table.phase.turn
    )


def names_open_phase(session: Session, head: PhaseHead) -> bool:
    """Return whether a name is that of the phase for which lines are read now."""
    game = session.game
    if not _is_going_on(game):
        return False
    if session.order_phase not in ("", game.phase):
        return head.label == session.order_phase
    return _is_present_phase(game, head)


def file_condition(session: Session, command: Conditional) -> None:
    """File an IF block for the phase that PHASE named.

    For the present phase it is evaluated at once.
    """
    game = session.game
    if session.phase_invalid:
        reason = phrase("orders-for-no-phase", count=1 + sum(1 for _ in command.choice.lines()))
        session.refuse(command, reason)
        return
    elif not session.order_phase:
        session.refuse(command, phrase("if-needs-phase"), f"PHASE {game.phase}")
        return
    elif session.order_phase != game.phase:
        plan_body(session, (command.choice,))
        return
    elif awaits_release(game):
        session.refuse(command, phrase("orders-while-held", phase=game.phase))
        return
    power, table = session.seat.power, with_capability(game.table, FutureOrders)
    planned = table.plan_orders((command.choice,), power, game.phase, "")
    remember_earlier_proxies(session, game)
    _add_lines(session, planned.lines)
    if planned.plan:
        read = table.carry_out(planned.plan, power, sheets_to_change(session, game, power))
        game.file_sheets(game.phase, read.sheets)
        _add_lines(session, read.lines)
        session.set_replace_mode(session.current.replaces_orders and not read.sheets)
    session.mark_changed(game)


DECLARED.append(CommandRow(
    value=Conditional, run=file_condition, rule="condition",
    forms=(CommandForm(
        "IF", "IF A Bur THEN A Par H ELSE A Par - Bur ENDIF",
        block=BlockForm("ENDIF", r"end\s*if"),
    ),),
    log=AuditDetail.UNITS, as_power=True, frozen="orders", needs=FutureOrders,
))


def sheets_to_change(session: Session, game: Game, power: str | None) -> dict[str, str]:
    """Return the orders on file, without those that the next orders replace."""
    sheets = game.orders(game.phase)
    if not session.current.replaces_orders:
        return sheets
    return {} if power is None else {**sheets, power: ""}


def plan_body(session: Session, body: Body) -> None:
    """File lines and IF blocks of the open power for a later phase.

    Unless new orders replace all others, they are merged into those on file.
    """
    game, power = session.game, session.seat.power
    plan = _find_plan(session)
    fresh = session.current.replaces_orders
    table = with_capability(game.table, FutureOrders)
    read = table.plan_orders(body, power, plan.phase, "" if fresh else plan.text)
    _add_lines(session, read.lines)
    if read.plan and read.plan != plan.text:
        session.set_replace_mode(False)
        game.file_plan(replace(plan, text=read.plan))


def plan_wait(session: Session, waits: bool) -> None:
    """Set or clear WAIT for a later phase, which then lasts until its deadline."""
    session.game.file_plan(replace(_find_plan(session), wait=waits))
    session.done(phrase("wait-on" if waits else "wait-off", phase=session.order_phase))


def _find_plan(session: Session) -> Plan:
    """Return the open power's plan for the phase that PHASE named, maybe empty."""
    game, power = session.game, session.seat.power
    plans = game.plans(power)
    found = [plan for plan in plans if plan.phase == session.order_phase]
    return found[0] if found else Plan(game.id, session.order_phase, power, "")


def _add_lines(session: Session, lines: tuple[LineRead, ...]) -> None:
    session.add(ReplyDraft(orders=lines))
    _report_complaints(session, lines)


def _report_complaints(session: Session, lines: tuple[LineRead, ...]) -> None:
    session.complain(*(line.complaint for line in lines if line.complaint))


@command(CommandForm("REPLACE", "REPLACE"), as_power=True, freeze="orders")
class Replace(Command):
    """Command that makes the next orders replace those on file: `REPLACE`."""

    def run(self, session: Session) -> None:
        """Make the orders that follow replace everything on file."""
        session.set_replace_mode(True)
        session.done(phrase("orders-replace"))


@command(
    CommandForm("OPTIONS", "OPTIONS A Par", EchoPolicy.ALL), log=AuditDetail.NOTHING, as_power=True,
    needs=OrderLists,
)
class Options(Command):
    """List of possible orders: `OPTIONS`, `OPTIONS A Par`. *unit* is as typed."""

    unit: str = ""

    @reads("options")
    @classmethod
    def read(cls, unit: Words, *, at: Where) -> "Options":
        """OPTIONS A Par."""
        return cls(**at, unit=" ".join(unit).rstrip(".!"))

    def run(self, session: Session) -> None:
        """List the possible orders of the open power's units, or of one of them.

        Other powers' units that it may order by proxy are included.
        """
        game = session.game
        if problem := _find_request_problem(session):
            session.refuse(self, problem)
            return
        power = session.seat.power if session.seat.role is Role.PLAYER else None
        reader = reader_of(game, session.seat)
        # What a power sees of a hidden board includes the units it may order by proxy.
        table = game.table if power else game.table.as_seen_by(reader)
        found = with_capability(table, OrderLists).menus(power, self.unit, game.orders(game.phase))
        if isinstance(found, Phrase):
            session.refuse(self, found)
        else:
            session.show(LetterKind.INFO, "options", menus=found)
            standing(session)


@command(
    CommandForm("PREVIEW", "PREVIEW", EchoPolicy.ALL, BlockForm(
            "ENDPREVIEW", r"end\s*preview", max_lines=300,
        )),
    CommandForm("PREDICT", "PREVIEW", EchoPolicy.ALL),
    log=AuditDetail.LOOK,
    as_power=True,
    needs=Previews,
)
class Preview(BlockCommand):
    """Trial adjudication: `PREVIEW`, or `PREVIEW` … `ENDPREVIEW` with any orders."""

    @reads("preview")
    @classmethod
    def read(cls, order: Words, *, at: Where) -> "Preview":
        """PREVIEW, PREVIEW A Par - Bur.

        With a block, `lines` is set later, to the lines of the block.
        """
        lines = (Line(at["line"], " ".join(order)),) if order else ()
        return cls(**at, lines=lines)

    def run(self, session: Session) -> None:
        """Show the outcome of the orders on file and in the block, without any change.

        A player's preview has other powers' orders only from the block, and of a hidden board only
        what the player sees. All orders on file are previewed only for a master who does not play.
        Random draws differ from those of the game.
        """
        game, seat = session.game, session.seat
        if problem := _find_request_problem(session):
            session.refuse(self, problem)
            return
        reader = reader_of(game, seat)
        sheets = sheets_in_force(game)
        table = game.table.as_seen_by(reader, sheets)
        dry = with_capability(table, Previews)
        if reader.quality is not ViewerRole.MASTER:
            sheets = dict(dry.known_to(seat.power, sheets))
        read = table.read_orders(self.lines, None, sheets) if self.lines else OrdersRead({}, ())
        record = dry.preview({**sheets, **read.sheets})
        turn = find_system(game.system).turn(game.map, record)
        enough = len(session.current.pictures) >= MAX_PICTURES
        asked = (OFF, ReplyDraft()) if enough else ration_pictures(
            session, session.current, board_format_of(session.context, seat)
        )
        wish, more = asked
        view = preview_view(game, reader, wish, turn)
        _report_complaints(session, read.lines)
        session.add(replace(more, pictures=tuple(view.pictures)))
        session.show(
            LetterKind.INFO, "preview", map=view.facts, results=turn.results(reader),
            tried=[text for line in read.lines for text in line.filed],
            all_on_file=reader.quality is ViewerRole.MASTER,
        )


def _find_request_problem(session: Session) -> Phrase | None:
    """Return why the open seat may not request lists and previews now, or None."""
    seat, game = session.seat, session.game
    asked = session.current.asked
    if seat.role not in (Role.PLAYER, Role.MASTER):
        return phrase("needs-power")
    if not _is_going_on(game):
        return phrase("not-running", game=game.name, state=game.state.value)
    if asked.count("options") + asked.count("preview") >= MAX_SHOWN:
        return phrase("asked-too-often", limit=MAX_SHOWN)
    return None


def _is_going_on(game: Game) -> bool:
    return game.state in (GameState.RUNNING, GameState.PAUSED)
