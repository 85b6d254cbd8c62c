"""Rules of a map that differ from the usual ones, as sentences."""

from collections.abc import Iterator

from judge.board.bundle import is_key
from judge.board.map import Map, Terrain
from judge.board.position import MOVEMENT, SPRING, Phase, parse_phase
from judge.games.diplomacy.views.phases import turn_named
from judge.games.system import Options
from judge.model.phrase import Phrase, phrase


def map_rules_on(board: Map, options: Options) -> Iterator[Phrase]:
    """Yield the unusual rules of a map that no option changes."""
    centres = len(board.centres)
    if is_key(board.name) and "victory" not in options:
        yield phrase("rule-victory", n=board.victory, centres=centres)
    if board.builds != "home" and "builds" not in options:
        yield phrase(f"rule-builds-{board.builds}")
    if board.quiet_falls and "quiet_falls" not in options:
        yield phrase("rule-quiet-falls-by-map", n=board.quiet_falls)
    for power in sorted(board.neutral):
        yield phrase("rule-neutral", power=power)
    ports = [p.name for p in board.provinces.values() if p.terrain is Terrain.PORT]
    if ports:
        yield phrase("rule-ports", places=tuple(ports))
    if board.calendar.era == "BC":
        yield describe_labels(board)


def describe_labels(board: Map) -> Phrase:
    """Return how labels count the years before Christ, with an example."""
    first = parse_phase(board.first_phase)
    second = Phase(board.first_year + (first.year == board.first_year), SPRING, MOVEMENT)
    return phrase(
        "rule-labels-count-up", label=str(first), turn=turn_named(first, board.calendar),
        later=str(second), later_turn=turn_named(second, board.calendar),
    )
