"""Battles: strengths as far as they are known, and who gets a province (DATC 5.B)."""

from judge.games.diplomacy.pieces import FAIL, MOVE, OK, OPEN, Battle, Fact, Piece

Strength = tuple[int, int]
"""A strength while supports are open: at least and at most so much."""

NONE: Strength = (0, 0)
ALONE: Strength = (1, 1)


def decide(battle: Battle) -> list[Piece]:
    """Decide every move of a battle that can be decided now; return those that were."""
    decided = []
    for attacker in battle.attackers:
        if attacker.fact is OPEN:
            fate = _fate(attacker, battle)
            if fate is not OPEN:
                attacker.fact = fate
                decided.append(attacker)
                if fate is OK:
                    battle.winner = attacker
    if battle.winner:
        for attacker in battle.attackers:
            if attacker.fact is OPEN:
                attacker.fact = FAIL
                decided.append(attacker)
    return decided


def _fate(attacker: Piece, battle: Battle) -> Fact:
    """Return whether a move succeeds, fails, or may do either (DATC 5.B.1).

    While it is open whether the holder leaves, success means success against a holder that stays,
    the harder case, and failure means failure against one that leaves. While its path may still
    break the move is sure of nothing.
    """
    path, holder = attacker.path, battle.holder
    if path is FAIL:
        return FAIL
    rivals_least = rivals_greatest = 0
    if len(battle.attackers) > 1:
        for rival in battle.attackers:
            if rival is not attacker:
                least, greatest = prevention(rival)
                if least > rivals_least:
                    rivals_least = least
                if greatest > rivals_greatest:
                    rivals_greatest = greatest
    elif holder is None:
        return path
    leaves = FAIL if attacker.duel else leaving(battle)
    if leaves is not OK:
        least, greatest = attack(attacker, holder)
        held_least, held_greatest = resistance(attacker, battle)
        if path is OK and least > rivals_greatest and least > held_greatest:
            return OK
        if leaves is FAIL:
            return FAIL if greatest <= rivals_least or greatest <= held_least else OPEN
        return FAIL if attacker.greatest <= rivals_least else OPEN
    if path is OK and attacker.least > rivals_greatest:
        return OK
    return FAIL if attacker.greatest <= rivals_least else OPEN


def leaving(battle: Battle) -> Fact:
    """Return whether the province of a battle is empty, or left by its holder."""
    holder = battle.holder
    if holder is None:
        return OK
    return holder.fact if holder.task is MOVE else FAIL


def attack(attacker: Piece, holder: Piece | None) -> Strength:
    """Return an attack's strength, against a holder that stays if there is one (DATC 5.B.8).

    A power dislodges no unit of its own, nor helps others to: its supports do not count.
    """
    if holder is None:
        return attacker.least, attacker.greatest
    if attacker.side == holder.side:
        return NONE
    if not attacker.helpers:
        return ALONE
    least = greatest = 1
    for helper in attacker.helpers:
        if helper.side != holder.side:
            least += helper.fact is OK
            greatest += helper.fact is not FAIL
    return least, greatest


def resistance(attacker: Piece, battle: Battle) -> Strength:
    """Return how strongly the holder of a province resists an attacker, if it stays.

    In a duel with all it has to move (DATC 5.B.7); after another move that failed as one unit
    alone; else with its supports to hold (5.B.5).
    """
    holder = battle.holder
    if holder is None:
        return NONE
    if holder.task is MOVE and not attacker.duel:
        return ALONE
    return holder.least, holder.greatest


def prevention(piece: Piece) -> Strength:
    """Return how strongly a move keeps others out of its goal, whether or not it gets there.

    Nothing is kept by a move that cannot arrive, nor by the loser of a duel at its winner's
    origin (DATC 5.B.6); a unit dislodged by anybody else still does.
    """
    if piece.path is FAIL:
        return NONE
    if piece.duel:
        if piece.duel.fact is OK:
            return NONE
        if piece.duel.fact is OPEN:
            return 0, piece.greatest
    return (piece.least if piece.path is OK else 0), piece.greatest
