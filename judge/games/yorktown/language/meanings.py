"""Orders that a freely worded line means in a position."""

import re
from collections.abc import Mapping
from functools import cached_property

from judge.games.yorktown.language.grammar import Control, Done, UnreadableLine, parse
from judge.games.yorktown.language.names import names_in
from judge.games.yorktown.language.wording import GrammarLines, plain_words, wordings
from judge.games.yorktown.rules.board import CounterKind, counters_of, enemy_of, key_of
from judge.games.yorktown.rules.orders import Order, RedoubtOrder
from judge.games.yorktown.rules.state import SiegePosition

_FULL_VERBS = {"hold": "holds", "stay": "stays"}
_BUILD_AT = re.compile(r"builds redoubt (?:in|at|on) (?P<at>[0-9]{4})")
_IN_OWN_HEX = re.compile(
    r"(?P<unit>[a-z]+ [0-9]+) (?P<verb>builds redoubt|holds?|stays?) (?:(?:in|at|on) )?"
    r"(?:hex )?(?P<at>[0-9]{4})"
    r"(?: (?:digging|and (?:digs|waits|rests)))?"
)


class LineMeanings:
    """Meanings of the lines of one side in a position."""

    def __init__(self, position: SiegePosition, side: str) -> None:
        self._position = position
        self._side = side
        self._names = names_in(position, side)

    def orders(self, text: str) -> tuple[GrammarLines, list[Order] | None]:
        """Return the wording of a line and its orders, None if one is unreadable."""
        wording = wordings(text, self._side, self._names, self._enemies)
        if wording is None:
            return GrammarLines(()), self._build_meant(text)
        lines = tuple(self._at_home(each) for each in wording.lines)
        found = [parse(each) for each in lines]
        orders = [each for each in found if not isinstance(each, UnreadableLine | Done | Control)]
        return wording._replace(lines=lines), orders if len(orders) == len(found) else None

    def _build_meant(self, text: str) -> list[Order] | None:
        """Return the building order of the pioneer in the named hex, or None."""
        found = _BUILD_AT.fullmatch(plain_words(text, self._names))
        pioneers = [
            c.order_id for c in counters_of(self._side)
            if found and c.kind is CounterKind.PIO and self._position.units[c.key].at == found["at"]
        ]
        return [RedoubtOrder(pioneers[0])] if pioneers else None

    def _at_home(self, text: str) -> str:
        """Return a line without the hex in which its unit is."""
        if found := _IN_OWN_HEX.fullmatch(text):
            unit = self._position.units.get(key_of(self._side, found["unit"].upper()))
            if unit and unit.at == found["at"]:
                verb = found["verb"]
                return f"{found['unit']} {_FULL_VERBS.get(verb, verb)}"
        return text

    @cached_property
    def _enemies(self) -> Mapping[str, str]:
        """Hexes of the enemy's units on the map, by order id and name in lower case."""
        enemy = enemy_of(self._side)
        units = ((c, self._position.units[c.key]) for c in counters_of(enemy))
        by_id = {c.order_id.lower(): unit.at for c, unit in units if unit.on_map}
        names = names_in(self._position, enemy).unique
        return by_id | {name: by_id[each] for name, each in names.items() if each in by_id}
