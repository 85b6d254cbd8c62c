"""Command `python -m judge_maps import SOURCE FOLDER`."""

import argparse
import json
import re
import shutil
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from judge.board.mapcheck import MAX_TEXT, MAX_TITLE, check_files
from judge.board.mapfile import MAX_ROWS
from judge_maps.importing.art import draw_outlines_of, drop_undrawn
from judge_maps.importing.dpjudge import read_dpjudge
from judge_maps.importing.draft import DraftMap, ImportFault
from judge_maps.importing.godip import read_godip
from judge_maps.importing.jdip import read_jdip
from judge_maps.importing.mending import mend
from judge_maps.importing.names import clean_text
from judge_maps.importing.njudge import read_njudge
from judge_maps.importing.sources import SourceFiles
from judge_maps.importing.tables import TableWriter
from judge_maps.importing.webdip import read_webdip

FINE, FAULTY, MISUSED = 0, 1, 2
FORMATS = ("dpjudge", "njudge", "jdip", "godip", "webdip")
_NAME = re.compile("[a-z][a-z0-9_]{1,11}")
_POWER = re.compile(r"([A-Za-z0-9])=([^,=]+)")


class ImportedMap(NamedTuple):
    """Files of an imported map, and what the judge refuses of them."""

    files: Mapping[str, str]
    faults: Sequence[str]
    picture_problem: str = ""
    """Why there are no outlines although a picture was given, or empty."""


def run_import(arguments: Sequence[str]) -> int:
    """Import a map into a new folder. Return the exit code."""
    options = _parse(arguments)
    folder = Path(options.folder)
    try:
        _check_folder(folder)
        found = import_map(Path(options.source), folder.name, options)
        _write_folder(folder, found.files)
    except (ImportFault, OSError) as fault:
        sys.stderr.write(f"{fault}\n")
        return FAULTY
    log = folder / "import.log"
    sys.stdout.write(f"{folder} is written. Read {log}, then: judge map check {folder}\n")
    if found.picture_problem:
        sys.stderr.write(f"{found.picture_problem}\n")
    if found.faults:
        sys.stderr.write(f"{len(found.faults)} faults are left, see {log}: {found.faults[0]}\n")
    return FAULTY if found.faults else FINE


def _parse(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser("python -m judge_maps import")
    parser.add_argument("source", help="file or folder of the other judge")
    parser.add_argument("folder", help="new folder for the tables; its name is that of the map")
    parser.add_argument("--format", choices=FORMATS, help="format of the source, if not clear")
    parser.add_argument("--art", type=Path, help="SVG with a shape for each province, or a picture")
    parser.add_argument("--layer", default="", help="id of the layer of the SVG")
    parser.add_argument("--fine", action="store_true", help="place names and units well, slowly")
    parser.add_argument("--variant", default="", help="name of the variant in variants.xml (jDip)")
    parser.add_argument("--powers", default="", help="names for nJudge: A=Austria,E=England")
    return parser.parse_args(arguments)


def import_map(source: Path, name: str, options: argparse.Namespace) -> ImportedMap:
    """Return a map of another judge as files of the judge's format.

    Raises:
        ImportFault: the source cannot be read.
    """
    files = SourceFiles(source)
    kind = options.format or detect_format(files)
    draft = read_draft(files, kind, options.variant, options.powers)
    mend(draft)
    origin = f"{source.name}, a map of {kind}"
    writer = TableWriter(draft, origin)
    files_made = writer.write()
    report = check_files(name, files_made)
    problem = ""
    if options.art and report.board:
        try:
            shapes = draw_outlines_of(
                draft, report.board, writer.abbrs, options.art, options.layer, options.fine
            )
            if drop_undrawn(draft, writer.abbrs, json.loads(shapes)["areas"]):
                # The same writer, as the outlines have its abbreviations.
                files_made = writer.write()
            files_made["shapes.json"] = shapes
        except ImportFault as fault:
            problem = f"{fault}: the map has nodes and lines for a picture"
            draft.log.add("picture", problem)
    for text in map(str, report.faults):
        draft.log.add("refused", text)
    files_made["notes.txt"] = _notes(draft, origin)
    files_made["import.log"] = draft.log.render(f"Import of {origin}")
    return ImportedMap(files_made, [*map(str, report.faults)], problem)


def _notes(draft: DraftMap, origin: str) -> str:
    """Return the reply to HELP with the name of the map: where it is from."""
    author, licence = (
        "not known" if text == "-" else text
        for text in (clean_text(draft.author, MAX_TITLE), clean_text(draft.licence, MAX_TEXT))
    )
    return (
        f"This map was imported: {clean_text(origin, MAX_TEXT)}.\n"
        f"Author: {author}\nLicence: {licence}\n"
        "Special rules of the original are not played, unless the game master says so.\n"
    )


def read_draft(files: SourceFiles, kind: str, variant: str = "", powers: str = "") -> DraftMap:
    """Return the draft of a source in a format.

    Raises:
        ImportFault: the source cannot be read.
    """
    names = {letter: name.strip() for letter, name in _POWER.findall(powers)}
    readers: Mapping[str, Callable[[], DraftMap]] = {
        "dpjudge": lambda: read_dpjudge(files),
        "njudge": lambda: read_njudge(files, names),
        "jdip": lambda: read_jdip(files, variant),
        "godip": lambda: read_godip(files),
        "webdip": lambda: read_webdip(files),
    }
    draft = readers[kind]()
    draft.licence = files.licence
    for rows, count in (("provinces", len(draft.places)), ("powers", len(draft.powers))):
        if count > (most := MAX_ROWS[rows]):
            raise ImportFault(f"{files.path}: {count} {rows}, and a map has at most {most}")
    if not draft.places or len(draft.powers) < 2:
        raise ImportFault(
            f"{files.path}: {len(draft.places)} places and {len(draft.powers)} powers are found"
        )
    return draft


def detect_format(files: SourceFiles) -> str:
    """Return the format of a source by the names of its files.

    Raises:
        ImportFault: no format is meant.
    """
    names = [*files.names("")]
    for kind, has_name in _SIGNS.items():
        if any(map(has_name, names)):
            return kind
    raise ImportFault(f"{files.path}: the format is not clear; choose one with --format")


_SIGNS: Mapping[str, Callable[[str], bool]] = {
    "webdip": lambda name: name == "install.php",
    "jdip": lambda name: name.endswith("variants.xml"),
    "njudge": lambda name: name == "map" or name.startswith("map."),
    "dpjudge": lambda name: name.endswith(".map"),
    "godip": lambda name: name.endswith(".go"),
}


def _check_folder(folder: Path) -> None:
    if not _NAME.fullmatch(folder.name):
        raise ImportFault(
            f"{folder.name!r} cannot be the name of a map: 2 to 12 small letters, digits and _"
        )
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise ImportFault(f"{folder} is there already")


def _write_folder(folder: Path, files: Mapping[str, str]) -> None:
    """Write a folder as a whole: it appears when all its files are written."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    made = Path(tempfile.mkdtemp(dir=folder.parent))
    try:
        for name, text in files.items():
            (made / name).write_text(text, encoding="utf-8")
        made.chmod(0o755)
        made.replace(folder)
    finally:
        shutil.rmtree(made, ignore_errors=True)
