"""Orders for phases still to come, lists of possible orders, previews, and whole new sheets."""

from dataclasses import replace

from judge.dice import Dice
from judge.games import find_system
from judge.games.system import LineRead, OrdersRead, PhaseInfo, Watcher
from judge.play.clocks.phases import sheets_in_force
from judge.play.commands.orders.lending import watch
from judge.play.commands.rationing import rationed
from judge.play.commands.session import Session
from judge.play.game import Game
from judge.play.letters.illustrating import MOST_PICTURES, OFF, tried_view, wish_of
from judge.play.office import is_held, reader_of
from judge.words.command import Command
from judge.words.incoming import Body
from judge.words.letter import Kind
from judge.words.orders import Conditional, ForPhase, Heading, Options, Preview, Replace
from judge.words.reason import Reason, because
from judge.words.record import GameState, Plan, Role

MOST_PLANS = 20
"""Later phases a power may have orders on file for."""
MOST_SHOWN = 8
"""Lists of orders and previews that one answer holds."""


def for_phase(session: Session, command: ForPhase) -> None:
    """Take the orders that follow for a phase: a later one, or by its name the present one."""
    session.astray = True
    if not command.phase:
        return
    seat, game = session.seat, session.game
    if seat.role is not Role.PLAYER or not seat.power or not _goes_on(game):
        session.refuse(command, because("needs-running-power"))
        return
    found = game.table.phase_called(command.phase)
    plans = {plan.phase for plan in game.plans(seat.power)}
    if isinstance(found, Reason):
        session.refuse(command, found)
    elif found.label not in {game.phase, *plans} and len(plans) >= MOST_PLANS:
        session.refuse(command, because("too-many-plans", limit=MOST_PLANS))
    else:
        session.ahead, session.astray = found.label, False
        if found.label != game.phase:
            session.say(because("orders-go-to", phase=found.label))


def heading(session: Session, command: Heading) -> None:
    """Hear the name of a phase above orders: of the present one it says nothing new, but lines
    below another's are for no phase until PHASE says so."""
    orders = (Role.PLAYER, Role.MASTER)
    if not session.is_signed_on or session.seat.role not in orders or not _goes_on(session.game):
        session.refuse(command, because("heading-alone"))
        return
    game = session.game
    if command.phase and command.phase == session.ahead:
        return
    table = game.table
    asked = table.phase_called(command.phase) if command.phase else None
    same = isinstance(asked, PhaseInfo) and (
        asked.label == game.phase or command.season_only and asked.turn == table.phase.turn
    )
    if same and session.ahead in ("", game.phase):
        session.astray = False
        session.say(because("heading-now", text=command.text, phase=game.phase))
        return
    session.astray = True
    if isinstance(asked, Reason):
        session.refuse(command, asked)
    elif asked is None:
        session.refuse(command, because("heading-next"))
    else:
        session.refuse(command, because("heading-other", phase=game.phase), f"PHASE {asked.label}")


def conditional(session: Session, command: Conditional) -> None:
    """Take an IF block for the phase named before; for the present one it is judged at once."""
    game = session.game
    if session.astray:
        reason = because("orders-for-no-phase", count=1 + sum(1 for _ in command.choice.lines()))
        session.refuse(command, reason)
    elif not session.ahead:
        session.refuse(command, because("if-needs-phase"), f"PHASE {game.phase}")
    elif session.ahead != game.phase:
        plan_body(session, (command.choice,))
    elif is_held(game):
        session.refuse(command, because("orders-while-held", phase=game.phase))
    else:
        power, table = session.seat.power, game.table
        planned = table.plan_orders((command.choice,), power, game.phase, "")
        fresh = session.current.fresh
        watch(session, game)
        sheets = sheets_to_change(session, game, power)
        told = _complain(session, planned.lines)
        if planned.plan:
            read = table.carry_out(planned.plan, power, sheets)
            game.file_sheets(game.phase, read.sheets)
            told += _complain(session, read.lines)
            session.current.fresh = fresh and not read.sheets
        session.current.orders.extend(told)
        session.touch(game)


def sheets_to_change(
    session: Session, game: Game, power: str | None
) -> dict[str, str]:
    """Return the orders on file; without those of the open power if new ones replace them all."""
    sheets = game.orders(game.phase)
    if not session.current.fresh:
        return sheets
    return {} if power is None else {**sheets, power: ""}


def plan_body(session: Session, body: Body) -> None:
    """Lay lines and IF blocks over what the open power has on file for a later phase."""
    game, power = session.game, session.seat.power
    plan = _plan(session)
    fresh = session.current.fresh
    read = game.table.plan_orders(body, power, plan.phase, "" if fresh else plan.text)
    session.current.orders.extend(_complain(session, read.lines))
    if read.plan and read.plan != plan.text:
        session.current.fresh = False
        game.file_plan(replace(plan, text=read.plan))


def plan_wait(session: Session, waits: bool) -> None:
    """Ask that a later phase is not adjudicated before its deadline, or no longer ask."""
    session.game.file_plan(replace(_plan(session), wait=waits))
    session.say(because("wait-on" if waits else "wait-off", phase=session.ahead))


def _plan(session: Session) -> Plan:
    """Return what the open power has on file for the phase its orders are for now."""
    game, power = session.game, session.seat.power
    plans = game.plans(power)
    found = [plan for plan in plans if plan.phase == session.ahead]
    return found[0] if found else Plan(game.id, session.ahead, power, "")


def _complain(session: Session, lines: tuple[LineRead, ...]) -> list[LineRead]:
    session.current.complaints += [line.complaint for line in lines if line.complaint]
    return list(lines)


def replace_all(session: Session, command: Replace) -> None:
    """Have the orders that follow take the place of everything on file."""
    session.current.fresh = True
    session.say(because("orders-replace"))


def options(session: Session, command: Options) -> None:
    """List every order that can be given to the open power's units, or to one of them.

    Units of others that it may order by proxy are among them.
    """
    game = session.game
    if not _may_ask(session, command):
        return
    power = session.seat.power if session.seat.role is Role.PLAYER else None
    reader = reader_of(game, session.seat)
    # What a power sees of a hidden board is told with the units it may order by proxy.
    table = game.table if power else game.table.seen_by(reader)
    found = table.menus(power, command.unit, game.orders(game.phase))
    if isinstance(found, Reason):
        session.refuse(command, found)
    else:
        session.show(Kind.INFO, "options", menus=found)


def preview(session: Session, command: Preview) -> None:
    """Show what would happen with the orders on file and those in the block; change nothing.

    A player's preview knows of no foreign orders but those in the block, and of a hidden board no
    more than he sees; only a master who does
    not play tries all that is on file. Chance is not that of the game.
    """
    game, seat = session.game, session.seat
    if not _may_ask(session, command):
        return
    reader = reader_of(game, seat)
    sheets = sheets_in_force(game)
    table = game.table.seen_by(reader, sheets)
    if reader.quality is not Watcher.MASTER:
        sheets = dict(table.known_to(seat.power, sheets))
    read = table.read_orders(command.lines, None, sheets) if command.lines else OrdersRead({}, ())
    _complain(session, read.lines)
    tried = table.adjudicate({**sheets, **read.sheets}, Dice(b"preview", game.turn))
    enough = len(session.current.pictures) >= MOST_PICTURES
    wish = OFF if enough else rationed(
        session, session.current, wish_of(session.office, seat)
    )
    view = tried_view(game, reader, wish, tried.record)
    session.current.pictures += view.pictures
    session.show(
        Kind.INFO, "preview", map=view.facts,
        results=find_system(game.system).retell(game.map, tried.record, reader),
        tried=[text for line in read.lines for text in line.filed],
        all_on_file=reader.quality is Watcher.MASTER,
    )


def _may_ask(session: Session, command: Command) -> bool:
    """Tell whether the open seat may ask for this now; say so if not."""
    seat, game = session.seat, session.game
    asked = session.current.asked
    if seat.role not in (Role.PLAYER, Role.MASTER):
        session.refuse(command, because("needs-power"))
    elif not _goes_on(game):
        session.refuse(command, because("not-running", game=game.name, state=game.state.value))
    elif asked["options"] + asked["preview"] >= MOST_SHOWN:
        session.refuse(command, because("asked-too-often", limit=MOST_SHOWN))
    else:
        return True
    return False


def _goes_on(game: Game) -> bool:
    return game.state in (GameState.RUNNING, GameState.PAUSED)
