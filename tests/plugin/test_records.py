"""Records of a game with dice and hidden facts: files, replays, lists, pages."""

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pytest

from judge.daemon.archive_publisher import publish
from judge.errors import JudgeError
from judge.games import find_system
from judge.model.record import GameRecord, GameState
from judge.play.archive.gamefile import Archived, archive_stored, read_archive, write_archive
from judge.play.archive.importing import import_game, replay
from tests.journeys.rig import Rig, squeeze_text, text_of
from tests.plugin.fords_installed import install_system

ANN, BOB, GM = "ann@example.org", "bob@example.org", "gm@example.org"
NORTH, SOUTH = "SIGNON Nriver annsecret\n", "SIGNON Sriver bobsecret\n"
TURNS = (
    NORTH + "SEND 3 UPPER\nCLEAR UPPER\nPASS",
    SOUTH + "SEND 4 UPPER\nCLEAR UPPER\nCLEAR UPPER\nPASS",
    NORTH + "CLEAR UPPER\nWITHDRAW 1 UPPER\nPASS", SOUTH + "PASS",
)


@pytest.fixture(autouse=True, scope="module")
def fords(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Install the system for every test of this module."""
    with install_system(tmp_path_factory.mktemp("installed")):
        yield


def start_game() -> Rig:
    """Return a rig with a running game that ends with the fourth turn."""
    rig = Rig()
    rig.mail(GM, "CREATE ?river gmsecret fords\nSET TURNS 4")
    rig.mail(ANN, "JOIN river annsecret\nSET PREFERENCE N")
    rig.mail(BOB, "JOIN river bobsecret")
    return rig


@pytest.fixture(scope="module")
def rigs_by_turn() -> Iterator[list[Rig]]:
    """Rigs on which no turn, one, two and so on were played."""
    rigs = [start_game()]
    for text in TURNS:
        rigs.append(rigs[-1].again())
        rigs[-1].mail(ANN if text.startswith(NORTH) else BOB, text)
    yield rigs
    for rig in rigs:
        rig.close()


RigAfter = Callable[[int], Rig]


@pytest.fixture
def rig_after(rigs_by_turn: list[Rig]) -> RigAfter:
    """Function that returns a copy of the rig after some turns."""
    return lambda turns: rigs_by_turn[turns].again()


def game(rig: Rig, name: str = "river") -> GameRecord:
    found = rig.application.games.find(name)
    assert found
    return found


def read_archived(rig: Rig) -> Archived:
    """Return a game with all its stored records."""
    games, record = rig.application.games, game(rig)
    return Archived(record, tuple(games.turns(record.id)), tuple(games.events(record.id)))


def test_every_draw_is_noted_and_checked(rig_after: RigAfter) -> None:
    rig = rig_after(3)
    told = read_archived(rig)
    tags = [[draw.tag for draw in turn.draws] for turn in told.turns]
    assert tags == [
        ["clear:2:North", "clear:2:South"],
        ["clear:2:South", "clear:2:North", "clear:3:South", "clear:3:North"],
        ["clear:1:North", "clear:1:South"],
    ]
    assert [*replay(told)] == []
    rig.close()


def change_turn(told: Archived, at: int, **values: object) -> Archived:
    """Return a record in which one turn has other values."""
    turns = [*told.turns]
    turns[at] = replace(turns[at], **values)  # type: ignore[arg-type]
    return told._replace(turns=tuple(turns))


def test_replay_says_where_a_record_differs(rig_after: RigAfter) -> None:
    rig = rig_after(3)
    told = read_archived(rig)
    second = told.turns[1]
    fallen = second.draws[0]._replace(value=second.draws[0].value % 6 + 1)
    lie = change_turn(told, 1, draws=(fallen, *second.draws[1:]))
    (line,) = replay(lie)
    assert line == (f"T2: draws.0.3 was {fallen.value}, is {second.draws[0].value}")
    assert [line[:3] for line in replay(change_turn(told, 1, draws=()))] == ["T2:"] * 4
    other = change_turn(told, 1, seed=bytes(32))
    assert any("draws" in line for line in replay(other))
    opening = json.loads(told.turns[0].before)
    opening["troops"]["North"]["camp"] = 7
    lie = change_turn(told, 0, before=json.dumps(opening))
    assert "start: position.troops.North.camp was 7, is 6" in [*replay(lie)]
    after = json.loads(told.turns[2].after)
    after["troops"]["South"]["camp"] += 1
    lie = change_turn(told, 2, after=json.dumps(after))
    lines = [*replay(lie)]
    assert any(line.startswith("T3: after.troops.South.camp was") for line in lines)
    assert "T4: the present position is not that after the last phase" in lines
    rig.close()


def test_file_of_a_running_game_is_replayed_with_its_draws(rig_after: RigAfter) -> None:
    """Its seed is secret. The game made from the file keeps the recorded draws."""
    rig = rig_after(3)
    taken = archive_stored(rig.application.games, game(rig))
    assert taken.game.seed == b""
    text = write_archive(taken)
    read = read_archive(text)
    assert [*replay(read)] == []
    values = json.loads(text)
    draw = values["turns"][1]["draws"][0]
    draw[3] = draw[3] % 6 + 1
    values["turns"][1]["draws"][0] = draw
    lines = [*replay(read_archive(json.dumps(values)))]
    assert lines and all(line.startswith(("T2:", "T3:")) for line in lines)
    with rig.application.store.transaction(), rig.application.unit_of_work() as application:
        made, _ = import_game(application.context, read, "copy", GM, rig.clock.now(), force=False)
        assert made.seed != game(rig).seed
    rig.mail(GM, "SIGNON Mcopy")
    games, record = rig.application.games, game(rig, "copy")
    again = Archived(record, tuple(games.turns(record.id)), tuple(games.events(record.id)))
    assert not any(turn.seed for turn in again.turns)
    assert [*replay(again)] == []
    rig.close()


@pytest.mark.parametrize("draws", [[["a", 1, 6]], [["a", 1, 6, "4"]], [[1, 1, 6, 4]], ["abcd"], 7])
def test_a_file_with_damaged_draws_is_refused(rig_after: RigAfter, draws: object) -> None:
    rig = rig_after(1)
    values = json.loads(write_archive(archive_stored(rig.application.games, game(rig))))
    values["turns"][0]["draws"] = draws
    with pytest.raises(JudgeError, match="damaged"):
        read_archive(json.dumps(values))
    rig.close()


def test_ended_game_is_shown_to_all(rig_after: RigAfter, tmp_path: Path) -> None:
    rig = rig_after(4)
    assert game(rig).state is GameState.ENDED
    letters = {who: [*rig.boxes[who]] for who in (ANN, BOB, GM)}
    for who, box in letters.items():
        last = squeeze_text(text_of(box[-1]))
        assert box[-1]["X-Judge-Kind"] == "end", who
        assert "'river' is over." in last
        assert f"Random seed of this game: {game(rig).seed.hex()}." in last
        assert "North: in camp" in last and "South: in camp" in last
    rig.boxes.clear()
    rig.mail(ANN, NORTH + "EXPORT\nHISTORY\nSUMMARY\nSTATISTICS\nRATING\nLIST river\nSTATUS")
    answer = rig.letter(ANN)
    assert "SEND 4 UPPER" in text_of(answer), "nothing is hidden any more"
    (file,) = [part for part in answer.iter_attachments() if "json" in str(part.get_filename())]
    taken = read_archive(bytes(file.get_content()).decode())
    assert taken.game.seed == game(rig).seed and [*replay(taken)] == []
    config = replace(rig.config, store=replace(
        rig.config.store, url=f"sqlite:///{tmp_path}/judge.sqlite3"
    ))
    other = rig.again(config)
    publish(config, rig.clock, tmp_path / "site")
    page = (tmp_path / "site/games/river/T2.html").read_text()
    assert "SEND 4 UPPER" in page and "turn 2, Marching" in page
    rig.close()
    other.close()


def test_one_letter_tells_of_games_of_several_systems(rig_after: RigAfter) -> None:
    rig = rig_after(1)
    rig.mail(GM, "CREATE ?marco gmsecret standard\nSTART")
    rig.boxes.clear()
    rig.mail("joe@example.org", "LIST FULL\nHELP FORDS")
    told = text_of(rig.letter("joe@example.org"))
    assert "A Paris" in told and "The river at the beginning of turn 2, South to move:" in told
    assert "South: 6 troops, you do not know where" in told
    assert "Two camps, North and South, have 6 troops each." in told
    rig.close()


def test_letters_of_a_german_reader_are_german() -> None:
    rig = Rig()
    rig.mail(GM, "CREATE ?river gmsecret fords\nSET TURNS 4")
    for who, name in ((ANN, "annsecret"), (BOB, "bobsecret")):
        rig.mail(who, f"REGISTER\nLanguage: Deutsch\nEND\nJOIN river {name}")
    rig.mail(ANN, "SIGNON ?river annsecret\nSET PREFERENCE N")
    texts = "\n".join(text_of(letter) for who in (ANN, BOB) for letter in rig.boxes[who])
    assert "Der Fluss zu Beginn von Zug 1" in texts
    assert "Norden: im Lager 6, obere Furt 0" in texts and "6 Trupps, wo, weißt du nicht" in texts
    rig.boxes.clear()
    label = game(rig).phase
    rig.mail(ANN, "LIST river\nWHO river")
    rig.mail(GM, f"SIGNON Mriver gmsecret\nTERMINATE river {label}")
    texts = "\n".join(text_of(letter) for letter in rig.boxes[ANN])
    assert "Die Spieler am Ende:" in texts and "  Norden: " in texts and "North:" not in texts
    rig.close()


def test_turns_undone_are_played_again_with_the_same_chance(rig_after: RigAfter) -> None:
    rig = rig_after(3)
    before = read_archived(rig).turns[2]
    rig.mail(GM, "SIGNON Mriver gmsecret\nROLLBACK river T4 TO T3")
    assert game(rig).phase == "T3"
    rig.mail(ANN, TURNS[2])
    again = read_archived(rig).turns[2]
    assert (again.draws, again.after) == (before.draws, before.after)
    assert [*replay(read_archived(rig))] == []
    rig.close()


def test_start_letter_shows_the_hash_of_numbered_dice(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(type(find_system("fords")), "numbered_dice", True)
    rig = start_game()
    (told,) = [text_of(one) for one in rig.boxes[ANN] if one["X-Judge-Kind"] == "start"]
    seed = game(rig).seed
    for secret in (seed, seed.hex().encode()):
        assert f"\n{sha256(secret).hexdigest()}\n" in told.replace("\r", "")
    rig.close()
