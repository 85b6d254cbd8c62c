"""`judge setup` with a Dovecot and a submission server as the provider."""

import os
import re
import stat
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from judge.config import Config, load_config
from judge.errors import ConfigError
from judge.mail.imap.box import MailboxFault
from judge.mail.outbound.delivery import WrongSettings
from judge.terminal import setup as setting_up
from judge.terminal import setup_probe
from judge.terminal.checking import (
    check_addresses,
    check_delivery,
    check_mailbox,
    check_senders,
)
from judge.terminal.setup import Answers, MissingAnswer, Setup
from tests.imap.conftest import mail
from tests.imap.dovecot import PASSWORD, Dovecot
from tests.imap.provider import ADDRESS, MailboxProvider
from tests.judges import Judge, run
from tests.machine import HAS_DOVECOT
from tests.mail.submission import run_provider
from tests.terminal.dialogue import Script, Terminal

pytestmark = [
    pytest.mark.slow, pytest.mark.skipif(not HAS_DOVECOT, reason="no Dovecot to be run as root"),
]
KEEPER = "keeper@example.org"
ROOT = Path(__file__).parents[2]
BOX = re.compile(r"^```sh\n(.*?)^```$", re.MULTILINE | re.DOTALL)
CLEAN = {key: value for key, value in os.environ.items() if not key.startswith("JUDGE_")}


class Rig:
    """A folder for a judge, and a provider with a mailbox for it."""

    def __init__(self, folder: Path, dovecot: Dovecot, user: str) -> None:
        self.folder = folder / "place"
        self.dovecot = dovecot
        self.provider = MailboxProvider(dovecot, user)
        self.secret = folder / "secret"
        self.secret.write_text(f"{PASSWORD}\n")
        self.secret.chmod(0o600)

    @property
    def options(self) -> dict[str, str]:
        """Options that leave nothing to ask."""
        return {
            "mailbox": ADDRESS, "keeper": KEEPER, "password_file": str(self.secret),
            "imap": f"{self.provider.user}@127.0.0.1:{self.dovecot.port}",
            "smtp": f"127.0.0.1:{self.provider.port}",
        }

    def set_up(self, script: Script | None = None, **changes: object) -> Script:
        """Run a setup, by options only unless there is a script."""
        script = script or Script()
        with run_provider(self.provider):
            answers = Answers(self.folder, **self.options)
            setup = Setup(replace(answers, **changes), script, CLEAN)  # type: ignore[arg-type]
            config, script.is_fine = setup.run()
        assert config.file == self.folder / "judge.toml"
        return script

    def config(self) -> str:
        """Return the text of the configuration."""
        return (self.folder / "judge.toml").read_text()


def check_servers(config: Config) -> Iterator[tuple[bool, str]]:
    """Yield the findings of the checks that use the servers."""
    for check in (check_addresses, check_mailbox, check_delivery, check_senders):
        for line in check(config):
            yield True, line


@pytest.fixture
def rig(
    dovecot: Dovecot, tmp_path: Path, request: pytest.FixtureRequest,
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[Rig]:
    """A provider with an empty mailbox."""
    monkeypatch.setattr(setup_probe, "MAX_WAIT_SECONDS", 3.0)
    monkeypatch.setattr(setup_probe, "MAX_LAG_SECONDS", 1.0)
    monkeypatch.setattr(setup_probe, "_POLL_SECONDS", 0.5)
    # The other checks take seconds, and run in the tests with processes.
    monkeypatch.setattr(setting_up, "check_installation", check_servers)
    user = "".join(filter(str.isalnum, request.node.name.lower()))[-40:]
    yield Rig(tmp_path, dovecot, user)


def test_options_make_a_judge_that_passes_its_checks(rig: Rig) -> None:
    said = rig.set_up()
    assert said.is_fine, said.lines
    assert said.has("logged in:", "the letter to me@provider.example arrived in 'INBOX' after",
                    "the letter to me+probe@provider.example arrived in 'INBOX'",
                    "accepts the log-in", "has 0 mails")
    assert not said.has("clock") and not said.has("replaced") and not said.has("fault")
    config = load_config(str(rig.folder / "judge.toml"), CLEAN, rig.folder)
    assert (config.judge.address, config.judge.keeper) == (ADDRESS, KEEPER)
    assert config.listen.detail == "+" and not config.listen.smtp
    assert config.fetch.password_file == str(rig.secret)
    assert stat.S_IMODE((rig.folder / "judge.toml").stat().st_mode) == 0o600
    # The letters are moved as the judge moves its mail.
    assert rig.dovecot.count(user=rig.provider.user) == 0
    assert rig.dovecot.count("Judge done", rig.provider.user) == 2
    assert PASSWORD not in rig.config() + said.text


@pytest.mark.parametrize("kind", ["no", "lost"])
def test_missing_sub_addresses_are_configured(rig: Rig, kind: str) -> None:
    rig.provider.sub_addresses = kind
    said = rig.set_up()
    assert said.is_fine and 'detail = ""' in rig.config()
    assert said.has("sub-addresses do not work")


def test_shared_mailbox_uses_a_sub_address(rig: Rig) -> None:
    rig.dovecot.put([mail(n, ADDRESS) for n in range(3)], rig.provider.user)
    said = rig.set_up(shared=True, keeper="", yes=True)
    assert said.has("the letter to me+judge+probe@provider.example arrived")
    assert 'address = "me+judge@provider.example"' in rig.config()
    assert f'keeper = "{ADDRESS}"' in rig.config()
    assert rig.dovecot.count(user=rig.provider.user) == 3


@pytest.mark.parametrize("kind", ["no", "lost"])
def test_shared_mailbox_is_refused_without_sub_addresses(rig: Rig, kind: str) -> None:
    rig.provider.sub_addresses = kind
    with pytest.raises(ConfigError, match="a shared mailbox needs sub-addresses"):
        rig.set_up(shared=True)
    assert not (rig.folder / "judge.toml").exists()


@pytest.mark.parametrize("changes, lines", [
    ({"ahead": timedelta(minutes=1)}, ["s ahead of that of this machine", "NTP"]),
    ({"ahead": -timedelta(minutes=1)}, ["s behind that of this machine"]),
    ({"author": "Me <other@provider.example>"}, ["replaced its From", "other@provider.example"]),
    ({"folder": "Junk"}, ["does not read 'Junk'", "arrived in 'Junk'"]),
])
def test_arrival_is_described(rig: Rig, changes: Mapping[str, object], lines: list[str]) -> None:
    for name, value in changes.items():
        setattr(rig.provider, name, value)
    said = rig.set_up()
    assert said.has(*lines), said.text
    assert ('detail = ""' in rig.config()) == ("folder" in changes)


def test_letters_in_another_folder_are_a_fault(rig: Rig) -> None:
    """Some providers file mail to a sub-address into the folder of that name."""
    rig.provider.folder = "judge"
    with pytest.raises(ConfigError, match="arrived in 'judge': a shared mailbox needs"):
        rig.set_up(shared=True)


def test_accepted_answers_are_tried_once(rig: Rig) -> None:
    with pytest.raises(ConfigError, match="no server answers"):
        rig.set_up(Script(["unused"]), yes=True, smtp="127.0.0.1:1")


def test_lost_letters_are_a_fault(rig: Rig) -> None:
    rig.provider.loses = True
    with pytest.raises(ConfigError, match="the letter to me@provider.example did not arrive"):
        rig.set_up()
    assert not rig.folder.exists()
    said = rig.set_up(no_probe=True)
    assert said.is_fine and not rig.provider.taken[2:]


def test_refused_letter_is_a_fault_with_its_reason(rig: Rig) -> None:
    rig.provider.data = "550 5.4.5 Daily user sending limit exceeded."
    with pytest.raises(ConfigError, match="5.4.5 .* try again later") as fault:
        rig.set_up()
    assert "folder" not in str(fault.value)


def test_wrong_keeper_is_refused_before_a_letter(rig: Rig) -> None:
    with pytest.raises(ConfigError, match="no mail address"):
        rig.set_up(keeper="Op <op@example.org>")
    assert not rig.provider.taken


def test_crowded_mailbox_must_be_confirmed(rig: Rig) -> None:
    rig.dovecot.put([mail(n, "ann@example.org") for n in range(21)], rig.provider.user)
    with pytest.raises(MissingAnswer, match="--shared"):
        rig.set_up()
    assert rig.set_up(yes=True).is_fine
    assert rig.dovecot.count(user=rig.provider.user) == 21


WRONG = [
    ({"password_command": "printf not-it-7777", "password_file": ""}, "refuses the log-in"),
    ({"imap": "imap://{user}@127.0.0.1:{port}/Nowhere"}, "name one of these in .* INBOX"),
    ({"imap": "imaps://{user}@127.0.0.1:{tls}/INBOX"}, "certificate of 127.0.0.1"),
    ({"imap": "imap.provider.invalid"}, "there is no host imap.provider.invalid"),
    ({"imap": "imaps://{user}@127.0.0.1:{port}/INBOX"}, "127.0.0.1:.*check host and port"),
    ({"smtp": "127.0.0.1:{port}"}, "no log-in at 127.0.0.1:.*check host and port"),
    ({"imap": "me@h:1:2"}, "is no server"),
    ({"password_command": "pass 'show", "password_file": ""}, "No closing quotation"),
    ({"password_file": "/no/such/file"}, "No such file"),
    ({"mailbox": "a-name-of-more-than-26-letters@x.org"}, "more than 26 letters"),
    ({"smtp": "127.0.0.1:1"}, "no server answers at 127.0.0.1:1"),
    ({"keeper": ADDRESS}, "the operator needs another address"),
    ({"keeper": "x"}, "no mail address"),
]


@pytest.mark.parametrize("changes, line", WRONG)
def test_wrong_answer_is_one_line_without_password(
    rig: Rig, changes: dict[str, str], line: str
) -> None:
    dovecot, user = rig.dovecot, rig.provider.user
    given = {key: value.format(user=user, port=dovecot.port, tls=dovecot.tls_port)
             for key, value in changes.items()}
    script = Script()
    with pytest.raises((ConfigError, MailboxFault), match=line) as fault:
        rig.set_up(script, no_probe=True, **given)
    text = f"{fault.value} {script.text}"
    assert "\n" not in str(fault.value) and PASSWORD not in text and "not-it" not in text
    assert not (rig.folder / "judge.toml").exists()


def test_wrong_password_for_sending_is_one_line(rig: Rig) -> None:
    rig.provider.password = b"other"
    with pytest.raises(WrongSettings, match="refuses the log-in .* check the password") as fault:
        rig.set_up()
    assert PASSWORD not in str(fault.value)


def test_questions_are_asked_again_after_a_fault(rig: Rig) -> None:
    with run_provider(rig.provider):
        options = rig.options
        script = Script([
            "no address", ADDRESS, "127.0.0.1:1", options["imap"], "not-it-7777", options["imap"],
            PASSWORD, "127.0.0.1:1", options["smtp"], "y", ADDRESS, KEEPER,
        ])
        config, is_fine = Setup(Answers(rig.folder), script, CLEAN).run()
    assert is_fine and script.answers == [], script.text
    assert script.text.count("that does not work:") == 5
    assert (rig.folder / "mailbox.secret").read_text() == f"{PASSWORD}\n"
    assert stat.S_IMODE((rig.folder / "mailbox.secret").stat().st_mode) == 0o600
    assert config.fetch.password_file == str(rig.folder / "mailbox.secret")
    assert PASSWORD not in script.text + rig.config() and "not-it" not in script.text


def make_home(home: Path) -> dict[str, str]:
    """Make the folder of the recipe. Return the environment for its commands."""
    program = home / "judge/venv/bin/judge"
    program.parent.mkdir(parents=True)
    program.write_text(f'#!/bin/sh\nPYTHONPATH={ROOT} exec {sys.executable} -m judge "$@"\n')
    program.chmod(0o700)
    (home / "bin").mkdir()
    for name in ("systemctl", "loginctl"):
        (home / "bin" / name).symlink_to("/bin/true")
    return CLEAN | {"HOME": str(home), "PATH": f"{home}/bin:{CLEAN['PATH']}"}


def test_recipe_makes_a_judge_and_shows_no_password(rig: Rig) -> None:
    recipe = (ROOT / "docs/run/recipe-mailbox.md").read_text("utf-8")
    _, set_up, unit = BOX.findall(recipe)
    home = rig.folder.parent / "home"
    environ = make_home(home)
    rig.folder = home / "judge"
    with run_provider(rig.provider), Terminal(["sh", "-euc", set_up], environ) as shell:
        options = rig.options
        for question, answer in (
            ("Address of the mailbox", ADDRESS), ("IMAP server", options["imap"]),
            ("(not shown)", PASSWORD), ("Submission server", options["smtp"]),
            ("for the judge alone", "y"), ("Your own address", KEEPER),
            ("Start the judge now?", "n"),
        ):
            shell.answer(question, answer)
        assert shell.wait() == 0
    assert PASSWORD not in shell.text and KEEPER in shell.text
    assert (rig.folder / "mailbox.secret").read_text() == f"{PASSWORD}\n"
    subprocess.run(["sh", "-euc", unit], env=environ, check=True)
    service = (home / ".config/systemd/user/judge.service").read_text()
    command = service.partition("ExecStart=")[2].partition("\n")[0].replace("%h", str(home))
    assert command == f"{home}/judge/venv/bin/judge serve --config {rig.folder}/judge.toml"
    assert len(recipe.splitlines()) <= 60


def test_judge_of_the_setup_answers_mail(rig: Rig) -> None:
    """The password comes by standard input, and `--yes` starts the judge."""
    given = f"{PASSWORD}\n".encode()
    with run_provider(rig.provider):
        words = ["setup", "--dir", str(rig.folder), "--no-probe", *(
            f"--{key.replace('_', '-')}={value}"
            for key, value in (rig.options | {"password_file": "-"}).items()
        )]
        done = run(words, rig.folder.parent, CLEAN, given)
        assert done.returncode == 0, done.stdout + done.stderr
        assert "serve --config" in done.stdout and PASSWORD not in done.stdout + done.stderr
        again = run(words, rig.folder.parent, CLEAN, given)
        assert again.returncode == 2 and "--replace" in again.stderr
        rig.dovecot.put([mail(1, ADDRESS, body="HELP")], rig.provider.user)
        last = [*words, "--replace", "--yes", f"--password-file={rig.secret}"]
        judge = Judge(last, rig.folder.parent, CLEAN)
        try:
            rig.provider.wait_for("p1@players.example", 60)
        finally:
            judge.terminate()
            output, errors = judge.communicate(30)
    assert PASSWORD not in output + errors
    assert (rig.folder / "judge.toml.old").exists()
    assert PASSWORD.encode() not in (rig.folder / "judge.sqlite3").read_bytes()
