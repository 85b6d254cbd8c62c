"""Positions as a master writes them: the units and centres of each power.

A line begins with a power and a colon. Units are "A Par", centres are bare places. The lists of a
results letter can therefore be sent back with changes. nJudge's words OWN, CONTROL and NONE are
accepted too.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from judge.board.map import Map, Power, Unit, UnitKind
from judge.board.position import Phase, PhaseKind, Position, parse_phase
from judge.games.diplomacy.language.lexicon import lexicon, places_near, plain_name, powers_near
from judge.games.diplomacy.rules.adjudicate import find_ordering_powers
from judge.games.diplomacy.rules.ruleset import Rules
from judge.games.system import LineRead
from judge.model.incoming import Line
from judge.model.phrase import Complaint, ComplaintKind, Phrase, phrase

_TITLE = re.compile(r"(position in|ownership of|the following)\b.*:", re.IGNORECASE)
_HEAD = re.compile(
    r"\s*(?P<who>[^:]+?)\s*(?P<what>units|centres|centers|scs?)?\s*:\s*(?P<rest>.*)", re.IGNORECASE
)
_ITEM = re.compile(
    r"(?:(?P<own>own|owns|control|controls|centre|center)\s+)?"
    r"(?:(?P<kind>a|army|f|fleet)\s+)?(?P<place>.+)",
    re.IGNORECASE,
)
_COAST = re.compile(r"(?P<name>.+?)\s*[/( ]\s*\(?(?P<side>[nsew])(orth|outh|ast|est)?\s*"
                    r"(c|coast)\s*\)?$", re.IGNORECASE)
_NOTHING = frozenset({"none", "nothing", "no units", "no centres", "no centers"})
_NOBODY = frozenset({"unowned", "nobody", "neutral"})
_LAST_YEAR = 9999


class DiplomacySetup:
    """Lines applied to a position in order, with complaints about faults."""

    def __init__(self, board: Map, position: Position, rules: Rules) -> None:
        self._board = board
        self._rules = rules
        self._old = position
        self._phase = position.phase
        self._units = {power: list(units) for power, units in position.units.items()}
        self._owners = dict(position.owners)
        self._told: set[tuple[str, str]] = set()
        """Lists that lines have replaced: (power, "units" or "centres")."""
        self._given: dict[str, str] = {}
        """Centre → the owner these lines give it."""
        self._power: str | None = None
        """The power of the current list. Empty: unowned centres."""
        self._centres = False
        """True if the current list is one of centres, no matter how its items look."""

    def read(self, lines: Sequence[Line]) -> tuple[LineRead, ...]:
        """Apply lines and return a verdict on each, and on the position as a whole."""
        read = []
        for line in lines:
            faults = list(self._line(line.text))
            read += [LineRead(line, complaint=_wrong(line, fault)) for fault in faults]
            if not faults:
                read.append(LineRead(line))
        end = Line(0, "")
        faults = list(self._faults())
        read += [LineRead(end, complaint=_wrong(end, fault)) for fault in faults]
        return tuple(read)

    @property
    def position(self) -> Position:
        """The position as changed by the lines."""
        kept = self._phase == self._old.phase and ("", "clear") not in self._told
        units = {
            power: self._board.sort_units(found) for power, found in self._units.items() if found
        }
        changed = replace(self._old, phase=self._phase, units=units, owners=self._owners)
        if kept and self._phase.kind is PhaseKind.RETREAT:
            return changed
        return replace(changed, dislodged={}, contested=frozenset())

    def notes(self) -> Iterator[Phrase]:
        """Yield phrases on possible but doubtful facts of the position."""
        if self._phase.kind is PhaseKind.ADJUSTMENT:
            return
        for power in self._board.powers:
            units = len(self._units.get(power.name, ()))
            centres = len(self.position.centres(power.name))
            if units > centres:
                yield phrase("setup-more-units", power=power.name, units=units, centres=centres)

    def _line(self, text: str) -> Iterator[Phrase]:
        text = text.strip().rstrip(".")
        first, _, rest = text.partition(" ")
        if not text or _TITLE.match(text + ":"):
            self._power = None
        elif first.upper() == "PHASE":
            yield from self._named_phase(rest)
        elif text.upper() in ("CLEAR", "EMPTY"):
            self._units, self._owners = {}, {}
            self._told.add(("", "clear"))
        elif head := _HEAD.fullmatch(text):
            yield from self._begun(head)
        elif self._power is None:
            yield phrase("setup-whose", text=text[:60])
        else:
            yield from self._items(text)

    def _named_phase(self, label: str) -> Iterator[Phrase]:
        try:
            phase: Phase | None = parse_phase(label)
        except ValueError:
            phase = None
        if phase is None or not self._board.calendar.first_year <= phase.year < _LAST_YEAR:
            yield phrase("no-such-phase", label=label or phrase("nothing"))
        else:
            self._phase = phase

    def _begun(self, head: re.Match[str]) -> Iterator[Phrase]:
        """Start the list of a power. Its first list of a kind replaces the old one."""
        self._power = self._power_called(head["who"])
        if self._power is None:
            word, near = head["who"][:60], powers_near(head["who"], self._board)
            if near:
                yield phrase("setup-no-power-near", word=word, near=near)
            else:
                yield phrase("setup-no-power", word=word)
            return
        self._centres = bool(head["what"]) and head["what"].lower() != "units"
        yield from self._items(head["rest"])

    def _power_called(self, word: str) -> str | None:
        low = word.casefold()
        if low in _NOBODY:
            return ""
        return next((p.name for p in self._board.powers if low in _names(p)), None)

    def _items(self, text: str) -> Iterator[Phrase]:
        for item in filter(None, (part.strip() for part in re.split("[,;]", text))):
            if item.casefold() in _NOTHING:
                self._begin("centres" if self._centres or "cent" in item.casefold() else "units")
                continue
            found = _ITEM.fullmatch(item)
            assert found
            if found["kind"] and not self._centres and not found["own"]:
                yield from self._unit(found["kind"], found["place"])
            else:
                yield from self._centre(found["place"])

    def _begin(self, what: str) -> None:
        power = self._power or ""
        if (power, what) in self._told:
            return
        self._told.add((power, what))
        if what == "units":
            self._units[power] = []
        else:
            mine = [c for c, owner in self._owners.items() if owner == power]
            for centre in mine:
                if centre not in self._given:
                    del self._owners[centre]

    def _unit(self, kind: str, words: str) -> Iterator[Phrase]:
        """Add a unit, or yield the reason why its place does not allow such a unit."""
        place, coast, fault = self._place(words)
        if fault or place is None:
            yield fault or phrase("unknown-place", word=words[:60])
            return
        if not self._power:
            yield phrase("setup-nobodys-unit", text=words[:60])
            return
        self._begin("units")
        unit = Unit(UnitKind(kind[0].upper()), place)
        if unit.kind is UnitKind.ARMY:
            if self._board.provinces[place].terrain.takes_armies:
                self._units[self._power].append(unit)
            else:
                yield phrase("at-sea", unit=str(unit), place=place)
            return
        places = self._board.fleet_places(place)
        fitting = [found for found in places if not coast or found.endswith(f"/{coast}")]
        if not places:
            yield phrase("inland", unit=str(unit), place=place)
        elif len(fitting) != 1:
            yield phrase("setup-which-coast", places=tuple(x.upper() for x in places))
        else:
            self._units[self._power].append(Unit(UnitKind.FLEET, fitting[0]))

    def _centre(self, words: str) -> Iterator[Phrase]:
        """Give a centre to the power of the current list, or make it unowned."""
        place, _, fault = self._place(words)
        if fault or place is None:
            yield fault or phrase("unknown-place", word=words[:60])
        elif not self._board.provinces[place].is_centre:
            yield phrase("setup-no-centre", place=place)
        elif self._given.get(place, self._power) != self._power:
            yield phrase("setup-two-owners", place=place)
        else:
            self._begin("centres")
            self._given[place] = self._power or ""
            self._owners.pop(place, None)
            if self._power:
                self._owners[place] = self._power

    def _place(self, words: str) -> tuple[str | None, str, Phrase | None]:
        """Return the province that words name, its coast or an empty text, and any fault."""
        known = lexicon(self._board)
        province = known.places.get(plain_name(words))
        if province:
            return province, "", None
        found = _COAST.fullmatch(words)
        province = found and known.places.get(plain_name(found["name"]))
        if not found or not province:
            return None, "", self._unknown(words, found["name"] if found else words)
        place = known.coast_places.get((province, f"{found['side'].lower()}c"))
        if place is None and self._board.fleet_places(province):
            return None, "", phrase("setup-no-coast", place=province, text=words[:60])
        return province, place.partition("/")[2] if place else "", None

    def _unknown(self, words: str, name: str) -> Phrase:
        """Return the phrase for an unknown place, with similar names."""
        near = places_near(name, self._board)
        if near:
            return phrase("unknown-place-near", word=words[:60], near=near)
        return phrase("unknown-place", word=words[:60])

    def _faults(self) -> Iterator[Phrase]:
        """Yield faults that make a position impossible."""
        seen: dict[str, str] = {}
        for power, units in self._units.items():
            for unit in units:
                if unit.province in seen:
                    both = (f"{seen[unit.province]}", f"{power} {unit}")
                    yield phrase("setup-two-units", place=unit.province, units=both)
                seen[unit.province] = f"{power} {unit}"
        if not find_ordering_powers(self._board, self.position, self._rules):
            yield phrase("setup-nothing-to-do", phase=str(self._phase))


def lines_of(board: Map, position: Position) -> tuple[str, ...]:
    """Return a position as lines that apply it to another of the same game.

    Dislodged units are left out, because no lines can set them up.
    """
    lines = [f"PHASE {position.phase}"]
    for power in board.powers:
        units = ", ".join(map(str, board.sort_units(position.units.get(power.name, ()))))
        centres = ", ".join(sorted(position.centres(power.name)))
        lines.append(f"{power.name}: {units or 'none'}")
        lines.append(f"{power.name} centres: {centres or 'none'}")
    return tuple(lines)


def _names(power: Power) -> set[str]:
    return {word.casefold() for word in (power.name, power.adjective, power.letter, *power.words)}


def _wrong(line: Line, reason: Phrase) -> Complaint:
    """Return a complaint, with corrected lines if there are similar names."""
    word, near = str(reason.facts.get("word", "")), reason.facts.get("near", ())
    lines: tuple[str, ...] = ()
    if isinstance(near, tuple) and word in line.text:
        lines = tuple(line.text.strip().replace(word, str(name), 1) for name in near)
    return Complaint(ComplaintKind.ILLEGAL, line.number, line.text, reason, suggestions=lines)
