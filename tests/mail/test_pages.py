"""HTML of letters: any text as a page."""

import re
from xml.etree import ElementTree

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from judge.mail.outbound.layout import (
    add_layout_marks,
    normalize,
    strip_controls,
    verbatim,
    wrap_rows,
)
from judge.mail.outbound.render import Renderer
from judge.mail.outbound.templates import loader, mailto
from judge.mail.outbound.text_to_html import NO_BREAK, _cited_apart, to_html
from judge.mail.outbound.third_party_text import THIRD_PARTY_MARK
from judge.model.letter import Letter, LetterKind
from judge.model.phrase import phrase
from tests.journeys.pages import words
from tests.language import LANGUAGE

GAME = {
    "name": "marco", "variant": "Youngstown", "phase": "F1901M", "deadline": None, "zone": "UTC",
    "state": "paused", "paused_until": None, "title": "Movement", "season": "Fall of 1901",
    "held": False,
    "grace": None, "put_off": False, "writing_from": None,
}
SEAT = {"role": "observer", "power": "", "signon": "Omarco", "replies": True}
# Private-use characters are the layout marks of templates.
HOSTILE = st.one_of(
    st.text(st.characters(exclude_categories=["Cs", "Co"]), max_size=120),
    st.sampled_from([
        "<script>alert(1)</script>", "<img src=http://evil.example/x.png>", "&lt;&amp;",
        '"><a href="javascript:x">', "</td></table></div>", "{{ 7*7 }}{% raw %}", "]]>", "<!--",
        "style='x:expression(1)'", "  LIST      " + "x" * 90, "\x00\x1b[2J\u2028", "a\x00b",
    ]),
)


def tree(piece: str) -> ElementTree.Element:
    return ElementTree.fromstring(f"<body>{piece}</body>")


def plain(piece: str) -> list[str]:
    return " ".join(tree(piece).itertext()).split()


def page(template: str, **facts: object) -> str:
    shown = {"game": GAME, "seat": SEAT, "owed": {"due": False, "missing": ()}, **facts}
    letter = Letter(LetterKind.NOTICE, "ann@example.org", "marco - news", template, shown)
    return Renderer(LANGUAGE, "YNGS", "judge@example.org").page(letter)


@given(st.lists(HOSTILE, max_size=8))
def test_no_word_is_lost_or_added_and_none_becomes_markup(lines: list[str]) -> None:
    text = strip_controls("\n".join(lines)).replace("\0", "")
    found = tree(to_html(text))
    shown = [line for line in text.split("\n") if not line.startswith("::")]
    assert " ".join(found.itertext()).split() == " ".join(shown).split()
    assert {element.tag for element in found.iter()} <= {
        "body", "p", "div", "pre", "table", "tr", "td", "th", "br",
    }


@example("", "0\r0")
@given(HOSTILE, HOSTILE)
def test_players_texts_on_pages_are_escaped(body: str, name: str) -> None:
    for found in (
        page("official", game={**GAME, "name": name}, about=name, body=body),
        page("notice", parting=False,
             reasons=[phrase("absence-told", who=name, game=body, start="", end="", zone="")]),
    ):
        root = ElementTree.fromstring(found.removeprefix("<!DOCTYPE html>"))
        assert not [x for x in root.iter() if x.tag in ("script", "img", "a")]
        unsaid = words(strip_controls(name).replace("\0", "")) - words(" ".join(root.itertext()))
        assert not unsaid or name.startswith("::")


@given(HOSTILE)
def test_press_keeps_its_lines(body: str) -> None:
    text = strip_controls(body).replace("\0", "")
    found = tree(to_html(verbatim(text)))
    kept = "\n".join(line.rstrip(" ").expandtabs() for line in text.split("\n"))
    assert "".join(found.itertext()).replace(NO_BREAK, " ") == kept.replace(NO_BREAK, " ")
    assert "  " not in "".join(found.itertext())


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("One line that goes on because the next word would not have fitted in that\nline.\n",
         ["p"]),
        ("Send this:\n\n    A Par - Bur\n    A Mar H\n", ["p", "table"]),
        ("    LIST      ¦the games\n    JOIN x    take part,\n              if you will\n",
         ["table"]),
        ("¦England:  3   4\nFrance:   4  11\n", ["table"]),
        ("¦England:  3   4\n", ["pre"]),
        ("- one\n- two\n", ["div"]),
        ("One.\\\nTwo.\n", ["div"]),
        ("England:  3   4\nFrance:   4  11\n", ["p"]),
    ],
)
def test_texts_are_formatted_by_their_layout_characters(text: str, pieces: list[str]) -> None:
    assert [element.tag for element in tree(to_html(add_layout_marks(text)))] == pieces
    assert not set(normalize(add_layout_marks(text))) & set("\\¦\ue002\ue003\ue004\ue005")


def test_a_wrapped_row_of_a_template_stays_one_row() -> None:
    said = wrap_rows("One line that goes on. " * 5, indent=2, hang=2) + "\n" + wrap_rows("Another.")
    pieces = [" ".join(element.itertext()) for element in tree(to_html(said))[0]]
    assert pieces == [" ".join(["One line that goes on."] * 5), "Another."]


def test_two_columns_become_a_table_with_a_row_for_each() -> None:
    text = "    LIST      ¦the games\n    JOIN x    take part,\n              if you will\n"
    found = [
        [cell.text for cell in row] for row in tree(to_html(add_layout_marks(text))).iter("tr")
    ]
    assert found == [["LIST", "the games"], ["JOIN x", "take part, if you will"]]


def test_a_link_opens_a_letter_without_additional_headers() -> None:
    link = mailto("judge@example.org", "a&b\n?bcc=eve", ["SIGNON Nm x", "A DEL ", "&cc=eve"])
    assert link == (
        "mailto:judge@example.org?subject=a%26b%0A%3Fbcc%3Deve"
        "&body=SIGNON%20Nm%20x%0D%0AA%20DEL%20%0D%0A%26cc%3Deve"
    )


def test_a_letter_without_a_page_is_formatted_from_its_text() -> None:
    found = page("reset", days=7, why="lost")
    assert "SET PASSWORD yournewpassword</pre>" in found
    assert not re.search(r"src=|https?:", found)


@pytest.mark.parametrize(
    ("name", "source"),
    [
        # Only puts other templates together.
        ("late.html", '{% include "late-why.html" %}'),
        ("report-standing.html", '{{ shared("standing.html", '),
        # Has words.
        ("late-why.html", '{{ told("late-why.txt") }}'),
        ("help/votes.html", '{{ told("help/votes.txt") }}'),
        # Has a page of its own.
        ("sheet.html", '<td{{ english }}'),
    ],
)
def test_a_page_follows_the_text_where_it_has_no_template(name: str, source: str) -> None:
    assert source in loader("diplomacy").load_func(name)


def test_cited_lines_are_separated_from_the_others() -> None:
    lines = [
        "one", f"{THIRD_PARTY_MARK} two", f"  {THIRD_PARTY_MARK} three", "", "four",
        f"{THIRD_PARTY_MARK} five",
    ]
    assert [*_cited_apart(iter(lines))] == [lines[:1], lines[1:3], lines[3:5], lines[5:]]
