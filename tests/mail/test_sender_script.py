"""Connections that are reused, enforced encryption, and misbehaving servers.

The certificate for localhost next to this file is for these tests only.
"""

import ssl
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from judge.errors import ConfigError
from judge.mail.outbound import delivery as delivery_module
from judge.mail.outbound.delivery import (
    ConnectionBroken,
    Delivery,
    NoSuchAddress,
    PermanentFailure,
    TemporaryFailure,
    Unreachable,
    delivery_for,
)
from judge.model.record import Outgoing
from tests.mail.sink import Sink

NOW = datetime(2026, 1, 5, 20, 0, tzinfo=UTC)
CERTIFICATE = Path(__file__).with_name("smarthost.pem")
LETTER = Outgoing(
    1, "ann@example.org", "judge@example.org", "<1@x>", b"Subject: 1\r\n\r\n.\r\n", NOW, NOW
)


def to(name: str) -> Outgoing:
    return replace(LETTER, to=f"{name}@example.org")


@pytest.fixture
def sink() -> Iterator[Sink]:
    """A server without encryption."""
    with Sink() as made:
        yield made


def delivery_to(sink: Sink, options: str = "") -> Delivery:
    return delivery_for(f"smtp://127.0.0.1:{sink.port}{options}")


FATES = [
    ("no421", TemporaryFailure), ("full452", TemporaryFailure), ("no550", NoSuchAddress),
    ("spam554", PermanentFailure), ("drop", ConnectionBroken),
]


@pytest.mark.parametrize("name, fault", FATES, ids=[name for name, _ in FATES])
def test_a_failed_letter_affects_no_other(sink: Sink, name: str, fault: type[Exception]) -> None:
    delivery = delivery_to(sink)
    delivery.deliver(to("ok1"))
    with pytest.raises(fault) as raised:
        delivery.deliver(to(name))
    assert raised.type is fault
    delivery.deliver(to("ok2"))
    delivery.close_idle()
    assert [one.to for one in sink.taken] == ["ok1@example.org", "ok2@example.org"]


def test_a_connection_is_reused_until_idle(sink: Sink) -> None:
    delivery = delivery_to(sink)
    for n in range(20):
        delivery.deliver(to(f"ok{n}"))
    assert (len(sink.taken), sink.connections) == (20, 1)
    delivery.close_idle()
    delivery.deliver(to("later"))
    delivery.close_idle()
    assert sink.connections == 2


def test_a_lost_connection_costs_no_letter(sink: Sink) -> None:
    delivery = delivery_to(sink)
    with pytest.raises(TemporaryFailure):
        delivery.deliver(to("no421"))
    delivery.deliver(to("ann"))
    delivery.close_idle()
    assert [one.to for one in sink.taken] == ["ann@example.org"]


def test_a_connection_is_renewed_after_some_letters(
    sink: Sink, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(delivery_module, "MAX_PER_CONNECTION", 3)
    delivery = delivery_to(sink)
    for n in range(7):
        delivery.deliver(to(f"ok{n}"))
    delivery.close_idle()
    assert (len(sink.taken), sink.connections) == (7, 3)


def test_a_silent_server_times_out(sink: Sink, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(delivery_module, "PATIENCE", 0.2)
    with pytest.raises(ConnectionBroken, match="[Tt]imed? ?out"):
        delivery_to(sink).deliver(to("hang"))


@pytest.mark.parametrize("greeting", ["421 too busy", "554 not you", "nonsense"])
def test_a_server_with_a_refusing_greeting_is_unreachable(greeting: str) -> None:
    with Sink(greeting=greeting) as sink, pytest.raises(Unreachable):
        delivery_to(sink).deliver(LETTER)


def test_a_line_of_one_dot_arrives_unchanged(sink: Sink) -> None:
    delivery = delivery_to(sink)
    delivery.deliver(LETTER)
    delivery.close_idle()
    assert sink.taken[0].message == LETTER.message


@pytest.fixture
def tls_sink() -> Iterator[Sink]:
    """A server that offers STARTTLS."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(CERTIFICATE)
    with Sink(context) as made:
        yield made


@pytest.fixture
def trust_certificate(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the machine trust the certificate."""
    monkeypatch.setenv("SSL_CERT_FILE", str(CERTIFICATE))


@pytest.mark.usefixtures("trust_certificate")
def test_a_letter_is_encrypted_if_the_url_demands_it(tls_sink: Sink) -> None:
    delivery = delivery_for(f"smtp://localhost:{tls_sink.port}?tls=required")
    delivery.deliver(LETTER)
    delivery.close_idle()
    assert [one.encrypted for one in tls_sink.taken] == [True]


@pytest.mark.usefixtures("trust_certificate")
def test_remote_servers_get_encrypted_letters_if_they_offer_it(
    tls_sink: Sink, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(delivery_module, "is_this_machine", lambda host: False)
    for options, expected in (("", True), ("?tls=off", False)):
        delivery = delivery_for(f"smtp://localhost:{tls_sink.port}{options}")
        delivery.deliver(LETTER)
        delivery.close_idle()
        assert tls_sink.taken[-1].encrypted is expected


def test_no_letter_is_sent_without_the_required_starttls(sink: Sink) -> None:
    with pytest.raises(Unreachable, match="offers no encryption"):
        delivery_to(sink, "?tls=required").deliver(LETTER)
    assert sink.taken == []


@pytest.mark.usefixtures("trust_certificate")
def test_no_letter_is_sent_after_a_withdrawn_starttls(tls_sink: Sink) -> None:
    tls_sink.starttls = "454 4.7.0 not now"
    with pytest.raises(Unreachable):
        delivery_for(f"smtp://localhost:{tls_sink.port}?tls=required").deliver(LETTER)
    assert tls_sink.taken == []


def test_no_letter_is_sent_with_an_untrusted_certificate(
    tls_sink: Sink, monkeypatch: pytest.MonkeyPatch
) -> None:
    """This includes optional encryption.

    A fallback would be an unnoticed downgrade.
    """
    monkeypatch.setattr(delivery_module, "is_this_machine", lambda host: False)
    for options in ("", "?tls=required"):
        with pytest.raises(Unreachable, match="(?i)certificate"):
            delivery_for(f"smtp://localhost:{tls_sink.port}{options}").deliver(LETTER)
    assert tls_sink.taken == []


@pytest.mark.usefixtures("trust_certificate")
def test_no_letter_is_sent_with_a_foreign_certificate(tls_sink: Sink) -> None:
    with pytest.raises(Unreachable, match="(?i)certificate"):
        delivery_to(tls_sink, "?tls=required").deliver(LETTER)
    assert tls_sink.taken == []


@pytest.mark.usefixtures("trust_certificate")
def test_a_server_that_hangs_up_after_starttls_is_unreachable(
    tls_sink: Sink,
) -> None:
    """The second greeting precedes every letter, so its failure is no letter's fault."""
    tls_sink.hangs_up_encrypted = True
    with pytest.raises(Unreachable):
        delivery_for(f"smtp://localhost:{tls_sink.port}?tls=required").deliver(LETTER)
    assert tls_sink.taken == []


@pytest.fixture
def smtps() -> Iterator[Sink]:
    """A server with encryption from the start."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(CERTIFICATE)
    with Sink(context, smtps=True) as made:
        yield made


@pytest.mark.usefixtures("trust_certificate")
def test_a_letter_is_sent_by_smtps_with_a_valid_certificate(smtps: Sink) -> None:
    delivery = delivery_for(f"smtps://localhost:{smtps.port}")
    delivery.deliver(LETTER)
    delivery.close_idle()
    assert [one.encrypted for one in smtps.taken] == [True]


def test_no_letter_is_sent_by_smtps_if_untrusted(smtps: Sink) -> None:
    with pytest.raises(Unreachable, match="(?i)certificate"):
        delivery_for(f"smtps://judge:secret@localhost:{smtps.port}").deliver(LETTER)
    assert smtps.taken == []


@pytest.mark.usefixtures("trust_certificate")
def test_no_letter_is_sent_by_smtps_with_a_foreign_certificate(smtps: Sink) -> None:
    with pytest.raises(Unreachable, match="(?i)certificate"):
        delivery_for(f"smtps://127.0.0.1:{smtps.port}").deliver(LETTER)
    assert smtps.taken == []


@pytest.mark.parametrize("url", [
    "smtp://example.org?tls=yes", "smtp://example.org?tsl=required", "lmtp://x?tls=required",
    "smtps://example.org?tls=off",
])
def test_an_unknown_delivery_option_is_refused(url: str) -> None:
    with pytest.raises(ConfigError):
        delivery_for(url)
