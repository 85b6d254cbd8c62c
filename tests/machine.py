"""Programs that some tests need, and whether this machine has them."""

import os
import shutil
from pathlib import Path

import pytest

HAS_POSTFIX = shutil.which("postfix") is not None and os.geteuid() == 0
HAS_DOVECOT = shutil.which("dovecot") is not None and os.geteuid() == 0
HAS_SYSTEMD = shutil.which("systemd-analyze") is not None
HAS_POSTGRES = bool(shutil.which("initdb") or [*Path("/usr/lib/postgresql").glob("*/bin/initdb")])
HAS_BUILDAH = os.geteuid() == 0 and all(map(shutil.which, ("buildah", "mmdebstrap")))
HAS_NSPAWN = os.geteuid() == 0 and all(map(shutil.which, ("debootstrap", "systemd-nspawn")))

ON_POSTGRES = [
    pytest.mark.slow, pytest.mark.once,
    pytest.mark.skipif(not HAS_POSTGRES, reason="no PostgreSQL server"),
]
"""Marks of tests that use a PostgreSQL server."""

LACKING = [
    line
    for there, line in (
        (HAS_POSTFIX, "mail through Postfix, which needs root and `apt-get install postfix`"),
        (HAS_DOVECOT, "mail from a mailbox, which needs root and `apt-get install dovecot-imapd`"),
        (HAS_POSTGRES, "a judge on PostgreSQL, which needs `apt-get install postgresql`"),
        (HAS_NSPAWN, "(in `make test-all`) the guide on a fresh machine, which needs root,"
                     " `apt-get install debootstrap systemd-container`, and the network"),
        (HAS_BUILDAH, "(in `make test-all`) the container image, which needs root,"
                      " `apt-get install buildah mmdebstrap`, and the network"),
        (HAS_SYSTEMD, "the check of the units by `systemd-analyze verify`, which is not here"),
    )
    if not there
]
"""Tests that cannot run here, and what they need."""
