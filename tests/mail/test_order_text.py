"""Order lines after changes of characters by mail programs, phones and gateways."""

import pytest

from judge.mail.language.order_text import clean_order
from judge.model.incoming import Line
from judge.model.order_commands import GiveOrders
from judge.model.seat_commands import ChangeSetting
from tests.language import read_sheet
from tests.mail.test_reader import FROM, read


@pytest.mark.parametrize("typed, meant", [
    ("A Par -&gt; Bur", "A Par -> Bur"), ("A&nbsp;Par &ndash; Bur", "A\xa0Par – Bur"),
    ("A Par &#8594; Bur", "A Par → Bur"), ("A Par â€“ Bur", "A Par – Bur"),
    ("A Par â†’ Bur", "A Par → Bur"), ("A\xc2\xa0Par - Bur", "A\xa0Par - Bur"),
    ("A MÃ¼nchen H", "A München H"), ("A Par \\- Bur\\", "A Par - Bur"),
    ("`A Par` - Bur", "A Par - Bur"), ("A Par &amp; A Mar", "A Par &amp; A Mar"),
    ("A Mün - Tâ", "A Mün - Tâ"), ("F Spa\\sc", "F Spa\\sc"), ("&unknown;", "&unknown;"),
])
def test_order_is_cleaned(typed: str, meant: str) -> None:
    assert clean_order(typed) == meant


@pytest.mark.parametrize(
    "typed", ["\\> A Par - Bur", "*> A Par - Bur*", "`|| A Par - Bur`", "Â» A Par â€“ Bur"]
)
def test_line_like_a_quote_is_not_cleaned(typed: str) -> None:
    assert clean_order(typed) == typed


@pytest.mark.parametrize("separator", ["\x0b", "\x0c", "\x85", "\u2028", "\u2029"])
def test_separators_end_only_the_senders_own_lines(separator: str) -> None:
    head = FROM + b"Content-Type: text/plain; charset=utf-8\r\n\r\n"
    text = f"A Par - Bur{separator}A Mar H\n> A Bre H{separator}RESIGN\n|| hi{separator}RESIGN\n"
    mail = read(head + text.encode())
    assert [line.text for line in mail.lines] == ["A Par - Bur", "A Mar H"]
    html = f"<p>A Par H{separator}A Mar H</p><blockquote>so{separator}RESIGN</blockquote>"
    mail = read(head.replace(b"plain", b"html") + html.encode())
    assert "RESIGN" not in [line.text for line in mail.lines]


@pytest.mark.parametrize(
    "quoted", ["&gt; RESIGN", "&gt;RESIGN", "\xc2» RESIGN", "\ufffc> RESIGN", "\ufffc|| RESIGN"]
)
def test_quote_marks_are_recognised_as_written_by_gateways(quoted: str) -> None:
    head = FROM + b"Content-Type: text/plain; charset=utf-8\r\n\r\n"
    assert [line.text for line in read(head + f"A Par H\n{quoted}\n".encode()).lines] == ["A Par H"]


def test_characters_of_phones_damage_no_command() -> None:
    (setting, orders) = read_sheet([Line(1, "\ufffcSET WAIT\ufe0f"), Line(2, "A Par H")]).commands
    assert isinstance(setting, ChangeSetting) and isinstance(orders, GiveOrders)
