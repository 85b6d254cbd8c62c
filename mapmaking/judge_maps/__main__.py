"""`python -m judge_maps FOLDER ATLAS`, or `python -m judge_maps FOLDER --places`."""

import sys
from collections.abc import Sequence
from pathlib import Path

from judge_maps.making import draw_outlines, make_shapes, read_outlines

USAGE = "usage: python -m judge_maps FOLDER (ATLAS | --places)\n"
FINE, MISUSED = 0, 2


def main(arguments: Sequence[str]) -> int:
    """Write the shapes of one map; return the exit code."""
    if len(arguments) != 2:
        sys.stderr.write(USAGE)
        return MISUSED
    folder, source = Path(arguments[0]).resolve(), arguments[1]
    if source == "--places":
        outlines = read_outlines(folder)
    else:
        outlines = draw_outlines(folder, Path(source))
    text = make_shapes(folder, outlines)
    (folder / "shapes.json").write_text(text, encoding="utf-8")
    return FINE


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
