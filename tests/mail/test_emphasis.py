"""Bold and italic text in the plain text of mail programs."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.mail.language.emphasis import emphasis_marks, without_emphasis
from judge.model.incoming import Line
from judge.model.order_commands import GiveOrders
from judge.model.press_commands import SendPress
from judge.model.seat_commands import ChangeSetting
from judge.play.commands.seats.signup import Join, SignOn
from tests.language import read_sheet

ORDER = "A Par - Bur"


@pytest.mark.parametrize("typed", [
    "*A Par* - Bur", "*A Par *- Bur", "A Par* - Bur*", "*A Par - Bur*", "**A Par** - Bur",
    "*A* *Par* - *Bur*", "A P*ar* - Bur", "***A Par - Bur***", "_A Par_ - Bur", "_A Par _- Bur",
    "__A Par - Bur__", "/A Par/ - Bur", "/A Par - Bur/", "A Par - /Bur/", "*_A Par_* - Bur",
    "A Par - Bur*", "*A Par - Bur", "* *A Par* - Bur", "1. *A Par* - Bur", "- *A Par* - Bur",
])
def test_marked_order_is_read_without_marks(typed: str) -> None:
    (command,) = read_sheet([Line(1, typed)]).commands
    assert isinstance(command, GiveOrders)
    assert command.lines[0].text.lstrip("*-1. ") == ORDER


@pytest.mark.parametrize("typed", [
    "F Spa/sc - Por", "F Spa / sc H", "F Spa/ sc - Lyo / x", "F North_Sea - Nwy", "F Bul_(ec) H",
    "A Vie - Tyr (*bounce*)", "A * B * C", "*****", "* A Par - Bur", "_____", "a/b/c", "// A Par",
])
def test_other_uses_of_emphasis_characters_stay(typed: str) -> None:
    assert without_emphasis(typed) == typed


@pytest.mark.parametrize("typed", [
    "*SET WAIT*", "SET *WAIT*", "*SET* WAIT", "_SET WAIT_", "**SET WAIT**", "*SET *WAIT",
])
def test_marked_command_is_read_without_marks(typed: str) -> None:
    sheet = read_sheet([Line(1, typed)])
    assert [type(one) for one in sheet.commands] == [ChangeSetting], sheet.complaints


@pytest.mark.parametrize(("typed", "password"), [
    ("SIGNON Fmarco *secret*", "*secret*"), ("*SIGNON Fmarco secret*", "secret"),
    ("*SIGNON* Fmarco secret", "secret"), ("SIGNON Fmarco secret*", "secret*"),
    ("SIGNON Fmarco a*b*c", "a*b*c"), ("SIGNON Fmarco a*b*", "a*b*"),
    ("SIGNON Fmarco *a*b*", "*a*b*"), ("SIGNON Fmarco _se_cret_", "_se_cret_"),
    ("*SIGNON Fmarco* se*cret", "se*cret"), ("SIGNON *Fmarco* /x/", "/x/"),
])
def test_password_is_unchanged(typed: str, password: str) -> None:
    (command,) = read_sheet([Line(1, typed)]).commands
    assert isinstance(command, SignOn) and command.password == password


@given(st.text("ab*_/`-", min_size=1, max_size=8))
def test_password_of_emphasis_characters_is_unchanged(password: str) -> None:
    for head in ("SIGNON Fmarco", "signon Fmarco", "JOIN marco"):
        for command in read_sheet([Line(1, f"{head} {password}")]).commands:
            if isinstance(command, SignOn | Join):
                assert command.password == password


def test_cron_expressions_and_press_are_unchanged() -> None:
    for words in ('"0 20 * * tue,fri"', "0 20 */2 * tue#1", '"*/5 1 * jan *"'):
        assert not emphasis_marks(f"SET CRON {words}")
    lines = ["*PRESS TO ALL*", "*Hello* _all_", "*A Par* - Bur", "*ENDPRESS*"]
    (command,) = read_sheet([Line(at, text) for at, text in enumerate(lines, 1)]).commands
    assert isinstance(command, SendPress) and command.body == ("*Hello* _all_", "*A Par* - Bur")
