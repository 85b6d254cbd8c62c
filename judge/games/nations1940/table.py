"""Table of Nations 1940, the rules applied to one position."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property

from judge.dice import Dice
from judge.games.capabilities import (
    Adjacency,
    Bots,
    DrawableTable,
    Menu,
    OrderCompletion,
    OrderLists,
    PlaceNames,
    PositionSetup,
    Previews,
    ProgramRows,
    Ranking,
    SetupResult,
    TextBoard,
)
from judge.games.letter_facts import Places, PositionFacts, SheetFacts
from judge.games.nations1940.bots import bot_orders
from judge.games.nations1940.language.lexicon import lexicon
from judge.games.nations1940.language.reading import read_lines
from judge.games.nations1940.language.verdicts import NationsVerdict
from judge.games.nations1940.rules.legality import check_orders, with_wars
from judge.games.nations1940.rules.orders import Order, dump_order, load_order, order_text
from judge.games.nations1940.rules.resolve import resolve
from judge.games.nations1940.rules.settings import Settings
from judge.games.nations1940.rules.state import NationsState, dump_state
from judge.games.nations1940.rules.visibility import apply_fog, seen_by
from judge.games.nations1940.rules.world import World
from judge.games.nations1940.scenario import format_node, in_order, scenario
from judge.games.nations1940.sides import codes_by_name, names_by_code
from judge.games.nations1940.views.fronts import front_sketch
from judge.games.nations1940.views.menu import menus
from judge.games.nations1940.views.naming import label, turn_named
from judge.games.nations1940.views.pictures import sketch_of
from judge.games.nations1940.views.places import places_facts
from judge.games.nations1940.views.receipt import sheet_facts
from judge.games.nations1940.views.record import write_record
from judge.games.nations1940.views.report import describe_ending
from judge.games.nations1940.views.setup import NationsSetup, arrangement
from judge.games.nations1940.views.standing import PublicFacts, standing_facts, state_rows
from judge.games.nations1940.views.wording import EventWording
from judge.games.system import (
    Adjudication,
    Ending,
    LineRead,
    OrdersRead,
    PhaseInfo,
    Table,
    Viewer,
    ViewerRole,
)
from judge.model.incoming import Line
from judge.model.phrase import Complaint, ComplaintKind, Phrase, phrase

NO_ORDERS = "[]"
EXAMPLE = bytes(32)
"""Secret number of the dice of previews, which no game uses."""
_FOR_NATION = re.compile(r"\s*([^\W\d_]+(?:\s[^\W\d_]+)?)\s*:\s*(.*)")


def load_sheet(sheet: str) -> tuple[Order, ...]:
    """Return the orders of a sheet, none if it is empty."""
    return tuple(map(load_order, json.loads(sheet or NO_ORDERS)))


def dump_sheet(orders: Sequence[Order]) -> str:
    """Return orders as a sheet."""
    return json.dumps([dump_order(order) for order in orders], separators=(",", ":"))


class NationsTable(
    Table,
    OrderCompletion,
    Ranking,
    Adjacency,
    DrawableTable,
    PositionSetup,
    TextBoard,
    Previews,
    Bots,
    OrderLists,
    PlaceNames,
    ProgramRows,
):
    """A position with its options."""

    def __init__(self, map_name: str, state: NationsState, settings: Settings) -> None:
        self._map = map_name
        self._state = state
        self._settings = settings
        self._board = scenario(map_name)
        self._names = names_by_code(map_name)
        self._codes = codes_by_name(map_name)
        self._wording = EventWording(map_name, self._board)

    @cached_property
    def _world(self) -> World:
        """The position for queries, never changed."""
        return World(self._board, self._state, self._settings)

    @cached_property
    def _public(self) -> PublicFacts:
        return PublicFacts(self._world, self._wording)

    @property
    def phase(self) -> PhaseInfo:
        """The current turn."""
        turn = self._state.turn
        title = phrase("phase-diplomacy") if turn == 0 else phrase("phase-orders")
        return PhaseInfo(label(turn), "turn", turn_named(turn), title)

    @property
    def has_hidden_information(self) -> bool:
        """True, since each nation has a report of its own."""
        return True

    def powers_due(self) -> frozenset[str]:
        """Return the living nations, since each may order every turn."""
        return frozenset(self.powers_alive())

    def powers_alive(self) -> tuple[str, ...]:
        """Return the nations still in the game."""
        return tuple(self._names[code] for code in self._state.alive)

    def read_orders(
        self, lines: Sequence[Line], power: str | None, sheets: Mapping[str, str]
    ) -> OrdersRead:
        """Read lines as a nation's orders.

        A master (*power* None) names the nation before each order, as in `EGY: …`.
        """
        if power is None:
            return self._read_for_master(lines, sheets)
        code = self._codes[power]
        on_file = load_sheet(sheets.get(power, ""))
        reading = read_lines(self._world, lexicon(self._map), code, lines, on_file)
        read = tuple(line for one in reading.verdicts for line in _lines_read(one, self._names))
        says = reading.begun or reading.ready is not None or any(
            line.filed or line.notes for line in read
        )
        changed = {power: dump_sheet(reading.orders)} if says else {}
        if not says and any(line.withdrawn for line in read):
            # A nation that withdrew its last order counts as having sent none.
            changed = {power: dump_sheet(reading.orders) if reading.orders else ""}
        return OrdersRead(changed, read, ready=reading.ready)

    def _read_for_master(self, lines: Sequence[Line], sheets: Mapping[str, str]) -> OrdersRead:
        found: dict[str, str] = {}
        read: list[LineRead] = []
        for line in lines:
            named = _FOR_NATION.fullmatch(line.text)
            meant = lexicon(self._map).nations.find(named[1]).meanings if named else ()
            if named is None or len(meant) != 1 or meant[0] not in self._state.nations:
                reason = phrase("e-syntax-nation", order=line.text)
                fault = Complaint(ComplaintKind.UNREADABLE, line.number, line.text, reason)
                read.append(LineRead(line, complaint=fault))
                continue
            power = self._names[meant[0]]
            told = self.read_orders([Line(line.number, named[2])], power, {**sheets, **found})
            found |= told.sheets
            read += [one for one in told.lines]
        return OrdersRead(found, tuple(read))

    def missing_orders(self, power: str, sheet: str) -> tuple[str | Phrase, ...]:
        """Return a phrase for missing orders if the sheet is empty."""
        return () if sheet else (phrase("owes-orders"),)

    def final_word(self, power: str, sheet: str) -> str:
        """Return READY.

        A turn ends early only when all nations have sent it (section 17, `process_early`).
        """
        return "READY"

    def show_sheet(self, power: str, sheet: str) -> SheetFacts:
        """Return the facts of a receipt."""
        code, orders = self._codes[power], load_sheet(sheet)
        checked = check_orders(self._world, code, orders)
        faults = [_with_name(one.fault, self._names) for one in checked if one.fault]
        return sheet_facts(self._world, code, power, orders, faults, is_sent=bool(sheet))

    def position_facts(self, reader: Viewer) -> PositionFacts:
        """Return the facts of the position that a viewer may know."""
        is_master = reader.quality is ViewerRole.MASTER
        nation = self._codes.get(reader.power, "")
        return standing_facts(self._world, self._wording, self._public, nation, is_master=is_master)

    def adjudicate(self, sheets: Mapping[str, str], dice: Dice) -> Adjudication:
        """Adjudicate the turn with the dice of its number (N-15)."""
        orders = {self._codes[power]: load_sheet(sheet) for power, sheet in sheets.items() if sheet}
        found = resolve(
            self._board, self._state, orders, self._settings, dice.of_turn(self._state.turn)
        )
        texts = {
            code: tuple(order_text(order, self._board) for order in given)
            for code, given in sorted(orders.items())
        }
        record = write_record(self._state, found, self._settings, texts)
        ending = None
        if found.victory:
            winners = tuple(map(self._wording.nation, found.victory.winners))
            told = describe_ending(found.victory, self._wording)
            assert told is not None
            ending = Ending(winners, told)
        return Adjudication(dump_state(found.after), record, ending)

    def sketch(self, reader: Viewer) -> str:
        """Return the sketch of the position for a viewer."""
        is_master = reader.quality is ViewerRole.MASTER
        nation = self._codes.get(reader.power, "")
        return sketch_of(self._world, self._map, nation, is_master=is_master)

    def sketch_front(self, reader: Viewer) -> str:
        """Return the sketch in parts, for a nation of its land and its neighbours."""
        is_master = reader.quality is ViewerRole.MASTER
        nation = self._codes.get(reader.power, "")
        return front_sketch(self._world, self._map, nation, is_master=is_master)

    def sketch_orders(self, sheets: Mapping[str, str], reader: Viewer) -> str:
        """Return the sketch of the position, since orders are not drawn."""
        return self.sketch(reader)

    def set_up_position(self, lines: Sequence[Line]) -> SetupResult:
        """Apply a master's lines SET, EVENT and NEUTRALISE to the state (N-170)."""
        setup = NationsSetup(self._state, self._settings, lexicon(self._map))
        read = setup.read(lines)
        notes = tuple(phrase("ev-act", text=act) for act in setup.state.acts)
        return SetupResult(dump_state(setup.state), read, notes)

    def setup_lines(self) -> tuple[str, ...]:
        """Return the line that makes this state from any other."""
        return arrangement(self._state)

    def places(self, reader: Viewer) -> Places:
        """Return the whole map as text, land by nation, then the seas."""
        is_master = reader.quality is ViewerRole.MASTER
        nation = self._codes.get(reader.power, "")
        return places_facts(self._world, self._wording, self._public, nation, is_master=is_master)

    def spellings(self) -> tuple[tuple[str, str, tuple[str, ...]], ...]:
        """Return the number and the name of each province, then of each sea region."""
        lands = ((format_node(n), land.name, ()) for n, land in sorted(self._board.lands.items()))
        seas = ((sea, self._board.name(sea), ()) for sea in sorted(self._board.seas, key=in_order))
        return (*lands, *seas)

    def program_rows(self, reader: Viewer) -> tuple[str, ...]:
        """Return the rows of the block STATE v1 (N-164)."""
        nation = self._codes.get(reader.power, "")
        is_master = reader.quality is ViewerRole.MASTER
        seen = seen_by(self._world, nation, is_master=is_master)
        return tuple(state_rows(self._world, seen))

    def as_seen_by(self, reader: Viewer, sheets: Mapping[str, str] | None = None) -> "NationsTable":
        """Return the table without what is hidden from the viewer."""
        if reader.quality is ViewerRole.MASTER or self._settings.fog == "open":
            return self
        known = apply_fog(self._world, self._state, self._codes.get(reader.power, ""))
        return NationsTable(self._map, known, self._settings)

    def known_to(self, power: str, sheets: Mapping[str, str]) -> Mapping[str, str]:
        """Return a nation's own orders."""
        return {power: sheets[power]} if sheets.get(power) else {}

    def preview(self, sheets: Mapping[str, str]) -> str:
        """Return the record of a preview of the turn with these orders.

        Other nations hold. The dice are fixed example dice, and there are no random events.
        """
        silent = {self._names[code]: NO_ORDERS for code in self._state.alive}
        given = {**silent, **{power: sheet for power, sheet in sheets.items() if sheet}}
        quiet = NationsTable(self._map, self._state, self._settings._replace(events=False))
        return quiet.adjudicate(given, Dice(EXAMPLE, 0)).record

    def bot_sheet(self, power: str, sheet: str, dice: Dice) -> str:
        """Return the sheet of a nation's bot, with the orders on file included."""
        code, world = self._codes[power], self._world
        if self._settings.fog != "open":
            known = apply_fog(world, self._state, code)
            world = World(self._board, known, self._settings)
        return dump_sheet(bot_orders(world, code, dice, load_sheet(sheet)))

    def menus(
        self, power: str | None, words: str, sheets: Mapping[str, str]
    ) -> tuple[Menu, ...] | Phrase:
        """Return the orders that a nation can give, all or those in one place.

        *power* None means all nations.
        """
        world, nations = self._world, tuple(self._state.alive)
        if power is not None:
            nations = (self._codes[power],)
            world = with_wars(world, nations[0], load_sheet(sheets.get(power, "")))
        return menus(world, self._wording, lexicon(self._map), nations, words)

    def leaders(self) -> tuple[str, ...]:
        """Return the nations with the most provinces."""
        held = {code: len(self._world.list_owned(code)) for code in self._state.alive}
        most = max(held.values(), default=0)
        return tuple(self._names[code] for code, count in held.items() if count == most)

    def adjacent_powers(self, power: str) -> frozenset[str]:
        """Return the nations whose land is linked to a nation's own."""
        code = self._codes[power]
        near = {
            self._world.provinces[n].owner
            for own in self._world.list_owned(code)
            for n in self._board.roads.get(own, {})
        }
        return frozenset(self._names[other] for other in near - {code, ""})


def _lines_read(verdict: NationsVerdict, names: Mapping[str, str]) -> list[LineRead]:
    """Return the result of a line, with a further one for each further refusal."""
    notes = tuple(_with_name(note, names) for note in verdict.notes)
    refused: list[Complaint | None] = [
        replace(one, reason=_with_name(one.reason, names)) for one in verdict.complaints
    ]
    first = LineRead(
        verdict.line, tuple(verdict.filed), notes, refused[0] if refused else None,
        verdict.ignored, withdrawn=tuple(verdict.withdrawn),
    )  # fmt: skip
    return [first, *(LineRead(verdict.line, complaint=one) for one in refused[1:])]


def _with_name(reason: Phrase, names: Mapping[str, str]) -> Phrase:
    """Return a reason with the name of the nation whose code it contains."""
    name = names.get(str(reason.facts.get("nation")))
    return Phrase(reason.code, {**reason.facts, "power": name}) if name else reason
