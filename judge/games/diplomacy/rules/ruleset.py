"""Choices that the rules leave open, as named options (DATC 3.0, chapter 4)."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Literal, get_args, get_type_hints

from judge.digits import is_number


@dataclass(frozen=True, slots=True)
class Rules:
    """Adjudication options of one game.

    The first value of each choice is its default, preferred by the author of the DATC.
    """

    paradox: Literal["szykman", "all_hold", "1971", "1982", "2000"] = "szykman"
    """Rule for a convoy paradox (4.A.2). The years are rulebooks, with Szykman as their backup."""
    intent: Literal["own_fleet", "via_only", "swap_only"] = "own_fleet"
    """Condition on which an army that could walk goes by sea (4.A.3): VIA or a convoy by an own
    fleet, VIA alone, or only a unit coming the other way with a whole convoy ordered. It is decided
    before any battle: an army whose convoy is then broken never walks instead (6.G.4, 6.G.20)."""
    fallback: Literal["none", "land"] = "none"
    """Way of an army when no whole convoy was ordered (4.A.3): none, or by land if it can walk."""
    support_coast: Literal["lenient", "strict"] = "lenient"
    """Support for a fleet that moves to a coast (4.B.4). Strict supports must name that coast."""
    convoy_return: Literal["allowed", "no"] = "allowed"
    """Retreat to the origin of a convoyed attacker (4.A.5)."""
    missing_coast: Literal["possible", "illegal"] = "possible"
    """Move of a fleet that names no coast where only one is possible (4.B.2)."""
    wrong_coast: Literal["illegal", "possible"] = "illegal"
    """Move of a fleet to a coast it cannot reach where it reaches the other (4.B.3)."""
    routes: Literal["any", "all"] = "any"
    """Fleets that must remain for a convoy (4.A.1): one chain of them, or all of them."""
    convoy_cut: Literal["dislodging", "always"] = "dislodging"
    """Cut by an army by sea of a support directed at its origin (4.A.4)."""
    extra_builds: Literal["first", "last", "none"] = "first"
    """Build orders that count when there are too many (4.D.4)."""
    extra_removals: Literal["first", "last", "disorder"] = "first"
    """Removals that count when there are too many (4.D.6). Disorder: none of them."""
    disorder: Literal["owned", "home"] = "owned"
    """Centres from which distances are counted in civil disorder (4.D.8): owned ones, over every
    border, or home centres, with fleets by water only, as before 2023."""
    icebreaker: bool = True
    """True if fleets may use the coast beyond the ice, on maps that have one."""
    quiet_falls: Literal["by map", "off", "2", "3", "4", "5"] = "by map"
    """Number of Falls in a row without change that end the game as a draw."""
    victory: int = 0
    """Number of centres that win. 0: as many as the map says."""
    last_year: int = 0
    """Year whose Fall is the last, or 0."""
    at_end: Literal["survivors", "leader"] = "survivors"
    """Powers that share a game ended by its last year."""
    blank_board: bool = False
    """True if the game begins with builds on an empty board."""
    builds: Literal["home", "one", "any"] = "home"
    """Centres to build in: home centres, any owned one while a home centre is owned, or any
    owned."""
    retreats: bool = True
    """True if dislodged units may retreat."""
    friendly_fire: bool = False
    """True if a power may dislodge its own units."""
    coastal_convoys: bool = False
    """True if fleets in coastal provinces convoy."""
    blind: bool = False
    """True if each power sees only its own units and centres and the provinces next to them."""
    proxy: bool = False
    """True if a power may let another order its unit for a phase."""

    @property
    def every_fleet(self) -> bool:
        """True if every convoying fleet must remain (DATC 4.A.1 a), as in the 1971 rules."""
        return self.routes == "all" or self.paradox == "1971"


@cache
def _types() -> Mapping[str, object]:
    return get_type_hints(Rules)


def rules_from(options: Mapping[str, object]) -> Rules:
    """Return the rules for a game's options. Unknown or missing ones have no effect.

    >>> rules_from({"paradox": "1982", "icebreaker": False, "press": "white"}).paradox
    '1982'
    >>> rules_from({"paradox": "roulette"}).paradox, rules_from({"icebreaker": "off"}).icebreaker
    ('szykman', False)
    """
    values = map(options.get, _types())
    return _rules(*[value if isinstance(value, str | int) else None for value in values])


@lru_cache(maxsize=64, typed=True)
def _rules(*values: str | int | None) -> Rules:
    """Return the rules for a value of each option. Cached, since few sets are in use."""
    chosen: dict[str, object] = {}
    for (name, kind), typed in zip(_types().items(), values, strict=True):
        value = _SWITCHES.get(str(typed).lower()) if kind is bool else typed
        if kind is int:
            if is_number(str(value)):
                chosen[name] = int(str(value))
            continue
        if value is not None and value in (get_args(kind) or (True, False)):
            chosen[name] = value
    return Rules(**chosen)  # type: ignore[arg-type]


_SWITCHES = {"true": True, "on": True, "yes": True, "false": False, "off": False, "no": False}
