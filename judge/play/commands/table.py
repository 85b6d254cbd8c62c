"""All commands of the judge: those that any module of this package declares."""

import pkgutil
from importlib import import_module

from judge.play import commands
from judge.play.commands.row import DECLARED

for module in pkgutil.walk_packages(commands.__path__, f"{commands.__name__}."):
    if module.name != __name__:
        import_module(module.name)

COMMANDS = tuple(DECLARED)
