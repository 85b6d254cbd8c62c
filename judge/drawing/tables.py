"""Pictures that are tables, for games whose position is best shown as a list."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from judge.drawing import colours
from judge.drawing.drawing import Drawing
from judge.drawing.picture import Captions
from judge.drawing.primitives import PAGE, Layer, Path, Primitive, Text, box

ROW = 44.0
_MARGIN = 24.0
_SIZE = 20.0


class TableRow(NamedTuple):
    """One row. `side` gives it a mark in the colour of a side of the legend."""

    cells: tuple[str, ...]
    side: str = ""


@dataclass(frozen=True)
class TablePicture:
    """One table: heads of its columns, and rows with as many cells."""

    heads: tuple[str, ...]
    rows: tuple[TableRow, ...]
    captions: Captions


@dataclass(frozen=True)
class TableDrawing(Drawing):
    """The drawing of a table."""

    picture: TablePicture

    @property
    def captions(self) -> Captions:
        """Texts around the table."""
        return self.picture.captions

    @property
    def size(self) -> tuple[float, float]:
        """Width of the page, and height of the rows."""
        return PAGE, ROW * (len(self.picture.rows) + 1) + _MARGIN

    def layers(self) -> tuple[Layer, ...]:
        """Return paper, marks and cells."""
        ground = Path(box(0, 0, *self.size), fill=colours.PAPER)
        return (
            Layer("ground", (ground,)),
            Layer("marks", tuple(self._marks())),
            Layer("cells", tuple(self._cells())),
        )

    def _marks(self) -> Iterator[Primitive]:
        sides = {side.name: side for side in self.captions.sides}
        for number, row in enumerate(self.picture.rows, start=1):
            if side := sides.get(row.side):
                paint = colours.paint(side.colour)
                mark = box(_MARGIN, ROW * number + 10, 24, 24, 4)
                yield Path(mark, fill=paint.tint, stroke=paint.strong, width=2)

    def _cells(self) -> Iterator[Primitive]:
        wide = (PAGE - 2 * _MARGIN - 40) / max(len(self.picture.heads), 1)
        rows = [self.picture.heads, *(row.cells for row in self.picture.rows)]
        for number, cells in enumerate(rows):
            for column, text in enumerate(cells):
                x, y = _MARGIN + 40 + column * wide, ROW * number + 30
                yield Text(x, y, text, _SIZE, anchor="start", bold=not number or not column)
