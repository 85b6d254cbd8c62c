"""A session with marked secrets, sought in everything that others could see."""

import logging
import os
import sqlite3
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from judge.config import Config, DeliverSection, StoreSection
from judge.daemon.retention import FULL_MAIL_RETENTION, Retention
from judge.mail.outbound.delivery import write_to_maildir
from judge.store.database import backup
from tests.journeys.rig import Rig
from tests.outbox import newest_out

ANN, EVE, GM = "ann@example.org", "eve@example.org", "gm@example.org"
MARK = "q8x9w"
"""Marker in every secret, and nowhere else."""


@pytest.fixture
def rig(tmp_path: Path) -> Iterator[Rig]:
    """A judge with its database in a file."""
    made = Rig(Config(store=StoreSection(f"sqlite:///{tmp_path}/var/judge.sqlite3")))
    yield made
    made.close()


def play(rig: Rig) -> list[str]:
    """Play a session that uses every kind of secret, correctly and incorrectly."""
    rig.mail(GM, f"CREATE ?marco gm{MARK} youngstown\nCREATE ?marco gm{MARK}2\nSTATUS")
    rig.mail(ANN, f"JOIN marco ann{MARK}\nSET PREFERENCE N")
    rig.mail(EVE, f"JOIN marco eve{MARK} two words\nJOIN nowhere eve{MARK}")
    rig.mail(EVE, f"OBSERVE marco e{MARK}")
    rig.mail(GM, f"SIGNON Mmarco gm{MARK}; START")
    rig.mail(ANN, f"SIGNON Nmarco ann{MARK}\nA Del - Kas\nSET PASSWORD new{MARK}\nSTATUS")
    rig.mail(ANN, f"SIGNON Nmarco wrong{MARK}\nA Del - Kas")
    rig.mail(ANN, f"SINGON Nmarco slip{MARK}\nSIGNON N marco new{MARK}")
    rig.mail(ANN, f"SIGNON Nmarco new{MARK} and more\nSET PASWORD {MARK}\nSET PASSWORD a {MARK}")
    rig.mail(ANN, f"SIGNON Nmarco new{MARK}\nSET P {MARK}3\nBROADCAST\nHello\nENDPRESS\nHISTORY")
    rig.mail(EVE, f"TAKEOVER Gmarco eve{MARK}\nTAKEOVER Gmarco eve{MARK} now\nSET NO TOKEN")
    rig.mail(EVE, f"RESET PASSWORD Gmarco {MARK}\nRESET {MARK}\nRESET PASSWORD Gmarco")
    rig.reply(EVE, f"SET PASSWORD reset{MARK}")
    rig.mail(EVE, f"SIGNON germany@marco reset{MARK}\nSET ADDRESS eve@work.example\nRESIGN")
    rig.reply(EVE, "yes")
    rig.mail(GM, f"SIGNON Mmarco gm{MARK}\nLIST marco FULL\nPROCESS S1901M\nHISTORY marco")
    rig.clock.advance(days=4)
    rig.run()
    rig.mail(GM, f"> SIGNON Mmarco gm{MARK}\nOn Monday Ann wrote:\n-- \nSIGNON Mmarco gm{MARK}")
    rig.mail(EVE, "x" * 2000 + MARK + "\nSIGNON Mmarco " + MARK * 40)
    return [text.decode("utf-8", "replace") for text in sent(rig)]


def sent(rig: Rig) -> list[bytes]:
    """Return every queued message, both raw and decoded."""
    letters = newest_out(rig.application.post, 10_000)
    boxes = [letter for box in rig.boxes.values() for letter in box]
    read = [str(part.get_content()).encode()
            for letter in boxes for part in letter.walk() if part.get_content_maintype() == "text"]
    return [letter.message for letter in letters] + read


def test_no_letter_log_or_database_contains_a_secret(
    rig: Rig, caplog: pytest.LogCaptureFixture, tmp_path: Path
) -> None:
    caplog.set_level(logging.DEBUG)
    texts = play(rig)
    assert len(texts) > 30
    assert not [text for text in texts if MARK in text]
    assert len(caplog.records) > 15
    assert MARK not in caplog.text
    tables = dump(tmp_path / "var/judge.sqlite3")
    raw = tables.pop("mails")
    assert MARK in raw, "mails are kept as they came, for a while"
    assert not [table for table, text in tables.items() if MARK in text]
    rig.clock.advance(days=FULL_MAIL_RETENTION.days, hours=1)
    Retention(rig.application).run_once(rig.clock.now())
    assert MARK not in dump(tmp_path / "var/judge.sqlite3")["mails"]


def test_reply_tokens_occur_only_in_their_headers(
    rig: Rig, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    play(rig)
    letters = [letter for box in rig.boxes.values() for letter in box]
    tokens = {str(letter["Reply-To"]).partition("+")[2].partition("@")[0] for letter in letters}
    tokens -= {""}
    assert len(tokens) > 10
    for letter in letters:
        for name in ("Reply-To", "List-Unsubscribe"):
            del letter[name]
        text = letter.as_bytes().decode("utf-8", "replace")
        assert not [token for token in tokens if token in text]
    assert not [token for token in tokens if token in caplog.text]
    for table, text in dump(rig.application.store.path).items():
        if table not in ("outgoing", "mails"):
            assert not [token for token in tokens if token in text], table


def dump(path: Path | None) -> dict[str, str]:
    """Return the contents of a database as text, by table."""
    assert path is not None
    with sqlite3.connect(path) as copy:
        tables = copy.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
        names = [name for (name,) in tables.fetchall()]
        found = {name: repr(copy.execute(f"SELECT * FROM {name}").fetchall()) for name in names}
    copy.close()
    return found


def test_files_of_the_judge_are_private(tmp_path: Path) -> None:
    """Files have the mode 0600 and folders 0700, with any umask.

    This covers the database, its journal, the backup and the Maildir.
    """
    before = os.umask(0)
    try:
        config = Config(
            store=StoreSection(f"sqlite:///{tmp_path}/var/deep/judge.sqlite3"),
            deliver=DeliverSection(f"maildir:{tmp_path}/var/outbox"),
        )
        rig = Rig(config)
        rig.mail(ANN, "CREATE ?marco gmsecret")
        (out,) = newest_out(rig.application.post, 1)
        folder = config.deliver.maildir
        assert folder is not None
        write_to_maildir(folder, out)
        backup(config.store.url, tmp_path / "var" / "copy.sqlite3")
        found = {path: path.stat().st_mode for path in (tmp_path / "var").rglob("*")}
        rig.close()
    finally:
        os.umask(before)
    names = {path.name for path in found}
    assert {"judge.sqlite3", "judge.sqlite3-wal", "copy.sqlite3", "new", "deep"} <= names
    for path, mode in found.items():
        assert stat.S_IMODE(mode) == (0o700 if stat.S_ISDIR(mode) else 0o600), path
