"""A password where the judge looks for none is repeated in no answer: others read over shoulders,
and answers are kept and forwarded."""

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
    """A game that forms, a private one that does, and one that runs with France vacant."""
    rig = Rig()
    rig.mail(GM, "CREATE ?open gmsecret standard")
    rig.mail(GM, "CREATE ?closed gmsecret standard\nSET PRIVATE sesame")
    rig.mail(GM, "CREATE ?runs gmsecret standard\nSTART")
    assert set(rig.application.context.games.names()) == {"open", "closed", "runs"}
    yield rig
    rig.close()


@pytest.mark.parametrize("number, line", [*enumerate(ROWS)])
def test_it_is_not_repeated(begun: Rig, number: int, line: str) -> None:
    # Everybody has his own hour of wrong mails.
    eve = f"eve{number}@example.org"
    begun.mail(eve, line)
    told = [part for letter in begun.boxes[eve]
            for part in (letter["Subject"], text_of(letter), letter.as_string())]
    assert "not carried out" in told[1]
    assert not [part for part in told if "hunter2" in part]
