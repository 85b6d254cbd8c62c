"""SVG as images, rendered with the shipped fonts."""

import io
from importlib.resources import as_file, files

import resvg_py
from PIL import Image

FONTS = ("DejaVuSans.ttf", "DejaVuSans-Bold.ttf", "DejaVuSans-Oblique.ttf")


def rasterize_svg(svg: str, width: int, *, is_crisp: bool = False) -> Image.Image:
    """Return an SVG as an image *width* pixels wide, the same on every machine.

    With *is_crisp*, no pixel mixes the colours of two shapes.
    """
    with as_file(files("judge.drawing") / "fonts") as fonts:
        painted = resvg_py.svg_to_bytes(
            svg_string=svg,
            width=width,
            font_files=[str(fonts / name) for name in FONTS],
            skip_system_fonts=True,
            shape_rendering="crisp_edges" if is_crisp else "geometric_precision",
        )
    with Image.open(io.BytesIO(bytes(painted))) as image:
        image.load()
        return image
