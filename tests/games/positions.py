"""Results of case files for each viewer as text: `positions/`.

A file has the head and the results as in letters, for some viewers. For Nations it also has their
own figures, for Yorktown the picture's contents and a bot's orders. `python -m
tests.journeys.golden` writes the files again.
"""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from judge.games import find_system
from judge.games.nations1940.rules.orders import order_text as order_line
from judge.games.nations1940.rules.resolve import resolve
from judge.games.nations1940.rules.settings import settings_from
from judge.games.nations1940.rules.state import dump_state
from judge.games.nations1940.views.record import write_record
from judge.games.system import GameSystem, Viewer, ViewerRole
from judge.games.yorktown.default_orders import orders_of as bot_orders
from judge.games.yorktown.rules.orders import order_text
from judge.games.yorktown.views.pictures import picture_of, turn_sketch
from judge.games.yorktown.views.record import read_record
from judge.games.yorktown.views.record import write_record as write_step
from judge.mail.outbound.render import Renderer
from judge.model.letter import Letter, LetterKind
from judge.phrases import phrasebook
from tests.games.nations1940.board_of_cases import BOARD, LoadedDice, laid_out
from tests.games.nations1940.test_cases import CASES, orders_of
from tests.games.yorktown.siege_cases import play, position_of, read_cases
from tests.language import LANGUAGE

FOLDER = Path(__file__).parent / "positions"
RENDERER = Renderer(LANGUAGE, "Judge", "judge@example.org")
OBSERVER, MASTER = Viewer(ViewerRole.OBSERVER), Viewer(ViewerRole.MASTER)
OWN = {"own", "sighted", "relations", "dangers"}
"""Pieces of a Nations position shown here. Golden letters have all of them."""
NATIONS = {
    "capital": ("fates/a capital falls: a new one with an army, and each province chooses",
                "Germany", "Ukraine"),
    "atom": ("strikes/an atomic bomb: two improvements, an army, fallout, and the people leave"
             " for good", "Ukraine", "Danubia"),
    "fleets": ("sea/fleets of one nation from two sides fight as one side, and each goes back"
               " where it came from", "Danubia"),
    "factories": ("home/eight Factories make it five, and taking down counts too", "Danubia"),
    "contract": ("home/mirrored lines make a contract; land goes over at once, knowledge next"
                 " turn", "Danubia", "Egypt", "master"),
    "armies": ("outcomes/armies arrive, take land, have losses, go back, are destroyed, and are"
               " halted", "Danubia"),
}
"""Cases of Nations 1940, and their viewers in addition to observers."""
YORKTOWN = {
    "storm": "combat: Y-99 b: with one more out of the Hornwork, not doubled",
    "driven": "combat: Y-69 Y-70 A2: all attackers retreat two hexes, a commander with his unit",
    "battery": "fire: Y-41 Y-42 Y-100 four batteries on a redoubt: half",
    "sunk": "fire: Y-48 Y-57 an eliminated frigate is gone with all aboard",
    "landing": "ships: Y-53 Y-55 landing beside whole water, or in a town",
    "taken": "ending: Y-82 seven FA combat units in Yorktown at the check of a day",
}


def files() -> dict[str, str]:
    """Return file name → text of all positions."""
    return {
        **{f"nations1940-{name}.txt": "\n".join(_nations(*told)) for name, told in NATIONS.items()},
        **{f"yorktown-{name}.txt": "\n".join(_yorktown(case)) for name, case in YORKTOWN.items()},
    }


def _nations(title: str, *powers: str) -> Iterator[str]:
    """Yield the results of the last turn of a case of Nations."""
    (case,) = (one for one in CASES if one.id == title)
    settings = settings_from(case.options)
    state = laid_out(case.before, case.turn, settings)
    for turn in case.turns:
        before, orders = state, orders_of(state, turn, settings)
        resolved = resolve(BOARD, state, orders, settings, LoadedDice(state.turn, turn.rolls))
        state = resolved.after
    system = find_system("nations1940")
    options = {name: str(value) for name, value in case.options.items()}
    texts = {
        code: tuple(order_line(order, BOARD) for order in given) for code, given in orders.items()
    }
    record = write_record(before, resolved, settings, texts)
    table = system.table("nations1940", dump_state(state), options)
    for reader in (*(_reader(power) for power in powers), OBSERVER):
        yield from _format_reports(system, "nations1940", record, reader)
        if reader.power:
            standing = table.position_facts(reader)
            own = tuple(piece for piece in standing.pieces if piece.template in OWN)
            yield _text("standing", replace(standing, pieces=own), "nations1940")


def _yorktown(title: str) -> Iterator[str]:
    """Yield the results of a Yorktown case, its picture and the orders of a bot."""
    (case,) = (one for one in read_cases() if one.name == title)
    position, played = position_of(case), play(case)
    record = write_step(position, played, {})
    for reader in (_reader("Franco-American"), _reader("Anglo-Prussian"), OBSERVER):
        yield from _format_reports(find_system("yorktown"), "yorktown", record, reader)
    board = picture_of(turn_sketch(read_record(record), tried=False), "siege")
    yield "=== Picture\n"
    yield from map(str, (*board.counters, *board.ways, *board.shots, *board.fallen, board.window))
    yield "\n=== Bot\n"
    yield from map(order_text, bot_orders(position))


def _reader(name: str) -> Viewer:
    return MASTER if name == "master" else Viewer(ViewerRole.POWER, name)


def _format_reports(system: GameSystem, board: str, record: str, reader: Viewer) -> Iterator[str]:
    """Yield the head and the results for one viewer."""
    yield f"=== {reader.power or reader.quality.value}\n"
    if brief := system.turn(board, record).brief(reader):  # type: ignore[attr-defined]
        say = phrasebook(system.name).render
        yield say(brief.title)
        for fate in brief.fates:
            words = " ".join(map(say, (fate.what, fate.verdict, *fate.why)))
            yield f"  {'! ' * fate.is_lost}{words}"
        yield from (f"  elsewhere: {say(each)}" for each in brief.elsewhere)
        yield ""
    yield _text("results", system.turn(board, record).results(reader), system.name)


def _text(template: str, facts: object, system: str) -> str:
    """Return the part of a letter rendered from facts by a template."""
    seat = {"role": "observer", "replies": True}
    told = {"game": {"name": "marco"}, "seat": seat, template: facts}
    return RENDERER.text(
        Letter(LetterKind.RESULTS, "a@example.org", "s", template, told, system=system)
    )
