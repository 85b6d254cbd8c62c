"""Several settings on one line, in CREATE with the map and in filters of LIST."""

import difflib
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cache
from typing import NamedTuple, TypeVar

from judge.board.bundle import is_key
from judge.games import all_systems, words_for_maps
from judge.games.system import GameSystem
from judge.model.command import PASSWORD_MASK, Command
from judge.model.phrase import Phrase
from judge.model.record import Role
from judge.play.choices.house_rules import words_of
from judge.play.choices.settings import SettingChange, interpret
from judge.play.choices.settingtable import Scope, Takes, all_settings
from judge.play.game import GameView

C = TypeVar("C", bound=Command)

MAX = 6
"""Maximum number of words of one setting.

PARTIAL FAKES BROADCAST BY DEFAULT has five, plus NO before it.
"""
_ALONE = (Takes.TEXT, Takes.ADDRESSES, Takes.INSTANT, Takes.PERIOD, Takes.KINDS)
"""Kinds of values that take all following words, or need an existing game."""
_BETWEEN = frozenset({"set", "and", "with", "in", "on", "a"})
_LIKE_A_MAP, _LIKE_A_SETTING = 0.6, 0.8
"""Minimum similarity (`difflib`) of a misspelt word to a known one."""
_OF_SECRETS = frozenset({"password", "secret"})
"""Words of settings that many take for a password."""


class SettingList(NamedTuple):
    """Changes that words make in a game, and unknown words."""

    changes: tuple[SettingChange, ...] = ()
    unknown: tuple[str, ...] = ()


def read_several(words: Sequence[str], game: GameView) -> SettingList:
    """Read settings of a game that follow each other on a line, each as SET would.

    The longest reading of each setting counts.
    """
    rest, unknown = [word.strip(",") for word in words], list[str]()
    changes: list[SettingChange] = []
    while rest:
        for many in range(min(MAX, len(rest)), 0, -1):
            if found := _read(rest[:many], game):
                changes += found
                rest = rest[many:]
                break
        else:
            unknown += [word for word in rest[:1] if word not in _BETWEEN]
            rest = rest[1:]
    return SettingList(tuple(changes), tuple(unknown))


def _read(words: Sequence[str], game: GameView) -> tuple[SettingChange, ...]:
    """Return the changes of a SET line with these words, if all are of the game."""
    off = words[0] in ("no", "not") and len(words) > 1
    for typed, negated in ((words, False), (words[1:], True))[: 2 if off else 1]:
        found = interpret(typed, negated, game, Role.MASTER)
        if not isinstance(found, Phrase) and all(map(_is_plain, found)):
            return found
    return ()


def _is_plain(change: SettingChange) -> bool:
    return change.setting.scope is Scope.GAME and change.setting.takes not in _ALONE


def redact_unknown(words: Sequence[str]) -> tuple[str, ...]:
    """Return words without those that may be a misplaced password, for a reply.

    A word may be a password if it resembles no word for a map or a setting.
    """
    strange = _strange(words)
    return tuple(dict.fromkeys(PASSWORD_MASK if word in strange else word for word in words))


def redact_words(command: C, words: Sequence[str]) -> C:
    """Return a command with its words hidden in replies as in `redact_unknown`."""
    strange = _strange(words)
    if not strange:
        return command
    typed = command.text.split()
    shown = [PASSWORD_MASK if word.lower().strip(",") in strange else word for word in typed]
    if shown == typed:
        # They were written in equivalent Unicode characters, so all words after the verb are
        # hidden.
        shown = [*typed[:1], PASSWORD_MASK]
    once = [
        word
        for at, word in enumerate(shown)
        if word != PASSWORD_MASK or shown[at - 1] != PASSWORD_MASK
    ]
    return replace(command, text=" ".join(once))


def words_of_settings() -> frozenset[str]:
    """Return every word of the settings and of the options of all systems."""
    return _words_of_settings(tuple(all_systems()))


@cache
def _words_of_settings(systems: tuple[GameSystem, ...]) -> frozenset[str]:
    """Return every word of the settings and of the options of some systems."""
    settings = {*_BETWEEN, *(word.lower() for row in all_settings() for word in row.words)}
    for system in systems:
        # Added maps have the options of the others.
        maps = (name for name in system.maps() if not is_key(name))
        for option in (each for name in maps for each in system.options(name)):
            settings.update(words_of(option).lower().split())
            settings.update(part for one in option.values for part in str(one).lower().split("_"))
    return frozenset(settings - _OF_SECRETS)


def _strange(words: Iterable[str]) -> frozenset[str]:
    settings, maps = words_of_settings(), words_for_maps()
    return frozenset(
        word for word in words
        if not _is_like(word, maps, _LIKE_A_MAP) and not _is_like(word, settings, _LIKE_A_SETTING)
    )


def _is_like(word: str, known: Iterable[str], how: float) -> bool:
    """Return whether a word may be another one mistyped, and not just contain it."""
    alike = [one for one in known if abs(len(one) - len(word)) <= 1]
    return bool(difflib.get_close_matches(word, alike, 1, how))
