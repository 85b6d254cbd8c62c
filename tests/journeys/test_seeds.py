"""Random seeds: a game with a published seed continues with another one."""

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pytest

from judge.cli import main
from judge.model.record import GameRecord, GameState, Turn
from judge.play.archive.gamefile import Archived, archive_stored, read_archive, write_archive
from judge.play.archive.importing import import_game, replay
from tests.journeys.rig import Rig, squeeze_text, text_of

ANN, BOB, EVE, GM = "ann@example.org", "bob@example.org", "eve@example.org", "gm@example.org"
MASTER = "SIGNON Msiege gmsecret\n"
ENDINGS: dict[str, Callable[[Rig], None]] = {
    "terminate": lambda rig: rig.mail(GM, MASTER + "TERMINATE siege AP1M") and None,
    "draw": lambda rig: vote(rig, "VOTE DRAW"),
    "cancel": lambda rig: vote(rig, "VOTE CANCEL"),
}


def vote(rig: Rig, line: str) -> None:
    rig.mail(ANN, f"SIGNON FA@siege annsecret\n{line}")
    rig.mail(BOB, f"SIGNON AP@siege bobsecret\n{line}")


@pytest.fixture(scope="module")
def played_rig() -> Iterator[Rig]:
    """A game of Yorktown after a shot, with an observer."""
    made = Rig()
    made.mail(GM, "CREATE ?siege gmsecret yorktown\nSTART")
    made.mail(ANN, "TAKEOVER Fsiege annsecret")
    made.mail(BOB, "TAKEOVER Asiege bobsecret")
    made.mail(EVE, "OBSERVE siege evesecret")
    made.mail(GM, f"{MASTER}AP: ART 1 at 1505\nFA: INF 14 at 1404\nPROCESS AP0S")
    made.mail(GM, f"{MASTER}PROCESS FA0S\nPROCESS FA1M")
    made.mail(GM, f"{MASTER}ART 1 fires at 1404\nPROCESS AP1F")
    made.boxes.clear()
    yield made
    made.close()


@pytest.fixture
def rig(played_rig: Rig) -> Iterator[Rig]:
    made = played_rig.again()
    yield made
    made.close()


def game(rig: Rig, name: str = "siege") -> GameRecord:
    found = rig.application.games.find(name)
    assert found
    return found


def turns(rig: Rig, name: str = "siege") -> list[Turn]:
    return rig.application.games.turns(game(rig, name).id)


def read_archived(rig: Rig, name: str = "siege") -> Archived:
    games, record = rig.application.games, game(rig, name)
    return Archived(record, tuple(games.turns(record.id)), tuple(games.events(record.id)))


def export_game(rig: Rig, name: str = "siege") -> str:
    return write_archive(archive_stored(rig.application.games, game(rig, name)))


@pytest.mark.slow
@pytest.mark.parametrize("way", ENDINGS)
def test_rollback_of_an_ended_game_draws_a_new_seed(rig: Rig, way: str) -> None:
    ENDINGS[way](rig)
    assert game(rig).state is GameState.ENDED
    published, shot = game(rig).seed, turns(rig)[-1]
    assert published.hex() in squeeze_text(text_of(rig.newest[ANN]))
    rig.boxes.clear()
    rig.mail(GM, f"{MASTER}ROLLBACK siege {game(rig).phase} TO AP1F")
    seed = game(rig).seed
    assert seed != published and len(seed) == 32
    for who in (ANN, BOB, EVE, GM):
        [told] = [text_of(one) for one in rig.boxes[who] if one["X-Judge-Kind"] == "notice"]
        for secret in (seed, seed.hex().encode()):
            assert sha256(secret).hexdigest() in told, who
        assert seed.hex() not in told
    rig.mail(ANN, "SIGNON FA@siege annsecret\nHISTORY")
    assert sha256(seed).hexdigest() in text_of(rig.newest[ANN])
    rig.mail(GM, f"{MASTER}ART 1 fires at 1404\nPROCESS AP1F")
    again = turns(rig)[-1]
    assert (shot.seed, again.seed) == (published, seed)
    assert [draw[:3] for draw in again.draws] == [draw[:3] for draw in shot.draws]
    assert list(replay(read_archived(rig))) == []
    assert seed.hex() not in export_game(rig) and published.hex() in export_game(rig)
    assert list(replay(read_archive(export_game(rig)))) == []


@pytest.mark.slow
def test_turns_replay_with_their_own_seed(
    rig: Rig, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The turns are original, replayed or rolled forward, with three seeds."""
    seeds = [game(rig).seed]
    for to in ("AP1M", "AP1F", "AP1F"):
        rig.mail(GM, f"{MASTER}TERMINATE siege {game(rig).phase}")
        rig.mail(GM, f"{MASTER}ROLLBACK siege {game(rig).phase} TO {to}")
        seeds.append(game(rig).seed)
        if to == "AP1F":
            rig.mail(GM, f"{MASTER}ART 1 fires at 1404\nPROCESS AP1F")
        assert list(replay(read_archived(rig))) == [], to
    assert len({*seeds}) == 4
    assert [turn.seed for turn in turns(rig)] == [*[seeds[0]] * 3, seeds[3]]
    rig.mail(GM, f"{MASTER}TERMINATE siege {game(rig).phase}")
    text = export_game(rig)
    named = [turn.get("seed") for turn in json.loads(text)["turns"]]
    assert named == [*[seeds[0].hex()] * 3, None]
    taken = read_archive(text)
    assert list(replay(taken)) == []
    # One other seed may roll the same die, twenty do not.
    others = [replace(taken.turns[3], seed=bytes([number]) * 32) for number in range(20)]
    replayed = (taken._replace(turns=(*taken.turns[:3], other)) for other in others)
    assert any("draws" in line for archived in replayed for line in replay(archived))
    (tmp_path / "siege.json").write_text(text)
    assert main(["replay", str(tmp_path / "siege.json")]) == 0
    told = capsys.readouterr().out
    assert [line.rsplit(None, 1)[1] for line in told.splitlines() if "SHA-256" in line] == [
        sha256(seed).hexdigest() for seed in seeds
    ]


def test_rollforward_keeps_the_seed_of_its_turns(rig: Rig) -> None:
    first, before = game(rig).seed, turns(rig)
    rig.mail(GM, f"{MASTER}TERMINATE siege AP1M")
    rig.mail(GM, f"{MASTER}ROLLBACK siege AP1M TO AP1F")
    rig.mail(GM, f"{MASTER}ROLLFORWARD siege AP1F TO AP1M")
    assert game(rig).state is GameState.ENDED
    assert turns(rig) == before and turns(rig)[-1].seed == first != game(rig).seed
    assert list(replay(read_archive(export_game(rig)))) == []
    published = game(rig).seed
    rig.mail(GM, f"{MASTER}ROLLBACK siege AP1M TO AP1F")
    assert game(rig).seed not in (first, published)


def test_rollback_of_a_running_game_keeps_the_secret_seed(rig: Rig) -> None:
    seed, shot = game(rig).seed, turns(rig)[-1]
    rig.mail(GM, f"{MASTER}ROLLBACK siege AP1M TO AP1F")
    rig.mail(GM, f"{MASTER}ART 1 fires at 1404\nPROCESS AP1F")
    assert game(rig).seed == seed and turns(rig)[-1].draws == shot.draws


def test_copy_of_an_ended_game_continues_with_a_new_seed(rig: Rig) -> None:
    rig.mail(GM, f"{MASTER}TERMINATE siege AP1M")
    published = game(rig).seed
    rig.mail(GM, f"{MASTER}IMPORT trial")
    assert game(rig, "trial").state is GameState.ENDED
    rig.mail(GM, "SIGNON Mtrial gmsecret\nROLLBACK trial AP1M TO AP1F")
    seed = game(rig, "trial").seed
    assert seed not in (published, b"")
    assert sha256(seed).hexdigest() in text_of(rig.newest[GM])
    assert list(replay(read_archived(rig, "trial"))) == []


def test_fork_of_an_ended_game_has_a_new_seed() -> None:
    rig = Rig()
    rig.mail(GM, "CREATE ?siege gmsecret standard\nSTART")
    rig.mail(GM, f"{MASTER}PROCESS S1901M\nTERMINATE siege F1901M")
    rig.mail(GM, f"{MASTER}FORK siege S1901M")
    rig.mail(GM, "SIGNON Msiegex1 gmsecret\nSTART")
    board = game(rig, "siegex1")
    assert board.state is GameState.RUNNING and board.seed not in (game(rig).seed, b"")
    assert sha256(board.seed).hexdigest() in text_of(rig.newest[GM])
    rig.close()


@pytest.mark.parametrize("is_known", [False, True])
def test_import_of_an_open_game_draws_a_new_seed(rig: Rig, is_known: bool) -> None:
    """The file has no seed, or one that its reader knows."""
    old = game(rig).seed
    values = json.loads(export_game(rig))
    values["seed"] = old.hex() if is_known else ""
    archived = read_archive(json.dumps(values))
    with rig.application.store.transaction(), rig.application.unit_of_work() as application:
        made, [letter] = import_game(
            application.context, archived, "copy", GM, rig.clock.now(), force=False
        )
        seed = made.seed
    assert seed not in (old, b"")
    assert any(
        phrase.facts.get("commitment") == sha256(seed).hexdigest()
        for phrase in letter.facts["reasons"]
    )
    assert list(replay(read_archived(rig, "copy"))) == []
    rig.mail(GM, "SIGNON Mcopy\n")
    assert seed.hex() not in export_game(rig, "copy")


def test_start_of_a_game_with_a_later_seed_is_verified() -> None:
    """Powers allotted by the first seed are verified with it."""
    rig = Rig()
    rig.mail(GM, "CREATE ?siege gmsecret standard")
    # With all seats taken two seeds give the same powers once in 5,040 times.
    for number in range(7):
        rig.mail(f"p{number}@example.org", f"JOIN siege secret{number}x")
    rig.mail(GM, f"{MASTER}START")
    rig.mail(GM, f"{MASTER}PROCESS S1901M\nTERMINATE siege F1901M")
    rig.mail(GM, f"{MASTER}ROLLBACK siege F1901M TO S1901M")
    rig.mail(GM, f"{MASTER}PROCESS S1901M\nTERMINATE siege F1901M")
    taken = read_archive(export_game(rig))
    assert list(replay(taken)) == []
    events = tuple(each for each in taken.events if "seed-renewed" not in each.text)
    assert any(line.startswith("start: player") for line in replay(taken._replace(events=events)))
    rig.close()
