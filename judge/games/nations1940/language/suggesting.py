"""Suggestions: lines to send in place of a refused one."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import islice

from judge.games.nations1940.language.grammar import FORMS, parse_order
from judge.games.nations1940.language.lexicon import ScenarioLexicon
from judge.games.nations1940.language.meaning import ResolvedLine, meaning_of
from judge.games.nations1940.language.replacing import orders_of_same_units
from judge.games.nations1940.language.verdicts import NationsVerdict
from judge.games.nations1940.rules.legality import CheckedOrder
from judge.games.nations1940.rules.orders import (
    ArmyMove,
    Cancel,
    Order,
    Rail,
    Research,
    Withdraw,
    order_text,
)
from judge.games.nations1940.rules.research import project_of, with_requirements
from judge.games.nations1940.rules.world import World
from judge.games.nations1940.scenario import in_order
from judge.model.phrase import Phrase


def correct(text: str, word: str, near: Sequence[str]) -> list[str]:
    """Return an order with its *word* replaced by each name in *near*."""
    found = re.search(re.escape(word), text, re.I)
    if not found:
        return []
    return [f"{text[:found.start()]}{name}{text[found.end():]}" for name in near]


def complete_research(line: str, names: ScenarioLexicon, world: World, nation: str) -> str:
    """Return a line. RESEARCH gets missing requirements and the old queue added."""
    said = parse_order(line)
    meant = meaning_of(said, names, line) if said else ResolvedLine()
    if len(meant.orders) != 1 or not isinstance(meant.orders[0], Research):
        return line
    queue = complete_queue(world, nation, meant.orders[0].techs)
    return order_text(Research(queue), world.board) if queue != meant.orders[0].techs else line


def complete_queue(world: World, nation: str, techs: Sequence[str]) -> tuple[str, ...]:
    """Return technologies with their requirements, followed by the old queue.

    A project under way comes first.
    """
    now = world.nations[nation]
    project = project_of(world, nation)
    first = [project] if project and now.progress.get(project) else []
    return with_requirements(world, nation, [*first, *techs, *now.queue])


def remedies_of(
    checked: CheckedOrder, kept: Sequence[Order], world: World, nation: str
) -> list[str]:
    """Return lines to send in place of an illegal order, or before it."""
    assert checked.fault
    order, code = checked.order, checked.fault.code
    if code.startswith(("e-count-", "e-twice-hq")):
        old = orders_of_same_units(order, kept)
        return [f"WITHDRAW {order_text(one, world.board)}" for one in old]
    return [order_text(one, world.board) for one in _instead(order, code, world, nation)]


def _instead(order: Order, code: str, world: World, nation: str) -> Iterator[Order]:
    """Yield orders that may mean the same as a refused one."""
    match order, code:
        case Research(techs), "e-queue":
            yield Research(complete_queue(world, nation, techs))
        case Withdraw(kind, other), "e-treaty-open" if kind != "DEAL":
            yield Cancel(kind, other)
        case Cancel(kind, other), "e-treaty-none":
            yield Withdraw(kind, other)
        case ArmyMove(count, (start, goal), (), hq=hq), "e-adj":
            coasts = {*world.board.coasts(start)} & {*world.board.coasts(goal)}
            if not hq:
                seas = sorted(coasts, key=in_order)
                yield from (ArmyMove(count, (start, goal), (sea,), 1) for sea in seas)
            yield Rail(count, (start, goal), hq)
        case Rail(count, path, hq), _ if code.startswith("e-rail"):
            yield ArmyMove(count, path, hq=hq)


FORTIFIES = re.compile(r"for\s", re.IGNORECASE)
_PLACEHOLDERS = re.compile(r"\b[pn]\b")
_MAX_SUGGESTED = 3


def keep_working_lines(verdict: NationsVerdict, fault_of: Callable[[str], Phrase | None]) -> None:
    """Keep only suggestions without a fault in the complaints of a line.

    A complaint with examples gets one in its reason. If its only suggestion is an illegal order,
    that fault becomes the reason instead.
    """
    for number, told in enumerate(verdict.complaints):
        reason, lines = told.reason, tuple(dict.fromkeys(told.suggestions))
        working = tuple(islice((one for one in lines if not fault_of(one)), _MAX_SUGGESTED))
        is_respelt = len(lines) == 1 and not working and not FORTIFIES.match(told.text)
        meant = fault_of(lines[0]) if is_respelt else None
        if number in verdict.examples and meant and not meant.code.startswith(_UNREAD):
            reason = meant
        elif number in verdict.examples:
            tried = (one for one in verdict.examples[number] if not fault_of(one))
            likes = (one for one in verdict.likes[number] if not fault_of(one))
            reason = _with_form(
                reason, "" if working else next(tried, ""), "" if working else next(likes, "")
            )
        elif reason.code.startswith("e-unknown") and reason.facts.get("names") and not working:
            reason = Phrase("e-unknown-near", reason.facts)
        verdict.complaints[number] = replace(told, reason=reason, suggestions=working)


_UNREAD = ("e-syntax", "e-unknown", "e-ambiguous")


def _with_form(reason: Phrase, example: str, like: str) -> Phrase:
    """Return a reason with an example, or else with the form of the order.

    *like* is an order of the same verb, which shows only the form.
    """
    if example:
        return Phrase(reason.code, {**reason.facts, "form": example})
    if like:
        return Phrase("e-syntax-like", {**reason.facts, "form": like})
    form = FORMS[str(reason.facts["verb"])]
    is_english = reason.code == "e-syntax-english"
    if _PLACEHOLDERS.search(form):
        code = "e-syntax-english-shape" if is_english else "e-syntax-shape"
    else:
        code = "e-syntax-english-plain" if is_english else "e-syntax-plain"
    return Phrase(code, {**reason.facts, "form": form})
