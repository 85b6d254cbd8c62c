"""Sending a mail to the running judge and waiting for replies: `judge mail`."""

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from datetime import datetime
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime, parseaddr

from judge.clock import SystemClock
from judge.config import Config
from judge.dice import new_seed
from judge.errors import ConfigError, StoreError
from judge.mail.outbound.delivery import (
    PermanentFailure,
    TemporaryFailure,
    delivery_for,
    read_newest,
)
from judge.model.record import NO_ID, Outgoing
from judge.store.database import Store
from judge.store.games import Games
from judge.store.mail_queues import Post
from judge.terminal.inbox import outgoing_maildir, read_letter, show_letters

ANSWER_SECONDS = 15.0
"""Seconds to wait for replies."""
_AFTERWARDS = 0.4
"""Seconds without new letters after which no further reply is expected."""
_LOOKED_AT = 60
"""Number of the newest letters that are searched for replies."""


def send_text(config: Config, sender: str, to: str, subject: str, text: str, now: datetime) -> str:
    """Send a text to the running judge as a mail of *sender*.

    Return its Message-ID.

    Raises:
        ConfigError: An address is invalid, or the judge cannot be reached or refuses the mail.
    """
    for address in (sender, to):
        if parseaddr(address)[1] != address or "@" not in address or not address.isascii():
            raise ConfigError(f"{address!r} is no mail address")
    if not config.listen.smtp or config.listen.smtp.startswith("unix:"):
        raise ConfigError("`judge mail` needs a judge that listens on host:port ([listen] smtp)")
    message_id = f"<{new_seed()[:12].hex()}@terminal.invalid>"
    mail = EmailMessage(policy=SMTP)
    mail["From"], mail["To"], mail["Subject"] = sender, to, " ".join(subject.split())
    mail["Date"], mail["Message-ID"] = format_datetime(now), message_id
    mail.set_content(text)
    out = Outgoing(
        id=NO_ID, to=to, sender=sender, message_id=message_id, message=bytes(mail), queued=now,
        due=now,
    )
    delivery = delivery_for(f"smtp://{config.listen.smtp}")
    try:
        delivery.deliver(out)
    except PermanentFailure as refusal:
        raise ConfigError(f"the judge refused the mail: {refusal}") from refusal
    except TemporaryFailure as trouble:
        raise ConfigError(
            f"no judge takes mail at {config.listen.smtp} ({trouble}): start it with `judge serve`"
        ) from trouble
    finally:
        delivery.close_idle()
    return message_id


def mail_and_wait(
    config: Config, sender: str, to: str, subject: str, text: str, now: datetime
) -> tuple[bool, str]:
    """Send a text as a mail and wait. Return whether a reply came, and the letters.

    Replies to the mail come first, then other letters to its sender, such as the results of a
    phase that the mail completed. Letters to others are only counted.
    """
    folder = outgoing_maildir(config)
    known = set(read_newest(folder, "", _LOOKED_AT))
    message_id = send_text(config, sender, to or config.judge.address, subject, text, now)

    def fresh() -> list[bytes]:
        return [raw for raw in reversed(read_newest(folder, "", _LOOKED_AT)) if raw not in known]

    with _queue_of(config, sender) as is_expected:
        found = _wait_for(fresh, message_id, is_expected)
        more = is_expected()
    letters = [read_letter(raw) for raw in found]
    answers = [letter for letter in letters if letter["In-Reply-To"] == message_id]
    if not answers:
        return False, (
            f"The judge has the mail, but sent no reply within {ANSWER_SECONDS:.0f} seconds;"
            " see `judge inbox` later."
        )
    further = [x for x in letters if x not in answers and x["To"] == sender]
    others = len(letters) - len(answers) - len(further)
    hint = f"\n\n{others} more went to others: judge inbox" if others else ""
    if more:
        hint += f"\n\nMore letters to you will follow: judge inbox {sender}"
    return True, show_letters(answers + further) + hint


@contextmanager
def _queue_of(config: Config, address: str) -> Iterator[Callable[[], bool]]:
    """Yield a function that returns whether more letters to an address are expected.

    They are if pictures are being rendered or a phase is due now. The function reads the judge's
    database. Without a database it returns False.
    """
    with ExitStack() as stack:
        try:
            store = stack.enter_context(Store(config.store.url).keep_open())
        except StoreError:
            yield lambda: False
            return
        post, games = Post(store), Games(store)
        # A phase whose last orders the mail contained is adjudicated a moment later.
        yield lambda: post.is_expected(address) or bool(games.due(SystemClock().now(), 1))


def _wait_for(
    fresh: Callable[[], list[bytes]], message_id: str, is_expected: Callable[[], bool]
) -> list[bytes]:
    """Return the new letters, once they include a reply and no further ones arrive.

    They may lack a reply after `ANSWER_SECONDS`.
    """
    started = changed = time.monotonic()
    found: list[bytes] = []
    answered = False
    while time.monotonic() - started < ANSWER_SECONDS:
        time.sleep(0.05)
        now_there = fresh()
        if len(now_there) != len(found):
            found, changed = now_there, time.monotonic()
            answered = any(read_letter(raw)["In-Reply-To"] == message_id for raw in found)
        if is_expected():
            changed = time.monotonic()
        elif answered and time.monotonic() - changed > _AFTERWARDS:
            break
    return found
