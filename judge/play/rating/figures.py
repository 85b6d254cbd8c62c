"""What is told of the rating of players and of the games they had."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from judge.games import find_map
from judge.play.game import Office
from judge.play.rating.finishes import best, finished_games, finishes_of, tally
from judge.play.rating.rating import skills
from judge.words.figures import Finish, Skill, Tally


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
    rows = [
        (f"{power} ({map_called(name)})", tally(found))
        for (name, power), found in powers.items()
    ]
    return Record(skill, tally(ends), sorted(rows))


def map_called(map_name: str) -> str:
    """Return the title of a map, or its name where no system has it any more."""
    system = find_map(map_name)
    return system.maps()[map_name] if system else map_name
