"""recipe-server.md and operating.md, unchanged, on a fresh Debian with systemd.

It takes minutes and fetches packages. Without root, debootstrap and systemd-nspawn the end of the
test run reports that it is missing.
"""

import re
import time
from collections.abc import Iterator

import pytest

from tests.machine import HAS_NSPAWN
from tests.operating.fresh import Fresh
from tests.operating.guide import ROOT
from tests.operating.test_guide import (
    BACKUP,
    CONFIGURE,
    DRILL,
    PACKAGES,
    PIPE,
    POSTFIX,
    PUBLISH,
    RESTORE,
    SHELL,
    SIGN,
    SOCKET,
    UNITS,
    UPGRADE,
)

JUDGE = "judge@example.org"
MAX_SECONDS = 600.0
"""Time limit of the recipe."""
DEFINE = SHELL.partition("\n")[0]
IMPATIENT = """\
mkdir -p /run/systemd/system/judge.service.d
cd /run/systemd/system/judge.service.d
printf '[Service]\\nWatchdogSec=%s\\nTimeoutAbortSec=2s\\n' > t.conf
systemctl daemon-reload
systemctl restart judge.service
"""
PATIENT = "rm -r /run/systemd/system/judge.service.d; systemctl daemon-reload; sleep 1"


@pytest.fixture(scope="module")
def fresh(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Fresh]:
    """A machine with three users and without a judge."""
    made = Fresh(tmp_path_factory.mktemp("fresh") / "tree", ROOT)
    made.boot()
    try:
        made.run("debconf-set-selections < /root/answers; apt-get update")
        yield made
    finally:
        made.stop()


if HAS_NSPAWN:

    @pytest.mark.slow
    def test_the_guide_from_a_fresh_machine_to_the_last_box(fresh: Fresh) -> None:
        began = time.monotonic()
        fresh.run(PACKAGES)
        installed = time.monotonic()
        key = fresh.run(CONFIGURE, SIGN, POSTFIX, UNITS)
        assert "judge._domainkey" in key and "v=DKIM1; h=sha256; k=rsa" in key
        said = fresh.run(SHELL)
        assert "grammars" in said and "Mails in: 0 waiting" in said
        assert "takes mail at" in fresh.run("systemctl show judge.service -p StatusText")
        ended = time.monotonic()
        print(f"the recipe took {installed - began:.0f} + {ended - installed:.0f} seconds")
        assert ended - began < MAX_SECONDS
        for who in ("ann", "bob"):
            fresh.run(f"adduser --quiet --disabled-password --gecos '' {who}")
        _is_hardened(fresh)
        _is_played_with_pictures(fresh)
        _is_restarted_when_it_hangs(fresh)
        fresh.run("systemctl start judge-backup.service; ls /var/backups/judge/judge-*.sqlite3")
        assert "copied to" in fresh.run(DEFINE, BACKUP)
        assert "phases played again: 1" in fresh.run(DEFINE, DRILL)
        fresh.run(DEFINE, RESTORE)
        fresh.run(DEFINE, UPGRADE)
        assert "marco" in fresh.run(DEFINE, "judge game list")
        for box in (SOCKET, PIPE):
            fresh.run(box)
            fresh.send("bob", JUDGE, "LIST")
            assert "marco" in str(fresh.letter("bob", "info"))
        fresh.run(PUBLISH)
        (line,) = fresh.run("cat /etc/cron.d/judge-publish").splitlines()
        fresh.run(f"runuser -u judge -- {line.partition(' judge ')[2]}")
        fresh.run("test -f /var/www/games/index.html")
        assert "level=error" not in fresh.run("journalctl --no-pager -u 'judge*'")


def _is_hardened(fresh: Fresh) -> None:
    pid = fresh.run("systemctl show judge.service -p MainPID --value").strip()
    status = fresh.run(f"cat /proc/{pid}/status")
    assert re.search(r"^Seccomp:\t2$", status, re.M) and re.search(r"^CapBnd:\t0+$", status, re.M)
    for unit, most in (("judge", 1.5), ("judge-resolve", 3.0), ("judge-backup", 3.0)):
        told = fresh.try_commands(f"systemd-analyze security {unit}.service --no-pager")
        found = re.search(r"exposure level for \S+: ([\d.]+)", told)
        assert found and float(found[1]) <= most, told[-300:]


def _is_played_with_pictures(fresh: Fresh) -> None:
    """Play a game by mail, with boards rendered by the hardened service."""
    for who, text in (("ann", "CREATE ?marco gmsecret standard\nSTART"),
                      ("bob", "TAKEOVER Fmarco bobsecret")):
        fresh.send(who, JUDGE, text)
        asked = fresh.letter(who, "confirm")
        fresh.send(who, asked["Reply-To"], "YES", asked["Message-ID"])
        start = fresh.letter(who, "start")
    fresh.send("bob", start["Reply-To"], "A Par - Bur", start["Message-ID"])
    assert "Paris -> Burgundy" in str(fresh.letter("bob", "receipt"))
    fresh.send("ann", JUDGE, "SIGNON Mmarco gmsecret\nPROCESS S1901M")
    results = fresh.letter("bob", "results")
    assert "image/png" in [part.get_content_type() for part in results.walk()]
    assert "d=example.org; s=judge;" in str(results["DKIM-Signature"])


def _is_restarted_when_it_hangs(fresh: Fresh) -> None:
    """Check that systemd restarts a judge that misses its watchdog."""
    fresh.run(IMPATIENT % "20s")
    before = fresh.run("systemctl show judge.service -p MainPID --value").strip()
    fresh.run(f"kill -STOP {before}")
    fresh.until(lambda: "NRestarts=1" in fresh.run("systemctl show judge.service -p NRestarts"))
    fresh.run(PATIENT)
    fresh.until(lambda: "active" == fresh.try_commands("systemctl is-active judge.service").strip())
    assert before != fresh.run("systemctl show judge.service -p MainPID --value").strip()
