"""A turn told again: the public gazette, and what of it was the reader's own (N-161 to N-163)."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from judge.games.facts import Piece, Results
from judge.games.nations1940.rules.endings import Victory
from judge.games.nations1940.rules.world import Event, Roll
from judge.games.nations1940.scenario import placed
from judge.games.nations1940.views.naming import label, title_of
from judge.games.nations1940.views.record import Record
from judge.games.nations1940.views.wording import Wording
from judge.games.system import Reader, Watcher
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
        "event", "event-nowhere", "accident", "storm", "uprising", "epidemic-kills",
        "epidemic-ends", "completed", "missed",
    ),
}  # fmt: skip
"""The parts of the gazette, and the kinds of events in each."""

_FIRST = ("halt", "no-escort", "no-strike", "not-done", "no-deal", "handover-waits", "no-project")
"""What failed of the reader's own orders; it comes first (codes X-, N-159)."""
_OURS = ("nation", "to", "loser", "owner")


def result_facts(
    record: Record, wording: Wording, reader: Reader, nation: str
) -> Results:
    """Return a turn's results for a reader; `nation` is his own code, if he has one."""
    open_to_all = record.settings.fog == "open" or reader.quality is Watcher.MASTER
    known = [
        event for event in record.events
        if open_to_all or not event.only or nation in event.only
    ]  # fmt: skip
    pieces = []
    if nation:
        pieces.append(Piece("mine", [wording.told(one) for one in _own(record, nation)], "mine"))
    pieces.append(Piece("gazette", list(_sections(known, wording)), "gazette"))
    if open_to_all and (private := [wording.told(event) for event in known if event.only]):
        pieces.append(Piece("private", private, "private"))
    if record.victory:
        pieces.append(Piece("ranking", _ranking(record.victory, wording), "ranking"))
    rolls = [
        roll for roll in record.rolls if open_to_all or not roll.only or nation in roll.only
    ]  # fmt: skip
    if rolls:
        pieces.append(Piece("rolls", [_roll(roll) for roll in rolls], "rolls"))
    return Results(
        phase=label(record.before.turn),
        title=title_of("title-results", record.before.turn),
        groups=(),
        next="" if record.victory else label(record.after.turn),
        next_title=None if record.victory else title_of("title-next", record.after.turn),
        ending=ending_told(record.victory, wording),
        pieces=tuple(pieces),
    )


def _own(record: Record, nation: str) -> list[Event]:
    """Return what was the reader's own: what failed, what he lost and took, what was done."""
    private = [event for event in record.events if nation in event.only]
    failed = [event for event in private if event.kind in _FIRST]
    shared = [
        event for event in record.events
        if not event.only and event.kind not in ("announced", "missed") and _concerns(event, nation)
    ]  # fmt: skip
    return [*failed, *shared, *(event for event in private if event.kind not in _FIRST)]


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


def program_values(record: Record, wording: Wording, nations: Sequence[str]) -> Mapping[str, Any]:
    """Return a turn for programs: the orders of some nations, and what everybody may know."""
    return {
        "orders": {
            wording.nation(nation): [
                {"order": text, "outcome": ["given"]} for text in record.orders.get(nation, ())
            ]
            for nation in nations
        },
        "owners": {
            placed(n): wording.nation(province.owner)
            for n, province in record.after.provinces.items()
            if province.owner
        },
        "events": [
            {**event.facts, "event": event.kind} for event in record.events if not event.only
        ],
    }
