"""Maps without a game: which there are, how each looks, and what its places are called."""

from judge.dice import Dice
from judge.games import all_systems, find_map
from judge.games.capabilities import PlacesNamed
from judge.games.system import GameSystem, Reader, Table, Watcher
from judge.model.command import Command
from judge.model.letter import Kind
from judge.model.phrase import phrase
from judge.play.commands.session import Answer, Session
from judge.play.letters.illustrations import opening_view

MAPS = frozenset({"maps", "variants", "boards"})
"""Words after LIST that ask for the maps there are."""
STATE = "state"
"""The word after MAP that asks for the position as rows for programs."""
NAMES = "names"
"""The word after MAP and a map that asks what its places are called."""


def list_maps(session: Session) -> None:
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
    session.show(Kind.INFO, "maps", rows=rows)


def show_board(
    session: Session, command: Command, map_name: str, wish: str, more: Answer, form: str = ""
) -> None:
    """Show the board of a map as a game on it begins, or what its places are called."""
    system = find_map(map_name)
    assert system is not None
    table = system.table(map_name, system.opening(map_name, {}, Dice(bytes(32), 0)), {})
    if form == NAMES:
        _names(session, command, system, table, map_name)
        return
    view = opening_view(system, map_name, table, wish)
    session.add(more)
    session.add(Answer(pictures=tuple(view.pictures)))
    session.show(
        Kind.INFO, "board-of-map", system=system.name, name=map_name,
        title=system.maps()[map_name], about=system.about(map_name), map=view.facts,
        standing=table.standing(Reader(Watcher.OBSERVER)) if view.is_empty else None,
    )


def _names(
    session: Session, command: Command, system: GameSystem, table: Table, map_name: str
) -> None:
    title = system.maps()[map_name]
    if not isinstance(table, PlacesNamed):
        session.refuse(command, phrase("names-nowhere", title=title), f"HELP {system.name}")
        return
    rows = table.spellings()
    session.show(Kind.INFO, "places-named", system=system.name, title=title, rows=rows)
