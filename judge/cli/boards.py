"""Commands without a judge: adjudication, orders and pictures of positions."""

import argparse
import sys

from judge.cli.output import FINE, Job, print_error, print_line
from judge.config import Config
from judge.terminal.adjudicating import answers, bench, draw_line
from judge.textfiles import decode_lines, decode_text


def _adjudicate(given: argparse.Namespace, config: Config) -> int:
    stream = decode_lines(sys.stdin.buffer)
    lines = list(stream) if given.bench else stream
    for result in answers("adjudicate", lines, given.map, given.jobs):
        print_line(result)
    if given.bench:
        print_error(str(bench(lines, given.map)))
    return FINE


def _options(given: argparse.Namespace, config: Config) -> int:
    for found in answers("options", decode_lines(sys.stdin.buffer), given.map, given.jobs):
        print_line(found)
    return FINE


def _draw(given: argparse.Namespace, config: Config) -> int:
    text = decode_text(sys.stdin.buffer.read(), "standard input")
    picture = draw_line(text, given.map, given.width, given.png)
    sys.stdout.buffer.write(picture)
    return FINE


JOBS: dict[str, Job] = {"adjudicate": _adjudicate, "options": _options, "draw": _draw}
