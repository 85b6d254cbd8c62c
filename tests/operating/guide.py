"""The code of docs/run, and a simulated machine to run it on.

Paths of the guide are moved into a folder, ports to free ones. Commands that would change the
machine (users, packages, services) are stubs that record their calls. `systemctl start` and `stop`
of the judge really start and stop one. `postconf` and `postfix` can be passed on to a Postfix of
the tests (`Pretence.stub`).
"""

import os
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

ROOT = Path(__file__).parents[2]
_BOX = re.compile(r"^```(sh|toml)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_STUB = """#!/bin/sh
echo "{name} $*" >> {calls}
"""
_INSTALL = """#!/bin/sh
# Owners are left out: their user is not on this machine.
echo "install $*" >> {calls}
for word; do
    shift
    if [ "$skip" ]; then skip=; continue; fi
    case "$word" in -o | -g) skip=1 ;; *) set -- "$@" "$word" ;; esac
done
exec {real} "$@"
"""
_RUNUSER = """#!/bin/sh
echo "runuser $*" >> {calls}
[ "$1 $2 $3" = "-u judge --" ] || exit 9
shift 3
exec "$@"
"""
_SYSTEMCTL = """#!/bin/sh
echo "systemctl $*" >> {calls}
case "$1 $2" in
"stop judge.service") kill $(cat {root}/pid); while kill -0 $(cat {root}/pid) 2>/dev/null; do
    sleep 0.05; done ;;
"restart judge.service") "$0" stop judge.service; "$0" start judge.service ;;
"start judge.service" | "enable --now")
    # The output of an earlier process must not be taken for that of this one.
    : > {root}/said
    # It has no parent process, as a service has none.
    (cd {root}/var/lib/judge && exec setsid {judge} serve > {root}/said 2> {root}/log < /dev/null) &
    echo $! > {root}/pid
    until grep -q 'takes mail' {root}/said; do kill -0 $(cat {root}/pid) || exit 1; sleep 0.05
    done ;;
esac
"""
_ABSENT = ("apt-get", "adduser", "git", "pip", "python3")


def boxes(heading: str, kind: str = "sh") -> list[str]:
    """Return the code blocks of a kind under a heading of the guide."""
    text = (ROOT / "docs/run/operating.md").read_text("utf-8")
    _, found, rest = text.partition(f"\n## {heading}\n")
    assert found, heading
    section = rest.partition("\n## ")[0]
    return [box for name, box in _BOX.findall(section) if name == kind]


def boxes_of_page(name: str, kind: str = "sh") -> list[str]:
    """Return the code blocks of a kind on a page of `docs/run`."""
    text = (ROOT / "docs/run" / name).read_text("utf-8")
    return [box for name, box in _BOX.findall(text) if name == kind]


def split_box(box: str, words: str) -> tuple[str, str]:
    """Split a code block before the first line that begins with *words*."""
    before, found, after = box.partition(f"\n{words}")
    assert found, words
    return f"{before}\n", f"{words}{after}"


class Pretence:
    """A simulated machine below a folder."""

    def __init__(self, root: Path, moves: Mapping[str, str]) -> None:
        self.root = root
        self.calls = root / "calls"
        self.calls.touch()
        for folder in ("bin", "etc/systemd/system", "var/lib/judge", "var/backups", "opt/judge"):
            (root / folder).mkdir(parents=True)
        venv = root / "opt/judge/venv/bin"
        venv.mkdir(parents=True)
        (root / "opt/judge/src").symlink_to(ROOT)
        self.judge = venv / "judge"
        self._write(
            self.judge, f'#!/bin/sh\nexec env PYTHONPATH={ROOT} {sys.executable} -m judge "$@"\n'
        )
        for name in _ABSENT:
            folder = venv if name == "pip" else root / "bin"
            self._write(folder / name, _STUB.format(name=name, calls=self.calls))
        real = subprocess.check_output(["sh", "-c", "command -v install"], text=True).strip()
        for name, text in (
            ("install", _INSTALL), ("runuser", _RUNUSER), ("systemctl", _SYSTEMCTL),
        ):
            filled = text.format(calls=self.calls, root=root, judge=self.judge, real=real)
            self._write(root / "bin" / name, filled)
        self.moves = {
            **moves,
            **{f"{path}/": f"{root}{path}/" for path in ("/etc", "/var/lib", "/var/backups",
                                                         "/var/www", "/opt/judge")},
            "/usr/bin/python3": f"{root}/bin/python3",
        }

    def stub(self, name: str, text: str) -> None:
        """Put a stub before a command of the machine."""
        self._write(self.root / "bin" / name, text)

    def _write(self, file: Path, text: str) -> None:
        file.write_text(text)
        file.chmod(0o755)

    def run(self, *texts: str) -> str:
        """Run code blocks in one shell, with the moves applied, and return the output."""
        text = "\n".join(texts)
        for old, new in self.moves.items():
            text = text.replace(old, new)
        clean = {k: v for k, v in os.environ.items() if not k.startswith(("JUDGE_", "PYTHON"))}
        done = subprocess.run(
            ["sh", "-eu", "-c", text], cwd=self.root, capture_output=True, text=True, timeout=120,
            env=clean | {
                "PATH": f"{self.root}/bin:{os.environ['PATH']}",
                "JUDGE_CONFIG": f"{self.root}/etc/judge.toml",
            },
        )
        assert done.returncode == 0, f"{text}\n{done.stdout}{done.stderr}"
        return done.stdout

    def stop(self) -> None:
        """Stop the judge, if one was started."""
        pid = self.root / "pid"
        if pid.exists():
            subprocess.run(["kill", pid.read_text().strip()], check=False, capture_output=True)
