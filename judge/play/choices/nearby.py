"""SET lines near one that names no setting: what may have been meant, as lines to send."""

import difflib
from collections.abc import Sequence

from judge.play.choices.houserules import choices_of, words_of
from judge.play.choices.settings import interpret
from judge.play.choices.settingtable import SETTINGS
from judge.words.reason import Reason
from judge.words.record import GameView, Role

_CLEARLY_WORSE = 0.1
"""A likeness so much less than the best is no suggestion beside it."""


def near_settings(
    words: Sequence[str], off: bool, game: GameView, role: Role
) -> tuple[str, ...]:
    """Return up to three SET lines that nearly say the same and can be carried out.

    Of words that only begin settings, the HELP line that shows those is returned.
    """
    known = {" ".join(row.words) for row in SETTINGS}
    known |= {words_of(option) for option in choices_of(game)}
    lines: dict[str, float] = {}
    for many in range(1, min(3, len(words)) + 1):
        typed = " ".join(words[:many]).upper()
        for name in difflib.get_close_matches(typed, known, 3, 0.75):
            corrected = [*name.split(), *words[many:]]
            if not isinstance(interpret(corrected, off, game, role), Reason):
                line = " ".join(["SET", *(["NO"] if off else []), *corrected])
                lines[line] = difflib.SequenceMatcher(None, typed, name).ratio()
    upper = tuple(word.upper() for word in words)
    if not lines and any(row.words[: len(upper)] == upper for row in SETTINGS):
        return (f"HELP SET {' '.join(upper)}",)
    best = max(lines.values(), default=0)
    near = [line for line, ratio in lines.items() if ratio > best - _CLEARLY_WORSE]
    return tuple(sorted(near, key=lambda line: -lines[line])[:3])
