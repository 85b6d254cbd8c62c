"""Declaration of commands: a class together with its row of the command table."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, TypeVar, dataclass_transform

from judge.model.command import (
    AuditDetail,
    Command,
    CommandForm,
    CommandKind,
    ConfirmationPolicy,
    Permission,
)
from judge.play.commands.session import Session


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandRow(CommandKind):
    """Kind of command, together with the function that carries it out."""

    run: Callable[[Session, Any], None] | None
    """Function that carries the command out. None if it only ends the mail."""
    needs: type | None = None
    """Capability that the open seat's game must have.

    The command is refused without it. A command that anyone may send for any game checks the
    capability itself.
    """


DECLARED: list[CommandRow] = []
"""Rows of all commands declared by `command`, in order of declaration."""

END_OF_FIELDS = r"end(register|comment)?"
"""Pattern for the end of a block of fields."""

C = TypeVar("C", bound=Command)
R = TypeVar("R")


def reads(*rules: str) -> Callable[[R], R]:
    """Mark a class method as the reader of grammar rules.

    The method makes the command from the parts of a rule. Without names the rule is that of the
    command. The method receives the parts in their order, and the line and its text as *at*.
    """
    def mark(method: R) -> R:
        method.__func__.rules = rules  # type: ignore[attr-defined]
        return method

    return mark


@dataclass_transform(frozen_default=True, kw_only_default=True)
def command(
    *forms: CommandForm,
    grammar: str = "",
    rule: str = "",
    who: Permission = Permission.SEATED,
    opens: bool = False,
    shuts: bool = False,
    registers: str = "",
    waits: ConfirmationPolicy = ConfirmationPolicy.NEVER,
    log: AuditDetail = AuditDetail.LINE,
    told: bool = False,
    most_alike: int | None = None,
    as_power: bool = False,
    freeze: str = "",
    makes: bool = False,
    about: str = "",
    personal: bool = False,
    needs: type | None = None,
) -> Callable[[type[C]], type[C]]:
    """Declare a command: make its class a frozen dataclass and store its row.

    The fields of `CommandKind` describe the arguments (*freeze* is its `frozen`). The method
    `run` carries the command out.
    """
    facts = {key: value for key, value in locals().items() if key != "forms"}
    facts["frozen"] = facts.pop("freeze")
    if most_alike is None:
        del facts["most_alike"]

    def declare(cls: type[C]) -> type[C]:
        made = dataclass(frozen=True, slots=True, kw_only=True)(cls)
        run: Callable[[Session, Any], None] = lambda session, given: given.run(session)  # noqa: E731
        row = CommandRow(value=made, run=run, forms=forms, **facts)
        readers = {
            each: getattr(made, name)
            for base in made.__mro__ for name, method in vars(base).items()
            if hasattr(method, "__func__") and hasattr(method.__func__, "rules")
            for each in method.__func__.rules or (row.rule_name,)
        }
        DECLARED.append(replace(row, readers=readers))
        return made

    return declare
