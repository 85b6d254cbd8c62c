"""A gunboat game with a marker in every trace of a person, sought in all letters."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from email.message import EmailMessage
from enum import Enum
from typing import NamedTuple

import pytest

from judge.daemon.bounces import BounceHandler
from judge.play.commands.asking.inquiries import Version
from tests.journeys.received import parse_letter
from tests.journeys.rig import Rig, squeeze_text, text_of
from tests.mail.test_bounces import report
from tests.outbox import newest_out

GM, BOB, EVE = "gm@example.org", "bob@example.org", "eve@example.org"
ANN, ANN_NEW, SITTER = "ann@q01.example", "ann@q10.example", "zoe@example.org"
ANN_ALSO = "ann@q18.example"
CARL, NEWCOMER = "carl@q16.example", "joe@q12.example"
KEEPER = "postmaster@localhost"

class IdentityLeak(Enum):
    """A channel through which a player's identity could leak, with its protection."""

    ADDRESS = "lists of who plays what: letter_factory.roster"
    NAME = "the name somebody registered: letter_factory.roster"
    FIGURES = "INFO PLAYER, level and reliability: persons.info_player"
    ZONE = "a person's own zone is for his own letters: letter_factory.zone_of"
    DISPLAY_NAME = "To is the bare registered address, From the judge: mail/outbound/render"
    MESSAGE_ID = "In-Reply-To and References go to the writer alone: commands/receipts"
    SUBJECT = "subjects are ours: letter_factory.letter_to"
    HEADERS = "Received, User-Agent, Date and the like are never copied: mail/outbound/compose"
    SIGNATURE = "the signature and footer under a reply to press: mail/inbound/quote_stripper"
    ATTRIBUTION = "'On Monday Ann wrote' above a quote: mail/inbound/quote_stripper"
    ABSENCE = "when somebody is away: absences, to masters who do not play"
    LATENESS = "who is late; letters count them: lateness, `counts_only`"
    SITTER = "that somebody else plays for a while: sitting"
    MEMBERSHIP = "whether an address is in the game: SITTER, INVITE, REVIVE are answered the same"
    ALIAS = "a person's other addresses: aliases, INFO PLAYER"
    MOVE = "a new address, and the old: moving"
    NEWCOMER = "who asks to play: entry, without the power for a master who plays"
    BOUNCE = "letters that come back, and what the other server said: daemon/bounces"
    FAULT = "a mail that was set aside: daemon/error_reports"
    LEAVING = "who resigned or was ejected: leaving, by power"
    WISH = "preferences and the password: the seat's own receipts"


MARKERS: Mapping[IdentityLeak, str] = {
    IdentityLeak.ADDRESS: "ann@q01",
    IdentityLeak.NAME: "Nameq02",
    IdentityLeak.FIGURES: "level: advanced",
    IdentityLeak.ZONE: "Kathmandu",
    IdentityLeak.DISPLAY_NAME: "Displayq03",
    IdentityLeak.MESSAGE_ID: "q04-",
    IdentityLeak.SUBJECT: "Subjectq05",
    IdentityLeak.HEADERS: "Headerq06",
    IdentityLeak.SIGNATURE: "Signedq07",
    IdentityLeak.ATTRIBUTION: "Attributedq08",
    IdentityLeak.ABSENCE: "24 Jun",
    IdentityLeak.LATENESS: "missing from France",
    IdentityLeak.SITTER: "A sitter plays France",
    IdentityLeak.MEMBERSHIP: "You already have a seat in 'boat'",
    IdentityLeak.ALIAS: "ann@q18",
    IdentityLeak.MOVE: "ann@q10",
    IdentityLeak.NEWCOMER: "joe@q12.example asks to play Russia",
    IdentityLeak.BOUNCE: "unknown user q13",
    IdentityLeak.FAULT: "mail from ann@q10",
    IdentityLeak.LEAVING: "Carlq16",
    IdentityLeak.WISH: "annq17",
}
"""Marker of each trace, or its rendering in letters to those who may know."""

OWN = {ANN, ANN_ALSO, ANN_NEW, SITTER, KEEPER}
"""Ann at both addresses, her sitter and the operator."""
MAY_READ = {
    IdentityLeak.MEMBERSHIP: {CARL}, IdentityLeak.NEWCOMER: {NEWCOMER},
    IdentityLeak.LEAVING: {CARL},
}


class Sent(NamedTuple):
    """One letter: its recipient, and its raw and decoded content."""

    to: str
    text: str


class Played(NamedTuple):
    """Result of the game: letters, received mails, and whether the master plays."""

    letters: list[Sent]
    mails: str
    master_plays: bool

    def others(self, trace: IdentityLeak) -> list[Sent]:
        """Return the letters to recipients without the right to know a trace."""
        allowed = OWN | MAY_READ.get(trace, set())
        allowed |= set() if self.master_plays else {GM}
        return [letter for letter in self.letters if letter.to not in allowed]


def write(rig: Rig, text: str, *, sender: str = ANN, to: str = "") -> None:
    """Write a mail as Ann, with all traces that mail programs leave."""
    rig.mails += 1
    mail = EmailMessage()
    mail["From"] = f"Displayq03 <{sender}>"
    mail["To"] = to or rig.config.judge.address
    mail["Subject"] = "Subjectq05"
    mail["Message-ID"] = f"<q04-{rig.mails}@q04-home.example>"
    mail["In-Reply-To"] = mail["References"] = "<q04-old@q04-home.example>"
    mail["Received"] = "from Headerq06 ([192.0.2.6]) by mx; Mon, 5 Jan 2026 12:00:00 +0545"
    mail["Date"] = "Mon, 05 Jan 2026 17:45:00 +0545"
    mail["User-Agent"] = mail["Organization"] = mail["X-Originating-IP"] = "Headerq06"
    mail.set_content(text)
    rig.take(bytes(mail), sender, to)


def reply(rig: Rig, text: str, sender: str = ANN) -> None:
    write(rig, text, sender=sender, to=str(rig.newest[sender]["Reply-To"]))


def play(rig: Rig, monkeypatch: pytest.MonkeyPatch, *, master_plays: bool) -> None:
    """Play a game that leaves every trace."""
    plays = "SET GM PLAYS" if master_plays else ""
    rig.mail(
        GM,
        f"CREATE ?boat gmsecret standard\n{plays}\nSET GUNBOAT; SET SHOW ADDRESSES\n"
        "SET NMR WAIT",
    )
    write(
        rig,
        "REGISTER\nName: Nameq02\nTime zone: Asia/Kathmandu\nLevel: advanced\nEND\n"
        "JOIN boat annq17; SET PREFERENCE F\nSET ABSENCE 24 Jun TO 27 Jun",
    )
    rig.mail(BOB, "JOIN boat bobsecret; SET PREFERENCE G")
    rig.mail(CARL, "REGISTER\nName: Carlq16\nEND\nJOIN boat carlsecret; SET PREFERENCE R")
    rig.mail(EVE, "OBSERVE boat")
    rig.mail(GM, "SIGNON Mboat gmsecret; STATUS; LIST boat; INFO PLAYER F; START")
    write(rig, f"IAMALSO {ANN_ALSO}")
    reply(rig, "yes")
    reply(rig, "yes", ANN_ALSO)
    write(rig, "SIGNON Fboat annq17\nSET COPIES", sender=ANN_ALSO)
    ask_about_others(rig)
    press_and_sitter(rig)
    # Next are a new address, a bounce and an internal error.
    write(rig, f"SIGNON Fboat annq17\nSET ADDRESS {ANN_NEW}")
    reply(rig, "yes", ANN_NEW)
    letter = BounceHandler(rig.application).address_letter(
        newest_out(rig.application.post, 1, ANN_NEW)[0]
    )
    rig.take(report("failed", "5.1.1", "550 5.1.1 unknown user q13"), "", letter.sender)
    with monkeypatch.context() as patch:
        kinds = rig.application.dispatcher.kinds
        patch.setitem(kinds, Version, replace(kinds[Version], run=_fail))
        write(rig, "SIGNON Fboat annq17\nVERSION", sender=ANN_NEW)
    # Next are lateness, silence, a resigned seat and a request for it.
    rig.mail(BOB, "SIGNON Gboat bobsecret\nVOTE DRAW\nREADY")
    rig.mail(CARL, "SIGNON Rboat carlsecret\nREADY")
    rig.clock.advance(days=3, hours=1)
    rig.run()
    rig.mail(GM, "SIGNON Mboat gmsecret\nSET APPROVAL\nPROCESS S1901M")
    rig.resign(CARL, "SIGNON Rboat carlsecret")
    rig.mail(NEWCOMER, "TAKEOVER Rboat joesecret")
    rig.mail(GM, "SIGNON Mboat gmsecret\nLIST boat\nINFO PLAYER F\nSTATUS\nHISTORY")
    ask_about_others(rig)
    rig.mail(GM, f"SIGNON Mboat gmsecret\nAPPROVE {NEWCOMER}\nEJECT F\nTERMINATE boat")
    rig.mail(GM, "SIGNON Mboat gmsecret\nTERMINATE boat F1901M")
    ask_about_others(rig)


def ask_about_others(rig: Rig) -> None:
    """Ask all possible questions as those who may not know."""
    rig.mail(BOB, "SIGNON Gboat bobsecret\nSTATUS\nLIST boat\nHISTORY\nSUMMARY\nINFO PLAYER F")
    rig.mail(BOB, "SIGNON Gboat bobsecret\nINFO PLAYER\nLIST FULL\nHISTORY boat FROM 1 Jan 2026")
    rig.reply(EVE, "LIST boat\nHISTORY\nSUMMARY\nINFO PLAYER F\nSTATUS\nEXPORT\nEXPORT ORDERS")
    rig.mail("who@example.org", "LIST boat\nHISTORY boat\nINFO PLAYER F\nJOIN boat secret")


def press_and_sitter(rig: Rig) -> None:
    """Answer press as Ann with her signature below, and invite a sitter."""
    rig.mail(BOB, "SIGNON Gboat bobsecret\nPRESS TO F\nWho are you?\nENDPRESS")
    reply(
        rig,
        "Nobody.\n\nOn Mon, 5 Jan 2026 at 12:00 Attributedq08 <judge@localhost> wrote:\n"
        "> Who are you?\n\n-- \nSignedq07",
    )
    rig.mail(BOB, f"SIGNON Gboat bobsecret\nSITTER {CARL} UNTIL 20 Jan")
    rig.mail(CARL, "SIT Gboat")
    write(rig, f"SIGNON Fboat annq17\nSITTER {SITTER} UNTIL 20 Jan")
    rig.mail(SITTER, "SIT Fboat\nA Par - Bur")
    write(rig, "SIGNON Fboat annq17\nSTATUS")
    write(rig, "SIGNON Fboat annq17\nSITTER OFF")
    write(rig, "SIGNON Fboat annq17\nCLEAR\nBROADCAST\nHello all.\nENDPRESS")


def _fail(session: object, command: object) -> None:
    raise RuntimeError("a fault of ours")


@pytest.fixture(scope="module", params=[False, True], ids=["master rules", "master plays"])
def played_game(request: pytest.FixtureRequest) -> Iterator[Played]:
    """The game, played once. In the second one the master may have a power."""
    rig = Rig()
    with pytest.MonkeyPatch.context() as patch:
        play(rig, patch, master_plays=request.param)
    rows = rig.application.store.database.execute_sql("SELECT raw FROM mails").fetchall()
    mails = "".join(row[0].decode("utf-8", "replace") for row in rows)
    letters = []
    for out in newest_out(rig.application.post, 10_000):
        letter = parse_letter(out.message)
        assert isinstance(letter, EmailMessage)
        files = [part.get_payload(decode=True) for part in letter.iter_attachments()]
        read = squeeze_text(text_of(letter)) + str(files)
        letters.append(Sent(out.to, f"{out.message.decode('utf-8', 'replace')}\n{read}"))
    rig.close()
    yield Played(letters, mails, request.param)


def test_every_trace_has_its_marker() -> None:
    assert set(MARKERS) == set(IdentityLeak)


@pytest.mark.parametrize("trace", IdentityLeak, ids=lambda trace: trace.name.lower())
@pytest.mark.slow
def test_no_letter_to_others_reveals_a_person(played_game: Played, trace: IdentityLeak) -> None:
    marker = MARKERS[trace]
    assert len(played_game.others(trace)) > 30
    assert not [letter for letter in played_game.others(trace) if marker in letter.text]


@pytest.mark.parametrize("trace", IdentityLeak, ids=lambda trace: trace.name.lower())
def test_every_marker_was_planted(played_game: Played, trace: IdentityLeak) -> None:
    """The marker is in a mail, or in a letter to a recipient who may know."""
    if played_game.master_plays:
        assert len(played_game.letters) > 60
        return
    marker = MARKERS[trace]
    assert marker in played_game.mails or [x for x in played_game.letters if marker in x.text]


def test_the_press_itself_arrived(played_game: Played) -> None:
    assert [x for x in played_game.letters if x.to == BOB and "Nobody." in x.text]
    assert [x for x in played_game.letters if x.to == BOB and "Hello all." in x.text]


def test_asking_for_a_sitter_reveals_nothing_of_them(played_game: Played) -> None:
    """The reply is the same for players and others, except for the address."""
    (told,) = (x for x in played_game.letters if x.to == BOB and f"A letter asks {CARL}" in x.text)
    assert f"A letter asks {CARL} to sit in for Germany." in " ".join(told.text.split())


def test_a_sitter_receives_no_message_id_of_the_player(played_game: Played) -> None:
    """The player signs on with the password, and the sitter gets the receipt."""
    sitter = [x.text for x in played_game.letters if x.to == SITTER]
    assert len(sitter) > 3
    assert not [text for text in sitter if "q04-" in text]


def test_gunboat_and_shown_addresses_exclude_each_other(played_game: Played) -> None:
    first = next(x for x in reversed(played_game.letters) if x.to == GM)
    assert "GUNBOAT and SHOW ADDRESSES exclude each other" in first.text


def test_a_gunboat_game_hides_players_in_spite_of_other_settings() -> None:
    """No command sets both, but an old or imported game may have both."""
    rig = Rig()
    rig.mail(GM, "CREATE ?boat gmsecret standard\nSET SHOW ADDRESSES\nSTART")
    rig.mail(ANN, "TAKEOVER Fboat annsecret")
    rig.mail(BOB, "TAKEOVER Gboat bobsecret")
    rig.mail(BOB, "SIGNON Gboat bobsecret\nLIST boat")
    assert ANN in text_of(rig.newest[BOB])
    game = rig.application.games.find("boat")
    assert game
    rig.application.games.save(replace(game, settings={**game.settings, "gunboat": True}))
    rig.mail(BOB, "SIGNON Gboat bobsecret\nLIST boat\nSTATUS\nSUMMARY")
    assert ANN not in text_of(rig.newest[BOB])
    rig.mail(GM, "SIGNON Mboat gmsecret\nLIST boat")
    assert ANN in text_of(rig.newest[GM])
    rig.close()


SEATED, STRANGER = "kim@example.net", "lou@example.net"


@pytest.fixture(scope="module")
def begun() -> Iterator[Rig]:
    """A running gunboat game with a playing master.

    The master does not know the player of England.
    """
    made = Rig()
    made.mail(GM, "CREATE ?boat gmsecret standard\nSET GM PLAYS\nSET GUNBOAT\nSTART")
    yield made
    made.close()


@pytest.fixture(scope="module")
def worlds(begun: Rig) -> Iterator[Mapping[str, Rig]]:
    """Two copies of the game, by the player of England."""
    made = {}
    for player in (SEATED, STRANGER):
        made[player] = begun.again()
        made[player].mail(player, "TAKEOVER Eboat kimsecret")
        made[player].boxes.clear()
    yield made
    for each in made.values():
        each.close()


@pytest.fixture
def anonymous(worlds: Mapping[str, Rig]) -> Iterator[Rig]:
    """The game with Kim as England."""
    made = worlds[SEATED].again()
    yield made
    made.close()


@pytest.fixture
def other(worlds: Mapping[str, Rig]) -> Iterator[Rig]:
    """The game with Lou as England."""
    made = worlds[STRANGER].again()
    yield made
    made.close()


def answer(rig: Rig, text: str, address: str) -> str:
    """Return all replies to the master's question about an address."""
    rig.boxes.clear()
    rig.mail(GM, f"SIGNON Mboat gmsecret\n{text.format(address)}")
    return "\n".join(squeeze_text(text_of(each)) for each in rig.boxes[GM]).replace(address, "-")


@pytest.mark.parametrize("text", [
    "INVITE {} F", "INVITE {}", "PROMOTE {}", "EJECT {}", "INFO PLAYER {}", "SITTER {} 3 days",
    "SET DENY PLAYER {}", "SET ALLOW PLAYER {}", "APPROVE {}", "PRESS TO {}\nHello\nENDPRESS",
    "BECOME {}", "ROLE {}", "IAMALSO {}",
])
def test_no_reply_reveals_players_to_a_playing_master(
    anonymous: Rig, other: Rig, text: str
) -> None:
    assert answer(anonymous, text, SEATED) == answer(other, text, SEATED)


def test_a_guess_at_a_former_player_reveals_nothing(anonymous: Rig, other: Rig) -> None:
    anonymous.resign(SEATED, "SIGNON Eboat kimsecret")
    other.resign(STRANGER, "SIGNON Eboat kimsecret")
    assert answer(anonymous, "REVIVE E {}", SEATED) == answer(other, "REVIVE E {}", SEATED)
    assert "TAKEOVER" in text_of(anonymous.letter(SEATED, "notice"))
    anonymous.mail(GM, "SIGNON Mboat gmsecret\nREVIVE E")
    game = anonymous.application.games.find("boat")
    assert game and SEATED in [seat.address for seat in anonymous.application.games.seats(game.id)]


def test_an_invited_player_gets_no_second_seat(anonymous: Rig) -> None:
    answer(anonymous, "INVITE {} F", SEATED)
    anonymous.mail(SEATED, "TAKEOVER Fboat kimsecret")
    assert "Not done" in text_of(anonymous.newest[SEATED])
    game = anonymous.application.games.find("boat")
    assert game
    addresses = [seat.address for seat in anonymous.application.games.seats(game.id)]
    assert addresses.count(SEATED) == 1


def test_headers_of_press_contain_no_counters(anonymous: Rig) -> None:
    """Neither the reply address nor References reveals the amount of other press."""
    anonymous.mail(EVE, "OBSERVE boat")
    found = []
    for many in range(3):
        for _ in range(many):
            anonymous.mail(GM, "SIGNON Mboat gmsecret\nDIARY\nnote\nENDDIARY")
        anonymous.mail(GM, "SIGNON Mboat gmsecret\nBROADCAST\nHello\nENDPRESS")
        found.append(anonymous.newest[EVE])
    talks = [str(letter["References"]).split()[-1].split("@")[0] for letter in found]
    assert len(set(talks)) == 3 and all(re.fullmatch("<boat.talk.[0-9a-f]{20}", t) for t in talks)
    replies = [str(letter["Reply-To"]).split("+")[1][:12] for letter in found]
    assert len({one[:4] for one in replies}) == 3


def test_a_gunboat_receipt_to_others_has_no_in_reply_to() -> None:
    rig = Rig()
    rig.mail(GM, "CREATE ?boat gmsecret standard\nSET GUNBOAT\nSTART")
    rig.mail(GM, "CREATE ?open gmsecret standard\nSTART")
    for game, told in (("boat", False), ("open", True)):
        rig.mail(BOB, f"TAKEOVER F{game} secret")
        for sender, names in ((BOB, True), (EVE, told)):
            rig.boxes.clear()
            mail = rig.mail(sender, f"SIGNON F{game} secret\nA Par H")
            assert (rig.letter(BOB, "receipt")["In-Reply-To"] == mail) is names
    rig.close()
