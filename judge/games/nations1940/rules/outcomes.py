"""What becomes of an order, in a word or a few: the verdicts that reports and programs tell."""

from collections.abc import Sequence

from judge.games.nations1940.rules.orders import (
    Deploy,
    Escort,
    Govern,
    Hold,
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
"""All there are. The steps of the turn note them where they happen (`World.note`): an army may
arrive and have losses, or retreat and be disbanded."""

_WITHOUT_NOTE = {
    Hold: "holds", Research: "stands", Spawn: "stands", Shed: "stands", Deploy: "done",
    Govern: "done", Traits: "done", Escort: "unneeded",
}  # fmt: skip


def outcome(world: World, nation: str, order: Order) -> tuple[str, ...]:
    """Return what became of a nation's order in a turn that is over.

    What nothing was noted of did what its kind always does, or had nothing left to do it with: its
    units were gone before their turn came, or what it would take back was not there.
    """
    if isinstance(order, Hold) and any(
        event.kind == "capture" and event.facts["at"] == order.province
        and event.facts["nation"] != nation
        for event in world.events
    ):
        return ("destroyed",)
    return world.noted(order) or (_WITHOUT_NOTE.get(type(order), "void"),)


def of_way(became: Sequence[str], left: int, *, arrived: bool, fought: bool) -> list[str]:
    """Return what became of units that went a way: those that are left arrived, or fought on it and
    stay where they won."""
    if not left:
        return [*became]
    if arrived:
        return ["arrives", *became]
    return ["stops", *became] if fought and {*became} <= {"losses"} else [*became]
