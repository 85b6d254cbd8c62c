"""Every help topic as a letter: its page agrees with its text.

All languages are tested, with a game of each system.
"""

import re

import pytest

from judge.help_topics import help_topics, topics_of_games
from tests.journeys.rig import Rig, squeeze_text, text_of

GM = "gm@example.org"
AT_ONCE = 6
DIPLOMACYS = {"India", "Indien", "A Par", "A Mun", "A Mar", "A Del", "F Bre"}
"""Names in examples of Diplomacy only."""


@pytest.mark.slow
@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("map_name", ["standard", "nations1940", "yorktown"])
def test_a_help_page_agrees_with_its_text(map_name: str, language: str) -> None:
    rig = Rig()
    rig.mail(GM, f"REGISTER\nLanguage: {language}\nENDREGISTER")
    rig.mail(GM, f"CREATE ?open gmsecret {map_name}")
    topics = help_topics()
    others = topics_of_games()
    # Topics of other games come last, because they mention places and units of those games.
    topics = sorted(topics, key=lambda topic: (topic in others, topic))
    for first in range(0, len(topics), AT_ONCE):
        asked = "\n".join(f"HELP {topic}" for topic in topics[first:first + AT_ONCE])
        rig.boxes.clear()
        # The rig checks every letter by `is_sound`.
        rig.mail(GM, f"SIGNON Mopen gmsecret\n{asked}")
        answer, = rig.boxes[GM]
        assert answer["X-Judge-Game"] == "open" and answer.get_body(("html",)) is not None
        told = text_of(answer)
        is_foreign = map_name != "standard" and not others.keys() & {*topics[first:first + AT_ONCE]}
        assert not is_foreign or not {each for each in DIPLOMACYS if each in told}, told
    rig.close()


@pytest.mark.parametrize("map_name", ["standard", "nations1940", "yorktown"])
def test_help_describes_bots_in_every_game(map_name: str) -> None:
    rig = Rig()
    rig.mail(GM, f"CREATE ?open gmsecret {map_name}")
    rig.boxes.clear()
    rig.mail(GM, "SIGNON Mopen gmsecret\nHELP START\nHELP FORK\nHELP MASTER")
    assert "START WITH BOTS" in text_of(rig.boxes[GM][0])
    rig.close()


@pytest.mark.parametrize("asked", ["MAP open NAMES", "SIGNON Mopen gmsecret\nMAP NAMES"])
@pytest.mark.parametrize("map_name", ["standard", "nations1940", "yorktown"])
def test_the_places_of_a_game_are_a_help_topic(map_name: str, asked: str) -> None:
    rig = Rig()
    rig.mail(GM, f"CREATE ?open gmsecret {map_name}\nSTART")
    rig.boxes.clear()
    rig.mail(GM, asked)
    answer, = rig.boxes[GM]
    assert "the judge failed" not in text_of(answer)
    rig.close()


def test_topics_of_one_mail_are_each_about_their_own_game() -> None:
    rig = Rig()
    rig.mail(GM, "HELP MASTER\nHELP NATIONS1940")
    assert "PROCESS S1901M" in text_of(rig.boxes[GM][0])
    rig.close()


@pytest.mark.parametrize(("map_name", "told", "other"), [
    ("", "Nations 1940", ""), ("", "Yorktown: combat", ""),
    ("nations1940", "Nations 1940", "Yorktown"), ("yorktown", "Yorktown: combat", "Nations 1940"),
])  # fmt: skip
def test_topic_of_two_games_is_answered_by_each(map_name: str, told: str, other: str) -> None:
    rig = Rig()
    signon = ""
    if map_name:
        rig.mail(GM, f"CREATE ?open gmsecret {map_name}")
        signon = "SIGNON Mopen gmsecret\n"
    rig.boxes.clear()
    rig.mail(GM, f"{signon}HELP COMBAT")
    text = text_of(rig.boxes[GM][0])
    assert told in text and (not other or other not in text)
    rig.close()


def test_index_names_each_game_of_a_topic() -> None:
    rig = Rig()
    rig.mail(GM, "HELP")
    told = squeeze_text(text_of(rig.boxes[GM][0]))
    games = re.findall(r"([A-Z][a-z]+(?: 1940)?): HELP ((?:[A-Z0-9]+,? )+)", told)
    assert {"Nations 1940", "Yorktown"} == {of for of, topics in games if "COMBAT" in topics}
    rig.close()
