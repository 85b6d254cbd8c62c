"""Publisher of the site while the judge runs (`[site] folder`).

The pages are written by `judge publish` in a process of its own, with less priority, so that no
mail and no letter waits for them. A failure is reported to the operator, and tried again.
"""

import logging
import os
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from datetime import timedelta

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
_DAY = timedelta(days=1)


class SitePublisher:
    """Runs `judge publish` after a change of a phase, deadline or state."""

    def __init__(self, application: Application) -> None:
        self._application = application
        self._published: list[tuple[object, ...]] | None = None
        self._fault = ""
        """Reason of the last failure, or "" after a success."""
        self._next_run = 0.0

    def run_once(self, is_stopping: Callable[[], bool]) -> bool:
        """Publish the site if it is due. Return whether it was tried.

        A run of `judge publish` ends early if the judge stops.
        """
        clocks = self._application.games.list_clocks()
        now = time.monotonic()
        if now < self._next_run and (self._fault or clocks == self._published):
            return False
        self._published = clocks
        fault = self._publish(is_stopping)
        if is_stopping():
            return True
        if fault and fault != self._fault:
            self._report(fault)
        self._fault = fault
        self._next_run = time.monotonic() + (RETRY_SECONDS if fault else PERIOD_SECONDS)
        return True

    def _report(self, fault: str) -> None:
        """Log a failure, and report it to the operator once a day."""
        application, now = self._application, self._application.clock.now()
        folder = application.config.site.folder
        log.error("the site was not published: %s", fault)
        with application.store.transaction():
            if application.context.people.ask_once("site", now, now - _DAY):
                application.notify_operator(
                    "the site was not published",
                    f"The judge could not write all of the site in {folder}. It tries again every"
                    f" {RETRY_SECONDS // 60} minutes. Further failures today are only noted in the"
                    " log.",
                    now, fault,
                )

    def _publish(self, is_stopping: Callable[[], bool]) -> str:
        """Run `judge publish`. Return why it failed, or ""."""
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
            return str(fault)
        with suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, process.pid, _NICE_INCREMENT)
        said = _wait_for(process, is_stopping)
        if not process.returncode:
            return ""
        return said.strip()[-500:] or f"it ended with {process.returncode}"


def _wait_for(process: subprocess.Popen[str], is_stopping: Callable[[], bool]) -> str:
    """Wait for a process, and stop it at the end of its time. Return its messages."""
    end = time.monotonic() + MAX_PUBLISH_SECONDS
    while True:
        try:
            return process.communicate(timeout=0.5)[1]
        except subprocess.TimeoutExpired:
            if is_stopping() or time.monotonic() > end:
                process.kill()
