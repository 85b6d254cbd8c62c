"""Battles: strengths as far as they are known, and who gets a province (DATC 5.B)."""

from typing import NamedTuple

from judge.games.diplomacy.pieces import Battle, Fact, Piece, Task


class Strength(NamedTuple):
    """A strength while supports are open: at least and at most so much."""

    least: int
    greatest: int


NONE = Strength(0, 0)


def decide(battle: Battle) -> list[Piece]:
    """Decide every move of a battle that can be decided now; return those that were."""
    decided = []
    for attacker in battle.attackers:
        if attacker.fact is Fact.OPEN:
            fate = _fate(attacker, battle)
            if fate is not Fact.OPEN:
                attacker.fact = fate
                decided.append(attacker)
                if fate is Fact.OK:
                    battle.winner = attacker
    if battle.winner:
        for attacker in battle.attackers:
            if attacker.fact is Fact.OPEN:
                attacker.fact = Fact.FAIL
                decided.append(attacker)
    return decided


def _fate(attacker: Piece, battle: Battle) -> Fact:
    """Return whether a move succeeds, fails, or may do either (DATC 5.B.1).

    While it is open whether the holder leaves, success means success against a holder that stays,
    the harder case, and failure means failure against one that leaves.
    """
    if attacker.path is Fact.FAIL:
        return Fact.FAIL
    rivals = _strongest_rival(attacker, battle)
    leaves = Fact.FAIL if attacker.duel else leaving(battle)
    if leaves is not Fact.OK:
        own = _if_arrived(attacker, attack(attacker, battle.holder))
        if_stays = _compared(own, _higher(rivals, resistance(attacker, battle)))
        if leaves is Fact.FAIL or if_stays is Fact.OK:
            return if_stays
    if_leaves = _compared(_if_arrived(attacker, full(attacker)), rivals)
    return if_leaves if leaves is Fact.OK or if_leaves is Fact.FAIL else Fact.OPEN


def leaving(battle: Battle) -> Fact:
    """Return whether the province of a battle is empty, or left by its holder."""
    holder = battle.holder
    if holder is None:
        return Fact.OK
    return holder.fact if holder.task is Task.MOVE else Fact.FAIL


def full(piece: Piece) -> Strength:
    """Return a piece's strength with all its supports."""
    return Strength(piece.least, piece.greatest)


def attack(attacker: Piece, holder: Piece | None) -> Strength:
    """Return an attack's strength against a holder that stays (DATC 5.B.8).

    A power dislodges no unit of its own, nor helps others to: its supports do not count.
    """
    if holder is None:
        return full(attacker)
    if attacker.power == holder.power:
        return NONE
    least = greatest = 1
    for helper in attacker.helpers:
        if helper.power != holder.power:
            least += helper.fact is Fact.OK
            greatest += helper.fact is not Fact.FAIL
    return Strength(least, greatest)


def resistance(attacker: Piece, battle: Battle) -> Strength:
    """Return how strongly the holder of a province resists an attacker, if it stays.

    In a duel with all it has to move (DATC 5.B.7); after another move that failed as one unit
    alone; else with its supports to hold (5.B.5).
    """
    holder = battle.holder
    if holder is None:
        return NONE
    if holder.task is Task.MOVE and not attacker.duel:
        return Strength(1, 1)
    return full(holder)


def prevention(piece: Piece) -> Strength:
    """Return how strongly a move keeps others out of its goal, whether or not it gets there.

    Nothing is kept by a move that cannot arrive, nor by the loser of a duel at its winner's
    origin (DATC 5.B.6); a unit dislodged by anybody else still does.
    """
    if piece.path is Fact.FAIL:
        return NONE
    if piece.duel and piece.duel.fact is Fact.OK:
        return NONE
    if piece.duel and piece.duel.fact is Fact.OPEN:
        return Strength(0, piece.greatest)
    return _if_arrived(piece, full(piece))


def _strongest_rival(attacker: Piece, battle: Battle) -> Strength:
    found = NONE
    if len(battle.attackers) > 1:
        for rival in battle.attackers:
            if rival is not attacker:
                found = _higher(found, prevention(rival))
    return found


def _higher(one: Strength, other: Strength) -> Strength:
    return Strength(max(one.least, other.least), max(one.greatest, other.greatest))


def _if_arrived(piece: Piece, strength: Strength) -> Strength:
    """Return a strength as it is while its path may still break: perhaps nothing."""
    return Strength(0, strength.greatest) if piece.path is Fact.OPEN else strength


def _compared(own: Strength, against: Strength) -> Fact:
    if own.least > against.greatest:
        return Fact.OK
    return Fact.FAIL if own.greatest <= against.least else Fact.OPEN
