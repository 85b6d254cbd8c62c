"""Summary at the head of a results letter, for its recipient.

It has one sentence, the outcomes of the recipient's units, orders and fights, losses first, and
clauses on the other side's actions and the progress of both towards winning. Nothing is hidden
(Y-6).
"""

from collections.abc import Iterable, Iterator, Sequence

from judge.games.letter_facts import Brief, OwnOutcome
from judge.games.yorktown.rules.board import SIDE_NAMES, enemy_of
from judge.games.yorktown.rules.state import Step
from judge.games.yorktown.views.happenings import OutcomeKind, SideOutcome, happenings
from judge.games.yorktown.views.moments import POWERS, SIDE_OF
from judge.games.yorktown.views.record import YorktownRecord
from judge.model.phrase import Fact, Phrase, phrase

MAX_NAMED = 3
"""Maximum number of units that a sentence names. More are counted."""
_LOSSES = (OutcomeKind.LOST, OutcomeKind.FELL, OutcomeKind.HALVED, OutcomeKind.DRIVEN)
_QUIET = ("gist-you-lost-nothing", "gist-nothing-lost")
_GOOD = (OutcomeKind.DONE, OutcomeKind.RESTORED)


def brief_facts(record: YorktownRecord, power: str) -> Brief:
    """Return the summary of a step for a player, or for an observer (*power* empty)."""
    found = list(happenings(record))
    moment = record.before.moment
    turn = Phrase(f"brief-{moment.step.name.lower()}", {"n": moment.day, "side": moment.side})
    side = SIDE_OF.get(power, "")
    if not side:
        gist = (*_describe_ending(record, ""), *_seen(record, found))
        losses = tuple(_as_fate(one, whose=POWERS[one.side]) for one in _bad(found))
        return Brief(
            turn, gist[:4] or (phrase("gist-nothing-lost"),), fates=losses,
            elsewhere=tuple(_tallies(record)), is_quiet=not gist,
        )  # fmt: skip
    own = [one for one in found if one.side == side]
    gist = (*_describe_ending(record, power), *_gist(record, found, side))
    return Brief(
        turn, gist, power, tuple(_own_outcomes(own)),
        tuple(_elsewhere(record, found, enemy_of(side))), (power, POWERS[enemy_of(side)]),
        phrase("due-orders"), is_quiet=all(clause.code in _QUIET for clause in gist),
    )


def _bad(found: Iterable[SideOutcome]) -> list[SideOutcome]:
    """Return the losses, halvings and forced retreats, the worst first."""
    return sorted((o for o in found if o.what in _LOSSES), key=lambda one: one.what.value)


def _own_outcomes(own: Sequence[SideOutcome]) -> Iterator[OwnOutcome]:
    """Yield the outcomes of a side, the worst first.

    Successes of one kind are joined.
    """
    ranked = sorted(own, key=lambda one: one.what.value)
    yield from (_as_fate(one) for one in ranked if one.what not in _GOOD)
    done = [one for one in ranked if one.what in _GOOD]
    alike = dict.fromkeys(one.verdict.code for one in done if not one.verdict.facts)
    for code in alike:
        units = ", ".join(dict.fromkeys(str(o.about) for o in done if o.verdict.code == code))
        yield OwnOutcome(units, Phrase(code, {}))
    yield from (_as_fate(one) for one in done if one.verdict.facts)


def _as_fate(one: SideOutcome, *, whose: str = "") -> OwnOutcome:
    about = phrase("fate-whose", power=whose, unit=one.about) if whose else one.about
    return OwnOutcome(about, one.verdict, one.why, one.what in _LOSSES)


def _describe_ending(record: YorktownRecord, power: str) -> Iterator[Phrase]:
    """Yield how the game ended, if it ended with this step."""
    if record.end is None:
        return
    winner = POWERS.get(record.end.winner, "")
    if not winner:
        yield phrase("gist-over")
    else:
        yield phrase("gist-you-won") if winner == power else phrase("gist-won", power=winner)


def _units(own: Iterable[SideOutcome], *what: OutcomeKind) -> tuple[str, ...]:
    """Return the units of a side with outcomes of some kinds, each once."""
    names = (
        str(one.about.facts["unit"]) if isinstance(one.about, Phrase) else one.about
        for one in own if one.what in what
    )  # fmt: skip
    return tuple(dict.fromkeys(names))


def _name_or_count(code: str, many: str, units: Sequence[str], **facts: Fact) -> Iterator[Phrase]:
    """Yield a clause that names units, or counts them if there are too many."""
    if len(units) > MAX_NAMED:
        yield Phrase(many, {"count": len(units), **facts})
    elif units:
        yield Phrase(code, {"units": tuple(units), "count": len(units), **facts})


def _gist(record: YorktownRecord, found: Sequence[SideOutcome], side: str) -> Iterator[Phrase]:
    """Yield what happened to a side, in clauses."""
    own = [one for one in found if one.side == side]
    theirs = [one for one in found if one.side != side]
    clauses = [
        *_name_or_count("gist-lost", "gist-lost-many", _units(own, OutcomeKind.LOST)),
        *(phrase("gist-fell", name=name) for name in _units(own, OutcomeKind.FELL)),
        *_name_or_count("gist-halved", "gist-halved-many", _units(own, OutcomeKind.HALVED)),
        *_name_or_count("gist-driven", "gist-driven-many", _units(own, OutcomeKind.DRIVEN)),
        *(
            clause for what, code, many in _BROUGHT
            for clause in _name_or_count(code, many, _units(theirs, *what), side=enemy_of(side))
        ),
    ]
    if gone := len(_units(own, OutcomeKind.GONE)):
        clauses.append(phrase("gist-left", count=gone, all=record.after.exits))
    if record.before.moment.side == side:
        clauses += _carried_out(record, own, is_all=not clauses and not record.end)
    if not clauses and not record.end:
        is_set_up = record.before.moment.step is Step.SETUP
        other = _did(record, found, record.before.moment.side)
        clauses = list(other) if is_set_up else [phrase("gist-you-lost-nothing")]
    yield from clauses


_BROUGHT = (
    ((OutcomeKind.LOST, OutcomeKind.FELL), "gist-eliminated", "gist-eliminated-many"),
    ((OutcomeKind.HALVED,), "gist-you-halved", "gist-you-halved-many"),
    ((OutcomeKind.DRIVEN,), "gist-you-drove", "gist-you-drove-many"),
)


_CLAUSES = {
    Step.SETUP: ("gist-placed", "gist-placed", "else-placed", "else-placed"),
    Step.MOVE: ("gist-moved", "gist-stood", "else-moved", "else-stood"),
    Step.FIRE: ("gist-fired", "gist-silent", "else-fired", "else-silent"),
}
"""Clauses on a side's deeds and on their absence, for the side, and the same for others."""


def _carried_out(
    record: YorktownRecord, own: Sequence[SideOutcome], *, is_all: bool
) -> Iterator[Phrase]:
    """Yield the outcome of orders of the side to move.

    The absence of orders is reported only if *is_all*, when there is nothing else to report.
    """
    failed = sum(one.what is OutcomeKind.FAILED for one in own)
    if failed:
        yield phrase("gist-failed", count=failed)
    done, fought, step = _deeds(record, own), _fights(own), record.before.moment.step
    if fought and is_all:
        yield phrase("gist-attacked", at=fought)
    if done or step is Step.SETUP or (is_all and not failed and not fought):
        yield Phrase(_CLAUSES[step][not done], {"count": done})


def _deeds(record: YorktownRecord, own: Iterable[SideOutcome]) -> int:
    """Return the number of shots a side fired, or of units it set up or moved."""
    if record.before.moment.step is Step.FIRE:
        return len(record.told.shots)
    return len({
        str(one.about) for one in own
        if one.what in (OutcomeKind.DONE, OutcomeKind.GONE) or one.verdict.code == "fate-stopped"
    })  # fmt: skip


def _fights(own: Iterable[SideOutcome]) -> tuple[str, ...]:
    """Return the hexes that a side attacked."""
    return tuple(
        str(name)
        for one in own
        if isinstance(one.about, Phrase) and one.about.code == "fate-attack"
        for name in _hexes(one.about.facts["at"])
    )


def _hexes(fact: Fact) -> tuple[object, ...]:
    return fact if isinstance(fact, tuple) else (fact,)


def _seen(record: YorktownRecord, found: Sequence[SideOutcome]) -> Iterator[Phrase]:
    """Yield the losses and actions of both sides, for observers."""
    for side in SIDE_NAMES:
        own = [one for one in found if one.side == side]
        lost = _units(own, OutcomeKind.LOST, OutcomeKind.FELL)
        yield from _name_or_count("else-lost", "else-lost-many", lost, side=side)
    yield from _did(record, found, record.before.moment.side)


def _did(record: YorktownRecord, found: Sequence[SideOutcome], side: str) -> Iterator[Phrase]:
    """Yield a side's actions, worded for others."""
    moment = record.before.moment
    if moment.side != side:
        return
    own = [one for one in found if one.side == side]
    count, fought = _deeds(record, own), _fights(own)
    if fought:
        yield phrase("else-attacked", side=side, at=fought)
    if count or not fought:
        code = _CLAUSES[moment.step][2 + (not count)]
        yield Phrase(code, {"side": side, "count": count})


def _elsewhere(
    record: YorktownRecord, found: Sequence[SideOutcome], other: str
) -> Iterator[Phrase]:
    """Yield the other side's actions, and the progress of both sides.

    Nothing is added for a set-up, which the first sentence describes completely.
    """
    if record.before.moment.step is not Step.SETUP:
        yield from _did(record, found, other)
        yield from _tallies(record)


_TALLIES = {
    "tally-yorktown": "else-yorktown",
    "tally-gloucester": "else-gloucester",
    "tally-exits": "else-exits",
}


def _tallies(record: YorktownRecord) -> Iterator[Phrase]:
    """Yield the progress of each side, where it is not 0.

    The day is not repeated.
    """
    for section, told in record.told.events:
        if section == "tally" and told.facts["n"] and told.code in _TALLIES:
            yield Phrase(_TALLIES[told.code], told.facts)
