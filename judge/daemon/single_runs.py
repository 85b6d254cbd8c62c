"""One-shot runs of a part of the judge, for cron and for several processes."""

from contextlib import closing

from judge.clock import Clock
from judge.config import Config
from judge.daemon.application import trusted_clock, use_application
from judge.daemon.clock_steps import ClockSteps
from judge.daemon.delivery_loop import DeliveryLoop
from judge.daemon.mail_fetcher import MailFetcher
from judge.daemon.picture_worker import PictureWorker
from judge.daemon.resolver_loop import ResolverLoop
from judge.daemon.retention import Retention
from judge.daemon.worker import Worker
from judge.errors import ConfigError, JudgeError
from judge.mail.address import JudgeAddresses
from judge.mail.inbound.envelope import (
    count_hops,
    format_peer,
    read_envelope,
    strip_brackets,
    unfold_postmark,
)
from judge.mail.outbound.delivery import delivery_for
from judge.mail.smtp.connections import Limits
from judge.model.incoming import Arrival
from judge.store.database import Store
from judge.store.key_values import LAST_RUN, KeyValues
from judge.store.locks import note_database, require_existing
from judge.store.mail_queues import Post


class MessageRejected(JudgeError):
    """Raised for a message that is permanently rejected, and returned to its sender."""


class UnknownRecipient(MessageRejected):
    """Raised for a message to an address that is not the judge's."""


def work_once(config: Config, clock: Clock) -> int:
    """Process every mail that is new by now. Return their number.

    Mails that arrive later are left for the next run, so that this one ends.
    """
    with use_application(config, clock) as application:
        ClockSteps(application).check_clock()
        worker = Worker(application, ResolverLoop(application))
        many, now = 0, application.clock.now()
        while application.post.new_before(now) and worker.work_one(now):
            many += 1
        Retention(application).run_once(application.clock.now())
        return many


def fetch_once(config: Config, clock: Clock) -> int:
    """Fetch every mail that is in the mailbox now. Return their number.

    Raises:
        ConfigError: there is no mailbox, or no password.
        MailboxFault: the mailbox cannot be used now.
    """
    if not config.fetch.from_:
        raise ConfigError("no mailbox is configured: set [fetch] from")
    with use_application(config, clock) as application:
        ClockSteps(application).check_clock()
        return MailFetcher(application).fetch_once()


def resolve_once(config: Config, clock: Clock, *, feigned: bool = False) -> int:
    """Advance every game that is due once. Return their number.

    The time of the run is stored, unless *feigned* is true because the clock is simulated.
    """
    with use_application(config, clock) as application:
        ClockSteps(application).check_clock()
        many = ResolverLoop(application).tick(application.clock.now())
        if not feigned:
            application.key_values.put_instant(LAST_RUN, application.clock.now())
        return many


def send_once(config: Config, clock: Clock) -> int:
    """Try every letter that is due by now. Return the number tried.

    Letters that need no picture go first. Then the pictures of the others are rendered.
    """
    delivery = delivery_for(config.deliver.to, config.fetch)
    with (
        use_application(config, clock) as application,
        closing(PictureWorker(application)) as painting,
        closing(DeliveryLoop(application, delivery)) as sending,
    ):
        many = sending.drain()
        return many + (sending.drain() if painting.drain() else 0)


def draw_once(config: Config, clock: Clock) -> int:
    """Render every picture that letters wait for by now. Return their number."""
    with (
        use_application(config, clock) as application,
        closing(PictureWorker(application)) as painting,
    ):
        return painting.drain()


def deliver_one(
    config: Config, clock: Clock, raw: bytes, sender: str | None, recipients: tuple[str, ...]
) -> int:
    """Store one message as if it had arrived by SMTP. Return its queue number.

    If *sender* or *recipients* are missing, they are taken from the headers. A message without any
    address of the judge is then treated as one to the judge.

    Raises:
        UnknownRecipient: a recipient is not an address of the judge.
        NotTaken: it is larger than allowed, or loops.
        StoreError: it could not be stored, and must be delivered again later.
    """
    ours = JudgeAddresses(config.judge.address, config.judge.keeper, config.listen.detail)
    recipients = tuple(map(strip_brackets, recipients))
    strangers = [one for one in recipients if not ours.is_local(one)]
    if strangers:
        raise UnknownRecipient(f"no such address here: {', '.join(strangers)}")
    if len(raw) > config.policy.max_message:
        raise MessageRejected(f"larger than {config.policy.max_message} bytes")
    if count_hops(raw) > Limits().hops:
        raise MessageRejected("the message goes round in circles")
    told = read_envelope(raw, ours)
    sender = told.sender if sender is None else strip_brackets(sender)
    recipients = recipients or (told.recipient or config.judge.address,)
    raw = unfold_postmark(raw)[1]
    require_existing(config.store.file)
    with Store(config.store.url).keep_open(create=True) as store:
        note_database(config.store.file)
        arrival = Arrival(raw, sender, recipients, format_peer("local", "pipe", "stdin"))
        clock = trusted_clock(clock, KeyValues(store))
        with store.intake_transaction():
            (number,) = Post(store).accept([arrival], store.now(clock))
        return number
