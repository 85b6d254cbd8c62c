"""Every numbered rule of Nations 1940 has a test, and the table in the docs names it."""

import pytest

from tests.games.nations1940.rule_table import cell, rows, shown_by_rule


@pytest.mark.parametrize("rule", list(rows()))
def test_every_rule_has_its_tests(rule: str) -> None:
    """After a change: `python -m tests.games.nations1940.rule_table`."""
    tests = shown_by_rule()
    assert rule in tests
    assert rows()[rule] == cell(tests[rule])


def test_no_test_names_a_rule_there_is_not() -> None:
    assert shown_by_rule().keys() - rows().keys() == set()
    assert len(rows()) > 120
