"""Who may send press to whom, and when; what is for the master may always be sent."""

from datetime import timedelta

from judge.play.commands.session import Session
from judge.play.game import Game
from judge.play.office import find_side, is_open, sheet_of
from judge.play.pressroom.addressees import Readers
from judge.play.pressroom.correspondence import MASTER, OBSERVERS, read_sent
from judge.words.letter import Kind
from judge.words.press import SendPress
from judge.words.reason import Reason, because
from judge.words.record import GameState, Role, Seat

DAY = timedelta(days=1)


def text_problem(session: Session, body: tuple[str, ...]) -> Reason | None:
    """Return why a text can be neither sent nor kept: empty, too long, too many today."""
    policy, game = session.office.policy, session.game
    if not any(line.strip() for line in body):
        return because("press-empty")
    size = octets(body)
    if size > policy.press_size:
        return because("press-too-long", limit=policy.press_size // 1024)
    own = game.chosen.max_press if session.seat.role is not Role.MASTER else 0
    most = min(own or policy.press_per_day, policy.press_per_day)
    many, written = session.office.papers.spoken(session.seat.id, session.now - DAY)
    if many >= most:
        return because("press-too-many", most=most)
    if written + size > policy.press_volume:
        return because("press-too-much", limit=policy.press_volume // 1024)
    return None


def octets(body: tuple[str, ...]) -> int:
    """Return how long a text is."""
    return sum(len(line.encode("utf-8", "surrogatepass")) + 1 for line in body)


def note_written(session: Session, body: tuple[str, ...]) -> None:
    """Count a text that was sent or kept."""
    papers = session.office.papers
    papers.note(session.seat.id, session.now, octets(body), session.now - DAY)


def sending_problem(session: Session, command: SendPress, readers: Readers) -> Reason | None:
    """Return why this press may not be sent, or None; nothing in it tells who was answered."""
    game, writer = session.game, session.seat
    if not is_open(game):
        return because("press-after-end", game=game.name)
    if readers.is_for_master and writer.role is not Role.MONITOR:
        return None
    if game.state is GameState.FORMING and not readers.is_for_all:
        return because("press-before-start")
    if writer.role is not Role.MASTER:
        problem = _writer_problem(game, writer) or _time_problem(session, game, command)
        if problem:
            return problem
        if not readers.is_for_all and not game.chosen.partial:
            return because("press-no-partial", game=game.name)
    if game.state is not GameState.FORMING:
        gone = [name for name in readers.names if _is_out(game, name)]
        if gone:
            return because("press-to-eliminated", powers=tuple(gone), count=len(gone))
    if OBSERVERS in readers.names and game.chosen.observer_press == "none":
        return because("press-no-observers", game=game.name)
    if game.chosen.touch_press and writer.role is Role.PLAYER:
        return _touch_problem(session, game, command, readers)
    return None


def _writer_problem(game: Game, writer: Seat) -> Reason | None:
    """Return why this person writes to nobody but the master in this game."""
    if writer.role is Role.MONITOR:
        return because("press-by-monitor")
    if game.chosen.press == "none":
        return because("press-none", game=game.name)
    level = game.chosen.observer_press
    if writer.role is Role.OBSERVER and level not in ("white", "any"):
        return because("press-by-observer")
    if game.state is not GameState.FORMING and _is_out(game, writer.power):
        if level not in ("white", "any"):
            return because("press-by-eliminated", power=writer.power)
    return None


def _is_out(game: Game, name: str) -> bool:
    return find_side(game, name) is not None and name not in game.table.alive()


def _time_problem(session: Session, game: Game, command: SendPress) -> Reason | None:
    """Return why nothing may be sent now; what comes with the results may be written any time."""
    if command.postal or game.state is GameState.FORMING:
        return None
    if game.clock.writing:
        return because("press-while-writing", phase=game.phase)
    table = game.table
    if table.phase.clock != "move" and not game.chosen.minor_press:
        return because("press-movement-only", phase=game.phase)
    over = game.deadline is not None and session.mail.accepted >= game.deadline
    if over and not game.chosen.grace_press:
        return because("press-in-grace", phase=game.phase)
    power = session.seat.power
    owes = (
        power in table.due()
        and not session.seat.ready
        and bool(table.missing(power, sheet_of(game, power)))
    )
    if owes and game.chosen.must_order:
        return because("press-orders-first", phase=game.phase)
    if owes and over and not game.chosen.late_press:
        return because("press-by-late", phase=game.phase)
    return None


def _touch_problem(
    session: Session, game: Game, command: SendPress, readers: Readers
) -> Reason | None:
    """Hold press to neighbours; who wrote without a name may always be answered."""
    if command.postal:
        return None
    if readers.is_for_all:
        return because("press-touch-once", phase=game.phase) if _has_spoken(session) else None
    near = game.table.touching(session.seat.power)
    far = [name for name in readers.names if name not in (*near, MASTER, OBSERVERS)]
    return because("press-touch", powers=tuple(far)) if far else None


def _has_spoken(session: Session) -> bool:
    """Tell whether the open seat has written to everybody in this phase already."""
    events = session.game.events(session.game.opened)
    spoken = [read_sent(event.text) for event in events if event.kind == Kind.PRESS.value]
    return any(sent.is_for_all and sent.writer == session.seat.id for sent in spoken)
