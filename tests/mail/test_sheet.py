"""Mails as commands: every form of `sheets.tsv`, and invariants of any text."""

from dataclasses import fields
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from lark.lexer import PatternStr

from judge.mail.language import mail_parser as sheet_reading
from judge.mail.language.commands import MAX_COMMAND
from judge.mail.language.mail_parser import MAX_COMMANDS, MAX_ORDER_LINES
from judge.model.command import Command, ParsedMail
from judge.model.incoming import IfBlock, Line
from judge.model.order_commands import GiveOrders
from judge.model.phrase import Complaint, Phrase
from judge.model.press_commands import SendPress
from judge.model.seat_commands import Register
from judge.phrases import Phrasebook
from judge.play.commands.gm.setup import SetUp
from judge.play.commands.orders.future import Preview
from judge.play.commands.seats.signup import SignOn
from tests.language import FORMS, LANGUAGE, PRESS, read_sheet

HEADS = {"SET": "SET COMMENT BEGIN", "DIARY": "DIARY", "IMPORT": "IMPORT trial"}
"""Heads of blocks for commands whose example line begins no block."""
TABLE = Path(__file__).with_name("sheets.tsv")
ROWS = [row.split("\t") for row in TABLE.read_text(encoding="utf-8").splitlines() if "\t" in row]


def mail_of(text: str) -> list[Line]:
    """Return the lines of a mail in the notation of the table."""
    text = text.replace("\\u00a0", "\u00a0").replace("\\u200b", "\u200b")
    return lines_of(text.replace(" ⏎ ", "\n"))


def lines_of(text: str) -> list[Line]:
    """Return the numbered lines of a mail."""
    return [Line(number, line) for number, line in enumerate(text.split("\n"), 1)]


def command_words() -> list[str]:
    """Return the plain words of the grammar that begin a command."""
    parser = LANGUAGE.parser
    words = [parser.get_terminal(name).pattern for name in parser.parse_interactive("").accepts()]
    return sorted(word.value.upper() for word in words if isinstance(word, PatternStr))


def format_sheet(sheet: ParsedMail) -> str:
    """Return a sheet in the notation of the table."""
    parts = [command_told(command) for command in sheet.commands]
    parts += [complaint_told(complaint) for complaint in sheet.complaints]
    if sheet.unread:
        parts.append(f"unread={sheet.unread}")
    return " | ".join(parts)


def command_told(command: Command) -> str:
    """Return a command as its name and each non-empty field."""
    said = []
    for field in fields(command):
        value = getattr(command, field.name)
        if field.name in ("line", "text") or value in ("", (), False):
            continue
        if isinstance(command, GiveOrders | Preview | SetUp) and field.name == "lines":
            value = tuple(line.text for line in command.lines)
        if isinstance(value, IfBlock):
            value = choice_told(value)
        if isinstance(value, tuple):
            value = "+".join(map(str, value))
        said.append(f"{field.name}={value}")
    return " ".join([type(command).__name__, *said])


def choice_told(choice: IfBlock) -> str:
    """Return an IF block as [test ? lines : other lines]."""
    then, otherwise = (
        "+".join(choice_told(each) if isinstance(each, IfBlock) else each.text for each in body)
        for body in (choice.then, choice.otherwise)
    )
    return f"[{choice.test.text} ? {then} : {otherwise}]"


def complaint_told(complaint: Complaint) -> str:
    """Return a complaint as line, code, facts, text with a caret, and suggestions."""
    facts = "".join(
        f" {name}={value.code if isinstance(value, Phrase) else value}"
        for name, value in complaint.reason.facts.items()
    )
    text = complaint.text
    if complaint.column is not None:
        text = f"{text[: complaint.column]}^{text[complaint.column :]}"
    hints = "".join(f" → {hint}" for hint in complaint.suggestions)
    return f"!{complaint.line} {complaint.reason.code}{facts} “{text}”{hints}"


@pytest.mark.parametrize(("mail", "expected"), ROWS)
def test_mails_are_read_as_listed_in_the_table(mail: str, expected: str) -> None:
    assert format_sheet(read_sheet(mail_of(mail))) == expected


def test_every_complaint_of_the_table_has_its_phrase() -> None:
    book = Phrasebook()
    complaints = [one for mail, _ in ROWS for one in read_sheet(mail_of(mail)).complaints]
    assert all(book.render(one.reason) for one in complaints)
    assert len({one.reason.code for one in complaints}) > 15


@pytest.mark.parametrize("word", sorted(FORMS))
def test_every_form_shown_to_players_is_readable(word: str) -> None:
    end = {"REGISTER": "END", "OFFICIAL": "ENDOFFICIAL", "SETUP": "ENDSETUP"}.get(word, "")
    end = "ENDPRESS" if word in (*PRESS, "STATEMENT", "EOG") else end
    sheet = read_sheet(lines_of(f"{FORMS[word]}\n{end}"))
    assert sheet.commands and not sheet.complaints


@pytest.mark.parametrize("word", list(command_words()))
def test_every_command_word_has_a_form_or_is_not_suggested(word: str) -> None:
    foreign = {"end-without-beginning"}
    ends = {
        "DIARY": "ENDPRESS", "REGISTER": "END", "OFFICIAL": "ENDOFFICIAL", "SETUP": "ENDSETUP",
    }
    mail = f"{word}\n{ends.get(word, '')}"
    codes = {one.reason.code for one in read_sheet(lines_of(mail)).complaints}
    assert (word in FORMS) != any(code in foreign or code.startswith("old-") for code in codes)


@pytest.mark.parametrize("head, end, limit", [
    (FORMS[word] if word not in HEADS else HEADS[word], form.end, form.max_lines)
    for word, form in LANGUAGE.blocks.items() if word != "IF"
])
@pytest.mark.slow
def test_a_block_too_long_is_refused_as_a_whole(head: str, end: str, limit: int) -> None:
    for count, codes in ((limit, set()), (limit + 1, {"block-too-long"})):
        body = ["game x", *["Zone: x"] * (count - 1)]
        sheet = read_sheet(lines_of("\n".join([head, *body, end, "STATUS"])))
        found = {one.reason.code for one in sheet.complaints}
        assert found - {"register-line", "setup-line"} == codes, head
        assert sheet.commands[-1].text == "STATUS"


def test_fields_of_register_count_as_commands() -> None:
    block = "\n".join(["REGISTER", *["Zone: x"] * 99, "END\n"])
    sheet = read_sheet(lines_of(block * 30))
    fields = [one for each in sheet.commands if isinstance(each, Register) for one in each.fields]
    assert len(fields) == 99 * (MAX_ORDER_LINES // 100)
    assert [one.reason.code for one in sheet.complaints] == ["mail-too-long"]


def test_a_press_body_is_passed_on_unchanged() -> None:
    body = ["", "  A Par – Bur ", "\u200bSIGNON\u00a0x; #;", "Press on to F", "\t// — “”"]
    sheet = read_sheet(lines_of("\n".join(["PRESS TO F", *body, "ENDPRESS"])))
    (press,) = sheet.commands
    assert isinstance(press, SendPress)
    assert list(press.body) == body


def test_line_numbers_are_those_of_the_mail() -> None:
    lines = [Line(4, "SIGNON Nmarco pw"), Line(9, "A Del - Kas"), Line(30, "A x; SET WAIT")]
    sheet = read_sheet(lines)
    assert [command.line for command in sheet.commands] == [4, 9, 30]


def test_a_line_too_long_for_a_command_is_refused() -> None:
    (complaint,) = read_sheet(lines_of("SET COMMENT " + "x" * 2000)).complaints
    assert complaint.reason.code == "command-too-long"


def test_commands_and_mails_are_limited_in_length(monkeypatch: pytest.MonkeyPatch) -> None:
    long = "SET COMMENT ".ljust(MAX_COMMAND, "x")
    assert not read_sheet(lines_of(long)).complaints
    [complaint] = read_sheet(lines_of(f"{long}x")).complaints
    assert complaint.reason.code == "command-too-long"
    monkeypatch.setattr(sheet_reading, "MAX_ORDER_LINES", 4)
    four = "SIGNON Fmarco pw\nPRESS TO G\nA line\nand another\nENDPRESS\nA Par H; A Mar H\n"
    assert not read_sheet(lines_of(four)).complaints
    [complaint] = read_sheet(lines_of(f"{four}F Bre H")).complaints
    assert (complaint.reason.code, complaint.line) == ("mail-too-long", 7)


@pytest.mark.parametrize("text", ["A Par - Bur", "x;" * 50])
def test_a_mail_of_too_many_lines_is_read_in_part_and_reported(text: str) -> None:
    sheet = read_sheet(lines_of("\n".join([text] * 3000)))
    many = MAX_ORDER_LINES // len(text.strip(";").split(";"))
    assert "mail-too-long" in [complaint.reason.code for complaint in sheet.complaints]
    assert sheet.unread == 3000 - many


@pytest.mark.parametrize("text", ["SET WAIT", "SIGNON", "IF x THEN y"])
def test_a_mail_of_too_many_commands_is_read_in_part(text: str) -> None:
    sheet = read_sheet(lines_of("\n".join([text] * 3000)))
    assert "mail-too-many-commands" in [complaint.reason.code for complaint in sheet.complaints]
    assert sheet.unread == 3000 - MAX_COMMANDS


VOCABULARY = st.sampled_from(
    "SIGNON SINGON JOIN CREATE OBSERVE RESIGN SET NO PASSWORD PRESS PRES TO ALL BUT BROADCAST"
    " ENDPRESS SIGNOFF LIST HISTORY FROM LINES PROCESS S1901M IF THEN ELSE ENDIF PHASE F1905M"
    " PREVIEW ENDPREVIEW OPTIONS REPLACE CLEAR DIARY REGISTER"
    " END HELP VOTE Nmarco ?marco ? india@marco marco A F Par Bur - -> H S ; # // \" , . ! 48"
    " \u200b \u00a0 “ – ﻿ É ＳＥＴ ݁".split(" ")
)
ANY_LINE = st.one_of(
    st.text(max_size=40), st.lists(VOCABULARY, max_size=8).map(" ".join)
)


def is_left_of(text: str, whole: str) -> bool:
    """Return whether a text is another one without some of its characters."""
    rest = iter(whole)
    return all(letter in rest for letter in text)


def octets_of(text: str) -> str:
    """Return the octets of UTF-8 that was decoded as Windows-1252, as characters."""
    return "".join(
        character.encode("cp1252", "ignore").decode("latin-1") or character for character in text
    )


@given(st.lists(ANY_LINE, max_size=12), st.booleans())
@example(["0*A*"], False)
@example(["\xc3\x80"], False)
def test_any_text_is_read_and_order_lines_are_from_the_mail(texts: list[str], reply: bool) -> None:
    lines = [Line(number, text) for number, text in enumerate(texts, 1)]
    sheet = read_sheet(lines, press_reply=reply)
    last = 0
    for command in sheet.commands:
        assert command.line >= last
        last = command.line
        if isinstance(command, GiveOrders):
            # Backslashes and marks of emphasis are removed, and misread UTF-8 is repaired.
            assert all(
                is_left_of(line.text, whole)
                or is_left_of(line.text.encode().decode("latin-1"), octets_of(whole))
                for line in command.lines for whole in [texts[line.number - 1]]
            )
    for complaint in sheet.complaints:
        assert 0 < complaint.line <= len(lines)
        assert complaint.column is None or 0 <= complaint.column <= len(complaint.text)
    assert sheet.unread <= len(lines)


SECRET = st.text("QZX0123456789é–“!?@.:-", min_size=4, max_size=12).map(lambda text: f"Ω{text}Ω")
OPENING = st.tuples(
    st.sampled_from(
        "SIGNON SIGNIN LOGIN LOGON TAKEOVER JOIN CREATE OBSERVE WATCH RESIGN SINGON SGINON".split()
        + ["SIGN ON", "TAKE OVER"]
    ),
    st.sampled_from(["Nmarco", "?marco", "india@marco", "marco", "N marco", "?", "1x", "a@b", ""]),
)
MISSPELT = st.tuples(
    st.sampled_from("signn SINGON LOGINN TAKOVER JION CRAETE OBSREVE RESGIN".split()),
    st.sampled_from(["Nmarco", "?marco", "india@marco"]),
)
BEHIND = st.sampled_from(["", " ", ", A Par", " AGAIN", " x; A Par - Bur", " # me", ".", "  //"])


@given(OPENING | MISSPELT, SECRET, BEHIND)
def test_a_password_occurs_only_in_its_field(
    opening: tuple[str, str], secret: str, behind: str
) -> None:
    mail = f"{' '.join(opening)} {secret}{behind}\nSET PASSWORD {secret}\nSET PW {secret} x"
    sheet = read_sheet(lines_of(mail))
    shown = [command.text for command in sheet.commands]
    shown += [repr(complaint) for complaint in sheet.complaints]
    shown += [repr(command) for command in sheet.commands if isinstance(command, GiveOrders)]
    assert not [text for text in shown if secret in text]


@given(SECRET)
def test_a_password_is_stored_exactly_as_typed(secret: str) -> None:
    (sign_on,) = read_sheet(lines_of(f"SIGNON\u00a0Nmarco  {secret} ")).commands
    assert isinstance(sign_on, SignOn)
    assert (sign_on.password, sign_on.text) == (secret, "SIGNON\u00a0Nmarco  ***")


@given(st.lists(ANY_LINE, max_size=8))
def test_an_unclosed_block_is_neither_read_nor_shown(texts: list[str]) -> None:
    body = [text for text in texts if not ends_press(text)]
    sheet = read_sheet(lines_of("\n".join(["PRESS TO F", *(f"Ω {text}" for text in body)])))
    (complaint,) = sheet.complaints
    assert not sheet.commands
    assert "Ω" not in repr(complaint)


def ends_press(text: str) -> bool:
    """Return whether a line contains a line end."""
    return len(text.splitlines()) > 1 or "\n" in text
