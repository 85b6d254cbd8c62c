"""Notes on attacks: odds from known facts, and passes."""

import pytest

from judge.games.nations1940.language.lexicon import lexicon
from judge.games.nations1940.language.reading import read_lines
from judge.model.incoming import Line
from judge.phrases import phrasebook
from tests.games.nations1940.board_of_cases import MAP
from tests.games.nations1940.test_rules import rules, world_of


@rules("N-49", "N-55", "N-156")
@pytest.mark.parametrize(("before", "orders", "notes"), [
    # Three armies from the capital (HQ) match the row of HELP COMBAT for attack +1.
    ((), ("MOVE 3 #38 -> #37",), ["take it with 3 armies from #38 Wallachia (+1 HQ): 70%"]),
    (("#69 armies=DAN:3",), ("MOVE 3 #69 -> #37",), ["take it with 3 armies from #69 Serbia: 55%"]),
    (("#69 armies=DAN:3 improvements=AIR",), ("MOVE 3 #69 -> #37",), ["(+1 air): 70%"]),
    (("#34 armies=DAN:2",), ("MOVE 2 #34 -> #37",), ["(-1 pass)", "W-PASS"]),
    (("#34 armies=DAN:2", "DAN techs=Engineer"), ("MOVE 2 #34 -> #37",), ["#34 Salonika: 41%"]),
    # A joint attack has one note, at the last order.
    (("#69 armies=DAN:1",), ("MOVE 3 #38 -> #37", "MOVE 1 #69 -> #37"),
     ["3 armies from #38 Wallachia (+1 HQ) and 1 army from #69 Serbia"]),
])  # fmt: skip
def test_odds_use_the_known_facts(
    before: tuple[str, ...], orders: tuple[str, ...], notes: list[str]
) -> None:
    lines = [Line(number, text) for number, text in enumerate(orders, 1)]
    world = world_of(*before)
    verdicts = read_lines(world, lexicon(MAP), "DAN", lines, ()).verdicts
    told = [phrasebook("nations1940").render(note) for one in verdicts for note in one.notes]
    assert all(part in " ".join(told) for part in notes), told
    assert sum("W-NEUTRAL" in line for line in told) == 1


@rules("N-160")
def test_odds_use_nothing_hidden() -> None:
    """A partner's Airfield out of sight is not counted."""
    world = world_of("NAP DAN OTT", "PACT DAN OTT", "#26 improvements=AIR", "OTT techs=Strategic",
                     "#69 armies=DAN:3")  # fmt: skip
    [verdict] = read_lines(
        world, lexicon(MAP), "DAN", [Line(1, "MOVE 3 #69 -> #37")], ()
    ).verdicts
    assert "air" not in phrasebook("nations1940").render(verdict.notes[0])
