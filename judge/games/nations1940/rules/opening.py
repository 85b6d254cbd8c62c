"""Initial state of a game, on Turn 0 (scenario, sections 2 and 3)."""

from judge.games.nations1940.rules.settings import START_TECHS, Settings
from judge.games.nations1940.rules.state import Nation, NationsState, ProvinceState
from judge.games.nations1940.scenario import NationStart, Scenario


def opening(board: Scenario, settings: Settings) -> NationsState:
    """Return the initial state.

    The fifteen neutral provinces, and the land of nations left out, have one neutral army each
    (N-55).
    """
    played = {code: start for code, start in board.nations.items() if code not in settings.left_out}
    homes = {n: start for start in board.nations.values() for n in start.provinces}
    provinces = {}
    for number, land in board.lands.items():
        start = homes.get(number)
        if start and start.code in played:
            provinces[number] = _home(start, number, populous=land.populous)
        else:
            built = start.improvements.get(number, frozenset()) if start else frozenset()
            provinces[number] = ProvinceState(populous=land.populous, improvements=built, neutral=1)
    techs = frozenset(START_TECHS if settings.start_techs else ())
    nations = {
        code: Nation(code, start.government, start.capital, techs=techs)
        for code, start in played.items()
    }
    return NationsState(0, nations, provinces, {})


def _home(start: NationStart, number: int, *, populous: bool) -> ProvinceState:
    armies, fleets = start.armies.get(number, 0), start.fleets.get(number, 0)
    return ProvinceState(
        owner=start.code,
        populous=populous,
        improvements=start.improvements.get(number, frozenset()),
        armies={start.code: armies} if armies else {},
        fleets={start.code: fleets} if fleets else {},
    )
