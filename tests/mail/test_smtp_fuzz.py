"""The listener with random octets: it replies in form and loses no message."""

import logging
import re
import socket
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from judge.mail.smtp.connections import Limits
from judge.store.database import Store
from judge.store.mail_queues import Post
from tests.mail.doorway import House, judge
from tests.outbox import counts

PIECES = st.one_of(
    st.sampled_from([
        b"EHLO x\r\n", b"HELO x\r\n", b"LHLO x\r\n", b"MAIL FROM:<a@x>\r\n", b"MAIL FROM:<>\r\n",
        b"MAIL FROM:<a@x> SIZE=99999999999\r\n", b"MAIL FROM:<\xc3\xa4@x> SMTPUTF8\r\n",
        b"RCPT TO:<judge@example.org>\r\n", b"RCPT TO:<judy@example.org>\r\n", b"RCPT TO:<\r\n",
        b"DATA\r\n", b"From: a@x\r\n\r\nA Par H\r\n.\r\n", b".\r\n", b"\r\n.\r\n", b"\n.\n",
        b"\r.\r", b"RSET\r\n", b"NOOP\r\n", b"VRFY a\r\n", b"HELP\r\n", b"AUTH PLAIN AGEAYg==\r\n",
        b"STARTTLS\r\n", b"BDAT 5 LAST\r\n", b"EXPN x\r\n", b"\r\n", b"\0\r\n", b" \r\n",
        b"QUIT\r\n", b"MAIL FROM:<" + b"a" * 900 + b"@x>\r\n", b"x" * 3000, b"\xff\xfe\r\n",
        b"mail from: a@x\r\n",
    ]),
    st.binary(max_size=30),
)
SESSION = st.lists(PIECES, max_size=25).map(b"".join)
REPLY = re.compile(r"[2-5]\d\d([- ][245]\.\d{1,3}\.\d{1,3})?([- ].*)?")


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[House, Store]]:
    """One listener for all sessions, as in production."""
    folder: Path = tmp_path_factory.mktemp("door")
    store = Store(f"sqlite:///{folder}/judge.sqlite3")
    store.open(create=True)
    with judge(store, Limits(commands=10_000, errors=1000)) as made:
        yield made, store
    store.close()


def check(house: tuple[House, Store], octets: bytes, cuts: list[int]) -> None:
    """Send a session in pieces, and check the replies and the stored mails."""
    smtp_server, store = house
    before = counts(Post(store)).new
    ends = sorted({min(cut, len(octets)) for cut in [0, *cuts, len(octets)]})
    with socket.create_connection(("127.0.0.1", smtp_server.port), timeout=120) as wire:
        try:
            for start, end in pairwise(ends):
                wire.sendall(octets[start:end])
            wire.shutdown(socket.SHUT_WR)
        except OSError:
            assert b"QUIT" in octets.upper()
        try:
            said = wire.makefile("rb").read().decode("ascii")
        except ConnectionResetError:
            # A client that continues after QUIT is reset by the kernel, with replies still in
            # transit.
            assert b"QUIT" in octets.upper()
            return
    replies = said.split("\r\n")
    assert replies.pop() == ""
    assert all(REPLY.fullmatch(reply) for reply in replies), said
    taken = sum(" stored as " in reply for reply in replies)
    assert counts(Post(store)).new == before + taken


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(SESSION, st.lists(st.integers(0, 300), max_size=4))
@example(b"EHLO x\r\nMAIL FROM:<\r\nMAIL FROM:?@[\r\nMAIL FROM:=\x7f@[ \r\n", [])
@example(b"EHLO x\r\nMAIL FROM:<a@x>\r\nRCPT TO:<\r\nRCPT TO:?@[\r\nDATA\r\n", [])
def test_any_session_gets_valid_replies(
    house: tuple[House, Store], caplog: pytest.LogCaptureFixture, octets: bytes, cuts: list[int]
) -> None:
    with caplog.at_level(logging.ERROR):
        check(house, octets, cuts)
    assert not caplog.records


def test_no_connection_is_left_after_all_sessions(house: tuple[House, Store]) -> None:
    check(house, b"NOOP\r\n", [])
    smtp_server = house[0].smtp_server
    for _ in range(100):
        if not smtp_server.sessions:
            break
        with socket.create_connection(("127.0.0.1", house[0].port), timeout=120) as wire:
            wire.sendall(b"QUIT\r\n")
            wire.makefile("rb").read()
    assert len(smtp_server.sessions) <= 1 and smtp_server.held == 0
