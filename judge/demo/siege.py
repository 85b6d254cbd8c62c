"""A siege of Yorktown played by mail: two sides that know no more than their letters say."""

import re
from collections.abc import Iterator
from pathlib import Path

from judge.demo.mailroom import Mailroom, text_of
from judge.demo.table import GAME, Figures, Person, Say, Table, played
from judge.games.yorktown.rules.board import REDOUBT, SIDE_NAMES, hexes, key_of
from judge.games.yorktown.rules.hexes import SIDES, named
from judge.games.yorktown.rules.orders import order_text
from judge.games.yorktown.rules.state import DEAD, LEFT, Position, Step, Unit, blank, parse_moment
from judge.games.yorktown.rules.turn import LEAST_DAYS
from judge.games.yorktown.standins import orders_of

SIEGE = "yorktown"
"""The map it is played on."""
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


class Siege(Table[Person]):
    """Everybody around a siege."""

    def __init__(self, days: int, room: Mailroom) -> None:
        self.sides = {
            side: Person(f"{side.lower()}@example.org", f"{side.lower()}secret")
            for side in SIDE_NAMES
        }
        super().__init__(
            room, Person("gm@example.org", "gmsecret"), Person("eve@example.org", ""),
            [*self.sides.values()],
        )
        self.days = max(days, LEAST_DAYS)

    def gather(self) -> None:
        """Make the game and let both join."""
        self.master.write(
            self.room, f"CREATE ?{GAME} gmsecret {SIEGE}", "SET MAP OFF", f"SET DAYS {self.days}"
        )
        self.observer.write(self.room, f"OBSERVE {GAME}", "SET MAP OFF")
        for side, player in self.sides.items():
            player.signed(self.room, "?", f"SET PREFERENCE {side[0]}", "SET MAP OFF")
        self.hear()

    def play(self, say: Say) -> int:
        """Play step after step; the end is told in a letter of its own."""
        steps = 0
        while not self.master.over:
            # A siege may end with the last step of any day from the tenth on.
            if self.master.phase == f"AP{LEAST_DAYS}M":
                self.show_end()
            say(self._play_step())
            steps += 1
        return steps

    def _play_step(self) -> str:
        """Let the side whose step it is mail its orders; return what is said of it."""
        label = self.master.phase
        moment = parse_moment(label)
        assert moment
        player = self.sides[moment.side]
        assert player.last is not None
        position = position_in(text_of(player.last), label)
        lines = [order_text(order) for order in orders_of(position)]
        # "done" alone would end both steps of a turn (Y-90), and MOVE has yet to be written.
        end = "done fire" if moment.step is Step.FIRE else "done"
        player.signed(self.room, moment.side[0], *lines, end)
        self.hear()
        return f"{label}  {len(lines):2} orders"


def run_siege(days: int, say: Say, keep: Path) -> Figures:
    """Play a siege of so many days, or of the fewest there can be; see `played`."""
    return played(lambda room: Siege(days, room), say, keep)
