"""Yorktown: the siege of 1781 for two players, on hexes.

The rules are those of the International Team's game as far as they are known. The map, counters
and tables are the project's own. `docs/play/yorktown.md` gives the source of each number. Rules are
cited as Y-1 to Y-101.
"""

from collections.abc import Iterable, Mapping
from importlib.resources import files

from judge.dice import Dice
from judge.drawing.hexes import HexBoard
from judge.games.capabilities import DrawableSystem, PhoneView
from judge.games.letter_facts import Brief, Results
from judge.games.system import (
    ClockKind,
    GameSystem,
    Option,
    Options,
    PlayedTurn,
    PowerInfo,
    Table,
    Viewer,
)
from judge.games.yorktown.rules.state import Step, blank, dump, load, parse_moment
from judge.games.yorktown.rules.turn import (
    BOTH,
    DAYS,
    EITHER,
    MAX_DAYS,
    MIN_DAYS,
    YorktownRules,
    usual_days,
)
from judge.games.yorktown.table import CLOCK, YorktownTable
from judge.games.yorktown.views.brief import brief_facts
from judge.games.yorktown.views.moments import ALSO, POWERS, SIDE_OF, turn_named
from judge.games.yorktown.views.pictures import join_sketches, picture_of, turn_sketch
from judge.games.yorktown.views.record import read_record
from judge.games.yorktown.views.report import result_facts, result_values
from judge.model.order_words import OrderWords
from judge.model.phrase import Phrase, phrase

MAP = "yorktown"


class Yorktown(GameSystem, DrawableSystem, PhoneView):
    """The game system Yorktown."""

    name = "yorktown"
    title = "Yorktown"
    texts = files("judge.mailtemplates") / "yorktown"
    clocks = (ClockKind(CLOCK, ("STEP",), phrase("clock-step"), hours=48.0, is_main=True),)
    tables = (YorktownTable,)
    numbered_dice = True
    misses = 3
    attaches_whole = True
    order_words = OrderWords(
        frozenset(
            {
                *("INF", "CAV", "ART", "PIO", "CMD", "FRIG"),
                *("WASHINGTON", "ROCHAMBEAU", "CORNWALLIS", "VOIT"),
                *("ATTACK", "RETREAT", "HIT", "LOSSES"),
                *("DONE", "CLEAR", "ADD", "SHOW", "DRAW OFFER", "DRAW ACCEPT"),
            }
        )
    )

    def find_phase(self, words: str) -> str | None:
        """Return the label of a step, or None.

        >>> Yorktown().find_phase("fa 6 m"), Yorktown().find_phase("AP12F")
        ('FA6M', 'AP12F')
        """
        moment = parse_moment(words)
        return str(moment) if moment else None

    def sort_phases(self, labels: Iterable[str]) -> list[str]:
        """Return labels of steps in playing order, without invalid ones.

        >>> Yorktown().sort_phases(["AP1F", "FA10F", "FA2M", "FA0S", "AP0S", "FA1M"])
        ['AP0S', 'FA0S', 'FA1M', 'AP1F', 'FA2M', 'FA10F']
        """
        moments = [found for label in labels if (found := parse_moment(label))]
        return [str(moment) for moment in sorted(moments, key=lambda each: each.rank)]

    def ends_turn(self, label: str) -> bool:
        """Return whether a step ends its side's turn.

        A turn can be missed only once (Y-91).

        >>> Yorktown().ends_turn("FA6F"), Yorktown().ends_turn("FA6M")
        (False, True)
        """
        moment = parse_moment(label)
        return moment is None or moment.step is not Step.FIRE

    def turn_of(self, map_name: str, label: str) -> Phrase:
        """Return the turn of a step: "day 6, 3 October 1781, AP"."""
        moment = parse_moment(label)
        return turn_named(moment) if moment else phrase("phase-named", label=label)

    def maps(self) -> Mapping[str, str]:
        """Return the only map."""
        return {MAP: self.title}

    def map_description(self, map_name: str) -> Phrase:
        """Return a sentence that describes the game."""
        return phrase(f"about-{map_name}")

    def powers(self, map_name: str, options: Options) -> tuple[PowerInfo, ...]:
        """Return the two players."""
        return tuple(PowerInfo(name, side[0], name, ALSO[side]) for side, name in POWERS.items())

    def options(self, map_name: str) -> tuple[Option, ...]:
        """Return the game options: the length, and which towns FA must take."""
        days = (phrase("rule-days-usual", n=DAYS), phrase("rule-days", n=0))
        towns = (phrase("rule-victory-either"), phrase("rule-victory-both"))
        return (
            Option("days", (), phrase("choice-days"), DAYS, days, least=MIN_DAYS, most=MAX_DAYS),
            Option("victory", (EITHER, BOTH), phrase("choice-victory"), says=towns),
        )

    def initial_position(self, map_name: str, options: Options, dice: Dice) -> str:
        """Return the position before the set-up."""
        return dump(blank())

    def table(self, map_name: str, position: str, options: Options) -> YorktownTable:
        """Return the table of a position."""
        found = load(position)
        days = int(str(options.get("days", usual_days(found))))
        return YorktownTable(found, YorktownRules(days, str(options.get("victory", EITHER))))

    def turn(self, map_name: str, record: str) -> "YorktownTurn":
        """Return an adjudicated step, from its record."""
        return YorktownTurn(map_name, record)

    def sketch_front(self, table: Table, turn: PlayedTurn | None, reader: Viewer) -> str:
        """Return the sketch of the part of the board with a player's units.

        It is empty for viewers without a side.
        """
        assert isinstance(table, YorktownTable)
        if reader.power not in SIDE_OF:
            return ""
        record = turn.record if isinstance(turn, YorktownTurn) else None
        return table.sketch_front(record, SIDE_OF[reader.power])

    def join_sketches(self, earlier: str, later: str) -> str:
        """Return the sketch of the MOVE step with the marks of the FIRE step before it."""
        return join_sketches(earlier, later)

    def picture(self, sketch: str, title: str) -> HexBoard:
        """Return the picture of a sketch."""
        return picture_of(sketch, title)


class YorktownTurn(PlayedTurn):
    """An adjudicated step of Yorktown, completely public."""

    def __init__(self, map_name: str, record: str) -> None:
        self._map = map_name
        self.record = read_record(record)

    def results(self, reader: Viewer) -> Results:
        """Return the facts of the step."""
        return result_facts(self.record)

    def brief(self, reader: Viewer) -> Brief:
        """Return the summary of the step for a viewer."""
        return brief_facts(self.record, reader.power)

    def values(self, reader: Viewer) -> Mapping[str, object]:
        """Return the step as JSON values for programs."""
        return {"map": self._map, **result_values(self.record)}

    def sketch(self, reader: Viewer, *, tried: bool = False) -> str:
        """Return the sketch of the step."""
        return turn_sketch(self.record, tried=tried)


SYSTEM = Yorktown()
