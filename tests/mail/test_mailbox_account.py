"""Account of a mailbox, and the places its password is read from."""

from pathlib import Path

import pytest

from judge.config import FetchSection, load_config
from judge.errors import ConfigError
from judge.mail.imap.account import MailboxAccount, read_account, read_secret

ACCOUNT = read_account("imaps://me@x.org:in-url@imap.x.org/INBOX")


@pytest.mark.parametrize("spec, account", [
    ("imaps://me@gmail.com@imap.gmail.com/INBOX",
     MailboxAccount("imap.gmail.com", 993, True, "me@gmail.com", "INBOX")),
    ("imap://judge@[::1]:1143", MailboxAccount("::1", 1143, False, "judge", "INBOX")),
    ("imaps://a%2Fb:p%40ss@h/Some%20folder/Sub",
     MailboxAccount("h", 993, True, "a/b", "Some folder/Sub", "p@ss")),
])
def test_account_is_read_from_its_url(spec: str, account: MailboxAccount) -> None:
    assert read_account(spec) == account
    assert "p@ss" not in repr(read_account(spec))


@pytest.mark.parametrize("spec", [
    "imap.gmail.com", "pop3://me:hush@h/", "imaps://:hush@h/", "imaps://me:hush@h:99999/", "imaps:",
])
def test_malformed_url_is_refused_without_its_password(spec: str) -> None:
    with pytest.raises(ConfigError, match="must have the form") as fault:
        read_account(spec)
    assert "hush" not in str(fault.value)


@pytest.mark.parametrize("host, is_local", [
    ("localhost", True), ("127.0.0.1", True), ("::1", True), ("imap.x.org", False),
])
def test_local_servers_need_no_tls(host: str, is_local: bool) -> None:
    assert MailboxAccount(host, 143, False, "me", "INBOX").is_local is is_local


@pytest.mark.parametrize("host, is_microsoft", [
    ("outlook.office365.com", True), ("imap-mail.outlook.com", True), ("imap.gmail.com", False),
    ("notoutlook.com", False),
])
def test_microsoft_servers_are_known(host: str, is_microsoft: bool) -> None:
    assert MailboxAccount(host, 993, True, "me", "INBOX").is_microsoft is is_microsoft


def private(file: Path, text: str) -> Path:
    file.write_text(text)
    file.chmod(0o600)
    return file


def test_password_is_read_from_the_first_place_that_has_it(tmp_path: Path) -> None:
    file = private(tmp_path / "secret", "in file\n")
    private(tmp_path / "mailbox", "credential\n")
    command = ("echo", "by command")
    credential = {"CREDENTIALS_DIRECTORY": str(tmp_path)}
    variable = {"JUDGE_FETCH_PASSWORD": "variable"}
    both = FetchSection(password_file=str(file), password_command=command)
    assert read_secret(ACCOUNT, both, credential | variable) == "credential"
    assert read_secret(ACCOUNT, both, variable) == "variable"
    assert read_secret(ACCOUNT, both, {}) == "in file"
    assert read_secret(ACCOUNT, FetchSection(password_command=command), {}) == "by command"
    assert read_secret(ACCOUNT, FetchSection(), {}) == "in-url"


@pytest.mark.parametrize("mode, is_allowed", [
    (0o600, True), (0o640, True), (0o644, False), (0o660, False),
])
def test_password_file_must_be_private(tmp_path: Path, mode: int, is_allowed: bool) -> None:
    file = private(tmp_path / "secret", "hush")
    file.chmod(mode)
    section = FetchSection(password_file=str(file))
    if is_allowed:
        assert read_secret(ACCOUNT, section, {}) == "hush"
    else:
        with pytest.raises(ConfigError, match="chmod 600"):
            read_secret(ACCOUNT, section, {})


@pytest.mark.parametrize("command, line", [
    (("/no/such/program",), "No such file"), (("false",), "exit code 1"),
    (("printf", r"\377"), "no UTF-8"), (("true",), "no password"),
    (("printf", r"two\nhush"), "one line"),
])
def test_useless_command_is_named(command: tuple[str, ...], line: str) -> None:
    account = MailboxAccount("h", 993, True, "me", "INBOX")
    with pytest.raises(ConfigError, match=line) as fault:
        read_secret(account, FetchSection(password_command=command), {})
    assert "hush" not in str(fault.value)


def test_configuration_has_the_mailbox(tmp_path: Path) -> None:
    (tmp_path / "judge.toml").write_text(
        '[fetch]\nfrom = "imaps://me:hush@h/INBOX"\npassword_file = "secret"\n'
        'password_command = ["pass", "show it"]\n'
    )
    found = load_config(None, {"JUDGE_FETCH_EVERY": "20s", "JUDGE_FETCH_PASSWORD": "x"}, tmp_path)
    assert found.fetch.password_file == str(tmp_path / "secret")
    assert found.fetch.password_command == ("pass", "show it")
    assert found.fetch.every.total_seconds() == 20
    assert "hush" not in repr(found)
    [warning] = found.warnings
    assert "password_file" in warning and "hush" not in warning


@pytest.mark.parametrize("text", [
    "password_command = 3", "password_command = [1]", 'password_command = "a \'b"',
    'auth = "oauth"', 'done = ""', 'done = "a%"', 'every = "1s"', 'every = "2d"', 'keep = "1h"',
])
def test_malformed_section_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "judge.toml").write_text(f"[fetch]\n{text}\n")
    with pytest.raises(ConfigError, match="fetch"):
        load_config(None, {}, tmp_path)
