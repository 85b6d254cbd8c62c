"""Named places in the code where a test may have the process die, as if the power had failed.

Off unless the environment says `JUDGE_FAILPOINT=name`, or `name:3` for the third time the place
is passed. The places, and the instant each stands for:

stored       a mail is committed, its 250 not yet said
handled      a mail is carried out, its answers are not queued
worked       a mail and its answers are committed, nobody has heard of it
adjudicated  a phase is adjudicated, its report is not written
reported     a phase and its report are committed
drawn        a picture is drawn, but not kept, and its letters wait
sent         a letter is handed on, but not yet marked as sent
"""

import os
import signal
from collections import Counter

VARIABLE = "JUDGE_FAILPOINT"

_passed: Counter[str] = Counter()


def failpoint(name: str) -> None:
    """Die here, at once and without any farewell, if that is what the environment wants."""
    wanted, _, at = os.environ.get(VARIABLE, "").partition(":")
    if wanted != name:
        return
    _passed[name] += 1
    if _passed[name] == int(at or 1):
        os.kill(os.getpid(), signal.SIGKILL)
