"""The declaration of a command: its class, with the row that the judge needs to know of it."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, TypeVar, dataclass_transform

from judge.model.command import Command, CommandKind, Form, Log, Waits, Who
from judge.play.commands.session import Session


@dataclass(frozen=True, slots=True, kw_only=True)
class Row(CommandKind):
    """A kind of command, and the function that carries it out."""

    run: Callable[[Session, Any], None] | None
    """Carries it out; None: it only ends the mail."""
    needs: type | None = None
    """The capability without which it is refused in the open seat's game; one that anybody may
    give for any game looks for itself."""


DECLARED: list[Row] = []
"""The rows of all commands that are declared by `command`, in order of declaration."""

END_OF_FIELDS = r"end(register|comment)?"
"""A pattern for the end of a block of fields."""

C = TypeVar("C", bound=Command)
R = TypeVar("R")


def reads(*rules: str) -> Callable[[R], R]:
    """Mark a class method that makes the command from the parts of a rule of the grammar.

    Without names it is the rule of the command. The method gets the parts in their order, and the
    line and its text as `at`.
    """
    def mark(method: R) -> R:
        method.__func__.rules = rules  # type: ignore[attr-defined]
        return method

    return mark


@dataclass_transform(frozen_default=True, kw_only_default=True)
def command(
    *forms: Form, grammar: str = "", rule: str = "", who: Who = Who.SEATED, opens: bool = False,
    shuts: bool = False, registers: str = "", waits: Waits = Waits.NEVER, log: Log = Log.LINE,
    told: bool = False, most_alike: int | None = None, as_power: bool = False, freeze: str = "",
    makes: bool = False, about: str = "", personal: bool = False, needs: type | None = None,
) -> Callable[[type[C]], type[C]]:
    """Declare a command: its class becomes a frozen dataclass, and its row is noted.

    The fields of `CommandKind` describe the arguments (`freeze` is its `frozen`). The method `run`
    carries the command out.
    """
    facts = {key: value for key, value in locals().items() if key != "forms"}
    facts["frozen"] = facts.pop("freeze")
    if most_alike is None:
        del facts["most_alike"]

    def declare(cls: type[C]) -> type[C]:
        made = dataclass(frozen=True, slots=True, kw_only=True)(cls)
        run: Callable[[Session, Any], None] = lambda session, given: given.run(session)  # noqa: E731
        row = Row(value=made, run=run, forms=forms, **facts)
        readers = {
            each: getattr(made, name)
            for base in made.__mro__ for name, method in vars(base).items()
            if hasattr(method, "__func__") and hasattr(method.__func__, "rules")
            for each in method.__func__.rules or (row.rule_name,)
        }
        DECLARED.append(replace(row, readers=readers))
        return made

    return declare
