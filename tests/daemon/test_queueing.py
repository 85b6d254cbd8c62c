"""Queueing letters takes a fixed number of statements, however many there are."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import peewee
import pytest

from judge.model.letter import Letter, LetterKind, LetterPicture, PictureRequest
from judge.model.phrase import phrase
from judge.model.record import DeliveryState
from judge.store.schema import OUTREACH
from judge.store.table import Rows
from tests.daemon.test_rate_limit import GM, at, outgoing
from tests.journeys.rig import START, Rig

FRAMES = ("SAVEPOINT", "RELEASE", "BEGIN", "COMMIT", "SELECT pg_notify")
BOARD = LetterPicture(PictureRequest("diplomacy", "nothing", "marco"), "marco", "the board")


@pytest.fixture
def rig() -> Iterator[Rig]:
    """A forming game with a master."""
    made = Rig(at("judge@localhost"))
    made.mail(GM, "CREATE ?marco gmsecret youngstown")
    made.boxes.clear()
    yield made
    made.close()


def letters(many: int) -> list[Letter]:
    """Return *many* letters of one game to different addresses, with one picture."""
    facts = {"reason": phrase("your-mail-set-aside")}
    return [
        Letter(
            LetterKind.NOTICE, f"reader{number}@example.org", f"subject {number}", "fault", facts,
            game="marco", seat=number, pictures=(BOARD,),
        )
        for number in range(many)
    ]


def queue(rig: Rig, wanted: list[Letter]) -> list[str]:
    """Queue letters and return the SQL statements that this took."""
    seen: list[str] = []
    execute: Any = peewee.Database.execute_sql

    def noting(database: peewee.Database, statement: str, *given: object) -> object:
        seen.append(statement)
        return execute(database, statement, *given)

    with rig.application.store.transaction(), pytest.MonkeyPatch.context() as patch:
        patch.setattr(peewee.Database, "execute_sql", noting)
        assert rig.application.queue(wanted) == len(wanted)
    return [one for one in seen if not one.startswith(FRAMES)]


def test_letters_to_many_take_no_more_statements_than_to_one(rig: Rig) -> None:
    assert len(queue(rig, letters(1))) <= 6
    assert len(queue(rig, letters(11))) <= 6
    assert len(queue(rig, letters(40))) <= 6
    assert not queue(rig, [])


def test_letters_are_queued_in_their_order(rig: Rig) -> None:
    wanted = letters(120)
    queue(rig, wanted)
    queued = reversed(outgoing(rig)[:120])
    assert [(out.to, out.kind, out.game) for out in queued] == [
        (letter.to, "notice", "marco") for letter in wanted
    ]


def test_each_letter_goes_as_its_own_reader_can_be_reached(rig: Rig) -> None:
    """One address is suspended, one letter was planned, and one has no picture."""
    application = rig.application
    application.bounce_counts.suspend("Reader1@example.org", START)
    number = application.context.outreach.schedule(GM, "reader2@example.org", "x", START)
    plain, bounces, planned = letters(3)
    queue(rig, [replace(plain, pictures=()), bounces, replace(planned, outreach=number)])
    second, bounced, first = outgoing(rig)[:3]
    assert (first.state, first.waits) == (DeliveryState.QUEUED, False)
    assert (bounced.state, bounced.waits) == (DeliveryState.FAILED, False)
    assert (second.state, second.waits) == (DeliveryState.QUEUED, True)
    [arranged] = Rows(application.store, OUTREACH).find()
    assert arranged.letter == second.id


def test_a_picture_that_only_a_bounced_letter_wants_is_not_drawn(rig: Rig) -> None:
    rig.application.bounce_counts.suspend("reader0@example.org", START)
    queue(rig, letters(1))
    assert rig.application.pictures.next_new() is None
    queue(rig, letters(2))
    assert rig.application.pictures.next_new() == BOARD.sketch
