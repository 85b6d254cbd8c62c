"""Checks of `judge check`: configuration, database, game systems and mail server.

A mail server that does not answer is reported, but not as a fault, because letters wait for it.
"""

import os
import shutil
import socket
import ssl
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from urllib.parse import urlsplit

from judge.clock import SystemClock
from judge.config import Config
from judge.dice import Dice
from judge.errors import ConfigError, DataError, JudgeError, StoreLost
from judge.games import all_systems, broken_systems, find_map, opening_table
from judge.games.added_maps import use_source
from judge.games.capabilities import DrawableSystem, DrawableTable
from judge.games.contract import check_all_options
from judge.games.painting import paint
from judge.games.system import Viewer, ViewerRole
from judge.mail.imap.account import read_account, read_secret
from judge.mail.imap.box import MailboxFault, open_mailbox
from judge.mail.language.mail_parser import parse_mail
from judge.mail.language.vocabulary import CommandLanguage
from judge.mail.outbound.delivery import ServerDelivery, Unreachable, WrongSettings, delivery_for
from judge.mail.outbound.render import Renderer
from judge.model.incoming import Line
from judge.model.letter import PictureRequest
from judge.phrases import Phrasebook
from judge.play.commands.table import COMMANDS
from judge.site.pages import Pages
from judge.store.database import Store
from judge.store.file_check import check_of
from judge.store.locks import require_existing
from judge.store.mailboxes import Mailboxes
from judge.store.maps import Maps
from judge.store.send_budget import SendBudget
from judge.terminal.inbox import printable, printable_line
from judge.terminal.queue import describe_limits
from judge.terminal.text_check import missing_texts

_WEEK = timedelta(days=7)
_CONNECT_TIMEOUT = 3.0
"""Seconds that the next mail server has to answer."""
_LOGIN_TIMEOUT = 20.0
"""Seconds that each answer of a server with a login may take."""
_MIN_FREE_OCTETS = 100 * 2**20
"""Octets that must be free on the disk of the database."""
_GROUP_AND_OTHERS = 0o077
"""Permission bits of the group and of all other users."""


def check_addresses(config: Config) -> Iterator[str]:
    """Check the addresses of the judge and of its operator.

    Raises:
        ConfigError: One of them is invalid.
    """
    judge, keeper = config.judge.address, config.judge.keeper
    for key, address in (("address", judge), ("keeper", keeper)):
        local, at, host = address.rpartition("@")
        if not local or not at or not host or " " in address:
            raise ConfigError(f"[judge] {key}: {address!r} is no mail address")
    if config.deliver.maildir is None and judge.endswith("@localhost"):
        raise ConfigError(
            f"letters leave this machine, but no one can reply to {judge}: set [judge] address"
        )
    yield f"the judge is {judge}, its operator {keeper}"
    if config.listen.detail:
        return
    yield "replies are recognised by Message-ID, because [listen] detail is empty"
    if config.listen.separator in judge.rpartition("@")[0]:
        yield (
            f"warning: {judge} is a sub-address, and [listen] detail says that mail to those does"
            " not arrive: set [judge] address to a mailbox of the judge's own"
        )


def check_secrecy(config: Config) -> Iterator[str]:
    """Check that others cannot read a configuration with a password.

    Raises:
        ConfigError: They can.
    """
    urls = (config.deliver.to, config.fetch.from_, config.store.url)
    if not config.file or not any(urlsplit(url).password for url in urls):
        return
    if config.file.stat().st_mode & _GROUP_AND_OTHERS & ~0o070:
        raise ConfigError(f"{config.file} has a password, and anyone can read it: chmod 640")
    yield f"{config.file} has a password, and others cannot read it"


def check_delivery(config: Config) -> Iterator[str]:
    """Check the delivery of letters.

    Raises:
        ConfigError: Letters cannot be delivered.
    """
    delivery = delivery_for(config.deliver.to, config.fetch)
    parts = urlsplit(config.deliver.to)
    if folder := config.deliver.maildir:
        require_writable(folder)
        return
    if config.deliver.has_login and isinstance(delivery, ServerDelivery):
        yield _try_login(delivery)
        return
    place = parts.hostname or "", parts.port or {"smtps": 465, "lmtp": 24}.get(parts.scheme, 25)
    try:
        socket.create_connection(place, _CONNECT_TIMEOUT).close()
    except OSError as fault:
        yield f"no answer from {place[0]}:{place[1]} now ({fault}); letters will wait"
    else:
        yield f"a mail server answers at {place[0]}:{place[1]}"


def _try_login(delivery: ServerDelivery) -> str:
    """Log in to the server that letters are handed to.

    Raises:
        ConfigError: It refuses the login.
    """
    place = f"{delivery.host}:{delivery.port}"
    try:
        delivery.check_login(_LOGIN_TIMEOUT)
    except WrongSettings as fault:
        raise ConfigError(f"no letters can be sent: {fault}") from None
    except Unreachable as fault:
        return f"no log-in at {place} now ({fault}); letters will wait"
    return f"the mail server at {place} accepts the log-in"


def check_send_limits(config: Config) -> Iterator[str]:
    """Check whether the limits of the mail account suffice for an average day.

    Raises:
        StoreError: The database cannot be used.
    """
    file, deliver = config.store.file, config.deliver
    if not (limits := describe_limits(deliver)):
        return
    yield f"limits of letters: {limits}"
    if not deliver.max_per_day or file is not None and not file.exists():
        return
    with Store(config.store.url).keep_open() as store:
        budget, now = SendBudget(store, deliver.max_per_day, 0), SystemClock().now()
        average = budget.count_sent(now, _WEEK) // _WEEK.days
        sent = budget.count_sent(now)
        yield f"letters sent: {sent} in 24 hours, {average} a day in the last week"
        if average >= budget.essential_from:
            yield (
                f"warning: {average} letters a day were sent in the last week, and [deliver]"
                f" per_day is {budget.per_day}: press, digests and reminders wait for hours"
            )


def check_mailbox(config: Config) -> Iterator[str]:
    """Log in to the mailbox that mail is fetched from.

    Raises:
        ConfigError: It has no password, or the server refuses it.
        MailboxFault: The server refuses the password or the folder.
    """
    section = config.fetch
    if not section.from_:
        return
    account = read_account(section.from_)
    secret = read_secret(account, section)
    try:
        with open_mailbox(account, secret, section.auth, section.done) as box:
            box.select()
            found, can, quota = len(box.search(None)), box.describe(), box.read_quota()
    except MailboxFault as fault:
        if fault.is_lasting:
            raise
        yield f"the mailbox cannot be read now ({fault}); games wait"
        return
    full = f", full to {quota} %" if quota >= 0 else ""
    yield f"mailbox: {account.name} has {found} mails{full}; the server can {can}"
    file = config.store.file
    if file is None or file.exists():
        with Store(config.store.url).keep_open() as store:
            if junk := Mailboxes(store).state(account.name).junk:
                yield (
                    "warning: mails in its folder for junk that answer letters of the judge:"
                    f" {junk}; move them to the inbox"
                )


def check_senders(config: Config) -> Iterator[str]:
    """Check whether a mail server vouches for the From lines of senders."""
    if config.listen.trust:
        yield f"senders are checked by {config.listen.trust}"
    elif config.deliver.maildir is None:
        yield (
            "warning: senders are not checked, so any From line is believed. Let a mail server"
            " check DMARC, and name it in [listen] trust (docs/run/operating.md, Behind a mail"
            " server)"
        )


def check_files(config: Config) -> Iterator[str]:
    """Check the certificate, and the folder of the database.

    Raises:
        ConfigError: They cannot be used, others can read the database, or the disk is full.
    """
    listen = config.listen
    if listen.tls_cert:
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        try:
            context.load_cert_chain(listen.tls_cert, listen.tls_key or None)
        except (OSError, ssl.SSLError) as fault:
            raise ConfigError(f"[listen] tls_cert, tls_key: {fault}") from fault
        yield f"certificate: {listen.tls_cert}"
    file = config.store.file
    if file is None:
        return
    here = require_writable(file.parent)
    if file.exists() and file.stat().st_mode & _GROUP_AND_OTHERS:
        raise ConfigError(f"{file} holds letters and others may open it: chmod 600")
    if file.exists() and file.stat().st_nlink > 1:
        raise ConfigError(
            f"{file} has another name (a hard link): two judges could use and damage it"
        )
    free = shutil.disk_usage(here).free
    if free < _MIN_FREE_OCTETS:
        raise ConfigError(f"only {free // 2**20} MiB are free at {here}")
    yield f"{free // 2**20} MiB are free at {here}"


def require_writable(folder: Path) -> Path:
    """Return a folder, or its first existing parent, if the judge may write to it.

    Raises:
        ConfigError: It may not.
    """
    while not folder.exists():
        folder = folder.parent
    if not os.access(folder, os.W_OK | os.X_OK):
        raise ConfigError(f"this user cannot write to {folder}")
    return folder


Finding = tuple[bool, str]
"""Result of a check: True if all is well, and a line that describes it."""


def check_installation(config: Config) -> Iterator[Finding]:
    """Yield the findings of all checks, without changing anything."""
    for look in (
        _configuration, check_secrecy, check_addresses, check_mailbox, check_delivery,
        check_senders, check_files,
        _games, _languages, _templates, _pictures, _database, check_send_limits,
    ):
        try:
            for line in look(config):
                yield True, line
        except (JudgeError, OSError, StoreLost) as fault:
            yield False, str(fault)
    yield from ((False, line) for line in faulty_systems())


def faulty_systems() -> Iterator[str]:
    """Yield the faults of game systems, found by playing one phase on each map.

    Its letters are rendered, too.
    """
    for left_out in broken_systems():
        yield f"the game system {left_out.name} ({left_out.package}) is left out: {left_out.why}"
    for system in all_systems():
        for why in (*check_all_options(system), *missing_texts(system)):
            yield f"{system.title}: {why}"


def _configuration(config: Config) -> Iterator[str]:
    source = config.file or "none, so every key has its default"
    yield f"configuration: {source}"
    listen, mailbox = config.listen, config.fetch.from_
    places = [listen.smtp or listen.lmtp, read_account(mailbox).name if mailbox else ""]
    yield f"mail comes in at {' and '.join(filter(None, places)) or 'nowhere'}"
    yield f"letters go to {config.deliver.to.rpartition('@')[2]}"


def _games(config: Config) -> Iterator[str]:
    for system in all_systems():
        for name, title in system.maps().items():
            position = system.initial_position(name, {}, Dice(bytes(32), 0))
            table = system.table(name, position, {})
            yield f"{system.title} on {title} ({name}): {len(system.powers(name, {}))} powers, " + (
                f"begins in {table.phase.label}"
            )


def _languages(config: Config) -> Iterator[str]:
    if parse_mail(CommandLanguage(COMMANDS), [Line(1, "STATUS")]).complaints:
        raise DataError("the command language does not know STATUS")
    for system in all_systems():
        table = opening_table(system)
        table.read_orders([Line(1, "hold")], table.powers_alive()[0], {})
    yield f"grammars: commands, {', '.join(system.name for system in all_systems())}"


def _templates(config: Config) -> Iterator[str]:
    Renderer(CommandLanguage(COMMANDS), config.judge.name, config.judge.address).check()
    Pages(config.judge.name, str).check()
    for system in all_systems():
        Phrasebook(system.name)
    yield "templates, pages and phrases: all valid"


def _pictures(config: Config) -> Iterator[str]:
    for system in all_systems():
        name = next(iter(system.maps()))
        table = opening_table(system)
        if not isinstance(table, DrawableTable):
            continue
        source = table.sketch(Viewer(ViewerRole.MASTER))
        octets = paint(PictureRequest(system.name, source, "check"))
        yield f"pictures: the board of {name} is drawn, {len(octets) // 1000} kB"


def _database(config: Config) -> Iterator[str]:
    file = config.store.file
    if file is not None:
        check_of(file.resolve()).check_start()
    require_existing(file)
    if file is not None and not file.exists():
        yield f"database: {file} is missing; `judge serve` will make it"
        return
    with Store(config.store.url).keep_open() as store:
        yield f"database: {file or store.engine.name}, {store.health()}"
        yield from check_added_maps(Maps(store))


def check_added_maps(maps: Maps) -> Iterator[str]:
    """Yield the added maps that can be used.

    An update of the judge may find faults in them.

    Raises:
        DataError: some cannot be used. The message has each with its reason.
    """
    use_source(maps)
    faults: list[str] = []
    for each in maps.list_maps():
        if fault := _map_fault(each.key):
            games = ", ".join(maps.open_games([each.key])) or "none"
            faults.append(f"the map {each.key} cannot be used: {fault} (its open games: {games})")
        else:
            yield printable_line(f"map {each.key}: {each.title}")
            if fault := _shapes_fault(each.key):
                yield printable_line(f"map {each.key} is drawn from its list of borders: {fault}")
    if faults:
        raise DataError(printable("\n".join(faults)))


def _shapes_fault(key: str) -> str:
    system = find_map(key)
    return system.shapes_fault(key) if isinstance(system, DrawableSystem) else ""


def _map_fault(key: str) -> str:
    faults = [system.map_fault(key) for system in all_systems()]
    return "" if "" in faults else "; ".join(dict.fromkeys(faults))
