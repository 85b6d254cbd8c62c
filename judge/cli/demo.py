"""Command that plays a demo game."""

import argparse
from pathlib import Path

from judge.cli.output import FINE, Job, print_line
from judge.config import Config
from judge.demo.play import run_demo


def _demo(given: argparse.Namespace, config: Config) -> int:
    run_demo(given.map, given.years, given.turns, given.seed, print_line, Path("var/demo"))
    return FINE


JOBS: dict[str, Job] = {"demo": _demo}
