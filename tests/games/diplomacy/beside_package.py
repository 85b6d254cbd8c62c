"""Whole games of random legal orders, in the `diplomacy` package and the engine.

Both play the same orders, drawn from those that both list. Where the next states differ, the phase
is adjudicated again under each choice that the DATC leaves open. The choice that gives the
package's state explains the difference. A difference without such a choice is one of two known
faults of the package, by the DATC's own cases. Then the engine continues from the package's state.
"""

import random
from collections import Counter
from collections.abc import Mapping
from typing import Any, NamedTuple

from judge.diplomacy import compat
from judge.diplomacy.saved import state_of
from judge.diplomacy.state import Result, State, plain
from judge.games.diplomacy.rules.orders import Move

PARTS = ("units", "retreats", "centers")

CHOICES: tuple[dict[str, str], ...] = (
    {"fallback": "land"},
    {"convoy_return": "no"},
    {"paradox": "all_hold"},
    {"paradox": "1971"},
    {"paradox": "1982"},
    {"paradox": "2000"},
    {"convoy_cut": "always"},
    {"intent": "via_only"},
    {"intent": "via_only", "fallback": "land"},
    {"fallback": "land", "convoy_cut": "always"},
    {"fallback": "land", "paradox": "all_hold"},
    {"disorder": "home"},
)
"""Choices that may explain a difference, the most likely first."""


class Played(NamedTuple):
    """Statistics of a game."""

    phases: int
    explained: Counter[str]
    """Choice → number of phases whose next state differs because of it."""
    unexplained: list[str]
    possible: Counter[str]
    """Kind of order → number of orders that only one of the two programs lists."""


def play(theirs: Any, seed: int, most: int = 60) -> Played:
    """Play a game in both programs, at most *most* phases."""
    luck = random.Random(seed)
    ours = compat.Game()
    phases, explained, possible = 0, Counter[str](), Counter[str]()
    unexplained: list[str] = []
    while not theirs.is_game_done and phases < most:
        if theirs.get_current_phase() != ours.get_current_phase():
            # The package stops at a phase without any choice, the engine does not.
            skipped = theirs.get_current_phase()
            theirs.process()
            if not theirs.is_game_done and not _agree(theirs, ours.state):
                unexplained.append(f"{seed} {skipped}: {_list_differences(theirs, ours)}")
                ours.set_state(_read_state(theirs))
            continue
        possible += _possible_differ(theirs, ours)
        orders = _draw_orders(theirs, ours, luck)
        before, told = ours.state, _read_state(theirs)
        for power, texts in orders.items():
            theirs.set_orders(power, texts)
            ours.set_orders(power, texts)
        assert not ours.error, (seed, ours.error)
        theirs.process()
        ours.process()
        phases += 1
        if ours.is_game_done or theirs.is_game_done:
            break
        if not _agree(theirs, ours.state):
            choice = _find_choice(theirs, before, orders)
            if choice:
                explained[choice] += 1
            else:
                unexplained.append(f"{seed} {told['name']}: {_list_differences(theirs, ours)}")
            ours.set_state(_read_state(theirs))
    return Played(phases, explained, unexplained, possible)


def _read_state(theirs: Any) -> dict[str, Any]:
    told: dict[str, Any] = theirs.get_state()
    return told


def _draw_orders(theirs: Any, ours: compat.Game, luck: random.Random) -> dict[str, list[str]]:
    """Draw an order for each unit, and builds in different centres."""
    able, mine = theirs.get_all_possible_orders(), ours.get_all_possible_orders()
    found: dict[str, list[str]] = {}
    for power, places in sorted(ours.get_orderable_locations().items()):
        count = abs(_read_state(theirs)["builds"][power]["count"]) or len(places)
        for place in luck.sample(places, min(count, len(places))):
            both = sorted({*able[place]} & {*mine[place]} - {"WAIVE"})
            if both:
                found.setdefault(power, []).append(luck.choice(both))
    return found


def _agree(theirs: Any, ours: State) -> bool:
    """Return whether the two states are equal.

    A state of the package also agrees if it is in the Winter that the engine passed over.
    """
    told, mine = _read_state(theirs), compat.saved_state(ours)
    year = int(mine["name"][1:5])
    is_passed = told["name"] == f"W{year - 1}A" and mine["name"][0] == "S"
    if told["name"] != mine["name"] and not is_passed:
        return False
    if is_passed:
        # Units of powers without a centre are already removed in the engine's state.
        alive = {power: units for power, units in told["units"].items() if told["centers"][power]}
        told["units"] = {power: alive.get(power, []) for power in told["units"]}
    return all(_plain(told[part]) == _plain(mine[part]) for part in PARTS)


def _list_differences(theirs: Any, ours: compat.Game) -> list[str]:
    """Return a description of each difference."""
    told, mine = _read_state(theirs), ours.get_state()
    return [f"theirs {told['name']}, ours {mine['name']}"] + [
        f"{part} of {power}: theirs {told[part][power]}, ours {mine[part][power]}"
        for part in PARTS
        for power in told[part]
        if _plain({power: told[part][power]}) != _plain({power: mine[part][power]})
    ]


def _plain(part: Mapping[str, Any]) -> dict[str, Any]:
    return {
        power: {unit: sorted(to) for unit, to in found.items()}
        if isinstance(found, dict) else sorted(found)
        for power, found in part.items()
    }


def _find_choice(theirs: Any, before: State, orders: dict[str, list[str]]) -> str:
    """Return the choice under which the next states agree, or an empty string."""
    for choice in CHOICES:
        state = state_of(compat.saved_state(before), "standard", before.phase, choice)
        given = {power: map(plain, texts) for power, texts in orders.items()}
        after = state.adjudicate(given).state
        if _agree(theirs, after):
            return " ".join(f"{name}={value}" for name, value in choice.items())
    rules = {"fallback": "land"}
    result = state_of(compat.saved_state(before), "standard", before.phase, rules).adjudicate(
        {power: map(plain, texts) for power, texts in orders.items()}
    )
    return _known_fault(_read_state(theirs), result)


def _known_fault(told: dict[str, Any], result: Result) -> str:
    """Return the DATC case of the package's fault that explains the difference.

    6.D.12: it counts a support for a convoyed army against a unit of the supporter's own power.
    6.H.6: it lets units dislodged by a convoyed army retreat to contested and occupied provinces.
    """
    for verdicts in result.verdicts.values():
        for verdict in verdicts:
            if isinstance(verdict.order, Move) and verdict.order.via and verdict.reason:
                if verdict.reason.code == "bounced-own-support":
                    return "6.D.12"
    mine = compat.saved_state(result.state)
    if all(_plain(told[part]) == _plain(mine[part]) for part in ("units", "centers")):
        beaten = [one for found in result.adjudged.dislodged.values() for one in found]
        for power, found in _plain(told["retreats"]).items():
            ours = _plain(mine["retreats"])[power]
            differing = {unit for unit in found if found[unit] != ours.get(unit)}
            if differing - {str(one.unit) for one in beaten if one.by_convoy}:
                return ""
        return "6.H.6"
    return ""


def _possible_differ(theirs: Any, ours: compat.Game) -> Counter[str]:
    able, mine = theirs.get_all_possible_orders(), ours.get_all_possible_orders()
    found = Counter[str]()
    for place, texts in mine.items():
        for text in {*texts} - {*able.get(place, ())}:
            found[f"ours alone: {_kind(text)}"] += 1
        for text in {*able.get(place, ())} - {*texts}:
            found[f"theirs alone: {_kind(text)}"] += 1
    return found


def _kind(text: str) -> str:
    words = text.split()
    return " ".join("x" if len(word) > 2 and word != "VIA" else word for word in words)
