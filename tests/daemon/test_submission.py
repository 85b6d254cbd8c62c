"""Sending through the submission server of a mail provider."""

from collections.abc import Iterator
from datetime import timedelta

import pytest

from judge.daemon.delivery_loop import DeliveryLoop
from judge.mail.outbound.delivery import ACCOUNT_REST, GIVE_UP, delivery_for
from judge.model.record import DeliveryState
from tests.daemon.test_sending import queue
from tests.journeys.rig import Rig
from tests.mail.submission import DAILY_LIMIT, Provider, run_provider
from tests.outbox import counts, newest_out

FIVE = [f"p{n}@x{n}.org" for n in range(5)]


@pytest.fixture
def rig() -> Iterator[Rig]:
    """A judge in memory."""
    made = Rig()
    yield made
    made.close()


def loop_of(rig: Rig, provider: Provider) -> DeliveryLoop:
    return DeliveryLoop(rig.application, delivery_for(provider.url))


def test_no_letter_is_lost_at_a_daily_limit(rig: Rig) -> None:
    queue(rig, *FIVE)
    with run_provider(Provider(limit=2)) as provider:
        sending = loop_of(rig, provider)
        sending.drain()
        assert len(provider.taken) == 2
        assert counts(rig.application.post).failed == 0
        assert {out.error for out in newest_out(rig.application.post, 9)} <= {"", DAILY_LIMIT}
        provider.limit = 99
        rig.clock.advance(hours=1, seconds=1)
        sending.drain()
        assert sorted(provider.addresses) == FIVE


@pytest.mark.parametrize("reply", [DAILY_LIMIT, "552 quota exceeded", "421 4.7.0 not now"])
def test_two_refusals_of_the_account_rest_the_queue(rig: Rig, reply: str) -> None:
    queue(rig, *FIVE)
    with run_provider(Provider(data=reply)) as provider:
        sending = loop_of(rig, provider)
        assert sending.drain() in (2, 3), "a third may be on its way"
        provider.data = ""
        rig.clock.advance(minutes=59)
        assert sending.drain() == 0
        # Other processes rest, too.
        assert loop_of(rig, provider).drain() == 0
        rig.clock.advance(minutes=1, seconds=1)
        sending.drain()
    assert sorted(provider.addresses) == FIVE


def test_one_refusal_rests_no_queue(rig: Rig) -> None:
    queue(rig, FIVE[0])
    with run_provider(Provider(mail="450 4.7.1 slow down")) as provider:
        sending = loop_of(rig, provider)
        sending.drain()
        provider.mail = ""
        queue(rig, *FIVE[1:])
        assert sending.drain() == 4
        # The series of refusals is interrupted.
        provider.data = DAILY_LIMIT
        queue(rig, FIVE[1])
        sending.drain()
        provider.data = ""
        queue(rig, FIVE[2])
        assert sending.drain() == 1


def test_a_rest_is_repeated_while_the_account_is_refused(rig: Rig) -> None:
    queue(rig, *FIVE)
    with run_provider(Provider(data=DAILY_LIMIT)) as provider:
        sending = loop_of(rig, provider)
        sending.drain()
        rig.clock.advance(hours=1, seconds=1)
        assert sending.drain() in (1, 2), "the first refusal is enough"
        rig.clock.advance(minutes=59)
        assert sending.drain() == 0
    assert timedelta(hours=1) == ACCOUNT_REST and not provider.taken


def test_faults_at_an_address_rest_no_queue(rig: Rig) -> None:
    queue(rig, *FIVE)
    refused = {FIVE[0]: "550 5.1.1 unknown", FIVE[1]: "550 5.7.1 limit", FIVE[2]: "452 4.2.2 full"}
    with run_provider(Provider(rcpt=refused)) as provider:
        loop_of(rig, provider).drain()
    assert sorted(provider.addresses) == FIVE[3:]
    states = {out.to: out.state for out in newest_out(rig.application.post, 9)}
    assert states[FIVE[0]] is states[FIVE[1]] is DeliveryState.FAILED
    assert states[FIVE[2]] is DeliveryState.QUEUED


def test_refusals_of_the_account_suspend_no_address(rig: Rig) -> None:
    """After five days a letter is given up, but its address is not to blame."""
    with run_provider(Provider(data=DAILY_LIMIT)) as provider:
        for _ in range(4):
            queue(rig, FIVE[0])
            rig.clock.advance(seconds=GIVE_UP.total_seconds() + 1)
            loop_of(rig, provider).drain()
    assert counts(rig.application.post).failed == 4
    assert not rig.application.bounce_counts.find_suspended([FIVE[0]])


def test_a_wrong_password_rests_the_queue_at_once(rig: Rig) -> None:
    queue(rig, *FIVE)
    with run_provider(Provider()) as provider:
        wrong = provider.url.replace("app%20password", "wrong")
        assert DeliveryLoop(rig.application, delivery_for(wrong)).drain() in (1, 2)
    assert counts(rig.application.post).queued == 5


def test_two_connections_are_used_at_most(rig: Rig) -> None:
    queue(rig, *(f"p{n}@x{n}.org" for n in range(12)))
    with run_provider(Provider()) as provider:
        loop_of(rig, provider).drain()
    assert len(provider.taken) == 12 and provider.most_open <= 2
