"""Time to the receipt of mails of twenty orders at a steady pace."""

import asyncio
import time
from email import message_from_bytes
from pathlib import Path

from judge.clock import SystemClock
from judge.demo.judge_process import Mailroom, text_of
from tests.bench.accepts import judge

GAMES = 10
ORDERS = (
    "A Vie - Gal", "A Bud - Ser", "F Tri - Alb", "F Edi - NWG", "F Lon - NTH", "A Lvp - Yor",
    "F Bre - MAO", "A Par - Bur", "A Mar S A Par - Bur", "F Kie - Hol", "A Ber - Kie",
    "A Mun - Ruh", "A Ven - Pie", "A Rom - Apu", "F Nap - ION", "A Mos - Ukr", "A War - Gal",
    "F Sev - BLA", "F Ank - BLA", "A Con - Bul",
)
MASTER = "gm{0}@example.org"
MAIL = (
    "From: {0}\r\nTo: judge@localhost\r\nSubject: orders\r\nMessage-ID: <{1}@answers.example>\r\n"
    "\r\nSIGNON Mgame{2} gmsecret\r\n{3}\r\n.\r\n"
)


async def _send(place: str, number: int, started: dict[str, float]) -> None:
    """Send one mail on a connection of its own.

    Its time starts before the connection.
    """
    host, _, port = place.rpartition(":")
    game = number % GAMES
    sender = MASTER.format(game)
    started[f"<{number}@answers.example>"] = time.time()
    reader, writer = await asyncio.open_connection(host, int(port))
    for line in (
        "", "EHLO x\r\n", f"MAIL FROM:<{sender}>\r\n", "RCPT TO:<judge@localhost>\r\n", "DATA\r\n",
        MAIL.format(sender, number, game, "\r\n".join(ORDERS)),
    ):
        writer.write(line.encode())
        while (await reader.readline())[3:4] == b"-":
            pass
    writer.close()
    await writer.wait_closed()


async def _steadily(place: str, rate: int, seconds: float) -> dict[str, float]:
    started: dict[str, float] = {}
    sending = []
    begun = time.perf_counter()
    for number in range(int(rate * seconds)):
        await asyncio.sleep(max(begun + number / rate - time.perf_counter(), 0))
        sending.append(asyncio.ensure_future(_send(place, number, started)))
    await asyncio.gather(*sending)
    return started


def _await_replies(outbox: Path, wanted: dict[str, float]) -> dict[str, float]:
    """Wait for the replies and return when each was in the Maildir.

    The keys are the Message-IDs of the mails.
    """
    found: dict[str, float] = {}
    seen: set[str] = set()
    until = time.monotonic() + 60
    while len(found) < len(wanted) and time.monotonic() < until:
        for file in (outbox / "new").iterdir():
            if file.name not in seen:
                seen.add(file.name)
                letter = message_from_bytes(file.read_bytes())
                if (answers := str(letter["In-Reply-To"])) in wanted:
                    found[answers] = file.stat().st_mtime
        time.sleep(0.05)
    return found


def measure_receipts(folder: Path, rate: int = 50, seconds: float = 10) -> dict[str, float]:
    """Return the milliseconds from the connection to the receipt in the Maildir.

    The figures are p50, p99 and the maximum. Each mail is a master's with twenty orders, whose
    password is in the cache.
    """
    home = folder / "answers"
    with judge(home, "serve") as place:
        room = Mailroom(place, home / "outbox", SystemClock())
        for game in range(GAMES):
            master = MASTER.format(game)
            room.send(master, "judge@localhost", "", f"CREATE ?game{game} gmsecret standard\nSTART")
            room.send(master, "judge@localhost", "", f"SIGNON Mgame{game} gmsecret\nSTATUS")
        for game in range(GAMES):
            last = room.next_letter(
                MASTER.format(game), lambda x: "signed" in text_of(x) or "Vienna" in text_of(x), 30
            )
            assert last is not None
        time.sleep(0.5)
        started = asyncio.run(_steadily(place, rate, seconds))
        found = _await_replies(home / "outbox", started)
    waits = sorted(1000 * (found[name] - began) for name, began in started.items() if name in found)
    assert len(waits) == len(started), f"{len(started) - len(waits)} mails had no answer"
    return {
        "p50_ms": waits[len(waits) // 2], "p99_ms": waits[len(waits) * 99 // 100],
        "most_ms": waits[-1],
    }
