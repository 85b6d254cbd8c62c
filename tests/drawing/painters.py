"""Render functions for tests of the render process, each with one behaviour."""

import gc
import os
import sys
import time
from multiprocessing.connection import Connection

from judge.drawing import render_process
from judge.model.letter import PictureRequest

if os.environ.get("JUDGE_TEST_SLUGGISH") and sys.argv[0] == "-c":
    time.sleep(1)


class Trap:
    """Object that would run code where it is unpickled."""

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return os.mkdir, (os.environ["JUDGE_TEST_TRAP"],)


def paint_as_told(sketch: PictureRequest) -> bytes:
    """Answer, fail, hang or exit as the sketch says, without drawing."""
    match sketch.source:
        case "fail":
            raise ValueError("no such colour")
        case "hang":
            time.sleep(600)
        case "die":
            os._exit(3)
        case "betray":
            for held in gc.get_objects():
                if isinstance(held, Connection) and not held.closed and held.writable:
                    held.send(Trap())
        case "flood":
            return bytes(render_process.MAX_OCTETS)
    return f"{sketch.source} by {os.getpid()}".encode()
