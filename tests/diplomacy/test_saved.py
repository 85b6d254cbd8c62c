"""Saved games: reading, writing, replaying and the list of differences."""

import json
from typing import Any

import pytest

from judge import diplomacy
from judge.diplomacy import compat


def play_last_orders(phases: int = 12, **options: str) -> dict[str, Any]:
    """Return a saved game in which every unit received the last of its legal orders."""
    game = compat.Game("marco", **options)
    for _ in range(phases):
        able = game.get_all_possible_orders()
        for power, places in game.get_orderable_locations().items():
            game.set_orders(power, [able[place][-1] for place in places])
        assert not game.error
        game.process()
    return json.loads(json.dumps(compat.to_saved_game_format(game)))  # type: ignore[no-any-return]


def test_a_game_of_this_engine_is_replayed_without_a_difference() -> None:
    game = diplomacy.read_game(play_last_orders())
    assert len(game.phases) == 13 and game.phases[0].orders["FRANCE"]
    assert diplomacy.replay(game) == []
    assert diplomacy.read_game(diplomacy.write_game(game)) == game


def test_a_difference_names_phase_power_and_order() -> None:
    saved = play_last_orders(2)
    saved["phases"][0]["results"]["F BRE"] = ["bounce"]
    saved["phases"][2]["state"]["units"]["ITALY"].remove("A ROM")
    found = [str(one) for one in diplomacy.replay(diplomacy.read_game(saved))]
    assert found == [
        "S1901M FRANCE: F BRE S A PAR - PIC: recorded bounce, ours void",
        "F1901M units ITALY: recorded A VEN, F NAP, ours A ROM, A VEN, F NAP",
    ]


def test_a_record_is_replayed_under_its_choice_of_rules() -> None:
    game = compat.Game(fallback="land")
    game.set_state({"name": "S1901M", "units": {"ENGLAND": ["A LVP"]}})
    game.set_orders("ENGLAND", ["A LVP - EDI VIA"])
    game.process()
    saved = diplomacy.read_game(compat.to_saved_game_format(game))
    assert diplomacy.replay(saved, fallback="land") == []
    assert {one.what for one in diplomacy.replay(saved)} == {"order", "units"}


Places = dict[str, str]


def make_saved_game(*phases: tuple[str, Places, Places, Places, Places]) -> diplomacy.SavedGame:
    """Return a saved game made of phases: name, units, retreats, centres and orders.

    Each of the last four maps a power to its items, separated by commas.
    """
    def lists(told: Places) -> dict[str, list[str]]:
        return {power: text.split(", ") if text else [] for power, text in told.items()}

    return diplomacy.read_game({"id": "x", "map": "standard", "phases": [
        {
            "name": name,
            "state": {
                "name": name, "units": lists(units), "centers": lists(centres),
                "retreats": {
                    power: {unit: [] for unit in found} for power, found in lists(retreats).items()
                },
            },
            "orders": lists(orders),
        }
        for name, units, retreats, centres, orders in phases
    ]})


PARIS, BURGUNDY = {"FRANCE": "A PAR"}, {"FRANCE": "A BUR"}
MUNICH = {"FRANCE": "A MUN"}
ADVANCE = {"FRANCE": "A BUR - MUN"}
OWNED, GAINED = {"FRANCE": "PAR", "GERMANY": "MUN"}, {"FRANCE": "PAR, MUN", "GERMANY": ""}
ONE_EACH = {"FRANCE": "A MUN, A PAR"}
SURROUNDED = {"FRANCE": "A MAR", "GERMANY": "A GAS, A BUR", "ITALY": "A PIE, A SPA"}
ATTACK = {"ITALY": "A PIE - MAR, A SPA S A PIE - MAR"}
LOST = {"FRANCE": "*A MAR", "GERMANY": "A GAS, A BUR", "ITALY": "A MAR, A SPA"}
LEFT = {**LOST, "FRANCE": ""}
NO_ONE: Places = {}


@pytest.mark.parametrize("game", [
    # A retreat phase is recorded, though nothing was dislodged: in Spring and in Fall.
    (("S1901M", PARIS, NO_ONE, OWNED, {"FRANCE": "A PAR - BUR"}),
     ("S1901R", BURGUNDY, NO_ONE, OWNED, NO_ONE),
     ("F1901M", BURGUNDY, NO_ONE, OWNED, ADVANCE),
     ("F1901R", MUNICH, NO_ONE, OWNED, NO_ONE),
     ("W1901A", MUNICH, NO_ONE, GAINED, {"FRANCE": "A PAR B"}),
     ("S1902M", ONE_EACH, NO_ONE, GAINED, NO_ONE)),
    # In these records no one can build, so three phases lead from one Fall to the next Spring.
    (("F1901M", {"FRANCE": "A BUR, A PAR"}, NO_ONE, OWNED, ADVANCE),
     ("F1901R", ONE_EACH, NO_ONE, OWNED, NO_ONE),
     ("W1901A", ONE_EACH, NO_ONE, GAINED, NO_ONE),
     ("S1902M", ONE_EACH, NO_ONE, GAINED, NO_ONE)),
    # Some records have a unit without a retreat, which disbands in a phase of its own.
    (("S1901M", SURROUNDED, NO_ONE, NO_ONE, ATTACK),
     ("S1901R", LOST, {"FRANCE": "A MAR"}, NO_ONE, {"FRANCE": "A MAR D"}),
     ("F1901M", LEFT, NO_ONE, NO_ONE, NO_ONE)),
    (("S1901M", SURROUNDED, NO_ONE, NO_ONE, ATTACK),
     ("S1901R", LEFT, NO_ONE, NO_ONE, NO_ONE),
     ("F1901M", LEFT, NO_ONE, NO_ONE, NO_ONE)),
    # A power without centres has no choice: it must remove all its units.
    (("F1901M", {"FRANCE": "A BUR, A PAR", "GERMANY": "A RUH"}, NO_ONE, OWNED, ADVANCE),
     ("W1901A", {"FRANCE": "A MUN, A PAR", "GERMANY": "A RUH"}, NO_ONE, GAINED,
      {"GERMANY": "A RUH D"}),
     ("S1902M", ONE_EACH, NO_ONE, GAINED, NO_ONE)),
    # The two programs may continue from different phases if no one has a choice in between.
    (("S1901M", SURROUNDED, NO_ONE, NO_ONE, ATTACK), ("F1901M", LEFT, NO_ONE, NO_ONE, NO_ONE)),
    (("F1901M", SURROUNDED, NO_ONE, NO_ONE, ATTACK),
     ("F1901R", LOST, {"FRANCE": "A MAR"}, NO_ONE, NO_ONE)),
], ids=lambda game: "-".join(phase[0] for phase in game))
def test_phases_without_a_choice_may_be_recorded(game: Any) -> None:
    assert diplomacy.replay(make_saved_game(*game)) == []


@pytest.mark.parametrize("game, found", [
    ((("S1901M", PARIS, NO_ONE, OWNED, {"FRANCE": "A PAR - BUR"}),
      ("S1901R", PARIS, NO_ONE, OWNED, NO_ONE)),
     "S1901M units FRANCE: recorded A PAR, ours A BUR"),
    ((("F1901M", BURGUNDY, NO_ONE, OWNED, ADVANCE), ("F1901R", MUNICH, NO_ONE, GAINED, NO_ONE)),
     "F1901M centers FRANCE: recorded MUN, PAR, ours PAR"),
    ((("F1901M", BURGUNDY, NO_ONE, OWNED, ADVANCE), ("F1902R", MUNICH, NO_ONE, OWNED, NO_ONE)),
     "F1901M phase: recorded F1902R, ours W1901A"),
    ((("F1901M", BURGUNDY, NO_ONE, OWNED, ADVANCE), ("S1901R", MUNICH, NO_ONE, OWNED, NO_ONE)),
     "F1901M phase: recorded S1901R, ours W1901A"),
    # Here a power had a choice in the phase that the record lacks.
    ((("F1901M", BURGUNDY, NO_ONE, OWNED, ADVANCE), ("S1902M", MUNICH, NO_ONE, GAINED, NO_ONE)),
     "F1901M phase: recorded S1902M, ours W1901A"),
    ((("S1901M", SURROUNDED, NO_ONE, NO_ONE, ATTACK),
      ("S1901R", SURROUNDED, NO_ONE, NO_ONE, NO_ONE)),
     "S1901M units FRANCE: recorded A MAR, ours -"),
])
def test_a_recorded_phase_without_a_choice_is_compared(game: Any, found: str) -> None:
    assert str(diplomacy.replay(make_saved_game(*game))[0]) == found


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_a_saved_game_may_come_as_octets(encoding: str) -> None:
    saved = json.dumps(play_last_orders(1))
    assert diplomacy.read_game(saved.encode(encoding)) == diplomacy.read_game(saved)
    assert diplomacy.read_game("\ufeff" + saved) == diplomacy.read_game(saved)


def test_octets_that_are_no_text_are_refused_in_words() -> None:
    with pytest.raises(diplomacy.InputError, match="saved game, line 2: no UTF-8 text"):
        diplomacy.read_game(b"{\n\xfc}")


@pytest.mark.parametrize(
    ("saved", "said"),
    [
        ("", "no JSON"),
        ("[]", "no JSON object"),
        ("{}", "no list of phases"),
        ({"phases": [7]}, "phase 1 of the saved game has no state"),
        ({"phases": [{"state": {}}]}, "phase 1 of the saved game has no name"),
        ({"phases": [{"name": "S1901M", "state": {}, "orders": []}] * 2}, None),
        ({"phases": [{"name": "S1901M", "state": {}, "orders": [1]}]}, "orders of S1901M"),
        ({"phases": [{"name": "S1901M", "state": {"units": {"ITALY": None}}, "orders": None}] * 2},
         None),
        ({"phases": [{"name": "S1901M", "state": {}, "orders": {"ITALY": [1]}}]},
         "orders of ITALY in S1901M of the saved game are no list of texts"),
        ({"phases": [{"name": "S1901M", "state": {"units": {"ITALY": 1}}}]}, "units of ITALY"),
        ({"phases": [{"name": "S1901M", "state": {"units": [1]}}]}, "units of S1901M"),
        ({"phases": [{"name": "S1901M", "state": {"centers": {"ITALY": [1]}}}]}, "centers of ITAL"),
        ({"phases": [{"name": "S1901R", "state": {"retreats": [1]}}]}, "retreats of S1901R"),
        ({"phases": [{"name": "S1901R", "state": {"retreats": {"ITALY": [1]}}}]},
         "retreats of ITALY in S1901R"),
        ({"phases": [{"name": "S1901R", "state": {"retreats": {"ITALY": {"A ROM": 1}}}}]},
         "retreats of A ROM in S1901R"),
        ({"phases": [{"name": "S1901M", "state": {"units": {"GAUL": []}}}] * 2}, "no power"),
        ({"map": "mars", "phases": [{"name": "S1901M", "state": {}}] * 2}, "no map 'mars'"),
    ],
)
def test_an_invalid_saved_game_is_refused_in_words(saved: Any, said: str | None) -> None:
    if said is None:
        diplomacy.replay(diplomacy.read_game(saved))
        return
    with pytest.raises(diplomacy.InputError, match=said):
        diplomacy.replay(diplomacy.read_game(saved))
