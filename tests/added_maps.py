"""Maps for tests of added maps."""

import shutil
from pathlib import Path

from judge.board.bundle import hash_of, make_key, read_bundle
from judge.games import added_maps
from judge.games.diplomacy import boards
from judge.play.game import Context
from judge.terminal.maps import add_map, read_map
from tests.journeys.rig import Rig, text_of

SHIPPED = Path(boards.__file__).parent / "maps"
MARS, REDS = "mars", "Standard on Mars"


def write_mars(folder: Path, title: str = REDS, **changes: str) -> Path:
    """Write a map like the standard one into a folder of its own, and return that.

    `changes` are further values of `map.tsv`.
    """
    mars = folder / MARS
    shutil.rmtree(mars, ignore_errors=True)
    shutil.copytree(SHIPPED / "standard", mars)
    table = mars / "map.tsv"
    values = {"title": title, **changes}
    rows = [
        row for row in table.read_text(encoding="utf-8").splitlines()
        if row.partition("\t")[0] not in values
    ]
    rows += [f"{key}\t{value}" for key, value in values.items()]
    table.write_text("\n".join(rows) + "\n", encoding="utf-8")
    return mars


def key_of(folder: Path) -> str:
    """Return the key of the map in a folder."""
    return make_key(folder.name, hash_of(read_bundle(folder)))


def forget_maps() -> None:
    """Forget all added maps, as a new process has."""
    added_maps._bundles.clear()
    for kept in (boards.board, boards._content_fault):
        kept.cache_clear()


def install(rig: Rig, folder: Path) -> str:
    """Add the map of a folder to a judge, as `judge map add` does. Return its key."""
    application = rig.application
    with application.store.transaction(), application.context.unit_of_work() as context:
        add_map(context, rig.clock.now(), read_map(folder))
    return key_of(folder)


def drop(rig: Rig, name: str = MARS) -> None:
    """Drop a map of a judge."""
    context: Context = rig.application.context
    context.maps.drop(name, rig.clock.now())


def ask(rig: Rig, sender: str, text: str) -> str:
    """Return the letters to the sender of a mail, without line breaks."""
    rig.boxes.clear()
    rig.mail(sender, text)
    return " ".join(" ".join(map(text_of, rig.boxes[sender])).split())


def map_and_phase(rig: Rig, name: str = "marco") -> tuple[str, str]:
    """Return map and phase of a game."""
    found = rig.application.games.find(name)
    assert found is not None
    return found.map, found.phase
