"""Checks after a crash test, which account for every row and letter."""

import re
from collections import Counter

from judge.mail.outbound.delivery import read_newest
from tests.crash.ordeal import PLAYERS, Ordeal, address

MARK = re.compile(rb"mark-\d+-\d+")


def check(ordeal: Ordeal, but: frozenset[str] = frozenset()) -> dict[str, int]:
    """Check the database and the Maildir, and return the counts.

    `but` has the Message-IDs that must not be in the Maildir, because they were sent in an earlier
    life.
    """
    if ordeal.url.startswith("sqlite:"):
        [(sound,)] = ordeal.sql("PRAGMA integrity_check")
        assert sound == "ok"
    assert ordeal.sql("SELECT id, note FROM mails WHERE state = 'shunted'") == []
    effects = _effects(ordeal)
    lost = ordeal.acknowledged - set(effects)
    assert not lost, f"acknowledged, but without effect: {sorted(lost)[:5]}"
    assert set(effects) <= ordeal.written
    doubled = [mark for mark, many in effects.items() if many > 1]
    assert not doubled, f"with more than one effect: {doubled[:5]}"
    _check_letters(ordeal, set(effects))
    turns = _check_turns(ordeal)
    _check_rest(ordeal, len(effects), turns)
    if ordeal.deliver_to.startswith("maildir:"):
        _check_maildir(ordeal, but)
    return {
        "lives": ordeal.lives, "acknowledged": len(ordeal.acknowledged),
        "repeated": ordeal.repeats, "effects": len(effects), "turns": turns,
        "lost": len(lost), "doubled": len(doubled),
    }


def _effects(ordeal: Ordeal) -> Counter[str]:
    """Return how often each mark is in the history of the game."""
    texts = ordeal.sql("SELECT text FROM events WHERE kind = 'press'")
    return Counter(mark.decode() for (text,) in texts for mark in MARK.findall(str(text).encode()))


def _check_letters(ordeal: Ordeal, marks: set[str]) -> None:
    """Check that each mail has one reply and reached each reader once as press."""
    answers: Counter[str] = Counter()
    press: Counter[tuple[str, str]] = Counter()
    for to, kind, message in ordeal.sql('SELECT "to", kind, message FROM outgoing'):
        assert isinstance(message, bytes)
        head, _, body = message.partition(b"\r\n\r\n")
        if kind == "receipt" and (found := re.search(rb"In-Reply-To: <(mark-\d+-\d+)@", head)):
            answers[found[1].decode()] += 1
        if kind == "press":
            # A letter contains the mark twice, as plain text and as HTML.
            [mark] = set(MARK.findall(body))
            press[str(to), mark.decode()] += 1
    assert set(answers) == marks and set(answers.values()) <= {1}
    wanted = Counter[tuple[str, str]]()
    for mark in marks:
        n = int(mark.split("-")[1])
        wanted["gm@example.org", mark] = wanted[address((n + 1) % PLAYERS), mark] = 1
    assert press == wanted


def _check_turns(ordeal: Ordeal) -> int:
    """Check that each phase of polo was adjudicated once and reported once to each."""
    turns = ordeal.sql("SELECT t.number FROM turns t JOIN games g ON g.id = t.game ORDER BY number")
    assert [number for (number,) in turns] == list(range(1, len(turns) + 1))
    told = Counter(to for (to,) in ordeal.sql("SELECT \"to\" FROM outgoing WHERE kind='results'"))
    expected = dict.fromkeys(("gm@example.org", "watcher@example.org"), len(turns))
    assert told == {to: many for to, many in expected.items() if many}
    return len(turns)


def _check_rest(ordeal: Ordeal, effects: int, turns: int) -> None:
    """Check that no other rows have changed."""
    def many(name: str, where: str = "TRUE") -> int:
        [(found,)] = ordeal.sql(f"SELECT COUNT(*) FROM {name} WHERE {where}")
        assert isinstance(found, int)
        return found

    before = ordeal.begun
    assert [many(name) for name in ("games", "seats", "orders")] == [
        before[name] for name in ("games", "seats", "orders")
    ]
    assert many("mails", "state = 'done'") == before["mails"] + effects
    assert many("mails", "state NOT IN ('done', 'ignored')") == 0
    assert many("mails", "state = 'ignored' AND note <> 'repeat'") == 0
    assert many("outgoing") == before["outgoing"] + 3 * effects + 2 * turns
    assert many("outgoing", "state <> 'sent'") == 0


def _check_maildir(ordeal: Ordeal, but: frozenset[str]) -> None:
    """Check that every letter is in the Maildir once."""
    ids = Counter(
        found[1].decode()
        for letter in read_newest(ordeal.folder / "outbox", "", 10**9)
        if (found := re.search(rb"^Message-ID: (\S+)", letter, re.M))
    )
    sent = {message_id for (message_id,) in ordeal.sql("SELECT message_id FROM outgoing")}
    assert ids, "no letter was sent"
    assert set(ids) == sent - but
    doubled = [message_id for message_id, many in ids.items() if many > 1]
    assert not doubled, f"more than once: {doubled[:5]}"
