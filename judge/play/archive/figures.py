"""RATING and STATISTICS: how people and powers did in the games that are over.

People stand in lists by the name they registered, never by address; who gave none is in no list.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from judge.games import all_systems, find_map, find_system
from judge.play.archive.finishes import Ends, best, finished_games, finishes_of, tally
from judge.play.archive.rating import skills
from judge.play.game import Office
from judge.play.session import Session
from judge.words.asking import ShowRating, ShowStatistics
from judge.words.figures import Finish, Finished, Skill, Tally
from judge.words.letter import Kind
from judge.words.reason import because

MOST_LISTED = 100
"""Players that one list shows."""
MOST_YEARS = 20
"""Years that one table shows; few games are longer."""


class Rated(NamedTuple):
    """A player in the list; equal points have equal ranks."""

    rank: int
    name: str
    skill: Skill


class Record(NamedTuple):
    """How somebody's games ended, all of them and power by power."""

    skill: Skill | None
    games: Tally
    powers: Sequence[tuple[str, Tally]]


def show_rating(session: Session, command: ShowRating) -> None:
    """Show the players by their rating, and where the one who asks stands."""
    office = session.office
    heads = office.aliases.heads()
    known = skills(finished_games(office), heads)
    rows, head = listed(office, known, heads), heads.get(session.person, session.person)
    session.show(
        Kind.INFO, "rating", rows=rows[:MOST_LISTED], left_out=max(0, len(rows) - MOST_LISTED),
        nameless=len(known) - len(rows), own=known.get(head), named=head in names_of(office, heads),
    )


def listed(
    office: Office, known: Mapping[str, Skill], heads: Mapping[str, str]
) -> list[Rated]:
    """Return those who registered a name, by points and then by name."""
    names = names_of(office, heads)
    shown = [(names[head], skill) for head, skill in known.items() if head in names]
    shown.sort(key=lambda row: (-row[1].points, row[0].casefold(), row[0], row[1].games))
    points = [skill.points for _, skill in shown]
    return [Rated(points.index(skill.points) + 1, name, skill) for name, skill in shown]


def names_of(office: Office, heads: Mapping[str, str]) -> dict[str, str]:
    """Return the names people registered; one that could be an address is none."""
    found: dict[str, str] = {}
    for address, name in office.register.names().items():
        if "@" not in name:
            found.setdefault(heads.get(address, address), name)
    return found


def record_of(office: Office, address: str, *, own: bool) -> Record:
    """Return somebody's record. Only he himself is told of games in which nobody knows who played.
    """
    heads = office.aliases.heads()
    head = heads.get(address.lower(), address.lower())
    games = [game for game in finished_games(office) if own or not game.secret]
    ends: list[tuple[Finish, int]] = []
    powers: dict[tuple[str, str], list[tuple[Finish, int]]] = {}
    for game, people in finishes_of(games, heads):
        if head in people:
            ends.append(best(people[head]))
            for power, finish, centres in people[head]:
                powers.setdefault((game.map, power), []).append((finish, centres))
    skill = skills(games, heads).get(head)
    rows = [(f"{power} ({_title(name)})", tally(found)) for (name, power), found in powers.items()]
    return Record(skill, tally(ends), sorted(rows))


def _title(map_name: str) -> str:
    system = find_map(map_name)
    return system.maps()[map_name] if system else map_name


def show_statistics(session: Session, command: ShowStatistics) -> None:
    """Show how the powers of a map did; of every map that has been played to an end, if none is
    named."""
    known = [name for system in all_systems() for name in system.maps()]
    if command.map and command.map not in known:
        lines = [f"STATISTICS {name}" for name in known]
        session.refuse(command, because("statistics-map", word=command.map), *lines)
        return
    games = finished_games(session.office)
    played = [name for name in known if any(game.map == name for game in games)]
    for name in [command.map] if command.map in played else played if not command.map else []:
        facts = map_facts([game for game in games if game.map == name])
        session.show(Kind.INFO, "statistics", **facts)
    if command.map not in ("", *played) or not played:
        session.say(because("statistics-none"))


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
        "title": _title(first.map),
        "games": len(games),
        "rows": rows,
        "letters": [side.letter for side in sides],
        "years": [
            (year, len(counts), [sum(column) / len(counts) for column in zip(*counts)])
            for year, counts in sorted(years.items())[:MOST_YEARS]
        ],
    }
