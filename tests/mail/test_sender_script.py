"""Connections that are kept, encryption that is not given up, and servers that misbehave.

The certificate beside this file, for localhost, is for these tests only.
"""

import ssl
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from judge.errors import ConfigError
from judge.mail.outbound import sender
from judge.mail.outbound.sender import (
    Broken,
    Deferred,
    Delivery,
    NoSuchAddress,
    Refused,
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
    """A server in clear."""
    with Sink() as made:
        yield made


def delivery_to(sink: Sink, options: str = "") -> Delivery:
    return delivery_for(f"smtp://127.0.0.1:{sink.port}{options}")


FATES = [
    ("no421", Deferred), ("full452", Deferred), ("no550", NoSuchAddress),
    ("spam554", Refused), ("drop", Broken),
]


@pytest.mark.parametrize("name, fault", FATES, ids=[name for name, _ in FATES])
def test_one_that_fails_harms_no_other(sink: Sink, name: str, fault: type[Exception]) -> None:
    delivery = delivery_to(sink)
    delivery.deliver(to("ok1"))
    with pytest.raises(fault) as raised:
        delivery.deliver(to(name))
    assert raised.type is fault
    delivery.deliver(to("ok2"))
    delivery.rest()
    assert [one.to for one in sink.taken] == ["ok1@example.org", "ok2@example.org"]


def test_a_connection_serves_many_letters_and_is_given_up_at_rest(sink: Sink) -> None:
    delivery = delivery_to(sink)
    for n in range(20):
        delivery.deliver(to(f"ok{n}"))
    assert (len(sink.taken), sink.connections) == (20, 1)
    delivery.rest()
    delivery.deliver(to("later"))
    delivery.rest()
    assert sink.connections == 2


def test_a_kept_connection_that_died_costs_no_letter(sink: Sink) -> None:
    delivery = delivery_to(sink)
    with pytest.raises(Deferred):
        delivery.deliver(to("no421"))
    delivery.deliver(to("ann"))
    delivery.rest()
    assert [one.to for one in sink.taken] == ["ann@example.org"]


def test_a_connection_is_not_kept_for_ever(
    sink: Sink, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sender, "LETTERS", 3)
    delivery = delivery_to(sink)
    for n in range(7):
        delivery.deliver(to(f"ok{n}"))
    delivery.rest()
    assert (len(sink.taken), sink.connections) == (7, 3)


def test_a_server_that_never_answers_is_left_after_a_while(
    sink: Sink, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sender, "PATIENCE", 0.2)
    with pytest.raises(Broken, match="[Tt]imed? ?out"):
        delivery_to(sink).deliver(to("hang"))


@pytest.mark.parametrize("greeting", ["421 too busy", "554 not you", "nonsense"])
def test_a_server_that_lets_nobody_in_is_unreachable(greeting: str) -> None:
    with Sink(greeting=greeting) as sink, pytest.raises(Unreachable):
        delivery_to(sink).deliver(LETTER)


def test_a_line_of_one_dot_arrives_as_it_is(sink: Sink) -> None:
    delivery = delivery_to(sink)
    delivery.deliver(LETTER)
    delivery.rest()
    assert sink.taken[0].message == LETTER.message


@pytest.fixture
def encrypted() -> Iterator[Sink]:
    """A server that offers STARTTLS."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(CERTIFICATE)
    with Sink(context) as made:
        yield made


@pytest.fixture
def trusted(monkeypatch: pytest.MonkeyPatch) -> None:
    """The certificate is one this machine believes."""
    monkeypatch.setenv("SSL_CERT_FILE", str(CERTIFICATE))


@pytest.mark.usefixtures("trusted")
def test_a_letter_goes_encrypted_where_the_url_says_so(encrypted: Sink) -> None:
    delivery = delivery_for(f"smtp://localhost:{encrypted.port}?tls=required")
    delivery.deliver(LETTER)
    delivery.rest()
    assert [one.encrypted for one in encrypted.taken] == [True]


@pytest.mark.usefixtures("trusted")
def test_far_servers_are_written_to_encrypted_when_they_offer_it(
    encrypted: Sink, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sender, "is_this_machine", lambda host: False)
    for options, expected in (("", True), ("?tls=off", False)):
        delivery = delivery_for(f"smtp://localhost:{encrypted.port}{options}")
        delivery.deliver(LETTER)
        delivery.rest()
        assert encrypted.taken[-1].encrypted is expected


def test_a_server_without_starttls_gets_nothing_where_it_is_required(sink: Sink) -> None:
    with pytest.raises(Unreachable, match="offers no encryption"):
        delivery_to(sink, "?tls=required").deliver(LETTER)
    assert sink.taken == []


@pytest.mark.usefixtures("trusted")
def test_an_offer_that_is_taken_back_gets_nothing(encrypted: Sink) -> None:
    encrypted.starttls = "454 4.7.0 not now"
    with pytest.raises(Unreachable):
        delivery_for(f"smtp://localhost:{encrypted.port}?tls=required").deliver(LETTER)
    assert encrypted.taken == []


def test_a_certificate_nobody_vouches_for_gets_nothing(
    encrypted: Sink, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not even where encryption was only tried: in clear would be a downgrade nobody sees."""
    monkeypatch.setattr(sender, "is_this_machine", lambda host: False)
    for options in ("", "?tls=required"):
        with pytest.raises(Unreachable, match="(?i)certificate"):
            delivery_for(f"smtp://localhost:{encrypted.port}{options}").deliver(LETTER)
    assert encrypted.taken == []


@pytest.mark.usefixtures("trusted")
def test_a_certificate_of_somebody_else_gets_nothing(encrypted: Sink) -> None:
    with pytest.raises(Unreachable, match="(?i)certificate"):
        delivery_to(encrypted, "?tls=required").deliver(LETTER)
    assert encrypted.taken == []


@pytest.mark.usefixtures("trusted")
def test_a_server_that_hangs_up_on_the_greeting_after_starttls_is_unreachable(
    encrypted: Sink,
) -> None:
    """It is greeted anew before any letter is tried: what fails there is no letter's fault."""
    encrypted.hangs_up_encrypted = True
    with pytest.raises(Unreachable):
        delivery_for(f"smtp://localhost:{encrypted.port}?tls=required").deliver(LETTER)
    assert encrypted.taken == []


@pytest.fixture
def smtps() -> Iterator[Sink]:
    """A server that speaks encrypted from the start."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(CERTIFICATE)
    with Sink(context, smtps=True) as made:
        yield made


@pytest.mark.usefixtures("trusted")
def test_a_letter_goes_by_smtps_to_a_server_whose_certificate_is_good(smtps: Sink) -> None:
    delivery = delivery_for(f"smtps://localhost:{smtps.port}")
    delivery.deliver(LETTER)
    delivery.rest()
    assert [one.encrypted for one in smtps.taken] == [True]


def test_a_certificate_of_smtps_nobody_vouches_for_gets_nothing(smtps: Sink) -> None:
    with pytest.raises(Unreachable, match="(?i)certificate"):
        delivery_for(f"smtps://judge:secret@localhost:{smtps.port}").deliver(LETTER)
    assert smtps.taken == []


@pytest.mark.usefixtures("trusted")
def test_a_certificate_of_smtps_of_somebody_else_gets_nothing(smtps: Sink) -> None:
    with pytest.raises(Unreachable, match="(?i)certificate"):
        delivery_for(f"smtps://127.0.0.1:{smtps.port}").deliver(LETTER)
    assert smtps.taken == []


@pytest.mark.parametrize("url", [
    "smtp://example.org?tls=yes", "smtp://example.org?tsl=required", "lmtp://x?tls=required",
    "smtps://example.org?tls=off",
])
def test_an_option_nobody_knows_is_no_way_out(url: str) -> None:
    with pytest.raises(ConfigError):
        delivery_for(url)
