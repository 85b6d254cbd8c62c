"""Truncation of long replies, item by item. Whole replies are tested in journeys."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any, cast

import pytest

from judge.mail.outbound import length_limit
from judge.mail.outbound.length_limit import ReplyAllowance, _left, _newest, _SpaceBudget, shorten
from judge.mail.outbound.render import Renderer
from judge.model.letter import Letter, LetterKind
from judge.model.phrase import phrase

NOW = datetime(2026, 1, 5, 20, 0, 30, tzinfo=UTC)
MINUTE = timedelta(minutes=1)


def ledger(room: int) -> _SpaceBudget:
    """Return a ledger in which the length of an item is its number.

    The length of an item with entries is the sum of theirs.
    """
    def measure(**some: Sequence[Any]) -> int:
        [[item]] = some.values()
        return sum(one["long"] for one in item["entries"]) if "entries" in item else item["long"]

    return _SpaceBudget(measure, room)


def items(*longs: int) -> list[dict[str, Any]]:
    """Return replies of these lengths, each with the line that requests it."""
    return [{"long": long, "asked": f"HELP {long}"} for long in longs]


@pytest.mark.parametrize("room, longs, many", [
    (10, [4, 6], 2), (9, [4, 6], 1), (9, [4, 6, 5], 1), (3, [4, 1], 0), (4, [4], 1), (0, [], 0),
    (10, [3, 3, 3, 3], 3),
])
def test_the_first_items_that_fit_are_kept(room: int, longs: list[int], many: int) -> None:
    given = items(*longs)
    assert ledger(room).fitting("done", given) == given[:many]


def test_kept_items_use_the_room_and_more_can_be_added() -> None:
    one = ledger(10)
    assert len(one.fitting("done", items(6))) == 1
    assert one.fitting("orders", items(5)) == []
    one.add(1)
    assert len(one.fitting("orders", items(5))) == 1
    assert one.fitting("orders", items(1)) == []


def test_all_infos_that_fit_are_kept_and_the_rest_named() -> None:
    given = items(6, 5, 4, 1)
    assert ledger(10).infos(given) == ([given[0], given[2]], ["HELP 5", "HELP 1"])


def history(*longs: int) -> dict[str, Any]:
    """Return a history with entries of these lengths.

    The entries are a minute apart, the oldest first.
    """
    entries = [{"long": long, "at": NOW + n * MINUTE} for n, long in enumerate(longs)]
    game = {"name": "marco", "zone": "Europe/Berlin"}
    return {"entries": entries, "game": game, "asked": "HISTORY"}


@pytest.mark.parametrize("room, longs, many", [
    (9, (3, 3, 3), 3), (8, (3, 3, 3), 2), (6, (3, 3, 3), 2), (5, (3, 3, 3), 1), (3, (3, 3, 3), 1),
    (2, (3, 3, 3), 0), (4, (9, 1, 1, 1, 1), 4), (3, (9, 1, 1, 1, 1), 3), (2, (3,), 0),
])
def test_the_newest_entries_of_a_history_are_kept(
    room: int, longs: tuple[int, ...], many: int
) -> None:
    given = history(*longs)
    one = ledger(room)
    kept, lines = one.infos([given])
    assert [len(info["entries"]) for info in kept] == [many] * bool(many)
    assert lines == ["HISTORY"] * (not many)
    if many:
        assert kept[0]["entries"] == given["entries"][-many:]
        assert one.fitting("done", items(room - sum(longs[-many:]) + 1)) == [], "it took its room"


def test_the_line_for_the_rest_covers_all_omitted_entries() -> None:
    """The line has minutes, and its end is exclusive."""
    assert _newest(history(1, 1, 1, 1), 2)["cut"] == phrase(
        "cut-earlier", count=2, line="HISTORY marco FROM 5 Jan 2026 21:00 TO 5 Jan 2026 21:02"
    )
    assert _newest(history(1, 1, 1, 1), 3)["cut"].facts["line"].endswith(" TO 5 Jan 2026 21:01")


def lines(*numbers: int, notes: bool = False) -> list[Any]:
    """Return complaints or orders of these lines."""
    return [SimpleNamespace(line=number, notes=notes) for number in numbers]


def test_omitted_items_are_counted() -> None:
    many = lines(2, 7, 9, 4)
    assert _left("complaints", many, many) is None
    assert _left("complaints", many, many[:1]) == phrase(
        "left-complaints", count=3, first=4, last=9
    )
    assert _left("done", many, many[:3]) == phrase("left-done", count=1)
    noted = [*lines(1), *lines(2, notes=True)]
    assert _left("orders", noted, []) == phrase("left-notes", count=2)
    assert _left("orders", lines(1, 2), []) is None, "of what nothing is remarked"


def test_complaints_beyond_the_limit_are_counted() -> None:
    many = things(*[0] * (length_limit.MAX_COMPLAINTS + 7))
    short = shorten(cast(Renderer, Measured()), answer((), complaints=many), 10**6)
    assert len(short.facts["complaints"]) == length_limit.MAX_COMPLAINTS
    assert short.facts["left"]["told"] == [phrase("left-complaints", count=7, first=500, last=506)]


class Measured:
    """Fake renderer: the length of a text is that of its facts plus ten."""

    def text(self, letter: Letter) -> str:
        """Return a text."""
        return "x" * (10 + self._long(letter.facts))

    def piece(self, letter: Letter, name: str, **facts: Any) -> str:
        """Return the part of it for these facts."""
        assert name == "body"
        return "x" * self._long(facts)

    def message(self, letter: Letter, now: datetime, message_id: str) -> Any:
        """Return a message, longer than its text unless it is plain."""
        long = len(self.text(letter)) + (0 if letter.plain else letter.facts["html"])
        return SimpleNamespace(octets=b"x" * long, plain=letter.plain, number=message_id)

    def _long(self, facts: Mapping[str, Any]) -> int:
        given = [*facts["infos"], *(vars(one) for name in KEPT for one in facts[name])]
        return sum(one["long"] for one in given)


KEPT = ("done", "complaints", "orders")
ANN = "ann@example.org"


def answer(
    infos: Sequence[Any], html: int = 0, seat: int = 0, to: str = ANN, **more: Any
) -> Letter:
    """Return a reply with these facts."""
    facts = {"done": (), "complaints": (), "orders": (), "infos": infos, "html": html, **more}
    return Letter(LetterKind.RECEIPT, to, "", "receipt", facts, seat=seat)


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Set small limits."""
    for name, value in {
        "MAX_STRANGER_OCTETS": 100, "MAX_SEAT_OCTETS": 300, "MIN_REPLY_OCTETS": 50,
        "MAX_LINES": 2, "_NOTE": 5
    }.items():
        monkeypatch.setattr(length_limit, name, value)


# The columns are the seat or 0, the length of the text, the additional length of the HTML, the
# length of the message, and whether it is plain. The note takes room from the rest.
@pytest.mark.parametrize("letters", [
    [(0, 100, 0, 100, False)], [(0, 100, 1, 100, True)], [(0, 101, 0, 10, True)],
    [(7, 300, 0, 300, False)], [(7, 100, 201, 100, True)], [(7, 301, 0, 10, True)],
    [(0, 100, 0, 100, False)] * 3 + [(0, 51, 0, 10, True), (0, 50, 0, 50, False)],
    [(7, 250, 0, 250, False), (7, 50, 0, 50, False), (7, 50, 0, 50, False), (7, 51, 0, 10, True)],
    [(7, 100, 200, 300, False), (7, 51, 0, 10, True)],
    # A letter that is too long with its HTML is sent without it.
    [(7, 100, 201, 100, True), (7, 200, 0, 200, False), (7, 51, 0, 10, True)],
])
@pytest.mark.usefixtures("few")
def test_replies_to_one_mail_share_the_limit_of_an_address(
    letters: list[tuple[int, int, int, int, bool]]
) -> None:
    shares, other = (ReplyAllowance(cast(Renderer, Measured())) for _ in range(2))
    for place, (seat, text, html, long, is_plain) in enumerate(letters):
        to = ANN if place % 2 else ANN.upper()
        letter = answer(items(text - 10), html, seat, to)
        sent: Any = shares.message(letter, NOW, f"<{place}@x>")
        assert (len(sent.octets), sent.plain, sent.number) == (long, is_plain, f"<{place}@x>")
    elsewhere = answer(items(90), to="bob@example.org")
    assert len(shares.message(elsewhere, NOW, "").octets) == 100, "another has his own share"
    assert len(other.message(answer(items(90)), NOW, "").octets) == 100


@pytest.mark.usefixtures("few")
def test_other_letters_are_unlimited_and_do_not_count() -> None:
    class Long(Measured):
        def message(self, letter: Letter, now: datetime, message_id: str) -> Any:
            if "infos" in letter.facts:
                return super().message(letter, now, message_id)
            return SimpleNamespace(octets=b"x" * 1000)

    shares = ReplyAllowance(cast(Renderer, Long()))
    results = Letter(LetterKind.RESULTS, ANN, "", "results", {})
    assert len(shares.message(results, NOW, "").octets) == 1000
    assert len(shares.message(answer(items(290), seat=7), NOW, "").octets) == 300


def things(*longs: int) -> list[Any]:
    """Return completed commands of these lengths, one on each line."""
    return [SimpleNamespace(long=long, line=n, notes=()) for n, long in enumerate(longs)]


@pytest.mark.parametrize("most, done, infos, kept, told", [
    (32, (4, 4, 4), (10,), (3, 1), ()),
    # At 16, half is for completed commands, and their unused part is for questions too.
    (31, (4, 4, 4), (10,), (2, 0), ("left-infos", "left-done")),
    (31, (4, 4, 6), (8,), (2, 1), ("left-done",)),
    (31, (4, 5, 4), (12,), (1, 1), ("left-done",)),
    (31, (4, 5, 4), (13,), (1, 0), ("left-infos", "left-done")),
    # At 17, nine are for questions.
    (32, (4, 4, 6), (9,), (2, 1), ("left-done",)),
    (32, (4, 4), (25,), (2, 0), ("left-infos",)),
])
@pytest.mark.usefixtures("few")
def test_half_of_the_room_is_for_questions(
    most: int, done: tuple[int, ...], infos: tuple[int, ...], kept: tuple[int, int],
    told: tuple[str, ...],
) -> None:
    letter = answer(items(*infos), done=things(*done))
    short = shorten(cast(Renderer, Measured()), letter, most)
    assert (len(short.facts["done"]), len(short.facts["infos"])) == kept
    if not told:
        assert short is letter
        return
    assert tuple(one.code for one in short.facts["left"]["told"]) == told
    assert short.facts["left"]["lines"] == [f"HELP {long}" for long in infos[kept[1]:]]


@pytest.mark.usefixtures("few")
def test_lines_for_the_rest_are_distinct_and_limited() -> None:
    infos = [{"long": 90, "asked": asked} for asked in ("A", "", "A", "B", "C")]
    short = shorten(cast(Renderer, Measured()), answer(infos), 50)
    assert short.facts["left"]["lines"] == ["A", "B"]
    assert short.facts["left"]["told"] == [phrase("left-infos", count=5)]
