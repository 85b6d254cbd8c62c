"""Notices about letters that wait for the limit of letters a day."""

import logging
from collections.abc import Mapping
from datetime import datetime, timedelta

from judge.daemon.application import Application
from judge.daemon.error_reports import notify_masters
from judge.model.phrase import phrase

log = logging.getLogger("judge.sender")

_DAY = timedelta(days=1)


def report_waiting_letters(
    application: Application, waiting: Mapping[str, int], now: datetime
) -> None:
    """Report letters that wait to the operator and to the masters of their games.

    *waiting* is their number by game. Each recipient gets a report at most once a day.

    Raises:
        StoreError: the database cannot be used now.
    """
    people = application.context.people
    with application.store.transaction():
        if people.ask_once("send limit", now, now - _DAY):
            total, limit = sum(waiting.values()), application.config.deliver.max_per_day
            log.warning("letters that wait for the limit of %d a day: %d", limit, total)
            application.notify_operator(
                "letters wait for the limit of a day",
                f"Letters that wait: {total}. The judge may send only {limit} letters in 24 hours"
                " ([deliver] per_day), and most of these are used up. Turn letters, receipts and"
                " confirmations go first, then press, then digests, reminders and letters to"
                " observers. If your provider allows more, raise per_day. `judge queue list` shows"
                " the letters that wait. You get this letter at most once a day.",
                now,
            )
        for name, many in waiting.items():
            game = application.context.games.find(name) if name else None
            if game is not None and people.ask_once(f"send limit {game.id}", now, now - _DAY):
                said = phrase("letters-wait-for-limit", game=game.name, count=many)
                notify_masters(application, game.id, said, now)
