"""The demo from CREATE to the last report."""

import tempfile
import time
from collections.abc import Callable
from email.message import EmailMessage
from pathlib import Path
from typing import NamedTuple

from judge.board.position import parse_phase
from judge.clock import SystemClock
from judge.demo.mailroom import DemoFault, Household, Mailroom, text_of
from judge.demo.orders import Luck
from judge.demo.people import Chart, Person
from judge.games.diplomacy.boards import board
from judge.mail.outbound.compose import enclosed

JUDGE = "judge@localhost"
GAME = "demo"
RULE = "=" * 72


class Figures(NamedTuple):
    """What a demo came to."""

    phases: int
    mails: int
    letters: int
    refused: int
    """Answers in which a line was refused."""
    seconds: float
    last_phase: str
    report: str
    picture: str
    """Name and size of the picture in the last letter."""


class Table:
    """Everybody around one demo game, and how far it got."""

    def __init__(self, map_name: str, seed: int, room: Mailroom) -> None:
        self.chart = Chart(board(map_name))
        self.map_name = map_name
        self.seed = seed
        self.room = room
        self.master = Person("gm@example.org", "gmsecret", GAME)
        self.observer = Person("eve@example.org", "", GAME)
        self.players = [
            Person(f"player{n}@example.org", f"secret{n}", GAME)
            for n, _ in enumerate(self.chart.board.powers, start=1)
        ]
        self.turn = 0
        self.refused: list[str] = []
        """Answers in which a line was refused: there should be none."""

    @property
    def everybody(self) -> list[Person]:
        """The master, the observer and the players."""
        return [self.master, self.observer, *self.players]

    def gather(self) -> None:
        """Make the game and let everybody join; it starts when the last power is taken."""
        # Nobody here looks at pictures before the last one, and sixty of them take half a minute.
        self.master.write(
            self.room, JUDGE, f"CREATE ?{GAME} gmsecret {self.map_name}", "SET MAP OFF",
            # Nobody here has second thoughts.
            "SET MOVE DELAY 0",
        )
        self.observer.write(self.room, JUDGE, f"OBSERVE {GAME}", "SET MAP OFF")
        letters = [power.letter for power in self.chart.board.powers]
        for player in self.players:
            wishes = "".join(Luck(self.seed, 0, player.address).shuffled(letters))
            player.signed(self.room, JUDGE, "?", f"SET PREFERENCE {wishes}", "SET MAP OFF")
        self.hear()

    def hear(self) -> None:
        """Let everybody read the news: the start, or the results of a phase."""
        for person in self.everybody:
            person.hear(self.room, self.chart)

    def play_phase(self) -> int:
        """Let everybody who has something to order mail it; return how many mailed."""
        self.turn += 1
        mailed = 0
        for player in self.players:
            orders = player.orders(self.chart, self.seed, self.turn)
            if not orders:
                continue
            mailed += 1
            # Some use the Reply button, some always sign on.
            if Luck(self.seed, self.turn, player.address).chance(3):
                answer = player.signed(self.room, JUDGE, self._letter(player), *orders)
            else:
                answer = player.reply(self.room, *orders)
            if "not carried out:" in text_of(answer):
                self.refused.append(text_of(answer))
        self.hear()
        return mailed

    def draw(self) -> None:
        """Let all survivors vote for a draw; the observer wants a picture of how it ends."""
        self.observer.reply(self.room, "SET MAP PNG")
        for player in self.players:
            if player.position and player.position.units.get(player.power):
                player.signed(self.room, JUDGE, self._letter(player), "VOTE DRAW")
        self.hear()

    def _letter(self, player: Person) -> str:
        return self.chart.board.power(player.power).letter


def run_demo(
    map_name: str, years: int, seed: int, say: Callable[[str], None], keep: Path
) -> Figures:
    """Play a game in a folder of its own and say how it goes; the last letter ends it, and stays
    in the folder `keep`.

    Raises:
        DemoFault: the judge did not do what its letters promise.
    """
    started = time.monotonic()
    with (
        tempfile.TemporaryDirectory(prefix="judge-demo-") as folder,
        Household(Path(folder)) as house,
    ):
        room = Mailroom(house.place, house.outbox, SystemClock())
        say(f"A judge of our own listens at {house.place}; the game is called {GAME}.")
        table = Table(map_name, seed, room)
        try:
            table.gather()
            phases = _play(table, years, say)
        except DemoFault as fault:
            raise DemoFault(f"{fault}\n{house.log()}") from fault
        assert table.observer.last is not None
        last = table.observer.last
        figures = Figures(
            phases=phases,
            mails=room.mails,
            letters=room.letters,
            refused=len(table.refused),
            seconds=time.monotonic() - started,
            last_phase=table.observer.phase,
            report=text_of(last),
            picture=kept(last, keep),
        )
    for answer in table.refused:
        say(f"{RULE}\nThe judge refused what it had allowed:\n{answer}")
    say(f"{RULE}\n{figures.report.rstrip()}\n{RULE}")
    say(
        f"That was the text of the last letter, to the observer. Open {keep / 'letter.html'} in a\n"
        f"browser to see it as mail programs do, with the board ({figures.picture})."
    )
    say(
        f"{figures.phases} phases, {figures.mails} mails in, {figures.letters} letters out,"
        f" {figures.refused} answers with a refused line, {figures.seconds:.1f} seconds"
    )
    return figures


def _play(table: Table, years: int, say: Callable[[str], None]) -> int:
    """Play phase after phase to the end, or to a draw by vote after so many years."""
    first = table.chart.board.first_year
    say(f"{len(table.players)} players, a master and an observer have joined; it is {first}.")
    phases = 0
    while True:
        phase = table.master.phase
        if parse_phase(phase).year >= first + years:
            say(f"{years} years are played: the survivors vote for a draw.")
            table.draw()
            break
        began, letters = time.monotonic(), table.room.letters
        mailed = table.play_phase()
        phases += 1
        took = time.monotonic() - began
        say(
            f"{phase}  {mailed:2} mails in, {table.room.letters - letters:3} letters out,"
            f" {took:5.2f} s   {_leaders(table)}"
        )
        if table.master.over:
            # The results have told it already; the last letter sums the game up.
            table.hear()
            break
    return phases


def kept(letter: EmailMessage, folder: Path) -> str:
    """Put a letter into a folder, as a page with its pictures; return what picture it has."""
    folder.mkdir(parents=True, exist_ok=True)
    body = letter.get_body(("html",))
    page, told = str(body.get_content()) if body else "", "no picture"
    for part in enclosed(letter):
        octets = part.get_payload(decode=True)
        if part.get_content_maintype() == "image" and isinstance(octets, bytes):
            name = str(part.get_filename())
            (folder / name).write_bytes(octets)
            page = page.replace(f"cid:{str(part['Content-ID']).strip('<>')}", name)
            told = f"{name}, {len(octets) // 1000} kB"
    (folder / "letter.html").write_text(page, "utf-8")
    (folder / "letter.txt").write_text(text_of(letter), "utf-8")
    return told


def _leaders(table: Table) -> str:
    """Return the three greatest powers with their centres, for the progress line."""
    position = table.observer.position
    if position is None:
        return ""
    counts = {power.name: len(position.centres(power.name)) for power in table.chart.board.powers}
    best = sorted(counts, key=lambda name: (-counts[name], name))[:3]
    return ", ".join(f"{name} {counts[name]}" for name in best)
