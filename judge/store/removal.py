"""A game taken out of the database, with everything that was kept because of it."""

from judge.store.database import Store
from judge.store.schema import GAMES, SEATS, TABLES
from judge.store.table import Rows


def remove_game(store: Store, game: int) -> None:
    """Delete a game and every row that belongs to it or to its seats, within a transaction.

    Which rows those are the declarations say, so that a table made later is not forgotten; what
    refers to another comes after it there, and goes before it. Mails and letters stay: they belong
    to no game.
    """
    for table in reversed(TABLES):
        for column, to in table.refers.items():
            if to is SEATS:
                mine = f'"{column}" IN (SELECT id FROM seats WHERE game = ?)'
                Rows(store, table).remove_where(mine, game)
            elif to is GAMES:
                Rows(store, table).remove(**{column: game})
    Rows(store, GAMES).remove(id=game)
