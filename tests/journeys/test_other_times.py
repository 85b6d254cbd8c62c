"""The journeys at other times: over a leap day and both changes of summer time, and with a clock
that is put back an hour after every step.

What a journey's letters say of dates is left out then; everything else must come out as it is told.
"""

import re
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from judge.config import Config
from tests.journeys.bench import Bench, read_journey, walk

MONDAYS = {
    # each a Monday at noon, as in the journeys, and in the week of the day that is special
    "leap day": datetime(2028, 2, 28, 12, tzinfo=UTC),
    "summer time": datetime(2026, 3, 23, 12, tzinfo=UTC),
    "winter time": datetime(2026, 10, 19, 12, tzinfo=UTC),
}
_DATE = re.compile(
    r"\b(Jan|Feb|Mon|Tue|Wed|Thu|Fri|Sat|Sun|Monday|Thursday)\b|\b20\d\d\b|\d\d:\d\d"
)


def with_clock(file: Path) -> bool:
    """Tell whether time passes in a journey."""
    return any(step.verb in ("clock", "outage") for step in read_journey(file.read_text("utf-8")))


def names_dates(file: Path) -> bool:
    """Tell whether somebody names a date in a journey: it would be another day then."""
    return any(
        _DATE.search(line)
        for step in read_journey(file.read_text("utf-8")) if step.verb in ("mail", "reply")
        for line in step.lines
    )


def without_dates(file: Path, folder: Path) -> Path:
    """Return a copy of a journey without the lines of letters that tell a date."""
    lines, is_letter = [], False
    for line in file.read_text("utf-8").splitlines():
        if line.startswith("["):
            is_letter = line.startswith(("[letter", "[not"))
        if not (is_letter and _DATE.search(line)) or line.startswith("["):
            lines.append(line)
    copy = folder / file.name
    copy.write_text("\n".join(lines) + "\n", "utf-8")
    return copy


TIMED = [file for file in sorted(Path(__file__).parent.glob("*.txt")) if with_clock(file)]
QUICK = ("clock", "early", "first_turn", "outage", "reminders")
"""The journeys that are about the clock itself; the others are walked in the deep run."""


def walked(files: list[Path]) -> list[object]:
    """Return journeys as parameters, deep but for the quick ones."""
    return [
        pytest.param(file, id=file.stem, marks=() if file.stem in QUICK else pytest.mark.deep)
        for file in files
    ]


class PutBack(Bench):
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


def begun(at: datetime, config: Config) -> Bench:
    """Return a judge at another time."""
    bench = Bench(config)
    bench.clock.set(at)
    return bench


@pytest.mark.parametrize("file", walked(TIMED))
def test_a_clock_put_back_an_hour_after_each_step_changes_no_journey(file: Path) -> None:
    walk(file, PutBack)


@pytest.mark.parametrize("when", MONDAYS)
@pytest.mark.parametrize("file", walked([file for file in TIMED if not names_dates(file)]))
def test_a_journey_ends_the_same_in_a_week_with_a_day_that_is_special(
    file: Path, when: str, tmp_path: Path
) -> None:
    walk(without_dates(file, tmp_path), lambda config: begun(MONDAYS[when], config))


def test_the_special_days_fall_into_the_journeys() -> None:
    for at in MONDAYS.values():
        assert at.weekday() == 0
    assert datetime(2028, 2, 29) < datetime(2028, 2, 28) + timedelta(days=2)
    assert set(QUICK) <= {file.stem for file in TIMED if not names_dates(file)}
