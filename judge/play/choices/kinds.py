"""Which kinds of letter a seat may do without, and when; what stands after SET NOTICES, DIGEST."""

from collections.abc import Mapping, Sequence

from judge.digits import minutes_of_day
from judge.words.letter import Kind
from judge.words.reason import Reason, because
from judge.words.record import Role

KINDS: Mapping[str, Kind] = {
    "RESULTS": Kind.RESULTS,
    "PRESS": Kind.PRESS,
    "NEWS": Kind.NOTICE,
    "VOTES": Kind.VOTE,
    "VACANCIES": Kind.VACANCY,
    "REMINDERS": Kind.REMINDER,
}
"""Words of SET NOTICES → kind of letter. Answers, the start and the end always come."""
PHASE = "phase"
"""The digest that comes with the results of each phase."""
EVENING = 18 * 60
"""When SET DIGEST DAY is mailed, in minutes of the reader's own day."""
_OTHER_WORDS = {
    "RESULT": "RESULTS", "BROADCAST": "PRESS", "BROADCASTS": "PRESS", "NOTICES": "NEWS",
    "NOTICE": "NEWS", "VOTE": "VOTES", "VACANCY": "VACANCIES", "REMINDER": "REMINDERS",
    "LATE": "REMINDERS",
}
_PLAYING = (Kind.VOTE, Kind.VACANCY, Kind.REMINDER)
_WATCHING = (Kind.RESULTS, Kind.PRESS, Kind.NOTICE, Kind.VOTE, Kind.VACANCY)


def may_mute(role: Role) -> tuple[str, ...]:
    """Return the words of the kinds that somebody in this role may do without.

    >>> may_mute(Role.PLAYER)
    ('VOTES', 'VACANCIES', 'REMINDERS')
    """
    watches = role in (Role.OBSERVER, Role.MONITOR)
    kinds = _WATCHING if watches else _PLAYING
    return tuple(word for word, kind in KINDS.items() if kind in kinds)


def muted_by(words: Sequence[str], muted: Sequence[str], role: Role) -> tuple[str, ...] | Reason:
    """Return which kinds are muted after SET NOTICES with these words, or why that cannot be.

    ALL and NONE mean all; kinds alone mean these only; -KIND takes one out of what there was.

    >>> muted_by(["NONE"], [], Role.PLAYER), muted_by(["-votes"], ["REMINDERS"], Role.PLAYER)
    (('VOTES', 'VACANCIES', 'REMINDERS'), ('VOTES', 'REMINDERS'))
    >>> muted_by(["votes,", "results"], [], Role.OBSERVER)
    ('PRESS', 'NEWS', 'VACANCIES')
    """
    can = may_mute(role)
    typed = [word.strip(",;.").upper() for word in words]
    typed = [word for word in typed if word not in ("", "AND")]
    if typed in (["ALL"], ["NONE"], ["ON"], ["OFF"]):
        return () if typed[0] in ("ALL", "ON") else can
    names = [_OTHER_WORDS.get(word.lstrip("+-"), word.lstrip("+-")) for word in typed]
    unknown = tuple(word for word, name in zip(typed, names) if name not in KINDS)
    if unknown or not names:
        return because("notices-unknown", words=unknown or ("nothing",), kinds=can)
    if not any(word[0] in "+-" for word in typed):
        return tuple(word for word in can if word not in names)
    out = {name for word, name in zip(typed, names) if word[0] == "-"}
    kept = tuple(sorted(out - set(can)))
    if kept:
        return because("notices-kept", words=kept, kinds=can)
    back = set(names) - out
    return tuple(word for word in can if word in out or word in muted and word not in back)


def mutes(muted: Sequence[str], kind: Kind) -> bool:
    """Tell whether a kind of letter is among those muted."""
    return any(KINDS.get(word) is kind for word in muted)


def read_digest(text: str) -> int | str | None:
    """Return what SET DIGEST asks for: PHASE, or minutes of the day; None if it cannot be read.

    >>> read_digest("phase"), read_digest("DAILY"), read_digest("7:30"), read_digest("weekly")
    ('phase', 1080, 450, None)
    """
    low = text.lower()
    if low in ("phase", "phases", "turn", "results"):
        return PHASE
    if low in ("day", "daily", "on"):
        return EVENING
    hour, colon, minute = low.partition(":")
    if colon:
        return minutes_of_day(hour, minute)
    return None
