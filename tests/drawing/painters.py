"""Painters for tests of the studio: each behaves in one way, in the process that draws."""

import multiprocessing
import os
import time

from judge.words.picture import Sketch

if os.environ.get("JUDGE_TEST_SLUGGISH") and "studio" in multiprocessing.current_process().name:
    time.sleep(1)


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
