"""Fights as reported to their nations, by losses and enemies."""

from collections import Counter

from judge.games.nations1940.rules.world import WorldEvent
from judge.games.nations1940.views.wording import EventWording
from judge.model.phrase import Fact, Phrase, phrase


def fighters_in(event: WorldEvent) -> tuple[str, ...]:
    """Return the codes of the nations in a fight, with Neutral as empty.

    >>> fighters_in(WorldEvent("battle", {"attackers": [["GER", 2, 50]], "defenders": [["", 1,
    ...     7]]}))
    ('GER', '')
    """
    sides = (*event.facts.get("attackers", ()), *event.facts.get("defenders", ()))
    if event.kind == "battle" and not event.facts.get("defenders"):
        sides = (*sides, (event.facts.get("owner", ""), 0, 0))
    return tuple(dict.fromkeys(code for code, _, _ in sides))


def losses_in(event: WorldEvent) -> Counter[str]:
    """Return how many units each nation lost in the rolls of a fight."""
    lost: Counter[str] = Counter()
    for one in event.facts.get("rounds", ()):
        if one["outcome"] in ("won", "lost"):
            lost[one["d" if one["outcome"] == "won" else "a"]["nation"]] += 1
    return lost


def fight_places(event: WorldEvent, wording: EventWording) -> tuple[str, ...]:
    """Return the places of a fight: one, or both sides of a border."""
    where = event.facts["link" if "link" in event.facts else "at"]
    return tuple(map(wording.place, where if isinstance(where, list) else [where]))


def fight_phrase(event: WorldEvent, nation: str, wording: EventWording) -> Phrase:
    """Return the phrase of a fight for one of its nations."""
    lost, killed, back = losses_in(event)[nation], 0, 0
    attacks = any(code == nation for code, _, _ in event.facts["attackers"])
    foes = dict.fromkeys(
        code for code, _, _ in event.facts["defenders" if attacks else "attackers"]
    )
    for one in event.facts["rounds"]:
        mine, other = (one[side]["nation"] == nation for side in "ad")
        won, fell = one["outcome"] == "won", one["outcome"] == "lost"
        killed += mine and won or other and fell
        back += one["outcome"] == "part" or mine and one["outcome"] == "yields"
    unit = "fleets" if event.facts.get("sea") else "armies"
    facts: dict[str, Fact] = {
        "at": fight_places(event, wording), "back": back, "killed": _number(killed),
        "lost": phrase(f"lost-{unit}", count=lost) if lost else _number(0),
        "foes": tuple(wording.nation(code) if code else phrase("unit-neutral") for code in foes),
    }  # fmt: skip
    return Phrase(f"mine-{unit}-back" if back else f"mine-{unit}", facts)


def _number(count: int) -> Phrase | str:
    return str(count) if count else phrase("lost-none")
