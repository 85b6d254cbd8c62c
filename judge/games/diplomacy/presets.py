"""Presets: other powers, units, centres and builds at the start on a map.

A preset is a file in `presets`. `[preset]` has the title, the map it is played on, the first phase,
the number of centres that wins, the places of builds (`home`, `one` or `any`) and, in `words`,
other names separated by ";". Each further section is a power: its `centres` and `units` at the
start, and its `home` centres if they are others. A power that is not on the map has a `letter`, an
`adjective` and `words` too. `powers = centres` makes a power of every centre of the map.
"""

from collections.abc import Mapping
from configparser import ConfigParser, SectionProxy
from configparser import Error as ConfigError
from dataclasses import replace
from importlib.resources.abc import Traversable
from typing import NamedTuple

from judge.board.map import Map, Power, Unit, UnitKind
from judge.board.position import PhaseKind, Season, parse_phase
from judge.errors import DataError

_HEAD = "preset"
_BUILDS = ("home", "one", "any")


class PresetFile(NamedTuple):
    """Preset as in its file, before it is applied to its map."""

    name: str
    board: str
    words: tuple[str, ...]
    head: SectionProxy
    powers: tuple[SectionProxy, ...]


class _Start(NamedTuple):
    """First position of one power."""

    power: Power
    home: tuple[str, ...]
    centres: tuple[str, ...]
    units: tuple[Unit, ...]


def read_preset(file: Traversable) -> PresetFile:
    """Parse the file of a preset.

    Raises:
        DataError: it is no preset.
    """
    name, parser = file.name.removesuffix(".ini"), ConfigParser(interpolation=None)
    try:
        parser.read_string(file.read_text(encoding="utf-8"))
        head = parser[_HEAD]
        words = tuple(" ".join(said.split()) for said in head.get("words", "").split(";"))
        powers = tuple(parser[section] for section in parser.sections() if section != _HEAD)
        return PresetFile(name, head["board"], tuple(filter(None, words)), head, powers)
    except (OSError, UnicodeDecodeError, ConfigError, KeyError) as fault:
        raise DataError(f"preset {name}: {fault}") from fault


def laid_over(preset: PresetFile, board: Map) -> Map:
    """Return the map that a preset makes of the one it is played on.

    Raises:
        DataError: something in it is impossible on that map.
    """
    head = preset.head
    try:
        starts = tuple(
            _centre_alone(board, abbr) for abbr in board.centres
        ) if head.get("powers") == "centres" else tuple(
            _start(section, board) for section in preset.powers
        )
        found = _apply_preset(preset, board, starts)
    except (KeyError, ValueError) as fault:
        raise DataError(f"preset {preset.name}: {fault}") from fault
    _check(found)
    return found


def _apply_preset(preset: PresetFile, board: Map, starts: tuple[_Start, ...]) -> Map:
    head, phase = preset.head, parse_phase(preset.head["first_phase"])
    homes = {abbr: start.power.name for start in starts for abbr in start.home}
    owned = [(abbr, start.power.name) for start in starts for abbr in start.centres]
    if len({abbr for abbr, _ in owned}) < len(owned):
        raise ValueError("a centre has two owners")
    movement = (phase.season, phase.kind) == (Season.SPRING, PhaseKind.MOVEMENT)
    return replace(
        board,
        name=preset.name,
        title=head["title"],
        provinces={
            abbr: each._replace(home=homes.get(abbr, "")) for abbr, each in board.provinces.items()
        },
        powers=tuple(start.power for start in starts),
        start={start.power.name: start.units for start in starts},
        owners=dict(owned),
        first_phase=str(phase),
        first_year=phase.year if movement else phase.year + 1,
        victory=int(head["victory"]),
        builds=head["builds"],
        drawn_as=board.name,
        calendar=board.calendar._replace(first_year=phase.year),
    )


def _start(section: SectionProxy, board: Map) -> _Start:
    name = section.name
    known = {power.name: power for power in board.powers}
    power = known.get(name) or Power(
        name, section["letter"], section["adjective"], tuple(section.get("words", "").split())
    )
    centres = tuple(section["centres"].split())
    units = tuple(map(_unit, filter(None, section.get("units", "").split(","))))
    return _Start(power, tuple(section.get("home", " ".join(centres)).split()), centres, units)


def _unit(text: str) -> Unit:
    kind, place = text.split()
    return Unit(UnitKind(kind), place)


def _centre_alone(board: Map, abbr: str) -> _Start:
    """Return a centre as a power without units, with its abbreviation as letter."""
    name = board.provinces[abbr].name
    return _Start(Power(name, abbr.upper(), name), (abbr,), (abbr,), ())


def _check(board: Map) -> None:
    """Check the map that a preset results in.

    Raises:
        DataError: a unit or a centre is impossible, or no power can win.
    """
    for abbr in [*board.owners, *(p.abbr for p in board.provinces.values() if p.home)]:
        if abbr not in board.provinces or not board.provinces[abbr].is_centre:
            raise DataError(f"preset {board.name}: {abbr} is no centre")
    units = [unit for found in board.start.values() for unit in found]
    for unit in units:
        if not _may_stand(board, unit):
            raise DataError(f"preset {board.name}: {unit} cannot stand there")
    if len({unit.province for unit in units}) < len(units):
        raise DataError(f"preset {board.name}: two units in one province")
    if not 0 < board.victory <= len(board.centres) or board.builds not in _BUILDS:
        raise DataError(f"preset {board.name}: victory or builds cannot be so")


def _may_stand(board: Map, unit: Unit) -> bool:
    province = board.provinces.get(unit.province)
    if province is None:
        return False
    if unit.kind is UnitKind.ARMY:
        return province.terrain.takes_armies and unit.place == province.abbr
    return unit.place in board.fleet_places(province.abbr)


def names_in(presets: Mapping[str, PresetFile]) -> dict[str, str]:
    """Return further name → preset, for the presets that have other names too."""
    return {said: preset.name for preset in presets.values() for said in preset.words}
