"""Configuration of a judge by questions and options (`judge setup`).

Each answer is tested at once: the judge logs in, sends letters to itself and sees them arrive. The
files are written when all tests have succeeded. No message contains a password.
"""

import json
import os
import shlex
import sys
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from itertools import chain, count
from pathlib import Path
from typing import Protocol, TypeVar
from urllib.parse import quote, urlsplit

from judge.config import Config, FetchSection, load_config, sub_address_error, value_error
from judge.errors import ConfigError, JudgeError
from judge.folders import make_folder
from judge.mail.address import JudgeAddresses
from judge.mail.imap.account import (
    PASSWORD_VARIABLE,
    MailboxAccount,
    read_account,
    read_secret,
)
from judge.mail.imap.box import Mailbox, MailboxFault, open_mailbox
from judge.mail.outbound.delivery import (
    PermanentFailure,
    ServerDelivery,
    TemporaryFailure,
    Unreachable,
    WrongSettings,
    delivery_for,
)
from judge.terminal.checking import check_installation, require_writable
from judge.terminal.mail_servers import (
    Provider,
    describe_domain,
    find_provider,
    find_server,
    make_url,
    require_server,
)
from judge.terminal.setup_probe import describe_probe, send_probes

CONFIG_NAME = "judge.toml"
SECRET_NAME = "mailbox.secret"
MAX_MAILS_OF_A_JUDGE = 20
"""Number of mails in a mailbox from which it is presumably that of a person."""
_LOGIN_TIMEOUT = 20.0
_QUESTIONS = {
    "mailbox": "Address of the mailbox (or a domain whose mail comes to this machine)",
    "imap": "IMAP server, as HOST or USER@HOST:PORT",
    "smtp": "Submission server (SMTP), as HOST or USER@HOST:PORT",
    "password_command": "Command that prints an access token",
    "keeper": "Your own address, the operator's, for notices of the judge",
}
_FAULTS = (ConfigError, MailboxFault, PermanentFailure, TemporaryFailure)

Found = TypeVar("Found")


class MissingAnswer(JudgeError):
    """Raised when an option is missing and there is no terminal to ask."""


class Dialogue(Protocol):
    """Terminal, as the setup uses it."""

    @property
    def is_interactive(self) -> bool:
        """True if questions can be asked."""
        ...

    def say(self, line: str) -> None:
        """Print a line."""
        ...

    def ask(self, question: str) -> str:
        """Return an answer."""
        ...

    def ask_password(self, question: str) -> str:
        """Return an answer that is not shown."""
        ...

    def read_line(self) -> str:
        """Return the first line of standard input."""
        ...


@dataclass(frozen=True, slots=True)
class Answers:
    """Options of `judge setup`. What is empty is asked for."""

    folder: Path
    """Folder of the configuration and the database."""
    mailbox: str = ""
    imap: str = ""
    smtp: str = ""
    password_file: str = ""
    """A file, or "-" for standard input."""
    password_command: str = ""
    keeper: str = ""
    domain: str = ""
    shared: bool = False
    no_probe: bool = False
    replace: bool = False
    """True if an existing configuration is replaced."""
    yes: bool = False
    """True if proposed answers are accepted without a question."""


def add_password(url: str, password: str) -> str:
    """Return the URL of a server and user with a password, which no file contains.

    >>> add_password("imaps://me@h/INBOX", "p@ss:/")
    'imaps://me:p%40ss%3A%2F@h/INBOX'
    """
    parts = urlsplit(url)
    user, _, place = parts.netloc.rpartition("@")
    return parts._replace(netloc=f"{user}:{quote(password, safe='')}@{place}").geturl()


def format_config(sections: Mapping[str, Mapping[str, object]]) -> str:
    """Return the text of a configuration file.

    >>> print(format_config({"listen": {"smtp": ""}}), end="")
    # Made by `judge setup`. docs/run/operating.md lists all keys.
    <BLANKLINE>
    [listen]
    smtp = ""
    """
    lines = ["# Made by `judge setup`. docs/run/operating.md lists all keys."]
    for name, values in sections.items():
        if values:
            lines += ["", f"[{name}]"]
            # A text of JSON without control characters is one of TOML, too.
            lines += [f"{key} = {json.dumps(each, ensure_ascii=False)}"
                      for key, each in values.items()]
    return "\n".join(lines) + "\n"


class Setup:
    """One configuration of a judge, from the first question to the last check."""

    def __init__(
        self, answers: Answers, dialogue: Dialogue, environ: Mapping[str, str] = os.environ
    ) -> None:
        self._answers = answers
        self._dialogue = dialogue
        self._environ = environ
        self._texts = {
            name: getattr(answers, name)
            for name in ("mailbox", "imap", "smtp", "password_file", "password_command", "keeper")
        }
        self._password = ""
        """Password that was typed, and belongs into a file of its own."""
        self._url = ""
        self._provider = Provider()
        self._fetch = FetchSection()
        self._delivery: ServerDelivery | None = None
        self._mails = 0

    @property
    def file(self) -> Path:
        """The configuration file."""
        return self._answers.folder / CONFIG_NAME

    @property
    def _secret_file(self) -> Path:
        return self._answers.folder / SECRET_NAME

    def run(self) -> tuple[Config, bool]:
        """Ask, test and write the configuration.

        Return it, and whether all checks succeed.

        Raises:
            MissingAnswer: there is no terminal, and an option is missing.
            JudgeError: a test failed, and no other answer can be asked for.
        """
        require_writable(self._answers.folder)
        if self._answers.keeper:
            _require_valid("judge.keeper", self._answers.keeper)
        self._permit_replacing()
        place = self._answers.domain or self._retry(self._find_place, "mailbox")
        if self._answers.domain or "@" not in place:
            self._write(self._configure_domain(place))
        else:
            self._write(self._configure_mailbox(place))
        return self._check()

    def _permit_replacing(self) -> None:
        """Refuse to replace a configuration, unless that is wanted."""
        existing = [str(file) for file in (self.file, self._secret_file) if file.exists()]
        if not existing or self._answers.replace:
            return
        names = " and ".join(existing)
        if not self._dialogue.is_interactive or not self._confirm(
            f"{names} exists. Replace it (a copy with the ending .old is kept)?", False
        ):
            raise MissingAnswer(f"{names} exists: --replace replaces it and keeps a copy")

    def _find_place(self) -> str:
        """Return the address of the mailbox, or a domain."""
        place = self._ask("mailbox")
        judge = place if "@" in place else f"judge@{place}"
        _require_valid("judge.address", judge)
        if wrong := sub_address_error(judge, "+"):
            raise ConfigError(wrong)
        return place

    def _configure_domain(self, domain: str) -> dict[str, dict[str, object]]:
        """Return the configuration behind a mail server of one's own."""
        judge = self._texts["mailbox"] if "@" in self._texts["mailbox"] else f"judge@{domain}"
        _require_valid("judge.address", judge)
        keeper = self._retry(lambda: self._find_keeper(judge, f"postmaster@{domain}"), "keeper")
        self._say(describe_domain(domain, judge, keeper))
        return {
            "judge": {"address": judge, "keeper": keeper},
            "listen": {"smtp": "", "lmtp": "127.0.0.1:2424"},
            "deliver": {"to": "smtp://127.0.0.1:25"},
            "store": {"url": "sqlite:///judge.sqlite3"},
        }

    def _configure_mailbox(self, mailbox: str) -> dict[str, dict[str, object]]:
        """Return the configuration of a judge in a mailbox, when all of it was tested."""
        self._provider = find_provider(mailbox)
        if self._provider.note:
            self._say(self._provider.note)
        self._retry(lambda: self._log_in(mailbox), "imap", "password_file", "password_command")
        deliver_to = self._retry(lambda: self._log_in_to_send(mailbox), "smtp")
        is_shared = self._is_shared()
        local, _, host = mailbox.rpartition("@")
        judge = f"{local}+judge@{host}" if is_shared else mailbox
        if wrong := sub_address_error(judge, "+"):
            raise ConfigError(wrong)
        has_sub_addresses = self._probe(judge, is_shared)
        keeper = self._retry(
            lambda: self._find_keeper(judge, mailbox if is_shared else ""), "keeper"
        )
        listen: dict[str, object] = {"smtp": ""}
        if not has_sub_addresses:
            listen["detail"] = ""
        if self._provider.trust:
            listen["trust"] = self._provider.trust
        return {
            "judge": {"address": judge, "keeper": keeper},
            "listen": listen,
            "fetch": self._fetch_values(),
            "deliver": {"to": deliver_to},
            "store": {"url": "sqlite:///judge.sqlite3"},
        }

    def _log_in(self, mailbox: str) -> None:
        """Log in to the mailbox, and describe it.

        Raises:
            MailboxFault: the server cannot be used, or refuses the password or the folder.
            ConfigError: an answer is wrong.
        """
        self._password = ""
        server = self._ask("imap", self._provider.imap or self._find_server("imap", mailbox))
        self._url = make_url("imap", server, mailbox)
        account = read_account(self._url)
        require_server(account.host, account.port)
        self._fetch = self._with_secret(account)
        with self._open_mailbox() as box:
            box.select()
            self._mails = len(box.search(None))
            quota, folders = box.read_quota(), box.list_folders()
            full = f", full to {quota} %" if quota >= 0 else ""
            self._say(
                f"logged in: {account.name} has {self._mails} mails{full}, {len(folders)} folders;"
                f" the server can {box.describe()}"
            )

    def _open_mailbox(self) -> AbstractContextManager[Mailbox]:
        account = read_account(self._fetch.from_)
        secret = read_secret(account, self._fetch, self._environ)
        return open_mailbox(account, secret, self._fetch.auth, self._fetch.done)

    def _with_secret(self, account: MailboxAccount) -> FetchSection:
        """Return the mailbox with its password, which may be asked for."""
        plain = FetchSection(self._url)
        is_found = account.password or self._environ.get(PASSWORD_VARIABLE)
        if account.is_microsoft or self._texts["password_command"]:
            try:
                command = tuple(shlex.split(self._ask("password_command")))
            except ValueError as fault:
                raise ConfigError(f"--password-command: {fault}") from None
            auth = "xoauth2" if account.is_microsoft else "password"
            return replace(plain, password_command=command, auth=auth)
        if is_found:
            self._say("the password is that of the URL or of the environment")
            return plain
        if (file := self._texts["password_file"]) not in ("", "-"):
            return replace(plain, password_file=str(Path(file).absolute()))
        self._password = self._read_password(account)
        return FetchSection(add_password(self._url, self._password))

    def _read_password(self, account: MailboxAccount) -> str:
        if self._texts["password_file"] == "-":
            found = self._dialogue.read_line()
        elif self._dialogue.is_interactive:
            found = self._dialogue.ask_password(f"Password of {account.user} (not shown): ")
        else:
            raise MissingAnswer("--password-file or --password-command is needed")
        if not found.strip():
            raise ConfigError("the password is empty")
        return found.strip("\r\n")

    def _find_server(self, kind: str, mailbox: str) -> str:
        """Return the usual server of a mailbox that answers, unless another one is given."""
        if self._texts[kind]:
            return ""
        self._say(f"looking for the {kind.upper()} server of {mailbox}")
        return find_server(kind, mailbox.rpartition("@")[2])

    def _log_in_to_send(self, mailbox: str) -> str:
        """Log in to the submission server. Return its URL for the configuration.

        Raises:
            TemporaryFailure: the server cannot be used.
            ConfigError: it is no such server.
        """
        server = self._ask("smtp", self._provider.smtp or self._find_server("smtp", mailbox))
        url = make_url("smtp", server, mailbox)
        delivery = delivery_for(url, self._fetch)
        if not isinstance(delivery, ServerDelivery):
            raise ConfigError("--smtp must name a mail server")
        require_server(delivery.host, delivery.port)
        try:
            delivery.check_login(_LOGIN_TIMEOUT)
        except WrongSettings:
            raise
        except Unreachable as fault:
            raise ConfigError(
                f"no log-in at {delivery.host}:{delivery.port} ({fault}): check host and port"
                " (usually smtps://…:465, or smtp://…:587)"
            ) from None
        self._delivery = delivery
        self._say(f"logged in: letters go out by {delivery.host}:{delivery.port}")
        return url

    def _is_shared(self) -> bool:
        """Return whether a person reads the mailbox, too.

        Raises:
            MissingAnswer: it looks so, but no option confirms it.
        """
        is_crowded = self._mails > MAX_MAILS_OF_A_JUDGE
        if self._answers.shared or self._answers.yes:
            return self._answers.shared
        if self._dialogue.is_interactive:
            question = "Is this mailbox for the judge alone (else it only uses the name +judge)?"
            return not self._confirm(question, not is_crowded)
        if is_crowded:
            raise MissingAnswer(
                f"the mailbox has {self._mails} mails: --shared if a person reads it, --yes if it"
                " is for the judge alone"
            )
        return False

    def _probe(self, judge: str, is_shared: bool) -> bool:
        """Send letters to the judge. Return whether its sub-addresses work.

        Raises:
            ConfigError: the letters do not arrive as they must.
        """
        if self._answers.no_probe:
            self._say("no letters are sent, and sub-addresses are assumed to work")
            return True
        assert self._delivery is not None
        local, _, host = judge.rpartition("@")
        sub_address = f"{local}+probe@{host}"
        self._say(f"sending letters to {judge} and {sub_address}; this takes up to two minutes")
        with self._open_mailbox() as box:
            main, sub = send_probes(box, self._delivery, judge, (judge, sub_address))
        for result in (main, sub):
            for line in describe_probe(result, judge):
                self._say(line)
        if not main.is_in_inbox:
            advice = (
                "a shared mailbox needs sub-addresses: give the judge a mailbox of its own"
                if is_shared else "mail must arrive in the folder that the judge reads"
            )
            if main.fault and not is_shared:
                advice = "the provider must accept letters to the judge; try again later"
            way = f"arrived in {main.folder!r}" if main.folder else "did not arrive"
            raise ConfigError(f"the letter to {judge} {main.fault or way}: {advice}")
        if not sub.has_reply_to and is_shared:
            raise ConfigError(
                f"a shared mailbox needs sub-addresses, and {sub_address} does not work: give the"
                " judge a mailbox of its own"
            )
        if not sub.has_reply_to:
            self._say("sub-addresses do not work: replies are recognised by the letters they quote")
        return sub.has_reply_to

    def _find_keeper(self, judge: str, default: str) -> str:
        # Without a terminal only --yes accepts an address that was not given.
        is_proposed = self._dialogue.is_interactive or self._answers.yes
        keeper = self._ask("keeper", default if is_proposed else "")
        _require_valid("judge.keeper", keeper)
        if JudgeAddresses(judge).is_judge(keeper):
            raise ConfigError(f"the operator needs another address than the judge, not {keeper}")
        return keeper

    def _fetch_values(self) -> dict[str, object]:
        found: dict[str, object] = {"from": self._url}
        if self._password:
            found["password_file"] = SECRET_NAME
        elif self._fetch.password_file:
            found["password_file"] = self._fetch.password_file
        elif self._fetch.password_command:
            found["password_command"] = list(self._fetch.password_command)
        if self._fetch.auth != "password":
            found["auth"] = self._fetch.auth
        return found

    def _write(self, sections: Mapping[str, Mapping[str, object]]) -> None:
        make_folder(self._answers.folder)
        if self._password:
            write_private(self._secret_file, f"{self._password}\n")
        write_private(self.file, format_config(sections))
        self._say(f"written: {self.file}")

    def _check(self) -> tuple[Config, bool]:
        config = load_config(str(self.file), self._environ, self._answers.folder)
        is_fine = True
        for fine, line in check_installation(config):
            self._say(line if fine else f"fault: {line}")
            is_fine = is_fine and fine
        return config, is_fine

    def _retry(self, step: Callable[[], Found], *names: str) -> Found:
        """Carry out a step, again with other answers after a fault."""
        while True:
            try:
                return step()
            except _FAULTS as fault:
                # With --yes the same answer would be proposed and accepted again.
                if not self._dialogue.is_interactive or self._answers.yes:
                    raise
                self._say(f"that does not work: {fault}")
                for name in names:
                    self._texts[name] = ""

    def _ask(self, name: str, default: str = "") -> str:
        """Return the answer of an option, or of the terminal, or the default.

        Raises:
            MissingAnswer: there is no answer.
        """
        found = self._texts[name]
        if not found and self._dialogue.is_interactive and not (default and self._answers.yes):
            hint = f" [{default}]" if default else ""
            found = self._dialogue.ask(f"{_QUESTIONS[name]}{hint}: ").strip()
        found = found or default
        if not found and self._dialogue.is_interactive:
            return self._ask(name, default)
        if not found:
            raise MissingAnswer(f"--{name.replace('_', '-')} is needed: {_QUESTIONS[name]}")
        self._texts[name] = found
        return found

    def _confirm(self, question: str, default: bool) -> bool:
        said = self._dialogue.ask(f"{question} {'[Y/n]' if default else '[y/N]'} ").strip().lower()
        return said.startswith("y") if said else default

    def _say(self, line: str) -> None:
        self._dialogue.say(line)


def _require_valid(key: str, address: str) -> None:
    if wrong := value_error(key, address):
        raise ConfigError(wrong)


def write_private(file: Path, text: str) -> None:
    """Write a private file.

    An older one is renamed to `NAME.old`, or to `NAME.old.1` and so on.

    Raises:
        OSError: it cannot be written.
    """
    if file.exists():
        file.rename(_unused_name(file))
    made = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with open(made, "w", encoding="utf-8") as opened:
        opened.write(text)


def _unused_name(file: Path) -> Path:
    """Return the first name for a copy of a file that no earlier copy has."""
    name = f"{file.name}.old"
    names = chain([name], (f"{name}.{number}" for number in count(1)))
    return next(
        path for path in map(file.with_name, names) if not (path.exists() or path.is_symlink())
    )


def describe_start(file: Path) -> list[str]:
    """Return how the judge is started: by hand, and by systemd."""
    program = Path(sys.argv[0])
    is_script = program.name == "judge" and program.is_file()
    words = [str(program.absolute())] if is_script else [sys.executable, "-m", "judge"]
    command = shlex.join([*words, "serve", "--config", str(file.absolute())])
    return [
        f"start it: {command}", f"the line for a unit of systemd: ExecStart={command}",
    ]
