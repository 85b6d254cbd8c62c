"""Commands about seats and their settings."""

from dataclasses import dataclass

from judge.model.command import Command


@dataclass(frozen=True, slots=True, kw_only=True)
class SignOff(Command):
    """End of commands. Nothing after it is read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeSetting(Command):
    """`SET …`, with the words after SET as typed, and NO or NOT taken off.

    `SET NO WAIT` and `SET NOWAIT` are `words=("WAIT",), off=True`. The settings table defines them.
    """

    words: tuple[str, ...]
    off: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Register(Command):
    """A `REGISTER … END` block, or `NAME Ann Example`.

    `fields` are pairs of a name in lower case and a value.
    """

    fields: tuple[tuple[str, str], ...] = ()
