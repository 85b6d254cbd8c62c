"""What needs no judge at all: positions in, rulings and pictures out."""

import argparse
import sys

from judge.cli.output import FINE, Job, complain, say
from judge.config import Config
from judge.terminal.adjudicating import answers, bench, draw_line


def _adjudicate(given: argparse.Namespace, config: Config) -> int:
    lines = list(sys.stdin) if given.bench else sys.stdin
    for result in answers("adjudicate", lines, given.map, given.jobs):
        say(result)
    if given.bench:
        complain(str(bench(lines, given.map)))
    return FINE


def _options(given: argparse.Namespace, config: Config) -> int:
    for found in answers("options", sys.stdin, given.map, given.jobs):
        say(found)
    return FINE


def _draw(given: argparse.Namespace, config: Config) -> int:
    picture = draw_line(sys.stdin.read(), given.map, given.width, given.png)
    sys.stdout.buffer.write(picture)
    return FINE


JOBS: dict[str, Job] = {"adjudicate": _adjudicate, "options": _options, "draw": _draw}
