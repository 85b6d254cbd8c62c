"""What somebody answered to a question of ours that wants a yes or a no."""

from enum import Enum


class Consent(Enum):
    """The sense of an answer, as far as it can be told."""

    YES = "yes"
    NO = "no"
    UNDO = "undo"
    """What was done is to be taken back; nothing but such a question asks for it."""
    UNCLEAR = "unclear"
    """Words, but neither yes nor no."""
    NOTHING = "nothing"
    """No word of its own."""
