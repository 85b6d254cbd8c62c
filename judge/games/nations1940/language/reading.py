"""Lines of a mail as orders of a nation, with a verdict on each line.

A block ORDERS replaces the orders on file for the turn. `ORDERS+` and lines without a block add to
them (N-151). A new RESEARCH, SPAWN, SHED, GOVERNMENT or TRAITS replaces the old one, a new DEAL the
one with the same nation.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

from judge.digits import has_digit
from judge.games.nations1940.language.answers import OfferAnswer, read_answer
from judge.games.nations1940.language.examples import Wanted, examples_of, likes_of
from judge.games.nations1940.language.filing import Filing
from judge.games.nations1940.language.grammar import (
    FORMS,
    ParsedOrder,
    orders_on,
    parse_order,
    verb_of,
)
from judge.games.nations1940.language.lexicon import ScenarioLexicon, nearest_verb
from judge.games.nations1940.language.listing import (
    change_of_queue,
    listed_orders,
    with_kinds_repaired,
)
from judge.games.nations1940.language.meaning import ResolvedLine, meaning_of
from judge.games.nations1940.language.natural import canonical_orders, holds_everything, sentences
from judge.games.nations1940.language.order_words import order_vocabulary
from judge.games.nations1940.language.patterns import pattern
from judge.games.nations1940.language.suggesting import (
    FORTIFIES,
    complete_queue,
    complete_research,
    correct,
    keep_working_lines,
)
from judge.games.nations1940.language.unread import (
    commanded_order,
    likely_verb,
    mentioned_order,
    names_in,
    resembled_order,
    techs_in,
)
from judge.games.nations1940.language.verdicts import NationsVerdict
from judge.games.nations1940.language.withdrawing import (
    describe,
    is_about,
    lines_instead,
    may_name_units,
    not_withdrawn,
    orders_described,
    wanted_in,
    without_standing,
)
from judge.games.nations1940.rules.legality import check_orders
from judge.games.nations1940.rules.orders import (
    ArmyMove,
    Cancel,
    Order,
    Rail,
    Research,
    Sail,
    Trade,
    Treaty,
    War,
    Withdraw,
)
from judge.games.nations1940.rules.state import bond
from judge.games.nations1940.rules.world import World
from judge.games.order_likeness import WordKind, without_list_mark
from judge.model.incoming import Line
from judge.model.phrase import Phrase, phrase
from judge.model.withdrawing import order_withdrawn

HEAD, END = re.compile(r"\s*orders(\+?)(?![^\W\d_])(.*)", re.I), re.compile(r"\s*end[\s.!]*", re.I)
_TURN = re.compile(r"\bt\s?([0-9]{1,3})\b", re.I)

_MAX_TRIED = 100
"""Maximum number of suggestions tried for one mail. No others are shown."""


class NationsReading(NamedTuple):
    """Orders and verdicts from the lines of one mail of a nation."""

    orders: tuple[Order, ...]
    verdicts: tuple[NationsVerdict, ...]
    ready: bool | None
    begun: bool = False
    """True if a block for this turn began. The sheet then counts as sent, even if it is empty."""


def read_lines(
    world: World,
    names: ScenarioLexicon,
    nation: str,
    lines: Sequence[Line],
    on_file: Sequence[Order],
) -> NationsReading:
    """Parse lines as orders of a nation.

    Suggestions are tried, and only those without a fault are kept.
    """
    found = _read(world, names, nation, lines, on_file)
    left = iter(range(_MAX_TRIED))

    def fault_of(text: str) -> Phrase | None:
        if next(left, None) is None:
            return phrase("e-syntax", order=text)
        tried = _read(world, names, nation, [Line(1, text)], found.orders).verdicts[0]
        if tried.complaint or not tried.ignored:
            return tried.complaint.reason if tried.complaint else None
        return phrase("e-syntax", order=text)

    for verdict in found.verdicts:
        keep_working_lines(verdict, fault_of)
    return found


def _read(
    world: World,
    names: ScenarioLexicon,
    nation: str,
    lines: Sequence[Line],
    on_file: Sequence[Order],
) -> NationsReading:
    reader = _Lines(world, names, nation, on_file)
    verdicts = tuple(map(reader.read, lines))
    orders = reader.filing.finish()
    for verdict in verdicts:
        for text in verdict.unread if verdict.filed or verdict.complaints else ():
            # Text next to another order of the line is hardly talk.
            verdict.complain(phrase("e-syntax", order=text), text=text)
        verdict.ignored = verdict.ignored and not (verdict.filed or verdict.complaints)
    return NationsReading(orders, verdicts, reader.ready, reader.begun)


class _Lines:
    """Reader of the lines of one mail."""

    def __init__(
        self, world: World, names: ScenarioLexicon, nation: str, on_file: Sequence[Order]
    ) -> None:
        self._world = world
        self._names = names
        self._nation = nation
        self._words = order_vocabulary(names)
        self._own = {
            f"#{n}" for n, province in world.provinces.items()
            if province.owner == nation or province.armies.get(nation)
        }
        """Provinces owned or with own armies, whose names hardly occur in talk to the judge."""
        self.filing = Filing(world, nation, on_file)
        self._part: str | None = None
        """Part of the line that is being read, None for a whole line."""
        self._in_block = False
        self._refused: Phrase | None = None
        """Reason why the lines of the present block are refused, or None."""
        self.ready: bool | None = None
        self.begun = False

    def read(self, line: Line) -> NationsVerdict:
        """Read one line and return its verdict."""
        verdict = NationsVerdict(line)
        text, *comments = re.split(r"//", line.text, maxsplit=1)[0].strip().split(";")
        text = text.strip()
        if line.text.lstrip().startswith(">"):
            verdict.ignored = True
        elif not pattern("title").match(text) and (head := HEAD.fullmatch(text)):
            self._begin(head, verdict)
        elif END.fullmatch(text):
            self._in_block, self._refused = False, None
        elif self._refused:
            verdict.complain(self._refused)
        elif not self._is_withdrawal(text, verdict):
            parts = orders_on(text)
            for part in parts:
                self._part = part if len(parts) > 1 else None
                self._order(part, verdict)
            self._part = None
            for comment in comments:
                self._comment(comment.strip(), verdict, verb_of(parts[0]) if parts else "")
        return verdict

    def _comment(self, text: str, verdict: NationsVerdict, verb: str) -> None:
        """Read the text after a semicolon: a comment, unless it is an order.

        It may share the verb of the order before it ("RESEARCH Sonar; Radar").
        """
        text = without_list_mark(text)
        said, meant = self._meaning(text)
        if said is None or meant.fault:
            _, found = self._meaning(f"{verb} {text}") if verb else (None, ResolvedLine())
            text = f"{verb} {text}" if found.orders and not found.notes else text
            said, meant = self._meaning(text)
        if said is not None and not meant.fault or holds_everything(text):
            self._order(text, verdict)
        elif self._words.is_order_like(text):
            verdict.complain(phrase("e-syntax", order=text), text=text)

    def _is_withdrawal(self, text: str, verdict: NationsVerdict) -> bool:
        """Take orders off file if a line means that. Return whether it does.

        `CANCEL NAP EGY` is an order itself, unless the treaty is only announced by an order on
        file.
        """
        named = order_withdrawn(pattern("stops").sub("cancel ", text))
        if not named:
            return False
        if pattern("no-war").match(text) and not self.filing.has(War):
            return False
        said, meant = self._meaning(text)
        if said is not None and not meant.fault:
            return self._takes_announcement_back(meant.orders, verdict)
        takes = [self._withdraw(part, text, verdict) for part in orders_on(named)]
        return any(takes)

    def _takes_announcement_back(self, orders: Sequence[Order], verdict: NationsVerdict) -> bool:
        """Take announcements off file if the orders to end them are illegal.

        Such orders need a treaty in force or a public offer. Return whether any was taken off.
        """
        named = [
            Treaty(one.kind, one.nation) for one in orders if isinstance(one, Cancel | Withdraw)
        ]
        on_file, bonds = self.filing.orders(), self._world.bonds
        found: list[Order] = [
            one for one in named
            if one in on_file and bond(one.kind, self._nation, one.nation) not in bonds
        ]
        deals = {one.nation for one in orders if isinstance(one, Withdraw) and one.kind == "DEAL"}
        found += [one for one in on_file if isinstance(one, Trade) and one.nation in deals]
        checked = check_orders(self._world, self._nation, orders) if found else ()
        if not found or not all(one.fault for one in checked):
            return False
        self.filing.take_off(found, verdict)
        return True

    def _withdraw(self, part: str, line: str, verdict: NationsVerdict) -> bool:
        """Take the orders off file that a part of a line names.

        Return whether it is a withdrawal, even if it is refused.
        """
        _, meant = self._meaning(part)
        named = {*map(self.filing.text, meant.orders)}
        if found := [one for one in self.filing.orders() if self.filing.text(one) in named]:
            self.filing.take_off(found, verdict)
            return True
        what = describe(part, self._names)
        if what is None and meant.fault:
            verdict.complain(meant.fault, correct(line, meant.word, meant.near))
            return True
        if what is None or not (what.types or what.kinds or may_name_units(line)):
            return False
        on_file = self.filing.good_orders()
        found = orders_described(what, on_file, self._names)
        if len(found) == 1 or found and what.has_all:
            self.filing.take_off(found, verdict)
        elif order := without_standing(what, self._world, self._nation):
            self.filing.add(order, verdict, self._part)
        else:
            told = not_withdrawn(part, what, found, self._world, self._nation)
            others = what._replace(number=0)
            near = found or orders_described(others, on_file, self._names)
            lines = [f"CANCEL {self.filing.text(one)}" for one in near]
            verdict.complain(told, lines or lines_instead(what, self._world, self._nation))
        return True

    def _begin(self, head: re.Match[str], verdict: NationsVerdict) -> None:
        """Begin a block, which counts only if it is for this turn (N-151)."""
        self._in_block, self._refused = True, None
        turn = _TURN.search(head[2])
        if turn and int(turn[1]) != self._world.turn:
            self._refused = phrase("e-turn-other", turn=int(turn[1]), now=self._world.turn)
            verdict.complain(self._refused)
            return
        self.begun = True
        if not head[1]:
            self.filing.clear()

    def _order(self, text: str, verdict: NationsVerdict) -> None:
        named = self._without_nation(without_list_mark(text), verdict)
        if named is None:
            return
        text = named
        if self._in_block and self._words.is_opening(text):
            verdict.ignored = True
        elif holds_everything(text) and (self._in_block or self._is_meant(text)):
            verdict.notes.append(phrase("w-hold-all", order=text))
        elif answer := read_answer(text, self._names, self._world, self._nation):
            self._answer(answer, verdict)
        else:
            self._plain_order(text, verdict)

    def _without_nation(self, text: str, verdict: NationsVerdict) -> str | None:
        """Return an order without a title or nation before it."""
        if not self._in_block and pattern("title").match(text):
            text = pattern("title").sub("", text)
        prefixed = pattern("prefixed").fullmatch(text)
        if prefixed and prefixed[1].lower() in FORMS:
            return f"{prefixed[1]} {prefixed[2]}"
        if prefixed is None or canonical_orders(text, self._names):
            return text
        if not prefixed[2] and self._resembles(text, verdict):
            return None
        if not (self._in_block or self._is_meant(text) or parse_order(prefixed[2])):
            self._ignore(text, verdict)
            return None
        if self._names.place(prefixed[1]).meanings:
            self._complain_of_form(likely_verb(text) or "move", text, verdict)
            return None
        if self._names.nations.find(prefixed[1]).meanings != (self._nation,):
            verdict.complain(phrase("e-owner-nation", order=text, word=prefixed[1]))
            return None
        return prefixed[2]

    def _answer(self, answer: OfferAnswer, verdict: NationsVerdict) -> None:
        """File the orders of an answer to another nation, or complain about its fault."""
        if answer.fault:
            lines = [self.filing.text(order) for order in answer.orders]
            verdict.complain(answer.fault, lines, self._part)
            return
        for order in answer.orders:
            self.filing.add(order, verdict, self._part)

    def _plain_order(self, text: str, verdict: NationsVerdict) -> None:
        said, meant = self._queue_change(text) or self._meaning(text)
        if said is None or meant.fault or meant.notes:
            parts = self._parts(text, is_noted=bool(said and not meant.fault))
            if parts:
                self._orders_in(parts, verdict)
                return
        if said is None or meant.fault:
            plain, notes = with_kinds_repaired(text, self._names)
            found, repaired = self._meaning(plain) if notes else (None, meant)
            if found is not None and not repaired.fault:
                said, meant = found, repaired._replace(notes=(*notes, *repaired.notes))
            elif self._resembles(text, verdict):
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

    def _parts(self, text: str, *, is_noted: bool) -> list[str]:
        """Return the orders of a line that is readable only in pieces, if there are any."""
        parts = sentences(text)
        if not is_noted and len(parts) > 1:
            if all(canonical_orders(part, self._names) for part in parts):
                return parts

        def clarity(part: str) -> int:
            meant = self._meaning(part)[1]
            return (not meant.notes and 2 or not is_noted) if meant.orders else 0

        return listed_orders(text, clarity, self._start_of)

    def _start_of(self, text: str) -> str:
        """Return a move up to its start, with {n} for its count, or an empty string."""
        match self._meaning(text)[1].orders:
            case [ArmyMove(_, (start, *_), hq=False) | Rail(_, (start, *_), False)] as orders:
                verb = "RAIL" if isinstance(orders[0], Rail) else "MOVE"
                return f"{verb} {{n}} #{start}"
            case [Sail(_, (start, *_))]:
                return f"FLEET {{n}} {f'#{start}' if isinstance(start, int) else start}"
        return ""

    def _orders_in(self, parts: Sequence[str], verdict: NationsVerdict) -> None:
        before = self._part
        for self._part in parts:
            self._order(self._part, verdict)
        self._part = before

    def _resembles(self, text: str, verdict: NationsVerdict) -> bool:
        """Refuse an unreadable line that can only be an order. Return whether it is."""
        found = resembled_order(text, self._names)
        if found is None or WordKind.TALK in self._words.marks(text):
            return False
        if found.place or found.nation:
            what = "province" if found.place else "nation"
            word = found.place or found.nation
            near = self._names.place(word).near if found.place else ()
            told = phrase(f"e-unknown-{what}", order=text, word=word, names=near)
            lines = [*correct(text, word, near), *self._examples(found.verb, " ".join(near))]
            verdict.complain(told, lines, self._part)
        else:
            order = text.rstrip(": ")
            self._complain_of_form(found.verb, order, verdict, is_german=found.german)
        return True

    def _complain_of_form(
        self, verb: str, order: str, verdict: NationsVerdict, *, is_german: bool = False
    ) -> None:
        """Refuse a line that resembles an order, with the form of that order."""
        code = "e-syntax-english" if is_german else "e-syntax-form"
        verb = "cancel" if pattern("negated").match(order) else verb
        lines = self._lines_meant(order)
        if verb == "cancel":
            on_file = map(self.filing.text, self.filing.orders())
            lines = [f"CANCEL {text}" for text in on_file if is_about(order, text, self._names)]
        self._complain(phrase(code, order=order, verb=verb), verdict, lines)

    def _complain(
        self, reason: Phrase, verdict: NationsVerdict, suggestions: Sequence[str] = ()
    ) -> None:
        """Refuse a part of a line, with examples if its form is wrong."""
        order, verb = str(reason.facts.get("order", "")), str(reason.facts.get("verb", ""))
        if not verb:
            verdict.complain(reason, suggestions, self._part)
            return
        if verb == "move":
            verb = "move_hq" if pattern("names-hq").search(order) else verb
            verb = "rail" if pattern("names-rail").search(order) else verb
        examples = self._examples(verb, order)
        wanted = self._find_wanted(verb, order)
        is_plain = reason.code == "e-syntax-form" and verb != "research"
        likes = likes_of(self._world, self._nation, verb, wanted) if is_plain else ()
        verdict.complain(
            Phrase(reason.code, {**reason.facts, "verb": verb}), suggestions, self._part,
            examples, likes,
        )

    def _examples(self, verb: str, text: str) -> list[str]:
        """Return example orders with a verb and the names of a text."""
        wanted = self._find_wanted(verb, text)
        if verb == "research" and (techs := techs_in(text, self._names)):
            queue = complete_queue(self._world, self._nation, techs)
            return [self.filing.text(Research(queue))] if len(techs) == 1 else []
        is_war, is_item = bool(_WAR.search(text)), bool(wanted and wanted.places)
        if verb == "war" and not is_war or verb == "give" and not is_item:
            return []
        return examples_of(self._world, self._nation, verb, wanted)

    def _find_wanted(self, verb: str, text: str) -> Wanted | None:
        """Return the names that an example must have, or None for a text of one word."""
        return wanted_in(text, verb, self._names) if len(text.split()) > 1 else None

    def _meaning(self, text: str) -> tuple[ParsedOrder | None, ResolvedLine]:
        """Return the parsed order and the meaning of a text, worded exactly or freely."""
        said = parse_order(text)
        meant = ResolvedLine() if said is None else meaning_of(said, self._names, text)
        if said is not None and not (meant.fault or meant.notes):
            return said, meant
        free = canonical_orders(text, self._names)
        read = [one for one in map(parse_order, free) if one]
        if not read:
            return said, meant
        if read[0].verb in ("ready", "notready"):
            return read[0], ResolvedLine()
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
        notes = tuple(note for one in found for note in one.notes)
        return read[0], ResolvedLine(orders, notes=notes)

    def _queue_change(self, text: str) -> tuple[ParsedOrder | None, ResolvedLine] | None:
        """Return the queue as changed by a line, or None for any other line."""
        change = change_of_queue(text)
        if change is None:
            return None
        said, meant = self._meaning(f"RESEARCH {change.techs}")
        if meant.fault or len(meant.orders) != 1 or not isinstance(meant.orders[0], Research):
            return None
        filed = [one.techs for one in self.filing.orders() if isinstance(one, Research)]
        queue = filed[-1] if filed else self._world.nations[self._nation].queue
        new = meant.orders[0].techs
        techs = dict.fromkeys((*new, *queue) if change.is_first else (*queue, *new))
        return said, meant._replace(orders=(Research(tuple(techs)),))

    def _take(self, meant: ResolvedLine, text: str, verdict: NationsVerdict) -> None:
        """File the orders that a text means, or complain about a name in it."""
        if meant.fault and meant.word in _ARTICLES and verb_of(text) == "build":
            meant = ResolvedLine(fault=phrase("e-syntax-form", order=text, verb="build", form=""))
        if meant.fault:
            near = [
                complete_research(line, self._names, self._world, self._nation)
                for line in correct(text, meant.word, meant.near)
            ]
            fault = meant.fault
            if verb_of(text) in _STAYING and fault.code == "e-unknown-province":
                near += self._examples(verb_of(text), text)
            if fault.code.startswith("e-unknown"):
                fault = Phrase(fault.code, {**fault.facts, "names": meant.near})
            self._complain(fault, verdict, near)
        verdict.notes += meant.notes
        for order in meant.orders:
            self.filing.add(order, verdict, self._part)

    def _unreadable(self, text: str, verdict: NationsVerdict) -> None:
        verb = verb_of(text)
        if not self._in_block and self._is_talk(text, verb):
            self._ignore(text, verdict)
            return
        first = text.split()[0].lower() if text.split() else ""
        near = verb or nearest_verb(first, tuple(FORMS))
        is_slip = len(first) >= _MIN_SLIP and bool(names_in(text, self._names))
        is_order = self._in_block or self._is_meant(text)
        if not near and is_order:
            near = likely_verb(text)
        if near and (verb or is_order or is_slip):
            self._complain_of_form(near, text, verdict)
        elif is_order:
            verdict.complain(phrase("e-syntax", order=text), text=self._part)
        else:
            self._ignore(text, verdict)

    def _lines_meant(self, text: str) -> list[str]:
        """Return the one order of a text with corrected spelling, if there is one.

        Otherwise a text that begins with "for " gives a building of Fortifications.
        """
        first, _, rest = text.partition(" ")
        near = nearest_verb(first.lower(), tuple(FORMS)) if len(first) >= _MIN_SLIP else ""
        plain, _ = with_kinds_repaired(f"{near or first} {rest}", self._names)
        meant = self._meaning(plain)[1] if plain != text else ResolvedLine()
        lines = [self.filing.text(order) for order in meant.orders]
        fort = [f"BUILD {text.upper()}"] if FORTIFIES.match(text) else []
        return lines if len(lines) == 1 else fort

    def _ignore(self, text: str, verdict: NationsVerdict) -> None:
        """Ignore a text as talk, unless it commands something by name."""
        found = commanded_order(text, self._names) or mentioned_order(text, self._names, self._own)
        is_kept = pattern("keeps").match(text) and not self.filing.has(Cancel)
        if found and not is_kept:
            self._complain_of_form(found.verb, text, verdict)
            return
        if self._part and not is_kept and not self._words.is_opening(text):
            if likely_verb(text) or canonical_orders(text, self._names):
                verdict.unread.append(text)
        verdict.ignored = True

    def _is_talk(self, text: str, verb: str) -> bool:
        if self._words.is_talk(re.sub(r"\([^()]*\)", " ", text)):
            return True
        short = len(text.split()) <= _MAX_SHORT_WORDS and text[-1:] not in "!?."
        named = has_digit(text) or WordKind.PLACE in self._words.marks(text)
        return bool(verb) and not (short or text.isupper() or named or self._is_meant(text))

    def _is_meant(self, text: str) -> bool:
        return self._words.is_order_like(text)


_WAR = re.compile(r"\bwar\b", re.IGNORECASE)
_STAYING = ("hold", "build", "commission", "spawn", "shed", "disband")
"""Verbs of orders in one place. Examples are suggested if the province is unknown."""
_ARTICLES = ("a", "an", "the", "one", "my", "our", "another")
_MIN_SLIP = 5
"""Minimum length of a first word that is taken for a misspelt verb in any line, in letters."""
_MAX_SHORT_WORDS = 2
"""Maximum length of a line that is an incomplete order rather than talk, in words."""
