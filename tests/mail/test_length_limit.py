"""What an answer leaves out where it would be too long, item by item; whole answers: journeys."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any

from judge.mail.outbound.length_limit import _left, _Ledger, _newest
from judge.model.phrase import phrase
from tests.rows import every

NOW = datetime(2026, 1, 5, 20, 0, 30, tzinfo=UTC)
MINUTE = timedelta(minutes=1)


def ledger(room: int) -> _Ledger:
    """One that measures what it is given by its numbers, and what has entries by theirs."""
    def measure(**some: Sequence[Any]) -> int:
        [[item]] = some.values()
        return sum(one["long"] for one in item["entries"]) if "entries" in item else item["long"]

    return _Ledger(measure, room)


def items(*longs: int) -> list[dict[str, Any]]:
    """Answers as long as that, each with the line that asks for it."""
    return [{"long": long, "asked": f"HELP {long}"} for long in longs]


@every("room, longs, many", [
    (10, [4, 6], 2), (9, [4, 6], 1), (9, [4, 6, 5], 1), (3, [4, 1], 0), (4, [4], 1), (0, [], 0),
    (10, [3, 3, 3, 3], 3),
])
def test_the_first_are_kept_for_which_there_is_room(
    room: int, longs: list[int], many: int
) -> None:
    given = items(*longs)
    assert ledger(room).fitting("done", given) == given[:many]


def test_what_is_kept_takes_its_room_and_more_may_be_had() -> None:
    one = ledger(10)
    assert len(one.fitting("done", items(6))) == 1
    assert one.fitting("orders", items(5)) == []
    one.add(1)
    assert len(one.fitting("orders", items(5))) == 1
    assert one.fitting("orders", items(1)) == []


def test_of_what_was_asked_for_all_is_kept_that_has_room_and_the_rest_named() -> None:
    given = items(6, 5, 4, 1)
    assert ledger(10).infos(given) == ([given[0], given[2]], ["HELP 5", "HELP 1"])


def history(*longs: int) -> dict[str, Any]:
    """One with so long entries, a minute apart, the oldest first."""
    entries = [{"long": long, "at": NOW + n * MINUTE} for n, long in enumerate(longs)]
    game = {"name": "marco", "zone": "Europe/Berlin"}
    return {"entries": entries, "game": game, "asked": "HISTORY"}


@every("room, longs, many", [
    (9, (3, 3, 3), 3), (8, (3, 3, 3), 2), (6, (3, 3, 3), 2), (5, (3, 3, 3), 1), (3, (3, 3, 3), 1),
    (2, (3, 3, 3), 0), (4, (9, 1, 1, 1, 1), 4), (3, (9, 1, 1, 1, 1), 3), (2, (3,), 0),
])
def test_of_a_history_the_newest_entries_are_kept(
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


def test_the_line_for_the_rest_asks_from_the_first_to_the_last_that_is_left_out() -> None:
    """An instant has its minute; the end is not in it."""
    assert _newest(history(1, 1, 1, 1), 2)["cut"] == phrase(
        "cut-earlier", count=2, line="HISTORY marco FROM 5 Jan 2026 21:00 TO 5 Jan 2026 21:02"
    )
    assert _newest(history(1, 1, 1, 1), 3)["cut"].facts["line"].endswith(" TO 5 Jan 2026 21:01")


def lines(*numbers: int, notes: bool = False) -> list[Any]:
    """Complaints or orders of these lines."""
    return [SimpleNamespace(line=number, notes=notes) for number in numbers]


def test_what_is_left_out_is_counted() -> None:
    many = lines(7, 2, 9, 4)
    assert _left("complaints", many, many) is None
    assert _left("complaints", many, many[:1]) == phrase(
        "left-complaints", count=3, first=2, last=9
    )
    assert _left("done", many, many[:3]) == phrase("left-done", count=1)
    noted = [*lines(1), *lines(2, notes=True)]
    assert _left("orders", noted, []) == phrase("left-notes", count=2)
    assert _left("orders", lines(1, 2), []) is None, "of what nothing is remarked"
