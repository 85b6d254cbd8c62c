"""Maps defined by points: each province has the land nearest to its point.

`python -m judge_maps.pointmap FOLDER ATLAS` draws such a map, whose tables are those of Nations
1940 (`provinces.tsv` with lon and lat, `adjacency.tsv`). The plan has `lens.json` and `strokes.tsv`
as other maps have, `countries.tsv` (the places that may be in each country) and `more.tsv` (further
points of a place). The other tables are made from the points, in a temporary folder, in the form of
a board's folder. `--places` keeps the outlines.
"""

import csv
import shutil
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from judge.digits import is_number
from judge_maps.making import draw_outlines, make_shapes, read_outlines

USAGE = "usage: python -m judge_maps.pointmap FOLDER (ATLAS | --places)\n"
FINE, MISUSED = 0, 2
LINES = ("mountain-pass", "water-crossing")
"""Types of links that have a line of their own."""
ABOUT = (("key", "value"), ("title", "Points"), ("first_year", "1940"), ("victory", "1"),
         ("quiet_falls", "0"), ("icebreaker", "-"))  # fmt: skip


def main(arguments: Sequence[str]) -> int:
    """Write the shapes of a map of points. Return the exit code."""
    if len(arguments) != 2:
        sys.stderr.write(USAGE)
        return MISUSED
    folder = Path(arguments[0]).resolve()
    with TemporaryDirectory() as made:
        board = Path(made) / "points"
        lay_out(folder, board)
        shapes = folder / "shapes.json"
        if arguments[1] == "--places":
            shutil.copy(shapes, board / "shapes.json")
            outlines = read_outlines(board)
        else:
            outlines = draw_outlines(board, Path(arguments[1]))
        text = make_shapes(board, outlines, labels_of(folder), links_of(folder))
        shapes.write_text(text, encoding="utf-8")
    return FINE


def labels_of(folder: Path) -> dict[str, str]:
    """Return the names of places on the map, with their number before provinces."""
    return {
        _abbr(row["number"]): f"{row['number']} {row['name']}" if row["kind"] == "land"
        else row["name"]
        for row in _rows(folder / "provinces.tsv")
    }


def links_of(folder: Path) -> dict[tuple[str, str], bool]:
    """Return the linked pairs of places → True if their link has a line of its own."""
    return {
        (_abbr(row["a"]), _abbr(row["b"])): row["type"] in LINES
        for row in _rows(folder / "adjacency.tsv")
    }


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
    """Return a place's name in the tables, as boards have no places named by numbers.

    >>> _abbr("20"), _abbr("S16"), _abbr("-")
    ('P20', 'S16', '-')
    """
    return f"P{number}" if is_number(number) else number


def _rows(file: Path) -> Iterable[dict[str, str]]:
    with file.open(encoding="utf-8", newline="") as lines:
        yield from csv.DictReader(lines, delimiter="\t")


def _write(file: Path, rows: Iterable[Sequence[str]]) -> None:
    file.write_text("".join("\t".join(row) + "\n" for row in rows), encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
