"""Orders that a nation can give now, place by place (OPTIONS)."""

from collections.abc import Callable, Iterable, Iterator

from judge.games.capabilities import Menu
from judge.games.nations1940.language.examples import examples_of_rest
from judge.games.nations1940.language.lexicon import ScenarioLexicon
from judge.games.nations1940.rules import possible
from judge.games.nations1940.rules.orders import ArmyMove, Order, Rail, Research, Sail, order_text
from judge.games.nations1940.rules.prospects import Prospects
from judge.games.nations1940.rules.world import World
from judge.games.nations1940.scenario import Node
from judge.games.nations1940.views.wording import EventWording
from judge.model.phrase import Phrase, phrase

MAX_ORDERS = 60
"""Number of orders that a list shows before it only counts them."""


def menus(
    world: World, wording: EventWording, names: ScenarioLexicon, nations: Iterable[str], words: str
) -> tuple[Menu, ...] | Phrase:
    """Return the orders of nations, or of the units in the place that words name.

    The result is a refusal if *words* do not name exactly one place.
    """
    place: Node | None = None
    if words.strip():
        meant = names.place(words).meanings
        if len(meant) != 1:
            return phrase("menu-no-place", word=words.strip())
        place = meant[0]
    return tuple(menu for nation in nations for menu in _menus(world, wording, nation, place))


def _menus(world: World, wording: EventWording, nation: str, place: Node | None) -> Iterator[Menu]:
    starts: dict[Node, list[Order]] = {}
    moving: tuple[Callable[[World, str], Iterable[ArmyMove | Rail | Sail]], ...] = (
        possible.moves, possible.rails, possible.sailings,
    )  # fmt: skip
    for find in moving if world.turn else ():
        for order in find(world, nation):
            starts.setdefault(order.path[0], []).append(order)
    prospects = Prospects(world, nation)
    for start, orders in starts.items():
        if place in (None, start):
            menu = _menu(world, phrase("menu-from", place=wording.place(start)), orders)
            yield menu._replace(note=_odds(orders, prospects, wording))
    if place is not None:
        built = [one for one in possible.builds(world, nation) if one.province == place]
        if built and world.turn:
            yield _menu(world, phrase("menu-builds", place=wording.place(place)), built)
        return
    techs = [Research((tech.name,)) for tech in possible.researchable(world, nation)]
    yield _menu(world, phrase("menu-research"), techs)
    yield _menu(world, phrase("menu-diplomacy"), possible.diplomacy(world, nation))
    if world.turn:
        others = (possible.commissions(world, nation), possible.bombings(world, nation))
        if found := [order for each in others for order in each]:
            yield _menu(world, phrase("menu-others"), found)
        yield _menu(world, phrase("menu-builds-all"), possible.builds(world, nation))
    if rest := list(examples_of_rest(world, nation)):
        yield _menu(world, phrase("menu-rest"), rest)


def _odds(orders: Iterable[Order], prospects: Prospects, wording: EventWording) -> Phrase | None:
    """Return the odds of the attacks among orders, each alone."""
    found = [
        phrase("menu-odds-one", place=wording.place(order.path[-1]), percent=percent)
        for order in orders
        if isinstance(order, ArmyMove) and (percent := prospects.percent_of(order)) is not None
    ]  # fmt: skip
    return phrase("menu-odds", each=tuple(found)) if found else None


def _menu(world: World, title: Phrase, orders: Iterable[Order]) -> Menu:
    texts = [order_text(order, world.board) for order in orders]
    return Menu(title, tuple(texts[:MAX_ORDERS]), max(0, len(texts) - MAX_ORDERS))
