"""Phrases of events, with names in place of codes."""

from collections.abc import Mapping
from typing import Any

from judge.games.nations1940.rules.orders import format_place
from judge.games.nations1940.rules.world import WorldEvent
from judge.games.nations1940.scenario import KINDS, Scenario, format_node
from judge.games.nations1940.sides import names_by_code
from judge.model.phrase import Fact, Phrase, phrase

SENTENCES = frozenset({
    "ev-missed", "ev-war", "ev-war-broken", "ev-announced", "ev-withdrawn", "ev-treaty", "ev-peace",
    "ev-cancelled", "ev-dropped-war", "ev-dropped-nap", "ev-dropped-full", "ev-bomb-fighters",
    "ev-bomb-aa", "ev-bomb-hit", "ev-bomb-nothing", "ev-atom-fighters", "ev-atom-aa", "ev-atom-hit",
    "ev-missile-aa", "ev-missile-hit", "ev-no-strike", "ev-halt-due", "ev-halt-rail",
    "ev-halt-peace", "ev-halt-port", "ev-no-escort", "ev-clash", "ev-clash-sea", "ev-battle",
    "ev-battle-neutral", "ev-duel", "ev-naval", "ev-naval-flee", "ev-retreat", "ev-retreat-further",
    "ev-disbanded", "ev-home", "ev-home-armies", "ev-flee", "ev-fleet-back", "ev-capture-razed",
    "ev-capture-bare", "ev-capture-intact", "ev-hq-overrun", "ev-capital-fallen",
    "ev-capital-restored", "ev-loyalties", "ev-eliminated", "ev-eliminated-landless",
    "ev-not-done-site", "ev-not-done-gone", "ev-not-done-dup", "ev-not-done-army",
    "ev-not-done-place", "ev-not-done-count", "ev-built", "ev-dismantled", "ev-raised-fleets",
    "ev-raised-mobile-hq", "ev-given-up-fleets", "ev-given-up-armies", "ev-given", "ev-deal",
    "ev-no-deal-war", "ev-no-deal-owner", "ev-no-deal-known", "ev-no-deal-queue", "ev-handover",
    "ev-handover-off", "ev-handover-waits", "ev-arrived", "ev-completed", "ev-progress",
    "ev-no-project", "ev-leftover", "ev-epidemic-kills", "ev-epidemic-ends", "ev-shed",
    "ev-spawned", "ev-event-epidemic", "ev-event-population-boom", "ev-event-emigration",
    "ev-event-volunteers", "ev-event-breakthrough", "ev-event-general-strike",
    "ev-event-industrial-accident", "ev-event-storm", "ev-event-uprising", "ev-atom-hit-fled",
    "ev-missile-hit-fled", "ev-event-nowhere", "ev-accident", "ev-storm", "ev-uprising",
    "ev-deployed", "ev-governed", "ev-traits", "ev-act",
})  # fmt: skip
"""Codes of all phrases of events.

The facts of an event select the phrase among those of its kind.
"""

_PLACES = ("at", "goal", "target", "base", "sea", "capital")
_NATIONS = ("nation", "to", "loser", "owner", "by", "giver", "victim")


class EventWording:
    """Phrases and names for games on one map."""

    def __init__(self, map_name: str, board: Scenario) -> None:
        self._names = names_by_code(map_name)
        self._board = board

    @property
    def board(self) -> Scenario:
        """The scenario, for texts of orders."""
        return self._board

    def place(self, place: Any) -> str:
        """Return a place with its number and its name."""
        return format_place(place, self._board)

    def nation(self, code: str) -> str:
        """Return the name of a nation, Neutral for an empty code."""
        return self._names.get(code, "Neutral")

    def item(self, item: Any) -> str:
        """Return the name of a traded item."""
        return self.place(item) if isinstance(item, int) else str(item)

    def describe_event(self, event: WorldEvent) -> Phrase:
        """Return the phrase of an event."""
        code = _code(event)
        assert code in SENTENCES, code
        facts = {
            name: self._fact(name, value) for name, value in event.facts.items()
            if name not in ("rounds", "attackers", "defenders")
        }  # fmt: skip
        if facts.get("killed"):
            facts["lost"] = self._struck(event)
        return Phrase(code, {**facts, **self._more(event)})

    def _struck(self, event: WorldEvent) -> tuple[str | Phrase, ...]:
        """Return the improvements and the army that a nuclear strike destroyed."""
        victim = event.facts["victim"]
        army = phrase("unit-neutral")
        if victim:
            army = phrase("unit-army-of", nation=self.nation(victim))
        return (*map(self._thing, event.facts["lost"]), army)

    def _fact(self, name: str, value: Any) -> Fact:
        if name in _PLACES and (isinstance(value, int) and value or value in self._board.seas):
            return self.place(value)
        if name == "target" and value in self._names:
            # A random event may strike a nation.
            return self.nation(str(value))
        if name in _NATIONS and isinstance(value, str):
            return self.nation(value)
        if name == "nations":
            return tuple(map(self.nation, value))
        if name in ("land", "loyal", "lost", "gives", "wants", "link", "seas"):
            return tuple(map(self._thing, value)) or (phrase("ev-nothing"),)
        if name == "what" and isinstance(value, list):
            return tuple(value)
        if name == "item" and value:
            return self.item(value)
        if name in ("razed", "what") and value in KINDS:
            return KINDS[value]
        if isinstance(value, list):
            return tuple(map(str, value))
        return value if isinstance(value, str | int | bool) else str(value)

    def _thing(self, thing: Any) -> str:
        if thing in KINDS:
            return KINDS[thing]
        if isinstance(thing, str) and thing not in self._board.seas:
            return thing
        return self.place(thing)

    def _more(self, event: WorldEvent) -> Mapping[str, Fact]:
        """Return the further facts of a fight: its sides and impulse."""
        if "attackers" not in event.facts:
            return {}
        return {
            "attackers": self._side(event.facts["attackers"]),
            "defenders": self._side(event.facts["defenders"]),
            "impulse": str(event.facts["impulse"]),
        }

    def _side(self, side: Any) -> tuple[Phrase, ...]:
        """Return the units of a side, with their nation, number and origin."""
        units: dict[tuple[str, Any], int] = {}
        for code, count, at in side:
            units[code, at] = units.get((code, at), 0) + count
        return tuple(
            phrase("ev-side-units", nation=self.nation(code), count=count, place=format_node(at))
            for (code, at), count in units.items()
        )


def _code(event: WorldEvent) -> str:
    """Return the code of an event's phrase."""
    facts = event.facts
    match event.kind:
        case "war":
            return "ev-war-broken" if facts["broken"] else "ev-war"
        case "strike":
            hit = "nothing" if facts["kind"] == "bomb" and not facts.get("lost") else "hit"
            hit += "-fled" if facts.get("fled") else ""
            return f"ev-{facts['kind']}-{facts['stopped'] or hit}"
        case "halt" | "dropped" | "not-done" | "no-deal":
            return f"ev-{event.kind}-{facts['why']}"
        case "raised" | "given-up":
            return f"ev-{event.kind}-{facts['what'].replace('_', '-')}"
        case "capture":
            if not facts["fought"]:
                return "ev-capture-intact"
            return "ev-capture-razed" if facts["razed"] else "ev-capture-bare"
        case "retreat":
            is_back = facts["at"] in (0, facts["goal"])
            return "ev-retreat" if is_back else "ev-retreat-further"
        case "eliminated":
            return "ev-eliminated" if facts["land"] else "ev-eliminated-landless"
        case "battle":
            return "ev-battle" if facts["owner"] else "ev-battle-neutral"
        case "clash":
            return "ev-clash-sea" if facts.get("sea") else "ev-clash"
        case "home":
            return "ev-home" if facts["hqs"] else "ev-home-armies"
        case "event":
            return f"ev-event-{facts['name'].lower().replace(' ', '-')}"
        case "naval":
            return "ev-naval-flee" if facts["impulse"] == "flee" else "ev-naval"
    return f"ev-{event.kind}"
