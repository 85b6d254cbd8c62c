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

from judge.board.mapfile import COLUMNS
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
    found = {name: _read_file(folder / name) for name in FILES if _is_there(folder / name)}
    if not found:
        raise DataError(f"{folder}: no map is there")
    if sum(map(len, found.values())) > MAX_BUNDLE_OCTETS:
        raise DataError(f"{folder}: more than {MAX_BUNDLE_OCTETS // 2**20} MiB")
    return write_bundle(found)


def _is_there(path: Path) -> bool:
    return path.is_symlink() or path.exists()


def _read_file(path: Path) -> str:
    if path.is_symlink() or not path.is_file():
        raise DataError(f"{path}: not a file")
    limit = MAX_BUNDLE_OCTETS if path.name == SHAPES else MAX_TABLE_OCTETS
    try:
        with path.open("rb") as file:
            octets = file.read(limit + 1)
        if len(octets) > limit:
            raise DataError(f"{path}: more than {limit // 2**20} MiB")
        text = octets.decode("utf-8-sig")
    except (OSError, UnicodeDecodeError) as fault:
        raise DataError(f"{path}: {fault}") from fault
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
