"""The palette in full colour vision and in three kinds of colour blindness."""

from itertools import combinations, pairwise

import pytest

from judge.drawing import colours

Vector = tuple[float, float, float]

SIGHTS: dict[str, tuple[Vector, Vector, Vector]] = {
    "full": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "without red": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "without green": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "without blue": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}
"""Matrices for linear red, green and blue.

Source: Machado, Oliveira and Fernandes 2009, severity 1.
"""

TINTS = [paint.tint for paint in colours.PALETTE]
BOARD = [colours.LAND, colours.SEA, colours.OUTSIDE]
APART = 15.0
"""Minimum difference (CIE76) between two surfaces of different meaning."""
STEP = 2.4
"""Minimum visible difference in lightness of adjacent surfaces (L*, of 100).

The smallest perceptible difference is 1.
"""
READABLE = 4.5
"""Minimum contrast of text and ground in WCAG 2."""


def linear(colour: str) -> Vector:
    """Return the linear red, green and blue of a colour."""
    red, green, blue = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))

    def light(part: float) -> float:
        return part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4

    return light(red), light(green), light(blue)


def seen(colour: str, sight: str) -> Vector:
    """Return a colour in CIE L*a*b* (D65), as perceived with this colour vision."""
    light = linear(colour)
    red, green, blue = (
        min(max(sum(k * part for k, part in zip(row, light, strict=True)), 0), 1)
        for row in SIGHTS[sight]
    )

    def root(part: float) -> float:
        return part ** (1 / 3) if part > 216 / 24389 else (24389 / 27 * part + 16) / 116

    x = root((0.4124564 * red + 0.3575761 * green + 0.1804375 * blue) / 0.95047)
    y = root(0.2126729 * red + 0.7151522 * green + 0.0721750 * blue)
    z = root((0.0193339 * red + 0.1191920 * green + 0.9503041 * blue) / 1.08883)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def difference(one: str, other: str, sight: str) -> float:
    """Return the CIE76 difference of two colours."""
    pairs = zip(seen(one, sight), seen(other, sight), strict=True)
    return float(sum((a - b) ** 2 for a, b in pairs)) ** 0.5


def contrast(one: str, other: str) -> float:
    """Return the contrast ratio of two colours (WCAG 2)."""
    lights = sorted(
        0.2126 * red + 0.7152 * green + 0.0722 * blue
        for red, green, blue in (linear(one), linear(other))
    )
    return (lights[1] + 0.05) / (lights[0] + 0.05)


@pytest.mark.parametrize("sight", SIGHTS)
def test_the_colours_of_two_sides_differ(sight: str) -> None:
    closest = min((difference(a, b, sight), a, b) for a, b in combinations(TINTS, 2))
    assert closest[0] > APART


@pytest.mark.parametrize("sight", SIGHTS)
def test_owned_land_differs_from_free_land_and_sea(sight: str) -> None:
    closest = min((difference(a, b, sight), a, b) for a in TINTS for b in BOARD)
    assert closest[0] > APART


def test_sides_differ_in_lightness() -> None:
    """In grey print only lightness differs.

    Adjacent sides must differ visibly. The letters name the owner.
    """
    lights = {tint: seen(tint, "full")[0] for tint in TINTS}
    steps = {(a, b): abs(lights[a] - lights[b]) for a, b in combinations(TINTS, 2)}
    assert min(steps.values()) > STEP
    board = [seen(ground, "full")[0] for ground in BOARD]
    assert min(abs(light - other) for light in lights.values() for other in board) > STEP


@pytest.mark.parametrize("sight", SIGHTS)
def test_blue_sides_differ_from_the_sea(sight: str) -> None:
    """The blues are the third and the fourth colour: England and France."""
    blues = TINTS[2:4]
    assert min(difference(blue, colours.SEA, sight) for blue in blues) > 1.8 * APART


LINES = [colours.MOVE, colours.SUPPORT, colours.CONVOY, colours.FAILED]


@pytest.mark.parametrize("sight", SIGHTS)
def test_orders_and_failures_are_lines_of_different_colours(sight: str) -> None:
    assert min(difference(a, b, sight) for a, b in combinations(LINES, 2)) > APART
    assert difference(colours.RETREAT, colours.FAILED, sight) > APART
    assert min(difference(line, "#ffffff", sight) for line in LINES) > 3 * APART


def test_order_lines_differ_in_lightness() -> None:
    lights = sorted(seen(line, "full")[0] for line in LINES)
    assert min(b - a for a, b in pairwise(lights)) > 2 * STEP
    assert abs(seen(colours.RETREAT, "full")[0] - seen(colours.FAILED, "full")[0]) > 2 * STEP


def test_letters_on_tokens_can_be_read() -> None:
    assert min(contrast("#ffffff", paint.strong) for paint in colours.PALETTE) > READABLE


def test_names_are_readable_on_their_ground() -> None:
    assert contrast(colours.INK, colours.LAND) > READABLE
    assert min(contrast(colours.INK, tint) for tint in TINTS) > READABLE - 0.25
    assert contrast(colours.SEA_NAME, colours.SEA) > READABLE
    assert contrast(colours.FAINT_INK, colours.PAPER) > READABLE


def test_a_palette_that_runs_out_begins_again() -> None:
    assert colours.paint(len(colours.PALETTE)) == colours.PALETTE[0]
