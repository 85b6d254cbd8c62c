"""Subjects of notices: the first thing a notice tells, in a few words."""

from collections.abc import Mapping

from judge.model.letter import Kind

HEADLINES: Mapping[str, str] = {
    "address-suspended": "letters come back",
    "deadline-for-newcomer-later": "deadline moved",
    "deadline-for-newcomer-set": "deadline moved",
    "deadline-moved-earlier": "deadline is earlier",
    "deadline-moved-later": "deadline moved",
    "deadline-moved-set": "deadline moved",
    "deadline-now-later": "deadline moved",
    "ejected-you": "your power is lost",
    "first-turn-protected": "orders are missing",
    "first-turn-protected-count": "orders are missing",
    "game-paused-by-fault": "paused",
    "game-waits": "waits for a player",
    "guesses-from-elsewhere": "wrong passwords",
    "guesses-in-your-name": "wrong passwords",
    "grace-moved-earlier": "grace is shorter",
    "grace-moved-later": "grace moved",
    "grace-moved-set": "grace moved",
    "keeper-paused": "paused",
    "keeper-resumed": "goes on",
    "keeper-resumed-later": "goes on",
    "letter-undeliverable": "a letter came back",
    "letters-arrive-again": "letters arrive again",
    "lost-seat": "your power is lost",
    "lost-seat-by-sitter": "your power is lost",
    "master-changed": "rules changed",
    "muster-failed": "not complete",
    "muster-missed": "your place is free",
    "nmr-near": "orders are missing",
    "not-before-deadline-later": "deadline moved",
    "not-before-deadline-set": "deadline moved",
    "outage-later": "deadline moved",
    "paused": "paused",
    "phase-held": "orders are closed",
    "power-nmr": "no orders came",
    "power-taken-over": "new player",
    "powers-late": "orders are missing",
    "powers-late-count": "orders are missing",
    "resumed": "goes on",
    "seat-vacant": "vacancy",
    "sitter-begins": "your sitter plays",
    "sitter-ended": "you play again",
    "vote-extended-later": "deadline moved",
    "vote-paused": "paused",
    "vote-resumed": "goes on",
    "writing-begins": "orders are written",
    "writing-begins-moved-earlier": "orders are written",
    "writing-begins-moved-later": "orders are written",
}
"""Code of a reason → the end of the subject; other notices say their kind."""


def headline(code: str, kind: Kind) -> str:
    """Return what ends the subject of a letter that tells this first.

    >>> headline("paused", Kind.NOTICE), headline("vote-cast", Kind.VOTE)
    ('paused', 'vote')
    """
    if code.startswith("power-nmr-"):
        # A game may say it otherwise for each of its clocks.
        code = "power-nmr"
    return HEADLINES.get(code.removesuffix("-private"), kind.value)
