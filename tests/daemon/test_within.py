"""`judge serve` within this process: work, end and failures of its parts."""

import os
import signal
import smtplib
import threading
import time
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest

from judge.clock import SystemClock
from judge.config import ClockSection, Config, DeliverSection, ListenSection, StoreSection
from judge.daemon import service
from judge.daemon.application import Application, open_application, use_application
from judge.daemon.retention import Retention
from judge.daemon.service import Service, format_banner
from judge.errors import JudgeError, StoreError
from judge.model.record import MailState
from judge.store.key_values import HEARTBEAT
from tests.outbox import counts

ANN = "ann@example.org"
LONG = 240.0
"""Seconds after which a part counts as hanging.

It is also a tick too long to wake a part in time.
"""


@pytest.fixture
def config(tmp_path: Path) -> Config:
    """A judge in a folder, on any free port."""
    return Config(
        store=StoreSection(f"sqlite:///{tmp_path}/judge.sqlite3"),
        listen=ListenSection(smtp="127.0.0.1:0"),
        deliver=DeliverSection(f"maildir:{tmp_path}/out"),
        clock=ClockSection(tick=timedelta(seconds=LONG)),
    )


class Serving:
    """Service that runs until given work is done.

    The service runs in the main thread, which receives the signals.
    """

    def __init__(self, config: Config) -> None:
        self.config = config
        self.said: list[str] = []
        self._ready = threading.Event()
        self.fault: BaseException | None = None
        self.service = Service(config, SystemClock(), self._say)

    def _say(self, words: str) -> None:
        self.said.append(words)
        self._ready.set()

    def until(
        self, work: Callable[["Serving"], None], end: int = signal.SIGTERM, word: str = "serve",
    ) -> None:
        """Run the service while a thread works and then ends it by a signal."""
        def meanwhile() -> None:
            try:
                assert self._ready.wait(LONG)
                work(self)
            except BaseException as fault:
                self.fault = fault
            finally:
                os.kill(os.getpid(), end)

        before = set(threading.enumerate())
        thread = threading.Thread(target=meanwhile)
        thread.start()
        self.service.run(word)
        thread.join(LONG)
        if self.fault is not None:
            raise self.fault
        left = [one for one in threading.enumerate() if one not in before]
        for one in left:
            one.join(LONG)
        assert not any(one.is_alive() for one in left), left

    def mail(self, text: str) -> None:
        """Send a mail to the listener."""
        place = self.said[0].partition(" takes mail at ")[2].partition(";")[0]
        host, _, port = place.rpartition(":")
        with smtplib.SMTP(host, int(port), timeout=LONG) as door:
            door.sendmail(ANN, self.config.judge.address, f"From: {ANN}\r\n\r\n{text}\r\n")

    def wait_for_letters(self, many: int) -> None:
        """Wait until *many* letters were sent."""
        folder = self.config.deliver.maildir
        assert folder is not None
        end = time.monotonic() + LONG
        while not (folder / "new").exists() or len([*(folder / "new").iterdir()]) < many:
            assert time.monotonic() < end
            time.sleep(0.02)

    def wait_until_noted(self) -> None:
        """Wait until all letters are marked as sent."""
        application, end = open_judge(self.config), time.monotonic() + LONG
        while counts(application.post).queued:
            assert time.monotonic() < end
            time.sleep(0.02)
        application.store.close()


def open_judge(config: Config) -> Application:
    return open_application(config, SystemClock(), create=True)


@pytest.mark.slow
@pytest.mark.parametrize("end", [signal.SIGTERM, signal.SIGINT])
def test_mails_are_answered_at_once_until_a_signal_comes(config: Config, end: int) -> None:
    """Every part wakes the next one, although a tick is minutes long."""
    def two(serving: Serving) -> None:
        serving.mail("HELP")
        serving.wait_for_letters(1)
        serving.mail("LIST")
        serving.wait_for_letters(2)
        serving.wait_until_noted()

    handler = signal.getsignal(end)
    Serving(config).until(two, end)
    assert signal.getsignal(end) is handler
    application = open_judge(config)
    assert application.key_values.instant(HEARTBEAT) is not None
    application.store.close()


def test_listener_alone_accepts_mail_and_processes_none(config: Config) -> None:
    Serving(config).until(lambda serving: serving.mail("HELP"), word="listen")
    application = open_judge(config)
    mail = application.post.get(1)
    assert mail is not None and mail.state is MailState.NEW
    assert application.key_values.instant(HEARTBEAT) is not None
    application.store.close()


def test_a_part_that_fails_for_good_stops_the_judge(
    config: Config, monkeypatch: pytest.MonkeyPatch
) -> None:
    def step(self: Retention, now: datetime) -> None:
        raise ZeroDivisionError("tidied too much")

    monkeypatch.setattr(Retention, "run_once", step)
    with pytest.raises(JudgeError, match="a thread failed.*tidied too much"):
        Service(config, SystemClock(), lambda words: None).run()


def test_database_failure_at_the_start_stops_the_judge(
    config: Config, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service, "use_application", Mock(side_effect=StoreError("no room")))
    with pytest.raises(JudgeError, match="a thread failed.*no room"):
        Service(config, SystemClock(), lambda words: None).run()


def test_new_judge_needs_no_database_and_an_old_one_needs_it(config: Config) -> None:
    file = config.store.file
    assert file is not None
    Serving(config).until(lambda serving: None)
    with pytest.raises(StoreError, match="goes on with it"):
        Service(config, SystemClock(), lambda words: None).run(new=True)
    for one in file.parent.glob(f"{file.name}*"):
        if not one.name.endswith(".lock"):
            one.unlink()
    with pytest.raises(StoreError, match="judge.sqlite3"):
        Service(config, SystemClock(), lambda words: None).run()


def test_trouble_with_the_database_is_survived(
    config: Config, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """The desk, the sender and the picture worker each retry."""
    monkeypatch.setattr(service, "RETRY_SECONDS", 0.01)
    left = {"desk": 1, "sender": 1, "painter": 1}

    def failing(who: str, real: Callable[..., object]) -> Callable[..., object]:
        def step(*given: object) -> object:
            if left[who]:
                left[who] -= 1
                raise StoreError(f"trouble at the {who}")
            return real(*given)

        return step

    loops: tuple[tuple[str, Any, str], ...] = (
        ("desk", service.Worker, "work_one"), ("sender", service.DeliveryLoop, "run_once"),
        ("painter", service.PictureWorker, "draw_one"),
    )
    for who, owner, method in loops:
        monkeypatch.setattr(owner, method, failing(who, getattr(owner, method)))

    def one(serving: Serving) -> None:
        serving.mail("HELP")
        serving.wait_for_letters(1)
        end = time.monotonic() + LONG
        while any(left.values()):
            assert time.monotonic() < end
            serving.mail("LIST")
            time.sleep(0.02)

    Serving(config).until(one)
    for who in left:
        assert f"trouble at the {who}" in caplog.text


def test_a_part_makes_no_database_of_its_own(config: Config) -> None:
    with pytest.raises(StoreError), use_application(config, SystemClock()):
        pass
    assert config.store.file is not None and not config.store.file.exists()


def test_a_newcomer_reads_how_to_send_a_first_mail(config: Config) -> None:
    told = format_banner(config, ["127.0.0.1:2525"])
    assert told.startswith("judge@localhost takes mail at 127.0.0.1:2525; Ctrl-C stops it.\n\n")
    begun = "    CREATE ?marco mysecret standard\n    START WITH BOTS\n"
    assert begun in told and str(config.deliver.maildir) in told
    elsewhere = format_banner(Config(deliver=DeliverSection("smtp://mx")), ["a", "b"])
    assert elsewhere == "judge@localhost takes mail at a and b; Ctrl-C stops it."
