"""JSON of a game's clock, which keeps its format."""

from collections.abc import Mapping
from dataclasses import fields
from datetime import UTC, datetime, timedelta
from typing import Any, get_type_hints

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.model.clock_state import EMPTY_CLOCK, ClockState, PendingSetup

INSTANTS = st.datetimes(datetime(1990, 1, 1), datetime(2100, 1, 1), timezones=st.just(UTC))
TEXTS = st.text(st.characters(codec="utf-8"), max_size=9)
KINDS: Mapping[object, st.SearchStrategy[Any]] = {
    datetime | None: INSTANTS | st.none(),
    timedelta | None: st.timedeltas(timedelta(), timedelta(days=400)) | st.none(),
    bool: st.booleans(),
    str: TEXTS,
    str | None: TEXTS | st.none(),
    tuple[str, ...]: st.lists(TEXTS, max_size=3).map(tuple),
    tuple[int, ...] | None: st.lists(st.integers(0, 99), max_size=3).map(tuple) | st.none(),
    PendingSetup | None: st.builds(PendingSetup, TEXTS, TEXTS) | st.none(),
    Mapping[str, object]: st.dictionaries(st.sampled_from("XYZ"), st.integers(), max_size=2),
}
CLOCKS = st.builds(
    ClockState, **{name: KINDS[hint] for name, hint in get_type_hints(ClockState).items()}
)
NAMES = {field.name for field in fields(ClockState)} - {"others"}

WRITTEN = st.sampled_from(["2026-01-05T20:00:00+00:00", "2026-07-05T20:00:00.000001+00:00"])
POWERS = st.lists(st.sampled_from(["France", "Öst"]), min_size=1, max_size=3)
OBJECTS = st.fixed_dictionaries({}, optional={
    **{name: WRITTEN for name in NAMES},
    **{name: st.just(True) for name in ("alerted", "protected", "writing")},
    **{name: POWERS for name in ("late", "waits_for")},
    "grace": st.floats(0, 400 * 86_400).map(lambda seconds: round(seconds, 3)),
    "put_off": TEXTS,
    "paused_by": st.sampled_from(["master", "vote", "freeze"]),
    "confirmed": st.lists(st.integers(1, 99), max_size=3),
    "setup": st.fixed_dictionaries({"word": TEXTS, "position": TEXTS}),
    "of a newer judge": st.lists(st.integers(), max_size=2),
})


@given(OBJECTS)
def test_json_of_a_clock_is_unchanged_by_a_round_trip(kept: dict[str, Any]) -> None:
    assert ClockState.read(kept).as_json() == kept


@given(CLOCKS)
def test_a_clock_is_read_as_it_was_written(clock: ClockState) -> None:
    assert ClockState.read(clock.as_json()) == clock


def test_default_values_of_a_clock_are_not_stored() -> None:
    assert EMPTY_CLOCK.as_json() == {}
    assert EMPTY_CLOCK.with_muster(datetime(2026, 1, 5, tzinfo=UTC), ()).as_json() == {
        "muster_until": "2026-01-05T00:00:00+00:00", "confirmed": [],
    }


@given(CLOCKS, INSTANTS, st.timedeltas(timedelta(), timedelta(days=9)))
def test_pause_shifts_the_phase_and_leaves_no_trace(
    clock: ClockState, now: datetime, span: timedelta
) -> None:
    after = clock.with_pause(now, "vote").shifted_by(span).with_pause_ended()
    assert (after.paused, after.paused_by) == (None, "")
    for name in ("begun", "writing_from", "early", "not_before", "reminded"):
        was, now_is = getattr(clock, name), getattr(after, name)
        assert now_is == (was + span if was else None)
    assert (after.held, after.master_reminded, after.late) == (
        clock.held, clock.master_reminded, clock.late,
    )


@pytest.mark.parametrize("kept", [{"early": "soon"}, {"late": 7}, {"setup": {"word": "x"}}])
def test_malformed_clock_is_refused_when_read(kept: dict[str, Any]) -> None:
    with pytest.raises((ValueError, TypeError, KeyError)):
        ClockState.read(kept)
