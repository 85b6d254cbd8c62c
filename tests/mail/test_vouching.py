"""Authentication-Results: one server is believed, and only when it says that a mail is forged."""

import time

import pytest

from judge.mail.vouching import is_forged

MX = "mx.example.org"
ANN = "ann@example.org"


@pytest.mark.parametrize(
    ("header", "forged"),
    [
        ("mx.example.org; dmarc=fail header.from=example.org", True),
        ("mx.example.org; dmarc=pass header.from=example.org", False),
        ("mx.example.org; DMARC = Fail", True),
        ("MX.example.org 1; spf=pass smtp.mailfrom=x.org; dmarc=fail (p=none dis=none)", True),
        ("mx.example.org; spf=fail smtp.mailfrom=example.org; dkim=fail", False),
        ("mx.example.org; dmarc=none; dmarc=temperror", False),
        ("mx.example.org; none", False),
        ("mx.example.org", False),
        ("", False),
        # It passed, but for somebody else than whom we would take it from.
        ("mx.example.org; dmarc=pass header.from=evil.example", True),
        # Other servers, and what only looks like ours.
        ("mx.elsewhere.org; dmarc=fail", False),
        ("mx.example.org.evil.example; dmarc=fail", False),
        ("evil.example (mx.example.org); dmarc=fail", False),
        # Text that a stranger may have put into the header of the right server.
        ('mx.example.org; spf=fail reason="x; dmarc=pass header.from=evil"; dmarc=fail', True),
        ("mx.example.org; spf=fail (helo=x; dmarc=fail); dmarc=pass", False),
        ('mx.example.org; spf=pass smtp.helo="; dmarc=fail"; dmarc=pass', False),
        ("mx.example.org; spf=pass (a (b; dmarc=fail (c)) d); dmarc=pass", False),
    ],
)
def test_a_mail_is_forged_only_if_the_trusted_server_says_so(header: str, forged: bool) -> None:
    assert is_forged([header], MX, [ANN]) is forged
    assert not is_forged([header], "", [ANN]), "nobody is trusted"


def test_a_pass_that_somebody_slipped_in_does_not_help_against_a_fail() -> None:
    true, slipped = "mx.example.org; dmarc=fail", "mx.example.org; dmarc=pass"
    assert is_forged([true, slipped], MX, [ANN])
    assert is_forged([slipped, true], MX, [ANN])


def test_of_several_writers_no_server_can_tell_which_one_it_vouches_for() -> None:
    vouched = "mx.example.org; dmarc=pass header.from=example.org"
    assert is_forged([vouched], MX, [ANN, "eve@example.org"])
    assert is_forged([vouched], MX, ["eve@evil.example", ANN])
    assert not is_forged([vouched], MX, [ANN, ANN])


def test_a_hostile_header_costs_no_time() -> None:
    began = time.perf_counter()
    for header in ("(" * 100_000, "mx.example.org;" + "(" * 5000 + ")" * 5000, '"' * 100_000,
                   "mx.example.org;" + "dmarc= " * 20_000):
        assert not is_forged([header], MX, [ANN])
    assert time.perf_counter() - began < 60
