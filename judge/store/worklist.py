"""The mails that are not worked yet, in order, and what was answered before them."""

from collections.abc import Sequence
from datetime import datetime

from judge.store.bundles import DUE as BUNDLE_DUE
from judge.store.database import Store
from judge.store.games import CLOCKED
from judge.store.games import DUE as GAME_DUE
from judge.store.kinds import plain
from judge.store.schema import MAILS
from judge.store.table import Rows, among
from judge.words.record import MailState


class Worklist:
    """What the desk looks at before it takes a mail."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._mails = Rows(store, MAILS)

    def new_numbers(self, limit: int) -> list[tuple[int, datetime]]:
        """Return the messages that wait to be worked, in order: their numbers, and when each was
        accepted."""
        oldest = "state = ? ORDER BY id LIMIT ?"
        found = self._mails.pick("id, accepted", oldest, MailState.NEW, limit)
        return [(number, accepted) for number, accepted in found]

    def is_anything_due(self, now: datetime) -> bool:
        """Tell whether any game or digest is due: mostly nothing is, and this is asked often."""
        statement = (
            f"SELECT EXISTS (SELECT 1 FROM games WHERE {GAME_DUE})"
            f" OR EXISTS (SELECT 1 FROM bundles WHERE {BUNDLE_DUE})"
        )
        values = [plain(value) for value in (*CLOCKED, now, now)]
        ((found,),) = self._store.found(statement, values)
        return bool(found)

    def games_answered(self, addresses: Sequence[str], mail_id: int) -> frozenset[str]:
        """Return the games of which letters to some addresses answered mails later than this one.
        """
        low = [address.lower() for address in addresses]
        mine = f"""{among('LOWER("to")', low)} AND answers > ? AND game <> ''"""
        statement = f"SELECT DISTINCT game FROM outgoing WHERE {mine}"
        return frozenset(game for (game,) in self._store.found(statement, [*low, mail_id]))
