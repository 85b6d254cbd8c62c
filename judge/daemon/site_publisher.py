"""Publisher of the site while the judge runs (`[site] folder`).

The pages are written by `judge publish` in a process of its own, with less priority, so that no
mail and no letter waits for them. Its failure is logged, and tried again after the next change.
"""

import logging
import os
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress

from judge.daemon.application import Application

log = logging.getLogger("judge")

SITE_CHECK_SECONDS = 5.0
"""Seconds between two looks for games whose phase or deadline changed."""
MAX_PUBLISH_SECONDS = 1800
"""Time after which a run that does not end is stopped."""
RETRY_SECONDS = 300
"""Seconds until the next try after a failure."""
PERIOD_SECONDS = 3600
"""Seconds after which the site is written again without a change, for its press and lists."""
_NICE_INCREMENT = 10


class SitePublisher:
    """Runs `judge publish` after a change of a phase, deadline or state."""

    def __init__(self, application: Application) -> None:
        self._application = application
        self._published: list[tuple[object, ...]] | None = None
        self._next_run = 0.0

    def run_once(self, is_stopping: Callable[[], bool]) -> bool:
        """Publish the site if it is due. Return whether it was tried.

        A run of `judge publish` ends early if the judge stops.
        """
        clocks = self._application.games.list_clocks()
        now = time.monotonic()
        if clocks == self._published and now < self._next_run:
            return False
        # After a failure an unchanged state is tried again later, a changed one at once.
        self._published = clocks
        is_done = self._publish(is_stopping)
        self._next_run = time.monotonic() + (PERIOD_SECONDS if is_done else RETRY_SECONDS)
        return True

    def _publish(self, is_stopping: Callable[[], bool]) -> bool:
        """Run `judge publish`. Return whether it succeeded."""
        config = self._application.config
        command = [sys.executable, "-P", "-m", "judge", "publish", config.site.folder]
        if config.file is not None:
            command += ["--config", str(config.file)]
        try:
            process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE, text=True, errors="replace", process_group=0,
                # The process needs the same import path.
                env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
            )
        except OSError as fault:
            log.error("the site cannot be published: %s", fault)
            return False
        with suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, process.pid, _NICE_INCREMENT)
        said = _wait_for(process, is_stopping)
        if process.returncode:
            log.error("the site was not published: %s", said.strip()[-500:] or process.returncode)
        return process.returncode == 0


def _wait_for(process: subprocess.Popen[str], is_stopping: Callable[[], bool]) -> str:
    """Wait for a process, and stop it at the end of its time. Return its messages."""
    end = time.monotonic() + MAX_PUBLISH_SECONDS
    while True:
        try:
            return process.communicate(timeout=0.5)[1]
        except subprocess.TimeoutExpired:
            if is_stopping() or time.monotonic() > end:
                process.kill()
