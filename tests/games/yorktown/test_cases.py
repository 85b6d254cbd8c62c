"""The cases of the rules: positions, orders and results of `cases/*.case`."""

import pytest

from tests.games.yorktown.siege_cases import Case, lacks, read_cases, refuses


@pytest.mark.parametrize("case", [*read_cases()], ids=lambda case: case.name)
def test_a_case_has_its_expected_results(case: Case) -> None:
    assert not lacks(case)


SENDABLE = [case for case in read_cases() if not refuses(case)]


@pytest.mark.parametrize("case", SENDABLE, ids=lambda case: case.name)
def test_a_case_has_the_same_results_through_the_sheet(case: Case) -> None:
    assert not lacks(case, by_sheet=True)


def test_most_cases_can_be_sent_by_mail() -> None:
    assert len(SENDABLE) > 0.6 * len([*read_cases()])
