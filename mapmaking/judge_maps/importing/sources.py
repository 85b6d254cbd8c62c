"""Reading of foreign files: bounded, inside their folder, and never run."""

from collections.abc import Iterable
from pathlib import Path

from judge_maps.importing.draft import ImportFault

MAX_OCTETS = 16 * 2**20
"""Maximum size of a file."""
LICENCES = {"Affero General Public": "AGPL", "GNU General Public": "GPL", "MIT License": "MIT"}
"""Words of a file → its licence. The first that is found counts."""
MAX_FILES = 200
"""Maximum number of files that one import reads."""


class SourceFiles:
    """Files of a source: those of a folder, or one file and those beside it."""

    def __init__(self, path: Path) -> None:
        """Open a source.

        Raises:
            ImportFault: nothing is there.
        """
        if not path.exists():
            raise ImportFault(f"{path}: no such file or folder")
        self.path = path
        self.folder = path if path.is_dir() else path.parent
        self.main = "" if path.is_dir() else path.name
        self.licence = ""
        """Licence that a file names, or empty."""
        self._count = 0

    def read(self, name: str) -> str:
        """Return the text of a file.

        Raises:
            ImportFault: it is missing, too large, or outside of the folder.
        """
        text = decode(self.read_octets(name))
        found = (licence for words, licence in LICENCES.items() if words in text)
        self.licence = self.licence or next(found, "")
        return text

    def read_octets(self, name: str) -> bytes:
        """Return the octets of a file, as `read` does with its text."""
        self._count += 1
        if self._count > MAX_FILES:
            raise ImportFault(f"{self.path}: more than {MAX_FILES} files")
        return read_file(self._inside(name))

    def has(self, name: str) -> bool:
        """Return whether a file is there."""
        return (self.folder / name).is_file()

    def names(self, suffix: str) -> list[str]:
        """Return the names of files that end so, or of the main file alone."""
        if self.main:
            return [self.main]
        return sorted(file.name for file in self.folder.iterdir() if file.name.endswith(suffix))

    def only(self, names: Iterable[str], what: str) -> str:
        """Return the name, of which there must be exactly one.

        Raises:
            ImportFault: there are none or several.
        """
        found = list(names)
        if len(found) != 1:
            listed = f": {', '.join(found[:20])}; name the file" if found else ""
            raise ImportFault(f"{self.path}: {len(found)} files of {what}{listed}")
        return found[0]

    def _inside(self, name: str) -> Path:
        try:
            path = (self.folder / name).resolve()
        except (OSError, RuntimeError, ValueError) as fault:
            raise ImportFault(f"{name[:80]!r}: {fault}") from fault
        if not path.is_relative_to(self.folder.resolve()):
            raise ImportFault(f"{name[:80]!r} leads out of the folder {self.folder}")
        return path


def read_file(path: Path) -> bytes:
    """Return the octets of a file of limited size.

    Raises:
        ImportFault: it cannot be read, or is too large.
    """
    try:
        if not path.is_file():
            raise ImportFault(f"{path}: no such file")
        with path.open("rb") as file:
            octets = file.read(MAX_OCTETS + 1)
    except (OSError, ValueError) as fault:
        raise ImportFault(f"{path}: {fault}") from fault
    if len(octets) > MAX_OCTETS:
        raise ImportFault(f"{path}: more than {MAX_OCTETS // 2**20} MiB")
    return octets


def decode(octets: bytes) -> str:
    """Return octets as text: UTF-8, or else Latin-1.

    >>> decode("Köln".encode()), decode("Köln".encode("latin-1"))
    ('Köln', 'Köln')
    """
    try:
        text = octets.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = octets.decode("latin-1")
    return text.replace("\r\n", "\n").replace("\r", "\n")
