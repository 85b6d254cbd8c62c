"""Presets of Nations 1940: other defaults of options and clock on the same map."""

import pytest

from judge.dice import Dice
from judge.games.nations1940 import SYSTEM
from judge.games.nations1940.rules.settings import START_TECHS
from judge.games.nations1940.rules.state import load_state
from judge.games.nations1940.scenario import scenario
from judge.games.nations1940.views.pictures import base
from judge.phrases import phrasebook


def test_blitz_uses_the_map_of_the_scenario() -> None:
    assert SYSTEM.base_map("blitz") == "nations1940"
    assert scenario("blitz") is scenario("nations1940")
    assert base("blitz") is base("nations1940")


def test_blitz_has_other_defaults() -> None:
    usual = {one.name: one for one in SYSTEM.options("blitz")}
    assert (usual["last_turn"].default, usual["nations"].default) == (60, 6)
    assert usual["start_techs"].values[0] == "on"
    assert [kind.hours for kind in SYSTEM.clocks_on("blitz")] == [24.0]
    assert [kind.hours for kind in SYSTEM.clocks_on("nations1940")] == [72.0]


@pytest.mark.parametrize(("options", "nations", "techs"), [
    ({}, 6, START_TECHS),
    ({"nations": 8}, 8, START_TECHS),
    ({"start_techs": "off"}, 6, ()),
])  # fmt: skip
def test_blitz_options_can_be_changed(
    options: dict[str, object], nations: int, techs: tuple[str, ...]
) -> None:
    state = load_state(SYSTEM.initial_position("blitz", options, Dice(bytes(32), 0)))
    assert len(state.nations) == len(SYSTEM.powers("blitz", options)) == nations
    assert {one.techs for one in state.nations.values()} == {frozenset(techs)}


def test_start_techs_include_their_prerequisites() -> None:
    techs = scenario("blitz").techs
    for name in START_TECHS:
        assert {*techs[name].requires} <= {*START_TECHS}


@pytest.mark.parametrize("language", ["", "de"])
def test_blitz_is_described(language: str) -> None:
    assert len(phrasebook("nations1940", language).render(SYSTEM.map_description("blitz"))) > 20
