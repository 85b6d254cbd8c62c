"""Talk and statements after the end of a game, in every system, and their faults."""

import json
from collections.abc import Iterator
from dataclasses import replace

import pytest

from judge.model.record import GameState, PendingTextKind
from judge.play import post_game
from judge.play.archive.gamefile import archive_stored, read_archive, write_archive
from tests.journeys.rig import Rig, squeeze_text, text_of

GM, ANN, BOB, EVE = "gm@example.org", "ann@example.org", "bob@example.org", "eve@example.org"
GAMES = {"standard": ("FG", "S1901M"), "nations1940": ("KG", "T0"), "yorktown": ("AF", "AP0S")}
"""Map → letters of two powers, and the first phase."""


FRENCH = "SIGNON Fmarco annsecret\n"


@pytest.fixture
def fresh() -> Iterator[Rig]:
    """A judge without a game."""
    made = Rig()
    yield made
    made.close()


@pytest.fixture(scope="module")
def begun() -> Iterator[Rig]:
    """A judge with one game on the standard map, terminated at its start."""
    made = Rig()
    end_game(made)
    yield made
    made.close()


def end_game(rig: Rig, variant: str = "standard", *settings: str) -> tuple[str, str]:
    """Start and terminate a game of Ann and Bob. Return their sign-ons."""
    (one, two), phase = GAMES[variant]
    rig.mail(GM, "\n".join([f"CREATE ?marco gmsecret {variant}", *settings]))
    rig.mail(GM, "SIGNON Mmarco gmsecret\nSTART")
    rig.mail(ANN, f"TAKEOVER {one}marco annsecret")
    rig.mail(BOB, f"TAKEOVER {two}marco bobsecret")
    rig.mail(GM, f"SIGNON Mmarco gmsecret\nTERMINATE marco {phase}")
    rig.boxes.clear()
    return f"SIGNON {one}marco annsecret\n", f"SIGNON {two}marco bobsecret\n"


def join_letters(rig: Rig, address: str) -> str:
    return squeeze_text(" ".join(map(text_of, rig.boxes.get(address, ()))))


def list_statements(rig: Rig) -> list[str]:
    game = rig.application.games.find("marco")
    assert game
    return [p.text for p in rig.application.context.pending_press.list_texts(
        game.id, PendingTextKind.STATEMENT
    )]


@pytest.mark.parametrize("variant", GAMES)
def test_every_system_has_talk_and_statements(fresh: Rig, variant: str) -> None:
    ann, bob = end_game(fresh, variant)
    fresh.mail(ANN, f"{ann}BROADCAST\nWell played.\nENDPRESS\nSTATEMENT\nOf Ann.\nENDPRESS")
    assert "Well played." in join_letters(fresh, BOB) and "Of Ann." not in join_letters(fresh, BOB)
    fresh.mail(BOB, f"{bob}STATEMENT\nOf Bob.\nENDPRESS")
    assert "|| Of Ann." in join_letters(fresh, BOB) and "|| Of Bob." in join_letters(fresh, ANN)
    fresh.mail(EVE, "HISTORY marco FROM 1 Jan 2026")
    assert "|| Of Ann." in join_letters(fresh, EVE) and "|| Of Bob." in join_letters(fresh, EVE)
    games = fresh.application.games
    game = games.find("marco")
    assert game
    taken = read_archive(write_archive(archive_stored(games, game)))
    said = [json.loads(one.text)["body"] for one in taken.events if one.kind == post_game.STATEMENT]
    assert sorted(said) == [["Of Ann."], ["Of Bob."]]


def test_a_game_without_talk_closes_at_once(fresh: Rig) -> None:
    ann, _ = end_game(fresh, "standard", "SET NO TALK")
    fresh.mail(ANN, f"{ann}BROADCAST\nHello.\nENDPRESS\nSTATEMENT\nOf Ann.\nENDPRESS")
    refused = join_letters(fresh, ANN).partition("'marco' is over, and its press is closed")[0]
    assert "BROADCAST" in refused and "STATEMENT" in refused
    assert not fresh.boxes.get(BOB)


def test_games_ended_before_the_feature_stay_closed(rig: Rig) -> None:
    """Their `due` was cleared when they ended, and stays empty."""
    game = rig.application.games.find("marco")
    assert game
    rig.application.games.save(replace(game, due=None))
    rig.clock.advance(days=30)
    rig.run()
    rig.mail(ANN, f"{FRENCH}BROADCAST\nHello.\nENDPRESS")
    assert "'marco' is over, and its press is closed" in join_letters(rig, ANN)
    assert not rig.boxes.get(BOB)


def test_a_rolled_back_game_has_its_press_rules_again(fresh: Rig) -> None:
    fresh.mail(GM, "CREATE ?marco gmsecret standard\nSET NO PRESS\nSTART")
    fresh.mail(ANN, "TAKEOVER Fmarco annsecret")
    fresh.mail(BOB, "TAKEOVER Gmarco bobsecret")
    fresh.mail(GM, "SIGNON Mmarco gmsecret\nPROCESS S1901M\nTERMINATE marco F1901M")
    ann = "SIGNON Fmarco annsecret\n"
    fresh.mail(ANN, f"{ann}STATEMENT\nI planned to take Munich.\nENDPRESS")
    fresh.mail(GM, "SIGNON Mmarco gmsecret\nROLLBACK marco F1901M TO F1901M")
    game = fresh.application.games.find("marco")
    assert game and game.state is GameState.RUNNING
    fresh.boxes.clear()
    fresh.clock.advance(days=20)
    fresh.run()
    assert "I planned" not in join_letters(fresh, BOB) + join_letters(fresh, GM)
    fresh.mail(ANN, f"{ann}PRESS TO G\nHello.\nENDPRESS")
    assert "is played without press" in join_letters(fresh, ANN)
    assert list_statements(fresh) == ['["I planned to take Munich."]']


def test_a_gunboat_statement_must_not_name_its_author(fresh: Rig) -> None:
    fresh.mail(ANN, "NAME Ann of Aix")
    ann, _ = end_game(fresh, "standard", "SET GUNBOAT")
    for text in ("Yours, Ann  OF Aix", "ann@example.org"):
        fresh.mail(ANN, f"{ann}STATEMENT\n{text}\nENDPRESS")
    assert (
        join_letters(fresh, ANN).count("it contains your mail address or registered name") == 2
    )
    assert list_statements(fresh) == []


def test_a_statement_may_name_its_consenting_author(fresh: Rig) -> None:
    fresh.mail(ANN, "NAME Ann of Aix")
    ann, _ = end_game(fresh, "standard", "SET GUNBOAT; SET NAMES AT END")
    fresh.mail(ANN, f"{ann}SET TELL NAME\nSTATEMENT\nYours, Ann of Aix\nENDPRESS")
    assert list_statements(fresh) == ['["Yours, Ann of Aix"]']


@pytest.mark.parametrize("body", [
    "SIGNON Gmarco bobsecret", "SET PASSWORD newsecret", "PRESS TO G", "ENDPRES",
])
def test_an_unclosed_statement_is_not_published(rig: Rig, body: str) -> None:
    rig.mail(ANN, f"{FRENCH}STATEMENT\nOf Ann.\n{body}\nENDPRESS")
    rig.mail(ANN, f"{FRENCH}STATEMENT\nOf Ann.\n{body}")
    rig.clock.advance(days=15)
    rig.run()
    assert list_statements(rig) == [] and not rig.boxes.get(BOB)


@pytest.mark.parametrize("line", ["Statement of accounts", "EOG statements follow", "statements"])
def test_a_line_of_prose_begins_no_statement(rig: Rig, line: str) -> None:
    rig.mail(ANN, f"{line}\n{FRENCH}MY GAMES")
    assert "you can write press until" in join_letters(rig, ANN)


def test_an_internal_error_leaves_the_game_closed(
    rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    rig.mail(ANN, f"{FRENCH}STATEMENT\nOf Ann.\nENDPRESS")

    def broken(*_: object) -> None:
        raise ZeroDivisionError("a fault of ours")

    monkeypatch.setattr(post_game, "sides_of", broken)
    rig.clock.advance(days=15)
    rig.run()
    game = rig.application.games.find("marco")
    assert game and game.state is GameState.ENDED and game.due is None
