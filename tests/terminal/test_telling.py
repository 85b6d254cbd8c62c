"""Whatever a game system cannot say is a finding of `judge check`, one for each language."""

import pytest

from judge.errors import DataError
from judge.games import find_system
from judge.languages import letter_languages
from judge.terminal import telling
from judge.terminal.telling import unsaid


def test_our_own_games_can_say_all_they_tell() -> None:
    for name in ("diplomacy", "nations1940", "yorktown"):
        assert [*unsaid(find_system(name))] == []


@pytest.mark.parametrize("place", ["templates_of", "_tell"])
def test_a_system_with_faulty_texts_is_told_of_and_stops_no_check(
    monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    def faulty(*given: object) -> None:
        raise DataError("phrases.tsv: faulty row for 'x'")

    monkeypatch.setattr(telling, place, faulty)
    found = [*unsaid(find_system("diplomacy"))]
    assert len(found) == len(letter_languages())
    assert all("faulty row for 'x'" in line for line in found)
