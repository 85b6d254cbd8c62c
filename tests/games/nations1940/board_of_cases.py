"""States described by the lines of case files, and their comparison afterwards."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

from judge.dice import Dice
from judge.games.nations1940.language.lexicon import lexicon
from judge.games.nations1940.rules.opening import opening
from judge.games.nations1940.rules.settings import Settings
from judge.games.nations1940.rules.state import Nation, NationsState, Offer, ProvinceState, bond
from judge.games.nations1940.rules.world import World, WorldEvent
from judge.games.nations1940.scenario import scenario
from tests.games.nations1940.case_files import words_of

MAP = "nations1940"
BOARD = scenario(MAP)
SEED = bytes(range(32))
BONDS = ("WAR", "NAP", "EXCHANGE", "PACT")


class LoadedDice(Dice):
    """Dice with the values of a case under the tags it names."""

    def __init__(self, turn: int, rolls: Mapping[str, Sequence[int]]) -> None:
        super().__init__(SEED, turn)
        self._rolls = rolls

    def _value(self, tag: str, n: int, sides: int) -> int:
        told = self._rolls.get(tag, ())
        if n <= len(told):
            assert told[n - 1] <= sides, (tag, n, sides)
            return told[n - 1]
        return super()._value(tag, n, sides)


def techs_of(text: str) -> frozenset[str]:
    """Return technologies by abbreviated names, with their prerequisites."""
    found: set[str] = set()
    todo = [lexicon(MAP).techs.find(word).meanings[0] for word in text.split(";") if word]
    while todo:
        tech = todo.pop()
        found.add(tech)
        todo += BOARD.techs[tech].requires
    return frozenset(found)


@cache
def begun(settings: Settings) -> NationsState:
    """Return the start of the scenario."""
    return opening(BOARD, settings)


def laid_out(lines: Sequence[str], turn: int, settings: Settings) -> NationsState:
    """Return the start of the scenario, changed by the lines."""
    state = replace(begun(settings), turn=turn)
    provinces, nations = dict(state.provinces), dict(state.nations)
    seas, bonds, offers = dict(state.seas), set(state.bonds), list(state.offers)
    for line in lines:
        first, *rest = line.split()
        values = words_of(line)
        if first == "DUE":
            n = int(rest[0][1:])
            provinces[n] = replace(provinces[n], due_to=rest[1])
        elif first == "OFFER":
            offers.append(Offer(rest[0], rest[1], rest[2], turn, 1))
        elif first in BONDS:
            bonds.add(bond(first, *rest))
        elif first.startswith("#"):
            n = int(first[1:])
            provinces[n] = replace(provinces[n], **province_values(values, provinces[n]))
        elif first in BOARD.seas:
            seas[first] = counts(rest[0])
        else:
            nations[first] = replace(nations[first], **nation_values(values))
    return replace(
        state, provinces=provinces, nations=nations, seas=seas, bonds=frozenset(bonds),
        offers=tuple(offers),
    )


def counts(text: str) -> dict[str, int]:
    """Return counts by nation.

    >>> counts("DAN:3,UKR:1"), counts("-")
    ({'DAN': 3, 'UKR': 1}, {})
    """
    parts = [part.split(":") for part in text.split(",") if part != "-"]
    return {code: int(count) for code, count in parts}


def province_values(values: Mapping[str, str], now: ProvinceState) -> dict[str, Any]:
    """Return the fields of a province that a line sets."""
    found: dict[str, Any] = {}
    for name, text in values.items():
        if name in ("armies", "mobile_hq", "fleets"):
            found[name] = counts(text)
        elif name == "improvements":
            found[name] = frozenset(part for part in text.split(",") if part != "-")
        elif name in ("populous", "epidemic"):
            found[name] = text == "yes"
        elif name in ("fallout", "neutral"):
            found[name] = int(text)
        elif name in ("owner", "due_to"):
            found[name] = "" if text == "-" else text
            if name == "owner" and now.neutral and text != "-":
                found.setdefault("neutral", 0)
        else:
            raise KeyError(name)
    return found


def nation_values(values: Mapping[str, str]) -> dict[str, Any]:
    """Return the fields of a nation that a line sets."""
    found: dict[str, Any] = {}
    for name, text in values.items():
        text = text.replace("_", " ")
        if name == "techs":
            found[name] = techs_of(text)
        elif name in ("queue", "traits"):
            table = lexicon(MAP).techs if name == "queue" else lexicon(MAP).traits
            found[name] = tuple(table.find(one).meanings[0] for one in text.split(";") if one)
        elif name == "progress":
            parts = [part.split(":") for part in text.split(";")]
            found[name] = {lexicon(MAP).techs.find(t).meanings[0]: int(rp) for t, rp in parts}
        elif name in ("spawn_order", "shed_order"):
            found[name] = tuple(int(n) for n in text.split(","))
        elif name in ("loyalist", "alive"):
            found[name] = text == "yes"
        elif name == "government":
            found[name] = text
        else:
            found[name] = int(text)
    return found


def looked_at(world: World, line: str) -> list[tuple[str, Any, Any]]:
    """Return the expectations of a line: name, expected value and actual value."""
    first, *rest = line.split()
    values = words_of(line)
    if first == "no":
        return [(line, False, bond(*rest) in world.bonds)]  # type: ignore[arg-type]
    if first in BONDS:
        return [(line, True, bond(first, *rest) in world.bonds)]
    if first == "DUE":
        return [(line, rest[1], world.provinces[int(rest[0][1:])].due_to)]
    if first in BOARD.seas:
        return [(line, counts(rest[0]), dict(world.seas[first]))]
    if first.startswith("#"):
        n = int(first[1:])
        province = world.provinces[n]
        expected = province_values(values, ProvinceState())
        return [
            (f"{first} {name}", value, plain(getattr(province, name)))
            for name, value in expected.items() if name in values
        ]  # fmt: skip
    nation: Nation = world.nations[first]
    found: list[tuple[str, Any, Any]] = []
    if "army" in values:
        found.append((f"{first} army", int(values["army"]), world.armies_of(first)))
    kept = {name: text for name, text in values.items() if name != "army"}
    for name, value in nation_values(kept).items():
        found.append((f"{first} {name}", value, plain(getattr(nation, name))))
    return found


def plain(value: Any) -> Any:
    """Return a mapping as a dict."""
    return dict(value) if isinstance(value, Mapping) else value


def fits(event: WorldEvent, line: str) -> bool:
    """Return whether an event matches a line."""
    kind, *_ = line.split()
    return event.kind == kind and all(
        _text(event.facts.get(name)) == text for name, text in words_of(line).items()
    )


def _text(value: Any) -> str:
    if isinstance(value, list):
        return ",".join(
            ":".join(map(str, one)) if isinstance(one, list) else str(one) for one in value
        )
    return str(value).replace(" ", "_")
