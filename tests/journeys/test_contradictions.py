"""No letter contradicts itself, and each check detects a planted contradiction.

Every letter of the journeys is checked (`pages.is_sound`). Here games of all three systems are
played at random, with recipients in both languages.
"""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import pytest

from judge.games.diplomacy.boards import board
from judge.games.diplomacy.rules.orders import order_text
from judge.games.diplomacy.views.record import load_text
from judge.games.nations1940.rules.state import load_state
from judge.games.nations1940.rules.world import World
from judge.games.nations1940.sides import codes_by_name
from judge.games.yorktown.rules.orders import order_text as siege_text
from judge.games.yorktown.rules.state import load
from judge.games.yorktown.views.moments import POWERS
from judge.model.phrase import phrase
from judge.model.record import GameRecord, GameState
from judge.phrases import phrasebook
from judge.play.queries import sides_of
from tests.games.nations1940 import players
from tests.games.nations1940.scripted import BOARD, Settings
from tests.games.yorktown import scripted
from tests.journeys.contradictions import (
    ASKING,
    NO_DECISION,
    contradictions_in,
    own_words,
)
from tests.journeys.rig import Rig, text_of
from tests.random_orders import Luck, orders_for

GM = "gm@example.org"
IDLE = "You have no orders due in this phase (F1901R).\n"
IDLE_DE = "In dieser Phase (F1901R) hast du nichts zu\nentscheiden.\n"
MOVED = {
    "was": "2026-01-08T12:00:00+00:00", "now": "2026-01-08T12:00:00+00:00", "phase": "S1901M",
    "game": "marco",
}
CHANGES = "\n\nSupply centres that changed hands:\nGermany: Paris (from\n    France).\n\n"
SHARED = """
- 1907: France gains three, more than anybody in any other year.

1906    3   4   5
1907    3   7   5
1908    6   6   4
"""


def say(code: str, language: str = "", **facts: str) -> str:
    """Return a rendered phrase of Diplomacy."""
    return phrasebook("diplomacy", language).render(phrase(code, **facts))


ORDERED = {"order": "A MAR S A PAR - BUR", "given": "A PAR H"}
PLANTED = [
    (IDLE + "Due now: movement orders", "asked, with nothing to decide"),
    (IDLE + "\nTo give orders, reply with\none order a line", "asked, with nothing to decide"),
    (IDLE + "\nReply with one order\na line, without", "asked, with nothing to decide"),
    (IDLE + say("turned-no-orders"), "asked, with nothing to decide"),
    (IDLE_DE + "Das fehlt noch von dir: Befehle", "asked, with nothing to decide"),
    (IDLE_DE + say("turned-no-orders", "de"), "asked, with nothing to decide"),
    (f"Elsewhere: {say('else-no-changes')}.{CHANGES}", "changes, where none are told"),
    (f"Anderswo: {say('else-no-changes', 'de')}.{CHANGES}", "changes, where none are told"),
    (say("deadline-moved-later", **MOVED), "moved to where it was"),
    (say("deadline-now-later", "de", **MOVED), "moved to where it was"),
    (say("grace-moved-later", "de", **MOVED), "moved to where it was"),
    (f"{say('support-of-another-order', **ORDERED)}\n    Missing: A MUN,\n A PAR\n",
     "ordered without an order"),
    (f"{say('support-of-another-order', 'de', **ORDERED)}\n    Es fehlen: A PAR\n",
     "ordered without an order"),
    (f"FRANCE, Fall of 1901: {say('gist-no-retreats')}.{CHANGES}", "losses are hidden"),
    (f"FRANCE, Herbst 1901: {say('gist-no-retreats', 'de')}.{CHANGES}", "losses are hidden"),
    (SHARED, "record is shared"),
    ("Not done:\n\n  TERMINATE\n    TERMINATE ends it.\n    To confirm, send:\n",
     "refused, where it is asked back"),
]
SOUND = [
    IDLE + "Deadline: near.",
    f"Elsewhere: {say('else-no-changes')}.",
    say("deadline-moved-later", **{**MOVED, "now": "2026-01-08T12:30:00+00:00"}),
    f"{say('support-of-another-order', **ORDERED)}\n    Missing: A MUN\n",
    f"FRANCE, Fall of 1901: you have 3 centres (1 gained, 1 lost).{CHANGES}",
    SHARED.replace("   6   6   4", "   4   6   4"),
    "|| You have no orders due in this phase (F1901R).\nDue now: orders",
]


@pytest.mark.parametrize(("text", "name"), PLANTED)
def test_planted_contradiction_is_found(text: str, name: str) -> None:
    assert [found.partition(":")[0] for found in contradictions_in(own_words(text))] == [name]


@pytest.mark.parametrize("text", SOUND)
def test_consistent_text_passes(text: str) -> None:
    assert contradictions_in(text) == []


def test_every_checked_sentence_is_used_in_letters() -> None:
    """A reworded sentence would escape its check."""
    folder = Path(__file__).parents[2] / "mailtemplates"
    texts = [" ".join(file.read_text("utf-8").split()) for file in folder.rglob("*.t[xs][tv]")]
    for pattern in (*NO_DECISION, *ASKING):
        words = re.split(r"\(\?|\[", pattern)[0].replace("\\", "").strip()
        assert any(words in text for text in texts), pattern


def diplomacy_lines(game: GameRecord, power: str, chance: Random) -> Iterator[str]:
    """Yield random orders of a power."""
    on = board(game.map)
    luck = Luck(chance.randrange(1000), game.turn, power)
    yield from map(order_text, orders_for(on, load_text(game.position), power, luck))


TEMPERS = (players.HEADLONG, players.CONQUEROR, players.RULER, players.FARMER)


def nations_lines(game: GameRecord, power: str, chance: Random) -> Iterator[str]:
    """Yield orders of a nation by a random strategy."""
    world = World(BOARD, load_state(game.position), Settings())
    code = codes_by_name(game.map)[power]
    found = players.lines_of(world, code, chance.choice(TEMPERS))
    yield from (line for line in found if line != "READY")


def siege_lines(game: GameRecord, power: str, chance: Random) -> Iterator[str]:
    """Yield orders of a side in its own steps."""
    position = load(game.position)
    if POWERS[position.moment.side] == power:
        script = chance.choice((scripted.marching_in, scripted.marching_out))
        yield from map(siege_text, script(position))


Lines = Callable[[GameRecord, str, Random], Iterator[str]]
GAMES: dict[str, Lines] = {
    "standard": diplomacy_lines, "youngstown": diplomacy_lines,
    "nations1940": nations_lines, "yorktown": siege_lines,
}


@pytest.mark.slow
@pytest.mark.parametrize("system", GAMES)
def test_no_letter_of_a_random_game_contradicts_itself(system: str) -> None:
    play(system, seed=1, phases=4)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2, 7))
@pytest.mark.parametrize("system", GAMES)
def test_no_letter_of_many_random_games_contradicts_itself(system: str, seed: int) -> None:
    play(system, seed, phases=25)


def play(system: str, seed: int, phases: int) -> None:
    """Play a game at random. The rig checks every letter."""
    chance, rig = Random(f"{system} {seed}"), Rig()
    try:
        rig.mail(GM, f"CREATE ?rand gmsecret {system}\nSTART")
        sides = sides_of(record(rig))
        signons = {}
        for at, side in enumerate(sides[:4]):
            address = f"p{at}@example.org"
            rig.mail(address, f"TAKEOVER {side.letter}@rand secret{at}")
            signons[side.name] = address, f"SIGNON {side.letter}@rand secret{at}"
            if at % 2:
                rig.reply(address, "SET LANGUAGE DE")
        rig.mail("eve@example.org", "OBSERVE rand")
        for _ in range(phases):
            if record(rig).state is not GameState.RUNNING:
                break
            phase(rig, system, signons, chance)
        kinds = {letter["X-Judge-Kind"] for box in rig.boxes.values() for letter in box}
        assert {"results", "receipt", "start"} <= kinds
    finally:
        rig.close()


def phase(rig: Rig, system: str, signons: dict[str, tuple[str, str]], chance: Random) -> None:
    """Play a phase with missing and repeated orders, ended by the master."""
    game, lines = record(rig), GAMES[system]
    for power, (address, signon) in signons.items():
        given = [line for line in lines(game, power, chance) if chance.random() < 0.8]
        more = chance.choice(("", "READY", "STATUS", "SET WAIT", "LIST rand"))
        rig.mail(address, "\n".join([signon, *given, more]))
    others = [side.name for side in sides_of(game) if side.name not in signons]
    orders = [
        f"{power}: {line}" for power in others for line in lines(game, power, chance)
        if system in ("standard", "youngstown")
    ]
    if record(rig).phase == game.phase:
        rig.mail(GM, "\n".join(["SIGNON Mrand gmsecret", *orders, f"PROCESS {game.phase}"]))


def record(rig: Rig) -> GameRecord:
    """Return the game as stored."""
    found = rig.application.games.find("rand")
    assert found is not None
    return found


def test_eliminated_power_is_asked_for_nothing() -> None:
    rig = Rig()
    try:
        rig.mail(GM, "CREATE ?rand gmsecret standard\nSTART")
        rig.mail("ann@example.org", "TAKEOVER Arand annsecret")
        rig.mail(GM, (
            "SIGNON Mrand gmsecret\nSETUP F1901A\nAustria: none\nAustria centres: none\n"
            "France: A Par, A Mar, F Bre, A Bur\nENDSETUP"
        ))
        shown = re.search(r"    (SETUP [a-z]{6})\b", text_of(rig.newest[GM]))
        assert shown
        rig.mail(GM, f"SIGNON Mrand gmsecret\n{shown[1]}")
        told = text_of(rig.newest["ann@example.org"])
        assert "no orders due" in told and "send them again" not in told
        rig.mail("ann@example.org", "SIGNON Arand annsecret\nA Vie H")
        told = text_of(rig.newest["ann@example.org"])
        assert "kept" not in told and "cannot be ordered now" in told, told
        rig.mail("ann@example.org", "SIGNON Arand annsecret\nREADY")
        told = text_of(rig.newest["ann@example.org"])
        assert "You have no orders due in this phase (F1901A)." in told, told
    finally:
        rig.close()
