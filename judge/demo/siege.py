"""A siege of Yorktown played by mail: two sides that know no more than their letters say."""

import re
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from judge.clock import SystemClock
from judge.demo.mailroom import DemoFault, Household, Mailroom, text_of
from judge.demo.people import PATIENCE, Person
from judge.games.yorktown.rules.board import REDOUBT, SIDE_NAMES, hexes, key_of
from judge.games.yorktown.rules.hexes import SIDES, named
from judge.games.yorktown.rules.orders import order_text
from judge.games.yorktown.rules.state import DEAD, LEFT, Position, Step, Unit, blank, parse_moment
from judge.games.yorktown.rules.turn import LEAST_DAYS
from judge.games.yorktown.standins import orders_of

JUDGE = "judge@localhost"
GAME = "demo"
SIEGE = "yorktown"
"""The map it is played on."""
_NEWS = ("start", "results", "end")
_HEADING = re.compile(r" {4}([0-9]{2})(?: {3}[0-9]{2})*")
_ARMY = re.compile(r".+ \((FA|AP)\)")
_UNIT = re.compile(
    r"  ([A-Z]+ [0-9]+) +([0-9]{4})(?:/([0-9]{4}))? +([NS][EW]?)? +(?:[0-9]+|-)  MP .*"
)
_NOTE = " " * 10
"""What stands before a note, or the rest of a name, below its unit."""
_GONE = re.compile(r"  (to come|left the map|lost): (.+)")


def position_in(text: str, label: str) -> Position:
    """Return the position that a start or results letter shows."""
    moment = parse_moment(label)
    assert moment
    found = blank()
    units, redoubts = dict(found.units), dict.fromkeys(_works(text), 0)
    side, last = "", ""
    for line in _unfolded(text):
        if army := _ARMY.fullmatch(line):
            side = army[1]
        elif side and (row := _UNIT.match(line)):
            last = key_of(side, row[1])
            facing = SIDES.index(row[4]) if row[4] else 0
            units[last] = Unit(row[2], row[3] or "", facing)
        elif side and last and line.startswith(_NOTE):
            units |= _noted(units, side, last, line.strip())
        elif side and (gone := _GONE.match(line)) and gone[1] != "to come":
            at = LEFT if gone[1] == "left the map" else DEAD
            units |= {key_of(side, unit): Unit(at) for unit in gone[2].split(", ")}
    return Position(moment, units, redoubts, standing=found.standing)


def _noted(units: dict[str, Unit], side: str, key: str, note: str) -> dict[str, Unit]:
    """Return what a note below a unit says of it and of its commander."""
    unit, more = units[key], {}
    if staff := re.search(r"with \w+ \((CMD [0-9]+)\)", note):
        more[key_of(side, staff[1])] = Unit(unit.at, attached=key)
    if digging := re.search(r"([0-9]+) turns? of digging", note):
        unit = unit._replace(still=int(digging[1]))
    if day := re.search(r"half strength until the end of day ([0-9]+)", note):
        unit = unit._replace(marked=int(day[1]))
    if "has fired" in note:
        unit = unit._replace(shots=1)
    if "aground" in note:
        unit = unit._replace(grounded=True)
    return {**more, key: unit}


def _unfolded(text: str) -> Iterator[str]:
    """Yield lines, lists and notes that go on in the next line put together."""
    whole = ""
    for line in text.splitlines():
        is_note = line.startswith(_NOTE) and whole.startswith(_NOTE)
        if is_note or (_GONE.match(whole) and line.startswith("    ")):
            whole += f" {line.strip()}"
            continue
        yield whole
        whole = line
    yield whole


def _works(text: str) -> Iterator[str]:
    """Yield the hexes with a redoubt that is not printed on the map."""
    first, row = 0, 0
    for line in text.splitlines():
        if head := _HEADING.fullmatch(line):
            first, row = int(head[1]), 0
        elif not line.strip():
            first = 0
        elif first:
            row += line[:2].strip() != ""
            for at in re.finditer(r"(?<= )R\S*", line[3:]):
                name = named(first + (at.start() - 1) // 5, row)
                if name and hexes()[name].feature != REDOUBT:
                    yield name


class Siege:
    """Everybody around one game, and how far it got."""

    def __init__(self, room: Mailroom, days: int) -> None:
        self.room, self.days = room, days
        self.master = Person("gm@example.org", "gmsecret", GAME)
        self.players = {
            side: Person(f"{side.lower()}@example.org", f"{side.lower()}secret", GAME)
            for side in SIDE_NAMES
        }
        self.refused: list[str] = []

    def gather(self) -> None:
        """Make the game and let both join."""
        self.master.write(
            self.room, JUDGE, f"CREATE ?{GAME} gmsecret {SIEGE}", "SET MAP OFF",
            f"SET DAYS {self.days}",
        )
        for side, player in self.players.items():
            player.signed(self.room, JUDGE, "?", f"SET PREFERENCE {side[0]}", "SET MAP OFF")
        self.hear()

    def hear(self) -> None:
        """Let everybody read the news.

        Raises:
            DemoFault: none came.
        """
        for person in (self.master, *self.players.values()):
            letter = self.room.next_letter(
                person.address, lambda x: x["X-Judge-Kind"] in _NEWS, PATIENCE
            )
            if letter is None:
                raise DemoFault(f"no news for {person.address}")
            person.last, person.phase = letter, str(letter["X-Judge-Phase"])

    def play_step(self) -> str:
        """Let the side whose step it is mail its orders; return what is said of it."""
        label = self.master.phase
        moment = parse_moment(label)
        assert moment
        player = self.players[moment.side]
        assert player.last is not None
        position = position_in(text_of(player.last), label)
        lines = [order_text(order) for order in orders_of(position)]
        # "done" alone would end both steps of a turn (Y-90), and MOVE has yet to be written.
        end = "done fire" if moment.step is Step.FIRE else "done"
        answer = player.signed(self.room, JUDGE, moment.side[0], *lines, end)
        if "not carried out:" in text_of(answer):
            self.refused.append(text_of(answer))
        self.hear()
        return f"{label}  {len(lines):2} orders"

    @property
    def report(self) -> str:
        """The text of the newest letter to the master."""
        assert self.master.last is not None
        return text_of(self.master.last)

    @property
    def over(self) -> bool:
        """Tell whether the last letter ended the game."""
        begun = self.master.last is not None and self.master.last["X-Judge-Kind"] != "start"
        return begun and "The next phase of " not in self.report


def run_siege(days: int, say: Callable[[str], None], keep: Path) -> int:
    """Play a siege in a folder of its own and say how it goes; return how many answers refused a
    line.

    Raises:
        DemoFault: the judge did not do what its letters promise.
    """
    began = time.monotonic()
    with (
        tempfile.TemporaryDirectory(prefix="judge-demo-") as folder,
        Household(Path(folder)) as house,
    ):
        room = Mailroom(house.place, house.outbox, SystemClock())
        say(f"A judge of our own listens at {house.place}; the game is called {GAME}.")
        siege = Siege(room, days)
        try:
            siege.gather()
            while not siege.over:
                say(siege.play_step())
        except DemoFault as fault:
            raise DemoFault(f"{fault}\n{house.log()}") from fault
        report = siege.report
    keep.mkdir(parents=True, exist_ok=True)
    (keep / "letter.txt").write_text(report, "utf-8")
    say("=" * 72)
    say(report.rstrip())
    say("=" * 72)
    say(
        f"{room.mails} mails in, {room.letters} letters out, {len(siege.refused)} answers with a"
        f" refused line, {time.monotonic() - began:.1f} seconds"
    )
    for answer in siege.refused:
        say(answer)
    return len(siege.refused)


__all__ = ["LEAST_DAYS", "SIEGE", "position_in", "run_siege"]
