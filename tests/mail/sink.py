"""A mail server with a reply script selected by the recipient's name.

no421@     421 at RCPT, and hangs up          full452@   452 at RCPT
no550@     550 at RCPT                        spam554@   554 after the dot
drop@      hangs up after the dot             hang@      never answers the dot
grey@      450 the first time, then taken     all others are accepted
"""

import socket
import ssl
import threading
from collections import Counter
from contextlib import suppress
from types import TracebackType
from typing import NamedTuple


class Taken(NamedTuple):
    """One accepted message."""

    sender: str
    to: str
    message: bytes
    encrypted: bool


class Sink:
    """A server with one thread for each connection, until the block ends.

    With a certificate it offers STARTTLS. `smtps`: it is encrypted from the start.
    """

    def __init__(
        self, context: ssl.SSLContext | None = None, greeting: str = "220 sink", *,
        smtps: bool = False,
    ) -> None:
        self.smtps = smtps
        self.hangs_up_encrypted = False
        """True to close the connection at the first command after STARTTLS."""
        self.taken: list[Taken] = []
        self.seen: Counter[str] = Counter()
        self.connections = 0
        self.at_once = 0
        self.most_at_once = 0
        self.greeting = greeting
        self.starttls = "220 go on"
        self.let_go = threading.Event()
        self._context = context
        self._lock = threading.Lock()
        self._server = socket.create_server(("127.0.0.1", 0))
        self._open: set[socket.socket] = set()
        self._threads: list[threading.Thread] = []

    @property
    def port(self) -> int:
        """The port of the server."""
        return int(self._server.getsockname()[1])

    def __enter__(self) -> "Sink":
        """Start to listen."""
        self._begin(self._listen)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close all connections."""
        self.let_go.set()
        self._server.shutdown(socket.SHUT_RDWR)
        self._server.close()
        with self._lock:
            for one in self._open:
                # A connection that was closed by its client is closed already.
                with suppress(OSError):
                    one.shutdown(socket.SHUT_RDWR)
        for thread in self._threads:
            thread.join(120)

    def _begin(self, work: object, *given: object) -> None:
        thread = threading.Thread(target=work, args=given, daemon=True)  # type: ignore[arg-type]
        self._threads.append(thread)
        thread.start()

    def _listen(self) -> None:
        while True:
            try:
                client, _ = self._server.accept()
            except OSError:
                return
            with self._lock:
                self.connections += 1
                self._open.add(client)
            self._begin(self._serve, client)

    def _serve(self, client: socket.socket) -> None:
        line = client
        try:
            if self.smtps and self._context:
                line = self._context.wrap_socket(client, server_side=True)
            line = _Dialogue(self, line).run()
        except OSError:
            pass
        finally:
            with self._lock:
                self._open.discard(client)
            line.close()
            client.close()

    def note(self, message: Taken) -> None:
        """Store a message."""
        with self._lock:
            self.taken.append(message)

    def context(self) -> ssl.SSLContext | None:
        """TLS context of STARTTLS, or None."""
        return self._context


class _Dialogue:
    """One connection."""

    def __init__(self, sink: Sink, client: socket.socket) -> None:
        self._sink = sink
        self._line = client
        self._file = client.makefile("rb")
        self._sender = self._to = ""
        self._secure = sink.smtps
        self._is_greeted = False

    def run(self) -> socket.socket:
        self._say(self._sink.greeting)
        while command := self._file.readline():
            if not self._answer(command.decode("utf-8").strip()):
                break
        self._file.close()
        return self._line

    def _say(self, *lines: str) -> None:
        self._line.sendall("".join(f"{line}\r\n" for line in lines).encode())

    def _answer(self, command: str) -> bool:
        """Reply to a command. Return False to close the connection."""
        verb = command.upper().split(":")[0].split(" ")[0]
        if self._secure and self._sink.hangs_up_encrypted:
            return False
        if verb in ("EHLO", "HELO", "LHLO"):
            self._is_greeted = True
            offers = self._sink.context() and not self._secure
            self._say("250-sink", *(["250-STARTTLS"] if offers else []), "250 SIZE 1000000")
        elif verb == "STARTTLS":
            self._say(self._sink.starttls)
            context = self._sink.context()
            if self._sink.starttls.startswith("220") and context:
                self._line = context.wrap_socket(self._line, server_side=True)
                self._file = self._line.makefile("rb")
                self._secure, self._is_greeted = True, False
        elif verb == "MAIL" and not self._is_greeted:
            # Everything before the encryption is discarded (RFC 3207, 4.2).
            self._say("503 5.5.1 who are you?")
        elif verb == "MAIL":
            self._sender = command.partition("<")[2].partition(">")[0]
            self._say("250-more than", "250 one line")
        elif verb == "RCPT":
            return self._recipient(command.partition("<")[2].partition(">")[0])
        elif verb == "DATA":
            return self._data()
        else:
            self._say("221 bye" if verb == "QUIT" else "250 ok")
            return verb != "QUIT"
        return True

    def _recipient(self, address: str) -> bool:
        self._to = address
        name = address.partition("@")[0].split("+")[0]
        self._sink.seen[address] += 1
        if name == "grey" and self._sink.seen[address] == 1:
            self._say("450 4.2.0 greylisted, come back")
        elif name[-3:] in ("421", "452", "550") and not name.startswith("ok"):
            self._say(f"{name[-3:]} {name[-3]}.1.1 as you wish")
            return name[-3:] != "421"
        else:
            self._say("250 fine")
        return True

    def _data(self) -> bool:
        self._say("354 go on")
        lines = []
        while (line := self._file.readline()) != b".\r\n":
            if not line.endswith(b"\r\n"):
                # The message is incomplete and therefore not accepted.
                return False
            lines.append(line.removeprefix(b".") if line.startswith(b".") else line)
        name = self._to.partition("@")[0]
        sink = self._sink
        if name == "hang":
            sink.let_go.wait(120)
        if name in ("hang", "drop"):
            return False
        if name.endswith("554"):
            self._say("554 5.7.1 spam")
            return True
        sink.note(Taken(self._sender, self._to, b"".join(lines), self._secure))
        self._say("250 taken")
        return True
