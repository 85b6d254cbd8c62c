"""Frequent queries use an index on every kind of database."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import peewee
import pytest

from judge.model.record import MailState, StoredMail
from judge.store.addresses import Bans, BounceCounts
from judge.store.database import Store
from judge.store.games import Games
from judge.store.mail_queues import Post
from judge.store.pending import Appointments, Bundles, Pictures
from judge.store.people import Aliases, People, PersonRegister
from judge.store.queue_report import Queues
from judge.store.send_budget import SendBudget
from tests import postgres
from tests.machine import ON_POSTGRES
from tests.outbox import due_out, next_new, next_out
from tests.store.test_post import NOW

MAIL = StoredMail(7, NOW, "ann@x.org", ("judge@localhost",), b"", MailState.NEW, digest="d")
HOT: dict[str, Callable[[Store], object]] = {
    "the mails that wait": lambda store: Post(store).new_numbers(50),
    "their numbers": lambda store: Post(store).waiting(50),
    "the oldest of them": lambda store: next_new(Post(store)),
    "whether one waits since": lambda store: Post(store).new_before(NOW),
    "a mail": lambda store: Post(store).get(7),
    "whether it is a repeat": lambda store: Post(store).is_repeat(MAIL),
    "what came in this hour": lambda store: Post(store).received_octets(NOW),
    "what is due": lambda store: Post(store).is_anything_due(NOW),
    "the games that are due": lambda store: Games(store).due(NOW, 100),
    "when the next is due": lambda store: Games(store).next_due(),
    "the digests that are due": lambda store: Bundles(store).due(NOW),
    "a game by its name": lambda store: Games(store).find("marco"),
    "its seats": lambda store: Games(store).seats(7),
    "its orders": lambda store: Games(store).orders(7, "S1901M"),
    "its turns": lambda store: Games(store).turns(7),
    "its ballots": lambda store: Games(store).ballots(7),
    "its events": lambda store: Games(store).last_event(7),
    "its appointments": lambda store: Appointments(store).entries_for(7, "marco", "S1901M"),
    "somebody's seats": lambda store: Games(store).seats_at("ann@x.org"),
    "somebody's addresses": lambda store: Aliases(store).addresses_of("ann@x.org"),
    "somebody's figures": lambda store: PersonRegister(store).figures("ann@x.org"),
    "whether he is banned": lambda store: Bans(store).is_banned("ann@x.org"),
    "wrong passwords at a seat": lambda store: People(store).failed_sign_ons(NOW, seat="7:n"),
    "wrong passwords of somebody": lambda store: People(store).failed_sign_ons(
        NOW, address="ann@x.org"
    ),
    "what waits for somebody": lambda store: People(store).pending_for("ann@x.org", NOW),
    "what somebody had sent": lambda store: People(store).served_since("text ann@x.org", NOW),
    "whether his address bounces": lambda store: BounceCounts(store).find_suspended(["ann@x.org"]),
    "answers to somebody": lambda store: Post(store).answers_to("ann@x.org", ("error",), NOW),
    "answers to strangers": lambda store: Post(store).count_strangers_mailed(("error",), NOW),
    "letters on their way": lambda store: Post(store).is_expected("ann@x.org"),
    "games answered since": lambda store: Post(store).games_answered(["ann@x.org"], 7),
    "a letter that is quoted": lambda store: Post(store).sent_as(["<1@x>"]),
    "letters to somebody": lambda store: list(Post(store).sent_to("ann@x.org")),
    "the letters that are due": lambda store: due_out(Post(store), NOW, 10),
    "letters to claim": lambda store: Post(store)._choose(NOW, 10, ["bob@x.org", "@y.org"]),
    "letters to claim by priority": lambda store: Post(store)._choose(NOW, 10, ["bob@x.org"], 2),
    "letters that may be sent": lambda store: SendBudget(store, 9, 9).find_allowance(NOW),
    "when the next is due to go": lambda store: next_out(Post(store)),
    "who has letters in hand": lambda store: Queues(store).owners(),
    "a picture to draw": lambda store: Pictures(store).next_new(),
    "a picture": lambda store: Pictures(store).octets("key"),
}

OF_FEW = ("pictures_turn",)
"""Partial indexes of waiting rows, which may be scanned completely."""


@dataclass
class Plans:
    """Recorder of the query plans of some work."""

    store: Store
    seen: list[tuple[str, Any]] = field(default_factory=list)

    def of(self, work: Callable[[Store], object]) -> list[str]:
        """Return the plan of each statement."""
        execute: Any = peewee.Database.execute_sql

        def noting(database: peewee.Database, statement: str, params: Any = None) -> Any:
            self.seen.append((statement, params))
            return execute(database, statement, params)

        self.seen.clear()
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(peewee.Database, "execute_sql", noting)
            work(self.store)
        word = "EXPLAIN QUERY PLAN" if self.store.path else "EXPLAIN"
        return [
            "\n".join(str(row[-1]) for row in execute(self.store.database, f"{word} {one}", values))
            for one, values in list(self.seen)
        ]


@pytest.fixture(scope="module", params=["sqlite", pytest.param("postgres", marks=ON_POSTGRES)])
def plans(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Plans]:
    """A database without rows, since the usable indexes do not depend on them."""
    file = tmp_path_factory.mktemp("plans") / "x.sqlite3"
    store = Store(f"sqlite:///{file}" if request.param == "sqlite" else postgres.judge_url())
    store.open(create=True)
    if request.param == "postgres":
        # On an almost empty table the planner would prefer a sequential scan.
        store.select_sql("SELECT set_config('enable_seqscan', 'off', false)", ())
    yield Plans(store)
    store.close()


@pytest.mark.parametrize("name", HOT)
def test_hot_query_uses_an_index(plans: Plans, name: str) -> None:
    found = plans.of(HOT[name])
    assert found
    for plan in found:
        assert not is_looked_through(plan), plan


def test_next_picture_is_found_without_sorting(plans: Plans) -> None:
    for plan in plans.of(HOT["a picture to draw"]):
        assert "ORDER BY" not in plan and "Sort" not in plan, plan


def test_query_without_an_index_is_detected(plans: Plans) -> None:
    def look(store: Store) -> object:
        return store.select_sql("SELECT id FROM mails WHERE sender = ?", ("ann@x.org",))

    assert [is_looked_through(plan) for plan in plans.of(look)] == [True]


def is_looked_through(plan: str) -> bool:
    """Return whether a plan scans a whole table or a whole index."""
    steps = [line.strip() for line in plan.splitlines()]
    if any(step.startswith("SCAN ") and "CONSTANT" not in step for step in steps):
        return True
    # An index that is only filtered is scanned, too.
    by_index = sum(
        (" Scan using " in step or "Bitmap Index Scan" in step)
        and not any(f" {name} " in step for name in OF_FEW)
        for step in steps
    )
    return "Seq Scan" in plan or sum(step.startswith("Index Cond") for step in steps) < by_index
