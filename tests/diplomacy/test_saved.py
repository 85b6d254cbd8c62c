"""Saved games: read, written, played again, and what differs told by phase and order."""

import json
from typing import Any

import pytest

from judge import diplomacy
from judge.diplomacy import compat


def played(phases: int = 12, **options: str) -> dict[str, Any]:
    """Return a saved game in which every unit got the last of its orders."""
    game = compat.Game("marco", **options)
    for _ in range(phases):
        able = game.get_all_possible_orders()
        for power, places in game.get_orderable_locations().items():
            game.set_orders(power, [able[place][-1] for place in places])
        assert not game.error
        game.process()
    return json.loads(json.dumps(compat.to_saved_game_format(game)))  # type: ignore[no-any-return]


def test_a_game_of_ours_is_replayed_without_a_difference() -> None:
    game = diplomacy.read_game(played())
    assert len(game.phases) == 13 and game.phases[0].orders["FRANCE"]
    assert diplomacy.replay(game) == []
    assert diplomacy.read_game(diplomacy.write_game(game)) == game


def test_a_difference_names_phase_power_and_order() -> None:
    saved = played(2)
    saved["phases"][0]["results"]["F BRE"] = ["bounce"]
    saved["phases"][2]["state"]["units"]["ITALY"].remove("A ROM")
    found = [str(one) for one in diplomacy.replay(diplomacy.read_game(saved))]
    assert found == [
        "S1901M FRANCE: F BRE S A PAR - PIC: recorded bounce, ours void",
        "F1901M units ITALY: recorded A VEN, F NAP, ours A ROM, A VEN, F NAP",
    ]


def test_a_record_made_under_another_choice_is_replayed_under_it() -> None:
    game = compat.Game(fallback="land")
    game.set_state({"name": "S1901M", "units": {"ENGLAND": ["A LVP"]}})
    game.set_orders("ENGLAND", ["A LVP - EDI VIA"])
    game.process()
    saved = diplomacy.read_game(compat.to_saved_game_format(game))
    assert diplomacy.replay(saved, fallback="land") == []
    assert {one.what for one in diplomacy.replay(saved)} == {"order", "units"}


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
        ({"phases": [{"name": "S1901M", "state": {"units": {"GAUL": []}}}] * 2}, "no power"),
        ({"map": "mars", "phases": [{"name": "S1901M", "state": {}}] * 2}, "no map 'mars'"),
    ],
)
def test_what_is_no_saved_game_is_refused_in_words(saved: Any, said: str | None) -> None:
    if said is None:
        diplomacy.replay(diplomacy.read_game(saved))
        return
    with pytest.raises(diplomacy.InputError, match=said):
        diplomacy.replay(diplomacy.read_game(saved))
