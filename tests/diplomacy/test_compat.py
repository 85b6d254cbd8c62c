"""The names of the `diplomacy` package, used as by programs written for it."""

import pytest

from judge.diplomacy import InputError, compat, read_game


def test_orders_are_filed_listed_and_withdrawn() -> None:
    game = compat.Game()
    game.set_orders("FRANCE", ["A PAR - BUR", "A MAR H", "A PAR - PIC", "A MAR - NTH", "hello", ""])
    assert game.get_orders("FRANCE") == ["A PAR - PIC", "A MAR H"]
    assert [one.partition(":")[0] for one in game.error] == ["A MAR - NTH", "hello"]
    game.set_orders("france", "A PAR - GAS", replace=False)
    assert game.powers["FRANCE"].orders == {"A PAR": "- PIC", "A MAR": "H"}
    game.clear_orders("FRANCE")
    assert game.get_orders() == dict.fromkeys(game.map.powers, [])


def test_order_status_is_listed_by_unit_place_power_and_phase() -> None:
    game = compat.Game()
    game.set_orders("FRANCE", ["A PAR - BUR"])
    game.set_orders("GERMANY", ["A MUN - BUR"])
    played = game.process()
    assert (played.name, game.phase) == ("S1901M", "FALL 1901 MOVEMENT")
    assert game.get_order_status(unit="A PAR") == ["bounce"]
    assert game.get_order_status(loc="PAR") == ("A PAR", ["bounce"])
    assert game.get_order_status("FRANCE") == {"A MAR": [], "A PAR": ["bounce"], "F BRE": []}
    assert game.order_history["S1901M"]["GERMANY"] == ["A MUN - BUR"]
    assert game.state_history["S1901M"]["units"]["FRANCE"] == ["A MAR", "A PAR", "F BRE"]
    assert game.result_history["S1901M"] == played.results


def test_retreats_builds_and_waives() -> None:
    game = compat.Game()
    game.set_state({
        "name": "F1901R",
        "units": {"FRANCE": ["A PAR", "*A BUR"], "GERMANY": ["A MUN"]},
        "retreats": {"FRANCE": {"A BUR": ["GAS", "MAR"]}},
        "centers": {"FRANCE": ["PAR", "MAR", "BRE", "SPA"], "GERMANY": ["MUN"]},
    })
    assert game.get_orderable_locations("FRANCE") == ["BUR"]
    assert game.get_all_possible_orders()["BUR"] == ["A BUR R GAS", "A BUR R MAR", "A BUR D"]
    game.set_orders("FRANCE", ["A BUR R GAS"])
    game.process()
    assert (game.phase, game.powers["FRANCE"].units) == (
        "WINTER 1901 ADJUSTMENTS", ["A GAS", "A PAR"]
    )
    assert game.get_all_possible_orders()["MAR"] == ["A MAR B", "F MAR B", "WAIVE"]
    assert game.get_state()["builds"]["FRANCE"] == {"count": 2, "homes": ["BRE", "MAR"]}
    game.set_orders("FRANCE", ["F MAR B", "WAIVE"])
    assert game.get_orders("FRANCE") == ["F MAR B", "WAIVE"]
    game.process()
    assert game.get_units("FRANCE") == ["A GAS", "A PAR", "F MAR"]


def test_a_game_ends_with_a_winner_or_a_draw() -> None:
    game = compat.Game(last_year=1901, at_end="leader")
    while not game.is_game_done:
        game.process()
    assert game.get_current_phase() == "COMPLETED"
    assert game.outcome == ["F1901M", "RUSSIA"]
    with pytest.raises(InputError, match="the game is over"):
        game.process()
    drawn = compat.Game()
    drawn.draw(["FRANCE", "ITALY"])
    assert drawn.outcome[1:] == ["FRANCE", "ITALY"] and drawn.phase == "COMPLETED"


def test_an_impossible_state_leaves_the_game_unchanged() -> None:
    game = compat.Game()
    game.set_orders("FRANCE", ["A PAR - BUR"])
    before = game.get_state(), game.get_orders()
    with pytest.raises(InputError, match="no army can stand in NTH"):
        game.set_state({"name": "S1902M", "units": {"FRANCE": ["A NTH"]}})
    with pytest.raises(InputError, match="no power 'GAUL'"):
        game.set_orders("GAUL", ["A PAR - BUR"])
    assert (game.get_state(), game.get_orders()) == before


def test_map_lists_types_neighbours_and_homes() -> None:
    found = compat.Map()
    assert found.loc_type["PAR"] == "LAND" and found.loc_type["STP/SC"] == "COAST"
    assert found.loc_type["NTH"] == "WATER" and found.loc_type["SWI"] == "SHUT"
    assert found.abut_list("SPA") == ["GAS", "LYO", "MAO", "MAR", "POR", "WES"]
    assert found.abut_list("BLA") == ["ANK", "ARM", "BUL/EC", "CON", "RUM", "SEV"]
    assert found.abut_list("BLA", incl_no_coast=True)[2:4] == ["BUL", "BUL/EC"]
    assert found.abuts("F", "BLA", "-", "BUL/EC") and not found.abuts("F", "BLA", "-", "BUL/SC")
    assert found.abuts("F", "BLA", "S", "BUL/SC") and not found.abuts("A", "PAR", "-", "LON")
    assert found.is_valid_unit("F STP/SC") and not found.is_valid_unit("F STP")
    assert found.homes["FRANCE"] == ["BRE", "MAR", "PAR"] and len(found.scs) == 34


def test_a_game_survives_its_saved_form_and_is_drawn() -> None:
    game = compat.Game("marco")
    game.process()
    game.set_orders("FRANCE", ["A PAR - BUR"])
    game.message_history["S1901M"] = [{"sender": "FRANCE", "message": "marco"}]
    saved = compat.to_saved_game_format(game)
    again = compat.from_saved_game_format(saved)
    assert again.message_history == game.message_history
    assert compat.to_saved_game_format(again) == saved
    assert read_game(saved).phases[0].messages == game.message_history["S1901M"]
    assert game.render().startswith("<svg")
