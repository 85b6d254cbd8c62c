"""The result of a phase for programs: what `judge adjudicate` writes, as JSON values."""

from collections.abc import Mapping

from judge.board.map import Map
from judge.board.position import Dislodged
from judge.games.diplomacy.adjudicate import Adjudged
from judge.games.diplomacy.orders import order_text, unit_of
from judge.games.diplomacy.outcome import Verdict
from judge.phrases import phrasebook


def result_values(
    board: Map, adjudged: Adjudged, by: Mapping[str, str] | None = None
) -> dict[str, object]:
    """Return an adjudicated phase as JSON values: abbreviations upper case, lists sorted.

    `by` names the powers that ordered units by proxy, by province.
    """
    after = adjudged.position
    return {
        "units": {
            power.name: sorted(str(unit) for unit in after.units.get(power.name, ()))
            for power in board.powers
            if after.units.get(power.name)
        },
        "dislodged": {
            power.name: sorted(
                (_beaten(found) for found in adjudged.dislodged[power.name]),
                key=lambda entry: str(entry["unit"]),
            )
            for power in board.powers
            if adjudged.dislodged.get(power.name)
        },
        "contested": sorted(province.upper() for province in adjudged.contested),
        "centers": {
            power.name: sorted(centre.upper() for centre in after.centres(power.name))
            for power in board.powers
            if after.centres(power.name)
        },
        "orders": {
            power.name: [_told(verdict, by or {}) for verdict in adjudged.verdicts[power.name]]
            for power in board.powers
            if adjudged.verdicts.get(power.name)
        },
        "next": str(after.phase),
    }


def _beaten(found: Dislodged) -> Mapping[str, object]:
    return {
        "unit": str(found.unit),
        "from": found.origin.upper(),
        "via": found.by_convoy,
        "retreats": sorted(place.upper() for place in found.retreats or ()),
    }


def _told(verdict: Verdict, by: Mapping[str, str]) -> Mapping[str, object]:
    told: dict[str, object] = {
        "order": order_text(verdict.order),
        "outcome": [outcome.value for outcome in verdict.outcomes],
    }
    unit = unit_of(verdict.order)
    if unit and unit.province in by:
        told["proxy"] = by[unit.province]
    if verdict.reason is not None:
        told["because"] = phrasebook("diplomacy").say(verdict.reason)
        told["reason"] = {
            name: list(fact) if isinstance(fact, tuple) else fact
            for name, fact in verdict.reason.as_json().items()
        }
    return told
