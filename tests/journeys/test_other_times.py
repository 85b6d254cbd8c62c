"""The journeys at other times and in spite of interruptions.

They run over a leap day and both changes of summer time, with a clock that is set back an hour
after every step, and with a judge that is restarted after every step. Dates in letters are left out
in other weeks. Dates in mails and in the configuration are moved. Everything else must be the same.
"""

import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from judge.config import Config, StoreSection
from judge.daemon.application import open_application
from judge.daemon.picture_worker import PictureInserter, PictureWorker
from judge.daemon.resolver_loop import ResolverLoop
from judge.daemon.worker import Worker
from tests.journeys.rig import START, Rig, read_journey, walk

MONDAYS = {
    # Each is a Monday at noon, as in the journeys, in the week of the special day.
    "leap day": datetime(2028, 2, 28, 12, tzinfo=UTC),
    "summer time": datetime(2026, 3, 23, 12, tzinfo=UTC),
    "winter time": datetime(2026, 10, 19, 12, tzinfo=UTC),
}
_TELLS_DATE = re.compile(
    r"\b(Jan|Feb|Mon|Tue|Wed|Thu|Fri|Sat|Sun|Monday|Thursday)\b|\b20\d\d\b|\d\d:\d\d"
)
_DATE = re.compile(r"\b(\d{1,2}) (Jan|Feb|Mar)\b(?: (20\d\d))?|\b(20\d\d)-(\d\d)-(\d\d)\b")
OF_ITS_OWN_WEEK = (
    "calendar", "excuses", "nations1940_life", "observers", "pauses", "timetable",
    "yorktown_people",
)
"""Journeys that depend on their week.

One is about dates only, four contain a whole calendar, one has a digest at an hour of a zone, and
one names the hour that summer time skips.
"""
OF_ITS_OWN_INSTANT = ("nations1940_setup",)
"""Journeys that depend on their instant: one confirms a position by its word."""
JOURNEYS = [
    file for file in sorted(Path(__file__).parent.glob("*.txt"))
    if file.stem not in OF_ITS_OWN_INSTANT
]


def with_clock(file: Path) -> bool:
    """Return whether time passes in a journey."""
    return any(step.verb in ("clock", "outage") for step in read_journey(file.read_text("utf-8")))


def in_week(file: Path, monday: datetime, folder: Path) -> Path:
    """Return a copy of a journey that begins on another Monday.

    The dates of its mails and of its configuration are moved, and lines of letters with a date are
    left out.
    """
    lines, verb = [], ""
    for line in file.read_text("utf-8").splitlines():
        if is_head := line.startswith("["):
            verb = line[1:].partition(" ")[0].rstrip("]")
        if verb == "config" or verb in ("mail", "reply") and not is_head:
            line = _DATE.sub(lambda found: _move_date(found, monday - START), line)
        elif not is_head and _TELLS_DATE.search(line):
            continue
        lines.append(line)
    copy = folder / file.name
    copy.write_text("\n".join(lines) + "\n", "utf-8")
    return copy


def _move_date(found: re.Match[str], by: timedelta) -> str:
    """Return a moved date in its original form. Other text is unchanged."""
    form = "%Y-%m-%d" if found[4] else "%d %b %Y" if found[3] else "%d %b"
    try:
        day = datetime.strptime(found[0] if found[3] or found[4] else f"{found[0]} 2026",
                                form if found[3] or found[4] else f"{form} %Y")
    except ValueError:
        return found[0]
    return (day + by).strftime(form)


TIMED = [file for file in JOURNEYS if with_clock(file)]
QUICK = ("clock", "early", "first_turn", "outage", "reminders")
"""Journeys about the clock itself. The slow suite plays the others."""


def list_journeys(files: list[Path], quick: tuple[str, ...] = QUICK) -> list[object]:
    """Return journeys as parameters, slow except for the quick ones."""
    return [
        pytest.param(file, id=file.stem, marks=() if file.stem in quick else pytest.mark.slow)
        for file in files
    ]


class PutBack(Rig):
    """A judge whose clock is set back an hour after each step, and then right again."""

    def run(self) -> None:
        """Run as usual, and check that nothing happens twice."""
        super().run()
        letters = self._letters()
        for hours in (-1, 1):
            self.clock.advance(hours=hours)
            super().run()
            assert self._letters() == letters, "something happened twice"

    def _letters(self) -> int:
        return sum(map(len, self.boxes.values()))


class SwitchedOff(Rig):
    """A judge that is restarted after each step.

    Everything in memory is lost. It is off at deadlines, and processes them at its restart.
    """

    def __init__(self, config: Config, folder: Path) -> None:
        store = StoreSection(f"sqlite:///{folder}/judge.sqlite3")
        super().__init__(replace(config, store=store))

    def run(self) -> None:
        """Run as usual, and restart."""
        super().run()
        self.application.store.close()
        self.application = open_application(self.config, self.clock, create=False)
        self.resolving = ResolverLoop(self.application)
        self.worker = Worker(self.application, self.resolving)
        self.worker.is_warm = Rig.is_warm
        self.painting = PictureWorker(self.application, self.easel)
        self.enclosing = PictureInserter(self.application)


def begun(at: datetime, config: Config) -> Rig:
    """Return a judge at another time."""
    rig = Rig(config)
    rig.clock.set(at)
    return rig


@pytest.mark.slow
@pytest.mark.parametrize("file", list_journeys(JOURNEYS))
def test_a_clock_set_back_after_each_step_changes_no_journey(file: Path) -> None:
    walk(file, PutBack)


@pytest.mark.parametrize("file", list_journeys(JOURNEYS, ("clock",)))
def test_a_restart_after_each_step_changes_no_journey(file: Path, tmp_path: Path) -> None:
    walk(file, lambda config: SwitchedOff(config, tmp_path))


@pytest.mark.slow
@pytest.mark.parametrize("when", MONDAYS)
@pytest.mark.parametrize(
    "file", list_journeys([file for file in JOURNEYS if file.stem not in OF_ITS_OWN_WEEK])
)
def test_a_journey_is_the_same_in_a_special_week(file: Path, when: str, tmp_path: Path) -> None:
    walk(in_week(file, MONDAYS[when], tmp_path), lambda config: begun(MONDAYS[when], config))


def test_dates_of_configuration_and_mails_are_moved_together(tmp_path: Path) -> None:
    file = tmp_path / "told.txt"
    file.write_text(
        "[config clock holidays 2026-01-17]\n[mail a@b.org]\nSET ABSENCE 8 Jan TO 10 Jan\n"
        "[letter a@b.org receipt]\nSun Jan 18 2026\nIt stays.\n"
    )
    (tmp_path / "moved").mkdir()
    assert in_week(file, MONDAYS["leap day"], tmp_path / "moved").read_text() == (
        "[config clock holidays 2028-03-11]\n[mail a@b.org]\nSET ABSENCE 02 Mar TO 04 Mar\n"
        "[letter a@b.org receipt]\nIt stays.\n"
    )


def test_the_special_days_are_within_the_journeys() -> None:
    for at in MONDAYS.values():
        assert at.weekday() == START.weekday() and at.hour == START.hour
    assert datetime(2028, 2, 29) < datetime(2028, 2, 28) + timedelta(days=2)
    assert set(QUICK) <= {file.stem for file in TIMED}
