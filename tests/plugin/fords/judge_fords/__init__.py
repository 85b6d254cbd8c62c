"""Fords: a game of two camps on a river, with hidden troops and dice."""

import json
import re
from collections.abc import Iterable, Mapping
from importlib.resources import files

from judge.dice import Dice
from judge.games.letter_facts import OrderOutcome, PowerOutcomes, Results
from judge.games.system import (
    ClockKind,
    GameSystem,
    Option,
    Options,
    PlayedTurn,
    Viewer,
    PowerInfo,
    Table,
    ViewerRole,
)
from judge.model.order_words import OrderWords
from judge.model.phrase import Phrase, phrase
from judge_fords.river import CAMPS, opening, read_river
from judge_fords.table import FordsTable


class Fords(GameSystem):
    """The `GameSystem` of the contract for Fords."""

    name = "fords"
    title = "Fords"
    texts = files("judge_fords") / "texts"
    clocks = (ClockKind("turn", ("TURN",), phrase("clock-turn"), hours=48.0, is_main=True),)
    tables = (FordsTable,)
    order_words = OrderWords(frozenset({"SEND", "WITHDRAW", "CLEAR", "PASS"}), {"ORDERS": "END"})

    def find_phase(self, words: str) -> str | None:
        """Return the label of a turn: T3, t3 or Turn 3."""
        found = re.fullmatch(r"\s*t(?:urn)?\s*([1-9][0-9]{0,2})\s*", words, re.IGNORECASE)
        return f"T{found[1]}" if found else None

    def sort_phases(self, labels: Iterable[str]) -> list[str]:
        """Return labels in the order of the turns: T9 comes before T10."""
        return sorted(labels, key=lambda label: int(label[1:]))

    def maps(self) -> Mapping[str, str]:
        """Return the one map there is."""
        return {"fords": "Fords"}

    def powers(self, map_name: str, options: Options) -> tuple[PowerInfo, ...]:
        """Return the camps."""
        return tuple(PowerInfo(camp, camp[0], f"{camp}ern") for camp in CAMPS)

    def options(self, map_name: str) -> tuple[Option, ...]:
        """Return the one setting that a master may choose."""
        says = (phrase("turns-usual"), phrase("turns-chosen"))
        about = phrase("turns-about")
        return (Option("turns", (), about, default=12, says=says, least=2, most=40),)

    def initial_position(self, map_name: str, options: Options, dice: Dice) -> str:
        """Return the initial position of every game."""
        return opening().to_json()

    def table(self, map_name: str, position: str, options: Options) -> Table:
        """Return the rules applied to a position."""
        return FordsTable(read_river(position), options)

    def turn(self, map_name: str, record: str) -> PlayedTurn:
        """Return a turn that was played."""
        return FordsTurn(map_name, json.loads(record))


class FordsTurn(PlayedTurn):
    """A turn that was played."""

    def __init__(self, map_name: str, told: Mapping[str, object]) -> None:
        self._map, self._told = map_name, told

    def results(self, reader: Viewer) -> Results:
        """Return the facts of the turn, for the other camp only orders with dice."""
        told = self._told
        before, after = read_river(told["before"]), read_river(told["after"])
        knows = reader.quality is ViewerRole.MASTER or reader.power == before.mover
        deeds = tuple(
            OrderOutcome(text=_line(order, rolled), order=order, tags=tuple(map(str, rolled)))
            for order, rolled in told["steps"]
            if knows or rolled
        )
        ending = told["ending"]
        return Results(
            phase=f"T{before.turn}",
            title=phrase("camp-moved", camp=before.mover, number=before.turn),
            groups=(PowerOutcomes(before.mover, deeds),) if deeds else (),
            next="" if ending else f"T{after.turn}",
            next_title=phrase("turn-of", camp=after.mover, number=after.turn),
            ending=Phrase(ending["code"], {**ending}) if ending else None,
        )

    def values(self, reader: Viewer) -> Mapping[str, object]:
        """Return the turn for programs."""
        told = self.results(reader)
        orders = {
            group.power: [{"order": deed.order, "outcome": "done"} for deed in group.lines]
            for group in told.groups
        }
        return {"map": self._map, "phase": told.phase, "orders": orders}


def _line(order: str, rolled: list[int]) -> str:
    """Return an order as results show it, with the dice that were rolled."""
    return f"{order} ({' : '.join(map(str, rolled))})" if rolled else order


SYSTEM = Fords()
