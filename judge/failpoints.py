"""Named places in the code where a test can kill the process, as in a power cut.

Off unless the environment has `JUDGE_FAILPOINT=name`, or `name:3` for the third time the place is
reached. The places, and the instant of each:

fetched      a mail of a mailbox is read, but not committed
stored       a mail is committed, its 250 not yet sent, or not yet moved in its mailbox
moved        a mail is committed and moved in its mailbox
handled      a mail is carried out, its replies are not queued
worked       a mail and its replies are committed, no other process is notified
adjudicated  a phase is adjudicated, its report is not written
reported     a phase and its report are committed
drawn        a picture is rendered, but not stored, and its letters wait
sent         a letter is delivered, but not yet marked as sent
"""

import os
import signal
from collections import Counter

VARIABLE = "JUDGE_FAILPOINT"

_passed: Counter[str] = Counter()


def failpoint(name: str) -> None:
    """Kill the process at once, without cleanup, if the environment requests it."""
    wanted, _, at = os.environ.get(VARIABLE, "").partition(":")
    if wanted != name:
        return
    _passed[name] += 1
    if _passed[name] == int(at or 1):
        os.kill(os.getpid(), signal.SIGKILL)
