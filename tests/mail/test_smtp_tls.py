"""Encryption of the listener (RFC 3207), with a certificate for these tests only."""

import smtplib
import socket
import ssl
from pathlib import Path

import pytest

from judge.mail.smtp.connections import Limits
from judge.store.database import Store
from judge.store.mail_queues import Post
from tests.mail.doorway import TEXT, House, judge, read_mails


@pytest.fixture
def tls() -> ssl.SSLContext:
    """TLS context of the listener."""
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(Path(__file__).with_name("tls.pem"))
    return context


def trusting() -> ssl.SSLContext:
    """Return a client context that accepts the certificate of the tests."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context


def test_a_letter_is_received_encrypted(store: Store, tls: ssl.SSLContext) -> None:
    with judge(store, tls=tls) as house, house.client() as client:
        client.ehlo()
        assert client.has_extn("starttls")
        assert client.starttls(context=trusting())[0] == 220
        assert client.mail("ann@example.org") == (503, b"5.5.1 Error: send HELO first")
        client.ehlo()
        assert not client.has_extn("starttls") and not client.has_extn("auth")
        client.sendmail("ann@example.org", ["judge@example.org"], TEXT + b"x" * 1_000_000)
        assert client.docmd("STARTTLS")[0] == 503
    mail = Post(store).get(1)
    assert mail is not None and len(mail.raw) == len(TEXT) + 1_000_002
    assert mail.peer == "127.0.0.1 ESMTPS client.example.org"


def test_encryption_is_not_offered_without_a_certificate(store: Store) -> None:
    with judge(store) as house, house.client() as client:
        client.ehlo()
        assert not client.has_extn("starttls")
        assert client.docmd("STARTTLS")[0] == 502


def connect_to(house: House) -> socket.socket:
    wire = socket.create_connection(("127.0.0.1", house.port), timeout=120)
    assert wire.recv(1000).startswith(b"220")
    return wire


def test_commands_sent_before_the_encryption_are_discarded(
    store: Store, tls: ssl.SSLContext
) -> None:
    """A command injected into the clear text must not be carried out."""
    with judge(store, tls=tls) as house, connect_to(house) as wire:
        wire.sendall(b"STARTTLS\r\nEHLO evil\r\nMAIL FROM:<evil@x>\r\n")
        assert wire.recv(1000).startswith(b"220 2.0.0")
        with trusting().wrap_socket(wire) as secure:
            secure.sendall(b"NOOP\r\n")
            assert secure.recv(1000) == b"250 2.0.0 OK\r\n"
            secure.sendall(b"EHLO x\r\n")
            assert secure.recv(1000).startswith(b"250-judge.example.org")
            secure.sendall(b"RCPT TO:<judge@example.org>\r\n")
            assert secure.recv(1000).startswith(b"503")


@pytest.mark.parametrize("nonsense", [b"", b"EHLO x\r\nMAIL FROM:<a@x>\r\n"])
def test_a_failed_handshake_ends_the_connection(
    store: Store, tls: ssl.SSLContext, nonsense: bytes
) -> None:
    with judge(store, Limits(idle=0.2), tls=tls) as house, connect_to(house) as wire:
        wire.sendall(b"STARTTLS\r\n")
        assert wire.recv(1000).startswith(b"220 2.0.0")
        wire.sendall(nonsense)
        try:
            while wire.recv(1000):
                pass
        except ConnectionError:
            pass
        with house.client() as client:
            client.sendmail("ann@example.org", ["judge@example.org"], TEXT)
        assert len(house.smtp_server.sessions) <= 1
    assert read_mails(store) == [TEXT]


@pytest.mark.slow
def test_the_final_reply_is_sent_encrypted(store: Store, tls: ssl.SSLContext) -> None:
    with judge(store, tls=tls) as house, house.client() as client:
        client.starttls(context=trusting())
        closing = house.begin(house.smtp_server.close(5))
        code, reply = smtplib.SMTP.getreply(client)
        assert (code, reply[:5]) == (421, b"4.3.2")
        closing.result(120)
