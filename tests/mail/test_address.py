"""Addresses of a From line, and the judge's own addresses."""

import pytest

from judge.mail.address import MAX, JudgeAddresses, addresses, count_authors, normalize

ANN = "ann@example.org"


@pytest.mark.parametrize("header, found, many", [
    (ANN, [ANN], 1), ("", [], 0), ("Ann", [], 0), (f"{ANN}, {ANN}", [ANN, ANN], 2),
    (f"{ANN}; {ANN}", [ANN, ANN], 2), (f"<{ANN}>", [ANN], 1), (f"x <{ANN}> y", [ANN], 1),
    ('"a, b" <ann@example.org>', [ANN], 1), (r'"a\", b" <ann@example.org>', [ANN], 1),
    (r"a\, b <ann@example.org>", [ANN], 1),
    (f"(a, (b, c), d) {ANN} (e, f)", [ANN], 1), (f"a) <{ANN}>, (b) {ANN}", [ANN, ANN], 2),
    ('"a (" <ann@example.org>, b@example.org', [ANN, "b@example.org"], 2),
    ('(a " b) ann@example.org, b@example.org', [ANN, "b@example.org"], 2),
    # Groups have a colon, but a colon within an IPv6 address begins none.
    (f"us: {ANN}, b@example.org;", [ANN, "b@example.org"], 2),
    ("ann@[IPv6:2001:db8::1]", ["ann@[ipv6:2001:db8::1]"], 1),
    (f"<@relay.example.org:{ANN}>", [ANN], 1),
    # Of two addresses in one entry the last gets the reply, and both are authors.
    (f"<eve@evil.example> <{ANN}>", [ANN], 2), ("jö@example.org", [], 1),
    ("ann @ example . org", [ANN], 1),
])
def test_addresses_are_found_and_counted(header: str, found: list[str], many: int) -> None:
    assert addresses(header) == found
    assert count_authors(header) == many


def test_only_the_start_of_a_header_is_parsed() -> None:
    long = " " * (MAX - len(ANN)) + ANN
    assert addresses(long) == [ANN] and count_authors(long) == 1
    assert addresses(f" {long}") == ["ann@example.or"] and count_authors(f" {long}") == 2


@pytest.mark.parametrize("address, is_one", [
    ("x" * 128 + "@x.org", True), ("x" * 129 + "@x.org", False), ("@x.org", False),
    ("a@" + "x" * 63, True), ("a@" + "x" * 64, False), ("a@-x.org", False), ("a@x..org", False),
    ("a@x." + "y" * 63, True), ("a@x." + "y" * 64, False),
    ("a@x" + ".y" * 30, True), ("a@x" + ".y" * 31, False),
    ("a@[::1]", True), ("a@[1]", False), ("a@[" + "1" * 60 + "]", True),
    ("a@[" + "1" * 61 + "]", False), ("a b@x.org", False), ("a@x.org\n", False),
])
def test_addresses_are_validated(address: str, is_one: bool) -> None:
    assert normalize(address) == (address if is_one else "")


@pytest.mark.parametrize("address, is_judge, is_keeper, detail", [
    ("judge@example.org", True, False, ""), ("Judge+Ab@Example.ORG", True, False, "Ab"),
    ("judge+a+b@example.org", True, False, "a+b"), ("judge-a@example.org", False, False, ""),
    ("judge@elsewhere.org", False, False, ""), ("judge+a@elsewhere.org", False, False, ""),
    ("keeper@example.org", False, True, ""), ("KEEPER@example.org", False, True, ""),
    ("postmaster", False, True, ""), ("Postmaster@example.org", False, True, ""),
    ("postmaster@elsewhere.org", False, False, ""), ("", False, False, ""),
])
def test_own_addresses_fit(address: str, is_judge: bool, is_keeper: bool, detail: str) -> None:
    ours = JudgeAddresses("judge@example.org", "keeper@example.org")
    assert (ours.is_judge(address), ours.is_operator(address)) == (is_judge, is_keeper)
    assert ours.is_local(address) is (is_judge or is_keeper)
    assert ours.detail_of(address) == detail


@pytest.mark.parametrize("detail, address, found", [
    ("", "judge+a@example.org", None), ("", "judge@example.org", ""),
    ("-", "judge-a@example.org", "a"), ("-", "judge+a@example.org", None),
    ("--", "judge--a@example.org", "a"), ("--", "judge-a@example.org", None),
])
def test_sub_addresses_use_the_configured_separator(
    detail: str, address: str, found: str | None
) -> None:
    ours = JudgeAddresses("judge@example.org", "", detail)
    assert ours.is_judge(address) is (found is not None)
    assert ours.detail_of(address) == (found or "")


@pytest.mark.parametrize("detail, address, found", [
    ("+", "me+judge@example.org", ""), ("+", "ME+Judge@Example.org", ""),
    ("+", "me+judge+t7@example.org", "t7"), ("+", "me+judge+a+b@example.org", "a+b"),
    ("+", "me@example.org", None), ("+", "me+other@example.org", None),
    ("+", "me+judgement@example.org", None), ("+", "me+judge@elsewhere.org", None),
    ("+", "me+judge+@example.org", ""), ("+", "+judge@example.org", None),
    ("-", "me+judge-t7@example.org", "t7"), ("-", "me+judge+t7@example.org", None),
    ("", "me+judge@example.org", ""), ("", "me+judge+t7@example.org", None),
])
def test_own_address_may_contain_the_separator(
    detail: str, address: str, found: str | None
) -> None:
    ours = JudgeAddresses("me+judge@example.org", "me@example.org", detail)
    assert ours.is_judge(address) is (found is not None)
    assert ours.detail_of(address) == (found or "")
    assert ours.is_operator("me@example.org") and not ours.is_operator("me+judge@example.org")


def test_an_operator_address_equal_to_the_judges_is_the_judges() -> None:
    ours = JudgeAddresses("judge@example.org", "Judge@example.org")
    assert ours.is_judge("judge@example.org") and not ours.is_operator("judge@example.org")
