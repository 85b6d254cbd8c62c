"""Outcomes of orders, as codes for reports and programs."""

from collections.abc import Sequence

from judge.games.nations1940.rules.orders import (
    ArmyHold,
    Deploy,
    Escort,
    Govern,
    Order,
    Research,
    Shed,
    Spawn,
    Traits,
)
from judge.games.nations1940.rules.world import World

OUTCOMES = (
    "arrives", "captures", "losses", "destroyed", "retreats", "disbanded", "halted", "unescorted",
    "stops", "hits", "stopped", "misses", "withheld", "stands", "waits", "dropped",
    "done", "undone", "fails", "carries", "unneeded", "holds", "void",
)  # fmt: skip
"""All outcome codes.

The steps of the turn record them as they occur (`World.note`). An army may arrive and have losses,
or retreat and be disbanded.
"""

_WITHOUT_NOTE = {
    ArmyHold: "holds", Research: "stands", Spawn: "stands", Shed: "stands", Deploy: "done",
    Govern: "done", Traits: "done", Escort: "unneeded",
}  # fmt: skip


def outcome(world: World, nation: str, order: Order) -> tuple[str, ...]:
    """Return the outcome codes of a nation's order after the turn.

    An order without a recorded outcome has the usual one of its kind, or `void` if it had no
    object. Its units were lost before their turn, or there was nothing to withdraw. A HOLD in a
    province that another nation captured is `destroyed`.
    """
    if isinstance(order, ArmyHold) and any(
        event.kind == "capture" and event.facts["at"] == order.province
        and event.facts["nation"] != nation
        for event in world.events
    ):
        return ("destroyed",)
    return world.get_notes(order) or (_WITHOUT_NOTE.get(type(order), "void"),)


def movement_outcomes(
    became: Sequence[str], left: int, *, arrived: bool, fought: bool
) -> list[str]:
    """Return the outcome codes of units that moved, with *became* among them.

    Units that are left have `arrives`, or `stops` if they fought on the way and stay where they
    won.
    """
    if not left:
        return [*became]
    if arrived:
        return ["arrives", *became]
    return ["stops", *became] if fought and {*became} <= {"losses"} else [*became]
