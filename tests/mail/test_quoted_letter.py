"""Authors of lines below a quote's head: the judge's words are never an answer."""

import textwrap

from hypothesis import given
from hypothesis import strategies as st

from judge.mail.inbound.quoted_letter import QuotedLetter, QuoteOrigin, QuoteTracker

WORDS = "A F Del Kas Mad Ben H SIGNON Nmarco yourpassword RESIGN orders you owe reply or".split()
LINE = st.lists(st.sampled_from(WORDS), min_size=1, max_size=6).map(" ".join)
LETTER = st.lists(LINE, min_size=2, max_size=12)


@given(LETTER, st.integers(8, 60))
def test_a_rewrapped_letter_contains_no_answer(letter: list[str], width: int) -> None:
    back = textwrap.wrap(" ".join(letter), width, break_long_words=False)
    assert QuotedLetter("\n".join(letter)).find_own_lines(back) == (set(), set())


def test_links_added_by_outlook_change_no_line() -> None:
    letter = "Or send a new mail to judge@example.org:\nSIGNON Nmarco yourpassword\nBye"
    back = letter.replace("example.org", "example.org<mailto:judge@example.org>").split("\n")
    assert QuotedLetter(letter).find_own_lines([*back[:2], "A Del H", back[2]]) == ({2}, set())


@given(LETTER)
def test_characters_and_blanks_make_no_answer(letter: list[str]) -> None:
    back = [f"* {line.replace(' ', '  ').upper()}: <-" for line in letter]
    assert QuotedLetter("\n".join(letter)).find_own_lines(back) == (set(), set())


@given(LETTER, st.data())
def test_an_inserted_line_is_found(letter: list[str], data: st.DataObject) -> None:
    letter = [f"{line} {number}" for number, line in enumerate(letter)]
    at = data.draw(st.integers(1, len(letter)))
    back = [*letter[:at], "A Cal - Nep", "F Ran H", *letter[at:]]
    assert QuotedLetter("\n".join(letter)).find_own_lines(back) == ({at, at + 1}, set())


@given(LETTER, st.data())
def test_a_changed_line_of_the_letter_is_never_an_answer(
    letter: list[str], data: st.DataObject
) -> None:
    """A program or a translator adds or replaces a word of a line."""
    at = data.draw(st.integers(0, len(letter) - 1))
    words = letter[at].split()
    place = data.draw(st.integers(0, len(words) - 1))
    more = data.draw(st.booleans())
    words[place:place + 1] = [words[place], "mailto"] if more else ["mailto"]
    back = [*letter[:at], " ".join(words), *letter[at + 1:]]
    own, _ = QuotedLetter("\n".join(letter)).find_own_lines(back)
    assert at not in own


@given(LETTER, st.lists(st.text(max_size=20), max_size=10))
def test_a_line_of_the_letter_is_never_an_answer(letter: list[str], lines: list[str]) -> None:
    back = [one for pair in zip(lines, letter, strict=False) for one in pair]
    own, doubtful = QuotedLetter("\n".join(letter)).find_own_lines(back)
    assert not any(back[number] in letter for number in own | doubtful)
    assert not own & doubtful


def test_a_continued_text_is_cited_if_one_of_its_places_is() -> None:
    """Without a nearby place, every place is checked."""
    far = "Nothing more. " * 500
    letter = f"{far}\nDear Ann, A Vie H\n{far}\n|| Dear Ann, A Vie H\n{far}"
    assert QuotedLetter(letter).continues("dearann", "A Vie H") is QuoteOrigin.CITED
    assert (
        QuotedLetter(letter.replace("||", "")).continues("dearann", "A Vie H") is QuoteOrigin.OURS
    )
    assert (
        QuotedLetter(letter).continues("ann", "A Vie H") is QuoteOrigin.NOBODYS
    ), "too little to tell a place by"
    assert QuotedLetter(letter).continues("rann", "A Vie H") is QuoteOrigin.CITED


def test_a_continued_text_is_found_with_damaged_characters() -> None:
    letter = QuotedLetter("Reply to this letter.\n|| Grüße & mehr, Ann: A Vie H")
    assert letter.continues("greundmehrann", "A Vie H") is QuoteOrigin.NOBODYS
    assert letter.continues("gremehrann", "A Vie H") is QuoteOrigin.CITED, (
        "it left out what is not ASCII"
    )
    assert letter.continues("grussemehrann", "A Vie H &amp;") is QuoteOrigin.CITED, (
        "it named a sign"
    )


class _Answering(QuotedLetter):
    """Store of one letter, the one that is answered."""

    def find_answered_letter(self) -> QuotedLetter:
        """Return this letter."""
        return self

    def letters_containing(self, line: str, /) -> list[QuotedLetter]:
        """Return no other letter."""
        return []


def test_a_line_continues_the_quoted_line_directly_above() -> None:
    repeats = QuoteTracker(_Answering("Reply to this letter.\n|| Dear Ann, A Vie H"))
    repeats.note_quoted_line("> These lines are of nobody's", is_rest=False)
    repeats.note_quoted_line("> Dear Ann,", is_rest=False)
    assert repeats.continues("A Vie H", "", at_once=True)
    repeats.note_quoted_line("> no letter of ours", is_rest=True)
    assert not repeats.continues("A Vie H", "", at_once=True)
