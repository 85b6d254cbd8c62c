"""Bundle of a map: the files of its folder as one text, identified by its hash.

The text is canonical: equal files give an equal text, with any line ends. So a key made of
its hash (`make_key`) names one content for ever, and what is cached by key never becomes outdated.
"""

import hashlib
import json
import zipfile
from collections.abc import Collection, Mapping
from importlib.resources.abc import Traversable
from io import BytesIO
from pathlib import Path

from judge.board.mapfile import COLUMNS, Fault
from judge.errors import DataError

NOTES, SHAPES = "notes.txt", "shapes.json"
FILES = (*(f"{table}.tsv" for table in COLUMNS), NOTES, SHAPES)
"""Names of the files of a map. All others in its folder are ignored."""
MAX_TABLE_OCTETS = 2**20
MAX_BUNDLE_OCTETS = 4 * 2**20
_SHORT, _LONG = 8, 12
"""Numbers of hexadecimal digits in a key."""


def read_bundle(folder: Path) -> str:
    """Return the bundle of a folder.

    Raises:
        DataError: the folder has none of the files, or a file is too large, no text or a link.
    """
    found, faults = read_files(folder)
    if faults:
        raise DataError(f"{folder}: {faults[0]}")
    return write_bundle(found)


def read_files(folder: Path) -> tuple[dict[str, str], list[Fault]]:
    """Return the texts of a folder's files by name, and the faults of the others."""
    found: dict[str, str] = {}
    faults: list[Fault] = []
    for name in FILES:
        try:
            if _is_there(folder / name):
                found[name] = _read_file(folder / name)
        except (DataError, OSError) as fault:
            faults.append(Fault(name, 0, str(fault)[:200]))
    if not found and not faults:
        faults.append(Fault("", 0, f"no map is in the folder {folder}"))
    if is_too_large(found):
        faults.append(Fault("", 0, f"more than {MAX_BUNDLE_OCTETS // 2**20} MiB"))
    return found, faults


def is_too_large(files: Mapping[str, str]) -> bool:
    """Return whether the files of a map are larger than permitted."""
    return sum(len(text.encode()) for text in files.values()) > MAX_BUNDLE_OCTETS


def _is_there(path: Path) -> bool:
    return path.is_symlink() or path.exists()


def _read_file(path: Path) -> str:
    if path.is_symlink() or not path.is_file():
        raise DataError("not a file")
    limit = MAX_BUNDLE_OCTETS if path.name == SHAPES else MAX_TABLE_OCTETS
    try:
        with path.open("rb") as file:
            octets = file.read(limit + 1)
        if len(octets) > limit:
            raise DataError(f"more than {limit // 2**20} MiB")
        text = octets.decode("utf-8-sig")
    except UnicodeDecodeError as fault:
        line = octets[:fault.start].count(b"\n") + 1
        raise DataError(f"not UTF-8, line {line}: save the file in UTF-8") from fault
    except OSError as fault:
        raise DataError(fault.strerror or "it cannot be read") from fault
    return text.replace("\r\n", "\n")


def write_bundle(files: Mapping[str, str]) -> str:
    """Return files, by name, as the canonical text."""
    return json.dumps(dict(sorted(files.items())), ensure_ascii=False, separators=(",", ":"))


def files_of(bundle: str) -> dict[str, str]:
    """Return the files of a bundle by name.

    >>> files_of(write_bundle({"map.tsv": "key"}))
    {'map.tsv': 'key'}

    Raises:
        DataError: the text is no bundle.
    """
    try:
        found = json.loads(bundle)
    except (ValueError, RecursionError) as fault:
        raise DataError(f"no bundle of a map: {fault}") from fault
    if not isinstance(found, dict) or not found.keys() <= {*FILES}:
        raise DataError("no bundle of a map")
    if not all(isinstance(text, str) for text in found.values()):
        raise DataError("no bundle of a map")
    return found


def folder_in(bundle: str) -> Traversable:
    """Return a bundle as a folder in memory, for `load_map`."""
    octets = BytesIO()
    with zipfile.ZipFile(octets, "w") as packed:
        for name, text in files_of(bundle).items():
            packed.writestr(name, text.encode("utf-8"))
    packed = zipfile.ZipFile(octets)
    packed.filename = "map"
    return zipfile.Path(packed)


def hash_of(bundle: str) -> str:
    """Return the SHA-256 of a bundle, in hexadecimal digits."""
    return hashlib.sha256(bundle.encode("utf-8")).hexdigest()


def make_key(name: str, content_hash: str, taken: Collection[str] = ()) -> str:
    """Return the key of a map: its name and the beginning of its hash.

    That is the first 8 digits, or 12 if these are taken.

    >>> make_key("mars", "0123456789abcdef"), make_key("mars", "01234567ff", ["mars.01234567"])
    ('mars.01234567', 'mars.01234567ff')
    """
    key = f"{name}.{content_hash[:_SHORT]}"
    return f"{name}.{content_hash[:_LONG]}" if key in taken else key


def is_key(name: str) -> bool:
    """Return whether a map is one with a key, which was added, and not a shipped one."""
    return "." in name


def name_in_key(key: str) -> str:
    """Return the name of a map without its hash. A shipped map has only the name.

    >>> name_in_key("mars.01234567"), name_in_key("standard")
    ('mars', 'standard')
    """
    return key.partition(".")[0]


def fits_key(key: str, bundle: str) -> bool:
    """Return whether a bundle is the content that a key names."""
    return hash_of(bundle).startswith(key.partition(".")[2])
