"""Examples of the command language: beginnings, masking and guesses."""

import pytest

from judge.mail.language.blocks import split_blocks
from judge.mail.language.open_seat import OpenSeat
from judge.mail.language.segments import split_line
from judge.mail.language.suggestions import suggest
from judge.mail.language.unclosed_press import Evidence, UnclosedPress
from judge.mail.language.vocabulary import near_end_of_press
from judge.mail.outbound.third_party_text import quote_prose
from judge.model.incoming import Line
from judge.model.order_commands import Heading
from judge.model.phrase import Complaint
from tests.language import LANGUAGE, quoted, read_sheet, swallowed


@pytest.mark.parametrize(
    ("plain", "word"),
    [("sign  on Nmarco pw", "SIGN ON"), ("SETNOWAIT", "SET"), ("setting out", "")],
)
def test_a_command_is_recognised_by_its_first_word(plain: str, word: str) -> None:
    assert LANGUAGE.first_word(plain) == word


@pytest.mark.parametrize(
    ("plain", "words"), [("SIGN ON Nmarco pw", 2), ("SINGON ?marco pw", 1), ("?marco pw", 0)]
)
def test_the_length_of_a_command_includes_misspelt_words(plain: str, words: int) -> None:
    assert LANGUAGE.command_length(plain) == words


@pytest.mark.parametrize(
    ("word", "rest", "shown"),
    [
        ("SIGNON", ["Nmarco", "pw"], 1),
        ("JOIN", ["my", "long", "pw"], 0),
        ("SET", ["PASSWORD", "new", "one"], 0),
        ("LIST", ["marco", "pw"], 1),
    ],
)
def test_a_possible_password_is_not_shown(word: str, rest: list[str], shown: int) -> None:
    assert LANGUAGE.shown_words(word, rest) == shown


@pytest.mark.parametrize(
    ("word", "rest", "form"),
    [
        ("SIGNON", ["N", "marco", "secret"], "SIGNON Nmarco password"),
        ("LOGIN", ["my", "secret", "word"], "SIGNON Nmarco password"),
        ("PROCESS", ["F1902M"], "PROCESS F1902M"),
        ("PROCESS", ["at", "once"], "PROCESS"),
        ("TAKEOVER", ["india@ob10", "secret"], "TAKEOVER india@ob10 password"),
    ],
)
def test_the_shown_form_matches_the_line(word: str, rest: list[str], form: str) -> None:
    assert LANGUAGE.usage_of(word, rest) == form


@pytest.mark.parametrize(
    ("plain", "word"),
    [("SINGON Nmarco pw", "SIGNON"), ("india@marco pw", "SIGNON"), ("Persia - Ira", ""),
     ("London sits tight", ""), ("Logonia nach Paris", "")],
)
def test_a_misspelt_command_is_guessed(plain: str, word: str) -> None:
    assert LANGUAGE.guess_command(plain) == word


@pytest.mark.parametrize(
    ("word", "limit", "near"),
    [("brodcast", 1, "BROADCAST"), ("STATSU", 1, "STATUS"), ("waive", 2, ""), ("JION", 1, "JOIN")],
)
def test_one_command_is_the_closest(word: str, limit: int, near: str) -> None:
    assert LANGUAGE.nearest(word, limit) == near


@pytest.mark.parametrize(
    ("plain", "opens"),
    [
        ("PRES TO F", "PRESS"), ("BRODCAST", "BROADCAST"), ("Prussia hold", ""),
        ("POSTAL PRES", "POSTAL PRESS"), ("DAIRY", "DIARY"), ("Dairy farms", ""),
    ],
)
def test_a_misspelt_press_head_opens_press(plain: str, opens: str) -> None:
    assert LANGUAGE.near_press(plain) == opens


@pytest.mark.parametrize(("plain", "meant"), [
    ("MAPP text", ("MAP text",)), ("MAPP marco", ()), ("LISST marco", ("LIST marco",)),
    ("LISST marco full", ()),
])
def test_a_misspelt_short_command_gets_suggestions(plain: str, meant: tuple[str, ...]) -> None:
    told = suggest(LANGUAGE, split_line(Line(1, plain))[0])
    assert (told.suggestions if isinstance(told, Complaint) else ()) == meant


def test_only_seat_openings_count_after_a_failed_sign_on() -> None:
    """BECOME needs an open seat, and OBSERVE opens one in addition."""
    opening = {kind.name for kind in LANGUAGE.kinds if kind.value in LANGUAGE.openings}
    assert opening == {"SIGNON", "CREATE", "JOIN", "TAKEOVER"}
    for line in ("BECOME France", "OBSERVE marco", "STATUS", "SET WAIT"):
        sheet = read_sheet([Line(1, "SIGNON"), Line(2, line), Line(3, "SIGNON Nmarco pw")])
        assert [type(command).__name__ for command in sheet.commands] == ["SignOn"]


def test_a_sheet_has_commands_and_orders_in_sequence() -> None:
    sheet = read_sheet([Line(1, "SIGNON Nmarco pw; A Del - Kas"), Line(2, "SET NOWAIT")])
    names = [type(command).__name__ for command in sheet.commands]
    assert names == ["SignOn", "GiveOrders", "ChangeSetting"]


def test_a_reply_to_press_ends_with_signoff() -> None:
    lines = [Line(3, "Agreed."), Line(4, "SIGNOFF"), Line(5, "Ann")]
    assert read_sheet(lines, press_reply=True).unread == 1


def test_quotes_and_drafts_are_not_shown_as_unordered_lines() -> None:
    lines = [Line(n, text) for n, text in enumerate(("> A Vie H", "Hello", "A Vie - ...", "Ann"))]
    assert quote_prose(LANGUAGE, lines) == ("Hello", "Ann")


def test_a_block_is_one_part_of_a_mail() -> None:
    lines = [
        Line(1, "A Del - Kas; PRESS TO F"), Line(2, "Hi!"), Line(3, "ENDPRESS"), Line(4, ""),
        Line(5, "STATUS"),
    ]
    parts = split_blocks(LANGUAGE, lines, OpenSeat(LANGUAGE))
    assert [type(part).__name__ for part in parts] == ["CommandLine", "Block", "CommandLine"]


def test_the_name_of_a_phase_resembles_a_heading() -> None:
    told = suggest(LANGUAGE, split_line(Line(1, "F1901M: A Sik - Tib"))[0])
    assert isinstance(told, Heading) and told.rest == "A Sik - Tib"
    heading = suggest(LANGUAGE, split_line(Line(1, "S1901M"))[0])
    assert isinstance(heading, Heading)
    assert heading.words == "S1901M"


def test_a_secret_in_press_counts_first() -> None:
    assert swallowed(["Hello!", "SIGNON Nmarco secret", "PRESS TO G"]).sign is Evidence.SECRET
    assert swallowed(["Join marco with me"]).names == ("marco", "arco", "with", "ith")
    assert swallowed(["Hello all,", "press on, and sign nothing."]) == UnclosedPress()


def test_a_possible_password_is_not_quoted() -> None:
    lines = [Line(3, "Hello!"), Line(4, ""), Line(5, "SIGNON Nmarco pw"), Line(6, "pw: x")]
    assert quoted(lines) == ("Hello!", "***", "***")


@pytest.mark.parametrize("line, is_near", [
    ("ENDPRESS", True), ("ENDPRE", True), ("ENDPR", False), ("END PRESS", True),
    ("endbroadcas", True), ("ENDPRES x", True), ("ENDPRE x", False), ("End pres.", True),
    ("End, pres.", False), ("", False), ("  ", False), ("x ENDPRESS", True), ("xx ENDPRESS", False),
    ("ENDPRES " + "x" * 32, True), ("ENDPRES " + "x" * 33, False), ("END x PRESS", False),
])
def test_a_misspelt_end_of_press_is_recognised(line: str, is_near: bool) -> None:
    assert near_end_of_press(line) is is_near


@pytest.mark.parametrize("line, command", [
    ("SIGNNO Nmarco pw", "SIGNON"), ("Nmarco@x pw", ""), ("France@marco pw", "SIGNON"),
    ("?marco pw", "SIGNON"), ("JOIM marco pw", "JOIN"), ("JOM marco pw", ""),
    ("LISST marco", ""), ("SIGNONN Nmarco pw", "SIGNON"),
    ("PROCES", "PROCESS"), ("hello", ""), ("", ""),
])
def test_a_line_resembles_a_command(line: str, command: str) -> None:
    assert LANGUAGE.guess_command(line) == command
