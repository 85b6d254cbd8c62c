"""`judge check` before the start: faults are reported, the rest only noted."""

import os
from pathlib import Path

import pytest

from judge.cli import main
from judge.config import load_config
from judge.errors import ConfigError
from judge.terminal import checking
from tests.mail.sink import Sink


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty working directory."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture(autouse=True)
def sound_systems(monkeypatch: pytest.MonkeyPatch) -> None:
    """Replace the slow checks of game systems and boards, tested in `test_commands`.

    They play a phase on each map and render each board at the size of a letter.
    """
    monkeypatch.setattr(checking, "faulty_systems", lambda: ())
    monkeypatch.setattr(checking, "paint", lambda sketch: b"")


def write(folder: Path, text: str) -> None:
    (folder / "judge.toml").write_text(text)


@pytest.mark.slow
def test_an_unreachable_mail_server_is_reported_but_no_fault(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    head = '[judge]\naddress = "judge@example.org"\n[deliver]\nto = "smtp://127.0.0.1:'
    with Sink() as sink:
        write(folder, f'{head}{sink.port}"\n')
        assert main(["check"]) == 0
        assert f"a mail server answers at 127.0.0.1:{sink.port}" in capsys.readouterr().out
    write(folder, f'{head}1"\n')
    assert main(["check"]) == 0
    said = capsys.readouterr().out
    assert "no answer from 127.0.0.1:1 now" in said and "letters will wait" in said
    assert "MiB are free" in said


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('[deliver]\nto = "smtp://127.0.0.1:1"\n', "set [judge] address"),
        ('[judge]\nkeeper = "nobody"\n', "keeper: 'nobody' is no mail address"),
        ('[deliver]\nto = "pigeon://x"\n', "cannot be delivered to 'pigeon://x'"),
        ('[judge]\naddress = "j@x.org"\n[deliver]\nto = "smtp://u:hunter2@127.0.0.1:1"\n',
         "chmod 640"),
        ('[listen]\ntls_cert = "none.pem"\n', "tls_cert"),
    ],
)
def test_each_fault_is_reported_without_secrets(
    folder: Path, text: str, told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    write(folder, text)
    assert main(["check"]) == 1
    said = capsys.readouterr()
    assert told in said.err and "hunter2" not in said.out + said.err


def test_a_database_others_can_open_is_a_fault(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "var").mkdir()
    file = folder / "var/judge.sqlite3"
    os.close(os.open(file, os.O_CREAT, 0o600))
    file.chmod(0o644)
    assert main(["check"]) == 1
    assert "chmod 600" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        ('[deliver]\nto = "smtp://127.0.0.1:1"\n', "warning: senders are not checked"),
        ('[deliver]\nto = "smtp://127.0.0.1:1"\n[listen]\ntrust = "mx.example.org"\n',
         "senders are checked by mx.example.org"),
    ],
)
def test_sender_authentication_is_reported_but_no_fault(
    folder: Path, lines: str, told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    write(folder, f'[judge]\naddress = "judge@example.org"\n{lines}')
    assert main(["check"]) == 0
    assert told in capsys.readouterr().out


@pytest.mark.parametrize("address, is_warned", [
    ("judge@example.org", False), ("me+judge@example.org", True),
])
def test_missing_sub_addresses_are_reported(folder: Path, address: str, is_warned: bool) -> None:
    write(folder, f'[judge]\naddress = "{address}"\n[listen]\ndetail = ""\n')
    lines = [*checking.check_addresses(load_config(None, {}, folder))]
    assert "replies are recognised by Message-ID" in lines[1]
    assert len(lines) == (3 if is_warned else 2)


def test_maildir_delivery_needs_no_sender_authentication(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["check"]) == 0
    assert "senders are" not in capsys.readouterr().out


def test_a_database_with_two_names_is_a_fault(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each name would have its own write-ahead log and lock."""
    (folder / "var").mkdir()
    (folder / "var/judge.sqlite3").touch(0o600)
    os.link(folder / "var/judge.sqlite3", folder / "second")
    assert main(["check"]) == 1
    assert "hard link" in capsys.readouterr().err


@pytest.mark.parametrize("section", [
    '[deliver]\nto = "smtps://me:geheim@mail.example.org"',
    '[fetch]\nfrom = "imaps://me:geheim@mail.example.org/INBOX"',
    '[store]\nurl = "postgresql://me:geheim@db.example.org/judge"',
])
def test_configuration_with_a_public_password_is_a_fault(
    folder: Path, section: str
) -> None:
    write(folder, section)
    (folder / "judge.toml").chmod(0o644)
    config = load_config(None, {}, folder)
    with pytest.raises(ConfigError, match="chmod 640") as caught:
        [*checking.check_secrecy(config)]
    assert "geheim" not in str(caught.value)
    (folder / "judge.toml").chmod(0o640)
    assert "others cannot read it" in "".join(checking.check_secrecy(config))


def test_configuration_without_a_password_may_be_read(folder: Path) -> None:
    write(folder, '[deliver]\nto = "smtp://127.0.0.1:25"')
    (folder / "judge.toml").chmod(0o644)
    assert not [*checking.check_secrecy(load_config(None, {}, folder))]
