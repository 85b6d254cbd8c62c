"""Maps given by points alone: every province has the land that is nearest to its point.

`python -m judge_maps.pointmap FOLDER ATLAS` draws such a map, whose tables are those of Nations
1940 (`provinces.tsv` with lon and lat, `adjacency.tsv`). The plan has `lens.json` and `strokes.tsv`
as with other maps, `countries.tsv` (the places that may be in each country) and `more.tsv` (further
points of a place); the rest is made of the points, in a temporary folder, as the tool for boards
wants it. `--places` keeps the outlines, `--ways` all but the lines of passes and crossings.
"""

import csv
import json
import shutil
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from judge.drawing.base import load_base
from judge_maps.linking import ways_of
from judge_maps.making import draw_outlines, make_shapes, read_outlines

USAGE = "usage: python -m judge_maps.pointmap FOLDER (ATLAS | --places | --ways)\n"
FINE, MISUSED = 0, 2
LINES = ("mountain-pass", "water-crossing")
"""Types of links that have a line of their own."""
WAYS = ',\n"ways":'
ABOUT = (("key", "value"), ("title", "Points"), ("first_year", "1940"), ("victory", "1"),
         ("quiet_falls", "0"), ("icebreaker", "-"))  # fmt: skip


def main(arguments: Sequence[str]) -> int:
    """Write the shapes of a map of points; return the exit code."""
    if len(arguments) != 2:
        sys.stderr.write(USAGE)
        return MISUSED
    folder = Path(arguments[0]).resolve()
    with TemporaryDirectory() as made:
        board = Path(made) / "points"
        lay_out(folder, board)
        labels = labels_of(folder)
        shapes = folder / "shapes.json"
        if arguments[1] == "--ways":
            text = shapes.read_text(encoding="utf-8")
        elif arguments[1] == "--places":
            shutil.copy(shapes, board / "shapes.json")
            text = make_shapes(board, read_outlines(board), labels)
        else:
            outlines = draw_outlines(board, Path(arguments[1]))
            text = make_shapes(board, outlines, labels)
        shapes.write_text(with_ways(text, folder), encoding="utf-8")
    return FINE


def labels_of(folder: Path) -> dict[str, str]:
    """Return the names of places on the map: provinces have their number before it."""
    return {
        _abbr(row["number"]): f"{row['number']} {row['name']}" if row["kind"] == "land"
        else row["name"]
        for row in _rows(folder / "provinces.tsv")
    }


def with_ways(text: str, folder: Path) -> str:
    """Return the text of `shapes.json` with the lines of links that borders do not show."""
    links = {
        (_abbr(row["a"]), _abbr(row["b"])): row["type"] in LINES
        for row in _rows(folder / "adjacency.tsv")
    }
    ways = ways_of(load_base(text), links)
    lines = ",\n".join(
        f"{json.dumps(pair)}:{json.dumps(at, separators=(',', ':'))}" for pair, at in ways.items()
    )
    return f'{text.partition(WAYS)[0].rstrip().rstrip("}")}}}{WAYS}{{\n{lines}}}}}\n'


def lay_out(folder: Path, board: Path) -> None:
    """Write the tables of a board, and its plan, from the points of a folder."""
    places = [row for row in _rows(folder / "provinces.tsv") if row["kind"] != "mountain"]
    names = {row["number"]: row["number"] for row in places}
    links = list(_rows(folder / "adjacency.tsv"))
    wet = {link["a"] for link in links if link["type"] == "sea"}
    (board / "plan").mkdir(parents=True)
    shutil.copy(folder / "plan" / "lens.json", board / "plan" / "lens.json")
    _write(board / "map.tsv", ABOUT)
    _write(board / "coasts.tsv", [("abbr", "name", "aliases", "lon", "lat")])
    powers = [("power", "letter", "adjective", "words"), ("Red", "R", "Red", "-")]
    _write(board / "powers.tsv", powers)
    _write(board / "start.tsv", [("power", "letter", "unit", "location")])
    kinds = {True: "sea", False: "land"}
    _write(board / "provinces.tsv", [
        ("abbr", "name", "kind", "supply_centre", "home_power", "coasts", "aliases", "lon", "lat"),
        *(
            (
                _abbr(row["number"]), f"{row['name']} {row['number']}",
                "coast" if row["number"] in wet and row["kind"] == "land"
                else kinds[row["kind"] == "sea"],
                str(int(row["kind"] == "land")), "-", "-", "-", row["lon"], row["lat"],
            )
            for row in places
        ),
    ])  # fmt: skip
    _write(board / "adjacency.tsv", [
        ("a", "b", "army", "fleet", "note"),
        *sorted(
            (
                (*sorted((_abbr(link["a"]), _abbr(link["b"])), key=str.lower),
                 str(int(link["type"] != "sea")), str(int(link["type"] == "sea")), "-")
                for link in links if link["a"] in names and link["b"] in names
            ),
            key=lambda row: (row[0].lower(), row[1].lower()),
        ),
    ])  # fmt: skip
    seeds = [(_abbr(row["number"]), f"{row['lon']},{row['lat']}") for row in places]
    more = {_abbr(row["place"]): row["points"] for row in _rows(folder / "plan" / "more.tsv")}
    points = [(name, f"{at} {more.get(name, '')}".strip()) for name, at in seeds]
    _write(board / "plan" / "seeds.tsv", points)
    _write(board / "plan" / "countries.tsv", [
        (row["country"], " ".join(map(_abbr, row["places"].split())))
        for row in _rows(folder / "plan" / "countries.tsv")
    ])
    shutil.copy(folder / "plan" / "strokes.tsv", board / "plan" / "strokes.tsv")


def _abbr(number: str) -> str:
    """Return a place as the tool names it: boards know no places that are numbers.

    >>> _abbr("20"), _abbr("S16"), _abbr("-")
    ('P20', 'S16', '-')
    """
    return f"P{number}" if number.isdecimal() else number


def _rows(file: Path) -> Iterable[dict[str, str]]:
    with file.open(encoding="utf-8", newline="") as lines:
        yield from csv.DictReader(lines, delimiter="\t")


def _write(file: Path, rows: Iterable[Sequence[str]]) -> None:
    file.write_text("".join("\t".join(row) + "\n" for row in rows), encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
