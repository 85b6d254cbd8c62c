"""Pictures as SVG text; everything written by anybody is escaped."""

from functools import cache
from importlib.resources import files

from jinja2 import Environment, StrictUndefined, Template

from judge.drawing import colours
from judge.drawing.ink import Sheet, number
from judge.drawing.layout import OnProvinces
from judge.drawing.picture import Picture

TEMPLATE = "board.svg"


def draw_svg(picture: Picture) -> str:
    """Return a picture of a board of provinces as SVG."""
    return sheet_svg(OnProvinces(picture).drawn())


def sheet_svg(sheet: Sheet) -> str:
    """Return a finished drawing as SVG."""
    return _template().render(sheet=sheet, colours=colours)


@cache
def _template() -> Template:
    environment = Environment(undefined=StrictUndefined, autoescape=True, trim_blocks=True)
    environment.filters["n"] = number
    text = files("judge.drawing").joinpath(TEMPLATE).read_text(encoding="utf-8")
    return environment.from_string(text)
