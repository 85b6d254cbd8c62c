"""A turn of Nations 1940 next to a Youngstown deadline, in the same run.

`python -m tests.bench.nations` prints both alone. There are twelve nations. The pictures are not
rendered: each letter has a placeholder that another process fills.
"""

import tempfile
import time
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from statistics import median

from judge.games.nations1940.rules.state import dump_state
from judge.games.nations1940.rules.world import World
from judge.games.nations1940.sides import nations_called
from tests.bench.rulings import due_game, game_of, house, reports_of, to_the_end_of_its_grace
from tests.games.nations1940.board_of_cases import BOARD, MAP, SEED
from tests.games.nations1940.players import RACER, RULER, Temper, lines_of
from tests.games.nations1940.scripted import play
from tests.journeys.rig import Rig

TURN = 34
"""Number of the measured turn, which has two wars with battles."""
ROUNDS = 3
BOUND = 3.0
"""Maximal ratio of a turn to a Youngstown deadline."""


def tempers(nation: str) -> Temper:
    """Return the aims of a player, so that all twelve live and some are at war."""
    return RULER if nation in ("GER", "RUS") else RACER


def due_turn(folder: Path, name: str) -> Rig:
    """Return a judge with a full game that is due now, as the last nation is late."""
    rig = house(folder, name)
    called = nations_called(MAP)
    rig.mail("gm@example.org", "CREATE ?marco gmsecret nations1940")
    for one in called:
        text = f"SIGNON ?marco {one.code}secret\nSET PREFERENCE {one.letter}"
        rig.mail(f"{one.code.lower()}@example.org", text)
    rig.mail("eve@example.org", "OBSERVE marco")
    before = next(islice(play(tempers, SEED), TURN, None)).before
    assert len(before.alive) == len(called)
    store = rig.application.store
    with store.transaction():
        store.database.execute_sql(
            "UPDATE games SET position = ?, phase = ?", (dump_state(before), f"T{TURN}")
        )
    world = World(BOARD, before)
    for one in called[:-1]:
        lines = lines_of(world, one.code, tempers(one.code))
        text = "\n".join([f"SIGNON {one.letter}marco {one.code}secret", *lines])
        rig.mail(f"{one.code.lower()}@example.org", text)
    to_the_end_of_its_grace(rig)
    assert game_of(rig).phase == f"T{TURN}"
    return rig


def _took(made: Callable[[Path, str], Rig], folder: Path, name: str) -> float:
    """Return the processor seconds from a deadline to the last report queued."""
    rig = made(folder, name)
    now = rig.clock.now()
    began = time.process_time()
    rig.resolving.tick(now)
    took = time.process_time() - began
    reports_of(rig)
    rig.close()
    return took


def turns(folder: Path) -> dict[str, float]:
    """Return the milliseconds of both and their ratio.

    They are measured in turn (A, B, B, A), without the first time, which loads and makes data.
    """
    kinds = {"youngstown": due_game, "nations": due_turn}
    found: dict[str, list[float]] = {kind: [] for kind in kinds}
    for number in range(ROUNDS):
        for at, kind in enumerate((*kinds, *reversed(kinds))):
            found[kind].append(_took(kinds[kind], folder, f"{kind}-{number}-{at}"))
    youngstown, nations = (1000 * median(found[kind][1:]) for kind in kinds)
    return {"youngstown_ms": youngstown, "nations_ms": nations, "ratio": nations / youngstown}


def format_turns(found: dict[str, float]) -> str:
    """Return the figures as a line."""
    return (
        f"a turn of Nations 1940, twelve nations: {found['nations_ms']:.0f} ms of the processor,"
        f" {found['ratio']:.2f} times a Youngstown deadline ({found['youngstown_ms']:.0f} ms;"
        f" allowed: {BOUND:.0f})"
    )


if __name__ == "__main__":
    with tempfile.TemporaryDirectory(prefix="judge-bench-") as place:
        print(format_turns(turns(Path(place))))
