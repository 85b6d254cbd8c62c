"""Rules of pages for screen readers, and for Word, the engine of Outlook.

The first half are rules that can be checked on a page alone (axe-core: page-has-heading-one,
heading-order, empty-heading, scope-attr-valid, image-alt, link-name, valid-lang, color-contrast).
The second half are features that Word does not support.
"""

import re
from collections.abc import Mapping
from functools import cache
from xml.etree.ElementTree import Element, tostring

MIN_CONTRAST = 4.5
"""Minimum contrast of a text and its background (WCAG 2, 1.4.3)."""
_SMALLEST = 12
"""Minimum font size in pixels."""
_LEVELS = {f"h{level}": level for level in range(1, 7)}
"""Headings and their levels."""
_COLOUR = re.compile(r"#[0-9a-f]{6}")
_COLOURED = {"color", "background", "background-color", "border", "border-top", "border-left"}
_UNKNOWN_TO_WORD = ("rgba(", "hsl(", "inline-block", "flex", "grid", "float:", "position:")
_MAY_PAD = {"td", "th", "ul"}
_ENGLISH = re.compile(r"\b(No Order Processed|SUPPORT (Army|Fleet)|CONVOY Army)\b")
"""Names of orders in every language, for programs."""


def is_heard(root: Element) -> None:
    """Check a page for screen readers: headings, table heads, languages, contrast."""
    body = root.find("body")
    assert body is not None and (root.findtext("head/title") or "").strip()
    levels = [_LEVELS[one.tag] for one in body.iter() if one.tag in _LEVELS]
    assert levels[:1] == [1] and levels.count(1) == 1, levels
    steps = zip(levels, levels[1:], strict=False)
    assert all(after <= before + 1 for before, after in steps), levels
    for one in body.iter():
        if one.tag in _LEVELS or one.tag in ("th", "a"):
            assert "".join(one.itertext()).strip(), f"an empty {one.tag}"
        if one.tag == "th":
            assert one.get("scope") in ("row", "col"), tostring(one)[:300]
        if one.tag == "img":
            assert one.get("alt")
        if one.tag == "table":
            is_layout = one.get("role") == "presentation"
            heads = [cell for row in one.findall("tr") for cell in row.findall("th")]
            assert bool(heads) != is_layout, tostring(one)[:300]
    if root.get("lang") != "en":
        _tells_english(body)


def _tells_english(one: Element) -> None:
    """Check that English text in a page of another language is marked as such."""
    if one.get("lang") != "en":
        assert not _ENGLISH.search(one.text or ""), one.text
        for inside in one:
            _tells_english(inside)
            assert not _ENGLISH.search(inside.tail or ""), inside.tail


def is_known_to_word(root: Element) -> None:
    """Check that a page uses only features that Word supports."""
    body = root.find("body")
    assert body is not None
    frame = next(iter(body))
    for one in body.iter():
        style = one.get("style", "")
        known = _parse_declarations(style)
        assert one.tag in _MAY_PAD or one in (body, frame) or not _pads(style), (one.tag, style)
        behind = known.get("background", "")
        assert behind == one.get("bgcolor", ""), "the colour of a cell stands in bgcolor, too"
        if behind:
            for inside in one.iter():
                front = _parse_declarations(inside.get("style", "")).get("color", "")
                assert inside is one or contrast(front, behind) >= MIN_CONTRAST
        else:
            # The background of an element without colour is unknown: a program may show the page
            # dark.
            assert "color" not in known or one.tag == "a", (one.tag, style)


@cache
def _parse_declarations(style: str) -> Mapping[str, str]:
    """Return the declarations of a style, all of them supported everywhere.

    The result is cached, since pages have only some dozen styles.
    """
    assert not [word for word in _UNKNOWN_TO_WORD if word in style], style
    parts = (each.partition(":") for each in style.split(";") if each.strip())
    known = {name.strip(): value.strip() for name, _, value in parts}
    for name, value in known.items():
        if name in _COLOURED and value != "0":
            assert _COLOUR.search(value), style
        if name == "font-size":
            assert int(value.removesuffix("px")) >= _SMALLEST, style
    return known


@cache
def _pads(style: str) -> bool:
    return any(name.startswith("padding") for name in _parse_declarations(style))


@cache
def contrast(one: str, other: str) -> float:
    """Return the contrast ratio of two colours (WCAG 2, relative luminance).

    >>> contrast("#000000", "#ffffff")
    21.0
    """
    lights = sorted(_luminance(colour) for colour in (one, other))
    return round((lights[1] + 0.05) / (lights[0] + 0.05), 2)


def _luminance(colour: str) -> float:
    assert _COLOUR.fullmatch(colour), colour
    parts = [int(colour[at:at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
