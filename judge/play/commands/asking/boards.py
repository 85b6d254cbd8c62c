"""Maps without a game: which there are, how each looks, and what its places are called."""

from judge.dice import Dice
from judge.games import all_systems, find_map
from judge.games.capabilities import PlacesNamed
from judge.games.system import GameSystem, Reader, Table, Watcher
from judge.model.asking import ShowMap
from judge.model.letter import Kind
from judge.model.phrase import phrase
from judge.play.commands.outcome import Outcome, heard, refused, shown
from judge.play.commands.session import Answer
from judge.play.letters.illustrations import opening_view

MAPS = frozenset({"maps", "variants", "boards"})
"""Words after LIST that ask for the maps there are."""
STATE = "state"
"""The word after MAP that asks for the position as rows for programs."""
NAMES = "names"
"""The word after MAP and a map that asks what its places are called."""


def list_maps() -> Outcome:
    """List the maps, a line for each: how many play on it, and what it is."""
    rows = [
        {
            "system": system.title,
            "of": system.name,
            "name": name,
            "title": title,
            "powers": len(system.sides(name, {})),
            "about": system.about(name),
        }
        for system in all_systems() for name, title in system.maps().items()
    ]
    return shown(Kind.INFO, "maps", rows=rows)


def show_board(command: ShowMap, map_name: str, wish: str, more: Answer) -> Outcome:
    """Show the board of a map as a game on it begins, or what its places are called."""
    system = find_map(map_name)
    assert system is not None
    table = system.table(map_name, system.opening(map_name, {}, Dice(bytes(32), 0)), {})
    if command.form == NAMES:
        return _names(command, system, table, map_name)
    view = opening_view(system, map_name, table, wish)
    did = heard(more) + heard(Answer(pictures=tuple(view.pictures)))
    return did + shown(
        Kind.INFO, "board-of-map", system=system.name, name=map_name,
        title=system.maps()[map_name], about=system.about(map_name), map=view.facts,
        standing=table.standing(Reader(Watcher.OBSERVER)) if view.is_empty else None,
    )


def _names(command: ShowMap, system: GameSystem, table: Table, map_name: str) -> Outcome:
    title = system.maps()[map_name]
    if not isinstance(table, PlacesNamed):
        return refused(command, phrase("names-nowhere", title=title), f"HELP {system.name}")
    rows = table.spellings()
    return shown(Kind.INFO, "places-named", system=system.name, title=title, rows=rows)
