"""A game played at random by mail, with checks after each mail.

The caller (chance here, hypothesis in the tests) chooses actors and lines. The rehearsal inserts
the current phase, mails the lines, and checks everything that the judge stores and sends.
"""

import re
from collections import Counter
from dataclasses import replace
from datetime import timedelta
from email.message import EmailMessage
from typing import NamedTuple

from judge.games import find_system
from judge.games.capabilities import FutureOrders, OrderLists, with_capability
from judge.model.phrase import Phrase
from judge.model.record import GameRecord, GameState, Role, Seat, SeatState
from judge.play.archive.gamefile import archive_stored, read_archive, write_archive
from judge.play.archive.importing import replay
from judge.play.future_orders import NEXT_MAIN_PHASE
from judge.play.game import table_of
from tests.journeys.rig import Rig, text_of
from tests.outbox import last_out, newest_out


class Actor(NamedTuple):
    """A sender: the address and the line that opens the seat."""

    address: str
    sign_on: str


ACTORS = {
    "gm": Actor("gm@q01.example", "SIGNON Mstage pwgmq"),
    "ann": Actor("ann@q02.example", "SIGNON Fstage pwannq"),
    "bob": Actor("bob@q03.example", "SIGNON Gstage pwbobq"),
    "carl": Actor("carl@q04.example", "SIGNON Rstage pwcarlq"),
    "eve": Actor("eve@q05.example", "SIGNON Ostage pweveq"),
    "joe": Actor("joe@q06.example", ""),
    "max": Actor("max@q07.example", "SIGNON Mstage pwmaxq"),
}
LETTERS = {"ann": "F", "bob": "G", "carl": "R"}

MASTERLY = (
    "PROCESS {phase}", "PROCESS {phase}", "PROCESS {phase}", "RELEASE {phase}", "SET HOLD",
    "SET NO HOLD", "PAUSE", "RESUME", "FREEZE", "FREEZE ORDERS", "FREEZE VOTES", "UNFREEZE",
    "ROLLBACK stage {phase} TO {earlier}", "ROLLBACK stage {phase} TO {earlier} RESTORE",
    "ROLLBACK", "ROLLFORWARD", "ROLLFORWARD stage {phase} TO {undone}",
    "UNSTART {phase}", "START", "BECOME F", "BECOME G", "BECOME T", "BECOME MASTER", "{order}",
    "{order}", "DUMMY T", "DUMMY A SUPPORT", "DUMMY G", "REVIVE T", "REVIVE G", "EJECT F",
    "EJECT R", "PROMOTE max@q07.example", "DEMOTE max@q07.example", "SET DEADLINE +2d",
    "SET GRACE +4d", "SET START +1d", "SETUP\n{placed}\nENDSETUP", "SETUP {word}",
    "SET VICTORY 3", "SET LAST YEAR 1902", "SET CD SUPPORT", "SET NMR WAIT", "SET NMR HOLD",
    "SET GREY PRESS", "SET WHITE PRESS", "SET GREY/WHITE PRESS", "SET FAKE SENDER",
    "SET ALWAYS WAIT", "SET NO ALWAYS WAIT",
    "SET VOTES OPEN", "SET NO DIAS", "SET VOTES EXPIRE", "SET HOUSE RULES", "SET TAKEOVER SEATED",
    "SET MUST ORDER", "STATUS", "PREVIEW\n{order}\nENDPREVIEW", "LOG", "HISTORY",
    "EXPORT", "EXPORT ORDERS", "LIST stage", "OPTIONS", "PRESS TO F\nFrom the master.\nENDPRESS",
    "BROADCAST\nTo all of you.\nENDPRESS", "OFFICIAL\nIt is so.\nENDOFFICIAL",
    "TERMINATE stage {phase}", "SET NO CD SUPPORT", "MAP", "SUMMARY", "SET ABSENCE +3d TO +6d",
    "SET NEGOTIATION 24", "SET NO NEGOTIATION", "SET ANY CENTERS", "SET APPROVAL",
    "SET NO APPROVAL", "APPROVE joe@q06.example", "SET TAKEOVER TIME 24", "INFO PLAYER F",
    "INVITE joe@q06.example T", "RENAME other",
)
PLAYERLY = (
    "{order}", "{order}", "{order}", "{order}", "READY", "UNREADY", "SET WAIT", "SET NO WAIT",
    "CLEAR", "PHASE {later}\n{order}", "PHASE {later}\nSET WAIT",
    "PHASE {later}\nIF A Par THEN\nA Par H\nENDIF", "REPLACE\n{order}", "{proxy}", "{proxy}",
    "A Par P", "VOTE DRAW", "UNVOTE DRAW", "VOTE CONCEDE G", "VOTE EXTEND 24h", "VOTE PAUSE",
    "VOTE RESUME", "VOTE CANCEL", "VOTE CLOCK MOVE NEXT 30",
    "PRESS TO G\nTo Germany.\nENDPRESS", "PRESS TO M\nTo the master.\nENDPRESS",
    "PRESS GREY TO F\nGrey words.\nENDPRESS", "BROADCAST\nTo everybody.\nENDPRESS",
    "PRESS TO R FROM T\nFeigned.\nENDPRESS", "POSTAL PRESS\nWith results.\nENDPRESS",
    "STATUS", "OPTIONS", "PREVIEW\n{order}\nENDPREVIEW", "MAP", "MAP TEXT", "SUMMARY", "HISTORY",
    "LOG", "EXPORT", "LIST stage", "SET PREVIEW ON", "SET MAP TEXT", "SET ORDERS REPLACE",
    "SET ORDERS MERGE", "SITTER joe@q06.example UNTIL +4d", "SITTER OFF",
    "SET ABSENCE +3d TO +6d", "SET NO ABSENCE", "SET NOTICES RESULTS PRESS", "SET NOTICES ALL",
    "DIARY\nDear diary.\nENDDIARY", "RESIGN", "SET ZONE Asia/Kathmandu", "SET TOKEN OFF",
    "SET TOKEN ON", "SET JSON OFF", "CONFIRM", "BECOME G", "INFO PLAYER G", "A Ruh",
)
WATCHING = (
    "HISTORY", "LIST stage", "STATUS", "SUMMARY", "MAP", "LOG", "EXPORT", "EXPORT ORDERS",
    "SET DIGEST PHASE", "SET DIGEST DAILY", "SET NO DIGEST", "PRESS TO ALL\nHello.\nENDPRESS",
    "SET NOTICES RESULTS", "UNSUBSCRIBE", "PREVIEW\nA Par - Bur\nENDPREVIEW", "OPTIONS A Par",
)
COMING = (
    "TAKEOVER Tstage pwjoeq", "TAKEOVER Gstage pwjoeq", "TAKEOVER Fstage pwjoeq",
    "TAKEOVER Rstage pwjoeq", "SIT Fstage", "SIT Gstage", "SIT Rstage", "OBSERVE stage pwjoeq",
    "LIST stage", "HISTORY stage", "SIGNON Tstage pwjoeq\nRESIGN", "SIGNON Tstage pwjoeq\n{order}",
    "SIGNON Gstage pwjoeq\n{order}\nREADY", "JOIN stage pwjoeq",
)


class Rehearsal:
    """One game in a rig, with its known facts."""

    def __init__(self, rules: str = "") -> None:
        self.rig = Rig()
        self.seen = 0
        self.told: list[tuple[str, str]] = []
        for name, lines in (
            ("gm", f"CREATE ?stage pwgmq standard\nSET MANUAL START\n{rules}"),
            ("ann", "JOIN stage pwannq\nSET PREFERENCE F"),
            ("bob", "JOIN stage pwbobq\nSET PREFERENCE G"),
            ("carl", "JOIN stage pwcarlq\nSET PREFERENCE R"),
            ("eve", "OBSERVE stage pweveq"),
            ("max", "OBSERVE stage pwmaxq"),
            ("gm", "SIGNON Mstage pwgmq\nSTART"),
        ):
            self.write(name, lines)

    @property
    def game(self) -> GameRecord:
        """Return the game as stored."""
        (name,) = self.rig.application.games.names()
        game = self.rig.application.games.find(name)
        assert game
        return game

    def act(self, name: str, lines: list[str], choice: int) -> None:
        """Mail some lines of an actor, signed on or sometimes as a reply."""
        actor, text = ACTORS[name], "\n".join(self.fill_line(name, line, choice) for line in lines)
        letter = self.rig.newest.get(actor.address)
        commands = letter is not None and letter["X-Judge-Kind"] not in ("press", "confirm")
        if actor.sign_on and choice % 5 == 0 and letter and commands and letter["Reply-To"]:
            self.write(name, text, letter)
        else:
            self.write(name, f"{actor.sign_on}\n{text}" if actor.sign_on else text)

    def wait(self, hours: int) -> None:
        """Advance the clock and run the judge."""
        self.rig.clock.set(self.rig.clock.now() + timedelta(hours=hours))
        self.rig.run()
        self.look()

    def fill_line(self, name: str, line: str, choice: int) -> str:
        """Insert fitting phases, orders and words into a line."""
        game = self.game
        turns = self.rig.application.games.turns(game.id)
        undone = [turn for _, turn in self.rig.application.context.archive.turns(game.id)]
        shown = game.clock.setup
        facts = {
            "phase": game.phase,
            "earlier": turns[choice % len(turns)].phase if turns else "S1901M",
            "undone": undone[choice % len(undone)].phase if undone else "F1901M",
            "later": ("F1901M", "S1902M", "F1902M", "F1901R", "W1901A")[choice % 5],
            "word": shown.word if shown else "nothing",
            "order": self.order(LETTERS.get(name, ""), choice),
            "placed": ("ADD A Bur F", "REMOVE A Par", "SET PHASE F1902M", "CENTRE Bel F",
                       "F: A Bur")[choice % 5],
            "proxy": self.proxy(LETTERS.get(name, ""), choice),
        }
        return line.format(**facts)

    def order(self, letter: str, choice: int) -> str:
        """Return an order that a power could give now."""
        game = self.game
        if game.state not in (GameState.RUNNING, GameState.PAUSED):
            return "A Par H"
        side = {side.letter: side.name for side in find_system(game.system).powers(game.map, {})}
        menus = with_capability(table_of(game), OrderLists).menus(side.get(letter), "", {})
        if isinstance(menus, Phrase) or not menus:
            return "A Par H"
        orders = menus[choice % len(menus)].orders
        return orders[choice // 7 % len(orders)] if orders else "A Par H"

    def proxy(self, letter: str, choice: int) -> str:
        """Return a line that grants another power a proxy for a unit."""
        unit = self.order(letter, choice).split(" ")
        return f"{' '.join(unit[:2])} PROXY {'GFRT'[choice % 4]}"

    def write(self, name: str, text: str, reply_to: EmailMessage | None = None) -> None:
        """Send a mail and check its results."""
        sender = ACTORS[name].address
        self.told.append((name, text))
        if reply_to is None:
            self.rig.mail(sender, text)
        else:
            self.rig.reply(sender, text, reply_to)
        self.look(sender)

    def look(self, sender: str = "") -> None:
        """Check all invariants after a mail, or after some time."""
        application = self.rig.application
        shunted = application.post.list_shunted()
        assert not shunted, (shunted[-1].raw.decode(), shunted[-1].note, self.told[-12:])
        letters = [out for out in newest_out(application.post, 500) if out.id > self.seen]
        self.seen = last_out(application.post)
        assert not any(out.to == "postmaster@localhost" for out in letters), letters[0].message
        if sender:
            assert any(out.to == sender for out in letters), ("no answer", self.told[-3:])
            heads = Counter((out.to, self.head(out.message)) for out in letters if out.answers)
            twice = [x for x, many in heads.items() if many > 1 and "Re:" in x[1]]
            assert not twice or "BECOME" in self.told[-1][1], (twice, self.told[-3:])
        for box in self.rig.boxes.values():
            for letter in box:
                self.look_at(letter)
            box.clear()
        self.look_at_game()

    def head(self, message: bytes) -> str:
        """Return the subject of a letter and the seat it opens."""
        heads = message.partition(b"\r\n\r\n")[0].decode()
        found = [re.search(rf"^{word}: (.*)$", heads, re.M) for word in ("Subject", "Reply-To")]
        return " ".join(one[1].strip() for one in found if one)

    def look_at(self, letter: EmailMessage) -> None:
        """Check that a letter contains no secret."""
        text = str(letter["Subject"]) + text_of(letter)
        text += "".join(
            part.get_payload(decode=True).decode("utf-8", "replace")
            for part in letter.iter_attachments()
        )
        to = str(letter["To"])
        assert not re.search(r"pw(gm|ann|bob|carl|eve|joe|max)q", text), (text, self.told[-3:])
        assert not re.search(r"\{[a-z_]+\}|None\b.*None|<class|Traceback", text), text
        masters = {s.address for s in self.seats() if s.role is Role.MASTER}
        if to not in masters | {ACTORS["gm"].address, ACTORS["max"].address}:
            others = {a.address for a in ACTORS.values()} - {to}
            others -= {ACTORS["joe"].address}
            name, written = self.told[-1]
            if to == ACTORS[name].address:
                # Senders of an address learn nothing from their own line.
                others = {one for one in others if one not in written}
            known = [one for one in others if one in text]
            assert not known, (known, to, text, self.told[-3:])

    def seats(self) -> list[Seat]:
        """Return the seats of the game."""
        return self.rig.application.games.seats(self.game.id)

    def look_at_game(self) -> None:
        """Check the consistency of the stored game."""
        game, games = self.game, self.rig.application.games
        story = (game, self.told[-12:])
        seats = self.seats()
        self.look_at_seats(seats, story)
        # The last master of a finished game may leave it.
        masters = (s.role is Role.MASTER and s.state is SeatState.OCCUPIED for s in seats)
        assert game.state is GameState.ENDED or any(masters), story
        powers = Counter(s.power for s in seats if s.power and s.state is not SeatState.LEFT
                         and s.role is Role.PLAYER)
        assert all(many == 1 for many in powers.values()), (powers, story)
        if game.turn == 0:
            assert game.state in (GameState.FORMING, GameState.ENDED), story
            assert not game.clock.held, story
            return
        table = table_of(game)
        assert table.phase.label == game.phase, story
        turns = games.turns(game.id)
        assert [t.number for t in turns] == list(range(1, len(turns) + 1)), story
        assert game.turn == len(turns) + 1, story
        frozen = game.settings.get("frozen") in ("orders", "all")
        held = bool(game.clock.held)
        match game.state:
            case GameState.RUNNING:
                assert len(powers) == 7, (powers, story)
                assert not frozen, ("frozen and running", story)
                assert not game.clock.paused, story
                assert game.due or game.clock.waits_for or game.deadline is None, story
                assert not game.due or game.due > self.rig.clock.now(), ("late", story)
            case GameState.PAUSED:
                assert game.clock.paused, story
            case GameState.ENDED:
                assert game.result and not held, story
                # A finished game is due at the end of its talk.
                assert game.due is None or game.due > self.rig.clock.now(), ("late", story)
                assert not games.plans(game.id) and not games.ballots(game.id), story
                assert not games.orders(game.id, NEXT_MAIN_PHASE), story
            case GameState.FORMING:
                raise AssertionError(story)
        self.look_at_papers(game, story)
        archived = archive_stored(games, game)
        with_seed = archived._replace(game=replace(archived.game, seed=game.seed))
        assert not list(replay(with_seed)), story
        again = read_archive(write_archive(archived))
        assert write_archive(again) == write_archive(archived), story

    def look_at_seats(self, seats: list[Seat], story: object) -> None:
        """Check that every player has an address, and that vacant seats keep no wishes."""
        for seat in seats:
            if seat.state is SeatState.OCCUPIED:
                assert seat.address, (seat, story)
            if seat.state is SeatState.VACANT:
                assert not (seat.address or seat.wait or seat.ready), (seat, story)

    def look_at_papers(self, game: GameRecord, story: object) -> None:
        """Check that orders and plans on file are for possible phases."""
        games, table = self.rig.application.games, table_of(game)
        if game.state is not GameState.ENDED:
            for plan in games.plans(game.id):
                assert plan.phase != game.phase, ("plan for the present phase", plan, story)
                found = with_capability(table, FutureOrders).phase_called(plan.phase)
                assert not isinstance(found, Phrase), ("plan for what is over", plan, story)
            if table.phase.clock == "move":
                assert not games.orders(game.id, NEXT_MAIN_PHASE), (
                    "kept in a movement phase", story,
                )
            for power, sheet in games.orders(game.id, game.phase).items():
                table.show_sheet(power, sheet)
