"""Aliases of a person, as one unit of work queries them."""

import pytest

from judge.store.database import Store
from judge.store.people import Aliases
from tests.store.conftest import START

ANN, WORK, BOB = "ann@example.org", "ann@work.example", "bob@example.org"


def joined(aliases: Aliases, first: str, second: str) -> None:
    """Make two addresses aliases of one person."""
    number = aliases.ask(first, second, START)
    aliases.agree(number, first=True)
    aliases.agree(number, first=False)


def asked(store: Store, aliases: Aliases, *addresses: str) -> int:
    """Query addresses and return how many statements that took."""
    statements: list[str] = []
    connection = store.database.connection()
    connection.set_trace_callback(statements.append)
    try:
        for address in addresses:
            aliases.of(address)
    finally:
        connection.set_trace_callback(None)
    return len(statements)


def test_all_addresses_of_a_person_are_known_from_each(store: Store) -> None:
    aliases = Aliases(store)
    joined(aliases, WORK, ANN)
    assert aliases.of(ANN.upper()) == (ANN, WORK)
    assert aliases.of(WORK) == (WORK, ANN)
    assert aliases.of(BOB) == (BOB,)


@pytest.mark.sqlite
def test_expected_addresses_are_queried_together_and_once(store: Store) -> None:
    aliases = Aliases(store)
    joined(aliases, WORK, ANN)
    kept = aliases.keeping()
    kept.expect([ANN, BOB])
    assert asked(store, kept, WORK, ANN, BOB, ANN.upper()) == 1
    assert [kept.of(x) for x in (WORK, ANN, BOB)] == [(WORK, ANN), (ANN, WORK), (BOB,)]


@pytest.mark.sqlite
def test_aliases_are_not_cached_outside_a_unit_of_work(store: Store) -> None:
    aliases = Aliases(store)
    aliases.expect([BOB])
    assert asked(store, aliases, ANN, ANN) == 2


def test_changes_in_a_unit_of_work_are_seen_in_it(store: Store) -> None:
    aliases = Aliases(store).keeping()
    assert aliases.of(ANN) == (ANN,)
    joined(aliases, ANN, WORK)
    assert aliases.same(ANN, WORK)
    aliases.part(WORK)
    assert aliases.of(ANN) == (ANN,)


def test_aliases_are_queried_again_after_a_rollback(store: Store) -> None:
    aliases = Aliases(store).keeping()
    with store.transaction():
        try:
            with store.savepoint():
                joined(aliases, ANN, WORK)
                assert aliases.same(ANN, WORK)
                raise ZeroDivisionError
        except ZeroDivisionError:
            aliases.forget()
    assert not aliases.same(ANN, WORK)


def test_addresses_are_aliases_once_both_agreed(store: Store) -> None:
    aliases = Aliases(store)
    number = aliases.ask("Ann@x.org", "amy@x.org", START)
    aliases.agree(number, first=True)
    assert not aliases.same("ann@x.org", "amy@x.org")
    aliases.agree(number, first=False)
    assert aliases.same("ann@x.org", "AMY@x.org")


def test_parted_address_leaves_the_other_aliases_joined(store: Store) -> None:
    aliases = Aliases(store)
    for other in ("amy@x.org", "anna@x.org"):
        number = aliases.ask("ann@x.org", other, START)
        aliases.agree(number, first=True)
        aliases.agree(number, first=False)
    aliases.part("ann@x.org")
    assert aliases.of("ann@x.org") == ("ann@x.org",)
    assert aliases.of("amy@x.org") == ("amy@x.org", "anna@x.org")
    aliases.part("amy@x.org")
    assert aliases.heads() == {}
