"""The rig reads and writes letters like the library, and its checks find faults."""

from collections.abc import Callable
from email import message_from_bytes, policy
from email.message import EmailMessage
from typing import Any

import pytest

from tests.journeys.pages import is_sound, page_of
from tests.journeys.received import parse_letter
from tests.journeys.rig import Rig, text_of
from tests.journeys.sent import mail_of

ANN = "ann@example.org"


@pytest.fixture(scope="module")
def raw() -> bytes:
    """The octets of a letter with a page."""
    found: list[bytes] = []

    class Keeping(Rig):
        def put(self, address: str, message: bytes) -> None:
            super().put(address, message)
            found.append(message)

    rig = Keeping()
    rig.mail(ANN, "MAP standard")
    rig.close()
    return found[-1]


def shape(part: Any) -> tuple[Any, ...]:
    inside = part.get_payload()
    return (
        [(name, str(value)) for name, value in part.items()], part.get_content_type(),
        part.preamble, part.epilogue, [type(each) for each in part.defects],
        [shape(each) for each in inside] if isinstance(inside, list) else inside,
    )


CHANGES: dict[str, Callable[[bytes], bytes]] = {
    "nothing": lambda raw: raw,
    "line ends of files": lambda raw: raw.replace(b"\r\n", b"\n"),
    "a bare line end": lambda raw: raw.replace(b"\r\nFrom:", b"\nFrom:"),
    "no header": lambda raw: raw.replace(b"\r\nFrom:", b"\r\n:From:"),
    "a second type": lambda raw: b"content-type: text/plain\r\n" + raw,
    "no last border": lambda raw: raw.removesuffix(b"--\r\n"),
    "more after the end": lambda raw: raw + b"more\r\n",
    "a border in a text": lambda raw: raw.replace(b"<body", b"\n--" + border(raw) + b"\n<body"),
    "a part without headers": lambda raw: raw.replace(
        b"--" + border(raw) + b"\r\n", b"--" + border(raw) + b"\r\n\r\n"),
    "no blank line": lambda raw: raw.replace(b"\r\n\r\n--" + border(raw), b"\r\n--" + border(raw)),
    "other octets": lambda raw: raw.replace(b"<body", b"\xe9<body"),
}


def border(raw: bytes) -> bytes:
    return raw.partition(b'boundary="')[2].partition(b'"')[0]


@pytest.mark.parametrize("change", CHANGES)
def test_a_letter_is_parsed_as_by_the_library(raw: bytes, change: str) -> None:
    message = CHANGES[change](raw)
    assert change == "nothing" or message != raw
    ours, theirs = parse_letter(message), message_from_bytes(message, policy=policy.default)
    assert shape(ours) == shape(theirs) and bytes(ours) == bytes(theirs)


FAULTS = {
    "a token": ("<p", "<p>judge+TOKEN</p><p"),
    "no XML": ("</body>", ""),
    "a script": ("</body>", "<script></script></body>"),
    "a link elsewhere": ("</body>", '<a href="https://example.org">x</a></body>'),
    "a picture from elsewhere": ("</body>", '<img src="https://example.org/a.png"/></body>'),
    "a picture that is not there": (
        "</body>", '<img src="cid:none@localhost" alt="x" width="680"/></body>'),
    "something fetched": ("<body", '<body title="url(x)"'),
    "something that is run": ("<body", '<body onload="x"'),
    "no colour scheme": ("color-scheme", "colour-scheme"),
    "a second head": ("</body>", "<h1>x</h1></body>"),
    "pale letters": ("</body>", '<p style="background:#ffffff" bgcolor="#ffffff">'
                                '<b style="color:#eeeeee">x</b></p></body>'),
}


def alter_letter(raw: bytes, old: str, new: str, kind: str = "html") -> EmailMessage:
    letter = message_from_bytes(raw, policy=policy.default)
    assert isinstance(letter, EmailMessage)
    del letter["Reply-To"]
    letter["Reply-To"] = "judge+TOKEN@localhost"
    part = letter.get_body((kind,))
    assert part is not None
    text = page_of(letter) if kind == "html" else text_of(letter)
    assert old in text
    part.set_content(text.replace(old, new, 1), subtype=kind, charset="utf-8")
    return letter


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_of_a_page_is_found(raw: bytes, fault: str) -> None:
    is_sound(alter_letter(raw, "</body>", "</body>"))
    with pytest.raises((AssertionError, SyntaxError)):
        is_sound(alter_letter(raw, *FAULTS[fault]))


def test_a_word_missing_on_the_page_is_found(raw: bytes) -> None:
    text = text_of(parse_letter(raw))
    is_sound(alter_letter(raw, text, f"{text}\n:: unsaid\n", "plain"))
    # The second check must not use a cached success.
    for _ in range(2):
        with pytest.raises(AssertionError, match="unsaid"):
            is_sound(alter_letter(raw, text, f"{text}\nunsaid\n", "plain"))


@pytest.mark.parametrize("text", [
    "", "LIST", "LIST\n\n", "a\rb", "a\x0bb", "Grüße", "x" * 79, "From x", "a\r\nb\r\n",
])
@pytest.mark.parametrize("subject", ["orders", "a  b", "é", "=?utf-8?q?a?=", "x " * 40 + "x"])
def test_a_mail_is_formatted_as_by_the_library(text: str, subject: str) -> None:
    headers = {"From": ANN, "To": "Judge <judge@localhost>", "Subject": subject}
    for to in (headers["To"], "judge+TOKEN@localhost"):
        mail = EmailMessage(policy.default)
        for name, value in {**headers, "To": to}.items():
            mail[name] = value
        mail.set_content(text)
        assert mail_of({**headers, "To": to}, text) == bytes(mail)
