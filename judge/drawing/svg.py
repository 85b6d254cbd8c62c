"""Pictures as SVG text. All texts are escaped."""

from collections.abc import Sequence
from functools import cache, lru_cache
from importlib.resources import files

from jinja2 import Environment, FunctionLoader, StrictUndefined, Template

from judge.drawing import colours
from judge.drawing.board_layers import BAND, Slice, Stack, coarsen
from judge.drawing.card import HEIGHT, WIDTH, Card, card_words, place_of
from judge.drawing.drawing import Drawing
from judge.drawing.layout import ProvinceDrawing
from judge.drawing.legend import draw_key, key_height
from judge.drawing.picture import Captions, Picture
from judge.drawing.primitives import (
    PHONE_PAGE,
    EdgeBand,
    FinishedDrawing,
    Layer,
    Mark,
    Path,
    Primitive,
    Text,
    number,
)

TEMPLATE = "board.svg"
EDGE_WIDTH = 1.6
"""Width of the line around a board."""


def draw_svg(picture: Picture) -> str:
    """Return a picture of a board of provinces as SVG."""
    return sheet_svg(ProvinceDrawing(picture).draw_page())


def sheet_svg(sheet: FinishedDrawing) -> str:
    """Return a finished drawing as SVG."""
    return _board_svg(sheet, has_ground=True)


def paths_svg(sheet: FinishedDrawing) -> str:
    """Return a finished drawing as SVG without ground and paper, on nothing."""
    return _board_svg(sheet, has_ground=False)


def _board_svg(sheet: FinishedDrawing, *, has_ground: bool) -> str:
    return _template(TEMPLATE).render(
        sheet=sheet, colours=colours, has_ground=has_ground, edge=EDGE_WIDTH
    )


_OUTLINES = ("areas", "covers", "lines")
"""Layers of outlines, most of a board's size."""


def named_svg(drawing: ProvinceDrawing, title: str, *, is_coarse: bool = False) -> str:
    """Return a board of provinces as SVG with names of its parts, for a script.

    Its outlines are in whole units if *is_coarse*.
    """
    width, height = drawing.size
    layers = drawing.named_layers()
    if is_coarse:
        layers = tuple(_coarse(each) if each.name in _OUTLINES else each for each in layers)
    return _template("named.svg").render(
        width=width, height=height, layers=layers, title=title, colours=colours
    )


def _coarse(layer: Layer) -> Layer:
    return layer._replace(inks=tuple(
        ink._replace(d=coarsen(ink.d)) if isinstance(ink, Path) else ink for ink in layer.inks
    ))


def layers_svg(layers: Sequence[Layer], width: float, height: float) -> str:
    """Return layers alone as SVG."""
    return _template("slice.svg").render(
        width=width, height=height, layers=layers, patterned=True, colours=colours
    )


def ground_svg(outlines: Sequence[tuple[str, bool]], width: float, height: float) -> str:
    """Return the areas of a board as SVG, in colours that are numbers from 1.

    Each has an outline, and whether a band may lie inside it. The bands are numbered after the
    areas.
    """
    bands = [outline for outline, takes_band in outlines if takes_band]
    inks: list[Primitive] = [
        Path(outline, fill=f"#{number:06x}") for number, (outline, _) in enumerate(outlines, 1)
    ]
    inks += (
        EdgeBand(outline, str(number), f"#{number:06x}", BAND)
        for number, outline in enumerate(bands, len(outlines) + 1)
    )
    return layers_svg([Layer("ground", tuple(inks))], width, height)


def atlas_svg(
    marks: Sequence[tuple[Text | Mark, float, float, float]], width: float, height: float
) -> str:
    """Return texts and marks as SVG, each in its scale and moved to a position."""
    return _template("atlas.svg").render(
        width=width, height=height, marks=marks, colours=colours
    )


def slice_svg(stack: Stack, at: int) -> str:
    """Return one slice of a stack as SVG, or an empty string if it has no content."""
    layers, fixed = stack.slices[at]
    told = _fixed_svg if fixed else _slice_svg
    return told(stack.width, stack.height, layers)


def _slice_svg(width: float, height: float, layers: tuple[Layer, ...]) -> str:
    inks = [ink for layer in layers for ink in layer.inks]
    if not inks:
        return ""
    patterned = any(isinstance(ink, Path) and ink.fill.startswith("url(") for ink in inks)
    return _template("slice.svg").render(
        width=width, height=height, layers=layers, patterned=patterned, colours=colours
    )


_fixed_svg = lru_cache(maxsize=16)(_slice_svg)
"""Cache for the fixed slices, which each picture of a board needs."""


def stacked_svg(stack: Stack, captions: Captions, places: Sequence[str]) -> str:
    """Return an SVG of a whole stack that refers to its slices in their own files."""
    title = f"{captions.head.title}, {captions.head.phase}"
    return _template("stacked.svg").render(
        width=stack.width, height=stack.height, places=places, title=title,
        describes=captions.describes, sea=colours.SEA,
    )


def card_svg(drawing: Drawing, card: Card) -> str:
    """Return a card with the board and the texts of a game as SVG."""
    return _template("card.svg").render(
        width=WIDTH, height=HEIGHT, place=place_of(drawing), stamp=drawing.thumbnail(),
        words=card_words(card), colours=colours,
    )


def key_svg(captions: Captions) -> str:
    """Return the key alone, as wide as a phone, or an empty string without a key."""
    if not captions.key:
        return ""
    layer = Layer("key", tuple(draw_key(captions, 0, PHONE_PAGE)))
    height = key_height(captions, PHONE_PAGE)
    return slice_svg(Stack(PHONE_PAGE, height, (Slice((layer,)),)), 0)


@cache
def _template(name: str) -> Template:
    return _environment().get_template(name)


@cache
def _environment() -> Environment:
    def read(name: str) -> str:
        return files("judge.drawing").joinpath(name).read_text(encoding="utf-8")

    environment = Environment(
        loader=FunctionLoader(read), undefined=StrictUndefined, autoescape=True, trim_blocks=True
    )
    environment.filters["n"] = number
    return environment
