"""What a game has set, as values with names and types.

The table of settings (`settingtable`) says how each is written after SET; here is what it may be
and what holds where nobody set it. Stored are only the settings that were set, by name.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from types import MappingProxyType
from typing import Any, TypedDict

from judge.play.dealings import NOTHING_UNDER_WAY
from judge.play.schedule import CLOCKS, EVERY_DAY

NO_DEDICATION = -10_000
"""Points everybody has: no limit."""


@dataclass(frozen=True, slots=True)
class ClockSettings:
    """One clock of a game: hours, but `clock` in minutes after midnight (-1: any time)."""

    next: float = 24.0
    min: float = 0.0
    clock: int = -1
    days: str = EVERY_DAY
    grace: float = 24.0
    delay: float = 0.0


_USUAL_CLOCKS = {
    # The delay of movement phases counts, unset, only where more than one person owed orders.
    "move": ClockSettings(next=72.0, delay=1 / 6),
    "retreat": ClockSettings(),
    "adjust": ClockSettings(),
}


@dataclass(frozen=True, slots=True)
class GameSettings:
    """What holds in a game; the comments in the table of settings say what each is for."""

    press: str = "white"
    partial: bool = True
    fake: str = "none"
    fake_sender: bool = False
    minor_press: bool = True
    late_press: bool = True
    grace_press: bool = True
    must_order: bool = False
    touch_press: bool = False
    postal_press: bool = True
    press_copies: bool = True
    reveal_press: bool = False
    max_press: int = 0
    observer_press: str = "read"
    nmr: str = "hold"
    manual_start: bool = False
    gm_plays: bool = False
    show_addresses: bool = False
    gunboat: bool = False
    rated: bool = True
    observers: str = "any"
    listed: bool = True
    seats: int = 1
    zone: str = "UTC"
    cron: str = ""
    comment: str = ""
    reminder: str = "25%"
    negotiation: float = 0.0
    first_negotiation: float = 0.0
    house: bool = False
    strict_grace: bool = False
    late_count: bool = False
    first_turn: bool = False
    cd: str = "hold"
    hold: bool = False
    takeover_time: float = 24.0
    max_absence: int = 15
    dias: bool = True
    concessions: bool = True
    votes: str = "count"
    votes_expire: bool = False
    power_choice: bool = False
    private: str = ""
    allow: tuple[str, ...] = ()
    deny: tuple[str, ...] = ()
    approval: bool = False
    ontimerat: int = 0
    resrat: int = 100
    dedication: int = NO_DEDICATION
    level: str = ""
    muster: float = 0.0
    set_up: bool = False
    copy_of: str = ""
    frozen: str = ""
    always_wait: bool = False
    clocks: Mapping[str, ClockSettings] = field(
        default_factory=lambda: MappingProxyType(_USUAL_CLOCKS)
    )
    """By kind of phase; stored as "move.next" and the like."""

    @classmethod
    def of(cls, stored: Mapping[str, object]) -> "GameSettings":
        """Return what holds where this was set; the options of a game's system are left out.

        >>> GameSettings.of({"press": "grey", "move.next": 48, "BLIND": True}).clocks["move"].next
        48.0
        """
        given = {name: _READ[name](value) for name, value in stored.items() if name in _READ}
        clocks = {
            clock: ClockSettings(**{
                key: read(stored.get(f"{clock}.{key}", getattr(usual, key)))
                for key, read in _READ_CLOCK.items()
            })
            if any(name.startswith(f"{clock}.") for name in stored) else usual
            for clock, usual in _USUAL_CLOCKS.items()
        }
        return cls(**given, clocks=clocks)

    def said(self, name: str, value: object) -> "GameSettings":
        """Return what holds when something was set, by the name it is stored under.

        >>> GameSettings().said("retreat.grace", 12).said("press", "grey").clocks["retreat"].grace
        12.0
        """
        clock, dot, key = name.partition(".")
        if not dot:
            return replace(self, **{name: _READ[name](value)})
        changed = replace(self.clocks[clock], **{key: _READ_CLOCK[key](value)})
        return replace(self, clocks={**self.clocks, clock: changed})


class Chosen(TypedDict, total=False):
    """Settings that acts other than SET put to something else."""

    gm_plays: bool
    frozen: str
    set_up: bool


def _words(value: Any) -> tuple[str, ...]:
    return tuple(map(str, value)) if isinstance(value, (list, tuple)) else ()


def _number(value: Any) -> int:
    return int(str(value))


def _hours(value: Any) -> float:
    return float(str(value))


_KINDS: Mapping[object, Any] = {
    bool: bool, str: str, int: _number, float: _hours, tuple[str, ...]: _words,
}
_READ = {each.name: _KINDS[each.type] for each in fields(GameSettings) if each.name != "clocks"}
_READ_CLOCK = {each.name: _KINDS[each.type] for each in fields(ClockSettings)}


def _defaults() -> Mapping[str, object]:
    usual = {
        each.name: each.default for each in fields(GameSettings) if each.name != "clocks"
    }
    clocks = {
        f"{clock}.{key}": getattr(_USUAL_CLOCKS[clock], key)
        for clock in CLOCKS for key in _READ_CLOCK
    }
    return MappingProxyType({**usual, **clocks, **NOTHING_UNDER_WAY})


DEFAULTS = _defaults()
"""What holds where nobody set anything, by the names it is stored under."""
