"""The choices the rules leave open, as named options (DATC 3.0, chapter 4)."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Literal, get_args, get_type_hints

from judge.digits import is_number


@dataclass(frozen=True, slots=True)
class Rules:
    """How one game is adjudicated.

    The first value of each choice is its default: what the author of the DATC prefers.
    """

    paradox: Literal["szykman", "all_hold", "1971", "1982", "2000"] = "szykman"
    """What settles a convoy paradox (4.A.2); the years are rulebooks, Szykman their backup."""
    intent: Literal["own_fleet", "via_only", "swap_only"] = "own_fleet"
    """What sends an army by sea that could walk (4.A.3): VIA or an own fleet's convoy; VIA alone;
    only a unit coming the other way, with a whole convoy ordered. Decided before any battle: an
    army whose convoy is then broken never walks instead (6.G.4, 6.G.20)."""
    fallback: Literal["none", "land"] = "none"
    """Whether an army walks, if it can, when no whole convoy was ordered (4.A.3)."""
    support_coast: Literal["lenient", "strict"] = "lenient"
    """Whether a support must name the coast its fleet goes to (4.B.4)."""
    convoy_return: Literal["allowed", "no"] = "allowed"
    """Whether a unit may retreat to where its convoyed attacker came from (4.A.5)."""
    missing_coast: Literal["possible", "illegal"] = "possible"
    """What a fleet does that names no coast where it reaches only one (4.B.2)."""
    wrong_coast: Literal["illegal", "possible"] = "illegal"
    """What a fleet does that names a coast it cannot reach, but reaches the other (4.B.3)."""
    routes: Literal["any", "all"] = "any"
    """Whether a convoy stands while one chain of its fleets does, or all of them (4.A.1)."""
    convoy_cut: Literal["dislodging", "always"] = "dislodging"
    """When an army by sea cuts a support directed at where it comes from (4.A.4)."""
    extra_builds: Literal["first", "last", "none"] = "first"
    """Which build orders count when there are too many (4.D.4)."""
    extra_removals: Literal["first", "last", "disorder"] = "first"
    """Which removals count when there are too many; disorder: none of them (4.D.6)."""
    disorder: Literal["owned", "home"] = "owned"
    """From where a leaderless power's distances are counted (4.D.8): from centres it owns, over
    every border; from its home centres, fleets by water only, as before 2023."""
    icebreaker: bool = True
    """Whether fleets may use the coast beyond the ice, on maps that have one."""
    quiet_falls: Literal["by map", "off", "2", "3", "4", "5"] = "by map"
    """How many Falls in a row without change end the game as a draw."""
    victory: int = 0
    """How many centres win; 0: as many as the map says."""
    last_year: int = 0
    """The year whose Fall is the last; 0: there is none."""
    at_end: Literal["survivors", "leader"] = "survivors"
    """Who shares in a game that its last year ends."""
    blank_board: bool = False
    """Whether the game begins with builds on an empty board."""
    builds: Literal["home", "one", "any"] = "home"
    """Where a power builds: in home centres; in any it owns while it owns one of those; in any."""
    retreats: bool = True
    """Whether dislodged units may retreat."""
    friendly_fire: bool = False
    """Whether a power may dislodge its own units."""
    coastal_convoys: bool = False
    """Whether fleets in coastal provinces convoy."""
    blind: bool = False
    """Whether each power sees only its own units and centres and what stands beside them."""
    proxy: bool = False
    """Whether a power may let another order its unit for a phase."""

    @property
    def every_fleet(self) -> bool:
        """Whether every fleet that convoys must stand (DATC 4.A.1 a), as the rulebook of 1971."""
        return self.routes == "all" or self.paradox == "1971"


@cache
def _types() -> Mapping[str, object]:
    return get_type_hints(Rules)


def rules_from(options: Mapping[str, object]) -> Rules:
    """Return the rules a game's options ask for; what is unknown or missing has no effect.

    >>> rules_from({"paradox": "1982", "icebreaker": False, "press": "white"}).paradox
    '1982'
    >>> rules_from({"paradox": "roulette"}).paradox, rules_from({"icebreaker": "off"}).icebreaker
    ('szykman', False)
    """
    values = map(options.get, _types())
    return _rules(*[value if isinstance(value, str | int) else None for value in values])


@lru_cache(maxsize=64, typed=True)
def _rules(*values: str | int | None) -> Rules:
    """Return the rules for a value of each option; games have few sets, and are asked often."""
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
