"""A game taken out of the database, with everything that was kept because of it."""

from collections.abc import Callable
from typing import Any

from judge.store.database import Store


def remove_game(store: Store, game: int) -> None:
    """Delete a game and every row that belongs to it or to its seats, within a transaction.

    Which rows those are the database knows: it is told for each table what its rows refer to, so
    that a table made later is not forgotten. Mails and letters stay: they belong to no game.
    """
    execute: Callable[..., Any] = store.database.execute_sql
    execute("PRAGMA defer_foreign_keys = ON")
    of_seats = f"SELECT id FROM seats WHERE game = {game}"
    keys = [
        (table, key.column, key.dest_table)
        for table in store.database.get_tables()
        for key in store.database.get_foreign_keys(table)
    ]
    for table, column, to in keys:
        if to == "seats":
            execute(f'DELETE FROM "{table}" WHERE "{column}" IN ({of_seats})')
    for table, column, to in keys:
        if to == "games":
            execute(f'DELETE FROM "{table}" WHERE "{column}" = {game}')
    execute(f"DELETE FROM games WHERE id = {game}")
