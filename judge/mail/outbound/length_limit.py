"""Length limit of replies: whole entries are left out, to be requested later.

A short line requests a long text, and From lines are easily forged. The reply to a sender who has
signed on may be longer than one to a stranger. Entries of a history, which are many, are left out
one by one, the oldest first. Nothing else is cut, neither results nor press.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from judge.mail.outbound.compose import Composed
from judge.mail.outbound.render import Renderer
from judge.model.letter import Letter
from judge.model.phrase import Phrase, phrase

MAX_STRANGER_OCTETS = 64 * 1024
"""Octets of the text of a reply to a sender without an open seat."""
MAX_SEAT_OCTETS = 512 * 1024
"""Octets of a reply to a seat. Also the rough total of replies to one mail per address."""
MIN_REPLY_OCTETS = 16 * 1024
"""Octets that each of several replies to one mail may have in any case."""
MAX_COMPLAINTS = 500
"""Rejected lines listed by a reply. The others are counted."""
MAX_LINES = 20
"""Lines that a reply suggests for requesting the parts left out."""

_NOTE = 2 * 1024
"""Approximate octets of the note about parts left out."""
_NOTHING: Mapping[str, object] = {
    "done": (), "complaints": (), "orders": (), "infos": (), "left": None,
}


class ReplyAllowance:
    """Remaining allowance of the replies to one mail, by address."""

    def __init__(self, renderer: Renderer) -> None:
        self._renderer = renderer
        self._gone: Counter[str] = Counter()

    def message(self, letter: Letter, now: datetime, message_id: str) -> Composed:
        """Compose a letter. A reply is shortened to its allowance."""
        message = self._renderer.message(letter, now, message_id)
        if "infos" not in letter.facts:
            return message
        address = letter.to.lower()
        share = max(MAX_SEAT_OCTETS - self._gone[address], MIN_REPLY_OCTETS)
        most = min(share, MAX_SEAT_OCTETS if letter.seat else MAX_STRANGER_OCTETS)
        if len(message.octets) > most and not letter.files:
            # The page repeats the text, and is longer.
            letter = replace(letter, plain=True)
            message = self._renderer.message(letter, now, message_id)
        long = len(message.octets)
        # The text is measured only if the message, which is longer, is too long.
        if long > most or _has_many_complaints(letter):
            short = shorten(self._renderer, letter, most)
            long = _length(self._renderer.text(short))
            if short is not letter:
                message = self._renderer.message(short, now, message_id)
        self._gone[address] += long
        return message


def shorten(renderer: Renderer, letter: Letter, most: int) -> Letter:
    """Return a reply shortened to at most *most* octets of text, as far as possible."""
    if _length(renderer.text(letter)) <= most and not _has_many_complaints(letter):
        return letter
    bare = {**letter.facts, **_NOTHING}
    room = most - _NOTE - _length(renderer.text(replace(letter, facts=bare)))
    ledger = _SpaceBudget(
        lambda **some: _length(renderer.piece(letter, "body", **{**bare, **some})), room // 2
    )
    facts: dict[str, Any] = dict(letter.facts)
    # Results of commands come first, but half of the space is reserved for requested texts.
    kept: dict[str, Sequence[Any]] = {
        name: ledger.fitting(name, facts[name][:limit])
        for name, limit in (("done", None), ("complaints", MAX_COMPLAINTS), ("orders", None))
    }
    ledger.add(room - room // 2)
    infos, lines = ledger.infos(facts["infos"])
    told = [phrase("left-infos", count=len(lines))] if lines else []
    told += [reason for name, some in kept.items() if (reason := _left(name, facts[name], some))]
    left = {"told": told, "lines": list(dict.fromkeys(filter(None, lines)))[:MAX_LINES]}
    return replace(letter, facts={**facts, **kept, "infos": infos, "left": left})


def bounded_length(renderer: Renderer, letter: Letter, most: int) -> int:
    """Return the octets of the text of a reply after `shorten`."""
    return _length(renderer.text(shorten(renderer, letter, most)))


def _has_many_complaints(letter: Letter) -> bool:
    found = letter.facts.get("complaints", ())
    return isinstance(found, Sequence) and len(found) > MAX_COMPLAINTS


def _length(text: str) -> int:
    return len(text.encode("utf-8", "replace"))


def _left(name: str, all_: Sequence[Any], kept: Sequence[Any]) -> Phrase | None:
    """Return a phrase about the commands, complaints or notes left out, or None."""
    many = len(all_) - len(kept)
    if not many:
        return None
    if name == "complaints":
        numbers = [one.line for one in all_ if one not in kept]
        return phrase("left-complaints", count=many, first=min(numbers), last=max(numbers))
    if name == "done":
        return phrase("left-done", count=many)
    return phrase("left-notes", count=many) if any(one.notes for one in all_) else None


class _SpaceBudget:
    """Remaining space of a reply."""

    def __init__(self, measure: Callable[..., int], room: int) -> None:
        self._measure = measure
        self._room = room

    def add(self, room: int) -> None:
        self._room += room

    def _takes(self, **some: object) -> bool:
        """Use the space for a part of the reply, if there is enough."""
        long = self._measure(**some)
        if long > self._room:
            return False
        self._room -= long
        return True

    def fitting(self, name: str, items: Sequence[Any]) -> list[Any]:
        """Return the leading items that fit."""
        kept: list[Any] = []
        for item in items:
            if not self._takes(**{name: [item]}):
                break
            kept.append(item)
        return kept

    def infos(self, items: Sequence[Mapping[str, Any]]) -> tuple[list[Any], list[str]]:
        """Return the requested texts that fit, and the lines that request the others."""
        kept: list[Any] = []
        lines: list[str] = []
        for info in items:
            if self._takes(infos=[info]):
                kept.append(info)
            elif "entries" in info and (shorter := self._shorter(info)):
                kept.append(shorter)
            else:
                lines.append(str(info["asked"]))
        return kept, lines

    def _shorter(self, info: Mapping[str, Any]) -> Mapping[str, Any] | None:
        """Return a history with as many of its newest entries as fit, or None."""
        entries = info["entries"]
        least, most = 0, len(entries) - 1
        while least < most:
            middle = (least + most + 1) // 2
            if self._measure(infos=[_newest(info, middle)]) <= self._room:
                least = middle
            else:
                most = middle - 1
        found = _newest(info, least) if least else None
        return found if found is not None and self._takes(infos=[found]) else None


def _newest(info: Mapping[str, Any], many: int) -> Mapping[str, Any]:
    """Return a history with its newest entries, and the line that requests the rest."""
    entries, game = info["entries"], info["game"]
    zone = ZoneInfo(game["zone"])
    first, last = (_stamp(entries[at]["at"], zone, minutes)
                   for at, minutes in ((0, 0), (-many - 1, 1)))
    line = f"HISTORY {game['name']} FROM {first} TO {last}"
    cut = phrase("cut-earlier", count=len(entries) - many, line=line)
    return {**info, "entries": entries[-many:], "cut": cut}


def _stamp(at: datetime, zone: ZoneInfo, minutes: int) -> str:
    """Format a time, moved by some minutes, as HISTORY reads it."""
    local = (at + timedelta(minutes=minutes)).astimezone(zone)
    return f"{local.day} {local:%b %Y %H:%M}"
