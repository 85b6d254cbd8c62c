"""The command grammar and the loader of grammars."""

import logging

import lark
import pytest

from judge.errors import DataError
from judge.grammar_loader import load_grammar, parser_of
from tests.language import LANGUAGE


@pytest.fixture
def conflicts(caplog: pytest.LogCaptureFixture) -> pytest.LogCaptureFixture:
    """Collect the log of Lark, which only mentions the conflicts that it resolves."""
    caplog.set_level(logging.DEBUG, logger=lark.logger.name)
    return caplog


def test_the_command_grammar_has_no_conflict(
    conflicts: pytest.LogCaptureFixture,
) -> None:
    load_grammar.__wrapped__("mail", LANGUAGE.added, debug=True)
    assert not conflicts.records


def test_conflicts_resolved_by_lark_are_detected(conflicts: pytest.LogCaptureFixture) -> None:
    parser_of("toy", 'start: x+\nx: "a" x?', debug=True)
    assert "Shift/Reduce" in conflicts.text


def test_a_grammar_is_loaded_once() -> None:
    assert load_grammar("mail") is load_grammar("mail")
    assert load_grammar("mail") is not load_grammar("mail", propagate_positions=True)


@pytest.mark.parametrize("text", ["start: nowhere", "start: (", "start: a | b\na: \"x\"\nb: \"x\""])
def test_a_faulty_grammar_is_a_data_error(text: str) -> None:
    with pytest.raises(DataError, match="grammar toy"):
        parser_of("toy", text)


def test_a_missing_grammar_is_a_data_error() -> None:
    with pytest.raises(DataError, match="grammar nowhere"):
        load_grammar("nowhere")


@pytest.mark.parametrize(
    ("text", "readable"), [("SET WAIT", True), ("set wait", True), ("SET", False), ("A Par", False)]
)
def test_fits_agrees_with_the_grammar(text: str, readable: bool) -> None:
    assert LANGUAGE.is_command(text) is readable


@pytest.mark.parametrize(
    ("text", "begins"),
    [
        ("signon", "signon"),
        ("SIGN  ON x", "SIGN  ON"),
        ("status.", "status"),
        ("SETNOWAIT", "SET"),
        ("setting", ""),
        ("press-gang", ""),
        ("lists", ""),
        ("A Par - Bur", ""),
        ("And - Ben", ""),
        ("F: A Par - Bur", ""),
        ("endorsed", ""),
        ("end", "end"),
        ("-- ", "--"),
        ("- A Par", ""),
    ],
)
def test_commands_begin_with_whole_words(text: str, begins: str) -> None:
    assert LANGUAGE.first_word(text) == " ".join(begins.upper().split())
