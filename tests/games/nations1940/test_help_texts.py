"""The help topics of Nations 1940 agree with its tables."""

import pytest

from judge.help_topics import find_topic
from tests.games.nations1940.board_of_cases import BOARD
from tests.games.nations1940.help_texts import EFFECTS, texts


def test_help_topics_agree_with_the_tables() -> None:
    for path, text in texts().items():
        assert path.read_text(encoding="utf-8") == text, path
        assert max(map(len, text.splitlines())) <= 72


def test_every_effect_has_a_description() -> None:
    keys = {effect.key for one in BOARD.techs.values() for effect in one.effects}
    assert keys <= EFFECTS.keys()


@pytest.mark.parametrize(("words", "topic"), [
    ("NAP", "treaties"), ("EXCHANGE", "treaties"), ("PACT", "treaties"), ("PEACE", "treaties"),
    ("WAR", "treaties"), ("treaties", "treaties"), ("DEAL", "trade"), ("GIVE", "trade"),
    ("SPAWN", "armies"), ("SHED", "armies"), ("MAX.ARMY", "armies"), ("RAIL", "transport"),
    ("FERRY", "transport"), ("VIA", "transport"), ("ESCORT", "transport"), ("steps", "steps"),
    ("Krieg", "treaties"), ("Bahn", "transport"), ("Ablauf", "steps"),
])  # fmt: skip
def test_words_of_orders_find_their_topic(words: str, topic: str) -> None:
    assert find_topic(words) == (topic, ())
