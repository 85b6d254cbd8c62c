"""Impersonation: forged From lines, borrowed confirmations, quotes, known seeds.

A judge behind a real SMTP server, with `confirm` on, is attacked by mail alone. `run` returns the
successes of the attacker. An empty list means that nothing changed in the name of another person.
"""

import random
import re
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import timedelta
from email.message import EmailMessage
from pathlib import Path

from judge.config import Config
from tests.journeys.postal import PostalBench
from tests.journeys.rig import Rig, text_of

GM, ANN, BOB = "gm@example.org", "ann@example.org", "bob@example.org"
EVE, SAM = "eve@example.org", "sam@example.org"
SECRETS = {GM: "gmsecret", ANN: "annsecret", BOB: "bobsecret", EVE: "evesecret", SAM: "samsecret"}

FORGED: tuple[str, ...] = (
    "NAME Evil Example", "NICKNAME Evil", "NAME OFF",
    "REGISTER\nName: Evil Example\nEND", "REGISTER\nZone: Asia/Tokyo\nEND",
    "REGISTER\nLanguage: de\nLevel: expert\nEND",
    "STANDBY", "STANDBY standard", "STANDBY OFF", "SET NO STANDBY",
    "OBSERVE polo", "MONITOR polo", "WATCH fort", "OBSERVE fort evilpw", "OBSERVE polo OFF",
    "UNSUBSCRIBE", "UNOBSERVE polo", "please unsubscribe me from polo",
    "IAMALSO OFF ann@work.example", "IAMALSO evil@example.net",
    "JOIN fort evilpw", "JOIN fort evilpw AGAIN", "SIGNON ?fort evilpw", "SIGNON ? evilpw",
    "CREATE ?evil evilpw standard", "TAKEOVER Epolo evilpw", "TAKEOVER Mpolo evilpw",
    "SIT Fpolo", "RESIGN", "WITHDRAW", "RESIGN Fpolo evilpw", "CONFIRM",
    "SET PASSWORD evilpw", "RESET PASSWORD Fpolo", "SET ADDRESS evil@example.net", "SET WAIT",
    "SET NAME Evil", "SET ZONE Asia/Tokyo", "SET LANGUAGE de", "SET PREFERENCE T", "FREEZE",
    "SITTER evil@example.net UNTIL +7d", "INVITE evil@example.net", "APPROVE evil@example.net",
    "START", "START WITH BOTS", "PROCESS S1901M", "PAUSE", "RESUME", "TERMINATE polo S1901M",
    "EJECT France", "RELEASE S1901M", "ROLLBACK", "ROLLFORWARD", "UNSTART", "RENAME evil",
    "PROMOTE evil@example.net", "DEMOTE ann@example.org", "DUMMY France", "BOT France",
    "REVIVE France", "BECOME France", "FORK polo S1901M", "IMPORT evil polo", "EXPORT polo",
    "SETUP\nF A Par\nENDSETUP", "OFFICIAL\nEvil\nENDOFFICIAL",
    "A Par - Pic", "CLEAR", "DROP", "CANCEL A Par", "READY", "NOT READY", "VOTE DRAW", "UNVOTE",
    "EXCUSE",
    "PHASE F1901M\nA Par - Pic", "REPLACE\nA Par H", "IF A Bur THEN A Par H ENDIF",
    "PRESS TO ALL\nEvil\nENDPRESS", "BROADCAST\nEvil\nENDPRESS", "STATEMENT\nEvil\nENDPRESS",
    "DIARY\nEvil\nENDPRESS", "DIARY DELETE 1",
    "SIGNON Fpolo evilpw\nA Par - Pic", "SIGNON Mpolo evilpw\nTERMINATE polo S1901M",
)
"""Forged mails: every command that changes data, from a known address."""


class Attack:
    """A judge with two games and five known people, and the attackers' successes."""

    def __init__(self, folder: Path) -> None:
        policy = replace(Config().policy, confirm="true")
        self.rig: Rig = PostalBench(replace(Config(), policy=policy), folder)
        self.failures: list[str] = []

    def begin(self) -> None:
        """Set up a paused game, a forming one, an observer and a named person."""
        self.proven(GM, "CREATE ?polo gmsecret standard\nSET MANUAL START")
        self.proven(ANN, "JOIN polo annsecret\nSET PREFERENCE F")
        self.proven(EVE, "OBSERVE polo evesecret")
        self.rig.mail(GM, "SIGNON Mpolo gmsecret\nSTART\nPAUSE")
        self.proven(GM, "CREATE ?fort gmsecret standard\nSET MANUAL START")
        self.proven(BOB, "JOIN fort bobsecret")
        self.proven(SAM, "NAME Sam Example\nSTANDBY standard")
        self.rig.mail(ANN, "SIGNON Fpolo annsecret\nA Par - Bur\nA Mar - Spa\nREADY")
        self.next_day()

    def proven(self, address: str, text: str) -> None:
        """Send a command and confirm it with YES."""
        self.rig.mail(address, text)
        letter = self.rig.newest[address]
        if letter["X-Judge-Kind"] == "confirm":
            self.rig.reply(address, "YES", letter)

    def next_day(self) -> None:
        """Advance by a day, after which confirmation requests are sent again."""
        self.rig.clock.set(self.rig.clock.now() + timedelta(days=1, minutes=1))
        self.rig.run()
        self.rig.boxes.clear()

    def answer_no(self, victim: str) -> None:
        """Answer the open confirmation of a victim, if there is one, with NO."""
        letter = self.rig.newest.get(victim)
        if letter is not None and letter["X-Judge-Kind"] == "confirm":
            self.rig.reply(victim, "NO", letter)

    def seen(self) -> dict[str, str]:
        """Return all that the people see of themselves and their games.

        They query it by mails with passwords.
        """
        shown = {}
        for address, signon in (
            (GM, "SIGNON Mpolo gmsecret\nSTATUS\nSIGNON Mfort gmsecret\nSTATUS"),
            (ANN, "SIGNON Fpolo annsecret\nSTATUS\nDIARY LIST"),
            (BOB, "SIGNON ?fort bobsecret\nSTATUS"), (EVE, "SIGNON Opolo evesecret\nSTATUS"),
            (SAM, "LIST polo"),
        ):
            self.rig.boxes.clear()
            self.rig.mail(address, f"INFO PLAYER\nMY GAMES\nLIST\nLIST fort\n{signon}")
            shown[address] = "\n".join(map(_lasting, self.rig.boxes.get(address, ())))
        self.rig.boxes.clear()
        return shown

    def compare(self, before: dict[str, str], what: str) -> None:
        """Record a failure for each person whose view has changed."""
        after = self.seen()
        for address, text in before.items():
            if text != after[address]:
                changed = set(after[address].splitlines()) ^ set(text.splitlines())
                self.failures.append(f"{what!r}: {address} now sees {sorted(changed)[:3]}")


def _lasting(letter: EmailMessage) -> str:
    """Return the text of a letter without the lines about time and recent letters."""
    return "\n".join(
        line for line in text_of(letter).splitlines()
        if not re.search(r"That leaves|Deadline:|has been paused|last heard", line)
    )


def forged_froms(attack: Attack, chance: random.Random) -> None:
    """Send every command in the name of a known address, alone and among others."""
    before = attack.seen()
    for text in chance.sample(FORGED, len(FORGED)):
        victim = chance.choice((GM, ANN, BOB, EVE, SAM))
        more = chance.choice(("", "\nLIST", "\nHELP", f"\n{chance.choice(FORGED)}"))
        attack.rig.boxes.clear()
        attack.rig.mail(victim, text + more)
        for address in set(attack.rig.boxes) - {victim}:
            # IAMALSO and RESET PASSWORD ask the named address to confirm.
            kinds = {letter["X-Judge-Kind"] for letter in attack.rig.boxes[address]}
            if kinds - {"confirm"}:
                attack.failures.append(f"{text!r} of {victim} mails {address}: {kinds}")
        attack.answer_no(victim)
        if chance.random() < 0.2:
            attack.compare(before, text + more)
            attack.next_day()
    attack.compare(before, "all forged mails")


def borrowed_confirmations(attack: Attack, chance: random.Random) -> None:
    """Try to use a victim's YES for another command that was forged after it."""
    attack.next_day()
    attack.rig.mail(SAM, "STANDBY standard")
    asked = attack.rig.newest[SAM]
    attack.rig.clock.set(attack.rig.clock.now() + timedelta(minutes=5))
    name = f"Evil {chance.randrange(10**6)}"
    attack.rig.mail(SAM, f"NAME {name}\nOBSERVE fort")
    attack.rig.reply(SAM, "YES", asked)
    attack.rig.boxes.clear()
    attack.rig.mail(SAM, "INFO PLAYER\nMY GAMES")
    told = "\n".join(map(_lasting, attack.rig.boxes.get(SAM, ())))
    if name in told or "fort" in told:
        attack.failures.append(f"a YES carried out what its letter did not list: {name}")
    attack.rig.mail(SAM, "STANDBY standard")
    attack.answer_no(SAM)


def flooded_victim(attack: Attack, chance: random.Random) -> None:
    """Cause many confirmation requests to one address within a day."""
    attack.next_day()
    for number in range(30):
        attack.rig.mail(EVE, f"NAME Evil {chance.randrange(10**6)} {number}")
    many = sum(letter["X-Judge-Kind"] == "confirm" for letter in attack.rig.boxes.get(EVE, ()))
    if many > 10:
        attack.failures.append(f"{many} letters that ask for a yes within a day")
    attack.answer_no(EVE)


def quoted_press(attack: Attack, chance: random.Random) -> None:
    """Try to run orders in press when its reader quotes it behind various marks."""
    attack.next_day()
    rig = attack.rig
    rig.mail(GM, "SIGNON Mpolo gmsecret\nPRESS TO F\nDear France,\nA Par - Pic\nENDPRESS")
    press = [each for each in rig.boxes.get(ANN, ()) if each["X-Judge-Kind"] == "press"]
    if not press:
        attack.failures.append("no press came, so quoting was not tried")
        return
    for mark in ("> ", "* ", "| ", "- ", "  "):
        body = "\n".join(mark + line for line in text_of(press[0]).splitlines())
        rig.mail(ANN, f"SIGNON Fpolo annsecret\nA Par - Bur\n\nThe master wrote:\n{body}\n")
        rig.boxes.clear()
        rig.mail(ANN, "SIGNON Fpolo annsecret\nSTATUS")
        if "Burgundy" not in text_of(rig.newest[ANN]) or "Picardy." in text_of(rig.newest[ANN]):
            attack.failures.append(f"an order in press was filed when quoted behind {mark!r}")


_SEED = re.compile(r"Random seed of this game: ([0-9a-f]+)")


def known_seed(attack: Attack, chance: random.Random) -> None:
    """End a game, which publishes its seed, and continue it with another seed."""
    attack.next_day()
    rig = attack.rig
    name = f"s{chance.randrange(10**5):05}"
    attack.proven(GM, f"CREATE ?{name} gmsecret standard\nSTART")
    seeds = []
    for line in ("TERMINATE", "ROLLBACK", "TERMINATE"):
        rig.mail(GM, f"SIGNON M{name} gmsecret\n{line}")
        again = re.search(rf"^ +({line} {name}\b.*)$", text_of(rig.newest[GM]), re.M)
        if line == "TERMINATE" and again is None:
            attack.failures.append(f"{line} of {name} was not asked back")
            return
        rig.boxes.clear()
        rig.mail(GM, f"SIGNON M{name} gmsecret\n{again[1] if again else line}")
        told = "\n".join(text_of(each) for each in rig.boxes.get(GM, ()))
        seeds += _SEED.findall(re.sub(r"\s+", " ", told))[:1]
    if len(set(seeds)) < 2:
        attack.failures.append(f"{name} went on with a seed that was published: {seeds}")


ATTACKS: Sequence[Callable[[Attack, random.Random], None]] = (
    forged_froms, borrowed_confirmations, flooded_victim, quoted_press, known_seed,
)


def run(rounds: int = 3, attacks: Sequence[Callable[[Attack, random.Random], None]] = ATTACKS
        ) -> list[str]:
    """Run *rounds* rounds of attacks and return the failures, one line each."""
    return [failure for number in range(rounds) for failure in _round(number, attacks)]


def _round(
    number: int, attacks: Sequence[Callable[[Attack, random.Random], None]]
) -> Iterator[str]:
    with tempfile.TemporaryDirectory() as folder:
        attack = Attack(Path(folder))
        try:
            attack.begin()
            for each in attacks:
                each(attack, random.Random(f"{number} {each.__name__}"))
                print(f"round {number + 1}: {each.__name__}, {len(attack.failures)} failures")
        finally:
            attack.rig.close()
        yield from attack.failures


if __name__ == "__main__":
    for each in run():
        print(each)
