"""Small IMAP server that misbehaves on request."""

import re
import socket
import threading
from contextlib import suppress
from types import TracebackType

DATE = "28-Nov-2026 12:00:00 +0000"


class ToyServer:
    """Server of one mailbox with one folder. Any password is right."""

    def __init__(
        self, *mails: bytes, capability: str = "IDLE MOVE UIDPLUS", refused: str = "",
        false_size: int = 0, piece: int = 0, echoes_password: bool = False,
        refusal: str = "refused",
    ) -> None:
        self.mails = {number: raw for number, raw in enumerate(mails, start=1)}
        self.capability = capability
        self.refused = refused
        """Command that is answered with NO."""
        self.false_size = false_size
        self.piece = piece
        """Octets of a packet; 0: any number."""
        self.echoes_password = echoes_password
        self.refusal = refusal
        self.commands: list[str] = []
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = int(self._listener.getsockname()[1])
        self._threads: list[threading.Thread] = []
        self._wires: list[socket.socket] = []

    def __enter__(self) -> "ToyServer":
        accepting = threading.Thread(target=self._accept, daemon=True)
        accepting.start()
        self._threads.append(accepting)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        for wire in self._wires:
            with suppress(OSError):
                wire.shutdown(socket.SHUT_RDWR)
        for thread in self._threads:
            thread.join(5)

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                wire, _ = self._listener.accept()
                self._wires.append(wire)
                thread = threading.Thread(target=self._serve, args=(wire,), daemon=True)
                thread.start()
                self._threads.append(thread)

    def _serve(self, wire: socket.socket) -> None:
        with wire, wire.makefile("rb") as lines, suppress(OSError):
            self._send(wire, b"* OK toy\r\n")
            for line in lines:
                tag, _, rest = line.decode().strip().partition(" ")
                self.commands.append(rest)
                if rest == "IDLE":
                    # The news and the permission to wait are one packet.
                    wire.sendall(b"+ idling\r\n* %d EXISTS\r\n" % len(self.mails))
                    lines.readline()
                    self._send(wire, f"{tag} OK done\r\n".encode())
                    continue
                name = rest.removeprefix("UID ").partition(" ")[0]
                if name == self.refused:
                    echo = rest if self.echoes_password else ""
                    self._send(wire, f"{tag} NO {self.refusal} {echo}\r\n".encode())
                    continue
                self._send(wire, self._answer(name, rest) + f"{tag} OK done\r\n".encode())
                if name == "LOGOUT":
                    return

    def _answer(self, name: str, rest: str) -> bytes:
        uids = sorted(self.mails)
        match name:
            case "CAPABILITY":
                return f"* CAPABILITY IMAP4rev1 {self.capability}\r\n".encode()
            case "SELECT":
                return (
                    f"* {len(uids)} EXISTS\r\n* OK [UIDVALIDITY 7] x\r\n"
                    "* OK [PERMANENTFLAGS (\\Seen \\*)] x\r\n"
                ).encode()
            case "SEARCH":
                return f"* SEARCH {' '.join(map(str, uids))}\r\n".encode()
            case "FETCH":
                return b"".join(self._fetch(uid, rest) for uid in self._find_uids(rest))
            case "MOVE":
                for uid in self._find_uids(rest):
                    del self.mails[uid]
            case "LIST":
                return b'* LIST () "/" "Judge done"\r\n'
        return b""

    def _find_uids(self, rest: str) -> list[int]:
        found = re.search(r"(?:FETCH|MOVE) ([0-9,]+)", rest)
        assert found is not None, rest
        return [uid for uid in map(int, found[1].split(",")) if uid in self.mails]

    def _fetch(self, uid: int, rest: str) -> bytes:
        raw = self.mails[uid]
        if "RFC822.SIZE" in rest:
            size = self.false_size or len(raw)
            facts = f'RFC822.SIZE {size} INTERNALDATE "{DATE}"'
            return f"* {uid} FETCH (UID {uid} {facts})\r\n".encode()
        part, name = raw, "BODY[]<0>"
        if "HEADER" in rest:
            part, name = raw.partition(b"\r\n\r\n")[0] + b"\r\n\r\n", "BODY[HEADER]"
        elif limit := re.search(r"<0\.(\d+)>", rest):
            part = raw[:int(limit[1])]
        head = f"* {uid} FETCH (UID {uid} {name} {{{len(part)}}}\r\n".encode()
        return head + part + b")\r\n"

    def _send(self, wire: socket.socket, octets: bytes) -> None:
        step = self.piece or len(octets)
        for at in range(0, len(octets), step):
            wire.sendall(octets[at:at + step])
