"""Checks that a game system keeps its contract, before any game is played.

The first checks need no playing: names, clocks, and an opening on every map whose facts can be
shown. `check_all_options` plays a phase too, for `judge check`.
"""

import json
import logging
import re
import traceback
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from judge.board.bundle import is_key
from judge.dice import Dice
from judge.errors import StoreError
from judge.games.capabilities import OrderCompletion
from judge.games.system import GameSystem, Table, Viewer, ViewerRole
from judge.model.order_words import PhaseHead, find_conflict

log = logging.getLogger("judge.games")

NAME = re.compile(r"[a-z][a-z0-9_]{1,19}")
"""Names of systems, maps and clocks: one lower-case word, for CREATE and SET."""
TAKEN = ("common", "site")
"""Folders of letters that belong to no system."""
_TAKEN_LETTERS = ("M", "O", "GM", "OBS")
"""Sign-on letters of masters and observers."""
_LETTER = re.compile(r"[A-Z]|[A-Z][A-Z0-9]{1,3}")
"""A letter, or a code as nations have: Nmarco, or BRI@marco."""
_CHANCE = Dice(bytes(32), 0)


class ContractViolation(NamedTuple):
    """A breach of the contract.

    `story` is the traceback for the log, if the cause was an exception.
    """

    why: str
    story: str = ""


def first_head(systems: Iterable[GameSystem], line: str) -> PhaseHead | None:
    """Return the phase named at the beginning of a line, by the first system's reply.

    Every system gets every line of every mail: an exception in one is logged, and the next is
    asked.

    Raises:
        StoreError: the maps in the database cannot be read now.
    """
    for system in systems:
        try:
            head = system.find_head(line)
        except StoreError:
            # Added maps are in the database: the mail is read again later.
            raise
        except Exception as fault:
            log.error("%s fails to look for a phase in a line: %r", system.name, type(fault))
            continue
        if head is not None:
            return head
    return None


def first_violation(name: str, system: object) -> ContractViolation | None:
    """Return the first breach of the contract by a declared object, or None."""
    if not isinstance(system, GameSystem):
        return ContractViolation(f"{system!r:.60} is no GameSystem")
    try:
        why = next(_breaches(name, system), "")
    except (Exception, SystemExit) as fault:
        # Third-party code may raise any exception.
        return ContractViolation(
            f"it fails when it is looked at: {fault!r}", traceback.format_exc()
        )
    return ContractViolation(why) if why else None


def _breaches(name: str, system: GameSystem) -> Iterator[str]:
    if system.name != name:
        yield f"it is declared as {name!r} and calls itself {system.name!r}"
    if not NAME.fullmatch(name) or name in TAKEN:
        yield f"no system can be called {name!r}"
    if not system.texts.is_dir():
        yield "the folder of its texts is not there"
    yield from _clock_breaches(system)
    for words in find_conflict(system.order_words):
        yield f"no orders can begin or end with {words!r}, which works everywhere"
    if not system.maps():
        yield "it has no map"
    for each in system.maps():
        if not NAME.fullmatch(each):
            yield f"no map can be called {each!r}"
        yield from _map_breaches(system, each)


def _shipped_maps(system: GameSystem) -> list[str]:
    """Return the maps of a system's package.

    Added maps are checked when they are added.
    """
    return [name for name in system.maps() if not is_key(name)]


def _clock_breaches(system: GameSystem) -> Iterator[str]:
    names = [clock.name for clock in system.clocks]
    words = [word for clock in system.clocks for word in clock.words]
    if not names or len({*names}) < len(names) or len({*words}) < len(words):
        yield "its clocks have no names, or the same"
    yield from (f"no clock can be called {name!r}" for name in names if not NAME.fullmatch(name))
    if [clock.is_main for clock in system.clocks].count(True) != 1:
        yield "one of its clocks must be the main one"


def _map_breaches(system: GameSystem, map_name: str) -> Iterator[str]:
    sides = system.powers(map_name, {})
    letters = [side.letter for side in sides]
    if len(sides) < 2:
        yield f"{map_name} has fewer than two powers"
    for letter in letters:
        if not _LETTER.fullmatch(letter) or letter in _TAKEN_LETTERS:
            yield f"{map_name}: nobody can sign on with the letter {letter!r}"
    if len({len(letter) == 1 for letter in letters}) > 1:
        yield f"{map_name}: some powers sign on with a letter, and others with a code"
    if len({*letters}) < len(sides) or len({side.name.casefold() for side in sides}) < len(sides):
        yield f"{map_name}: two powers have one name, or one letter"
    position = system.initial_position(map_name, {}, _CHANCE)
    yield from _table_breaches(system, map_name, system.table(map_name, position, {}))


def _table_breaches(system: GameSystem, map_name: str, table: Table) -> Iterator[str]:
    phase, names = table.phase, [side.name for side in system.powers(map_name, {})]
    if not isinstance(table, system.tables):
        yield f"{map_name}: a {type(table).__name__} is none of its tables"
    if phase.clock not in (clock.name for clock in system.clocks):
        yield f"{map_name}: {phase.label} has a clock {phase.clock!r}, which the system has not"
    if system.find_phase(phase.label) != phase.label:
        yield f"{map_name}: {phase.label!r} is not found as a phase"
    if system.sort_phases([phase.label]) != [phase.label]:
        yield f"{map_name}: {phase.label!r} is lost when phases are put in order"
    if not table.powers_due():
        yield f"{map_name}: nobody has anything to decide in {phase.label}"
    if not {*table.powers_alive()} <= {*names} or not table.powers_due() <= {*table.powers_alive()}:
        yield f"{map_name}: powers are alive or due that are none, or out of the game"


def check_all_options(system: GameSystem) -> Iterator[str]:
    """Yield the errors of a system found by playing.

    Each of its maps is opened under each value of its options, and played for one phase without
    orders.
    """
    for map_name in _shipped_maps(system):
        yield from _play_map(system, map_name)


def check_added_map(system: GameSystem, map_name: str) -> Iterator[str]:
    """Yield the errors of an added map, found as those of a system's own maps are."""
    breaches = [*_map_breaches(system, map_name)]
    yield from breaches or _play_map(system, map_name)


def _play_map(system: GameSystem, map_name: str) -> Iterator[str]:
    try:
        yield from _play(system, map_name)
        _open_all(system, map_name)
    except (Exception, SystemExit) as fault:
        # Third-party code may raise any exception.
        yield f"{map_name} cannot be played: {fault!r}"


def _open_all(system: GameSystem, map_name: str) -> None:
    for option in system.options(map_name):
        for value in option.values or (option.least, option.most):
            options = {option.name: value}
            position = system.initial_position(map_name, options, _CHANCE)
            system.table(map_name, position, options).powers_due()


def _play(system: GameSystem, map_name: str) -> Iterator[str]:
    table = system.table(map_name, system.initial_position(map_name, {}, _CHANCE), {})
    names = [side.name for side in system.powers(map_name, {})]
    readers = [
        Viewer(ViewerRole.MASTER), Viewer(ViewerRole.OBSERVER), Viewer(ViewerRole.POWER, names[0]),
    ]
    for power in table.powers_alive():
        table.show_sheet(power, "")
        if (power in table.powers_due()) != bool(table.missing_orders(power, "")):
            yield f"{map_name}: {power} is due and misses nothing, or the other way about"
        if isinstance(table, OrderCompletion) and power in table.powers_due():
            if table.final_word(power, "") is None:
                yield f"{map_name}: the orders of {power} are final before there are any"
    found = table.adjudicate({}, Dice(bytes(32), 1))
    if table.adjudicate({}, Dice(bytes(32), 1)) != found:
        yield f"{map_name}: the same orders and the same chance come to different results"
    after = system.table(map_name, found.after, {}).phase
    if found.ending is None and after.label == table.phase.label:
        yield f"{map_name}: {after.label} follows {after.label}"
    turn = system.turn(map_name, found.record)
    for reader in readers:
        table.position_facts(reader)
        turn.results(reader)
        turn.brief(reader)
        json.dumps(turn.values(reader))
