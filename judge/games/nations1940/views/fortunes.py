"""A turn as it concerned one nation: fights, strikes, losses, open offers."""

from collections import Counter
from collections.abc import Iterator, Mapping

from judge.games.nations1940.rules.world import Event
from judge.games.nations1940.views.brief import FAILED
from judge.games.nations1940.views.record import Record
from judge.games.nations1940.views.wording import Wording
from judge.model.phrase import Fact, Phrase, phrase

_STRUCK = {"strike": "target", "event": "target", "epidemic-kills": "at", "epidemic-ends": "at"}
"""Events that strike a province, and the fact that names it."""
_OURS = ("nation", "to", "loser", "owner")
_ORDERED = ("built", "dismantled", "raised", "given-up", "deployed", "capture", "war", "progress")
"""Events that the list of a nation's orders, or the table of its projects, reports too."""


def fortunes_facts(record: Record, wording: Wording, nation: str) -> Mapping[str, object]:
    """Return what happened to a nation.

    `failed` are its own failed orders, `ordered` what its orders did, `rest` all else.
    """
    found: dict[str, list[Phrase]] = {"failed": [], "ordered": [], "rest": []}
    for event in record.events:
        if nation in event.only or not event.only and _is_shared(record, event, nation):
            name = "rest"
            if event.kind in FAILED and nation in event.only:
                name = "failed"
            elif event.kind in _ORDERED and event.facts.get("nation") == nation:
                name = "ordered"
            found[name].append(_event_phrase(event, nation, wording))
    found["rest"] += _lasting(record, wording, nation)
    found["rest"] += _find_lapsed(record, wording, nation)
    return found


def _is_shared(record: Record, event: Event, nation: str) -> bool:
    """Return whether a public event concerned a nation."""
    if event.kind in ("announced", "missed"):
        return False
    return _concerns(event, nation) or _strikes_land_of(record, event, nation)


def _strikes_land_of(record: Record, event: Event, nation: str) -> bool:
    """Return whether a bomb, an epidemic or another event struck a nation's own land."""
    place = event.facts.get(_STRUCK.get(event.kind, ""))
    if event.facts.get("victim") == nation:
        return True
    province = record.before.provinces.get(place) if isinstance(place, int) else None
    return province is not None and province.owner == nation


def _concerns(event: Event, nation: str) -> bool:
    facts = event.facts
    if any(facts.get(name) == nation for name in _OURS) or facts.get("target") == nation:
        return True
    return nation in fighters_in(event)


def fighters_in(event: Event) -> tuple[str, ...]:
    """Return the codes of the nations in a fight, with Neutral as empty.

    >>> fighters_in(Event("battle", {"attackers": [["GER", 2, 50]], "defenders": [["", 1, 7]]}))
    ('GER', '')
    """
    sides = (*event.facts.get("attackers", ()), *event.facts.get("defenders", ()))
    if event.kind == "battle" and not event.facts.get("defenders"):
        sides = (*sides, (event.facts.get("owner", ""), 0, 0))
    return tuple(dict.fromkeys(code for code, _, _ in sides))


def losses_in(event: Event) -> Counter[str]:
    """Return how many units each nation lost in the rolls of a fight."""
    lost: Counter[str] = Counter()
    for one in event.facts.get("rounds", ()):
        if one["outcome"] in ("won", "lost"):
            lost[one["d" if one["outcome"] == "won" else "a"]["nation"]] += 1
    return lost


def _event_phrase(event: Event, nation: str, wording: Wording) -> Phrase:
    """Return an event as its nation reads it, with losses in place of rolls."""
    if not event.facts.get("rounds"):
        return wording.told(event)
    lost = killed = back = 0
    foes: dict[str, None] = {}
    for one in event.facts["rounds"]:
        mine, other = (one[side]["nation"] == nation for side in "ad")
        foes |= {one["d" if mine else "a"]["nation"]: None}
        won, fell = one["outcome"] == "won", one["outcome"] == "lost"
        lost += mine and fell or other and won
        killed += mine and won or other and fell
        back += one["outcome"] == "part" or mine and one["outcome"] == "yields"
    where = event.facts["link" if "link" in event.facts else "at"]
    places = tuple(map(wording.place, where if isinstance(where, list) else [where]))
    facts: dict[str, Fact] = {
        "at": places, "lost": lost, "killed": killed, "back": back,
        "foes": tuple(wording.nation(code) if code else phrase("neutral") for code in foes),
    }  # fmt: skip
    what = "fleets" if event.facts.get("sea") else "armies"
    return Phrase(f"mine-{what}-back" if back else f"mine-{what}", facts)


def _lasting(record: Record, wording: Wording, nation: str) -> Iterator[Phrase]:
    """Yield fallout and epidemics on a nation's land, as they are after the turn."""
    own = [(n, each) for n, each in record.after.provinces.items() if each.owner == nation]
    fallout = tuple(f"{wording.place(n)} ({each.fallout})" for n, each in own if each.fallout)
    if fallout:
        yield phrase("mine-fallout", places=fallout)
    epidemics = tuple(wording.place(n) for n, each in own if each.epidemic)
    if epidemics:
        yield phrase("mine-epidemics", places=epidemics)


def _find_lapsed(record: Record, wording: Wording, nation: str) -> Iterator[Phrase]:
    """Yield a nation's own announcements and deals that ran out without an answer."""
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
