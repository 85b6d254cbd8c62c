"""The cases of the rules: every position, order and result of `cases/*.case`."""

import pytest

from tests.games.yorktown.siege_cases import Case, lacks, read_cases, refuses


@pytest.mark.parametrize("case", [*read_cases()], ids=lambda case: case.name)
def test_a_case_comes_out_as_it_says(case: Case) -> None:
    assert not lacks(case)


SENDABLE = [case for case in read_cases() if not refuses(case)]


@pytest.mark.parametrize("case", SENDABLE, ids=lambda case: case.name)
def test_a_case_comes_out_so_through_the_sheet_too(case: Case) -> None:
    assert not lacks(case, by_sheet=True)


def test_most_cases_can_be_sent() -> None:
    assert len(SENDABLE) > 0.6 * len([*read_cases()])
