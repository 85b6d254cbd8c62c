"""Settings written one after another: CREATE takes them beside the map, LIST chooses games by them.
"""

from collections.abc import Sequence
from typing import NamedTuple

from judge.model.phrase import Phrase
from judge.model.record import GameView, Role
from judge.play.choices.settings import Change, interpret
from judge.play.choices.settingtable import Scope, Takes

LONGEST = 6
"""Words of one setting: PARTIAL FAKES BROADCAST BY DEFAULT, and NO before it."""
_ALONE = (Takes.TEXT, Takes.ADDRESSES, Takes.INSTANT, Takes.PERIOD, Takes.KINDS)
"""What takes all words behind it, or needs a game that there is."""
_BETWEEN = frozenset({"set", "and", "with", "in", "on", "a"})


class Several(NamedTuple):
    """What words set in a game, and those that set nothing."""

    changes: tuple[Change, ...] = ()
    unknown: tuple[str, ...] = ()


def read_several(words: Sequence[str], game: GameView) -> Several:
    """Read settings of a game that follow each other on a line, each as SET would read it; the most
    words that fit are one."""
    rest, unknown = [word.strip(",") for word in words], list[str]()
    changes: list[Change] = []
    while rest:
        for many in range(min(LONGEST, len(rest)), 0, -1):
            if found := _read(rest[:many], game):
                changes += found
                rest = rest[many:]
                break
        else:
            unknown += [word for word in rest[:1] if word not in _BETWEEN]
            rest = rest[1:]
    return Several(tuple(changes), tuple(unknown))


def _read(words: Sequence[str], game: GameView) -> tuple[Change, ...]:
    """Return what some words set, if a SET line of them would be one of the whole game's."""
    off = words[0] in ("no", "not") and len(words) > 1
    for typed, negated in ((words, False), (words[1:], True))[: 2 if off else 1]:
        found = interpret(typed, negated, game, Role.MASTER)
        if not isinstance(found, Phrase) and all(map(_is_plain, found)):
            return found
    return ()


def _is_plain(change: Change) -> bool:
    return change.setting.scope is Scope.GAME and change.setting.takes not in _ALONE
