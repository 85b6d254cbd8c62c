"""What `judge check` looks at outside the judge: its addresses, its files, its neighbours.

A mail server that does not answer is told and is no fault: letters wait for it.
"""

import os
import shutil
import socket
import ssl
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

from judge.config import Config
from judge.errors import ConfigError
from judge.mail.sender import delivery_for

_PATIENCE = 3.0
"""Seconds the next mail server has to answer."""
_LEAST_ROOM = 100 * 2**20
"""Octets that should be free where the database is."""
_OTHERS = 0o077


def look_at_addresses(config: Config) -> Iterator[str]:
    """Look at the judge's own address and its keeper's.

    Raises:
        ConfigError: one of them cannot be.
    """
    judge, keeper = config.judge.address, config.judge.keeper
    for key, address in (("address", judge), ("keeper", keeper)):
        local, at, host = address.rpartition("@")
        if not local or not at or not host or " " in address:
            raise ConfigError(f"[judge] {key}: {address!r} is no mail address")
    if config.deliver.maildir is None and judge.endswith("@localhost"):
        raise ConfigError(
            f"letters leave this machine, and nobody can answer {judge}: set [judge] address"
        )
    yield f"the judge is {judge}, its keeper {keeper}"


def look_at_delivery(config: Config) -> Iterator[str]:
    """Look at where letters go.

    Raises:
        ConfigError: nothing can be delivered there.
    """
    delivery_for(config.deliver.to)
    parts = urlsplit(config.deliver.to)
    if parts.password and config.file and config.file.stat().st_mode & _OTHERS & ~0o070:
        raise ConfigError(f"{config.file} holds a password and all can read it: chmod 640")
    if folder := config.deliver.maildir:
        _must_be_writable(folder)
        return
    place = parts.hostname or "", parts.port or {"smtps": 465, "lmtp": 24}.get(parts.scheme, 25)
    try:
        socket.create_connection(place, _PATIENCE).close()
    except OSError as fault:
        yield f"nobody answers at {place[0]}:{place[1]} now ({fault}); letters will wait"
    else:
        yield f"a mail server answers at {place[0]}:{place[1]}"


def look_at_senders(config: Config) -> Iterator[str]:
    """Look at who tells a true From line from a forged one."""
    if config.listen.trust:
        yield f"senders are vouched for by {config.listen.trust}"
    elif config.deliver.maildir is None:
        yield (
            "warning: nothing vouches for senders, so a From line is taken for true; have a mail"
            " server check DMARC, and name it in [listen] trust (docs/operating.md, Behind a mail"
            " server)"
        )


def look_at_files(config: Config) -> Iterator[str]:
    """Look at the certificate, and at the folder the database is in.

    Raises:
        ConfigError: they cannot be used.
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
    here = _must_be_writable(file.parent)
    if file.exists() and file.stat().st_mode & _OTHERS:
        raise ConfigError(f"{file} holds letters and others may open it: chmod 600")
    if file.exists() and file.stat().st_nlink > 1:
        raise ConfigError(
            f"{file} has another name (a hard link): judges at both would spoil it for each other"
        )
    free = shutil.disk_usage(here).free
    if free < _LEAST_ROOM:
        raise ConfigError(f"only {free // 2**20} MiB are free at {here}")
    yield f"{free // 2**20} MiB are free at {here}"


def _must_be_writable(folder: Path) -> Path:
    """Return a folder, or the first above it that is there, if we may write in it."""
    while not folder.exists():
        folder = folder.parent
    if not os.access(folder, os.W_OK | os.X_OK):
        raise ConfigError(f"{folder} cannot be written by this user")
    return folder
