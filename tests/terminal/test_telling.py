"""`judge check` reports missing phrases of a game system in each language."""

import pytest

from judge.errors import DataError
from judge.games import find_system
from judge.languages import letter_languages
from judge.terminal import text_check
from judge.terminal.text_check import missing_texts


def test_bundled_games_have_all_their_phrases() -> None:
    for name in ("diplomacy", "nations1940", "yorktown"):
        assert [*missing_texts(find_system(name))] == []


@pytest.mark.parametrize("place", ["templates_of", "_tell"])
def test_faulty_templates_of_a_system_are_reported(
    monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    def faulty(*given: object) -> None:
        raise DataError("phrases.tsv: faulty row for 'x'")

    monkeypatch.setattr(text_check, place, faulty)
    found = [*missing_texts(find_system("diplomacy"))]
    assert len(found) == len(letter_languages())
    assert all("faulty row for 'x'" in line for line in found)
