"""A race: the smallest game system with orders for later turns.

`RUN 3` takes three steps. `T5 RUN 3` will do so in turn 5. `PACE 2` takes two steps in each turn
until another pace is set, as a sheet that is carried over. Twenty steps are home. It has no list of
orders, no pictures and no bots. It tests what neither the judge's games nor Fords (`tests/plugin`)
have: `LaterSheets`, final words and `Adjudication.carried`, and a system without any capability
that a command needs. Fords is the game of the tutorial, kept short for it, and a package of its
own.
"""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from importlib.resources import files
from typing import Any

from judge.dice import Dice
from judge.games.capabilities import Later, LaterSheets
from judge.games.letter_facts import (
    Draft,
    HoldingRow,
    OrderOutcome,
    PositionFacts,
    PowerOutcomes,
    Results,
    Score,
    SheetFacts,
)
from judge.games.system import (
    Adjudication,
    ClockKind,
    Ending,
    GameSystem,
    LineRead,
    Option,
    Options,
    OrdersRead,
    PhaseInfo,
    PlayedTurn,
    PowerInfo,
    Table,
    Viewer,
)
from judge.model.incoming import Line
from judge.model.phrase import Complaint, ComplaintKind, Phrase, phrase

RUNNERS = ("Ada", "Bob")
HOME = 20
_ORDER = re.compile(r"(?:T([0-9]+) )?(RUN|PACE) ([0-9])", re.IGNORECASE)


class RaceTable(Table, LaterSheets):
    """The race in one turn."""

    def __init__(self, turn: int, steps: Mapping[str, int]) -> None:
        self._turn, self._steps = turn, steps

    @property
    def phase(self) -> PhaseInfo:
        """Phase of the turn to run."""
        turn = phrase("race-turn", n=self._turn)
        return PhaseInfo(f"T{self._turn}", "turn", turn, phrase("race-run"))

    def powers_due(self) -> frozenset[str]:
        """Return both runners, who always run."""
        return frozenset(RUNNERS)

    def powers_alive(self) -> tuple[str, ...]:
        """Return both runners, who are never eliminated."""
        return RUNNERS

    def read_orders(
        self, lines: Sequence[Line], power: str | None, sheets: Mapping[str, str]
    ) -> OrdersRead:
        """Read lines for this turn."""
        return self.read_with_later(lines, power, sheets, {})

    def read_with_later(
        self, lines: Sequence[Line], power: str | None, sheets: Mapping[str, str],
        later: Mapping[str, Mapping[str, str]],
    ) -> OrdersRead:
        """Read lines for this turn and for later ones."""
        who = power or RUNNERS[0]
        told: list[LineRead] = []
        now: dict[str, str] = {}
        then: dict[str, dict[str, str]] = {}
        ready = None
        for line in lines:
            named, _, order_text = line.text.rpartition(":")
            if power is None and named.strip() in RUNNERS:
                who = named.strip()
            found = _ORDER.fullmatch(order_text.strip())
            word = line.text.strip().upper()
            if word in ("DONE", "NOT DONE"):
                ready = word == "DONE"
                told.append(LineRead(line))
            elif found is None:
                reason = phrase("race-no-order")
                complaint = Complaint(ComplaintKind.UNREADABLE, line.number, line.text, reason)
                told.append(LineRead(line, complaint=complaint))
            else:
                order = f"{found[2].upper()} {found[3]}"
                if found[1] and int(found[1]) > self._turn:
                    then.setdefault(f"T{found[1]}", {})[who] = order
                else:
                    now[who] = order
                told.append(LineRead(line, filed=(order,)))
        return OrdersRead(now, tuple(told), then, ready)

    def show_later(self, power: str, label: str, sheet: str) -> Later:
        """Return the only line of a later sheet."""
        return Later(phrase("race-orders", n=int(label[1:])), (sheet,))

    def missing_orders(self, power: str, sheet: str) -> tuple[str | Phrase, ...]:
        """Return a pace as missing if the sheet is empty."""
        return () if sheet else (phrase("race-owed"),)

    def show_sheet(self, power: str, sheet: str) -> SheetFacts:
        """Return the facts of a receipt."""
        draft = (Draft(sheet),) if sheet else (Draft("RUN", open=True),)
        return SheetFacts(
            power, phrase("race-orders", n=self._turn), tuple(filter(None, [sheet])),
            () if sheet else (phrase("race-owed"),), draft, "turn",
        )

    def position_facts(self, reader: Viewer) -> PositionFacts:
        """Return the steps of all runners."""
        return PositionFacts(
            phrase("race-stands", n=self._turn), f"T{self._turn}",
            tuple(HoldingRow(who, (str(self._steps[who]),)) for who in RUNNERS),
            scores=tuple(Score(who, self._steps[who]) for who in RUNNERS),
        )

    def adjudicate(self, sheets: Mapping[str, str], dice: Dice) -> Adjudication:
        """Add the steps of all runners."""
        steps = {who: self._steps[who] + int(sheets.get(who, "RUN 0")[-1]) for who in RUNNERS}
        after = json.dumps({"turn": self._turn + 1, "steps": steps})
        home = tuple(who for who in RUNNERS if steps[who] >= HOME)
        ending = Ending(home, phrase("race-over", runner=home)) if home else None
        record = json.dumps({"turn": self._turn, "sheets": dict(sheets), "home": home})
        carried = {who: sheet for who, sheet in sheets.items() if sheet.startswith("PACE")}
        return Adjudication(after, record, ending, carried)


class Race(GameSystem):
    """The race."""

    name = "race"
    title = "Race"
    texts = files("tests.race") / "texts"
    clocks = (ClockKind("turn", ("TURN",), phrase("race-clock"), is_main=True),)
    tables = (RaceTable,)

    def find_phase(self, words: str) -> str | None:
        """Return the label of a phase, such as T3 for t3."""
        found = re.fullmatch(r"t([1-9][0-9]?)", words.strip(), re.IGNORECASE)
        return f"T{found[1]}" if found else None

    def sort_phases(self, labels: Iterable[str]) -> list[str]:
        """Return turns by their numbers."""
        return sorted(labels, key=lambda label: int(label[1:]))

    def turn_of(self, map_name: str, label: str) -> Phrase:
        """Return the turn of a label."""
        return phrase("race-turn", n=int(label[1:]))

    def maps(self) -> Mapping[str, str]:
        """Return the one track."""
        return {"track": "Track"}

    def powers(self, map_name: str, options: Options) -> tuple[PowerInfo, ...]:
        """Return the runners."""
        return tuple(PowerInfo(who, who[0], who) for who in RUNNERS)

    def options(self, map_name: str) -> tuple[Option, ...]:
        """Return no options."""
        return ()

    def initial_position(self, map_name: str, options: Options, dice: Dice) -> str:
        """Return the start position."""
        return json.dumps({"turn": 1, "steps": dict.fromkeys(RUNNERS, 0)})

    def table(self, map_name: str, position: str, options: Options) -> RaceTable:
        """Return the rules applied to a position."""
        told = json.loads(position)
        return RaceTable(told["turn"], told["steps"])

    def turn(self, map_name: str, record: str) -> PlayedTurn:
        """Return a turn that was run."""
        return RaceTurn(map_name, json.loads(record))


class RaceTurn(PlayedTurn):
    """A turn that was run."""

    def __init__(self, map_name: str, told: dict[str, Any]) -> None:
        self._map, self._told = map_name, told

    def results(self, reader: Viewer) -> Results:
        """Return the orders of all runners."""
        told = self._told
        turn, home = told["turn"], tuple(told["home"])
        return Results(
            f"T{turn}", phrase("race-results", n=turn),
            tuple(
                PowerOutcomes(who, (OrderOutcome(f"{who}: {sheet}", sheet),))
                for who, sheet in sorted(told["sheets"].items())
            ),
            next="" if home else f"T{turn + 1}",
            next_title=None if home else phrase("race-turn", n=turn + 1),
            ending=phrase("race-over", runner=home) if home else None,
        )

    def values(self, reader: Viewer) -> Mapping[str, object]:
        """Return the results for programs."""
        told = self._told
        orders = {
            who: [{"order": sheet, "outcome": "run"}] for who, sheet in told["sheets"].items()
        }
        return {"map": self._map, "phase": f"T{told['turn']}", "orders": orders}


SYSTEM = Race()
