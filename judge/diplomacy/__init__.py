"""The engine as a library: `from judge import diplomacy`.

A `State` is an immutable position of a game. It lists the orders that its units can be given and
adjudicates orders to the next state. Positions and saved games can be written to JSON and read from
it. Wrong input raises `InputError`, a ValueError that names the order, unit or place. Pictures are
in `judge.diplomacy.drawing`, the names of the `diplomacy` package in `judge.diplomacy.compat`.

The names in `__all__` are stable: see `docs/build/library.md`, whose examples the tests run.

>>> state = opening("standard")
>>> state.legal_orders("France")["A PAR"][:3]
('A PAR H', 'A PAR - BRE', 'A PAR - BUR')
>>> result = state.adjudicate({"France": ["A PAR - BUR"], "Germany": ["A MUN - BUR"]})
>>> result.verdict("A PAR").outcomes[0].value, result.state.phase
('bounce', 'F1901M')
"""

from judge.board.map import Map, Province, Unit, UnitKind
from judge.board.position import Dislodged, Phase, Position
from judge.diplomacy.fault import InputError
from judge.diplomacy.saved import Difference, SavedGame, SavedPhase, read_game, replay, write_game
from judge.diplomacy.state import (
    Orders,
    Result,
    State,
    board,
    from_json,
    map_names,
    opening,
    order_text,
)
from judge.games.diplomacy.rules.orders import (
    Build,
    Convoy,
    Disband,
    Hold,
    Move,
    Order,
    Outcome,
    Retreat,
    Support,
    Verdict,
    Waive,
)
from judge.games.diplomacy.rules.ruleset import Rules

__all__ = [
    "Build",
    "Convoy",
    "Difference",
    "Disband",
    "Dislodged",
    "Hold",
    "InputError",
    "Map",
    "Move",
    "Order",
    "Orders",
    "Outcome",
    "Phase",
    "Position",
    "Province",
    "Result",
    "Retreat",
    "Rules",
    "SavedGame",
    "SavedPhase",
    "State",
    "Support",
    "Unit",
    "UnitKind",
    "Verdict",
    "Waive",
    "board",
    "from_json",
    "map_names",
    "opening",
    "order_text",
    "read_game",
    "replay",
    "write_game",
]
