"""The configuration, a frozen value from `judge.toml` and the environment.

The files --config, $JUDGE_CONFIG, ./judge.toml and /etc/judge.toml are tried in this order, and the
first that exists is read. Each key may also be given as JUDGE_<SECTION>_<KEY>, which takes
precedence. Relative paths start from the folder of the file read, else from the working directory.

Every value has bounds. A value beyond them is a typing error that players would suffer from: a
judge that polls its games every zero seconds, or keeps letters for ten million years.
"""

import re
import shlex
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import Field, dataclass, field, fields
from datetime import date, timedelta
from difflib import get_close_matches
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

from judge.config_values import format_duration, read_days, read_size, read_span
from judge.errors import ConfigError
from judge.textfiles import TextFileError, read_text

KIB, MIB, GIB = 2**10, 2**20, 2**30
DAY = timedelta(days=1)
MAX_TEXT_LENGTH = 4000
TOKEN_LENGTH = 37
"""Letters of a reply token (`judge.play.tokens`)."""
MAX_LOCAL_PART_OCTETS = 64
"""RFC 5321, 4.5.3.1.1."""
GMAIL_PER_DAY = 400
"""Letters in 24 hours through Gmail, which allows 500."""
ACCOUNT_PER_DAY = 200
"""Letters in 24 hours through other mail accounts."""
ACCOUNT_PER_MINUTE = 20
"""Letters in a minute through a mail account. Exchange allows 30."""
_GMAIL_HOSTS = (".gmail.com", ".googlemail.com")
MAX_HOLIDAYS = 120
"""Limit of the days in one year on which no deadline falls."""


class NumberRange(NamedTuple):
    """Bounds of a number."""

    least: int
    most: int
    or_none: bool = False
    """True if 0 is allowed too, as "never", "for ever" or "none"."""


class DurationRange(NamedTuple):
    """Bounds of a span of time.

    `or_none` is as in `NumberRange`.
    """

    least: timedelta
    most: timedelta
    or_none: bool = False


NUMBERS = {
    "policy.max_message": NumberRange(10_000, 32 * MIB),
    "policy.strangers_per_hour": NumberRange(0, 1_000_000),
    "policy.press_size": NumberRange(100, 4 * MIB),
    "policy.press_per_day": NumberRange(0, 1_000_000),
    "policy.press_volume": NumberRange(100, GIB),
    "policy.observers": NumberRange(0, 10_000),
    "policy.open_games": NumberRange(0, 10_000),
    "policy.unconfirmed_per_day": NumberRange(0, 10_000),
    "policy.export_volume": NumberRange(0, GIB),
}
SPANS = {
    # Bounces, complaints and replies refer to letters that were sent.
    "store.keep_letters": DurationRange(30 * DAY, 36_500 * DAY, or_none=True),
    "policy.outage_grace": DurationRange(timedelta(), 30 * DAY),
    # A master gets an inquiry a week before.
    "policy.silent_master": DurationRange(8 * DAY, 3650 * DAY, or_none=True),
    "fetch.every": DurationRange(timedelta(seconds=5), DAY),
    "fetch.keep": DurationRange(DAY, 36_500 * DAY, or_none=True),
    "clock.tick": DurationRange(timedelta(seconds=1), timedelta(hours=1)),
    "clock.shortest": DurationRange(timedelta(), 7 * DAY),
}
CHOICES = {
    "fetch.auth": ("password", "xoauth2"),
    "policy.confirm": ("auto", "true", "false"),
    "policy.create": ("anyone", "keeper"),
    "policy.maps": ("png", "small", "svg", "text", "off"),
    "log.level": ("info", "warning", "error"),
    "log.style": ("plain", "logfmt", "json"),
}
_ADDRESS = (r"[!-?A-~]{1,128}@[A-Za-z0-9\[][A-Za-z0-9.:\[\]-]{0,250}", "no mail address")
# The limit of 107 bytes is the system's (unix(7)).
_PLACE = (
    r"|unix:[^\0]{1,107}|(\[[0-9A-Fa-f:.%]+\]|[A-Za-z0-9._-]*):"
    r"([0-9]{1,4}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5])",
    "no host:port with a port up to 65535, and no unix:PATH",
)
TEXTS = {
    "judge.address": _ADDRESS,
    "judge.keeper": _ADDRESS,
    "judge.archive": (
        r"""|https?://[^\s"'<>&?#]{1,180}/""", "no address of a folder: https://example.org/games/",
    ),
    "judge.name": (r"\S(.{0,58}\S)?", "no name of 1 to 60 letters"),
    "listen.smtp": _PLACE,
    "listen.lmtp": _PLACE,
    "listen.detail": (
        r"""[^\sA-Za-z0-9@<>"(),:;\\\[\]]{0,3}""", "no mark such as + between name and detail",
    ),
    "listen.trust": (r"\S{0,255}", "no name of a mail server"),
    "deliver.per_day": ("auto|[0-9]{1,6}", 'neither "auto" nor a number up to 999999'),
    "fetch.done": (r"""[^\s"\\%*]([^"\\%*]{0,98}[^\s"\\%*])?""", "no name of a folder"),
    "metrics.listen": (_PLACE[0].replace(r"|unix:[^\0]{1,107}", "", 1), _PLACE[1].split(",")[0]),
}
"""Pattern of each key, and the error message for other values."""


def value_error(key: str, value: object) -> str:
    """Return an error message for the value of a key, empty if it is allowed.

    >>> value_error("clock.tick", timedelta())
    '0s is not allowed: 1s to 1h'
    >>> value_error("policy.observers", 10**9)
    '1000000000 is not allowed: 0 to 10000'
    """
    if key in CHOICES:
        return "" if value in CHOICES[key] else f"{value!r} is none of {', '.join(CHOICES[key])}"
    if isinstance(value, str):
        pattern, told = TEXTS.get(key, ("(?s:.*)", ""))
        if len(value) > MAX_TEXT_LENGTH:
            return f"longer than {MAX_TEXT_LENGTH} letters"
        return "" if re.fullmatch(pattern, value) else f"{value!r} is {told}"
    if isinstance(value, timedelta):
        during = SPANS[key]
        if during.least <= value <= during.most or during.or_none and not value:
            return ""
        none = ", or 0" if during.or_none else ""
        return (
            f"{format_duration(value)} is not allowed: {format_duration(during.least)} to"
            f" {format_duration(during.most)}{none}"
        )
    if isinstance(value, int):
        between = NUMBERS[key]
        if between.least <= value <= between.most or between.or_none and not value:
            return ""
        return f"{value} is not allowed: {between.least} to {between.most}"
    return ""


def sub_address_error(address: str, detail: str) -> str:
    """Return why the judge's sub-addresses would be too long, or an empty string.

    >>> sub_address_error("me+judge@gmail.com", "+")
    ''
    """
    room = MAX_LOCAL_PART_OCTETS - (len(detail) + TOKEN_LENGTH if detail else 0)
    if len(address.rpartition("@")[0]) <= room:
        return ""
    return f"{address!r} has more than {room} letters before the @, where reply tokens are appended"


def holidays_error(days: Sequence[tuple[date, date]]) -> str:
    """Return an error message if the holidays are too many, else an empty string.

    If they covered a whole year, no deadline could ever fall.
    """
    years: Counter[int] = Counter()
    for first, last in days:
        if (last - first).days >= MAX_HOLIDAYS:
            return f"{first} to {last} is more than {MAX_HOLIDAYS} days"
        years.update((first + DAY * n).year for n in range((last - first).days + 1))
        if max(years.values()) > MAX_HOLIDAYS:
            return f"more than {MAX_HOLIDAYS} days of one year"
    return ""


@dataclass(frozen=True, slots=True)
class JudgeSection:
    """Identity of the judge."""

    address: str = "judge@localhost"
    name: str = "Judge"
    keeper: str = "postmaster@localhost"
    """Address of the operator, who gets mail for postmaster and internal errors."""
    archive: str = ""
    """URL of the folder that `judge publish` writes: `https://…/`. Empty: none."""


@dataclass(frozen=True, slots=True)
class ListenSection:
    """Addresses of the listener.

    Each is `host:port` or `unix:PATH`, or empty for none.
    """

    smtp: str = "127.0.0.1:2525"
    lmtp: str = ""
    detail: str = "+"
    """Separator of the judge's name and a token in an address.

    It is empty if mail to sub-addresses does not arrive.
    """
    trust: str = ""
    """Preceding mail server whose Authentication-Results are trusted; empty for none."""
    tls_cert: str = ""
    """File with a certificate (PEM). With one, STARTTLS is offered."""
    tls_key: str = ""
    """File with its key, if not in the same file."""

    @property
    def separator(self) -> str:
        """Separator in stored letters, which have sub-addresses in any case."""
        return self.detail or "+"


@dataclass(frozen=True, slots=True)
class FetchSection:
    """Mailbox that mail is fetched from by IMAP.

    The password is not part of the configuration (`judge.mail.imap.account`).
    """

    from_: str = field(default="", repr=False)
    """`imaps://user@host/FOLDER`, or `imap://` for STARTTLS; empty for none."""
    password_file: str = ""
    password_command: tuple[str, ...] = ()
    """Command and arguments of a program that prints the password or access token."""
    auth: str = "password"
    """"password", or "xoauth2" for an access token."""
    done: str = "Judge done"
    """Folder that mails are moved to."""
    every: timedelta = timedelta(seconds=60)
    """Maximum time between two looks. More than a minute counts for `judge fetch` only."""
    keep: timedelta = timedelta(days=30)
    """Retention of mails in that folder; 0: for ever."""


@dataclass(frozen=True, slots=True)
class DeliverSection:
    """Destination of letters.

    `to` is `maildir:PATH` or an `smtp://`, `smtps://` or `lmtp://` URL.
    """

    to: str = "maildir:var/outbox"
    per_day: str = "auto"
    """Letters in 24 hours; 0: any number.

    The setting "auto" means any number without a login in `to`. With one it means 400 for Gmail and
    200 for other servers.
    """

    @property
    def has_login(self) -> bool:
        """True if letters are handed to a mail server with a login."""
        return self.maildir is None and bool(urlsplit(self.to).username)

    @property
    def max_per_day(self) -> int:
        """Maximum number of letters in 24 hours, or 0 for any number."""
        if self.per_day != "auto":
            return int(self.per_day)
        if not self.has_login:
            return 0
        host = urlsplit(self.to).hostname or ""
        return GMAIL_PER_DAY if host.endswith(_GMAIL_HOSTS) else ACCOUNT_PER_DAY

    @property
    def max_per_minute(self) -> int:
        """Maximum number of letters in a minute, or 0 for any number."""
        return ACCOUNT_PER_MINUTE if self.has_login else 0

    @property
    def maildir(self) -> Path | None:
        """Return the folder of the outgoing Maildir, or None for other destinations."""
        return Path(self.to.removeprefix("maildir:")) if self.to.startswith("maildir:") else None


@dataclass(frozen=True, slots=True)
class StoreSection:
    """The database.

    `url` is `sqlite:///relative`, `sqlite:////absolute` or `postgresql://host/name`.
    """

    url: str = "sqlite:///var/judge.sqlite3"
    keep_letters: timedelta = timedelta(days=90)
    """Retention of letters that were sent or given up; 0: for ever."""

    @property
    def file(self) -> Path | None:
        """Return the SQLite file, or None for a database without a file."""
        path = self.url.removeprefix("sqlite:///")
        return None if path in (self.url, ":memory:", "") else Path(path)


@dataclass(frozen=True, slots=True)
class PolicySection:
    """Rights and limits of strangers, players and masters."""

    confirm: str = "auto"
    """"auto", "true" or "false": whether new addresses must confirm."""
    create: str = "anyone"
    outage_grace: timedelta = timedelta(hours=1)
    silent_master: timedelta = timedelta(days=60)
    max_message: int = 5 * 2**20
    strangers_per_hour: int = 20
    maps: str = "png"
    """Default form of the board in letters, unless SET MAP chose another.

    It is "png", "small", "svg", "text" or "off".
    """
    press_size: int = 32 * 2**10
    """Bytes of one press letter."""
    press_per_day: int = 50
    press_volume: int = 2**20
    """Bytes of press from one seat a day."""
    observers: int = 50
    """Number of observers a game may have."""
    open_games: int = 5
    """Number of open games that one address may have created."""
    export_volume: int = 4 * 2**20
    """Bytes of games as files (EXPORT) that one address gets a day."""
    unconfirmed_per_day: int = 20
    """Letters a day for one person to addresses that never confirmed (INVITE …)."""


@dataclass(frozen=True, slots=True)
class ClockSection:
    """The resolver's polling interval, and limits of deadlines."""

    tick: timedelta = timedelta(seconds=10)
    shortest: timedelta = timedelta(minutes=10)
    """Minimum length of computed phases; 0: as short as their masters set them."""
    holidays: str = ""
    """Days without deadlines, such as "2026-12-24 to 2026-12-26, 2027-01-01".

    `read_days` parses it.
    """


@dataclass(frozen=True, slots=True)
class LogSection:
    """Level and format of the log, which goes to standard error."""

    level: str = "warning"
    """"info": a line for each step of a mail; "warning" and "error": problems only."""
    style: str = "plain"
    """"plain" sentences, or fields: "logfmt", "json"."""


@dataclass(frozen=True, slots=True)
class SiteSection:
    """Pages of public games that `judge serve` keeps up to date."""

    folder: str = ""
    """Folder for these pages only; empty for none."""


@dataclass(frozen=True, slots=True)
class MetricsSection:
    """Listener for Prometheus metrics."""

    listen: str = ""
    """host:port of an HTTP server; empty for none."""


@dataclass(frozen=True, slots=True)
class Config:
    """The whole configuration, with absolute paths."""

    judge: JudgeSection = field(default_factory=JudgeSection)
    listen: ListenSection = field(default_factory=ListenSection)
    fetch: FetchSection = field(default_factory=FetchSection)
    deliver: DeliverSection = field(default_factory=DeliverSection)
    store: StoreSection = field(default_factory=StoreSection)
    policy: PolicySection = field(default_factory=PolicySection)
    clock: ClockSection = field(default_factory=ClockSection)
    log: LogSection = field(default_factory=LogSection)
    metrics: MetricsSection = field(default_factory=MetricsSection)
    site: SiteSection = field(default_factory=SiteSection)
    file: Path | None = None
    """The file read, or None."""
    warnings: tuple[str, ...] = ()
    """Messages about settings that are not wrong, but probably mistakes."""

    @property
    def must_confirm(self) -> bool:
        """True if strangers must confirm their address.

        The setting "auto" means no for a Maildir and yes for other destinations.
        """
        if self.policy.confirm == "auto":
            return self.deliver.maildir is None
        return self.policy.confirm == "true"


SECTIONS = {
    "judge": JudgeSection,
    "listen": ListenSection,
    "fetch": FetchSection,
    "deliver": DeliverSection,
    "store": StoreSection,
    "policy": PolicySection,
    "clock": ClockSection,
    "log": LogSection,
    "metrics": MetricsSection,
    "site": SiteSection,
}
_OTHER_VARIABLES = frozenset({
    "JUDGE_CONFIG", "JUDGE_FAILPOINT", "JUDGE_BOOT_ID", "JUDGE_FETCH_PASSWORD",
})
_PATHS = frozenset({"listen.tls_cert", "listen.tls_key", "fetch.password_file", "site.folder"})
_TEXTS_OR_NUMBERS = frozenset({"deliver.per_day"})


def load_config(named: str | None, environ: Mapping[str, str], folder: Path) -> Config:
    """Read the configuration of a process in `folder` with that environment.

    Raises:
        ConfigError: a file is missing or unreadable, or a key or value in it is wrong.
    """
    file = _find_file(named, environ, folder)
    tables = _read_tables(file) if file else {}
    base = file.parent if file else folder
    given = dict(_from_tables(tables, str(file)))
    given.update(_from_environment(environ))
    sections: dict[str, object] = {}
    for name, section in SECTIONS.items():
        values = {
            f.name: _resolve_value(key, given.get(key), f, base)
            for f in fields(section) for key in [_key_of(name, f)]
        }
        sections[name] = section(**values)
    warnings = tuple(_unknown_variables(environ))
    if re.match(r"[a-z]+://[^/]*:[^/]*@", str(sections["fetch"].from_)):  # type: ignore[attr-defined]
        warnings += ("the password in [fetch] from would be safer in a password_file",)
    found = Config(**sections, file=file, warnings=warnings)  # type: ignore[arg-type]
    if wrong := sub_address_error(found.judge.address, found.listen.detail):
        raise ConfigError(f"judge.address: {wrong}")
    return found


def _find_file(named: str | None, environ: Mapping[str, str], folder: Path) -> Path | None:
    if wanted := named or environ.get("JUDGE_CONFIG"):
        file = folder / wanted
        if not file.is_file():
            raise ConfigError(f"no configuration file {file}")
        return file
    for file in (folder / "judge.toml", Path("/etc/judge.toml")):
        # A folder that the judge may not read has no file for it, such as root's home under
        # runuser.
        with suppress(PermissionError):
            if file.is_file():
                return file
    return None


def _read_tables(file: Path) -> Mapping[str, object]:
    try:
        return tomllib.loads(read_text(file))
    except TextFileError as fault:
        raise ConfigError(str(fault)) from fault
    except (OSError, tomllib.TOMLDecodeError) as fault:
        raise ConfigError(f"{file}: {fault}") from fault


def _from_tables(tables: Mapping[str, object], file: str) -> Mapping[str, object]:
    known = _known_keys()
    found = {}
    for name, table in tables.items():
        if name not in SECTIONS or not isinstance(table, dict):
            raise ConfigError(f"{file}: there is no section [{name}]")
        for key, value in table.items():
            if f"{name}.{key}" not in known:
                raise ConfigError(f"{file}: section [{name}] has no key {key!r}")
            found[f"{name}.{key}"] = value
    return found


def _from_environment(environ: Mapping[str, str]) -> Mapping[str, object]:
    variables = {f"JUDGE_{key.replace('.', '_').upper()}": key for key in _known_keys()}
    return {variables[name]: value for name, value in environ.items() if name in variables}


def _unknown_variables(environ: Mapping[str, str]) -> Iterator[str]:
    """Yield a warning for each JUDGE_ variable that is not a key."""
    known = {f"JUDGE_{key.replace('.', '_').upper()}" for key in _known_keys()} | _OTHER_VARIABLES
    for name in sorted(environ):
        if name.startswith("JUDGE_") and name not in known:
            near = get_close_matches(name, sorted(known), n=1)
            hint = f"; {near[0]} is" if near else ""
            yield f"the environment's {name} is no key of the configuration{hint}"


def _known_keys() -> frozenset[str]:
    return frozenset(
        _key_of(name, f) for name, section in SECTIONS.items() for f in fields(section)
    )


def _key_of(section: str, place: "Field[object]") -> str:
    """Return the key of a field. Its name ends in "_" if the key is a Python keyword."""
    return f"{section}.{place.name.removesuffix('_')}"


def _resolve_value(key: str, given: object, place: "Field[object]", base: Path) -> object:
    """Return the value of a key: the given one or its default, with absolute paths.

    Raises:
        ConfigError: the value is wrong.
    """
    default = place.default
    value = default if given is None else _read_value(key, given, default)
    if key == "clock.holidays":
        try:
            wrong = holidays_error(read_days(str(value)))
        except ValueError as fault:
            raise ConfigError(f"{key}: {fault}") from fault
    else:
        wrong = value_error(key, value)
    if wrong:
        raise ConfigError(f"{key}: {wrong}")
    if key in _PATHS and value:
        return str((base / str(value)).absolute())
    return _absolute(value, base) if isinstance(value, str) else value


def _read_value(key: str, given: object, default: object) -> object:
    if isinstance(given, bool):
        given = str(given).lower()
    if key in _TEXTS_OR_NUMBERS and isinstance(given, int):
        given = str(given)
    if isinstance(default, tuple):
        return _read_command(key, given)
    if isinstance(default, str) and isinstance(given, str):
        if any(ord(letter) < 32 for letter in given):
            raise ConfigError(f"{key}: control characters are not allowed")
        return given
    try:
        if isinstance(default, timedelta):
            return read_span(str(given))
        if isinstance(default, int):
            return read_size(str(given))
    except ValueError as fault:
        raise ConfigError(f"{key}: {fault}") from fault
    raise ConfigError(f"{key}: {given!r} is no text")


def _read_command(key: str, given: object) -> tuple[str, ...]:
    """Parse a command: a list of words, or one text as in a shell."""
    try:
        words = shlex.split(given) if isinstance(given, str) else given
    except ValueError as fault:
        raise ConfigError(f"{key}: {fault}") from fault
    if not isinstance(words, list) or not all(isinstance(word, str) for word in words):
        raise ConfigError(f'{key}: a list of texts is needed, such as ["pass", "mailbox"]')
    return tuple(words)


def _absolute(value: str, base: Path) -> str:
    for scheme in ("sqlite:///", "maildir:", "unix:"):
        path = value.removeprefix(scheme)
        if path != value and path and path != ":memory:":
            return f"{scheme}{(base / path).absolute()}"
    return value
