"""Maps without a game: the list of maps, their boards and the names of places."""

from collections.abc import Sequence

from judge.board.bundle import is_key, name_in_key
from judge.dice import Dice
from judge.games import all_systems, find_map, is_playable, match_maps, title_of
from judge.games.capabilities import PlaceNames
from judge.games.system import GameSystem, Table, Viewer, ViewerRole
from judge.model.command import Command
from judge.model.letter import LetterKind
from judge.model.phrase import phrase
from judge.play.commands.session import ReplyDraft, Session
from judge.play.letters.board_pictures import TEXT, opening_view

MAPS = frozenset({"maps", "variants", "boards"})
"""Words after LIST that request the list of maps."""
STATE = "state"
"""Word after MAP that requests the position as rows for programs."""
NAMES = "names"
"""Word after MAP and a map that requests the names of its places."""


def list_maps(session: Session) -> None:
    """List the maps, one line each, with the number of powers and a description.

    Added maps are last, with their authors.
    """
    rows: list[dict[str, object]] = [
        {
            "system": system.title, "of": system.name, "name": name_in_key(name), "title": title,
            "powers": len(system.powers(name, {})), "about": system.map_description(name),
            "added": system.map_details(name),
        }
        for system in all_systems() for name, title in system.maps().items()
    ]
    rows.sort(key=lambda row: row["added"] is not None)
    faulty = [
        f"{name_in_key(name)} ({title})"
        for system in all_systems() for name, title in system.faulty_maps().items()
    ]
    session.show(LetterKind.INFO, "maps", rows=rows, faulty=faulty)


def map_of_open_game(session: Session, words: Sequence[str]) -> str:
    """Return the added map of the open game if the words are its name, else "".

    A game keeps the version it was created on, also if the map was dropped.
    """
    if not session.is_signed_on or not is_playable(session.game.system, session.game.map):
        return ""
    name = session.game.map
    return name if is_key(name) and [*words] == [name_in_key(name)] else ""


def show_notes(session: Session, command: Command, words: str) -> bool:
    """Show the notes of an added map, or the board of one without notes.

    Return whether the words name a map and nothing else.
    """
    typed = words.split()
    name = map_of_open_game(session, typed)
    if not name:
        meant = match_maps(typed)
        if len(meant.maps) != 1 or {*typed} - meant.words:
            return False
        [name] = meant.maps
    system = find_map(name)
    assert system is not None
    details = system.map_details(name)
    if details is not None and details.notes:
        session.show(
            LetterKind.INFO, "map-notes", system=system.name, title=title_of(name),
            rules=system.map_rules(name, {}), **details._asdict(),
        )
    else:
        show_board(session, command, name, TEXT, ReplyDraft())
    return True


def show_board(
    session: Session, command: Command, map_name: str, wish: str, more: ReplyDraft, form: str = ""
) -> None:
    """Show the board of a map in its opening position, or the names of its places."""
    system = find_map(map_name)
    assert system is not None
    table = system.table(map_name, system.initial_position(map_name, {}, Dice(bytes(32), 0)), {})
    if form == NAMES:
        _names(session, command, system, table, map_name)
        return
    view = opening_view(system, map_name, table, wish)
    session.add(more)
    session.add(ReplyDraft(pictures=tuple(view.pictures)))
    session.show(
        LetterKind.INFO, "board-of-map", system=system.name, name=name_in_key(map_name),
        title=title_of(map_name), about=system.map_description(map_name), map=view.facts,
        rules=system.map_rules(map_name, {}),
        standing=table.position_facts(Viewer(ViewerRole.OBSERVER)) if view.is_empty else None,
    )


def _names(
    session: Session, command: Command, system: GameSystem, table: Table, map_name: str
) -> None:
    title = title_of(map_name)
    if not isinstance(table, PlaceNames):
        session.refuse(command, phrase("names-nowhere", title=title), f"HELP {system.name}")
        return
    session.show(
        LetterKind.INFO, "places-named", system=system.name, title=title, rows=table.spellings(),
        rules=system.map_rules(map_name, {}),
    )
