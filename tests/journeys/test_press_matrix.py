"""Recipients and bylines of press: every row of `press.tsv`, and daily limits."""

import json
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import NamedTuple

import pytest

from judge.model.incoming import Incoming, Line
from judge.model.letter import Letter, LetterKind
from judge.model.phrase import Complaint, Phrase
from judge.model.record import GameRecord, GameState
from judge.phrases import phrasebook
from tests.journeys.rig import Rig
from tests.language import read_sheet

SEATS = {"France": "F", "Germany": "G", "Italy": "I", "Turkey": "T"}
"""Powers with players. Turkey is eliminated, and the other powers are vacant."""


class Row(NamedTuple):
    """One row of the table."""

    settings: str
    when: str
    writer: str
    head: str
    comes: str


ROWS = [
    Row(*line.split("\t"))
    for line in Path(__file__).with_name("press.tsv").read_text("utf-8").splitlines()
    if not line.startswith("#")
]


class _Undo(Exception):
    """Raised to roll a row back."""


def address(who: str) -> str:
    """Return the address of a seat."""
    return f"{who.lower()}@example.org"


@pytest.fixture(scope="module")
def rig() -> Iterator[Rig]:
    """A running game with four players, one of them eliminated."""
    made = Rig()
    made.mail(address("Master"), "CREATE ?marco secret1 standard\nSTART")
    for power, letter in SEATS.items():
        made.mail(address(power), f"TAKEOVER {letter}marco secret1")
    made.mail(address("Observer"), "OBSERVE marco secret1")
    made.mail(address("Monitor"), "MONITOR marco secret1")
    game = game_of(made)
    position = json.loads(game.position)
    del position["units"]["Turkey"]
    position["owners"] = {c: p for c, p in position["owners"].items() if p != "Turkey"}
    made.application.games.save(replace(game, position=json.dumps(position)))
    yield made
    made.close()


def game_of(rig: Rig) -> GameRecord:
    """Return the game."""
    game = rig.application.games.find("marco")
    assert game is not None
    return game


def apply_row(rig: Rig, row: Row) -> GameRecord:
    """Return the game with the settings and the state of a row."""
    game, now = game_of(rig), rig.clock.now()
    settings: dict[str, object] = {}
    for word in row.settings.split():
        name, given, value = word.partition("=")
        settings[name] = value if value else not given
    game = replace(game, settings=settings)
    match row.when:
        case "forming":
            return replace(game, state=GameState.FORMING)
        case "ended":
            return replace(game, state=GameState.ENDED, deadline=None, due=None)
        case "talking":
            return replace(game, state=GameState.ENDED, deadline=None, due=now + timedelta(days=1))
        case "writing":
            return replace(game, clock=replace(game.clock, writing=True))
        case "late":
            return replace(game, deadline=now - timedelta(hours=1),
                           clock=replace(game.clock, late=("France",)))
        case "ordered":
            for seat in rig.application.games.seats(game.id):
                rig.application.games.save_seats([replace(seat, ready=True)])
    return game


def letters_of(rig: Rig, writer: str, text: str) -> list[Letter]:
    """Process a mail and return its letters, in the caller's transaction."""
    seat = {"Master": "M", "Observer": "O", "Monitor": "O", **SEATS}[writer]
    lines = [Line(n, t) for n, t in enumerate([f"SIGNON {seat}marco secret1", *text.split("\n")])]
    mail = Incoming(1, rig.clock.now(), address(writer), "", "", "<1@x>", tuple(lines))
    sheet = read_sheet(lines)
    rig.application.dispatcher.prepare(mail, sheet)
    return rig.application.dispatcher.handle(mail, sheet)


def _format_name(who: object) -> str:
    """Return a name as in an English letter."""
    return phrasebook().render(who) if isinstance(who, Phrase) else str(who)


def comes_of(rig: Rig, row: Row) -> str:
    """Return the result of a row in the notation of the table, and roll back."""
    told = []
    with suppress(_Undo), rig.application.store.transaction():
        rig.application.games.save(apply_row(rig, row))
        letters = letters_of(rig, row.writer, f"{row.head}\nHello.\nENDPRESS")
        for letter in letters:
            if letter.kind is LetterKind.PRESS:
                press = letter.facts["press"]
                assert isinstance(press, dict)
                readers = ",".join(map(_format_name, press["readers"])) or "*"
                told.append(f"{letter.power}={_format_name(press['writer']) or '?'}>{readers}")
        (answer,) = [x for x in letters if x.to == address(row.writer) and x.answers]
        complaints, done = answer.facts["complaints"], answer.facts["done"]
        assert isinstance(complaints, list) and isinstance(done, list)
        told += [f"!{each.reason.code}" for each in complaints if isinstance(each, Complaint)]
        told += ["postal" for each in done if each.code == "press-postal"]
        raise _Undo
    return " ".join(told)


@pytest.mark.parametrize("row", ROWS, ids=" | ".join)
def test_press_reaches_the_listed_recipients(rig: Rig, row: Row) -> None:
    assert sorted(comes_of(rig, row).split()) == sorted(row.comes.split())


@pytest.mark.parametrize("kind", ["PRESS TO G", "POSTAL PRESS", "DIARY"])
def test_press_is_limited_per_day(rig: Rig, kind: str) -> None:
    most = rig.config.policy.press_per_day
    with suppress(_Undo), rig.application.store.transaction():
        text = f"{kind}\nHello.\nENDPRESS"
        for _ in range(most):
            assert "press-too-many" not in repr(letters_of(rig, "France", text))
        assert "press-too-many" in repr(letters_of(rig, "France", text))
        assert "press-too-many" not in repr(letters_of(rig, "Germany", text.replace("G", "I")))
        before = rig.clock.now()
        rig.clock.advance(hours=25)
        assert "press-too-many" not in repr(letters_of(rig, "France", text))
        rig.clock.set(before)
        raise _Undo


def test_press_is_limited_in_length_and_per_day(rig: Rig) -> None:
    policy = rig.config.policy
    with suppress(_Undo), rig.application.store.transaction():
        line = "x" * 1023
        most = policy.press_size // 1024
        full = "\n".join(["PRESS TO G", *[line] * most, "ENDPRESS"])
        assert "press-too-long" in repr(letters_of(rig, "France", full.replace("x\n", "xx\n")))
        for _ in range(policy.press_volume // policy.press_size):
            assert "press-too-" not in repr(letters_of(rig, "France", full))
        refused = letters_of(rig, "France", "PRESS TO G\nHi.\nENDPRESS")
        assert "press-too-much" in repr(refused)
        assert [letter.kind for letter in refused] == [LetterKind.RECEIPT]
        raise _Undo


def test_open_games_of_an_address_are_limited() -> None:
    rig = Rig()
    most = rig.config.policy.open_games
    for number in range(most + 1):
        rig.mail("gm@example.org", f"CREATE ?game{number} secret1 standard")
    assert len(rig.application.games.names()) == most
    rig.mail("GM@example.org", "CREATE ?another secret1 standard")
    assert len(rig.application.games.names()) == most
    rig.mail("gm@example.org", "SIGNON Mgame0 secret1\nTERMINATE game0 S1901M")
    rig.mail("gm@example.org", "CREATE ?another secret1 standard")
    assert len(rig.application.games.names()) == most + 1
    rig.close()
