"""Cost of attacks by mail to a running judge and to a player in good faith.

Each attack is mailed as fast as the judge accepts it. Behind it come three orders of a player in
the attacked game (mails for one game keep their order), and a PROCESS in another game. Then all
mails are processed, and the letters are counted: those to the attackers, and those to all others.
Each attack has a judge of its own, because limits last an hour.
"""

import sqlite3
import time
from collections import Counter
from collections.abc import Callable, Iterator
from email import message_from_bytes
from email.message import Message
from pathlib import Path
from typing import NamedTuple

from judge.clock import SystemClock
from judge.demo.judge_process import Mailroom
from tests.bench.accepts import server

JUDGE = "judge@localhost"
GM, ANN, BOB, EVE, OLGA = (f"{name}@example.org" for name in ("gm", "ann", "bob", "eve", "olga"))
LINES = 1_900
"""Lines of a mail, as in the attack that was the pattern for this one."""
ORDERS = "SIGNON Jmarco bobsecret\nF Tok - NPa\nA Osa H\nF Sap H"
PATIENCE = 600.0

Mails = Iterator[tuple[str, str]]
"""Senders and texts."""


class Attack(NamedTuple):
    """Name of an attack in the table, and its mails."""

    name: str
    mails: Callable[[float], Mails]


def _many(size: float, most: int) -> range:
    return range(max(round(size * most), 1))


def answers(size: float) -> Mails:
    """Yield mails that cause long replies, to a stranger, a seat and a master."""
    lines = round(size * LINES)
    for sender, first in ((EVE, ""), (ANN, "SIGNON Nmarco annsecret\n")):
        yield sender, first + "HELP SET M\n" * lines
    yield GM, "SIGNON Mmarco gmsecret\n" + "SET DENY PLAYER\n" * lines
    for number in _many(size, 20):
        asked = ["HISTORY", "LIST FULL"] * 40
        yield ANN, "\n".join(["SIGNON Nmarco annsecret", *asked, str(number)])


def letters(size: float) -> Mails:
    """Yield mails that cause letters to one person, strangers, masters and players."""
    lines = _many(size, LINES)
    yield GM, "SIGNON Mmarco gmsecret\n" + "INVITE ivan@victim.example\n" * len(lines)
    yield ANN, "SIGNON Nmarco annsecret\n" + "".join(
        f"SET ADDRESS stranger{n}@victim.example\n" for n in lines
    )
    yield ANN, "SIGNON Nmarco annsecret\n" + "".join(
        f"SET ABSENCE {1 + n % 27} Mar TO {2 + n % 27} Mar\n" for n in lines
    )
    yield GM, "SIGNON Mmarco gmsecret\n" + "".join(f"OFFICIAL {n}\ntext\nENDPRESS\n" for n in lines)


def passwords(size: float) -> Mails:
    """Yield new passwords for no game, and wrong ones for seats.

    Some use the names of the seats' players.
    """
    for number in _many(size, 40):
        yield EVE, "\n".join(f"JOIN nope pw{number}.{n}" for n in range(40))
    for sender in (EVE, ANN):
        for number in _many(size, 30):
            yield sender, "\n".join(f"SIGNON Nmarco guess{number}.{n}" for n in range(40))


def pictures(size: float) -> Mails:
    """Yield mails that request dozens of pictures."""
    for number in _many(size, 40):
        phases = ("", "S1901M", "F1901M", "S1902M")
        lines = "\n".join(f"PREVIEW\nA Del - {('Kas', 'Ben', 'Bom')[number % 3]}\nENDPREVIEW\n"
                          f"MAP {phase}" for phase in phases)
        yield ANN, f"SIGNON Nmarco annsecret\n{lines}"


ATTACKS = (
    Attack("long answers", answers),
    Attack("letters to others", letters),
    Attack("passwords", passwords),
    Attack("pictures", pictures),
)


def attacks(folder: Path, size: float = 1.0) -> dict[str, dict[str, float]]:
    """Return the figures of each attack, at a *size* relative to the full one."""
    return {each.name: _measure_attack(folder / each.name, each, size) for each in ATTACKS}


def _measure_attack(home: Path, attack: Attack, size: float) -> dict[str, float]:
    home.mkdir(parents=True)
    with server(
        "judge", "serve", folder=home, JUDGE_LISTEN_SMTP="127.0.0.1:0",
        JUDGE_STORE_URL=f"sqlite:///{home}/judge.sqlite3",
        JUDGE_DELIVER_TO=f"maildir:{home}/outbox", JUDGE_LOG_LEVEL="error",
    ) as place:
        room = Mailroom(place, home / "outbox", SystemClock())
        _set_up(room, home)
        calm = _wait_of(room, home)
        before = _letters(home)
        began, mails = time.monotonic(), 0
        senders = set()
        for sender, text in attack.mails(size):
            room.send(sender, JUDGE, "", text)
            senders.add(sender)
            mails += 1
        orders, behind = room.send(BOB, JUDGE, "", ORDERS), time.time()
        process = room.send(OLGA, JUDGE, "", "SIGNON Mpolo olgasecret\nPROCESS S1901M")
        other = _until(home, process, OLGA, "receipt", behind)
        results = _until(home, "", OLGA, "results", behind)
        same = _until(home, orders, BOB, "receipt", behind)
        _settle(home)
        took = time.monotonic() - began
    found = {name: letter for name, letter in _letters(home).items() if name not in before}
    waits = {"calm_ms": calm, "other_ms": other, "same_ms": same, "results_ms": results}
    return {"mails": mails, **waits, "seconds": took, **_count_letters(found, senders)}


def _set_up(room: Mailroom, home: Path) -> None:
    """Start two games: the attacked one, and one whose results are waited for."""
    for sender, text in (
        (GM, "CREATE ?marco gmsecret youngstown"),
        (ANN, "JOIN marco annsecret\nSET PREFERENCE N"),
        (BOB, "JOIN marco bobsecret\nSET PREFERENCE J"),
        (GM, "SIGNON Mmarco gmsecret\nSTART"),
        *((GM, f"SIGNON Mmarco gmsecret\nPROCESS {phase}") for phase in ("S1901M", "F1901M")),
        (OLGA, "CREATE ?polo olgasecret standard\nSTART"),
    ):
        room.send(sender, JUDGE, "", text)
    _settle(home)


def _wait_of(room: Mailroom, home: Path) -> float:
    """Mail a player's orders and return the milliseconds to the receipt."""
    began = time.time()
    return _until(home, room.send(BOB, JUDGE, "", ORDERS), BOB, "receipt", began)


def _until(home: Path, answers: str, to: str, kind: str, began: float) -> float:
    """Wait for a letter and return the milliseconds from an instant to it."""
    seen: set[str] = set()
    while time.time() < began + PATIENCE:
        for file in (home / "outbox" / "new").iterdir():
            if file.name in seen:
                continue
            seen.add(file.name)
            letter = message_from_bytes(file.read_bytes())
            if (letter["To"], letter["X-Judge-Kind"]) == (to, kind):
                if str(letter["In-Reply-To"] or "") == answers:
                    return 1000 * max(file.stat().st_mtime - began, 0)
        time.sleep(0.02)
    raise AssertionError(f"no {kind} to {to}")


def _settle(home: Path) -> None:
    """Wait until all mails are processed and sent, except for deferred mails."""
    until = time.monotonic() + PATIENCE
    last, since = (-1, -1), time.monotonic()
    while time.monotonic() < until:
        database = sqlite3.connect(f"file:{home}/judge.sqlite3?mode=ro", uri=True)
        ((new,),) = database.execute("SELECT COUNT(*) FROM mails WHERE state = 'new'")
        ((queued,),) = database.execute("SELECT COUNT(*) FROM outgoing WHERE state = 'queued'")
        database.close()
        if (new, queued) != last:
            last, since = (new, queued), time.monotonic()
        if not queued and (not new or time.monotonic() - since > 3):
            return
        time.sleep(0.1)
    raise AssertionError("it does not come to an end")


def _letters(home: Path) -> dict[str, Message]:
    return {
        file.name: message_from_bytes(file.read_bytes())
        for file in (home / "outbox" / "new").iterdir()
    }


def _count_letters(found: dict[str, Message], senders: set[str]) -> dict[str, float]:
    """Return the number and bytes of the letters to attackers and to others."""
    many: Counter[str] = Counter()
    for letter in found.values():
        length = len(letter.as_bytes())
        whom = "attackers" if letter["To"] in senders else "others"
        many[f"letters_to_{whom}"] += 1
        many[f"octets_to_{whom}"] += length
        many["longest"] = max(many["longest"], length)
    names = ("letters_to_attackers", "octets_to_attackers", "letters_to_others",
             "octets_to_others", "longest")
    return {name: many[name] for name in names}


def format_attacks(found: dict[str, dict[str, float]]) -> list[str]:
    """Return the figures as lines of the table."""
    lines = [
        f"{'attack':22}{'mails':>7}{'letters':>9}{'kB':>9}{'to others':>11}{'kB':>9}"
        f"{'longest kB':>12}{'same ms':>9}{'other ms':>10}{'results ms':>12}"
    ]
    for name, each in found.items():
        lines.append(
            f"  {name:20}{each['mails']:7.0f}{each['letters_to_attackers']:9.0f}"
            f"{each['octets_to_attackers'] / 1000:9,.0f}{each['letters_to_others']:11.0f}"
            f"{each['octets_to_others'] / 1000:9,.0f}{each['longest'] / 1000:12,.0f}"
            f"{each['same_ms']:9,.0f}{each['other_ms']:10,.0f}{each['results_ms']:12,.0f}"
        )
    calm = max(each["calm_ms"] for each in found.values())
    return [
        *lines,
        "  behind it: a receipt in the same game, one in another, its results with their picture",
        f"  without an attack a receipt takes {calm:.0f} ms at most",
    ]
