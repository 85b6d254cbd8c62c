"""Head of a results letter: the outcome of a phase for its viewer.

It has one sentence, the outcome of each of the viewer's orders with lost units first, and a few
clauses on events elsewhere. In a blind game it is made of the record visible to the viewer
(`visibility`), and gives retreats only for the viewer's own units.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from judge.board.map import Map, province_of
from judge.board.position import Dislodged, PhaseKind, Position
from judge.games.diplomacy.language.wording import short_words
from judge.games.diplomacy.rules.orders import (
    Build,
    Convoy,
    Disband,
    Hold,
    Move,
    Order,
    Outcome,
    Retreat,
    Support,
    Verdict,
    Waive,
    unit_of,
)
from judge.games.diplomacy.views.causes import (
    dislodger_of,
    explain_failure,
    is_destroyed,
    nowhere_to_go,
    to_owner,
)
from judge.games.diplomacy.views.other_powers import (
    FAILED,
    describe_change,
    describe_events,
    headline,
)
from judge.games.diplomacy.views.phases import turn_named
from judge.games.diplomacy.views.record import DiplomacyRecord
from judge.games.diplomacy.views.report import beaten_of, destroyed_before, settles_owners
from judge.games.letter_facts import Brief, OwnOutcome
from judge.model.phrase import Phrase, phrase

MAX_NAMED = 3
"""Number of units that a sentence names. If there are more, they are counted."""


def brief_facts(
    board: Map, record: DiplomacyRecord, power: str, *, only: str | None = None
) -> Brief:
    """Return the head of a results letter for the player of a power.

    Without *power* it is for observers. *only* limits the facts to those visible to one power.
    """
    turn = turn_named(record.before.phase, board.calendar)
    if not power:
        gist = (*_describe_ending(record, ""), *describe_events(board, record, only=only))
        losses = tuple(_losses(board, record, only))
        short = (*_describe_ending(record, ""), *headline(board, record, only=only))
        return Brief(turn, gist or (phrase("gist-played"),), fates=losses, headline=short)
    found = _together(_own_outcomes(board, record, power))
    fates = tuple(sorted(found, key=lambda fate: not fate.is_lost))
    return Brief(
        turn, _gist(record, power), power, fates,
        tuple(describe_events(board, record, but=power, only=only)),
        (power, *_near(board, record, power)), _due(record, power),
    )


def _losses(board: Map, record: DiplomacyRecord, only: str | None) -> Iterator[OwnOutcome]:
    """Yield the lost and dislodged units of all powers, for observers."""
    for power in board.powers:
        for fate in _own_outcomes(board, record, power.name, is_own=False, only=only):
            if fate.is_lost:
                yield fate._replace(what=phrase("fate-whose", power=power.name, order=fate.what))


def _together(fates: Iterable[OwnOutcome]) -> list[OwnOutcome]:
    """Return outcomes, with units that merely stayed in place merged into one."""
    found: list[OwnOutcome] = []
    at: dict[str, int] = {}
    for fate in fates:
        code = fate.verdict.code
        if code in _STAYED and not fate.by and code in at:
            before = found[at[code]]
            found[at[code]] = before._replace(what=f"{before.what}, {fate.what}")
        else:
            at.setdefault(code, len(found))
            found.append(fate)
    return found


def _own_outcomes(
    board: Map, record: DiplomacyRecord, power: str, *, is_own: bool = True, only: str | None = None
) -> Iterator[OwnOutcome]:
    """Yield the outcome of each order of a power that is in the record."""
    beaten, destroyed = beaten_of(record, power), destroyed_before(record, power)
    for order, outcomes, reason in record.adjudged.verdicts.get(power, ()):
        unit = unit_of(order)
        what = short_words(order, board)
        if isinstance(order, Disband) and Outcome.NO_ORDER in outcomes:
            what = short_words(Hold(order.unit), board)
        by = record.by.get(unit.province, "") if unit else ""
        if Outcome.DISLODGED in outcomes and unit:
            driven = beaten.get(unit.province)
            knows = is_own or only is None
            verdict, why = _driven(board, record, reason, driven if knows else None)
            yield OwnOutcome(what, verdict, why, is_lost=True, by=by)
        else:
            failed = explain_failure(record, reason)
            told = (to_owner(failed) if is_own else failed,) if failed else ()
            is_lost = Outcome.DISBANDED in outcomes
            verdict = phrase(_verdict(record, power, order, outcomes))
            if is_lost and is_own and unit and unit.province in destroyed:
                # This loss belongs to the phase before. In a blind game only the owner can know it.
                is_lost, verdict, told = False, phrase("fate-off-board"), ()
            yield OwnOutcome(what, verdict, told, is_lost, by)
    is_winter = record.before.phase.kind is PhaseKind.ADJUSTMENT
    if is_own and is_winter and (left := _count_unused_builds(record, power)) > 0:
        unused = phrase("fate-why-unused", count=left)
        yield OwnOutcome(phrase("fate-unused", count=left), phrase("fate-lost-build"), (unused,))


def _driven(
    board: Map, record: DiplomacyRecord, reason: Phrase | None, beaten: Dislodged | None
) -> tuple[Phrase, tuple[Phrase, ...]]:
    """Return the outcome of a dislodged unit, and its reasons.

    They name the dislodger, whether the unit is destroyed or where it may retreat, and why its
    order had failed before.
    """
    by, failed = dislodger_of(reason), explain_failure(record, reason)
    gone = beaten is not None and is_destroyed(beaten)
    if by and "power" in by.facts:
        verdict = Phrase("fate-destroyed" if gone else "fate-dislodged", by.facts)
    else:
        verdict = phrase("fate-destroyed-unseen" if gone else "fate-dislodged-unseen")
    why = [nowhere_to_go(board, record, beaten)] if gone and beaten else []
    if beaten and beaten.retreats:
        goals = tuple(board.place_name(place) for place in beaten.retreats)
        why.append(phrase("fate-can-retreat", places=goals))
    if failed:
        why.append(to_owner(failed))
    return verdict, tuple(why)


_STAYED = {"fate-held", "fate-no-order"}
_FAILED = {
    Outcome.BOUNCE: "fate-bounced",
    Outcome.CUT: "fate-cut",
    Outcome.VOID: "fate-void",
    Outcome.NO_CONVOY: "fate-no-convoy",
}


def _verdict(record: DiplomacyRecord, power: str, order: Order, outcomes: Sequence[Outcome]) -> str:
    """Return the code of the outcome of an order whose unit was not dislodged."""
    is_winter = record.before.phase.kind is PhaseKind.ADJUSTMENT
    if Outcome.NO_ORDER in outcomes:
        if isinstance(order, Waive):
            return "fate-waived"
        return "fate-removed" if is_winter else _gone_or_held(outcomes)
    for outcome, code in _FAILED.items():
        if outcome in outcomes:
            return "fate-disbanded" if Outcome.DISBANDED in outcomes else code
    match order:
        case Move(_, to):
            return "fate-took" if _is_taken(record, power, to) else "fate-moved"
        case Retreat(_, to):
            return "fate-retreat-took" if _is_taken(record, power, to) else "fate-retreated"
        case Hold():
            return "fate-held"
        case Support():
            return "fate-supported"
        case Convoy():
            return "fate-convoyed"
        case Build():
            return "fate-built"
        case Waive():
            return "fate-waived"
        case Disband():
            return "fate-removed" if is_winter else "fate-disbanded"


def _gone_or_held(outcomes: Sequence[Outcome]) -> str:
    return "fate-disbanded" if Outcome.DISBANDED in outcomes else "fate-no-order"


def _is_taken(record: DiplomacyRecord, power: str, place: str) -> bool:
    """Return whether a unit took the centre it moved to, at the end of a Fall."""
    return record.adjudged.gained.get(province_of(place)) == power


def _count_unused_builds(record: DiplomacyRecord, power: str) -> int:
    """Return the number of builds that a power neither made nor waived."""
    before = record.before
    due = len(before.centres(power)) - len(before.units.get(power, ()))
    given = record.adjudged.verdicts.get(power, ())
    return due - sum(isinstance(order, Build | Waive) for order, outcomes, _ in given
                     if not {Outcome.VOID, Outcome.NO_CONVOY} & set(outcomes))


def _gist(record: DiplomacyRecord, power: str) -> tuple[Phrase, ...]:
    """Return clauses on a power's phase: the end of the game, its units, its centres."""
    found = (
        *_describe_ending(record, power), *_units_in_short(record, power), *_centres(record, power),
    )
    # A phase without retreats is mentioned only if nothing else happened.
    nothing = "gist-no-retreats" if record.before.phase.kind is PhaseKind.RETREAT else "gist-played"
    return found or (phrase(nothing),)


def _units_in_short(record: DiplomacyRecord, power: str) -> Iterator[Phrase]:
    verdicts = record.adjudged.verdicts.get(power, ())
    match record.before.phase.kind:
        case PhaseKind.MOVEMENT:
            yield from _moves_in_short(record, power, verdicts)
        case PhaseKind.RETREAT:
            yield from _retreats_in_short(verdicts, destroyed_before(record, power))
        case PhaseKind.ADJUSTMENT:
            yield from _winter_in_short(record, power, verdicts)


def _centres(record: DiplomacyRecord, power: str) -> Iterator[Phrase]:
    before, after = record.before, record.adjudged.position
    now, then = len(after.centres(power)), len(before.centres(power))
    if settles_owners(record) and (change := describe_change(record, power)):
        yield phrase("gist-centres", count=now, change=change)
    had = before.units.get(power) or before.dislodged.get(power) or then
    if had and not (now or after.units.get(power) or after.dislodged.get(power)):
        yield phrase("gist-out")


def _describe_ending(record: DiplomacyRecord, power: str) -> Iterator[Phrase]:
    """Yield how the game ended, if it did with this phase."""
    ending = record.ending
    if ending is None:
        return
    if len(ending.winners) == 1:
        winner = ending.winners[0]
        yield phrase("gist-you-won") if winner == power else phrase("gist-won", power=winner)
    elif ending.winners:
        yield phrase("gist-your-draw" if power in ending.winners else "gist-draw")
    else:
        yield phrase("gist-over")


def _name_or_count(code: str, many: str, units: Sequence[str]) -> Phrase:
    """Return a clause that names units or, if there are too many, counts them."""
    if len(units) > MAX_NAMED:
        return phrase(many, count=len(units))
    return phrase(code, units=tuple(units), count=len(units))


def _moves_in_short(
    record: DiplomacyRecord, power: str, verdicts: Sequence[Verdict]
) -> Iterator[Phrase]:
    beaten = beaten_of(record, power).values()
    if gone := [str(one.unit) for one in beaten if is_destroyed(one)]:
        yield _name_or_count("gist-lost", "gist-lost-many", gone)
    if driven := [str(one.unit) for one in beaten if not is_destroyed(one)]:
        yield _name_or_count("gist-dislodged", "gist-dislodged-many", driven)
    if beaten:
        return
    outcomes = [set(found) for _, found, _ in verdicts]
    failed = sum(bool(found & FAILED) for found in outcomes)
    idle = sum(Outcome.NO_ORDER in found for found in outcomes)
    count = len(outcomes)
    if not count:
        yield phrase("gist-no-units")
    elif idle == count:
        yield phrase("gist-idle", count=count)
    elif failed:
        given = count - idle
        yield phrase("gist-failed" if given > 1 else "gist-failed-one", failed=failed, count=given)
    elif idle:
        yield phrase("gist-some-idle", idle=idle, count=count)
    else:
        yield phrase("gist-done" if count > 1 else "gist-done-one", count=count)


def _retreats_in_short(verdicts: Sequence[Verdict], destroyed: frozenset[str]) -> Iterator[Phrase]:
    gone: list[str] = []
    went: list[str] = []
    before: list[str] = []
    for order, outcomes, _ in verdicts:
        if isinstance(order, Retreat | Move) and Outcome.SUCCEEDS in outcomes:
            went.append(f"{order.unit} - {order.to.upper()}")
        elif Outcome.DISBANDED in outcomes and (unit := unit_of(order)):
            (before if unit.province in destroyed else gone).append(str(unit))
    if gone:
        yield _name_or_count("gist-lost", "gist-lost-many", gone)
    if went:
        yield _name_or_count("gist-retreated", "gist-retreated-many", went)
    if before and not (gone or went):
        yield _name_or_count("gist-off-board", "gist-off-board-many", before)


def _winter_in_short(
    record: DiplomacyRecord, power: str, verdicts: Sequence[Verdict]
) -> Iterator[Phrase]:
    built = [str(order.unit) for order, outcomes, _ in verdicts
             if isinstance(order, Build) and Outcome.SUCCEEDS in outcomes]
    removed = [str(order.unit) for order, outcomes, _ in verdicts
               if isinstance(order, Disband) and Outcome.VOID not in outcomes]
    if built:
        yield _name_or_count("gist-built", "gist-built-many", built)
    if removed:
        yield _name_or_count("gist-removed", "gist-removed-many", removed)
    if waived := sum(isinstance(order, Waive) for order, _, _ in verdicts):
        yield phrase("gist-waived", count=waived)
    if (left := _count_unused_builds(record, power)) > 0:
        yield phrase("gist-unused", count=left)
    elif not verdicts:
        yield phrase("gist-no-builds")


def _near(board: Map, record: DiplomacyRecord, power: str) -> tuple[str, ...]:
    """Return powers with a unit next to this power's, or that dislodged one.

    Units before and after the phase count.
    """
    before, after = record.before, record.adjudged.position
    near = _touching(board, before, power) | _touching(board, after, power)
    for _, _, reason in record.adjudged.verdicts.get(power, ()):
        if by := dislodger_of(reason):
            near.add(str(by.facts.get("power", "")))
    return tuple(other.name for other in board.powers if other.name in near - {power})


def _touching(board: Map, position: Position, power: str) -> set[str]:
    places = {unit.province for unit in position.units.get(power, ())}
    places |= {beaten.unit.province for beaten in position.dislodged.get(power, ())}
    reached = places.union(*[board.near[place] for place in places])
    return {position.standing[place][0] for place in reached & position.standing.keys()}


_DUE: Mapping[PhaseKind, str] = {
    PhaseKind.MOVEMENT: "due-orders", PhaseKind.RETREAT: "due-retreats",
}


def _due(record: DiplomacyRecord, power: str) -> Phrase:
    """Return a phrase on what a power sends in the next phase."""
    after = record.adjudged.position
    if after.phase.kind in _DUE:
        return phrase(_DUE[after.phase.kind])
    more = len(after.centres(power)) > len(after.units.get(power, ()))
    return phrase("due-builds" if more else "due-removals")
