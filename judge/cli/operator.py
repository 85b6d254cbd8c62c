"""Operator's commands for games and people."""

import argparse
from datetime import datetime

from judge.cli.output import FINE, Job, print_line
from judge.clock import SystemClock
from judge.config import Config
from judge.daemon.operator_tasks import run_action
from judge.play.game import Context
from judge.terminal.games import Outcome, about_ban, about_rating, run_game_command


def _game(given: argparse.Namespace, config: Config) -> int:
    def change(context: Context, now: datetime) -> Outcome:
        return run_game_command(context, now, given.what, given.name, given.address, given.yes)

    print_line(run_action(config, SystemClock(), change))
    return FINE


def _rating(given: argparse.Namespace, config: Config) -> int:
    def change(context: Context, now: datetime) -> Outcome:
        return about_rating(context, given.recompute), []

    print_line(run_action(config, SystemClock(), change))
    return FINE


def _ban(given: argparse.Namespace, config: Config) -> int:
    def change(context: Context, now: datetime) -> Outcome:
        return about_ban(context, now, given.address, given.lift, given.vacate)

    print_line(run_action(config, SystemClock(), change))
    return FINE


JOBS: dict[str, Job] = {"game": _game, "rating": _rating, "ban": _ban}
