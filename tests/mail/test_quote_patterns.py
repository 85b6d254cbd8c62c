"""Texts of mail programs in many languages: footers, banners, heads, subjects."""

import re
from collections.abc import Iterator
from pathlib import Path
from textwrap import wrap

import pytest

from judge.mail.inbound import quote_patterns as patterns
from judge.mail.inbound.automatic_mail import presumed_of
from judge.mail.inbound.html_text import QUOTES
from judge.mail.inbound.mime import Entity
from judge.mail.inbound.quote_patterns import MIN_WRAPPED_CHARACTERS
from tests.mail.test_reader import read

HERE = Path(__file__).parent
HEAD = "From: ann@example.org\nContent-Type: text/plain; charset=utf-8\n\n"


def rows(name: str) -> list[str]:
    """Return the lines of a table, without comments."""
    found = (HERE / f"{name}.tsv").read_text("utf-8").splitlines()
    return [line for line in found if not line.startswith("#")]


def read_own_lines(text: str) -> list[str]:
    """Return the non-empty lines of a text that count."""
    return [line.text for line in read((HEAD + text).encode()).lines if line.text]


@pytest.mark.parametrize("row", list(rows("footers")))
def test_a_footer_of_a_program_is_no_order(row: str) -> None:
    line, _, place = row.partition("\t")
    mail = f"{line}\n\nA Del - Kas\n" if place == "top" else f"A Del - Kas\n\n{line}\n"
    assert read_own_lines(mail) == ["A Del - Kas"]


def test_the_quick_check_of_a_line_misses_no_pattern() -> None:
    """The test covers every line of the corpus, also in upper and lower case."""
    mails = [file.read_bytes().decode("latin-1") for file in (HERE / "corpus").glob("*.eml")]
    tables = [text for row in rows("footers") + rows("heads") for text in row.split("\t")[:1]]
    as_written = {text[:patterns.MAX_CHARACTERS] for text in [
        *"\n".join(mails).splitlines(), *"⏎".join(tables).split("⏎")
    ]}
    lines = {form for line in as_written for form in (line, line.upper(), line.lower())}
    kinds = (
        patterns.SIGNATURE, patterns.RULE, patterns.PHONE, patterns.BANNER, patterns.DISCLAIMER,
        patterns.LIST_FOOTER,
    )
    added = {line for line in lines
             if patterns.is_footer(line) or any(kind.match(line) for kind in kinds)}
    assert len(added) > 300 and not [line for line in added if not patterns.may_be_added(line)]
    assert sum(map(patterns.may_be_added, filter(str.isascii, lines))) < len(lines) / 4
    above = {line for line in lines if any(each.match(line) for each in (
        patterns.ORIGINAL, patterns.FORWARDED, patterns.DASHED, patterns.RULE,
    ))}
    assert len(above) > 50 and not [line for line in above if not patterns.ABOVE.match(line)]


@pytest.mark.parametrize("row", list(rows("heads")))
def test_lines_below_the_head_of_a_quote_never_count(row: str) -> None:
    head = row.replace("⏎", "\n")
    assert read_own_lines(f"A Del - Kas\n\n{head}\n\nA Del H\nSIGNON Nmarco pw\n") == [
        "A Del - Kas"
    ]


TOKEN = "judge+k3jd9fkq2l4m5n6p7q8r9s0t1u@judge.example.org"
LABELS = re.compile(r"^(?:-+ |[^\d]{1,40}:$)")


def broken_heads() -> Iterator[str]:
    """Yield each head as broken by programs: at a width, or at the address."""
    for row in rows("heads"):
        for head in (row, row.replace("judge@example.org", TOKEN)):
            for old, new in (("", ""), ("<", "<⏎"), (">", "⏎>"), (" <", "⏎<"), ("> ", ">⏎")):
                yield "⏎".join(
                    one for line in (head.replace(old, new) if old else head).split("⏎")
                    for one in wrap(line, 72, break_long_words=False, break_on_hyphens=False)
                )
            yield head.replace("<", "<⏎").replace(">", "⏎>")


@pytest.mark.parametrize("head", list(broken_heads()))
def test_a_broken_head_is_still_recognised(head: str) -> None:
    """Only a name before the address may remain as a line of the sender."""
    text = head.replace("⏎", "\n")
    assert set(read_own_lines(f"A Del - Kas\n\n{text}\n\nA Del H\nSIGNON Nmarco pw\n")) <= {
        "A Del - Kas", "Judge",
    }
    assert set(read_own_lines(f"{text}\n> A Del H\n\nA Del - Kas\n")) <= {"A Del - Kas", "Judge"}


@pytest.mark.parametrize("row", [row for row in rows("heads") if not LABELS.match(row)])
def test_a_head_broken_at_any_blank_hides_the_quote(row: str) -> None:
    # A break after the first word is left out: no program breaks a line that short.
    for place in re.finditer(r"(?<=\S) (?=\S)|(?=>)|(?<=<)", row[4:].rjust(len(row))):
        head = f"{row[:place.start()]}\n{row[place.end():]}".replace("⏎", "\n")
        own = read_own_lines(f"A Del - Kas\n\n{head}\n\nA Del H\nSIGNON Nmarco pw\n")
        assert "A Del H" not in own, head


@pytest.mark.parametrize("text", [
    "Write to Bob <bob@example.org", "<bob@example.org", "<", "a <b@c", "x@y",
])
def test_a_quoted_line_below_an_open_bracket_stays_quoted(text: str) -> None:
    assert read_own_lines(f"A Del - Kas\n{text}\n> A Del H\n") == ["A Del - Kas", text]


@pytest.mark.parametrize("row", [row for row in rows("heads") if "⏎" not in row])
def test_an_answer_below_a_quote_with_head_counts(row: str) -> None:
    assert read_own_lines(f"{row}\n> A Del H\n\nA Del - Kas\n") == ["A Del - Kas"]


@pytest.mark.parametrize("subject", list(rows("away")))
def test_absence_notices_are_recognised_by_their_subject(subject: str) -> None:
    message = Entity(f"From: ann@example.org\nSubject: {subject}\n\nBack on Monday\n".encode())
    assert presumed_of(message, "ann@example.org", "ann@example.org") == "auto-reply"


@pytest.mark.parametrize(("between", "counts"), [(0, False), (1, False), (2, False), (3, True)])
def test_a_list_footer_is_within_three_lines_of_its_rule(between: int, counts: bool) -> None:
    rest = [f"A Par - Bu{number}" for number in range(between)]
    lines = ["A Del - Kas", "_" * 20, *rest, "youngstown mailing list"]
    assert read_own_lines("\n".join(lines)) == (lines if counts else lines[:1])


def test_a_banner_continues_only_after_a_long_line() -> None:
    banner = "CAUTION: this e-mail came from outside, so do not op"
    long = banner.ljust(MIN_WRAPPED_CHARACTERS, "x")
    assert len(long) == MIN_WRAPPED_CHARACTERS
    assert read_own_lines(f"{long}\nany links\n\nA Del - Kas\n") == ["A Del - Kas"]
    assert read_own_lines(f"{long[:-1]}\nany links\n\nA Del - Kas\n") == [
        "any links", "A Del - Kas",
    ]


def test_the_head_of_a_quote_has_at_most_four_lines() -> None:
    head = ["On Mon, 5 Jan 2026", "at 20:15,", "Ann of Paris", "the second", "wrote:"]
    below = ["A Del H", "SIGNON Nmarco pw"]
    for many in range(2, 6):
        lines = ["A Del - Kas", "", *head[:many - 1], head[-1], *below]
        count = read_own_lines("\n".join(lines) + "\n")
        assert count == (["A Del - Kas"] if many <= 4 else [line for line in lines if line])


@pytest.mark.parametrize("name", sorted(QUOTES))
def test_html_classes_of_quotes_are_recognised(name: str) -> None:
    page = f"<p>A Del - Kas</p><div class='x {name}'><p>F Mad - Ben</p></div>"
    mail = read(HEAD.replace("plain", "html").encode() + page.encode())
    assert [line.text for line in mail.lines if line.text] == ["A Del - Kas"]


@pytest.mark.parametrize("text", [
    "Sent from Mars: you lose", "On Monday we attack:", "A Par - Bur", "From France: move to Bur",
    "To: all", "Gesendet", "Attention Paris", "Warning: I attack", "External affairs are fine",
    "von mir", "Read this:", "Am I right:", "Le Havre", "He wrote: come", "[F Mad - Ben]",
    "Virus", "iPhone", "Outlook is good", "In 1901 England wrote:", "at 10:12 we met:",
])
def test_common_text_of_people_stays(text: str) -> None:
    assert read_own_lines(f"A Del - Kas\n{text}\nF Mad - Ben\n") == [
        "A Del - Kas", text, "F Mad - Ben",
    ]
