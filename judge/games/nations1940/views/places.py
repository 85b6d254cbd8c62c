"""The map as text, place by place (MAP TEXT)."""

from collections.abc import Iterator

from judge.games.letter_facts import PlaceRow, Places, Region
from judge.games.nations1940.rules.visibility import seen_by
from judge.games.nations1940.rules.world import World
from judge.games.nations1940.scenario import Node
from judge.games.nations1940.views.naming import title_of
from judge.games.nations1940.views.standing import PublicFacts
from judge.games.nations1940.views.wording import EventWording
from judge.model.phrase import Phrase, phrase


def places_facts(
    world: World, wording: EventWording, public: PublicFacts, nation: str, *, is_master: bool
) -> Places:
    """Return each nation's land, the neutral land and the seas for a viewer.

    Ownership is public. Units and improvements are included for the places that the viewer sees
    into (N-160).
    """
    seen = seen_by(world, nation, is_master=is_master)
    owners = [*(code for code in sorted(world.nations) if world.list_owned(code)), ""]
    regions = [
        _region(
            wording.nation(code), world, public, seen,
            [n for n, province in world.provinces.items() if province.owner == code],
        )
        for code in owners
    ]
    regions.append(_region("Seas", world, public, seen, list(world.board.seas)))
    return Places(
        title=title_of("title-position", world.turn),
        regions=tuple(regions),
        sight=None if is_master or world.settings.fog == "open" else phrase("sight-border"),
    )


def _region(
    name: str, world: World, public: PublicFacts, seen: frozenset[Node], places: list[Node]
) -> Region:
    rows, empty = [], []
    for place in places:
        there = public.places[place]
        words = tuple(_words(world, public, place, place in seen))
        if words:
            unit = phrase("place-holds", what=words)
            rows.append(PlaceRow(str(there.facts["place"]), "", unit))
        else:
            empty.append(str(there.facts["place"]))
    return Region(name, tuple(rows), tuple(empty))


def _words(world: World, public: PublicFacts, place: Node, sees: bool) -> Iterator[Phrase | str]:
    """Yield the words for a place, public facts first."""
    if isinstance(place, int):
        province = world.provinces[place]
        if province.owner and world.nations[province.owner].capital == place:
            yield phrase("place-capital")
        if province.populous:
            yield phrase("place-populous")
        if province.fallout:
            yield phrase("page-fallout", n=province.fallout)
        if province.epidemic:
            yield phrase("page-epidemic")
    if sees:
        there = public.places[place]
        yield from (unit for _, unit in there.units)
        if there.built:
            yield " ".join(there.built)
