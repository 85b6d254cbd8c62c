"""All commands as repeatable lines, each with a sender, for tests of floods.

`test_floods` fails for a command without a line here, since the cost of a new command for others
must be known.
"""

from typing import NamedTuple

from judge.play.choices.settingtable import Setting, Takes, all_settings
from judge.play.votes import MATTERS

GM, ANN, EVE, ZOE = "gm@example.org", "ann@example.org", "eve@example.org", "zoe@example.org"
SIGN_ONS = {
    GM: "SIGNON Mmarco gmsecret\n",
    ANN: "SIGNON Fmarco annsecret\n",
    EVE: "SIGNON Omarco evesecret\n",
    ZOE: "",
}
TIMES = 500


class Flood(NamedTuple):
    """Lines that a sender repeats. `{n}` is a different number each time."""

    writer: str
    lines: tuple[str, ...]

    @property
    def name(self) -> str:
        """Test ID."""
        return f"{self.writer.partition('@')[0]}: {'; '.join(self.lines)}"[:60]

    @property
    def mail(self) -> str:
        """Text of the whole mail."""
        said = "\n".join(self.lines[n % len(self.lines)].format(n=n) for n in range(TIMES))
        return SIGN_ONS[self.writer] + said + "\n"


_ANYBODY = (
    "SIGNON Fmarco annsecret", "SIGNON Emarco wrong{n}", "CREATE ?g{n} secret standard",
    "JOIN polo secret", "JOIN polo secret AGAIN", "OBSERVE marco", "MONITOR marco",
    "TAKEOVER Tmarco secret", "RESET PASSWORD Fmarco", "LIST", "LIST marco", "LIST FULL",
    "LIST MAPS",
    "LIST standard open", "WHO marco", "MAP standard TEXT", "MAP standard NAMES",
    "SUMMARY marco", "HISTORY marco FROM 1 Jan 2026", "HELP", "HELP SET M", "HELP x{n}",
    "VERSION", "A Par - Bur", "A Nowhere{n} - Bur", "RATING", "STATISTICS", "MAP marco",
    "MAP marco TEXT", "EXPORT marco", "LOG marco", "INFO PLAYER", "STANDBY standard",
    "SIT france@marco", "IAMALSO ann{n}@nowhere.invalid", "SIGNOFF", "GET rules",
    "REGISTER\nname Ann Other{n}\nEND", "HELLP {n}", "?",
)
_PLAYER = (
    "A Par - Bur", "A Par - Bur; F Bre - Eng; A Mar - Spa", "CLEAR", "DROP", "STATUS", "READY",
    "NOT READY", "S1901M",
    "PHASE F1902M\nA Par - Bur", "IF A Par THEN A Mar - Bur ENDIF", "REPLACE",
    "OPTIONS A Par", "PREVIEW", "PRESS TO E\nHello {n}\nENDPRESS",
    "BROADCAST\nHello {n}\nENDBROADCAST", "POSTAL PRESS TO E\nHello {n}\nENDPRESS",
    "PRESS TO MASTER\nHello {n}\nENDPRESS", "DIARY\nDear diary {n}\nENDPRESS",
    "STATEMENT\nWell played {n}\nENDPRESS", "MY GAMES",
    "DIARY LIST", "DIARY READ 1", "DIARY DELETE 1", "RESIGN",
    "SITTER p{n}@nowhere.invalid UNTIL 9 Jan",
    "SET PASSWORD secret{n}", "SET ADDRESS p{n}@nowhere.invalid", "SET ADDRESS eve@example.org",
    "SET ABSENCE 9 Jan", "CONFIRM", "HELP SET M", "LIST marco", "HISTORY marco FROM 1 Jan 2026",
    "INFO PLAYER", "MAP TEXT", "EXPORT", "LOG", "SUMMARY", "EXCUSE", "FORK marco",
)
_WATCHER = ("UNSUBSCRIBE", "PRESS TO M\nHello {n}\nENDPRESS", "STATUS", "TAKEOVER Mmarco secret")
_MASTER = (
    "START", "PROCESS S1901M", "PAUSE", "RESUME", "EJECT F", "EJECT eve@example.org",
    "TERMINATE marco S1901M", "RELEASE", "ROLLBACK", "ROLLFORWARD", "SETUP\nA Par F\nENDSETUP",
    "BECOME F", "PROMOTE p{n}@nowhere.invalid", "PROMOTE eve@example.org",
    "OFFICIAL news {n}\nHello {n}\nENDOFFICIAL", "DUMMY F", "REVIVE F", "BOT F",
    "BOT F OFF", "START WITH BOTS",
    "REVIVE T p{n}@nowhere.invalid", "UNSTART", "RENAME polo{n}", "FREEZE", "UNFREEZE",
    "INVITE p{n}@nowhere.invalid T", "INVITE bob@nowhere.invalid T",
    "APPROVE p{n}@nowhere.invalid", "SET DENY PLAYER p{n}@nowhere.invalid",
    "BROADCAST\nHello {n}\nENDBROADCAST", "A Par - Bur", "STATUS", "SET ABSENCE 9 Jan",
    "PROCESS", "HELP SET", "IMPORT t{n} marco",
)
_PAIRS = {
    ANN: (
        ("VOTE DRAW", "UNVOTE"), ("SET WAIT", "SET NOWAIT"), ("READY", "NOT READY"),
        ("SITTER p{n}@nowhere.invalid UNTIL 9 Jan", "SITTER OFF"),
        ("SET ABSENCE 9 Jan", "SET NO ABSENCE"), ("A Par - Bur", "STATUS"),
        ("A Par - Bur", "A Par - Pic"), ("A Par - Bur", "MAP TEXT"),
        ("VOTE CLOCK MOVE NEXT {n}", "VOTE EXTEND 24h"), ("VOTE EXTEND {n}h", "UNVOTE"),
        ("SET NAME Ann {n}", "INFO PLAYER"), ("RESIGN", "TAKEOVER Fmarco annsecret"),
    ),
    EVE: (("UNSUBSCRIBE", "OBSERVE marco evesecret"),),
    GM: (
        ("PAUSE", "RESUME"), ("FREEZE", "UNFREEZE"), ("EJECT F", "REVIVE F"),
        ("DUMMY F", "REVIVE F"), ("UNSTART", "START"), ("UNSTART", "START NOW"),
        ("PROMOTE eve@example.org", "DEMOTE eve@example.org"),
        ("INVITE bob@nowhere.invalid T", "UNINVITE bob@nowhere.invalid"),
        ("PROMOTE bob@nowhere.invalid", "DEMOTE bob@nowhere.invalid"),
        ("SET DEADLINE +{n}h", "STATUS"), ("SET COMMENT {n}", "LIST marco"),
        ("BECOME F", "A Par - Bur"), ("SIGNON Mmarco gmsecret", "HELP SET M"),
        ("SETUP\nA Par F\nENDSETUP", "ROLLBACK"), ("PROCESS S1901M", "ROLLBACK S1901M"),
    ),
    ZOE: (("OBSERVE marco", "HELP"), ("JOIN polo secret", "RESIGN"), ("HELP", "LIST marco"),
          ("OBSERVE marco", "UNSUBSCRIBE")),
}
_VALUES = {
    Takes.NOTHING: "", Takes.HOURS: "{n}h", Takes.TIME_OF_DAY: "9:00", Takes.DAYS: "-MTWTF-",
    Takes.NUMBER: "{n}", Takes.REMINDERS: "{n}h", Takes.CRON: "0 20 * * tue",
    Takes.ZONE: "Europe/Paris", Takes.TEXT: "text {n}", Takes.KINDS: "NO PRESS",
    Takes.DIGEST: "9:00", Takes.INSTANT: "+{n}h", Takes.PERIOD: "9 Jan",
    Takes.ADDRESSES: "p{n}@nowhere.invalid",
}


def _set(row: Setting) -> str:
    value = _VALUES.get(row.takes, "{n}")
    return " ".join(("SET", *row.words, value)).strip()


def floods() -> list[Flood]:
    """Return all floods."""
    single = {ZOE: _ANYBODY, ANN: _PLAYER, EVE: _WATCHER, GM: _MASTER}
    found = [Flood(who, (line,)) for who, lines in single.items() for line in lines]
    found += [Flood(who, pair) for who, pairs in _PAIRS.items() for pair in pairs]
    found += [Flood(ANN, (f"VOTE {name.upper()}",)) for name in MATTERS]
    # The same words with two meanings give one flood.
    lines = dict.fromkeys(_set(row) for row in all_settings())
    found += [Flood(who, (line,)) for line in lines for who in (GM, ANN)]
    return found
