"""Mail parsing: cases beyond the corpus."""

import string
from datetime import UTC, datetime
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.mail.address import JudgeAddresses, addresses, normalize
from judge.mail.inbound.automatic_mail import classify
from judge.mail.inbound.contents import STUB_LENGTH, BodyText, _is_stub
from judge.mail.inbound.html_text import MAX_TAGS
from judge.mail.inbound.mime import MAX_PARTS, MAX_TEXT, Entity
from judge.mail.inbound.reader import MAX_LINES, read_mail, unflow
from judge.model.incoming import Incoming
from judge.model.record import StoredMail

OURS = JudgeAddresses("judge@example.org", "keeper@example.org")
NOW = datetime(2026, 1, 5, 20, 0, tzinfo=UTC)
FROM = b"From: ann@example.org\r\n"


def read(raw: bytes, *recipients: str, envelope: str = "ann@example.org") -> Incoming:
    to = recipients or ("judge@example.org",)
    return read_mail(StoredMail(7, NOW, envelope, to, raw), OURS)


def texts(raw: bytes) -> list[str]:
    return [line.text for line in read(raw).lines]


def test_number_instant_and_ids_are_copied() -> None:
    mail = read(
        FROM + b"Subject: =?utf-8?q?K=C3=B6ln?=\r\nMessage-ID:  <a@x>\r\n"
        b"References: <b@x>\r\n <c@x>\r\nIn-Reply-To: <d@x>\r\n\r\nA Par H\r\n"
    )
    assert (mail.number, mail.accepted, mail.subject) == (7, NOW, "Köln")
    assert (mail.message_id, mail.references) == ("<a@x>", "<b@x> <c@x>")
    assert read(FROM + b"In-Reply-To: <d@x> (you)\r\n\r\n").references == "<d@x>"


@pytest.mark.parametrize("body", [
    b"Content-Type: text/plain; charset=utf-8\r\n\r\nx\xee\x80\x83y\r\n",
    b"Content-Type: text/html\r\n\r\n<p>x&#xE003;y</p><p>a<s>b&#57346;</s></p>\r\n",
])
def test_layout_signs_of_letters_are_replaced(body: bytes) -> None:
    mail = read(FROM + body)
    assert mail.lines[0].text == "x\ufffdy"
    assert not set("\ue000\ue001\ue002\ue003\ue004\ue005") & set(repr(mail))


@pytest.mark.parametrize("recipients, detail", [
    (("judge@example.org",), ""),
    (("judge+tOk-3n@example.org",), "tOk-3n"),
    (("judge@example.org", "JUDGE+a+b@EXAMPLE.org", "judge+c@example.org"), "a+b"),
    (("ann+x@example.org",), ""),
    (("judge+x@example.com",), ""),
])
def test_the_detail_is_the_text_after_the_plus(recipients: tuple[str, ...], detail: str) -> None:
    assert read(FROM + b"\r\n", *recipients).detail == detail


def test_detail_is_empty_without_a_detail_character() -> None:
    ours = JudgeAddresses("judge@example.org", detail="")
    assert ours.detail_of("judge+x@example.org") == ""
    assert not ours.is_local("judge+x@example.org")


@pytest.mark.parametrize("header, found", [
    ("ann@example.org", ["ann@example.org"]),
    ("Ann <ann@Example.ORG>", ["ann@example.org"]),
    ("<ann@example.org>", ["ann@example.org"]),
    ('"Ex, Ann" <ann@example.org>', ["ann@example.org"]),
    ('"a\\"b" <ann@example.org>', ["ann@example.org"]),
    ("eve@example.org <ann@example.org>", ["ann@example.org"]),
    ("Ann (eve@example.org (x)) <ann@example.org> (y", ["ann@example.org"]),
    ("Friends: ann@example.org, Bob <bob@example.org>;", ["ann@example.org", "bob@example.org"]),
    ("ann@[192.0.2.1]", ["ann@[192.0.2.1]"]),
    ("ann", []), ("ann@", []), ("@example.org", []), ("", []), ("<>", []),
    ("ann@example.org\0", []), ("änn@example.org", []), ("ann@exa mple@org", []),
    ("(" * 5000, []), ("<" * 5000, []), ('"' + "\\" * 5000, []),
])
def test_addresses_are_found_in_a_header(header: str, found: list[str]) -> None:
    assert addresses(header) == found


def test_a_non_ascii_address_falls_back_to_the_envelope() -> None:
    """The listener has no SMTPUTF8, so every accepted sender can get a reply."""
    assert read("From: Jo <müller@example.org>\r\n\r\n".encode()).sender == "ann@example.org"
    assert read("From: a@müller.example\r\n\r\n".encode(), envelope="").sender == ""
    assert read(b"From: a@xn--mller-kva.example\r\n\r\n").sender == "a@xn--mller-kva.example"


@given(st.text())
def test_an_address_for_replies_is_harmless(text: str) -> None:
    address = normalize(text)
    assert address == "" or not set(address) & set(" \r\n<>(),;:\"\\")


MACHINES = [
    ("From: ann@x", "a@x", ""),
    ("From: ann@x", "", "bounce"),
    ("From: Mailer-Daemon@x", "a@x", "bounce"),
    ("From: ann@x", "postmaster@x", "bounce"),
    ("X-Failed-Recipients: bob@x", "a@x", "bounce"),
    ("Content-Type: multipart/report; report-type=delivery-status", "a@x", "bounce"),
    ("Content-Type: multipart/report; report-type=feedback-report", "a@x", "complaint"),
    ("Content-Type: multipart/report; report-type=disposition-notification", "a@x", "auto-reply"),
    ("Content-Type: text/calendar; method=REPLY", "a@x", "auto-reply"),
    ("Auto-Submitted: auto-generated", "a@x", "auto-reply"),
    ("Auto-Submitted: (x) no", "a@x", ""),
    ("Auto-Submitted: no; a=b", "a@x", ""),
    ("Auto-Submitted: auto-replied", "", "auto-reply"),
    ("X-Autoreply: yes", "a@x", "auto-reply"),
    ("X-Autorespond: yes", "a@x", "auto-reply"),
    ("Precedence: auto_reply", "a@x", "auto-reply"),
    ("X-Auto-Response-Suppress: All", "a@x", ""),
    ("X-Auto-Response-Suppress: DR, OOF, AutoReply", "a@x", ""),
    ("Auto-Submitted: auto-notified; x=y", "a@x", "auto-reply"),
    ("Subject: Out of office: marco", "", "auto-reply"),
    ("Subject: Out of office: marco", "a@x", ""),
    ("List-Id: <dip.x>", "a@x", ""),
    ("List-Post: NO", "a@x", ""),
    ("List-Unsubscribe: <mailto:a@x>", "a@x", ""),
    ("Precedence: Junk", "a@x", ""),
    ("Precedence: first-class", "a@x", ""),
    ("From: owner-dip@x", "a@x", "list"),
    ("From: ann@x", "dip-bounces+ann=x@x", ""),
    ("From: dip-request@x", "a@x", "list"),
    ("From: Judge <JUDGE@example.org>", "a@x", "own"),
    ("From: ann@x", "judge+bounce@example.org", "own"),
    ("X-Loop: judge@example.org", "a@x", "own"),
    ("X-Loop: other@example.org", "a@x", ""),
]


@pytest.mark.parametrize("header, envelope, why", MACHINES)
def test_automatic_mail_is_recognised_by_its_headers(header: str, envelope: str, why: str) -> None:
    message = Entity(header.encode() + b"\r\n\r\n")
    sender = next(iter(addresses(message.first("from"))), "ann@x")
    assert classify(message, sender, envelope, OURS) == why


@pytest.mark.parametrize("header, envelope, why", [
    ("Subject: Out of office: my orders", "a@x", "auto-reply"),
    ("List-Id: <dip.x>", "a@x", "list"), ("List-Post: NO", "a@x", "list"),
    ("Precedence: Junk", "a@x", "list"), ("Precedence: bulk", "a@x", "list"),
    ("Precedence: list", "a@x", "list"), ("Precedence: first-class", "a@x", ""),
    ("From: ann@x", "dip-bounces+ann=x@x", "list"), ("From: ann@x", "a@x", ""),
    ("X-Auto-Response-Suppress: All", "a@x", ""),
    ("List-Unsubscribe: <mailto:a@x>", "a@x", "list"),
    ("List-Unsubscribe-Post: List-Unsubscribe=One-Click", "a@x", "list"),
    ("List-Unsubscribe: <https://x/>\r\nFeedback-ID: 7:news:x", "a@x", "list"),
    # Fastmail adds this header to the mail of persons.
    ("Feedback-ID: i1a2b3c4d:Fastmail", "a@x", ""),
    ("Auto-Submitted: auto-replied\r\nPrecedence: bulk", "a@x", ""),
    ("List-Id: <dip.x>", "", ""),
])
def test_presumably_automatic_mail_is_recognised_by_its_headers(
    header: str, envelope: str, why: str
) -> None:
    """Certainly automatic mail is not presumed to be automatic."""
    assert read(header.encode() + b"\r\n\r\n", envelope=envelope).presumed == why


@pytest.mark.parametrize("name, why", [
    ("no-reply", "notice"), ("noreply", "notice"), ("do-not-reply", "notice"),
    ("donotreply", "notice"), ("No-Reply", "notice"), ("no_reply", "notice"),
    ("do_not_reply", "notice"), ("noreply+17", "notice"), ("no-reply-shop", "notice"),
    ("drive-shares-noreply", "notice"), ("shop.no-reply", "notice"),
    ("ann", ""), ("reply", ""), ("ann.noble", ""), ("noreplyann", ""), ("casinoreply", ""),
    ("mono-replya", ""), ("nore", ""),
])
def test_addresses_without_replies_send_notices(name: str, why: str) -> None:
    assert read(f"From: Shop <{name}@x>\r\n\r\n".encode(), envelope="a@x").presumed == why


def parts_of(*bodies: bytes, after: bytes = b"") -> list[bytes]:
    head = b"Content-Type: multipart/mixed; boundary=b\r\n\r\nBefore.\r\n"
    parts = b"".join(b"--b\r\n\r\n" + body + b"\r\n" for body in bodies)
    return [part.body for part in Entity(head + parts + b"--b--\r\n" + after).parts()]


def test_text_after_the_last_boundary_is_no_part() -> None:
    """It is the epilogue, with any content (RFC 2046, 5.1.1)."""
    assert parts_of(b"A Par H", b"A Mar H") == [b"A Par H", b"A Mar H"]
    assert parts_of(b"A Par H", after=b"--b\r\n\r\nA Mar H\r\n--b--\r\n") == [b"A Par H"]


def test_the_number_of_parts_is_limited() -> None:
    many = [b"%d" % number for number in range(MAX_PARTS + 2)]
    assert parts_of(*many) == many[:MAX_PARTS]


def nest_multiparts(depth: int) -> bytes:
    head = b"".join(
        b"Content-Type: multipart/mixed; boundary=b%d\r\n\r\n--b%d\r\n" % (n, n)
        for n in range(depth)
    )
    return FROM + head + b"\r\nA Par H\r\n"


def test_nested_parts_are_limited_in_depth() -> None:
    assert texts(nest_multiparts(20)) == ["A Par H"]
    assert texts(nest_multiparts(21)) == []
    assert texts(nest_multiparts(3000)) == []


def test_many_parts_are_limited_in_number() -> None:
    part = b"--b\r\n\r\nA Par H\r\n"
    raw = FROM + b"Content-Type: multipart/mixed; boundary=b\r\n\r\n" + part * 5000
    assert len(texts(raw)) == 99


def test_a_long_text_is_read_up_to_a_limit() -> None:
    part = b"--b\r\n\r\n" + (b"A Par H " * 9 + b"\r\n") * 12_500
    raw = FROM + b"Content-Type: multipart/mixed; boundary=b\r\n\r\n" + part * 3
    assert sum(len(text) + 1 for text in texts(raw)) <= MAX_TEXT


@pytest.mark.parametrize("kind, text", [
    (b"plain", b"A Par H\r\n" * (MAX_LINES + 1)), (b"plain", b"x" * (MAX_TEXT + 1)),
    (b"html", b"<b>" * (MAX_TAGS + 1)), (b"html", b"A Par H<br>" * (MAX_LINES + 1)),
])
@pytest.mark.slow
def test_a_text_too_long_is_reported(kind: bytes, text: bytes) -> None:
    head = FROM + b"Content-Type: text/" + kind + b"\r\n\r\n"
    assert read(head + text).ignored.is_cut and len(read(head + text).lines) <= MAX_LINES
    assert not read(head + text[:len(text) // 2]).ignored.is_cut


def test_lines_are_numbered_through_all_parts() -> None:
    raw = (
        FROM + b"Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\nA Par H\r\n> no\r\n"
        b"--b\r\nContent-Type: text/html\r\n\r\n<p>A Mar H</p><p>F Bre H</p>\r\n--b--\r\n"
    )
    assert [line.number for line in read(raw).lines if line.text] == [1, 3, 5]


def test_characters_are_unchanged() -> None:
    typed = "JOIN marco pä\u00a0ss\u200b–\u2019\t x  "
    assert texts(FROM + b"\r\n" + typed.encode() + b"\r\nA Par H\r\n") == [typed, "A Par H"]


HOSTILE = [
    b"On a a a a a " * 1600, b"On a b c\r\n" * 2000, b"\r\n" * 20_000, b">" * 20_000,
    b"-- \r\n" * 4000, b"--\r\n" * 4000, b"From: \r\n" * 2800, b"On 2026 a@b\r\n" * 1600,
    b"On 2026 10:12 a@b:\r\n" * 1200, b"_" * 20_000, b"_" * 20 + b"\r\n" * 10_000,
    (b"_" * 20 + b"\r\n") * 1000, b" " * 20_000 + b"x", b"This e-mail is " * 1200,
    b"This message is confidential\r\n" * 800, b"wrote " * 3200 + b":", b":\r\n" * 8000,
    b"sent from my " * 1600, b"Sent from my phone \r\n" * 1000, b"<a@b>:" * 3200,
    b"This e-mail is confidential " + b"a" * 200 + b"\r\n" * 16_000 + b"This e-mail is",
    b"--\r\n\r\n\r\n\r\n\r\n\r\n" * 1600, b"* " * 10_000, b"CAUTION: " * 2000,
    b"<style>@media x {" + b"a{b} cccc " * 2000, b"<style>" + b"@" * 500 + b"x{" + b"a{b}" * 5000,
    b"<p style='" + b"overflow:hidden " * 1300 + b"'>", b"<p style='height:0;'>" * 1000,
    b"[EXTERNAL] caution mail\r\n" * 1000, b"[cid:" * 4000,
    b"Avast virus " * 1600, b"iPhone " * 3000, b"ann@example.org " * 1300 + b":",
]


@pytest.mark.parametrize(
    "body, kind", list(product(HOSTILE, (b"plain", b"plain; format=flowed", b"html"))),
)
@pytest.mark.slow
def test_hostile_texts_are_read_to_their_end(body: bytes, kind: bytes) -> None:
    """Patterns that backtrack too far would need minutes for these 20 kB."""
    mail = read(FROM + b"Content-Type: text/" + kind + b"\r\n\r\n" + body)
    assert mail.sender == "ann@example.org"


HOSTILE_HEADERS = [
    b"From: " + b"(" * 100_000, b"From: " + b"=?" * 50_000, b"Content-Type: " + b';a="' * 50_000,
    b"Subject: " + b"=?utf-8?q?" * 20_000, b"Subject: " + b"=?utf-8?b?!!!!?= " * 5000,
    b"X: y\r\n" * 50_000, b" " * 100_000, b"X" * 100_000, b"From: a@b\r\n" * 20_000,
    b"Message-ID: " + b"<" * 50_000, b"References: " + b"<a@b> " * 20_000,
    b"Subject: =?punycode?q?" + b"a" * 9000 + b"?=", b"Subject: =?idna?q?=FF?=",
    b"Content-Type: text/plain; charset=unicode_escape\r\nSubject: =?utf-16?q?=FF?=",
    b"Auto-Submitted: " + b"(" * 50_000, b"Subject:\r\n" + b" x\r\n" * 50_000,
]


@pytest.mark.parametrize("header", HOSTILE_HEADERS, ids=lambda header: repr(header[:20]))
def test_hostile_headers_are_read_to_their_end(header: bytes) -> None:
    assert read(header + b"\r\n\r\nA Par H\r\n").number == 7


def test_a_charset_must_not_name_another_codec() -> None:
    raw = FROM + b"Content-Type: text/plain; charset=%b\r\n\r\n\\x41 Par H\r\n"
    for name in (b"unicode_escape", b"rot13", b"hex", b"zlib", b"punycode", b"\xff\0", b'"', b""):
        assert texts(raw % name) == ["\\x41 Par H"]


PIECES = st.sampled_from([
    b"From: a@x\r\n", b"Content-Type: multipart/mixed; boundary=b\r\n", b"--b\r\n", b"--b--\r\n",
    b"Content-Type: text/html; charset=utf-16\r\n", b"Content-Transfer-Encoding: base64\r\n",
    b"Content-Type: multipart/alternative; boundary=\"b\"\r\n", b"\r\n", b"A Par H\r\n", b"> x\n",
    b"<blockquote>", b"<!--", b"<![CDATA[", b"<?xml", b"&#xFFFFFFFF;", b"&#0;", b"=3D=", b"-- \r\n",
    b"Content-Transfer-Encoding: quoted-printable\r\n", b"\xff\xfe", b"=?utf-8?q?=C3?= ",
    b"Content-Type: text/plain; format=flowed; delsp=yes\r\n", b" ", b"On 2026 a@b wrote:\r\n",
    b"-----BEGIN PGP SIGNED MESSAGE-----\r\n", b"Subject: ", b"<table><td>", b"\0",
])


@given(st.lists(st.one_of(PIECES, st.binary(max_size=20)), max_size=25).map(b"".join))
def test_any_octets_are_read(raw: bytes) -> None:
    mail = read(raw)
    numbers = [line.number for line in mail.lines]
    assert numbers == sorted(numbers)
    for line in mail.lines:
        assert not set(line.text) & set("\r\n\0")
    assert mail.subject.isprintable()


@given(st.lists(st.text(string.ascii_letters + " -/;>", min_size=1).filter(str.strip)))
def test_lines_not_marked_as_quotes_survive_in_order(lines: list[str]) -> None:
    """Letters, blanks and dashes make no head of a quote.

    Only a lone "--" is a signature.
    """
    lines = [line for line in lines if line.strip(" ") != "--"]
    kept = [line for line in lines if not line.lstrip().startswith(">")]
    assert texts(FROM + b"\r\n" + "\r\n".join(lines).encode()) == kept


@given(st.lists(st.text(string.printable.replace("\r", "").replace("\n", ""))))
def test_only_trailing_blanks_join_flowed_lines(lines: list[str]) -> None:
    fixed = [line.rstrip(" ") for line in lines]
    stuffed = [" " + line if line.startswith((" ", ">", "From")) else line for line in fixed]
    assert unflow(stuffed, delsp=False) == fixed


@pytest.mark.parametrize(
    "octets, is_stub", [(STUB_LENGTH - 1, True), (STUB_LENGTH, False), (STUB_LENGTH + 1, False)]
)
def test_a_short_text_that_refers_to_the_html_is_a_stub(octets: int, is_stub: bool) -> None:
    told = "See the HTML part".ljust(octets - 2, ".")
    assert _is_stub([BodyText(told), BodyText("x")]) == is_stub
    assert not _is_stub([BodyText(told.replace("HTML", "next")), BodyText("x")])
