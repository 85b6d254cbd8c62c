"""Turn reports: the public gazette and each nation's own part (N-161 to N-163)."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

from judge.games.letter_facts import LetterPiece, OrderOutcome, PowerOutcomes, Results
from judge.games.nations1940.rules.endings import Victory
from judge.games.nations1940.rules.state import PEACE
from judge.games.nations1940.rules.world import Roll, World, WorldEvent
from judge.games.nations1940.scenario import format_node, scenario
from judge.games.nations1940.views.brief import explain_lost_effect
from judge.games.nations1940.views.fights import fighters_in, losses_in
from judge.games.nations1940.views.fortunes import fortunes_facts, is_own_news
from judge.games.nations1940.views.naming import label, title_of
from judge.games.nations1940.views.record import NationsRecord
from judge.games.nations1940.views.standing import dangers_facts, offers_facts, ties_facts
from judge.games.nations1940.views.wording import EventWording
from judge.games.system import Viewer, ViewerRole
from judge.model.phrase import Phrase, phrase

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
"""Sections of the gazette, with the kinds of events in each."""

_SHOWN_IN_FIGHTS = ("battle:", "clash:", "duel:", "naval:")
"""Tags of draws that the rolls of fights show."""


class TurnReport:
    """Report of a turn, with the parts shared by its viewers computed once."""

    def __init__(self, map_name: str, record: NationsRecord) -> None:
        self.record = record
        self.wording = EventWording(map_name, scenario(map_name))
        self.after = World(scenario(map_name), record.after, record.settings)
        self._rolls: dict[str, list[str]] = {}

    def results(self, reader: Viewer, nation: str) -> Results:
        """Return the results of the turn for a viewer, or for the player of *nation*."""
        record, wording = self.record, self.wording
        is_open = record.settings.fog == "open" or reader.quality is ViewerRole.MASTER
        pieces = []
        if nation:
            mine = fortunes_facts(self.record, wording, nation)
            pieces.append(LetterPiece("fortunes", mine, "fortunes"))
            if offers := offers_facts(self.record.after, wording, nation):
                pieces.append(LetterPiece("offers", offers, "offers"))
        gazette = self._gazette_beside_fortunes(nation) if nation else self._gazette
        pieces.append(LetterPiece("gazette", gazette, "gazette"))
        if is_open and self._private:
            pieces.append(LetterPiece("private", self._private, "private"))
        if nation and not record.victory:
            pieces += _position_in_short(self.after, wording, nation)
        if record.victory:
            pieces.append(LetterPiece("ranking", _ranking(record.victory, wording), "ranking"))
        if rolls := self._list_draws("*" if is_open else nation):
            pieces.append(LetterPiece("rolls", rolls, "rolls"))
        knows = list(record.orders) if reader.quality is ViewerRole.MASTER else [nation]
        return Results(
            phase=label(record.before.turn),
            title=title_of("title-results", record.before.turn),
            groups=tuple(self._deeds(code) for code in knows if record.orders.get(code)),
            next="" if record.victory else label(record.after.turn),
            # A player's letter names the next turn with its missing orders.
            next_title=None if record.victory or nation
            else title_of("title-next", record.after.turn),
            ending=describe_ending(record.victory, wording),
            pieces=tuple(pieces),
        )

    def _deeds(self, nation: str) -> PowerOutcomes:
        """Return the orders of a nation with their outcomes."""
        deeds = (
            _describe_order(
                text, words, explain_lost_effect(self.record, self.wording, nation, text, words)
            )
            for text, words in self.record.outcomes(nation)
        )
        return PowerOutcomes(self.wording.nation(nation), tuple(deeds))

    @cached_property
    def _gazette(self) -> list[Mapping[str, object]]:
        """Sections with the public events."""
        return list(_sections(self.record.events, self.wording))

    def _gazette_beside_fortunes(self, nation: str) -> list[Mapping[str, object]]:
        """Return the gazette without the events in a nation's own part of the letter."""
        events = [
            event for event in self.record.events
            if not is_own_news(self.record, event, nation)
        ]  # fmt: skip
        return list(_sections(events, self.wording))

    @cached_property
    def _private(self) -> list[Mapping[str, object]]:
        """Events that are not public, by nation, for a master or an open game."""
        found: dict[str, list[Phrase]] = {}
        for event in self.record.events:
            if event.only:
                found.setdefault(event.only[0], []).append(self.wording.describe_event(event))
        return [
            {"nation": self.wording.nation(code), "lines": lines}
            for code, lines in sorted(found.items())
        ]

    def _list_draws(self, nation: str) -> list[str]:
        """Return the printed draws that a nation may know, all for "*".

        Dice of fights are shown with the fights. Draws of the armies in them are left out for
        players.
        """
        whose = nation if any(nation in roll.only for roll in self.record.rolls) else ""
        is_player = nation not in ("", "*")
        hidden = (*_SHOWN_IN_FIGHTS, *(("pick:",) if is_player else ()))
        key = "*" if nation == "*" else f"{whose} {is_player}"
        if key not in self._rolls:
            self._rolls[key] = [
                _roll(roll) for roll in self.record.rolls
                if (key == "*" or not roll.only or whose in roll.only)
                and not roll.tag.startswith(hidden)
            ]
        return self._rolls[key]

    def program_values(self, nations: Sequence[str]) -> Mapping[str, Any]:
        """Return the turn for programs: orders of *nations*, outcomes and public facts."""
        record = self.record
        return {
            "orders": {
                self.wording.nation(nation): [
                    {"order": text, "outcome": list(became) or ["given"]}
                    for text, became in record.outcomes(nation)
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
                format_node(n): self.wording.nation(province.owner)
                for n, province in record.after.provinces.items()
                if province.owner
            },
            "events": [
                {**event.facts, "event": event.kind} for event in record.events if not event.only
            ],
        }


def _describe_order(text: str, became: tuple[str, ...], why: Phrase | None = None) -> OrderOutcome:
    """Return an order with its outcome.

    `captures` includes `arrives`. Without outcome codes, as in old records, the order is alone.

    >>> _describe_order("1 Cairo -> Palestine", ()).text
    '1 Cairo -> Palestine'
    """
    words = [word for word in became if word != "arrives" or "captures" not in became]
    tags = tuple(phrase(f"became-{word}") for word in words)
    if not tags:
        return OrderOutcome(text, text)
    return OrderOutcome(phrase("deed", order=text, became=tags), text, tags, why)


def _sections(
    events: Sequence[WorldEvent], wording: EventWording
) -> Iterator[Mapping[str, object]]:
    for name, kinds in SECTIONS.items():
        found = [
            event for event in events
            if event.kind in kinds and _section(event, name) and not event.only
        ]  # fmt: skip
        if found:
            yield {
                "name": name,
                "title": phrase(f"section-{name}"),
                "entries": (_treaty_entries if name == "treaties" else _entries)(found, wording),
            }


def _treaty_entries(
    events: Sequence[WorldEvent], wording: EventWording
) -> list[Mapping[str, object]]:
    """Return the entries of diplomacy, grouped by kind.

    An announcement that both sides made is shown only by its result.
    """
    settled = {
        (event.facts.get("what", PEACE), frozenset((event.facts["nation"], event.facts["to"])))
        for event in events if event.kind in ("treaty", "dropped", "peace")
    }
    announced: dict[tuple[str, str], list[str]] = {}
    begun: dict[str, list[WorldEvent]] = {}
    for event in events:
        facts = event.facts
        if event.kind == "treaty":
            begun.setdefault(facts["what"], []).append(event)
        elif event.kind == "announced":
            if (facts["what"], frozenset((facts["nation"], facts["to"]))) not in settled:
                announced.setdefault((facts["nation"], facts["what"]), []).append(facts["to"])
    others = (one for one in events if one.kind not in ("treaty", "announced"))
    told = list(map(wording.describe_event, others))
    offers = tuple(
        phrase("announced-one", nation=wording.nation(by), what=what,
               to=tuple(map(wording.nation, to)))
        for (by, what), to in announced.items()
    )
    told += [phrase("ev-announced-all", offers=offers)] if offers else []
    for what, found in begun.items():
        pairs = tuple(
            phrase("nation-pair", one=wording.nation(one.facts["nation"]),
                   other=wording.nation(one.facts["to"]))
            for one in found
        )
        several = phrase("ev-treaties", what=what, pairs=pairs)
        told.append(several if len(found) > 1 else wording.describe_event(found[0]))
    return list(map(_entry, told))


def _entry(line: Phrase) -> Mapping[str, object]:
    """Return an entry that is no fight."""
    return {"line": line, "rounds": [], "after": [], "powers": []}


def _entries(events: Sequence[WorldEvent], wording: EventWording) -> list[Mapping[str, object]]:
    """Return the entries of a section, with each capture at its fight."""
    found: list[Mapping[str, object]] = []
    fights: dict[object, list[Phrase]] = {}
    intact = [one for one in events if one.kind == "capture" and not one.facts["fought"]]
    if len(intact) > 1:
        events = [one for one in events if one not in intact]
        each = tuple(
            phrase("capture-one", at=wording.place(one.facts["at"]),
                   nation=wording.nation(one.facts["nation"]))
            for one in intact
        )
        found.append(_entry(phrase("ev-captures-intact", each=each)))
    for event in events:
        told, at = wording.describe_event(event), event.facts.get("at")
        if event.kind == "capture" and isinstance(at, int) and at in fights:
            fights[at].append(told)
            continue
        after: list[Phrase] = []
        if event.kind == "battle":
            fights[at] = after
        found.append({
            "line": told, "rounds": _rounds(event, wording), "after": after,
            "powers": [wording.nation(code) for code in fighters_in(event)],
            "losses": _losses(event, wording),
        })  # fmt: skip
    return found


def _section(event: WorldEvent, name: str) -> bool:
    """Return whether an event belongs to a section.

    Clashes at sea belong to `sea`, others to `land`.
    """
    if event.kind == "clash":
        return (name == "sea") == bool(event.facts.get("sea"))
    return True


def _rounds(event: WorldEvent, wording: EventWording) -> list[Mapping[str, Any]]:
    """Return the rolls of a fight, with every bonus (N-163)."""
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


def _losses(event: WorldEvent, wording: EventWording) -> Phrase:
    """Return the losses of each nation in a fight."""
    lost = losses_in(event)
    if not lost:
        return phrase("fight-no-losses")
    each = tuple(
        phrase("fight-loss", nation=wording.nation(code), count=count)
        for code, count in sorted(lost.items())
    )
    return phrase("fight-losses", losses=each)


def _position_in_short(after: World, wording: EventWording, nation: str) -> list[LetterPiece]:
    """Return the short position in a results letter, without lists of provinces."""
    rows = [
        {"code": code, "nation": wording.nation(code), "provinces": len(after.list_owned(code)),
         "domination": after.domination.get(code, 0)}
        for code in after.alive
    ]  # fmt: skip
    neutral = sum(not province.owner for province in after.provinces.values())
    balance = {"rows": rows, "neutral": neutral, "majority": after.board.majority}
    perils = {**dangers_facts(after, wording), "populous": []}
    return [
        LetterPiece("balance", balance, "nations"),
        LetterPiece("ties", ties_facts(after, wording, nation), "relations"),
        LetterPiece("dangers", perils, "dangers"),
    ]


def _roll(roll: Roll) -> str:
    """Return a draw as the log prints it (N-18).

    >>> _roll(Roll("battle:37:1:A", 1, 8, 7))
    'battle:37:1:A 1/8 = 7'
    """
    return f"{roll.tag} {roll.n}/{roll.sides} = {roll.result}"


def describe_ending(victory: Victory | None, wording: EventWording) -> Phrase | None:
    """Return the phrase for the end of a game, None without a victory."""
    if victory is None:
        return None
    if victory.how == "stagnation":
        return phrase("ended-stagnation", first=wording.nation(victory.ranking[0][0]))
    winners = tuple(map(wording.nation, victory.winners))
    return phrase(f"ended-{victory.how}", winners=winners)


def _ranking(victory: Victory, wording: EventWording) -> list[Mapping[str, object]]:
    return [
        {"place": place, "nation": wording.nation(code), "provinces": provinces, "cap": cap,
         "techs": techs}
        for place, (code, provinces, cap, techs) in enumerate(victory.ranking, 1)
    ]  # fmt: skip
