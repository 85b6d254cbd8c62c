"""A turn told again: the public gazette, and what of it was the reader's own (N-161 to N-163)."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import zip_longest
from typing import Any

from judge.games.facts import Deed, Deeds, Piece, Results
from judge.games.nations1940.rules.endings import Victory
from judge.games.nations1940.rules.world import Event, Roll, World
from judge.games.nations1940.scenario import placed, scenario
from judge.games.nations1940.views.brief import FAILED
from judge.games.nations1940.views.naming import label, title_of
from judge.games.nations1940.views.record import Record, read_record
from judge.games.nations1940.views.wording import Wording
from judge.games.system import Reader, Watcher
from judge.model.phrase import Fact, Phrase, phrase

SECTIONS: Mapping[str, tuple[str, ...]] = {
    "treaties": (
        "war", "announced", "withdrawn", "treaty", "peace", "cancelled", "dropped", "given", "deal",
        "handover", "handover-off", "governed", "traits",
    ),
    "strikes": ("strike",),
    "sea": ("naval", "fleet-back", "flee"),
    "land": (
        "clash", "battle", "duel", "retreat", "disbanded", "capture", "hq-overrun", "home",
    ),
    "fates": ("capital-fallen", "capital-restored", "loyalties", "eliminated"),
    "news": (
        "act", "event", "event-nowhere", "accident", "storm", "uprising", "epidemic-kills",
        "epidemic-ends", "completed", "missed",
    ),
}  # fmt: skip
"""The parts of the gazette, and the kinds of events in each."""

_STRUCK = {"strike": "target", "event": "target", "epidemic-kills": "at", "epidemic-ends": "at"}
"""Events that strike a province, and the fact that names it."""
_OURS = ("nation", "to", "loser", "owner")


@lru_cache(maxsize=16)
def telling(map_name: str, text: str) -> "Telling":
    """Return what tells a turn that is over; once for all who are told of it."""
    return Telling(map_name, read_record(text))


class Telling:
    """A turn told to its readers; what all of them may know is worked out once."""

    def __init__(self, map_name: str, record: Record) -> None:
        self.record = record
        self.wording = Wording(map_name, scenario(map_name))
        self.after = World(scenario(map_name), record.after, record.settings)
        self._rolls: dict[str, list[str]] = {}

    def results(self, reader: Reader, nation: str) -> Results:
        """Return a turn's results for a reader; `nation` is his own code, if he has one.

        They begin with what became of his orders and what happened to him.
        """
        record, wording = self.record, self.wording
        is_open = record.settings.fog == "open" or reader.quality is Watcher.MASTER
        pieces = []
        if nation:
            pieces.append(Piece("fortunes", self._mine(nation), "fortunes"))
        pieces.append(Piece("gazette", self._gazette, "gazette"))
        if is_open and self._private:
            pieces.append(Piece("private", self._private, "private"))
        if record.victory:
            pieces.append(Piece("ranking", _ranking(record.victory, wording), "ranking"))
        if rolls := self._drawn("*" if is_open else nation):
            pieces.append(Piece("rolls", rolls, "rolls"))
        knows = list(record.orders) if reader.quality is Watcher.MASTER else [nation]
        return Results(
            phase=label(record.before.turn),
            title=title_of("title-results", record.before.turn),
            groups=tuple(self._deeds(code) for code in knows if record.orders.get(code)),
            next="" if record.victory else label(record.after.turn),
            next_title=None if record.victory else title_of("title-next", record.after.turn),
            ending=ending_told(record.victory, wording),
            pieces=tuple(pieces),
        )

    def _mine(self, nation: str) -> Mapping[str, list[Phrase]]:
        """Return what was a reader's own: what failed, and what he lost and took, what was done."""
        private = [event for event in self.record.events if nation in event.only]
        shared = [
            event for event in self.record.events
            if not event.only and event.kind not in ("announced", "missed")
            and (_concerns(event, nation) or self._strikes_land_of(event, nation))
        ]  # fmt: skip
        failed = [event for event in private if event.kind in FAILED]
        others = [*shared, *(event for event in private if event.kind not in FAILED)]
        return {
            name: [_told(one, nation, self.wording) for one in found]
            for name, found in (("failed", failed), ("rest", others))
        }

    def _strikes_land_of(self, event: Event, nation: str) -> bool:
        """Return whether a bomb, an epidemic or another event struck a nation's own land."""
        name = _STRUCK.get(event.kind, "")
        place = event.facts.get(name)
        if event.facts.get("victim") == nation:
            return True
        province = self.record.before.provinces.get(place) if isinstance(place, int) else None
        return province is not None and province.owner == nation

    def _deeds(self, nation: str) -> Deeds:
        """Return the orders of a nation, and what became of each."""
        texts = self.record.orders[nation]
        became = self.record.became.get(nation) or ((),) * len(texts)
        return Deeds(
            self.wording.nation(nation),
            tuple(map(_deed, texts, became)),
        )

    @cached_property
    def _gazette(self) -> list[Mapping[str, object]]:
        """What everybody hears of."""
        return list(_sections(self.record.events, self.wording))

    @cached_property
    def _private(self) -> list[Mapping[str, object]]:
        """What only those concerned hear of, nation by nation: for a master, or where all is open.
        """
        found: dict[str, list[Phrase]] = {}
        for event in self.record.events:
            if event.only:
                found.setdefault(event.only[0], []).append(self.wording.told(event))
        return [
            {"nation": self.wording.nation(code), "lines": lines}
            for code, lines in sorted(found.items())
        ]

    def _drawn(self, nation: str) -> list[str]:
        """Return the draws that a nation may know, as they are printed; "*" may know all."""
        whose = nation if any(nation in roll.only for roll in self.record.rolls) else ""
        key = "*" if nation == "*" else whose
        if key not in self._rolls:
            self._rolls[key] = [
                _roll(roll) for roll in self.record.rolls
                if key == "*" or not roll.only or key in roll.only
            ]
        return self._rolls[key]

    def program_values(self, nations: Sequence[str]) -> Mapping[str, Any]:
        """Return a turn for programs: the orders of some nations, what became of each, and what
        everybody may know."""
        record = self.record
        return {
            "orders": {
                self.wording.nation(nation): [
                    {"order": text, "outcome": list(became) or ["given"]}
                    for text, became in zip_longest(
                        record.orders.get(nation, ()), record.became.get(nation, ()), fillvalue=()
                    )
                ]
                for nation in nations
            },
            **self._public,
        }

    @cached_property
    def _public(self) -> Mapping[str, Any]:
        record = self.record
        return {
            "owners": {
                placed(n): self.wording.nation(province.owner)
                for n, province in record.after.provinces.items()
                if province.owner
            },
            "events": [
                {**event.facts, "event": event.kind} for event in record.events if not event.only
            ],
        }


def _deed(text: str, became: tuple[str, ...]) -> Deed:
    """Return an order with what became of it; to take a province is to arrive there. Of turns of
    before that was written down the order is told alone.

    >>> _deed("1 Cairo -> Palestine", ()).text
    '1 Cairo -> Palestine'
    """
    words = [word for word in became if word != "arrives" or "captures" not in became]
    tags = tuple(phrase(f"became-{word}") for word in words)
    if not tags:
        return Deed(text, text)
    return Deed(phrase("deed", order=text, became=tags), text, tags)


def _told(event: Event, nation: str, wording: Wording) -> Phrase:
    """Return an event in the words of whom it concerns: of a fight, what it cost him and brought
    him; the gazette has its rolls."""
    if not event.facts.get("rounds"):
        return wording.told(event)
    lost = killed = back = 0
    for one in event.facts["rounds"]:
        mine, other = (one[side]["nation"] == nation for side in "ad")
        won, fell = one["outcome"] == "won", one["outcome"] == "lost"
        lost += mine and fell or other and won
        killed += mine and won or other and fell
        back += one["outcome"] == "part" or mine and one["outcome"] == "yields"
    where = "link" if "link" in event.facts else "at"
    places = tuple(map(wording.place, _listed(event.facts[where])))
    facts: dict[str, Fact] = {"at": places, "lost": lost, "killed": killed, "back": back}
    what = "fleets" if event.facts.get("sea") else "armies"
    return Phrase(f"mine-{what}-back" if back else f"mine-{what}", facts)


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _concerns(event: Event, nation: str) -> bool:
    facts = event.facts
    if any(facts.get(name) == nation for name in _OURS) or facts.get("target") == nation:
        return True
    sides = (*facts.get("attackers", ()), *facts.get("defenders", ()))
    return any(code == nation for code, _, _ in sides)


def _sections(events: Sequence[Event], wording: Wording) -> Iterator[Mapping[str, object]]:
    for name, kinds in SECTIONS.items():
        found = [
            event for event in events
            if event.kind in kinds and _section(event, name) and not event.only
        ]  # fmt: skip
        if found:
            yield {
                "name": name,
                "title": phrase(f"section-{name}"),
                "entries": [
                    {"line": wording.told(event), "rounds": _rounds(event, wording)}
                    for event in found
                ],
            }


def _section(event: Event, name: str) -> bool:
    """Tell whether an event belongs to a section: clashes at sea do to the sea."""
    if event.kind == "clash":
        return (name == "sea") == bool(event.facts.get("sea"))
    return True


def _rounds(event: Event, wording: Wording) -> list[Mapping[str, Any]]:
    """Return a battle roll by roll, with every bonus (N-163)."""
    return [
        {
            "n": one["n"],
            "sides": [
                {
                    "letter": letter,
                    "nation": wording.nation(side["nation"]),
                    "die": side["die"],
                    "bonuses": [
                        {"what": phrase(f"bonus-{what}"), "gives": gives}
                        for what, gives in side["bonuses"]
                    ],
                    "total": side["total"],
                }
                for letter, side in (("A", one["a"]), ("D", one["d"]))
            ],
            "outcome": phrase(f"round-{one['outcome']}"),
        }
        for one in event.facts.get("rounds", ())
    ]


def _roll(roll: Roll) -> str:
    """Return a draw as the log prints it (N-18).

    >>> _roll(Roll("battle:37:1:A", 1, 8, 7))
    'battle:37:1:A 1/8 = 7'
    """
    return f"{roll.tag} {roll.n}/{roll.sides} = {roll.result}"


def ending_told(victory: Victory | None, wording: Wording) -> Phrase | None:
    """Return how a game ended, as a sentence."""
    if victory is None:
        return None
    winners = tuple(map(wording.nation, victory.winners))
    first = wording.nation(victory.ranking[0][0])
    match victory.how:
        case "stagnation":
            return phrase("ended-stagnation", first=first)
        case "alone":
            return phrase("ended-alone", winners=winners)
        case "landing":
            return phrase("ended-landing", winners=winners)
    return phrase("ended-domination", winners=winners)


def _ranking(victory: Victory | None, wording: Wording) -> list[Mapping[str, object]]:
    if victory is None:
        return []
    return [
        {"place": place, "nation": wording.nation(code), "provinces": provinces, "cap": cap,
         "techs": techs}
        for place, (code, provinces, cap, techs) in enumerate(victory.ranking, 1)
    ]  # fmt: skip
