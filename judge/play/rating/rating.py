"""A rating of skill: the model of Bradley and Terry in Weng and Lin's form, game after game.

Every two people of a game are compared. (The model of Plackett and Luce, for one, gives those who
share the first rank less than who comes after them.)

Of a game only the order counts: who won or shares in the draw, then who survived, then who was out,
last who left. Centres do not count. The points are a cautious estimate, of which the judge is
nearly sure (three standard deviations below the guess); they begin at 1000.

Games in which nobody is to know who played what are not rated: from a list before and after such a
game anybody could see who won it. Neither are those of `SET UNRATED`.
"""

from collections.abc import Iterable, Mapping
from functools import lru_cache

from openskill.models import BradleyTerryFull, BradleyTerryFullRating

from judge.play.rating.finishes import best, finishes_of
from judge.words.figures import Finish, Finished, Skill

BEGINNING, SCALE = 1000, 20
Round = tuple[tuple[str, int], ...]
"""One game: its people, each with a rank; 0 is first, equal ones are level."""
_RANKS = {
    Finish.WON: 0, Finish.SHARED: 0, Finish.SURVIVED: 1, Finish.OUT: 2, Finish.LEFT: 3,
}


def skills(games: Iterable[Finished], heads: Mapping[str, str]) -> Mapping[str, Skill]:
    """Return everybody's skill after some games, in the order in which they ended."""
    rounds = []
    for game, people in finishes_of(games, heads):
        if game.rated and len(people) > 1:
            ranks = ((who, _RANKS[best(ends)[0]]) for who, ends in people.items())
            rounds.append(tuple(ranks))
    return rated(tuple(rounds))


@lru_cache(maxsize=2)
def rated(rounds: tuple[Round, ...]) -> Mapping[str, Skill]:
    """Return everybody's skill after rounds; the last answers are kept, since few rounds are new.

    >>> rated(((("ann", 0), ("bob", 1)),))["ann"].points > 1000
    True
    """
    model = BradleyTerryFull()
    ratings: dict[str, BradleyTerryFullRating] = {}
    games: dict[str, int] = {}
    for each in rounds:
        people = [who for who, _ in each]
        teams = [[ratings.get(who) or model.rating()] for who in people]
        after = model.rate(teams, ranks=[float(rank) for _, rank in each])
        for who, (rating,) in zip(people, after, strict=True):
            ratings[who] = rating
            games[who] = games.get(who, 0) + 1
    return {
        who: Skill(BEGINNING + round(SCALE * rating.ordinal()), games[who])
        for who, rating in ratings.items()
    }
