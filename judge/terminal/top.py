"""Page of `judge top`: queues, games due, limits and the mailbox.

It only reads, and never waits for a writer. Texts of others are made printable here.
"""

import unicodedata
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from itertools import chain
from textwrap import wrap
from typing import NamedTuple

from judge import __version__
from judge.config import Config
from judge.mail.imap.account import read_account
from judge.model.record import DeliveryState, GameState, MailState
from judge.store.database import Store
from judge.store.queue_report import QueueFigures, Queues, ScheduledGame, count, list_schedule
from judge.store.schema import MailboxState
from judge.store.send_budget import SendBudget
from judge.terminal.inbox import printable_line
from judge.terminal.queue import (
    MAX_SHOWN,
    describe_budget,
    describe_letters,
    describe_mails,
    describe_pause,
    format_letter,
    format_mail,
)

GAME = "game:"
"""Beginning of the ID of a game."""
_UNITS = ((172_800, 86_400, "days"), (7_200, 3_600, "h"), (120, 60, "min"), (0, 1, "s"))
"""Shortest time in seconds of each unit, its length and its name."""
_RETRY, _SHUNT, _DROP = {"r": "retry"}, {"s": "shunt"}, {"d": "drop"}
_GAME_ACTIONS = {GameState.RUNNING: {"p": "pause"}, GameState.PAUSED: {"p": "resume"}}


class TopRow(NamedTuple):
    """One mail, letter or game."""

    id: str
    """`in:12` for a mail, `out:34` for a letter, `game:marco` for a game."""
    text: str
    actions: dict[str, str]
    """Possible actions by their keys."""


class TopSection(NamedTuple):
    """Rows of one kind below their totals."""

    title: str
    rows: Sequence[TopRow]


class TopPage(NamedTuple):
    """Content of one page."""

    head: Sequence[str]
    sections: Sequence[TopSection]

    @property
    def rows(self) -> list[TopRow]:
        """Return the rows of all sections."""
        return [row for section in self.sections for row in section.rows]


def read_page(config: Config, now: datetime) -> TopPage:
    """Return the present state of the judge.

    Raises:
        StoreError: There is no database, or it cannot be used.
    """
    deliver, spec = config.deliver, config.fetch.from_
    with Store(config.store.url).keep_open() as store:
        figures = count(store, now, read_account(spec).name if spec else "")
        budget = SendBudget(store, deliver.max_per_day, deliver.max_per_minute)
        limits = [*describe_budget(deliver, budget, now), *describe_pause(store, now)]
        queues = Queues(store)
        games = list_schedule(store, now, MAX_SHOWN)
        mails = [
            mail for state in (MailState.SHUNTED, MailState.NEW)
            for mail in queues.mails(state, MAX_SHOWN)
        ]
        letters = [
            letter for state in (DeliveryState.QUEUED, DeliveryState.FAILED)
            for letter in queues.letters(state, MAX_SHOWN)
        ]
    # Letters that were not tried yet leave within seconds, unless there are many.
    letters.sort(key=lambda one: one.state is DeliveryState.QUEUED and not one.tries)
    head = [*_describe_judge(figures, now), *map(str.strip, limits)]
    return TopPage([printable_line(line) for line in head], [
        TopSection(describe_mails(figures.waiting, now), [
            TopRow(
                f"in:{mail.id}", printable_line(format_mail(mail)),
                _SHUNT if mail.state is MailState.NEW else _RETRY | _DROP,
            ) for mail in mails
        ]),
        TopSection(describe_letters(figures.waiting, now), [
            TopRow(
                f"out:{letter.id}", printable_line(format_letter(letter)),
                _RETRY if letter.state is DeliveryState.FAILED else _RETRY | _DROP,
            ) for letter in letters
        ]),
        TopSection(_describe_games(figures, now), [
            TopRow(
                f"{GAME}{game.name}", printable_line(_format_game(game, now)),
                _GAME_ACTIONS.get(game.state, {}),
            ) for game in games
        ]),
    ])


def format_page(page: TopPage) -> str:
    """Return a whole page as text, for scripts."""
    shown = ([section.title, *(row.text for row in section.rows)] for section in page.sections)
    return "\n".join([*page.head, *chain.from_iterable(shown)])


def share_lines(wanted: Sequence[int], lines: int) -> list[int]:
    """Return the number of lines for each section, equal ones if all are long.

    >>> share_lines([1, 20, 9], 12), share_lines([20, 20, 20], 4), share_lines([1, 2, 3], 40)
    ([1, 6, 5], [2, 1, 1], [1, 2, 3])
    """
    shares = [0] * len(wanted)
    while lines > 0 and (short := [n for n, share in enumerate(shares) if share < wanted[n]]):
        for n in short[:lines]:
            shares[n] += 1
        lines -= len(short)
    return shares


def lay_out(page: TopPage, selected: int, height: int, width: int) -> tuple[list[str], int]:
    """Return the lines that fit a terminal, and the place of the selected row, or -1."""
    head = [part for line in page.head for part in fold_line(line, width)]
    titles = [fold_line(section.title, width) for section in page.sections]
    room = height - len(head) - sum(map(len, titles))
    shares = share_lines([len(section.rows) for section in page.sections], room)
    lines, place = head, -1
    for section, title, share in zip(page.sections, titles, shares):
        lines += title
        first = min(max(selected - share + 1, 0), len(section.rows) - share)
        if first <= selected < first + share:
            place = len(lines) + selected - first
        lines += [row.text for row in section.rows[first:first + share]]
        selected -= len(section.rows)
    return lines, place


def fold_line(line: str, width: int) -> list[str]:
    """Return a line as lines of a number of columns."""
    return wrap(line, max(width, 20), subsequent_indent="  ")


def fit_width(text: str, width: int) -> str:
    r"""Return the beginning of a text that fits into a number of columns.

    >>> fit_width("Größe", 3), fit_width("日本語", 5), len(fit_width("e\u0301a", 1))
    ('Grö', '日本', 2)
    """
    used = 0
    for place, char in enumerate(text):
        if not unicodedata.combining(char):
            used += 2 if unicodedata.east_asian_width(char) in "WF" else 1
        if used > width:
            return text[:place]
    return text


def _describe_judge(figures: QueueFigures, now: datetime) -> Iterator[str]:
    """Yield lines about the process and the mailbox."""
    size = f"database {figures.octets / 1e6:.1f} MB"
    yield f"judge {__version__}, {now:%Y-%m-%d %H:%M:%S} UTC; {size}."
    yield (
        f"Heartbeat: {_ago(figures.heartbeat, now)}; due games looked for:"
        f" {_ago(figures.resolved, now)}."
    )
    if figures.mailbox is not None:
        yield _describe_mailbox(figures.mailbox, now)


def _describe_mailbox(state: MailboxState, now: datetime) -> str:
    full = f", {state.quota} % full" if state.quota >= 0 else ""
    return (
        f"Mailbox: last look {_ago(state.looked, now)}, {state.faults} failed connections,"
        f" {state.left_alone} mails of others{full}."
    )


def _describe_games(figures: QueueFigures, now: datetime) -> str:
    open_states = (GameState.RUNNING, GameState.PAUSED, GameState.FORMING)
    counts = ", ".join(f"{figures.games[state]} {state.value}" for state in open_states)
    since = figures.overdue_since
    late = f" for {_duration(now - since)}" if since else ""
    return f"Games: {counts}; {figures.due_soon} due in 24 hours, {figures.overdue} overdue{late}."


def _format_game(game: ScheduledGame, now: datetime) -> str:
    parts = [f"  {game.name:<9} {game.phase or '-':<7} {game.state.value:<7}"]
    if game.deadline is not None and game.state is GameState.RUNNING:
        left = game.deadline - now
        when = f"in {_duration(left)}" if left > timedelta() else f"{_duration(-left)} ago"
        parts.append(f"  {game.deadline:%Y-%m-%d %H:%M}, {when}")
    if game.overdue_since is not None:
        parts.append(f"  overdue for {_duration(now - game.overdue_since)}")
    return "".join(parts).rstrip()


def _ago(instant: datetime | None, now: datetime) -> str:
    return "never" if instant is None else f"{_duration(now - instant)} ago"


def _duration(span: timedelta) -> str:
    seconds = max(span.total_seconds(), 0.0)
    return next(
        f"{seconds / length:.0f} {unit}" for least, length, unit in _UNITS if seconds >= least
    )
