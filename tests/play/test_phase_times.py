"""The times of a phase stay in sequence under SET, votes, pauses, READY and time."""

from collections.abc import Iterator
from datetime import datetime, timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from judge.model.record import GameRecord, GameState
from judge.play.clocks.deadlines import PhaseTimes, times_of
from tests.journeys.rig import START, Rig, text_of

ANN, BOB, GM = "ann@example.org", "bob@example.org", "gm@example.org"
SIGNONS = {
    GM: "SIGNON Mtalks gmsecret\n", ANN: "SIGNON Ftalks annsecret\n",
    BOB: "SIGNON Etalks bobsecret\n",
}
TIMES = st.none() | st.integers(0, 400).map(lambda hours: START + timedelta(hours=hours))


def assert_ordered(times: PhaseTimes) -> None:
    given = [
        each for each in (times.negotiation_end, times.deadline, times.grace) if each is not None
    ]
    assert given == sorted(given), times
    if times.not_before and times.deadline:
        assert times.not_before <= times.deadline, times


@given(st.builds(PhaseTimes, TIMES, TIMES, TIMES, TIMES), st.sampled_from(PhaseTimes._fields))
def test_times_are_put_in_sequence(times: PhaseTimes, chosen: str) -> None:
    after = times.in_order(chosen)
    if chosen != "grace":
        assert_ordered(after)
        assert getattr(after, chosen) == getattr(times, chosen) or chosen == "deadline"
    assert after.in_order(chosen) == after


@pytest.fixture(scope="module")
def begun() -> Iterator[Rig]:
    """A game with two players, in the four days of negotiation of its first phase."""
    made = Rig()
    made.mail(GM, "CREATE ?talks gmsecret standard\nSET HOUSE RULES\nSET EXCUSES 5\nSTART")
    made.mail(ANN, "TAKEOVER Ftalks annsecret")
    made.mail(BOB, "TAKEOVER Etalks bobsecret")
    made.boxes.clear()
    yield made
    made.close()


def game(rig: Rig) -> GameRecord:
    found = rig.application.games.find("talks")
    assert found
    return found


HOURS = st.integers(-200, 300)
NAMES = st.sampled_from(["NEGOTIATION END", "DEADLINE", "GRACE", "START"])
SETS = st.builds("SET {} +{}h".format, NAMES, st.integers(0, 90)) | st.builds(
    lambda name, hours: f"SET {name} {START + timedelta(hours=hours):%d %b %Y %H:%M}",
    NAMES, st.integers(0, 400),
)
STEPS = st.lists(
    st.tuples(st.just(GM), SETS)
    | st.tuples(st.just(GM), st.sampled_from(["PAUSE", "RESUME", "FREEZE", "UNFREEZE"]))
    | st.tuples(
        st.sampled_from([ANN, BOB]),
        st.sampled_from(["READY", "UNREADY", "VOTE EXTEND 24h", "EXCUSE",
                         "VOTE EXTEND UNTIL 20 Jan 2026 12:00"]),
    )
    | st.tuples(st.just(""), st.sampled_from(["1", "10", "50", "100"])),
    max_size=12,
)


@pytest.mark.slow
@settings(
    max_examples=25, deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(STEPS)
def test_no_actions_break_the_order_of_times(begun: Rig, steps: list[tuple[str, str]]) -> None:
    rig = begun.again()
    try:
        for who, line in steps:
            before = game(rig)
            if who:
                rig.mail(who, SIGNONS[who] + line)
            else:
                rig.clock.set(rig.clock.now() + timedelta(hours=int(line)))
                rig.run()
            after = game(rig)
            if after.state is GameState.RUNNING:
                assert_ordered(times_of(after))
            if who and after.phase == before.phase:
                told = " ".join(text_of(rig.newest[GM]).split())
                for was, now in zip(times_of(before), times_of(after), strict=True):
                    if now is not None and now != was and now != rig.clock.now():
                        assert _format_instant(now) in told, (line, told)
    finally:
        rig.close()


def _format_instant(instant: datetime) -> str:
    return f"{instant:%a} {instant.day} {instant:%b %Y, %H:%M} (UTC)"


def test_a_withdrawn_ready_keeps_the_negotiation(rig: Rig) -> None:
    planned = game(rig).clock.writing_from
    rig.mail(ANN, f"{SIGNONS[ANN]}READY")
    rig.mail(ANN, f"{SIGNONS[ANN]}UNREADY")
    rig.mail(BOB, f"{SIGNONS[BOB]}READY\n{SIGNONS[ANN]}READY\nUNREADY")
    assert game(rig).clock.writing_from == planned


def test_the_lines_suggested_for_a_deadline_work(rig: Rig) -> None:
    for text in ("10 Jan 2026 10:00", "6 Jan 2026 12:00", "5 Jan 2026 12:30"):
        rig.mail(GM, f"{SIGNONS[GM]}SET NEGOTIATION END +48h\nSET START +1h\nSET DEADLINE {text}")
        lines = [
            line.strip() for line in text_of(rig.newest[GM]).splitlines()
            if line.strip().startswith(("SET NEGOTIATION END", "SET DEADLINE"))
        ][-2:]
        rig.mail(GM, SIGNONS[GM] + "\n".join(lines))
        after = game(rig)
        assert after.deadline
        assert f"{after.deadline.day} {after.deadline:%b %Y %H:%M}" == text, lines


def test_settings_of_a_past_phase_are_refused(rig: Rig) -> None:
    rig.mail(GM, f"{SIGNONS[GM]}SET FIRST TURN PROTECTION\nSET FIRST NEGOTIATION 12")
    text = text_of(rig.newest[GM])
    assert "FIRST NEGOTIATION is for the first phase" in text
    assert "FIRST TURN PROTECTION is for the first phase" not in text
    rig.mail(ANN, f"{SIGNONS[ANN]}VOTE CLOCK FIRST NEGOTIATION 12")
    assert "FIRST NEGOTIATION is for the first phase" in text_of(rig.newest[ANN])
    rig.mail(GM, f"{SIGNONS[GM]}PROCESS S1901M")
    rig.mail(GM, f"{SIGNONS[GM]}SET NO FIRST TURN PROTECTION")
    assert "FIRST TURN PROTECTION is for the first phase" in text_of(rig.newest[GM])


def test_takeover_in_a_pause_reports_the_time_left(rig: Rig) -> None:
    rig.mail(GM, f"{SIGNONS[GM]}SET TAKEOVER TIME 200\nPAUSE")
    rig.mail("eve@example.org", "TAKEOVER Gtalks evesecret")
    told = " ".join(text_of(rig.newest[BOB]).split())
    assert "When 'talks' continues, the new player has 200 hours until the deadline" in told
    assert "To give a new player time, the deadline" not in told
