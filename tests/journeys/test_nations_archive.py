"""An archived game of Nations 1940 is replayed roll by roll, and elsewhere."""

import json
from collections.abc import Iterator

import pytest

from judge.play.archive.gamefile import Archived, archive_stored, read_archive, write_archive
from judge.play.archive.importing import import_game, replay
from tests.journeys.rig import Rig

GM = "gm@example.org"
TURNS = (
    'UKR: RESEARCH "Submachine Guns"\nUKR: TREATY NAP RUS\nRUS: TREATY NAP UKR',
    "UKR: MOVE 3 Kiev -> Bessarabia\nUKR: WAR DAN\nDAN: MOVE 3 #38 -> #37\nUKR: BUILD FAC 21",
    "UKR: MOVE ALL Bessarabia -> Wallachia\nDAN: MOVE ALL Bulgaria -> Wallachia\n"
    'DAN: RESEARCH Sonar\nITA: MOVE 3 Venice -> Austria\nRUS: GIVE #89 TO UKR',
)


def archive(rig: Rig) -> Archived:
    game = rig.application.games.find("trip")
    assert game
    return archive_stored(rig.application.games, game)


@pytest.fixture(scope="module")
def archived_game() -> Iterator[Archived]:
    """A game of three turns, with battles in them."""
    rig = Rig()
    rig.mail(GM, "CREATE ?trip gmsecret nations1940\nSTART")
    for turn, orders in enumerate(TURNS):
        rig.mail(GM, f"SIGNON Mtrip gmsecret\n{orders}\nPROCESS T{turn}")
    found = archive(rig)
    assert len(found.turns) == len(TURNS)
    assert any("battle" in turn.outcome for turn in found.turns)
    yield found
    rig.close()


def test_an_archived_game_is_replayed_equally(archived_game: Archived) -> None:
    again = read_archive(write_archive(archived_game))
    assert list(replay(again)) == []


def test_a_changed_roll_is_detected(archived_game: Archived) -> None:
    """The secret seed of the game reveals any changed die in the file."""
    values = json.loads(write_archive(archived_game))
    text = json.dumps(values)
    before = '\\"battle:37:1:A\\",1,8,'
    at = text.index(before) + len(before)
    changed = str(int(text[at]) % 8 + 1)
    wrong = list(replay(read_archive(text[:at] + changed + text[at + 1 :])))
    assert len(wrong) == 1 and "T1" in str(wrong[0]) and "rolls" in str(wrong[0])


def test_the_game_continues_at_another_judge(archived_game: Archived) -> None:
    rig = Rig()
    try:
        with rig.application.store.transaction():
            with rig.application.context.unit_of_work() as context:
                import_game(context, archived_game, "", GM, rig.clock.now(), force=False)
        assert archive(rig).game.position == archived_game.game.position
    finally:
        rig.close()
