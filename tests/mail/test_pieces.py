"""Lines split into segments, and column numbers after masking."""

import pytest

from judge.mail.language.segments import PASSWORD_MASK, Segment, Span, split_line
from judge.model.incoming import Line


@pytest.mark.parametrize("text, found", [
    ("LIST", [("LIST", True)]), ("  LIST\t", [("LIST", True)]), ("", []), (" ", []), (";", []),
    ("LIST;", [("LIST", True)]), (";LIST", [("LIST", True)]), ("LIST # all", [("LIST", True)]),
    ("LIST // all", [("LIST", True)]), ("# all", []),
    ("LIST; HELP", [("LIST", False), ("HELP", False)]),
    ("LIST;;HELP ; # x", [("LIST", False), ("HELP", False)]),
    ('SET "a;b" ; x', [('SET "a;b"', False), ("x", False)]),
    # A wide number sign is text, as in a name.
    ("LIST； HELP", [("LIST； HELP", True)]),
    ("A –\u200bB", [("A –\u200bB", True)]),
])
def test_a_line_is_split_at_its_separators(text: str, found: list[tuple[str, bool]]) -> None:
    """A segment is unchanged text, and `whole` if it is all of its line."""
    pieces = split_line(Line(7, text))
    assert [(piece.raw, piece.whole) for piece in pieces] == found
    for piece in pieces:
        assert len(piece.plain) == len(piece.places)
        for sign, place in zip(piece.plain, piece.places):
            assert not sign.isascii() or not piece.raw[place].isascii() or sign == piece.raw[place]


@pytest.mark.parametrize("text, secrets", [
    ("SIGNON Nmarco secret # x", ["secret"]), ("a secret in two secrets b", ["secret", "secrets"]),
    ("secret a", ["secret"]), ("a secret", ["secret"]), ("x\u200bx s\u200becret y", ["secret"]),
    ("a", []), ("s", ["s"]),
])
def test_a_column_is_found_again_after_masking(text: str, secrets: list[str]) -> None:
    [piece] = split_line(Line(1, text))
    spans, at = [], 0
    for secret in secrets:
        at = piece.plain.index(secret, at)
        spans.append(Span(at, at + len(secret)))
        at += len(secret)
    shown = piece.without(spans)
    assert shown.count(PASSWORD_MASK) == len(secrets)
    for place, sign in enumerate(piece.plain):
        column = piece.column(place, spans)
        inside = [span for span in spans if span.start <= place < span.end]
        if inside:
            assert shown[column:].startswith(PASSWORD_MASK), "where it begins"
        else:
            assert shown[column] == sign
    assert piece.column(len(piece.plain), spans) == len(shown)


def test_a_segment_keeps_its_columns_after_cutting() -> None:
    piece = split_line(Line(3, "x\u200b 1) SET\u200bWAIT"))[0].after(2)
    assert isinstance(piece, Segment) and piece.raw == "1) SET\u200bWAIT"
    bare = piece.strip_list_mark()
    assert (bare.raw, bare.plain, bare.strip_list_mark()) == ("SET\u200bWAIT", "SETWAIT", bare)
    assert [bare.raw[place] for place in bare.places] == [*"SETWAIT"]
