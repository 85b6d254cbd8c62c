"""Conditions of LIST: maps, press and other settings, speed, and vacancies.

A setting as SET reads it selects the games in which it is in force: `LIST GUNBOAT`, `LIST NO
PRESS`. One day or less for orders is fast, three or more are slow, and a duration selects the
games of at most that length.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from judge.board.bundle import name_in_key
from judge.digits import has_digit
from judge.games import all_systems, find_system, match_maps
from judge.model.phrase import Phrase
from judge.model.record import NO_ID, GameRecord, GameState
from judge.play.choices.setting_lists import read_several
from judge.play.choices.settings import is_in_force, schedule_of
from judge.play.game import Game
from judge.play.parse_time import read_duration

FAST, SLOW = timedelta(days=1), timedelta(days=3)
_STATES = {
    "forming": GameState.FORMING, "running": GameState.RUNNING, "paused": GameState.PAUSED,
}
_VACANT = frozenset({"vacant", "vacancy", "vacancies", "abandoned"})
_OPEN = frozenset({"open", "openings", "opening", "joining"})
_SPEEDS = frozenset({"fast", "slow"})


FILTERS = frozenset({*_STATES, *_VACANT, *_OPEN, *_SPEEDS, "press"})
"""Words after LIST that name no map and no setting."""


@dataclass(frozen=True, slots=True)
class Wish:
    """Conditions of LIST. *unknown* contains the words that are no condition."""

    words: tuple[str, ...] = ()
    maps: tuple[str, ...] = ()
    settings: tuple[str, ...] = ()
    longest: timedelta | None = None
    unknown: tuple[str, ...] = ()

    def fits(self, game: Game, row: Mapping[str, object], now: datetime) -> bool:
        """Return whether a game meets the conditions. *row* contains its facts for LIST."""
        said = {*self.words}
        states = {_STATES[word] for word in said & {*_STATES}}
        speed = _speed(game, now) if self.longest or said & _SPEEDS else timedelta()
        return (
            (not self.maps or name_in_key(game.map) in map(name_in_key, self.maps))
            and (not states or game.state in states)
            and (not said & _VACANT or bool(row["vacant"]))
            and (not said & _OPEN or bool(row["looks"]))
            and ("fast" not in said or speed <= FAST)
            and ("slow" not in said or speed >= SLOW)
            and (self.longest is None or speed <= self.longest)
            and ("press" not in said or game.chosen.press != "none")
            and self._has_settings(game)
        )

    def _has_settings(self, game: Game) -> bool:
        wishes = read_several(self.settings, game)
        return not wishes.unknown and all(is_in_force(game, each) for each in wishes.changes)


def parse_filters(words: Sequence[str], now: datetime) -> Wish:
    """Read the words after LIST."""
    meant = match_maps(words)
    plain = {*_STATES, *_VACANT, *_OPEN, *_SPEEDS}
    said, rest, longest = [], [], None
    for word in (word for word in words if word not in meant.words):
        span = read_duration(word)
        if word in plain:
            said.append(word)
        elif not isinstance(span, Phrase) and has_digit(word[0]):
            longest = span
        else:
            rest.append(word)
    if rest == ["press"]:
        said, rest = [*said, "press"], []
    known = [read_several(rest, game).unknown for game in _one_of_each(now)]
    unknown = tuple(word for word in rest if all(word in each for each in known))
    return Wish(tuple(said), meant.maps, tuple(rest), longest, unknown)


def _one_of_each(now: datetime) -> list[GameRecord]:
    """Return a game of each system, with which its settings can be read."""
    return [
        GameRecord(
            NO_ID, "any", system.name, next(iter(system.maps())), GameState.FORMING, "", 0, "",
            {}, b"", now,
        )
        for system in all_systems()
    ]


def _speed(game: Game, now: datetime) -> timedelta:
    """Return the length of a phase with negotiation, once the game has started."""
    schedule = schedule_of(game.chosen)
    clock = find_system(game.system).main_clock.name
    begun = schedule.negotiation_end(clock, now, False) or now
    return schedule.deadline(clock, begun) - now
