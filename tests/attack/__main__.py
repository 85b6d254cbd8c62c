"""Attacks on a running judge.

Usage: `python -m tests.attack [database|identity|floods] [ROUNDS]`. Each is a module here with a
function `run`, which returns what failed. Without a name all of them run in sequence.
"""

import sys
from importlib import import_module
from importlib.util import find_spec

NAMES = ("database", "identity", "floods")


def main(arguments: list[str]) -> int:
    """Run attacks and return 1 if one of them did harm."""
    names = [word for word in arguments if not word.isdigit()]
    rounds = [int(word) for word in arguments if word.isdigit()]
    failed: list[str] = []
    for name in names or [name for name in NAMES if find_spec(f"tests.attack.{name}")]:
        print(f"attack: {name}", flush=True)
        failed += [f"{name}: {line}" for line in import_module(f"tests.attack.{name}").run(*rounds)]
    for line in failed:
        print(line)
    print("nothing failed" if not failed else f"{len(failed)} failed")
    return int(bool(failed))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
