"""The help topics: the files of `mailtemplates/common/help/`, found by name or by another word."""

import difflib
from functools import cache
from importlib.resources import files

OTHER_WORDS = {
    "": "index", "topics": "index", "commands": "index", "info": "index", "guide": "start",
    "flist": "index", "newbie": "start", "first": "start", "game": "start",
    "signon": "signing", "sign": "signing", "join": "signing", "password": "signing",
    "observe": "watching", "observer": "watching", "watch": "watching", "monitor": "watching",
    "unsubscribe": "watching", "takeover": "signing", "resign": "signing", "reset": "signing",
    "address": "signing", "token": "signing", "create": "master",
    "gm": "master", "eject": "master", "process": "master", "pause": "master", "how2gm": "master",
    "terminate": "master", "order": "orders", "syntax": "orders", "movement": "orders",
    "retreat": "orders", "build": "orders", "status": "orders", "clear": "orders",
    "deadline": "deadlines", "clock": "deadlines", "grace": "deadlines", "nmr": "deadlines",
    "wait": "deadlines", "ready": "deadlines", "house": "deadlines", "house.rules": "deadlines",
    "dedsystems": "deadlines", "broadcast": "press", "endpress": "press", "set": "settings",
    "vote": "votes", "draw": "votes", "draws": "votes", "unvote": "votes", "list": "asking",
    "history": "asking", "summary": "asking", "version": "asking", "map": "youngstown",
    "boxes": "youngstown", "suez": "youngstown", "rules": "orders", "preference": "signing",
}
"""Words people ask for → the topic that tells of it."""


@cache
def help_topics() -> tuple[str, ...]:
    """Return the names of all help topics, sorted."""
    folder = files("judge.mailtemplates") / "common" / "help"
    names = (entry.name for entry in folder.iterdir())
    return tuple(sorted(name[:-4] for name in names if name.endswith(".txt")))


def find_topic(asked: str) -> tuple[str | None, tuple[str, ...]]:
    """Return the topic meant by the words after HELP, or None and the HELP lines near them.

    >>> find_topic("Signon")[0], find_topic("set press")[0]
    ('signing', 'settings')
    """
    words = asked.casefold().split() or [""]
    for word in words:
        topic = OTHER_WORDS.get(word, word)
        if topic in help_topics():
            return topic, ()
    known = sorted({*help_topics(), *OTHER_WORDS} - {""})
    near = difflib.get_close_matches(words[0], known, 3, 0.6)
    return None, tuple(f"HELP {word.upper()}" for word in near)
