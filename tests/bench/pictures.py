"""How long a picture takes, and how long the letter is that carries it."""

import time
from pathlib import Path

from judge.daemon.picture_worker import Enclosing, Painting
from judge.drawing.render_process import Studio
from judge.games.painting import paint
from judge.model.letter import Form
from tests.bench.rulings import due_game, reports_of

ROUNDS = 5


def pictures(folder: Path) -> dict[str, float]:
    """Return milliseconds of drawing and octets of a full Youngstown results letter.

    `first_ms` is from the last report queued to all of them ready to go, with the process that
    draws yet to be started; `png_ms` and `svg_ms` are of one more picture.
    """
    bench = due_game(folder, "pictures")
    bench.resolving.tick(bench.clock.now())
    began = time.perf_counter()
    sketch = bench.works.pictures.next_new()
    assert sketch is not None
    with Studio(paint) as studio:
        assert Painting(bench.works, studio).drain() == 1
        first = time.perf_counter() - began
        found = {"first_ms": 1000 * first}
        for form in Form:
            began = time.perf_counter()
            for _ in range(ROUNDS):
                studio.draw(sketch._replace(form=form), 60)
            found[f"{form.value}_ms"] = 1000 * (time.perf_counter() - began) / ROUNDS
    letters = map(Enclosing(bench.works).filled, reports_of(bench))
    found["letter_octets"] = max(len(letter.message) for letter in letters)
    bench.close()
    return found
