"""What needs no judge at all: positions in, rulings and pictures out."""

import argparse
import sys

from judge.cli.output import FINE, Job, complain, say
from judge.config import Config
from judge.terminal.adjudicating import adjudicate_lines, bench, draw_line


def _adjudicate(given: argparse.Namespace, config: Config) -> int:
    lines = list(sys.stdin) if given.bench else sys.stdin
    for result in adjudicate_lines(lines, given.map):
        say(result)
    if given.bench:
        complain(str(bench(lines, given.map)))
    return FINE


def _draw(given: argparse.Namespace, config: Config) -> int:
    picture = draw_line(sys.stdin.read(), given.map, given.width, given.png)
    sys.stdout.buffer.write(picture)
    return FINE


JOBS: dict[str, Job] = {"adjudicate": _adjudicate, "draw": _draw}
