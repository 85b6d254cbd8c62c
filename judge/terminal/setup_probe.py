"""Test letters of `judge setup` to the judge's own mailbox."""

import os
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from judge.clock import SystemClock
from judge.mail.address import addresses
from judge.mail.imap.box import Mailbox, MailboxFault, MailFacts, MoveRefused
from judge.mail.inbound.mime import Entity
from judge.mail.outbound.delivery import AccountRefused, PermanentFailure, ServerDelivery
from judge.model.record import Outgoing

MAX_WAIT_SECONDS = 120.0
"""Seconds to wait for the first letter."""
MAX_LAG_SECONDS = 40.0
"""Seconds to wait for the other letters after it."""
MAX_CLOCK_DIFFERENCE = timedelta(seconds=30)
_POLL_SECONDS = 2.0
_MAX_SEARCHED = 100
"""Number of the newest mails in another folder that are searched."""
_DAY = timedelta(days=1)
_TEXT = """\
From: {author}
To: {to}
Reply-To: {reply_to}
Subject: Test of judge setup {token}
Message-ID: <{token}@{host}>
Date: {date}
MIME-Version: 1.0
Content-Type: text/plain; charset=us-ascii

`judge setup` sent this letter to test the mailbox of the judge. It can be deleted.
"""


@dataclass(frozen=True, slots=True)
class ProbeResult:
    """One test letter, and how it arrived."""

    to: str
    reply_to: str
    token: str
    sent: datetime
    fault: str = ""
    """Reason for which it was not accepted, or empty."""
    folder: str = ""
    """Folder in which it arrived, or empty."""
    is_in_inbox: bool = False
    """True if it arrived in the folder that the judge reads."""
    seen: datetime | None = None
    dated: datetime | None = None
    """Date of its arrival by the clock of the mailbox, or None."""
    author: str = ""
    has_reply_to: bool = False
    """True if it arrived in that folder with its Reply-To."""

    @property
    def clock_difference(self) -> timedelta:
        """Least lead of the clock of the mailbox, negative if it is behind."""
        if self.dated is None or self.seen is None:
            return timedelta()
        if self.dated > self.seen:
            return self.dated - self.seen
        return min(self.dated - self.sent + timedelta(seconds=1), timedelta())


def send_probes(
    box: Mailbox, delivery: ServerDelivery, author: str, recipients: Sequence[str]
) -> list[ProbeResult]:
    """Send a letter to each address, and wait for them. Return how each one arrived.

    Those that arrive are moved as the judge moves its mail.

    Raises:
        MailboxFault: the mailbox cannot be used now.
        TemporaryFailure: the letters cannot be sent now.
    """
    clock = SystemClock()
    since = clock.now() - _DAY
    box.select()
    known = set(box.search(since))
    results = [_send(delivery, author, to, recipients[-1], clock.now()) for to in recipients]
    delivery.close_idle()
    waiting = {each.token: each for each in results if not each.fault}
    arrived: dict[str, ProbeResult] = {}
    uids: list[int] = []
    end = time.monotonic() + MAX_WAIT_SECONDS
    while waiting and time.monotonic() < end:
        new = [uid for uid in box.search(since) if uid not in known]
        for facts in box.read_facts(new):
            result = _match(box, facts, waiting, box.account.folder)
            if result is not None:
                arrived[result.token] = replace(result, is_in_inbox=True)
                uids.append(facts.uid)
                end = min(end, time.monotonic() + MAX_LAG_SECONDS)
        known.update(new)
        if waiting:
            box.wait(_POLL_SECONDS, lambda: False)
    try:
        box.put_away(uids)
    except MoveRefused as fault:
        raise MailboxFault(f"mails cannot be moved to the folder of those done: {fault}") from None
    for result in _search_folders(box, waiting, since):
        arrived[result.token] = replace(result, has_reply_to=False)
    return [arrived.get(each.token, each) for each in results]


def _send(
    delivery: ServerDelivery, author: str, to: str, reply_to: str, now: datetime
) -> ProbeResult:
    token = os.urandom(8).hex()
    text = _TEXT.format(
        author=author, to=to, reply_to=reply_to, token=token, host=author.rpartition("@")[2],
        date=now.strftime("%a, %d %b %Y %H:%M:%S +0000"),
    )
    fault = ""
    message = text.replace("\n", "\r\n").encode()
    try:
        delivery.deliver(Outgoing(0, to, author, f"<{token}>", message, now, now))
    except (PermanentFailure, AccountRefused) as refusal:
        fault = f"was refused ({refusal})"
    return ProbeResult(to, reply_to, token, now, fault)


def _match(
    box: Mailbox, facts: MailFacts, waiting: dict[str, ProbeResult], folder: str
) -> ProbeResult | None:
    """Return the awaited letter that a mail is, or None for other mails."""
    head = Entity(box.read_headers([facts.uid]).get(facts.uid, b""))
    result = waiting.pop(head.first("subject").strip().rpartition(" ")[2], None)
    if result is None:
        return None
    return replace(
        result, folder=folder, dated=facts.dated, seen=SystemClock().now(),
        author=next(iter(addresses(head.first("from"))), ""),
        has_reply_to=result.reply_to in addresses(head.first("reply-to")),
    )


def _search_folders(
    box: Mailbox, waiting: dict[str, ProbeResult], since: datetime
) -> Iterator[ProbeResult]:
    """Yield letters in all other folders, such as those of spam."""
    for name in box.list_folders() if waiting else ():
        if name == box.account.folder:
            continue
        try:
            box.select(name)
        except MailboxFault as fault:
            if not fault.is_lasting:
                raise
            # A folder that cannot be opened has none of them.
            continue
        for facts in box.read_facts(box.search(since)[-_MAX_SEARCHED:]):
            if (result := _match(box, facts, waiting, name)) is not None:
                yield result


def describe_probe(result: ProbeResult, author: str) -> list[str]:
    """Return lines about the arrival of a letter, with advice."""
    if result.seen is None:
        return [f"the letter to {result.to} {result.fault or 'did not arrive'}"]
    seconds = (result.seen - result.sent).total_seconds()
    lines = [f"the letter to {result.to} arrived in {result.folder!r} after {seconds:.0f} s"]
    if not result.is_in_inbox:
        lines.append(
            f"the judge does not read {result.folder!r}: mark the letter as no spam, or remove the"
            " rule that files it there"
        )
    if result.author != author:
        lines.append(f"the provider replaced its From {author} by {result.author or 'nothing'}")
    if result.is_in_inbox and not result.has_reply_to:
        lines.append("the provider removed its Reply-To")
    ahead = result.clock_difference
    if abs(ahead) > MAX_CLOCK_DIFFERENCE:
        way = "ahead of" if ahead > timedelta() else "behind"
        lines.append(
            f"the clock of the mailbox is {abs(ahead).total_seconds():.0f} s {way} that of this"
            " machine, and deadlines go by the former: let NTP set the clock (timedatectl"
            " set-ntp true)"
        )
    return lines
