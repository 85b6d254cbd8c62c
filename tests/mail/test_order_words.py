"""Words claimed by a game are orders wherever one of its seats is open.

Two games of this table have words of their own, as in Nations. A third has none.
"""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.model.command import ParsedMail
from judge.model.incoming import Line
from judge.model.order_commands import Conditional, GiveOrders
from judge.model.order_words import (
    ALWAYS_COMMANDS,
    NO_ORDER_WORDS,
    OpenedSeat,
    OrderWords,
    find_conflict,
)
from judge.model.press_commands import SendPress
from judge.play.commands.orders.future import Preview
from tests.language import FORMS, read_sheet

NATIONS = OrderWords(
    frozenset({
        "MOVE", "M", "HOLD", "CLEAR", "READY", "NOTREADY", "NOTE", "WITHDRAW PACT", "FORM", "JOIN",
        "RESUME", "HISTORI", "BUILD", "MAP",
    }),
    {"ORDERS": "END", "ORDERS+": "END"},
    frozenset({"GM"}),
)


def words_of(name: str, variant: tuple[str, ...]) -> OrderWords:
    """Return the order words of the games of these tests."""
    return NATIONS if name in ("n40a", "n40b") or "nations" in variant else NO_ORDER_WORDS


def read_commands(mail: str, opened: OpenedSeat | None = None, reply: bool = False) -> list[str]:
    """Return the result of a mail: commands by name, orders as passed to the game."""
    return format_sheet(read_sheet(
        [Line(n, text) for n, text in enumerate(mail.strip("\n").split("\n"), 1)],
        press_reply=reply, words_of=words_of, opened=opened,
    ))


def format_sheet(sheet: ParsedMail) -> list[str]:
    """Return a sheet line by line."""
    found: list[tuple[int, list[str]]] = []
    for command in sheet.commands:
        match command:
            case GiveOrders(lines=lines):
                found.append((command.line, [f"| {line.text}" for line in lines]))
            case Preview(lines=lines):
                found.append((command.line, ["Preview", *(f"| {one.text}" for one in lines)]))
            case Conditional(choice=choice):
                lines = tuple(choice.lines())
                found.append((command.line, ["Conditional", *(f"| {one.text}" for one in lines)]))
            case SendPress(body=body):
                found.append((command.line, ["SendPress", *(f"> {text}" for text in body)]))
            case _:
                found.append((command.line, [type(command).__name__]))
    found += [(one.line, [f"!{one.reason.code}"]) for one in sheet.complaints]
    return [text for _, texts in sorted(found, key=lambda each: each[0]) for text in texts]


ROWS = [
    # A whole turn has comments and marks of the game.
    ("""
SIGNON BRI@n40a pw
ORDERS n40a T14
WAR DAN                     ; immediate
M 1 #20 -> #40  // north
#21 -> #22

WITHDRAW PACT EGY
CLEAR #20
READY
NOTE say; "HELP" is a word
END
STATUS
""", ["SignOn", "| ORDERS n40a T14", "| WAR DAN                     ; immediate",
      "| M 1 #20 -> #40  // north", "| #21 -> #22", "| WITHDRAW PACT EGY", "| CLEAR #20", "| READY",
      '| NOTE say; "HELP" is a word', "| END", "Status"]),
    # The same words appear without a block, without a seat, and at a seat of a game without words.
    ("SIGNON BRI@n40a pw\nclear #20; x\nWithdraw  Pact EGY\nWITHDRAW\nHISTORI of it",
     ["SignOn", "| clear #20; x", "| Withdraw  Pact EGY", "Resign", "| HISTORI of it"]),
    ("CLEAR\nREADY", ["Clear", "Ready"]),
    ("SIGNON Nmarco pw\nCLEAR\nREADY\nM 1\nEND\nFORM HQ",
     ["SignOn", "Clear", "Ready", "| M 1", "!end-without-beginning", "!old-form"]),
    ("SIGNON BRI@n40a pw\nCLEAR #1\nSIGNON Nmarco pw\nCLEAR\nSIGNON BRI@n40b pw\nCLEAR #2",
     ["SignOn", "| CLEAR #1", "SignOn", "Clear", "SignOn", "| CLEAR #2"]),
    ("SIGNON BRI@n40a pw; M 1 #20; CLEAR #1", ["SignOn", "| M 1 #20; CLEAR #1"]),
    ("SIGNON BRI@n40a pw; ORDERS n40a\nSTATUS\nMAP\nEND.\nMAPLE",
     ["SignOn", "| ORDERS n40a", "Status", "| MAP", "| END.", "| MAPLE"]),
    # A digit may follow a word directly, a letter may not.
    ("SIGNON BRI@n40a pw\nM1 -> #20\nMAPLE\nBUILD",
     ["SignOn", "| M1 -> #20", "| MAPLE", "| BUILD"]),
    # Common commands work in a block too, and press is never orders.
    ("""
SIGNON BRI@n40a pw
ORDERS+ n40a
PRESS TO F
ORDERS
END
CLEAR
ENDPRESS
SET WAIT
VOTE DRAW
CLEAR #9
SIGNON Nmarco pw
CLEAR
""", ["SignOn", "| ORDERS+ n40a", "SendPress", "> ORDERS", "> END", "> CLEAR", "ChangeSetting",
      "Vote", "| CLEAR #9", "SignOn", "Clear"]),
    ("SIGNON BRI@n40a pw\nORDERS\nCLEAR #1\nSIGNOFF\nM 2",
     ["SignOn", "| ORDERS", "| CLEAR #1", "SignOff"]),
    ("SIGNON BRI@n40a pw\nORDERS\nTAKEOVER Nmarco pw\nCLEAR",
     ["SignOn", "| ORDERS", "Takeover", "Clear"]),
    ("SIGNON BRI@n40a pw\nORDERS\nTAKEOVER #20\nJOIN marco pw\nCLEAR",
     ["SignOn", "| ORDERS", "| TAKEOVER #20", "| JOIN marco pw", "| CLEAR"]),
    ("SIGNON BRI@n40a pw\nORDERS\nSIGNON\nCLEAR",
     ["SignOn", "| ORDERS", "!game-missing", "!after-failed-sign-on"]),
    ("SIGNON BRI@n40a pw\nORDERS\nRESIGN india@marco pw\nCLEAR",
     ["SignOn", "| ORDERS", "SignOn", "Resign", "Clear"]),
    ("RESIGN india@n40a pw\nCLEAR #1", ["SignOn", "Resign", "| CLEAR #1"]),
    # All ways to open a seat.
    ("JOIN n40a pw\nREADY", ["Join", "| READY"]),
    ("SIGNON ?n40a pw\nREADY", ["Join", "| READY"]),
    ("SIGNON ? pw\nREADY", ["Join", "Ready"]),
    ("CREATE ?egypt pw nations\nREADY\nSIGNON Nmarco pw\nREADY\nJOIN egypt pw\nREADY",
     ["Create", "| READY", "SignOn", "Ready", "Join", "| READY"]),
    ("CREATE ?egypt pw standard\nREADY", ["Create", "Ready"]),
    ("TAKEOVER BRI@n40a pw\nREADY", ["Takeover", "| READY"]),
    ("OBSERVE n40a\nREADY", ["Observe", "| READY"]),
    ("SIT bri@n40a\nREADY", ["Sit", "| READY"]),
    ("IMPORT trial n40a\nHOLD #1", ["Import", "| HOLD #1"]),
    ("SIGNON Mn40a pw\nRENAME n41\nCLEAR #1\nSIGNON BRI@n41 pw\nCLEAR #2",
     ["SignOn", "Rename", "| CLEAR #1", "SignOn", "| CLEAR #2"]),
    # A master keeps the commands of masters at the own seat.
    ("SIGNON Mn40a pw\nRESUME\nCLEAR #1\nBECOME BRI\nRESUME #1\nBECOME MASTER\nRESUME",
     ["SignOn", "Resume", "| CLEAR #1", "Become", "| RESUME #1", "Become", "Resume"]),
    ("SIGNON GM@n40a pw\nGM n40a PROCESS; gm N40A: CLEAR #1\nGM n40b PAUSE\nGM n40a EVENT storm",
     ["SignOn", "Process", "| CLEAR #1", "| GM n40b PAUSE", "| GM n40a EVENT storm"]),
    ("SIGNON BRI@n40a pw\nGM n40a PROCESS", ["SignOn", "| GM n40a PROCESS"]),
    # These are blocks of the judge: no order opens one, and orders in them close none.
    ("SIGNON BRI@n40a pw\nPREVIEW\nCLEAR #1\nORDERS\nSTATUE\nEND\nM 2\nENDPREVIEW\nREADY",
     ["SignOn", "Preview", "| CLEAR #1", "| ORDERS", "| STATUE", "| END", "| M 2", "| READY"]),
    ("SIGNON BRI@n40a pw\nIF DAN\nCLEAR 1\nENDIF", ["SignOn", "Conditional", "| CLEAR 1"]),
    ("SIGNON Nmarco pw\nIF DAN\nCLEAR\nENDIF", ["SignOn", "!block-holds-command"]),
    ("TEXT; SIGNON BRI@n40a pw; HOLD #1", ["| TEXT", "SignOn", "| HOLD #1"]),
]


@pytest.mark.parametrize(("mail", "expected"), ROWS)
def test_words_claimed_by_a_game_are_orders_at_its_seats(mail: str, expected: list[str]) -> None:
    assert read_commands(mail) == expected


OPENED = [
    ("CLEAR #1\nRESUME", OpenedSeat("n40a"), ["| CLEAR #1", "| RESUME"]),
    ("CLEAR #1\nRESUME", OpenedSeat("n40a", is_masters=True), ["| CLEAR #1", "Resume"]),
    ("GM n40a: PAUSE", OpenedSeat("n40a", is_masters=True), ["Pause"]),
    ("CLEAR", OpenedSeat("marco"), ["Clear"]),
    ("ORDERS\nEND", OpenedSeat("n40a"), ["| ORDERS", "| END"]),
]


@pytest.mark.parametrize(("mail", "opened", "expected"), OPENED)
def test_an_answered_letter_opens_its_seat(
    mail: str, opened: OpenedSeat, expected: list[str]
) -> None:
    assert read_commands(mail, opened) == expected


def test_orders_alone_are_no_commands_in_a_press_reply() -> None:
    seat = OpenedSeat("n40a")
    assert read_commands("CLEAR\nREADY", seat, reply=True) == ["SendPress", "> CLEAR", "> READY"]
    assert read_commands("CLEAR\nREADY", reply=True) == ["!press-or-commands"]


LINES = st.lists(st.sampled_from([
    *FORMS.values(), "END", "ENDPRESS", "ENDIF", "ENDPREVIEW", "A Vie - Tyr", "PRESS TO ALL",
    "ORDERS", "M 1 #20; x", "SIGNON BRI@n40a pw", "GM n40a CLEAR #1", "HISTORI", "", "prose; more",
]), max_size=12)


@given(LINES)
def test_nothing_changes_without_claimed_words(texts: list[str]) -> None:
    lines = [Line(n, text) for n, text in enumerate(texts, 1)]
    nobody = read_sheet(lines, words_of=lambda *_: NO_ORDER_WORDS, opened=OpenedSeat("marco"))
    assert nobody == read_sheet(lines)


@given(LINES)
def test_every_line_of_a_seat_is_read_once(texts: list[str]) -> None:
    lines = [Line(n, text) for n, text in enumerate(texts, 1)]
    sheet = read_sheet(lines, words_of=words_of, opened=OpenedSeat("n40a"))
    orders = [one for each in sheet.commands if isinstance(each, GiveOrders) for one in each.lines]
    assert len(orders) == len(set(orders))
    assert all(one.text in lines[one.number - 1].text for one in orders)
    assert [one.number for one in orders] == sorted(one.number for one in orders)


@pytest.mark.parametrize("words", [
    *(OrderWords(frozenset({word.lower()})) for word in ALWAYS_COMMANDS),
    OrderWords(frozenset({"SET FORT"})), OrderWords(frozenset({"SIGN"})),
    OrderWords(frozenset({"POSTAL", "End"})), OrderWords(blocks={"Help me": "END"}),
    OrderWords(blocks={"ORDERS": "end press"}), OrderWords(masters=frozenset({"vote"})),
    OrderWords(frozenset({" "})),
], ids=lambda words: "-".join(sorted(words.reserved_words())))
def test_no_game_may_claim_common_commands(words: OrderWords) -> None:
    assert find_conflict(words)
    assert not find_conflict(NATIONS)
