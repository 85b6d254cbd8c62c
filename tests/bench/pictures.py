"""Time to render pictures, and size of letters with pictures."""

import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from judge.daemon.picture_worker import PictureInserter, PictureWorker
from judge.drawing.render_process import RenderProcess
from judge.games.painting import paint
from judge.model.letter import PictureFormat, PictureRequest
from tests.bench.rulings import due_game, reports_of
from tests.journeys.rig import Rig

ROUNDS = 5


GAMES = 12
"""Games due at once, of ten players each."""
SECONDS = 120.0
"""Maximal seconds that a letter waits for its pictures."""


def measure_crowding(folder: Path) -> dict[str, float]:
    """Return the shares of letters that had to go without a picture.

    Many games are due at once. `without_board` and `without_front` are shares of the letters that
    were to have one. The clock of the judge advances by the time each picture takes.
    """
    rig = due_game(folder, "crowded")
    rig.resolving.tick(rig.clock.now())
    first = [*_take_sketches(rig)]
    sketches = [
        sketch._replace(title=f"{sketch.title} {game}") for game in range(GAMES) for sketch in first
    ]
    now = rig.clock.now()
    with rig.application.store.transaction():
        rig.application.pictures.request_pictures({sketch: False for sketch in sketches}, now)
    drawn, spent = set[str](), 0.0
    with RenderProcess(paint) as render_process:
        while spent < SECONDS and (sketch := rig.application.pictures.next_new()):
            began = time.perf_counter()
            octets = render_process.draw(sketch, 60)
            spent += time.perf_counter() - began
            rig.application.pictures.save_drawn(sketch.key, octets, now)
            drawn.add(sketch.key)
    rig.close()
    fronts = [sketch for sketch in sketches if sketch.form is PictureFormat.FRONT]
    boards = [sketch for sketch in sketches if sketch.form is not PictureFormat.FRONT]
    return {
        "games": GAMES,
        "without_board": sum(each.key not in drawn for each in boards) / len(boards),
        "without_front": sum(each.key not in drawn for each in fronts) / len(fronts),
    }


def _take_sketches(rig: Rig) -> Iterator[PictureRequest]:
    """Yield the pictures a game requests, none of them rendered yet."""
    pictures = rig.application.pictures
    while sketch := pictures.next_new():
        yield sketch
        pictures.mark_failed(sketch.key, "drawn later", rig.clock.now())


def pictures(folder: Path) -> dict[str, float]:
    """Return rendering times and sizes of a full Youngstown results letter.

    Times are in milliseconds, sizes in bytes. `first_ms` is from the last report queued to all of
    them ready to go, including the start of the rendering process. The time of each form is of one
    more picture, `front_ms` of the mean of all players' fronts. `png_cpu` and `front_cpu` are the
    same in this process, in CPU time.
    """
    rig = due_game(folder, "pictures")
    rig.resolving.tick(rig.clock.now())
    began = time.perf_counter()
    sketch, *_ = _read_requests(rig, PictureFormat.PNG)
    fronts = _read_requests(rig, PictureFormat.FRONT)
    with RenderProcess(paint) as render_process:
        many = PictureWorker(rig.application, render_process).drain()
        first = time.perf_counter() - began
        found = {"first_ms": 1000 * first, "pictures": many}
        for form in (PictureFormat.PNG, PictureFormat.SVG, PictureFormat.SMALL):
            began = time.perf_counter()
            for _ in range(ROUNDS):
                render_process.draw(sketch._replace(form=form), 60)
            found[f"{form.value}_ms"] = 1000 * (time.perf_counter() - began) / ROUNDS
    found["png_cpu"] = 1000 * _mean_cpu([sketch] * ROUNDS)
    found["front_cpu"] = 1000 * _mean_cpu(fronts)
    letters = map(PictureInserter(rig.application).insert_pictures, reports_of(rig))
    found["letter_octets"] = max(len(letter.message) for letter in letters)
    rig.close()
    return found


def _read_requests(rig: Rig, form: PictureFormat) -> list[PictureRequest]:
    asked = "SELECT system, source, title FROM pictures WHERE form = ?"
    rows = rig.application.store.select_sql(asked, (form.value,))
    return [PictureRequest(*row, form) for row in rows]


def _mean_cpu(sketches: Sequence[PictureRequest]) -> float:
    """Return the mean CPU seconds per picture in this process."""
    paint(sketches[0])
    began = time.process_time()
    for sketch in sketches:
        paint(sketch)
    return (time.process_time() - began) / len(sketches)
