"""The journeys at other times: over a leap day and both changes of summer time, with a clock that
is put back an hour after every step, and with a judge that is switched off after every step.

What a journey's letters say of dates is left out in other weeks; the dates that its players name,
and those that its configuration names, move with it. Everything else must come out as it is told.
"""

import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from judge.config import Config, StoreSection
from judge.daemon.application import open_application
from judge.daemon.picture_worker import PictureInserter, PictureWorker
from judge.daemon.resolving import Resolving
from judge.daemon.worker import Worker
from tests.journeys.rig import START, Rig, read_journey, walk

MONDAYS = {
    # each a Monday at noon, as in the journeys, and in the week of the day that is special
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
"""One is about dates alone, four show somebody's calendar whole, one has a digest at an hour of
somebody's zone, one names the hour that summer time leaves out."""
OF_ITS_OWN_INSTANT = ("nations1940_setup",)
"""It says yes to a position by the word that is made of its instant."""
JOURNEYS = [
    file for file in sorted(Path(__file__).parent.glob("*.txt"))
    if file.stem not in OF_ITS_OWN_INSTANT
]


def with_clock(file: Path) -> bool:
    """Tell whether time passes in a journey."""
    return any(step.verb in ("clock", "outage") for step in read_journey(file.read_text("utf-8")))


def in_week(file: Path, monday: datetime, folder: Path) -> Path:
    """Return a copy of a journey that begins on another Monday: the dates of its mails and of its
    configuration moved, and without the lines of letters that tell a date."""
    lines, verb = [], ""
    for line in file.read_text("utf-8").splitlines():
        if is_head := line.startswith("["):
            verb = line[1:].partition(" ")[0].rstrip("]")
        if verb == "config" or verb in ("mail", "reply") and not is_head:
            line = _DATE.sub(lambda found: _moved(found, monday - START), line)
        elif not is_head and _TELLS_DATE.search(line):
            continue
        lines.append(line)
    copy = folder / file.name
    copy.write_text("\n".join(lines) + "\n", "utf-8")
    return copy


def _moved(found: re.Match[str], by: timedelta) -> str:
    """Return a date moved, in the form it had; what is no date stays."""
    form = "%Y-%m-%d" if found[4] else "%d %b %Y" if found[3] else "%d %b"
    try:
        day = datetime.strptime(found[0] if found[3] or found[4] else f"{found[0]} 2026",
                                form if found[3] or found[4] else f"{form} %Y")
    except ValueError:
        return found[0]
    return (day + by).strftime(form)


TIMED = [file for file in JOURNEYS if with_clock(file)]
QUICK = ("clock", "early", "first_turn", "outage", "reminders")
"""The journeys that are about the clock itself; the others are walked in the slow suite."""


def walked(files: list[Path], quick: tuple[str, ...] = QUICK) -> list[object]:
    """Return journeys as parameters, slow but for the quick ones."""
    return [
        pytest.param(file, id=file.stem, marks=() if file.stem in quick else pytest.mark.slow)
        for file in files
    ]


class PutBack(Rig):
    """A judge whose clock is put back an hour whenever something was done, and then right again."""

    def run(self) -> None:
        """Work as usual; then nothing may happen a second time."""
        super().run()
        letters = self._letters()
        for hours in (-1, 1):
            self.clock.forward(hours=hours)
            super().run()
            assert self._letters() == letters, "something happened twice"

    def _letters(self) -> int:
        return sum(map(len, self.boxes.values()))


class SwitchedOff(Rig):
    """A judge that is switched off whenever something was done, and on again for the next step.

    Whatever it only remembered is gone; over deadlines it is off, and looks when it comes back.
    """

    def __init__(self, config: Config, folder: Path) -> None:
        store = StoreSection(f"sqlite:///{folder}/judge.sqlite3")
        super().__init__(replace(config, store=store))

    def run(self) -> None:
        """Work as usual, and begin anew."""
        super().run()
        self.application.store.close()
        self.application = open_application(self.config, self.clock, create=False)
        self.resolving = Resolving(self.application)
        self.worker = Worker(self.application, self.resolving)
        self.worker.is_warm = Rig.is_warm
        self.painting = PictureWorker(self.application, self.easel)
        self.enclosing = PictureInserter(self.application)


def begun(at: datetime, config: Config) -> Rig:
    """Return a judge at another time."""
    rig = Rig(config)
    rig.clock.set(at)
    return rig


@pytest.mark.parametrize("file", walked(JOURNEYS))
def test_a_clock_put_back_an_hour_after_each_step_changes_no_journey(file: Path) -> None:
    walk(file, PutBack)


@pytest.mark.parametrize("file", walked(JOURNEYS, ("clock",)))
def test_a_judge_switched_off_after_each_step_changes_no_journey(
    file: Path, tmp_path: Path
) -> None:
    walk(file, lambda config: SwitchedOff(config, tmp_path))


@pytest.mark.parametrize("when", MONDAYS)
@pytest.mark.parametrize(
    "file", walked([file for file in JOURNEYS if file.stem not in OF_ITS_OWN_WEEK])
)
def test_a_journey_ends_the_same_in_a_week_with_a_day_that_is_special(
    file: Path, when: str, tmp_path: Path
) -> None:
    walk(in_week(file, MONDAYS[when], tmp_path), lambda config: begun(MONDAYS[when], config))


def test_the_dates_of_a_configuration_move_with_those_of_mails(tmp_path: Path) -> None:
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


def test_the_special_days_fall_into_the_journeys() -> None:
    for at in MONDAYS.values():
        assert at.weekday() == START.weekday() and at.hour == START.hour
    assert datetime(2028, 2, 29) < datetime(2028, 2, 28) + timedelta(days=2)
    assert set(QUICK) <= {file.stem for file in TIMED}
