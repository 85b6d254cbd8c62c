"""Commands `python -m judge_maps FOLDER ATLAS` and `… import SOURCE FOLDER`.

`--places` or `--bends` may replace ATLAS.
"""

import sys
from collections.abc import Sequence
from pathlib import Path

from judge_maps.importing.command import run_import
from judge_maps.making import bend_anew, draw_outlines, make_shapes, read_outlines

USAGE = (
    "usage: python -m judge_maps FOLDER (ATLAS | --places | --bends)\n"
    "       python -m judge_maps import SOURCE FOLDER [--help]\n"
)
FINE, MISUSED = 0, 2


def main(arguments: Sequence[str]) -> int:
    """Write the shapes of one map. Return the exit code."""
    if arguments[:1] == ["import"]:
        return run_import(arguments[1:])
    if len(arguments) != 2:
        sys.stderr.write(USAGE)
        return MISUSED
    folder, source = Path(arguments[0]).resolve(), arguments[1]
    if source == "--bends":
        text = bend_anew(folder)
    elif source == "--places":
        text = make_shapes(folder, read_outlines(folder))
    else:
        text = make_shapes(folder, draw_outlines(folder, Path(source)))
    (folder / "shapes.json").write_text(text, encoding="utf-8")
    return FINE


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
