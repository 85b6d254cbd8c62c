"""Postfix beside the judge, if it is installed: its own configuration and queue, one machine.

It takes mail into its queue and gives it to its `discard` transport, as a mail server would that
has nothing else to do.
"""

import os
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

WHERE = Path("/var/spool/postfix-bench")
MAIN = """\
compatibility_level = 3.6
queue_directory = {queue}
data_directory = {data}
myhostname = bench.example
mydestination = localhost
local_recipient_maps =
local_transport = discard:
default_transport = discard:
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
mynetworks = 127.0.0.0/8
smtpd_client_connection_count_limit = 0
smtpd_client_connection_rate_limit = 0
smtpd_peername_lookup = no
smtpd_recipient_restrictions = permit_mynetworks, reject
maillog_file = {queue}/log
maillog_file_prefixes = /var
"""


def is_here() -> bool:
    """Tell whether Postfix can be measured: it is installed, and we may start it."""
    return shutil.which("postfix") is not None and os.geteuid() == 0


@contextmanager
def postfix() -> Iterator[str]:
    """Run a Postfix of our own and yield where it listens."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    shutil.rmtree(WHERE, ignore_errors=True)
    config, queue, data = (WHERE / name for name in ("etc", "queue", "data"))
    for folder in (config, queue, data):
        folder.mkdir(parents=True)
    shutil.chown(data, "postfix")
    (config / "main.cf").write_text(MAIN.format(queue=queue, data=data))
    usual = Path("/usr/share/postfix/master.cf.dist")
    lines = (usual if usual.exists() else Path("/etc/postfix/master.cf")).read_text().splitlines()
    head = f"127.0.0.1:{port} inet n - n - 100 smtpd"
    rest = [line for line in lines if not line.startswith("smtp      inet")]
    # Nothing is put into a jail: there is no jail in our queue.
    rest = [line.replace("  y       -  ", "  n       -  ") for line in rest]
    (config / "master.cf").write_text("\n".join([head, *rest]) + "\n")
    command = ["postfix", "-c", str(config)]
    subprocess.run([*command, "start"], check=True, capture_output=True, timeout=60)
    try:
        _wait_for(port)
        yield f"127.0.0.1:{port}"
    finally:
        subprocess.run([*command, "stop"], check=False, capture_output=True, timeout=60)
        shutil.rmtree(WHERE, ignore_errors=True)


def _wait_for(port: int) -> None:
    until = time.monotonic() + 10
    while True:
        try:
            with socket.create_connection(("127.0.0.1", port), timeout=5) as wire:
                if wire.recv(10).startswith(b"220"):
                    return
        except OSError:
            if time.monotonic() > until:
                raise
        time.sleep(0.1)
