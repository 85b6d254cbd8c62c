"""Contradictions within one letter, in English and in German.

`PAIRS` are sentences that exclude each other. The other checks read a letter's figures: moved
times, orders, losses and records. Only the judge's own words count. Third-party text is marked and
left out.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator
from email.message import EmailMessage
from typing import NamedTuple


class Pair(NamedTuple):
    """Two patterns of which a letter may match only one."""

    name: str
    first: str
    second: str


NO_DECISION = (
    r"You have no orders due in this phase \([^)]*\)",
    r"In dieser Phase \([^)]*\) hast du nichts zu entscheiden",
)
ASKING = (
    r"Due now:", r"To give orders, (?:reply|send)", r"Reply with one order a line",
    r"Reply to this letter with your orders", r"please send them again",
    r"You are READY: (?:your|builds|the rules)",
    r"Du bist fertig \(READY\): (?:deine|Aufbauten|worüber)",
    r"Das fehlt noch von dir:", r"Befehle: (?:antworte|schick) ",
    r"Antworte auf diesen Brief mit deinen Befehlen", r"bitte schick sie noch einmal",
)
PAIRS = (
    Pair("asked, with nothing to decide", "|".join(NO_DECISION), "|".join(ASKING)),
    Pair(
        "changes, where none are told",
        r"\bno centre changed hands|\bkein Zentrum wechselte den Besitzer",
        r"Supply centres that changed hands:",
    ),
    Pair(
        "refused, where it is asked back",
        r"Not done:|Das wurde nicht ausgeführt:",
        r"(?:Not done|Das wurde nicht ausgeführt): "
        r"(?:TERMINATE|ROLL ?BACK|ROLL ?FORWARD)\b(?:(?! Send instead| Du könntest).){0,400}"
        r"(?:To confirm, send|Zur Bestätigung schick):",
    ),
)
"""Sentences that exclude each other. Each alone may be true."""

_MOVED = re.compile(
    r"\b(?:now:?|until|war|endete) (?P<before>.{1,60}?)(?:[.] (?:It|Its end) was|"
    r",? und (?:ist|endet) jetzt) (?P=before)(?![\w:])"
)
_ORDERED = re.compile(r"(?:is ordered|hat Befehl) (?P<unit>[AF] [A-Z][A-Za-z/]*)")
_MISSING = re.compile(r"(?:Missing|Es fehlen): (?P<units>(?:[AF] [A-Z/]+(?:, )?)+)")
_CHANGES = re.compile(r"Supply centres that changed hands:(?P<list>.*?)\n\s*\n", re.S)
_LOSER = re.compile(r"\((?:from|von) (?P<power>[^()]+)\)")
_HEAD = re.compile(r"^(?P<power>[A-Z][A-Z .'-]+), [^\n]*?: (?P<told>.*?)\n\s*\n", re.M | re.S)
_LOST = re.compile(r"\d lost|\d verloren|\(-\d|out of the game|ausgeschieden")
_RECORD = re.compile(
    r"(?P<year>\d{4}): (?P<power>[^:.]+?) (?:gains|gewinnt) (?P<count>\S+?)(?: hinzu)?,"
    r" (?:more than anybody in any other year|mehr als irgendeine Macht in einem anderen Jahr)"
)
_YEAR = re.compile(r"^(?P<year>\d{4})(?P<counts>(?: +(?:\d+|-))+)$", re.M)


def own_words(text: str) -> str:
    """Return a letter's text without the third-party text, which is marked."""
    lines = text.replace("\r\n", "\n").split("\n")
    return "\n".join(line for line in lines if not re.match(r"\s*(?:[|][|]|>)", line))


def _squeeze_text(text: str) -> str:
    return " ".join(text.split())


def excluding_pairs(text: str) -> Iterator[str]:
    """Yield the pairs of sentences of a letter that exclude each other."""
    told = _squeeze_text(text)
    for pair in PAIRS:
        if re.search(pair.first, told) and (found := re.search(pair.second, told)):
            yield f"{pair.name}: {found[0]!r}"


def moves_to_the_same(text: str) -> Iterator[str]:
    """Yield times that are reported as moved to the same time."""
    for found in _MOVED.finditer(_squeeze_text(text)):
        yield f"moved to where it was: {found[0]!r}"


def orders_never_given(text: str) -> Iterator[str]:
    """Yield units that are reported as ordered and as without an order."""
    told = _squeeze_text(text)
    missing = {
        unit.strip() for found in _MISSING.finditer(told) for unit in found["units"].split(",")
    }
    for found in _ORDERED.finditer(told):
        if found["unit"] in missing:
            yield f"ordered without an order: {found[0]!r}"


def hidden_losses(text: str) -> Iterator[str]:
    """Yield a viewer whose head omits the lost centres that the list contains."""
    head, changes = _HEAD.search(text), _CHANGES.search(text)
    if head is None or changes is None:
        return
    losers = {found["power"].upper() for found in _LOSER.finditer(_squeeze_text(changes["list"]))}
    if head["power"] in losers and not _LOST.search(_squeeze_text(head["told"])):
        yield f"losses are hidden: {_squeeze_text(head[0])!r}"


def shared_records(text: str) -> Iterator[str]:
    """Yield a record gain that occurs twice in the table of years in the same letter."""
    record, rows = _RECORD.search(_squeeze_text(text)), list(_YEAR.finditer(text))
    if record is None or not rows:
        return
    years = [[int(n) if n != "-" else 0 for n in row["counts"].split()] for row in rows]
    gains = Counter(
        now - then
        for before, after in zip(years, years[1:], strict=False)
        for then, now in zip(before, after, strict=False)
    )
    if gains and gains[max(gains)] != 1:
        yield f"record is shared: {record[0]!r}"


CHECKS: tuple[Callable[[str], Iterator[str]], ...] = (
    excluding_pairs, moves_to_the_same, orders_never_given, hidden_losses, shared_records,
)
READ = {"press", "help", "info"}
"""Kinds of letters that contain other letters or examples."""


def contradictions_in(text: str) -> list[str]:
    """Return all contradictions of a letter's text."""
    told = own_words(text)
    return [found for check in CHECKS for found in check(told)]


def check_consistency(letter: EmailMessage, text: str) -> None:
    """Assert that a letter does not contradict itself."""
    if letter["X-Judge-Kind"] not in READ:
        found = contradictions_in(text)
        assert not found, f"{letter['Subject']}: {found}\n{text}"
