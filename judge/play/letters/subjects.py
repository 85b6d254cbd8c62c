"""Subjects of notices: the first thing a notice tells, in a few words."""

from collections.abc import Mapping

from judge.model.letter import Kind
from judge.model.phrase import Phrase, phrase

HEADLINES: Mapping[str, str] = {
    "address-suspended": "event-letters-come-back",
    "deadline-for-newcomer-later": "event-deadline-moved",
    "deadline-for-newcomer-set": "event-deadline-moved",
    "deadline-moved-earlier": "event-deadline-is-earlier",
    "deadline-moved-later": "event-deadline-moved",
    "deadline-moved-set": "event-deadline-moved",
    "deadline-now-later": "event-deadline-moved",
    "ejected-you": "event-your-power-is-lost",
    "first-turn-protected": "event-orders-are-missing",
    "first-turn-protected-count": "event-orders-are-missing",
    "game-paused-by-fault": "event-paused",
    "game-waits": "event-waits-for-a-player",
    "guesses-from-elsewhere": "event-wrong-passwords",
    "guesses-in-your-name": "event-wrong-passwords",
    "grace-moved-earlier": "event-grace-is-shorter",
    "grace-moved-later": "event-grace-moved",
    "grace-moved-set": "event-grace-moved",
    "keeper-paused": "event-paused",
    "keeper-resumed": "event-goes-on",
    "keeper-resumed-later": "event-goes-on",
    "letter-undeliverable": "event-a-letter-came-back",
    "letters-arrive-again": "event-letters-arrive-again",
    "lost-seat": "event-your-power-is-lost",
    "lost-seat-by-sitter": "event-your-power-is-lost",
    "master-changed": "event-rules-changed",
    "muster-failed": "event-not-complete",
    "muster-missed": "event-your-place-is-free",
    "nmr-near": "event-orders-are-missing",
    "not-before-deadline-later": "event-deadline-moved",
    "not-before-deadline-set": "event-deadline-moved",
    "outage-later": "event-deadline-moved",
    "paused": "event-paused",
    "phase-held": "event-orders-are-closed",
    "power-nmr": "event-no-orders-came",
    "power-taken-over": "event-new-player",
    "powers-late": "event-orders-are-missing",
    "powers-late-count": "event-orders-are-missing",
    "resumed": "event-goes-on",
    "seat-vacant": "event-vacancy",
    "sitter-begins": "event-your-sitter-plays",
    "sitter-ended": "event-you-play-again",
    "vote-extended-later": "event-deadline-moved",
    "vote-paused": "event-paused",
    "vote-resumed": "event-goes-on",
    "writing-begins": "event-orders-are-written",
    "writing-begins-moved-earlier": "event-orders-are-written",
    "writing-begins-moved-later": "event-orders-are-written",
}
"""Code of a reason → that of the end of the subject; other notices say their kind."""


def subject_of(game: str, phase: str, event: Phrase | str) -> Phrase:
    """Return the subject of a letter about a phase of a game: "marco - S1901M results"."""
    return phrase("subject-game", game=game, phase=phase, event=event)


def answering(subject: Phrase) -> Phrase:
    """Return the subject of an answer."""
    return phrase("subject-answer", subject=subject)


def headline(code: str, kind: Kind) -> Phrase:
    """Return what ends the subject of a letter that tells this first.

    >>> headline("paused", Kind.NOTICE).code, headline("vote-cast", Kind.VOTE).code
    ('event-paused', 'event-vote')
    """
    if code.startswith("power-nmr-"):
        # A game may say it otherwise for each of its clocks.
        code = "power-nmr"
    return phrase(HEADLINES.get(code.removesuffix("-private"), f"event-{kind.value}"))
