"""How long a picture takes, and how long the letter is that carries it."""

import time
from pathlib import Path

from judge.daemon.picture_worker import PictureInserter, PictureWorker
from judge.drawing.render_process import RenderProcess
from judge.games.painting import paint
from judge.model.letter import Form
from tests.bench.rulings import due_game, reports_of

ROUNDS = 5


def pictures(folder: Path) -> dict[str, float]:
    """Return milliseconds of drawing and octets of a full Youngstown results letter.

    `first_ms` is from the last report queued to all of them ready to go, with the process that
    draws yet to be started; `png_ms` and `svg_ms` are of one more picture.
    """
    rig = due_game(folder, "pictures")
    rig.resolving.tick(rig.clock.now())
    began = time.perf_counter()
    sketch = rig.application.pictures.next_new()
    assert sketch is not None
    with RenderProcess(paint) as render_process:
        assert PictureWorker(rig.application, render_process).drain() == 1
        first = time.perf_counter() - began
        found = {"first_ms": 1000 * first}
        for form in Form:
            began = time.perf_counter()
            for _ in range(ROUNDS):
                render_process.draw(sketch._replace(form=form), 60)
            found[f"{form.value}_ms"] = 1000 * (time.perf_counter() - began) / ROUNDS
    letters = map(PictureInserter(rig.application).filled, reports_of(rig))
    found["letter_octets"] = max(len(letter.message) for letter in letters)
    rig.close()
    return found
