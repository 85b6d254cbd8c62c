"""Dependency cycles among open facts: rings of moves or convoy paradoxes.

All other facts are decided in the only way that is consistent with the rules, so a situation with
one solution never gets here (DATC 5.B.9).
"""

from collections.abc import Iterable, Iterator

from judge.games.diplomacy.rules.convoys import settle_path
from judge.games.diplomacy.rules.movement_state import (
    FAIL,
    MOVE,
    OK,
    OPEN,
    Battle,
    MovementState,
    Resolution,
    UnitState,
    is_vacated,
)

Node = Battle | UnitState
"""Node of the dependency graph: a battle, or the open support or path of a unit."""


def find_cycle(field: MovementState, battles: Iterable[Battle]) -> list[Node]:
    """Return a dependency cycle among unresolved nodes.

    It is the first strongly connected component that Tarjan's algorithm completes, and depends on
    nothing outside itself.
    """
    search = _CycleSearch(field)
    for battle in battles:
        if search.visit(battle):
            break
    return search.found


class _CycleSearch:
    """Tarjan's search for strongly connected components, stopped at the first one."""

    def __init__(self, field: MovementState) -> None:
        self._field = field
        self._numbers: dict[Node, int] = {}
        self._lowest: dict[Node, int] = {}
        self._stack: list[Node] = []
        self.found: list[Node] = []

    def visit(self, node: Node) -> bool:
        """Search from a node. Return True once a component is complete."""
        number = self._numbers[node] = self._lowest[node] = len(self._numbers)
        self._stack.append(node)
        for other in dependencies(self._field, node):
            if other not in self._numbers and self.visit(other):
                return True
            self._lowest[node] = min(self._lowest[node], self._lowest[other])
        if self._lowest[node] < number:
            return False
        self.found = self._stack[self._stack.index(node) :]
        return True


def dependencies(field: MovementState, node: Node) -> Iterator[Node]:
    """Yield the open nodes that an open node depends on."""
    if isinstance(node, Battle):
        for attacker in node.attackers:
            if attacker.path is OPEN:
                yield attacker
            yield from _open_supports(attacker)
        if node.holder:
            yield from _open_supports(node.holder)
            if is_vacated(node) is OPEN:
                yield field.battles[node.holder.goal]
    elif node.task is MOVE:
        for fleet in node.fleets:
            battle = field.battles.get(fleet.province)
            if battle and battle.undecided and not fleet.is_disrupted:
                yield battle
    else:
        battle = field.battles[node.province]
        for attacker in battle.attackers:
            if attacker.path is OPEN:
                yield attacker
            if attacker.province == node.goal and attacker.fact is OPEN:
                yield battle


def _open_supports(piece: UnitState) -> Iterator[UnitState]:
    return (helper for helper in piece.helpers if helper.fact is OPEN)


def resolve_cycle(field: MovementState, knot: list[Node]) -> None:
    """Resolve a dependency cycle by the rule for its kind.

    With paths in it, it is a convoy paradox: its convoying fleets are disrupted (Szykman, DATC
    4.A.2), or under "all hold" its moves fail. Without paths it is a ring, and all its moves
    succeed.
    """
    battles = [node for node in knot if isinstance(node, Battle)]
    paths = [node for node in knot if isinstance(node, UnitState) and node.task is MOVE]
    if not paths:
        _settle_moves(battles, OK)
    elif field.rules.paradox == "all_hold":
        for army in paths:
            army.path = FAIL
            for fleet in army.fleets:
                fleet.is_disrupted = True
        _settle_moves(battles, FAIL)
    else:
        places = {battle.province for battle in battles}
        for army in paths:
            for fleet in army.fleets:
                fleet.is_disrupted |= fleet.province in places
        for army in paths:
            settle_path(field, army)


def _settle_moves(battles: list[Battle], fate: Resolution) -> None:
    for battle in battles:
        for attacker in battle.attackers:
            if attacker.fact is OPEN:
                attacker.fact = fate
                if fate is OK:
                    battle.winner = attacker
        battle.undecided = 0
