"""Every numbered rule of Nations 1940 has a test listed in the documentation."""

import pytest

from tests.games.nations1940.rule_table import cell, rows, shown_by_rule


@pytest.mark.parametrize("rule", list(rows()))
def test_every_rule_has_its_tests(rule: str) -> None:
    """After a change run `python -m tests.games.nations1940.rule_table`."""
    tests = shown_by_rule()
    assert rule in tests
    assert rows()[rule] == cell(tests[rule])


def test_tests_name_only_existing_rules() -> None:
    assert shown_by_rule().keys() - rows().keys() == set()
    assert len(rows()) > 120
