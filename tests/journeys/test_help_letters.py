"""Every help topic as a letter: its page says all that its text says, in every language, for a
game of each system."""

import pytest

from judge.topics import help_topics, topics_of_games
from tests.journeys.rig import Rig, text_of

GM = "gm@example.org"
AT_ONCE = 6
DIPLOMACYS = {"India", "Indien", "A Par", "A Mun", "A Mar", "A Del", "F Bre"}
"""What examples of Diplomacy name, and those of no other game."""


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("map_name", ["standard", "nations1940", "yorktown"])
def test_a_page_says_what_the_text_says(map_name: str, language: str) -> None:
    rig = Rig()
    rig.mail(GM, f"REGISTER\nLanguage: {language}\nENDREGISTER")
    rig.mail(GM, f"CREATE ?open gmsecret {map_name}")
    topics = help_topics()
    others = topics_of_games()
    # Those of other games speak of those games.
    topics = sorted(topics, key=lambda topic: (topic in others, topic))
    for first in range(0, len(topics), AT_ONCE):
        asked = "\n".join(f"HELP {topic}" for topic in topics[first:first + AT_ONCE])
        rig.boxes.clear()
        # Whatever comes is looked at by the rig: `is_sound`.
        rig.mail(GM, f"SIGNON Mopen gmsecret\n{asked}")
        answer, = rig.boxes[GM]
        assert answer["X-Judge-Game"] == "open" and answer.get_body(("html",)) is not None
        told = text_of(answer)
        is_foreign = map_name != "standard" and not others.keys() & {*topics[first:first + AT_ONCE]}
        assert not is_foreign or not {each for each in DIPLOMACYS if each in told}, told
    rig.close()


@pytest.mark.parametrize("map_name", ["standard", "nations1940", "yorktown"])
def test_topics_of_bots_are_for_games_that_have_them(map_name: str) -> None:
    rig = Rig()
    rig.mail(GM, f"CREATE ?open gmsecret {map_name}")
    rig.boxes.clear()
    rig.mail(GM, "SIGNON Mopen gmsecret\nHELP START\nHELP FORK\nHELP MASTER")
    assert ("START WITH BOTS" in text_of(rig.boxes[GM][0])) == (map_name != "yorktown")
    rig.close()


@pytest.mark.parametrize("asked", ["MAP open NAMES", "SIGNON Mopen gmsecret\nMAP NAMES"])
@pytest.mark.parametrize("map_name", ["standard", "nations1940", "yorktown"])
def test_the_names_of_a_games_places_can_be_asked_for(map_name: str, asked: str) -> None:
    rig = Rig()
    rig.mail(GM, f"CREATE ?open gmsecret {map_name}\nSTART")
    rig.boxes.clear()
    rig.mail(GM, asked)
    answer, = rig.boxes[GM]
    assert "fault of ours" not in text_of(answer)
    rig.close()


def test_topics_of_one_mail_speak_each_of_its_own_game() -> None:
    rig = Rig()
    rig.mail(GM, "HELP MASTER\nHELP NATIONS1940")
    assert "PROCESS S1901M" in text_of(rig.boxes[GM][0])
    rig.close()
