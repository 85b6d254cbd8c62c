"""Every help topic as a letter: its page says all that its text says, in every language, for a
game of each system."""

import pytest

from judge.topics import help_topics
from tests.journeys.rig import Rig

GM = "gm@example.org"
AT_ONCE = 6


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("map_name", ["standard", "nations1940", "yorktown"])
def test_a_page_says_what_the_text_says(map_name: str, language: str) -> None:
    rig = Rig()
    rig.mail(GM, f"REGISTER\nLanguage: {language}\nENDREGISTER")
    rig.mail(GM, f"CREATE ?open gmsecret {map_name}")
    topics = help_topics()
    for first in range(0, len(topics), AT_ONCE):
        asked = "\n".join(f"HELP {topic}" for topic in topics[first:first + AT_ONCE])
        rig.boxes.clear()
        # Whatever comes is looked at by the rig: `is_sound`.
        rig.mail(GM, f"SIGNON Mopen gmsecret\n{asked}")
        answer, = rig.boxes[GM]
        assert answer["X-Judge-Game"] == "open" and answer.get_body(("html",)) is not None
    rig.close()
