"""How high the pictures of a letter are, so that its page keeps their place before they are shown.

A picture that cannot be measured holds no letter: its page then says only how wide it is.
"""

import logging
from dataclasses import replace

from judge.games.painting import proportion
from judge.model.letter import Letter, Picture

log = logging.getLogger("judge.painter")


def measured(letter: Letter) -> Letter:
    """Return a letter whose pictures tell how high they are."""
    return replace(letter, pictures=tuple(map(_measured, letter.pictures)))


def _measured(picture: Picture) -> Picture:
    try:
        return replace(picture, proportion=proportion(picture.sketch))
    except Exception:
        log.exception("a picture for %s cannot be measured", picture.sketch.title)
        return picture
