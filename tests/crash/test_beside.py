"""Other processes on the same database, backups under load, and shutdown."""

import random
import shutil
import time
from collections import Counter
from email import message_from_bytes
from pathlib import Path

import pytest

from tests.crash.ordeal import PATIENCE, Ordeal
from tests.crash.reckoning import check
from tests.judges import Judge
from tests.mail.sink import Sink


def finish_command(process: Judge) -> str:
    """Wait for a command, check that it succeeded and return its output."""
    out, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0, err
    assert "Traceback" not in err
    return out


@pytest.mark.slow
def test_single_commands_next_to_a_judge_do_nothing_twice(
    ordeal: Ordeal,
) -> None:
    ordeal.pull_deadline()
    ordeal.start_players()
    ordeal.start()
    for one in [ordeal.beside(word) for word in ("work", "send", "resolve", "work")]:
        finish_command(one)
    ordeal.wait_for_mails(max(0, 11 - len(ordeal.acknowledged)))
    ordeal.finish_alive()
    counted = check(ordeal)
    assert counted["lives"] == 1 and counted["turns"] == 1 and counted["acknowledged"] > 10
    log = (ordeal.folder / "log").read_text()
    assert "failed" not in log and "locked" not in log


@pytest.mark.slow
def test_single_commands_do_all_work_without_serve(ordeal: Ordeal) -> None:
    """Cron may start a command while another one still runs."""
    ordeal.pace = 0.25
    ordeal.start_players()
    process = ordeal.process = ordeal.beside("listen")
    ordeal.look_for_place(process)
    for one in [ordeal.beside(word) for word in ("work", "work", "send", "send", "resolve")]:
        finish_command(one)
    ordeal.wait_for_mails(max(0, 8 - len(ordeal.acknowledged)))
    ordeal.stop_players()
    for word in ("work", "send"):
        finish_command(ordeal.beside(word))
    process.terminate()
    finish_command(process)
    assert check(ordeal)["acknowledged"] > 7


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2))
def test_forty_kills_of_single_commands_lose_and_double_nothing(ordeal: Ordeal, seed: int) -> None:
    """The listener is killed too, and commands may overlap."""
    moments, running = random.Random(seed), list[Judge]()
    ordeal.pace = 0.25
    ordeal.start_players()
    listener = ordeal.process = ordeal.beside("listen")
    ordeal.look_for_place(listener)
    for number in range(40):
        ordeal.pull_deadline()
        running.append(ordeal.beside(moments.choice(("work", "work", "resolve", "send"))))
        time.sleep(moments.uniform(0.1, 1.2))
        killed = [running.pop(0 if len(running) > 2 else -1)]
        if number % 10 == 9:
            ordeal.place = None
            killed.append(listener)
            listener = ordeal.process = ordeal.beside("listen")
        for process in killed:
            process.kill()
            process.communicate(timeout=PATIENCE)
        if ordeal.place is None:
            ordeal.look_for_place(listener)
    for process in running:
        process.communicate(timeout=PATIENCE)
    ordeal.stop_players()
    until = time.monotonic() + PATIENCE
    while ordeal.waiting():
        assert time.monotonic() < until
        for word in ("work", "resolve", "send"):
            finish_command(ordeal.beside(word))
    listener.terminate()
    finish_command(listener)
    counted = check(ordeal)
    assert counted["acknowledged"] > 40 and counted["turns"] > 0


@pytest.mark.sqlite
@pytest.mark.slow
def test_a_backup_under_load_restores_to_a_judge_that_runs_on(
    ordeal: Ordeal, tmp_path: Path
) -> None:
    ordeal.pull_deadline()
    ordeal.start_players()
    ordeal.start()
    ordeal.wait_for_mails(10)
    copy = tmp_path / "copy.sqlite3"
    assert "copied" in finish_command(ordeal.beside("backup", str(copy)))
    assert copy.stat().st_mode & 0o077 == 0
    ordeal.wait_for_mails(5)
    ordeal.stop_players()
    ordeal.kill()
    # The machine is lost, with all that was sent since, and only the copy is left.
    for lost in (tmp_path / "outbox", *tmp_path.glob("judge.sqlite3*")):
        shutil.rmtree(lost) if lost.is_dir() else lost.unlink()
    shutil.copy(copy, tmp_path / "judge.sqlite3")
    mails = [str(raw) for (raw,) in ordeal.sql("SELECT raw FROM mails")]
    known = {mark for mark in ordeal.acknowledged if any(f"<{mark}@" in raw for raw in mails)}
    assert known
    ordeal.acknowledged = known
    sent = ordeal.sql("SELECT message_id FROM outgoing WHERE state = 'sent'")
    # If the judge kept up with its players, the copy has no open work, hence one more mail.
    ordeal.start()
    ordeal.write(0)
    ordeal.finish_alive()
    check(ordeal, but=frozenset(str(message_id) for (message_id,) in sent))


@pytest.mark.slow
def test_shutdown_under_load_loses_and_doubles_nothing(
    ordeal: Ordeal,
) -> None:
    with Sink() as sink:
        ordeal.deliver_to = f"smtp://127.0.0.1:{sink.port}"
        ordeal.start_players()
        for _ in range(2):
            ordeal.start()
            ordeal.wait_for_mails(15)
            assert ordeal.process is not None
            ordeal.process.terminate()
            assert ordeal.wait_for_end() == 0
        ordeal.finish()
        check(ordeal)
        ids = Counter(message_from_bytes(one.message)["Message-ID"] for one in sink.taken)
    assert set(ids.values()) == {1}
    assert len(ids) == int(str(ordeal.sql("SELECT COUNT(*) FROM outgoing")[0][0]))


@pytest.mark.slow
def test_letter_sent_but_not_marked_is_sent_again_unchanged(ordeal: Ordeal) -> None:
    """At worst a recipient gets one Message-ID twice, but no letter is lost."""
    with Sink() as sink:
        ordeal.deliver_to = f"smtp://127.0.0.1:{sink.port}"
        ordeal.start_players()
        ordeal.start("sent:7")
        ordeal.wait_for_end()
        ordeal.finish()
        check(ordeal)
        letters: dict[str, set[bytes]] = {}
        many: Counter[str] = Counter()
        for one in sink.taken:
            message_id = str(message_from_bytes(one.message)["Message-ID"])
            letters.setdefault(message_id, set()).add(one.message)
            many[message_id] += 1
    assert len(letters) == int(str(ordeal.sql("SELECT COUNT(*) FROM outgoing")[0][0]))
    assert all(len(octets) == 1 for octets in letters.values())
    twice = [message_id for message_id, times in many.items() if times > 1]
    assert 1 <= len(twice) <= 4 and max(many.values()) == 2


@pytest.mark.sqlite
@pytest.mark.parametrize("word", ["serve", "listen"])
@pytest.mark.slow
def test_only_one_judge_takes_mail_for_a_database(ordeal: Ordeal, word: str) -> None:
    ordeal.start()
    ordeal.wait_until_up()
    second = ordeal.beside(word)
    _, err = second.communicate(timeout=PATIENCE)
    assert second.returncode == 1 and "already runs" in err
