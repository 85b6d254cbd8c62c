"""What a game system tells letters, pages and programs: values with a name for everything.

The templates of `mailtemplates/common` tell all of it; a system with templates of the same names
tells it its own way. What they do not know of, it adds as a `Piece`: a template of its own with the
facts that this one takes. Facts carry names, figures and phrases; sentences are made in templates.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import chain, zip_longest
from typing import NamedTuple

from judge.model.phrase import Phrase


class Trust(NamedTuple):
    """A unit that its owner lets another power, the holder, order in this phase.

    `order` is what the holder has ordered, empty where nothing yet. Only the owner, the holder
    and the master may hear of it, and only the holder and the master of the order.
    """

    owner: str
    holder: str
    unit: str
    order: str = ""


Words = str | Phrase
"""A name or a line as it stands, or a phrase that letters say in the language of their reader."""


class Piece(NamedTuple):
    """Something of a system's own in what a letter tells.

    `template` is the first part of the names of its templates: `NAME.txt` for texts; `NAME.html`
    for pages of letters and `page-NAME.page` for the site, where it deserves them. They know the
    piece as `piece`. `about` is what it tells of: of pieces about the same a letter has the first,
    or the one that is `final`.
    """

    template: str
    facts: object
    about: str
    final: bool = False


class Draft(NamedTuple):
    """A line to send; `open`: it only begins, and the player goes on."""

    line: str
    open: bool = False


class Row(NamedTuple):
    """Who has what: a power, or whoever else is listed, and what stands there of it."""

    who: Words
    what: tuple[Words, ...]


class Score(NamedTuple):
    """What a power has of what wins the game, and how much of it came since it was last told.

    What it is counted in, the system's phrase `score-unit` says: "centres", "points".
    """

    power: str
    points: int
    gained: int = 0


@dataclass(frozen=True, slots=True)
class Sheet:
    """What a power has on file for a phase, as a receipt tells it."""

    power: str
    title: Phrase | None
    """What stands above: "Movement orders for Spring of 1901."; None: it was said before."""
    lines: tuple[Words, ...]
    """What is on file, line by line."""
    missing: tuple[Words, ...]
    """What is still to be decided, as `Table.missing` has it."""
    draft: tuple[Draft, ...]
    """What is on file as lines that can be sent, and the beginnings of those still missing."""
    clock: str = ""
    """The clock of the phase it is for."""
    warnings: tuple[Phrase, ...] = ()
    """What is possible, but odd."""
    impossible: tuple[Phrase, ...] = ()
    """Why orders on file would fail: other orders have taken what they need."""
    default: Phrase | None = None
    """What becomes of what has no order; said where something is missing."""
    entrusted: tuple[Trust, ...] = ()
    """Units of others that the power may order; the judge adds them, from `Proxies.trusts`."""
    pieces: tuple[Piece, ...] = ()
    is_open_ended: bool = False
    """True if the power may give any number of orders, so that only those on file are counted."""
    final_word: str = ""
    """The line that makes the orders final, while they are not; nothing where none is needed."""

    def beside(self, *told: "Results | Standing") -> "Sheet":
        """Return the sheet without what the same letter tells already."""
        return replace(self, pieces=_left(self.pieces, told)) if self.pieces else self


@dataclass(frozen=True, slots=True)
class Standing:
    """How a game stands, as far as a reader may know it."""

    title: Phrase
    phase: str
    """The label of the phase."""
    rows: tuple[Row, ...]
    """Each power and what it has on the board; a row without anything is not shown."""
    sight: Phrase | None = None
    """What the reader sees of a hidden game, where that is not everything."""
    scores: tuple[Score, ...] = ()
    pieces: tuple[Piece, ...] = ()

    def beside(self, *told: "Results") -> "Standing":
        """Return the standing without what the same letter tells already."""
        return replace(self, pieces=_left(self.pieces, told)) if self.pieces else self


class Deed(NamedTuple):
    """An order and what became of it.

    `text` is the line for texts. Pages show `order` and, beside it, `tags`: what became of it in a
    word or two. `reason` says why, where that is not plain; `by` is who ordered it for its owner.
    """

    text: Words
    order: Words = ""
    tags: tuple[Words, ...] = ()
    reason: Phrase | None = None
    by: str = ""


class Deeds(NamedTuple):
    """What a power did in a phase.

    `idle` tells what it did in one sentence where it ordered nothing: pages show that, and of its
    lines those alone that have tags.
    """

    power: str
    lines: tuple[Deed, ...]
    idle: Phrase | None = None


class Fate(NamedTuple):
    """What became of something of the reader's own.

    `what` is the order, as short as it can be sent; `verdict` says in a word or two what became of
    it, and `why` in whole sentences what is not plain. What `is_lost`, driven off or failed comes
    first.
    """

    what: Words
    verdict: Phrase
    why: tuple[Phrase, ...] = ()
    is_lost: bool = False
    by: str = ""
    """Who ordered it for its owner."""


_MANY = "-many"
"""The end of the code of a clause that counts units; without it the clause names them."""


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
    """A phase as one reader wants it first: in a sentence, what became of his own, and the rest."""

    turn: Phrase
    gist: tuple[Phrase, ...]
    """What happened to him, in clauses that one sentence and the subject of the letter are made of;
    for who only watches, to all."""
    power: str = ""
    """Whose it is; empty for who only watches."""
    fates: tuple[Fate, ...] = ()
    elsewhere: tuple[Phrase, ...] = ()
    """What happened to the others, in clauses."""
    near: tuple[str, ...] = ()
    """The powers that he has to do with: what they did is told before what the rest did."""
    due: Phrase | None = None
    """What he has to send next, if he has: "retreats due"."""
    headline: tuple[Phrase, ...] = ()
    """Clauses for the subject where those of `gist` are too long for it."""
    is_quiet: bool = False
    """True if the gist says only that nothing happened."""

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
        """The sentence above all: "CHINA, Spring of 1904: you lost A IMO."."""
        code = "brief-title" if self.power else "brief-title-all"
        return Phrase(code, {"power": self.power, "turn": self.turn, "gist": self.gist})


@dataclass(frozen=True, slots=True)
class Results:
    """An adjudicated phase, as far as a reader may know it."""

    phase: str
    """The label of the phase that was played."""
    title: Phrase
    groups: tuple[Deeds, ...]
    """What was done, power by power; powers that did nothing have none."""
    next: str = ""
    """The label of the phase to come; empty once the game has ended."""
    next_title: Phrase | None = None
    """What the phase to come is called: "Retreats for Spring of 1901"."""
    ending: Phrase | None = None
    """Why the game has ended with it."""
    notices: tuple[Phrase, ...] = ()
    """What everybody should know besides."""
    sight: Phrase | None = None
    """What the reader sees of a hidden game, where that is not everything."""
    scores: tuple[Score, ...] = ()
    """The score, where this phase settled it: then the letter has the years too."""
    pieces: tuple[Piece, ...] = ()

    def beside(self, *told: "Results | Standing") -> "Results":
        """Return the results without what the same letter tells for good elsewhere."""
        known = {piece.about for each in told for piece in each.pieces if piece.final}
        left = tuple(piece for piece in self.pieces if piece.about not in known)
        return replace(self, pieces=left) if len(left) < len(self.pieces) else self

    def led_by(self, *powers: str) -> "Results":
        """Return the results with what some powers did first, in this order."""
        ranks = {power: rank for rank, power in enumerate(dict.fromkeys(powers))}
        groups = sorted(self.groups, key=lambda group: ranks.get(group.power, len(ranks)))
        return replace(self, groups=tuple(groups))


class Year(NamedTuple):
    """One row of the years: what each power had at its end; "?" where that is not known."""

    year: str
    counts: tuple[int | str, ...]


@dataclass(frozen=True, slots=True)
class Annals:
    """How a game went, year by year."""

    title: Phrase
    powers: tuple[str, ...]
    letters: tuple[str, ...]
    """Their letters, which head the columns."""
    rows: tuple[Year, ...]
    pieces: tuple[Piece, ...] = ()
    goal: int = 0
    """How much of it wins the game; 0 where no number alone does."""


class Place(NamedTuple):
    """One row of a board told in words: a place, whose it is, and what stands there."""

    place: str
    owner: Words
    unit: Words


class Region(NamedTuple):
    """A part of a board; `empty` are the places of which there is nothing to tell."""

    name: str
    rows: tuple[Place, ...]
    empty: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Places:
    """The whole board, place by place: a picture in words."""

    title: Phrase
    regions: tuple[Region, ...]
    shut: tuple[str, ...] = ()
    """Places nobody may enter."""
    sight: Phrase | None = None
    pieces: tuple[Piece, ...] = ()


def _left(pieces: tuple[Piece, ...], told: Iterable[Results | Standing]) -> tuple[Piece, ...]:
    """Return the pieces about something else than those told already."""
    known = {piece.about for each in told for piece in each.pieces}
    return tuple(piece for piece in pieces if piece.final or piece.about not in known)
