"""No text of a stranger or player injects anything into a letter.

All texts that others can set contain line ends with headers behind them, control characters, markup
and template syntax. All letters are then checked octet by octet.
"""

import logging
import re
from base64 import b64encode
from collections.abc import Iterator
from email import message_from_bytes, policy
from functools import lru_cache

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from judge.model.record import MailState
from judge.terminal.log_lines import FORMAT, LogFormatter
from tests.journeys.rig import Rig, text_of
from tests.outbox import newest_out

ANN, EVE, GM = "ann@example.org", "eve@example.org", "gm@example.org"

HOSTILE = (
    "x\r\nBcc: ev1l@example.org",
    "x\nTo: ev1l@example.org\n\nev1l body",
    "x\r\n.\r\nMAIL FROM:<ev1l@example.org>",
    "x\x00\x07\x1b[2J\x1b]0;ev1l\x07\x9b\x85\u2028\u2029\x7f",
    "<script>alert('ev1l')</script><img src=x onerror=ev1l>",
    "{{ 7*191 }}{% for x in y %}{# ev1l #}{{ self.__init__.__globals__ }}",
    "%s%n%(name)s{0}{count:a|b}{game.__class__}",
    "=?utf-8?B?" + b64encode(b"x\r\nBcc: ev1l@example.org").decode() + "?=",
    "\u202eev1l\u202c\u200b\ufeff\ud800".encode("utf-8", "replace").decode("utf-8"),
    "ev1l \ue000\ue001\ue002\ue003\ue004\ue005 ev1l",
    "From ev1l\n>From ev1l\n-- \nev1l",
    "BEGIN:VCALENDAR\r\nEND:VCALENDAR",
    "'; DROP TABLE games; --",
)
"""Texts with a marker that no token contains.

Tokens consist of letters and the digits 2 to 7.
"""

KNOWN = frozenset(
    "Subject From To Date Message-ID Reply-To In-Reply-To References List-Id List-Unsubscribe "
    "Auto-Submitted Content-Language X-Auto-Response-Suppress X-Loop X-Judge-Game X-Judge-Phase "
    "X-Judge-Power X-Judge-Kind MIME-Version Content-Type Content-Transfer-Encoding".split()
)
"""All headers of the judge's letters."""

HEADER = re.compile(rb"([A-Za-z-]+): ([ -~]+(?:\r\n [ -~]+)*)\r\n")
SUBJECT = re.compile(r"(Re: )?[a-z0-9]{2,8} - [ -~]{1,60}"
                     r"|Re: your (mail|question)(: [A-Za-z0-9 ,;]{1,60})?|Re: help"
                     r"|Please confirm your address|Re: your address is confirmed"
                     r"|mail \d+ is set aside")
CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029]")
LAYOUT_SIGNS = re.compile("[\ue000-\ue005]")


@lru_cache(10_000)
def check(octets: bytes, to: str) -> str:
    """Check a message as sent, and return its plain text.

    The result is cached: every sent message is checked after each mail.
    """
    head, _, body = octets.partition(b"\r\n\r\n")
    found = HEADER.findall(head + b"\r\n")
    assert b"".join(name + b": " + value + b"\r\n" for name, value in found) == head + b"\r\n"
    names = [name.decode() for name, _ in found]
    assert len(set(names)) == len(names) and set(names) <= KNOWN
    assert not re.search(rb"(?<!\r)\n|\r(?!\n)", octets), "a bare CR or LF"
    assert b"\0" not in body and all(len(line) <= 998 for line in octets.split(b"\r\n"))
    message = message_from_bytes(octets, policy=policy.default)
    assert message["To"] == to and message["From"].addresses[0].addr_spec == "judge@localhost"
    assert SUBJECT.fullmatch(str(message["Subject"])), message["Subject"]
    for name in ("Reply-To", "List-Unsubscribe", "X-Loop", "Message-ID", "List-Id"):
        assert "ev1l" not in str(message[name])
    text = text_of(message)  # type: ignore[arg-type]
    assert not CONTROLS.search(text.replace("\r\n", "\n"))
    assert not LAYOUT_SIGNS.search(text.replace("\r\n", "\n"))
    assert not re.search(r"\b1337\b", text), "a template was carried out"
    return text


@pytest.fixture(scope="module")
def begun() -> Iterator[Rig]:
    """A running game with Ann as India, Eve as an observer and all others vacant."""
    made = Rig()
    made.mail(GM, "CREATE ?marco gmsecret youngstown")
    made.mail(ANN, "JOIN marco annsecret\nSET PREFERENCE N")
    made.mail(EVE, "OBSERVE marco evesecret")
    made.mail(GM, "SIGNON Mmarco gmsecret\nSTART")
    yield made
    made.close()


def raw_mail(
    sender: str, text: str, subject: str = "orders", name: str = "", more: str = ""
) -> bytes:
    """Return a mail with these raw headers."""
    one_line = subject.replace("\r", " ").replace("\n", " ")
    head = f"From: {name} <{sender}>\r\nSubject: {one_line}\r\n{more}"
    kind = "Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n"
    return f"{head}{kind}\r\n{text}\r\n".encode("utf-8", "surrogatepass")


def letters_after(rig: Rig, *mails: tuple[str, bytes]) -> list[str]:
    """Process mails, check every letter and return the texts."""
    for sender, raw in mails:
        rig.take(raw, sender)
    for number in range(1, 10_000):
        mail = rig.application.post.get(number)
        if mail is None:
            break
        assert mail.state is not MailState.SHUNTED, mail.note
    return [check(out.message, out.to) for out in newest_out(rig.application.post, 10_000)]


@pytest.mark.parametrize("evil", HOSTILE)
def test_hostile_settings_press_and_commands_do_nothing(rig: Rig, evil: str) -> None:
    word = "".join(evil.split()) or "x"
    lines = [
        f"SET COMMENT {evil}", f"SET ZONE {evil}", f"SET {evil}", f'SET CRON "{evil}"',
        f"SET ADDRESS {word}", f"EJECT {evil}", f"PROCESS {evil}", f"SET DEADLINE {evil}",
        f"HELP {evil}", f"HISTORY marco FROM {evil}", f"VOTE {evil}", f"PRESS TO {evil}", "hello",
        "ENDPRESS", "BROADCAST", evil, "ENDPRESS", evil, f"A {evil} - Kas", f"A Del - {evil}",
        "LIST marco FULL", "STATUS", "HISTORY marco",
    ]
    body = "\r\n".join(lines)
    texts = letters_after(
        rig,
        (GM, raw_mail(GM, f"SIGNON Mmarco gmsecret\r\n{body}", evil, "Eve")),
        (ANN, raw_mail(ANN, f"SIGNON Nmarco annsecret\r\n{body}", evil, "Eve")),
        (EVE, raw_mail(EVE, f"SIGNON Omarco evesecret\r\n{body}", evil, "Eve")),
        (EVE, raw_mail(EVE, body, evil, "Eve")),
    )
    assert len(texts) > 8
    if evil.isprintable() and "{" in evil:
        assert any(evil[:40] in " ".join(text.split()) for text in texts), "printed as it is"


@pytest.mark.parametrize("evil", HOSTILE)
def test_hostile_names_passwords_and_headers_do_nothing(rig: Rig, evil: str) -> None:
    word = "".join(evil.split()) or "x"
    text = "\r\n".join([
        f"CREATE ?{word} pw", f"CREATE ?other {evil}", f"JOIN marco {evil}", f"SIGNON N{word} x",
        f"SIGNON {evil}@marco pw", f"TAKEOVER {word}@marco pw", f"OBSERVE marco {evil}",
        f"RESET PASSWORD {word}@marco", f"RESET PASSWORD N{word}", f"SUMMARY {evil}",
    ])
    encoded = "=?utf-8?B?" + b64encode(evil.encode("utf-8", "surrogatepass")).decode() + "?="
    flat = evil.replace("\r", "").replace("\n", "")
    headers = (
        f"Message-ID: <{flat}@x>\r\nReferences: {flat} <{flat}>\r\nIn-Reply-To: {flat}\r\n"
        f"Reply-To: {flat}\r\nSender: {flat}\r\nReturn-Path: {flat}\r\nTo: {flat}\r\n"
    )
    letters_after(
        rig,
        (EVE, raw_mail(EVE, text, encoded, encoded, headers)),
        (EVE, raw_mail(EVE, "HELP", encoded, f'"{flat}"', headers)),
        (EVE, f"From: {encoded}\r\nSubject: {encoded}\r\n\r\n{text}".encode("utf-8", "replace")),
        (EVE, f"From: <eve@example.org>{flat}\r\n{evil}\r\n\r\nHELP".encode("utf-8", "replace")),
    )


def test_press_is_unchanged_except_for_control_characters(rig: Rig) -> None:
    lines = ["{{ 7*191 }} <b>&amp;</b> %s", "From the east,", ".", "  two  blanks"]
    body = "\r\n".join(["SIGNON Nmarco annsecret", "BROADCAST", *lines, "ENDPRESS"])
    rig.boxes.clear()
    letters_after(rig, (ANN, raw_mail(ANN, body)))
    text = text_of(rig.letter(GM, "press")).replace("\r\n", "\n")
    for line in lines:
        assert f"\n|| {line}\n" in text


def test_a_hostile_token_or_recipient_does_nothing(rig: Rig) -> None:
    for evil in HOSTILE:
        rig.store(raw_mail(ANN, "STATUS"), ANN, to=f"judge+{evil}@localhost")
    letters_after(rig)


@pytest.fixture(scope="module")
def forming_game() -> Iterator[Rig]:
    """A forming game for many mails."""
    rig = Rig()
    rig.mail(GM, "CREATE ?marco gmsecret youngstown")
    yield rig
    rig.close()


ANY = st.text(st.characters(codec=None), max_size=60)


@settings(max_examples=settings.default.max_examples // 4,
          suppress_health_check=list(HealthCheck))
@given(ANY, ANY, st.lists(st.one_of(ANY, st.sampled_from([
    "SIGNON Nmarco annsecret", "BROADCAST", "ENDPRESS", "STATUS", "SET COMMENT ", "JOIN marco ",
    "A Del - Kas", "HELP ", "SET ADDRESS x@y.org", "CREATE ?new pw",
])), max_size=12))
def test_no_text_adds_a_header_to_a_letter(
    forming_game: Rig, subject: str, name: str, lines: list[str]
) -> None:
    letters_after(forming_game, (EVE, raw_mail(EVE, "\r\n".join(lines), subject, name)))


@settings(max_examples=settings.default.max_examples // 4)
@given(st.binary(max_size=400))
def test_no_octets_add_a_header_to_a_letter(forming_game: Rig, raw: bytes) -> None:
    letters_after(forming_game, (EVE, b"From: eve@example.org\r\n" + raw))


@pytest.mark.parametrize("evil", HOSTILE)
def test_log_messages_cannot_be_forged(evil: str) -> None:
    record = logging.LogRecord("judge", logging.INFO, "", 1, "mail %d from <%s>", (1, evil), None)
    first, *rest = LogFormatter(FORMAT).format(record).split("\n")
    assert re.match(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,\d{3} INFO judge: mail 1 from <", first)
    assert all(line.startswith("    ") for line in rest)
    assert not CONTROLS.search(first + "".join(rest))
