"""The people of the demo: a master, players, an observer; each knows only its own letters."""

from dataclasses import dataclass, field
from email.message import EmailMessage

from judge.board.position import Position
from judge.demo.luck import Luck
from judge.demo.mailroom import DemoFault, Mailroom, text_of
from judge.demo.orders import orders_for
from judge.demo.reading import Chart
from judge.games.diplomacy.orders import order_text

PATIENCE = 30.0
"""Seconds a letter may take to come."""

_NEWS = ("start", "results", "end")


@dataclass(slots=True)
class Person:
    """Somebody with a mail address and a password in one game."""

    address: str
    password: str
    game: str
    power: str = ""
    phase: str = ""
    position: Position | None = None
    over: bool = False
    last: EmailMessage | None = field(default=None, repr=False)
    """The newest start, results or end letter."""

    def write(self, room: Mailroom, judge: str, *lines: str) -> EmailMessage:
        """Mail lines to the judge and return its answer.

        Raises:
            DemoFault: none came, or it is an error.
        """
        return self._ask(room, judge, "orders", "\n".join(lines))

    def signed(self, room: Mailroom, judge: str, letter: str, *lines: str) -> EmailMessage:
        """Sign on with the letter of a seat and say something."""
        return self.write(room, judge, f"SIGNON {letter}{self.game} {self.password}", *lines)

    def reply(self, room: Mailroom, *lines: str) -> EmailMessage:
        """Answer the last letter, as the Reply button does: what the judge wrote stands quoted."""
        assert self.last is not None
        quoted = [f"> {line}".rstrip() for line in text_of(self.last).splitlines()[:6]]
        text = "\n".join([*lines, "", f"On Monday, {self.last['From']} wrote:", *quoted])
        subject = f"Re: {self.last['Subject']}"
        message_id = str(self.last["Message-ID"])
        return self._ask(room, str(self.last["Reply-To"]), subject, text, message_id)

    def _ask(
        self, room: Mailroom, to: str, subject: str, text: str, answers: str = ""
    ) -> EmailMessage:
        message_id = room.send(self.address, to, subject, f"{text}\n", answers)
        kept: list[EmailMessage] = []

        def wanted(letter: EmailMessage) -> bool:
            if letter["In-Reply-To"] == message_id:
                return True
            kept.append(letter)
            return False

        answer = room.next_letter(self.address, wanted, PATIENCE)
        room.put_back(self.address, kept)
        if answer is None:
            raise DemoFault(f"no answer to {self.address}:\n{text}")
        if answer["X-Judge-Kind"] == "error":
            raise DemoFault(f"{self.address} wrote:\n{text}\nand heard:\n{text_of(answer)}")
        return answer

    def hear(self, room: Mailroom, chart: Chart) -> None:
        """Wait for the next start, results or end letter and take in what it says.

        Raises:
            DemoFault: none came.
        """
        letter = room.next_letter(self.address, lambda x: x["X-Judge-Kind"] in _NEWS, PATIENCE)
        if letter is None:
            after = self.phase or "the joining"
            raise DemoFault(f"no news for {self.address} {self.power} after {after}")
        self.last = letter
        text = text_of(letter)
        kind, self.phase = str(letter["X-Judge-Kind"]), str(letter["X-Judge-Phase"])
        self.power = str(letter["X-Judge-Power"])
        self.over = kind == "end" or (kind == "results" and "The next phase of " not in text)
        if kind != "end":
            self.position = chart.position(text, self.phase)

    def orders(self, chart: Chart, seed: int, turn: int) -> list[str]:
        """Return this player's orders for the phase; nothing where nothing is to be decided."""
        assert self.position is not None
        luck = Luck(seed, turn, self.power)
        found = orders_for(chart.board, self.position, self.power, luck)
        return [order_text(order) for order in found]
