"""Old databases open and play on, and the same mails give the same letters."""

from difflib import unified_diff
from pathlib import Path

import pytest

from tests.guard.scenes import NAMES, load_letters, mails_in, replay


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_the_same_mails_give_the_same_letters(name: str, tmp_path: Path) -> None:
    before, now = load_letters(name).splitlines(), replay(name, tmp_path).splitlines()
    difference = "\n".join([*unified_diff(before, now, "stored", "now", lineterm="")][:80])
    assert not difference, f"{difference}\n(`python -m tests.guard` shows all differences)"


def test_five_hundred_mails_are_sent() -> None:
    assert sum(1 for name in NAMES for _ in mails_in(name)) >= 500
