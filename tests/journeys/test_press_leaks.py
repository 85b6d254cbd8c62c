"""Grey press never reveals its writer.

Markers are in all data of the writer and sought in all letters to others. Letters do not depend on
which of two players wrote.
"""

import re
from collections.abc import Iterator, Mapping
from email.message import EmailMessage
from typing import Self

import pytest

from judge.model.record import Seat
from tests.journeys.rig import Rig, text_of
from tests.outbox import newest_out

GM, BOB, EVE = "gm@example.org", "bob@example.org", "eve@example.org"
ZOE = "zoe@zq0-mail.example"
MARKS = ("zq0-", "Zaradoc", "Kathmandu", "+0545", "192.0.2.77", "secret subject")
"""Markers in all data and mails of the writer. No token or base64 contains one."""


def mail_of(text: str, to: str, number: int) -> bytes:
    """Return a mail of the writer with all headers of a talkative program."""
    return (
        "Received: from zq0-home.example ([192.0.2.77]) by zq0-mail.example\r\n"
        f"From: Zaradoc Zq0-x <{ZOE}>\r\nSender: zoe@zq0-work.example\r\nTo: {to}\r\n"
        f"Date: Mon, 05 Jan 2026 17:45:00 +0545\r\nMessage-ID: <{number}@zq0-home.example>\r\n"
        "In-Reply-To: <0@zq0-home.example>\r\nReferences: <0@zq0-home.example>\r\n"
        "X-Originating-IP: 192.0.2.77\r\nUser-Agent: Zq0-Mail\r\nSubject: secret subject\r\n\r\n"
        + text.replace("\n", "\r\n") + "\r\n-- \r\nZaradoc Zq0-x, Kathmandu\r\n"
    ).encode()


class Play:
    """A game with grey press in which Germany reads another player's press."""

    def __init__(self, letter: str, rig: Rig) -> None:
        self.rig = rig
        self.letter, self.mails = letter, 0

    def begin(self, gm_plays: bool) -> Self:
        """Create the game and fill the seats."""
        plays = "SET GM PLAYS\n" if gm_plays else ""
        self.rig.mail(GM, f"CREATE ?marco secret1 standard\n{plays}SET GREY/WHITE PRESS\nSTART")
        for power in "FI":
            if power == self.letter:
                self.write(f"TAKEOVER {power}marco secret1\nSET ZONE Asia/Kathmandu")
            else:
                self.rig.mail("other@example.org", f"TAKEOVER {power}marco secret1")
        self.rig.mail(BOB, "TAKEOVER Gmarco secret1")
        self.rig.mail(EVE, "OBSERVE marco secret1")
        self.rig.boxes.clear()
        return self

    def again(self) -> "Play":
        """Return a copy of this game."""
        other = Play(self.letter, self.rig.again())
        other.mails = self.mails
        return other

    def write(self, text: str, letter: EmailMessage | None = None) -> None:
        """Send a mail as the writer, or reply to a letter."""
        self.mails += 1
        to = str(letter["Reply-To"]) if letter else ""
        self.rig.take(mail_of(text, to or "judge@localhost", self.mails), ZOE, to)

    def whole(self) -> Self:
        """Write in every possible way, and ask all questions as all seats."""
        rig = self.rig
        sign_on = f"SIGNON {self.letter}marco secret1"
        self.write(f"{sign_on}\nPRESS TO G\nGuess.\nENDPRESS\nBROADCAST\nAll guess.\nENDPRESS")
        first = next(x for x in rig.boxes[BOB] if "Guess." in text_of(x))
        rig.reply(BOB, "Is it you?", first)
        self.write("Perhaps.", rig.newest[ZOE])
        rig.reply(BOB, "TO ALL\nIt is!", next(x for x in rig.boxes[BOB] if "All" in text_of(x)))
        self.write(f"{sign_on}\nPOSTAL PRESS\nWith the results.\nENDPRESS")
        self.write(f"{sign_on}\nPRESS TO O\nYou?\nENDPRESS")
        self.write(f"{sign_on}\nPRESS TO G\nMy mail: {ZOE}\nENDPRESS")
        token = str(rig.newest[ZOE]["Reply-To"])
        self.write(f"{sign_on}\nPRESS TO G\nFrom: Judge <{token}>\nENDPRESS")
        rig.mail(GM, "SIGNON Mmarco secret1\nPROCESS S1901M")
        for asker in (BOB, EVE):
            seat = "G" if asker == BOB else "O"
            rig.mail(asker, f"SIGNON {seat}marco secret1\nSTATUS\nHISTORY marco\nLIST marco")
        self.write(f"{sign_on}\nHISTORY marco")
        rig.reply(BOB, "Still there?", first)
        rig.mail("stranger@example.org", "HISTORY marco FROM S1901M\nSUMMARY marco")
        return self

    def letters(self, *addresses: str) -> list[EmailMessage]:
        """Return all letters to these addresses."""
        return [letter for address in addresses for letter in self.rig.boxes[address]]

    def seats(self) -> list[Seat]:
        """Return the seats of the game."""
        return self.rig.application.games.seats(1)


Plays = Mapping[tuple[str, bool], Play]
"""Games by the letter of the writer, and whether the master plays."""


@pytest.fixture(scope="module")
def begun() -> Iterator[Plays]:
    """The games before any press."""
    games = ("F", False), ("F", True), ("I", False)
    made = {game: Play(game[0], Rig()).begin(game[1]) for game in games}
    yield made
    for play in made.values():
        play.rig.close()


@pytest.fixture(scope="module")
def written_games(begun: Plays) -> Iterator[Plays]:
    """The games after all press and questions, for reading only."""
    made = {game: play.again().whole() for game, play in begun.items()}
    yield made
    for play in made.values():
        play.rig.close()


@pytest.mark.parametrize("gm_plays", [False, True])
def test_no_letter_to_others_contains_a_marker_of_the_writer(
    written_games: Plays, gm_plays: bool
) -> None:
    play = written_games["F", gm_plays]
    others = [box for box in play.rig.boxes if box != ZOE and (gm_plays or box != GM)]
    assert set(others) >= {BOB, EVE, "stranger@example.org", "other@example.org"}
    letters = play.letters(*others)
    assert sum("Guess." in text_of(letter) for letter in letters) >= 2
    assert sum("With the results." in text_of(letter) for letter in letters) >= 3
    for letter in letters:
        raw = letter.as_bytes().decode() + text_of(letter)
        assert not [mark for mark in MARKS if mark.casefold() in raw.casefold()], raw
        if letter["X-Judge-Kind"] == "press" and letter["X-Judge-Power"] != "France":
            assert "France" not in raw
    tokens = [play.rig.application.context.tokens.read(word)
              for letter in letters for word in re.findall(r"[a-z2-7]{37}", text_of(letter))]
    assert not any(tokens)
    (writer,) = [seat for seat in play.seats() if seat.power == "France"]
    for letter in letters:
        detail = str(letter["Reply-To"]).partition("+")[2].partition("@")[0]
        token = play.rig.application.context.tokens.read(detail)
        assert token is None or token.seat != writer.id


def test_letters_to_others_do_not_depend_on_the_writer(written_games: Plays) -> None:
    """Germany and the observer cannot tell France from Italy.

    All octets are compared except for random ones.
    """
    readers = BOB, EVE, "stranger@example.org"
    texts = [read_comparable_letters(written_games[letter, False], *readers) for letter in "FI"]
    assert len(texts[0]) > 12
    assert texts[0] == texts[1]


def read_comparable_letters(play: Play, *addresses: str) -> list[str]:
    """Return letters as sent, with decoded tokens and without random parts."""

    def decode_token(found: re.Match[str]) -> str:
        return repr(play.rig.application.context.tokens.read(found[0]))

    queued = reversed(newest_out(play.rig.application.post, 10_000))
    raw = [out.message.decode() for out in queued if out.to in addresses]
    chance = "[0-9a-f]{20,}"
    return [re.sub(chance, "chance", re.sub(r"[a-z2-7]{37}", decode_token, text)) for text in raw]


def test_the_master_learns_the_writer_unless_playing(begun: Plays) -> None:
    for gm_plays in (False, True):
        play = begun["F", gm_plays].again()
        play.write("SIGNON Fmarco secret1\nBROADCAST\nAll guess.\nENDPRESS")
        (letter,) = [x for x in play.letters(GM) if x["X-Judge-Kind"] == "press"]
        assert ("from France" in text_of(letter)) is not gm_plays
        play.rig.close()


def test_a_reply_to_a_vacated_seat_reveals_nothing(begun: Plays) -> None:
    """The vacant power is public, so a note on the writer's absence would name them."""
    said = []
    for goes in (True, False):
        play = begun["F", False].again()
        play.write("SIGNON Fmarco secret1\nPRESS TO G\nGuess.\nENDPRESS")
        letter = next(x for x in play.letters(BOB) if "Guess." in text_of(x))
        if goes:
            play.write("SIGNON Fmarco secret1\nRESIGN")
            play.rig.reply(ZOE, "yes")
        play.rig.boxes.clear()
        play.rig.reply(BOB, "Are you there?", letter)
        said.append(text_of(play.rig.letter(BOB, "receipt")))
        play.rig.close()
    assert said[0] == said[1]
