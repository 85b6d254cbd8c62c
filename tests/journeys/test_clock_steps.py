"""The clock steps, summer time comes and goes: no deadline fires twice, and none is skipped."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judge.config import ClockSection, Config, StoreSection, load_config
from judge.errors import ConfigError
from tests.journeys.bench import Bench

GM = "gm@example.org"
ANN = "ann@example.org"


def begin(bench: Bench, *sets: str) -> int:
    """Start a game with one held power that never orders; return its id."""
    bench.mail(GM, "\n".join(["CREATE ?steps gmsecret standard", *sets, "START"]))
    bench.mail(ANN, "TAKEOVER Fsteps annsecret")
    bench.boxes.clear()
    game = bench.works.games.find("steps")
    assert game is not None
    return game.id


def kinds(bench: Bench, address: str) -> list[str]:
    """Return the kinds of all letters to an address since it was asked last."""
    box = bench.boxes.pop(address, [])
    return [str(letter["X-Judge-Kind"]) for letter in box]


def test_a_clock_put_back_repeats_nothing(bench: Bench) -> None:
    begin(bench)
    for kind, hours in (("reminder", 54), ("reminder", 18), ("notice", 24)):
        bench.clock.forward(hours=hours)
        bench.run()
        assert kind in kinds(bench, ANN)
        for back in (1, 30, 500):
            bench.clock.forward(hours=-back)
            bench.run()
            assert kinds(bench, ANN) == []
            bench.clock.forward(hours=back)
        bench.run()
        assert kinds(bench, ANN) == []


def test_a_clock_that_jumps_ahead_reminds_once_and_plays_each_phase_by_its_own_deadline(
    bench: Bench,
) -> None:
    game_id = begin(bench, "SET REMINDER 48h, 24h, 6h")
    bench.clock.forward(hours=71)
    bench.run()
    assert kinds(bench, ANN) == ["reminder"]
    bench.clock.forward(days=30)
    bench.run()
    (turn,) = bench.works.games.turns(game_id)
    game = bench.works.games.get(game_id)
    assert (turn.phase, game.phase) == ("S1901M", "F1901M")
    assert game.deadline == bench.clock.now() + timedelta(hours=72)


@settings(max_examples=settings.default.max_examples // 20)
@given(st.lists(st.integers(-40, 60), min_size=5, max_size=25))
def test_whatever_the_clock_does_each_phase_is_played_once_and_after_its_deadline(
    steps: list[int],
) -> None:
    bench = Bench()
    try:
        game_id = begin(bench, "SET NMR HOLD", "SET FIRST TURN PROTECTION")
        latest = bench.clock.now()
        for hours in steps:
            game = bench.works.games.get(game_id)
            assert game.deadline is not None
            due = game.due
            bench.clock.forward(hours=hours)
            bench.run()
            latest = max(latest, bench.clock.now())
            after = bench.works.games.get(game_id)
            assert after.turn - game.turn in (0, 1)
            if after.turn > game.turn:
                assert bench.clock.now() >= game.deadline
            if due is not None and bench.clock.now() < due:
                assert after == game, "nothing happens before it is due"
            assert after.due is not None and after.due > bench.clock.now()
        turns = bench.works.games.turns(game_id)
        assert [turn.number for turn in turns] == list(range(1, len(turns) + 1))
        assert len({turn.phase for turn in turns}) == len(turns)
    finally:
        bench.close()


@pytest.mark.parametrize(
    ("start", "deadlines"),
    [
        # 20:00 in Paris on every day, whichever side of the change: in UTC 19:00, then 18:00
        ("2026-03-27T18:30", ["2026-03-28T19:00", "2026-03-29T18:00", "2026-03-30T18:00"]),
        ("2026-10-23T17:30", ["2026-10-24T18:00", "2026-10-25T19:00", "2026-10-26T19:00"]),
    ],
)
def test_deadlines_stay_at_their_hour_over_a_change_of_summer_time(
    bench: Bench, start: str, deadlines: list[str]
) -> None:
    bench.clock.set(datetime.fromisoformat(start).replace(tzinfo=UTC))
    game_id = begin(bench, "SET ZONE Europe/Paris", "SET MOVE NEXT 24 CLOCK 20:00 GRACE 0")
    for text in deadlines:
        deadline = datetime.fromisoformat(text).replace(tzinfo=UTC)
        before = bench.works.games.get(game_id)
        assert before.deadline == deadline
        bench.clock.set(deadline - timedelta(seconds=1))
        bench.run()
        assert bench.works.games.get(game_id).turn == before.turn
        bench.clock.set(deadline)
        bench.run()
        assert bench.works.games.get(game_id).turn == before.turn + 1


def test_on_the_judges_holidays_no_deadline_falls() -> None:
    config = Config(
        store=StoreSection("sqlite:///:memory:"),
        clock=ClockSection(holidays="2026-01-08 to 2026-01-09, 2026-01-10"),
    )
    bench = Bench(config)
    try:
        game_id = begin(bench, "SET MOVE CLOCK 20:00 DAYS -MTWTF-")
        assert bench.works.games.get(game_id).deadline == datetime(2026, 1, 12, 20, tzinfo=UTC)
    finally:
        bench.close()


def test_days_that_are_none_are_no_holidays() -> None:
    for text in ("soon", "2026-02-30", "2026-02-03 to 2026-02-01"):
        with pytest.raises(ConfigError, match="clock.holidays"):
            load_config(None, {"JUDGE_CLOCK_HOLIDAYS": text}, Path("/nowhere"))
