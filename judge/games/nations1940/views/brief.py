"""Summary at the head of a results letter.

It has one sentence, the land lost, the outcome of each order with its reasons, and a few clauses on
the other nations. Of these it uses only public facts (N-161): wars, treaties, land and
eliminations.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from judge.games.letter_facts import Brief, OwnOutcome
from judge.games.nations1940.rules.world import WorldEvent
from judge.games.nations1940.views.fights import fight_phrase, fight_places, fighters_in, losses_in
from judge.games.nations1940.views.naming import turn_named
from judge.games.nations1940.views.record import NationsRecord
from judge.games.nations1940.views.wording import EventWording
from judge.model.phrase import Phrase, phrase

MAX_NAMED = 3
"""Number of places or nations that a sentence names before it counts them."""
FAILED: Mapping[str, tuple[str, ...]] = {
    "halt": ("move", "rail", "fleet"),
    "no-escort": ("move",),
    "no-strike": ("bomb", "atom", "missile"),
    "not-done": (),
    "no-deal": ("deal", "give"),
    "handover-waits": ("deal", "give"),
}
"""Events that report failed orders of a nation (codes X-, N-159).

Each has the first words of the orders it may belong to. A `not-done` event names its own.
"""
_WORST = {"destroyed", "disbanded", "losses", "retreats"}
_WRONG = {"halted", "unescorted", "stops", "stopped", "withheld", "dropped", "undone", "fails"}
"""Outcome codes of failed orders (`rules.outcomes`).

`_WORST` has those of orders whose units were lost or driven off.
"""


def brief_facts(record: NationsRecord, wording: EventWording, nation: str) -> Brief:
    """Return the summary of a turn for the player of a nation.

    For an empty *nation*, that is an observer, it has only public news.
    """
    turn = turn_named(record.before.turn)
    others = tuple(_elsewhere(record, wording, nation))
    if not nation or not record.before.nations[nation].alive:
        gist = (*_describe_ending(record, wording, nation), *others)
        return Brief(turn, gist[:4] or (phrase("gist-quiet"),))
    power = wording.nation(nation)
    fates = (*_land_lost(record, wording, nation), *_orders(record, wording, nation))
    gist = (*_describe_ending(record, wording, nation), *_gist(record, wording, nation))
    return Brief(turn, gist, power, fates, others, (power,), phrase("due-orders"))


def _describe_ending(record: NationsRecord, wording: EventWording, nation: str) -> Iterator[Phrase]:
    """Yield the end of the game, if it ended with this turn."""
    if record.victory is None:
        return
    winners = record.victory.winners
    if not winners:
        yield phrase("gist-over")
    elif nation in winners:
        yield phrase("gist-you-won")
    elif len(winners) == 1:
        yield phrase("gist-won", power=wording.nation(winners[0]))
    else:
        yield phrase("gist-all-won", powers=tuple(map(wording.nation, winners)))


def _changes(record: NationsRecord) -> Iterator[tuple[int, str, str]]:
    """Yield each province with a new owner, with the old and the new one."""
    for n, province in record.before.provinces.items():
        now = record.after.provinces[n].owner
        if now != province.owner:
            yield n, province.owner, now


def _find_handed(record: NationsRecord) -> set[int]:
    """Return the provinces that were transferred by a gift or deal."""
    return {e.facts["at"] for e in record.events if e.kind == "handover"}


def _land_lost(record: NationsRecord, wording: EventWording, nation: str) -> Iterator[OwnOutcome]:
    handed = _find_handed(record)
    for n, old, new in _changes(record):
        if old == nation:
            code = "fate-land-handed" if n in handed else "fate-land-lost"
            fate = Phrase(code, {"power": wording.nation(new)})
            yield OwnOutcome(wording.place(n), fate, is_lost=True)


def _orders(record: NationsRecord, wording: EventWording, nation: str) -> Iterator[OwnOutcome]:
    """Yield the outcome of each order, the worst first, with its known reasons."""
    reasons = [e for e in record.events if e.kind in FAILED and nation in e.only]
    fights = fights_of_orders(record, wording, nation)
    found: list[tuple[int, OwnOutcome]] = []
    for (text, words), fought in zip(record.outcomes(nation), fights, strict=True):
        told = [word for word in words if word != "arrives" or "captures" not in words]
        verdict = phrase("fate-became", became=tuple(phrase(f"became-{word}") for word in told))
        rank = _rank(words)
        event = next((
            one for one in reasons
            if (rank < 2 or one.kind == "handover-waits") and _is_about(one, text, wording)
        ), None)  # fmt: skip
        if event:
            reasons.remove(event)
        why = [wording.describe_event(event)] if event else []
        why += [fight_phrase(one, nation, wording) for one in fought]
        if not why and (reason := explain_lost_effect(record, wording, nation, text, words)):
            why, rank = [reason], min(rank, 1)
        elif not why and rank < 2:
            why = list(_other_reasons(record, wording, nation, text, words))
        shown = verdict if told else phrase("fate-given")
        found.append((rank, OwnOutcome(text, shown, tuple(why), rank < 2)))
    for left in reasons:
        what = next(_places(left, wording), None) or phrase("fate-any-order")
        verdict = phrase("fate-land-waits" if left.kind == "handover-waits" else "became-undone")
        found.append((1, OwnOutcome(what, verdict, (wording.describe_event(left),), is_lost=True)))
    yield from (fate for _, fate in sorted(found, key=lambda pair: pair[0]))


def _rank(words: Sequence[str]) -> int:
    """Return 0 for an order that cost units, 1 for a failed one, 2 for any other."""
    return 0 if _WORST & set(words) else 1 if _WRONG & set(words) else 2


def fights_of_orders(
    record: NationsRecord, wording: EventWording, nation: str
) -> list[list[WorldEvent]]:
    """Return for each order of a nation the fights in which it lost or failed.

    A fight is listed only with the first order that it concerns.
    """
    fights = [
        event for event in record.events
        if event.facts.get("rounds") and nation in fighters_in(event)
    ]
    found: list[list[WorldEvent]] = []
    for text, words in record.outcomes(nation):
        is_unit = text.partition(" ")[0] in ("MOVE", "RAIL", "FLEET", "HOLD")
        own = [
            event for event in fights
            if is_unit and _rank(words) < 2
            and all(place in text for place in fight_places(event, wording))
        ]
        fights = [event for event in fights if event not in own]
        found.append(own)
    return found


def _other_reasons(
    record: NationsRecord, wording: EventWording, nation: str, text: str, words: Sequence[str]
) -> Iterator[Phrase]:
    """Yield the reason of a failed order that has no event of its own."""
    if "stopped" in words:
        own = (e for e in record.events if e.kind == "strike" and e.facts["nation"] == nation)
        stopped = (
            wording.describe_event(e) for e in own
            if e.facts["stopped"] and wording.place(e.facts["target"]) in text
        )
        yield from islice(stopped, 1)
    elif "stops" in words:
        yield phrase("why-stops")
    elif _WORST & set(words):
        yield phrase("why-with-others")


_VOID: Mapping[str, str] = {
    "MOVE": "void-units", "RAIL": "void-units", "FLEET": "void-units", "CANCEL": "void-ended",
    "WITHDRAW": "void-open", "ESCORT": "void-escort",
}  # fmt: skip
"""Verb → reason of an order that had no object left."""


def explain_lost_effect(
    record: NationsRecord, wording: EventWording, nation: str, text: str, words: Sequence[str]
) -> Phrase | None:
    """Return the reason of an order without effect or dropped, None for others."""
    verb, _, rest = text.partition(" ")
    if "void" in words:
        is_gone = not record.after.nations[nation].alive
        return phrase("void-nation" if is_gone else _VOID.get(verb, "void-other"))
    if "dropped" not in words:
        return None
    other = rest.rpartition(" ")[2]
    for event in record.events:
        if event.kind in ("dropped", "war"):
            if {event.facts["nation"], event.facts["to"]} == {nation, other}:
                return wording.describe_event(event)
    if not record.after.nations[other].alive:
        return phrase("void-partner", nation=wording.nation(other))
    return None


def _is_about(event: WorldEvent, text: str, wording: EventWording) -> bool:
    """Return whether an event belongs to an order.

    The kinds must match, and the order must contain all places of the event.
    """
    word, kinds = text.partition(" ")[0].lower(), FAILED[event.kind]
    is_kind = word in kinds if kinds else str(event.facts["do"]).startswith(word)
    return is_kind and all(place in text for place in _places(event, wording))


def _places(event: WorldEvent, wording: EventWording) -> Iterator[str]:
    values = (event.facts.get(name) for name in ("at", "goal", "target"))
    yield from (wording.place(value) for value in values if value)


def _name_or_count(code: str, many: str, names: Sequence[str]) -> Iterator[Phrase]:
    """Yield a clause that names things, or counts them if they are too many."""
    if len(names) > MAX_NAMED:
        yield Phrase(many, {"count": len(names)})
    elif names:
        yield Phrase(code, {"names": tuple(names)})


def _gist(record: NationsRecord, wording: EventWording, nation: str) -> Iterator[Phrase]:
    """Yield clauses on a nation's events, the worst first."""
    if not record.after.nations[nation].alive:
        yield phrase("gist-out")
        return
    capital = record.before.nations[nation].capital
    for event in record.events:
        if event.kind == "capital-fallen" and event.facts["nation"] == nation:
            yield phrase("gist-capital", place=wording.place(capital))
    changes = list(_changes(record))
    handed = _find_handed(record)
    gone = [n for n, old, _ in changes if old == nation]
    lost = [wording.place(n) for n in gone if n not in handed]
    yield from _name_or_count("gist-land-lost", "gist-land-lost-many", lost)
    away = [wording.place(n) for n in gone if n in handed]
    yield from _name_or_count("gist-land-handed", "gist-land-handed-many", away)
    armies, fleets = _fallen(record.events, nation)
    if armies:
        yield phrase("gist-armies-lost", count=armies)
    if fleets:
        yield phrase("gist-fleets-lost", count=fleets)
    foes = [wording.nation(str(e.facts["nation"])) for e in record.events
            if e.kind == "war" and e.facts["to"] == nation]
    yield from _name_or_count("gist-war", "gist-war-many", foes)
    got = [n for n, _, new in changes if new == nation]
    taken = [wording.place(n) for n in got if n not in handed]
    yield from _name_or_count("gist-land-taken", "gist-land-taken-many", taken)
    given = [wording.place(n) for n in got if n in handed]
    yield from _name_or_count("gist-land-given", "gist-land-given-many", given)
    yield from _carried_out(record, nation)


def _carried_out(record: NationsRecord, nation: str) -> Iterator[Phrase]:
    """Yield a clause on the outcomes of a nation's orders."""
    count = len(record.orders.get(nation, ()))
    became = record.became.get(nation, ())
    failed = sum(bool((_WORST | _WRONG) & set(words)) for words in became)
    if not count:
        yield phrase("gist-idle")
    elif failed:
        several = phrase("gist-failed", failed=failed, count=count)
        yield several if count > 1 else phrase("gist-failed-one")
    else:
        yield phrase("gist-done")


def _fallen(events: Sequence[WorldEvent], nation: str) -> tuple[int, int]:
    """Return a nation's public losses of armies and fleets.

    The causes are fights, strikes, storms and epidemics.
    """
    armies = fleets = 0
    for event in events:
        facts: Mapping[str, Any] = event.facts
        lost = losses_in(event)[nation]
        armies += event.kind == "strike" and facts.get("victim") == nation
        if facts.get("sea"):
            fleets += lost
        else:
            armies += lost
        if facts.get("nation") == nation:
            armies += event.kind == "epidemic-kills"
            fleets += facts["count"] if event.kind == "storm" else 0
    return armies, fleets


def _elsewhere(record: NationsRecord, wording: EventWording, nation: str) -> Iterator[Phrase]:
    """Yield public news of the other nations: wars, treaties, eliminations, land."""
    wars = [e.facts for e in record.events if e.kind == "war"
            and nation not in (e.facts["nation"], e.facts["to"])]
    for facts in wars[:MAX_NAMED]:
        sides = (wording.nation(str(facts[name])) for name in ("nation", "to"))
        yield Phrase("else-war", dict(zip(("power", "to"), sides, strict=True)))
    if len(wars) > MAX_NAMED:
        yield phrase("else-more-wars", count=len(wars) - MAX_NAMED)
    signed = sum(e.kind == "treaty" and nation not in (e.facts["nation"], e.facts["to"])
                 for e in record.events)
    if signed:
        yield phrase("else-treaties", count=signed)
    gone = [wording.nation(code) for code, each in record.after.nations.items()
            if code != nation and not each.alive and record.before.nations[code].alive]
    if gone:
        yield phrase("else-gone", powers=tuple(gone), count=len(gone))
    yield from _land(record, wording, nation)


def _land(record: NationsRecord, wording: EventWording, nation: str) -> Iterator[Phrase]:
    """Yield the largest changes of the other nations' land, and a count of the rest."""
    changes = []
    for code in record.after.nations:
        then, now = (sum(p.owner == code for p in state.provinces.values())
                     for state in (record.before, record.after))
        if code != nation and now != then:
            change = f"{now - then:+d}"
            told = phrase("else-count", power=wording.nation(code), count=now, change=change)
            changes.append((-abs(now - then), told))
    if changes:
        # The sort is stable, so that equal changes keep the order of the nations.
        ranked = [told for _, told in sorted(changes, key=lambda each: each[0])]
        more = len(ranked) - MAX_NAMED
        yield phrase("else-land", changes=tuple(ranked[:MAX_NAMED]))
        if more > 0:
            yield phrase("else-more-land", count=more)
