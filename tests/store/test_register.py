"""People and their conduct records."""

from collections.abc import Callable
from datetime import timedelta

from hypothesis import given
from hypothesis import strategies as st

from judge.model.person import ConductFigures, ConductKind, Person
from judge.model.record import GameRecord
from judge.store.database import Store
from judge.store.games import Games
from judge.store.people import PersonRegister
from tests.store.conftest import START


def game_of(store: Store, marco: GameRecord) -> int:
    added = Games(store).add(marco)
    assert added is not None
    return added.id


def test_a_stranger_is_an_address_and_no_more(store: Store) -> None:
    assert PersonRegister(store).person("Ann@Example.org") == Person("ann@example.org")


def test_saved_person_replaces_the_stored_one(store: Store) -> None:
    register = PersonRegister(store)
    register.save(Person("ann@example.org", "Ann", "Europe/Paris", "expert", ("standard",)))
    register.save(Person("ann@example.org", "Anna"))
    assert register.person("ANN@example.org") == Person("ann@example.org", "Anna")


def test_standby_list_has_only_its_members(store: Store) -> None:
    register = PersonRegister(store)
    register.save(Person("bob@example.org", standby=("*",)))
    register.save(Person("ann@example.org", standby=("standard", "youngstown")))
    register.save(Person("eve@example.org"))
    assert [each.address for each in register.standing_by()] == [
        "ann@example.org", "bob@example.org",
    ]


def test_conduct_is_counted_by_person_across_seats(store: Store, marco: GameRecord) -> None:
    register, game = PersonRegister(store), game_of(store, marco)
    both = [("Ann@example.org", "India"), ("ann@example.org", "Japan")]
    register.record_conduct(both, ConductKind.ON_TIME, game, "S1901M", START)
    register.record_conduct([("bob@example.org", "India")], ConductKind.LATE, game, "F1901M", START)
    register.record_conduct(
        [("ann@example.org", "Japan")], ConductKind.MISSED, game, "F1901M", START
    )
    assert register.figures("ann@example.org") == ConductFigures(on_time=2, missed=1)
    assert register.figures("BOB@example.org") == ConductFigures(late=1)


def test_replayed_phase_counts_once_for_its_last_player(store: Store, marco: GameRecord) -> None:
    register, game = PersonRegister(store), game_of(store, marco)
    later = START + timedelta(days=1)
    register.record_conduct(
        [("ann@example.org", "India")], ConductKind.ON_TIME, game, "S1901M", START
    )
    register.record_conduct(
        [("bob@example.org", "India")], ConductKind.ON_TIME, game, "S1901M", later
    )
    assert register.figures("ann@example.org") == ConductFigures()
    assert register.figures("bob@example.org") == ConductFigures(on_time=1)


def test_figures_are_found_by_an_index(
    store: Store, plans: Callable[[Callable[[], object]], list[str]]
) -> None:
    register = PersonRegister(store)
    (plan,) = plans(lambda: register.figures("ann@example.org"))
    assert "conduct_address" in plan


counts = st.integers(0, 500)


@given(st.builds(ConductFigures, counts, counts, counts, counts, counts, counts, counts))
def test_shares_are_shares_and_being_on_time_never_hurts(figures: ConductFigures) -> None:
    assert 0 <= figures.on_time_share <= 100
    assert 0 <= figures.left_share <= 100
    better = ConductFigures(on_time=figures.on_time + 1, late=figures.late, missed=figures.missed)
    same = ConductFigures(on_time=figures.on_time, late=figures.late, missed=figures.missed)
    assert better.on_time_share >= same.on_time_share
    assert better.dedication > same.dedication


def test_person_is_found_by_the_look_of_the_name(store: Store) -> None:
    register = PersonRegister(store)
    register.save(Person("ann@example.org", "Ann", look="ann"))
    register.save(Person("bob@example.org", "Old Bob"))
    register.save(Person("eve@example.org"))
    assert [each.address for each in register.lookalikes("ann")] == ["ann@example.org"]
    assert register.lookalikes("") == []
    assert [each.address for each in register.named_before()] == ["bob@example.org"]
