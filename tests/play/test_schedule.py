"""The arithmetic of game clocks."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.config import Config, StoreSection
from judge.model.record import GameState
from judge.play.clocks import game_clock
from judge.play.clocks.deadlines import direction
from judge.play.clocks.game_clock import next_wakeup
from judge.play.gm import operator
from judge.play.schedule import EVERY_DAY, Schedule, Timing, find_zone, is_cron
from tests.journeys.rig import Rig, squeeze_text, text_of

PARIS = "Europe/Paris"


def at(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def schedule(zone: str = "UTC", cron: str = "", **timing: object) -> Schedule:
    made = Timing(**{"next": 72.0, **timing})  # type: ignore[arg-type]
    return Schedule(zone, {"move": made, "retreat": Timing(24.0), "adjust": Timing(24.0)}, cron)


CASES = [
    # The start and the deadline are in UTC.
    ("2026-01-05T12:00", schedule(), "2026-01-08T12:00", "72 hours and nothing else"),
    ("2026-01-05T12:00", schedule(clock=23 * 60 + 30), "2026-01-08T23:30", "pushed to the clock"),
    ("2026-01-05T23:45", schedule(next=24.0, clock=1410), "2026-01-06T23:30", "no slide"),
    ("2026-01-06T04:00", schedule(next=24.0, clock=1410), "2026-01-07T23:30", "clock has passed"),
    ("2026-01-07T12:00", schedule(days="-MTWTF-"), "2026-01-12T12:00", "no weekend"),
    ("2026-01-07T08:00", schedule(days="SMTWTFs"), "2026-01-10T12:00", "Saturday after noon"),
    ("2026-01-07T14:00", schedule(days="SMTWTFs"), "2026-01-10T14:00", "Saturday afternoon"),
    ("2026-03-26T19:00", schedule(PARIS, clock=1200), "2026-03-29T18:00", "20:00 before and after"),
    ("2026-03-26T01:30", schedule(PARIS, clock=150), "2026-03-29T01:30", "02:30 in the gap"),
    ("2026-10-22T18:00", schedule(PARIS, clock=1200), "2026-10-25T19:00", "back to winter time"),
    ("2026-01-05T12:00", schedule(PARIS, "0 20 * * tue,fri"), "2026-01-06T19:00", "cron in Paris"),
    ("2026-03-27T19:30", schedule(PARIS, "0 20 * * tue,fri"), "2026-03-31T18:00", "cron over DST"),
    ("2026-01-06T18:00", schedule("UTC", "0 20 * * tue,fri", min=12.0), "2026-01-09T20:00", "min"),
]


@pytest.mark.parametrize("begun, clock, deadline, why", CASES)
def test_a_deadline_follows_the_clock_settings(
    begun: str, clock: Schedule, deadline: str, why: str
) -> None:
    assert clock.deadline("move", at(begun)) == at(deadline), why


INSTANTS = st.datetimes(datetime(2024, 1, 1), datetime(2035, 1, 1)).map(
    lambda x: x.replace(tzinfo=UTC)
)
DAYS = st.lists(st.booleans(), min_size=7, max_size=7).filter(any).map(
    lambda on: "".join(letter if allowed else "-" for letter, allowed in zip(EVERY_DAY, on))
)


@given(INSTANTS, DAYS, st.integers(-1, 1439), st.sampled_from(["UTC", PARIS, "Asia/Tokyo"]))
def test_a_deadline_is_never_earlier_than_the_minimum_hours(
    begun: datetime, days: str, clock: int, zone: str
) -> None:
    deadline = schedule(zone, days=days, clock=clock).deadline("move", begun)
    assert timedelta(hours=62) <= deadline - begun <= timedelta(days=3 + 9)


def test_house_rules_put_negotiation_before_movement_only() -> None:
    clock = Schedule(
        "UTC", schedule().timings, first_negotiation=96.0, negotiation=48.0,
        main=frozenset({"move"}),
    )
    begun = at("2026-01-05T12:00")
    assert clock.negotiation_end("move", begun, first=True) == at("2026-01-09T12:00")
    assert clock.negotiation_end("move", begun, first=False) == at("2026-01-07T12:00")
    assert clock.negotiation_end("retreat", begun, first=False) is None


def test_a_reminder_is_due_at_a_quarter_of_the_time() -> None:
    clock = schedule()
    begun, deadline = at("2026-01-05T12:00"), at("2026-01-09T12:00")
    assert clock.remind_at(begun, deadline) == (at("2026-01-08T12:00"),)


def test_reminders_are_due_before_the_deadline_within_the_phase() -> None:
    clock = Schedule("UTC", schedule().timings, reminders=(6.0, 24.0, 200.0))
    begun, deadline = at("2026-01-05T12:00"), at("2026-01-09T12:00")
    assert clock.remind_at(begun, deadline) == (at("2026-01-08T12:00"), at("2026-01-09T06:00"))
    assert Schedule("UTC", schedule().timings, reminder=0.0).remind_at(begun, deadline) == ()


def test_grace_ends_on_an_allowed_day_unless_it_is_strict() -> None:
    clock = schedule(days="-MTWTF-", grace=24.0)
    friday = at("2026-01-09T12:00")
    assert clock.grace_end("move", friday) == at("2026-01-12T12:00")
    strict = Schedule("UTC", clock.timings, strict_grace=True)
    assert strict.grace_end("move", friday) == at("2026-01-10T12:00")


def test_settled_is_the_first_instant_the_clock_permits() -> None:
    evening = schedule(clock=1200)
    assert evening.next_allowed("move", at("2026-01-09T20:00")) == at("2026-01-09T20:00")
    assert evening.next_allowed("move", at("2026-01-09T20:01")) == at("2026-01-10T20:00")
    by_cron = schedule(cron="0 20 * * tue,fri")
    assert by_cron.next_allowed("move", at("2026-01-09T20:00")) == at("2026-01-09T20:00")
    assert by_cron.next_allowed("move", at("2026-01-09T20:01")) == at("2026-01-13T20:00")


@pytest.mark.parametrize("begun", ["2026-10-25T00:10", "2026-10-25T01:10", "2026-03-29T00:50"])
@pytest.mark.parametrize("hours", [0.25, 0.5, 1.0, 24.0])
def test_durations_count_real_hours_across_clock_changes(begun: str, hours: float) -> None:
    clock = schedule(PARIS, next=hours)
    assert clock.deadline("move", at(begun)) - at(begun) == timedelta(hours=hours)


def test_early_adjudication_keeps_the_minimum_delay() -> None:
    clock = schedule(min=10.0)
    assert clock.earliest("move", at("2026-01-05T12:00")) == at("2026-01-05T22:00")


def test_no_clock_is_faster_than_the_operators_minimum() -> None:
    ten = timedelta(minutes=10)
    for clock in (schedule(cron="* * * * *"), schedule(next=0.05), schedule(next=0.0, clock=725)):
        hasty = replace(clock, shortest=ten)
        assert hasty.is_any_hasty(at("2026-01-05T12:00"))
        for minute in range(60):
            begun = at(f"2026-01-05T12:{minute:02}")
            assert hasty.deadline("move", begun) >= begun + ten
            assert clock.deadline("move", begun) <= hasty.deadline("move", begun)
    for calm in (schedule(cron="0 20 * * *"), schedule(next=0.2)):
        begun = at("2026-01-05T12:00")
        slowed = replace(calm, shortest=ten)
        assert not slowed.is_any_hasty(begun)
        assert slowed.deadline("move", begun) == calm.deadline("move", begun)


def test_zones_and_cron_expressions_are_checked() -> None:
    assert find_zone("EUROPE/paris") == PARIS
    assert find_zone("paris") is None
    assert is_cron("*/5 * * * *")
    assert not is_cron("0 25 * * *")


GM, ANN, BOB = "gm@example.org", "ann@example.org", "bob@example.org"
SEATS = {
    "M": (GM, "SIGNON Mmarco gmsecret"), "F": (ANN, "SIGNON Fmarco annsecret"),
    "G": (BOB, "SIGNON Gmarco bobsecret"),
}
MOVES_ON = [
    # The last of these mails resumes the game or changes its due time.
    [("M", "PAUSE"), ("M", "RESUME")],
    [("M", "PAUSE UNTIL +2d"), ("", "2d")],
    [("M", "FREEZE"), ("M", "UNFREEZE")],
    [("M", "FREEZE VOTES")],
    [("F", "VOTE PAUSE"), ("G", "VOTE PAUSE"), ("F", "VOTE RESUME"), ("G", "VOTE RESUME")],
    [("F", "VOTE EXTEND 24h"), ("G", "VOTE EXTEND 24h")],
    [("M", "SET DEADLINE +48h")], [("M", "SET GRACE +240h")], [("M", "SET NOT BEFORE +240h")],
    [("M", "SET EXCUSES 2"), ("F", "EXCUSE")],
    [("M", "PROCESS S1901M"), ("M", "ROLLBACK S1901M AGAIN")],
    [("M", "SETUP\nFrance: A Par\nENDSETUP")],
    [("keeper", "pause"), ("keeper", "resume")],
    [("system", "gone"), ("system", "back")],
    [("outage", "20d")], [("", "2d")], [("", "2d"), ("", "2d")],
]


@pytest.fixture(scope="module", params=[False, True], ids=["open", "held"])
def running(request: pytest.FixtureRequest) -> Iterator[Rig]:
    """A game that waits for orders, and one whose result waits for its master."""
    config = Config(store=StoreSection("sqlite:///:memory:"))
    made = Rig(replace(config, policy=replace(config.policy, confirm="false")))
    made.mail(GM, "CREATE ?marco gmsecret standard\nSTART")
    made.mail(ANN, "TAKEOVER Fmarco annsecret")
    made.mail(BOB, "TAKEOVER Gmarco bobsecret")
    if request.param:
        made.mail(GM, "SIGNON Mmarco gmsecret\nSET HOLD")
        made.mail(ANN, "SIGNON Fmarco annsecret\nA Par H\nA Mar H\nF Bre H")
        made.mail(BOB, "SIGNON Gmarco bobsecret\nA Ber H\nA Mun H\nF Kie H")
        made.clock.advance(seconds=3600)
        made.run()
    record = made.application.games.find("marco")
    assert record and record.clock.awaits_release == request.param
    yield made
    made.close()


def carry_out(rig: Rig, who: str, what: str, patch: pytest.MonkeyPatch) -> None:
    """Perform an action of a player, the master, the operator, the system or time."""
    application, now = rig.application, rig.clock.now()
    record = application.games.find("marco")
    assert record
    if who in SEATS:
        sender, opening = SEATS[who]
        rig.mail(sender, f"{opening}\n{what}")
    elif who == "keeper":
        with application.store.transaction(), application.context.unit_of_work() as context:
            getattr(operator, what)(context.games.get(record.id), now)
    elif who == "system":
        patch.setattr(game_clock, "is_installed", lambda name: what == "back")
        with application.store.transaction():
            application.resolver.stop_or_go_on(record.id, now)
    elif who == "outage":
        rig.clock.set(now + timedelta(days=20))
        with application.store.transaction():
            application.resolver.after_outage(record.id, now, rig.clock.now())
    else:
        rig.clock.set(now + timedelta(days=2))
        rig.run()


@pytest.mark.parametrize("deeds", MOVES_ON)
def test_every_resumption_sets_the_next_due_time(
    deeds: list[tuple[str, str]], running: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    rig = running.again()
    with monkeypatch.context() as patch:
        for who, what in deeds:
            carry_out(rig, who, what, patch)
    with rig.application.context.unit_of_work() as context:
        game = context.games.find("marco")
        assert game and game.state is GameState.RUNNING
        assert game.due == next_wakeup(game) is not None
    rig.close()


def test_a_repeated_setting_is_reported_for_each_time(running: Rig) -> None:
    rig = running.again()
    carry = "SIGNON Mmarco gmsecret\nSET MOVE NEXT 48 GRACE 24\nSET MOVE NEXT 48 GRACE 12"
    rig.mail(GM, carry)
    told = squeeze_text(text_of(rig.newest[GM]))
    assert told.count("more than once in your mail") == 1
    assert "MOVE GRACE appears more than once in your mail" in told
    rig.close()


@pytest.mark.parametrize("was, now, told", [
    (None, 0, "set"), (0, None, "set"), (None, None, "set"), (1, 0, "earlier"), (0, 1, "later"),
    (0, 0, "later"),
])
def test_a_deadline_change_has_a_direction(was: int | None, now: int | None, told: str) -> None:
    begun = datetime(2026, 1, 5, tzinfo=UTC)
    at = [None if each is None else begun + timedelta(days=each) for each in (was, now)]
    assert direction(*at) == told
