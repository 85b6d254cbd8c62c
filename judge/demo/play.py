"""A demo game with scripted people for half of the powers, and bots for the rest.

It works with any game system that has `Bots`. A scripted person orders what the system's bot would,
as the lines that a receipt offers (`Sheet.draft`).
"""

import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from email.message import EmailMessage
from pathlib import Path
from typing import NamedTuple

from judge.clock import SystemClock
from judge.demo.judge_process import DemoFault, JudgeProcess, Mailroom, text_of
from judge.dice import BotRandom, Dice
from judge.games import find_map
from judge.games.capabilities import Bots, OrderCompletion, with_capability
from judge.games.system import GameSystem, Table, Viewer, ViewerRole
from judge.mail.outbound.compose import list_enclosures
from judge.model.record import GameRecord, GameState
from judge.play.game import table_of
from judge.store.database import Store
from judge.store.games import Games

JUDGE = "judge@localhost"
GAME = "demo"
_TIMEOUT_SECONDS = 120.0
_POLL_SECONDS = 0.01
_REFUSED = "Not done:"
"""Heading of refused lines in any reply."""
_RULE = "=" * 72

Say = Callable[[str], None]
"""Function that prints a line of progress."""


@dataclass(slots=True)
class DemoPlayer:
    """A mail address with a password and, once the game has started, a power."""

    address: str
    password: str
    power: str = ""
    last: EmailMessage | None = field(default=None, repr=False)
    """The newest start, results or end letter."""

    def sign_on(self, room: Mailroom, letter: str, *lines: str) -> EmailMessage:
        """Mail lines after a SIGNON with the letter of a seat. Return the reply."""
        return self.write(room, f"SIGNON {letter}{GAME} {self.password}", *lines)

    def write(self, room: Mailroom, *lines: str) -> EmailMessage:
        """Mail lines and return the reply."""
        return self._send(room, JUDGE, "orders", "\n".join(lines))

    def reply(self, room: Mailroom, *lines: str) -> EmailMessage:
        """Reply to the last letter, quoting its beginning. Return the reply."""
        assert self.last is not None
        quoted = [f"> {line}".rstrip() for line in text_of(self.last).splitlines()[:6]]
        text = "\n".join([*lines, "", f"On Monday, {self.last['From']} wrote:", *quoted])
        subject, message_id = f"Re: {self.last['Subject']}", str(self.last["Message-ID"])
        return self._send(room, str(self.last["Reply-To"]), subject, text, message_id)

    def _send(
        self, room: Mailroom, to: str, subject: str, text: str, answers: str = ""
    ) -> EmailMessage:
        """Mail a text and return the reply.

        Raises:
            DemoFault: No reply came, or a line was refused.
        """
        message_id = room.send(self.address, to, subject, f"{text}\n", answers)
        others: list[EmailMessage] = []

        def is_reply(letter: EmailMessage) -> bool:
            if letter["In-Reply-To"] != message_id:
                others.append(letter)
            return bool(letter["In-Reply-To"] == message_id)

        reply = room.next_letter(self.address, is_reply, _TIMEOUT_SECONDS)
        room.put_back(self.address, others)
        if reply is None:
            raise DemoFault(f"no reply to {self.address}:\n{text}")
        if reply["X-Judge-Kind"] == "error" or _REFUSED in text_of(reply):
            raise DemoFault(f"{self.address} wrote:\n{text}\nand received:\n{text_of(reply)}")
        return reply

    def receive(self, room: Mailroom, phase: str) -> None:
        """Wait for the letter that begins a phase, or for the end letter if it is empty.

        Raises:
            DemoFault: The letter did not come.
        """
        def is_awaited(letter: EmailMessage) -> bool:
            kind = letter["X-Judge-Kind"]
            if not phase:
                return bool(kind == "end")
            return kind in ("start", "results") and letter["X-Judge-Phase"] == phase

        self.last = room.next_letter(self.address, is_awaited, _TIMEOUT_SECONDS)
        if self.last is None:
            raise DemoFault(f"no letter for {self.address} about {phase or 'the end'}")
        self.power = str(self.last["X-Judge-Power"])


class DemoFigures(NamedTuple):
    """Size of a finished demo game, and its last letter."""

    phases: int
    mails: int
    letters: int
    seconds: float
    last_phase: str
    report: str
    picture: str
    """Name and size of the picture in the last letter."""


class DemoGame:
    """One game of a running judge, with its people."""

    def __init__(
        self,
        system: GameSystem,
        map_name: str,
        years: int,
        turns: int,
        seed: int,
        house: JudgeProcess,
    ) -> None:
        self.room = Mailroom(house.place, house.outbox, SystemClock())
        self._store = Store(house.settings()["JUDGE_STORE_URL"])
        self._map, self._seed = map_name, seed
        self._system = system
        self._letters = {side.name: side.letter for side in system.powers(map_name, {})}
        self._limit, self._last = _last_phases(system, map_name, years, turns)
        self._master = DemoPlayer("gm@example.org", "gmsecret")
        self.observer = DemoPlayer("eve@example.org", "")
        self.board: EmailMessage | None = None
        self._players = [
            DemoPlayer(f"player{n}@example.org", f"secret{n}")
            for n in range(1, len(self._letters) // 2 + 1)
        ]

    def play(self, say: Say) -> int:
        """Play the game from CREATE to its end letter. Return the number of phases."""
        self._store.open(create=False)
        try:
            self._gather(say)
            phases, game = 0, self._await_turn("")
            while game.state is not GameState.ENDED:
                began, letters = time.monotonic(), self.room.letters
                phases += 1
                mails = self._play_phase(game)
                following = self._await_turn(game.phase)
                say(
                    f"{game.phase:6} {mails:2} mails in, {self.room.letters - letters:3} letters"
                    f" out, {time.monotonic() - began:5.2f} s   {_leaders(following)}".rstrip()
                )
                game = following
            self._receive("")
            assert self.observer.last is not None
            self.board = self.observer.last
            if not _pictures(self.board):
                # The game was won before the phases with pictures.
                self.board = self.observer.write(self.room, f"MAP {GAME}")
            return phases
        finally:
            self._store.close()

    def _gather(self, say: Say) -> None:
        """Create the game, join the people, and start it with bots for the rest."""
        delays = [f"SET {c.words[0]} DELAY 0" for c in self._system.clocks if c.delay]
        self._master.write(
            self.room, f"CREATE ?{GAME} gmsecret {self._map}", "SET MAP OFF", self._limit, *delays
        )
        self.observer.write(self.room, f"OBSERVE {GAME}", "SET MAP OFF")
        luck = BotRandom(self._dice(0), "wishes")
        for player in self._players:
            wishes = luck.shuffle([*self._letters.values()])
            player.sign_on(self.room, "?", f"SET PREFERENCE {','.join(wishes)}", "SET MAP OFF")
        self._master.sign_on(self.room, "M", "START WITH BOTS")
        say(
            f"A master, an observer and players for {len(self._players)} powers have joined; bots"
            f" play {len(self._letters) - len(self._players)}."
        )

    def _await_turn(self, after: str) -> GameRecord:
        """Return the game once it has ended or needs orders for another phase.

        Raises:
            DemoFault: neither happened in time.
        """
        until = time.monotonic() + _TIMEOUT_SECONDS
        while time.monotonic() < until:
            game = Games(self._store).find(GAME)
            assert game is not None
            if game.state is GameState.ENDED:
                return game
            if game.state is GameState.RUNNING and game.phase != after:
                self._receive(game.phase)
                if self._due(table_of(game)):
                    return game
            time.sleep(_POLL_SECONDS)
        raise DemoFault(f"the game does not go on after {after or 'START'}")

    def _due(self, table: Table) -> list[DemoPlayer]:
        return [player for player in self._players if player.power in table.powers_due()]

    def _receive(self, phase: str) -> None:
        """Wait for the letter about a phase at every address."""
        for person in (self._master, self.observer, *self._players):
            person.receive(self.room, phase)

    def _play_phase(self, game: GameRecord) -> int:
        """Mail the orders of the people whose orders are due. Return their number."""
        if self._last in game.phase:
            # Pictures of earlier phases would only cost time.
            self.observer.reply(self.room, "SET MAP PNG")
        table = table_of(game)
        due = self._due(table)
        for n, player in enumerate(due):
            lines = self._orders(table, player.power, game.turn)
            # READY alone in a new mail, moments after a phase began, does not count.
            if (n + game.turn) % 3 or lines == ["READY"]:
                player.reply(self.room, *lines)
            else:
                player.sign_on(self.room, self._letters[player.power], *lines)
        return len(due)

    def _dice(self, turn: int) -> Dice:
        return Dice(self._seed.to_bytes(32, "big", signed=True), turn)

    def _orders(self, table: Table, power: str, turn: int) -> list[str]:
        """Return a bot's orders for a power as lines to send."""
        filed = with_capability(table, Bots).bot_sheet(power, "", self._dice(turn))
        sheet = table.show_sheet(power, filed)
        lines = [draft.line for draft in sheet.draft if not draft.open]
        # Where sheets can be completed, READY completes this one for one phase alone.
        ready = ["READY"] if isinstance(table, OrderCompletion) else []
        return [line for line in lines if line != sheet.final_word] + ready


def _system_of(map_name: str) -> GameSystem:
    """Return the system of a map.

    Raises:
        DemoFault: There is no such map, or the system has no bots.
    """
    system = find_map(map_name)
    if system is None or not system.has_capability(Bots):
        raise DemoFault(f"there is no map {map_name!r} with bots")
    return system


def _last_phases(system: GameSystem, map_name: str, years: int, turns: int) -> tuple[str, str]:
    """Return the SET line that limits a game, and a part of its last phases' labels."""
    for option in system.options(map_name):
        numbers = {
            "last_year": ("LAST YEAR", option.least + years - 1),
            "last_turn": ("LAST TURN", turns),
            "days": ("DAYS", max(years, option.least)),
        }
        if option.name in numbers:
            words, number = numbers[option.name]
            return f"SET {words} {number}", str(number)
    raise DemoFault(f"nothing limits how long a game on {map_name} takes")


def _leaders(game: GameRecord) -> str:
    """Return the three leading powers with their scores, for the progress line."""
    scores = table_of(game).position_facts(Viewer(ViewerRole.OBSERVER)).scores
    best = sorted(scores, key=lambda score: (-score.points, score.power))[:3]
    return ", ".join(f"{score.power} {score.points}" for score in best)


def run_demo(map_name: str, years: int, turns: int, seed: int, say: Say, keep: Path) -> DemoFigures:
    """Play a demo game, and write its last letter to *keep* in place of earlier ones.

    Raises:
        DemoFault: The judge did not do what its letters promise.
    """
    started = time.monotonic()
    system = _system_of(map_name)
    _clear(keep)
    with (
        tempfile.TemporaryDirectory(prefix="judge-demo-") as folder,
        JudgeProcess(Path(folder)) as house,
    ):
        say(f"A judge of our own listens at {house.place}; the game is called {GAME}.")
        game = DemoGame(system, map_name, years, turns, seed, house)
        try:
            phases = game.play(say)
        except DemoFault as fault:
            raise DemoFault(f"{fault}\n{house.log()}") from fault
        last, board_letter = game.observer.last, game.board
        assert last is not None
        assert board_letter is not None
        figures = DemoFigures(
            phases=phases,
            mails=game.room.mails,
            letters=game.room.letters,
            seconds=time.monotonic() - started,
            last_phase=str(last["X-Judge-Phase"]),
            report=text_of(last),
            picture=_save(board_letter, keep),
        )
    shown = "it as mail programs do" if board_letter is last else "the reply to MAP"
    say(
        f"{_RULE}\n{figures.report.rstrip()}\n{_RULE}\n"
        f"That was the text of the last letter, to the observer. Open {keep / 'letter.html'} in a\n"
        f"browser to see {shown}, with the board ({figures.picture or 'missing'}).\n"
        f"{figures.phases} phases, {figures.mails} mails in, {figures.letters} letters out,"
        f" {figures.seconds:.1f} seconds"
    )
    if not figures.picture:
        raise DemoFault("no letter has a picture of the board")
    return figures


def _clear(folder: Path) -> None:
    """Delete the letter and the pictures of an earlier game."""
    for pattern in ("letter.*", f"{GAME}-*"):
        for file in folder.glob(pattern):
            file.unlink()


def _pictures(letter: EmailMessage) -> list[EmailMessage]:
    return [part for part in list_enclosures(letter) if part.get_content_maintype() == "image"]


def _save(letter: EmailMessage, folder: Path) -> str:
    """Write a letter and its pictures. Return the name and size of the first picture."""
    folder.mkdir(parents=True, exist_ok=True)
    body = letter.get_body(("html",))
    page, first = str(body.get_content()) if body else "", ""
    for part in _pictures(letter):
        octets = part.get_payload(decode=True)
        assert isinstance(octets, bytes)
        name = str(part.get_filename())
        (folder / name).write_bytes(octets)
        page = page.replace(f"cid:{str(part['Content-ID']).strip('<>')}", name)
        first = first or f"{name}, {len(octets) // 1000} kB"
    (folder / "letter.html").write_text(page, "utf-8")
    (folder / "letter.txt").write_text(text_of(letter), "utf-8")
    return first
