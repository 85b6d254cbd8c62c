"""What a settled movement phase leaves behind: units, who must retreat, what is contested."""

from judge.board.map import Unit
from judge.board.position import Dislodged, Position
from judge.games.diplomacy.battles import leaving, prevention
from judge.games.diplomacy.outcome import Outcome, Verdict
from judge.games.diplomacy.pieces import MOVE, OK, Field, Piece
from judge.games.diplomacy.reasons import verdict_on
from judge.games.diplomacy.retreats import retreats_open_to


def verdicts_on(field: Field) -> dict[str, tuple[Verdict, ...]]:
    """Return power → the verdicts on its units, as units are listed, then on others."""
    verdicts: dict[str, list[Verdict]] = {piece.power: [] for piece in field.at.values()}
    for piece in field.at.values():
        verdicts[piece.power].append(verdict_on(field, piece))
    for power, order, reason in field.strays:
        verdicts.setdefault(power, []).append(Verdict(order, (Outcome.VOID,), reason))
    return {power: tuple(found) for power, found in verdicts.items()}


def position_after(field: Field, position: Position) -> Position:
    """Return the position after movement, still in its phase, with all dislodged units."""
    board = field.board
    beaten: dict[Piece, Piece] = {}
    bounced: list[str] = []
    for battle in field.battles.values():
        if battle.winner is None:
            if leaving(battle) is OK and any(prevention(one)[0] for one in battle.attackers):
                bounced.append(battle.province)
        elif battle.holder and (dislodger := battle.dislodger):
            beaten[battle.holder] = dislodger
    contested = frozenset(bounced)
    units: dict[str, list[Unit]] = {power: [] for power in position.units}
    for piece in field.at.values():
        if piece.fact is OK and piece.task is MOVE:
            units[piece.power].append(piece.landing)
        elif piece not in beaten:
            units[piece.power].append(piece.unit)
    dislodged: dict[str, tuple[Dislodged, ...]] = {}
    if beaten:
        closed = contested.union(unit.province for own in units.values() for unit in own)
        for unit in board.listed([piece.unit for piece in beaten]):
            piece = field.at[unit.province]
            one = _dislodged(field, piece, beaten[piece], closed)
            dislodged[piece.power] = (*dislodged.get(piece.power, ()), one)
    return Position(
        phase=position.phase,
        units={power: board.listed(own) for power, own in units.items()},
        owners=position.owners,
        dislodged=dislodged,
        contested=contested,
        quiet_falls=position.quiet_falls,
    )


def _dislodged(field: Field, piece: Piece, by: Piece, closed: frozenset[str]) -> Dislodged:
    found = Dislodged(piece.unit, by.province, by.by_sea)
    return found._replace(retreats=retreats_open_to(field.board, found, closed, field.rules))
