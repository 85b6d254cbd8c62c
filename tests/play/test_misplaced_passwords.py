"""A password in the wrong place is never repeated in a reply.

Others may see the screen, and replies are stored and forwarded.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.journeys.rig import Rig, text_of

GM = "gm@example.org"
ROWS = [
    line for line in Path(__file__).with_name("misplaced-passwords.txt").read_text().splitlines()
    if not line.startswith("#")
]


@pytest.fixture(scope="module")
def begun() -> Iterator[Rig]:
    """A game before its start, a private one, and a running one with a vacant France."""
    rig = Rig()
    rig.mail(GM, "CREATE ?open gmsecret standard")
    rig.mail(GM, "CREATE ?closed gmsecret standard\nSET PRIVATE sesame")
    rig.mail(GM, "CREATE ?runs gmsecret standard\nSTART")
    assert set(rig.application.context.games.names()) == {"open", "closed", "runs"}
    yield rig
    rig.close()


@pytest.mark.parametrize("number, line", [*enumerate(ROWS)])
def test_a_misplaced_password_is_not_repeated(begun: Rig, number: int, line: str) -> None:
    # Each sender has their own hourly limit of failed mails.
    eve = f"eve{number}@example.org"
    begun.mail(eve, line)
    told = [part for letter in begun.boxes[eve]
            for part in (letter["Subject"], text_of(letter), letter.as_string())]
    assert "\nNot done:\r\n" in told[1]
    assert not [part for part in told if "hunter2" in part]
