"""Prose to the judge gets a line that would have worked, and talk gets none."""

import re
from pathlib import Path

import pytest

from judge.model.incoming import Line
from judge.textfiles import read_rows
from tests.language import LANGUAGE, read_sheet

HERE = Path(__file__).parent
TALK = HERE.parent / "games" / "lines" / "talk.txt"
WISHES = {
    "When is the deadline?": ["MY GAMES"],
    "Wann ist die Frist?": ["MY GAMES"],
    "How many armies do I have?": ["STATUS"],
    "I forgot my password.": ["RESET PASSWORD Nmarco"],
    "How do I change my address?": ["SET ADDRESS ann@example.org"],
    "Can you send me the latest map?": ["MAP"],
    "Could we have an extension until Sunday, please?":
        ["VOTE EXTEND UNTIL Sunday", "SET DEADLINE Sunday"],
    "Away until the 5th.": ["SET ABSENCE until the 5th"],
    "I'll be on holiday in Spain until the 14th.": ["SET ABSENCE in Spain until the 14th"],
    "Rule Britannia": ["SET BRITANNIA"],
}
"""Lines of the table of talk that ask the judge for something, or seem to."""
BEGIN_LIKE_COMMANDS = {
    "Who has an army in Munich?", "Who goes there?", "Who are we waiting for?",
    "Form follows function", "John Smith | Edinburgh | 0131 496 0000",
}
"""Lines of that table whose first word is a command, or one slip away from it."""


def suggestions_for(line: str) -> list[str]:
    """Return the lines that the judge suggests for a line of a mail."""
    return [send for each in read_sheet([Line(1, line)]).complaints for send in each.suggestions]


def lines_of(file: Path) -> list[str]:
    """Return the lines of a table without comments."""
    lines = file.read_text("utf-8").splitlines()
    return [line for line in lines if line and not line.startswith("#")]


@pytest.mark.parametrize(
    ("line", "send"),
    [(row["line"], row["send"]) for row in
     read_rows((HERE / "plain_words.tsv").read_text("utf-8"))],
)
def test_prose_gets_a_line_that_works(line: str, send: str) -> None:
    lines = suggestions_for(line)
    assert " / ".join(lines) == send
    assert lines and all(LANGUAGE.is_command(each) for each in lines)


@pytest.mark.parametrize("line", lines_of(HERE / "talk_like_wishes.txt"))
def test_talk_that_begins_like_a_wish_gets_no_suggestion(line: str) -> None:
    assert not suggestions_for(line)


def test_only_wishes_in_the_table_of_talk_get_suggestions() -> None:
    lines = [line for line in lines_of(TALK) if line not in BEGIN_LIKE_COMMANDS]
    assert {line: send for line in lines if (send := suggestions_for(line))} == WISHES


@pytest.mark.parametrize(
    "line", ["I want to change my password to hunter2", "Ich möchte mein Passwort hunter2 ändern"]
)
def test_a_password_in_prose_is_not_shown_again(line: str) -> None:
    [complaint] = read_sheet([Line(1, line)]).complaints
    assert complaint.suggestions == ("SET PASSWORD newpassword",)
    assert "hunter2" not in complaint.text and re.search(r"\*\*\*", complaint.text)
