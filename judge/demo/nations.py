"""A short game of Nations 1940 by mail: `judge demo nations1940`.

Its players know the tables of the scenario, and the rows that MAP STATE answers with.
They take neutral land, build, research, and some make war; nothing here looks ahead.
"""

import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from judge.demo.mailroom import Mailroom, text_of
from judge.demo.orders import Luck
from judge.demo.table import GAME, Figures, Person, Say, Table, played
from judge.games.nations1940.scenario import scenario
from judge.games.nations1940.sides import nations_called

MAP = "nations1940"
QUEUE = '"Submachine Guns", "Motorized Logistics", "Medium Tanks", "National Service"'
FIRST_WAR = 5


@dataclass(slots=True)
class Land:
    """A province, from its row of MAP STATE."""

    owner: str
    armies: int = 0
    built: frozenset[str] = frozenset()
    told: bool = False
    """The reader sees into it."""


@dataclass(slots=True)
class Envoy(Person):
    """Somebody who plays a nation."""

    code: str = ""
    lands: dict[int, Land] = field(default_factory=dict)

    def read(self, kind: str, text: str) -> None:
        """Take in which nation a letter is for."""
        self.code = {one.name: one.code for one in nations_called(MAP)}.get(self.power, "")

    def look(self, room: Mailroom) -> None:
        """Request the position as rows for programs, and take it in."""
        self.lands = dict(self._lands_in(text_of(self.reply(room, "MAP STATE"))))

    def _lands_in(self, text: str) -> Iterator[tuple[int, Land]]:
        block = text.split("STATE v1")[-1].partition("END STATE")[0]
        for row in filter(None, map(str.strip, block.splitlines())):
            number, owner, *rest = row.split("\t")
            if number.startswith("S"):
                continue
            told = len(rest) > 3
            armies = dict(part.split(":") for part in rest[3].split(",")) if (
                told and rest[3] != "-"
            ) else {}
            built = frozenset(rest[6].split(",")) if told else frozenset[str]()
            yield int(number), Land(owner, int(armies.get(self.code, 0)), built, told)

    def lines(self, seed: int, turn: int) -> Iterator[str]:
        """Yield this player's orders."""
        luck = Luck(seed, turn, self.power)
        if turn == 0:
            yield f"RESEARCH {QUEUE}"
            for other in nations_called(MAP):
                if other.code != self.code and luck.chance(2):
                    yield f"TREATY NAP {other.code}"
            return
        enemy = ""
        if turn >= FIRST_WAR and luck.chance(4):
            near = sorted({self.lands[m].owner for m in self._border()} - {"-"})
            enemy = luck.pick(near) if near else ""
        if enemy:
            yield f"WAR {enemy}"
        yield from self._moves(luck, enemy)
        yield from self._works()

    def _own(self) -> list[int]:
        return [n for n, land in self.lands.items() if land.owner == self.code]

    def _border(self) -> list[int]:
        roads = scenario(MAP).roads
        return [m for n in self._own() for m in roads[n] if self.lands[m].owner != self.code]

    def _moves(self, luck: Luck, enemy: str) -> Iterator[str]:
        """Take what is neutral or the enemy's with three armies, else go towards it."""
        board = scenario(MAP)
        for n in self._own():
            count = self.lands[n].armies
            goals = [m for m in sorted(board.roads[n]) if self.lands[m].owner in ("-", enemy)]
            if goals and count >= 3:
                yield f"MOVE {count} #{n} -> #{luck.pick(goals)}"
            elif count and not goals:
                own = [m for m in sorted(board.roads[n]) if self.lands[m].owner == self.code]
                near = [m for m in own if any(self.lands[k].owner == "-" for k in board.roads[m])]
                if near and not luck.chance(3):
                    yield f"MOVE {count} #{n} -> #{luck.pick(near)}"

    def _works(self) -> Iterator[str]:
        wanted = [
            f"BUILD {kind} #{n}"
            for kind in ("ACA", "FAC", "RAI") for n in self._own()
            if kind not in self.lands[n].built
        ]  # fmt: skip
        yield from wanted[:3]


class Nations(Table[Envoy]):
    """Everybody around a game of Nations."""

    def __init__(self, turns: int, seed: int, room: Mailroom) -> None:
        super().__init__(
            room,
            Envoy("gm@example.org", "gmsecret"),
            Envoy("eve@example.org", ""),
            [
                Envoy(f"player{n}@example.org", f"secret{n}")
                for n, _ in enumerate(nations_called(MAP), start=1)
            ],
        )
        self.turns = turns
        self.seed = seed

    def gather(self) -> None:
        """Make the game and let everybody join; it ends with its last turn."""
        self.master.write(
            self.room, f"CREATE ?{GAME} gmsecret {MAP}", "SET MAP OFF",
            f"SET LAST TURN {self.turns}",
        )
        self.observer.write(self.room, f"OBSERVE {GAME}", "SET MAP OFF")
        for player in self.players:
            player.signed(self.room, "?", "SET MAP OFF")
        self.hear()

    def hear(self) -> None:
        """Wait for the news, and request the position for those who need it."""
        super().hear()
        for person in (self.observer, *self.players):
            if not person.over:
                person.look(self.room)

    def play(self, say: Say) -> int:
        """Play turn after turn; the end is told in a letter of its own."""
        say(f"{len(self.players)} players, a master and an observer have joined.")
        letters = {one.code: one.letter for one in nations_called(MAP)}
        for turn in range(self.turns + 1):
            if turn == self.turns:
                self.show_end()
            began, before = time.monotonic(), self.room.letters
            for player in self.players:
                if player.code and any(land.owner == player.code for land in player.lands.values()):
                    own = player.lines(self.seed, turn)
                    orders = [f"ORDERS {GAME} T{turn}", *own, "READY", "END"]
                    player.signed(self.room, letters[player.code], *orders)
            self.hear()
            owned = [land.owner for land in self.observer.lands.values()]
            best = sorted(letters, key=lambda code: (-owned.count(code), code))[:3]
            say(
                f"T{turn:<4} {self.room.letters - before:3} letters out,"
                f" {time.monotonic() - began:5.2f} s   "
                + ", ".join(f"{code} {owned.count(code)}" for code in best)
            )
        self.hear()
        return self.turns + 1


def run_nations(turns: int, seed: int, say: Say, keep: Path) -> Figures:
    """Play a game of Nations of so many turns; see `played`."""
    return played(lambda room: Nations(turns, seed, room), say, keep)
