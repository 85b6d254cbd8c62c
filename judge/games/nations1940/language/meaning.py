"""Meanings of parsed orders, with names as places, nations and technologies.

The complaint is about the first name that has no meaning, or several (N-157: E-UNKNOWN,
E-AMBIGUOUS, E-SYNTAX). Later faults of the line are not reported.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple, TypeVar

from judge.games.nations1940.language.grammar import FORMS, Named, ParsedOrder, PathStep
from judge.games.nations1940.language.lexicon import Found, ScenarioLexicon, split_lane
from judge.games.nations1940.rules.orders import (
    ArmyDisband,
    ArmyHold,
    ArmyMove,
    AtomicBomb,
    Bomb,
    Cancel,
    Commission,
    Deploy,
    Dismantle,
    Escort,
    Form,
    Give,
    Govern,
    ImprovementBuild,
    Item,
    Missile,
    Order,
    Rail,
    Research,
    Sail,
    Scuttle,
    Shed,
    Spawn,
    Trade,
    Traits,
    Treaty,
    War,
    Withdraw,
    format_place,
)
from judge.games.nations1940.scenario import Node
from judge.model.phrase import Phrase, phrase

T = TypeVar("T")


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
    orders = tuple(_orders(said, reader))
    if reader.fault:
        return ResolvedLine((), reader.fault, reader.word, reader.near)
    return ResolvedLine(orders, notes=tuple(reader.notes))


class _NameResolver:
    """Lookup of names, which keeps the first fault."""

    def __init__(self, names: ScenarioLexicon, text: str) -> None:
        self.names = names
        self._text = text
        self.fault: Phrase | None = None
        self.word = ""
        self.near: tuple[str, ...] = ()
        self.notes: list[Phrase] = []

    def _one(
        self, found: Found[T], word: str, what: str, blank: T, tell: Callable[[T], str]
    ) -> T:
        if len(found.meanings) == 1:
            return found.meanings[0]
        if not found.meanings and found.repaired:
            read = tell(found.repaired[0])
            note = phrase("w-read-as", word=word.strip('"'), meaning=read)
            self.notes += [] if note in self.notes else [note]
            return found.repaired[0]
        if self.fault is None:
            self.word, self.near = word, found.near
            if found.meanings:
                self.fault = phrase(
                    "e-ambiguous", order=self._text, word=word,
                    names=tuple(tell(one) for one in found.meanings),
                )  # fmt: skip
            else:
                named = word.strip('"')
                self.fault = phrase(f"e-unknown-{what}", order=self._text, word=named)
        return blank

    def _place(self, place: Node) -> str:
        return format_place(place, self.names.board)

    def wrong(self, form: str) -> None:
        """Record a fault in the form of an order, unless there is one already."""
        if self.fault is None:
            form_of = FORMS[form]
            self.fault = phrase("e-syntax-form", order=self._text, verb=form, form=form_of)

    def land(self, named: Named) -> int:
        return self._one(self.names.land(named.text), named.text, "province", 0, self._place)

    def sea(self, named: Named) -> str:
        return self._one(self.names.sea(named.text), named.text, "sea", "", self._place)

    def place(self, named: Named) -> Node:
        return self._one(self.names.place(named.text), named.text, "place", 0, self._place)

    def nation(self, named: Named) -> str:
        return self._one(self.names.nations.find(named.text), named.text, "nation", "", str)

    def tech(self, named: Named) -> str:
        return self._one(self.names.techs.find(named.text), named.text, "tech", "", str)

    def trait(self, named: Named) -> str:
        return self._one(self.names.traits.find(named.text), named.text, "trait", "", str)

    def government(self, named: Named) -> str:
        found = self.names.governments.find(named.text)
        return self._one(found, named.text, "government", "", str)

    def kind(self, text: str) -> str:
        """Return the code of an improvement."""
        return self._one(self.names.kinds.find(text), text, "kind", "", str)

    def treaty(self, text: str) -> str:
        """Return the code of a treaty."""
        return self._one(self.names.treaties.find(text), text, "treaty", "", str)

    def item(self, named: Named) -> Item:
        """Return a traded item: a province or a technology."""
        nowhere: Found[int] = Found(())
        land = nowhere if named.quoted else self.names.land(named.text)
        tech = self.names.techs.find(named.text)
        both: Found[Item] = Found(
            (*land.meanings, *tech.meanings), (*land.near, *tech.near)[:3],
            () if land.repaired and tech.repaired else (*land.repaired, *tech.repaired),
        )  # fmt: skip
        return self._one(
            both, named.text, "item", 0,
            lambda one: self._place(one) if isinstance(one, int) else one,
        )  # fmt: skip

    def path(self, start: Named, steps: Sequence[PathStep]) -> tuple[int, ...]:
        return tuple(self.land(named) for named in (start, *(step.place for step in steps)))


def count_of(text: str) -> int:
    """Return the count of an order: 1 if it has none, 0 for ALL.

    >>> count_of(""), count_of("3"), count_of("all")
    (1, 3, 0)
    """
    return 0 if text == "all" else int(text.lstrip("# ") or 1) if text else 1


_COUNTED: Mapping[str, Callable[[int, int], Order]] = {
    "missile": Missile, "scuttle": Scuttle, "disband": ArmyDisband,
}  # fmt: skip
_PLACED: Mapping[str, Callable[[int], Order]] = {
    "hold": ArmyHold, "form": Form, "commission": Commission,
}  # fmt: skip
_WORDS: Mapping[str, Callable[[str, str], Order]] = {
    "treaty": Treaty, "withdraw": Withdraw, "cancel": Cancel,
}  # fmt: skip
_NOT_WITH = {"treaty": ("DEAL",), "cancel": ("DEAL", "PEACE")}
"""Treaties that an order with the verb cannot name."""


def _orders(said: ParsedOrder, read: _NameResolver) -> Iterable[Order]:
    match said.verb:
        case "move":
            return [_move(said, read)]
        case "rail":
            is_hq = said.count == "hq"
            path = read.path(said.places[0], said.steps)
            if any(step.via for step in said.steps):
                read.wrong("rail")
            return [Rail(1 if is_hq else count_of(said.count), path, is_hq)]
        case "fleet":
            places = (said.places[0], *(step.place for step in said.steps))
            return [Sail(count_of(said.count), tuple(read.place(place) for place in places))]
        case "escort":
            return _escort(said, read)
        case "bomb" | "atom":
            target, base = map(read.land, said.places)
            if said.verb == "atom":
                return [AtomicBomb(target, base)]
            return [Bomb(target, base, read.kind(said.kind) if said.kind else "")]
        case "missile" | "scuttle" | "disband":
            return [_COUNTED[said.verb](count_of(said.count), read.land(said.places[0]))]
        case "build" | "dismantle":
            what = ImprovementBuild if said.verb == "build" else Dismantle
            kind = read.kind(said.kind)
            return [what(kind, read.land(place)) for place in said.places]
        case "deploy":
            start, goal = map(read.land, said.places)
            return [Deploy(count_of(said.count), start, goal)]
        case _:
            return _words(said, read)


def _words(said: ParsedOrder, read: _NameResolver) -> Iterable[Order]:
    """Return the orders of the verbs that `_orders` leaves to this function."""
    match said.verb:
        case "hold" | "form" | "commission":
            return [_PLACED[said.verb](read.land(place)) for place in said.places]
        case "spawn" | "shed":
            named = () if _is_none(said.places) else said.places
            listed = tuple(dict.fromkeys(map(read.land, named)))
            return [Spawn(listed) if said.verb == "spawn" else Shed(listed)]
        case "research":
            return [Research(tuple(dict.fromkeys(map(read.tech, said.names))))]
        case "traits":
            return [Traits(tuple(dict.fromkeys(map(read.trait, said.names))))]
        case "government":
            return [Govern(read.government(said.names[0]))]
        case "war":
            return [War(read.nation(said.names[0]))]
        case "treaty" | "withdraw" | "cancel":
            kind, nation = read.treaty(said.kind), read.nation(said.names[0])
            if kind in _NOT_WITH.get(said.verb, ()):
                read.wrong(said.verb)
            return [_WORDS[said.verb](kind, nation)]
        case "give":
            return [Give(tuple(map(read.item, said.places)), read.nation(said.names[0]))]
        case "deal":
            gives, wants = (tuple(map(read.item, items)) for items in (said.places, said.wants))
            return [Trade(read.nation(said.names[0]), gives, wants)]
    return []


def _is_none(places: Sequence[Named]) -> bool:
    """Return whether a list of provinces is only a word for none."""
    return [place.text for place in places] in (["none"], ["nothing"], ["nowhere"])


def _move(said: ParsedOrder, read: _NameResolver) -> ArmyMove:
    ferries = [at for at, step in enumerate(said.steps, 1) if step.via]
    path = read.path(said.places[0], said.steps)
    is_hq = said.count == "hq"
    if len(ferries) > 1:
        read.wrong("move_hq" if is_hq else "move")
    seas = tuple(read.sea(named) for at in ferries[:1] for named in said.steps[at - 1].via)
    leg = ferries[0] if ferries else 0
    return ArmyMove(1 if is_hq else count_of(said.count), path, seas, leg, is_hq)


def _escort(said: ParsedOrder, read: _NameResolver) -> Iterable[Order]:
    lane = split_lane(said.lane, read.names)
    if lane is None:
        read.wrong("escort")
        return []
    count, sea, start = lane
    goal, nation = read.land(said.places[0]), read.nation(said.names[0])
    return [Escort(count_of(count), sea, start, goal, nation)]
