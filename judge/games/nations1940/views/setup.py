"""Changes of a position by a master (N-170).

The lines are `SET path value`, `EVENT name target` and `NEUTRALISE nation`. A path names one field
of the state (N-3), its parts separated by points: `provinces.20.owner`, `nations.KAL.techs`,
`seas.S16.SIC`, `treaties.GER.RUS`, `turn`. The result of all lines must keep the invariants of a
game (N-171, N-175). Each line is published in the next gazette.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from judge.games.nations1940.language.lexicon import ScenarioLexicon
from judge.games.nations1940.rules.capitals import eliminate
from judge.games.nations1940.rules.foreign_troops import send_guests
from judge.games.nations1940.rules.invariants import broken
from judge.games.nations1940.rules.random_events import EVENTS
from judge.games.nations1940.rules.settings import Settings
from judge.games.nations1940.rules.state import (
    EXCHANGE,
    NAP,
    PACT,
    WAR,
    NationsState,
    bond,
    dump_state,
    load_state,
)
from judge.games.nations1940.rules.world import World, add_count
from judge.games.nations1940.scenario import format_node
from judge.games.nations1940.views.naming import find_turn, turn_number
from judge.games.system import LineRead
from judge.model.incoming import Line
from judge.model.phrase import Complaint, ComplaintKind, Fact, Phrase, phrase

MAX = 9999
"""Highest number that a field may be set to."""
_YES = {"yes": True, "on": True, "1": True, "no": False, "off": False, "0": False}
_NOTHING = frozenset({"", "-", "none", "nothing", "nobody", "neutral"})
_PATH = re.compile(
    r'(?:set\s+)?((?:"[^"]*"|[^\s".])+(?:\.(?:"[^"]*"|[^\s".])+)*)(?:\s+(.*))?', re.I
)
_WHOLE = re.compile(r"state (\{.*\})")
_PART = re.compile(r'"([^"]*)"|([^".]+)')
_EVENT = re.compile(r"event\s+(.+)", re.I)
_NEUTRALISE = re.compile(r"neutrali[sz]e\s+(.+)", re.I)


class SetupLineError(Exception):
    """Raised when a line cannot be carried out, only within this module."""

    def __init__(self, code: str, **facts: Fact) -> None:
        super().__init__(code)
        self.reason = phrase(code, **facts)


class NationsSetup:
    """Lines applied to a state one after another."""

    def __init__(self, state: NationsState, settings: Settings, names: ScenarioLexicon) -> None:
        self._names = names
        self._world = World(names.board, state, settings)
        self._turn = state.turn
        self._ordered = list(state.ordered)
        self._acts = list(state.acts)

    def read(self, lines: Sequence[Line]) -> tuple[LineRead, ...]:
        """Apply lines and return a result for each.

        If no line is rejected, a complaint for each broken invariant follows.
        """
        read = [self._line(line) for line in lines if line.text.strip()]
        if not any(one.complaint for one in read):
            end = Line(0, "")
            read += [
                LineRead(end, complaint=_wrong(end, phrase("setup-broken", what=what)))
                for what in broken(self._world)
            ]
        return tuple(read)

    @property
    def state(self) -> NationsState:
        """The state after the lines."""
        found = self._world.freeze(self._turn)
        return replace(found, ordered=tuple(self._ordered), acts=tuple(self._acts))

    def _line(self, line: Line) -> LineRead:
        try:
            if whole := _WHOLE.fullmatch(line.text.strip()):
                self._take(whole[1])
                return LineRead(line, filed=("state",))
            done = self._done(line.text.split(";")[0].strip())
        except SetupLineError as refused:
            return LineRead(line, complaint=_wrong(line, refused.reason))
        self._acts.append(done)
        return LineRead(line, filed=(done,))

    def _take(self, text: str) -> None:
        """Replace the whole state by one in the form of `arrangement`.

        It must have the same provinces and nations.
        """
        try:
            found = load_state(text)
            same = {*found.provinces} == {*self._world.provinces}
            if not same or {*found.nations} != {*self._world.nations}:
                raise SetupLineError("setup-unreadable")
            self._world = World(self._world.board, found, self._world.settings)
            self._turn, self._ordered, self._acts = (
                found.turn, list(found.ordered), list(found.acts)
            )
            broken(self._world)
        except (KeyError, ValueError, TypeError, AttributeError) as fault:
            raise SetupLineError("setup-unreadable") from fault

    def _done(self, text: str) -> str:
        """Carry out a line and return its text for the gazette."""
        if found := _EVENT.fullmatch(text):
            return self._event(found[1])
        if found := _NEUTRALISE.fullmatch(text):
            nation = self._nation(found[1])
            eliminate(self._world, nation)
            send_guests(self._world)
            return f"NEUTRALISE {nation}"
        if label := find_turn(text):
            self._turn = self._world.turn = turn_number(label)
            return f"SET turn {self._turn}"
        found = _PATH.fullmatch(text)
        if not found:
            raise SetupLineError("setup-unreadable")
        parts = [quoted or plain for quoted, plain in _PART.findall(found[1])]
        self._set(parts, (found[2] or "").strip())
        return f"SET {found[1]} {(found[2] or '').strip()}".strip()

    def _event(self, text: str) -> str:
        """Order an event for step 9 of this turn, in addition to the random one (N-139)."""
        words = text.split()
        for at in range(len(words), 0, -1):
            name = " ".join(words[:at]).strip('"').lower()
            kind = next((one for one in EVENTS if one.lower() == name), "")
            if kind:
                break
        else:
            raise SetupLineError("setup-no-event", names=tuple(EVENTS))
        legal = EVENTS[kind].targets(self._world)
        word = " ".join(words[at:])
        named = (self._names.find(what, word) for what in ("nation", "place"))
        meant = [one for found in named for one in found.meanings if one in legal]
        if len(meant) != 1:
            raise SetupLineError("setup-no-target", name=kind, word=word or "?")
        self._ordered.append((kind, meant[0]))
        return f"EVENT {kind} {format_node(meant[0])}"

    def _set(self, parts: Sequence[str], text: str) -> None:
        match [parts[0].lower(), *parts[1:]]:
            case ["turn"]:
                self._turn = self._world.turn = _number(text)
            case ["provinces" | "province", place, name]:
                self._set_province(name, text, self._one("province", place))
            case ["provinces" | "province", place, name, nation]:
                self._units(self._one("province", place), name.lower(), nation, text)
            case ["nations" | "nation", code, name]:
                self._world.reform(self._nation(code), **self._value(_NATION, name, text))
            case ["nations" | "nation", code, "progress", tech]:
                self._progress(self._nation(code), self._one("tech", tech), _number(text))
            case ["seas" | "sea", sea, nation]:
                region = self._one("sea", sea)
                code = self._nation(nation)
                now = self._world.seas[region].get(code, 0)
                self._world.add_at_sea(region, code, _number(text) - now)
            case ["treaties" | "treaty" | "bonds", one, other]:
                self._treaties(self._nation(one), self._nation(other), text)
            case ["domination", nation]:
                code, done = self._nation(nation), self._world.domination
                more = _number(text) - done.get(code, 0)
                self._world.domination = add_count(done, code, more)
            case _:
                raise SetupLineError("setup-no-path", path=".".join(parts))

    def _value(self, fields: "Mapping[str, FieldReader]", name: str, text: str) -> dict[str, Any]:
        """Return a field with its new value."""
        read = fields.get(name.lower())
        if read is None:
            raise SetupLineError("setup-no-field", name=name, names=tuple(fields))
        return {name.lower(): read(self, text)}

    def _set_province(self, name: str, text: str, n: int) -> None:
        found = self._value(_PROVINCE, name, text)
        if "owner" in found:
            # An owned province has no neutral army, one without an owner has one.
            found["neutral"] = 0 if found["owner"] else 1
        self._world.change(n, **found)

    def _units(self, n: int, name: str, nation: str, text: str) -> None:
        kinds = ("armies", "mobile_hq", "fleets")
        if name not in kinds:
            raise SetupLineError("setup-no-field", name=name, names=kinds)
        code = self._nation(nation)
        now = getattr(self._world.provinces[n], name).get(code, 0)
        self._world.add(name, n, code, _number(text) - now)

    def _progress(self, code: str, tech: str, points: int) -> None:
        done = {**self._world.nations[code].progress, tech: points}
        self._world.reform(code, progress={one: rp for one, rp in done.items() if rp})

    def _treaties(self, one: str, other: str, text: str) -> None:
        if one == other:
            raise SetupLineError("setup-unreadable")
        kinds = {kind.upper() for kind in _split_list(text)}
        if not kinds <= {WAR, NAP, EXCHANGE, PACT}:
            raise SetupLineError("setup-no-value", text=text, form="WAR, NAP, EXCHANGE, PACT, none")
        world = self._world
        world.bonds = {b for b in world.bonds if {b.a, b.b} != {one, other}}
        world.bonds |= {bond(kind, one, other) for kind in kinds}

    def _one(self, what: str, word: str) -> Any:
        """Return the meaning of a name of a kind."""
        found = self._names.find(what, word)
        if len(found.meanings) != 1:
            raise SetupLineError("setup-unknown", word=word)
        return found.meanings[0]

    def _nation(self, word: str) -> str:
        code = str(self._one("nation", word))
        if code not in self._world.nations:
            raise SetupLineError("setup-unknown", word=word)
        return code

    def owner(self, text: str) -> str:
        """Return the nation that a value names, empty for none."""
        return "" if text.lower() in _NOTHING else self._nation(text)

    def government(self, text: str) -> str:
        """Return the government that a value names."""
        return str(self._one("government", text))

    def read_list(self, what: str, text: str) -> tuple[Any, ...]:
        """Return the names of a kind that a value lists, in their order."""
        return tuple(self._one(what, word) for word in _split_list(text))


def _split_list(text: str) -> Iterator[str]:
    for part in text.split(","):
        word = part.strip().strip('"')
        if word.lower() not in _NOTHING:
            yield word


def _number(text: str) -> int:
    if not re.fullmatch(r"[0-9]{1,4}", text):
        raise SetupLineError("setup-no-value", text=text, form=f"0 … {MAX}")
    return int(text)


def _wrong(line: Line, reason: Phrase) -> Complaint:
    return Complaint(ComplaintKind.ILLEGAL, line.number, line.text, reason)


FieldReader = Callable[[NationsSetup, str], Any]


def _list_reader(what: str, make: Callable[[Any], Any] = tuple) -> FieldReader:
    """Return the reader of a field that lists names of a kind."""
    return lambda setup, text: make(setup.read_list(what, text))


def _read_number(_: NationsSetup, text: str) -> int:
    return _number(text)


def _read_truth(_: NationsSetup, text: str) -> bool:
    if text.lower() not in _YES:
        raise SetupLineError("setup-no-value", text=text, form="yes, no")
    return _YES[text.lower()]


_capital = _list_reader("province", lambda lands: lands[0] if lands else 0)

_PROVINCE: Mapping[str, FieldReader] = {
    "owner": NationsSetup.owner, "populous": _read_truth,
    "improvements": _list_reader("kind", frozenset), "fallout": _read_number,
    "epidemic": _read_truth, "neutral": _read_number, "due_to": NationsSetup.owner,
}  # fmt: skip
_NATION: Mapping[str, FieldReader] = {
    "government": NationsSetup.government, "capital": _capital, "loyalist": _read_truth,
    "old_capital": _capital, "techs": _list_reader("tech", frozenset),
    "queue": _list_reader("tech"), "spawn_order": _list_reader("province"),
    "shed_order": _list_reader("province"), "pi_malus": _read_number,
    "missed_turns": _read_number, "traits": _list_reader("trait"),
}  # fmt: skip
"""Fields that a line may set, with the readers of their values."""


def arrangement(state: NationsState) -> tuple[str, ...]:
    """Return the line that makes this state from any other of the same game."""
    return (f"state {dump_state(state)}",)
