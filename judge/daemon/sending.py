"""The sender's work: the outgoing queue to the Maildir or the next mail server."""

import logging
from datetime import datetime, timedelta

from judge.clock import Clock
from judge.mail.sender import Deferred, Delivery, Refused, retry_delay
from judge.store.post import Post
from judge.words.record import Outgoing

log = logging.getLogger("judge.sender")

_BATCH = 50
_LEASE = timedelta(minutes=15)
"""How long a claimed letter is left alone by other senders; longer than a batch can take."""
_PATIENCE = timedelta(days=5)
"""After this a letter is given up (RFC 5321 4.5.4.1)."""


class Sending:
    """Sends what is due, and notes for each letter what became of it."""

    def __init__(self, post: Post, delivery: Delivery, clock: Clock) -> None:
        self._post = post
        self._delivery = delivery
        self._clock = clock

    def drain(self, now: datetime) -> int:
        """Try the letters due by `now`, at most a batch of them; return how many were tried.

        Raises:
            StoreError: the database cannot be used now; letters may go out a second time.
        """
        claimed = self._post.claim_out(now, _BATCH, _LEASE)
        for out in claimed:
            self._send(out)
        return len(claimed)

    def _send(self, out: Outgoing) -> None:
        try:
            self._delivery.deliver(out)
        except Refused as refusal:
            self._give_up(out, str(refusal))
        except Deferred as trouble:
            now = self._clock.now()
            if now - out.queued >= _PATIENCE:
                self._give_up(out, str(trouble))
            else:
                self._post.retry(out.id, now + retry_delay(out.tries), str(trouble))
                log.warning("letter %d to <%s> is put off: %s", out.id, out.to, trouble)
        else:
            self._post.sent(out.id, self._clock.now())
            log.info("letter %d to <%s> is sent", out.id, out.to)

    def _give_up(self, out: Outgoing, error: str) -> None:
        self._post.failed(out.id, error, self._clock.now())
        log.error("letter %d to <%s> is given up: %s", out.id, out.to, error)
