"""Aliases of a person, as one unit of work queries them."""

import pytest

from judge.store.database import Store
from judge.store.people import Aliases
from tests.store.conftest import START

ANN, WORK, BOB = "ann@example.org", "ann@work.example", "bob@example.org"


def join_addresses(aliases: Aliases, first: str, second: str) -> None:
    """Make two addresses aliases of one person."""
    number = aliases.ask_once(first, second, START)
    aliases.agree(number, first=True)
    aliases.agree(number, first=False)


def count_statements(store: Store, aliases: Aliases, *addresses: str) -> int:
    """Query addresses and return how many statements that took."""
    statements: list[str] = []
    connection = store.database.connection()
    connection.set_trace_callback(statements.append)
    try:
        for address in addresses:
            aliases.addresses_of(address)
    finally:
        connection.set_trace_callback(None)
    return len(statements)


def test_all_addresses_of_a_person_are_known_from_each(store: Store) -> None:
    aliases = Aliases(store)
    join_addresses(aliases, WORK, ANN)
    assert aliases.addresses_of(ANN.upper()) == (ANN, WORK)
    assert aliases.addresses_of(WORK) == (WORK, ANN)
    assert aliases.addresses_of(BOB) == (BOB,)


@pytest.mark.sqlite
def test_expected_addresses_are_queried_together_and_once(store: Store) -> None:
    aliases = Aliases(store)
    join_addresses(aliases, WORK, ANN)
    kept = aliases.keeping()
    kept.prefetch([ANN, BOB])
    assert count_statements(store, kept, WORK, ANN, BOB, ANN.upper()) == 1
    assert [kept.addresses_of(x) for x in (WORK, ANN, BOB)] == [(WORK, ANN), (ANN, WORK), (BOB,)]


@pytest.mark.sqlite
def test_aliases_are_not_cached_outside_a_unit_of_work(store: Store) -> None:
    aliases = Aliases(store)
    aliases.prefetch([BOB])
    assert count_statements(store, aliases, ANN, ANN) == 2


def test_changes_in_a_unit_of_work_are_seen_in_it(store: Store) -> None:
    aliases = Aliases(store).keeping()
    assert aliases.addresses_of(ANN) == (ANN,)
    join_addresses(aliases, ANN, WORK)
    assert aliases.is_same_person(ANN, WORK)
    aliases.remove_alias(WORK)
    assert aliases.addresses_of(ANN) == (ANN,)


def test_aliases_are_queried_again_after_a_rollback(store: Store) -> None:
    aliases = Aliases(store).keeping()
    with store.transaction():
        try:
            with store.transaction():
                join_addresses(aliases, ANN, WORK)
                assert aliases.is_same_person(ANN, WORK)
                raise ZeroDivisionError
        except ZeroDivisionError:
            aliases.clear()
    assert not aliases.is_same_person(ANN, WORK)


def test_addresses_are_aliases_once_both_agreed(store: Store) -> None:
    aliases = Aliases(store)
    number = aliases.ask_once("Ann@x.org", "amy@x.org", START)
    aliases.agree(number, first=True)
    assert not aliases.is_same_person("ann@x.org", "amy@x.org")
    aliases.agree(number, first=False)
    assert aliases.is_same_person("ann@x.org", "AMY@x.org")


def test_parted_address_leaves_the_other_aliases_joined(store: Store) -> None:
    aliases = Aliases(store)
    for other in ("amy@x.org", "anna@x.org"):
        number = aliases.ask_once("ann@x.org", other, START)
        aliases.agree(number, first=True)
        aliases.agree(number, first=False)
    aliases.remove_alias("ann@x.org")
    assert aliases.addresses_of("ann@x.org") == ("ann@x.org",)
    assert aliases.addresses_of("amy@x.org") == ("amy@x.org", "anna@x.org")
    aliases.remove_alias("amy@x.org")
    assert aliases.primary_addresses() == {}
