"""`judge game` and `judge ban` at the terminal, during a running game."""

import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from judge.cli import main
from judge.clock import SystemClock
from judge.config import Config, StoreSection
from judge.model.record import MailState
from judge.play.queries import is_present
from tests.journeys.rig import Rig, text_of

ANN, BOB, EVE, GM = "ann@example.org", "bob@example.org", "eve@example.org", "gm@example.org"


@pytest.fixture(scope="module")
def begun() -> Iterator[Rig]:
    """A game in which Ann plays France, Bob plays Germany and Eve observes."""
    made = Rig()
    made.clock.set(SystemClock().now())
    made.mail(GM, "CREATE ?marco gmsecret standard")
    made.mail(ANN, "JOIN marco annsecret\nSET PREFERENCE F")
    made.mail(BOB, "JOIN marco bobsecret\nSET PREFERENCE G")
    made.mail(EVE, "OBSERVE marco")
    made.mail(GM, "SIGNON Mmarco gmsecret\nSTART")
    made.boxes.clear()
    yield made
    made.close()


@pytest.fixture
def rig(begun: Rig, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Rig]:
    """The same game, with its database in a file that the commands find."""
    url = f"sqlite:///{tmp_path}/judge.sqlite3"
    monkeypatch.setenv("JUDGE_STORE_URL", url)
    made = begun.again(replace(Config(), store=StoreSection(url)))
    yield made
    made.close()


def read_letters(rig: Rig, address: str) -> str:
    """Return the new letters to an address since the last call, as one line."""
    rig.clock.set(max(rig.clock.now(), SystemClock().now()))
    rig.run()
    return " ".join(" ".join(map(text_of, rig.boxes.pop(address, []))).split())


def test_games_are_listed_and_shown_with_their_people(
    rig: Rig, capsys: pytest.CaptureFixture[str]
) -> None:
    rig.mail(GM, "SIGNON Mmarco gmsecret\nDUMMY T\nCREATE ?other pw youngstown")
    assert main(["game", "list"]) == main(["game", "show", "MARCO"]) == 0
    said = capsys.readouterr().out
    assert "marco" in said and "other" in said and f"by {GM}" in said
    assert "marco     Standard                running" in said
    assert f"France: {ANN}" in said and "Austria: vacant" in said
    assert "Turkey: dummy power" in said and "The master: DUMMY T" in said


def test_pause_and_resume_are_logged_under_the_operator(rig: Rig) -> None:
    assert main(["game", "pause", "marco"]) == 0
    assert "The operator paused 'marco'" in read_letters(rig, ANN)
    rig.clock.advance(days=10)
    assert read_letters(rig, BOB).count("deadline") == 0
    assert main(["game", "resume", "marco"]) == 0
    assert "The operator resumed 'marco'" in read_letters(rig, GM)
    rig.mail(ANN, "LOG marco")
    said = read_letters(rig, ANN)
    assert "The operator of this judge: PAUSE" in said
    assert "The operator of this judge: RESUME" in said


@pytest.mark.parametrize("address", [EVE, "new@example.org", ANN])
def test_a_game_is_transferred_to_another_master(rig: Rig, address: str) -> None:
    assert main(["game", "give", "marco", address]) == 0
    assert "You are no longer a master of 'marco'" in read_letters(rig, GM)
    (letter,) = [x for x in rig.boxes[address] if "made you the game master" in text_of(x)]
    rig.reply(address, "SET PASSWORD mine\nPAUSE", letter)
    assert "The master paused 'marco'" in read_letters(rig, BOB)
    rig.mail(GM, "SIGNON Mmarco gmsecret\nRESUME")
    assert "Sign-on failed" in read_letters(rig, GM)
    game = rig.application.games.find("marco")
    assert game and bool(game.settings.get("gm_plays")) == (address == ANN)


def test_delete_needs_a_confirmation_and_removes_the_whole_game(
    rig: Rig, capsys: pytest.CaptureFixture[str]
) -> None:
    rig.mail(GM, "CREATE ?other pw standard")
    rig.mail(ANN, "SIGNON Fmarco annsecret\nA Par H\nVOTE DRAW\nPHASE F1901M\nA Par H")
    rig.mail(EVE, "SIGNON ?other none\nSET DIGEST\n")
    rig.mail(GM, "SIGNON Mmarco gmsecret\nPROCESS S1901M")
    game = rig.application.games.find("marco")
    assert game
    rig.boxes.clear()
    assert main(["game", "delete", "marco"]) == 1
    assert "--yes" in capsys.readouterr().err
    assert main(["game", "delete", "marco", "--yes"]) == 0
    assert "has deleted 'marco'" in read_letters(rig, EVE)
    assert rig.application.games.find("marco") is None and rig.application.games.find("other")
    assert rig.application.store.path
    with closing(sqlite3.connect(rig.application.store.path)) as copy:
        tables = [name for (name,) in copy.execute(
            "SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()]
        assert copy.execute("PRAGMA foreign_key_check").fetchall() == []
        for table in tables:
            columns = [row[1] for row in copy.execute(f"PRAGMA table_info({table})")]
            if "game" in columns and table != "outgoing":
                left = copy.execute(f"SELECT 1 FROM {table} WHERE game = {game.id}").fetchall()
                assert left == [], table
    rig.reply(EVE, "STATUS")
    assert read_letters(rig, EVE)


def test_mail_of_a_banned_address_is_stored_but_ignored(
    rig: Rig, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["ban", ANN]) == 0
    assert "operator has blocked mail from your address" in read_letters(rig, ANN)
    rig.mail(ANN, "SIGNON Fmarco annsecret\nRESIGN")
    assert read_letters(rig, ANN) == ""
    kept = rig.application.post.get(rig.mails)
    assert kept and kept.state is MailState.IGNORED and kept.note == "banned"
    assert main(["ban"]) == 0 and ANN in capsys.readouterr().out
    assert main(["ban", ANN]) == 1
    assert main(["ban", ANN, "--lift"]) == 0
    assert main(["ban", ANN, "--lift"]) == 1
    rig.mail(ANN, "SIGNON Fmarco annsecret\nSTATUS")
    assert "France" in read_letters(rig, ANN)


def test_a_ban_covers_the_person_and_permits_unsubscribing(
    rig: Rig, capsys: pytest.CaptureFixture[str]
) -> None:
    other = "ann@work.example"
    rig.mail(GM, "CREATE ?polo polosecret standard")
    rig.mail(ANN, f"IAMALSO {other}")
    for address in (ANN, other):
        (asked,) = [x for x in rig.boxes[address] if x["X-Judge-Kind"] == "confirm"]
        rig.reply(address, "yes", asked)
    seen = rig.newest[EVE]
    rig.mail(EVE, "OBSERVE polo")
    watching = rig.newest[EVE]
    read_letters(rig, ANN), read_letters(rig, other), read_letters(rig, EVE)
    assert main(["ban", ANN]) == main(["ban", EVE]) == 0
    assert main(["ban", other, "--lift"]) == 1
    assert f"{ANN} of the same person is" in capsys.readouterr().err
    read_letters(rig, ANN), read_letters(rig, EVE)
    rig.mail(other, "SIGNON Fmarco annsecret\nRESIGN")
    assert read_letters(rig, other) == read_letters(rig, ANN) == ""
    rig.reply(EVE, "UNSUBSCRIBE\nOBSERVE polo", watching)
    to = str(seen["List-Unsubscribe"]).partition("mailto:")[2].partition("?")[0].strip(">")
    rig.mail(EVE, "", to)
    rig.mail(EVE, "OBSERVE marco")
    assert read_letters(rig, EVE) == ""
    assert [seat for seat in rig.application.games.seats_at(EVE) if is_present(seat)] == []


def test_ban_with_vacate_frees_the_players_seats(
    rig: Rig, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["ban", BOB, "--vacate"]) == 0
    said = read_letters(rig, ANN)
    assert "The operator removed the player of Germany in 'marco'" in said
    assert "TAKEOVER Gmarco newsecret" in said
    assert main(["ban", EVE, "--vacate"]) == main(["ban", GM, "--vacate"]) == 0
    assert "only master of marco" in capsys.readouterr().out
    game = rig.application.games.find("marco")
    assert game
    here = {s.address for s in rig.application.games.seats(game.id) if s.state.value == "held"}
    assert here == {ANN, GM}


def test_ban_lists_the_games_without_another_master(
    rig: Rig, capsys: pytest.CaptureFixture[str]
) -> None:
    rig.mail(GM, "CREATE ?polo polosecret standard\nCREATE ?done donesecret standard\nSTART")
    rig.mail(EVE, "OBSERVE polo evesecret")
    rig.mail(GM, f"SIGNON Mpolo polosecret\nPROMOTE {EVE}")
    rig.mail(GM, "SIGNON Mdone donesecret\nTERMINATE done S1901M")
    assert main(["ban", GM]) == 0
    said = capsys.readouterr().out
    assert re.findall(r"only master of (\w+)", said) == ["marco"]
    assert main(["ban", EVE]) == 0
    assert "only master" not in capsys.readouterr().out


def test_a_ban_covers_a_whole_domain(rig: Rig) -> None:
    assert main(["ban", "@Spam.example"]) == 0
    rig.mail("joe@spam.example", "LIST")
    assert read_letters(rig, "joe@spam.example") == ""
    rig.mail("joe@notspam.example", "LIST")
    assert read_letters(rig, "joe@notspam.example")


@pytest.mark.parametrize(
    "given",
    [
        ["game", "show"], ["game", "show", "polo"], ["game", "resume", "marco"],
        ["game", "give", "marco"], ["game", "give", "marco", "nobody"],
        ["game", "give", "marco", GM], ["ban", "nobody"], ["ban", "postmaster@localhost"],
        ["ban", "@localhost"], ["ban", ANN, "--lift"],
    ],
)
def test_an_impossible_command_fails_without_a_change(
    rig: Rig, given: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(given) == 1
    said = capsys.readouterr()
    assert said.out == "" and said.err.startswith("judge: ")
    assert read_letters(rig, ANN) == read_letters(rig, GM) == ""
