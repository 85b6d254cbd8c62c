"""The parts of the judge each alone, one pass and out: for cron and for several processes."""

from datetime import datetime

from judge.clock import Clock
from judge.config import Config
from judge.daemon.resolving import Resolving
from judge.daemon.sending import Sending
from judge.daemon.worker import Worker
from judge.daemon.works import open_works
from judge.errors import JudgeError
from judge.mail.address import Ours
from judge.mail.sender import delivery_for
from judge.store.database import Store
from judge.store.post import Post
from judge.words.incoming import Arrival


class NotTaken(JudgeError):
    """A message that is not for us, or too large: it goes back to who sent it."""


def work_once(config: Config, clock: Clock) -> int:
    """Work every new mail; return how many there were."""
    works = open_works(config, clock, create=False)
    try:
        worker = Worker(works, Resolving(works))
        many = 0
        while worker.step():
            many += 1
        return many
    finally:
        works.store.close()


def resolve_once(config: Config, clock: Clock, now: datetime) -> int:
    """Attend once to every game due by `now`; return how many there were."""
    works = open_works(config, clock, create=False)
    try:
        return Resolving(works).tick(now)
    finally:
        works.store.close()


def send_once(config: Config, clock: Clock) -> int:
    """Try every letter that is due; return how many were tried."""
    store = Store(config.store.url)
    store.open(create=False)
    try:
        sending = Sending(Post(store), delivery_for(config.deliver.to), clock)
        now = clock.now()
        many = 0
        while tried := sending.drain(now):
            many += tried
        return many
    finally:
        store.close()


def deliver_one(
    config: Config, clock: Clock, raw: bytes, sender: str, recipients: tuple[str, ...]
) -> int:
    """Store one message as if it had come through the door; return its queue number.

    Raises:
        NotTaken: it is for nobody here, or larger than allowed.
        StoreError: it could not be stored; whoever has it must try again later.
    """
    ours = Ours(config.judge.address, config.judge.keeper, config.listen.detail)
    strangers = [one for one in recipients if not ours.knows(one)]
    if strangers:
        raise NotTaken(f"no such address here: {', '.join(strangers)}")
    if len(raw) > config.policy.max_message:
        raise NotTaken(f"larger than {config.policy.max_message} bytes")
    store = Store(config.store.url)
    store.open(create=True)
    try:
        arrival = Arrival(raw, sender, recipients, "deliver")
        (number,) = Post(store).accept([arrival], clock.now())
        return number
    finally:
        store.close()
