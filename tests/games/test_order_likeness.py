"""Lines of talk and of orders in people's words, read by all three systems.

No order line passes silently, and hardly any line of talk keeps a phase waiting.
"""

import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from judge.games.diplomacy.boards import board
from judge.games.diplomacy.language.future_orders import read_ahead
from judge.games.diplomacy.language.order_reader import read_lines
from judge.games.diplomacy.language.order_words import order_vocabulary
from judge.games.diplomacy.rules.orders import order_text
from judge.games.diplomacy.rules.ruleset import Rules
from judge.model.incoming import Line
from tests.games.nations1940.test_reading import read as read_nations
from tests.games.yorktown.test_reading import position as siege
from tests.games.yorktown.test_reading import read as read_yorktown

sys.path.append(str(Path(__file__).parent / "diplomacy"))
from scenes import position

STANDARD = board("standard")
START = position(STANDARD, "M", "start")
LINES = Path(__file__).with_name("lines")
MAX_BLOCKING = 0.01
"""Maximum share of lines of talk that are refused."""


def rows(name: str) -> list[str]:
    """Return the lines of a table."""
    text = (LINES / f"{name}.txt").read_text(encoding="utf-8")
    return [line for line in text.splitlines() if line and not line.startswith("#")]


def diplomacy(text: str) -> tuple[Sequence[str], Sequence[str]]:
    """Return the orders filed for France and the codes of the complaints."""
    seen = read_lines([Line(1, text)], STANDARD, START, "France", Rules())[0]
    filed = [order_text(order) for _, order in seen.orders]
    return filed, [each.reason.code for each in seen.complaints]


def nations(text: str) -> tuple[Sequence[str], Sequence[str]]:
    """Return the same for the Ukraine in Nations 1940. Notes count as filed."""
    [verdict] = read_nations(text).verdicts
    filed = [*verdict.filed, *(note.code for note in verdict.notes)]
    return filed, [verdict.complaint.reason.code] if verdict.complaint else []


def yorktown(text: str) -> tuple[Sequence[str], Sequence[str]]:
    """Return the same for the allies of Yorktown. Notes count as filed."""
    told = read_yorktown(siege("FA6M", "FA INF 3 1204"), "FA", text).verdicts
    filed = [text for one in told for text in (*one.filed, *(note.code for note in one.notes))]
    return filed, [one.complaint.reason.code for one in told if one.complaint]


READERS = {"diplomacy": diplomacy, "nations1940": nations, "yorktown": yorktown}
Read = Callable[[str], tuple[Sequence[str], Sequence[str]]]


@pytest.mark.parametrize("system", READERS)
def test_order_line_is_filed_or_refused(system: str) -> None:
    silent = [line for line in rows(f"orders-{system}") if not any(READERS[system](line))]
    assert not silent


def test_tables_are_long_enough() -> None:
    orders = [line for system in READERS for line in rows(f"orders-{system}")]
    assert len(rows("orders-diplomacy")) >= 300 and len({*orders}) >= 300
    assert len({*rows("talk")}) >= 500


@pytest.mark.parametrize("system", READERS)
def test_talk_blocks_no_phase(system: str) -> None:
    talk = rows("talk")
    blocking = [line for line in talk if any(READERS[system](line))]
    assert len(blocking) <= MAX_BLOCKING * len(talk), blocking


@pytest.mark.parametrize(("line", "filed", "refused"), [
    ("1) A Par - Bur; 2) A Mar - Spa", ["A PAR - BUR", "A MAR - SPA"], []),
    ("A Par - Bur (if empty)", [], ["condition-in-brackets"]),
    ("A Par - Bur (unless Germany is there)", [], ["condition-in-brackets"]),
    ("A Par - Bur (supported by A Mar)", [], ["condition-in-brackets"]),
    ("A Par - Bur [else hold]", [], ["condition-in-brackets"]),
    ("new fleet brest goes to the channel (or if taken, hold)", [], ["condition-in-brackets"]),
    ("A Par - Bur, else hold", [], ["condition-in-brackets"]),
    ("if Germany moves to Bur, A Par - Bur", [], ["condition-in-brackets"]),
    ("A Par hold, unless attacked", [], ["condition-in-brackets"]),
    ("A Par - Bur if A Mar holds", [], ["unexpected-word"]),
    ("A Par - Bur, if possible", ["A PAR - BUR"], []),
    ("If you are there, tell me", [], []),
    ("A Par - Bur (my favourite)", ["A PAR - BUR"], []),
    ("I like Paris (if you ask me)", [], []),
    ("I support this", [], []),
    ("See you in London", [], []),
])
def test_line_is_read_as_listed(line: str, filed: list[str], refused: list[str]) -> None:
    assert diplomacy(line) == (filed, refused)


def test_bracket_next_to_an_order_is_named_as_ignored() -> None:
    [seen] = read_lines([Line(1, "A Par - Bur (attack!)")], STANDARD, START, "France", Rules())
    assert [note.facts["words"] for note in seen.notes] == ["(attack!)"]


@pytest.mark.parametrize("line", ["A Par - Bur (if empty)", "All hold", "Army in Paris dances!!"])
def test_order_like_line_for_a_later_phase_is_refused(line: str) -> None:
    assert read_ahead(Line(1, line), STANDARD, START.phase, "France", Rules()).complaints


@pytest.mark.parametrize(("line", "is_order"), [
    ("army Paris dances", True), ("Hold on", False), ("Paris - London", True),
    ("Orders for Spring 1901", False), ("10117 Berlin", False), ("no builds", True),
])
def test_vocabulary_distinguishes_orders_from_talk(line: str, is_order: bool) -> None:
    assert order_vocabulary(STANDARD).is_order_like(line) is is_order
