"""Letters of ours that a mail quotes: the one it answers, and others that went to its writer."""

from collections.abc import Iterator, Sequence
from typing import Protocol

from judge.mail.address import Ours, addresses
from judge.mail.echoes import Echo, Effort
from judge.mail.mime import Entity, own_text

MOST_OCTETS = 4 * 1024 * 1024
"""So much of other letters is looked through for one that a mail quotes."""


class Sent(Protocol):
    """What was sent, as the store knows it."""

    def sent_as(self, message_ids: Sequence[str], /) -> bytes:
        """Return the message of ours with the first of these ids that is known; or nothing."""

    def sent_to(self, address: str, /) -> Iterator[bytes]:
        """Yield the newest messages of ours to an address, newest first."""


class Recollection:
    """Remembers what was sent to whoever wrote a mail; nothing is looked for before it is asked.

    `detail` is what of our address the mail went to. Press that is answered where it asks for it
    is a talk between its reader and its writer; quoted anywhere else it is another's words.
    """

    def __init__(
        self, sent: Sent, ours: Ours, sender: str, detail: str, ids: Sequence[str]
    ) -> None:
        self._sent = sent
        self._ours = ours
        self._sender = sender
        self._detail = detail
        self._ids = ids
        self._others: list[Echo] | None = None
        self._effort = Effort()

    def answered(self) -> Echo | None:
        """Return the letter that the mail answers, if it says which and we know it."""
        letter = self._sent.sent_as(self._ids) if self._ids else b""
        return self._echo(letter) if letter else None

    def holding(self, line: str) -> list[Echo]:
        """Return those of the newest letters to its writer that a line may be of."""
        if self._others is None:
            self._others = list(self._recent())
        return [echo for echo in self._others if echo.knows(line)]

    def _recent(self) -> Iterator[Echo]:
        left = MOST_OCTETS
        for letter in self._sent.sent_to(self._sender) if self._sender else ():
            left -= len(letter)
            if left < 0:
                break
            yield self._echo(letter)

    def _echo(self, letter: bytes) -> Echo:
        message = Entity(letter)
        back = [address for value in message.all("reply-to") for address in addresses(value)]
        here = self._detail and any(self._ours.detail_of(one) == self._detail for one in back)
        is_press = message.text("x-judge-kind") == "press"
        return Echo(own_text(message), is_press and not here, self._effort)
