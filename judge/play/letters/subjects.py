"""Subjects: the topic of a letter, and its gist in a few words."""

from collections.abc import Mapping, Sequence

from judge.model.letter import LetterKind
from judge.model.phrase import Phrase, phrase

EVENT_BY_CODE: Mapping[str, str] = {
    "absence-told": "event-somebody-away",
    "address-changed": "event-address-changed",
    "address-declined": "event-address-kept",
    "address-restored": "event-address-restored",
    "address-suspended": "event-letters-come-back",
    "address-taken-back": "event-address-taken-back",
    "answer-no": "event-nothing-done",
    "approved-joined": "event-approved",
    "approved-taken": "event-approved",
    "carried-out-elsewhere": "event-carried-out",
    "deadline-for-newcomer-later": "event-deadline-moved",
    "deadline-for-newcomer-set": "event-deadline-set",
    "deadline-moved-earlier": "event-deadline-is-earlier",
    "deadline-moved-later": "event-deadline-moved",
    "deadline-moved-set": "event-deadline-set",
    "deadline-now-later": "event-deadline-moved",
    "demoted": "event-master-left",
    "demoted-you": "event-master-no-more",
    "dummy-now": "event-without-player",
    "ejected": "event-power-vacant",
    "ejected-before-start": "event-your-place-is-free",
    "ejected-watcher": "event-observer-out",
    "ejected-you": "event-your-power-is-lost",
    "excused": "event-deadline-moved",
    "excused-somebody": "event-deadline-moved",
    "first-turn-protected": "event-orders-are-missing",
    "first-turn-protected-count": "event-orders-are-missing",
    "frozen-all": "event-frozen",
    "frozen-nothing": "event-frozen-no-more",
    "frozen-orders": "event-frozen",
    "frozen-votes": "event-frozen",
    "game-imported": "event-imported",
    "game-paused-by-fault": "event-paused",
    "game-waits": "event-waits-for-a-player",
    "grace-moved-earlier": "event-grace-is-shorter",
    "grace-moved-later": "event-grace-moved",
    "grace-moved-set": "event-grace-moved",
    "guesses-from-elsewhere": "event-wrong-passwords",
    "guesses-in-your-name": "event-wrong-passwords",
    "joined": "event-you-joined",
    "keeper-paused": "event-paused",
    "keeper-resumed": "event-goes-on",
    "keeper-resumed-later": "event-goes-on",
    "letter-undeliverable": "event-a-letter-came-back",
    "letters-arrive-again": "event-letters-arrive-again",
    "lost-seat": "event-your-power-is-lost",
    "lost-seat-by-sitter": "event-your-power-is-lost",
    "mail-encrypted": "event-not-readable",
    "mail-part-set-aside": "event-part-set-aside",
    "master-changed": "event-rules-changed",
    "master-offered": "event-offered",
    "muster-failed": "event-not-complete",
    "muster-missed": "event-your-place-is-free",
    "negotiation-moved-earlier": "event-negotiation-is-shorter",
    "negotiation-moved-later": "event-negotiation-is-longer",
    "negotiation-moved-set": "event-negotiation-end",
    "new-master": "event-new-master",
    "newcomer-asks-first": "event-somebody-asks",
    "nmr-near": "event-orders-are-missing",
    "not-before-deadline-later": "event-deadline-moved",
    "not-before-deadline-set": "event-deadline-set",
    "not-before-until": "event-not-before",
    "nothing-found": "event-nothing-to-do",
    "observing-monitor": "event-results-only",
    "only-quoted": "event-nothing-to-do",
    "orders-kept": "event-lines-kept",
    "outage-later": "event-deadline-moved",
    "owner-new": "event-new-owner",
    "owner-you": "event-your-game",
    "password-changed": "event-new-password",
    "pause-over": "event-goes-on",
    "pause-over-later": "event-goes-on",
    "paused": "event-paused",
    "paused-until": "event-paused",
    "phase-held": "event-orders-are-closed",
    "player-is-back": "event-player-is-back",
    "power-has-sitter": "event-sitter-plays",
    "power-nmr": "event-no-orders-came",
    "power-taken-over": "event-new-player",
    "powers-late": "event-orders-are-missing",
    "powers-late-count": "event-orders-are-missing",
    "promoted": "event-new-master",
    "promoted-you": "event-master-now",
    "proxy-lent": "event-unit-lent",
    "proxy-taken": "event-unit-taken-back",
    "resigned": "event-resigned",
    "resumed": "event-goes-on",
    "revived": "event-goes-on",
    "revived-you": "event-goes-on",
    "seat-vacant": "event-vacancy",
    "seat-vacant-bot": "event-vacancy",
    "seat-vacant-bot-private": "event-vacancy",
    "setting-set": "event-rules-changed",
    "sitter-begins": "event-your-sitter-plays",
    "sitter-declined": "event-no-sitter",
    "sitter-ended": "event-you-play-again",
    "sitter-gave-up": "event-you-play-again",
    "sitting-over": "event-sitting-over",
    "token-from-elsewhere": "event-from-elsewhere",
    "unstarted": "event-not-begun",
    "vote-extended-later": "event-deadline-moved",
    "vote-paused": "event-paused",
    "vote-paused-until": "event-paused",
    "vote-resumed": "event-goes-on",
    "vote-rule-changed": "event-rules-changed",
    "watcher-asks": "event-somebody-asks",
    "writing-begins": "event-orders-are-written",
    "writing-begins-moved-earlier": "event-orders-are-written",
    "writing-begins-moved-later": "event-orders-are-written",
    "you-left": "event-you-left",
    "you-sit": "event-sitting-in",
}
"""Code of a reason → code of the end of the subject. Others are plain news."""


MAX_CLAUSES = 3
"""Maximum number of clauses of the gist in a subject."""


def subject_of(
    game: str, phase: str | tuple[str, ...], event: Phrase | str, power: str = ""
) -> Phrase:
    """Return the subject of a letter about a phase, as in "marco - S1901M results".

    It names several phases if the letter reports them together. *power* is named if its reader
    has several: "marco (France) - S1901M results".
    """
    named = phrase("game-of-power", game=game, power=power) if power else game
    return phrase("subject-game", game=named, phase=phase, event=event)


def append_summary(event: Phrase, gist: Sequence[Phrase]) -> Phrase:
    """Return a subject's end with the letter's gist, as in "results: you lost A IMO".

    >>> append_summary(phrase("event-results"), ()).code
    'event-results'
    """
    clauses = tuple(gist[:MAX_CLAUSES])
    return phrase("event-and", event=event, gist=clauses) if clauses else event


def answering(subject: Phrase) -> Phrase:
    """Return the subject of a reply."""
    return phrase("subject-answer", subject=subject)


def headline(code: str, kind: LetterKind) -> Phrase:
    """Return the end of the subject of a letter with this first reason.

    >>> headline("paused", LetterKind.NOTICE).code, headline("vote-cast", LetterKind.VOTE).code
    ('event-paused', 'event-vote')
    """
    if code.startswith("power-nmr-"):
        # A game system may word it differently for each of its clocks.
        code = "power-nmr"
    return phrase(EVENT_BY_CODE.get(code.removesuffix("-private"), f"event-{kind.value}"))
