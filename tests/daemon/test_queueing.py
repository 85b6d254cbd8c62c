"""Letters are queued in few statements, in the same however many they are."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, cast

import pytest

from judge.model.letter import Kind, Letter, Picture, Sketch
from judge.model.phrase import because
from judge.model.record import OutState
from judge.store.schema import OUTREACH
from judge.store.table import Rows
from tests.daemon.test_brake import GM, at, outgoing
from tests.journeys.bench import START, Bench

FRAMES = ("SAVEPOINT", "RELEASE", "BEGIN", "COMMIT")
BOARD = Picture(Sketch("diplomacy", "nothing", "marco"), "marco", "the board")


@pytest.fixture
def bench() -> Iterator[Bench]:
    """A game that forms, with a master."""
    made = Bench(at("judge@localhost"))
    made.mail(GM, "CREATE ?marco gmsecret youngstown")
    made.boxes.clear()
    yield made
    made.close()


def letters(many: int) -> list[Letter]:
    """Return letters of one game to so many readers, with one picture for all."""
    facts = {"reason": because("your-mail-set-aside")}
    return [
        Letter(
            Kind.NOTICE, f"reader{number}@example.org", f"subject {number}", "fault", facts,
            game="marco", seat=number, pictures=(BOARD,),
        )
        for number in range(many)
    ]


def queue(bench: Bench, wanted: list[Letter]) -> list[str]:
    """Queue letters and return the statements that took."""
    connection: Any = cast(Any, bench.works.store.database).connection()
    seen: list[str] = []
    with bench.works.store.transaction():
        connection.set_trace_callback(seen.append)
        assert bench.works.queue(wanted) == len(wanted)
        connection.set_trace_callback(None)
    return [one for one in seen if not one.startswith(FRAMES)]


def test_letters_to_many_take_no_more_statements_than_to_one(bench: Bench) -> None:
    assert len(queue(bench, letters(1))) <= 6
    assert len(queue(bench, letters(11))) <= 6
    assert len(queue(bench, letters(40))) <= 6
    assert not queue(bench, [])


def test_letters_are_queued_in_their_order(bench: Bench) -> None:
    wanted = letters(120)
    queue(bench, wanted)
    queued = reversed(outgoing(bench)[:120])
    assert [(out.to, out.kind, out.game) for out in queued] == [
        (letter.to, "notice", "marco") for letter in wanted
    ]


def test_each_letter_goes_as_its_own_reader_can_be_reached(bench: Bench) -> None:
    """One address bounces, one letter was planned, one has no picture to wait for."""
    works = bench.works
    works.reach.suspend("Reader1@example.org", START)
    number = works.office.outreach.plan(GM, "reader2@example.org", "x", START)
    plain, bounces, planned = letters(3)
    queue(bench, [replace(plain, pictures=()), bounces, replace(planned, outreach=number)])
    second, bounced, first = outgoing(bench)[:3]
    assert (first.state, first.waits) == (OutState.QUEUED, False)
    assert (bounced.state, bounced.waits) == (OutState.FAILED, False)
    assert (second.state, second.waits) == (OutState.QUEUED, True)
    [arranged] = Rows(works.store, OUTREACH).find()
    assert arranged.letter == second.id


def test_a_picture_that_only_a_bounced_letter_wants_is_not_drawn(bench: Bench) -> None:
    bench.works.reach.suspend("reader0@example.org", START)
    queue(bench, letters(1))
    assert bench.works.pictures.next_new() is None
    queue(bench, letters(2))
    assert bench.works.pictures.next_new() == BOARD.sketch
