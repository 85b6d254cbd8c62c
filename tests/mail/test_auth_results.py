"""Authentication-Results: one server is trusted, and its verdict always counts."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.mail.inbound.auth_results import MAX, is_forged
from judge.mail.inbound.mime import MAX_VALUE

MX = "mx.example.org"
ANN = "ann@example.org"
PIECES = ("(", ")", '"', "\\", ";", "=", ".", "@", " ", "é", "\x01", "a", "none", "dmarc=pass")
"""Text of a stranger in the server's header: parts of greetings and local parts."""


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
        ("mx.example.org 1 ; none (nothing was looked at)", False),
        ("mx.example.org; spf=none; none", True),
        ("mx.example.org", False),
        ("mx.example.org;", False),
        ("", False),
        # These headers are common but not in the grammar.
        ("mx.example.org; iprev=pass smtp.remote-ip=2001:db8::1; dmarc=pass", False),
        ("mx.example.org; spf=pass smtp.mailfrom=<>; dmarc=none;", False),
        ("mx.example.org; dmarc=pass action=none header.from=example.org;compauth=pass", False),
        ("mx.example.org; dkim=pass header.b=a+/b= header.d=jö.org; dmarc=pass", False),
        # The verdict is hidden behind a quoted local part, an odd quote or an open comment.
        ('mx.example.org; spf=pass smtp.mailfrom="a;b dmarc=pass"@x.org; dmarc=fail', True),
        ('mx.example.org; spf=pass smtp.mailfrom="("@x.org; dmarc=fail; a=pass smtp.b=")"', True),
        (r'mx.example.org; spf=pass (odd \)" one); dmarc=fail (odd \)" two)', True),
        ('mx.example.org; spf=pass (an odd " quote) smtp.helo=x; dmarc=fail (" here)', True),
        ('mx.example.org; spf=pass smtp.mailfrom="ann@x.org; dmarc=fail', True),
        ("mx.example.org; spf=pass (helo=x; dmarc=fail", True),
        ('mx.example.org; spf=pass smtp.mailfrom=a"b@x.org; dmarc=fail (")', True),
        ("(mx.example.org; dmarc=fail", True),
        ('"mx.example.org"; dmarc=fail', True),
        ("(a; b) mx.example.org; dmarc=fail", True),
        ("mx.example.org 2; dmarc=pass", True),
        ("mx.example.org; dmarc/1=fail", True),
        # A header without a readable end proves nothing.
        ("mx.example.org; spf=pass; ()x dmarc", True),
        ("mx.example.org; dmarc=pass " + "(" * 5000 + ")" * 5000, True),
        ("mx.elsewhere.org; dmarc=pass (", False),
        # The pass is for an address other than the sender's.
        ("mx.example.org; dmarc=pass header.from=evil.example", True),
        ("mx.example.org; dmarc=pass policy.x=evil.example header.from=example.org", False),
        ("mx.example.org; dmarc=pass header.d=example.org header.from=evil.example", True),
        ("mx.example.org; dmarc=pass header.d=evil.example smtp.from=evil.example", False),
        ("mx.example.org; dmarc=pass header.from=ann@Example.ORG.", False),
        ("mx.example.org; dkim=pass header.from=evil.example; dmarc=pass", False),
        ("mx.example.org; dmarc=none header.from=evil.example", False),
        # These headers are from other servers, or only similar.
        ("mx.elsewhere.org; dmarc=fail", False),
        ("mx.example.org.evil.example; dmarc=fail", False),
        ("evil.example (mx.example.org); dmarc=fail", False),
        # The right server's header contains text of a stranger.
        ('mx.example.org; spf=fail reason="x; dmarc=pass header.from=evil"; dmarc=fail', True),
        ("mx.example.org; spf=fail (helo=x; dmarc=fail); dmarc=pass", False),
        ('mx.example.org; spf=pass smtp.helo="; dmarc=fail"; dmarc=pass', False),
        ("mx.example.org; spf=pass (a (b; dmarc=fail (c)) d); dmarc=pass", False),
    ],
)
def test_a_mail_is_forged_only_by_the_trusted_servers_verdict(header: str, forged: bool) -> None:
    assert is_forged([header], MX, [ANN], ANN) is forged
    assert not is_forged([header], "", [ANN], ANN), "nobody is trusted"


@given(helo=st.lists(st.sampled_from(PIECES) | st.text(max_size=3), max_size=12).map("".join))
def test_a_fail_is_found_behind_any_text_of_a_stranger(helo: str) -> None:
    for before in (f"smtp.helo={helo}", f"({helo})", f'reason="{helo}"', helo):
        header = f"{MX}; spf=pass {before}; dmarc=fail header.from=example.org"
        assert is_forged([header], MX, [ANN], ANN)


def test_an_injected_pass_does_not_cancel_a_fail() -> None:
    true, slipped = "mx.example.org; dmarc=fail", "mx.example.org; dmarc=pass"
    assert is_forged([true, slipped], MX, [ANN], ANN)
    assert is_forged([slipped, true], MX, [ANN], ANN)


@pytest.mark.parametrize("verdict", ["pass header.from=example.org", "permerror", "none"])
@pytest.mark.parametrize("writers", [
    [ANN, "eve@example.org"], ["eve@evil.example", ANN], [ANN, ANN], [f"{ANN}, eve@example.org"],
    [f"Ann <{ANN}>, jö@ü.example"], [f"<eve@evil.example> <{ANN}>"], [ANN + " " * 3000],
])
def test_a_mail_with_two_authors_is_always_forged(verdict: str, writers: list[str]) -> None:
    vouched = f"mx.example.org; dmarc={verdict}"
    assert is_forged([vouched], MX, writers, ANN)
    assert is_forged([], "", writers, ANN), "no server is trusted"


@pytest.mark.parametrize("writers", [[], ["ann"], ["eve@evil.example"]])
def test_a_trusted_server_requires_a_from_line(writers: list[str]) -> None:
    """Otherwise the envelope sender would count, which DMARC does not cover."""
    assert is_forged(["mx.example.org; dmarc=none"], MX, writers, ANN)
    assert not is_forged([], "", writers, ANN)


@pytest.mark.parametrize("longs, forged", [
    ([MAX_VALUE - 1], False), ([MAX_VALUE], True), ([MAX_VALUE - 1, MAX_VALUE - 30, 31], False),
    ([MAX_VALUE - 1, MAX_VALUE - 30, 32], True),
])
def test_the_headers_of_a_server_are_read_up_to_a_limit(longs: list[int], forged: bool) -> None:
    """A value of the maximum length is truncated.

    All values together have twice the maximum.
    """
    headers = [f"{MX}; dmarc=pass (".ljust(long - 1, "x") + ")" for long in longs]
    assert is_forged(headers, MX, [ANN], ANN) is forged
    assert sum(longs) in (MAX_VALUE - 1, MAX_VALUE, MAX, MAX + 1)


def test_a_hostile_header_is_parsed_quickly() -> None:
    began = time.perf_counter()
    for header in ("(" * 100_000, '"' * 100_000, "mx.elsewhere.org;" + "a=b;" * 20_000):
        assert not is_forged([header], MX, [ANN], ANN)
    for header in ("mx.example.org;" + "(" * 5000 + ")" * 5000, "mx.example.org" + ";a=b" * 2400,
                   "mx.example.org;" + "dmarc= " * 20_000):
        assert is_forged([header] * 25, MX, [ANN], ANN)
    assert time.perf_counter() - began < 60
