"""Confirmation policy: every command has one, and changes need proof."""

from collections.abc import Iterator

import pytest

from judge.model.command import Command, ConfirmationPolicy, Permission
from judge.model.order_commands import GiveOrders, Heading
from judge.model.seat_commands import Register, SignOff
from judge.play.commands.asking.help import Help
from judge.play.commands.asking.history import Export, History
from judge.play.commands.asking.inquiries import (
    ListGames,
    ShowRating,
    ShowStatistics,
    Summary,
    Version,
    WhoPlays,
)
from judge.play.commands.asking.maps import ShowMap
from judge.play.commands.asking.own_games import MyGames
from judge.play.commands.audit_log import ShowLog
from judge.play.commands.gm.importing import Import
from judge.play.commands.gm.making import Create
from judge.play.commands.seats.aliases import IAmAlso
from judge.play.commands.seats.leaving import Unsubscribe
from judge.play.commands.seats.observing import Observe
from judge.play.commands.seats.passwords import ResetPassword
from judge.play.commands.seats.persons import InfoPlayer
from judge.play.commands.seats.signup import Join, SignOn
from judge.play.commands.seats.sitting import Sit
from judge.play.commands.seats.takeover import StandBy, Takeover
from judge.play.commands.table import COMMANDS
from judge.store.schema import TABLES
from tests.attack import identity
from tests.journeys.rig import Rig, act, config_of, read_journey

WAITING: dict[type[Command], ConfirmationPolicy] = {
    # These commands give a seat, or need the letter that offered it.
    Create: ConfirmationPolicy.SEATED,
    Import: ConfirmationPolicy.SEATED,
    Join: ConfirmationPolicy.SEATED,
    Observe: ConfirmationPolicy.SEATED,
    Sit: ConfirmationPolicy.SEATED,
    Takeover: ConfirmationPolicy.SEATED,
    # These commands change the public data of a person.
    IAmAlso: ConfirmationPolicy.PERSON,
    Register: ConfirmationPolicy.PERSON,
    StandBy: ConfirmationPolicy.PERSON,
    Unsubscribe: ConfirmationPolicy.PERSON,
    # These commands have long replies.
    Export: ConfirmationPolicy.LONG,
    History: ConfirmationPolicy.LONG,
    ShowLog: ConfirmationPolicy.LONG,
    # A password opens a seat that may not exist yet.
    SignOn: ConfirmationPolicy.AFTER,
}
AT_ONCE: dict[type[Command], str] = {
    Help: "a question", ListGames: "a question", MyGames: "a question, answered to the address",
    ShowMap: "a question", ShowRating: "a question", ShowStatistics: "a question",
    Summary: "a question", Version: "a question", WhoPlays: "a question",
    InfoPlayer: "a question, answered to the address",
    ResetPassword: "mails the registered address, once a day, and changes nothing",
    SignOff: "ends the mail",
    GiveOrders: "refused without a seat", Heading: "refused without a seat",
}
"""Commands that any sender may give without a seat or confirmation, with reasons."""


def test_every_command_row_has_its_policy() -> None:
    rows = {row.value: row for row in COMMANDS}
    assert {
        value: row.waits for value, row in rows.items() if row.waits is not ConfirmationPolicy.NEVER
    } == (WAITING)
    at_once = {
        v
        for v, row in rows.items()
        if row.waits is ConfirmationPolicy.NEVER and row.who is Permission.ANYBODY
    }
    assert at_once == set(AT_ONCE), "decide whether a From line alone may do it"


def test_the_attack_forges_every_changing_command() -> None:
    begun = {" ".join(text.split("\n")[0].upper().split()) for text in identity.FORGED}
    asks = {value for value, why in AT_ONCE.items() if "question" in why} | {
        History, ShowLog, SignOff,
    }
    looks = {"STATUS", "OPTIONS", "PREVIEW"}
    missing = [
        row.name for row in COMMANDS
        if row.name and row.value not in asks and row.name not in looks
        and not any(line.startswith(word) for line in begun for word in row.spellings)
    ]
    assert not missing, "add a line to tests/attack/identity.py"


BOOKKEEPING = {
    "addresses", "asked", "held", "links", "mails", "memory", "outgoing", "outreach", "served",
    "wrong_signons",
}
"""Tables that only record traffic and pending work."""

SCENE = """
[config policy confirm true]
[mail gm@example.org]
CREATE ?polo gmsecret standard
SET MANUAL START
[reply gm@example.org]
yes
[mail ann@example.org]
JOIN polo annsecret
SET PREFERENCE F
[reply ann@example.org]
yes
[mail gm@example.org]
SIGNON Mpolo gmsecret
START
[mail gm@example.org]
CREATE ?fort gmsecret standard
SET MANUAL START
[reply gm@example.org]
yes
[mail bob@example.org]
JOIN fort bobsecret
[reply bob@example.org]
yes
[mail eve@example.org]
OBSERVE polo evesecret
[reply eve@example.org]
yes
[mail ann@example.org]
SIGNON Fpolo annsecret
A Par - Bur
SITTER bob@example.org UNTIL +5d
[mail sam@example.org]
NAME Sam Example
STANDBY standard
[reply sam@example.org]
yes
"""


def read_rows(rig: Rig) -> dict[str, list[tuple[object, ...]]]:
    """Return all stored rows, without the bookkeeping tables."""
    store = rig.application.store
    return {
        table.name: store.select_sql(f'SELECT * FROM "{table.name}"', ())
        for table in TABLES if table.name not in BOOKKEEPING
    }


@pytest.fixture(scope="module")
def scene() -> Iterator[Rig]:
    steps = list(read_journey(SCENE))
    rig = Rig(config_of(steps))
    for step in steps:
        act(rig, step)
    yield rig
    rig.close()


VICTIMS = tuple(f"{name}@example.org" for name in ("gm", "ann", "bob", "eve", "sam"))


@pytest.mark.slow
@pytest.mark.once
def test_no_forged_from_changes_what_is_stored(scene: Rig) -> None:
    before, failed = read_rows(scene), []
    assert any(row[0] == "sam@example.org" for row in before["persons"])
    for text in identity.FORGED:
        for victim in VICTIMS:
            rig = scene.again()
            rig.mail(victim, text)
            if read_rows(rig) != before:
                changed = [name for name, rows in read_rows(rig).items() if rows != before[name]]
                failed.append(f"{text!r} from {victim}: {changed}")
            rig.close()
    assert not failed, "\n".join(failed)


@pytest.mark.parametrize("attack", [
    identity.forged_froms, identity.borrowed_confirmations, identity.flooded_victim,
])
@pytest.mark.slow
def test_the_attack_fails(attack: object) -> None:
    assert identity.run(1, (attack,)) == []  # type: ignore[arg-type]
