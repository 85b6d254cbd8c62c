"""Lines of a mail as orders of a nation, with a verdict on each line.

A block ORDERS replaces what is on file for the turn; `ORDERS+`, and lines without a block, are
added (N-151). What a line of its own can replace it does: a new RESEARCH, SPAWN, SHED, GOVERNMENT
or TRAITS takes the place of the old one, a DEAL that of the one with the same nation.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from judge.digits import has_digit
from judge.games.nations1940.language.accepting import accepted_offer
from judge.games.nations1940.language.examples import example_of
from judge.games.nations1940.language.grammar import (
    FORMS,
    Said,
    orders_on,
    parse_order,
    verb_of,
)
from judge.games.nations1940.language.lexicon import Lexicon, nearest_verb
from judge.games.nations1940.language.meaning import Meant, meaning_of
from judge.games.nations1940.language.natural import canonical_orders, holds_everything, sentences
from judge.games.nations1940.language.order_words import order_vocabulary
from judge.games.nations1940.language.replacing import orders_of_same_units, replaced_orders
from judge.games.nations1940.language.unread import (
    Unread,
    commanded_order,
    names_in,
    resembled_order,
)
from judge.games.nations1940.rules.legality import Checked, check_orders
from judge.games.nations1940.rules.orders import (
    Disband,
    Escort,
    Govern,
    Missile,
    Move,
    Order,
    Rail,
    Research,
    Sail,
    Scuttle,
    Shed,
    Spawn,
    Trade,
    Traits,
    order_text,
)
from judge.games.nations1940.rules.research import with_requirements
from judge.games.nations1940.rules.world import World
from judge.games.order_likeness import Mark, without_list_mark
from judge.model.incoming import Line
from judge.model.phrase import Complaint, ComplaintKind, Phrase, phrase
from judge.model.withdrawing import order_withdrawn

HEAD, END = re.compile(r"\s*orders(\+?)(?![^\W\d_])(.*)", re.I), re.compile(r"\s*end[\s.!]*", re.I)
_TURN = re.compile(r"\bt\s?([0-9]{1,3})\b", re.I)
_HEADED = re.compile(
    r"(?:(?:my\s+)?(?:orders|moves|befehle)|t\s?[0-9]{1,3})\s*:\s*(?=\S)", re.IGNORECASE
)
"""A title in front of an order on its line."""
_NATION = re.compile(r"\s*([^\W\d_]{3,}(?:\s[^\W\d_]+)?)\s*:\s*(.*)")

REPLACES = (Research, Spawn, Shed, Govern, Traits)
"""Orders of which a nation has one at a time."""

_COUNTED = (Move, Rail, Sail, Escort, Missile, Scuttle, Disband)
"""Orders that take so many of something: twice the same takes twice as many."""

KINDS = {
    "e-syntax": ComplaintKind.UNREADABLE,
    "e-unknown": ComplaintKind.UNREADABLE,
    "e-ambiguous": ComplaintKind.AMBIGUOUS,
    "e-owner": ComplaintKind.NOT_ALLOWED,
    "e-dead": ComplaintKind.NOT_ALLOWED,
    "e-turn": ComplaintKind.TOO_LATE,
}
"""What kind of complaint a code of N-157 is; all others are orders the rules forbid."""


@dataclass
class Verdict:
    """What a line did: the orders it filed, warnings, and what is wrong with it."""

    line: Line
    filed: list[str] = field(default_factory=list)
    notes: list[Phrase] = field(default_factory=list)
    complaints: list[Complaint] = field(default_factory=list)
    """One for each order of the line that is refused."""
    ignored: bool = False
    withdrawn: list[str] = field(default_factory=list, repr=False)

    @property
    def complaint(self) -> Complaint | None:
        """The first thing that is wrong."""
        return self.complaints[0] if self.complaints else None

    def complain(
        self, reason: Phrase, suggestions: Iterable[str] = (), text: str | None = None
    ) -> None:
        """Note what is wrong with a part of the line, or with all of it, once."""
        kind = KINDS.get("-".join(reason.code.split("-")[:2]), ComplaintKind.ILLEGAL)
        number, whole = self.line
        part = whole if text is None else text
        if all(each.text != part or each.reason != reason for each in self.complaints):
            told = Complaint(kind, number, part, reason, suggestions=tuple(suggestions))
            self.complaints.append(told)


class Reading(NamedTuple):
    """What a mail's lines say for one nation."""

    orders: tuple[Order, ...]
    verdicts: tuple[Verdict, ...]
    ready: bool | None
    begun: bool = False
    """A block for this turn began: the sheet counts as sent, even with nothing in it."""


def read_lines(
    world: World, names: Lexicon, nation: str, lines: Sequence[Line], on_file: Sequence[Order]
) -> Reading:
    """Read lines as orders of a nation."""
    reader = _Lines(world, names, nation, on_file)
    verdicts = tuple(map(reader.read, lines))
    return Reading(reader.orders(), verdicts, reader.ready, reader.begun)


class _Lines:
    """The lines of one mail."""

    def __init__(
        self, world: World, names: Lexicon, nation: str, on_file: Sequence[Order]
    ) -> None:
        self._world = world
        self._names = names
        self._nation = nation
        self._words = order_vocabulary(names)
        self._old = list(on_file)
        self._new: list[tuple[Order, Verdict, str | None]] = []
        """Orders with the verdicts on their lines, and the part of the line that each is."""
        self._part: str | None = None
        self._in_block = False
        self._refused: Phrase | None = None
        """Why nothing counts in the block that was begun."""
        self.ready: bool | None = None
        self.begun = False

    def read(self, line: Line) -> Verdict:
        """Take one line in."""
        verdict = Verdict(line)
        text, *comments = re.split(r"//", line.text, maxsplit=1)[0].strip().split(";")
        text = text.strip()
        if line.text.lstrip().startswith(">"):
            verdict.ignored = True
        elif not _HEADED.match(text) and (head := HEAD.fullmatch(text)):
            self._begin(head, verdict)
        elif END.fullmatch(text):
            self._in_block, self._refused = False, None
        elif self._refused:
            verdict.complain(self._refused)
        elif named := self._withdrawn(text):
            for part in named:
                self._withdraw(part, verdict)
        else:
            parts = orders_on(text)
            for part in parts:
                self._part = part if len(parts) > 1 else None
                self._order(part, verdict)
            self._part = None
            for comment in comments:
                self._comment(comment.strip(), verdict)
        return verdict

    def _comment(self, text: str, verdict: Verdict) -> None:
        """Read what follows a semicolon: a comment, unless it is an order."""
        text = without_list_mark(text)
        said, meant = self._meaning(text)
        if said is not None and not meant.fault or holds_everything(text):
            self._order(text, verdict)
        elif self._words.is_order_like(text):
            verdict.complain(phrase("e-syntax", order=text), text=text)

    def _withdrawn(self, text: str) -> list[str]:
        """Return the orders that a line takes off file, as typed; none for another line.

        `CANCEL NAP EGY` is an order itself.
        """
        own = parse_order(text)
        if own is not None and not meaning_of(own, self._names, text).fault:
            return []
        found = orders_on(order_withdrawn(text))
        return found if all(parse_order(part) or FORMS.get(part.lower()) for part in found) else []

    def _withdraw(self, text: str, verdict: Verdict) -> None:
        """Take an order off file, or the only one with a verb."""
        said = parse_order(text)
        on_file = [*self._old, *(order for order, *_ in self._new)]
        if said is None:
            verb = f"{text.upper()} "
            found = [one for one in on_file if self._text(one).startswith(verb)]
        else:
            meant = meaning_of(said, self._names, text)
            if meant.fault:
                verdict.complain(meant.fault, _corrected(text, meant.word, meant.near))
                return
            named = {*map(self._text, meant.orders)}
            found = [one for one in on_file if self._text(one) in named]
        if not found:
            verdict.complain(phrase("withdraw-none", order=text))
        elif said is None and len(found) > 1:
            verdict.complain(
                phrase("withdraw-other", order=text, filed=tuple(map(self._text, found)))
            )
        else:
            self._old = [one for one in self._old if one not in found]
            self._new = [each for each in self._new if each[0] not in found]
            verdict.withdrawn += map(self._text, found)

    def _text(self, order: Order) -> str:
        return order_text(order, self._world.board)

    def _begin(self, head: re.Match[str], verdict: Verdict) -> None:
        """Begin a block; one for another turn counts for nothing (N-151)."""
        self._in_block, self._refused = True, None
        turn = _TURN.search(head[2])
        if turn and int(turn[1]) != self._world.turn:
            self._refused = phrase("e-turn-other", turn=int(turn[1]), now=self._world.turn)
            verdict.complain(self._refused)
            return
        self.begun = True
        if not head[1]:
            self._old, self._new = [], []

    def _order(self, text: str, verdict: Verdict) -> None:
        text = without_list_mark(text)
        if not self._in_block and _HEADED.match(text):
            text = _HEADED.sub("", text)
        if (prefixed := _NATION.fullmatch(text)) and prefixed[1].lower() in FORMS:
            text, prefixed = f"{prefixed[1]} {prefixed[2]}", None
        elif prefixed and canonical_orders(text, self._names):
            prefixed = None
        if prefixed and not prefixed[2] and self._resembles(text, verdict):
            return
        if prefixed:
            if not (self._in_block or self._is_meant(text) or parse_order(prefixed[2])):
                verdict.ignored = verdict.complaint is None and not verdict.filed
                return
            if self._names.nations.find(prefixed[1]).meanings != (self._nation,):
                verdict.complain(phrase("e-owner-nation", order=text, word=prefixed[1]))
                return
            text = prefixed[2]
        if self._in_block and self._words.is_opening(text):
            verdict.ignored = verdict.complaint is None and not verdict.filed
            return
        if holds_everything(text) and (self._in_block or self._is_meant(text)):
            verdict.notes.append(phrase("w-hold-all", order=text))
            return
        accepted = accepted_offer(text, self._names, self._world, self._nation)
        if isinstance(accepted, Phrase):
            verdict.complain(accepted, text=self._part)
            return
        if accepted is not None:
            self._file(accepted, verdict)
            return
        said, meant = self._research_first(text) or self._meaning(text)
        parts = sentences(text) if said is None or meant.fault else []
        if len(parts) > 1 and all(canonical_orders(part, self._names) for part in parts):
            for self._part in parts:
                self._order(self._part, verdict)
            return
        if (said is None or meant.fault) and self._resembles(text, verdict):
            return
        if said is None:
            self._unreadable(text, verdict)
        elif said.verb in ("ready", "notready"):
            self.ready = said.verb == "ready"
            verdict.filed.append(said.verb.upper())
        elif meant.fault and not self._in_block and self._is_talk(text, ""):
            self._ignore(text, verdict)
        else:
            self._take(meant, text, verdict)

    def _resembles(self, text: str, verdict: Verdict) -> bool:
        """Refuse a line that can only be an order, though none can be read in it."""
        found = resembled_order(text, self._names)
        if found is None or Mark.TALK in self._words.marks(text):
            return False
        if found.place or found.nation:
            what = "province" if found.place else "nation"
            word = found.place or found.nation
            near = self._names.place(word).near if found.place else ()
            told = phrase(f"e-unknown-{what}", order=text, word=word)
            verdict.complain(told, _corrected(text, word, near), self._part)
        else:
            self._complain_of_form(found, text.rstrip(": "), verdict)
        return True

    def _complain_of_form(self, found: Unread, order: str, verdict: Verdict) -> None:
        """Refuse a line that resembles an order, and show the form of that order."""
        code = "e-syntax-english" if found.german else "e-syntax-form"
        told = phrase(code, order=order, verb=found.verb, form=FORMS[found.verb])
        fort = [f"BUILD {order.upper()}"] if _FORTIFIES.match(order) else []
        verdict.complain(self._with_example(told), fort, self._part)

    def _meaning(self, text: str) -> tuple[Said | None, Meant]:
        """Return what a text says and means: by the language, or else as people write it."""
        said = parse_order(text)
        meant = Meant() if said is None else meaning_of(said, self._names, text)
        if said is not None and not (meant.fault or meant.notes):
            return said, meant
        free = canonical_orders(text, self._names)
        read = [one for one in map(parse_order, free) if one]
        if not read:
            return said, meant
        if read[0].verb in ("ready", "notready"):
            return read[0], Meant()
        found = [meaning_of(one, self._names, line) for one, line in zip(read, free, strict=True)]
        fault = next((one for one in found if one.fault), None)
        is_talk = not self._in_block and self._words.is_talk(text)
        if is_talk and (fault or any(one.notes for one in found)):
            return said, meant
        if fault and (said or not (self._in_block or self._is_meant(text))):
            return said, meant
        if fault:
            return read[0], fault
        orders = tuple(order for one in found for order in one.orders)
        return read[0], Meant(orders, notes=tuple(note for one in found for note in one.notes))

    def _research_first(self, text: str) -> tuple[Said | None, Meant] | None:
        """Return the queue with technologies put in front, or None for another line."""
        found = _FIRST.fullmatch(text)
        if found is None:
            return None
        said, meant = self._meaning(f"RESEARCH {found[1] or found[2]}")
        if meant.fault or len(meant.orders) != 1 or not isinstance(meant.orders[0], Research):
            return None
        filed = [one.techs for one in self._old if isinstance(one, Research)]
        queue = filed[-1] if filed else self._world.nations[self._nation].queue
        techs = tuple(dict.fromkeys((*meant.orders[0].techs, *queue)))
        return said, meant._replace(orders=(Research(techs),))

    def _take(self, meant: Meant, text: str, verdict: Verdict) -> None:
        """File the orders that a text means, or complain of the name in it that means nothing."""
        if meant.fault and meant.fault.code == "e-unknown-kind" and meant.word in _ARTICLES:
            meant = Meant(fault=phrase("e-syntax-form", order=text, verb="build", form=""))
        if meant.fault:
            found = _corrected(text, meant.word, meant.near)
            near = [self._complete_research(one) for one in found]
            verdict.complain(self._with_example(meant.fault), near, self._part)
        verdict.notes += meant.notes
        for order in meant.orders:
            self._file(order, verdict)

    def _complete_research(self, line: str) -> str:
        """Return a line, one of research with all that it requires."""
        said = parse_order(line)
        meant = meaning_of(said, self._names, line) if said else Meant()
        if len(meant.orders) != 1 or not isinstance(meant.orders[0], Research):
            return line
        queue = with_requirements(self._world, self._nation, meant.orders[0].techs)
        return self._text(Research(queue)) if len(queue) > len(meant.orders[0].techs) else line

    def _with_example(self, fault: Phrase) -> Phrase:
        """Return a complaint about a form with an order of this nation in that form."""
        verb = fault.facts.get("verb")
        if not isinstance(verb, str):
            return fault
        order = str(fault.facts["order"])
        named = names_in(order, self._names)
        is_bare = bool(named) or len(order.split()) <= 1
        if example := example_of(self._world, self._nation, verb, named, is_bare=is_bare):
            return Phrase(fault.code, {**fault.facts, "form": example})
        is_german = fault.code == "e-syntax-english"
        code = "e-syntax-english-shape" if is_german else "e-syntax-shape"
        return Phrase(code, {**fault.facts, "form": FORMS[verb]})

    def _unreadable(self, text: str, verdict: Verdict) -> None:
        verb = verb_of(text)
        if not self._in_block and self._is_talk(text, verb):
            self._ignore(text, verdict)
            return
        if verb:
            told = phrase("e-syntax-form", order=text, verb=verb, form=FORMS[verb])
            verdict.complain(self._with_example(told), text=self._part)
            return
        first = text.split()[0].lower() if text.split() else ""
        near = nearest_verb(first, tuple(FORMS))
        is_slip = len(first) >= _MIN_SLIP and bool(names_in(text, self._names))
        if near and (self._in_block or self._is_meant(text) or is_slip):
            corrected = f"{near.upper()}{text[len(first):]}"
            is_order = parse_order(corrected) is not None
            told = phrase("e-syntax", order=text)
            verdict.complain(told, [corrected] if is_order else (), self._part)
        elif self._in_block or self._words.is_order_like(text):
            verdict.complain(phrase("e-syntax", order=text), text=self._part)
        else:
            self._ignore(text, verdict)

    def _ignore(self, text: str, verdict: Verdict) -> None:
        """Take a text for talk, unless it commands something by name."""
        if found := commanded_order(text, self._names):
            self._complain_of_form(found, text, verdict)
        else:
            verdict.ignored = verdict.complaint is None and not verdict.filed

    def _is_talk(self, text: str, verb: str) -> bool:
        """Return whether a line that cannot be read is talk, though it may begin with a verb."""
        if self._words.is_talk(re.sub(r"\([^()]*\)", " ", text)):
            return True
        short = len(text.split()) <= _MAX_SHORT_WORDS and text[-1:] not in "!?."
        named = has_digit(text) or Mark.PLACE in self._words.marks(text)
        return bool(verb) and not (short or text.isupper() or named or self._is_meant(text))

    def _is_meant(self, text: str) -> bool:
        return self._words.is_order_like(text)

    def _file(self, order: Order, verdict: Verdict) -> None:
        self._old = [one for one in self._old if one != order or isinstance(one, _COUNTED)]
        self._new.append((order, verdict, self._part))

    def orders(self) -> tuple[Order, ...]:
        """Check everything together, and return what is on file now."""
        mine = [order for order, *_ in self._new]
        replaced = self._find_replaced(mine)
        checked = check_orders(self._world, self._nation, [*_without(self._old, replaced), *mine])
        faults = [one.fault for one in checked[len(checked) - len(mine) :]]
        if any(faults):
            # A refused order replaces nothing.
            replaced = [
                [] if fault else old for fault, old in zip(faults, replaced, strict=True)
            ]
        kept = _without(self._old, replaced)
        verdicts = check_orders(self._world, self._nation, [*kept, *mine])[len(kept) :]
        for found, old, (_, verdict, part) in zip(verdicts, replaced, self._new, strict=True):
            if old and not found.fault:
                texts = tuple(map(self._text, old))
                told = phrase("w-replaced", order=self._text(found.order), filed=texts)
                verdict.notes.append(told)
            self._tell(found, verdict, part, kept)
        return tuple(kept)

    def _find_replaced(self, mine: Sequence[Order]) -> list[list[Order]]:
        """Return for each new order the orders on file that it takes the place of."""
        found: list[list[Order]] = []
        for at, order in enumerate(mine):
            others = [*mine[:at], *mine[at + 1 :]]
            old = _without(self._old, found)
            found.append(replaced_orders(self._world, self._nation, order, old, others))
        return found

    def _remedies(self, checked: Checked, kept: Sequence[Order]) -> list[str]:
        """Return lines to send in place of a refused order, or before it."""
        if checked.fault and checked.fault.code.startswith(("e-count-", "e-twice-hq")):
            old = orders_of_same_units(checked.order, kept)
            return [f"WITHDRAW {self._text(one)}" for one in old]
        return self._queue(checked)

    def _queue(self, checked: Checked) -> list[str]:
        """Return the research that works in place of one that lacks requirements."""
        order = checked.order
        if not isinstance(order, Research) or not checked.fault:
            return []
        if checked.fault.code != "e-queue":
            return []
        return [self._text(Research(with_requirements(self._world, self._nation, order.techs)))]

    def _tell(
        self, checked: Checked, verdict: Verdict, part: str | None, kept: list[Order]
    ) -> None:
        if checked.fault:
            verdict.complain(checked.fault, self._remedies(checked, kept), part)
            return
        verdict.notes += checked.notes
        if not checked.is_filed:
            return
        verdict.filed.append(order_text(checked.order, self._world.board))
        kept[:] = [one for one in kept if not _is_replaced(one, checked.order)]
        kept.append(checked.order)


_ARTICLES = ("a", "an", "the", "one", "my", "our", "another")
_FORTIFIES = re.compile(r"for\s", re.IGNORECASE)
_FIRST = re.compile(
    r"(?:please\s+)?(?:research|re|study|develop)\s+"
    r"(?:first\s*:?\s+(\S.*?)|(\S.*?),?\s+first)[.!\s]*",
    re.IGNORECASE,
)
"""Technologies that come before those of the present queue."""
_MIN_SLIP = 5
"""Letters of the shortest first word that is taken for a misspelt verb in any line."""
_MAX_SHORT_WORDS = 2
"""Words of a line that is an order cut short rather than a sentence."""


def _without(orders: Sequence[Order], left_out: Iterable[Sequence[Order]]) -> list[Order]:
    """Return orders without others, each left out once."""
    kept = list(orders)
    for order in (order for each in left_out for order in each):
        kept.remove(order)
    return kept


def _is_replaced(old: Order, new: Order) -> bool:
    """Tell whether a new order takes the place of an old one."""
    if old == new:
        return not isinstance(new, _COUNTED)
    if isinstance(old, REPLACES):
        return type(old) is type(new)
    return isinstance(old, Trade) and isinstance(new, Trade) and old.nation == new.nation


def _corrected(text: str, word: str, near: Sequence[str]) -> list[str]:
    """Return an order with other names for a word, as lines that can be sent."""
    found = re.search(re.escape(word), text, re.I)
    if not found:
        return []
    return [f"{text[:found.start()]}{name}{text[found.end():]}" for name in near]
