"""Retry delays and the time limit of letters."""

from datetime import UTC, datetime, timedelta

from judge.mail.outbound.delivery import FIRST_DELAY, MAX_DELAY, is_given_up, retry_delay
from judge.model.record import Outgoing

NOW = datetime(2026, 1, 5, 20, 0, tzinfo=UTC)
LETTER = Outgoing(1, "ann@example.org", "judge@example.org", "<1@x>", b"", NOW, NOW)


def test_a_letter_is_tried_for_five_days() -> None:
    now, tries = NOW, 0
    while not is_given_up(LETTER, now):
        tries += 1
        now += retry_delay(tries)
    assert timedelta(days=5) <= now - NOW <= timedelta(days=5, hours=4)
    assert tries == 35


def test_letters_postponed_together_are_retried_apart() -> None:
    delays = {retry_delay(3, f"<{n}@x>") for n in range(100)}
    assert len(delays) > 60
    mean = retry_delay(3)
    assert min(delays) >= mean * 0.8 and max(delays) <= mean * 1.2


def test_delays_grow_to_a_limit() -> None:
    delays = [retry_delay(tries) for tries in range(1, 40)]
    assert delays == sorted(delays)
    assert delays[0] == FIRST_DELAY and delays[-1] == MAX_DELAY
