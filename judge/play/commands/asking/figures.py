"""RATING and STATISTICS: what games that are over say of their players and powers."""

from collections.abc import Sequence

from judge.games import all_systems, find_system
from judge.play.commands.outcome import NOTHING, Outcome, refused, said, shown
from judge.play.commands.session import Session
from judge.play.rating.figures import listed, map_called, names_of
from judge.play.rating.finishes import Ends, finished_games, tally
from judge.play.rating.rating import skills
from judge.words.asking import ShowRating, ShowStatistics
from judge.words.figures import Finished
from judge.words.letter import Kind
from judge.words.reason import because

MOST_LISTED = 100
"""Players that one list shows."""
MOST_YEARS = 20
"""Years that one table shows; few games are longer."""


def show_rating(session: Session, command: ShowRating) -> Outcome:
    """Show the players by their rating, and where the one who asks stands."""
    office = session.office
    heads = office.aliases.heads()
    known = skills(finished_games(office), heads)
    rows, head = listed(office, known, heads), heads.get(session.person, session.person)
    return shown(
        Kind.INFO, "rating", rows=rows[:MOST_LISTED], left_out=max(0, len(rows) - MOST_LISTED),
        nameless=len(known) - len(rows), own=known.get(head), named=head in names_of(office, heads),
    )


def show_statistics(session: Session, command: ShowStatistics) -> Outcome:
    """Show how the powers of a map did; of every map that has been played to an end, if none is
    named."""
    known = [name for system in all_systems() for name in system.maps()]
    if command.map and command.map not in known:
        lines = [f"STATISTICS {name}" for name in known]
        return refused(command, because("statistics-map", word=command.map), *lines)
    games = finished_games(session.office)
    played = [name for name in known if any(game.map == name for game in games)]
    did = NOTHING
    for name in [command.map] if command.map in played else played if not command.map else []:
        facts = map_facts([game for game in games if game.map == name])
        did += shown(Kind.INFO, "statistics", **facts)
    if command.map not in ("", *played) or not played:
        did += said(because("statistics-none"))
    return did


def map_facts(games: Sequence[Finished]) -> dict[str, object]:
    """Return how the powers of one map did in some games on it, one at least."""
    first = games[0]
    sides = find_system(first.system).sides(first.map)
    rows = []
    for at, side in enumerate(sides):
        ends: Ends = [(game.scores[at].finish, game.scores[at].centres) for game in games]
        rows.append((side.letter, side.name, tally(ends)))
    years: dict[str, list[tuple[int, ...]]] = {}
    for game in games:
        for year, counts in game.years:
            years.setdefault(year, []).append(counts)
    return {
        "system": first.system,
        "title": map_called(first.map),
        "games": len(games),
        "rows": rows,
        "letters": [side.letter for side in sides],
        "years": [
            (year, len(counts), [sum(column) / len(counts) for column in zip(*counts)])
            for year, counts in sorted(years.items())[:MOST_YEARS]
        ],
    }
