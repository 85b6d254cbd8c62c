"""The judge in figures, all counted from the database: any process beside it can tell them."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, NamedTuple

from peewee import fn

from judge.store.database import Store
from judge.store.disposal import dropped
from judge.store.memory import Memory
from judge.store.queues import Queues, Waiting
from judge.store.schema import GAMES, MAILS, OUTGOING
from judge.store.table import Table
from judge.words.record import GameState, MailState, OutState

_CLOCKED = (GameState.FORMING, GameState.RUNNING)
"""The games that have a next instant at all."""


class Figures(NamedTuple):
    """What can be counted."""

    mails: Mapping[MailState, int]
    letters: Mapping[OutState, int]
    games: Mapping[GameState, int]
    waiting: Waiting
    overdue: int
    """Games that should have been attended to by now."""
    overdue_since: datetime | None
    heartbeat: datetime | None
    """When a judge that serves or listens was last known to be alive."""
    resolved: datetime | None
    """When all due games were last looked for."""
    octets: int
    """The size of the database."""


def count(store: Store, now: datetime) -> Figures:
    """Return the figures of this instant.

    Raises:
        StoreError: the database cannot be used now.
    """
    game = GAMES.model
    due = game.select(fn.COUNT(game.id).alias("many"), fn.MIN(game.due).alias("since"))
    late = store.rows(due.where(game.state.in_(_CLOCKED), game.due <= now))[0]
    memory = Memory(store)
    return Figures(
        mails=_states(store, MAILS, MailState),
        letters={
            state: many + dropped(memory, state)
            for state, many in _states(store, OUTGOING, OutState).items()
        },
        games=_states(store, GAMES, GameState),
        waiting=Queues(store).waiting(),
        overdue=int(late["many"]),
        overdue_since=late["since"],
        heartbeat=memory.heartbeat(),
        resolved=memory.last_run(),
        octets=int(store.pragma("page_count")) * int(store.pragma("page_size")),
    )


def _states(store: Store, table: Table[Any], states: Any) -> dict[Any, int]:
    """Return how many rows of a table are in each state."""
    row = table.model
    query = row.select(row.state, fn.COUNT(row.id).alias("many")).group_by(row.state)
    found = {one["state"]: int(one["many"]) for one in store.rows(query)}
    return {state: found.get(state, 0) for state in states}
