"""Refusals of the judge: a mail for each reason code.

Each row is a mail from a seat (or without one) in the games of `world`. The reply must contain the
phrase of the code with any facts.
"""

import re
import string
from collections.abc import Iterator
from dataclasses import replace

import pytest

from judge.config import Config, StoreSection
from judge.phrases import phrasebook
from tests.journeys.rig import Rig, squeeze_text, text_of

GM, ANN, BOB, OLA, EVE = (f"{name}@example.org" for name in ("gm", "ann", "bob", "ola", "eve"))
KEEPER = "keeper@example.org"
WHO = {
    "M": (GM, "SIGNON Mmarco gmsecret"),
    "F": (ANN, "SIGNON Fmarco annsecret"),
    "E": (BOB, "SIGNON Emarco bobsecret"),
    "O": (OLA, "SIGNON Omarco olasecret"),
    "M2": (EVE, "SIGNON Mmarco evesecret"),
    "Mpolo": (GM, "SIGNON Mpolo gmsecret"),
    "?polo": (ANN, "SIGNON ?polo annsecret"),
    "Mdone": (GM, "SIGNON Mdone gmsecret"),
    "Fdone": (ANN, "SIGNON Fdone annsecret"),
    "ann": (ANN, ""), "bob": (BOB, ""), "eve": (EVE, ""), "gm": (GM, ""), "keeper": (KEEPER, ""),
}
LONG = "\n".join(["x"] * 201)
ROWS = [
    # The columns are the seat, the lines of the mail, and the code of the phrase in the reply.
    ("M", "START", "already-started"),
    ("M", "RESUME", "not-paused"),
    ("Mpolo", "PROCESS S1901M", "not-running"),
    ("Mpolo", "PAUSE", "not-running"),
    ("Mpolo", "RELEASE S1901M", "not-running"),
    ("Mpolo", "FREEZE", "not-running"),
    ("Mpolo", "SET DEADLINE +48h", "not-running"),
    ("M", "SET GRACE 1 Jan 2026", "instant-past"),
    ("M", "SET DEADLINE 1 Jan 2026", "instant-past"),
    ("M", "SET GUNBOAT", "setting-before-start"),
    ("F", "SET CONCESSIONS", "setting-master-only"),
    ("O", "SET WAIT", "setting-player-only"),
    ("Mdone", "SET COMMENT late", "already-over"),
    ("M", "DUMMY G\nDUMMY G", "dummy-already"),
    ("Mdone", "DUMMY G", "already-over"),
    ("M", "REVIVE Xyzzy", "no-such-power"),
    ("M", "REVIVE F", "revive-has-player"),
    ("M", "UNINVITE eve@example.org", "uninvite-nobody"),
    ("M", "INVITE eve@example.org Xyzzy", "no-such-power"),
    ("M", "INVITE eve@example.org France", "invite-not-vacant"),
    ("M", "INVITE eve@example.org", "invite-which"),
    ("Mdone", "INVITE eve@example.org Germany", "already-over"),
    ("Mpolo", "\n".join(f"INVITE p{n}@example.org" for n in range(7)), "invite-full"),
    ("M", "APPROVE eve@example.org", "approve-nobody"),
    ("Mdone", "PROMOTE eve@example.org", "already-over"),
    ("Mdone", "EJECT F", "already-over"),
    ("Mdone", "TERMINATE done F1901M", "already-over"),
    ("Mdone", "SETUP\nFrance: A Par\nENDSETUP", "already-over"),
    ("M", f"SETUP\n{LONG}\nENDSETUP", "block-too-long"),
    ("eve", "IMPORT trial marco", "import-needs-master"),
    ("Mdone", "IMPORT trial nowhere", "no-such-game"),
    ("M", "IMPORT trial marco", "import-not-over"),
    ("M", "IMPORT trial FROM marco", "import-not-over"),
    ("gm", "IMPORT trial\n{}\nENDIMPORT", "import-keeper-only"),
    ("M", "CLEAR", "needs-power"),
    ("O", "VOTE DRAW", "needs-running-power"),
    ("Mpolo", "VOTE DRAW", "needs-running-power"),
    ("Fdone", "VOTE DRAW", "already-over"),
    ("F", "VOTE RESUME", "not-paused"),
    ("F", "UNVOTE", "unvote-none"),
    ("Mpolo", "DIARY\na\nENDDIARY", "diary-before-start"),
    ("?polo", "DIARY\na\nENDDIARY", "diary-before-start"),
    ("O", "DIARY\na\nENDDIARY", "diary-for-players"),
    ("Fdone", "DIARY\na\nENDDIARY", "diary-after-end"),
    ("F", "DIARY READ 1", "diary-no-note"),
    ("F", "DIARY\na\nENDDIARY\nDIARY READ 2", "diary-no-note"),
    ("F", "DIARY\na\nENDDIARY\nDIARY READ 0", "diary-no-note"),
    ("F", "PRESS TO F\na\nENDPRESS", "press-to-oneself"),
    ("F", "PRESS TO E\n \nENDPRESS", "press-empty"),
    ("?polo", "PRESS TO E\na\nENDPRESS", "press-before-start"),
    ("Fdone", "PRESS TO E\na\nENDPRESS", "press-after-end"),
    ("Fdone", "STATEMENT\na\nENDPRESS", "press-after-end"),
    ("F", "STATEMENT\na\nENDSTATEMENT", "statement-before-end"),
    ("M", "SET TALK 61", "setting-most"),
    ("Mdone", "SET TALK 30", "already-over"),
    ("F", "SET TELL NAME", "tell-name-open"),
    ("O", "SET TELL NAME", "setting-player-only"),
    ("M", "SET NAMES AT END", "setting-before-start"),
    ("Mpolo", "SET NAMES AT END", "names-at-end-late"),
    ("ann", "NAME GM", "name-reserved"),
    ("O", "PRESS TO E\na\nENDPRESS", "press-by-observer"),
    ("O", "SET ABSENCE 8 Jan", "setting-player-only"),
    ("F", "SET ABSENCE 8 Jan TO 9 Jan TO 10 Jan", "absence-form"),
    ("F", "SET ABSENCE 8 Jan TO 2 Jan 2026", "absence-backwards"),
    ("F", "SET ABSENCE 1 Jan 2026", "absence-past"),
    ("F", "SET NO ABSENCE", "absence-none"),
    ("F", "SET ABSENCE 8 Jan TO 9 Jan\nSET ABSENCE 9 Jan TO 10 Jan", "absence-overlaps"),
    ("F", "SET ABSENCE 8 Jan TO 25 Jan", "absence-too-long"),
    ("ann", "IAMALSO nonsense@@", "address-unusable"),
    ("F", "SET ADDRESS ann@example.org", "address-same"),
    ("F", "SET ADDRESS nonsense", "address-unusable"),
    ("F", "SET ADDRESS new@example.org\nSET ADDRESS new@example.org", "address-asked-today"),
    ("eve", "OBSERVE done", "observe-over"),
    ("ann", "OBSERVE marco", "observe-player"),
    ("eve", "REGISTER\nLanguage: Klingon\nEND", "register-language"),
    ("eve", "REGISTER\nLevel: godlike\nEND", "register-level"),
    ("eve", "REGISTER\nTime zone: Mars/Olympus\nEND", "setting-zone"),
    ("eve", "JOIN marco evesecret", "join-not-forming"),
    ("eve", "JOIN polo evesecret youngstown", "join-other-variant"),
    ("eve", "TAKEOVER Gmarco evesecret blah", "takeover-words"),
    ("eve", "TAKEOVER Mmarco evesecret", "mastership-not-offered"),
    ("gm", "TAKEOVER Gmarco evesecret", "master-may-not-play"),
    ("ann", "TAKEOVER Gmarco evesecret", "seats-one"),
    ("O", "SITTER eve@example.org UNTIL 9 Jan", "needs-running-power"),
    ("F", "SITTER eve@example.org UNTIL 31 Dec 2026", "sitter-too-long"),
    ("O", "PHASE F1905M", "needs-running-power"),
    ("F", "PHASE F1905M\nSPRING 1904\nA Par H", "heading-other"),
    ("eve", "EXPORT polo", "export-not-begun"),
    ("F", f"SET PASSWORD {65 * 'x'}", "password-too-long"),
    ("eve", "RESET PASSWORD Fnowhere", "no-such-game"),
    ("eve", "CREATE ?marco evesecret standard", "game-name-taken"),
    ("Mpolo", "RENAME ninechars", "game-name-unusable"),
    ("Mpolo", "RENAME x", "game-name-unusable"),
    ("Mpolo", "RENAME 1game", "game-name-unusable"),
    ("M", "RENAME paul", "already-started"),
    ("Mpolo", "RENAME marco", "game-name-taken"),
    ("M", "PROMOTE gm@example.org", "promote-already"),
    ("M", "PROMOTE ann@example.org", "promote-player"),
    ("M", "PROMOTE nonsense@@", "no-address"),
    ("M", "INVITE nonsense@@ Germany", "no-address"),
    ("M", "DUMMY G\nREVIVE G nonsense@@", "no-address"),
    ("F", "SITTER nonsense@@ UNTIL 9 Jan", "no-address"),
    ("M", "PROMOTE eve@example.org OWNER", "owner-no-master"),
    ("M", "PROMOTE gm@example.org OWNER", "owner-already"),
    ("M", "SET GUNBOAT\nSET SHOW ADDRESSES", "setting-before-start"),
    ("Mpolo", "SET GUNBOAT\nSET SHOW ADDRESSES", "gunboat-shows-nobody"),
    ("Mpolo", "SET SHOW ADDRESSES\nSET GUNBOAT", "gunboat-shows-nobody"),
    ("eve", "CREATE ?fourth evesecret standard GUNBOAT SHOW ADDRESSES", "gunboat-shows-nobody"),
    ("Mpolo", "SET NO BOTS\nSET ABANDONED BOT", "bots-forbidden"),
    ("Mpolo", "SET NO BOTS\nBOT F", "bots-forbidden"),
    ("Mpolo", "SET NO BOTS\nSTART WITH BOTS", "bots-forbidden"),
    ("M", "UNSTART", "unstart-which"),
    ("M", "UNSTART F1901M", "process-other-phase"),
    ("Mpolo", "UNSTART S1901M", "not-running"),
    ("F", "BECOME E", "become-master-only"),
    ("Mpolo", "BECOME F", "not-running"),
    ("M", "BECOME X", "no-such-power"),
    ("M", "BECOME F\nSET PASSWORD another1", "become-not-this"),
    ("M", "BECOME F\nSET ADDRESS eve@example.org", "become-not-this"),
    ("M", "PROCESS", "process-which"),
    ("M", "PROCESS F1901M", "process-other-phase"),
    ("M", "RELEASE S1901M", "nothing-held"),
    ("M", "ROLLBACK", "rollback-nothing"),
    ("M", "ROLLFORWARD", "rollforward-nothing"),
    ("M", "SET NO FREEZE", "freeze-none"),
    ("M", "TERMINATE", "terminate-sure"),
    ("M", "TERMINATE polo S1901M", "terminate-sure"),
    ("M", "TERMINATE marco F1901M", "terminate-sure"),
    ("M", "SET SEATS 0", "setting-between"),
    ("M", "SET SEATS 100", "setting-most"),
    ("M", "SET MAX ABSENCE 32", "setting-most"),
    ("M", "SET MAX ABSENCE many", "setting-number"),
    ("M", "SET ZONE Mars/Olympus", "setting-zone"),
    ("M", "SET COMMENT", "setting-needs-value"),
    ("M", "SET NO DEADLINE", "setting-not-off"),
    ("M", "SET CRON 0 0 31 2 *", "setting-cron"),
    ("M", "SET REMINDER banana", "setting-reminder"),
    ("M", "SET LATE COUNT 7", "setting-too-much"),
    ("M", "SET BANANA", "setting-unknown"),
    ("F", "VOTE BANANA", "vote-unknown"),
    ("F", "VOTE PAUSE now", "vote-pause-form"),
    ("F", "VOTE EXTEND 59m", "vote-extend-span"),
    ("F", "VOTE EXTEND 999d", "vote-extend-span"),
    ("F", "VOTE CONCEDE F", "vote-concede-leader"),
    ("eve", "A Par H", "orders-without-seat"),
    ("O", "A Par H", "orders-by-observer"),
    ("?polo", "A Par H", "orders-before-start"),
    ("Fdone", "A Par H", "orders-after-end"),
    ("eve", "STANDBY narnia", "standby-map"),
    ("?polo", "OPTIONS", "not-running"),
    ("Fdone", "PREVIEW", "not-running"),
    ("O", "PREVIEW", "needs-power"),
    ("M", "EJECT G", "eject-nobody"),
    ("M", "DEMOTE eve@example.org", "demote-nobody"),
    ("M", "DEMOTE gm@example.org", "demote-owner"),
    ("M", "REVIVE G", "revive-nobody"),
    ("M", "BOT F", "bot-has-player"),
    ("M", "RESIGN", "master-may-not-resign"),
    ("F", "MAP F1950M", "map-not-played"),
    ("eve", "STATISTICS nowhere", "statistics-map"),
    ("F", "UNSUBSCRIBE", "unsubscribe-not-observer"),
    ("Mpolo", "SET MAP xyz", "map-unknown"),
    ("Mpolo", "SET MAP standard", "map-already"),
    ("eve", "TAKEOVER Fmarco evesecret", "takeover-not-vacant"),
    ("F", "SET PASSWORD two words", "password-of-several-words"),
]
FIVE = "\n".join(f"DUMMY {letter}" for letter in "AEFGI")
FOUR = "\n".join(f"PROMOTE p{n}@example.org" for n in range(4))
SIX = "\n".join(f"INVITE p{n}@example.org" for n in range(6))
PLANS = [
    f"PHASE {season}{year}{kind}\n{order}" for year in range(1902, 1907)
    for season, kind, order in (
        ("S", "M", "A Par H"), ("S", "R", "A Par D"), ("F", "M", "A Par H"), ("F", "R", "A Par D"),
        ("F", "A", "WAIVE"),
    )
]
LATER = [
    # The columns are the earlier mails and the code of the reply to the last one.
    ([("M", "SET MAX ABSENCE 0"), ("F", "SET ABSENCE 8 Jan")], "absence-not-allowed"),
    ([("Mpolo", f"{FIVE}\nDUMMY R")], "dummy-too-many"),
    ([("Mpolo", SIX), ("eve", "JOIN polo evesecret")], "join-full"),
    ([("Mpolo", "SET POWER CHOICE"), ("eve", "JOIN france@polo evesecret"), ("Mpolo", "DUMMY F")],
     "power-taken"),
    ([("Mpolo", "SET POWER CHOICE"), ("eve", "JOIN france@polo evesecret"),
      ("Mpolo", "INVITE bob@example.org F")], "power-taken"),
    ([("eve", "OBSERVE marco"), ("keeper", "OBSERVE marco")], "observe-full"),
    ([("gm", f"CREATE ?g{n} gmsecret standard") for n in range(3)], "create-too-many"),
    ([("M", "PROCESS S1901M"), ("M", "UNSTART F1901M")], "unstart-late"),
    ([("M", "PROCESS S1901M"), ("M", "ROLLBACK S1905M")], "rollback-beyond"),
    ([("M", "PROCESS S1901M"), ("M", "ROLLBACK S1901M")], "rollback-sure"),
    ([("M", "PROCESS S1901M"), ("M", "ROLLBACK S1901M FULL")], "rollback-full"),
    ([("M", "SET FREEZE"), ("M", "SET FREEZE")], "freeze-same"),
    ([("M", "SET FREEZE"), ("M", "RESUME")], "resume-frozen"),
    ([("M", "SET FREEZE"), ("F", "A Par H")], "orders-frozen"),
    ([("M", "SET FREEZE ORDERS"), ("F", "SET WAIT")], "orders-frozen"),
    ([("M", "SET FREEZE"), ("F", "VOTE DRAW")], "votes-frozen"),
    ([("M", "SET FREEZE VOTES"), ("F", "VOTE DRAW")], "votes-frozen"),
    ([("M", "SET FREEZE"), ("eve", "TAKEOVER Gmarco evesecret")], "frozen-takeover"),
    ([("M", "PAUSE"), ("F", "VOTE RESUME")], "vote-resume-master"),
    ([("M", "PAUSE"), ("F", "VOTE EXTEND 24h")], "vote-while-paused"),
    ([("M", "PAUSE"), ("M", "PAUSE")], "not-running"),
    ([("M", "SET NO CONCESSIONS"), ("F", "VOTE CONCEDE F")], "vote-no-concessions"),
    ([("M", "SET DIAS"), ("F", "VOTE DRAW EF")], "vote-draw-dias"),
    ([("M", "SET NO PRESS"), ("F", "PRESS TO E\na\nENDPRESS")], "press-none"),
    ([("M", "SET PRIVATE sesame"), ("eve", "TAKEOVER Gmarco evesecret")], "entry-private"),
    ([("M", "SET PRIVATE sesame"), ("eve", "TAKEOVER Gmarco evesecret open")], "entry-private"),
    ([("M", "SET DENY PLAYER eve@example.org"), ("eve", "TAKEOVER Gmarco evesecret")],
     "entry-not-for-you"),
    ([("M", "SET ALLOW PLAYER bob@example.org"), ("eve", "TAKEOVER Gmarco evesecret")],
     "entry-not-for-you"),
    ([("M", "SET LEVEL EXPERT"), ("eve", "TAKEOVER Gmarco evesecret")], "entry-level"),
    ([("M", "SET LEVEL EXPERT"), ("eve", "REGISTER\nLevel: novice\nEND"),
      ("eve", "TAKEOVER Gmarco evesecret")], "entry-level"),
    ([("M", "INVITE keeper@example.org G"), ("eve", "TAKEOVER Gmarco evesecret")],
     "takeover-kept"),
    ([("M", "SET SEATS 2"), ("ann", "TAKEOVER Gmarco annsecret"),
      ("ann", "TAKEOVER Imarco annsecret")], "seats-most"),
    ([("M", "SET SEATS 2\nEJECT E"), ("bob", "TAKEOVER Gmarco bobsecret")], "entry-barred"),
    ([("M", "SET OBSERVERS NONE"), ("eve", "OBSERVE marco")], "observe-nobody"),
    ([("ann", "IAMALSO one@example.com"), ("ann", "IAMALSO two@example.com")],
     "address-asked-today"),
    ([("ann", "IAMALSO one@example.com"), ("bob", "IAMALSO one@example.com")],
     "address-asked-today"),
    ([("eve", "OBSERVE marco evesecret"), ("M", "PROMOTE eve@example.org"),
      ("M2", "PROMOTE eve@example.org OWNER")], "owner-only"),
    ([("M", "PROMOTE eve@example.org"), ("M", "DEMOTE eve@example.org")], "promote-taken-back"),
    ([("M", FOUR), ("M", "PROMOTE q@example.org")], "promote-most"),
    ([("M", "SETUP\nFrance: A Par\nENDSETUP"), ("M", "SETUP bcdfgh")], "setup-not-shown"),
]
EDGES = [
    # The columns are earlier mails, the last accepted mail, the first refused one, and its code.
    ([("M", "INVITE keeper@example.org G")], ("eve", "TAKEOVER Imarco evesecret"),
     ("eve", "TAKEOVER Gmarco evesecret"), "takeover-kept"),
    ([], ("F", "SET ABSENCE 8 Jan TO 23 Jan 1:00"), ("F", "SET ABSENCE 8 Jan TO 23 Jan 1:01"),
     "absence-too-long"),
    ([("F", "SET ABSENCE 8 Jan\nSET ABSENCE 10 Jan")], ("F", "SET ABSENCE 12 Jan"),
     ("F", "SET ABSENCE 12 Jan\nSET ABSENCE 14 Jan"), "absence-too-many"),
    ([("F", "SET ABSENCE 8 Jan TO 9 Jan 12:00")], ("F", "SET ABSENCE 9 Jan 12:00 TO 10 Jan"),
     ("F", "SET ABSENCE 9 Jan 11:59 TO 10 Jan"), "absence-overlaps"),
    ([("F", "SET ABSENCE 9 Jan 12:00 TO 10 Jan")], ("F", "SET ABSENCE 8 Jan TO 9 Jan 12:00"),
     ("F", "SET ABSENCE 8 Jan TO 9 Jan 12:01"), "absence-overlaps"),
    ([], ("F", "SITTER eve@example.org UNTIL +60d"), ("F", "SITTER eve@example.org UNTIL +1441h"),
     "sitter-too-long"),
    ([], ("M", f"SETUP\n{LONG[2:]}\nENDSETUP"), ("M", f"SETUP\n{LONG}\nENDSETUP"),
     "block-too-long"),
    ([("M", "PROCESS S1901M\nSIGNON Mdone gmsecret")],
     ("eve", "EXPORT marco\nEXPORT marco ORDERS\nEXPORT marco"),
     ("eve", "EXPORT marco\nEXPORT marco ORDERS\nEXPORT marco\nEXPORT marco ORDERS"),
     "export-too-many"),
    ([], ("Mpolo", FIVE), ("Mpolo", f"{FIVE}\nDUMMY R"), "dummy-too-many"),
    ([], ("Mpolo", SIX), ("Mpolo", f"{SIX}\nINVITE q@example.org"), "invite-full"),
    ([], ("M", FOUR), ("M", f"{FOUR}\nPROMOTE q@example.org"), "promote-most"),
    ([], ("M", "SET MAX ABSENCE 31"), ("M", "SET MAX ABSENCE 32"), "setting-most"),
    ([], ("M", "SET SEATS 99"), ("M", "SET SEATS 100"), "setting-most"),
    ([], ("M", "SET REMINDER 24h,20h,16h,12h,6h"), ("M", "SET REMINDER 24h,20h,16h,12h,6h,1h"),
     "setting-reminder"),
    ([], ("F", "VOTE EXTEND 1h"), ("F", "VOTE EXTEND 59m"), "vote-extend-span"),
    ([], ("F", "VOTE EXTEND 7d"), ("F", "VOTE EXTEND 169h"), "vote-extend-span"),
    ([], ("Mpolo", "RENAME ab"), ("Mpolo", "RENAME a"), "game-name-unusable"),
    ([], ("Mpolo", "RENAME abcdefgh"), ("Mpolo", "RENAME abcdefghi"), "game-name-unusable"),
    ([], ("F", f"SET PASSWORD {64 * 'x'}"), ("F", f"SET PASSWORD {65 * 'x'}"),
     "password-too-long"),
    ([("Mdone", "\n".join(f"IMPORT trial{n} done" for n in range(4)))],
     ("Mdone", "IMPORT trial4 done"), ("Mdone", "IMPORT trial4 done\nIMPORT trial5 done"),
     "import-too-many"),
    ([("F", "\n".join(PLANS[:19]))], ("F", PLANS[19]), ("F", "\n".join(PLANS[19:21])),
     "too-many-plans"),
]


@pytest.fixture(scope="module")
def world() -> Iterator[Rig]:
    """A running game with France, England and an observer, and two other games.

    Polo is not started, and done is finished.
    """
    config = Config(store=StoreSection("sqlite:///:memory:"))
    policy = replace(config.policy, observers=2, open_games=4)
    made = Rig(replace(config, judge=replace(config.judge, keeper=KEEPER), policy=policy))
    for name in ("marco", "done"):
        made.mail(GM, f"CREATE ?{name} gmsecret standard\nSTART")
        made.mail(ANN, f"TAKEOVER F{name} annsecret")
    made.mail(BOB, "TAKEOVER Emarco bobsecret")
    made.mail(OLA, "OBSERVE marco olasecret")
    made.mail(GM, "CREATE ?polo gmsecret standard")
    made.mail(ANN, "JOIN polo annsecret")
    made.mail(GM, "SIGNON Mdone gmsecret\nSET NO TALK\nTERMINATE done S1901M")
    yield made
    made.close()


def sentence(code: str) -> re.Pattern[str]:
    """Return a pattern of the phrase of a code, with any facts."""
    parts = string.Formatter().parse(squeeze_text(phrasebook("diplomacy").sentences[code]))
    return re.compile("".join(
        re.escape(text) + ("" if name is None else ".*?") for text, name, *_ in parts
    ))


def answers(world: Rig, *mails: tuple[str, str]) -> str:
    """Return the reply to the last of some mails."""
    rig = world.again()
    for who, lines in mails:
        sender, opening = WHO[who]
        rig.mail(sender, f"{opening}\n{lines}")
    told = squeeze_text(text_of(rig.newest[sender]))
    rig.close()
    return told


@pytest.mark.parametrize(("who", "lines", "code"), ROWS)
def test_a_refusal_has_its_reason(world: Rig, who: str, lines: str, code: str) -> None:
    told = answers(world, (who, lines))
    assert sentence(code).search(told), told


@pytest.mark.parametrize(("mails", "code"), LATER)
def test_a_refusal_after_earlier_mails_has_its_reason(
    world: Rig, mails: list[tuple[str, str]], code: str
) -> None:
    told = answers(world, *mails)
    assert sentence(code).search(told), told


@pytest.mark.parametrize(("mails", "just", "over", "code"), EDGES)
def test_a_limit_has_its_documented_value(
    world: Rig, mails: list[tuple[str, str]], just: tuple[str, str], over: tuple[str, str],
    code: str,
) -> None:
    told = answers(world, *mails, just)
    assert not sentence(code).search(told), told
    told = answers(world, *mails, over)
    assert sentence(code).search(told), told
