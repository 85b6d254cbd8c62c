"""Suggestions for lines that are neither commands nor orders but look like one.

Nothing is carried out on a guess. Only whole segments of these shapes count. Other lines are left
to the game, and the reply quotes those that it cannot parse either. Patterns of plain words, with
the lines suggested for them, are in `plainwords.tsv`, their common parts in `plainparts.tsv`.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from importlib.resources import files

from judge.date_words import is_like_date
from judge.digits import has_digit
from judge.help_topics import match_topic
from judge.mail.language.commands import MAX_COMMAND
from judge.mail.language.segments import Segment, Span
from judge.mail.language.vocabulary import CommandLanguage, is_one_slip
from judge.model.order_commands import Heading
from judge.model.order_words import PhaseHead
from judge.model.phrase import Complaint, ComplaintKind, Phrase, phrase
from judge.textfiles import read_rows

_DRAW = re.compile(
    r"(?:(?:i\s+)?(?:propose|offer|want|accept|agree\s+to)\s+)?(?:an?\s+)?draw", re.I,
)
_SPAN = re.compile(
    r"[+]?(?P<number>[0-9]{1,4})\s*(?P<unit>|d(?:ays?)?|h(?:ours?)?|m(?:in(?:ute)?s?)?|tage?n?"
    r"|stunden?)", re.I | re.A,
)
_AWAY = re.compile(
    r"(?:i(?:'m|'ll\s+be|\s+am|\s+will\s+be|\s+shall\s+be)\s+(?:on\s+)?)?"
    r"(?:holidays?|vacation|absen[ct]e?|away|urlaub)\s+"
    r"((?:from\s+)?[^\s,;?!][^,;?!]*)(?:[,;?!].*)?", re.I,
)
_NEXT = re.compile(
    r"(?:(?:for\s+)?(?:the\s+)?next\s+(?:turn|phase|season|move|year)"
    r"|(?:(?:f.r\s+)?(?:den|die)\s+)?n.chste[nrs]?\s+(?:zug|runde|phase|jahr))"
    r"(?:\s+orders)?\s*(?P<colon>:?)\s*(?P<rest>.*)", re.I,
)
_ORDER = re.compile(r"[->]|\b(?:h|s|c|holds?|supports?|convoys?|build|remove|disband)\b", re.I)
"""Text typical of an order after "next turn:", and rare in prose."""
_RULE = re.compile(r"(?P<off>!?)rules?\s+(?P<rules>!?[A-Z][A-Z_ !]*)", re.I)
_TIMING = re.compile(
    r"timing\s+(?P<every>[0-9]+\s*[dhm]?)"
    r"|timing\s+(?:at|days|next|move|retreat|build|grace|warn|not|skip)\b.*"
    r"|delay\s+(?P<delay>[0-9]+\s*[dhm]?)",
    re.I,
)
_BARE = re.compile(
    r"(?P<word>zone(?=\s+(?:[A-Z]{2,5}|[a-z_]+/[a-z_/]+)$)|private(?=\s+\w+$)|desc)"
    r"\s+(?P<rest>\S.*)",
    re.I,
)
"""Pattern of settings in a game's file on DPjudge."""
_AS_TYPED = frozenset({"address", "game"})
"""Groups of `plainwords.tsv` whose case is not changed."""
_NAMING = frozenset({"looks-like-command", "looks-like-seat-command"})
"""Reasons that name the line to send."""
_OTHER = "looks-like-other-judge"
_TRAILING = " .!"
_SHORT = {
    "LIST": re.compile(r"(?:full|[a-z][a-z0-9]{1,7})?", re.I),
    "VOTE": re.compile(r"(?:draw|concede|extend|pause|resume)\b.*", re.I),
    "WAIT": re.compile(r""),
    "MAP": re.compile(r"(?:png|svg|text|names|state)?", re.I),
}
"""Commands too short for `CommandLanguage.nearest`, with arguments allowed after a slip."""


def suggest(language: CommandLanguage, piece: Segment) -> Heading | Complaint | None:
    """Interpret a segment without a command word as a phase name or a suggestion.

    Return None if it looks like neither.
    """
    plain = piece.plain.strip(_TRAILING)
    if not plain or len(plain) > MAX_COMMAND:
        return None
    if head := language.head(plain):
        return _head(piece, head)
    if later := _NEXT.fullmatch(plain):
        return _next(piece, later)
    for line in _meant(language, plain):
        return _make_complaint(piece, phrase("looks-like-command", send=line), line)
    if lines := tuple(_of_dpjudge(piece.plain.strip())):
        reason = "old-timing" if plain.lower().startswith(("timing", "delay")) else _OTHER
        return _make_complaint(piece, phrase(reason), *lines)
    return _in_plain_words(piece, plain)


def _in_plain_words(piece: Segment, plain: str) -> Complaint | None:
    """Return a complaint that suggests the command for plain words, or None."""
    lead, rows = _plain_words()
    said = lead.sub("", plain.rstrip(" ?"), count=1)
    for pattern, code, line in rows:
        if not (found := pattern.fullmatch(said)):
            continue
        if code == "looks-like-extension":
            if lines := _later_deadline(found):
                told = _make_complaint(piece, phrase(code), *lines)
                return replace(told, kind=ComplaintKind.AMBIGUOUS)
            continue
        named = {
            key: text if key in _AS_TYPED else text.upper()
            for key, text in found.groupdict(default="").items()
        }
        if "game" in named:
            named["game"] = named["game"].lower()
        send = line.format_map(named)
        reason = phrase(code, send=send) if code in _NAMING else phrase(code)
        told = _make_complaint(piece, reason, send)
        return replace(told, text=_without_secret(piece, said, found))
    return None


def _without_secret(piece: Segment, said: str, found: re.Match[str]) -> str:
    """Return the segment without the secret found in it."""
    if not found.groupdict().get("secret"):
        return piece.raw
    start = piece.plain.index(said)
    return piece.without([Span(start + found.start("secret"), start + found.end("secret"))])


@cache
def _plain_words() -> tuple[re.Pattern[str], Sequence[tuple[re.Pattern[str], str, str]]]:
    """Return the words before a wish, and the rows of `plainwords.tsv`.

    A row has a pattern, the code of the reason and the line to send.
    """
    parts: dict[str, str] = {}
    for row in _rows("plainparts"):
        parts[row["part"]] = f"(?:{_insert_parts(row['pattern'], parts)})"
    return re.compile(parts["lead"], re.I), [
        (
            re.compile(_insert_parts(f"(?:{row['pattern']})~tail", parts), re.I),
            row["reason"], row["line"],
        )
        for row in _rows("plainwords")
    ]


def _rows(name: str) -> Iterable[Mapping[str, str]]:
    return read_rows((files(__package__) / f"{name}.tsv").read_text(encoding="utf-8"))


def _insert_parts(pattern: str, parts: Mapping[str, str]) -> str:
    """Replace the names of parts in a pattern. A blank matches several, too."""
    pattern = pattern.replace(" ", r"\s+")
    for name in sorted(parts, key=len, reverse=True):
        pattern = pattern.replace(f"~{name}", parts[name])
    return pattern


def _meant(language: CommandLanguage, plain: str) -> Iterator[str]:
    """Yield the command that a segment means in other words."""
    if _DRAW.fullmatch(plain):
        yield "VOTE DRAW"
    elif away := _AWAY.fullmatch(plain):
        if has_digit(away[1]):
            yield f"SET ABSENCE {re.sub('^from ', '', away[1], flags=re.I).strip()}"
    else:
        yield from _short(language, plain)


def _of_dpjudge(plain: str) -> Iterator[str]:
    """Yield the settings that match a bare line of a DPjudge game file."""
    if rules := _RULE.fullmatch(plain):
        for rule in rules["rules"].split()[:4]:
            off = "NO " if rules["off"] or rule[0] == "!" else ""
            yield f"SET {off}{rule.lstrip('!').upper().replace('_', ' ')}"
    elif timing := _TIMING.fullmatch(plain):
        if timing["every"]:
            yield f"SET MOVE NEXT {timing['every']}"
        elif timing["delay"]:
            yield f"SET MOVE DELAY {timing['delay']}"
        else:
            yield from ("SET MOVE NEXT 72 GRACE 24", "SET MOVE DELAY 20m")
    elif found := _BARE.fullmatch(plain):
        word = {"DESC": "COMMENT"}.get(found["word"].upper(), found["word"].upper())
        yield f"SET {word} {found['rest']}"


def _later_deadline(found: re.Match[str]) -> tuple[str, ...]:
    """Return the commands of a player and a master that move a deadline as requested."""
    named = found.groupdict(default="")
    rest = named["later"] or ("24h" if named["more"] else "")
    if span := _SPAN.fullmatch(rest):
        unit = {"": "h", "t": "d", "s": "h"}.get(span["unit"][:1].lower(), span["unit"][:1].lower())
        return f"VOTE EXTEND {span['number']}{unit}", f"SET DEADLINE +{span['number']}{unit}"
    if is_like_date(rest):
        return f"VOTE EXTEND UNTIL {rest}", f"SET DEADLINE {rest}"
    return ()


def _short(language: CommandLanguage, plain: str) -> Iterator[str]:
    """Yield the short command for one with an extra, missing or transposed letter.

    Replaced letters are not corrected: too many other words ("Last", "Note") would match.
    """
    typed, _, rest = plain.partition(" ")
    upper, rest = typed.upper(), rest.strip()
    for known, follows in _SHORT.items():
        twisted = len(upper) != len(known) or sorted(upper) == sorted(known)
        if twisted and len(upper) >= 4 and is_one_slip(upper, known):
            line = f"{known} {rest}".strip()
            if follows.fullmatch(rest) and language.is_command(line):
                yield line
    twisted = len(upper) == 5 or sorted(upper) == sorted("HELP")
    if twisted and is_one_slip(upper, "HELP"):
        if not rest or match_topic(rest):
            yield f"HELP {rest}".strip()


def _head(piece: Segment, head: PhaseHead) -> Heading | Complaint:
    """Interpret the name of a phase, alone or before an order on the same line."""
    if not head.rest:
        return Heading(line=piece.number, text=piece.raw, words=piece.plain.strip(_TRAILING))
    rest = piece.raw[piece.places[piece.plain.rindex(head.rest)] :].strip()
    if not head.label:
        return _make_complaint(piece, phrase("looks-like-next"))
    return Heading(line=piece.number, text=piece.raw, words=piece.plain, rest=rest)


def _next(piece: Segment, found: re.Match[str]) -> Heading | Complaint | None:
    """Interpret "next turn" in the same way."""
    if not found["rest"]:
        return Heading(line=piece.number, text=piece.raw)
    if not found["colon"] or not _ORDER.search(found["rest"]):
        return None
    return _make_complaint(piece, phrase("looks-like-next"))


def _make_complaint(piece: Segment, reason: Phrase, *lines: str) -> Complaint:
    return Complaint(ComplaintKind.UNREADABLE, piece.number, piece.raw, reason, suggestions=lines)
