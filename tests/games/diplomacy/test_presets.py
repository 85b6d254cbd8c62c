"""Every preset: a legal start, a reachable win, and pictures of its map."""

from importlib.resources.abc import Traversable
from pathlib import Path

import pytest

from judge.board.map import ARMY, Map
from judge.dice import Dice
from judge.drawing.base import Window
from judge.errors import DataError
from judge.games.diplomacy import SYSTEM
from judge.games.diplomacy.boards import MAP_NAMES, all_names, board, opening_on, parent_of, presets
from judge.games.diplomacy.options import options_on
from judge.games.diplomacy.presets import laid_over, read_preset
from judge.games.diplomacy.rules.adjudicate import buildable
from judge.games.diplomacy.rules.ruleset import Rules, rules_from
from judge.games.diplomacy.views.draw_json import picture_of_line
from judge.games.diplomacy.views.geometry import base
from judge.games.diplomacy.views.phone_view import front_windows
from judge.games.diplomacy.views.standing import regions
from judge.games.system import Viewer, ViewerRole
from judge.phrases import phrasebook

DICE = Dice(bytes(32), 0)


def names() -> list[str]:
    """Return the names of the presets."""
    return [*presets()]


@pytest.mark.parametrize("name", list(names()))
def test_a_preset_starts_in_a_legal_position(name: str) -> None:
    found, parent = board(name), board(parent_of(name))
    assert (found.walk, found.sail, found.centres) == (parent.walk, parent.sail, parent.centres)
    standing = [unit for units in found.start.values() for unit in units]
    assert len({unit.province for unit in standing}) == len(standing)
    for unit in standing:
        terrain = found.provinces[unit.province].terrain
        assert terrain.takes_armies if unit.kind is ARMY else terrain.takes_fleets
        assert unit.kind is ARMY or unit.place in found.fleet_places(unit.province)
    powers = {power.name for power in found.powers}
    assert {*found.owners.values()} == powers >= {*found.start}
    assert {*found.owners} <= {*found.centres}
    assert max(len(opening_on(found).centres(each)) for each in powers) < found.victory
    assert found.victory <= len(found.centres)


@pytest.mark.parametrize("name", list(names()))
def test_builds_follow_the_rule_of_the_preset(name: str) -> None:
    found, usual = board(name), options_on(board(name))
    builds = next(option for option in usual if option.name == "builds")
    assert builds.values[0] == found.builds and {*builds.values} == {"home", "one", "any"}
    rules = rules_from({"builds": found.builds})
    assert rules == Rules(builds=rules.builds)
    first = found.powers[0].name
    homes = {p.abbr for p in found.provinces.values() if p.home == first}
    assert homes
    for power in found.powers:
        owned = [p for p, owner in found.owners.items() if owner == power.name]
        assert set(owned) & {p.abbr for p in found.provinces.values() if p.home == power.name}


@pytest.mark.parametrize("name", list(names()))
def test_a_preset_uses_the_pictures_and_regions_of_its_map(name: str) -> None:
    assert base(name) is base(parent_of(name)) and regions(name) == regions(parent_of(name))
    table = SYSTEM.table(name, SYSTEM.initial_position(name, {}, DICE), {})
    assert table.places(Viewer(ViewerRole.OBSERVER)).regions
    assert SYSTEM.picture(table.sketch(Viewer(ViewerRole.OBSERVER)), name).proportion < 800 / 680
    moved = [power for power in board(name).powers if board(name).start[power.name]]
    for power in moved[:1]:
        windows = front_windows(board(name), opening_on(board(name)), power.name)
        assert windows and isinstance(windows[0], Window)
    for language in ("", "de"):
        assert len(phrasebook("diplomacy", language).render(SYSTEM.map_description(name))) > 20


def test_a_position_without_a_map_is_drawn_on_a_fitting_map() -> None:
    line = '{"phase": "S1901M", "units": {"Frankland": ["A PAR"]}}'
    assert picture_of_line(line).base is base("standard")


def test_aliases_of_a_preset_are_unambiguous() -> None:
    words = SYSTEM.map_words()
    assert words["1898"] == "v1898" and words["youngstown chaos"] == "ychaos"
    assert not {*words} & {*all_names()} and {*words.values()} <= {*all_names()}
    assert {SYSTEM.base_map(name) for name in all_names()} == {*MAP_NAMES}


def test_chaos_starts_with_builds_in_every_centre() -> None:
    table = SYSTEM.table("chaos", SYSTEM.initial_position("chaos", {}, DICE), {})
    assert table.phase.label == "F1900A"
    assert len(table.powers_due()) == 34 == len(SYSTEM.powers("chaos", {}))
    assert table.missing_orders("Paris", "") != ()
    assert [side.letter for side in SYSTEM.powers("chaos", {})][:3] == ["ANK", "BEL", "BER"]


FAULTS = {
    "a unit at sea": ("units = A Par", "units = A MAO"),
    "a fleet without its coast": ("units = A Par", "units = F Spa"),
    "no such place": ("units = A Par", "units = A Xyz"),
    "two units in one place": ("units = A Par", "units = A Par, A Par"),
    "no unit": ("units = A Par", "units = Par"),
    "no centre": ("centres = Par", "centres = Bur"),
    "nobody can win": ("victory = 18", "victory = 35"),
    "no such builds": ("builds = home", "builds = anywhere"),
    "no phase": ("first_phase = S1901M", "first_phase = soon"),
    "two owners": ("[Germany]", "[England]\ncentres = Par\n[Germany]"),
    "a power nobody knows": ("[Germany]", "[Narnia]"),
    "no title": ("title = Trial", ""),
}
SOUND = """[preset]
title = Trial
board = standard
first_phase = S1901M
victory = 18
builds = home

[France]
centres = Par
units = A Par

[Germany]
centres = Ber
units = F Ber
"""


def make_preset_board(folder: Path, text: str) -> Map:
    """Return the map made by the text of a preset."""
    file = folder / "trial.ini"
    file.write_text(text, encoding="utf-8")
    traversable: Traversable = file
    preset = read_preset(traversable)
    return laid_over(preset, board(preset.board))


@pytest.mark.parametrize("fault", FAULTS)
def test_an_invalid_preset_is_reported(tmp_path: Path, fault: str) -> None:
    assert make_preset_board(tmp_path, SOUND).title == "Trial"
    old, new = FAULTS[fault]
    assert old in SOUND
    with pytest.raises(DataError, match="preset trial"):
        make_preset_board(tmp_path, SOUND.replace(old, new))


def test_no_builds_for_a_preset_power_without_home_centres() -> None:
    found = board("v1898")
    assert buildable(found, opening_on(found), "Austria", Rules()) == ()
