"""A new command needs one declaration: this file adds one and nothing else."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from judge.config import Config, StoreSection
from judge.mail.language.mail_parser import parse_mail
from judge.mail.language.vocabulary import CommandLanguage
from judge.model.command import (
    AuditDetail,
    Command,
    CommandForm,
    ConfirmationPolicy,
    Permission,
    Where,
)
from judge.model.incoming import Line
from judge.model.order_commands import GiveOrders
from judge.model.phrase import phrase
from judge.play.commands.row import DECLARED, CommandRow, command, reads
from judge.play.commands.session import Session
from judge.play.commands.table import COMMANDS
from tests.journeys.rig import Rig, squeeze_text, text_of

GM, ANN, BOB = "gm@example.org", "ann@example.org", "bob@example.org"


@command(
    CommandForm("TOAST, DRINK TO", "TOAST power"),
    who=Permission.MASTER,
    grammar='toast: ("toast"i | _DRINK_TO) WORD TWICE?\n'
            'TWICE.3: /twice(?=[.!]*$)/i\n'
            '_DRINK_TO: /drink\\s+to\\b/i\n',
    about="drink to a power's health",
)
class Toast(Command):
    """Command of this test: `TOAST india`, `TOAST india TWICE`."""

    who: str
    times: int = 1

    @reads()
    @classmethod
    def read(cls, who: str, *twice: str, at: Where) -> "Toast":
        """Create the command from the parts of the grammar."""
        return cls(**at, who=who.lower(), times=1 + len(twice))

    def run(self, session: Session) -> None:
        """Reply with the toast, or refuse a power that does not exist."""
        if self.who == "nobody":
            session.refuse(self, phrase("no-such-power", power=self.who, game="marco"))
        else:
            session.done(phrase("version", version=f"toasted {self.times} {self.who}"))


TOAST = DECLARED[-1]


@pytest.fixture(scope="module")
def begun() -> Iterator[Rig]:
    """A judge with a game and the new command."""
    made = bench_of(TOAST)
    yield made
    made.close()


def bench_of(toast: CommandRow, *, confirm: bool = False) -> Rig:
    """Return a judge with this declaration of the command."""
    config = Config(store=StoreSection("sqlite:///:memory:"))
    config = replace(config, policy=replace(config.policy, confirm="true" if confirm else "false"))
    made = Rig(config, (*COMMANDS, toast))
    if not confirm:
        made.mail(GM, "CREATE ?marco gmsecret youngstown")
        made.mail(ANN, "JOIN india@marco annsecret")
        made.boxes.clear()
    return made


def answer(rig: Rig, sender: str, text: str) -> str:
    """Mail a text and return the first reply, with single blanks."""
    rig.boxes.clear()
    rig.mail(sender, text)
    return squeeze_text(text_of(rig.letter(sender)))


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("TOAST India", "toasted 1 india"),
        ("drink  to India twice.", "toasted 2 india"),
    ],
)
def test_a_new_command_is_read_carried_out_and_answered(rig: Rig, line: str, said: str) -> None:
    assert said in answer(rig, GM, f"SIGNON Mmarco gmsecret\n{line}")


def test_a_new_command_is_logged_as_declared(rig: Rig) -> None:
    rig.mail(GM, "SIGNON Mmarco gmsecret\nTOAST India\nTOAST nobody")
    told = answer(rig, GM, "LOG marco")
    assert "TOAST India" in told and "nobody" not in told
    quiet = bench_of(replace(TOAST, log=AuditDetail.NOTHING))
    quiet.mail(GM, "SIGNON Mmarco gmsecret\nTOAST India")
    assert "TOAST" not in answer(quiet, GM, "LOG marco")
    quiet.close()


def test_a_new_command_is_limited_to_its_declared_roles(rig: Rig) -> None:
    assert "toasted" not in (told := answer(rig, ANN, "SIGNON ?marco annsecret\nTOAST India"))
    assert "TOAST" in told
    assert "toasted" not in answer(rig, BOB, "TOAST India")
    free = bench_of(replace(TOAST, who=Permission.ANYBODY))
    assert "toasted 1 india" in answer(free, BOB, "TOAST India")
    free.close()


@pytest.mark.parametrize(
    ("line", "form"),
    [
        ("TOAST", "TOAST power"),
        ("TOAST India and Persia", "TOAST power"),
        ("TAOST India", "TOAST India"),
    ],
)
def test_a_malformed_new_command_is_answered_with_its_form(rig: Rig, line: str, form: str) -> None:
    told = answer(rig, GM, f"SIGNON Mmarco gmsecret\n{line}")
    assert "toasted" not in told and form in told


def test_help_lists_a_new_command_by_its_form(rig: Rig) -> None:
    for asked in ("HELP", "HELP TOAST", "HILFE"):
        assert "TOAST power drink to a power's health" in answer(rig, BOB, asked)
    assert "There is no" not in answer(rig, BOB, "HELP TOAST")


def test_a_new_command_waits_for_a_declared_confirmation() -> None:
    rig = bench_of(
        replace(TOAST, who=Permission.ANYBODY, waits=ConfirmationPolicy.SEATED), confirm=True
    )
    asked = answer(rig, BOB, "TOAST India")
    assert "TOAST" in asked and "toasted" not in asked
    rig.boxes.clear()
    rig.reply(BOB, "yes")
    told = [squeeze_text(text_of(letter)) for letter in rig.boxes[BOB]]
    assert any("toasted 1 india" in text for text in told)
    rig.close()


def test_an_undeclared_command_is_unknown() -> None:
    (found,) = parse_mail(CommandLanguage(COMMANDS), [Line(1, "TOAST India")]).commands
    assert isinstance(found, GiveOrders)
    (found,) = parse_mail(CommandLanguage((*COMMANDS, TOAST)), [Line(1, "TOAST India")]).commands
    assert isinstance(found, Toast)
