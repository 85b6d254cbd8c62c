"""Pictures as PNG: the SVG painted with the fonts we ship, and few colours."""

import io
from importlib.resources import as_file, files

import resvg_py
from PIL import Image

FONTS = ("DejaVuSans.ttf", "DejaVuSans-Bold.ttf", "DejaVuSans-Oblique.ttf")
COLOURS = 128
"""As many colours as show no loss; dithering would add noise and size."""


def paint_png(svg: str, width: int) -> bytes:
    """Return an SVG as a PNG so many pixels wide; the same on every machine."""
    with as_file(files("judge.drawing") / "fonts") as fonts:
        painted = resvg_py.svg_to_bytes(
            svg_string=svg,
            width=width,
            font_files=[str(fonts / name) for name in FONTS],
            skip_system_fonts=True,
        )
    with Image.open(io.BytesIO(bytes(painted))) as image:
        few = image.convert("RGB").quantize(
            COLOURS, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE
        )
    out = io.BytesIO()
    few.save(out, "PNG", optimize=True)
    return out.getvalue()
