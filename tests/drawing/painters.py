"""Painters for tests of the studio: each behaves in one way, in the process that draws."""

import os
import time

from judge.words.picture import Sketch


def paint_as_told(sketch: Sketch) -> bytes:
    """Draw nothing: answer, fail, hang or die as the sketch says."""
    match sketch.source:
        case "fail":
            raise ValueError("no such colour")
        case "hang":
            time.sleep(600)
        case "die":
            os._exit(3)
    return f"{sketch.source} by {os.getpid()}".encode()
