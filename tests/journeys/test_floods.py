"""Cost of one mail for others and its sender: every command, five hundred times."""

from collections import Counter
from collections.abc import Iterator

import pytest

from judge.config import Config, PolicySection, StoreSection
from judge.mail.outbound.length_limit import MAX_SEAT_OCTETS, MAX_STRANGER_OCTETS
from judge.model.command import MAX_REPEATS
from judge.model.incoming import Line
from judge.play.choices.settingtable import all_settings
from judge.play.commands.table import COMMANDS
from tests.journeys.flooding import ANN, EVE, GM, ZOE, Flood, floods
from tests.journeys.rig import Rig, text_of
from tests.language import read_sheet

MARK = ".invalid"
"""Domain without people, used for addresses in the floods."""
POLICY = PolicySection()
OCTETS = 512 * 1024
"""Maximum octets to another person because of one mail, including press."""
OTHERS = {"press": POLICY.press_per_day, "results": MAX_REPEATS, "notice": 2}
"""Maximum letters of a kind to another person, if more than one.

Two notices are a notice and a question.
"""
OWN = {**OTHERS, "receipt": 16, "info": 2}
"""The same limits for the sender. Each opened seat has a reply."""
ROOM = 64 * 1024
"""Octets for the other letters to the sender."""
GROWTH = 4 * 2**20
"""Maximum growth of the database by one mail, in octets."""


@pytest.fixture(scope="module")
def table() -> Iterator[Rig]:
    """A judge with a running game with seats of all kinds, and a forming game."""
    made = Rig(Config(store=StoreSection("sqlite:///:memory:")))
    made.mail(GM, "CREATE ?marco gmsecret standard\nSET POWER CHOICE")
    made.mail(ANN, "JOIN france@marco annsecret")
    for letter in "EGIAR":
        made.mail(f"{letter.lower()}@players.example", f"JOIN {letter}@marco secret")
    made.mail(EVE, "OBSERVE marco evesecret")
    made.mail(GM, "SIGNON Mmarco gmsecret\nSTART")
    made.mail(GM, "CREATE ?polo gmsecret standard")
    made.mail("sam@players.example", "STANDBY")
    made.boxes.clear()
    yield made
    made.close()


def test_every_command_is_tried() -> None:
    lines = [line for flood in floods() for text in flood.lines for line in text.splitlines()]
    found: set[type] = set()
    for flood in floods():
        for text in flood.lines:
            said = enumerate(text.format(n=7).splitlines(), start=1)
            found |= {type(one) for one in read_sheet([Line(n, one) for n, one in said]).commands}
    assert found >= {row.value for row in COMMANDS}
    for row in all_settings():
        assert any(line.startswith(" ".join(("SET", *row.words))) for line in lines), row.words


@pytest.mark.slow
@pytest.mark.parametrize("flood", floods(), ids=lambda flood: flood.name)
def test_no_command_floods(table: Rig, flood: Flood) -> None:
    """Five hundred repetitions send no one more than one letter of a kind."""
    check_flood(table, flood)


QUICK = ("INVITE p", "UNTIL 9 Jan; SITTER OFF", "ADDRESS p", "OFFICIAL", "ann: SET ABSENCE 9 Jan",
         "zoe: HELP SET M", "DENY", "OBSERVE marco; UNSUBSCRIBE", "EJECT F; REVIVE F")


@pytest.mark.parametrize(
    "flood", [flood for flood in floods() if any(word in flood.name for word in QUICK)],
    ids=lambda flood: flood.name,
)
def test_former_floods_stay_fixed(table: Rig, flood: Flood) -> None:
    check_flood(table, flood)


def check_flood(table: Rig, flood: Flood) -> None:
    """Mail a flood, and check its letters to all addresses and the database."""
    rig = table.again()
    try:
        before = rig.application.store.pragma("page_count")
        rig.mail(flood.writer, flood.mail)
        pages = rig.application.store.pragma("page_count") - before
        assert pages * rig.application.store.pragma("page_size") < GROWTH
        strangers = [to for to in rig.boxes if to.endswith(MARK)]
        assert len(strangers) <= POLICY.unconfirmed_per_day
        for to, box in rig.boxes.items():
            own = to == flood.writer
            kinds = Counter(str(letter["X-Judge-Kind"]) for letter in box)
            for kind, times in kinds.items():
                assert times <= (OWN if own else OTHERS).get(kind, 1), (to, kinds)
            long = sum(len(text_of(letter).encode()) for letter in box)
            most = MAX_STRANGER_OCTETS if own and flood.writer == ZOE else MAX_SEAT_OCTETS
            assert long <= (most + ROOM if own else OCTETS), (to, long)
    finally:
        rig.close()
