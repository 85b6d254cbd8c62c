"""The cases of the rules: every position, order and result of `cases/*.case`."""

import pytest

from tests.games.yorktown.siege_cases import Case, lacks, read_cases


@pytest.mark.parametrize("case", [*read_cases()], ids=lambda case: case.name)
def test_a_case_comes_out_as_it_says(case: Case) -> None:
    assert not lacks(case)
