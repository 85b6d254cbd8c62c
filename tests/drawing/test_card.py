"""The card of a game."""

import xml.etree.ElementTree as Tree

from hypothesis import given
from hypothesis import strategies as st

from judge.drawing.card import WORDS, Card, card_words, place_of, shares_of, wrap_text
from judge.drawing.layout import ProvinceDrawing
from judge.drawing.picture import Head, Picture
from judge.drawing.primitives import Text, text_width
from judge.drawing.svg import card_svg
from tests.drawing.small import small_base

BOARD = ProvinceDrawing(Picture(small_base(), Head("marco", "Spring")))
TEXTS = st.text("aWi <&\"…é", max_size=300)


@given(TEXTS, TEXTS)
def test_card_texts_stay_in_their_column_and_are_escaped(title: str, sentence: str) -> None:
    shares = tuple((chr(65 + n), n, title) for n in range(12))
    card = Card(title, "Standard", sentence, shares)
    for ink in card_words(card).inks:
        if isinstance(ink, Text) and ink.anchor == "start":
            assert text_width(ink.text, ink.size, ink.bold) <= WORDS + 1
            assert 0 < ink.y < 630
    root = Tree.fromstring(card_svg(BOARD, card))
    assert not [element for element in root.iter() if element.tag.endswith("script")]


def test_the_board_is_drawn_unchanged_on_the_card() -> None:
    place, (width, height) = place_of(BOARD), BOARD.size
    assert abs(place.width / place.height - width / height) < 0.01
    assert place.x > WORDS and place.x + place.width <= 1200 and place.y + place.height <= 630


def test_a_long_sentence_is_cut_and_shares_are_sorted() -> None:
    lines = wrap_text("word " * 200, 25)
    assert len(lines) == 6 and lines[-1].endswith("…")
    counts = [("Austria", "A", 0, 0), ("France", "F", 3, 5), ("Italy", "I", 6, 9)]
    assert [told for *_, told in shares_of(counts)] == ["Italy 9", "France 5"]
