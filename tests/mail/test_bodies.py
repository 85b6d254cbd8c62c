"""Multipart messages: every part is restored, and no text ends its part."""

from dataclasses import replace
from email import message_from_bytes, policy
from email.message import EmailMessage

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.mail.outbound.compose import (
    Composed,
    Data,
    Multipart,
    Part,
    PicturePlaceholder,
    TextPart,
    compose,
    insert_parts,
    make_multipart,
    note_part,
    picture_part,
    safe_name,
)
from judge.model.letter import LetterPicture, PictureFormat, PictureRequest, PictureSlot
from tests.mail.test_compose import PLAIN

PNG = b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 20
BOARD = LetterPicture(PictureRequest("toy", "a board", "marco"), "marco-S1901M", "the board")
DRAWING = LetterPicture(BOARD.sketch._replace(form=PictureFormat.SVG), "marco-S1901M", "the board")


def read(octets: bytes) -> EmailMessage:
    """Parse a message and check that no part has defects."""
    message = message_from_bytes(octets, policy=policy.default)
    assert isinstance(message, EmailMessage)
    assert not [part.defects for part in message.walk() if part.defects]
    return message


def fill_pictures(letter: Composed) -> EmailMessage:
    """Return a letter with the same picture in all its places."""
    parts = [picture_part(place, PNG) for place in letter.places]
    octets = insert_parts(letter.octets, letter.places, parts)
    assert octets.isascii() and all(len(line) <= 998 for line in octets.split(b"\r\n"))
    assert b"\n" not in octets.replace(b"\r\n", b"")
    return read(octets)


def decode_text(part: EmailMessage | None) -> str:
    """Return a text before its encoding, with line feeds."""
    assert part is not None
    return str(part.get_content()).replace("\r\n", "\n")


def shape(message: EmailMessage) -> list[str]:
    """Return the content types of all parts, from the outside in."""
    return [part.get_content_type() for part in message.walk()]


def test_a_single_text_has_no_multipart_around_it() -> None:
    assert shape(read(compose(PLAIN, make_multipart("mixed", TextPart("A Par H"))).octets)) == [
        "text/plain"
    ]


def test_a_picture_follows_the_text_and_is_restored() -> None:
    letter = compose(
        PLAIN,
        make_multipart(
            "mixed", TextPart("A Par H"), PicturePlaceholder(BOARD), PicturePlaceholder(DRAWING)
        ),
    )
    message = fill_pictures(letter)
    assert shape(message) == ["multipart/mixed", "text/plain", "image/png", "image/svg+xml"]
    assert message["Subject"] == PLAIN.subject
    assert decode_text(message.get_body(("plain",))) == "A Par H\n"
    png, svg = message.iter_attachments()
    assert png.get_content() == svg.get_content() == PNG
    assert [png.get_filename(), svg.get_filename()] == ["marco-S1901M.png", "marco-S1901M.svg"]
    assert [png.get_content_disposition(), svg.get_content_disposition()] == [
        "inline", "attachment",
    ]


def test_a_missing_picture_is_replaced_by_a_note() -> None:
    letter = compose(PLAIN, make_multipart("mixed", TextPart("A Par H"), PicturePlaceholder(BOARD)))
    note_octets = note_part(letter.places[0], "No picture: Köln.")
    message = read(insert_parts(letter.octets, letter.places, [note_octets]))
    assert shape(message) == ["multipart/mixed", "text/plain", "text/plain"]
    (note,) = message.iter_attachments()
    assert decode_text(note) == "No picture: Köln.\n"


def test_nested_parts_are_restored() -> None:
    tree: Part = Multipart(
        "mixed",
        (
            Multipart(
                "alternative",
                (
                    TextPart("A Par H"),
                    Multipart(
                        "related",
                        (TextPart("<p>A Par H</p>", "html"), PicturePlaceholder(BOARD, "board@x")),
                    ),
                ),
            ),
            Data(b"{}", "application/json", "result.json"),
            PicturePlaceholder(DRAWING),
        ),
    )
    message = fill_pictures(compose(PLAIN, tree))
    assert shape(message) == [
        "multipart/mixed", "multipart/alternative", "text/plain", "multipart/related", "text/html",
        "image/png", "application/json", "image/svg+xml",
    ]
    found = {part.get_content_type(): part for part in message.walk()}
    assert found["image/png"]["Content-ID"] == "<board@x>"
    assert found["image/png"].get_payload(decode=True) == PNG
    assert found["application/json"].get_payload(decode=True) == b"{}"
    assert decode_text(message.get_body(("html",))) == "<p>A Par H</p>\n"


ANY = st.text(st.characters(codec="utf-8", exclude_categories=["Cc"]), max_size=200)


@given(ANY, ANY)
def test_no_text_ends_its_part_or_hides_another(text: str, more: str) -> None:
    tree = Multipart("mixed", (TextPart(text), PicturePlaceholder(BOARD), TextPart(more)))
    message = fill_pictures(compose(PLAIN, tree))
    assert shape(message) == ["multipart/mixed", "text/plain", "image/png", "text/plain"]
    parts = [part for part in message.walk() if part.get_content_type() == "text/plain"]
    read_back = [part.get_content().removesuffix("\n").rstrip("\r\n") for part in parts]
    assert read_back == [text.rstrip("\r\n"), more.rstrip("\r\n")]


def test_a_text_with_a_known_boundary_does_not_end_its_part() -> None:
    """Press may contain any text, even the boundary of an earlier letter."""
    tree = make_multipart("mixed", TextPart("hello"), PicturePlaceholder(BOARD))
    seen = read(compose(PLAIN, tree).octets).get_boundary()
    place = compose(PLAIN, tree).places[0]
    press = f"--{seen}\nContent-Type: text/html\n\n<b>{place.key}</b>\n--{seen}--\n{place!r}\n"
    letter = compose(PLAIN, make_multipart("mixed", TextPart(press), PicturePlaceholder(BOARD)))
    message = fill_pictures(letter)
    assert message.get_boundary() != seen
    assert shape(message) == ["multipart/mixed", "text/plain", "image/png"]
    assert decode_text(message.get_body(("plain",))) == press


@pytest.mark.parametrize(
    "name", ["", "..", "../../etc/passwd", "a\r\nBcc: x", 'a"b', "ä" * 50, "x" * 500, ".hidden"]
)
def test_a_file_name_is_valid_everywhere(name: str) -> None:
    safe = safe_name(name)
    assert safe and safe.isascii() and len(safe) <= 80
    assert not set(safe) & set('/\\"\r\n ;:') and not safe.startswith((".", "-"))


def test_places_are_filled_in_any_sequence() -> None:
    places = [PictureSlot(at, "", "png", "", "") for at in (4, 0, 2)]
    assert insert_parts(b"abcd", places, [b"3", b"1", b"2"]) == b"1ab2cd3"
    assert insert_parts(b"abcd", [], []) == b"abcd"


def test_the_key_of_a_picture_depends_on_all_its_input() -> None:
    sketch = BOARD.sketch
    others = [
        sketch._replace(system="other"), sketch._replace(source="b"), sketch._replace(title="polo"),
        sketch._replace(form=PictureFormat.SVG), PictureRequest("toy", "marco", "a board"),
    ]
    assert len({sketch.key, *(other.key for other in others)}) == 6
    assert replace(BOARD, name="other").sketch.key == sketch.key
