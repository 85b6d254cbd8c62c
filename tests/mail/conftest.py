"""Fixtures of the tests of the SMTP listener."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from judge.store.database import Store


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    store = Store(f"sqlite:///{tmp_path}/judge.sqlite3")
    store.open(create=True)
    yield store
    store.close()
