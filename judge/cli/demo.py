"""A whole game played before one's eyes."""

import argparse
from pathlib import Path

from judge.cli.output import FINE, Job, say
from judge.config import Config
from judge.demo.nations import MAP, run_nations
from judge.demo.run import run_demo
from judge.demo.siege import SIEGE, run_siege


def _demo(given: argparse.Namespace, config: Config) -> int:
    if given.map == MAP:
        run_nations(given.turns, given.seed, say, Path("var/demo"))
    elif given.map == SIEGE:
        run_siege(given.years, say, Path("var/demo"))
    else:
        run_demo(given.map, given.years, given.seed, say, Path("var/demo"))
    return FINE


JOBS: dict[str, Job] = {"demo": _demo}
