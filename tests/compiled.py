"""Templates compiled once for all processes of a run of the tests, each in a file of its folder.

A worker and what forks its judges would compile the same three hundred otherwise. As the folder
ends with the run, nothing in it is ever older than what compiled it.
"""

import marshal
import os
import tempfile
from pathlib import Path

from jinja2.bccache import Bucket

from judge.mail.outbound import templates
from tests.run_folder import run_folder


class _InFolder(templates.Compiled):
    """What they were compiled to, in this process and in others."""

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self._folder = folder

    def load_bytecode(self, bucket: Bucket) -> None:
        """Find what a template was compiled to, here or there."""
        super().load_bytecode(bucket)
        file = self._file(bucket)
        if bucket.code is None and file.exists():
            bucket.code = marshal.loads(file.read_bytes())
            super().dump_bytecode(bucket)

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep it, whole or not at all: another may read it in that instant."""
        super().dump_bytecode(bucket)
        with tempfile.NamedTemporaryFile(dir=self._folder, delete=False) as file:
            file.write(marshal.dumps(bucket.code))
        os.replace(file.name, self._file(bucket))

    def _file(self, bucket: Bucket) -> Path:
        kind = "html" if bucket.environment.autoescape else "txt"
        return self._folder / f"{bucket.key}-{bucket.checksum}.{kind}"


def begin() -> None:
    """Compile into the folder from now on, where there is one."""
    if folder := run_folder():
        templates.COMPILED = _InFolder(folder)
