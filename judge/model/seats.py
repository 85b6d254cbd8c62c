"""Commands about seats: who takes them, speaks from them, sits in or leaves, and their settings."""

from dataclasses import dataclass

from judge.model.command import Command


@dataclass(frozen=True, slots=True, kw_only=True)
class SignOff(Command):
    """The end of commands: nothing after it is read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeSetting(Command):
    """`SET …`: the words after SET as typed, SET and NO/NOT taken apart.

    `SET NO WAIT`, `SET NOWAIT` are `words=("WAIT",), off=True`. The settings table knows the rest.
    """

    words: tuple[str, ...]
    off: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Register(Command):
    """A `REGISTER … END` block, or `NAME Ann Example`: `fields` as (name in lower case, value)."""

    fields: tuple[tuple[str, str], ...] = ()
