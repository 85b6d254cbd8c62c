"""Orders for phases still to come, lists of possible orders, previews, new sheets, units lent."""

from dataclasses import replace

from judge.games import find_system
from judge.games.capabilities import DryRuns, Menus, OrdersAhead, having
from judge.games.system import LineRead, OrdersRead, PhaseInfo, Watcher
from judge.model.incoming import Body
from judge.model.letter import Kind, Letter
from judge.model.orders import Conditional, ForPhase, Heading, Options, Preview, Replace
from judge.model.orderwords import PhaseHead
from judge.model.phrase import Phrase, phrase
from judge.model.record import GameState, Plan, Role
from judge.play.choices.offering import lacking
from judge.play.clocks.phases import sheets_in_force
from judge.play.commands.orders.excusing import standing
from judge.play.commands.outcome import (
    NOTHING,
    Outcome,
    Watched,
    aimed,
    complained,
    heard,
    refused,
    renewed,
    said,
    shown,
    touched,
)
from judge.play.commands.picture_ration import rationed
from judge.play.commands.session import Answer, Session
from judge.play.game import Game
from judge.play.letters.illustrations import MOST_PICTURES, OFF, tried_view, wish_of
from judge.play.orders import tell_holders, trust_key, trust_keys, trusts_now
from judge.play.queries import is_held, is_present, phase_meant, reader_of, seat_of_power


def watch(session: Session, game: Game) -> Outcome:
    """Remember what was entrusted to whom before this mail changes orders."""
    if game.id in session.trusted:
        return NOTHING
    return Watched(game.id, trusts_now(game))


def warn(session: Session, game: Game) -> Outcome:
    """Tell the open seat of units it lets somebody order who is not there."""
    before, did = trust_keys(session.trusted.get(game.id, ())), NOTHING
    for trust in trusts_now(game):
        holder = seat_of_power(game, trust.holder)
        if trust.owner == session.seat.power and trust_key(trust) not in before:
            if holder is None or not is_present(holder):
                did += said(phrase("proxy-to-vacant", power=trust.holder, unit=trust.unit))
    return did


def proxy_letters(session: Session) -> list[Letter]:
    """Tell players which units they may order since this mail, and which no longer."""
    letters = []
    for game_id, before in session.trusted.items():
        game = session.context.games.get(game_id)
        letters += tell_holders(game, before, trusts_now(game))
    return letters


MOST_PLANS = 20
"""Later phases a power may have orders on file for."""
MOST_SHOWN = 8
"""Lists of orders and previews that one answer holds."""


def for_phase(session: Session, command: ForPhase) -> Outcome:
    """Take the orders that follow for a phase: a later one, or by its name the present one."""
    if not command.phase:
        return aimed(session.ahead, astray=True)
    found = _phase_wanted(session, command)
    if isinstance(found, Phrase):
        return aimed(session.ahead, astray=True) + refused(command, found)
    elif found.label != session.game.phase:
        return aimed(found.label) + said(phrase("orders-go-to", phase=found.label))
    return aimed(found.label)


def _phase_wanted(session: Session, command: ForPhase) -> PhaseInfo | Phrase:
    """Return the phase that a power's orders are to go to; or why they may not."""
    seat, game = session.seat, session.game
    if seat.role is not Role.PLAYER or not seat.power or not _goes_on(game):
        return phrase("needs-running-power")
    found = _phase_asked(game, phase_meant(game, command.phase))
    if isinstance(found, Phrase):
        return found
    plans = {plan.phase for plan in game.plans(seat.power)}
    if found.label not in {game.phase, *plans} and len(plans) >= MOST_PLANS:
        return phrase("too-many-plans", limit=MOST_PLANS)
    return found


def _phase_asked(game: Game, label: str) -> PhaseInfo | Phrase:
    """Return the phase that orders may go to by its label: the present one, or a later one where
    the system takes orders ahead; or why there is none such."""
    table = game.table
    if isinstance(table, OrdersAhead):
        return table.phase_called(label)
    if label == game.phase:
        return table.phase
    reason = lacking(game, OrdersAhead)
    assert reason is not None
    return reason


def heading(session: Session, command: Heading) -> Outcome:
    """Hear the name of a phase above orders: of the present one it says nothing new, but lines
    below another's are for no phase until PHASE says so."""
    orders = (Role.PLAYER, Role.MASTER)
    if not session.is_signed_on or session.seat.role not in orders or not _goes_on(session.game):
        return refused(command, phrase("heading-alone"))
    game = session.game
    head = find_system(game.system).find_head(command.words) or _UNNAMED
    if head.label and head.label == session.ahead:
        return NOTHING
    asked = _phase_asked(game, head.label) if head.label else None
    if _is_present(game, head) and session.ahead in ("", game.phase):
        reason = phrase("heading-now", text=command.text, phase=game.phase)
        return aimed(session.ahead) + said(reason)
    did = aimed(session.ahead, astray=True)
    if isinstance(asked, Phrase):
        return did + refused(command, asked)
    elif asked is None:
        return did + refused(command, phrase("heading-next"))
    reason = phrase("heading-other", phase=game.phase)
    return did + refused(command, reason, f"PHASE {asked.label}")


_UNNAMED = PhaseHead("")


def _is_present(game: Game, head: PhaseHead) -> bool:
    """Return whether a name is that of the present phase, or of its turn."""
    asked = _phase_asked(game, head.label) if head.label else None
    return isinstance(asked, PhaseInfo) and (
        asked.label == game.phase or head.is_turn and asked.turn == game.table.phase.turn
    )


def names_open_phase(session: Session, head: PhaseHead) -> bool:
    """Return whether a name is that of the phase that lines are read for now."""
    game = session.game
    if not _goes_on(game):
        return False
    if session.ahead not in ("", game.phase):
        return head.label == session.ahead
    return _is_present(game, head)


def conditional(session: Session, command: Conditional) -> Outcome:
    """Take an IF block for the phase named before; for the present one it is judged at once."""
    game = session.game
    if session.astray:
        reason = phrase("orders-for-no-phase", count=1 + sum(1 for _ in command.choice.lines()))
        return refused(command, reason)
    elif not session.ahead:
        return refused(command, phrase("if-needs-phase"), f"PHASE {game.phase}")
    elif session.ahead != game.phase:
        return plan_body(session, (command.choice,))
    elif is_held(game):
        return refused(command, phrase("orders-while-held", phase=game.phase))
    power, table = session.seat.power, having(game.table, OrdersAhead)
    planned = table.plan_orders((command.choice,), power, game.phase, "")
    did = watch(session, game) + _heard(planned.lines)
    if planned.plan:
        read = table.carry_out(planned.plan, power, sheets_to_change(session, game, power))
        game.file_sheets(game.phase, read.sheets)
        did += _heard(read.lines) + renewed(session.current.fresh and not read.sheets)
    return did + touched(game)


def sheets_to_change(
    session: Session, game: Game, power: str | None
) -> dict[str, str]:
    """Return the orders on file; without those of the open power if new ones replace them all."""
    sheets = game.orders(game.phase)
    if not session.current.fresh:
        return sheets
    return {} if power is None else {**sheets, power: ""}


def plan_body(session: Session, body: Body) -> Outcome:
    """Lay lines and IF blocks over what the open power has on file for a later phase."""
    game, power = session.game, session.seat.power
    plan = _plan(session)
    fresh = session.current.fresh
    table = having(game.table, OrdersAhead)
    read = table.plan_orders(body, power, plan.phase, "" if fresh else plan.text)
    did = _heard(read.lines)
    if read.plan and read.plan != plan.text:
        did += renewed(False)
        game.file_plan(replace(plan, text=read.plan))
    return did


def plan_wait(session: Session, waits: bool) -> Outcome:
    """Ask that a later phase is not adjudicated before its deadline, or no longer ask."""
    session.game.file_plan(replace(_plan(session), wait=waits))
    return said(phrase("wait-on" if waits else "wait-off", phase=session.ahead))


def _plan(session: Session) -> Plan:
    """Return what the open power has on file for the phase its orders are for now."""
    game, power = session.game, session.seat.power
    plans = game.plans(power)
    found = [plan for plan in plans if plan.phase == session.ahead]
    return found[0] if found else Plan(game.id, session.ahead, power, "")


def _heard(lines: tuple[LineRead, ...]) -> Outcome:
    return heard(Answer(orders=lines)) + _complained(lines)


def _complained(lines: tuple[LineRead, ...]) -> Outcome:
    return complained(*(line.complaint for line in lines if line.complaint))


def replace_all(session: Session, command: Replace) -> Outcome:
    """Have the orders that follow take the place of everything on file."""
    return renewed(True) + said(phrase("orders-replace"))


def options(session: Session, command: Options) -> Outcome:
    """List every order that can be given to the open power's units, or to one of them.

    Units of others that it may order by proxy are among them.
    """
    game = session.game
    if problem := _asking_problem(session):
        return refused(command, problem)
    power = session.seat.power if session.seat.role is Role.PLAYER else None
    reader = reader_of(game, session.seat)
    # What a power sees of a hidden board is told with the units it may order by proxy.
    table = game.table if power else game.table.seen_by(reader)
    found = having(table, Menus).menus(power, command.unit, game.orders(game.phase))
    if isinstance(found, Phrase):
        return refused(command, found)
    else:
        return shown(Kind.INFO, "options", menus=found) + standing(session)


def preview(session: Session, command: Preview) -> Outcome:
    """Show what would happen with the orders on file and those in the block; change nothing.

    A player's preview knows of no foreign orders but those in the block, and of a hidden board no
    more than he sees; only a master who does
    not play tries all that is on file. Chance is not that of the game.
    """
    game, seat = session.game, session.seat
    if problem := _asking_problem(session):
        return refused(command, problem)
    reader = reader_of(game, seat)
    sheets = sheets_in_force(game)
    table = game.table.seen_by(reader, sheets)
    dry = having(table, DryRuns)
    if reader.quality is not Watcher.MASTER:
        sheets = dict(dry.known_to(seat.power, sheets))
    read = table.read_orders(command.lines, None, sheets) if command.lines else OrdersRead({}, ())
    record = dry.try_out({**sheets, **read.sheets})
    enough = len(session.current.pictures) >= MOST_PICTURES
    asked = (OFF, Answer()) if enough else rationed(
        session, session.current, wish_of(session.context, seat)
    )
    wish, more = asked
    view = tried_view(game, reader, wish, record)
    did = _complained(read.lines) + heard(replace(more, pictures=tuple(view.pictures)))
    return did + shown(
        Kind.INFO, "preview", map=view.facts,
        results=find_system(game.system).retell(game.map, record, reader),
        tried=[text for line in read.lines for text in line.filed],
        all_on_file=reader.quality is Watcher.MASTER,
    )


def _asking_problem(session: Session) -> Phrase | None:
    """Return why the open seat may not ask for lists and previews now, or None."""
    seat, game = session.seat, session.game
    asked = session.current.asked
    if seat.role not in (Role.PLAYER, Role.MASTER):
        return phrase("needs-power")
    if not _goes_on(game):
        return phrase("not-running", game=game.name, state=game.state.value)
    if asked.count("options") + asked.count("preview") >= MOST_SHOWN:
        return phrase("asked-too-often", limit=MOST_SHOWN)
    return None


def _goes_on(game: Game) -> bool:
    return game.state in (GameState.RUNNING, GameState.PAUSED)
