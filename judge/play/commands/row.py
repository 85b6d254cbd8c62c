"""A row of the table of commands: all that the judge knows of a kind of command, in one place."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from judge.model.command import CommandKind
from judge.play.commands.session import Session


@dataclass(frozen=True, slots=True, kw_only=True)
class Row(CommandKind):
    """A kind of command, and what carries it out."""

    run: Callable[[Session, Any], None] | None
    """Carries it out; None: it only ends the mail."""
    needs: type | None = None
    """The capability without which it is refused in the open seat's game; one that anybody may
    give for any game looks for itself."""
