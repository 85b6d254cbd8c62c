"""Conditions of orders for later phases."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scenes import position

from judge.board.map import UnitKind
from judge.games.diplomacy.boards import board
from judge.games.diplomacy.language.future_orders import (
    Both,
    Either,
    Not,
    ParsedCondition,
    Test,
    UnitAt,
    evaluate,
    read_test,
    text_of,
)
from judge.model.phrase import Phrase

STANDARD, YOUNGSTOWN = board("standard"), board("youngstown")
HERE = position(STANDARD, "M", "France: A BUR, F MAO; England: F ENG, F STP/NC")


def meant(text: str, on: str = "standard") -> Test:
    found = read_test(text, board(on))
    assert isinstance(found, ParsedCondition), found
    return found.test


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("A Bur", "A BUR"),
        ("Burgundy", "BUR"),
        ("my army in Burgundy", "A BUR"),
        ("English eng", "England ENG"),
        ("eng and bre", "ENG AND BRE"),
        ("not A Bur and F Mao", "NOT A BUR AND F MAO"),
        ("A Bur or A Gas and A Mar", "(A BUR OR A GAS) AND A MAR"),
        ("A Bur or (A Gas and A Mar)", "A BUR OR (A GAS AND A MAR)"),
        ("not (French army Bur or F Mao) & Eng", "NOT (France A BUR OR F MAO) AND ENG"),
        ("F StP/nc or F StP (south coast)", "F STP/NC OR F STP/SC"),
    ],
)
def test_a_condition_is_read_from_left_to_right(text: str, canonical: str) -> None:
    assert text_of(meant(text)) == canonical


def test_and_is_a_sea_at_the_position_of_a_place() -> None:
    test = meant("And and eng and F And", "youngstown")
    assert text_of(test) == "AND AND ENG AND F AND"


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "condition-missing"),
        ("A Bur and", "condition-unfinished"),
        ("(A Bur", "condition-unfinished"),
        ("A Bur)", "unexpected-word"),
        ("Bur Mar", "unexpected-word"),
        ("A Xyz", "unknown-place"),
        ("A Bru", "unknown-place"),
        ("Bur " * 60, "condition-too-long"),
    ],
)
def test_a_fault_in_a_condition_is_reported(text: str, code: str) -> None:
    found = read_test(text, STANDARD)
    assert isinstance(found, Phrase) and found.code == code


def test_a_long_word_is_repaired_with_a_note() -> None:
    assert read_test("A Burgndy", STANDARD) == ParsedCondition(UnitAt("Bur", UnitKind.ARMY), True)
    assert read_test("not A Bur", STANDARD) == ParsedCondition(Not(UnitAt("Bur", UnitKind.ARMY)))


@pytest.mark.parametrize(
    ("text", "is_so"),
    [
        ("Bur", True),
        ("A Bur", True),
        ("F Bur", False),
        ("French Bur", True),
        ("English Bur", False),
        ("Par", False),
        ("not Par", True),
        ("Bur and Par", False),
        ("Bur or Par", True),
        ("F StP", True),
        ("F StP/nc", True),
        ("F StP/sc", False),
        ("not (Par or Bur) or Mao", True),
    ],
)
def test_a_condition_is_evaluated_on_the_position(text: str, is_so: bool) -> None:
    assert evaluate(meant(text), HERE) is is_so


def test_a_dislodged_unit_does_not_satisfy_a_condition() -> None:
    beaten = position(STANDARD, "R", "Germany: A BUR; dislodged France: A BUR")
    assert not evaluate(meant("French A Bur"), beaten)
    assert evaluate(meant("German A Bur"), beaten)


STANDS = st.builds(
    UnitAt, st.sampled_from(["Bur", "StP/nc", "StP", "Eng", "MAO"]),
    st.sampled_from([None, UnitKind.FLEET]), st.sampled_from(["", "France", "England"]),
)
TESTS = st.recursive(
    STANDS,
    lambda inner: st.one_of(
        st.builds(Not, inner), st.builds(Both, inner, inner), st.builds(Either, inner, inner)
    ),
    max_leaves=6,
)


@given(TESTS)
def test_the_text_of_a_condition_is_read_as_the_condition(test: Test) -> None:
    found = read_test(text_of(test), STANDARD)
    assert found == ParsedCondition(test) or isinstance(found, Phrase) and len(text_of(test)) > 80


VOCABULARY = "and or not ( ) eng english A F bur / nc xyz".split()
WORDS = st.lists(st.sampled_from(VOCABULARY), max_size=45)


@given(WORDS)
def test_any_words_are_a_condition_or_an_error(words: list[str]) -> None:
    found = read_test(" ".join(words), YOUNGSTOWN)
    assert isinstance(found, ParsedCondition | Phrase)
