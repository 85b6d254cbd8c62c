"""Events of a turn that concern one nation: fights, strikes, losses, offers."""

from collections.abc import Iterator, Mapping

from judge.games.nations1940.rules.world import WorldEvent
from judge.games.nations1940.views.brief import FAILED, fights_of_orders
from judge.games.nations1940.views.fights import fight_phrase, fighters_in
from judge.games.nations1940.views.record import NationsRecord
from judge.games.nations1940.views.wording import EventWording
from judge.model.phrase import Phrase, phrase

_STRUCK = {"strike": "target", "event": "target", "epidemic-kills": "at", "epidemic-ends": "at"}
"""Events that strike a place, with the fact that names it."""
_OURS = ("nation", "to", "loser", "owner")
_LISTED = ("spawned",)
"""Events that are named together in one line."""
_ORDERED = ("built", "dismantled", "raised", "given-up", "deployed", "capture", "war", "progress",
            "given", "handover")
"""Events also reported by a nation's list of orders or its table of projects."""


def fortunes_facts(
    record: NationsRecord, wording: EventWording, nation: str
) -> Mapping[str, object]:
    """Return the events of a turn for a nation, as phrases in three lists.

    `failed` has its failed orders and the fights that are their reasons, `ordered` the effects of
    its orders, `rest` all else.
    """
    found: dict[str, list[Phrase]] = {"failed": [], "ordered": [], "rest": []}
    reasons = [one for each in fights_of_orders(record, wording, nation) for one in each]
    for event in record.events:
        if event.kind in _LISTED:
            continue
        if nation in event.only or not event.only and _is_shared(record, event, nation):
            name = "rest"
            if event.kind in FAILED and nation in event.only:
                name = "failed"
            elif event in reasons:
                name = "failed"
            elif event.kind in _ORDERED and event.facts.get("nation") == nation:
                name = "ordered"
            is_fight = event.facts.get("rounds")
            told = (
                fight_phrase(event, nation, wording) if is_fight else wording.describe_event(event)
            )
            found[name].append(told)
    spawned = tuple(
        wording.place(event.facts["at"]) for event in record.events
        if event.kind == "spawned" and nation in event.only
    )
    if spawned:
        found["rest"].append(phrase("mine-spawned", places=spawned, count=len(spawned)))
    found["rest"] += _lasting(record, wording, nation)
    found["rest"] += _find_lapsed(record, wording, nation)
    return found


def is_own_news(record: NationsRecord, event: WorldEvent, nation: str) -> bool:
    """Return whether a public event is only in a nation's own part of its letter.

    Fights, and the captures that follow them, are in the gazette too, with their rolls.
    """
    if event.kind == "announced":
        return nation in (event.facts["nation"], event.facts["to"])
    is_fight = event.facts.get("rounds") or event.kind == "capture" and event.facts["fought"]
    return not is_fight and _is_shared(record, event, nation)


def _is_shared(record: NationsRecord, event: WorldEvent, nation: str) -> bool:
    """Return whether a public event concerned a nation."""
    if event.kind in ("announced", "missed"):
        return False
    return _concerns(event, nation) or _strikes_land_of(record, event, nation)


def _strikes_land_of(record: NationsRecord, event: WorldEvent, nation: str) -> bool:
    """Return whether a bomb, an epidemic or another event struck a nation's own land."""
    place = event.facts.get(_STRUCK.get(event.kind, ""))
    if event.facts.get("victim") == nation:
        return True
    province = record.before.provinces.get(place) if isinstance(place, int) else None
    return province is not None and province.owner == nation


def _concerns(event: WorldEvent, nation: str) -> bool:
    facts = event.facts
    if any(facts.get(name) == nation for name in _OURS) or facts.get("target") == nation:
        return True
    return nation in fighters_in(event)


def _lasting(record: NationsRecord, wording: EventWording, nation: str) -> Iterator[Phrase]:
    """Yield fallout and epidemics on a nation's land after the turn."""
    own = [(n, each) for n, each in record.after.provinces.items() if each.owner == nation]
    fallout = tuple(f"{wording.place(n)} ({each.fallout})" for n, each in own if each.fallout)
    if fallout:
        yield phrase("mine-fallout", places=fallout)
    epidemics = tuple(wording.place(n) for n, each in own if each.epidemic)
    if epidemics:
        yield phrase("mine-epidemics", places=epidemics)


def _find_lapsed(record: NationsRecord, wording: EventWording, nation: str) -> Iterator[Phrase]:
    """Yield a nation's own announcements that expired without an answer."""
    gone = {(e.facts.get("nation"), e.facts.get("to")) for e in record.events if e.kind == "war"}
    done = {(b.kind, b.a, b.b) for b in record.after.bonds}
    settled = [e.facts for e in record.events if e.kind in ("dropped", "peace", "withdrawn")]
    open_now = {(offer.kind, offer.to) for offer in record.after.offers if offer.by == nation}
    for offer in record.before.offers:
        pair = tuple(sorted((offer.by, offer.to)))
        is_settled = any({each["nation"], each["to"]} == {*pair} for each in settled)
        if (
            offer.by == nation and (offer.kind, offer.to) not in open_now and not is_settled
            and (offer.kind, *pair) not in done and not gone & {pair, pair[::-1]}
        ):
            yield phrase("mine-lapsed", what=offer.kind, nation=wording.nation(offer.to))
