"""The listener with a slow, full or failing disk: 250 means synced data."""

import smtplib
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from judge.errors import StoreLost
from judge.store.database import Store
from judge.store.key_values import KeyValues
from judge.store.sqlite_files import rescue_copies
from tests.mail.doorway import TEXT, House, judge, read_mails
from tests.store.disk import FULL, OK, SYNC_FAILED, Disk, disk_in_hand


@pytest.fixture
def disk() -> Iterator[Disk]:
    with disk_in_hand() as found:
        yield found


@pytest.fixture
def store(tmp_path: Path, disk: Disk) -> Iterator[Store]:
    store = Store(f"sqlite:///{tmp_path}/judge.sqlite3")
    store.open(create=True)
    # The first commit of a log also syncs its header.
    KeyValues(store).put("name", b"value")
    yield store
    with suppress(StoreLost):
        store.close()


def sending(house: House) -> smtplib.SMTP:
    """Return a client that has sent a letter and not read the reply."""
    client = house.client()
    client.ehlo()
    client.mail("ann@example.org")
    client.rcpt("judge@example.org")
    client.putcmd("data")
    assert client.getreply()[0] == 354
    client.send(TEXT + b".\r\n")
    return client


def test_250_is_not_sent_before_the_disk_has_synced(store: Store, disk: Disk) -> None:
    with judge(store) as house, disk.block_syncs():
        client = sending(house)
        assert disk.asked.wait(120), "the commit asks for a sync"
        assert client.sock is not None
        client.sock.settimeout(0.2)
        with pytest.raises(TimeoutError):
            client.sock.recv(1)
        # Other clients do not wait: the event loop does not block on the disk.
        with house.client() as other:
            assert other.noop()[0] == 250
        before = disk.syncs
        disk.may_sync.set()
        client.sock.settimeout(120)
        assert client.sock.recv(100) == b"250 2.0.0 stored as 1\r\n"
        assert disk.syncs == before + 1
        client.close()


def test_letters_that_waited_for_one_sync_share_the_next(store: Store, disk: Disk) -> None:
    with judge(store) as house:
        with disk.block_syncs():
            clients = [sending(house)]
            assert disk.asked.wait(120)
            clients += [sending(house) for _ in range(20)]
            before = disk.syncs
        assert [client.getreply()[0] for client in clients] == [250] * 21
        # The twenty may arrive at the start of the second commit, and then need two.
        assert disk.syncs - before <= 3
        for client in clients:
            client.close()
    assert len(read_mails(store)) == 21


REFUSED = 451, b"4.3.0 Our fault, the message was not taken; please try again later"


def test_a_full_disk_is_451_until_it_has_room(store: Store, disk: Disk) -> None:
    with judge(store) as house, house.client() as client:
        disk.write_answer = FULL
        for _ in range(2):
            with pytest.raises(smtplib.SMTPDataError) as refused:
                client.sendmail("ann@example.org", ["judge@example.org"], TEXT)
            assert refused.value.args == REFUSED
        disk.write_answer = OK
        client.sendmail("ann@example.org", ["judge@example.org"], TEXT)
    assert store.pragma("integrity_check") == "ok" and len(read_mails(store)) == 1


def test_a_disk_that_fails_is_451_from_then_on(store: Store, disk: Disk, tmp_path: Path) -> None:
    """After a failed sync the content of the disk is unknown."""
    with judge(store) as house, house.client() as client:
        client.sendmail("ann@example.org", ["judge@example.org"], TEXT)
        for answer in (SYNC_FAILED, OK):
            disk.sync_answer = answer
            with pytest.raises(smtplib.SMTPDataError) as refused:
                client.sendmail("ann@example.org", ["judge@example.org"], TEXT)
            assert refused.value.args == REFUSED
    assert rescue_copies(tmp_path / "judge.sqlite3")
