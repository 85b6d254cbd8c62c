"""Names of persons, by every command that sets one: validity and display."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from email.message import EmailMessage
from pathlib import Path

import pytest

from judge.config import Config, StoreSection
from judge.model.names import read_name
from judge.model.person import Person
from judge.model.phrase import Phrase
from judge.play.people.names import with_name
from judge.store.database import Store
from judge.store.migrations import STEPS, migrate
from tests.journeys.rig import Rig, squeeze_text, text_of

GM, ANN, BOB, EVE = "gm@example.org", "ann@example.org", "bob@example.org", "eve@example.org"
GOOD = (
    "Ann", "Ann of Aix", "Jean-Luc", "O'Neil", "J. R. Hartley", "Åse Øst", "Жанна", "Ελένη",
    "李小龍", "אבי", "4X4", "Anatole France", "x" * 30, "Kaiser Wilhelm", "MacMaster",
)
BAD = {
    "x" * 31: "name-too-long",
    "x" * 10_000: "name-too-long",
    " " * 10_000 + "Ann": "name-too-long",
    "Ann\u202eyrneH": "name-signs",
    "Ann\u2066\u2069": "name-signs",
    "Ann\u200b": "name-signs",
    "Ann\x00": "name-signs",
    "Ann\x1b[31m": "name-signs",
    "Ann\tB": "name-signs",
    "Ann\xa0B": "name-signs",
    "Ann\u2028B": "name-signs",
    "Ann\r\nBcc: eve@example.org": "name-signs",
    "Ann\rBcc": "name-signs",
    "<b>Ann</b>": "name-signs",
    "Ann&amp;": "name-signs",
    "Ann|Bob": "name-signs",
    "|| Ann": "name-signs",
    "=?utf-8?q?Ann?=": "name-signs",
    "ann@example.org": "name-signs",
    "Ann, Bob": "name-signs",
    '"Ann"': "name-signs",
    "{{ seed }}": "name-signs",
    "A Par -> Bur": "name-signs",
    "\ue000": "name-signs",
    "\U0001f451": "name-signs",
    "A\u0335\u0336\u0337\u0338nn": "name-signs",
    "- Ann": "name-signs",
    ". . .": "name-signs",
    "\u0301\u0301": "name-signs",
    "Аnn": "name-alphabets",
    "Aνa": "name-alphabets",
    "Ann אבי": "name-alphabets",
    "France": "name-reserved",
    "FRANCE": "name-reserved",
    "fRaNcE": "name-reserved",
    "Fr\u00e1nce": "name-reserved",
    "\uff26rance": "name-reserved",
    "Ｆrаnce": "name-alphabets",
    "Frankreich": "name-reserved",
    "French": "name-reserved",
    "The French Master": None,
    "France Master": "name-reserved",
    "F": "name-reserved",
    "Egypt": "name-reserved",
    "Washington": None,
    "Gm": "name-reserved",
    "G.M.": "name-reserved",
    "THE MASTER": "name-reserved",
    "Spielleiter": "name-reserved",
    "0bserver": "name-reserved",
    "Judge": "name-reserved",
    "a player": "name-reserved",
    "Bob": "name-taken",
    "BOB": "name-taken",
    "B0B": "name-taken",
    "B.o.b": "name-taken",
    "Böb": "name-taken",
    "ВОВ": "name-taken",
}
"""Text → refusal code.

None marks a valid name that contains reserved words.
"""
WAYS = {
    "REGISTER": "REGISTER\nName: {}\nEND",
    "NAME": "NAME {}",
    "SET NAME": "SIGNON Fmarco annsecret\nSET NAME {}",
}


@pytest.fixture(scope="module")
def begun() -> Iterator[Rig]:
    """A game with Ann, with Bob, whose name is Bob, and with an observer."""
    config = Config(store=StoreSection("sqlite:///:memory:"))
    rig = Rig(replace(config, policy=replace(config.policy, strangers_per_hour=10_000)))
    rig.mail(GM, "CREATE ?marco gmsecret standard\nSTART")
    rig.mail(ANN, "TAKEOVER Fmarco annsecret")
    rig.mail(BOB, "TAKEOVER Gmarco bobsecret\nNAME Bob")
    rig.mail(EVE, "OBSERVE marco")
    yield rig
    rig.close()


def known(rig: Rig, address: str = ANN) -> Person:
    return rig.application.context.register.person(address)


@pytest.mark.parametrize("name", GOOD)
def test_a_name_is_stored_unchanged(begun: Rig, name: str) -> None:
    begun.mail(ANN, f"REGISTER\nName: {name}\nEND")
    assert known(begun).nickname == read_name(name) == name
    begun.mail(EVE, "LIST marco")
    assert f"|| France: {name}" in text_of(begun.newest[EVE])


@pytest.mark.parametrize("name", BAD, ids=lambda name: ascii(name.strip())[1:25])
def test_an_invalid_or_reserved_name_is_refused(begun: Rig, name: str) -> None:
    found = with_name(begun.application.context, Person(ANN, "Antonia", look="antonla"), name)
    code = BAD[name]
    if code is None:
        assert isinstance(found, Person) and found.nickname == name
    else:
        assert isinstance(found, Phrase) and found.code == code


IN_TURN = [(way, [*BAD][at::len(WAYS)]) for at, way in enumerate(WAYS)]
"""Each name by one of the ways. The slow suite uses all of them."""


@pytest.mark.parametrize(("way", "names"), [
    *IN_TURN, *(pytest.param(way, [*BAD], marks=pytest.mark.slow) for way in WAYS)
])
def test_others_see_a_valid_name_or_none_after_any_mail(
    begun: Rig, way: str, names: list[str]
) -> None:
    """The reader drops invisible characters of a command.

    The rest may be a valid name.
    """
    begun.boxes.clear()
    for name in names:
        if known(begun).nickname != "Antonia":
            begun.mail(ANN, "NAME Antonia")
        # A mail program breaks lines at blanks, but a mail written by hand may break them anywhere.
        begun.mail(ANN, WAYS[way].format(name))
        now = known(begun).nickname
        assert now == "Antonia" or now == read_name(now) != name or BAD[name] is None
        begun.mail(EVE, "LIST marco")
        letter = begun.newest[EVE]
        assert f"|| France: {now}" in text_of(letter)
        assert not letter["Bcc"] and not set("\u202e\u2066\x1b\x00<") & set(text_of(letter))
    assert set(begun.boxes) <= {ANN, EVE, GM}


def test_only_commands_set_a_name(begun: Rig) -> None:
    begun.mail(ANN, "NAME OFF")
    mail = EmailMessage()
    mail["From"] = "Anna Displayed <ann@example.org>"
    mail["To"], mail["Subject"] = begun.config.judge.address, "Name: Anna Subject"
    mail.set_content("SIGNON Fmarco annsecret\nSTATUS\nName: Anna Foot\n\n-- \nName: Anna Signed\n")
    begun.take(bytes(mail), ANN)
    begun.mail(EVE, "LIST marco")
    shown = text_of(begun.newest[EVE])
    assert "France: has a player" in shown and "Anna" not in shown


def test_one_person_has_one_name_at_all_addresses(begun: Rig) -> None:
    rig = begun.again()
    rig.mail(ANN, "NAME Antonia")
    rig.mail(ANN, "IAMALSO ann@work.example")
    rig.reply(ANN, "yes")
    rig.reply("ann@work.example", "yes")
    rig.mail("ann@work.example", "NAME antonia")
    assert known(rig, "ann@work.example").nickname == "antonia"
    rig.mail(ANN, "NAME OFF")
    rig.mail(EVE, "LIST marco")
    assert "|| France: antonia" in text_of(rig.newest[EVE])
    rig.close()


def test_a_name_given_up_is_free(begun: Rig) -> None:
    rig = begun.again()
    rig.mail(BOB, "NAME Robert")
    rig.mail(ANN, "NAME Bob")
    assert known(rig).nickname == "Bob"
    rig.close()


def test_a_master_sees_a_name_next_to_its_address(begun: Rig) -> None:
    begun.mail(ANN, "NAME Antonia")
    begun.mail(GM, "SIGNON Mmarco gmsecret\nLIST marco")
    assert "France: Antonia <ann@example.org>" in squeeze_text(text_of(begun.newest[GM]))


def test_names_of_an_old_database_are_shown_to_masters_only(tmp_path: Path) -> None:
    path = tmp_path / "judge.sqlite3"
    path.touch()
    store = Store(f"sqlite:///{path}")
    store.database.connect()
    before = [step.name for step in STEPS].index("names")
    with store.transaction():
        migrate(store.database, STEPS[:before])
        store.database.execute_sql(
            "INSERT INTO persons (address, name, zone, level, standby, language)"
            " VALUES ('ann@example.org', 'Ann (Old) Ünal', '', '', '[]', ''),"
            " ('bob@example.org', '', '', '', '[]', '')"
        )
    store.close()
    rig = Rig(Config(store=StoreSection(f"sqlite:///{path}")))
    assert known(rig) == Person(ANN, "Ann (Old) Ünal")
    assert known(rig).nickname == ""
    rig.mail(GM, "CREATE ?marco gmsecret standard\nSTART")
    rig.mail(ANN, "TAKEOVER Fmarco annsecret")
    rig.mail(BOB, "TAKEOVER Gmarco bobsecret\nNAME ann 0ld unal")
    assert known(rig, BOB).name == ""
    rig.mail(EVE, "LIST marco")
    assert "Ünal" not in text_of(rig.newest[EVE])
    rig.mail(GM, "SIGNON Mmarco gmsecret\nLIST marco")
    assert "Ann (Old) Ünal <ann@example.org>" in squeeze_text(text_of(rig.newest[GM]))
    rig.mail(ANN, "INFO PLAYER")
    shown = squeeze_text(text_of(rig.newest[ANN]))
    assert "Only the masters of your games and RATING show this name" in shown
    rig.mail(ANN, "NAME Ann Old Ünal")
    rig.mail(EVE, "LIST marco")
    assert "|| France: Ann Old Ünal" in text_of(rig.newest[EVE])
    rig.close()
    with closing(sqlite3.connect(path)) as database:
        plan = database.execute("EXPLAIN QUERY PLAN SELECT * FROM persons WHERE look = 'x'"
                                " AND look <> ''").fetchall()
    assert "persons_look" in str(plan)
