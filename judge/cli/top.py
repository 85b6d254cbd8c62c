"""Command that shows the state of the judge, and acts by a key."""

import argparse
import curses
import logging
import os
import sys
import time
from contextlib import suppress
from datetime import datetime

from judge.cli.output import FINE, Job, print_line
from judge.clock import SystemClock
from judge.config import Config
from judge.daemon.clock_steps import trusted_now
from judge.daemon.operator_tasks import run_action
from judge.errors import JudgeError, StoreError
from judge.play.game import Context
from judge.terminal.games import Outcome, run_game_command
from judge.terminal.queue import run_queue_command
from judge.terminal.top import (
    GAME,
    TopPage,
    TopRow,
    fit_width,
    fold_line,
    format_page,
    lay_out,
    read_page,
)

_MAX_SECONDS = 3600
_KEYS = "up/down  r retry  R all letters  s set aside  d drop  p pause/resume  q quit"
_MAX_NOTES = 3
"""Maximum number of lines of a message."""
_STEPS = {curses.KEY_DOWN: 1, curses.KEY_UP: -1}
_ALL_LETTERS = "out"
"""ID of all letters that were put off."""


def _top(given: argparse.Namespace, config: Config) -> int:
    if not 1 <= given.every <= _MAX_SECONDS:
        raise JudgeError(f"--every {given.every}: write 1 to {_MAX_SECONDS} seconds")
    page = read_page(config, trusted_now(config))
    if given.once or not _has_screen():
        print_line(format_page(page))
        return FINE
    # A line of the log would overwrite the page.
    logging.disable()
    curses.wrapper(lambda window: _Screen(window, config, page).run(given.every))
    return FINE


def _has_screen() -> bool:
    """Return whether input and output are a terminal with a cursor that can be moved."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        return False
    try:
        curses.setupterm()
    except curses.error:
        return False
    return curses.tigetstr("cup") is not None


class _Screen:
    """Page on a terminal, with a selected row and a line of messages."""

    def __init__(self, window: "curses.window", config: Config, page: TopPage) -> None:
        self._window, self._config, self._page = window, config, page
        self._selected = 0
        self._message, self._fault = "", ""
        self._asked: tuple[str, str] | None = None
        """Action and ID that the operator must confirm, or None."""

    def run(self, every: int) -> None:
        """Show the page until the operator quits. Read it again every *every* seconds."""
        with suppress(curses.error):
            curses.use_default_colors()
            curses.curs_set(0)
        until = time.monotonic() + every
        while True:
            self._draw()
            self._window.timeout(max(int((until - time.monotonic()) * 1000), 0))
            code = self._window.getch()
            if code == ord("q") and self._asked is None:
                return
            if code == -1 or self._press(code):
                self._read()
                until = time.monotonic() + every

    def _read(self) -> None:
        """Read the page again. Keep the selected row if it is still there."""
        before = self._row()
        try:
            self._page, self._fault = read_page(self._config, trusted_now(self._config)), ""
        except StoreError as fault:
            self._fault = f"This page is old: {fault}"
        ids = [row.id for row in self._page.rows]
        if before is not None and before.id in ids:
            self._selected = ids.index(before.id)
        self._selected = max(min(self._selected, len(ids) - 1), 0)

    def _row(self) -> TopRow | None:
        rows = self._page.rows
        return rows[self._selected] if rows else None

    def _press(self, code: int) -> bool:
        """Handle a key. Return whether it has changed something."""
        if code == curses.KEY_RESIZE:
            return False
        row, asked, self._asked, self._message = self._row(), self._asked, None, ""
        action = row.actions.get(chr(code)) if row is not None else None
        if asked is not None:
            self._message = self._act(*asked) if code == ord("y") else "Nothing was done."
            return True
        if code in _STEPS:
            last = len(self._page.rows) - 1
            self._selected = max(min(self._selected + _STEPS[code], last), 0)
        elif code == ord("R"):
            self._asked = ("retry", _ALL_LETTERS)
            self._message = "retry all letters that were put off? y/n"
        elif row is not None and action is not None:
            self._asked = (action, row.id)
            news = "; its people get a letter" if row.id.startswith(GAME) else ""
            self._message = f"{action} {row.id.removeprefix(GAME)}{news}? y/n"
        else:
            self._message = "This key does nothing with the selected row."
        return False

    def _act(self, what: str, which: str) -> str:
        """Carry out an action as its command does. Return the message."""
        def change(context: Context, now: datetime) -> Outcome:
            return run_game_command(context, now, what, which.removeprefix(GAME), "", False)

        try:
            if which.startswith(GAME):
                return run_action(self._config, SystemClock(), change)
            return run_queue_command(self._config, what, which, trusted_now(self._config))
        except JudgeError as fault:
            return f"Nothing was done: {fault}"

    def _draw(self) -> None:
        # On a busy machine the signal of a new size can be lost.
        with suppress(OSError):
            width, height = os.get_terminal_size()
            if curses.is_term_resized(height, width):
                curses.resizeterm(height, width)
        self._window.erase()
        height, width = self._window.getmaxyx()
        notes = fold_line(self._note(width - 1), width - 1)[:_MAX_NOTES] or [""]
        room = max(height - len(notes) - 1, 0)
        lines, selected = lay_out(self._page, self._selected, room, width - 1)
        for place, line in enumerate(lines[:room]):
            self._put(place, line, curses.A_REVERSE if place == selected else curses.A_NORMAL)
        for place, line in enumerate(notes, start=room):
            self._put(place, line, curses.A_BOLD)
        self._put(height - 1, _KEYS, curses.A_DIM)
        self._window.refresh()

    def _note(self, width: int) -> str:
        """Return the message, or the selected row if it does not fit its line."""
        row = self._row()
        text = row.text if row is not None else ""
        return self._message or self._fault or (text if fit_width(text, width) != text else "")

    def _put(self, place: int, text: str, style: int) -> None:
        coding = self._window.encoding
        shown = text.encode(coding, "replace").decode(coding)
        # The terminal may be smaller than when its size was read.
        with suppress(curses.error):
            width = self._window.getmaxyx()[1] - 1
            self._window.addstr(place, 0, fit_width(shown, width), style)


JOBS: dict[str, Job] = {"top": _top}
