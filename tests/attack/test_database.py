"""One round of each attack on the database files; `python -m tests.attack database` does more."""

import pytest

from tests.attack.database import KINDS, run


@pytest.mark.slow
@pytest.mark.sqlite
def test_no_attack_on_the_files_loses_or_invents_an_acknowledged_mail() -> None:
    assert run(len(KINDS), seed=2) == []
