"""Ratings depend only on the results of games."""

from datetime import UTC, datetime, timedelta
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.games import find_system
from judge.model.person import Finish, Finished, PowerFinish
from judge.play.archive import game_lists
from judge.play.rating import compute_ratings, finishes_of, skills
from judge.store.database import Store
from judge.store.games import Finishes

PEOPLE = ("ann@x.org", "bob@x.org", "cid@x.org", "dan@x.org", "")
POWERS = ("Austria", "France", "Italy", "Turkey")
START = datetime(2026, 1, 1, tzinfo=UTC)

scores = st.builds(
    lambda ends: tuple(
        PowerFinish(power, finish, centres, player, left)
        for power, (finish, centres, player, left) in zip(POWERS, ends)
    ),
    st.lists(
        st.tuples(
            st.sampled_from([finish for finish in Finish if finish is not Finish.LEFT]),
            st.integers(0, 18),
            st.sampled_from(PEOPLE),
            st.lists(st.sampled_from(PEOPLE[:-1]), max_size=2, unique=True).map(tuple),
        ),
        min_size=4, max_size=4,
    ),
)


@st.composite
def histories(draw: st.DrawFn) -> tuple[Finished, ...]:
    many = draw(st.lists(st.tuples(scores, st.booleans()), max_size=8))
    return tuple(
        Finished(
            number, "standard", "diplomacy", START + timedelta(days=number), False, not unrated,
            ends,
            (("1900", (3, 3, 3, 3)), ("1901", (4, 5, 3, 3))),
        )
        for number, (ends, unrated) in enumerate(many, 1)
    )


# These histories lack games, so the database must permit dangling keys.
@pytest.mark.sqlite
@given(histories())
def test_stored_and_computed_results_give_equal_ratings(games: tuple[Finished, ...]) -> None:
    store = Store("sqlite:///:memory:")
    store.open(create=True)
    store.database.execute_sql("PRAGMA foreign_keys = OFF")
    book = Finishes(store)
    for game in games:
        book.save_finish(game.id, game.ended, game)
    kept = tuple(finished for _, finished in book.load_finishes().values() if finished)
    store.close()
    assert kept == games
    first = skills(games, {})
    compute_ratings.cache_clear()
    assert skills(kept, {}) == first


@given(histories())
def test_every_person_is_rated_for_their_rated_games(games: tuple[Finished, ...]) -> None:
    found = skills(games, {})
    played = {
        who: sum(who in people and len(people) > 1 and game.rated
                 for game, people in finishes_of(games, {}))
        for who in PEOPLE[:-1]
    }
    assert {who: skill.games for who, skill in found.items()} == {
        who: many for who, many in played.items() if many
    }


@given(histories())
def test_unrated_games_change_no_rating(games: tuple[Finished, ...]) -> None:
    assert skills(games, {}) == skills([game for game in games if game.rated], {})


@given(histories(), st.permutations(range(len(POWERS))))
def test_the_sequence_of_the_powers_is_irrelevant(
    games: tuple[Finished, ...], order: list[int]
) -> None:
    turned = [game._replace(scores=tuple(game.scores[at] for at in order)) for game in games]
    first, second = skills(games, {}), skills(turned, {})
    assert first.keys() == second.keys()
    assert all(abs(first[who].points - second[who].points) <= 1 for who in first)


@given(st.integers(2, 10), st.data())
def test_the_first_place_gains_and_ranks_above_the_last(many: int, data: st.DataObject) -> None:
    ranks = data.draw(st.lists(st.integers(0, 3), min_size=many, max_size=many))
    found = compute_ratings((tuple((f"p{at}", rank) for at, rank in enumerate(ranks)),))
    order = sorted(range(many), key=lambda at: ranks[at])
    points = [found[f"p{at}"].points for at in order]
    assert points == sorted(points, reverse=True)
    assert points[0] >= 1000


def test_each_map_is_listed_with_all_its_games(monkeypatch: pytest.MonkeyPatch) -> None:
    ended = [
        Finished(
            number, board, "diplomacy", START, False, True,
            tuple(
                PowerFinish(side.name, Finish.WON if not at else Finish.OUT, 9 - at, PEOPLE[0], ())
                for at, side in enumerate(find_system("diplomacy").powers(board, {}))
            ),
            (("1901", (4, 3)),),
        )
        for number, board in enumerate(("standard", "youngstown", "standard", "standard"), 1)
    ]
    monkeypatch.setattr(game_lists, "finished_games", lambda context: tuple(ended))
    told = cast(list[dict[str, Any]], game_lists.figures(cast(Any, None)))
    assert [(each["games"], len(each["rows"])) for each in told] == [(3, 7), (1, 10)]
    assert [each["rows"][0][2].won for each in told] == [3, 1]
