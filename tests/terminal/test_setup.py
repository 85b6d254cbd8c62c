"""Options, tables and texts of `judge setup`, without a mailbox."""

import getpass
import io
import socket
import stat
import tomllib
from collections.abc import Callable
from dataclasses import fields
from importlib.resources import files
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis.strategies import characters, text

from judge.cli import main
from judge.config import DeliverSection
from judge.errors import ConfigError, JudgeError
from judge.mail.imap.account import read_account
from judge.mail.outbound.delivery import ServerDelivery, delivery_for
from judge.terminal import mail_servers
from judge.terminal import setup as setting_up
from judge.terminal.mail_servers import describe_domain, find_provider, find_server, make_url
from judge.terminal.setup import (
    Answers,
    MissingAnswer,
    Setup,
    add_password,
    format_config,
    write_private,
)
from judge.terminal.usage import make_parser
from judge.textfiles import read_rows
from tests.terminal.dialogue import Script

PROVIDERS = read_rows((files("judge.terminal") / "providers.tsv").read_text(encoding="utf-8"))
DOMAIN = {"domain": "example.org", "keeper": "me@elsewhere.example"}


def answer_at(monkeypatch: pytest.MonkeyPatch, answers: Callable[[str, int], bool]) -> None:
    """Make the servers that *answers* names the only ones."""
    def connect(place: tuple[str, int], timeout: float) -> io.BytesIO:
        if answers(*place):
            return io.BytesIO()
        raise ConnectionRefusedError("refused")

    monkeypatch.setattr(socket, "create_connection", connect)


@pytest.fixture(autouse=True)
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make all servers unreachable."""
    answer_at(monkeypatch, lambda host, port: False)


@pytest.mark.parametrize("row", PROVIDERS, ids=lambda row: row["domains"].split()[0])
def test_provider_has_servers_with_tls(row: dict[str, str]) -> None:
    for domain in row["domains"].split():
        address = f"some.one@{domain}"
        provider = find_provider(address)
        account = read_account(make_url("imap", provider.imap, address))
        assert account.is_tls and account.port == 993 and account.folder == "INBOX"
        assert account.user in (address, "some.one") and provider.note.endswith(".")
        to = make_url("smtp", provider.smtp, address)
        delivery = delivery_for(to)
        assert isinstance(delivery, ServerDelivery) and delivery.port in (465, 587)
        assert to.startswith("smtps://") or to.endswith("?tls=required")
        assert DeliverSection(to).has_login


def test_no_domain_has_two_providers() -> None:
    domains = [domain for row in PROVIDERS for domain in row["domains"].split()]
    assert len(domains) == len(set(domains)) and len(PROVIDERS) >= 10
    assert find_provider("me@example.org").imap == ""


@pytest.mark.parametrize("kind, server, url", [
    ("imap", "imap.x.org", "imaps://me%40x.org@imap.x.org/INBOX"),
    ("imap", "me@imap.x.org:143", "imap://me@imap.x.org/INBOX"),
    ("imap", "imaps://a@h/Games", "imaps://a@h/Games"),
    ("imap", "[::1]:1143", "imap://me%40x.org@[::1]:1143/INBOX"),
    ("smtp", "smtp.x.org", "smtps://me%40x.org@smtp.x.org:465"),
    ("smtp", "smtp.x.org:587", "smtp://me%40x.org@smtp.x.org:587?tls=required"),
    ("smtp", "127.0.0.1:1025", "smtp://me%40x.org@127.0.0.1:1025"),
    ("smtp", "smtps://a:b@h", "smtps://a:b@h"),
])
def test_server_becomes_a_url(kind: str, server: str, url: str) -> None:
    assert make_url(kind, server, "me@x.org") == url


@given(text(characters(exclude_categories=["Cc", "Cs"]), min_size=1))
def test_any_password_survives_its_url(password: str) -> None:
    url = add_password("imaps://me%40x.org@imap.x.org/INBOX", password)
    account = read_account(url)
    assert (account.user, account.password, account.host) == ("me@x.org", password, "imap.x.org")


@pytest.mark.parametrize("server", ["", "two words", "h:1:2", "h:port", "a/b"])
def test_text_that_is_no_server_is_refused(server: str) -> None:
    with pytest.raises(ConfigError, match="is no server"):
        make_url("imap", server, "me@x.org")


def test_usual_servers_are_tried_in_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    tried = []

    def answer(host: str, port: int) -> bool:
        tried.append(f"{host}:{port}")
        return (host, port) == ("mail.x.org", 587)

    answer_at(monkeypatch, answer)
    assert find_server("smtp", "x.org") == "mail.x.org:587"
    assert find_server("imap", "x.org") == ""
    assert tried == ["smtp.x.org:465", "smtp.x.org:587", "mail.x.org:465", "mail.x.org:587",
                     "imap.x.org:993", "mail.x.org:993", "x.org:993"]


def test_every_answer_has_an_option() -> None:
    given = vars(make_parser().parse_args(["setup"]))
    assert {each.name for each in fields(Answers)} - {"folder"} <= set(given)
    assert given["dir"] == "." and given["mailbox"] == ""


MISSING = [
    ({}, "--mailbox"),
    ({"mailbox": "me@x.org"}, "--imap"),
    ({"mailbox": "me@outlook.com"}, "--password-command"),
    ({"mailbox": "me@gmail.com"}, "--password-file"),
    ({"domain": "x.org"}, "--keeper"),
]


@pytest.mark.parametrize("given, option", MISSING)
def test_missing_answer_names_its_option(
    given: dict[str, str], option: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    if option.startswith("--password"):
        answer_at(monkeypatch, lambda host, port: True)
    monkeypatch.delenv("JUDGE_FETCH_PASSWORD", raising=False)
    words = [f"--{key}={value}" for key, value in given.items()]
    assert main(["setup", "--dir", str(tmp_path), *words]) == 2
    [line] = capfd.readouterr().err.splitlines()
    assert f"{option} " in line and "needed" in line
    assert not list(tmp_path.iterdir())


def test_note_of_the_provider_precedes_the_password() -> None:
    script = Script()
    with pytest.raises(ConfigError, match="no server answers at imap.gmail.com:993"):
        Setup(Answers(Path("/nowhere"), mailbox="me@gmail.com"), script, {}).run()
    assert script.has("app password", "https://myaccount.google.com/apppasswords")


def run_for_domain(folder: Path, script: Script, **changes: object) -> None:
    setup = Setup(Answers(folder, **DOMAIN | changes), script, {})  # type: ignore[arg-type]
    setup._check = lambda: (setting_up.Config(), True)  # type: ignore[method-assign]
    setup.run()


def test_domain_needs_records_and_postfix_lines(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mail_servers, "_public_address", lambda: "198.51.100.7")
    script = Script()
    run_for_domain(tmp_path / "new" / "place", script)
    for line in (
        '    example.org.               TXT  "v=spf1 mx -all"',
        "    example.org.               MX   10 mail.example.org.",
        "    mail.example.org.                 A    198.51.100.7",
        "p=quarantine; adkim=s; aspf=s; rua=mailto:me@elsewhere.example",
        "'transport_maps = inline:{ judge@example.org=lmtp:inet:127.0.0.1:2424 }'",
        "inline:{ judge=here }'",
    ):
        assert line in script.text
    file = tmp_path / "new/place/judge.toml"
    written = tomllib.loads(file.read_text())
    assert written["judge"] == {"address": "judge@example.org", "keeper": DOMAIN["keeper"]}
    assert written["listen"]["lmtp"] == "127.0.0.1:2424"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700


def test_domain_may_be_the_first_answer(tmp_path: Path) -> None:
    script = Script(["example.org", "judge@example.org", "me@elsewhere.example"])
    run_for_domain(tmp_path, script, domain="", keeper="")
    assert "needs another address" in script.text and (tmp_path / "judge.toml").exists()


@pytest.mark.parametrize("name", ["judge.toml", "mailbox.secret"])
def test_existing_file_is_replaced_only_if_wanted(tmp_path: Path, name: str) -> None:
    file = tmp_path / name
    file.write_text("old")
    for script in (Script(), Script(["n"]), Script([""])):
        with pytest.raises(MissingAnswer, match="--replace"):
            run_for_domain(tmp_path, script, yes=True)
    assert file.read_text() == "old"
    run_for_domain(tmp_path, Script(), replace=True)
    run_for_domain(tmp_path, Script(["y"]), keeper="me@elsewhere.example")
    assert "judge@example.org" in (tmp_path / "judge.toml").read_text()


def test_replaced_file_is_kept_and_private(tmp_path: Path) -> None:
    file = tmp_path / "judge.toml"
    file.write_text("old")
    write_private(file, "new")
    assert file.read_text() == "new" and stat.S_IMODE(file.stat().st_mode) == 0o600
    assert (tmp_path / "judge.toml.old").read_text() == "old"


def test_each_replaced_file_is_kept(tmp_path: Path) -> None:
    file = tmp_path / "judge.toml"
    for written in ("first", "second", "third", "new"):
        write_private(file, written)
    kept = {path.name: path.read_text() for path in tmp_path.iterdir()}
    assert kept == {
        "judge.toml.old": "first", "judge.toml.old.1": "second", "judge.toml.old.2": "third",
        "judge.toml": "new",
    }
    assert stat.S_IMODE((tmp_path / "judge.toml.old.1").stat().st_mode) == 0o600


def test_configuration_is_valid_toml() -> None:
    values = {"a": 'q"\\ü', "b": ["pass", "show it"], "c": ""}
    assert tomllib.loads(format_config({"x": values, "empty": {}})) == {"x": values}


def test_records_name_the_operator() -> None:
    text = describe_domain("x.org", "games@x.org", "op@y.org")
    assert "games@x.org=lmtp" in text and "{ games=here }" in text and "mailto:op@y.org" in text
    assert not [line for line in text.splitlines() if "{{" in line or len(line) > 100]


def test_broken_configuration_does_not_stop_the_setup(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "judge.toml").write_text("broken")
    assert main(["check"]) == 1
    assert main(["setup", "--mailbox=me@x.org"]) == 2


def test_unusable_standard_input_is_one_line(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    answer_at(monkeypatch, lambda host, port: True)
    words = ["setup", f"--dir={tmp_path}", "--mailbox=me@gmail.com", "--password-file=-"]
    for octets, line in ((b"\xffhush", "no UTF-8 text"), (b"", "the password is empty")):
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(octets)))
        assert main(words) == 1
        [said] = capfd.readouterr().err.splitlines()
        assert line in said and "hush" not in said
    monkeypatch.setattr("sys.stdin", None)
    assert main(["setup"]) == 2


def test_folder_must_be_writable(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(JudgeError, match="cannot write"):
        Setup(Answers(tmp_path / "file"), Script(), {}).run()


def test_password_is_asked_without_echo(monkeypatch: pytest.MonkeyPatch) -> None:
    from judge.cli.setup import _Terminal

    monkeypatch.setattr(getpass, "getpass", lambda question: f"{question}hush")
    assert _Terminal().ask_password("? ") == "? hush"
