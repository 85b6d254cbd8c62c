"""`--workers 3`: the tests in so many processes at once, which are forked when all is read.

pytest-xdist, which does the same, starts each of its processes anew: each imports the judge and its
libraries, collects five thousand tests, and reads grammars, maps and templates for itself. Here all
that is done once, and what one process has read every other has. Each takes the tests of a stretch
in their order, so that what a module makes once is made about once; whoever is done takes half of
what the slowest has left. xdist stays for what knows nothing of this: coverage (tests/mutants).
"""

import atexit
import gc
import linecache
import os
import sys
from collections import deque
from collections.abc import Iterator, Sequence
from itertools import chain, pairwise
from mmap import mmap
from multiprocessing.connection import Connection, Pipe, wait
from pathlib import Path
from time import monotonic
from typing import NoReturn
from warnings import WarningMessage

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests import forks

WAITING = (
    (
        "tests/house/test_wheel.py",
        "tests/operating/",
        "tests/journeys/test_readme.py",
        "tests/demo/test_demo.py",
        "tests/house/test_third_language.py",
        "tests/games/test_finding.py",
        "tests/drawing/test_render_process.py",
    ),
    (
        "tests/daemon/test_partition.py",
        "tests/attack/",
        "tests/crash/",
        "tests/daemon/test_clock_steps.py",
        "tests/daemon/test_listener.py",
        "tests/daemon/test_lost.py",
        "tests/daemon/test_on_postgres.py",
        "tests/daemon/test_senders.py",
        "tests/daemon/test_sending.py",
        "tests/daemon/test_service.py",
        "tests/daemon/test_shared.py",
        "tests/daemon/test_supervision.py",
        "tests/mail/test_smtp_server.py",
        "tests/mail/test_smtp_tls.py",
        "tests/store/test_postgres.py",
        "tests/store/test_writer.py",
        "tests/terminal/test_mailing.py",
    ),
)
"""Where tests wait more than they compute: for a judge, a server, a clock. Two processes begin with
these beside all others, which are as many as there are cores: more would only be in each other's
way, and each test would cost a seventh more of the processor. The longest come first: at the end
of a run everybody would wait for one of them."""
_AHEAD = 3
"""Tests that a process knows of at least: the one it runs, the next, whose fixtures may stay, and
one more, so that it need not wait for an answer."""
_PART = 1 / 200
"""Of all tests that are left it knows of so large a part more: it tells of those it ran when it
has come to the end of them, and each telling costs both sides more than a small test does."""
_PATIENCE = 0.25
"""Seconds after which it tells of them at the latest."""
_OCTETS = 4
"""Of the number of a test."""
_REPORT = "pytest_runtest_logreport"
_PRINTING = ("terminalreporter", "terminalprogress")
"""What prints; in the processes that run tests it is not there."""


def _prepare() -> None:
    """Have everything read that most tests need, once for all of them.

    Grammars, maps and templates, what their first mail needs, and hypothesis' tables.
    """
    # Imported here, since whoever runs one file alone needs none of it.
    from tests.journeys.rig import walk

    forks.prepare()
    forks.begin()
    _draw_anything()
    walk(Path(__file__).parent / "journeys" / "first_game.txt")
    # To find doctests every module was read; before each doctest `pdb` asks for each file that was
    # read whether it has changed since.
    linecache.clearcache()


# How long tables take to be read is no fault of what is drawn.
@settings(max_examples=5, suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(st.text(), st.integers(), st.floats(), st.binary())
def _draw_anything(text: str, number: int, fraction: float, octets: bytes) -> None:
    """Have hypothesis read its tables of characters, and look for what our code mentions."""


class Workers:
    """Runs the tests of a session in some processes; a plugin of pytest."""

    def __init__(self, number: int) -> None:
        self._number = number
        self._shares: list[deque[int]] = []
        """The tests that nobody knows of yet, a stretch for each process."""

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool | None:
        """Fork, and hand out tests until there are none; the usual loop is left to the usual."""
        if session.config.option.collectonly or session.testsfailed or len(session.items) < 2:
            return None
        self._shares = [*_stretches(session.items, self._number)]
        ours: list[_Worker] = []
        try:
            _prepare()
            gc.collect()
            gc.freeze()
            ours += (_Worker(session, place) for place in range(self._number))
            self._hand_out(session, ours)
        finally:
            for one in ours:
                one.end()
            forks.end()
        if session.shouldfail or session.shouldstop:
            raise session.Failed(session.shouldfail or session.shouldstop)
        return True

    def _hand_out(self, session: pytest.Session, ours: list["_Worker"]) -> None:
        for one in ours:
            self._give(one)
        while running := {one.way: one for one in ours if not one.is_done}:
            for way in wait(list(running)):
                assert isinstance(way, Connection)
                one = running[way]
                if not one.listen():
                    # It died: what it had not begun goes back, and another begins in its place.
                    left = one.crash()
                    self._shares[one.place].extendleft(reversed(left))
                    ours[ours.index(one)] = one = _Worker(session, one.place)
                if session.shouldfail or session.shouldstop:
                    self._shares = [deque() for _ in self._shares]
                self._give(one)

    def _give(self, one: "_Worker") -> None:
        """Let a process know of as many tests as it should, or that there are no more."""
        ahead = _AHEAD + int(_PART * sum(map(len, self._shares)))
        told: list[int | None] = []
        while len(one.known) + len(told) < ahead and not one.is_told_all and None not in told:
            share = self._shares[one.place]
            if not share:
                longest = max(self._shares, key=len)
                share.extendleft(longest.pop() for _ in range((len(longest) + 1) // 2))
            told.append(share.popleft() if share else None)
        if told:
            one.tell(told)


def _stretches(items: Sequence[pytest.Item], number: int) -> Iterator[deque[int]]:
    """Yield what each of so many processes begins with: the last of them with tests that wait."""
    waiting = [
        [at for where in rooms for at, one in enumerate(items) if one.nodeid.startswith(where)]
        for rooms in WAITING[:number - 1]
    ]
    others = sorted({*range(len(items))} - {*chain(*waiting)})
    rest = number - len(waiting)
    for place in range(rest):
        ends = (len(others) * each // rest for each in (place, place + 1))
        yield deque(others[slice(*ends)])
    yield from map(deque, waiting)


class _Worker:
    """A process that runs tests, as whoever hands them out sees it."""

    def __init__(self, session: pytest.Session, place: int) -> None:
        self.session, self.place = session, place
        self.known: deque[int] = deque()
        """The tests it knows of and has not ended."""
        self.is_told_all = self.is_done = False
        self._at = mmap(-1, _OCTETS)
        """Which it runs, as it writes it down itself."""
        self.way, theirs = Pipe()
        sys.stdout.flush()
        sys.stderr.flush()
        self._pid = os.fork()
        if self._pid == 0:
            self.way.close()
            _be_worker(session, theirs, self._at)
        theirs.close()

    def tell(self, numbers: Sequence[int | None]) -> None:
        """Let it know of tests, and by None that there are no more."""
        self.is_told_all = None in numbers
        self.known.extend(number for number in numbers if number is not None)
        try:
            self.way.send(numbers)
        except BrokenPipeError:
            # That it died is heard next.
            pass

    def listen(self) -> bool:
        """Hear what became of some tests, or that there are no more, and pass it on; tell whether
        it lives."""
        try:
            number, told = self.way.recv()
        except (EOFError, ConnectionResetError):
            return False
        config = self.session.config
        for name, said in told:
            if name == _REPORT:
                report = config.hook.pytest_report_from_serializable(config=config, data=said)
                said = {"report": report}
            call = getattr(config.hook, name)
            (call.call_historic if call.is_historic() else call)(**said)
        for _ in range(number):
            self.known.popleft()
        self.is_done = not number
        return True

    def crash(self) -> list[int]:
        """Report the test in which it died; return those it had not begun, or not told of."""
        at = int.from_bytes(self._at[:], "big")
        if self.known:
            if at not in self.known:
                at = self.known[0]
            self.known.remove(at)
            item = self.session.items[at]
            _, status = os.waitpid(self._pid, 0)
            self._pid = 0
            ended = os.waitstatus_to_exitcode(status)
            item.config.hook.pytest_runtest_logreport(report=pytest.TestReport(
                item.nodeid, item.location, {}, "failed", f"the process ended: {ended}", "call"
            ))
        return list(self.known)

    def end(self) -> None:
        """See it ended."""
        if self._pid:
            if not self.is_done:
                os.kill(self._pid, 15)
            os.waitpid(self._pid, 0)
        self.way.close()


def _be_worker(session: pytest.Session, way: Connection, at: mmap) -> NoReturn:
    """Run tests until there are no more, in a process of its own."""
    # What was to be done when the other process ends is for that one to do.
    atexit._clear()
    code = 1
    try:
        plugins = session.config.pluginmanager
        for name in _PRINTING:
            if plugins.has_plugin(name):
                plugins.unregister(name=name)
        # A file of its own for what tests print.
        capture = plugins.getplugin("capturemanager")
        if capture:
            capture.stop_global_capturing()
            capture.start_global_capturing()
            capture.suspend_global_capture()
        relay = _Relay(session.config, way)
        plugins.register(relay)
        for number, following in pairwise(_numbers(way, relay)):
            assert number is not None
            at[:] = number.to_bytes(_OCTETS, "big")
            item = session.items[number]
            after = None if following is None else session.items[following]
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=after)
        relay.tell()
        way.send((0, []))
        code = 0
    finally:
        atexit._run_exitfuncs()
        os._exit(code)


def _numbers(way: Connection, relay: "_Relay") -> Iterator[int | None]:
    """Yield the tests to run as they become known, and None at their end."""
    number: int | None = 0
    while number is not None:
        if not way.poll():
            # Whoever hands out waits to hear of those that were run.
            relay.tell()
        for number in way.recv():
            yield number


class _Relay:
    """Sends on what the terminal, and whatever else hears of tests, is to be told: all of some
    tests at once."""

    def __init__(self, config: pytest.Config, way: Connection) -> None:
        self._config, self._way = config, way
        self._told: list[tuple[str, object]] = []
        self._number, self._last = 0, monotonic()
        self._times_all = config.option.durations is not None

    def tell(self) -> None:
        """Send what was noted, if any test has ended since the last time."""
        if self._number:
            self._way.send((self._number, self._told))
            self._told, self._number = [], 0
        self._last = monotonic()

    def pytest_runtest_logstart(self, nodeid: str, location: object) -> None:
        """Note it."""
        self._told.append(("pytest_runtest_logstart", {"nodeid": nodeid, "location": location}))

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note it; that nothing is amiss before or after a test only where somebody asks how long
        that took, since it is two thirds of all reports."""
        if report.when == "call" or not report.passed or self._times_all:
            self._told.append((_REPORT, self._config.hook.pytest_report_to_serializable(
                config=self._config, report=report
            )))

    def pytest_warning_recorded(
        self, warning_message: WarningMessage, when: str, nodeid: str, location: object
    ) -> None:
        """Note it."""
        self._told.append(("pytest_warning_recorded", {
            "warning_message": warning_message, "when": when, "nodeid": nodeid,
            "location": location,
        }))

    def pytest_runtest_logfinish(self, nodeid: str, location: object) -> None:
        """Note it, and send what was noted if that is due."""
        self._told.append(("pytest_runtest_logfinish", {"nodeid": nodeid, "location": location}))
        self._number += 1
        if monotonic() > self._last + _PATIENCE:
            self.tell()
