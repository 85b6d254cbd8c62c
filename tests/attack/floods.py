"""Floods sent to a running judge: long blocks, headers, HTML, quotes and echoes.

A judge runs in a process of its own and gets each flood by SMTP, as one mail. No flood may occupy
its worker for long, get a long reply, or be shunted, and later orders of another player are
answered as usual. `run` returns what failed.
"""

import smtplib
import sqlite3
import tempfile
import time
from contextlib import closing
from email.message import EmailMessage
from pathlib import Path

from tests.bench.accepts import server
from tests.bench.floods import ANN, GM, SET_UP, ZOE, Flood, floods

BOB = "bob@example.org"
COUNT = 100_000
MAX_OCTETS = 5 * 1024 * 1024
"""Bytes of one mail that the listener accepts."""
MAX_SECONDS = 30.0
"""Seconds one flood and the orders after it may take on a busy machine."""
MAX_REPLIES = 1024 * 1024
"""Bytes of all letters that one flood causes."""
LOCKING = "line SET PASSWORD"
"""A flood that changes the password which all others sign on with."""
ORDERS = "SIGNON Gmarco bobsecret\nA Mun H\nA Ber H\nF Kie H"
GAMES = (
    (BOB, "JOIN germany@marco bobsecret"),
    (GM, "CREATE ?trip gmsecret nations1940\nSTART"),
    (GM, "CREATE ?siege gmsecret yorktown\nSTART"),
)


def run(rounds: int = 1) -> list[str]:
    """Return what failed.

    Each round tries the same on a new judge.
    """
    failures: list[str] = []
    for number in range(1, rounds + 1):
        started = time.monotonic()
        with tempfile.TemporaryDirectory(prefix="judge-floods-") as folder:
            found = _Attack(Path(folder)).run()
        failures += found
        print(f"floods: round {number} of {rounds}, {len(found)} failures,"
              f" {time.monotonic() - started:.0f} s", flush=True)
    return failures


class _Attack:
    """One judge that is flooded."""

    def __init__(self, home: Path) -> None:
        self._home = home
        self._place = ""
        self._number = 0
        self._seen: set[str] = set()
        self._failures: list[str] = []

    def run(self) -> list[str]:
        """Start the judge, send everything and return what failed."""
        with server(
            "judge", "serve", folder=self._home, JUDGE_LISTEN_SMTP="127.0.0.1:0",
            JUDGE_STORE_URL=f"sqlite:///{self._home}/judge.sqlite3",
            JUDGE_DELIVER_TO=f"maildir:{self._home}/outbox", JUDGE_LOG_LEVEL="error",
        ) as self._place:
            begin, *rest = SET_UP
            for sender, text in (begin, GAMES[0], *rest, *GAMES[1:]):
                self._send(sender, text)
                self._settle()
            self._new_letters()
            # The floods use up the press that a seat may send in a day.
            self._quoted_press()
            self._questions()
            self._echo()
            seconds = {each.name: self._flood(each) for each in floods() if each.name != LOCKING}
        slowest = sorted(seconds.items(), key=lambda pair: -pair[1])[:5]
        print("floods: slowest " + ", ".join(f"{name} {took:.1f} s" for name, took in slowest))
        return self._failures

    def _flood(self, flood: Flood) -> float:
        """Send a flood, then orders of another player, and return the seconds for both.

        A flood that the listener refuses has no further cost.
        """
        raw = flood.mail(COUNT)[:MAX_OCTETS - 1000]
        started = time.monotonic()
        try:
            self._post(flood.sender, raw)
        except smtplib.SMTPDataError:
            print(f"floods: {flood.name} is refused by the listener", flush=True)
        self._send(BOB, ORDERS)
        self._settle()
        took = time.monotonic() - started
        letters = self._new_letters()
        to_bob = [letter for to, letter in letters if to == BOB]
        octets = sum(len(letter) for to, letter in letters if to != BOB)
        self._check(took < MAX_SECONDS, f"{flood.name} takes {took:.1f} s")
        self._check(octets < MAX_REPLIES, f"{flood.name} is answered with {octets} octets")
        self._check(bool(to_bob), f"orders behind {flood.name} are not answered")
        self._check(not self._set_aside(), f"{flood.name} is set aside")
        return took

    def _questions(self) -> None:
        """Send queries for all games of all systems, with an order in the same mail."""
        self._send(BOB, "SIGNON Gmarco bobsecret\nA Mun - Bur\nLIST FULL\nSTATUS")
        self._send(ZOE, "LIST FULL")
        self._settle()
        text = b"".join(letter for to, letter in self._new_letters() if to == BOB)
        self._check(b"-> Burgundy" in text, "LIST FULL takes the order of its mail along")
        self._check(not self._set_aside(), "LIST FULL is set aside")

    def _echo(self) -> None:
        """Send long press that is refused because of its recipients."""
        press = "many words " * 10 + "\n"
        self._send(BOB, f"SIGNON Gmarco bobsecret\nPRESS TO NARNIA\n{press * 1_800}ENDPRESS")
        self._settle()
        octets = sum(len(letter) for _, letter in self._new_letters())
        self._check(0 < octets < 64 * 1024, f"long press is answered with {octets} octets")

    def _quoted_press(self) -> None:
        """Mail press of another player as a quoted list, from Bob to the plain address."""
        self._send(ANN, "SIGNON Fmarco annsecret\nPRESS TO G\nRESIGN\nA Mun - Tyr\nENDPRESS")
        self._settle()
        letters = [letter for to, letter in self._new_letters() if to == BOB]
        self._check(bool(letters), "press does not arrive")
        for letter in letters:
            head, _, body = letter.partition(b"\n\n")
            lines = [line for line in body.decode("utf-8", "replace").splitlines()
                     if "RESIGN" in line or "A Mun" in line]
            for sign in ("* ", "- ", "• ", "1. ", "\t", ""):
                quoted = "\n".join(f"{sign}{line}" for line in lines if "<" not in line)
                self._send(BOB, f"SIGNON Gmarco bobsecret\nA Mun H\n{quoted}")
        self._settle()
        self._new_letters()
        self._send(BOB, "SIGNON Gmarco bobsecret\nSTATUS")
        self._settle()
        text = b"".join(letter for to, letter in self._new_letters() if to == BOB)
        self._check(b"Army Munich, HOLD" in text, "quoted press is carried out")

    def _settle(self) -> None:
        """Wait for all mails to be processed and all letters delivered, up to a limit."""
        until = time.monotonic() + MAX_SECONDS
        while time.monotonic() < until and self._count_waiting():
            time.sleep(0.05)

    def _count_waiting(self) -> int:
        return (self._count("SELECT COUNT(*) FROM mails WHERE state = 'new'")
                + self._count("SELECT COUNT(*) FROM outgoing WHERE state = 'queued'"))

    def _check(self, holds: bool, failure: str) -> None:
        if not holds:
            self._failures.append(f"floods: {failure}")
            print(f"floods: {failure}", flush=True)

    def _send(self, sender: str, text: str) -> None:
        self._number += 1
        mail = EmailMessage()
        mail["From"], mail["To"], mail["Subject"] = sender, "judge@localhost", "orders"
        mail["Message-ID"] = f"<{self._number}@floods.example>"
        mail.set_content(text + "\n")
        self._post(sender, bytes(mail))

    def _post(self, sender: str, raw: bytes) -> None:
        host, _, port = self._place.rpartition(":")
        with smtplib.SMTP(host, int(port), timeout=120) as client:
            client.sendmail(sender, ["judge@localhost"], raw)

    def _new_letters(self) -> list[tuple[str, bytes]]:
        """Return the letters since the last call, each with its recipient."""
        found = []
        for file in (self._home / "outbox" / "new").iterdir():
            if file.name not in self._seen:
                self._seen.add(file.name)
                raw = file.read_bytes().replace(b"\r\n", b"\n")
                to = next(line[4:].decode() for line in raw.split(b"\n") if line[:4] == b"To: ")
                found.append((to, raw))
        return found

    def _set_aside(self) -> int:
        return self._count("SELECT COUNT(*) FROM mails WHERE state = 'shunted'")

    def _count(self, statement: str) -> int:
        path = f"file:{self._home}/judge.sqlite3?mode=ro"
        with closing(sqlite3.connect(path, uri=True)) as database:
            ((count,),) = database.execute(statement)
        return int(count)


if __name__ == "__main__":
    raise SystemExit("\n".join(run()) or None)
