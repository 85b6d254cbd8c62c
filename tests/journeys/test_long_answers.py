"""Limits of the length of a reply: no repetition, and named omissions."""

import re
from collections.abc import Iterator

import pytest

from judge.daemon import rate_limit
from judge.mail.language.mail_parser import MAX_COMMANDS
from judge.mail.outbound import length_limit
from tests.journeys.rig import Rig, squeeze_text, text_of

GM, ANN, ZOE = "gm@example.org", "ann@example.org", "zoe@example.org"
SIGNON = "SIGNON Fmarco annsecret\n"


@pytest.fixture(scope="module")
def begun() -> Iterator[Rig]:
    """A judge with a running game."""
    made = Rig()
    made.mail(GM, "CREATE ?marco gmsecret standard\nSTART")
    made.mail(ANN, "TAKEOVER Fmarco annsecret")
    yield made
    made.close()


def answer(rig: Rig, text: str, sender: str = ANN) -> str:
    """Mail a text and return the reply."""
    rig.mail(sender, text)
    return text_of(rig.newest[sender])


def test_equal_parts_of_a_reply_are_sent_once(rig: Rig) -> None:
    assert answer(rig, "HELP ORDERS\n" * 20, ZOE).count("\nOrders\r\n") <= 1
    told = answer(rig, SIGNON + "LIST marco\n" * 20)
    assert told.count("marco: Standard, running") == 1


def test_equal_questions_are_answered_again_after_a_change(rig: Rig) -> None:
    gm = "SIGNON Mmarco gmsecret\nLIST marco\nSET COMMENT hello\nLIST marco\nLIST marco\n"
    assert answer(rig, gm, GM).count("marco: Standard, running") == 2
    press = "BROADCAST\nHello {n}\nENDBROADCAST\nHISTORY\n"
    told = answer(rig, SIGNON + press.format(n=1) + press.format(n=2))
    assert told.count("Hello 1") == 2 and told.count("Hello 2") == 1


def test_a_long_reply_to_a_stranger_lists_lines_for_the_rest(
    rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(length_limit, "MAX_STRANGER_OCTETS", 10 * 1024)
    topics = ("ORDERS", "PRESS", "START", "MASTER", "VOTES", "CLOCKS", "HISTORY", "MAIL")
    told = answer(rig, "".join(f"HELP {topic}\n" for topic in topics), ZOE)
    assert len(told.encode()) <= 10 * 1024
    assert "omitted because this letter would be too long" in squeeze_text(told)
    left = re.findall(r"^    (HELP [A-Z]+)\r?$", told, re.MULTILINE)
    assert left and answer(rig, left[0], ZOE)
    assert "would be too long" not in squeeze_text(text_of(rig.newest[ZOE]))


def test_a_seat_has_a_higher_limit(rig: Rig) -> None:
    mail = "HELP SETTINGS\nHELP SET M\nHELP SET\nHELP CHOICES\nHELP MASTER\nHELP CLOCKS\n"
    assert "too long" not in answer(rig, SIGNON + mail)


def test_excess_complaints_are_counted(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(length_limit, "MAX_STRANGER_OCTETS", 2 * 1024)
    told = squeeze_text(answer(rig, "".join(f"EJECT {n}\n" for n in range(250)), ZOE))
    found = re.search(r"(\d+) more lines were refused, between lines (\d+) and 250", told)
    assert found and int(found[1]) + int(found[2]) == 251


@pytest.mark.slow
def test_a_long_history_begins_with_its_end(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(40):
        text = f"This is text {number}.\n" + ("many words " * 10 + "\n") * 10
        rig.mail(ANN, f"{SIGNON}BROADCAST\n{text}ENDBROADCAST")
        rig.clock.advance(hours=1 / 30)
    monkeypatch.setattr(length_limit, "MAX_SEAT_OCTETS", 24 * 1024)
    seen: set[int] = set()
    line: str | None = "HISTORY marco FROM 1 Jan 2026"
    while line:
        told = answer(rig, SIGNON + line)
        assert len(told.encode()) <= 24 * 1024
        seen |= {int(number) for number in re.findall(r"This is text (\d+)\.", told)}
        found = re.search(r"^    (HISTORY marco FROM .* TO .*?)\r?$", told, re.MULTILINE)
        assert not found or found[1] != line
        line = found[1] if found else None
    assert seen == set(range(40))


@pytest.mark.slow
def test_the_number_of_commands_of_a_mail_is_limited(rig: Rig) -> None:
    lines = [f"HELP gg{n}gg" for n in range(MAX_COMMANDS + 50)]
    told = squeeze_text(answer(rig, "\n".join(lines), ZOE))
    assert "A mail may have at most 300 commands" in told and "Ignored: 50 lines" in told
    assert f'"gg{MAX_COMMANDS - 1}gg"' in told and f'"gg{MAX_COMMANDS}gg"' not in told
    orders = SIGNON + "A Par - Bur\n" * 1500 + "STATUS\n"
    assert "at most" not in answer(rig, orders)


def test_replies_to_strangers_are_limited_from_the_first_octet(
    rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("judge.daemon.application.MAX_OCTETS_PER_ADDRESS", 64 * 1024)
    for _ in range(15):
        rig.mail(ZOE, "HELP SETTINGS\nHELP SET M\nHELP CHOICES\nHELP MASTER")
    long = sum(len(text_of(letter).encode()) for letter in rig.boxes[ZOE])
    assert 30 * 1024 < long <= 64 * 1024 < rate_limit.MAX_OCTETS_PER_ADDRESS
    assert answer(rig, SIGNON + "HELP SETTINGS")
    rig.clock.advance(hours=1.1)
    rig.boxes.clear()
    rig.mail(ZOE, "HELP")
    assert rig.boxes[ZOE]


def test_unsent_press_is_returned_up_to_a_limit(rig: Rig) -> None:
    line = "many words " * 10 + "\n"
    for count, is_returned in ((250, True), (2_000, False)):
        rig.mail(ANN, f"{SIGNON}PRESS TO NARNIA\n{line * count}ENDPRESS")
        told, long = text_of(rig.newest[ANN]), len(bytes(rig.newest[ANN]))
        assert '"NARNIA" is not a power' in squeeze_text(told)
        assert (line.strip() in told) == is_returned
        assert ("A message may have up to 32 kB" in told) != is_returned
        assert long < 5 * len(line) * min(count, 300)


def test_a_page_is_omitted_from_a_letter_that_is_too_long(
    rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = SIGNON + "HELP SETTINGS\nHELP SET M\nHELP CHOICES"
    rig.mail(ANN, asked)
    assert rig.newest[ANN].get_body(("html",)) is not None
    monkeypatch.setattr(
        length_limit, "MAX_SEAT_OCTETS", len(text_of(rig.newest[ANN]).encode()) + 100
    )
    told = answer(rig, asked)
    assert rig.newest[ANN].get_body(("html",)) is None and "too long" not in told
