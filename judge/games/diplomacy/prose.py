"""Telling orders gone wrong from lines that were never meant as orders."""

from collections.abc import Sequence

from judge.games.diplomacy.lattice import Edge, Lattice

_MOST_WORDS = 12
"""Words of the longest order anybody writes out in full."""

_UNITS = frozenset({"ARMY", "FLEET"})
_DEEDS = frozenset(
    {"_MOVE", "HOLD", "SUPPORT", "CONVOY", "RETREAT", "DISBAND", "BUILD", "WAIVE", "VIA"}
    | {"PROXY", "UNPROXY"}
)
_STARTS = _UNITS | {"PLACE", "HOLD", "DISBAND", "BUILD", "WAIVE", "RETREAT"}


def is_prose(lattice: Lattice, sender: str) -> bool:
    """Tell whether an unreadable line is rather text than an order.

    An order names a unit or a place and what it does, begins so, and has more words that are
    known than not. Words of another power's units are a quotation.
    """
    words = [at for at, atom in enumerate(lattice.atoms) if atom.text.isalnum()]
    if any(atom.text in "?!\"" for atom in lattice.atoms) or len(words) > _MOST_WORDS:
        return True
    kinds: list[set[str]] = []
    at = 0
    while at < len(lattice.atoms):
        edges = [edge for edge in lattice.edges[at] if not edge.cost]
        if not at and _is_foreign(edges, sender):
            return True
        if lattice.atoms[at].text.isalnum() or lattice.atoms[at].text in ("-", "->"):
            kinds.append({edge.kind for edge in edges})
        at = max((edge.end for edge in edges), default=at + 1)
    content = [found for found in kinds if found != {""}]
    if content and "POWER" in content[0] and "PLACE" not in content[0]:
        content = content[1:]
    return not _is_order_like(content)


def _is_foreign(edges: Sequence[Edge], sender: str) -> bool:
    powers = [edge.meaning for edge in edges if edge.kind == "POWER"]
    places = any(edge.kind == "PLACE" for edge in edges)
    return bool(sender and powers and sender not in powers and not places)


def _is_order_like(content: Sequence[set[str]]) -> bool:
    unknown = sum(not found for found in content)
    units = any(found & _UNITS for found in content)
    places = any("PLACE" in found for found in content)
    deeds = any(found & _DEEDS for found in content)
    signs = units + places + deeds
    begins = bool(content) and (not content[0] or bool(content[0] & _STARTS))
    if content and not content[0]:
        # An unknown word in front is taken for a place only if an arrow or verb follows.
        begins = len(content) > 1 and bool(content[1] & _DEEDS)
    return begins and signs >= 2 and unknown * 2 <= len(content)
