"""The queues of mails and letters."""

from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from typing import Any, cast
from unittest.mock import Mock

import pytest

from judge.errors import StoreError, StoreTrouble
from judge.model.incoming import Arrival
from judge.model.record import DeliveryState, MailState, Outgoing
from judge.store.database import Store
from judge.store.key_values import HEARTBEAT, KEY_LIFE, SECRET, KeyValues
from judge.store.mail_queues import NEW_LETTERS, NEW_MAILS, Post, digest
from judge.store.queue_report import Queues
from judge.store.sqlite import Sqlite
from tests.outbox import Counts, counts, due_out, last_out, newest_out, next_new, next_out

NOW = datetime(2026, 1, 5, 20, 0, tzinfo=UTC)
MINUTE = timedelta(minutes=1)
Plans = Callable[[Callable[[], object]], list[str]]
LETTER = (
    b"Received: from a by b\r\nFrom: Ann <ann@example.org>\r\nTo: judge@example.org\r\n"
    b"Subject: orders\r\nMessage-ID: <1@example.org>\r\n\r\nA Del - Kas\r\n"
)


def arrival(raw: bytes = LETTER) -> Arrival:
    return Arrival(raw, "ann@example.org", ("judge@example.org", "judge+x@example.org"), "::1")


def outgoing(**values: object) -> Outgoing:
    defaults: dict[str, object] = {
        "id": 0, "to": "ann@example.org", "sender": "", "message_id": "<2@judge>",
        "message": b"Subject: x\r\n\r\ny\r\n", "queued": NOW, "due": NOW, "game": "marco",
        "kind": "receipt", "answers": 1,
    }
    return Outgoing(**(defaults | values))  # type: ignore[arg-type]


def test_raw_mail_is_stored_unchanged(store: Store) -> None:
    post = Post(store)
    raw = bytes(range(256)) * 3
    [number] = post.accept([arrival(raw)], NOW)
    mail = next_new(post)
    assert mail is not None and mail == post.get(number)
    assert (mail.id, mail.raw, mail.accepted) == (number, raw, NOW)
    assert isinstance(mail.raw, bytes)
    assert mail.recipients == ("judge@example.org", "judge+x@example.org")
    assert post.get(99) is None


def test_mails_are_processed_in_order_of_acceptance(store: Store) -> None:
    post = Post(store)
    numbers = post.accept([arrival(b"1"), arrival(b"2")], NOW)
    # A clock that was set back changes nothing.
    numbers += post.accept([arrival(b"3")], NOW - MINUTE)
    worked = []
    while (mail := next_new(post)) is not None:
        worked.append(mail.id)
        post.finish(mail.id, MailState.DONE, "", NOW)
    assert worked == numbers == sorted(numbers)


def test_finished_mail_has_its_state_and_note(store: Store) -> None:
    post = Post(store)
    [number] = post.accept([arrival()], NOW)
    post.finish(number, MailState.SHUNTED, "KeyError", NOW)
    mail = post.get(number)
    assert mail is not None
    assert (mail.state, mail.note) == (MailState.SHUNTED, "KeyError")
    with pytest.raises(StoreError):
        post.finish(99, MailState.DONE, "", NOW)


def test_deadline_waits_for_mails_accepted_before_it(store: Store) -> None:
    post = Post(store)
    [number] = post.accept([arrival()], NOW)
    assert not post.new_before(NOW - MINUTE)
    assert post.new_before(NOW)
    assert post.new_before(NOW + MINUTE)
    post.finish(number, MailState.DONE, "", NOW)
    assert not post.new_before(NOW + MINUTE)


def test_all_are_stored_or_none(store: Store) -> None:
    post = Post(store)
    bad = Arrival(b"", "\udc80", ())
    with pytest.raises(UnicodeEncodeError):
        post.accept([arrival(), bad], NOW)
    assert next_new(post) is None


def test_many_letters_get_their_numbers(store: Store) -> None:
    post = Post(store)
    numbers = post.accept([arrival(b"%d" % n) for n in range(1201)], NOW)
    for n in (0, 499, 500, 999, 1000, 1200):
        mail = post.get(numbers[n])
        assert mail is not None and mail.raw == b"%d" % n
    assert post.accept([], NOW) == []


REPEATS = [
    ("the same octets", LETTER, True),
    ("another trace", LETTER.replace(b"by b", b"by c\r\n\tfor <judge>"), True),
    ("a header more", b"X-Seen: yes\r\n" + LETTER, True),
    ("line ends of another system", LETTER.replace(b"\r\n", b"\n"), True),
    ("a header folded", LETTER.replace(b"Ann <", b"Ann\r\n <"), True),
    ("an empty line at the end", LETTER + b"\r\n", True),
    ("another text", LETTER.replace(b"Kas", b"Nep"), False),
    ("another subject", LETTER.replace(b"orders", b"order"), False),
    ("another sender", LETTER.replace(b"ann@", b"bob@"), False),
    ("another recipient", LETTER.replace(b"judge@", b"jury@"), False),
    ("another Message-ID", LETTER.replace(b"<1@", b"<2@"), False),
]


@pytest.mark.parametrize("raw, same", [case[1:] for case in REPEATS],
                         ids=[case[0] for case in REPEATS])
def test_repeat_is_the_same_letter_by_another_route(store: Store, raw: bytes, same: bool) -> None:
    post = Post(store)
    first, second = (post.get(n) for n in post.accept([arrival(), arrival(raw)], NOW))
    assert first is not None and second is not None
    assert not post.is_repeat(first)
    assert post.is_repeat(second) is same


def test_without_message_id_nothing_is_a_repeat(store: Store) -> None:
    post = Post(store)
    raw = LETTER.replace(b"Message-ID: <1@example.org>\r\n", b"")
    for number in post.accept([arrival(raw), arrival(raw)], NOW):
        mail = post.get(number)
        assert mail is not None
        assert mail.digest == "" and not post.is_repeat(mail)


def test_a_message_id_in_the_text_is_none() -> None:
    assert digest(b"From: ann@example.org\r\n\r\nMessage-ID: <1@x>\r\n") == ""


def test_the_queues_are_read_by_index(store: Store, plans: Plans) -> None:
    """Old rows must not slow down the queries for new ones."""
    post = Post(store)
    [number] = post.accept([arrival()], NOW)
    mail = post.get(number)
    assert mail is not None
    looks: list[tuple[Callable[[], object], str]] = [
        (lambda: post.is_repeat(mail), "mails_digest"),
        (lambda: post.waiting(50), "mails_state"),
        (lambda: post.new_before(NOW), "mails_accepted"),
        (lambda: due_out(post, NOW, 10), "outgoing_due"),
        (lambda: next_out(post), "outgoing_due"),
    ]
    for look, index in looks:
        [plan] = plans(look)
        assert plan.startswith("SEARCH") and index in plan


def test_a_queued_letter_is_due_until_it_is_sent(store: Store) -> None:
    post = Post(store)
    later = post.queue(outgoing(due=NOW + MINUTE))
    first = post.queue(outgoing(due=NOW - MINUTE))
    assert first == outgoing(id=first.id, due=NOW - MINUTE)
    assert due_out(post, NOW, 10) == [first]
    assert due_out(post, NOW + MINUTE, 10) == [first, later]
    assert due_out(post, NOW + MINUTE, 1) == [first]
    assert next_out(post) == first.due
    post.mark_sent(first.id, NOW)
    assert due_out(post, NOW + MINUTE, 10) == [later]
    assert next_out(post) == later.due
    post.mark_sent(later.id, NOW)
    assert next_out(post) is None


def test_deferred_letter_is_retried_and_counted(store: Store) -> None:
    post = Post(store)
    letter = post.queue(outgoing())
    post.schedule_retry(letter.id, NOW + MINUTE, "451 later")
    assert due_out(post, NOW, 10) == []
    [again] = due_out(post, NOW + MINUTE, 10)
    assert (again.tries, again.error, again.message_id) == (1, "451 later", letter.message_id)
    post.mark_failed(letter.id, "550 no", NOW)
    [given_up] = newest_out(post, 1)
    assert (given_up.tries, given_up.state, given_up.error) == (2, DeliveryState.FAILED, "550 no")
    assert due_out(post, NOW + MINUTE, 10) == []
    with pytest.raises(StoreError):
        post.mark_sent(99, NOW)


def test_a_claimed_letter_is_left_alone_by_other_senders(store: Store) -> None:
    post = Post(store)
    letter = post.queue(outgoing())
    assert post.claim_out(NOW, 10, NOW + 15 * MINUTE) == [letter]
    assert post.claim_out(NOW, 10, NOW + 15 * MINUTE) == []
    again = post.claim_out(NOW + 15 * MINUTE, 10, NOW + 16 * MINUTE)
    assert [one.id for one in again] == [letter.id]


def test_letters_to_busy_addresses_and_domains_are_not_claimed(store: Store) -> None:
    post = Post(store)
    for name in ("ann@x.org", "bob@x.org", "carl@y.org", "dora@z.org", "eve@zz.org",
                 "joann@x.org", "fay@a-b.org", "gus@A_B.org"):
        post.queue(outgoing(to=name))
    busy = ("@y.org", "ann@x.org", "@z.org", "@a_b.org")
    claimed = post.claim_out(NOW, 10, NOW + MINUTE, busy=busy)
    assert [one.to for one in claimed] == [
        "bob@x.org", "eve@zz.org", "joann@x.org", "fay@a-b.org",
    ]


def test_letter_is_claimed_by_one_of_two_senders(
    file_store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A claim locks the database for writing before it selects letters."""
    # The lock of writers is of one process, and the other sender is in another.
    assert isinstance(file_store.engine, Sqlite) and file_store.engine.files is not None
    monkeypatch.setattr(file_store.engine.files, "writing", Mock())
    other = Store(f"sqlite:///{file_store.path}")
    other.open(create=False)
    other.patience = 0
    until = NOW + 2 * MINUTE
    for n in range(20):
        Post(file_store).queue(outgoing(to=f"a{n}@x{n}.org"))
    claimed: list[int] = []

    def claim_too(statement: str) -> None:
        """Claim in another process before each statement of the first one."""
        with suppress(StoreTrouble):
            claimed.extend(one.id for one in Post(other).claim_out(NOW, 1, until))

    connection: Any = cast(Any, file_store.database).connection()
    connection.set_trace_callback(claim_too)
    claimed.extend(one.id for one in Post(file_store).claim_out(NOW, 10, until))
    connection.set_trace_callback(None)
    other.close()
    assert len(claimed) == len(set(claimed)) > 10, "the other got some as well, before or after"


def test_the_newest_letters_come_first_and_by_address(store: Store) -> None:
    post = Post(store)
    ann = post.queue(outgoing())
    bob = post.queue(outgoing(to="Bob@example.org"))
    assert newest_out(post, 10) == [bob, ann]
    assert newest_out(post, 1) == [bob]
    assert newest_out(post, 10, "bob@Example.ORG") == [bob]


def test_operators_see_how_full_the_queues_are(store: Store) -> None:
    post = Post(store)
    numbers = post.accept([arrival()] * 5, NOW)
    for number, state in zip(numbers, [MailState.DONE, MailState.IGNORED, MailState.SHUNTED]):
        post.finish(number, state, "", NOW)
    for _ in range(3):
        post.queue(outgoing())
    post.mark_sent(1, NOW)
    post.mark_failed(2, "550", NOW)
    assert counts(post) == Counts(new=2, done=1, ignored=1, shunted=1, queued=1, sent=1, failed=1)


def test_the_first_key_is_drawn_once(store: Store) -> None:
    (key,) = KeyValues(store).keys(NOW)
    assert len(key) == 32
    assert KeyValues(store).keys(NOW + MINUTE) == [key]


def test_key_is_rotated_and_kept_while_it_is_needed(store: Store) -> None:
    key_values, later = KeyValues(store), NOW + KEY_LIFE
    (first,) = key_values.keys(NOW)
    assert not key_values.rotate(later - MINUTE, needed=NOW)
    assert key_values.rotate(later, needed=NOW)
    second, old = key_values.keys(later)
    assert old == first != second
    assert not key_values.rotate(later + MINUTE, needed=later)
    assert key_values.rotate(later + 2 * MINUTE, needed=later + MINUTE)
    assert key_values.keys(later) == [second]


def test_key_without_a_date_is_the_oldest(store: Store) -> None:
    key_values = KeyValues(store)
    key_values.put(SECRET, b"k" * 32)
    assert key_values.keys(NOW) == [b"k" * 32]
    assert key_values.rotate(NOW, needed=NOW)
    assert key_values.keys(NOW)[1:] == [b"k" * 32]


def test_heartbeat_is_stored(store: Store) -> None:
    key_values = KeyValues(store)
    assert key_values.instant(HEARTBEAT) is None
    key_values.put_instant(HEARTBEAT, NOW)
    key_values.put_instant(HEARTBEAT, NOW + MINUTE)
    assert key_values.instant(HEARTBEAT) == NOW + MINUTE


def test_a_value_replaces_the_earlier_one(store: Store) -> None:
    key_values = KeyValues(store)
    key_values.put("a", b"\x001")
    key_values.put("a", b"\x002")
    assert key_values.get("a") == b"\x002"


@pytest.mark.parametrize(("to", "many"), [
    (["ann@x.org"] * 7, 5), ([f"a{n}@x.org" for n in range(25)], 20),
    (["ann@x.org", "ANN@x.org", "bob@x.org"] * 4, 9), ([f"a@x{n}.org" for n in range(25)], 25),
    (["ann@x.org"] * 499 + ["bob@y.org"], 6), (["ann@x.org"] * 500 + ["bob@y.org"], 5),
])
def test_number_of_claimed_letters_is_limited(store: Store, to: list[str], many: int) -> None:
    """The limits are per address, per domain, and of the letters looked at."""
    post = Post(store)
    with store.transaction():
        post.queue_all([outgoing(to=one) for one in to])
    assert len(post.claim_out(NOW, 99, NOW + MINUTE)) == many
    assert not post.claim_out(NOW, 0, NOW + MINUTE)


def test_several_keys_that_no_game_needs_are_dropped_at_once(store: Store) -> None:
    memory = KeyValues(store)
    memory.keys(NOW)
    for times in (1, 2):
        assert memory.rotate(NOW + times * KEY_LIFE, needed=NOW)
    (newest, _, _) = memory.keys(NOW)
    assert memory.rotate(NOW + 2 * KEY_LIFE + MINUTE, needed=NOW + 2 * KEY_LIFE + MINUTE)
    assert memory.keys(NOW) == [newest]


def test_key_deleted_by_another_process_is_skipped(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory = KeyValues(store)
    (key,) = memory.keys(NOW)
    names = memory._key_names()
    monkeypatch.setattr(memory, "_key_names", lambda: [*names, f"{SECRET} 5"])
    assert memory.keys(NOW) == [key]


def test_mail_is_shunted_whole_or_as_a_part(store: Store) -> None:
    post = Post(store)
    post.accept([arrival()], NOW)
    mail = post.get(1)
    assert mail is not None
    assert post.shunt(mail, "5-9", "a fault", NOW) == 2
    assert [one.id for one in post.list_shunted()] == [2], "the mail itself is worked"
    part = post.get(2)
    assert part is not None and (part.part, part.note, part.digest) == ("5-9", "a fault", "")
    assert not post.is_repeat(part)
    assert post.shunt(part, "5-9", "another", NOW) == 2
    assert post.shunt(mail, "", "a third", NOW) == 1
    assert [one.note for one in post.list_shunted()] == ["a third", "another"]
    assert post.unshunt(2, MailState.NEW, "", None) and not post.unshunt(2, MailState.NEW, "", None)
    assert not post.unshunt(99, MailState.NEW, "", None)
    assert [one.id for one in post.list_shunted()] == [1]


def test_queued_letters_are_collected_per_block(store: Store) -> None:
    post = Post(store)
    first = post.queue(outgoing())
    with post.collect_ids() as noted:
        numbers = post.queue_all([outgoing(), outgoing()])
        with post.collect_ids() as inner:
            inmost = post.queue(outgoing())
        last = post.queue(outgoing())
    post.queue(outgoing())
    assert noted == [*numbers, last.id] and inner == [inmost.id] and first.id not in noted


def test_claim_without_an_owner_can_be_released(store: Store) -> None:
    post, queues = Post(store), Queues(store)
    for _ in range(2):
        post.queue(outgoing())
    post.claim_out(NOW, 9, NOW + MINUTE)
    assert queues.owners() == []
    post.renew_claims([1, 2], NOW + MINUTE, 7)
    assert queues.owners() == [7] and post.claim_out(NOW, 9, NOW) == []
    post.release_claims([1], NOW + 2 * MINUTE)
    post.renew_claims([2], NOW + MINUTE)
    assert queues.owners() == [] and not queues.is_in_hand(1, NOW) and queues.is_in_hand(2, NOW)
    assert [one.id for one in due_out(post, NOW + 2 * MINUTE, 9)] == [2, 1]
    assert [one.id for one in due_out(post, NOW + MINUTE, 9)] == [2]


@pytest.mark.sqlite
def test_claim_of_no_letters_writes_nothing(store: Store) -> None:
    """A sender looks every second, and as a writer would block others."""
    post = Post(store)
    post.queue(outgoing(due=NOW + MINUTE))
    statements: list[str] = []
    cast(Any, store.database).connection().set_trace_callback(statements.append)
    assert post.claim_out(NOW, 9, NOW) == []
    assert not [one for one in statements if not one.startswith("SELECT")]
    post.claim_out(NOW + MINUTE, 9, NOW)
    assert [one for one in statements if one.startswith("UPDATE")]


def test_empty_queue_has_no_last_letter(store: Store) -> None:
    post = Post(store)
    assert last_out(post) == 0 and next_out(post) is None
    post.queue_all([outgoing(), outgoing(due=NOW - MINUTE)])
    assert last_out(post) == 2 and next_out(post) == NOW - MINUTE
    for number in (1, 2):
        post.mark_sent(number, NOW)
    assert next_out(post) is None
    with pytest.raises(StoreError, match="no outgoing letter 9"):
        post.mark_sent(9, NOW)


def test_mails_and_letters_are_announced(store: Store, wakeups: list[str]) -> None:
    post = Post(store)
    post.accept([Arrival(b"x", "ann@example.org", ("judge@localhost",))], NOW)
    assert wakeups == [NEW_MAILS]
    post.queue(Outgoing(0, "ann@example.org", "judge@localhost", "<1@x>", b"x\r\n", NOW, NOW))
    assert wakeups == [NEW_MAILS, NEW_LETTERS]
