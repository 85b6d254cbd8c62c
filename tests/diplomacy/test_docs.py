"""The examples in the documentation of the library run unchanged."""

import doctest
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(("page", "least"), [("docs/build/library.md", 30), ("README.md", 5)])
def test_the_examples_of_a_page_run(page: str, least: int) -> None:
    found = doctest.testfile(str(ROOT / page), module_relative=False)
    assert found.attempted >= least
    assert not found.failed
