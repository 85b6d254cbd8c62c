"""An archived game of Yorktown: export, import, continuation and replay."""

import json
from collections.abc import Iterator
from dataclasses import replace

import pytest

from judge.model.record import GameRecord, GameState
from judge.play.archive.gamefile import Archived, archive_stored, read_archive, write_archive
from judge.play.archive.importing import replay
from tests.journeys.rig import Rig, text_of
from tests.journeys.test_archive import bring

GM, ANN, BOB = "gm@example.org", "ann@example.org", "bob@example.org"
FA, AP = "SIGNON FA@siege annsecret\n", "SIGNON AP@siege bobsecret\n"
MAILS = (
    (BOB, AP + "ART 1 at 1505\nretreat all N\ndone"),
    (ANN, FA + "INF 14 at 1404\ndone"),
    (ANN, FA + "INF 7 enters 1624-1623-1622 face N\nWASHINGTON with INF 7\ndone"),
    (BOB, AP + "ART 1 fires at 1404\nFRIG 1: fire 1404\nINF 9 face N\ndone"),
    (BOB, AP + "hit CMD 1 stay\nART 21 fires at 1622"),
    (ANN, FA + "INF 7 face NE\ndone"),
    (BOB, AP + "done fire"),
)


@pytest.fixture(scope="module")
def played_rig() -> Iterator[Rig]:
    """A judge with a game with fired guns and future orders."""
    made = Rig()
    made.mail(GM, "CREATE ?siege gmsecret yorktown\nSET DAYS 10")
    made.mail(ANN, "JOIN siege annsecret\nSET PREFERENCE F")
    made.mail(BOB, "JOIN siege bobsecret")
    for who, text in MAILS:
        made.mail(who, text)
    yield made
    made.close()


@pytest.fixture
def rig(played_rig: Rig) -> Iterator[Rig]:
    """A copy of that judge for one test."""
    made = played_rig.again()
    yield made
    made.close()


def game(rig: Rig, name: str = "siege") -> GameRecord:
    found = rig.application.games.find(name)
    assert found
    return found


def read_archived(rig: Rig, name: str = "siege") -> Archived:
    games, record = rig.application.games, game(rig, name)
    return Archived(record, tuple(games.turns(record.id)), tuple(games.events(record.id)))


@pytest.mark.slow
def test_a_game_is_replayed_with_the_same_dice(rig: Rig) -> None:
    told = read_archived(rig)
    assert game(rig).phase == "AP2M"
    drawn = [draw for turn in told.turns for draw in turn.draws]
    assert len(drawn) == 3 and [*replay(told)] == []
    (at,) = (n for n, turn in enumerate(told.turns) if len(turn.draws) == 2)
    turn = told.turns[at]
    fallen = turn.draws[0]._replace(value=turn.draws[0].value % 6 + 1)
    turns = [*told.turns]
    turns[at] = replace(turn, draws=(fallen, *turn.draws[1:]))
    assert any("AP1F" in line and "draws" in line for line in replay(told._replace(turns=turns)))


def test_a_changed_record_is_detected(rig: Rig) -> None:
    told = read_archived(rig)
    turns = [*told.turns]
    after = json.loads(turns[-1].after)
    after["units"]["FA-INF7"]["at"] = "1512"
    turns[-1] = replace(turns[-1], after=json.dumps(after))
    lines = [*replay(told._replace(turns=turns))]
    assert any("AP2F" in line and "FA-INF7" in line for line in lines), lines


def test_an_archived_game_is_imported_and_continued(rig: Rig) -> None:
    taken = archive_stored(rig.application.games, game(rig))
    assert taken.game.seed == b"", "the dice to come stay secret"
    text = write_archive(taken)
    read = read_archive(text)
    assert [*replay(read)] == []
    assert "annsecret" not in text and ANN not in text
    bring(rig, read, "copy")
    rig.run()
    told = rig.newest[GM]
    rig.mail(ANN, "TAKEOVER Fcopy annsecret")
    rig.mail(BOB, "TAKEOVER Acopy bobsecret\nSTATUS")
    assert any("retreat all N" in text_of(letter) for letter in rig.boxes[BOB])
    rig.reply(GM, "RESUME", told)
    rig.mail(BOB, "SIGNON AP@copy bobsecret\nINF 9 face NE\ndone")
    copy = read_archived(rig, "copy")
    assert game(rig, "copy").phase == "FA3M" and len(copy.turns) == len(read.turns) + 1
    assert [*replay(copy)] == []


def test_a_finished_game_reveals_the_secret_of_its_dice(rig: Rig) -> None:
    for who, line in ((ANN, FA), (BOB, AP)):
        rig.mail(who, line + "VOTE DRAW")
    assert game(rig).state is GameState.ENDED
    taken = read_archive(write_archive(archive_stored(rig.application.games, game(rig))))
    assert taken.game.seed == game(rig).seed and [*replay(taken)] == []
