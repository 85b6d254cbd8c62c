"""The demo of Diplomacy from CREATE to the last report: half of the powers are people who mail
their orders, the others bots of the judge's own."""

import time
from pathlib import Path

from judge.board.position import Season, parse_phase
from judge.demo.mailroom import Mailroom
from judge.demo.orders import Luck
from judge.demo.people import Chart, Diplomat
from judge.demo.table import GAME, Figures, Say, Table, played
from judge.games.diplomacy.boards import board


class Diplomats(Table[Diplomat]):
    """Everybody around a game of Diplomacy."""

    def __init__(self, map_name: str, years: int, seed: int, room: Mailroom) -> None:
        self.chart = Chart(board(map_name))
        super().__init__(
            room,
            Diplomat("gm@example.org", "gmsecret", chart=self.chart),
            Diplomat("eve@example.org", "", chart=self.chart),
            [
                Diplomat(f"player{n}@example.org", f"secret{n}", chart=self.chart)
                for n in range(1, len(self.chart.board.powers) // 2 + 1)
            ],
        )
        self.map_name = map_name
        self.years = years
        self.seed = seed

    def gather(self) -> None:
        """Make the game, let everybody join, and start it with bots for the other powers."""
        self.master.write(
            self.room, f"CREATE ?{GAME} gmsecret {self.map_name}", "SET MAP OFF",
            # Nobody here has second thoughts.
            "SET MOVE DELAY 0",
            # It ends in its last year, whoever is ahead.
            f"SET LAST YEAR {self._last}",
        )
        self.observer.write(self.room, f"OBSERVE {GAME}", "SET MAP OFF")
        letters = [power.letter for power in self.chart.board.powers]
        for player in self.players:
            wishes = "".join(Luck(self.seed, 0, player.address).shuffled(letters))
            player.signed(self.room, "?", f"SET PREFERENCE {wishes}", "SET MAP OFF")
        self.master.signed(self.room, "M", "START WITH BOTS")
        self.hear()

    def play(self, say: Say) -> int:
        """Play phase after phase to the end."""
        first, bots = self.chart.board.first_year, len(self.chart.board.powers) - len(self.players)
        say(
            f"{len(self.players)} players, a master and an observer have joined, and bots play"
            f" {bots} powers; it is {first}."
        )
        phases, wants_picture = 0, False
        while True:
            phase = self.master.phase
            now = parse_phase(phase)
            if (now.year, now.season) == (self._last, Season.FALL) and not wants_picture:
                self.show_end()
                wants_picture = True
            began, letters = time.monotonic(), self.room.letters
            phases += 1
            mailed = self._play_phase(phases)
            took = time.monotonic() - began
            say(
                f"{phase}  {mailed:2} mails in, {self.room.letters - letters:3} letters out,"
                f" {took:5.2f} s   {self._leaders()}"
            )
            if self.master.over:
                # The results have told it already; the last letter sums the game up.
                self.hear()
                break
        return phases

    def _play_phase(self, turn: int) -> int:
        """Let everybody who has something to order mail it; return how many mailed."""
        mailed = 0
        for player in self.players:
            orders = player.orders(self.seed, turn)
            if not orders:
                continue
            mailed += 1
            # Some use the Reply button, some always sign on.
            if Luck(self.seed, turn, player.address).chance(3):
                player.signed(self.room, self._letter(player), *orders)
            else:
                player.reply(self.room, *orders)
        self.hear()
        return mailed

    @property
    def _last(self) -> int:
        return self.chart.board.first_year + self.years - 1

    def _letter(self, player: Diplomat) -> str:
        return self.chart.board.power(player.power).letter

    def _leaders(self) -> str:
        """Return the three greatest powers with their centres, for the progress line."""
        position = self.observer.position
        if position is None:
            return ""
        powers = self.chart.board.powers
        counts = {power.name: len(position.centres(power.name)) for power in powers}
        best = sorted(counts, key=lambda name: (-counts[name], name))[:3]
        return ", ".join(f"{name} {counts[name]}" for name in best)


def run_demo(map_name: str, years: int, seed: int, say: Say, keep: Path) -> Figures:
    """Play a game of Diplomacy of so many years at most; see `played`."""
    return played(lambda room: Diplomats(map_name, years, seed, room), say, keep)
