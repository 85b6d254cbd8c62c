"""Measure the processor time and bytes of pictures of boards.

`python -m tests.bench.boards` measures this checkout. With `--beside PATH` another checkout renders
the same sketches in turn with it (A, B, B, A), by its own interpreter, and the ratios are printed.
The first picture of a board is not measured, since it renders parts that the others use again.
"""

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from statistics import median
from typing import NamedTuple

from judge.dice import Dice
from judge.games import find_system
from judge.games.capabilities import DrawableTable, PhoneView, with_capability
from judge.games.painting import paint
from judge.games.system import Viewer, ViewerRole
from judge.model.letter import PictureFormat, PictureRequest

ROOT = Path(__file__).parents[2]
REPEATS = 4
"""Number of times that each picture is rendered in one run."""
BOARDS = (
    ("diplomacy", "standard", ("England", "Russia", "Turkey")),
    ("diplomacy", "youngstown", ("England", "Japan", "Turkey")),
    ("nations1940", "nations1940", ("Britain", "Kalmar", "Russia")),
    ("yorktown", "yorktown", ()),
)
Requests = dict[str, list[PictureRequest]]


class Row(NamedTuple):
    """Medians of some pictures: milliseconds of the processor, and bytes."""

    ms: float
    octets: float


def requests() -> Requests:
    """Return the pictures to measure: boards at the start of a game, and fronts."""
    found: Requests = {}
    for system_name, map_name, powers in BOARDS:
        system = find_system(system_name)
        position = system.initial_position(map_name, {}, Dice(bytes(32), 0))
        table = system.table(map_name, position, {})
        assert isinstance(table, DrawableTable)
        observer = table.sketch(Viewer(ViewerRole.OBSERVER))
        found[map_name] = [PictureRequest(system_name, observer, "bench", PictureFormat.PNG)]
        fronts = [
            with_capability(system, PhoneView).sketch_front(
                table, None, Viewer(ViewerRole.POWER, power)
            )
            for power in powers
        ]
        if any(fronts):
            found[f"{map_name} front"] = [
                PictureRequest(system_name, front, "bench", PictureFormat.FRONT) for front in fronts
            ]
    return found


def _load_request(system: str, source: str, title: str, form: str) -> PictureRequest:
    return PictureRequest(system, source, title, PictureFormat(form))


def measure(wanted: Requests) -> dict[str, Row]:
    """Return the figures of each kind of picture."""
    return {name: _measure(some) for name, some in wanted.items()}


def _measure(some: list[PictureRequest]) -> Row:
    for request in some:
        paint(request)
    times, sizes = [], []
    for request in some * REPEATS:
        began = time.process_time()
        sizes.append(len(paint(request)))
        times.append(1000 * (time.process_time() - began))
    return Row(median(times), median(sizes))


def _measure_checkout(checkout: Path, wanted: str) -> dict[str, Row]:
    """Return the figures of a checkout, measured in its own process."""
    done = subprocess.run(
        [checkout / ".venv" / "bin" / "python", __file__, "--measure"], cwd=checkout, text=True,
        input=wanted, capture_output=True, env=os.environ | {"PYTHONPATH": str(checkout)},
        check=False,
    )
    assert not done.returncode, done.stderr
    return {name: Row(*row) for name, row in json.loads(done.stdout).items()}


def _compare(ours: Path, theirs: Path) -> str:
    wanted = json.dumps(requests(), default=lambda form: form.value)
    runs = {checkout: list[dict[str, Row]]() for checkout in (ours, theirs)}
    for checkout in (ours, theirs, theirs, ours):
        runs[checkout].append(_measure_checkout(checkout, wanted))
    lines = [f"{'picture':20}{'ms':>8}{'before':>8}{'kB':>8}{'before':>8}"]
    for name in runs[ours][0]:
        row, other = (_middle([run[name] for run in runs[one]]) for one in (ours, theirs))
        kilobytes = f"{row.octets / 1000:8.0f}{other.octets / 1000:8.0f}"
        lines.append(f"{name:20}{row.ms:8.0f}{other.ms:8.0f}{kilobytes}")
    return "\n".join(lines)


def _middle(rows: list[Row]) -> Row:
    return Row(median(row.ms for row in rows), median(row.octets for row in rows))


def format_rows(rows: dict[str, Row]) -> list[str]:
    """Return the figures as lines of a table."""
    return [f"{name:20} {row.ms:5.0f} ms {row.octets / 1000:5.0f} kB" for name, row in rows.items()]


def main() -> None:
    """Measure this checkout, alone or beside another one."""
    match sys.argv[1:]:
        case ["--measure"]:
            stored = json.load(sys.stdin)
            wanted = {name: [_load_request(*facts) for facts in stored[name]] for name in stored}
            print(json.dumps(measure(wanted)))
        case ["--beside", other]:
            print(_compare(ROOT, Path(other).resolve()))
        case []:
            print("\n".join(format_rows(measure(requests()))))
        case _:
            sys.exit(__doc__)


if __name__ == "__main__":
    main()
