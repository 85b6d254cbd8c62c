"""Clock changes and summer time: every deadline is processed exactly once."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judge.config import ClockSection, Config, StoreSection, load_config
from judge.errors import ConfigError
from tests.journeys.rig import Rig

GM = "gm@example.org"
ANN = "ann@example.org"


def begin(rig: Rig, *sets: str) -> int:
    """Start a game with one occupied power that never orders. Return its id."""
    rig.mail(GM, "\n".join(["CREATE ?steps gmsecret standard", *sets, "START"]))
    rig.mail(ANN, "TAKEOVER Fsteps annsecret")
    rig.boxes.clear()
    game = rig.application.games.find("steps")
    assert game is not None
    return game.id


def kinds(rig: Rig, address: str) -> list[str]:
    """Return the kinds of all letters to an address since the last call."""
    box = rig.boxes.pop(address, [])
    return [str(letter["X-Judge-Kind"]) for letter in box]


def test_a_clock_set_back_repeats_nothing(rig: Rig) -> None:
    begin(rig)
    for kind, hours in (("reminder", 54), ("reminder", 18), ("notice", 24)):
        rig.clock.advance(hours=hours)
        rig.run()
        assert kind in kinds(rig, ANN)
        for back in (1, 30, 500):
            rig.clock.advance(hours=-back)
            rig.run()
            assert kinds(rig, ANN) == []
            rig.clock.advance(hours=back)
        rig.run()
        assert kinds(rig, ANN) == []


def test_a_clock_jump_sends_one_reminder_and_plays_one_phase(
    rig: Rig,
) -> None:
    game_id = begin(rig, "SET REMINDER 48h, 24h, 6h")
    rig.clock.advance(hours=71)
    rig.run()
    assert kinds(rig, ANN) == ["reminder"]
    rig.clock.advance(days=30)
    rig.run()
    (turn,) = rig.application.games.turns(game_id)
    game = rig.application.games.get(game_id)
    assert (turn.phase, game.phase) == ("S1901M", "F1901M")
    assert game.deadline == rig.clock.now() + timedelta(hours=72)


@pytest.mark.slow
@settings(max_examples=max(5, settings.default.max_examples // 20))
@given(st.lists(st.integers(-40, 60), min_size=5, max_size=25))
def test_each_phase_is_played_once_after_its_deadline(
    steps: list[int],
) -> None:
    rig = Rig()
    try:
        game_id = begin(rig, "SET NMR HOLD", "SET FIRST TURN PROTECTION")
        latest = rig.clock.now()
        for hours in steps:
            game = rig.application.games.get(game_id)
            assert game.deadline is not None
            due = game.due
            rig.clock.advance(hours=hours)
            rig.run()
            latest = max(latest, rig.clock.now())
            after = rig.application.games.get(game_id)
            assert after.turn - game.turn in (0, 1)
            if after.turn > game.turn:
                assert rig.clock.now() >= game.deadline
            if due is not None and rig.clock.now() < due:
                assert after == game, "nothing happens before it is due"
            assert after.due is not None and after.due > rig.clock.now()
        turns = rig.application.games.turns(game_id)
        assert [turn.number for turn in turns] == list(range(1, len(turns) + 1))
        assert len({turn.phase for turn in turns}) == len(turns)
    finally:
        rig.close()


@pytest.mark.parametrize(
    ("start", "deadlines"),
    [
        # It is 20:00 in Paris on every day: 19:00 UTC before the change, 18:00 after it.
        ("2026-03-27T18:30", ["2026-03-28T19:00", "2026-03-29T18:00", "2026-03-30T18:00"]),
        ("2026-10-23T17:30", ["2026-10-24T18:00", "2026-10-25T19:00", "2026-10-26T19:00"]),
    ],
)
def test_deadlines_keep_their_hour_across_summer_time(
    rig: Rig, start: str, deadlines: list[str]
) -> None:
    rig.clock.set(datetime.fromisoformat(start).replace(tzinfo=UTC))
    game_id = begin(rig, "SET ZONE Europe/Paris", "SET MOVE NEXT 24 CLOCK 20:00 GRACE 0")
    for text in deadlines:
        deadline = datetime.fromisoformat(text).replace(tzinfo=UTC)
        before = rig.application.games.get(game_id)
        assert before.deadline == deadline
        rig.clock.set(deadline - timedelta(seconds=1))
        rig.run()
        assert rig.application.games.get(game_id).turn == before.turn
        rig.clock.set(deadline)
        rig.run()
        assert rig.application.games.get(game_id).turn == before.turn + 1


def test_no_deadline_is_on_a_holiday_of_the_judge() -> None:
    config = Config(
        store=StoreSection("sqlite:///:memory:"),
        clock=ClockSection(holidays="2026-01-08 to 2026-01-09, 2026-01-10"),
    )
    rig = Rig(config)
    try:
        game_id = begin(rig, "SET MOVE CLOCK 20:00 DAYS -MTWTF-")
        assert rig.application.games.get(game_id).deadline == datetime(2026, 1, 12, 20, tzinfo=UTC)
    finally:
        rig.close()


def test_invalid_holidays_are_refused() -> None:
    for text in ("soon", "2026-02-30", "2026-02-03 to 2026-02-01"):
        with pytest.raises(ConfigError, match="clock.holidays"):
            load_config(None, {"JUDGE_CLOCK_HOLIDAYS": text}, Path("/nowhere"))
