"""Recipients of press: the ones left out, and the viewers of its event."""

from types import SimpleNamespace
from typing import Any

import pytest

from judge.model.phrase import Phrase
from judge.model.press_commands import WRITER
from judge.play.commands.press.press import Readers, _without
from judge.play.press import PressMessage, readers_of

OWN = 7
"""Number of the seat that writes."""


@pytest.mark.parametrize(("names", "answered", "left"), [
    (("France",), (), (("France",), (), "")),
    (("France", "Italy", "France"), (3, 3, 4), (("France", "Italy"), (3, 4), "")),
    (("Austria", "France"), (), (("France",), (), "Austria")),
    ((WRITER, "France"), (3,), (("France",), (3,), "")),
    (("Austria",), (3, OWN), ((), (3,), "Austria")),
    (("Austria",), (), None),
    ((), (OWN,), None),
    (("Austria",), (OWN,), None),
])
def test_press_omits_its_author_and_duplicates(
    names: tuple[str, ...], answered: tuple[int, ...],
    left: tuple[tuple[str, ...], tuple[int, ...], str] | None,
) -> None:
    session: Any = SimpleNamespace(seat=SimpleNamespace(id=OWN))
    found = _without(session, Readers(names, answered, 1, 1, False), "Austria")
    if left is None:
        assert isinstance(found, Phrase) and found.code == "press-to-oneself"
    else:
        assert isinstance(found, Readers)
        assert (found.names, found.answered, found.left_out) == left


@pytest.mark.parametrize(("plays", "copies", "to", "kept"), [
    (False, True, ("France",), ("France", "Italy", "Master")),
    (False, False, ("France",), ("France", "Italy")),
    (True, True, ("France",), ("France", "Italy")),
    (True, False, ("France",), ("France", "Italy")),
    (False, True, ("Italy", "Master"), ("Italy", "Master")),
])
def test_press_is_stored_for_readers_and_copied_masters(
    plays: bool, copies: bool, to: tuple[str, ...], kept: tuple[str, ...]
) -> None:
    """A master who plays reads no press of others."""
    game: Any = SimpleNamespace(chosen=SimpleNamespace(gm_plays=plays, press_copies=copies))
    sent = PressMessage(OWN, "Austria", to, (3,), "Austria", to, ("Hello.",))
    assert readers_of(game, sent, ["Italy"]) == kept
