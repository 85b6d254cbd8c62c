"""The state a game begins with, on Turn 0 (scenario, sections 2 and 3)."""

from dataclasses import replace

from judge.games.nations1940.rules.settings import Settings
from judge.games.nations1940.rules.state import Nation, Province, State
from judge.games.nations1940.scenario import Scenario, Start


def opening(board: Scenario, settings: Settings) -> State:
    """Return the start: the fifteen neutrals, and the land of nations left out, have one neutral
    army each (N-55)."""
    played = {
        code: start for code, start in board.nations.items() if code not in settings.left_out
    }
    homes = {n: start for start in board.nations.values() for n in start.provinces}
    provinces = {}
    for number, land in board.lands.items():
        start = homes.get(number)
        if start and start.code in played:
            found = _home(start, number)
        else:
            built = start.improvements.get(number, frozenset()) if start else frozenset()
            found = Province(improvements=built, neutral=1)
        provinces[number] = replace(found, populous=land.populous)
    nations = {
        code: Nation(code, start.government, start.capital) for code, start in played.items()
    }
    return State(0, nations, provinces, {})


def _home(start: Start, number: int) -> Province:
    armies, fleets = start.armies.get(number, 0), start.fleets.get(number, 0)
    return Province(
        owner=start.code,
        improvements=start.improvements.get(number, frozenset()),
        armies={start.code: armies} if armies else {},
        fleets={start.code: fleets} if fleets else {},
    )
