"""One-shot commands: limits of piped messages, and release of all resources."""

import re
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path

import pytest

from judge.clock import SystemClock
from judge.config import Config, DeliverSection, JudgeSection, PolicySection, StoreSection
from judge.daemon.clock_steps import ClockSteps
from judge.daemon.delivery_loop import DeliveryLoop
from judge.daemon.picture_worker import PictureWorker
from judge.daemon.single_runs import (
    MessageRejected,
    UnknownRecipient,
    deliver_one,
    draw_once,
    resolve_once,
    send_once,
    work_once,
)
from judge.errors import StoreError
from judge.mail.outbound.delivery import read_newest
from judge.store.database import Store
from judge.store.key_values import LAST_CLEANUP, LAST_RUN, KeyValues
from judge.store.mail_queues import Post

MAX_MESSAGE_BYTES = 10_000
HOP = b"Received: by x\n"


@pytest.fixture
def config(tmp_path: Path) -> Config:
    """A judge with a database of its own and a message limit of MOST bytes."""
    made = StoreSection(f"sqlite:///{tmp_path}/judge.sqlite3")
    store = Store(made.url)
    store.open(create=True)
    store.close()
    return Config(store=made, policy=replace(PolicySection(), max_message=MAX_MESSAGE_BYTES))


def take(config: Config, raw: bytes, *to: str, sender: str | None = "ann@example.org") -> int:
    return deliver_one(config, SystemClock(), raw, sender, to)


def test_messages_are_stored_with_number_and_sender(config: Config) -> None:
    postmark = b"From bob@example.org Mon Jan 5 20:00:00 2026\n"
    assert take(config, b"Subject: x\n\na") == 1
    assert take(config, postmark + b"Subject: x\n\nb", sender=None) == 2
    assert take(config, postmark + b"Subject: x\n\nc") == 3
    # A null sender given in the envelope stays null.
    for number, null in ((4, ""), (5, "<>")):
        raw = postmark + b"Subject: x\n\nd"
        assert take(config, raw, "<judge@localhost>", sender=null) == number
    store = Store(config.store.url)
    store.open(create=False)
    kept = [mail for mail in map(Post(store).get, range(1, 6)) if mail is not None]
    store.close()
    assert [mail.sender for mail in kept] == ["ann@example.org", "bob@example.org",
                                              "ann@example.org", "", ""]
    assert [mail.raw for mail in kept] == [b"Subject: x\n\n%c" % each for each in b"abcdd"]
    assert {mail.peer for mail in kept} == {"local pipe stdin"}
    assert {mail.recipients for mail in kept} == {("judge@localhost",)}


@pytest.mark.parametrize(
    "raw, why",
    [
        (b"x" * MAX_MESSAGE_BYTES, ""),
        (b"x" * (MAX_MESSAGE_BYTES + 1), f"larger than {MAX_MESSAGE_BYTES} bytes"),
        (HOP * 100 + b"\n", ""), (HOP * 101 + b"\n", "goes round in circles"),
    ],
)
def test_piped_message_has_limits_of_size_and_hops(config: Config, raw: bytes, why: str) -> None:
    if not why:
        assert take(config, raw)
        return
    with pytest.raises(MessageRejected, match=why):
        take(config, raw)


def test_unknown_recipients_are_named_and_refuse_the_message(config: Config) -> None:
    with pytest.raises(UnknownRecipient, match="here: ann@x, bob@x$"):
        take(config, b"", "ann@x", "judge@localhost", "bob@x")
    assert take(config, b"", "judge+abc@localhost", "postmaster@localhost") == 1


PASSES = {
    work_once: (Store,), resolve_once: (Store,), send_once: (Store, DeliveryLoop, PictureWorker),
    draw_once: (Store, PictureWorker),
}


@pytest.mark.parametrize("once, held", [*PASSES.items()])
def test_a_pass_closes_all_that_it_opened(
    config: Config, tmp_path: Path, once: Callable[[Config, SystemClock], int],
    held: tuple[type, ...],
) -> None:
    """Otherwise a process that makes many passes would leak resources."""
    closed: Counter[type] = Counter()
    with pytest.MonkeyPatch.context() as patch:
        for kind in (Store, DeliveryLoop, PictureWorker):
            def close(one: object, kind: type = kind, close: Callable[..., None] = kind.close
                      ) -> None:
                closed[kind] += 1
                close(one)

            patch.setattr(kind, "close", close)
        deliver = replace(DeliverSection(), to=f"maildir:{tmp_path}/out")
        assert once(replace(config, deliver=deliver), SystemClock()) == 0
    assert closed == Counter(held)


@pytest.mark.parametrize(
    "once", [work_once, resolve_once, send_once], ids=lambda once: once.__name__
)
def test_a_pass_that_fails_leaves_the_database_too(
    config: Config, once: Callable[[Config, SystemClock], int]
) -> None:
    closed: list[Store] = []
    close = Store.close

    def fails(part: object) -> None:
        raise ZeroDivisionError

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Store, "close", lambda store: (closed.append(store), close(store)))
        patch.setattr(ClockSteps, "check_clock", fails)
        patch.setattr(DeliveryLoop, "drain", fails)
        with pytest.raises(ZeroDivisionError):
            once(config, SystemClock())
    assert len(closed) == 1


def test_pass_counts_mails_and_records_clock_and_cleanup(config: Config) -> None:
    for _ in range(2):
        take(config, b"Subject: x\n\nLIST")
    assert resolve_once(config, SystemClock(), feigned=True) == 0
    assert check_key_values(config) == (True, False, False)
    assert work_once(config, SystemClock()) == 2 and work_once(config, SystemClock()) == 0
    assert check_key_values(config) == (True, False, True)
    assert resolve_once(config, SystemClock()) == 0
    assert check_key_values(config) == (True, True, True)


def test_pass_of_work_alone_records_the_clock_too(config: Config) -> None:
    take(config, b"Subject: x\n\nLIST")
    with closing(Store(config.store.url)) as store:
        store.update_sql("DELETE FROM memory", ())
    assert check_key_values(config) == (False, False, False)
    assert work_once(config, SystemClock()) == 1
    assert check_key_values(config) == (True, False, True)


def check_key_values(config: Config) -> tuple[bool, ...]:
    """Return whether the clock, a resolver run and a cleanup were recorded."""
    store = Store(config.store.url)
    store.open(create=False)
    values = KeyValues(store)
    found = values.last_reading(), values.instant(LAST_RUN), values.instant(LAST_CLEANUP)
    store.close()
    return tuple(each is not None for each in found)


@pytest.mark.parametrize("once", PASSES, ids=lambda once: once.__name__)
def test_a_pass_makes_no_database(
    tmp_path: Path, once: Callable[[Config, SystemClock], int]
) -> None:
    missing = Config(store=StoreSection(f"sqlite:///{tmp_path}/none.sqlite3"))
    with pytest.raises(StoreError):
        once(missing, SystemClock())


def test_a_judge_with_a_plus_in_its_address_is_answered(config: Config, tmp_path: Path) -> None:
    """Its mail may be piped in without an envelope, from a sub-address of a mailbox."""
    config = replace(
        config,
        judge=JudgeSection("me+judge@gmail.com", keeper="me@gmail.com"),
        deliver=DeliverSection(f"maildir:{tmp_path}/out"),
    )

    def answer(to: str, text: str) -> EmailMessage:
        head = f"From: ann@example.org\nTo: {to}\nMessage-ID: <{len(text)}@x>\n\n"
        take(config, (head + text).encode(), sender=None)
        assert work_once(config, SystemClock()) == 1
        send_once(config, SystemClock())
        return message_from_bytes(
            read_newest(tmp_path / "out", "ann@example.org", 1)[0], policy=policy.default
        )  # type: ignore[return-value]

    letter = answer("me+judge@gmail.com", "CREATE ?marco secret standard\n")
    reply_to = letter["Reply-To"].addresses[0].addr_spec
    assert re.fullmatch(r"me\+judge\+[a-z0-9]{37}@gmail\.com", reply_to)
    assert "on file" in str(answer(reply_to, "SET COMMENT on file\n"))
    with pytest.raises(UnknownRecipient):
        take(config, b"", "me+other@gmail.com")
    with pytest.raises(UnknownRecipient):
        take(config, b"", "you@gmail.com")
    assert take(config, b"Return-Path: <>\nFrom: ann@example.org\n\nLIST\n", sender=None)
    assert work_once(config, SystemClock()) == 1 and send_once(config, SystemClock()) == 0
