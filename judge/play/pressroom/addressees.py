"""Whom press is for: the words of its head, or the letter it answers."""

from collections.abc import Sequence
from dataclasses import dataclass

from judge.play.game import Game
from judge.play.office import find_side, near_powers, sides_of
from judge.play.pressroom.correspondence import MASTER, OBSERVERS
from judge.words.reason import Reason, because
from judge.words.record import GameState

WORDS = {"m": MASTER, "master": MASTER, "gm": MASTER, "o": OBSERVERS, "observer": OBSERVERS,
         "observers": OBSERVERS}
"""Words for readers that are no powers."""
_LETTERS = {"M": MASTER, "O": OBSERVERS}


@dataclass(frozen=True, slots=True)
class Readers:
    """For whom press is; nobody named and nothing answered: for everybody."""

    names: tuple[str, ...] = ()
    answered: tuple[int, ...] = ()
    """Seats that wrote a letter which did not name them."""
    answers: int = 0
    """The event answered."""
    thread: int = 0
    answers_hidden: bool = False
    """The letter answered named no writer: neither may learn who the other is."""
    left_out: str = ""
    """The writer himself, where the list he was taken from had him in it."""

    @property
    def is_for_all(self) -> bool:
        """Tell whether it is for everybody."""
        return not self.names and not self.answered

    @property
    def is_for_master(self) -> bool:
        """Tell whether it is for the master alone."""
        return self.names == (MASTER,) and not self.answered


def read_readers(game: Game, to: Sequence[str], all_but: bool) -> tuple[str, ...] | Reason:
    """Return the names a list of readers stands for; empty only for an empty list: everybody.

    A word is a power's name, or letters run together ("FI"; M is the master, O the observers).
    """
    named: dict[str, None] = {}
    for word in to:
        found = names_meant(game, word)
        if word.casefold() == "gm" and (power := find_side(game, "g")):
            return because("press-to-gm", power=power.name)
        if found is None:
            if near := near_powers(game, word):
                return because("press-to-near", word=word, game=game.name, near=tuple(near))
            return because("press-to-unknown", word=word, game=game.name)
        named.update(dict.fromkeys(found))
    if not all_but:
        return tuple(named)
    begun = game.state is not GameState.FORMING
    powers = game.table.alive() if begun else tuple(side.name for side in sides_of(game))
    left = tuple(power for power in powers if power not in named)
    return left or because("press-to-nobody")


def names_meant(game: Game, word: str) -> tuple[str, ...] | None:
    """Return the readers a word means, or None."""
    if word.casefold() in WORDS:
        return (WORDS[word.casefold()],)
    side = find_side(game, word)
    if side:
        return (side.name,)
    letters = {**{s.letter: s.name for s in sides_of(game)}, **_LETTERS}
    upper = word.upper()
    return tuple(letters[one] for one in upper) if set(upper) <= set(letters) else None
