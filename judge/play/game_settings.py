"""Settings of a game, as values with names and types.

The table of settings (`settingtable`) defines how each is written after SET. This module
defines their types and defaults. Only the settings that were set are stored, by name.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from datetime import date, timedelta
from types import MappingProxyType
from typing import Any, TypedDict

from judge.games.system import ClockKind
from judge.play.pending_requests import NOTHING_UNDER_WAY
from judge.play.schedule import EVERY_DAY

NO_DEDICATION = -10_000
"""Points of every person, so that there is no limit."""


@dataclass(frozen=True, slots=True)
class ClockSettings:
    """One clock of a game.

    Values are hours, but `clock` is minutes after midnight (-1: any time).
    """

    next: float = 24.0
    min: float = 0.0
    clock: int = -1
    days: str = EVERY_DAY
    grace: float = 24.0
    delay: float = 0.0
    """Delay before an early deadline.

    A system's default counts only if more than one person had orders to send.
    """
    is_main: bool = False
    """True for phases that players negotiate for. Only the system decides it."""


@dataclass(frozen=True, slots=True)
class GameSettings:
    """Settings of a game. The table of settings comments on the purpose of each."""

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
    talk: int = 14
    observer_press: str = "read"
    nmr: str = "hold"
    manual_start: bool = False
    gm_plays: bool = False
    show_addresses: bool = False
    gunboat: bool = False
    names_at_end: bool = False
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
    abandoned: str = "vacant"
    bots: bool = True
    hold: bool = False
    takeover_time: float = 24.0
    excuses: int = 0
    excuse_time: float = 24.0
    auto_excuses: bool = False
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
    fork_of: str = ""
    frozen: str = ""
    always_wait: bool = False
    clocks: Mapping[str, ClockSettings] = field(default_factory=lambda: MappingProxyType({}))
    """Clocks by kind of phase, as the game's system names them.

    They are stored as "move.next" and the like.
    """

    @classmethod
    def of(cls, stored: Mapping[str, object], kinds: Iterable[ClockKind] = ()) -> "GameSettings":
        """Return the settings for stored values.

        Options of the game's system are left out.

        >>> kinds = [ClockKind("move", ("MOVE",), "movement", hours=72.0)]
        >>> found = GameSettings.of({"press": "grey", "move.min": 4, "BLIND": True}, kinds)
        >>> found.clocks["move"].next, found.clocks["move"].min
        (72.0, 4.0)
        """
        given = {name: _READ[name](value) for name, value in stored.items() if name in _READ}
        clocks = {}
        for kind in kinds:
            told = {
                key: read(stored[f"{kind.name}.{key}"])
                for key, read in _READ_CLOCK.items() if f"{kind.name}.{key}" in stored
            }
            clocks[kind.name] = replace(_usual(kind), **told) if told else _usual(kind)
        return cls(**given, clocks=clocks)

    def with_setting(self, name: str, value: object) -> "GameSettings":
        """Return the settings with one changed, by the name it is stored under.

        >>> usual = GameSettings.of({}, [ClockKind("turn", ("TURN",), "turns")])
        >>> usual.with_setting("turn.grace", 12).with_setting("press", "grey").clocks["turn"].grace
        12.0
        """
        clock, dot, key = name.partition(".")
        if not dot:
            return replace(self, **{name: _READ[name](value)})
        changed = replace(self.clocks[clock], **{key: _READ_CLOCK[key](value)})
        return replace(self, clocks={**self.clocks, clock: changed})


class SettingsChanges(TypedDict, total=False):
    """Settings that are changed by commands other than SET."""

    gm_plays: bool
    frozen: str
    set_up: bool


def _words(value: Any) -> tuple[str, ...]:
    return tuple(map(str, value)) if isinstance(value, (list, tuple)) else ()


_KINDS: Mapping[object, Any] = {
    bool: bool, str: str, tuple[str, ...]: _words,
    int: lambda value: int(str(value)), float: lambda value: float(str(value)),
}
_READ = {each.name: _KINDS[each.type] for each in fields(GameSettings) if each.name != "clocks"}
_READ_CLOCK = {
    each.name: _KINDS[each.type] for each in fields(ClockSettings) if each.name != "is_main"
}


DEFAULTS: Mapping[str, object] = MappingProxyType({
    **{each.name: each.default for each in fields(GameSettings) if each.name != "clocks"},
    **NOTHING_UNDER_WAY,
})
"""Default settings by the names they are stored under.

Those of clocks come from their system (`usual_times`).
"""


def usual_times(kinds: Iterable[ClockKind]) -> dict[str, object]:
    """Return the default times of a system's clocks, by their stored names.

    >>> usual_times([ClockKind("turn", ("TURN",), "turns", hours=48.0)])["turn.next"]
    48.0
    """
    return {
        f"{kind.name}.{key}": getattr(_usual(kind), key) for kind in kinds for key in _READ_CLOCK
    }


def _usual(kind: ClockKind) -> ClockSettings:
    return ClockSettings(next=kind.hours, delay=kind.delay, is_main=kind.is_main)


def is_of_judge(name: str) -> bool:
    """Return whether a stored setting is the judge's or a clock's.

    All others are options of a game's system.

    >>> is_of_judge("press"), is_of_judge("turn.next"), is_of_judge("BLIND")
    (True, True, False)
    """
    return name in DEFAULTS or "." in name


@dataclass(frozen=True, slots=True)
class Policy:
    """The operator's choices.

    `create` is "anyone" or "keeper": who may make games. `strangers_per_hour` limits the
    replies to one address that opened no seat. After an outage a deadline that passed during it
    moves to at least `outage_grace` from now. No clock computes a deadline before `shortest` is
    over. No deadline falls on `holidays` (first and last day). A game whose masters send no
    mail for `silent_master` is offered to its players (0: never). With `confirm`, new addresses
    must be confirmed. `maps` is how letters show the board to people who have not chosen.

    One press letter has at most `press_size` octets. A seat writes at most `press_per_day`
    letters and `press_volume` octets a day. A game has at most `observers` observers, and an
    address is master of at most `open_games` open games. EXPORT sends an address at most
    `export_volume` octets a day. One person causes at most `unconfirmed_per_day` letters a day
    to addresses that never confirmed. `archive` is the URL of the public archive, with a slash
    at its end, or empty without one.
    """

    judge: str = "Judge"
    address: str = "judge@localhost"
    keeper: str = "postmaster@localhost"
    create: str = "anyone"
    strangers_per_hour: int = 20
    press_size: int = 32 * 2**10
    press_per_day: int = 50
    press_volume: int = 2**20
    observers: int = 50
    open_games: int = 5
    export_volume: int = 4 * 2**20
    unconfirmed_per_day: int = 20
    outage_grace: timedelta = timedelta(hours=1)
    shortest: timedelta = timedelta()
    holidays: tuple[tuple[date, date], ...] = ()
    silent_master: timedelta = timedelta(days=60)
    confirm: bool = False
    maps: str = "png"
    archive: str = ""

    def is_operator(self, address: str) -> bool:
        """Return whether an address is the operator's. A From line alone proves nothing."""
        return address.casefold() == self.keeper.casefold()
