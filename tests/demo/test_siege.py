"""A siege by real mail; the position a player reads from a letter is the one there is."""

from pathlib import Path

import pytest

from judge.demo.siege import position_in, run_siege
from judge.dice import Dice
from judge.games import find_system
from judge.games.system import Reader, Watcher
from judge.games.yorktown.rules.orders import order_text
from judge.games.yorktown.rules.state import Unit, load
from judge.games.yorktown.rules.turn import LEAST_DAYS
from judge.games.yorktown.standins import orders_of
from judge.mail.outbound.render import Renderer
from judge.model.letter import Kind, Letter
from tests.language import LANGUAGE

STEPS = 24


def known(unit: Unit) -> Unit:
    """Return what a list of units tells of one."""
    facing = 0 if unit.bow or unit.attached or not unit.on_map else unit.facing
    return unit._replace(facing=facing, tied=False, spent=0, attached=unit.attached)


def test_the_position_read_from_each_letter_is_the_position_there_is() -> None:
    system = find_system("yorktown")
    found = system.opening("yorktown", {}, Dice(bytes(32), 0))
    renderer = Renderer(LANGUAGE, "Judge", "judge@localhost")
    for number in range(1, STEPS):
        position = load(found)
        table = system.table("yorktown", found, {})
        letter = Letter(
            kind=Kind.INFO, to="", subject="", template="standing",
            facts={"standing": table.standing(Reader(Watcher.OBSERVER))}, system="yorktown",
        )
        seen = position_in(renderer.text(letter), str(position.moment))
        if position.moment.day:
            for key, unit in position.units.items():
                if unit.on_map and unit.shots < 2:
                    assert known(seen.units[key]) == known(unit), key
            assert seen.redoubts.keys() == position.redoubts.keys()
        power = next(iter(table.due()))
        lines = "\n".join(map(order_text, orders_of(position)))
        sheet = {power: f"@{position.moment}\n{lines}"}
        found = table.adjudicate(sheet, Dice(bytes(32), number)).after


@pytest.mark.slow
def test_a_siege_is_played_by_mail_to_its_end(tmp_path: Path) -> None:
    said: list[str] = []
    figures = run_siege(LEAST_DAYS, said.append, tmp_path)
    assert (tmp_path / figures.picture.partition(",")[0]).stat().st_size > 50_000
    assert "has won" in (tmp_path / "letter.txt").read_text("utf-8")
