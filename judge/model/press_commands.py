"""The command that sends press."""

from dataclasses import dataclass

from judge.model.command import Command

WHITE, GREY = "white", "grey"

WRITER = "@writer"
"""Placeholder in a list of readers for the sender of the letter that is answered.

It cannot be a name in a list."""
GROUP = "@group"
"""Placeholder for the sender and all readers of that letter."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SendPress(Command):
    """A PRESS or BROADCAST block.

    `body` is the text as typed. `to` holds the words of the TO list as typed ("F", "I" or
    "france,italy"), and is empty for all.
    """

    to: tuple[str, ...]
    body: tuple[str, ...]
    all_but: bool = False
    colour: str = ""
    """WHITE or GREY if the sender chose one. Otherwise the game's setting applies."""
    fake: bool = False
    """True if readers see it addressed to `fake_to` (empty for all)."""
    fake_to: tuple[str, ...] = ()
    fake_all_but: bool = False
    honest: bool = False
    """NO FAKE: True if readers see its real recipients."""
    sender: str = ""
    """FROM G: the power shown as its sender."""
    postal: bool = False
    """True if it goes to everyone with the next results."""
    signed_off: bool = False
    """True if SIGNOFF ended it, not ENDPRESS. Then no line may look like an order."""
    names: tuple[str, ...] = ()
    """Words in sign-on-like lines. If one names a game, the press is refused."""
    heading: tuple[str, ...] = ()
    """Words after TO if a press reply begins with such a line, which is `body[0]`."""
