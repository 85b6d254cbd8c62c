"""Meanings of parsed orders, with names as places, nations and technologies.

The complaint is about the first name that has no meaning, or several (N-157: E-UNKNOWN,
E-AMBIGUOUS, E-SYNTAX). Later faults of the line are not reported.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from judge.games.nations1940.language.grammar import FORMS, Named, ParsedOrder, PathStep
from judge.games.nations1940.language.lexicon import Found, ScenarioLexicon, split_lane
from judge.games.nations1940.rules import orders
from judge.games.nations1940.rules.orders import Item, Order, format_place
from judge.model.phrase import Phrase, phrase


class ResolvedLine(NamedTuple):
    """Meaning of a text: its orders, or the fault of a name in it.

    `near`: names similar to the word that has no meaning, the likeliest first.
    """

    orders: tuple[Order, ...] = ()
    fault: Phrase | None = None
    word: str = ""
    near: tuple[str, ...] = ()
    notes: tuple[Phrase, ...] = ()
    """Notes on how misspelt names were read."""


def meaning_of(said: ParsedOrder, names: ScenarioLexicon, text: str) -> ResolvedLine:
    """Return the meaning of a parsed order."""
    reader = _NameResolver(names, text)
    found = tuple(_orders(said, reader))
    if reader.fault:
        return ResolvedLine((), reader.fault, reader.word, reader.near)
    return ResolvedLine(found, notes=tuple(reader.notes))


class _NameResolver:
    """Lookup of names, which keeps the first fault."""

    def __init__(self, names: ScenarioLexicon, text: str) -> None:
        self.names = names
        self._text = text
        self.fault: Phrase | None = None
        self.word = ""
        self.near: tuple[str, ...] = ()
        self.notes: list[Phrase] = []

    def _meaning(self, found: Found[Any], word: str, what: str) -> Any:
        """Return the one meaning of a word. Without one, record a fault and return 0."""
        if len(found.meanings) == 1:
            return found.meanings[0]
        if not found.meanings and found.repaired:
            note = phrase("w-read-as", word=word.strip('"'), meaning=self._name(found.repaired[0]))
            self.notes += [] if note in self.notes else [note]
            return found.repaired[0]
        if self.fault is None:
            self.word, self.near = word, found.near
            if found.meanings:
                named = tuple(map(self._name, found.meanings))
                self.fault = phrase("e-ambiguous", order=self._text, word=word, names=named)
            else:
                bare = word.strip('"')
                self.fault = phrase(f"e-unknown-{what}", order=self._text, word=bare)
        return 0

    def _name(self, meaning: Item) -> str:
        is_place = isinstance(meaning, int) or meaning in self.names.board.seas
        return format_place(meaning, self.names.board) if is_place else str(meaning)

    def wrong(self, form: str) -> None:
        """Record a fault in the form of an order, unless there is one already."""
        if self.fault is None:
            form_of = FORMS[form]
            self.fault = phrase("e-syntax-form", order=self._text, verb=form, form=form_of)

    def one(self, what: str, named: Named | str) -> Any:
        """Return the meaning of a name of a kind (`ScenarioLexicon.find`)."""
        word = named if isinstance(named, str) else named.text
        return self._meaning(self.names.find(what, word), word, what)

    def all(self, what: str, named: Iterable[Named]) -> tuple[Any, ...]:
        """Return the meanings of names of a kind."""
        return tuple(self.one(what, each) for each in named)

    def item(self, named: Named) -> Item:
        """Return a traded item: a province or a technology."""
        nowhere: Found[int] = Found(())
        land = nowhere if named.quoted else self.names.land(named.text)
        tech = self.names.techs.find(named.text)
        both: Found[Item] = Found(
            (*land.meanings, *tech.meanings), (*land.near, *tech.near)[:3],
            () if land.repaired and tech.repaired else (*land.repaired, *tech.repaired),
        )  # fmt: skip
        item: Item = self._meaning(both, named.text, "item")
        return item

    def path(self, start: Named, steps: Sequence[PathStep]) -> tuple[int, ...]:
        return self.all("province", (start, *(step.place for step in steps)))


def count_of(text: str) -> int:
    """Return the count of an order: 1 if it has none, 0 for ALL.

    >>> count_of(""), count_of("3"), count_of("all")
    (1, 3, 0)
    """
    named = {"": 1, "hq": 1, "all": 0}
    return named[text] if text in named else int(text.lstrip("# ") or 1)


_MAKERS: Mapping[str, Callable[..., Order]] = {
    "missile": orders.Missile, "scuttle": orders.Scuttle, "disband": orders.ArmyDisband,
    "deploy": orders.Deploy, "build": orders.ImprovementBuild, "dismantle": orders.Dismantle,
    "hold": orders.ArmyHold, "form": orders.Form, "commission": orders.Commission,
    "spawn": orders.Spawn, "shed": orders.Shed, "treaty": orders.Treaty,
    "withdraw": orders.Withdraw, "cancel": orders.Cancel,
}  # fmt: skip
_NOT_WITH = {"treaty": ("DEAL",), "cancel": ("DEAL", "PEACE")}
"""Treaties that an order with the verb cannot name."""


def _orders(said: ParsedOrder, read: _NameResolver) -> Iterable[Order]:
    count = count_of(said.count)
    match said.verb:
        case "move":
            return [_move(said, read)]
        case "rail":
            path = read.path(said.places[0], said.steps)
            if any(step.via for step in said.steps):
                read.wrong("rail")
            return [orders.Rail(count, path, said.count == "hq")]
        case "fleet":
            places = (said.places[0], *(step.place for step in said.steps))
            return [orders.Sail(count, read.all("place", places))]
        case "escort":
            return _escort(said, read)
        case "bomb":
            target, base = read.all("province", said.places)
            return [orders.Bomb(target, base, read.one("kind", said.kind) if said.kind else "")]
        case "atom":
            return [orders.AtomicBomb(*read.all("province", said.places))]
        case "missile" | "scuttle" | "disband" | "deploy":
            return [_MAKERS[said.verb](count, *read.all("province", said.places))]
        case "build" | "dismantle":
            kind = read.one("kind", said.kind)
            return [_MAKERS[said.verb](kind, land) for land in read.all("province", said.places)]
        case "hold" | "form" | "commission":
            return [_MAKERS[said.verb](land) for land in read.all("province", said.places)]
        case _:
            return _words(said, read)


def _words(said: ParsedOrder, read: _NameResolver) -> Iterable[Order]:
    """Return the orders of the verbs that `_orders` leaves to this function."""
    match said.verb:
        case "spawn" | "shed":
            named = () if _is_none(said.places) else said.places
            return [_MAKERS[said.verb](tuple(dict.fromkeys(read.all("province", named))))]
        case "research":
            return [orders.Research(tuple(dict.fromkeys(read.all("tech", said.names))))]
        case "traits":
            return [orders.Traits(tuple(dict.fromkeys(read.all("trait", said.names))))]
        case "government":
            return [orders.Govern(read.one("government", said.names[0]))]
        case "war":
            return [orders.War(read.one("nation", said.names[0]))]
        case "treaty" | "withdraw" | "cancel":
            kind, nation = read.one("treaty", said.kind), read.one("nation", said.names[0])
            if kind in _NOT_WITH.get(said.verb, ()):
                read.wrong(said.verb)
            return [_MAKERS[said.verb](kind, nation)]
        case "give":
            gives = tuple(map(read.item, said.places))
            return [orders.Give(gives, read.one("nation", said.names[0]))]
        case "deal":
            gives, wants = (tuple(map(read.item, items)) for items in (said.places, said.wants))
            return [orders.Trade(read.one("nation", said.names[0]), gives, wants)]
    return []


def _is_none(places: Sequence[Named]) -> bool:
    """Return whether a list of provinces is only a word for none."""
    return [place.text for place in places] in (["none"], ["nothing"], ["nowhere"])


def _move(said: ParsedOrder, read: _NameResolver) -> orders.ArmyMove:
    ferries = [at for at, step in enumerate(said.steps, 1) if step.via]
    path = read.path(said.places[0], said.steps)
    is_hq = said.count == "hq"
    if len(ferries) > 1:
        read.wrong("move_hq" if is_hq else "move")
    leg = ferries[0] if ferries else 0
    seas = read.all("sea", said.steps[leg - 1].via) if leg else ()
    return orders.ArmyMove(count_of(said.count), path, seas, leg, is_hq)


def _escort(said: ParsedOrder, read: _NameResolver) -> Iterable[Order]:
    lane = split_lane(said.lane, read.names)
    if lane is None:
        read.wrong("escort")
        return []
    count, sea, start = lane
    goal, nation = read.one("province", said.places[0]), read.one("nation", said.names[0])
    return [orders.Escort(count_of(count), sea, start, goal, nation)]
