"""One round of each attack on the files.

`python -m tests.attack database` runs more.
"""

import pytest

from tests.attack.database import KINDS, run


@pytest.mark.slow
@pytest.mark.sqlite
def test_attacks_on_the_files_lose_no_acknowledged_mail() -> None:
    assert run(len(KINDS), seed=2) == []
