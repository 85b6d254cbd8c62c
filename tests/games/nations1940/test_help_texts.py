"""Help topics of Nations 1940 say what its tables say."""

from tests.games.nations1940.board_of_cases import BOARD
from tests.games.nations1940.help_texts import EFFECTS, texts


def test_help_topics_are_those_of_the_tables() -> None:
    for path, text in texts().items():
        assert path.read_text(encoding="utf-8") == text, path
        assert max(map(len, text.splitlines())) <= 72


def test_every_effect_has_words() -> None:
    keys = {effect.key for one in BOARD.techs.values() for effect in one.effects}
    assert keys <= EFFECTS.keys()
