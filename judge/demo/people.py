"""The people of the demo: a master, players, an observer; each knows only what its letters say.

What a scripted player makes of a letter: the position, from the words of the report.

Nothing is read but the plain text everybody gets; what a letter leaves out, no player knows.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from email.message import EmailMessage

from judge.board.map import Map, Unit, UnitKind
from judge.board.position import Dislodged, PhaseKind, Position, parse_phase
from judge.demo.mailroom import DemoFault, Mailroom, text_of
from judge.demo.orders import Luck, orders_for
from judge.games.diplomacy.rules.orders import order_text

_KINDS = {"Army": UnitKind.ARMY, "Fleet": UnitKind.FLEET}
_ROW = re.compile(r"([^:]+): +(.+)\.")
_RETREAT = re.compile(r"The (.+) (Army|Fleet) in (.+) can retreat to (.+)\.")


class Chart:
    """A map with its places by their names in letters."""

    def __init__(self, board: Map) -> None:
        self.board = board
        self._adjectives = {power.adjective: power.name for power in board.powers}
        self._places = {
            board.place_name(place): place
            for abbr in board.provinces
            for place in (abbr, *board.fleet_places(abbr))
        }

    def position(self, text: str, phase: str) -> Position:
        """Return the position a start or results letter shows, in the phase it names."""
        lines = list(unfolded(text))
        now = parse_phase(phase)
        return Position(
            phase=now,
            units={
                power: tuple(self._unit(words) for words in row)
                for power, row in _rows(lines, "Position in ").items()
            },
            owners={
                self._places[centre]: power
                for power, row in _rows(lines, "Ownership of supply centers").items()
                for centre in row
                if power != "Unowned"
            },
            dislodged=self._beaten(lines) if now.kind is PhaseKind.RETREAT else {},
        )

    def _unit(self, words: str) -> Unit:
        kind, _, place = words.partition(" ")
        return Unit(_KINDS[kind], self._places[place])

    def _beaten(self, lines: list[str]) -> Mapping[str, tuple[Dislodged, ...]]:
        """Return the units that may retreat, and where to; a report says it more than once."""
        beaten: dict[str, dict[Unit, Dislodged]] = {}
        for line in lines:
            if found := _RETREAT.fullmatch(line):
                unit = Unit(_KINDS[found[2]], self._places[found[3]])
                open_to = tuple(self._places[name] for name in re.split(", | or ", found[4]))
                mine = beaten.setdefault(self._adjectives[found[1]], {})
                mine[unit] = Dislodged(unit, retreats=open_to)
        return {power: tuple(found.values()) for power, found in beaten.items()}


def _rows(lines: list[str], head: str) -> Mapping[str, list[str]]:
    """Return the rows under the last heading that begins so: who → what."""
    rows: dict[str, list[str]] = {}
    heads = [n for n, line in enumerate(lines) if line.startswith(head)]
    for line in lines[heads[-1] + 2 :] if heads else ():
        found = _ROW.fullmatch(line)
        if not found:
            break
        rows[found[1]] = found[2].split(", ")
    return rows


def unfolded(text: str) -> Iterator[str]:
    """Yield the lines of a letter, long ones put together again.

    >>> list(unfolded("Italy: Army Rome ->\\n    Venice.\\n\\nEnd"))
    ['Italy: Army Rome -> Venice.', '', 'End']
    """
    whole = ""
    for line in text.splitlines():
        if line.startswith("    ") and whole:
            whole += f" {line.strip()}"
        else:
            if whole:
                yield whole
            whole = line
            if not line:
                yield line
    if whole:
        yield whole


PATIENCE = 30.0
"""Seconds a letter may take to come."""

NEWS = ("start", "results", "end")


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
        letter = room.next_letter(self.address, lambda x: x["X-Judge-Kind"] in NEWS, PATIENCE)
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
