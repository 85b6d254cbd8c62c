"""recipe-container.md, on an image built by buildah from a minimal Debian.

There is no Docker here: a stub does the compose commands of the recipe with buildah, in one working
container. What compose.yaml says beyond the files it mounts is only compared as text. Without root,
buildah and mmdebstrap the end of the test run reports that the test is missing.
"""

import json
import os
import re
import shutil
import subprocess
import time
from collections.abc import Iterator
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path

import pytest

from judge.demo.judge_process import text_of
from tests.imap.dovecot import PASSWORD, Dovecot, running_dovecot
from tests.machine import HAS_BUILDAH, HAS_DOVECOT
from tests.mail.submission import Provider, run_provider
from tests.operating.guide import boxes_of_page
from tests.operating.trees import cached_tree, copy_tree
from tests.wheels import ROOT, build_sdist

FOLDER = ROOT / "docs/run/container"
PASSWORD_BOX, CONFIGURE, START, BACKUP, RESTORE = boxes_of_page("recipe-container.md")
ME, JUDGE, ANN = "me@example.org", "me+judge@example.org", "ann@players.example"
PATIENCE = 180.0
MAX_SECONDS = 600.0
"""Time limit of the recipe."""
LOSS = "docker compose run --entrypoint sh judge -c 'rm -r /data/*'"
WRITABLE = (
    "id -u; find / -xdev -writable -not -type l -not -path '/proc/*' -not -path '/dev/*'"
    " 2>/dev/null; true"
)
STUB = r"""#!/bin/sh
set -eu
store=$(dirname "$0")/store
buildah() { command buildah --root "$store/root" --runroot "$store/run" "$@"; }
inside() {
    buildah run --isolation chroot -v "$PWD/judge.toml:/etc/judge.toml:ro" \
        -v "$PWD/mailbox.secret:/run/secrets/mailbox:ro" judge -- "$@"
}
[ "$1" = compose ]
word=$2
shift 2
program="tini -s -- judge"
while :; do
    case "${1-}" in
    --rm | -T | --detach) shift ;;
    --entrypoint) program=$2; shift 2 ;;
    *) break ;;
    esac
done
case "$word" in
build)
    buildah bud --isolation chroot --format docker --build-arg BASE=localhost/base \
        -f Containerfile -t postal-judge ../../..
    buildah from --name judge postal-judge ;;
run) shift; inside $program "$@" ;;
exec) shift; inside "$@" ;;
up)
    (exec > "$store/log" 2>&1 < /dev/null
    inside sh -c 'echo $$ > /tmp/pid; exec tini -s -- judge serve') &
    until grep -q 'takes mail' "$store/log"; do kill -0 $!; sleep 0.2; done ;;
stop) inside sh -c 'kill $(cat /tmp/pid); while kill -0 $(cat /tmp/pid); do sleep 0.1; done' ;;
*) exit 9 ;;
esac
"""


class Machine:
    """A machine with the sources, a `docker` that is buildah, and a provider of mail."""

    def __init__(self, root: Path, dovecot: Dovecot, provider: Provider) -> None:
        self.root = root
        self.dovecot = dovecot
        self.provider = provider
        self._read = 0
        build_sdist(root / "src")
        (root / "bin/store").mkdir(parents=True)
        (root / "bin/docker").write_text(STUB)
        (root / "bin/docker").chmod(0o755)
        self._moves = {
            "/opt/judge/src": str(root / "src"),
            "app-password": PASSWORD,
            "imaps://me@example.org@imap.example.org": f"imap://{ME}@127.0.0.1:{dovecot.port}",
            "smtps://me@example.org@smtp.example.org:465": provider.url,
        }

    def buildah(self, *words: str) -> str:
        """Run buildah on the storage of the stub."""
        store = self.root / "bin/store"
        return subprocess.run(
            ["buildah", "--root", str(store / "root"), "--runroot", str(store / "run"), *words],
            check=True, capture_output=True, text=True, timeout=900, env=self._environ(),
        ).stdout

    def import_base(self) -> None:
        """Make a minimal Debian the image that the Containerfile begins with."""
        program = ("mmdebstrap", "--quiet", "--variant=minbase", "--include=ca-certificates")
        tree = self.root / "tree"
        copy_tree(cached_tree("bookworm-slim", program), tree)
        name = self.buildah("from", "scratch").strip()
        self.buildah("add", "--quiet", name, str(tree), "/")
        self.buildah("commit", "--quiet", "--rm", name, "localhost/base")
        shutil.rmtree(tree)

    def run(self, *texts: str) -> str:
        """Run boxes of the recipe in one shell, in its folder, and return their output."""
        text = "\n".join(texts)
        for old, new in self._moves.items():
            text = text.replace(old, new)
        done = subprocess.run(
            ["sh", "-eu", "-c", text], cwd=self.root / "src/docs/run/container",
            env=self._environ(), capture_output=True, text=True, timeout=1800, check=False,
        )
        assert done.returncode == 0, f"{text}\n{done.stdout[-4000:]}{done.stderr[-4000:]}"
        return done.stdout + done.stderr

    def _environ(self) -> dict[str, str]:
        clean = {k: v for k, v in os.environ.items() if not k.startswith(("JUDGE_", "PYTHON"))}
        path = f"{self.root}/bin:{os.environ['PATH']}"
        return clean | {"PATH": path, "STORAGE_DRIVER": "vfs"}

    def ask(self, text: str, says: str, to: str = JUDGE) -> EmailMessage:
        """Deliver a mail, and return the judge's letter that contains *says*."""
        head = f"From: {ANN}\nTo: {to}\nMessage-ID: <{time.time_ns()}@players.example>\n"
        mail = f"{head}\n{text}\n"
        self.dovecot.put([mail.replace("\n", "\r\n").encode()], ME)
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            while self._read < len(self.provider.taken):
                recipient, octets = self.provider.taken[self._read]
                self._read += 1
                letter = message_from_bytes(octets, policy=policy.default)
                assert isinstance(letter, EmailMessage)
                if recipient == ANN and says in text_of(letter):
                    return letter
            time.sleep(0.2)
        raise AssertionError((self.root / "bin/store/log").read_text()[-6000:])


@pytest.fixture(scope="module")
def machine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Machine]:
    """A machine without an image."""
    with running_dovecot() as dovecot, run_provider(Provider()) as provider:
        made = Machine(tmp_path_factory.mktemp("container"), dovecot, provider)
        made.import_base()
        try:
            yield made
        finally:
            subprocess.run(
                [str(made.root / "bin/docker"), "compose", "stop"], check=False,
                cwd=made.root / "src/docs/run/container", capture_output=True, timeout=120,
            )
            made.buildah("rm", "--all")
            made.buildah("rmi", "--all", "--force")
            shutil.rmtree(made.root)


if HAS_BUILDAH and HAS_DOVECOT:

    @pytest.mark.slow
    def test_recipe_leads_to_a_judge_in_a_container(machine: Machine) -> None:
        began = time.monotonic()
        said = machine.run(PASSWORD_BOX, CONFIGURE, START)
        assert f"mailbox: {ME}@127.0.0.1/INBOX has 0 mails" in said
        assert "Mails in: 0 waiting" in said
        question = machine.ask("CREATE ?marco gmsecret standard\n", "YES")
        took = time.monotonic() - began
        print(f"the recipe took {took:.0f} seconds")
        assert took < MAX_SECONDS
        assert machine.ask("YES\n", "marco", str(question["Reply-To"]))
        _is_confined(machine)
        machine.run("docker compose exec judge judge metrics --check")
        machine.run(BACKUP)
        machine.run("docker compose stop", LOSS)
        # All that is left is the copy.
        machine.run(RESTORE)
        assert machine.ask("LIST\n", "marco")


def _is_confined(machine: Machine) -> None:
    """Check that the container is not root and can write only to /data and /tmp."""
    (told,) = json.loads("[" + machine.buildah("inspect", "--type", "image", "postal-judge") + "]")
    config = told["Docker"]["config"]
    assert (config["User"], list(config["Volumes"])) == ("990:990", ["/data"])
    assert config["Healthcheck"]["Test"] == ["CMD", "judge", "metrics", "--check"]
    assert config["Entrypoint"] == ["tini", "--", "judge"] and config["Cmd"] == ["serve"]
    user, *found = machine.run(f'docker compose exec judge sh -c "{WRITABLE}"').split()
    allowed = re.compile(r"/(tmp|var/tmp|data|run/lock)(/.*)?")
    assert user == "990" and [path for path in found if not allowed.fullmatch(path)] == []


def test_compose_file_confines_the_container() -> None:
    text = (FOLDER / "compose.yaml").read_text("utf-8")
    for line in ("read_only: true", "cap_drop: [ALL]", 'security_opt: ["no-new-privileges:true"]',
                 "tmpfs: [/tmp]", "- data:/data", "secrets: [mailbox]"):
        assert text.count(f" {line}\n") == 1, line
    assert "ports:" not in text and text.count("image:") == 1


def test_health_check_is_the_same_in_both_files() -> None:
    found = re.search(
        r"^HEALTHCHECK --interval=(\w+) --timeout=(\w+) --start-period=(\w+) CMD (\[.*\])$",
        (FOLDER / "Containerfile").read_text("utf-8"), re.MULTILINE,
    )
    assert found
    interval, timeout, start, command = found.groups()
    words = ", ".join(json.loads(command))
    assert (
        f"      test: [CMD, {words}]\n      interval: {interval}\n      timeout: {timeout}\n"
        f"      start_period: {start}\n"
    ) in (FOLDER / "compose.yaml").read_text("utf-8")
