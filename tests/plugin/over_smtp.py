"""Play journeys by real SMTP with the installed packages, and print their origin.

It is run by the Python of an environment that has the judge and a game as wheels. The tests' own
modules are found after the installed ones.
"""

import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path.append(str(ROOT))

import judge  # noqa: E402
from judge.config import Config  # noqa: E402
from judge.games import find_system  # noqa: E402
from judge.play import passwords  # noqa: E402
from judge.play.commands.gm import making  # noqa: E402
from tests.journeys.postal import PostalBench  # noqa: E402
from tests.journeys.rig import walk  # noqa: E402


def bench(config: Config) -> PostalBench:
    """Return a judge behind its listener, in a folder of its own."""
    return PostalBench(config, Path(tempfile.mkdtemp()))


if __name__ == "__main__":
    making.new_seed = lambda: bytes(range(32))
    passwords.HASH_COST = passwords.Cost(passes=1, memory_kib=8, threads=1)
    print(judge.__file__, sys.modules[type(find_system("fords")).__module__].__file__)
    for file in map(Path, sys.argv[1:]):
        walk(file, bench)
        print(f"{file.stem} was played")
