"""Press as it is asked for: the head of a block, its text, and what a player notes for himself."""

from dataclasses import dataclass

from judge.model.command import Command

WHITE, GREY = "white", "grey"

WRITER = "@writer"
"""In a list of readers: whoever wrote the letter that is answered. No list of names can hold it."""
GROUP = "@group"
"""The same for everybody that letter was for, and its writer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SendPress(Command):
    """A PRESS or BROADCAST block; `body` as typed, untouched.

    `to` holds the words of the TO list as typed ("F", "I" or "france,italy"), empty for all.
    """

    to: tuple[str, ...]
    body: tuple[str, ...]
    all_but: bool = False
    colour: str = ""
    """WHITE or GREY where that was said; else what the game has."""
    fake: bool = False
    """Readers are to see it addressed to `fake_to`, empty for all."""
    fake_to: tuple[str, ...] = ()
    fake_all_but: bool = False
    honest: bool = False
    """NO FAKE: readers are to see to whom it really goes."""
    sender: str = ""
    """FROM G: readers are to see it as that power's."""
    postal: bool = False
    """To everybody with the next results."""
    signed_off: bool = False
    """SIGNOFF ended it, not ENDPRESS: then no line of it may look like an order."""
    names: tuple[str, ...] = ()
    """What may be names of games in lines that look like sign-ons: if one is, it is no press."""
    heading: tuple[str, ...] = ()
    """The words behind TO where a reply begins with such a line, which is then `body[0]`."""
