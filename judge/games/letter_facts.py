"""Facts from a game system for letters, pages and programs, as named values.

The templates of `mailtemplates/common` render all of them; a system can have templates of the same
names instead. Facts that the common templates do not know are a `LetterPiece`: the name of a
template of the system's own with its facts. Facts are names, figures and phrases; templates make
the sentences.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain, zip_longest
from typing import NamedTuple

from judge.model.phrase import Phrase
from judge.model.replace import replace


class ProxyGrant(NamedTuple):
    """A proxy grant: a unit that its owner lets another power, the holder, order.

    It applies to this phase. `order` is the holder's order, empty if not given yet. Only the owner,
    the holder and the master may know of the grant, and only the holder and the master of the
    order.
    """

    owner: str
    holder: str
    unit: str
    order: str = ""


Words = str | Phrase
"""A literal name or line, or a phrase rendered in the viewer's language."""


class LetterPiece(NamedTuple):
    """A part of a letter that is specific to a system.

    `template` is the first part of the names of its templates: `NAME.txt` for texts, and optionally
    `NAME.html` for pages of letters and `page-NAME.page` for the site. In them the piece is
    `piece`. `about` is its subject: of several pieces about the same subject a letter has the
    first, or the one that is `final`.
    """

    template: str
    facts: object
    about: str
    final: bool = False


class Draft(NamedTuple):
    """A line to send. If `open`, it is only the beginning of a line."""

    line: str
    open: bool = False


class HoldingRow(NamedTuple):
    """A row of the position: a power or another holder, and its holdings."""

    who: Words
    what: tuple[Words, ...]


class Score(NamedTuple):
    """A power's score, and how much it gained since the last report.

    Its unit is the system's phrase `score-unit`: "centres", "points".
    """

    power: str
    points: int
    gained: int = 0


@dataclass(frozen=True, slots=True)
class SheetFacts:
    """The orders of a power on file for a phase, as facts of a receipt."""

    power: str
    title: Phrase | None
    """Heading: "Movement orders for Spring of 1901."; None if it was sent before."""
    lines: tuple[Words, ...]
    """The orders on file, line by line."""
    missing: tuple[Words, ...]
    """The missing orders, as in `Table.missing`."""
    draft: tuple[Draft, ...]
    """The orders on file as lines to send, and beginnings of the missing ones."""
    clock: str = ""
    """The clock of its phase."""
    warnings: tuple[Phrase, ...] = ()
    """Warnings of orders that are legal but odd."""
    impossible: tuple[Phrase, ...] = ()
    """Reasons why orders on file would fail: other orders use up what they need."""
    default: Phrase | None = None
    """The default for units without an order, shown if orders are missing."""
    entrusted: tuple[ProxyGrant, ...] = ()
    """Proxy grants to the power, added by the judge from `Proxies.trusts`."""
    pieces: tuple[LetterPiece, ...] = ()
    is_open_ended: bool = False
    """True if the power may give any number of orders, so that only those on file are counted."""
    final_word: str = ""
    """The line that completes the orders; empty if they are complete or need none."""

    def without_repeated(self, *told: "Results | PositionFacts") -> "SheetFacts":
        """Return the sheet without pieces that the same letter has already."""
        return replace(self, pieces=_left(self.pieces, told)) if self.pieces else self


@dataclass(frozen=True, slots=True)
class PositionFacts:
    """Facts of the position that a viewer may know."""

    title: Phrase
    phase: str
    """The label of the phase."""
    rows: tuple[HoldingRow, ...]
    """Each power with its holdings on the board; a row without any is not shown."""
    sight: Phrase | None = None
    """The limits of visibility, if the viewer does not see everything."""
    scores: tuple[Score, ...] = ()
    pieces: tuple[LetterPiece, ...] = ()

    def without_repeated(self, *told: "Results") -> "PositionFacts":
        """Return the position facts without pieces that the same letter has already."""
        return replace(self, pieces=_left(self.pieces, told)) if self.pieces else self


class OrderOutcome(NamedTuple):
    """An order and its outcome.

    `text` is the line for texts. Pages show `order` and, next to it, `tags`: the outcome in a word
    or two. `reason` explains an outcome that is not plain. `by` is the power that ordered it for
    its owner.
    """

    text: Words
    order: Words = ""
    tags: tuple[Words, ...] = ()
    reason: Phrase | None = None
    by: str = ""


class PowerOutcomes(NamedTuple):
    """Orders and outcomes of a power in a phase.

    `idle` is a sentence for a power that ordered nothing. Pages show it instead of the lines
    without tags.
    """

    power: str
    lines: tuple[OrderOutcome, ...]
    idle: Phrase | None = None


class OwnOutcome(NamedTuple):
    """Outcome of one of the viewer's own orders or units.

    `what` is the order, in its shortest form. `verdict` is its outcome in a word or two, and `why`
    explains it in sentences if it is not plain. Losses, marked by `is_lost`, come first.
    """

    what: Words
    verdict: Phrase
    why: tuple[Phrase, ...] = ()
    is_lost: bool = False
    by: str = ""
    """The power that ordered it for its owner."""


_MANY = "-many"
"""Suffix of the code of a clause with a number of units instead of their names."""


def _join_clauses(one: Phrase, other: Phrase) -> Phrase | None:
    """Return one clause for two that say the same of some units, or None."""
    code = one.code.removesuffix(_MANY)
    if code != other.code.removesuffix(_MANY):
        return None
    named, more = one.facts.get("units", ()), other.facts.get("units", ())
    count, plus = one.facts.get("count"), other.facts.get("count")
    rest, also = (
        {name: fact for name, fact in each.facts.items() if name not in ("units", "count")}
        for each in (one, other)
    )
    if rest != also or not isinstance(count, int) or not isinstance(plus, int):
        return None
    if isinstance(named, tuple) and isinstance(more, tuple) and named and more:
        units = tuple(dict.fromkeys((*named, *more)))
        return Phrase(code, {**rest, "units": units, "count": len(units)})
    if _MANY in one.code or _MANY in other.code:
        return Phrase(code + _MANY, {**rest, "count": count + plus})
    return None


@dataclass(frozen=True, slots=True)
class Brief:
    """A phase in the viewer's perspective: a sentence, the outcomes, and the rest."""

    turn: Phrase
    gist: tuple[Phrase, ...]
    """Events of the viewer's power, or of all powers for a viewer without one.

    It consists of clauses, from which one sentence and the subject of the letter are made.
    """
    power: str = ""
    """The viewer's power, or empty."""
    fates: tuple[OwnOutcome, ...] = ()
    elsewhere: tuple[Phrase, ...] = ()
    """Events of the other powers, in clauses."""
    near: tuple[str, ...] = ()
    """The powers that concern the viewer, whose orders are reported before the rest."""
    due: Phrase | None = None
    """The orders that the viewer must send next, if any: "retreats due"."""
    headline: tuple[Phrase, ...] = ()
    """Clauses for the subject, if those of `gist` are too long for it."""
    is_quiet: bool = False
    """True if the gist is only that nothing happened."""

    def after(self, earlier: "Brief", turn: Phrase) -> "Brief":
        """Return one brief of this phase and an earlier one of the same turn.

        The gist takes clauses of both in alternation, the most important first. A clause of
        `elsewhere` replaces the earlier one of its kind. Clauses of the gist that list units and
        say the same of them become one.
        """
        gist: list[Phrase] = []
        told = [each.gist for each in (earlier, self) if not each.is_quiet] or [self.gist]
        for clause in chain.from_iterable(zip_longest(*told)):
            if clause is None or clause in gist:
                continue
            for place, other in enumerate(gist):
                if joined := _join_clauses(other, clause):
                    gist[place] = joined
                    break
            else:
                gist.append(clause)
        elsewhere = {clause.code: clause for clause in (*earlier.elsewhere, *self.elsewhere)}
        return replace(
            self, turn=turn, gist=tuple(gist), fates=(*earlier.fates, *self.fates),
            elsewhere=tuple(elsewhere.values()), headline=(),
            is_quiet=earlier.is_quiet and self.is_quiet,
        )  # fmt: skip

    @property
    def title(self) -> Phrase:
        """The first sentence, such as "CHINA, Spring of 1904: you lost A IMO."."""
        code = "brief-title" if self.power else "brief-title-all"
        return Phrase(code, {"power": self.power, "turn": self.turn, "gist": self.gist})


@dataclass(frozen=True, slots=True)
class Results:
    """Facts of an adjudicated phase that a viewer may know."""

    phase: str
    """The label of the phase."""
    title: Phrase
    groups: tuple[PowerOutcomes, ...]
    """Orders and outcomes by power; powers without any have no group."""
    next: str = ""
    """The label of the next phase; empty once the game has ended."""
    next_title: Phrase | None = None
    """Title of the next phase, such as "Retreats for Spring of 1901"."""
    ending: Phrase | None = None
    """Why the game ended with this phase, or None."""
    notices: tuple[Phrase, ...] = ()
    """Further news for all viewers."""
    sight: Phrase | None = None
    """The limits of visibility, if the viewer does not see everything."""
    scores: tuple[Score, ...] = ()
    """The score, if this phase settled it. The letter then has the years too."""
    pieces: tuple[LetterPiece, ...] = ()

    def without_repeated(self, *told: "Results | PositionFacts") -> "Results":
        """Return the results without pieces that the letter has as `final` elsewhere."""
        known = {piece.about for each in told for piece in each.pieces if piece.final}
        left = tuple(piece for piece in self.pieces if piece.about not in known)
        return replace(self, pieces=left) if len(left) < len(self.pieces) else self

    def with_powers_first(self, *powers: str) -> "Results":
        """Return the results with the groups of some powers first, in this order."""
        ranks = {power: rank for rank, power in enumerate(dict.fromkeys(powers))}
        groups = sorted(self.groups, key=lambda group: ranks.get(group.power, len(ranks)))
        return replace(self, groups=tuple(groups))


class YearRow(NamedTuple):
    """A row of the years: each power's count at the end of a year, "?" if unknown."""

    year: str
    counts: tuple[int | str, ...]


@dataclass(frozen=True, slots=True)
class HistoryTable:
    """History of a game, year by year."""

    title: Phrase
    powers: tuple[str, ...]
    letters: tuple[str, ...]
    """Letters of the powers, which head the columns."""
    rows: tuple[YearRow, ...]
    pieces: tuple[LetterPiece, ...] = ()
    goal: int = 0
    """The count that wins the game; 0 if no count alone does."""


class PlaceRow(NamedTuple):
    """A row of the board in words: a place, its owner, and the unit there."""

    place: str
    owner: Words
    unit: Words


class Region(NamedTuple):
    """A part of the board. `empty` are the places without anything to report."""

    name: str
    rows: tuple[PlaceRow, ...]
    empty: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Places:
    """The whole board in words, place by place."""

    title: Phrase
    regions: tuple[Region, ...]
    shut: tuple[str, ...] = ()
    """Places closed to all units."""
    sight: Phrase | None = None
    pieces: tuple[LetterPiece, ...] = ()


def _left(
    pieces: tuple[LetterPiece, ...], told: Iterable[Results | PositionFacts]
) -> tuple[LetterPiece, ...]:
    """Return the pieces on subjects that the others do not have, and the final ones."""
    known = {piece.about for each in told for piece in each.pieces}
    return tuple(piece for piece in pieces if piece.final or piece.about not in known)
